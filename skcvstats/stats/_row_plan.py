"""More rows, or more runs: how many are needed, and what some number of them would bring."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._utils._arrays import weights_or_ones
from .._utils._checks import brief, check_finite_number
from .._utils._metrics import shown_as
from .._utils._shared_arguments import check_integer, check_optional_integer, check_power
from .._utils._text import cut, format_number, format_percent, wrapped
from ._arguments import leaves_each_out
from ._claim import within
from ._location import CVTestResult
from ._power import MOST_PLANNED, PlanEstimate, PlannedTest, fewest, variance_interval
from ._resampled_t import CorrectedResampledTTest
from ._row_t import RowTTestResult
from ._runs import spread_of_test, units_on_test_set

_DIRECTIONS = {"less": -1, "greater": 1, "two-sided": 1}
_ROUNDING = 1e-6  # of degrees of freedom
# The arrays of a test set that have what its units contribute to an estimate.
_OF_UNITS = ("sums", "deviations", "left_out", "positives", "negatives", "correct")


@dataclass(frozen=True, eq=False)
class MeasuredUnits:
    """The rows, or groups of rows, that a test rests on, and the variance with more of them."""

    test: CVTestResult
    contributions: np.ndarray
    n_units: int
    n_rows: int
    noun: str  # what the units are, in the plural
    row_noun: str  # what `n_rows` counts
    of_training: float = 0.0  # 1 where all units but one train a model, else 0

    @property
    def is_grouped(self) -> bool:
        """Whether the units are groups of rows."""
        return self.noun == "groups"

    @property
    def scope(self) -> str:
        """What a plan takes for granted, after "if"."""
        if self.test.fixed:
            return "they are like these"
        return "the difference and the variances stayed as they are at this training size"

    @property
    def fewest(self) -> int:
        """The fewest units, as unequal as these, that leave degrees of freedom."""
        return max(2, int(self.n_units / (self.test.df + 1)) + 1)

    def law(self, n_units: int) -> tuple[float, float]:
        """Return the variance with some number of units, relative to that of these, and its df."""
        relative = self._at(n_units) / self._at(self.n_units)
        return relative, (self.test.df + 1) * n_units / self.n_units - 1

    def _at(self, n_units: int) -> float:
        return 1 / n_units + self.of_training / (n_units - 1)


def measure_units(test: Any) -> MeasuredUnits:
    """Return what a test rests on, or raise an error for one that does not tell of more rows."""
    if isinstance(test, CVTestResult) and test.scores is not None:
        test.check_single()
        if test.scores.components is not None:
            return _of_test_set(test, test.scores.components)
        if isinstance(test, RowTTestResult):
            refuse_guarded(test)
            return _of_folds(test)
        if test.method == CorrectedResampledTTest.name and leaves_each_out(test.origin.design):
            return _of_left_out(test)
    raise TypeError(
        "More rows are planned from the result of compare_predictions or compare_losses, "
        "result.tests[0], of a row t-test, or of a corrected resampled t-test on splits that leave "
        f"each group out once, got {type(test).__name__}."
    )


def refuse_guarded(test: RowTTestResult) -> None:
    """Raise ValueError for a row t-test whose variance is not of its rows."""
    if test.is_guarded:
        raise ValueError(
            "Scores vary more between fits than their test rows explain, so these do not tell what "
            "more rows or repeats would bring. Find out why, or test by "
            'method="corrected_resampled_t".'
        )


def _of_test_set(test: CVTestResult, components: Any) -> MeasuredUnits:
    """Return the rows, or the groups, of a test set."""
    contributions = []
    for name in components.arrays.keys() & _OF_UNITS:
        part = components.rows(name)[0]
        contributions += [(part - part.mean()) / len(part)]
    of_units = np.concatenate(contributions)
    n_units = components.facts.get("n_groups", len(of_units))
    noun = units_on_test_set(test)
    return MeasuredUnits(test, of_units, n_units, int(test.n_test), noun, test.unit)


def _of_folds(test: RowTTestResult) -> MeasuredUnits:
    """Return the rows, or the groups, of repeated folds."""
    scores: Any = test.scores
    rows = scores.row_scores
    units = rows.rows if rows.groups is None else rows.groups[rows.rows]
    values = rows.block().reshape(-1)
    weights = weights_or_ones(rows.weights, len(values))
    apart = weights * (values - np.average(values, weights=weights))
    sums = np.bincount(units, apart)[np.unique(units[weights > 0])]
    n_rows = len(np.unique(rows.rows))
    return MeasuredUnits(test, sums, len(sums), n_rows, test.unit, "rows")


def _of_left_out(test: CVTestResult) -> MeasuredUnits:
    """Return the groups, or the rows, that are left out one by one."""
    scores: Any = test.scores
    n_units = test.n_samples
    apart = scores.values - scores.values.mean()
    noun = test.unit
    return MeasuredUnits(test, apart, n_units, n_units, noun, noun, of_training=1.0)


class RowPlan(NamedTuple):
    """How many rows are needed; `print` says for what, and what is assumed."""

    n_rows: PlanEstimate
    n_groups: PlanEstimate | None
    text: str

    def __str__(self) -> str:
        return wrapped(self.text)


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
        `compare_predictions`, a row t-test, or a corrected resampled t-test on splits that leave
        each group or row out once. Its alternative and its level are those of the plan.
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
        unequal groups that ``high`` is the safe number. Where each group is left out once, only
        groups are counted, and both are their number.

    Raises
    ------
    TypeError
        If the result is not about rows.
    ValueError
        If it says nothing of other rows, or it is not said what is wanted.

    See Also
    --------
    expected_precision : What a number of rows, or of runs, would bring.
    plan_n_splits : What more splits of the same rows would bring.

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
    difference and the variances change; the plan is for those that stay as they are. So is that
    where each of G groups is left out once: with the sample variance S2 of their scores, m groups
    have V = S2 (1/m + 1/(m - 1)), and m - 1 degrees of freedom.

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
    check_integer("n_comparisons", n_comparisons, 1, MOST_PLANNED)
    units = measure_units(result)
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
            true = math.copysign(true, _DIRECTIONS[result.alternative])
            what = f"a difference of {format_number(abs(true))}"
        goal = test.power_goal(true, power)
        aim = f"show {what} with power {power:g}"

    def needed(variance: float) -> float:
        def reached(count: int) -> bool:
            relative, df = units.law(count)
            return goal.reached(math.sqrt(variance * relative), df)

        return fewest(reached, units.fewest)

    squared = result.standard_error**2
    n_squares = min(result.df, units.n_units - 1, _n_squares(units.contributions))
    ends = variance_interval(squared, float(n_squares), result.confidence_level)
    counts = np.array([needed(variance) for variance in (squared, *ends)])
    if math.isinf(counts[0]):
        raise ValueError(
            f"No number of rows would {aim}. Choose another difference, width or margin."
        )
    rows = PlanEstimate(*np.ceil(counts * units.n_rows / units.n_units).tolist())
    written = f"{rows.estimate:.0f} {units.row_noun}"
    groups = None
    safe = ""
    if units.is_grouped:
        groups = PlanEstimate(*counts.tolist())
        if units.row_noun != "groups":
            written += f" in {groups.estimate:.0f} groups"
        if result.df < units.n_units - 1 - _ROUNDING:
            like = format_number(result.df + 1)
            safe = (
                f" The groups are unequal, equivalent to {like} equal ones, so the safe number is "
                f"the upper end: {rows.high:.0f} {units.row_noun} in {groups.high:.0f} groups."
            )
    text = (
        f"{cut(result.label)}, {shown_as(result.metric).name}: {written} "
        f"({format_percent(result.confidence_level)} interval {rows.low:.0f} to "
        f"{rows.high:.0f}; there are {units.n_rows}) would {aim}, if {units.scope}.{safe}"
    )
    return RowPlan(rows, groups, text)


def _n_squares(contributions: np.ndarray) -> float:
    """Return the number of equal squares whose sum varies as much as the sum of these."""
    relative = contributions / np.abs(contributions).max()  # so that fourth powers are in range
    fourth = np.sum(relative**4) / np.sum(relative**2) ** 2 - 1 / len(relative)
    return float(2 / max(fourth, 1e-300))


class ExpectedPrecision(NamedTuple):
    """What a number of rows, or of runs, would bring; `print` says what is assumed."""

    half_width: float
    detectable_difference: float
    n_rows: int
    n_runs: int | None
    text: str

    def __str__(self) -> str:
        return wrapped(self.text)


def expected_precision(
    test: Any,
    *,
    n_rows: int | None = None,
    n_runs: int | None = None,
    power: float = 0.8,
    n_comparisons: int = 1,
) -> ExpectedPrecision:
    """Return how precise a result would be with another number of rows, or of repeated runs.

    Parameters
    ----------
    test : CVTestResult or RowTTestResult
        The test on the rows so far, as `result` of `plan_n_rows`.
    n_rows : int, default=None
        How many rows there would be; where rows belong to groups, how many groups. None takes as
        many as there are.
    n_runs : int, default=None
        How often each model would be run, on a test set on which each was run repeatedly and as
        often as the others. None takes the number of runs that there are.
    power : float, default=0.8
        How often the detectable difference is to be shown.
    {shared: n_comparisons}

    Returns
    -------
    namedtuple
        ``half_width``, the distance from the estimate to an end of its two-sided interval, and
        about half the width of that where a score has its interval on another scale;
        ``detectable_difference``, the size of the true difference from the null value that would be
        shown with this power; ``n_rows`` and ``n_runs``, for which these are, None of runs where no
        model was run repeatedly; and ``text``, which `print` shows.

    Raises
    ------
    TypeError
        If the test is not about rows.
    ValueError
        If it says nothing of other rows, or of other runs, or there would be too few groups.

    See Also
    --------
    plan_n_rows : How many rows a difference or a width needs.
    plan_n_splits : What more splits of the same rows would bring.

    Notes
    -----
    With s(r, i) the score, or the difference, of row i in run r, of R runs on n rows, MSA, MSB and
    MSE are the mean squares of rows, of runs, and of the rest in the two-way table [1]_. They give
    the variance components e2 = MSE, a2 = max(0, (MSA - MSE)/R) of rows, and
    b2 = max(0, (MSB - MSE)/n) of runs. The variance of the mean is a2/n + b2/R + e2/(n R): rows
    bring the first part of it, and runs the other two.

    The interval is about these runs, and its variance is V = (a2 + e2/R)/n. So with n' rows and R'
    runs it is V (n/n') (a2 + e2/R')/(a2 + e2/R), with (df + 1) n'/n - 1 degrees of freedom. Where
    the means of the runs differ, which a note says, other runs would move the estimate, and more
    rows do not shorten that. For metrics that are not means over rows s(r, i) are the pseudo-values
    of each run, see `JackknifeTTest`. Where rows belong to groups, the units are groups.

    A row t-test, and splits that leave each of G groups out once, are about learning algorithms.
    With more rows they train on more, so that the difference changes; it is taken as fixed here.
    Where each of G groups is left out once, with the sample variance S2 of their scores, G' groups
    have the variance S2 (1/G' + 1/(G' - 1)), and G' - 1 degrees of freedom.

    The variance is an estimate, so this is an expectation. No level is claimed for it.

    References
    ----------
    .. [1] S. R. Searle, G. Casella and C. E. McCulloch, "Variance Components", Wiley, 1992.

    Examples
    --------
    Two models answer 200 questions three times each. What would 800 questions bring, or six runs?

    >>> import numpy as np
    >>> from skcvstats import compare_losses
    >>> from skcvstats.stats import expected_precision
    >>> rng = np.random.default_rng(0)
    >>> skill = {"old": 0.0, "new": 0.4}
    >>> difficulty = rng.normal(size=200)
    >>> correct = {
    ...     name: (rng.normal(size=(3, 200)) + level > difficulty) * 1.0
    ...     for name, level in skill.items()
    ... }
    >>> result = compare_losses(correct, metric="correct", greater_is_better=True)
    >>> for numbers in ({}, {"n_rows": 800}, {"n_runs": 6}):
    ...     print(round(expected_precision(result.tests[0], **numbers).half_width, 4))
    0.0515
    0.0256
    0.0405
    """
    check_power(power)
    check_integer("n_comparisons", n_comparisons, 1, MOST_PLANNED)
    check_optional_integer("n_runs", n_runs, 1)
    units = measure_units(test)
    n_units = units.n_units
    if n_rows is not None:
        n_units = check_integer("n_rows", n_rows, units.fewest, MOST_PLANNED, "others tell nothing")
    relative, df = units.law(n_units)
    spread = spread_of_test(test)
    with_runs = ""
    if spread is not None:
        n_runs = n_runs or spread.n_runs
        relative *= spread.relative_variance(n_runs)
        with_runs = f" and {n_runs} runs of each model"
    elif n_runs is not None:
        raise ValueError(
            f"n_runs={n_runs!r}, but it is not known what runs bring: that needs a test set on "
            "which each model was run repeatedly, and as often as the other. Leave n_runs= out."
        )
    planned = PlannedTest.of(test.confidence_level, test.alternative, None, n_comparisons)
    wanted = planned.check_power(power)
    error = math.sqrt(relative) * test.standard_error
    two_sided = PlannedTest.of(test.confidence_level, "two-sided", None, n_comparisons)
    half_width = float(two_sided.critical(df) * error)
    today = float(two_sided.critical(test.df) * test.standard_error)
    detectable = float(planned.detectable_difference(wanted, error, df))
    text = (
        f"{cut(test.label)}, {shown_as(test.metric).name}: with {n_units} {units.noun}{with_runs} "
        f"the {format_percent(test.confidence_level)} interval would reach about "
        f"{format_number(half_width)} to either side (now {format_number(today)}), and a "
        f"difference of {format_number(detectable)} would be shown with power {power:g}, if "
        f"{units.scope}."
    )
    return ExpectedPrecision(half_width, detectable, n_units, n_runs, text)
