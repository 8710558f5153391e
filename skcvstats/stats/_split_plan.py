"""SplitPlan: the benefit and the cost of more splits."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._checks import ConfidenceInterval, check_finite_number, check_several
from .._utils._shared_arguments import check_integer, check_level, check_power
from .._utils._text import HeadedTable, as_sentence, counted, cut, format_number, format_percent
from ..exceptions import SplitDesignError
from ..scores import CVScores, Note
from ._arguments import (
    Scores,
    are_all_splits,
    complete_scores,
    design_notes,
    number_notes,
    variance_over_splits,
)
from ._inference import Noted
from ._power import MOST_PLANNED, Goal, PlanEstimate, PlannedTest, fewest, variance_interval
from ._row_plan import refuse_guarded
from ._row_t import RowTTestResult
from ._row_units import shared_variance
from ._sample import plain, student_quantile

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, kw_only=True)
class SplitPlan(HeadedTable, Noted):
    """The precision of a mean score with other numbers of splits of the same sizes.

    Parameters
    ----------
    n_splits : ndarray of shape (n_plans,)
        Numbers of splits, ascending; that of the scores is among them.
    n_fits : ndarray of shape (n_plans,)
        Models to fit in all.
    seconds : ndarray of shape (n_plans,) or None
        What they cost in all, one after the other; None where no time is known.
    current : int
        The number of splits of the scores.
    variance : float
        The sample variance of the scores; of the row t-test, the squared standard error.
    correlation : float
        What was taken for the correlation of two splits' scores; nan of the row t-test, which
        assumes an inflation instead.
    {shared: given level, label and metric, notes}
    test : RowTTestResult, default=None
        The result of the row t-test that is planned from, in whole repeats of its folds.
    """

    n_splits: np.ndarray
    n_fits: np.ndarray
    seconds: np.ndarray | None
    current: int
    variance: float
    correlation: float
    confidence_level: float
    label: str
    metric: str
    notes: tuple[Note, ...] = ()
    test: RowTTestResult | None = None

    @property
    def _step(self) -> int:
        """How many splits are added together."""
        return 1

    @cached_property
    def standard_error(self) -> np.ndarray:
        """The standard error of the mean score with each number of splits."""
        return np.asarray(self._law(self.n_splits, self.variance)[0])

    @cached_property
    def half_width(self) -> np.ndarray:
        """The half-width of the two-sided interval with each number of splits."""
        return np.asarray(self._half_width(self.n_splits))

    @property
    def smallest_standard_error(self) -> float:
        """What the standard error tends to with the number of splits."""
        return float(self._law(math.inf, self.variance)[0])

    @property
    def smallest_half_width(self) -> float:
        """What the half-width of the interval tends to with the number of splits."""
        return float(self._half_width(math.inf))

    @property
    def variance_interval(self) -> ConfidenceInterval:
        """Where the true variance lies, which `variance` estimates, at the plan's level."""
        df = self._law(self.current, self.variance)[1]
        return variance_interval(self.variance, df, self.confidence_level)

    def power(
        self,
        difference: float,
        *,
        alternative: str = "two-sided",
        margin: float | tuple[float, float] | None = None,
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
        {shared: n_comparisons}

        Returns
        -------
        namedtuple
            ``(estimate, low, high)``. Arrays in line with `n_splits`.

        Raises
        ------
        ValueError
            If the difference is outside the margin, or an argument is not what it should be.

        {See Also: simulate}

        Notes
        -----
        If the scores of all splits are jointly normal, any two with the same correlation rho, the
        corrected t has a noncentral t distribution with J - 1 degrees of freedom and noncentrality
        difference / sqrt(V), where V = S2 (1/J + rho/(1 - rho)). More splits do not bring V below
        S2 rho/(1 - rho). For folds the same formula is used by convention.

        The row t-test has noncentrality difference / sqrt(V') and n - 1 degrees of freedom with any
        number of repeats (`plan_n_splits`).

        S2, the variance of the scores at hand, is an estimate, and so is V. The interval is the
        power at the ends of the true variance's, (J - 1) S2 or (n - 1) V over quantiles of
        chi-squared. It does not cover what is not known of rho or the inflation.

        Equivalence of a single comparison is shown by two one-sided tests at the level, and in a
        family by the two-sided interval at the divided level.
        """
        test = PlannedTest.of(self.confidence_level, alternative, margin, n_comparisons)
        difference = test.check_difference(difference)
        return self._at_variances(
            lambda variance: test.power(difference, *self._law(self.n_splits, variance))
        )

    def detectable_difference(
        self, power: float = 0.8, *, alternative: str = "two-sided", n_comparisons: int = 1
    ) -> PlanEstimate:
        """Return the true difference that each number of splits would show with a power.

        Parameters
        ----------
        power : float, default=0.8
            How often the difference is to be shown; above the level.
        {shared: alternative to 0, n_comparisons}

        Returns
        -------
        namedtuple
            ``(estimate, low, high)``. Sizes of differences, arrays in line with `n_splits`.

        Raises
        ------
        ValueError
            If the power is not above the level and below 1.

        {See Also: SplitPlan.power}
        """
        check_power(power)
        test = PlannedTest.of(self.confidence_level, alternative, None, n_comparisons)
        power = test.check_power(power)
        return self._at_variances(
            lambda variance: test.detectable_difference(power, *self._law(self.n_splits, variance))
        )

    def n_splits_for(
        self,
        half_width: float | None = None,
        *,
        difference: float | None = None,
        power: float | None = None,
        alternative: str = "two-sided",
        margin: float | tuple[float, float] | None = None,
        n_comparisons: int = 1,
    ) -> int:
        """Return the fewest splits whose interval is narrow enough, or whose power is enough.

        Parameters
        ----------
        half_width : float, default=None
            The distance from the mean score to an end of its two-sided interval.
        difference, power : float, default=None
            Instead of `half_width`: the true difference to show, and how often to show it.
        {shared: alternative to 0}
        margin : float or pair of float, default=None
            With a difference: the power is that of showing equivalence within it.
        {shared: n_comparisons}

        Returns
        -------
        int
            The number of splits, at least 2; of the row t-test that of whole repeats, at least 2.
            `n_splits_interval` says how sure that is.

        Raises
        ------
        ValueError
            If no number of splits reaches it.

        {See Also: SplitPlan.power}
        """
        goal = self._goal(half_width, difference, power, alternative, margin, n_comparisons)
        number = self._fewest(goal.reached, self.variance)
        if math.isinf(number):
            # For uncorrelated splits the limit is 0.
            raise ValueError(goal.out_of_reach(*self._law(MOST_PLANNED, self.variance)))
        return int(number)

    def n_splits_interval(
        self,
        half_width: float | None = None,
        *,
        difference: float | None = None,
        power: float | None = None,
        alternative: str = "two-sided",
        margin: float | tuple[float, float] | None = None,
        n_comparisons: int = 1,
    ) -> PlanEstimate:
        """Return the number of `n_splits_for` with its interval.

        Parameters
        ----------
        half_width, difference, power : float, default=None
            As in `n_splits_for`.
        {shared: alternative to 0}
        margin : float or pair of float, default=None
            As in `n_splits_for`.
        {shared: n_comparisons}

        Returns
        -------
        namedtuple
            ``(estimate, low, high)``. Numbers of splits; inf where no number suffices.

        Raises
        ------
        ValueError
            If the arguments do not say what is wanted.

        {See Also: SplitPlan.power}
        """
        goal = self._goal(half_width, difference, power, alternative, margin, n_comparisons)
        return self._at_variances(lambda variance: self._fewest(goal.reached, variance))

    def _goal(
        self,
        half_width: Any,
        difference: Any,
        power: Any,
        alternative: Any,
        margin: Any,
        n_comparisons: Any,
    ) -> Goal:
        """Return what a number of splits is to reach, after checking what was asked for."""
        if power is not None:
            check_power(power)
        test = PlannedTest.of(self.confidence_level, alternative, margin, n_comparisons)
        asked = (half_width is not None, difference is not None, power is not None)
        if asked == (False, True, True):
            return test.power_goal(difference, power)
        if asked != (True, False, False) or test.bounds or alternative != "two-sided":
            raise ValueError(
                f"half_width={half_width!r}, difference={difference!r} and power={power!r} do not "
                "say what is wanted; give half_width alone, or difference and power, such as "
                "difference=0.01, power=0.8."
            )
        return test.width_goal(half_width)

    def _fewest(self, enough: Callable[[float, float], bool], variance: float) -> float:
        step = self._step
        return step * fewest(lambda count: enough(*self._law(count * step, variance)))

    def _at_variances(self, planned: Callable[[float], Any]) -> PlanEstimate:
        """Return the values at the variance and at the ends of its interval, sorted."""
        variances = self.variance_interval
        first = planned(variances.low)
        last = planned(variances.high)
        return PlanEstimate(
            planned(self.variance), plain(np.minimum(first, last)), plain(np.maximum(first, last))
        )

    def _law(self, n_splits: Any, variance: float) -> tuple[Any, Any]:
        """Return the standard error and its degrees of freedom."""
        odds = self.correlation / (1 - self.correlation)
        return plain(np.sqrt(variance * (1 / np.asarray(n_splits) + odds))), n_splits - 1

    def _half_width(self, n_splits: Any) -> Any:
        error, df = self._law(n_splits, self.variance)
        return -student_quantile(df, (1 - self.confidence_level) / 2) * error

    def to_frame(self) -> "pd.DataFrame":
        """Return one row for each number of splits.

        Returns
        -------
        DataFrame
            Columns ``n_splits``, ``standard_error``, ``half_width``, ``n_fits`` and, where times
            are known, ``seconds``; of the row t-test ``n_repeats`` before them.
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
        notes = "".join(f"\n{as_sentence(note.text)}{note.code_in_brackets}" for note in self.notes)
        return (
            f"{cut(self.label)}, {self.metric}: with {counted(self.current, 'split')} the "
            f"{level} interval reaches {format_number(self.half_width[now])} to either side; with "
            f"ever more splits it tends to {format_number(self.smallest_half_width)}. The standard "
            f"error falls from {format_number(self.standard_error[now])} to "
            f"{format_number(self.smallest_standard_error)}.{notes}"
        )


class RepeatPlan(SplitPlan):
    """A `SplitPlan` of the row t-test, whose splits are added as whole repeats."""

    test: Any

    @property
    def _step(self) -> int:
        return int(self.test.n_folds)

    def _law(self, n_splits: Any, variance: float) -> tuple[Any, Any]:
        test = self.test
        added = test.n_folds / np.asarray(n_splits) - 1 / test.n_repeats
        units = np.maximum(0.0, test.over_units + test.over_repeats * added)
        shared = shared_variance(units, test.over_repeats, test.n_repeats, test.n_folds)
        squared = (units + test.inflation * shared) * (variance / self.variance)
        return plain(np.sqrt(squared)), test.df

    def _columns(self) -> dict[str, np.ndarray]:
        return {"n_repeats": self.n_splits // self.test.n_folds, **super()._columns()}


# Limit of numbers of splits and of fits for each: their product must fit an 8-byte integer.
_MOST = 2**31
_SPLITS = (15, 25, 50, 100, 200)
_REPEATS = (2, 4, 10, 20, 40)


def plan_n_splits(
    scores: Scores | RowTTestResult,
    rho: float | None = None,
    *,
    n_splits: Sequence[int] | None = None,
    fits_per_split: int = 1,
    seconds_per_fit: float | None = None,
    confidence_level: float = 0.95,
) -> SplitPlan:
    """Plan how many splits to score on: the gain in precision from more, and their cost.

    {Parameters: measured}
    rho : float, default=None
        The correlation of two splits' scores, at least 0 and below 1. None takes
        n_test / n_samples, which holds if the loss depends on the test row only. The row t-test
        assumes none.
    n_splits : sequence of int, default=None
        Numbers of splits to look at, besides that of the scores. None takes 15, 25, 50, 100 and
        200; of the row t-test the splits of 2, 4, 10, 20 and 40 repeats.
    fits_per_split : int, default=1
        How many models a split fits: 2 for the difference of two estimators.
    seconds_per_fit : float, default=None
        What one fit costs, with its scoring. None takes the mean of the times in the
        scores, if there are any.
    {shared: level}

    Returns
    -------
    SplitPlan
        A table by number of splits, its limit, and the number of splits for a wanted width.

    Raises
    ------
    ValueError
        If the scores are those of several estimators, or do not vary; of a row t-test also if
        scores vary more between fits than their test rows explain.
    SplitDesignError
        If there are fewer than 2 splits, or no more splits of these sizes exist, as where each of
        six groups is left out once; of a row t-test if there is one repeat, or another number of
        folds is asked for.

    {See Also: cv_variance}

    Notes
    -----
    The sample variance S2 of the scores estimates s1 (1 - rho), whatever their number, and the mean
    of J scores has variance s1 (rho + (1 - rho)/J) [1]_ (equation 8). So with J splits of the same
    sizes the standard error is sqrt(S2 (1/J + rho/(1 - rho))), and the interval reaches t_{J-1}
    times that. Both fall with J, but not below their values at J = infinity, because more splits
    add no new rows. With rho = n_test/n_samples this is the interval of the corrected resampled
    t-test. S2 is itself an estimate: with few splits the plan is imprecise. A learner that changes
    much with its training rows has a larger rho, and gains less from more splits.

    The row t-test of R repeats of K folds has V = v + a (v + (K/5) w), explained in `RowTTest`.
    With R' repeats

        v' = max(0, v + w (1/R' - 1/R)),    V' = v' + a (v' + (K/5) w),

    with the same degrees of freedom. V is itself an estimate, and nothing is known of a. A single
    repeat is planned with the w of all R; the test of a single repeat, which cannot see w, takes it
    for half of v. Another number of folds, or of rows, is not planned: models would be trained on
    another number of rows, so that something else would be estimated.

    {References: nadeau1999}

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
    show with power 0.8, and how many splits a difference of 0.05 needs.

    >>> plan.detectable_difference(power=0.8).estimate.round(3).tolist()
    [0.065, 0.051, 0.044]
    >>> plan.n_splits_for(difference=0.05, power=0.8)
    28
    """
    check_integer("fits_per_split", fits_per_split, 1, _MOST - 1)
    level = check_level(confidence_level)
    if n_splits is not None:
        check_several("n_splits", n_splits, "integers, such as [25, 100]")
        n_splits = list(n_splits)
        for number in n_splits:
            check_integer("n_splits", number, 2, _MOST - 1)
    if getattr(scores, "fixed", False):
        raise SplitDesignError(
            "A test set has no splits to plan. expected_precision(result.tests[0], n_rows=1000) of "
            "skcvstats.stats says what more rows would bring."
        )
    plan_of: type[SplitPlan] = SplitPlan
    if isinstance(scores, RowTTestResult):
        plan_of = RepeatPlan
        n_folds = scores.n_folds
        usual = _REPEATS
        measured = scores.scores
        known = _of_repeats(scores, rho)
    else:
        n_folds = 1
        usual = _SPLITS
        measured = complete_scores(scores, "CVScores, the result of a row t-test,")
        known = _of_scores(measured, rho)
    numbers = np.multiply(usual, n_folds) if n_splits is None else n_splits
    if np.mod(numbers, n_folds).any():
        raise SplitDesignError(
            f"n_splits={n_splits!r} must be multiples of {n_folds}, for whole repeats. Models of "
            "another number of folds train on another number of rows, which is another question."
        )
    all_numbers = np.unique([known["current"], *numbers]).astype(int)
    per_fit = _seconds(seconds_per_fit, measured)
    n_fits = all_numbers * fits_per_split
    return plan_of(
        n_splits=all_numbers,
        n_fits=n_fits,
        seconds=None if per_fit is None else n_fits * per_fit,
        confidence_level=level,
        **known,
    )


def _of_scores(scores: Any, rho: float | None) -> dict[str, Any]:
    """Return the fields of a plan that follow from scores."""
    design = scores.design
    variance = variance_over_splits("A plan of the number of splits", scores)
    if are_all_splits(design):
        unit = design.unit
        raise SplitDesignError(
            f"These are all {design.n_splits} splits of these sizes that there are of "
            f"{design.n_samples} {unit}, so more cannot be planned: only more {unit} help. Where "
            f"each is left out once, expected_precision(result.tests[0], n_rows="
            f"{2 * design.n_samples}) of skcvstats.stats says by how much."
        )
    if rho is None:
        rho = design.test_size / design.n_samples
        text = (
            f"assumed: the splits' scores are correlated by n_test/n_samples = "
            f"{format_number(rho)}, as they are if the loss depends on the test row only; for "
            "learners that change much with their training rows more splits bring less"
        )
    else:
        rho = check_finite_number("rho", rho)
        if not 0 <= rho < 1:
            raise ValueError(
                f"rho={rho!r} must be at least 0 and below 1; leave it out for n_test/n_samples."
            )
        text = f"given: a correlation of {format_number(rho)} between the splits' scores"
    weak = (*number_notes(design), *design_notes(design))
    notes = (Note("correlation", text, None), *weak)
    numbers = {"current": design.n_splits, "variance": variance, "correlation": rho}
    return numbers | {"label": scores.label, "metric": scores.metric, "notes": notes}


def _of_repeats(test: RowTTestResult, rho: float | None) -> dict[str, Any]:
    """Return the fields of a plan that follow from a row t-test, or refuse it."""
    test.check_single()
    if rho is not None:
        raise ValueError(f"rho={rho!r}, but the row t-test has no correlation; leave it out.")
    if test.n_repeats == 1:
        raise SplitDesignError(
            "A single repeat does not tell what others would bring. Test with n_repeats=2 first."
        )
    refuse_guarded(test)
    text = f"assumed: an inflation of {format_number(test.inflation)}, in repeats of the same folds"
    notes = (Note("inflation", text, None), *test.notes)
    numbers = {"current": test.n_splits, "variance": test.standard_error**2, "correlation": np.nan}
    facts = {"label": test.label, "metric": test.metric, "notes": notes, "test": test}
    return numbers | facts


def _seconds(seconds_per_fit: float | None, scores: CVScores | None) -> float | None:
    """Return what a fit costs, as it is given or as the scores know it; None if nobody knows."""
    if seconds_per_fit is not None:
        if check_finite_number("seconds_per_fit", seconds_per_fit) < 0:
            raise ValueError(f"seconds_per_fit={seconds_per_fit!r} must not be negative.")
        return float(seconds_per_fit)
    times = getattr(scores, "fit_times", None)
    if times is None:
        return None
    scoring = getattr(scores, "score_times", None)
    if scoring is not None:
        times = times + scoring
    return float(np.mean(times))
