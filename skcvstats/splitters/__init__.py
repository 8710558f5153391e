"""Splitters: draw the rows to train and to test on; nothing is fitted here."""

from ._lazy import LazySplitter, stream_of
from ._seed import generator_from
from ._split import HalfSplitPairs, LazySplits, RepeatedSubsampleSplit, RepeatedTwoFold

__all__ = [
    "HalfSplitPairs",
    "LazySplits",
    "LazySplitter",
    "RepeatedSubsampleSplit",
    "RepeatedTwoFold",
    "generator_from",
    "stream_of",
]
