"""plan_n_rows: how many test rows a difference, a width or a margin needs."""

import math
from typing import Any, NamedTuple

import numpy as np

from .._utils._checks import brief, check_finite_number
from .._utils._text import counted, cut, format_number, format_percent, visible
from ._claim import within
from ._location import CVTestResult
from ._power import PlannedTest, fewest, variance_interval
from ._row_t import RowTTestResult
from ._split_plan import PlanEstimate, refuse_guarded


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
        them with its interval, ``(estimate, low, high)``. `print` says what is assumed.

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
    contributions, n_rows, n_units, n_groups = _seen(result)
    by_width = width is not None
    if by_width == (difference is not None or margin is not None):
        raise ValueError(
            f"difference={brief(difference)}, width={brief(width)} and margin={brief(margin)} do "
            "not say what is wanted; give one of them, such as difference=0.01."
        )
    alternative = "two-sided" if by_width else result.alternative
    test = PlannedTest.of(result.confidence_level, alternative, margin, n_comparisons)
    if width is not None:
        width = check_finite_number("width", width)
        goal = test.goal(width / 2, None, None)
        said = f"give an interval that is {format_number(width)} wide"
    else:
        true = check_finite_number("difference", 0.0 if difference is None else difference)
        what = f"equivalence {within(test.bounds)}" if test.bounds else ""
        if not test.bounds:
            true = math.copysign(true, -1 if alternative == "less" else 1)
            what = f"a difference of {format_number(abs(true))}"
        goal = test.goal(None, true, power)
        said = f"show {what} with power {power:g}"

    def needed(variance: float) -> float:
        def reached(count: int) -> bool:
            df = (result.df + 1) * count / n_units - 1
            return df > 0 and goal.reached(math.sqrt(variance * n_units / count), df)

        return fewest(reached)

    fourth = np.sum(contributions**4) / np.sum(contributions**2) ** 2 - 1 / len(contributions)
    n_squares = float(min(result.df, n_units - 1, 2 / max(fourth, 1e-300)))
    squared = result.standard_error**2
    ends = variance_interval(squared, n_squares, result.confidence_level)
    units = np.array([needed(variance) for variance in (squared, *ends)])
    if math.isinf(units[0]):
        raise ValueError(
            f"No number of rows would {said}. Choose another difference, width or margin."
        )
    rows = PlanEstimate(*np.ceil(units * n_rows / n_units).tolist())
    groups = np.ceil(units * ((n_groups or n_units) / n_units))
    in_groups = f" in {counted(int(groups[0]), 'group')}" if n_groups else ""
    scope = "the difference and the variances stayed as they are at this training size"
    text = (
        f"{cut(result.label)}, {visible(result.metric)}: {counted(int(rows.estimate), 'row')}"
        f"{in_groups} ({format_percent(result.confidence_level)} interval {rows.low:.0f} to "
        f"{rows.high:.0f}; there are {n_rows}) would {said}, if "
        f"{'they are like these' if result.fixed else scope}."
    )
    return RowPlan(rows, PlanEstimate(*groups.tolist()) if n_groups else None, text)


def _seen(result: Any) -> tuple[np.ndarray, int, int, int | None]:
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
    if components is None and rows.repeats is not None:  # blocks of rows are the units
        sample: Any = result.origin.procedure.sample(scores)
        exponents = np.atleast_1d(sample.exponents)
        found = sample.units.centred(rows.block()[np.newaxis], exponents)[1].mean(axis=1)[0]
        n_groups = None if rows.groups is None else len(np.unique(rows.groups))
        n_rows = len(rows.groups) if n_groups else int(result.n_samples)
        return found, n_rows, len(found), n_groups
    if components is None:
        units = rows.rows if rows.groups is None else rows.groups[rows.rows]
        values = rows.block().reshape(-1)
        sums = np.bincount(units, values - values.mean())[np.unique(units)]
        n_groups = len(sums) if result.unit == "groups" else None
        return sums, len(np.unique(rows.rows)), len(sums), n_groups
    names = ("left_out",) if "left_out" in components.arrays else components.arrays
    parts = [components.rows(name)[0] for name in names]
    found = np.concatenate([(part - part.mean()) / len(part) for part in parts])
    n_units = components.facts.get("n_groups", len(found))
    n_groups = n_units if components.facts.get("grouped", False) else None
    return found, int(result.n_test), n_units, n_groups
