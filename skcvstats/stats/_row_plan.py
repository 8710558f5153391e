"""plan_n_rows: how many test rows a difference, a width or a margin needs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .._utils._checks import brief, check_finite_number
from .._utils._text import counted, cut, format_number, format_percent, visible
from ._arguments import where_scores_are
from ._equivalence import within
from ._power import PlannedTest
from ._result import CVTestResult
from ._row_t import RowTTestResult
from ._split_plan import PlanEstimate, fewest, goal_of, refuse_guarded, variance_interval


class RowPlan(NamedTuple):
    """How many rows are needed; `print` says for what, and what is assumed.

    Parameters
    ----------
    n_rows : PlanEstimate
        The rows, with the interval of their number.
    n_groups : PlanEstimate or None
        The groups with so many rows, where rows belong to groups.
    text : str
        The plan in words.
    """

    n_rows: PlanEstimate
    n_groups: PlanEstimate | None
    text: str

    def __str__(self) -> str:
        return self.text


def plan_n_rows(
    result: CVTestResult,
    *,
    difference: float | None = None,
    width: float | None = None,
    margin: Any = None,
    power: float = 0.8,
    n_comparisons: int = 1,
) -> RowPlan:
    """Plan how many rows, or groups of rows, a test set needs.

    Parameters
    ----------
    result : HeldOutResult or RowTTestResult
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
    n_comparisons : int, default=1
        The size of the family: each comparison is planned at the level divided by this number.

    Returns
    -------
    RowPlan
        The number of rows, and of groups.

    Raises
    ------
    TypeError
        If the result is not about rows.
    ValueError
        If it says nothing of other rows, or it is not said what is wanted.

    See Also
    --------
    plan_n_splits : More splits of the same rows.

    Notes
    -----
    The squared standard error V of a mean over n independent rows, or groups of rows, is
    proportional to 1/n. With m of them the test has noncentrality difference / sqrt(V n/m), and
    (df + 1) m/n - 1 degrees of freedom; groups are taken to be as unequal as these. So this is
    about further rows like these, and the same models.

    V is an estimate. The interval of the number of rows is that at the ends of the interval of V:
    nu V over the quantiles of chi-squared with nu degrees of freedom, where 2/nu is the relative
    variance of V [1]_. It is estimated from the contributions d of the rows or groups to the estimate,
    2/nu = sum(d^4) / sum(d^2)^2 - 1/n, because a few rows can carry V: where two classifiers
    disagree on 2 % of the rows, nu is about n/25. nu is at most n - 1 and the degrees of freedom.

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
    PlanEstimate(estimate=1, low=1, high=1)
    """
    _check_result(result)
    asked = difference is not None or margin is not None
    if asked == (width is not None):
        raise ValueError(
            f"difference={brief(difference)}, width={brief(width)} and margin={brief(margin)} do "
            "not say what is wanted; give one of them, such as difference=0.01."
        )
    alternative = result.alternative if asked else "two-sided"
    test = PlannedTest.of(result.confidence_level, alternative, margin, n_comparisons)
    if asked:
        true = check_finite_number("difference", 0.0 if difference is None else difference)
        if test.bounds is None:
            true = -abs(true) if alternative == "less" else abs(true)
        goal = goal_of(test, None, true, power)
        what = f"a difference of {format_number(abs(true))}"
        what = what if test.bounds is None else f"equivalence {within(test.bounds)}"
        said = f"show {what} with power {power:g}"
    else:
        wanted = check_finite_number("width", width)
        goal = goal_of(test, wanted / 2, None, None)
        said = f"give an interval that is {format_number(wanted)} wide"
    n_rows, n_units, grouped, parts = _seen(result)

    def needed(variance: float) -> float:
        def reached(count: int) -> bool:
            df = (result.df + 1) * count / n_units - 1
            return df > 0 and goal.reached(math.sqrt(variance * n_units / count), df)

        return fewest(reached)

    squared, n_squares = result.standard_error**2, _n_squares(parts, min(result.df, n_units - 1))
    ends = variance_interval(squared, n_squares, result.confidence_level)
    units = np.array([needed(variance) for variance in (squared, *ends)])
    if math.isinf(units[0]):
        raise ValueError(f"No number of rows would {said}. Ask for something else.")
    rows = PlanEstimate(*np.ceil(units * n_rows / n_units).tolist())
    in_groups = f" in {counted(int(units[0]), 'group')}" if grouped else ""
    scope = "if they are like these"
    if not result.fixed:
        scope = "if the difference and the variances stayed as they are at this training size"
    text = (
        f"{cut(result.label)}, {visible(result.metric)}: {counted(int(rows.estimate), 'row')}"
        f"{in_groups} ({format_percent(result.confidence_level)} interval {rows.low:.0f} to "
        f"{rows.high:.0f}; there are {n_rows}) would {said}, {scope}."
    )
    return RowPlan(rows, PlanEstimate(*units.tolist()) if grouped else None, text)


def _check_result(result: Any) -> None:
    """Raise an error unless this is a single test whose variance is of rows."""
    if not isinstance(result, CVTestResult) or not (
        result.fixed or isinstance(result, RowTTestResult)
    ):
        raise TypeError(
            f"A plan of rows is made from a test on a test set, or a row t-test, got "
            f"{type(result).__name__}. Pass result.tests[0] of compare_predictions, or use "
            f"plan_n_splits for splits.{where_scores_are(result)}"
        )
    result.check_single()
    refuse_guarded(result, "rows")


def _seen(result: Any) -> tuple[int, int, bool, list[np.ndarray]]:
    """Return how many rows and units there are, if these are groups, and what they contribute."""
    components = getattr(result.scores, "components", None)
    rows = getattr(result.scores, "row_scores", None)
    n_rows = int(result.n_test if result.fixed else result.n_samples)
    if components is not None:
        names = ("left_out",) if "left_out" in components.arrays else components.arrays
        facts, parts = components.facts, [components.rows(name)[0] for name in names]
        return n_rows, facts.get("n_groups", n_rows), facts.get("grouped", False), parts
    if rows is None:
        return n_rows, n_rows, False, []
    units = rows.rows if rows.groups is None else rows.groups[rows.rows]
    values = rows.block().reshape(-1)
    sums = np.bincount(units, values - values.mean())[np.unique(units)]
    return len(np.unique(rows.rows)), len(sums), result.unit == "groups", [sums]


def _n_squares(parts: list[np.ndarray], most: float) -> float:
    """Return the degrees of freedom of the chi-squared variable that the variance is like."""
    centred = [part - part.mean() for part in parts]
    squares = np.array([np.sum(of**2) for of in centred])
    if not squares.any():
        return most
    sizes, fourth = np.array([len(of) for of in centred]), [np.sum(of**4) for of in centred]
    weight = squares / sizes**2  # of each in the variance
    relative = np.divide(fourth, squares**2, where=squares > 0, out=1.0 / sizes) - 1 / sizes
    return float(min(most, 2 / max(np.sum(weight**2 * relative) / np.sum(weight) ** 2, 1e-300)))
