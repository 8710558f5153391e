"""The bootstrap of test rows or groups: t for differences, BCa intervals for single scores."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from scipy.special import ndtr, ndtri

from .._utils._checks import ConfidenceInterval
from .._utils._metrics import shown_as
from .._utils._shared_arguments import alpha_of, tails_of
from .._utils._text import SMALLEST_PVALUE, format_percent, format_pvalue, verb
from ..exceptions import AnticonservativeWarning
from ..scores import Components, CVScores, Note
from ..stats import Description, GroupSizes, ResultDescription, plain, with_ends
from ._held_out import HeldOutResult, HeldOutTest, held_out_scores, in_blocks
from ._units import UnitScorer, blocks_of, generator_of, parts_of, run_tasks, without_each_block

# With fewer of either, intervals by resampling are too short.
_FEWEST = 10
# The same of effective groups; misses of 95 % intervals of F1 below 6, from 6 on, and from 12 on,
# as measured.
_FEWEST_EFFECTIVE = 20
_LIMITS = (6, 12)
_MISSES = ("8 to 28", "8 to 15", "5 to 10")
# Replicates that differ by less are equal but for rounding, as metrics of rows in another order.
_ROUNDING = 1e-12
# With fewer replicates, small p-values cannot be distinguished.
_MANY = 10_000
_SMALLEST_OF_FEW = 0.002


def corrections(
    estimates: Any, replicates: np.ndarray, left_out: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the bias correction and the acceleration of bootstrap replicates."""
    middle = np.asarray(estimates, dtype=float)[:, np.newaxis]
    below = (replicates < middle).mean(axis=1) + (replicates == middle).mean(axis=1) / 2
    deviations = left_out.mean(axis=1, keepdims=True) - left_out
    squares = np.square(deviations).sum(axis=1)
    scale = np.abs(left_out).max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        bias = ndtri(below)
        acceleration = (deviations**3).sum(axis=1) / (6 * squares**1.5)
        constant = ~(np.abs(deviations).max(axis=1) > 10 * np.finfo(float).eps * scale)
    percentile = ~np.isfinite(bias) | ~np.isfinite(acceleration) | constant
    return np.where(percentile, 0.0, bias), np.where(percentile, 0.0, acceleration)


def _moved(share: Any, bias: float, acceleration: float) -> np.ndarray:
    """Return the level whose corrected percentile is this share of the replicates."""
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = ndtri(share) - bias
        pole = 1 + acceleration * distance
        distance = np.where(pole > 0, distance / pole, np.copysign(np.inf, distance))
    return np.where(share >= 1, 1.0, ndtr(distance - bias))


def bca_pvalue(
    null_value: float,
    ascending: np.ndarray,
    bias: float,
    acceleration: float,
    alternative: str,
    tails: int = 1,
) -> float:
    """Return the p-value of a null value: the smallest level at which the interval excludes it."""
    n = len(ascending)
    at_most = np.searchsorted(ascending, null_value, side="right")
    at_least = n - np.searchsorted(ascending, null_value, side="left")
    greater = float(_moved((at_most + 1) / (n + 1), bias, acceleration))
    less = float(_moved((at_least + 1) / (n + 1), -bias, -acceleration))
    one_sided = {"greater": tails * greater, "less": tails * less}
    return max(min(1.0, one_sided.get(alternative, 2 * min(greater, less))), 1 / (n + 1))


def bca_error(
    null_value: float, ascending: np.ndarray, bias: float, acceleration: float, alternative: str
) -> float:
    """Return the Monte-Carlo standard error of the p-value, by the delta method."""
    n = len(ascending)
    below = (np.searchsorted(ascending, null_value, side="right") + 1) / (n + 2)
    shares = np.array([below, ndtr(bias)])
    covariance = (np.minimum.outer(shares, shares) - np.outer(shares, shares)) / n
    distance = ndtri(below) - bias
    pole = max(1 + acceleration * distance, np.finfo(float).eps)
    steep = 1 / pole**2
    slopes = np.array([steep, -(1 + steep) if bias or acceleration else 0.0])
    # densities of the normal distribution, but for a factor
    slopes *= np.exp((ndtri(shares) ** 2 - (distance / pole - bias) ** 2) / 2)
    tails = tails_of(alternative)
    return tails * float(np.sqrt(slopes @ covariance @ slopes))


def bca_interval(
    alpha: float, ascending: np.ndarray, bias: float, acceleration: float, alternative: str
) -> tuple[float, float]:
    """Return the null values whose p-value is above a level."""
    n = len(ascending)
    if 1 / (n + 1) > alpha:
        return -np.inf, np.inf
    shares = np.arange(1, n + 1) / (n + 1)
    tails = tails_of(alternative)
    ends = np.concatenate([[-np.inf], ascending, [np.inf]])
    below = int(np.sum(tails * _moved(shares, bias, acceleration) <= alpha))
    above = int(np.sum(tails * _moved(shares, -bias, -acceleration) <= alpha))
    return with_ends(ends[below], ends[n + 1 - above], alternative)


class Replicates(NamedTuple):
    """The replicates of each estimate, and the corrections of their percentiles."""

    ascending: Any
    bias: Any
    acceleration: Any


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class BootstrapResult(HeldOutResult):
    """The bootstrap's answer for single scores: a BCa interval, and a p-value that agrees with it.

    The interval is bias-corrected and accelerated (BCa). The p-value is the smallest level at which
    the interval excludes the null value. Differences of models have a `CVTestResult`.

    Parameters
    ----------
    bootstrap : tuple, default=None
        The replicates and the corrections, which the attributes name.

    Attributes
    ----------
    replicates : ndarray of shape (..., n_replicates)
        In ascending order.
    bias, acceleration : float or ndarray
        The corrections; 0 for plain percentiles.
    """

    bootstrap: Replicates = None  # type: ignore[assignment]  # always given

    @property
    def replicates(self) -> np.ndarray:
        """The replicates, ascending."""
        return np.asarray(self.bootstrap.ascending)

    @property
    def bias(self) -> Any:
        """The bias correction."""
        return self.bootstrap.bias

    @property
    def acceleration(self) -> Any:
        """The acceleration."""
        return self.bootstrap.acceleration

    def describe(self) -> ResultDescription:
        description = super().describe()
        smallest = _SMALLEST_OF_FEW if self.n_replicates < _MANY else SMALLEST_PVALUE
        finding = description.finding
        if not np.ndim(self.estimate) and self.asked and not self.undetermined:
            pvalue = format_pvalue(self.pvalue, smallest, self.pvalue_error)
            read = shown_as(self.metric, self.paired)
            null = read.number(self.null_value)
            finding = f"p {pvalue} ({read.side(self.alternative)}, against {null:g})"
        return replace(
            description,
            finding=finding,
            law="",  # there is no statistic
            reference_law="the distribution of the bootstrap replicates",
            smallest_pvalue=smallest,
        )

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        alpha = alpha_of(self._level(confidence_level))
        intervals = [bca_interval(alpha, *row, self.alternative) for row in self._rows()]
        shape = np.shape(self.estimate)
        low, high = np.reshape(np.transpose(intervals), (2, *shape))
        # Equal replicates are no evidence, so there is no interval either.
        low = np.where(self.undetermined, np.nan, low)
        high = np.where(self.undetermined, np.nan, high)
        return ConfidenceInterval(plain(low), plain(high))

    def against(self, null_value: float, alternative: str) -> Self:
        answer = super().against(null_value, alternative)
        return replace(answer, pvalue=answer.inverted())

    def inverted(self) -> Any:
        """Return the p-values that agree with the intervals; nan where the replicates are equal.

        Returns
        -------
        float or ndarray
            At least 1/(n_replicates + 1).
        """
        return self._of_each(bca_pvalue)

    @property
    def pvalue_error(self) -> Any:
        """The Monte-Carlo standard error of the p-value."""
        return self._of_each(bca_error)

    @property
    def n_replicates(self) -> int:
        """The number of replicates."""
        return int(np.shape(self.replicates)[-1])

    def _of_each(self, function: Callable[..., float]) -> Any:
        """Return what a function of the null value and the replicates is for each score."""
        nulls = np.ravel(np.broadcast_to(self.null_value, np.shape(self.estimate))).tolist()
        pairs = zip(nulls, self._rows(), strict=True)
        numbers = [function(null, *row, self.alternative) for null, row in pairs]
        shaped = np.reshape(numbers, np.shape(self.estimate))
        return plain(np.where(self.undetermined, np.nan, shaped))

    def _rows(self) -> list[tuple[np.ndarray, float, float]]:
        """Return the replicates and the corrections of each score."""
        n = np.size(self.estimate)
        rows = np.reshape(self.replicates, (n, -1))
        return list(zip(rows, np.ravel(self.bias), np.ravel(self.acceleration), strict=True))


@dataclass(frozen=True, kw_only=True)
class BootstrapTest(HeldOutTest):
    """Test any metric of fitted models on one test set, or a difference, by resampling its rows.

    It is for metrics that change in jumps when a row is left out, such as the median absolute
    error. Rows of one group are drawn together. ``method="bootstrap"`` asks for it.

    {Parameters: null_value, alternative}
    {See Also: compare_predictions}
    skcvstats.stats.BootstrapTTest : Another test, of scores on splits of bootstrap samples.

    Notes
    -----
    A difference of two models is T_1 - T_2 +- t times the standard deviation of its replicates,
    with one degree of freedom less than groups, and its p-value is that of Student's t.

    The interval of a single score is bias-corrected and accelerated (BCa) [1]_, and its p-value the
    smallest level at which the interval excludes the null value. With e_g the mean of the estimates
    that leave one group out minus each of them, the acceleration is
    sum e_g^3 / (6 (sum e_g^2)^1.5).

    References
    ----------
    .. [1] B. Efron, "Better Bootstrap Confidence Intervals", Journal of the American Statistical
       Association 82, 1987.

    Examples
    --------
    >>> from skcvstats import compare_predictions
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0] * 8
    >>> predictions = {"a": [0, 0, 1, 1, 0, 1, 1, 1, 1, 0] * 8, "b": [0, 1, 1, 0, 0, 1, 1, 0] * 10}
    >>> result = compare_predictions(y_true, predictions, scoring="f1", method="bootstrap")
    >>> result[0].test.method, round(result[0].test.estimate, 3)
    ('bootstrap', 0.409)
    """

    name: ClassVar[str] = "bootstrap"
    title: ClassVar[str] = "bootstrap of test rows"
    kind: ClassVar[str] = "bootstrap"
    score_answers: ClassVar[type[HeldOutResult]] = BootstrapResult

    def _variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        def variances_of(block: slice) -> np.ndarray:
            replicates = components.rows("replicates", block)
            are_rounding = np.ptp(replicates, axis=1) <= _ROUNDING * scale[block]
            return np.where(are_rounding, 0.0, replicates.var(axis=1, ddof=1))

        return in_blocks(components, variances_of)

    def _covariance(self, components: Components) -> np.ndarray:
        return np.atleast_2d(np.cov(components.rows("replicates")))

    def _freedom(self, components: Components) -> tuple[float, int]:
        return (components.facts["n_groups"] - 1,) * 2

    def describe_on(self, components: Components) -> Description:
        facts = components.facts
        unit = "test rows"
        basis = ""
        if facts["grouped"]:
            unit = "groups"
            basis = f" in {facts['n_groups']} groups"
        n_replicates = components.arrays["replicates"].shape[1]
        within = " within each class" if facts["stratified"] else ""
        explanation = (
            f"the standard deviation of {n_replicates} bootstrap replicates, each of as many "
            f"{unit} drawn with replacement{within}"
        )
        sources: tuple[str, ...] = ()
        if components.first is None:
            explanation += "; intervals are bias-corrected and accelerated"
            sources = ("efron1987",)
        return Description(
            title=f"bootstrap of {unit}",
            basis=basis,
            explanation=explanation,
            assumption=f"it assumes that the {unit} are independent",
            sources=sources,
            varies_over="test rows",
        )

    def _details(self, components: Components, estimates: np.ndarray) -> dict[str, Any]:
        if components.first is not None:
            return {}
        shape = np.shape(estimates)
        replicates = components.rows("replicates")
        left_out = components.rows("left_out")
        bias, acceleration = corrections(np.ravel(estimates), replicates, left_out)
        ascending = np.sort(replicates, axis=1).reshape(*shape, -1)
        corrected = Replicates(
            ascending, plain(bias.reshape(shape)), plain(acceleration.reshape(shape))
        )
        return {"bootstrap": corrected}

    def infer(self, sample: Any, auxiliary: Any = None, *, null_value: Any = None) -> HeldOutResult:
        answer = super().infer(sample, null_value=null_value)
        if not isinstance(answer, BootstrapResult):
            return answer
        pvalue = plain(np.where(answer.undetermined, answer.pvalue, answer.inverted()))
        answer = replace(answer, pvalue=pvalue)
        is_plain = (np.asarray(answer.bias) == 0) & (np.asarray(answer.acceleration) == 0)
        n_plain = int(np.count_nonzero(is_plain & ~np.asarray(answer.undetermined)))
        if n_plain == 0:
            return answer
        are = verb(n_plain, "interval is", "intervals are")
        text = (
            f"{n_plain} bootstrap {are} of plain percentiles: the bias correction or the "
            "acceleration is not defined"
        )
        return answer.with_notes([Note("percentile", text, None)])


def bootstrap_scores(
    estimates: np.ndarray,
    replicates: np.ndarray,
    left_out: np.ndarray,
    *,
    facts: dict[str, Any],
    n_rows: int,
    **given: Any,
) -> CVScores:
    """Return scores with their replicates, and the scores without each unit."""
    arrays = {"replicates": replicates, "left_out": left_out}
    components = Components(BootstrapTest.kind, arrays, {}, facts)
    largest = np.maximum(np.abs(replicates).max(axis=1), np.abs(estimates))
    return held_out_scores(estimates, components, largest, n_rows, **given)


def notes_on_few(sizes: Sequence[GroupSizes], *, are_alike: bool) -> tuple[Note, ...]:
    """Return a note on few rows or groups, or on unequal ones that tell as little as few."""
    fewest = min(sizes, key=lambda one: one.n_units)
    least = min(sizes, key=lambda one: one.effective)
    too_short = "bootstrap intervals are too short, and"
    if fewest.n_units < _FEWEST:
        text = f"only {fewest.units}: {too_short} tests reject true null hypotheses too often"
        return (Note("small bootstrap", text, AnticonservativeWarning),)
    if are_alike or least.effective >= _FEWEST_EFFECTIVE:
        return ()
    misses = _MISSES[bisect_right(_LIMITS, least.effective)]
    text = (
        f"{least}: {too_short} 95 % intervals miss the true value in about {misses} % of data sets"
    )
    return (Note(f"effective {least.unit}s", text, AnticonservativeWarning),)


@dataclass(frozen=True, eq=False)
class Resampling:
    """Draws groups with replacement: each replicate from its number and the seed alone."""

    n_groups: int
    seed: int
    strata: tuple[np.ndarray, ...]  # one of all groups, or the groups of each class

    def draw(self, replicate: int, attempt: int = 0) -> np.ndarray:
        generator = generator_of(self.seed, replicate, attempt)
        parts = []
        for stratum in self.strata:
            positions = generator.integers(0, len(stratum), len(stratum))
            parts.append(stratum[positions])
        return np.concatenate(parts)


def strata_of(classes: Any, codes: np.ndarray | None) -> tuple[np.ndarray, ...]:
    """Return the groups of each class, if each group has one class."""
    class_of_row = np.unique(np.asarray(classes), return_inverse=True)[1].reshape(-1)
    unit = "group"
    if codes is None:
        unit = "row"
        codes = np.arange(len(class_of_row))
    class_of_group = np.zeros(codes.max() + 1, dtype=np.intp)
    class_of_group[codes] = class_of_row
    mixed = class_of_group[codes] != class_of_row
    if mixed.any():
        raise ValueError(
            "stratify=True draws groups within each class, but some groups contain rows of several "
            f"classes (the first of them is of row {int(np.argmax(mixed))}). Leave stratify out."
        )
    n_classes = class_of_group.max() + 1
    strata = tuple(np.flatnonzero(class_of_group == k) for k in range(n_classes))
    if min(map(len, strata)) < 2:
        raise ValueError(
            f"stratify=True draws {unit}s within each class, but there is only 1 {unit} of one of "
            f"them. Test on at least 2 {unit}s of each class, better 10."
        )
    return strata


# If a metric is not defined in a replicate, it is drawn again, at most this many times.
_MOST_ATTEMPTS = 20
# With a larger share of undefined draws, the metric is not suitable for resampling.
_MOST_UNDEFINED = 0.01


def replicate(
    scorer: UnitScorer, resampling: Resampling, n_replicates: int, n_jobs: int | None, verbose: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the metric in all replicates and without each block, and how many were drawn again."""
    blocks = blocks_of(resampling.n_groups, resampling.seed)
    drawn = [partial(_drawn, scorer, part, resampling) for part in parts_of(range(n_replicates))]
    without = [partial(without_each_block, scorer, part) for part in parts_of(blocks)]
    answers = run_tasks([*drawn, *without], n_jobs, verbose, doing="resampling")
    values, n_undefined = zip(*answers[: len(drawn)], strict=True)
    left_out = np.concatenate(answers[len(drawn) :])
    replicates = np.concatenate(values)
    return np.ascontiguousarray(replicates.T), np.ascontiguousarray(left_out.T), sum(n_undefined)


def _drawn(scorer: UnitScorer, part: range, resampling: Resampling) -> tuple[np.ndarray, int]:
    """Return some replicates, and the number of draws in which the metric was not defined."""
    values = []
    n_undefined = 0
    for number in part:
        for attempt in range(_MOST_ATTEMPTS):
            scores = scorer(resampling.draw(number, attempt))
            if np.isfinite(scores).all():
                break
            n_undefined += 1
        values.append(scores)
    return np.array(values), n_undefined


def check_defined(values: np.ndarray, n_again: int, n_replicates: int, metric: str) -> None:
    """Raise ValueError if a metric is not defined in too many bootstrap samples."""
    share = n_again / (n_replicates + n_again)
    if share > _MOST_UNDEFINED or not np.isfinite(values).all():
        raise ValueError(
            f"{metric} is not defined in {format_percent(share)} of the bootstrap samples, as they "
            "lack a class or a prediction of it. Pass stratify=True, which draws rows (or groups, "
            "where each is of one class) within each class, use another metric, or test on more "
            "rows."
        )
