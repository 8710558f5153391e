"""ConfidenceInterval, and the level of the test that goes with it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple


class ConfidenceInterval(NamedTuple):
    """The two ends of a confidence interval; one is infinite for a one-sided alternative.

    Parameters
    ----------
    low, high : float or ndarray
        The ends.
    """

    low: Any
    high: Any


def alpha_of(confidence_level: float) -> float:
    """Return 1 minus the confidence level without rounding error: .05, not .05 + 4e-17."""
    return float(1 - Decimal(repr(float(confidence_level))))
