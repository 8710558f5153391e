"""Compare many estimators: all pairs, adjustment for their number, and the result."""

from .._utils._shared_docs import share_docstrings
from ._candidates import (
    check_rule,
    choose_cheapest,
    costs_of,
    parameter_columns,
    test_of_worse,
    winner_optimism,
)
from ._compare import check_comparison, compare
from ._comparison import Comparison, Dropped, is_symmetric
from ._discordant import rows_apart
from ._estimates import ScoreEstimates, estimates_of
from ._evidence import CandidatesEvidence, ComparedEvidence, ComparisonEvidence, SlicesEvidence
from ._joint import JointInference
from ._pairs import MARGIN_AFTERWARDS, SMALL_MARGIN, PairTests, make_pair_tests
from ._result import SIZES_OF_MATRICES, ComparisonResult, check_top, matching_label
from ._slices import read_slices, sliced, sliced_estimates
from ._verdict import Numbers, number_of_comparisons, numbers_of, parts_of_adjusted

share_docstrings(globals())
