"""The procedures: scores in, test results out. NumPy and SciPy only."""

from ._base import LocationTest
from ._bootstrap_t import BootstrapTTest, bootstrap_ttest
from ._compare_scores import compare_scores
from ._conservative_variance import conservative_variance, half_sample_differences
from ._conservative_z import ConservativeZTest, conservative_ztest
from ._corrected_bootstrap_t import CorrectedBootstrapTTest, corrected_bootstrap_ttest
from ._corrected_resampled_t import CorrectedResampledTTest, corrected_resampled_ttest
from ._correlation_sensitivity import CorrelationSensitivity, correlation_sensitivity
from ._cv_variance import cv_variance
from ._error_rate import ErrorRateInterval, error_rate_interval
from ._error_rate_difference import ErrorRateDifference, error_rate_difference
from ._exchangeable import ExchangeableMoments, exchangeable_moments
from ._five_by_two_cv_f import FiveByTwoCVFTestResult, five_by_two_cv_ftest
from ._five_by_two_cv_t import FiveByTwoCVTTest, five_by_two_cv_ttest
from ._holdout_t import HoldoutTTest, holdout_ttest
from ._implied_correlation import ImpliedCorrelation, implied_correlation
from ._lookup import get_test, get_test_names
from ._mcnemar import McNemarResult, mcnemar_test, mcnemar_test_from_table
from ._multiplicity import adjust_pvalues
from ._political_ratio import political_ratio
from ._resampled_t import ResampledTTest, resampled_ttest
from ._split_plan import SplitPlan, plan_n_splits
from ._variance_components import VarianceComponents, variance_components

__all__ = [
    "BootstrapTTest",
    "ConservativeZTest",
    "CorrectedBootstrapTTest",
    "CorrectedResampledTTest",
    "CorrelationSensitivity",
    "ErrorRateDifference",
    "ErrorRateInterval",
    "ExchangeableMoments",
    "FiveByTwoCVFTestResult",
    "FiveByTwoCVTTest",
    "HoldoutTTest",
    "ImpliedCorrelation",
    "LocationTest",
    "McNemarResult",
    "ResampledTTest",
    "SplitPlan",
    "VarianceComponents",
    "adjust_pvalues",
    "bootstrap_ttest",
    "compare_scores",
    "conservative_variance",
    "conservative_ztest",
    "corrected_bootstrap_ttest",
    "corrected_resampled_ttest",
    "correlation_sensitivity",
    "cv_variance",
    "error_rate_difference",
    "error_rate_interval",
    "exchangeable_moments",
    "five_by_two_cv_ftest",
    "five_by_two_cv_ttest",
    "get_test",
    "get_test_names",
    "half_sample_differences",
    "holdout_ttest",
    "implied_correlation",
    "mcnemar_test",
    "mcnemar_test_from_table",
    "plan_n_splits",
    "political_ratio",
    "resampled_ttest",
    "variance_components",
]
