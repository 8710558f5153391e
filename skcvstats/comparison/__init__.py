"""Many estimators: all pairs, adjustment for their number, and the result."""

from ._adjustment import adjust_pvalues
from ._compare_scores import ComparisonPlan, compare_scores
from ._result import ADJUSTERS, Comparison, ComparisonResult

__all__ = [
    "ADJUSTERS",
    "Comparison",
    "ComparisonPlan",
    "ComparisonResult",
    "adjust_pvalues",
    "compare_scores",
]
