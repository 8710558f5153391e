"""Splitters: which rows are trained on and tested on. Nothing of fitting."""

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
