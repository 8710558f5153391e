"""plan_n_rows: how many test rows a difference, a width or a margin needs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.special import chdtri

from .._utils._checks import alpha_of, check_finite_number
from .._utils._text import counted, cut, format_number, format_percent
from ._equivalence import within
from ._power import PlannedTest
from ._result import CVTestResult
from ._row_t import RowTTestResult
from ._split_plan import PlanEstimate, fewest, goal_of, refuse_guarded


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
    variance of V. It is estimated from the contributions d of the rows or groups to the estimate,
    2/nu = sum(d^4) / sum(d^2)^2 - 1/n, because a few rows can carry V: where two classifiers
    disagree on 2 % of the rows, nu is about n/25. nu is at most n - 1 and the degrees of freedom.

    A row t-test is about learning algorithms. With more rows they train on more, so that the
    difference and the variances change; the plan is for those that stay as they are.
    """
    planned, error = _planned_test(result, margin, n_comparisons), float(result.standard_error)
    if width is not None:
        goal = goal_of(planned, check_finite_number("width", width) / 2, difference, None)
        said = f"give an interval that is {format_number(width)} wide"
    else:
        true = 0.0 if difference is None and margin is not None else difference
        if true is not None and margin is None:
            true = abs(check_finite_number("difference", true))
            true = -true if result.alternative == "less" else true
        goal = goal_of(planned, None, true, power, 'width or margin')
        said = f"show a difference of {format_number(true)} with power {format_number(power)}"
        if planned.bounds is not None:
            said = f"show equivalence {within(planned.bounds)} with power {format_number(power)}"
    n_units = _n_units(result)

    def needed(variance: float) -> float:
        def reached(count: int) -> bool:
            df = (result.df + 1) * count / n_units - 1
            return df >= 1 and goal.reached(math.sqrt(variance * n_units / count), df)

        return fewest(reached)

    ends = [needed(variance) for variance in _variance_interval(result, error**2, n_units)]
    ...
