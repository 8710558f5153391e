"""Tango's score interval for the difference of two accuracies on the same test rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._checks import ConfidenceInterval
from ..stats import plain, student_quantile

# After this many bisections of an interval of length 2, its ends are neighbouring numbers.
_N_BISECTIONS = 64


def tango_statistic(n01: Any, n10: Any, n: Any, null_value: Any = 0.0) -> np.ndarray:
    """Return the score statistic of a difference of accuracies.

    Notes
    -----
    With d the difference under test and q the restricted maximum likelihood estimate of the
    probability that only the second is right, a root of A q^2 + B q + C with A = 2n,
    B = (2n - n01 + n10) d - n01 - n10 and C = -n10 d (1 - d), it is (n01 - n10 - n d)/
    sqrt(n (2q + d (1 - d))) [1]_.

    References
    ----------
    .. [1] T. Tango, "Equivalence Test and Confidence Interval for the Difference in Proportions for
       the Paired-Sample Design", Statistics in Medicine 17, 1998.
    """
    b, c, n, d = (np.asarray(x, dtype=float) for x in (n01, n10, n, null_value))
    middle = (2 * n - b + c) * d - b - c
    last = -c * d * (1 - d)
    root = np.sqrt(np.maximum(middle**2 - 8 * n * last, 0.0))
    # the form of the larger root without cancellation
    with np.errstate(divide="ignore", invalid="ignore"):
        stable = np.where(middle + root > 0, -2 * last / (middle + root), 0.0)
        q = np.where(middle > 0, stable, (root - middle) / (4 * n))
        variance = n * (2 * q + d * (1 - d))
        return (b - c - n * d) / np.sqrt(np.maximum(variance, 0.0))


def tango_interval(
    n01: Any, n10: Any, n: Any, confidence_level: float = 0.95, alternative: str = "two-sided"
) -> ConfidenceInterval:
    """Return the differences of accuracies that the score test does not reject."""
    tails = 2 if alternative == "two-sided" else 1
    critical = -student_quantile(np.inf, (1 - confidence_level) / tails)
    low, high = _solve(n01, n10, n, critical), _solve(n01, n10, n, -critical)
    if alternative == "less":
        low = np.full_like(low, -np.inf)
    if alternative == "greater":
        high = np.full_like(high, np.inf)
    return ConfidenceInterval(plain(low), plain(high))


def _solve(n01: Any, n10: Any, n: Any, target: float) -> np.ndarray:
    """Return the difference at which the statistic, which falls in it, passes a target."""
    shape = np.broadcast_shapes(np.shape(n01), np.shape(n10), np.shape(n))
    low, high = np.full(shape, -1.0), np.full(shape, 1.0)
    for _ in range(_N_BISECTIONS):
        middle = (low + high) / 2
        statistic = tango_statistic(n01, n10, n, middle)
        # nan at a difference of 0 without discordant rows, where the statistic passes through 0
        above = np.where(np.isnan(statistic), target < 0, statistic > target)
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low + high) / 2
