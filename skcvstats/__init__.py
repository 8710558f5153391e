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
    RepeatedTwoFold,
    compare_estimators,
    cross_val_inference,
    cross_val_score,
)
from .stats import (
    BootstrapTTest,
    ConservativeZTest,
    CorrectedBootstrapTTest,
    CorrectedResampledTTest,
    FiveByTwoCVFTestResult,
    FiveByTwoCVTTest,
    HoldoutTTest,
    LocationTest,
    ResampledTTest,
    adjust_pvalues,
    bootstrap_ttest,
    compare_scores,
    conservative_ztest,
    corrected_bootstrap_ttest,
    corrected_resampled_ttest,
    five_by_two_cv_ftest,
    five_by_two_cv_ttest,
    get_test,
    get_test_names,
    holdout_ttest,
    resampled_ttest,
)

__version__ = _version("skcvstats")

__all__ = [
    "AnticonservativeWarning",
    "BootstrapTTest",
    "CVScores",
    "CVTestResult",
    "Comparison",
    "ComparisonResult",
    "ConfidenceInterval",
    "ConservativeZTest",
    "CorrectedBootstrapTTest",
    "CorrectedResampledTTest",
    "DegenerateScoresWarning",
    "DesignRequest",
    "FitError",
    "FiveByTwoCVFTestResult",
    "FiveByTwoCVTTest",
    "HalfSplitPairs",
    "HoldoutTTest",
    "LocationTest",
    "PairingError",
    "RepeatedSubsampleSplit",
    "RepeatedTwoFold",
    "ResampledTTest",
    "RowLosses",
    "SplitDesign",
    "SplitDesignError",
    "SplitDesignWarning",
    "adjust_pvalues",
    "bootstrap_ttest",
    "compare_estimators",
    "compare_scores",
    "conservative_ztest",
    "corrected_bootstrap_ttest",
    "corrected_resampled_ttest",
    "cross_val_inference",
    "cross_val_score",
    "five_by_two_cv_ftest",
    "five_by_two_cv_ttest",
    "get_test",
    "get_test_names",
    "holdout_ttest",
    "resampled_ttest",
]
