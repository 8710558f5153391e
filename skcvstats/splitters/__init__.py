"""Splitters: draw the rows to train and to test on; nothing is fitted here."""

from ._lazy import LazySplits, generator_from, stream_of
from ._split import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold

__all__ = [
    "HalfSplitPairs",
    "LazySplits",
    "RepeatedSubsampleSplit",
    "RepeatedTwoFold",
    "generator_from",
    "stream_of",
]
