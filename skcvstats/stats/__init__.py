"""The procedures: scores in, test results out. NumPy and SciPy only."""

from ._base import LocationTest, get_test, get_test_names
from ._compare_scores import compare_scores
from ._conservative_variance import conservative_variance, half_sample_differences
from ._corrected_resampled_t import CorrectedResampledTTest, corrected_resampled_ttest
from ._cv_variance import cv_variance
from ._error_rate import ErrorRateInterval, error_rate_interval
from ._error_rate_difference import ErrorRateDifference, error_rate_difference
from ._exchangeable import ExchangeableMoments, exchangeable_moments
from ._implied_correlation import ImpliedCorrelation, implied_correlation
from ._mcnemar import McNemarResult, mcnemar_test, mcnemar_test_from_table
from ._multiplicity import adjust_pvalues
from ._political_ratio import political_ratio
from ._split_plan import SplitPlan, plan_n_splits
from ._variance_components import VarianceComponents, variance_components

__all__ = [
    "CorrectedResampledTTest",
    "ErrorRateDifference",
    "ErrorRateInterval",
    "ExchangeableMoments",
    "ImpliedCorrelation",
    "LocationTest",
    "McNemarResult",
    "SplitPlan",
    "VarianceComponents",
    "adjust_pvalues",
    "compare_scores",
    "conservative_variance",
    "corrected_resampled_ttest",
    "cv_variance",
    "error_rate_difference",
    "error_rate_interval",
    "exchangeable_moments",
    "get_test",
    "get_test_names",
    "half_sample_differences",
    "implied_correlation",
    "mcnemar_test",
    "mcnemar_test_from_table",
    "plan_n_splits",
    "political_ratio",
    "variance_components",
]
