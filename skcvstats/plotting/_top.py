"""The first of many rows: as many as fit on a page."""

from __future__ import annotations

from typing import Any

import pandas as pd

from .._utils._checks import is_integer


def check_drawable(result: Any, *kinds: type) -> None:
    """Raise TypeError if a display cannot draw a result of this class."""
    if not isinstance(result, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(
            f"result is of type {type(result).__name__}; it must be a {names}. Pass what was "
            "returned by the function that compares, tests or simulates."
        )


def check_top(top: Any) -> int:
    """Return the greatest number of rows of a panel."""
    if not is_integer(top) or top < 1:
        raise ValueError(f"top={top!r} must be an integer, 1 or more: how many rows to draw.")
    return int(top)


def first_comparisons(frame: pd.DataFrame, top: int) -> pd.DataFrame:
    """Return the first comparisons of each metric, the same in all metrics if possible."""
    parts = [part for _, part in frame.groupby("metric", sort=False)]
    pairs = [list(zip(part["estimator"], part["versus"], strict=True)) for part in parts]
    if any(set(others) != set(pairs[0]) for others in pairs[1:]):
        each = max(1, top // len(parts))
        return pd.concat([part[:each] for part in parts])
    first = set(pairs[0][:top])
    inside = [[pair in first for pair in these] for these in pairs]
    return pd.concat([part[kept] for part, kept in zip(parts, inside, strict=True)])


def first_estimators(frame: pd.DataFrame, top: int) -> pd.DataFrame:
    """Return the highest-ranked estimators, the same in all metrics if possible."""
    rank = frame.groupby("metric", sort=False).cumcount()
    parts = [set(part["estimator"]) for _, part in frame.groupby("metric", sort=False)]
    if any(others != parts[0] for others in parts[1:]):
        return frame[rank < max(1, top // len(parts))]
    best_rank = rank.groupby(frame["estimator"], sort=False).min()
    chosen = best_rank.sort_values(kind="stable").index[:top]
    return frame[frame["estimator"].isin(chosen)]
