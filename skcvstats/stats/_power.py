"""Power of a test by Student's t distribution, and the goals of plans.

doc/derivations.rst has the mathematics.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.special import chdtri, ndtr, ndtri

from .._utils._arrays import Floats
from .._utils._checks import ConfidenceInterval, check_finite_number
from .._utils._shared_arguments import alpha_of, check_alternative, check_integer, check_power
from .._utils._text import format_number
from ._claim import check_bounds
from ._sample import plain, student_quantile

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
# Ends of pieces, in standard deviations of the distribution of the ratio, and of the estimate.
_LAW = np.arange(-9, 9.1, 1.5)
_ESTIMATE = np.arange(-9, 9.1, 3)
_HALVINGS = 50


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


def fewest(reached: Callable[[int], bool], least: int = 2) -> float:
    """Return the smallest number from which on something is reached; inf if there is none."""
    if not reached(MOST_PLANNED):
        return np.inf
    return float(bisect_left(range(MOST_PLANNED), True, lo=least, key=reached))


def variance_interval(variance: float, df: float, confidence_level: float) -> ConfidenceInterval:
    """Return where a variance lies that was estimated from so many squares."""
    tail = alpha_of(confidence_level) / 2
    low = df * variance / chdtri(df, tail)
    high = df * variance / chdtri(df, 1 - tail)
    return ConfidenceInterval(float(low), float(high))


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
        """Return the test of a plan, or raise an error for options that cannot be planned."""
        check_alternative(alternative)
        check_integer("n_comparisons", n_comparisons, 1, MOST_PLANNED)
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
