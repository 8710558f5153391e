"""Alpaydin's combined 5x2cv F test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._utils import check_finite_number, format_number, format_pvalue, warn_user
from ..exceptions import DegenerateScoresWarning
from ..scores import CVScores
from ._arguments import check_finite, complete_difference, splits_last
from ._five_by_two_cv_t import N_PAIRS, five_by_two_design, require_five_by_two
from ._location import Sample, is_rounding, mean_square
from ._student import plain

_WHO = "The combined 5x2cv F test"


@dataclass(frozen=True, kw_only=True)
class FiveByTwoCVFTestResult:
    """The answer of the combined 5x2cv F test; it unpacks as ``statistic, pvalue``.

    Parameters
    ----------
    statistic, pvalue : float or ndarray
        F and its p-value.
    df : tuple of float
        Degrees of freedom, (10, 5).
    null_value : float
        The value under test.
    """

    statistic: Any
    pvalue: Any
    df: tuple[float, float]
    null_value: float

    def __iter__(self) -> Iterator[Any]:
        return iter((self.statistic, self.pvalue))

    def __str__(self) -> str:
        if np.ndim(self.statistic):
            return f"combined 5x2cv F test: F = {self.statistic}, p = {self.pvalue}"
        return (
            f"combined 5x2cv F test: F({self.df[0]:g}, {self.df[1]:g}) = "
            f"{format_number(self.statistic)}, p {format_pvalue(self.pvalue)} (against "
            f"{format_number(self.null_value)})"
        )


def five_by_two_cv_ftest(
    scores: Any, other: Any = None, *, null_value: float = 0.0, axis: int = -1
) -> FiveByTwoCVFTestResult:
    """Run the combined 5x2cv F test of scores, or of paired differences of scores.

    It uses all ten scores in its numerator, where the 5x2cv t-test uses one. It is even in them:
    it says that the expected value is not the null value, not on which side it lies, and it has no
    interval.

    Parameters
    ----------
    scores : CVScores, dict or array-like of shape (..., 10)
        Scores, what `cross_validate(..., return_indices=True)` returned, or an array of scores or
        differences, pair by pair.
    other : CVScores or dict, default=None
        The scores to compare with, on the same splits.
    null_value : float, default=0.0
        The value under test.
    axis : int, default=-1
        The axis of the splits of an array.

    Returns
    -------
    FiveByTwoCVFTestResult
        F and its p-value, of the leading shape of an array.

    Raises
    ------
    SplitDesignError
        If the splits are not 5 repeats of 2 folds.
    ValueError, FitError
        If a score is not finite.

    Warns
    -----
    DegenerateScoresWarning
        If the two scores of every pair are equal.

    See Also
    --------
    FiveByTwoCVTTest : The t-test of the same scores, with a direction and an interval.

    Notes
    -----
    With p_m, p_m^c the scores of pair m less the null value, d_m = p_m - p_m^c:

        F = sum_m (p_m^2 + p_m^c^2) / sum_m d_m^2,

    referred to F(10, 5) [1]_. (Alpaydin's denominator is 2 sum s_m^2 with s_m^2 = d_m^2/2.) It is
    approximate: even for independent scores numerator and denominator are not independent.

    References
    ----------
    .. [1] E. Alpaydin, "Combined 5 x 2 cv F Test for Comparing Supervised Classification Learning
       Algorithms", Neural Computation 11, 1885-1892, 1999.

    Examples
    --------
    >>> from skcvstats import five_by_two_cv_ftest
    >>> x = [0.03, 0.01, 0.02, 0.04, 0.03, 0.02, 0.05, 0.01, 0.02, 0.03]
    >>> print(five_by_two_cv_ftest(x))
    combined 5x2cv F test: F(10, 5) = 3.154, p = 0.108 (against 0)
    """
    null_value = check_finite_number("null_value", null_value)
    sample = _sample(scores, other, axis)
    check_finite("scores", sample)
    values = sample.values
    square, scale = mean_square(values[..., 0::2] - values[..., 1::2], values, sample.magnitude)
    deviations = values - null_value
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.einsum("...j,...j->...", deviations, deviations) / (N_PAIRS * square)
    constant = square == 0
    if constant.any():
        largest = np.abs(deviations).max(axis=-1)
        at_null = is_rounding(largest, np.maximum(scale, abs(null_value)))
        statistic = np.where(constant & at_null, np.nan, statistic)
        warn_user(
            "The two scores of every pair are equal: p is 1 if all equal the null value and 0 "
            "otherwise by definition, and neither is evidence. Use more test rows or a finer "
            "metric.",
            DegenerateScoresWarning,
        )
    pvalue = np.where(np.isnan(statistic), 1.0, _tail_probability(statistic))
    return FiveByTwoCVFTestResult(
        statistic=plain(statistic), pvalue=plain(pvalue), df=(10.0, 5.0), null_value=null_value
    )


def _tail_probability(statistic: np.ndarray) -> np.ndarray:
    """Return P(F > statistic) for F(10, 5).

    It is the incomplete beta function I_x(5/2, 5) at x = 5/(5 + 10 F), which for an integer second
    argument is a finite sum of positive terms, x^(5/2) sum_{k<5} (5/2)_k (1 - x)^k / k!: as exact
    as scipy.special.fdtrc at a tenth of its cost, which would be most of the cost of the test.
    """
    x = 1 / (1 + 2 * statistic)
    total = np.ones_like(x)
    for k in range(N_PAIRS - 1, 0, -1):
        total = 1 + total * (1 - x) * (1.5 + k) / k
    return x**2.5 * total


def _sample(scores: Any, other: Any, axis: int) -> Sample:
    if isinstance(scores, (CVScores, Mapping)):
        sample = complete_difference(scores, other)
        require_five_by_two(sample.design, who=_WHO)
        return Sample(sample.values, sample.design, sample.magnitude)
    if other is not None:
        raise TypeError(
            "other goes with CVScores or cross_validate dicts; of arrays pass the differences."
        )
    x = splits_last(scores, axis, "scores")
    return Sample(x, five_by_two_design(x, 1, 1, who=_WHO))
