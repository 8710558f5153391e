"""Bias-corrected and accelerated bootstrap intervals, and the p-values that agree with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri


@dataclass(frozen=True, eq=False)
class Corrections:
    """Corrections of the percentiles of bootstrap replicates."""

    bias: np.ndarray
    acceleration: np.ndarray
    percentile: np.ndarray


def corrections(estimates: Any, replicates: np.ndarray, left_out: np.ndarray) -> Corrections:
    """Return the bias correction and the acceleration of bootstrap replicates.

    Notes
    -----
    With e_g the mean of the left-out estimates minus each of them, the acceleration is
    sum e_g^3 / (6 (sum e_g^2)^1.5) [1]_.

    References
    ----------
    .. [1] B. Efron, "Better Bootstrap Confidence Intervals", Journal of the American Statistical
       Association 82, 1987.
    """
    middle = np.asarray(estimates, dtype=float)[:, np.newaxis]
    below = (replicates < middle).mean(axis=1) + (replicates == middle).mean(axis=1) / 2
    deviations = left_out.mean(axis=1, keepdims=True) - left_out
    squares = np.square(deviations).sum(axis=1)
    scale = np.abs(left_out).max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        bias = ndtri(below)
        acceleration = (deviations**3).sum(axis=1) / (6 * squares**1.5)
        constant = ~(np.abs(deviations).max(axis=1) > 10 * np.finfo(float).eps * scale)
    percentile = ~np.isfinite(bias) | ~np.isfinite(acceleration) | constant
    return Corrections(
        np.where(percentile, 0.0, bias), np.where(percentile, 0.0, acceleration), percentile
    )


def _moved(share: Any, bias: float, acceleration: float) -> np.ndarray:
    """Return the level whose corrected percentile is this share of the replicates."""
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = ndtri(share) - bias
        pole = 1 + acceleration * distance
        distance = np.where(pole > 0, distance / pole, np.copysign(np.inf, distance))
    return np.where(share >= 1, 1.0, ndtr(distance - bias))


def bca_pvalue(
    null_value: float, ascending: np.ndarray, bias: float, acceleration: float, alternative: str
) -> float:
    """Return the p-value of a null value: the smallest level at which the interval excludes it."""
    n = len(ascending)
    at_most = np.searchsorted(ascending, null_value, side="right")
    at_least = n - np.searchsorted(ascending, null_value, side="left")
    greater = float(_moved((at_most + 1) / (n + 1), bias, acceleration))
    less = float(_moved((at_least + 1) / (n + 1), -bias, -acceleration))
    both = min(1.0, 2 * min(greater, less))
    return max({"greater": greater, "less": less}.get(alternative, both), 1 / (n + 1))


def bca_interval(
    alpha: float, ascending: np.ndarray, bias: float, acceleration: float, alternative: str
) -> tuple[float, float]:
    """Return the null values whose p-value is above a level."""
    n = len(ascending)
    if 1 / (n + 1) > alpha:
        return -np.inf, np.inf
    shares = np.arange(1, n + 1) / (n + 1)
    tails = 2 if alternative == "two-sided" else 1
    low, high = -np.inf, np.inf
    if alternative != "less":
        beyond = np.count_nonzero(tails * _moved(shares, bias, acceleration) <= alpha)
        low = ascending[beyond - 1] if beyond else -np.inf
    if alternative != "greater":
        beyond = np.count_nonzero(tails * _moved(shares, -bias, -acceleration) <= alpha)
        high = ascending[n - beyond] if beyond else np.inf
    return float(low), float(high)
