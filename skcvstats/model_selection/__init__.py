"""What users call to score and compare estimators, and the splitters."""

from .._utils._shared_docs import share_docstrings
from ..splitters import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold
from ._compare import compare_estimators, cross_val_inference, cross_val_score, methods_of
from ._compare_candidates import compare_candidates
from ._compare_out_of_fold import compare_out_of_fold
from ._compare_scores import compare_scores
from ._learning_curve import LearningCurveResult, learning_curve_inference
from ._racing import RacingSearchCV
from ._refit import SignificanceRefit

__all__ = [
    "HalfSplitPairs",
    "LearningCurveResult",
    "RacingSearchCV",
    "RepeatedSubsampleSplit",
    "RepeatedTwoFold",
    "SignificanceRefit",
    "compare_candidates",
    "compare_estimators",
    "compare_out_of_fold",
    "compare_scores",
    "cross_val_inference",
    "cross_val_score",
    "learning_curve_inference",
]

share_docstrings(globals())
