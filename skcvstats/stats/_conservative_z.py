"""The conservative Z test (Nadeau and Bengio 1999, procedure 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import is_integer
from .._utils._shared_arguments import check_integer
from .._utils._text import counted, format_number, format_size
from ..exceptions import AnticonservativeWarning, SplitDesignError, SplitDesignWarning
from ..scores import DesignRequest, Note, SplitDesign
from ._arguments import bare_numbers, few_notes, liberal_note, of_differences, splits_last
from ._inference import Description
from ._location import CVTestResult, LocationTest, Pivot, infer_arrays
from ._procedure import REPORT
from ._sample import Root, Sample, mean_of_last, mean_square

HALVES = ("pair", "half", "split")
# The report finds 5 to 10 pairs a good choice, and fewer wasteful.
_FEWEST_PAIRS = 5
# Half-samples with this share of the estimate's training and test rows, or less, have a variance
# that is clearly too large: .44 by default. At .8 the test is liberal in the report (section 5.1).
_NEARLY = 0.75
_NARROW = "nearly equal training sizes"
_ROUNDING = 1e-9  # by which harmonic means of equal test sizes may differ


@dataclass(frozen=True, kw_only=True)
class ConservativeZTest(LocationTest):
    """Test an expected score or difference with a variance estimate that is meant to be too large.

    The scores of many splits are averaged; how that average varies is measured on the two
    halves of random half-samples, which share no rows. If models vary more when they are trained
    on fewer rows, the variance estimate is too large rather than too small, and the test usually
    rejects less often than its level; the Notes say when not. It costs many more fits than the
    corrected resampled t-test, and assumes less about the learner.

    {Parameters: null_value, alternative}
    n_pairs : int, default=10
        How many pairs of half-samples to draw, where it is this procedure that draws them.

    {See Also: HalfSplitPairs}
    conservative_ztest : The same on arrays of scores.

    Notes
    -----
    The estimate is the mean mu_J of J splits with n1 training and n2 test rows. The data are cut M
    times into halves of n' = n // 2 rows, and each half is split J times into n1' = n' - n2
    training and n2 test rows, which gives mean scores mu_m and mu_m^c. These are independent and
    alike, so (mu_m - mu_m^c)^2/2 has the expectation Var mu_J at (n1', n2), and so has

        (1/2M) sum_m (mu_m - mu_m^c)^2

    [1]_ (equation 11; Z is equation 17). That is larger than the variance wanted, Var mu_J at
    (n1, n2), if the variance falls as the training set grows. J = 1 is allowed. The variance of
    the estimate of the variance falls with M only as r + (1 - r)/M, r being the correlation of two
    squared differences.

    The statistic is referred to the normal distribution, as if the variance were known, though it
    is the mean square of M numbers. With M independent Gaussian pairs, and a variance that is right
    on average, a nominal 5 % test rejects 2 T_M(-1.96), T_M being Student's t distribution with M
    degrees of freedom: 10.7 % at M = 5, 7.8 % at 10 and 6.4 % at 20. At M = 10 it keeps its level
    where the variance is too large by a factor of 1.29 or more. That is in doubt where the
    half-samples train on more than three quarters of the estimate's rows, which a note says. The
    normal distribution also assumes an approximately normal mean score.

    {References: nadeau1999}

    Examples
    --------
    By hand, from two calls of `cross_validate` for each estimator:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import ConservativeZTest, HalfSplitPairs, RepeatedSubsampleSplit
    >>> X, y = load_iris(return_X_y=True)
    >>> models = (GaussianNB(), DecisionTreeClassifier(random_state=0))
    >>> def scores(cv):
    ...     return [cross_validate(model, X, y, cv=cv, return_indices=True) for model in models]
    >>> a, b = scores(RepeatedSubsampleSplit(15, random_state=0))
    >>> half_a, half_b = scores(HalfSplitPairs(5, 15, random_state=0))
    >>> result = ConservativeZTest()(a, b, auxiliary=(half_a, half_b))
    >>> result.n_train, result.n_test, result.df
    (135, 15, inf)

    The same in one call, with all fits in one pool, is ``compare_estimators({"bayes": ..., "tree":
    ...}, X, y, method="conservative_z")``.
    """

    n_pairs: int = 10

    name: ClassVar[str] = "conservative_z"
    title: ClassVar[str] = "conservative Z test"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("n_pairs", self.n_pairs, 1)

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        design.require(
            who="The conservative Z test",
            levels=[("split",)],
            remedy=(
                "Pass cv=RepeatedSubsampleSplit() for the estimate, or leave cv=None; the "
                "half-samples of HalfSplitPairs are the auxiliary splits."
            ),
        )
        if auxiliary is None:
            return
        auxiliary.require(
            who="The variance of the conservative Z test",
            levels=[HALVES],
            remedy=(
                "Score with cv=HalfSplitPairs(); where such splits were not recognised, give "
                'CVScores.from_cv_results levels=("pair", "half", "split") and shape=(n_pairs, 2, '
                "n_splits)."
            ),
        )
        # The estimate may come from a fixed part of the data, as in section 5.1 of the report.
        same_unit = design.unit == auxiliary.unit
        if not same_unit or design.n_samples // 2 > auxiliary.n_samples // 2:
            raise SplitDesignError(
                f"The splits were drawn from {design.n_samples} {design.unit}, the half-samples "
                f"from {auxiliary.n_samples} {auxiliary.unit}: both must be of the same data. "
                "Leave cv=None, or score both on the same rows."
            )

    def auxiliary_request(self, design: SplitDesign) -> DesignRequest | None:
        n_splits = design.n_splits
        n_test = int(design.test_size)
        return DesignRequest(
            kind="half_pairs", n_pairs=self.n_pairs, n_splits=n_splits, test_size=n_test
        )

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        weak = super().notes(design, auxiliary)
        if auxiliary is None:
            return weak
        sizes = _liberal_notes(design, auxiliary) or _narrow_notes(design, auxiliary)
        why = " of half-samples: the variance is poorly estimated; use 5 to 10"
        few_pairs = few_notes(auxiliary.shape[0], "pair", _FEWEST_PAIRS, why)
        return (*sizes, *weak, *few_pairs)

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        basis = ""
        if auxiliary is not None:
            n_pairs, _, n_splits = auxiliary.shape
            basis = (
                f", and {counted(n_pairs, 'pair')} of half-samples with "
                f"{counted(n_splits, 'split')} each for the variance (train "
                f"{format_size(auxiliary.train_size)}, test {format_size(auxiliary.test_size)})"
            )
        return Description(
            basis=basis,
            explanation="the square root of half the mean square, over the pairs of half-samples, "
            "of the difference between the mean scores on the two halves",
            assumption="it is too large rather than too small if models that are trained on more "
            "rows vary less; the normal distribution assumes approximately normal mean scores",
            sources=REPORT,
            varies_over="half-samples",
        )

    def pivot(self, sample: Sample, auxiliary: Any = None) -> Pivot:
        differences = _half_differences(auxiliary)
        square = mean_square(differences, auxiliary.largest)
        estimate = sample.values.mean(axis=-1)
        scale = np.maximum(auxiliary.largest, sample.largest)
        return Pivot(estimate, np.sqrt(square / 2), np.inf, scale, 0.5)

    def root(self, sample: Sample, auxiliary: Any = None) -> Root:
        differences = _half_differences(auxiliary)
        n_pairs = differences.shape[-1]
        return Root(differences / np.sqrt(2 * n_pairs), n_pairs)


def _half_differences(auxiliary: Sample) -> np.ndarray:
    """Return the difference of the mean scores of the two halves of each pair."""
    halves = auxiliary.values.reshape((*auxiliary.values.shape[:-1], *auxiliary.design.shape))
    means = mean_of_last(halves)
    return means[..., 0] - means[..., 1]


def _liberal_notes(design: SplitDesign, auxiliary: SplitDesign) -> tuple[Note, ...]:
    """Return a note if the sizes are such that the variance estimate may be too small."""
    n_splits = auxiliary.shape[-1]
    faults = []
    if auxiliary.train_size >= design.train_size:
        sizes = f"{format_size(auxiliary.train_size)} against {format_size(design.train_size)}"
        faults.append(f"train on no fewer rows ({sizes})")
    if auxiliary.test_size > design.test_size + _ROUNDING:
        sizes = f"{format_size(auxiliary.test_size)} against {format_size(design.test_size)}"
        faults.append(f"test on more rows ({sizes})")
    if n_splits > design.n_splits:
        faults.append(f"average more splits ({n_splits} against {design.n_splits})")
    if not faults:
        return ()
    return (
        liberal_note(
            f"the half-samples {' and '.join(faults)} than the splits of the estimate, so the "
            "variance estimate may be too small; train on more rows, and use HalfSplitPairs with "
            "the same test rows and number of splits"
        ),
    )


def _narrow_notes(design: SplitDesign, auxiliary: SplitDesign) -> tuple[Note, ...]:
    """Return a note if half-samples train on nearly as many rows, so that the variance fits."""
    share = auxiliary.train_size / design.train_size
    if share <= _NEARLY or auxiliary.test_size <= _NEARLY * design.test_size:
        return ()
    text = (
        f"the half-samples train on {format_size(auxiliary.train_size)} {auxiliary.unit}, "
        f"{format_number(share)} of the {format_size(design.train_size)} of the estimate; "
        "models vary nearly as much on both"
    )
    more = "train on more rows (by default nine tenths)"
    if design.n_samples // 2 == auxiliary.n_samples // 2:
        text = f"{text}, and the variance is hardly larger than needed; {more}"
        return (Note(_NARROW, text, SplitDesignWarning),)
    text = (
        f"{text}, and its splits were drawn from {design.n_samples} of {auxiliary.n_samples}, so "
        f"the variance may not be large enough to keep the level; draw them from all and {more}"
    )
    return (Note(_NARROW, text, AnticonservativeWarning),)


@of_differences("a - b", "half_a - half_b")
def conservative_ztest(
    x: ArrayLike,
    auxiliary: ArrayLike,
    *,
    n_train: int | Sequence[int],
    n_test: int | Sequence[int],
    n_samples: int | None = None,
    auxiliary_n_test: int | None = None,
    null_value: ArrayLike = 0.0,
    alternative: str = "two-sided",
    axis: int = -1,
) -> CVTestResult:
    """Conservative Z test of scores, or of paired differences of scores.

    {Parameters: scores x}
    auxiliary : array-like of shape (..., n_pairs, 2, n_half_splits)
        Scores on the splits of the two halves of the half-samples. Its last axis is always that of
        the splits; `axis` is for `x` only.
    {shared: sizes, n_samples}
    auxiliary_n_test : int, default=None
        How many rows the splits of the halves test on; the rest of the n_samples // 2 are trained
        on. None is as many as `n_test`.
    {shared: null_values, alternative, axis}

    {Returns: test result}
    {Raises: not finite}
    SplitDesignError
        If the sizes leave nothing to train on in a half, or the shapes do not fit.

    Warns
    -----
    AnticonservativeWarning
        If the sizes are such that the variance estimate may be too small.

    See Also
    --------
    ConservativeZTest : The same on `cross_validate` dicts; its Notes have the mathematics.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats.stats import conservative_ztest
    >>> random_state = np.random.RandomState(0)
    >>> x = random_state.normal(0.03, 0.02, size=15)
    >>> halves = random_state.normal(0.03, 0.04, size=(10, 2, 15))
    >>> z, p = conservative_ztest(x, halves, n_train=180, n_test=20)
    >>> print(f"z = {z:.2f}, p = {p:.4f}")
    z = 3.93, p = 0.0001
    """
    test = ConservativeZTest(alternative=alternative)
    x = splits_last(x, axis, knowing="ConservativeZTest")
    halves = bare_numbers(auxiliary, "auxiliary", knowing="ConservativeZTest")
    is_of_same_tests = halves.shape[:-3] == x.shape[:-1] and halves.ndim == x.ndim + 2
    if not is_of_same_tests or halves.shape[-2] != 2 or halves.size == 0:
        raise SplitDesignError(
            f"auxiliary has shape {halves.shape}; with these x it must be {x.shape[:-1]} followed "
            "by (n_pairs, 2, n_half_splits), with at least one pair and one split. For two "
            "estimators pass their differences, a - b and half_a - half_b."
        )
    design = SplitDesign.from_sizes(n_train, n_test, n_splits=x.shape[-1], n_samples=n_samples)
    half_test = int(design.test_size) if auxiliary_n_test is None else auxiliary_n_test
    n_rows = design.n_samples
    half = design.n_samples // 2
    shape = halves.shape[-3:]
    if not is_integer(half_test) or not 1 <= half_test < half:
        raise SplitDesignError(
            f"A half of the {n_rows} rows has {half}, and testing on {half_test!r} of them leaves "
            f"none to train on. Test on 1 to {half - 1}, or pass more data."
        )
    sizes: dict[str, Any] = {"n_splits": int(np.prod(shape)), "n_samples": n_rows, "shape": shape}
    half_design = SplitDesign.from_sizes(half - half_test, half_test, **sizes, levels=HALVES)
    flat = halves.reshape((*x.shape[:-1], half_design.n_splits))
    return infer_arrays(test, Sample(x, design), null_value, Sample(flat, half_design))
