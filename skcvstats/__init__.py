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
    LocationTest,
    adjust_pvalues,
    compare_scores,
    corrected_resampled_ttest,
    get_test,
    get_test_names,
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
    "FitError",
    "HalfSplitPairs",
    "LocationTest",
    "PairingError",
    "RepeatedSubsampleSplit",
    "RowLosses",
    "SplitDesign",
    "SplitDesignError",
    "SplitDesignWarning",
    "adjust_pvalues",
    "compare_estimators",
    "compare_scores",
    "corrected_resampled_ttest",
    "cross_val_inference",
    "cross_val_score",
    "get_test",
    "get_test_names",
]
