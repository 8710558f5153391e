"""The procedures: scores in, test results out. NumPy and scipy.special only."""

from ._base import LocationTest, get_test, get_test_names
from ._compare_scores import compare_scores
from ._corrected_resampled_t import CorrectedResampledTTest, corrected_resampled_ttest
from ._multiplicity import adjust_pvalues

__all__ = [
    "CorrectedResampledTTest",
    "LocationTest",
    "adjust_pvalues",
    "compare_scores",
    "corrected_resampled_ttest",
    "get_test",
    "get_test_names",
]
