"""Splitters: draw the rows to train and to test on; nothing is fitted here."""

from .._utils._shared_docs import share_docstrings
from ._arguments import (
    check_data,
    check_index,
    check_row_order,
    check_splits,
    draw_splits,
    is_stratified,
    make_splitter,
    n_tested,
    strata_of,
    to_splitter,
    too_few_for,
)
from ._split import (
    HalfSplitPairs,
    LazySplits,
    LazySplitter,
    RepeatedSubsampleSplit,
    RepeatedTwoFold,
    check_length,
    encode_labels,
    stream_of,
)

__all__ = [
    "HalfSplitPairs",
    "LazySplits",
    "LazySplitter",
    "RepeatedSubsampleSplit",
    "RepeatedTwoFold",
    "check_data",
    "check_index",
    "check_length",
    "check_row_order",
    "check_splits",
    "draw_splits",
    "encode_labels",
    "is_stratified",
    "make_splitter",
    "n_tested",
    "strata_of",
    "stream_of",
    "to_splitter",
    "too_few_for",
]

share_docstrings(globals())
