"""Compare many estimators: all pairs, adjustment for their number, and the result."""

from .._utils._shared_docs import share_docstrings
from ._compare import best_reference as best_reference
from ._compare import check_comparison as check_comparison
from ._compare import compare as compare
from ._compare import labels_left as labels_left
from ._compare import reference_notes as reference_notes
from ._compare_scores import compare_scores as compare_scores
from ._comparison import IN_TIME_ORDER as IN_TIME_ORDER
from ._comparison import Comparison as Comparison
from ._comparison import Dropped as Dropped
from ._comparison import close as close
from ._comparison import refuse_in_time_order as refuse_in_time_order
from ._estimates import ScoreEstimates as ScoreEstimates
from ._estimates import estimates_of as estimates_of
from ._joint import JointInference as JointInference
from ._pairs import SMALL_MARGIN as SMALL_MARGIN
from ._pairs import PairTests as PairTests
from ._pairs import make_pair_tests as make_pair_tests
from ._race import Race as Race
from ._result import ComparisonResult as ComparisonResult
from ._result import check_top as check_top
from ._result import chosen_note as chosen_note
from ._result import matching_label as matching_label
from ._saved import is_constant as is_constant
from ._saved import slice_of as slice_of

share_docstrings(globals())
