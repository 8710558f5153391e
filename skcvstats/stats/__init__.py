"""The procedures: scores in, test results out. NumPy and SciPy only."""

from ._base import LocationTest
from ._bootstrap_t import BootstrapTTest, bootstrap_ttest
from ._compare_scores import compare_scores
from ._conservative_z import ConservativeZTest, conservative_ztest
from ._corrected_bootstrap_t import CorrectedBootstrapTTest, corrected_bootstrap_ttest
from ._corrected_resampled_t import CorrectedResampledTTest, corrected_resampled_ttest
from ._five_by_two_cv_f import FiveByTwoCVFTestResult, five_by_two_cv_ftest
from ._five_by_two_cv_t import FiveByTwoCVTTest, five_by_two_cv_ttest
from ._holdout_t import HoldoutTTest, holdout_ttest
from ._lookup import get_test, get_test_names
from ._multiplicity import adjust_pvalues
from ._resampled_t import ResampledTTest, resampled_ttest

__all__ = [
    "BootstrapTTest",
    "ConservativeZTest",
    "CorrectedBootstrapTTest",
    "CorrectedResampledTTest",
    "FiveByTwoCVFTestResult",
    "FiveByTwoCVTTest",
    "HoldoutTTest",
    "LocationTest",
    "ResampledTTest",
    "adjust_pvalues",
    "bootstrap_ttest",
    "compare_scores",
    "conservative_ztest",
    "corrected_bootstrap_ttest",
    "corrected_resampled_ttest",
    "five_by_two_cv_ftest",
    "five_by_two_cv_ttest",
    "get_test",
    "get_test_names",
    "holdout_ttest",
    "resampled_ttest",
]
