"""The resampled t-test (Nadeau and Bengio 1999, procedure 2): the usual paired t of the scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_option, is_integer
from ..exceptions import SplitDesignError
from ..scores import Note, SplitDesign
from ._arguments import of_differences, splits_last
from ._diagnostics import few_splits_notes, liberal_note, require_splits
from ._inference import Description
from ._location import CVTestResult, LocationTest, Pivot, infer_arrays
from ._procedure import REPORT
from ._sample import Root, Sample, deviations_of, sample_moments

HYPOTHESES = ("refitted", "fixed")
# Below this many test rows the mean of a test set's losses is not yet normal (Mitchell 1997, 5.5).
_FEWEST_TEST_ROWS = 30
_LIBERAL = liberal_note(
    "the resampled t-test assumes that scores of overlapping splits are independent, so it "
    "rejects true "
    'null hypotheses far too often; use method="corrected_resampled_t"'
)


@dataclass(frozen=True, kw_only=True)
class ResampledTTest(LocationTest):
    """Test an expected score or difference with the usual t-test, as if scores were independent.

    It rejects true null hypotheses far too often, since splits share rows. It is here as the
    baseline that is in wide use, and warns; the right one is `CorrectedResampledTTest`. Its
    arithmetic is right for hypotheses that were not refitted, see `hypotheses`.

    {Parameters: null_value, alternative, hypotheses}
    {See Also: CorrectedResampledTTest}
    resampled_ttest : The same on arrays of scores.

    Notes
    -----
    For J splits with scores of sample variance S2, the squared standard error is taken to be
    S2/J, and referred to Student's t distribution with J - 1 degrees of freedom [1]_ (equation 15).
    With the correlation rho of two splits' scores the mean's variance is larger than what that
    estimates by the factor 1 + J rho/(1 - rho), which grows with J: with rho = n2/n the size of a
    nominal 10 % test at J = 15 is 30 % for n2 = n/10 and 67 % for n2 = n/2. For fixed hypotheses on
    disjoint test sets rho = 0 [2]_.

    {References: nadeau1999}
    .. [2] T. M. Mitchell, "Machine Learning", McGraw-Hill 1997, section 5.5.

    Examples
    --------
    >>> import warnings
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_validate
    >>> from skcvstats import CorrectedResampledTTest, RepeatedSubsampleSplit, ResampledTTest
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = RepeatedSubsampleSplit(15, random_state=0)
    >>> scores = cross_validate(
    ...     LogisticRegression(max_iter=1000), X, y, cv=cv, return_indices=True
    ... )
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     naive = ResampledTTest()(scores)
    >>> right = CorrectedResampledTTest()(scores)
    >>> print(f"{right.standard_error / naive.standard_error:.2f}")
    1.63
    """

    hypotheses: str = "refitted"

    name: ClassVar[str] = "resampled_t"
    title: ClassVar[str] = "resampled t-test"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option("hypotheses", self.hypotheses, HYPOTHESES)

    @property
    def fixed(self) -> bool:  # type: ignore[override]  # by its option
        return self.hypotheses == "fixed"

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        require_splits(design, "The resampled t-test")
        if self.fixed:
            _require_disjoint_tests(design)

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        weak = (*few_splits_notes(design), *super().notes(design, auxiliary))
        return weak if self.fixed else (_LIBERAL, *weak)

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        assumption = "it assumes that the splits are independent, but they share rows"
        if self.fixed:
            assumption = (
                "the models are fixed and the test sets disjoint, so the scores are independent"
            )
        return Description(
            explanation="the square root of the sample variance over the splits divided by their "
            "number",
            assumption=assumption,
            sources=("mitchell1997",) if self.fixed else REPORT,
        )

    def pivot(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        mean, variance, scale = sample_moments(sample.values, sample.magnitude)
        n_splits = sample.design.n_splits
        return Pivot(mean, np.sqrt(variance / n_splits), n_splits - 1, scale, 1 / n_splits)

    def root(self, sample: Sample, auxiliary: Sample | None = None) -> Root:
        n_splits = sample.design.n_splits
        factor = 1 / (n_splits * (n_splits - 1))
        return Root(deviations_of(sample.values) * np.sqrt(factor), n_splits - 1)


def _require_disjoint_tests(design: SplitDesign) -> None:
    if design.digests is not None or design.source is not None:
        raise SplitDesignError(
            'hypotheses="fixed" is for models that were fitted once, but these scores come from '
            "splits on which models were fitted again. Score the fitted models on each test set "
            "and pass the differences to resampled_ttest(..., hypotheses='fixed')."
        )
    n_needed = max(design.n_train) + sum(design.n_test)
    if n_needed > design.n_samples:
        raise SplitDesignError(
            f"Models fitted once on {max(design.n_train)} rows and tested on {sum(design.n_test)} "
            f"in disjoint sets need {n_needed} rows, but there are {design.n_samples}. If fitted "
            "again for each test set, leave hypotheses out and use corrected_resampled_ttest."
        )
    if min(design.n_test) < _FEWEST_TEST_ROWS:
        raise SplitDesignError(
            f"A test set has {min(design.n_test)} rows; hypotheses='fixed' needs at least "
            f"{_FEWEST_TEST_ROWS} for a nearly normal mean. Use fewer, larger test sets."
        )


@of_differences("a - b")
def resampled_ttest(
    x: ArrayLike,
    *,
    n_train: int | Sequence[int],
    n_test: int | Sequence[int],
    n_samples: int | None = None,
    null_value: ArrayLike = 0.0,
    alternative: str = "two-sided",
    hypotheses: str = "refitted",
    axis: int = -1,
) -> CVTestResult:
    """Resampled t-test of scores, or of paired differences: the usual t-test, uncorrected.

    {Parameters: scores x, sizes}
    n_samples : int, default=None
        The number of rows that the splits were drawn from; None is n_train + n_test. For fixed
        hypotheses all rows that they were trained or tested on; None is n_train and those of all
        test sets.
    {shared: null_values, alternative, hypotheses, axis}

    {Returns: test result}
    {Raises: not finite}
    SplitDesignError
        If there are fewer than 2 splits, or they cannot serve `hypotheses`.

    Warns
    -----
    AnticonservativeWarning
        With refitted hypotheses.

    See Also
    --------
    corrected_resampled_ttest : The one to use.

    Examples
    --------
    Two fitted models on four further test sets of 50 rows:

    >>> from skcvstats.stats import resampled_ttest
    >>> result = resampled_ttest(
    ...     [0.04, 0.02, 0.06, 0.04], n_train=300, n_test=50, n_samples=500, hypotheses="fixed"
    ... )
    >>> print(f"t({result.df:g}) = {result.statistic:.2f}, p = {result.pvalue:.3f}")
    t(3) = 4.90, p = 0.016
    """
    x = splits_last(x, axis, knowing="ResampledTTest")
    test = ResampledTTest(alternative=alternative, hypotheses=hypotheses)
    n_splits = x.shape[-1]
    if test.fixed and n_samples is None and is_integer(n_train):
        n_samples = int(n_train) + int(np.broadcast_to(n_test, n_splits).sum())  # type: ignore[arg-type]
    design = SplitDesign.from_sizes(n_train, n_test, n_splits=n_splits, n_samples=n_samples)
    return infer_arrays(test, Sample(x, design), null_value)
