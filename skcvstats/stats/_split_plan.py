"""SplitPlan: the benefit and the cost of more splits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import chdtri

from .._utils._arrays import as_array
from .._utils._checks import (
    ConfidenceInterval,
    alpha_of,
    check_finite_number,
    check_level,
    is_integer,
)
from .._utils._text import (
    counted,
    cut,
    format_number,
    format_percent,
    sentence,
    table_html,
    visible,
)
from ..scores import CVScores, Note
from ._arguments import complete_scores, variance_over_splits
from ._diagnostics import design_notes, few_splits_notes, fold_notes
from ._power import PlannedTest
from ._student import plain, student_quantile
from .theory._moments import standard_error_of_mean

if TYPE_CHECKING:
    import pandas as pd


_MOST_SPLITS = 10**9


class PlanEstimate(NamedTuple):
    """A planned number with its interval, because the variance behind it is an estimate.

    Parameters
    ----------
    estimate : float or ndarray
        With the variance as estimated.
    low, high : float or ndarray
        With it at the ends of its interval; inf is a number of splits that there is not.
    """

    estimate: Any
    low: Any
    high: Any


class _Goal(NamedTuple):
    """What a number of splits is to reach, and what to say if none does."""

    reached: Callable[[float, float], bool]  # of the standard error and its degrees of freedom
    out_of_reach: Callable[[float], str]


@dataclass(frozen=True, eq=False, kw_only=True)
class SplitPlan:
    """The precision of a mean score with other numbers of splits of the same sizes.

    Parameters
    ----------
    n_splits : ndarray of shape (n_plans,)
        Numbers of splits, ascending; that of the scores is among them.
    standard_error, half_width : ndarray of shape (n_plans,)
        Of the mean score, and of its two-sided interval.
    n_fits : ndarray of shape (n_plans,)
        Models to fit in all.
    seconds : ndarray of shape (n_plans,) or None
        What they cost in all, one after the other; None where no time is known.
    current : int
        The number of splits of the scores.
    variance : float
        The sample variance of the scores.
    correlation : float
        What was taken for the correlation of two splits' scores.
    confidence_level : float
        Of the interval.
    label, metric : str
        What was measured.
    notes : tuple of Note, default=()
        What a reader should know.
    """

    n_splits: np.ndarray
    standard_error: np.ndarray
    half_width: np.ndarray
    n_fits: np.ndarray
    seconds: np.ndarray | None
    current: int
    variance: float
    correlation: float
    confidence_level: float
    label: str
    metric: str
    notes: tuple[Note, ...] = ()

    @property
    def smallest_standard_error(self) -> float:
        """What the standard error tends to with the number of splits."""
        return standard_error_of_mean(math.inf, self.variance, self.correlation)

    @property
    def smallest_half_width(self) -> float:
        """What the half-width of the interval tends to with the number of splits."""
        return half_width_of(math.inf, self.variance, self.correlation, self.confidence_level)

    @property
    def variance_interval(self) -> ConfidenceInterval:
        """Where the true variance lies of which `variance` is an estimate, at the plan's level."""
        df, tail = self.current - 1, alpha_of(self.confidence_level) / 2
        low, high = (df * self.variance / chdtri(df, p) for p in (tail, 1 - tail))
        return ConfidenceInterval(float(low), float(high))

    def power(
        self,
        difference: float,
        *,
        alternative: str = "two-sided",
        margin: Any = None,
        n_comparisons: int = 1,
    ) -> PlanEstimate:
        """Return how often each number of splits would show a difference, or equivalence.

        Parameters
        ----------
        difference : float
            The true difference to plan for, in the metric's unit: the least that would matter.
            Not the difference of the data at hand; its "observed power" only restates the p-value.
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            Of the test against 0. Two-sided counts rejections in both directions.
        margin : float or pair of float, default=None
            If given, the power to show equivalence: that the difference is within -margin and
            margin, or within the two bounds. The difference must be inside, such as 0.
        n_comparisons : int, default=1
            The size of the family: each comparison is planned at the level divided by this number
            (Bonferroni).

        Returns
        -------
        PlanEstimate
            Arrays in line with `n_splits`.

        Raises
        ------
        ValueError
            If the difference is outside the margin, or an argument is not what it should be.

        See Also
        --------
        simulate : Power on data of your own making, without these assumptions.

        Notes
        -----
        If the scores of all splits are jointly normal, any two with the same correlation rho, the
        corrected t has a noncentral t distribution with J - 1 degrees of freedom and noncentrality
        difference / sqrt(V), where V = S2 (1/J + rho/(1 - rho)). More splits do not bring V below
        S2 rho/(1 - rho). For folds the same formula is used by convention.

        S2, the variance of the scores at hand, is an estimate. The interval is the power at the
        ends of the true variance's, (J - 1) S2 over quantiles of chi-squared. It does not cover
        what is not known of rho.

        Equivalence of a single comparison is shown by two one-sided tests at the level, and in a
        family by the two-sided interval at the divided level.
        """
        test = PlannedTest.of(self.confidence_level, alternative, margin, n_comparisons)
        difference = test.check_difference(difference)
        return self._at_variances(
            lambda variance: test.power(difference, self._errors(variance), self.n_splits - 1)
        )

    def detectable_difference(
        self, power: float = 0.8, *, alternative: str = "two-sided", n_comparisons: int = 1
    ) -> PlanEstimate:
        """Return the true difference that each number of splits would show with a power.

        Parameters
        ----------
        power : float, default=0.8
            How often the difference is to be shown; above the level.
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            Of the test against 0.
        n_comparisons : int, default=1
            In a family of so many comparisons each is planned at the level divided by their
            number.

        Returns
        -------
        PlanEstimate
            Sizes of differences, arrays in line with `n_splits`.

        Raises
        ------
        ValueError
            If the power is not above the level and below 1.

        See Also
        --------
        SplitPlan.power : The other way round; its Notes have the assumptions.
        """
        test = PlannedTest.of(self.confidence_level, alternative, None, n_comparisons)
        power = test.check_power(power)
        return self._at_variances(
            lambda variance: test.detectable_difference(
                power, self._errors(variance), self.n_splits - 1
            )
        )

    def n_splits_for(
        self,
        half_width: float | None = None,
        *,
        difference: float | None = None,
        power: float | None = None,
        alternative: str = "two-sided",
        margin: Any = None,
        n_comparisons: int = 1,
    ) -> int:
        """Return the fewest splits whose interval is narrow enough, or whose power is enough.

        Parameters
        ----------
        half_width : float, default=None
            The distance from the mean score to an end of its two-sided interval.
        difference, power : float, default=None
            Instead of `half_width`: the true difference to show, and how often to show it.
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            With a difference: of the test against 0.
        margin : float or pair of float, default=None
            With a difference: the power is that of showing equivalence within it.
        n_comparisons : int, default=1
            In a family of so many comparisons each is planned at the level divided by their
            number.

        Returns
        -------
        int
            The number of splits, at least 2. `n_splits_interval` says how sure that is.

        Raises
        ------
        ValueError
            If no number of splits reaches it.

        See Also
        --------
        SplitPlan.power : Its Notes have the assumptions, and the limit that no number passes.
        """
        goal = self._goal(half_width, difference, power, alternative, margin, n_comparisons)
        fewest = self._fewest(goal.reached, self.variance)
        if math.isinf(fewest):
            # For uncorrelated splits the limit is 0.
            limit = standard_error_of_mean(_MOST_SPLITS, self.variance, self.correlation)
            raise ValueError(goal.out_of_reach(limit))
        return int(fewest)

    def n_splits_interval(
        self,
        half_width: float | None = None,
        *,
        difference: float | None = None,
        power: float | None = None,
        alternative: str = "two-sided",
        margin: Any = None,
        n_comparisons: int = 1,
    ) -> PlanEstimate:
        """Return the number of `n_splits_for` with its interval.

        Parameters
        ----------
        half_width : float, default=None
            The distance from the mean score to an end of its two-sided interval.
        difference, power : float, default=None
            Instead of `half_width`: the true difference to show, and how often to show it.
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            With a difference: of the test against 0.
        margin : float or pair of float, default=None
            With a difference: the power is that of showing equivalence within it.
        n_comparisons : int, default=1
            In a family of so many comparisons each is planned at the level divided by their
            number.

        Returns
        -------
        PlanEstimate
            Numbers of splits; inf where no number suffices.

        Raises
        ------
        ValueError
            If the arguments do not say what is wanted.

        See Also
        --------
        SplitPlan.power : Its Notes have the assumptions.
        """
        goal = self._goal(half_width, difference, power, alternative, margin, n_comparisons)
        return self._at_variances(lambda variance: self._fewest(goal.reached, variance))

    def _goal(
        self,
        half_width: Any,
        difference: Any,
        power: Any,
        alternative: str,
        margin: Any,
        n_comparisons: int,
    ) -> _Goal:
        test = PlannedTest.of(self.confidence_level, alternative, margin, n_comparisons)
        if half_width is None and difference is not None and power is not None:
            true, wanted = test.check_difference(difference), test.check_power(power)
            return _Goal(
                lambda error, df: test.power(true, error, df) >= wanted,
                lambda error: test.out_of_reach(true, wanted, error),
            )
        others = (difference, power, margin, None if alternative == "two-sided" else alternative)
        if half_width is None or any(other is not None for other in others):
            raise ValueError(
                f"half_width={half_width!r}, difference={difference!r} and power={power!r} do not "
                "say what is wanted; give half_width alone, or difference and power, such as "
                "difference=0.01, power=0.8."
            )
        widest = check_finite_number("half_width", half_width)

        def reaches(error: float, df: float) -> float:
            return -student_quantile(df, test.alpha / 2) * error

        return _Goal(
            lambda error, df: reaches(error, df) <= widest,
            lambda error: (
                f"half_width={widest!r} cannot be reached: with ever more splits it tends to "
                f"{format_number(reaches(error, math.inf))}. Collect more rows, lower the "
                "confidence level, or ask for a wider interval."
            ),
        )

    def _fewest(self, enough: Callable[[float, float], bool], variance: float) -> float:
        def reached(n_splits: int) -> bool:
            error = standard_error_of_mean(n_splits, variance, self.correlation)
            return enough(error, n_splits - 1)

        if not reached(_MOST_SPLITS):
            return math.inf
        low, high = 1, _MOST_SPLITS
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if reached(middle) else (middle, high)
        return float(high)

    def _at_variances(self, planned: Callable[[float], Any]) -> PlanEstimate:
        """Return the values at the variance and at the ends of its interval, sorted."""
        ends = [planned(variance) for variance in self.variance_interval]
        return PlanEstimate(
            planned(self.variance), plain(np.minimum(*ends)), plain(np.maximum(*ends))
        )

    def _errors(self, variance: float) -> np.ndarray:
        return standard_error_of_mean(self.n_splits, variance, self.correlation)

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each number of splits.

        Returns
        -------
        DataFrame
            Columns ``n_splits``, ``standard_error``, ``half_width``, ``n_fits`` and, where times
            are known, ``seconds``.
        """
        import pandas as pd

        return pd.DataFrame(self._columns())

    def _columns(self) -> dict[str, np.ndarray]:
        columns = {
            "n_splits": self.n_splits,
            "standard_error": self.standard_error,
            "half_width": self.half_width,
            "n_fits": self.n_fits,
        }
        return columns if self.seconds is None else {**columns, "seconds": self.seconds}

    def _heading(self) -> str:
        now = int(np.flatnonzero(self.n_splits == self.current)[0])
        level = format_percent(self.confidence_level)
        notes = "".join(f"\n{sentence(str(note))}" for note in self.notes)
        return (
            f"{cut(self.label)}, {visible(self.metric)}: with {counted(self.current, 'split')} the "
            f"{level} interval reaches {format_number(self.half_width[now])} to either side; ever "
            f"more splits would bring it to {format_number(self.smallest_half_width)} and the "
            f"standard error from {format_number(self.standard_error[now])} to "
            f"{format_number(self.smallest_standard_error)}.{notes}"
        )

    def __str__(self) -> str:
        return f"{self._heading()}\n{self.to_frame().to_string(index=False)}"

    def _repr_html_(self) -> str:
        columns = self._columns()
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return table_html(self._heading(), list(columns), rows)


def half_width_of(n_splits: float, variance: float, rho: float, confidence_level: float) -> float:
    """Return the half-width of the interval of a mean over splits."""
    quantile = -student_quantile(n_splits - 1, (1 - confidence_level) / 2)
    return quantile * standard_error_of_mean(n_splits, variance, rho)


# Limit of numbers of splits and of fits for each: their product must fit an 8-byte integer.
_MOST = 2**31


def plan_n_splits(
    scores: Any,
    rho: float | None = None,
    *,
    n_splits: Sequence[int] = (15, 25, 50, 100, 200),
    fits_per_split: int = 1,
    seconds_per_fit: float | None = None,
    confidence_level: float = 0.95,
) -> SplitPlan:
    """Plan how many splits to score on: the gain in precision from more, and their cost.

    Parameters
    ----------
    scores : CVScores or dict
        The scores of one estimator, or the difference of two, on the splits so far; or what
        `cross_validate(..., return_indices=True)` returned.
    rho : float, default=None
        The correlation of two splits' scores, at least 0 and below 1. None takes
        n_test / n_samples, which holds if the loss depends on the test row only.
    n_splits : sequence of int, default=(15, 25, 50, 100, 200)
        Numbers of splits to look at, besides that of the scores.
    fits_per_split : int, default=1
        How many models a split fits: 2 for the difference of two estimators.
    seconds_per_fit : float, default=None
        What one fit costs, with its scoring. None takes the mean over the scores' own times, where
        they hold them.
    confidence_level : float, default=0.95
        Of the intervals.

    Returns
    -------
    SplitPlan
        A table by number of splits, its limit, and the number of splits for a wanted width.

    Raises
    ------
    ValueError
        If the scores are those of several estimators, or do not vary.
    SplitDesignError
        If there are fewer than 2 splits.

    See Also
    --------
    cv_variance : The variance behind it.

    Notes
    -----
    The sample variance S2 of the scores estimates s1 (1 - rho), whatever their number, and the mean
    of J scores has variance s1 (rho + (1 - rho)/J) [1]_. So with J splits of the same sizes the
    standard error is

        sqrt(S2 (1/J + rho/(1 - rho))),

    and the interval reaches t_{J-1} times that. Both fall with J, but not below their values at J =
    infinity, because more splits add no new rows. With rho = n_test/n_samples this is the interval
    of the corrected resampled t-test. S2 is itself an estimate: with few splits the plan is
    imprecise. A learner that changes much with its training rows has a larger rho, and gains less
    from more splits.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       equations 8 and 10.

    Examples
    --------
    >>> from skcvstats import CVScores, SplitDesign
    >>> from skcvstats.stats import plan_n_splits
    >>> scores = CVScores(
    ...     values=[0.90, 0.85, 0.95, 0.80, 0.90, 0.92, 0.88, 0.83, 0.91, 0.87],
    ...     design=SplitDesign.from_sizes(90, 10, n_splits=10),
    ... )
    >>> plan = plan_n_splits(scores, n_splits=[25, 100])
    >>> plan.half_width.round(3).tolist()
    [0.047, 0.036, 0.031]
    >>> plan.n_splits_for(0.035)
    30

    Scores of differences are planned the same way: which difference 10, 25 and 100 splits would
    show with power .8, and how many splits a difference of .05 needs.

    >>> plan.detectable_difference(power=0.8).estimate.round(3).tolist()
    [0.065, 0.051, 0.044]
    >>> plan.n_splits_for(difference=0.05, power=0.8)
    28
    """
    scores = complete_scores(scores)
    variance = variance_over_splits("A plan of the number of splits", scores)
    numbers = _check_numbers(n_splits, scores.design.n_splits)
    if not is_integer(fits_per_split) or not 1 <= fits_per_split < _MOST:
        raise ValueError(f"fits_per_split={fits_per_split!r} must be an integer, 1 or more.")
    level = check_level(confidence_level)
    rho, source = _correlation(rho, scores)
    per_fit = _seconds(seconds_per_fit, scores)
    n_fits = numbers * fits_per_split
    return SplitPlan(
        n_splits=numbers,
        standard_error=np.array([standard_error_of_mean(k, variance, rho) for k in numbers]),
        half_width=np.array([half_width_of(k, variance, rho, level) for k in numbers]),
        n_fits=n_fits,
        seconds=None if per_fit is None else n_fits * per_fit,
        current=scores.design.n_splits,
        variance=variance,
        correlation=rho,
        confidence_level=level,
        label=scores.label,
        metric=scores.metric,
        notes=(
            Note("correlation", source, None),
            *fold_notes(scores.design),
            *few_splits_notes(scores.design),
            *design_notes(scores.design),
        ),
    )


def _check_numbers(n_splits: Any, current: int) -> np.ndarray:
    numbers = as_array("n_splits", n_splits)
    if numbers.ndim != 1 or not all(is_integer(k) and 2 <= k < _MOST for k in n_splits):
        raise ValueError(
            f"n_splits={n_splits!r} must be a list of integers, each 2 or more, such as [25, 100]."
        )
    return np.unique([current, *n_splits]).astype(int)


def _correlation(rho: float | None, scores: CVScores) -> tuple[float, str]:
    """Return the correlation of two splits, and its source."""
    if rho is None:
        rho = scores.design.test_size / scores.design.n_samples
        return rho, (
            f"assumed: the splits' scores are correlated by n_test/n_samples = "
            f"{format_number(rho)}, as they are if the loss depends on the test row only; for "
            "learners that change much with their training rows more splits bring less"
        )
    rho = check_finite_number("rho", rho)
    if not 0 <= rho < 1:
        raise ValueError(
            f"rho={rho!r} must be at least 0 and below 1; leave it out for n_test/n_samples."
        )
    return rho, f"given: a correlation of {format_number(rho)} between the splits' scores"


def _seconds(seconds_per_fit: float | None, scores: CVScores) -> float | None:
    if seconds_per_fit is None:
        times = [time for time in (scores.fit_times, scores.score_times) if time is not None]
        return float(np.mean(np.sum(times, axis=0))) if scores.fit_times is not None else None
    if check_finite_number("seconds_per_fit", seconds_per_fit) < 0:
        raise ValueError(f"seconds_per_fit={seconds_per_fit!r} must not be negative.")
    return float(seconds_per_fit)
