"""The procedures: they turn scores into test results; use only NumPy and SciPy."""

# Names that are imported "as" themselves are for the rooms above; of these the procedures' classes
# are public at the top.
from .._utils._shared_docs import share_docstrings
from ._adjustment import ADJUSTMENTS as ADJUSTMENTS
from ._adjustment import MAX_T as MAX_T
from ._adjustment import Adjustment as Adjustment
from ._adjustment import adjust_pvalues
from ._adjustment import deciding_level as deciding_level
from ._arguments import where_scores_are as where_scores_are
from ._bootstrap_t import BootstrapTTest as BootstrapTTest
from ._bootstrap_t import CorrectedBootstrapTTest as CorrectedBootstrapTTest
from ._bootstrap_t import bootstrap_ttest, corrected_bootstrap_ttest
from ._claim import BESIDE as BESIDE
from ._claim import KINDS as KINDS
from ._claim import OUTCOMES as OUTCOMES
from ._claim import Claim
from ._claim import Words as Words
from ._claim import better as better
from ._claim import claim_of as claim_of
from ._claim import within as within
from ._claim import words_of as words_of
from ._conservative_z import ConservativeZTest as ConservativeZTest
from ._conservative_z import conservative_ztest
from ._corrected_resampled_t import CorrectedResampledTTest as CorrectedResampledTTest
from ._corrected_resampled_t import corrected_resampled_ttest
from ._diagnostics import CHOSEN_REFERENCE as CHOSEN_REFERENCE
from ._diagnostics import UNDETERMINED as UNDETERMINED
from ._diebold_mariano import DieboldMarianoResult as DieboldMarianoResult
from ._diebold_mariano import DieboldMarianoTest as DieboldMarianoTest
from ._diebold_mariano import diebold_mariano_test
from ._diebold_mariano import series_of as series_of
from ._equivalence import EquivalenceResult
from ._equivalence import MarginPvalues as MarginPvalues
from ._equivalence import check_bounds as check_bounds
from ._equivalence import margin_kinds as margin_kinds
from ._equivalence import margin_question as margin_question
from ._error_rate import (
    ErrorRateDifference,
    ErrorRateInterval,
    error_rate_difference,
    error_rate_interval,
)
from ._five_by_two_cv import FiveByTwoCVFTest as FiveByTwoCVFTest
from ._five_by_two_cv import FiveByTwoCVTTest as FiveByTwoCVTTest
from ._five_by_two_cv import five_by_two_cv_ftest, five_by_two_cv_ttest
from ._groups import Groups as Groups
from ._groups import GroupSizes as GroupSizes
from ._groups import check_present as check_present
from ._groups import few_groups as few_groups
from ._groups import one_each as one_each
from ._groups import read_groups as read_groups
from ._groups import read_weights as read_weights
from ._holdout_t import HoldoutTTest as HoldoutTTest
from ._holdout_t import few_rows_notes as few_rows_notes
from ._holdout_t import holdout_ttest
from ._inference import UNNAMED_ESTIMATE as UNNAMED_ESTIMATE
from ._inference import Description as Description
from ._inference import Fact as Fact
from ._inference import Inference
from ._inference import Printed as Printed
from ._inference import checked_inference as checked_inference
from ._inference import warn_once as warn_once
from ._location import CVTestResult as CVTestResult
from ._location import LocationTest as LocationTest
from ._location import Pivot as Pivot
from ._location import PosteriorProbabilities as PosteriorProbabilities
from ._location import reduced as reduced
from ._location import refer as refer
from ._location import rejects as rejects
from ._power import detectable_difference as detectable_difference
from ._procedure import METHODS as METHODS
from ._procedure import Procedure as Procedure
from ._procedure import check_complete as check_complete
from ._procedure import get_procedure as get_procedure
from ._procedure import get_procedure_names as get_procedure_names
from ._procedure import is_symmetric as is_symmetric
from ._procedure import procedures_among as procedures_among
from ._procedure import require_auxiliary as require_auxiliary
from ._procedure import samples_of as samples_of
from ._resampled_t import ResampledTTest as ResampledTTest
from ._resampled_t import resampled_ttest
from ._row_plan import plan_n_rows
from ._row_t import OVER_ALL_ROWS as OVER_ALL_ROWS
from ._row_t import RowTTest as RowTTest
from ._row_t import RowTTestResult, row_ttest
from ._row_units import find_folds as find_folds
from ._sample import Root as Root
from ._sample import Sample as Sample
from ._sample import exponents_to_one as exponents_to_one
from ._sample import is_rounding as is_rounding
from ._sample import plain as plain
from ._sample import student_quantile as student_quantile
from ._sample import tail_probability as tail_probability
from ._sample import to_usual_magnitude as to_usual_magnitude
from ._split_plan import PlanEstimate as PlanEstimate
from ._split_plan import SplitPlan, plan_n_splits

__all__ = [
    "Claim",
    "EquivalenceResult",
    "ErrorRateDifference",
    "ErrorRateInterval",
    "Inference",
    "RowTTestResult",
    "SplitPlan",
    "adjust_pvalues",
    "bootstrap_ttest",
    "conservative_ztest",
    "corrected_bootstrap_ttest",
    "corrected_resampled_ttest",
    "diebold_mariano_test",
    "error_rate_difference",
    "error_rate_interval",
    "five_by_two_cv_ftest",
    "five_by_two_cv_ttest",
    "holdout_ttest",
    "plan_n_rows",
    "plan_n_splits",
    "resampled_ttest",
    "row_ttest",
]

METHODS.update(procedures_among(list(globals().values())))

share_docstrings(globals())
