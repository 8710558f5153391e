"""Compare many estimators: all pairs, adjustment for their number, and the result."""

from ._candidates import check_top as check_top
from ._candidates import chosen_note as chosen_note
from ._candidates import matching_label as matching_label
from ._compare_scores import compare_scores as compare_scores
from ._comparison import Comparison as Comparison
from ._estimates import ScoreEstimates as ScoreEstimates
from ._family import close as close
from ._joint import JointInference as JointInference
from ._joint import pointing_to_best_set as pointing_to_best_set
from ._missing import Dropped as Dropped
from ._missing import scores_of as scores_of
from ._plan import ComparisonPlan as ComparisonPlan
from ._race import Race as Race
from ._result import ComparisonResult as ComparisonResult
from ._saved import is_constant as is_constant
from ._slices import slice_of as slice_of
from ._time_order import IN_TIME_ORDER as IN_TIME_ORDER
from ._time_order import in_time_order as in_time_order
from ._time_order import refuse_in_time_order as refuse_in_time_order
