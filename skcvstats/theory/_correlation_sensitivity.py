"""How the result of a test depends on its assumption: the correlation of splits, the inflation."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_finite_number
from .._utils._shared_arguments import check_level, check_optional_alternative, tails_of
from .._utils._text import (
    HeadedTable,
    as_sentence,
    counted,
    cut,
    format_number,
    format_percent,
    format_pvalue,
)
from ..scores import CVScores
from ..stats._arguments import Scores, complete_scores, finite_array, variance_over_splits
from ..stats._row_t import RowTTestResult
from ..stats._row_units import guarded_variance, shared_variance
from ..stats._sample import interval, student_quantile, tail_probability

if TYPE_CHECKING:
    import pandas as pd


_GRID = 50
_WANTED = {
    "correlation": "correlations, each at least 0 and below 1",
    "inflation": "inflations of the row t-test, each at least 0",
}
# Rows of a print.
_MOST_SHOWN = 12
_FEW_SHOWN = 6


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrelationSensitivity(HeadedTable):
    """What the interval and the p-value would be at each correlation of splits, or inflation.

    Parameters
    ----------
    correlation : ndarray of shape (n_correlations,)
        Correlations of the scores of two splits, or inflations of the row t-test, ascending; the
        one assumed is among them.
    standard_error, low, high, pvalue : ndarray of shape (n_correlations,)
        What follows from each.
    assumed : float
        The correlation n_test / n_samples, at which this is the corrected resampled t-test; or the
        inflation of the row t-test.
    tipping : float
        The correlation or inflation at which the null value is on the interval's end. The interval
        excludes it up to there; one-sided with a confidence level below 0.5, from there on. nan if
        the interval excludes it, or contains it, at every one.
    estimate, null_value : float
        The estimate, and the value under test.
    {shared: result alternative, given level, number of splits, label and metric}
    assumption : {"correlation", "inflation"}, default="correlation"
        What is varied.
    """

    correlation: np.ndarray
    standard_error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    pvalue: np.ndarray
    assumed: float
    tipping: float
    estimate: float
    null_value: float
    alternative: str
    confidence_level: float
    n_splits: int
    label: str
    metric: str
    assumption: str = "correlation"

    def __str__(self) -> str:
        frame = self.to_frame()
        n_rows = len(self.correlation)
        if n_rows <= _MOST_SHOWN:
            return super().__str__()
        some = np.linspace(0, n_rows - 1, _FEW_SHOWN).astype(int)
        shown = frame.loc[np.union1d(some, self._at_assumed())]
        more = f"{n_rows - len(shown)} more rows in to_frame()."
        return f"{self._heading()}\n{shown.to_string(index=False)}\n{more}"

    def to_frame(self) -> "pd.DataFrame":
        """Return one row for each correlation, or inflation.

        Returns
        -------
        DataFrame
            Columns ``correlation`` or ``inflation``, ``standard_error``, ``low``, ``high`` and
            ``pvalue``.
        """
        import pandas as pd

        return pd.DataFrame(self._columns())

    def verdict(self) -> str:
        """Say in words up to which correlation or inflation the interval excludes the null value.

        {Returns: words}
        """
        level = f"{format_percent(self.confidence_level)} interval"
        null = format_number(self.null_value)
        if np.isnan(self.tipping):
            now = self._at_assumed()
            held = self.low[now] <= self.null_value <= self.high[now]
            does = "contains" if held else "excludes"
            return f"the {level} {does} {null} at every {self.assumption}"
        side = "above" if self.tipping > self.assumed else "below"
        tipping = format_number(self.tipping)
        widens = self.alternative == "two-sided" or self.confidence_level > 0.5
        what = {"inflation": "an inflation"}.get(self.assumption, "a correlation")
        where = f"up to {what} of {tipping}" if widens else f"from {what} of {tipping} on"
        assumed = format_number(self.assumed)
        return f"the {level} excludes {null} {where}, {side} the assumed {assumed}"

    def _at_assumed(self) -> int:
        """Return the position of the assumed correlation in the table."""
        return int(np.flatnonzero(self.correlation == self.assumed)[0])

    def _columns(self) -> dict[str, np.ndarray]:
        names = ("standard_error", "low", "high", "pvalue")
        return {self.assumption: self.correlation} | {name: getattr(self, name) for name in names}

    def _heading(self) -> str:
        pvalue = format_pvalue(self.pvalue[self._at_assumed()])
        return (
            f"{cut(self.label)}, {self.metric}: {format_number(self.estimate)} over "
            f"{counted(self.n_splits, 'split')}, p {pvalue} at the "
            f"assumed {self.assumption}. {as_sentence(self.verdict())} Neither is adjusted for "
            f"other comparisons. The true {self.assumption} cannot be estimated from one data set."
        )


def correlation_sensitivity(
    scores: Scores | RowTTestResult,
    rho: ArrayLike | None = None,
    *,
    null_value: float | None = None,
    alternative: str | None = None,
    confidence_level: float = 0.95,
) -> CorrelationSensitivity:
    """Show how a verdict depends on the unknown correlation of the splits, or on the inflation.

    {Parameters: measured, rho}
    null_value : float, default=None
        The value under test. None is that of the result, for scores 0.
    alternative : {"two-sided", "less", "greater"}, default=None
        Where the expected value lies if not at the null value. None is that of the result, for
        scores two-sided.
    {shared: level}

    Returns
    -------
    CorrelationSensitivity
        The interval and the p-value at each correlation or inflation, and the one that tips the
        verdict.

    Raises
    ------
    ValueError
        If the scores are those of several estimators, or do not vary.
    SplitDesignError
        If there are fewer than 2 splits.

    {See Also: CorrectedResampledTTest, implied_correlation}
    RowTTest : The test at the assumed inflation.

    Notes
    -----
    The standard error is sqrt(S2 (1/J + rho/(1 - rho))), with S2 the sample variance of J scores
    (`plan_n_splits` has the reason). rho itself has no unbiased estimate from one data set
    (Proposition 3 of [1]_). rho = 0 is the uncorrected t-test, rho = n_test/n_samples the corrected
    one. With t the Student quantile of the interval and d the distance of the mean from the null
    value, the null value is on the interval's end where rho/(1 - rho) = (d/t)^2/S2 - 1/J.

    The variance of the row t-test (`RowTTest`) is linear in its inflation a: V = v + a q, with
    q = v + (K/5) w, or 3v/2 with one repeat. The null value is on the interval's end where
    a = ((d/t)^2 - v)/q. Where scores vary more between fits than their test rows explain, V is
    raised for any a above 0; if this tips the verdict whatever a is, it tips at 0.

    {References: nadeau1999}

    Examples
    --------
    >>> from skcvstats import CVScores, SplitDesign
    >>> from skcvstats.theory import correlation_sensitivity
    >>> x = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
    >>> design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=10)
    >>> result = correlation_sensitivity(CVScores(values=x, design=design), [0, 0.2])
    >>> result.to_frame().round(4)[["correlation", "low", "high", "pvalue"]]
       correlation     low    high  pvalue
    0          0.0  0.0169  0.0431  0.0006
    1          0.1  0.0110  0.0490  0.0060
    2          0.2  0.0056  0.0544  0.0215
    >>> round(result.tipping, 4)
    0.2995
    """
    check_optional_alternative(alternative)
    level = check_level(confidence_level)
    if isinstance(scores, RowTTestResult):
        facts = _facts_of_row_t(scores)
    else:
        scores = complete_scores(scores, "CVScores, the result of a row t-test,")
        facts = _facts_of_splits(scores)
    if null_value is None:
        null_value = facts.null_value
    if alternative is None:
        alternative = facts.alternative
    null_value = check_finite_number("null_value", null_value)
    is_inflation = facts.assumption == "inflation"
    grid = np.unique(np.append(_check_assumptions(rho, facts), facts.assumed))
    odds = grid if is_inflation else grid / (1 - grid)
    least = facts.guard.least * (odds > 0)
    variances = guarded_variance(facts.slope * (facts.share + odds), least, facts.guard.most_added)
    errors = np.sqrt(variances)
    quantile = -student_quantile(facts.df, (1 - level) / tails_of(alternative))
    low, high = interval(quantile * errors, estimate=facts.estimate, alternative=alternative)
    # The distance from the null value, in the direction of the alternative, and the variance at
    # which the interval's end is there.
    distance = facts.estimate - null_value
    towards = {"two-sided": abs(distance), "less": -distance, "greater": distance}[alternative]
    variance = np.nan
    if towards * np.sign(quantile) > 0:
        variance = float(np.square(distance / quantile))
    tipping = variance / facts.slope - facts.share
    if not tipping > 0:
        tipping = np.nan
    elif variance <= facts.guard.least:
        tipping = max(0.0, tipping - facts.guard.most_added / facts.slope)
    return CorrelationSensitivity(
        correlation=grid,
        standard_error=errors,
        low=np.broadcast_to(low, grid.shape),
        high=np.broadcast_to(high, grid.shape),
        pvalue=tail_probability(distance / errors, facts.df, alternative),
        assumed=facts.assumed,
        tipping=float(tipping if is_inflation else tipping / (1 + tipping)),
        estimate=facts.estimate,
        null_value=null_value,
        alternative=alternative,
        confidence_level=level,
        n_splits=facts.n_splits,
        label=scores.label,
        metric=scores.metric,
        assumption=facts.assumption,
    )


class _Guard(NamedTuple):
    """What the variance is raised to where fits differ by too much, and by how much at most."""

    least: float = 0.0
    most_added: float = 0.0


class _Facts(NamedTuple):
    """What is known of the mean score; its variance is slope * (share + odds of the assumption)."""

    assumption: str
    assumed: float
    highest: float  # of the assumptions that are shown where none are given
    limit: float  # what all of them are below
    estimate: float
    df: float
    n_splits: int
    slope: float
    share: float
    guard: _Guard = _Guard()
    null_value: float = 0.0
    alternative: str = "two-sided"


def _facts_of_row_t(result: RowTTestResult) -> _Facts:
    """Return what the inflation of a row t-test changes."""
    result.check_single()
    units = result.over_units
    slope = shared_variance(units, result.over_repeats, result.n_repeats, result.n_folds)
    return _Facts(
        assumption="inflation",
        assumed=result.inflation,
        highest=1.5,
        limit=np.inf,
        estimate=result.estimate,
        df=result.df,
        n_splits=result.n_splits,
        slope=slope,
        share=units / slope,
        guard=_Guard(result.least_variance, result.most_added),
        null_value=result.null_value,
        alternative=result.alternative,
    )


def _facts_of_splits(scores: CVScores) -> _Facts:
    """Return what the correlation of the scores of two splits changes."""
    slope = variance_over_splits("A look at the correlation of the splits", scores)
    n_splits = scores.design.n_splits
    assumed = scores.design.test_size / scores.design.n_samples
    return _Facts(
        assumption="correlation",
        assumed=assumed,
        highest=min(max(0.5, 3 * assumed), 0.95),
        limit=1.0,
        estimate=float(scores.values.mean()),
        df=n_splits - 1,
        n_splits=n_splits,
        slope=slope,
        share=1 / n_splits,
    )


def _check_assumptions(rho: Any, facts: _Facts) -> np.ndarray:
    """Return the correlations or inflations to show, those that are usual if none are given."""
    if rho is None:
        return np.linspace(0, facts.highest, _GRID + 1)
    grid = np.ravel(finite_array("rho", rho))
    if not ((grid >= 0) & (grid < facts.limit)).all():
        raise ValueError(f"rho={rho!r} must contain {_WANTED[facts.assumption]}.")
    return grid
