"""Power of a test by Student's t distribution, and how many rows it needs.

doc/derivations.rst has the mathematics.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.special import chdtri, ndtr, ndtri

from .._utils._arrays import Floats, weights_or_ones
from .._utils._checks import ConfidenceInterval, brief, check_finite_number
from .._utils._metrics import shown_as
from .._utils._shared_arguments import alpha_of, check_integer, check_power
from .._utils._text import counted, cut, format_number, format_percent
from ._claim import check_bounds, within
from ._location import CVTestResult
from ._row_t import RowTTestResult
from ._sample import plain, student_quantile

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
# Ends of pieces, in standard deviations of the distribution of the ratio, and of the estimate.
_LAW = np.arange(-9, 9.1, 1.5)
_ESTIMATE = np.arange(-9, 9.1, 3)
_HALVINGS = 50
_ROUNDING = 1e-6  # of degrees of freedom


def rejection_probability(
    noncentrality: Any, df: Any, critical: Any, alternative: str = "two-sided"
) -> Any:
    """Return the probability that a noncentral t statistic exceeds its critical value."""
    ncp, df, critical = _broadcast(noncentrality, df, critical)
    sides = {"greater": [ncp], "less": [-ncp]}.get(alternative, [ncp, -ncp])
    return plain(np.sum([_upper_tail(side, df, critical) for side in sides], axis=0))


def equivalence_probability(below: Any, above: Any, df: Any, critical: Any) -> Any:
    """Return the probability that two one-sided tests show that a difference is within bounds."""
    # Given se = s, in units of the true one: Phi(above - critical s) - Phi(critical s - below), or
    # 0.
    below, above, df, critical = _broadcast(below, above, df, critical)

    def probability(ratio: Floats) -> Floats:
        reach = critical[..., None] * ratio
        inside: Floats = ndtr(above[..., None] - reach) - ndtr(reach - below[..., None])
        return np.maximum(inside, 0.0)

    turns = [above[..., None] + _ESTIMATE, below[..., None] + _ESTIMATE]
    turns.append((above + below)[..., None] / 2)  # beyond it there is nothing between the two
    return plain(_mean_over_ratio(probability, df, _over(np.concatenate(turns, axis=-1), critical)))


def detectable_difference(
    standard_error: Any, df: Any, critical: Any, power: float = 0.8, alternative: str = "two-sided"
) -> Any:
    """Return the true difference that a test shows with a wanted power, whatever the estimate."""
    wanted = check_power(power)
    error = np.asarray(standard_error, dtype=float)
    df, critical = _broadcast(df, critical)
    # In a family many rows have the same distribution and critical value: they are solved once.
    laws, place = np.unique(np.stack([df.ravel(), critical.ravel()]), axis=1, return_inverse=True)
    of_laws = _noncentrality(wanted, *map(tuple, laws.tolist()), alternative)
    sizes = of_laws[place.reshape(df.shape)]
    return plain(np.where(error > 0, error, np.nan) * sizes)


# The comparisons of a family ask one by one for the same.
@lru_cache(maxsize=256)
def _noncentrality(
    power: float, dfs: tuple[float, ...], critical_values: tuple[float, ...], alternative: str
) -> np.ndarray:
    """Return the sizes of the noncentrality that give tests a wanted power."""
    side = "two-sided" if alternative == "two-sided" else "greater"
    df = np.array(dfs)
    critical = np.array(critical_values)
    miss = (1 - power) / 2
    normal = np.isinf(df)
    sought = np.isfinite(critical)
    ratio = np.where(normal, 1.0, np.sqrt(chdtri(np.where(normal, 1.0, df), miss) / df))
    tried = np.where(sought, critical, 0.0)

    def enough(size: np.ndarray) -> np.ndarray:
        return np.asarray(rejection_probability(size, df, tried, side)) >= power

    # At `high` the estimate is too small, or its standard error too large, each with `miss`.
    low = np.zeros(df.shape)
    high = np.abs(tried) * ratio - ndtri(miss)
    high = np.where(enough(low), 0.0, high)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = np.where(enough(middle), (low, middle), (middle, high))
    return np.where(sought, high, critical)


def _upper_tail(ncp: Floats, df: Floats, critical: Floats) -> Floats:
    """Return the probability that a noncentral t statistic is above its critical value."""

    def probability(ratio: Floats) -> Floats:
        beyond: Floats = ndtr(ncp[..., None] - critical[..., None] * ratio)
        return beyond

    return _mean_over_ratio(probability, df, _over(ncp[..., None] + _ESTIMATE, critical))


def _mean_over_ratio(function: Callable[[Floats], Floats], df: Floats, turns: Floats) -> Floats:
    """Return the mean of a function of the ratio s, with df s^2 a chi-squared variable."""
    # Pieces end at `turns`, where the function turns, and at the ends of the density.
    law = np.where(np.isfinite(df), df, 1.0)[..., None]
    # Wilson and Hilferty's quantiles are exact enough to locate the distribution.
    share = 2 / (9 * law)
    ends = np.sqrt(np.maximum(1 - share + np.sqrt(share) * _LAW, 0.0) ** 3)
    ends = np.concatenate([ends, np.clip(turns, ends[..., :1], ends[..., -1:])], axis=-1)
    ends = np.sort(ends, axis=-1)
    half = np.diff(ends, axis=-1)[..., None] / 2
    ratio = ends[..., :-1, None] + half * (1 + _NODES)
    weight = half * _WEIGHTS
    shape = (*df.shape, -1)
    ratio = ratio.reshape(shape)
    weight = weight.reshape(shape)
    log_ratio = np.log(np.maximum(ratio, np.finfo(float).tiny))
    weight = weight * np.exp(law * (log_ratio - (ratio**2 - 1) / 2) - log_ratio)
    mean = (weight * function(ratio)).sum(axis=-1) / weight.sum(axis=-1)
    return np.where(np.isfinite(df), mean, function(np.ones((*df.shape, 1)))[..., 0])


def _over(x: Floats, critical: Floats) -> Floats:
    """Return x / critical, as the end of a piece; 0 where that is not a number."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(x / critical[..., None], nan=0.0)


def _broadcast(*numbers: Any) -> list[np.ndarray]:
    return list(np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in numbers)))


# The most splits or rows that are planned.
MOST_PLANNED = 10**9


def fewest(reached: Callable[[int], bool]) -> float:
    """Return the smallest number at which, and beyond which, something is reached; perhaps inf."""
    if not reached(MOST_PLANNED):
        return np.inf
    return float(bisect_left(range(MOST_PLANNED), True, lo=2, key=reached))


def variance_interval(variance: float, df: float, confidence_level: float) -> ConfidenceInterval:
    """Return where a variance lies that was estimated from so many squares."""
    tail = alpha_of(confidence_level) / 2
    low = df * variance / chdtri(df, tail)
    high = df * variance / chdtri(df, 1 - tail)
    return ConfidenceInterval(float(low), float(high))


def check_n_comparisons(n_comparisons: Any) -> None:
    """Raise ValueError for a size that no family of comparisons has."""
    check_integer("n_comparisons", n_comparisons, 1, MOST_PLANNED)


class Goal(NamedTuple):
    """What a plan is to reach, and what to say if no number of splits does."""

    reached: Callable[[float, float], bool]  # of the standard error and its degrees of freedom
    out_of_reach: Callable[[float, float], str]


@dataclass(frozen=True)
class PlannedTest:
    """A test of one difference, alone or in a family adjusted by Bonferroni's method."""

    alpha: float
    alternative: str
    bounds: tuple[float, float] | None
    single: bool

    @classmethod
    def of(cls, confidence_level: float, alternative: str, margin: Any, n_comparisons: int) -> Self:
        """Return the test of a plan, or raise an error for options that contradict each other."""
        if margin is not None and alternative != "two-sided":
            raise ValueError(
                f"alternative={alternative!r} and margin={margin!r} cannot be combined, as "
                "equivalence has no direction; leave one of them out."
            )
        bounds = None if margin is None else check_bounds(margin)
        alpha = alpha_of(confidence_level) / n_comparisons
        return cls(alpha, alternative, bounds, n_comparisons == 1)

    def critical(self, df: Any) -> Any:
        """Return the critical value of the statistic."""
        # In a family, the two-sided simultaneous interval decides on equivalence.
        one_tail = self.alternative != "two-sided" or (self.bounds is not None and self.single)
        return -student_quantile(df, self.alpha if one_tail else self.alpha / 2)

    def power(self, difference: float, standard_error: Any, df: Any) -> Any:
        """Return the probability that the test shows a true claim."""
        if self.bounds is None:
            return rejection_probability(
                difference / standard_error, df, self.critical(df), self.alternative
            )
        below = difference - self.bounds[0]
        above = self.bounds[1] - difference
        return equivalence_probability(
            below / standard_error, above / standard_error, df, self.critical(df)
        )

    def detectable_difference(self, power: float, standard_error: Any, df: Any) -> Any:
        """Return the size of the difference that the test shows with this power."""
        return detectable_difference(standard_error, df, self.critical(df), power, self.alternative)

    def check_difference(self, difference: Any) -> float:
        """Return the difference as a float that the test could show to be what it is."""
        wanted = check_finite_number("difference", difference)
        if self.bounds is not None and not self.bounds[0] < wanted < self.bounds[1]:
            margin = f"{format_number(self.bounds[0])} to {format_number(self.bounds[1])}"
            raise ValueError(
                f"difference={difference!r} is not within the margin, {margin}, so that "
                "equivalence would be false; give a true difference inside, such as 0."
            )
        return wanted

    def check_power(self, power: Any) -> float:
        """Return the power as a float that is more than what a true null hypothesis has."""
        wanted = check_power(power)
        if self.bounds is None and wanted <= self.alpha:
            raise ValueError(
                f"power={power!r} is no more than the level, {format_number(self.alpha)}, at "
                "which a difference of 0 is rejected; ask for more, such as 0.8."
            )
        return wanted

    def power_goal(self, difference: Any, power: Any) -> Goal:
        """Return the goal of showing a true difference, or equivalence, with a power."""
        true = self.check_difference(difference)
        wanted = self.check_power(power)
        return Goal(
            lambda error, df: self.power(true, error, df) >= wanted,
            lambda error, df: self.out_of_reach(true, wanted, error, df),
        )

    def width_goal(self, half_width: Any) -> Goal:
        """Return the goal of a two-sided interval that is narrow enough."""
        widest = check_finite_number("half_width", half_width)
        return Goal(
            lambda error, df: self.critical(df) * error <= widest,
            lambda error, df: (
                f"half_width={widest!r} cannot be reached: with ever more splits it tends to "
                f"{format_number(self.critical(df) * error)}. Collect more rows, lower the "
                "confidence level, or ask for a wider interval."
            ),
        )

    def out_of_reach(self, difference: float, power: float, *limit: float) -> str:
        """Say that no number of splits shows it, whose standard error and df tend to `limit`."""
        most = format_number(self.power(difference, *limit))
        if self.bounds is not None:
            remedy = "Collect more rows, or take a wider margin."
        else:
            size = self.detectable_difference(power, *limit)
            beyond = {
                "two-sided": f"of more than {format_number(size)} in either direction",
                "greater": f"above {format_number(size)}",
                "less": f"below {format_number(-size)}",
            }[self.alternative]
            remedy = f"Collect more rows, or plan for a difference {beyond}."
        return (
            f"power={power!r} at difference={difference!r} cannot be reached by any number of "
            f"splits: with ever more of them it tends to {most}. {remedy}"
        )


class PlanEstimate(NamedTuple):
    """A planned number with its interval, because the variance behind it is an estimate."""

    estimate: Any
    low: Any
    high: Any


def refuse_guarded(test: Any, more: str) -> None:
    """Raise ValueError for a row t-test whose variance is not of its rows."""
    if isinstance(test, RowTTestResult) and test.is_guarded:
        raise ValueError(
            "Scores vary more between fits than their test rows explain, so these do not tell what "
            f"more {more} would bring. Find out why, or plan with plan_n_splits(result.scores)."
        )


class RowPlan(NamedTuple):
    """How many rows are needed; `print` says for what, and what is assumed."""

    n_rows: PlanEstimate
    n_groups: PlanEstimate | None
    text: str

    def __str__(self) -> str:
        return self.text


def plan_n_rows(
    result: Any,
    *,
    difference: float | None = None,
    width: float | None = None,
    margin: float | tuple[float, float] | None = None,
    power: float = 0.8,
    n_comparisons: int = 1,
) -> RowPlan:
    """Plan how many rows, or groups of rows, a test set needs.

    Parameters
    ----------
    result : CVTestResult or RowTTestResult
        The test of a difference, or of a score, on the rows so far, such as ``result.tests[0]`` of
        `compare_predictions`. Its alternative and its level are those of the plan.
    difference : float, default=None
        The true difference from the null value to be shown, in the metric's unit: the least that
        would matter, not the one that was found.
    width : float, default=None
        Instead: the width of the two-sided interval, from end to end.
    margin : float or pair of float, default=None
        Instead: equivalence within it is to be shown of models that are equal; with `difference`,
        of models that differ by that.
    power : float, default=0.8
        How often the difference, or equivalence, is to be shown; not of a width.
    {shared: n_comparisons}

    Returns
    -------
    namedtuple
        ``n_rows`` and, where rows belong to groups, ``n_groups``, else None. Each is a number of
        them with its interval, ``(estimate, low, high)``. `print` says what is assumed, and with
        unequal groups that ``high`` is the safe number.

    Raises
    ------
    TypeError
        If the result is not about rows.
    ValueError
        If it says nothing of other rows, or it is not said what is wanted.

    {See Also: plan_n_splits}

    Notes
    -----
    The squared standard error V of a mean over n independent rows, or groups of rows, is
    proportional to 1/n. With m of them the test has noncentrality difference / sqrt(V n/m), and
    (df + 1) m/n - 1 degrees of freedom; groups are taken to be as unequal as these. So this is
    about further rows like these, and the same models.

    V is an estimate. The interval of the number of rows is that at the ends of the interval of V:
    nu V over the quantiles of chi-squared with nu degrees of freedom, where 2/nu is the relative
    variance of V [1]_. It is estimated from the contributions d of the rows or groups,
    2/nu = sum(d^4) / sum(d^2)^2 - 1/n, because a few rows can carry V: where two classifiers
    disagree on 2 % of the rows, nu is about n/25. It is at most n - 1 and the degrees of freedom.

    A row t-test is about learning algorithms. With more rows they train on more, so that the
    difference and the variances change; the plan is for those that stay as they are.

    References
    ----------
    .. [1] D. G. Bonett, "Approximate Confidence Interval for Standard Deviation of Nonnormal
       Distributions", Computational Statistics & Data Analysis 50, 2006: the variance of V.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats import compare_predictions
    >>> from skcvstats.stats import plan_n_rows
    >>> y_true = np.arange(200) % 2
    >>> old, new = (np.where(np.arange(200) % k, y_true, 1 - y_true) for k in (5, 7))
    >>> result = compare_predictions(y_true, {"old": old, "new": new}, scoring="accuracy")
    >>> plan_n_rows(result.tests[0], difference=0.03).n_rows
    PlanEstimate(estimate=2474.0, low=2011.0, high=3119.0)
    """
    check_power(power)
    check_n_comparisons(n_comparisons)
    contributions, n_rows, n_units, n_groups = _contributions(result)
    if (width is None) == (difference is None and margin is None):
        raise ValueError(
            f"difference={brief(difference)}, width={brief(width)} and margin={brief(margin)} do "
            "not say what is wanted; give one of them, such as difference=0.01."
        )
    if width is not None:
        width = check_finite_number("width", width)
        test = PlannedTest.of(result.confidence_level, "two-sided", margin, n_comparisons)
        goal = test.width_goal(width / 2)
        aim = f"give an interval that is {format_number(width)} wide"
    else:
        test = PlannedTest.of(result.confidence_level, result.alternative, margin, n_comparisons)
        true = check_finite_number("difference", 0.0 if difference is None else difference)
        if test.bounds:
            what = f"equivalence {within(test.bounds)}"
        else:
            true = math.copysign(true, -1 if result.alternative == "less" else 1)
            what = f"a difference of {format_number(abs(true))}"
        goal = test.power_goal(true, power)
        aim = f"show {what} with power {power:g}"

    def needed(variance: float) -> float:
        def reached(count: int) -> bool:
            df = (result.df + 1) * count / n_units - 1
            return df > 0 and goal.reached(math.sqrt(variance * n_units / count), df)

        return fewest(reached)

    squared = result.standard_error**2
    n_squares = min(result.df, n_units - 1, _n_squares(contributions))
    ends = variance_interval(squared, float(n_squares), result.confidence_level)
    units = np.array([needed(variance) for variance in (squared, *ends)])
    if math.isinf(units[0]):
        raise ValueError(
            f"No number of rows would {aim}. Choose another difference, width or margin."
        )
    rows = PlanEstimate(*np.ceil(units * n_rows / n_units).tolist())
    groups = None
    unit = {"groups": "rows"}.get(result.unit, result.unit)
    written = counted(int(rows.estimate), "row").replace("rows", unit)
    safe = ""
    if n_groups:
        groups = PlanEstimate(*np.ceil(units * (n_groups / n_units)).tolist())
        written += f" in {counted(int(groups.estimate), 'group')}"
        if result.df < n_units - 1 - _ROUNDING:
            like = format_number(result.df + 1)
            safe = (
                f" The groups are unequal, equivalent to {like} equal ones, so the safe number is "
                f"the upper end: {rows.high:.0f} {unit} in {groups.high:.0f} groups."
            )
    scope = "the difference and the variances stayed as they are at this training size"
    if result.fixed:
        scope = "they are like these"
    text = (
        f"{cut(result.label)}, {shown_as(result.metric).name}: {written} "
        f"({format_percent(result.confidence_level)} interval {rows.low:.0f} to "
        f"{rows.high:.0f}; there are {n_rows}) would {aim}, if {scope}.{safe}"
    )
    return RowPlan(rows, groups, text)


def _n_squares(contributions: np.ndarray) -> float:
    """Return the number of equal squares whose sum varies as much as the sum of these."""
    relative = contributions / np.abs(contributions).max()  # so that fourth powers are in range
    fourth = np.sum(relative**4) / np.sum(relative**2) ** 2 - 1 / len(relative)
    return float(2 / max(fourth, 1e-300))


def _contributions(result: Any) -> tuple[np.ndarray, int, int, int | None]:
    """Return what units contribute, the numbers of rows and units, and that of groups, if any."""
    scores: Any = result.scores if isinstance(result, CVTestResult) else None
    components: Any = getattr(scores, "components", None)
    rows: Any = getattr(scores, "row_scores", None)
    if components is None and (rows is None or not isinstance(result, RowTTestResult)):
        raise TypeError(
            "A plan of rows is made from the result of compare_predictions or compare_losses, "
            f"result.tests[0], or of a row t-test, got {type(result).__name__}. See plan_n_splits."
        )
    result.check_single()
    refuse_guarded(result, "rows")
    if components is None:
        units = rows.rows if rows.groups is None else rows.groups[rows.rows]
        values = rows.block().reshape(-1)
        weights = weights_or_ones(rows.weights, len(values))
        apart = weights * (values - np.average(values, weights=weights))
        sums = np.bincount(units, apart)[np.unique(units[weights > 0])]
        n_groups = len(sums) if result.unit == "groups" else None
        return sums, len(np.unique(rows.rows)), len(sums), n_groups
    contributions = []
    for name in {"left_out", "deviations"} & components.arrays.keys() or components.arrays:
        part = components.rows(name)[0]
        contributions += [(part - part.mean()) / len(part)]
    of_units = np.concatenate(contributions)
    n_units = components.facts.get("n_groups", len(of_units))
    n_groups = n_units if components.facts.get("grouped", False) else None
    return of_units, int(result.n_test), n_units, n_groups
