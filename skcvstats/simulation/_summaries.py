"""Summaries of arrays over data sets, each with its Monte-Carlo error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._utils._checks import ConfidenceInterval
from ..stats import Pivot, error_rate_interval, rejects, student_quantile

# The intervals of moments are asymptotic: they need many data sets.
FEWEST_DATA_SETS = 30
_BLOCK = 2**13  # statistics at a time: a table of all would not fit into the cache


@dataclass(frozen=True)
class Estimated:
    """A quantity, its Monte-Carlo standard error, and an interval for it."""

    value: float
    standard_error: float
    interval: ConfidenceInterval


def require_data_sets(n: int, fewest: int, what: str) -> None:
    """Raise ValueError if there are too few data sets."""
    if n < fewest:
        raise ValueError(
            f"{what} needs at least {fewest} data sets; there {'is' if n == 1 else 'are'} {n}. "
            "Simulate more: with the same path= what is there already is kept."
        )


def rejection_counts(
    pivot: Pivot, null_values: np.ndarray, alternative: str, alpha: float
) -> np.ndarray:
    """Count the data sets whose test rejects each null value."""
    column = np.asarray(null_values)[:, np.newaxis]
    step = max(1, _BLOCK // max(1, len(pivot.estimate)))
    blocks = [column[start : start + step] for start in range(0, len(column), step)]
    counts = [rejects(pivot, block, alternative, alpha).sum(axis=1) for block in blocks]
    return np.concatenate([np.zeros(0, dtype=int), *counts])


def rates(counts: np.ndarray, n: int, level: float) -> tuple[np.ndarray, ...]:
    """Return rates, their standard errors and exact (Clopper-Pearson) intervals."""
    found = error_rate_interval(counts, n, "exact", confidence_level=level)
    rate = np.asarray(found.estimate)
    return rate, np.sqrt(rate * (1 - rate) / n), np.asarray(found.low), np.asarray(found.high)


def exceeds(rate: np.ndarray, n: int, alpha: float) -> np.ndarray:
    """Return whether rates are significantly above `alpha` (one-sided exact test at 5 %)."""
    # The exact lower bound exceeds alpha exactly if P(as many or more at alpha) is below its tail.
    counts = np.rint(rate * n).astype(int)
    return np.asarray(error_rate_interval(counts, n, "exact", confidence_level=0.9).low) > alpha


def mean_of(values: np.ndarray, level: float) -> Estimated:
    """Return the mean of independent numbers."""
    n = len(values)
    error = float(values.std(ddof=1) / np.sqrt(n))
    half_width = -student_quantile(n - 1, (1 - level) / 2) * error
    mean = float(values.mean())
    return Estimated(mean, error, ConfidenceInterval(mean - half_width, mean + half_width))


def political_ratio_of(estimates: np.ndarray, variances: np.ndarray, level: float) -> Estimated:
    """Return the variance of the estimates over the mean of the variance estimates.

    Notes
    -----
    With V the sample variance of the estimates e_i and m the mean of the variances w_i, the ratio
    PR = V/m has the influence values

        u_i = ((e_i - mean e)^2 - V)/m - V (w_i - m)/m^2,

    the derivative of V/m along what data set i adds to the moments; they sum to -V/(N m), of
    smaller order, so that Var PR is estimated by their sample variance over N. The interval is made
    for log PR, whose standard error is that of PR over PR, and which cannot leave the positive
    numbers.
    """
    n = len(estimates)
    squares = (estimates - estimates.mean()) ** 2
    variance = squares.sum() / (n - 1)
    mean = variances.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.divide(variance, mean)
        influence = (squares - variance) / mean - variance * (variances - mean) / mean**2
        error = influence.std(ddof=1) / np.sqrt(n)
        factor = np.exp(-student_quantile(np.inf, (1 - level) / 2) * error / ratio)
        interval = ConfidenceInterval(float(ratio / factor), float(ratio * factor))
    return Estimated(float(ratio), float(error), interval)
