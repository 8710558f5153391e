"""The resampled t-test and the corrected one (Nadeau and Bengio 1999, procedures 2 and 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_option, is_integer
from .._utils._text import format_number
from ..exceptions import SplitDesignError
from ..scores import DesignRequest, Note, SplitDesign
from ._arguments import (
    exchanged_notes,
    few_splits_notes,
    is_stated,
    liberal_note,
    number_notes,
    of_differences,
    require_splits,
    splits_last,
)
from ._inference import Description
from ._location import CVTestResult, LocationTest, Pivot, infer_arrays
from ._procedure import REPORT
from ._sample import Root, Sample, deviations_of, sample_moments

# Below this many test rows the mean of a test set's losses is not yet normal (Mitchell 1997, 5.5).
_FEWEST_TEST_ROWS = 30
_LIBERAL = liberal_note(
    "the resampled t-test assumes that scores of overlapping splits are independent, so it rejects "
    'true null hypotheses far too often; use method="corrected_resampled_t"'
)


@dataclass(frozen=True, kw_only=True)
class OfHypotheses(LocationTest):
    """A test of algorithms, or of the models as they were fitted."""

    hypotheses: str = "refitted"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option("hypotheses", self.hypotheses, ("refitted", "fixed"))

    @property
    def fixed(self) -> bool:  # type: ignore[override]  # by its option
        return self.hypotheses == "fixed"


@dataclass(frozen=True, kw_only=True)
class ResampledTTest(OfHypotheses):
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

    name: ClassVar[str] = "resampled_t"
    title: ClassVar[str] = "resampled t-test"

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        require_splits(design, "The resampled t-test")
        if not self.fixed:
            return
        if not is_stated(design):
            raise SplitDesignError(
                'hypotheses="fixed" is for models that were fitted once, but these scores come '
                "from splits on which models were fitted again. Score the fitted models on each "
                "test set and pass the differences to resampled_ttest(..., hypotheses='fixed')."
            )
        n_needed = max(design.n_train) + sum(design.n_test)
        if n_needed > design.n_samples:
            raise SplitDesignError(
                f"Models fitted once on {max(design.n_train)} rows and tested on "
                f"{sum(design.n_test)} in disjoint sets need {n_needed} rows, but there are "
                f"{design.n_samples}. If fitted again for each test set, leave hypotheses out and "
                "use corrected_resampled_ttest."
            )
        if min(design.n_test) < _FEWEST_TEST_ROWS:
            raise SplitDesignError(
                f"A test set has {min(design.n_test)} rows; hypotheses='fixed' needs at least "
                f"{_FEWEST_TEST_ROWS} for a nearly normal mean. Use fewer, larger test sets."
            )

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        weak = (*few_splits_notes(design), *super().notes(design, auxiliary))
        return weak if self.fixed else (_LIBERAL, *weak)

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        assumption = "it assumes that the splits are independent, but they share rows"
        sources: tuple[str, ...] = REPORT
        if self.fixed:
            assumption = (
                "the models are fixed and the test sets disjoint, so the scores are independent"
            )
            sources = ("mitchell1997",)
        return Description(
            explanation="the square root of the sample variance over the splits divided by their "
            "number",
            assumption=assumption,
            sources=sources,
        )

    def pivot(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        mean, variance = sample_moments(sample.values, sample.largest)
        n_splits = sample.design.n_splits
        return Pivot(mean, np.sqrt(variance / n_splits), n_splits - 1, correction=1 / n_splits)

    def root(self, sample: Sample, auxiliary: Sample | None = None) -> Root:
        n_splits = sample.design.n_splits
        factor = 1 / (n_splits * (n_splits - 1))
        return Root(deviations_of(sample.values) * np.sqrt(factor), n_splits - 1)


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
    test = ResampledTTest(alternative=alternative, hypotheses=hypotheses)
    x = splits_last(x, axis, knowing="ResampledTTest")
    n_splits = x.shape[-1]
    if test.fixed and n_samples is None and is_integer(n_train):
        n_samples = int(n_train) + int(np.broadcast_to(n_test, n_splits).sum())  # type: ignore[arg-type]
    design = SplitDesign.from_sizes(n_train, n_test, n_splits=n_splits, n_samples=n_samples)
    return infer_arrays(test, Sample(x, design), null_value)


@dataclass(frozen=True, kw_only=True)
class CorrectedResampledTTest(LocationTest):
    """Test an expected score or difference with the corrected resampled t-test.

    Scores of overlapping splits are correlated, so their sample variance divided by their number
    understates the variance of their mean. The correction assumes the correlation that they have if
    the loss depends on the test row only.

    {Parameters: null_value, alternative}
    {See Also: compare_estimators}
    corrected_resampled_ttest : The same on arrays of scores.

    Notes
    -----
    For J splits with scores of sample variance S2 (ddof 1), n2 test rows, drawn from n rows, the
    squared standard error of the mean score is

        (1/J + n2 / (n - n2)) S2,

    referred to Student's t distribution with J - 1 degrees of freedom [1]_ (equations 9 and 10). It
    is unbiased if the correlation of two splits' scores is rho0 = n2/n, since E[S2] = s1 (1 - rho)
    and Var[mean] = s1 (rho + (1 - rho)/J). rho0 is exact if the loss depends on the test row only;
    a learner that changes much with its training rows has a larger rho, and the test is then
    anticonservative. The t distribution assumes approximately normal scores: where the losses of
    the rows are skewed and test sets are small, the test can be anticonservative although rho is
    not too large. Where every split uses all rows, n2/(n - n2) is the familiar n2/n1. Where test
    sizes differ, n2 is their harmonic mean. On k-fold splits the same formula is used by convention
    [2]_. On stratified splits S2 lacks the variance between classes, which the mean keeps. In
    simulations 95 % intervals of a single accuracy missed in 12 % of data sets on stratified splits
    (24 % at worst) and in 8 % on random ones (22 %); those of differences in 7 % (22 %) and 6 %
    (20 %). For a single accuracy use `RowTTest`, the default. Metrics such as F1 need stratified
    splits.

    {References: nadeau1999}
    .. [2] R. R. Bouckaert and E. Frank, "Evaluating the Replicability of Significance Tests for
       Comparing Learning Algorithms", PAKDD 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import CorrectedResampledTTest, RepeatedSubsampleSplit
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = RepeatedSubsampleSplit(15, random_state=0)
    >>> a, b = (
    ...     cross_validate(model, X, y, cv=cv, return_indices=True)
    ...     for model in (LogisticRegression(max_iter=1000), DecisionTreeClassifier(random_state=0))
    ... )
    >>> result = CorrectedResampledTTest()(a, b)
    >>> result.n_train, result.n_test, result.df
    (135, 15, 14.0)
    """

    name: ClassVar[str] = "corrected_resampled_t"
    title: ClassVar[str] = "corrected resampled t-test"
    request: ClassVar[DesignRequest] = DesignRequest(kind="subsample", stratify=True)

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        require_splits(design, "The corrected resampled t-test")

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        factor = format_number(1 / design.n_splits + design.rho0_odds)
        convention = ""
        sources: tuple[str, ...] = REPORT
        if "fold" in design.levels:
            convention = "; for folds that is a convention"
            sources = (*REPORT, "bouckaert2004")
        return Description(
            explanation=f"the square root of {factor} times the sample variance over the splits",
            assumption=f"{factor} = 1/n_splits + n_test/(n_samples - n_test) is right if the "
            "scores of two splits are correlated by n_test/n_samples = "
            f"{format_number(design.test_size / design.n_samples)}{convention}; the t distribution "
            "assumes approximately normal scores",
            sources=sources,
            has_posterior=True,
        )

    def pivot(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        mean, variance = sample_moments(sample.values, sample.largest)
        design = sample.design
        correction = 1 / design.n_splits + design.rho0_odds
        return Pivot(
            mean, np.sqrt(correction * variance), design.n_splits - 1, correction=correction
        )

    def root(self, sample: Sample, auxiliary: Sample | None = None) -> Root:
        n_splits = sample.design.n_splits
        factor = (1 / n_splits + sample.design.rho0_odds) / (n_splits - 1)
        return Root(deviations_of(sample.values) * np.sqrt(factor), n_splits - 1)

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        weak = (*exchanged_notes(design), *number_notes(design))
        return (*weak, *super().notes(design, auxiliary))


@of_differences("a - b")
def corrected_resampled_ttest(
    x: ArrayLike,
    *,
    n_train: int | Sequence[int],
    n_test: int | Sequence[int],
    n_samples: int | None = None,
    null_value: ArrayLike = 0.0,
    alternative: str = "two-sided",
    axis: int = -1,
) -> CVTestResult:
    """Corrected resampled t-test of scores, or of paired differences of scores.

    {Parameters: scores x, sizes, n_samples, null_values, alternative, axis}
    {Returns: test result}
    {Raises: not finite}
    SplitDesignError
        If there are fewer than 2 splits, or the sizes do not fit together.

    See Also
    --------
    CorrectedResampledTTest : The same on `cross_validate` dicts; its Notes have the mathematics.

    Examples
    --------
    >>> from skcvstats.stats import corrected_resampled_ttest
    >>> differences = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
    >>> t, p = corrected_resampled_ttest(differences, n_train=180, n_test=20)
    >>> print(f"t = {t:.3f}, p = {p:.4f}")
    t = 3.576, p = 0.0060
    """
    test = CorrectedResampledTTest(alternative=alternative)
    x = splits_last(x, axis, knowing="CorrectedResampledTTest")
    design = SplitDesign.from_sizes(n_train, n_test, n_splits=x.shape[-1], n_samples=n_samples)
    return infer_arrays(test, Sample(x, design), null_value)
