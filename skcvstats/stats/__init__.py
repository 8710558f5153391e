"""The procedures: they turn scores into test results; use only NumPy and SciPy."""

# Names that are imported "as" themselves are for the rooms above; the others are public.
from ._arguments import as_scores as as_scores
from ._arguments import check_complete as check_complete
from ._arguments import where_scores_are as where_scores_are
from ._bootstrap_t import BootstrapTTest, bootstrap_ttest
from ._bounds import check_bounds as check_bounds
from ._claim import KINDS, Claim
from ._cluster_bootstrap import ClusterBootstrapResult, ClusterBootstrapTest
from ._cluster_bootstrap import bootstrap_scores as bootstrap_scores
from ._clustered_mean import ClusteredMean, clustered_mean
from ._clustered_mean import mean_scores as mean_scores
from ._clustered_t import ClusteredTTest
from ._cochran_q import CochranQResult, cochran_q_test
from ._conservative_variance import conservative_variance, half_sample_differences
from ._conservative_z import ConservativeZTest, conservative_ztest
from ._corrected_bootstrap_t import CorrectedBootstrapTTest, corrected_bootstrap_ttest
from ._corrected_resampled_t import CorrectedResampledTTest, corrected_resampled_ttest
from ._correlation_sensitivity import CorrelationSensitivity, correlation_sensitivity
from ._cv_variance import cv_variance
from ._delong import DeLongTest
from ._diagnostics import CHOSEN_REFERENCE as CHOSEN_REFERENCE
from ._diagnostics import UNDETERMINED as UNDETERMINED
from ._diagnostics import invalid_first as invalid_first
from ._equivalence import EquivalenceResult
from ._error_rate import ErrorRateInterval, error_rate_interval
from ._error_rate_difference import ErrorRateDifference, error_rate_difference
from ._exchangeable import ExchangeableMoments, exchangeable_moments
from ._five_by_two_cv_f import FiveByTwoCVFTest, FiveByTwoCVFTestResult, five_by_two_cv_ftest
from ._five_by_two_cv_t import FiveByTwoCVTTest, five_by_two_cv_ttest
from ._groups import read_groups as read_groups
from ._groups import read_weights as read_weights
from ._holdout_t import HoldoutTTest, holdout_ttest
from ._implied_correlation import ImpliedCorrelation, implied_correlation
from ._inference import UNNAMED_ESTIMATE as UNNAMED_ESTIMATE
from ._inference import Inference
from ._location import LocationTest, Pivot
from ._location import refer as refer
from ._location import rejects as rejects
from ._lookup import enter_methods, get_procedure, get_procedure_names
from ._margin import MarginPvalues as MarginPvalues
from ._margin import margin_claim as margin_claim
from ._margin import margin_kinds as margin_kinds
from ._margin import referred as referred
from ._margin import within as within
from ._mcnemar import McNemarResult, mcnemar_exact_test, mcnemar_exact_test_from_table
from ._mcnemar_score import McNemarScoreResult, McNemarScoreTest
from ._mcnemar_score import correct_scores as correct_scores
from ._plan_n_splits import plan_n_splits
from ._political_ratio import political_ratio
from ._posterior import PosteriorProbabilities
from ._power import detectable_difference as detectable_difference
from ._procedure import Procedure
from ._resampled_t import ResampledTTest, resampled_ttest
from ._resampling import Resampling as Resampling
from ._resampling import strata_of as strata_of
from ._result import CVTestResult
from ._roc_auc import ROCAreas, delong_auc
from ._roc_auc import auc_scores as auc_scores
from ._sample import Root as Root
from ._sample import Sample as Sample
from ._sample import to_usual_magnitude as to_usual_magnitude
from ._split_plan import PlanEstimate, SplitPlan
from ._student import interval as interval
from ._student import student_quantile as student_quantile
from ._student import tail_probability as tail_probability
from ._test_set import HeldOutResult
from ._variance_components import VarianceComponents, variance_components

__all__ = [
    "KINDS",
    "BootstrapTTest",
    "CVTestResult",
    "Claim",
    "ClusterBootstrapResult",
    "ClusterBootstrapTest",
    "ClusteredMean",
    "ClusteredTTest",
    "CochranQResult",
    "ConservativeZTest",
    "CorrectedBootstrapTTest",
    "CorrectedResampledTTest",
    "CorrelationSensitivity",
    "DeLongTest",
    "EquivalenceResult",
    "ErrorRateDifference",
    "ErrorRateInterval",
    "ExchangeableMoments",
    "FiveByTwoCVFTest",
    "FiveByTwoCVFTestResult",
    "FiveByTwoCVTTest",
    "HoldoutTTest",
    "ImpliedCorrelation",
    "Inference",
    "LocationTest",
    "McNemarResult",
    "McNemarScoreResult",
    "McNemarScoreTest",
    "Pivot",
    "PlanEstimate",
    "PosteriorProbabilities",
    "Procedure",
    "ROCAreas",
    "ResampledTTest",
    "Sample",
    "SplitPlan",
    "HeldOutResult",
    "VarianceComponents",
    "bootstrap_ttest",
    "clustered_mean",
    "cochran_q_test",
    "conservative_variance",
    "conservative_ztest",
    "corrected_bootstrap_ttest",
    "corrected_resampled_ttest",
    "correlation_sensitivity",
    "cv_variance",
    "delong_auc",
    "error_rate_difference",
    "error_rate_interval",
    "exchangeable_moments",
    "five_by_two_cv_ftest",
    "five_by_two_cv_ttest",
    "get_procedure",
    "get_procedure_names",
    "half_sample_differences",
    "holdout_ttest",
    "implied_correlation",
    "mcnemar_exact_test",
    "mcnemar_exact_test_from_table",
    "plan_n_splits",
    "political_ratio",
    "resampled_ttest",
    "variance_components",
]

enter_methods(globals()[name] for name in __all__)
