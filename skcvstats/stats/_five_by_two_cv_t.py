"""The 5x2cv t-test (Dietterich 1998; Nadeau and Bengio 1999, procedure 3) and its two repairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._utils._checks import check_option
from ..exceptions import SplitDesignError
from ..scores import DesignRequest, SplitDesign
from ._arguments import splits_last
from ._location import LocationTest, Pivot
from ._one_array import of_differences
from ._procedure import REPORT
from ._result import CVTestResult
from ._sample import Root, Sample, mean_square

VARIANTS = ("dietterich", "t4", "t5")
N_PAIRS = 5
LEVELS = ("repeat", "fold")


@dataclass(frozen=True, kw_only=True)
class FiveByTwoCVTTest(LocationTest):
    """Test an expected score or difference with the 5x2cv t-test, at half of the data.

    The data are cut into halves five times; each half is trained on and tested on the other. The
    differences of the two halves' scores, which share no rows, give the variance. What is estimated
    is the expected score at half of the training data.

    Parameters
    ----------
    null_value : float, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the expected score (or difference, first minus second) is above the null
        value.
    variant : {"dietterich", "t4", "t5"}, default="dietterich"
        Dietterich's statistic, whose numerator is the first split alone and not independent of its
        denominator, or one of the report's two repairs: ``"t4"`` leaves the first pair out of the
        denominator, ``"t5"`` takes the mean of the first pair as the numerator.

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

    If the ten scores were independent and Gaussian, d_m^2/2 would estimate their variance, so that
    t4 and t5 were exact: d_m is independent of mu_1 for m > 1, and d_1 of mu_1 + mu_1^c. They are
    not independent: with k the correlation of the two scores of a pair the variance estimate is
    too small by the factor 1 - k, and for t5, whose estimate is the mean of a pair, by
    (1 - k)/(1 + k). Only the first pair enters the estimate, so its power is low.
    Swapping the two halves of the first pair changes Dietterich's statistic and t4, but not t5.

    References
    ----------
    .. [1] T. G. Dietterich, "Approximate Statistical Tests for Comparing Supervised Classification
       Learning Algorithms", Neural Computation 10, 1895-1923, 1998.
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
    varies_over: ClassVar[str] = "halves"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option("variant", self.variant, VARIANTS)

    def require(self, design: SplitDesign) -> None:
        require_five_by_two(design, who="The 5x2cv t-test")

    def basis(self, design: SplitDesign, auxiliary: SplitDesign | None) -> str:
        first = "first pair" if self.variant == "t5" else "first"
        return f", the {first} for the estimate"

    def explanation(self, design: SplitDesign, auxiliary: SplitDesign | None) -> str:
        pairs, factor = {
            "dietterich": ("the 5 pairs", "half"),
            "t4": ("pairs 2 to 5", "half"),
            "t5": ("the 5 pairs", "a quarter of"),
        }[self.variant]
        return (
            f"the square root of {factor} the mean square, over {pairs} of halves, of the "
            "difference between the two halves"
        )

    def assumption(self, design: SplitDesign) -> str:
        return "it ignores that the pairs share rows"

    def sources(self, design: SplitDesign) -> tuple[str, ...]:
        return ("dietterich1998", *REPORT)

    def pivot(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        values = sample.values
        first, second = values[..., 0::2], values[..., 1::2]
        estimate, correction = first[..., 0], 0.5
        differences = first - second
        if self.variant == "t5":
            estimate, correction = (first[..., 0] + second[..., 0]) / 2, 0.25
        elif self.variant == "t4":
            differences = differences[..., 1:]
        square, scale = mean_square(differences, values, sample.magnitude)
        df = differences.shape[-1]
        return Pivot(estimate, np.sqrt(correction * square), df, scale, correction)

    def root(self, sample: Sample, auxiliary: Sample | None = None) -> Root:
        differences = sample.values[..., 0::2] - sample.values[..., 1::2]
        if self.variant == "t4":
            differences = differences[..., 1:]
        n_pairs = differences.shape[-1]
        factor = (0.25 if self.variant == "t5" else 0.5) / n_pairs
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
    x: Any,
    *,
    n_train: int | Sequence[int],
    n_test: int | Sequence[int],
    variant: str = "dietterich",
    null_value: Any = 0.0,
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
    variant : {"dietterich", "t4", "t5"}, default="dietterich"
        See `FiveByTwoCVTTest`.
    null_value : float or array-like, default=0.0
        The value under test, or one for each row: of the shape of `x` without its splits.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the expected value lies if not at the null value.
    axis : int, default=-1
        The axis of the splits.

    Returns
    -------
    CVTestResult
        Its numbers have the leading shape of `x`.

    Raises
    ------
    SplitDesignError
        If there are not 10 splits.
    ValueError
        If a score is not finite.

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
    x = splits_last(x, axis, knowing="FiveByTwoCVTTest")
    design = five_by_two_design(x, n_train, n_test, who="The 5x2cv t-test")
    test = FiveByTwoCVTTest(alternative=alternative, variant=variant)
    return test.on_arrays(Sample(x, design), null_value)


def five_by_two_design(
    x: np.ndarray, n_train: int | Sequence[int], n_test: int | Sequence[int], *, who: str
) -> SplitDesign:
    """Return the design of 5 x 2 stated splits, or raise an error if they are not."""
    n_splits = x.shape[-1]
    if n_splits != 2 * N_PAIRS:
        raise SplitDesignError(
            f"{who} needs the scores of 5 x 2 splits along the axis of the splits; there are "
            f"{n_splits}."
        )
    design = SplitDesign.from_sizes(
        n_train, n_test, n_splits=n_splits, levels=LEVELS, shape=(N_PAIRS, 2)
    )
    # One split trains on the test set of the other; a single size is off by one if n is odd.
    if any(abs(design.n_train[k] - design.n_test[k ^ 1]) > 1 for k in range(n_splits)):
        raise SplitDesignError(
            f"n_train={n_train!r} and n_test={n_test!r} are not the sizes of halves: {who} needs "
            "splits that train on one half of the rows and test on the other. Score with "
            "cv=RepeatedTwoFold()."
        )
    return design
