"""Bounds around a difference of zero: a margin, or a region of practical equivalence."""

from __future__ import annotations

from typing import Any

from .._utils._checks import brief, is_finite


def check_bounds(margin: Any, *, zero: bool = False) -> tuple[float, float]:
    """Return the lower and the upper bound of a margin."""
    is_pair = isinstance(margin, (tuple, list)) or getattr(margin, "ndim", 0) == 1
    bounds = list(margin) if is_pair else [margin, margin]
    if len(bounds) != 2 or not all(map(is_finite, bounds)):
        raise ValueError(
            f"margin={brief(margin)} must be a finite number such as 0.01, or a pair of them such "
            "as (-0.01, 0.02), in the unit of the metric."
        )
    low, high = bounds if is_pair else (-margin, margin)
    if is_pair and low > high:
        raise ValueError(
            f"margin={margin!r} has its bounds in the wrong order; give the lower one first, such "
            "as (-0.01, 0.02)."
        )
    if not (low <= 0 <= high if zero else low < 0 < high):
        least = "at least 0" if zero else "above 0"
        raise ValueError(
            f"margin={margin!r} does not reach to both sides of 0; give a number {least}, or a "
            "lower bound below 0 and an upper bound above it."
        )
    return float(low), float(high)
