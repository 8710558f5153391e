"""The procedures: they turn scores into test results; use only NumPy and SciPy."""

# Names that are not in __all__ are for the rooms above, or public at the top.
from .._utils._shared_docs import share_docstrings
from ._adjustment import ADJUSTMENTS, MAX_T, Adjustment, adjust_pvalues, close_to, deciding_level
from ._arguments import UNDETERMINED
from ._bootstrap_t import (
    BootstrapTTest,
    CorrectedBootstrapTTest,
    bootstrap_ttest,
    corrected_bootstrap_ttest,
)
from ._claim import (
    BESIDE,
    KINDS,
    OUTCOMES,
    Claim,
    EquivalenceResult,
    MarginPvalues,
    Words,
    better,
    check_bounds,
    claim_of,
    margin_kinds,
    margin_question,
    within,
    words_of,
)
from ._conservative_z import ConservativeZTest, conservative_ztest
from ._diebold_mariano import (
    DieboldMarianoResult,
    DieboldMarianoTest,
    diebold_mariano_test,
    series_of,
)
from ._error_rate import (
    ErrorRateDifference,
    ErrorRateInterval,
    error_rate_difference,
    error_rate_interval,
)
from ._five_by_two_cv import (
    FiveByTwoCVFTest,
    FiveByTwoCVTTest,
    five_by_two_cv_ftest,
    five_by_two_cv_ttest,
)
from ._groups import (
    Groups,
    GroupSizes,
    check_present,
    few_groups,
    one_each,
    read_groups,
    read_weights,
)
from ._holdout_t import HoldoutTTest, few_rows_notes, holdout_ttest
from ._inference import (
    UNNAMED_ESTIMATE,
    Description,
    Inference,
    Printed,
    ResultDescription,
    checked_inference,
    warn_once,
)
from ._location import (
    CVTestResult,
    LocationTest,
    Pivot,
    PosteriorProbabilities,
    reduced,
    refer,
    rejects,
    two_sided,
)
from ._plan_test_set import plan_test_set
from ._power import detectable_difference, variance_interval
from ._procedure import (
    METHODS,
    Procedure,
    check_complete,
    get_procedure,
    get_procedure_names,
    is_for_order_of,
    is_own,
    procedures_among,
    refuse_time_order,
    require_auxiliary,
    samples_of,
)
from ._reasons import Reason
from ._resampled_t import (
    CorrectedResampledTTest,
    ResampledTTest,
    corrected_resampled_ttest,
    resampled_ttest,
)
from ._row_plan import expected_precision, plan_n_rows
from ._row_t import (
    FAR_FROM_FOLDS,
    FEW_ROWS_TELL,
    OVER_ALL_ROWS,
    RowTTest,
    RowTTestResult,
    few_telling_notes,
    row_ttest,
)
from ._row_units import find_folds
from ._runs import estimated_by, notes_on_runs, spread_of_runs, spread_of_test, units_on_test_set
from ._sample import (
    ROUNDING,
    Root,
    Sample,
    extremeness,
    plain,
    plain_flags,
    student_quantile,
    tail_probability,
    with_ends,
)
from ._split_plan import SplitPlan, plan_n_splits
from ._welch import NOT_TESTED, welch_test

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
    "expected_precision",
    "five_by_two_cv_ftest",
    "five_by_two_cv_ttest",
    "holdout_ttest",
    "plan_n_rows",
    "plan_n_splits",
    "plan_test_set",
    "resampled_ttest",
    "row_ttest",
]

METHODS.update(procedures_among(list(globals().values())))

share_docstrings(globals())
