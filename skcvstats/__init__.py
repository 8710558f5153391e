"""Statistical inference about the generalization error, for scikit-learn."""

from importlib.metadata import version as _version

from ._comparison import Comparison, ComparisonResult
from ._design import DesignRequest, SplitDesign
from ._losses import RowLosses
from ._results import ConfidenceInterval, CVTestResult
from ._scores import CVScores
from .exceptions import (
    AnticonservativeWarning,
    DegenerateScoresWarning,
    FitError,
    PairingError,
    SplitDesignError,
    SplitDesignWarning,
)
from .model_selection import (
    HalfSplitPairs,
    RepeatedSubsampleSplit,
    compare_estimators,
    cross_val_inference,
    cross_val_score,
)
from .stats import (
    CorrectedResampledTTest,
    ErrorRateDifference,
    ErrorRateInterval,
    ExchangeableMoments,
    ImpliedCorrelation,
    LocationTest,
    McNemarResult,
    SplitPlan,
    VarianceComponents,
    adjust_pvalues,
    compare_scores,
    conservative_variance,
    corrected_resampled_ttest,
    cv_variance,
    error_rate_difference,
    error_rate_interval,
    exchangeable_moments,
    get_test,
    get_test_names,
    half_sample_differences,
    implied_correlation,
    mcnemar_test,
    mcnemar_test_from_table,
    plan_n_splits,
    political_ratio,
    variance_components,
)

__version__ = _version("skcvstats")

__all__ = [
    "AnticonservativeWarning",
    "CVScores",
    "CVTestResult",
    "Comparison",
    "ComparisonResult",
    "ConfidenceInterval",
    "CorrectedResampledTTest",
    "DegenerateScoresWarning",
    "DesignRequest",
    "ErrorRateDifference",
    "ErrorRateInterval",
    "ExchangeableMoments",
    "FitError",
    "HalfSplitPairs",
    "ImpliedCorrelation",
    "LocationTest",
    "McNemarResult",
    "PairingError",
    "RepeatedSubsampleSplit",
    "RowLosses",
    "SplitDesign",
    "SplitDesignError",
    "SplitDesignWarning",
    "SplitPlan",
    "VarianceComponents",
    "adjust_pvalues",
    "compare_estimators",
    "compare_scores",
    "conservative_variance",
    "corrected_resampled_ttest",
    "cross_val_inference",
    "cross_val_score",
    "cv_variance",
    "error_rate_difference",
    "error_rate_interval",
    "exchangeable_moments",
    "get_test",
    "get_test_names",
    "half_sample_differences",
    "implied_correlation",
    "mcnemar_test",
    "mcnemar_test_from_table",
    "plan_n_splits",
    "political_ratio",
    "variance_components",
]
