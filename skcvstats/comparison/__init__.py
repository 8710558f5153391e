"""Compare many estimators: all pairs, adjustment for their number, and the result."""

from ._candidates import check_top, chosen_note, matching_label
from ._compare_scores import compare_scores
from ._comparison import Comparison
from ._estimates import ScoreEstimates
from ._family import close
from ._joint import JointInference, pointing_to_best_set
from ._missing import Dropped, scores_of
from ._plan import ComparisonPlan
from ._race import Race
from ._result import ComparisonResult
from ._saved import is_constant
from ._slices import slice_of
from ._time_order import IN_TIME_ORDER, in_time_order, refuse_in_time_order

__all__ = [
    "IN_TIME_ORDER",
    "Comparison",
    "ComparisonPlan",
    "ComparisonResult",
    "Dropped",
    "JointInference",
    "Race",
    "ScoreEstimates",
    "check_top",
    "chosen_note",
    "close",
    "compare_scores",
    "in_time_order",
    "is_constant",
    "matching_label",
    "pointing_to_best_set",
    "refuse_in_time_order",
    "scores_of",
    "slice_of",
]
