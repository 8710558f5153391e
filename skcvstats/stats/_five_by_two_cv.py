"""The 5x2cv t-test with its two repairs (Nadeau and Bengio 1999, procedure 3), and the F test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_finite_number, check_option, check_pvalue
from .._utils._shared_arguments import check_alpha
from .._utils._text import format_number, format_pvalue
from ..exceptions import SplitDesignError
from ..scores import CVScores, DesignRequest, SplitDesign
from ._arguments import Scores, check_finite, of_differences, splits_last, undetermined_notes
from ._claim import Claim, claim_of
from ._inference import PER_TEST, Description, Inference
from ._location import CVTestResult, LocationTest, Pivot, infer_arrays
from ._procedure import REPORT, Procedure, made_from, warn
from ._sample import ROUNDING, Root, Sample, mean_square, plain, plain_flags

N_PAIRS = 5
LEVELS = ("repeat", "fold")


class _Variant(NamedTuple):
    """What a variant of the t-test takes its estimate and its variance from."""

    n_scores: int  # the first ones, whose mean is the estimate
    estimate: str  # the same in words
    first_pair: int  # of the pairs that give the variance
    pairs: str  # the same in words
    share: str  # of the mean square of the pairs, 1 / (2 n_scores), in words


_VARIANTS = {
    "dietterich": _Variant(1, "first", 0, "the 5 pairs", "half"),
    "t4": _Variant(1, "first", 1, "pairs 2 to 5", "half"),
    "t5": _Variant(2, "first pair", 0, "the 5 pairs", "a quarter of"),
}


@dataclass(frozen=True, kw_only=True)
class FiveByTwoCVTTest(LocationTest):
    """Test an expected score or difference with the 5x2cv t-test, at half of the data.

    The data are cut into halves five times; each half is trained on and tested on the other. The
    differences of the two halves' scores, which share no rows, give the variance. What is estimated
    is the expected score at half of the training data.

    {Parameters: null_value, alternative, variant}

    See Also
    --------
    five_by_two_cv_ttest : The same on arrays of scores.
    five_by_two_cv_ftest : Alpaydin's combined test of the same scores.
    RepeatedTwoFold : Its splits.

    Notes
    -----
    With mu_m and mu_m^c the scores of pair m, d_m = mu_m - mu_m^c and mu0 the null value:

    - ``"dietterich"``: (mu_1 - mu0) / sqrt((1/10) sum_{m=1}^5 d_m^2), t with 5 df [1]_ [2]_;
    - ``"t4"``: (mu_1 - mu0) / sqrt((1/8) sum_{m=2}^5 d_m^2), t with 4 df;
    - ``"t5"``: sqrt(2) ((mu_1 + mu_1^c)/2 - mu0) / sqrt((1/10) sum_{m=1}^5 d_m^2), t with 5 df.

    If the ten scores were independent and Gaussian, d_m^2/2 would estimate their variance, and t4
    and t5 would be exact: d_m is independent of mu_1 for m > 1, and d_1 of mu_1 + mu_1^c. They are
    not independent: with k the correlation of the two scores of a pair the variance estimate is
    too small by the factor 1 - k, and for t5, whose estimate is the mean of a pair, by
    (1 - k)/(1 + k). Only the first pair enters the estimate, so its power is low. Swapping the two
    halves of the first pair changes Dietterich's statistic and t4, but not t5.

    {References: dietterich1998}
    .. [2] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       equation 16 and the remarks after it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcvstats import FiveByTwoCVTTest, cross_val_inference
    >>> X, y = load_iris(return_X_y=True)
    >>> result = cross_val_inference(GaussianNB(), X, y, method=FiveByTwoCVTTest(variant="t5"))
    >>> result.n_train, result.n_test, result.n_splits, result.df
    (75, 75, 10, 5.0)
    """

    variant: str = "dietterich"

    name: ClassVar[str] = "five_by_two_cv_t"
    title: ClassVar[str] = "5x2cv t-test"
    request: ClassVar[DesignRequest] = DesignRequest(kind="two_fold", n_pairs=N_PAIRS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option("variant", self.variant, _VARIANTS)

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        require_five_by_two(design, who="The 5x2cv t-test")

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        variant = _VARIANTS[self.variant]
        return Description(
            basis=f", the {variant.estimate} for the estimate",
            explanation=f"the square root of {variant.share} the mean square, over "
            f"{variant.pairs} of halves, of the difference between the two halves",
            assumption="it ignores that the pairs share rows",
            sources=("dietterich1998", *REPORT),
            varies_over="halves",
        )

    def pivot(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        values = sample.values
        n_scores = _VARIANTS[self.variant].n_scores
        estimate = values[..., :n_scores].mean(axis=-1)
        correction = 0.5 / n_scores
        differences = self._differences(sample)
        errors = np.sqrt(correction * mean_square(differences, sample.largest))
        return Pivot(estimate, errors, differences.shape[-1], correction=correction)

    def _differences(self, sample: Sample) -> np.ndarray:
        """Return the differences of the two scores of each pair that gives the variance."""
        differences: np.ndarray = sample.values[..., 0::2] - sample.values[..., 1::2]
        return differences[..., _VARIANTS[self.variant].first_pair :]

    def root(self, sample: Sample, auxiliary: Sample | None = None) -> Root:
        differences = self._differences(sample)
        n_pairs = differences.shape[-1]
        factor = 0.5 / _VARIANTS[self.variant].n_scores / n_pairs
        return Root(differences * np.sqrt(factor), n_pairs)


def require_five_by_two(design: SplitDesign, *, who: str) -> None:
    """Raise SplitDesignError unless there are 5 repeats of 2 folds."""
    remedy = (
        "Score with cv=RepeatedTwoFold() or RepeatedStratifiedKFold(n_splits=2, n_repeats=5), or "
        "leave cv=None."
    )
    design.require(who=who, levels=[LEVELS], remedy=remedy)
    if design.shape != (N_PAIRS, 2):
        raise SplitDesignError(
            f"{who} needs 5 repeats of 2 folds; there are {design.shape[0]} of {design.shape[1]}. "
            f"{remedy}"
        )


@of_differences("a - b")
def five_by_two_cv_ttest(
    x: ArrayLike,
    *,
    n_train: int | Sequence[int],
    n_test: int | Sequence[int],
    variant: str = "dietterich",
    null_value: ArrayLike = 0.0,
    alternative: str = "two-sided",
    axis: int = -1,
) -> CVTestResult:
    """5x2cv t-test of scores, or of paired differences of scores.

    Parameters
    ----------
    x : array-like of shape (..., 10)
        Scores of one estimator, or differences of the scores of two on the same splits, pair by
        pair: trained on the first half, on the second half of the first pair, and so on.
    n_train, n_test : int or sequence of int
        Training and test size of the splits: half of the rows each.
    {shared: variant, null_values, alternative, axis}

    {Returns: test result}
    {Raises: not finite}
    SplitDesignError
        If there are not 10 splits.

    See Also
    --------
    FiveByTwoCVTTest : The same on `cross_validate` dicts; its Notes have the mathematics.

    Examples
    --------
    >>> from skcvstats.stats import five_by_two_cv_ttest
    >>> x = [0.03, 0.01, 0.02, 0.04, 0.03, 0.02, 0.05, 0.01, 0.02, 0.03]
    >>> t, p = five_by_two_cv_ttest(x, n_train=100, n_test=100)
    >>> print(f"t = {t:.2f}, p = {p:.3f}")
    t = 1.86, p = 0.122
    """
    test = FiveByTwoCVTTest(alternative=alternative, variant=variant)
    x = splits_last(x, axis, knowing="FiveByTwoCVTTest")
    design = five_by_two_design(x, n_train, n_test, who="The 5x2cv t-test")
    return infer_arrays(test, Sample(x, design), null_value)


def five_by_two_design(
    x: np.ndarray, n_train: int | Sequence[int], n_test: int | Sequence[int], *, who: str
) -> SplitDesign:
    """Return the design of 5 x 2 stated splits, or raise an error if they are not."""
    n_splits = x.shape[-1]
    if n_splits != 2 * N_PAIRS:
        raise SplitDesignError(f"{who} needs the scores of 5 x 2 splits; there are {n_splits}.")
    design = SplitDesign.from_sizes(
        n_train, n_test, n_splits=n_splits, levels=LEVELS, shape=(N_PAIRS, 2)
    )
    # One split trains on the test set of the other; a single size is off by one if n is odd.
    other_halves = np.reshape(design.n_test, (N_PAIRS, 2))[:, ::-1]
    if np.abs(np.array(design.n_train) - other_halves.ravel()).max() > 1:
        raise SplitDesignError(
            f"n_train={n_train!r} and n_test={n_test!r} are not halves: {who} trains on one half "
            "of the rows and tests on the other. Score with cv=RepeatedTwoFold()."
        )
    return design


_WHO = "The combined 5x2cv F test"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class FiveByTwoCVFTestResult(Inference):
    """The answer of the combined 5x2cv F test; it unpacks as ``statistic, pvalue``."""

    df: tuple[float, float] = (10.0, 5.0)
    null_value: float = 0.0
    constant: Any = field(default=False, metadata=PER_TEST)

    _convention: ClassVar[str] = CVTestResult._convention
    _of_null_value: ClassVar[bool] = True
    _shown: ClassVar[tuple[str, ...]] = (*Inference._shown, "null_value", "constant")

    @property
    def n_train(self) -> float:
        """Training size of the splits; nan of an array, where it was not stated."""
        return np.nan if self.scores is None else super().n_train

    @property
    def n_test(self) -> float:
        """Test size of the splits; nan of an array, where it was not stated."""
        return np.nan if self.scores is None else super().n_test

    @property
    def undetermined(self) -> Any:
        """Whether the two scores of every pair are equal, so that nothing can be concluded."""
        return self.constant

    def claim(self, alpha: float, pvalue: float | None = None) -> Claim:
        alpha = check_alpha(alpha)
        pvalue = self.pvalue if pvalue is None else check_pvalue(pvalue)
        return claim_of(self, self.kinds(alpha, pvalue), alpha)

    def kinds(self, alpha: float, pvalues: Any) -> Any:
        kinds = np.where(np.asarray(pvalues) <= alpha, "different", "not shown")
        return np.where(self.undetermined, "undetermined", kinds)

    def __str__(self) -> str:
        if np.ndim(self.statistic):
            return f"{self.title}: F = {self.statistic}, p = {self.pvalue}"
        return (
            f"{self.title}: {self.describe().law} = {format_number(self.statistic)}, p "
            f"{format_pvalue(self.pvalue)} (against {format_number(self.null_value)})"
        )


@dataclass(frozen=True, kw_only=True)
class FiveByTwoCVFTest(Procedure):
    """Test whether two estimators differ with the combined 5x2cv F test, at half of the data.

    All ten differences enter its statistic, where the 5x2cv t-test has one in its numerator. F is
    even in them: it says that two estimators differ, not which one is better, and there is no
    interval. For these use `FiveByTwoCVTTest`.

    {Parameters: null_value}
    {See Also: FiveByTwoCVTTest}
    five_by_two_cv_ftest : The same on arrays of scores; its Notes have the mathematics.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import FiveByTwoCVFTest, compare_estimators
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> result = compare_estimators(models, X, y, method=FiveByTwoCVFTest())
    >>> result.comparisons[0].outcome
    'not significant'
    """

    null_value: float = 0.0

    name: ClassVar[str] = "five_by_two_cv_f"
    title: ClassVar[str] = "combined 5x2cv F test"
    request: ClassVar[DesignRequest] = DesignRequest(kind="two_fold", n_pairs=N_PAIRS)
    only_differences: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "null_value", check_finite_number("null_value", self.null_value))

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        require_five_by_two(design, who=_WHO)

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        return Description(
            assumption="it ignores that the pairs share rows",
            sources=("alpaydin1999",),
            varies_over="halves",
        )

    def infer(self, sample: Sample, auxiliary: Sample | None = None) -> FiveByTwoCVFTestResult:
        values = np.copy(sample.values)  # as one block, so that sums do not depend on its layout
        differences = values[..., 0::2] - values[..., 1::2]
        square = mean_square(differences, sample.largest)
        deviations = values - self.null_value
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            statistic = np.einsum("...j,...j->...", deviations, deviations) / (N_PAIRS * square)
        constant = np.asarray(square == 0)
        if constant.any():
            size = np.maximum(sample.largest, abs(self.null_value))
            at_null = np.abs(deviations).max(axis=-1) <= ROUNDING * size
            statistic = np.where(constant & at_null, np.nan, statistic)
        pvalue = np.where(np.isnan(statistic), 1.0, _tail_probability(statistic))
        result = FiveByTwoCVFTestResult(
            estimate=plain(values.mean(axis=-1)),
            statistic=plain(statistic),
            pvalue=plain(pvalue),
            null_value=self.null_value,
            constant=plain_flags(constant),
            **made_from(self, sample),
        )
        return result._with_notes_on_tests(undetermined_notes(constant))


def five_by_two_cv_ftest(
    scores: Scores | ArrayLike,
    other: Scores | None = None,
    *,
    null_value: float = 0.0,
    axis: int = -1,
) -> FiveByTwoCVFTestResult:
    """Run the combined 5x2cv F test of scores, or of paired differences of scores.

    It uses all ten scores in its numerator, where the 5x2cv t-test uses one. It is even in them:
    it says that the expected value is not the null value, not on which side it lies, and it has no
    interval.

    Parameters
    ----------
    scores : CVScores, dict or array-like of shape (..., 10)
        Scores, what `cross_validate(..., return_indices=True)` returned, or an array of scores or
        differences, pair by pair.
    other : CVScores or dict, default=None
        The scores to compare with, on the same splits.
    {shared: null_value, axis}

    Returns
    -------
    Inference
        F and its p-value, of the leading shape of an array.

    Raises
    ------
    SplitDesignError
        If the splits are not 5 repeats of 2 folds.
    ValueError, FitError
        If a score is not finite, or scores are out of the range from 1e-100 to 1e100 in size.

    Warns
    -----
    DegenerateScoresWarning
        If the two scores of every pair are equal.

    {See Also: FiveByTwoCVTTest}
    FiveByTwoCVFTest : The same as a ``method=`` of comparisons.

    Notes
    -----
    With p_m, p_m^c the scores of pair m less the null value, d_m = p_m - p_m^c:

        F = sum_m (p_m^2 + p_m^c^2) / sum_m d_m^2,

    referred to F(10, 5) [1]_. (Alpaydin's denominator is 2 sum s_m^2 with s_m^2 = d_m^2/2.) It is
    approximate: even for independent scores numerator and denominator are not independent.

    References
    ----------
    .. [1] E. Alpaydin, "Combined 5 x 2 cv F Test for Comparing Supervised Classification Learning
       Algorithms", Neural Computation 11, 1885-1892, 1999.

    Examples
    --------
    >>> from skcvstats.stats import five_by_two_cv_ftest
    >>> x = [0.03, 0.01, 0.02, 0.04, 0.03, 0.02, 0.05, 0.01, 0.02, 0.03]
    >>> print(five_by_two_cv_ftest(x))
    combined 5x2cv F test: F(10, 5) = 3.15, p = 0.108 (against 0)
    """
    test = FiveByTwoCVFTest(null_value=null_value)
    if isinstance(scores, (CVScores, Mapping)):
        answer = test(scores, other)
        assert isinstance(answer, FiveByTwoCVFTestResult)
        return answer
    if other is not None:
        raise TypeError(
            "other goes with CVScores or cross_validate dicts. For two arrays pass "
            "five_by_two_cv_ftest(a - b), their difference."
        )
    x = splits_last(scores, axis, "scores", knowing="FiveByTwoCVFTest")
    sample = Sample(x, five_by_two_design(x, 1, 1, who=_WHO))
    check_finite("scores", x)
    result = test.infer(sample)
    warn(result)
    return result


def _tail_probability(statistic: np.ndarray) -> np.ndarray:
    """Return P(F > statistic) for F(10, 5), at a tenth of the cost of scipy.special.fdtrc."""
    # I_x(5/2, 5) at x = 5/(5 + 10 F), a finite sum: x^(5/2) sum_{k<5} (5/2)_k (1 - x)^k / k!
    x = 1 / (1 + 2 * statistic)
    total = np.ones_like(x)
    for k in range(N_PAIRS - 1, 0, -1):
        total = 1 + total * (1 - x) * (1.5 + k) / k
    return x**2.5 * total
