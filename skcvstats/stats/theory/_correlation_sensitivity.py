"""How the result of a test depends on the assumed correlation of the splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._utils._checks import ALTERNATIVES, check_finite_number, check_level, check_option
from ..._utils._text import (
    counted,
    cut,
    format_number,
    format_percent,
    format_pvalue,
    sentence,
    table_html,
    visible,
)
from .._arguments import complete_scores, finite_array, variance_over_splits
from .._student import interval, student_quantile, tail_probability
from ._moments import standard_error_of_mean

if TYPE_CHECKING:
    import pandas as pd


_GRID = 50


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrelationSensitivity:
    """What the interval and the p-value of a mean over splits would be at each correlation.

    Parameters
    ----------
    correlation : ndarray of shape (n_correlations,)
        Correlations of the scores of two splits, ascending; the one assumed is among them.
    standard_error, low, high, pvalue : ndarray of shape (n_correlations,)
        What follows from each.
    assumed : float
        The correlation n_test / n_samples, at which this is the corrected resampled t-test.
    tipping : float
        The correlation at which the null value is on the interval's end. The interval excludes it
        up to there; one-sided with a level below .5, from there on. nan if the interval excludes
        it, or contains it, at every correlation.
    estimate, null_value : float
        The mean score, and the value under test.
    alternative : {"two-sided", "less", "greater"}
        Where the true value lies if not at the null value.
    confidence_level : float
        Of the intervals.
    n_splits : int
        Number of splits.
    label, metric : str
        What was measured.
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

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each correlation.

        Returns
        -------
        DataFrame
            Columns ``correlation``, ``standard_error``, ``low``, ``high`` and ``pvalue``.
        """
        import pandas as pd

        return pd.DataFrame(self._columns())

    def verdict(self) -> str:
        """Say in words up to which correlation the interval excludes the null value.

        Returns
        -------
        str
            Without a full stop.
        """
        level = f"{format_percent(self.confidence_level)} interval"
        null = format_number(self.null_value)
        if np.isnan(self.tipping):
            now = self._at_assumed()
            held = self.low[now] <= self.null_value <= self.high[now]
            return f"the {level} {'holds' if held else 'leaves out'} {null} at every correlation"
        side = "above" if self.tipping > self.assumed else "below"
        tipping = format_number(self.tipping)
        widens = self.alternative == "two-sided" or self.confidence_level > 0.5
        where = f"up to a correlation of {tipping}"
        if not widens:
            where = f"from a correlation of {tipping} on"
        assumed = format_number(self.assumed)
        return f"the {level} leaves out {null} {where}, {side} the assumed {assumed}"

    def _at_assumed(self) -> int:
        """Return the position of the assumed correlation in the table."""
        return int(np.flatnonzero(self.correlation == self.assumed)[0])

    def _columns(self) -> dict[str, np.ndarray]:
        names = ("correlation", "standard_error", "low", "high", "pvalue")
        return {name: getattr(self, name) for name in names}

    def _heading(self) -> str:
        pvalue = format_pvalue(self.pvalue[self._at_assumed()])
        return (
            f"{cut(self.label)}, {visible(self.metric)}: {format_number(self.estimate)} over "
            f"{counted(self.n_splits, 'split')}, p {pvalue} at the "
            f"assumed correlation. {sentence(self.verdict())} The true correlation "
            "cannot be estimated from one data set."
        )

    def __str__(self) -> str:
        return f"{self._heading()}\n{self.to_frame().to_string(index=False)}"

    def _repr_html_(self) -> str:
        columns = self._columns()
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return table_html(self._heading(), list(columns), rows)


def correlation_sensitivity(
    scores: Any,
    rho: Any = None,
    *,
    null_value: float = 0.0,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
) -> CorrelationSensitivity:
    """Show how a verdict depends on the unknown correlation of the splits.

    Parameters
    ----------
    scores : CVScores or dict
        The scores of one estimator, or the difference of two; or what
        `cross_validate(..., return_indices=True)` returned.
    rho : array-like of float, default=None
        Correlations of two splits' scores, each at least 0 and below 1, besides the one that the
        corrected resampled t-test assumes. None is a grid from 0 to 0.5, or on to three times the
        assumed one where that is more (at most to 0.95).
    null_value : float, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the expected value lies if not at the null value.
    confidence_level : float, default=0.95
        Of the intervals.

    Returns
    -------
    CorrelationSensitivity
        The interval and the p-value at each correlation, and the one that tips the verdict.

    Raises
    ------
    ValueError
        If the scores are those of several estimators, or do not vary.
    SplitDesignError
        If there are fewer than 2 splits.

    See Also
    --------
    CorrectedResampledTTest : The test at the assumed correlation.
    implied_correlation : The correlation that an estimate of the variance implies.

    Notes
    -----
    The sample variance S2 of J scores estimates s1 (1 - rho), and their mean has variance
    s1 (rho + (1 - rho)/J), so the standard error is sqrt(S2 (1/J + rho/(1 - rho))). rho itself
    has no unbiased estimate from one data set (Proposition 3 of [1]_). rho = 0 is the
    uncorrected t-test, rho = n_test/n_samples the corrected one. With t the Student quantile of
    the interval and d the distance of the mean from the null value, the null value is on the
    interval's end where rho/(1 - rho) = (d/t)^2/S2 - 1/J.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999.

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
    scores = complete_scores(scores)
    variance = variance_over_splits("A look at the correlation of the splits", scores)
    check_option("alternative", alternative, ALTERNATIVES)
    null_value = check_finite_number("null_value", null_value)
    level = check_level(confidence_level)
    n_splits, df = scores.design.n_splits, scores.design.n_splits - 1
    assumed = scores.design.test_size / scores.design.n_samples
    grid = np.unique(np.append(_check_correlations(rho, assumed), assumed))
    estimate = float(scores.values.mean())
    errors = standard_error_of_mean(n_splits, variance, grid)
    low, high = interval(
        level, estimate=estimate, standard_error=errors, df=df, alternative=alternative
    )
    return CorrelationSensitivity(
        correlation=grid,
        standard_error=errors,
        low=np.broadcast_to(low, grid.shape),
        high=np.broadcast_to(high, grid.shape),
        pvalue=tail_probability((estimate - null_value) / errors, df, alternative),
        assumed=assumed,
        tipping=_tipping(estimate - null_value, variance, n_splits, alternative, level),
        estimate=estimate,
        null_value=null_value,
        alternative=alternative,
        confidence_level=level,
        n_splits=n_splits,
        label=scores.label,
        metric=scores.metric,
    )


def _check_correlations(rho: Any, assumed: float) -> np.ndarray:
    if rho is None:
        return np.linspace(0, min(max(0.5, 3 * assumed), 0.95), _GRID + 1)
    grid = np.ravel(finite_array("rho", rho))
    if not ((grid >= 0) & (grid < 1)).all():
        raise ValueError(f"rho={rho!r} must be at least 0 and below 1, each of them.")
    return grid


def _tipping(
    distance: float, variance: float, n_splits: int, alternative: str, confidence_level: float
) -> float:
    """Return the correlation at which the interval's end is the null value, or nan."""
    tail = (1 - confidence_level) / (2 if alternative == "two-sided" else 1)
    quantile = -student_quantile(n_splits - 1, tail)
    # The distance of the estimate from the null value, in the direction of the alternative.
    towards = {"two-sided": abs(distance), "less": -distance, "greater": distance}[alternative]
    if quantile == 0 or towards * np.sign(quantile) <= 0:
        return np.nan
    odds = (distance / quantile) ** 2 / variance - 1 / n_splits
    return float(odds / (1 + odds)) if odds > 0 else np.nan
