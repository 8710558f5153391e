"""Display classes, as scikit-learn has them: matplotlib is imported when something is drawn."""

from ._comparison import ComparisonDisplay
from ._correlation_sensitivity import CorrelationSensitivityDisplay
from ._paired_scores import PairedScoresDisplay
from ._power_curve import PowerCurveDisplay
from ._split_plan import SplitPlanDisplay

__all__ = [
    "ComparisonDisplay",
    "CorrelationSensitivityDisplay",
    "PairedScoresDisplay",
    "PowerCurveDisplay",
    "SplitPlanDisplay",
]
