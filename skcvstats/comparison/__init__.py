"""Compare many estimators: all pairs, adjustment for their number, and the result."""

from .._utils._shared_docs import share_docstrings
from ._compare import best_reference, check_comparison, compare, reference_notes
from ._compare_scores import compare_scores
from ._comparison import IN_TIME_ORDER, Comparison, refuse_in_time_order
from ._estimates import ScoreEstimates, estimates_of
from ._joint import JointInference
from ._pairs import SMALL_MARGIN, PairTests, make_pair_tests
from ._result import ComparisonResult, check_top, chosen_note, matching_label
from ._saved import slice_of

share_docstrings(globals())
