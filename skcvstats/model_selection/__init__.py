"""Splitters, and the fitting of estimators on their splits."""

from ._compare import compare_estimators
from ._refit import SignificanceRefit
from ._search import compare_candidates
from ._split import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold
from ._validation import cross_val_inference, cross_val_score

__all__ = [
    "HalfSplitPairs",
    "RepeatedSubsampleSplit",
    "RepeatedTwoFold",
    "SignificanceRefit",
    "compare_candidates",
    "compare_estimators",
    "cross_val_inference",
    "cross_val_score",
]
