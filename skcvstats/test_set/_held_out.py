"""Tests of fitted models on one test set: their base and answers, and the t-tests of row means.

Notes
-----
Whatever the metric, an estimate has components: sums over groups, structural components of an ROC
curve, or bootstrap replicates. The components of a difference of two models are the differences of
their components. So a procedure only computes a variance from components; the rest is here.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from .._utils._arrays import Floats, as_array, as_numbers
from .._utils._checks import ConfidenceInterval, check_option
from .._utils._shared_arguments import tails_of
from .._utils._text import counted
from ..exceptions import AnticonservativeWarning, SplitDesignError
from ..scores import (
    Components,
    CVScores,
    Note,
    SplitDesign,
    check_range,
    largest_of,
    note_on_tests,
    notes_without,
)
from ..stats import (
    ROUNDING,
    UNDETERMINED,
    CVTestResult,
    Description,
    GroupSizes,
    Inference,
    LocationTest,
    Pivot,
    ResultDescription,
    Root,
    Sample,
    check_present,
    few_groups,
    few_rows_notes,
    notes_on_runs,
    one_each,
    plain,
    plain_flags,
    read_groups,
    read_weights,
    student_quantile,
    tail_probability,
    with_ends,
)
from ._runs import arrays_of_runs, scores_of_units

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HeldOutResult(CVTestResult):
    """A `CVTestResult` about fitted models; `n_train` is nan, as it does not matter."""

    __test__: ClassVar[bool] = False  # the name would make pytest collect it
    _fixed_models: ClassVar[tuple[str, ...]] = (
        "this fitted model, on rows like these",
        "these fitted models, on rows like these",
    )
    _shown: ClassVar[tuple[str, ...]] = (
        *CVTestResult._shown,
        *("null_value", "alternative", "correction"),
    )

    @property
    def title(self) -> str:
        """The name in words of the test, which depends on the test set."""
        return self._describe_procedure().title or str(self.origin.procedure.title)

    def _describe_procedure(self) -> Description:
        """Describe the procedure on this test set."""
        scores: Any = self.origin.scores
        description: Description = self.origin.procedure.describe_on(scores.components)
        return description

    def to_frame(
        self, confidence_level: float | None = None, *, full: bool = False
    ) -> "pd.DataFrame":
        frame = super().to_frame(confidence_level, full=full).drop(columns=["n_train", "n_splits"])
        scores: Any = self.scores
        frame.insert(1, "estimator", list(scores.labels))
        return frame

    def describe(self) -> ResultDescription:
        description = super().describe()
        sizes = f"{counted(int(self.n_test), 'test row')}{description.basis}"
        return replace(description, sizes=sizes)

    __repr__ = Inference.__repr__


# After this many bisections of an interval of length 2, its ends are neighbouring numbers.
_N_BISECTIONS = 64


def score_interval(
    statistic_at: Callable[[np.ndarray], np.ndarray],
    lowest: np.ndarray,
    df: Any,
    confidence_level: float,
    alternative: str,
) -> ConfidenceInterval:
    """Return the values from `lowest` to 1 that a statistic, which falls in them, accepts."""
    tails = tails_of(alternative)
    critical = -np.asarray(student_quantile(df, (1 - confidence_level) / tails))
    ends = []
    for target in (critical, -critical):
        low = lowest
        high = np.ones_like(lowest)
        for _ in range(_N_BISECTIONS):
            middle = (low + high) / 2
            statistic = statistic_at(middle)
            # nan at a difference of 0 without discordant rows, where it passes through 0
            above = np.where(np.isnan(statistic), target < 0, statistic > target)
            low = np.where(above, middle, low)
            high = np.where(above, high, middle)
        ends.append(np.where(low == lowest, lowest, (low + high) / 2))
    lower_end, upper_end = ends
    return with_ends(lower_end, upper_end, alternative)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreTestResult(HeldOutResult):
    """Base of score tests: the interval contains the values that are not rejected."""

    @abstractmethod
    def statistic_at(self, value: Any) -> np.ndarray:
        """Return the statistic of a true value.

        Parameters
        ----------
        value : float or ndarray
            The value under test, or one for each estimate.

        Returns
        -------
        ndarray
            The greater the value, the lower.
        """

    @property
    def undetermined(self) -> Any:
        """Never: where rows are all alike, the interval says how sure that is."""
        return plain_flags(np.zeros(np.shape(self.estimate), dtype=bool))

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        level = self._level(confidence_level)
        lowest = np.full(np.shape(self.estimate), -1.0 if self.paired else 0.0)
        return score_interval(self.statistic_at, lowest, self.df, level, self.alternative)

    def against(self, null_value: Any, alternative: str) -> Self:
        statistic = self.statistic_at(null_value)
        pvalue = tail_probability(statistic, self.df, alternative)
        answer = replace(
            self,
            statistic=plain(statistic),
            pvalue=plain(np.where(np.isnan(statistic), 1.0, pvalue)),
            null_value=null_value,
            alternative=alternative,
        )
        return answer if np.any(self.undetermined) else answer._without_undetermined_note()

    def _without_undetermined_note(self) -> Self:
        """Return the answer without the note that the scores do not vary."""
        return replace(self, notes=notes_without(self.notes, [UNDETERMINED.code]))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class WilsonResult(ScoreTestResult):
    """The answer about the accuracy of one classifier on independent rows."""

    def statistic_at(self, value: Any) -> np.ndarray:
        return score_statistic(self.estimate, value, value * np.subtract(1, value) / self.n_test)

    def _describe_procedure(self) -> Description:
        return Description(
            title="Wilson score test",
            explanation="the square root of accuracy times error rate divided by the number of "
            "rows; the interval and p take that at the value under test",
            assumption="it assumes that the rows are independent",
            sources=("wilson1927",),
            varies_over="test rows",
        )


def score_statistic(estimate: Any, value: Any, variance: Any) -> np.ndarray:
    """Return a distance in standard errors: infinite where the variance is 0, nan for none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = (np.asarray(estimate) - value) / np.sqrt(np.maximum(variance, 0.0))
        return found


def held_out_scores(
    estimates: np.ndarray, components: Components, magnitude: np.ndarray, n_rows: int, **given: Any
) -> CVScores:
    given["design"] = SplitDesign.of_test_set(n_rows, given.pop("y_digest", None))
    given["labels"] = tuple(given.get("labels", ()))
    values = estimates[:, np.newaxis]
    return CVScores(values=values, magnitude=magnitude, components=components, **given)


@dataclass(frozen=True, kw_only=True)
class HeldOutTest(LocationTest):
    """Base of the procedures for fitted models on one test set."""

    __test__: ClassVar[bool] = False

    fixed: ClassVar[bool] = True
    # The components that it can read, and the classes of its results on differences and on scores.
    kind: ClassVar[str]
    answers: ClassVar[type[HeldOutResult]] = HeldOutResult
    score_answers: ClassVar[type[HeldOutResult]] = HeldOutResult

    @abstractmethod
    def _variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        """Return the variance of each estimate, 0 where it is rounding of scores of this scale."""

    @abstractmethod
    def _freedom(self, components: Components) -> tuple[float, int]:
        """Return the degrees of freedom of a statistic, and those of the covariance of all."""

    @abstractmethod
    def describe_on(self, components: Components) -> Description:
        """Return the description of an answer on a test set, with a title where it depends on that.

        Parameters
        ----------
        components : Components
            What the scores on the test set are made of.

        Returns
        -------
        Description
            As `Procedure.describe` returns of splits.
        """

    def _answers_on(self, components: Components) -> type[HeldOutResult]:
        """Return the class of its results on differences, or on scores of single models."""
        return self.score_answers if components.first is None else self.answers

    def _details(self, components: Components, estimates: np.ndarray) -> dict[str, Any]:
        return {}

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        if not design.on_test_set:
            raise SplitDesignError(
                f"The {self.title} is for fitted models on one test set: use compare_predictions "
                'or compare_losses. For scores on splits use method="corrected_resampled_t".'
            )

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        return ()

    def sample(self, scores: CVScores) -> Sample:
        if getattr(scores.components, "kind", None) != self.kind:
            raise ValueError(
                f"The {self.title} cannot be computed from these scores of {scores.metric!r}: they "
                "do not contain the contributions of the single rows. Compare the predictions "
                f"again, compare_predictions(..., method={self.name!r})."
            )
        return super().sample(scores)

    def _estimates(self, sample: Any, auxiliary: Any = None) -> np.ndarray:
        return np.asarray(sample.values[..., 0])

    def pivot(self, sample: Any, auxiliary: Any = None) -> Pivot:
        components = sample.scores.components
        shape = sample.values.shape[:-1]
        errors = np.sqrt(self._variances(components, np.ravel(sample.largest))).reshape(shape)
        return Pivot(sample.values[..., 0], errors, self._freedom(components)[0], sample.largest)

    def infer(self, sample: Any, auxiliary: Any = None, *, null_value: Any = None) -> HeldOutResult:
        answer = super().infer(sample, null_value=null_value)
        components = sample.scores.components
        details = self._details(components, sample.values[..., 0])
        inference = self._answers_on(components)(**vars(answer), **details)
        if components.first is None and isinstance(inference, ScoreTestResult):
            inference = inference.against(inference.null_value, inference.alternative)
        return inference._with_notes_on_tests(notes_on_runs(inference))

    def _covariance(self, components: Components) -> np.ndarray | None:
        """Return the covariance of all models, with any eigenvalues; None if there is none."""
        return None

    def root(self, sample: Any, auxiliary: Any = None) -> Root | None:
        components = sample.scores.components
        covariance = self._covariance(components)
        if covariance is None:
            return None
        eigenvalues, vectors = np.linalg.eigh(covariance)
        values = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
        return Root(values, self._freedom(components)[1])


def in_blocks(components: Components, compute: Callable[[slice], np.ndarray]) -> np.ndarray:
    """Return what a function of a block of the components computes for each estimate."""
    computed = np.empty(len(components))
    for block in components.blocks():
        computed[block] = compute(block)
    return computed


def pivot_of(test: HeldOutTest, scores: CVScores, *, is_single: bool) -> Pivot:
    """Return the estimates and standard errors of scores, or of the only model in them."""
    return test.pivot(test.sample(scores.row(0) if is_single else scores))


VARIANCES = ("jackknife", "sandwich")


@dataclass(frozen=True, eq=False, kw_only=True)
class ClusteredMean:
    """Means over the rows of a test set, with standard errors that allow for groups."""

    estimate: Any
    standard_error: Any
    df: float
    n_rows: int
    n_groups: int
    variance: str


def clustered_mean(
    x: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    variance: str = "jackknife",
) -> ClusteredMean:
    """Return the mean over rows that belong to groups, with its standard error.

    Parameters
    ----------
    x : array-like of shape (n_rows,) or (n, n_rows)
        One number for each test row, such as the difference of two models' losses.
    {shared: row groups, sample_weight, variance}

    Returns
    -------
    result : object with these attributes
        ``estimate`` and ``standard_error``, floats or arrays of them; ``df``, the degrees of
        freedom, of groups of one size their number less 1, else fewer; ``n_rows`` and ``n_groups``.
        Refer ``estimate / standard_error`` to Student's t distribution with ``df`` degrees of
        freedom.

    Raises
    ------
    ValueError
        If a number is not finite, there are fewer than two groups or they tell as little as fewer
        than about two equal ones (1.9), or lengths differ.

    See Also
    --------
    skcvstats.compare_losses : The same for several models, with verdicts.

    Notes
    -----
    Let e be the deviations from the mean, s_g their sum over group g of n_g rows, and G the number
    of groups. The squared standard error is (G-1)/G sum (s_g/(n - n_g))^2 by the jackknife, and
    G/(G-1) sum s_g^2 / n^2 by the sandwich [1]_. With weights, n and n_g are sums of weights. With
    one row in each group both are the usual S^2/n.

    The jackknife has Bell and McCaffrey's degrees of freedom [2]_: 2 E^2/V with the expectation E
    and the variance V that its squared standard error would have if rows were independent. They
    are G - 1 for groups of one size, and 1.4 if two of 15 groups have 45 % of the rows each. The
    groups tell as much as n^2 / sum n_g^2 equal ones. The sandwich has G - 1.

    References
    ----------
    .. [1] A. C. Cameron and D. L. Miller, "A Practitioner's Guide to Cluster-Robust Inference",
       Journal of Human Resources 50, 2015.
    .. [2] R. M. Bell and D. F. McCaffrey, "Bias Reduction in Standard Errors for Linear Regression
       with Multi-Stage Samples", Survey Methodology 28, 2002.

    Examples
    --------
    >>> from skcvstats.test_set import clustered_mean
    >>> differences = [0.1, 0.3, -0.1, 0.2, 0.4, 0.2, 0.0, 0.1]
    >>> patients = ["a", "a", "b", "b", "c", "c", "d", "d"]
    >>> found = clustered_mean(differences, patients)
    >>> print(f"{found.estimate:.3f} +- {found.standard_error:.3f}, df = {found.df:g}")
    0.150 +- 0.061, df = 3
    """
    test = ClusteredTTest(variance=variance)
    rows, several = as_rows(x, "x")
    check_range("x", largest_of(rows))
    scores: Any = mean_scores(rows, groups=groups, sample_weight=sample_weight, metric="mean")
    pivot = pivot_of(test, scores, is_single=not several)
    return ClusteredMean(
        estimate=plain(pivot.estimate),
        standard_error=plain(pivot.standard_error),
        df=pivot.df,
        n_rows=scores.design.n_test[0],
        n_groups=scores.components.facts["n_groups"],
        variance=variance,
    )


def mean_scores(
    x: np.ndarray,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    are_shares: bool = False,
    runs: Sequence[np.ndarray] = (),
    **given: Any,
) -> CVScores:
    """Return the mean score of fitted models on one test set, and sums over groups with weight.

    `x` has the mean over the runs of each model, and `runs` has the scores of its runs.
    """
    weights = read_weights(sample_weight, x.shape[1])
    if weights is not None:  # rows without weight do not count
        kept = weights > 0
        if groups is not None:
            groups = one_each("groups", as_array("groups", groups), len(kept))[kept]
        x = x[:, kept]
        runs = [of_model[:, kept] for of_model in runs]
        weights = weights[kept]
    n_models, n_rows = x.shape
    numbered = read_groups(groups, n_rows, weights)
    largest = np.maximum(x.max(axis=1), -x.min(axis=1))
    means = np.empty(n_models)
    sums = np.empty((n_models, numbered.n_groups))
    for k in range(n_models):
        row = np.copy(x[k])  # as one block, so that sums do not depend on the layout of a table
        if weights is None:
            means[k] = row.mean()
            deviations = row - means[k]
        else:
            means[k] = weights @ row / weights.sum()
            deviations = (row - means[k]) * weights
        sums[k] = numbered.sums(deviations)
    facts: dict[str, Any] = {
        "n_groups": numbered.n_groups,
        "grouped": groups is not None,
        "weighted": weights is not None,
        "shares": are_shares,
    }
    shared = {"sizes": numbered.sizes(weights, n_rows)}
    if weights is not None:
        shared["squares"] = numbered.sums(weights**2)
    units = [scores_of_units(of_model, numbered, weights) for of_model in runs]
    arrays = {"sums": sums, **arrays_of_runs(units)}
    components = Components(ClusteredTTest.kind, arrays, shared, facts)
    reason = sizes_of(components).too_few()
    if reason is not None:
        raise ValueError(reason)
    if groups is None:
        notes = few_rows_notes(n_rows, "t", are_shares=are_shares)
    else:
        notes = few_groups(numbered.n_groups)
    return held_out_scores(means, components, largest, n_rows, notes=notes, **given)


def as_rows(x: Any, name: str) -> tuple[np.ndarray, bool]:
    """Return numbers as an array of shape (n, n_rows), and whether there were several."""
    array = as_numbers(name, x)
    if array.ndim not in (1, 2) or array.size == 0:
        raise ValueError(
            f"{name} has shape {array.shape}; expected (n_rows,) or (n, n_rows), not of 0 rows."
        )
    check_present(name, array)
    return array.reshape(-1, array.shape[-1]), array.ndim == 2


def sizes_of(components: Components) -> GroupSizes:
    """Return the sizes of groups, or the weights of rows, behind components."""
    facts = components.facts
    shared = components.shared
    are = {"grouped": facts["grouped"], "weighted": facts["weighted"]}
    return GroupSizes.named(shared["sizes"], shared.get("squares"), **are)


_EXPLAINED = {
    "jackknife": "the jackknife that leaves out one {unit} at a time",
    "sandwich": "the cluster-robust (sandwich) estimate from the sums over {unit}s",
}
_SOURCES = {"jackknife": ("cameron2015", "bell2002"), "sandwich": ("cameron2015",)}


@dataclass(frozen=True, kw_only=True)
class ClusteredTTest(HeldOutTest):
    """Test a mean over the rows of one test set, or the difference of two fitted models in it.

    It is for metrics that are means over rows, such as accuracy, log loss or squared error. Rows
    of one group, such as a patient, may depend on each other as they like. The answer is about
    the models as they were fitted.

    {Parameters: null_value, alternative, variance}
    {See Also: compare_losses}
    HoldoutTTest : The same without groups, where the question may be about the algorithms.

    Notes
    -----
    See `skcvstats.test_set.clustered_mean`. The statistic is referred to Student's t distribution
    with its degrees of freedom; joint inference rounds them down.

    Examples
    --------
    >>> from skcvstats import compare_losses
    >>> losses = {"a": [0.2, 0.1, 0.4, 0.3, 0.9, 0.2] * 4, "b": [0.4, 0.3, 0.5, 0.4] * 6}
    >>> result = compare_losses(losses, groups=list(range(12)) * 2)
    >>> result[0].test.method, result[0].test.df
    ('clustered_t', 11.0)
    """

    variance: str = "jackknife"

    name: ClassVar[str] = "clustered_t"
    title: ClassVar[str] = "t-test of row means"
    kind: ClassVar[str] = "means"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option("variance", self.variance, VARIANCES)

    def _variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        sizes = components.shared["sizes"]
        factors = self._factors(sizes)
        widest = 20 * np.finfo(float).eps * (factors * sizes).max() * np.sqrt(len(sizes))

        def variances_of(block: slice) -> np.ndarray:
            sums = components.rows("sums", block)
            weighted = sums * factors
            squares: Floats = np.einsum("kg,kg->k", weighted, weighted)
            small = np.flatnonzero(np.sqrt(squares) <= widest * scale[block])
            largest = np.abs(sums[small] / sizes).max(axis=1)
            squares[small[largest <= ROUNDING * scale[block][small]]] = 0.0
            return squares

        return in_blocks(components, variances_of)

    def _factors(self, sizes: Floats) -> Floats:
        """Return factors for the sums of groups, so that their squares add up to the variance."""
        n_groups = len(sizes)
        total = float(sizes.sum())
        if self.variance == "sandwich":
            return np.full(n_groups, sqrt(n_groups / (n_groups - 1)) / total)
        return sqrt((n_groups - 1) / n_groups) / (total - sizes)

    def _covariance(self, components: Components) -> np.ndarray:
        factors = self._factors(components.shared["sizes"])
        weighted: Floats = components.rows("sums") * factors
        return weighted @ weighted.T

    def _freedom(self, components: Components) -> tuple[float, int]:
        sizes = sizes_of(components)
        df = sizes.df if self.variance == "jackknife" else float(len(sizes.sizes) - 1)
        is_wilson = self._answers_on(components) is WilsonResult
        return np.inf if is_wilson else df, int(df)

    def pivot(self, sample: Any, auxiliary: Any = None) -> Pivot:
        pivot = super().pivot(sample)
        # The standard error with which t has the p-value of McNemar's exact test.
        n_rows = len(sample.scores.components.shared["sizes"])
        pvalue = max(0.5**n_rows, np.finfo(float).tiny)
        exact = -1 / student_quantile(n_rows - 1, pvalue)
        errors = np.where(_one_right(sample), exact, pivot.standard_error)
        return replace(pivot, standard_error=errors)

    def infer(self, sample: Any, auxiliary: Any = None, *, null_value: Any = None) -> HeldOutResult:
        answer = super().infer(sample, null_value=null_value)
        text = "only one of the two is right, in every row: p is that of McNemar's exact test"
        where = np.ravel(_one_right(sample))
        answer = answer._with_notes_on_tests(
            note_on_tests("exact test", where, lambda k: text, text)
        )
        sizes = sizes_of(sample.scores.components)
        if self.variance == "jackknife":
            return answer.with_notes(sizes.notes())
        if sizes.effective >= 0.8 * len(sizes.sizes):
            return answer
        text = (
            f"{sizes}, and the sandwich estimate is then too small: tests reject true null "
            "hypotheses too often, 7 to 39 % of them at the 5 % level; use variance='jackknife'"
        )
        return answer.with_notes([Note(f"unequal {sizes.unit}s", text, AnticonservativeWarning)])

    def describe_on(self, components: Components) -> Description:
        facts = components.facts
        weighted = ", weighted" if facts["weighted"] else ""
        explanation = _EXPLAINED[self.variance]
        description = Description(
            explanation=explanation.format(unit="row"),
            basis=weighted,
            sources=_SOURCES[self.variance],
            varies_over="test rows",
        )
        if facts["grouped"]:
            return replace(
                description,
                title="clustered t-test",
                basis=f" in {facts['n_groups']} groups{weighted}",
                explanation=explanation.format(unit="group"),
                assumption="it assumes that the groups are independent",
            )
        if weighted:
            return description
        return replace(
            description,
            title="t-test" if components.first is None else "paired t-test",
            explanation="the square root of the sample variance over the test rows divided by "
            "their number",
            has_posterior=True,
        )

    def scores_of(self, scores: CVScores, values: np.ndarray) -> CVScores:
        """Return scores with what the test needs to know besides the means of these values."""
        return scores

    def _answers_on(self, components: Components) -> type[HeldOutResult]:
        if components.first is None and components.facts["shares"]:
            return WilsonResult
        return self.answers


def _one_right(sample: Any) -> np.ndarray:
    """Whether scores of independent rows are all 1 for one of two models, and 0 for the other."""
    components = sample.scores.components
    differences = sample.values[..., 0]
    if components.first is None or components.facts["grouped"] or components.facts["weighted"]:
        return np.zeros(differences.shape, dtype=bool)
    constant = ~components.arrays["sums"].any(axis=1)
    both = constant[components.first] & constant[components.second]
    apart = (np.abs(differences) == 1) & (sample.largest == 1)
    return np.asarray(apart & both.reshape(apart.shape))
