"""Draw intervals and marks in a row; values beyond the axis are arrows with a number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .._utils._text import format_number
from ._style import ink

_INSIDE = 0.025  # share of the axis, from its end to an arrow
# By the part of a column's name after ``low_`` and ``high_``: how this further interval is drawn,
# how far below the row (in lines), and its text in the legend.
FURTHER = {
    "margin": ({"lw": 4.5, "alpha": 0.4, "zorder": 1.9}, 0.0, "thick: decides on the margin"),
    "unadjusted": (
        {"lw": 0.8, "zorder": 1.9},
        0.32,
        "thin: the comparison by itself, not adjusted",
    ),
}
_BESIDE = 6  # points from an arrow to its number


def draw_interval(
    ax: Any,
    ends: Any,
    height: float,
    limits: tuple[float, float],
    look: dict[str, Any],
    *,
    arrows: bool = True,
) -> Any:
    """Draw the interval of a row, and return its line; an end beyond the axis is an arrow."""
    ends = np.asarray(ends, dtype=float)
    if np.isnan(ends).any():
        return None
    edges = _edges(limits)
    (interval,) = ax.plot(
        np.where(np.isinf(ends), np.clip(ends, *edges), ends), [height] * 2, **look
    )
    low, high = ends
    for edge, marker, goes_on in zip(edges, "<>", (low < limits[0], high > limits[1]), strict=True):
        if goes_on and arrows:
            ax.plot(edge, height, marker, color=interval.get_color(), ms=5, zorder=2)
    return interval


def write_beyond(
    ax: Any, value: float, height: float, limits: tuple[float, float], colour: Any
) -> bool:
    """Write a value that is beyond the axis at the end of the axis, with an arrow."""
    if limits[0] <= value <= limits[1]:
        return False
    left = value < limits[0]
    edge = _edges(limits)[0 if left else 1]
    ax.plot(edge, height, "<" if left else ">", color=colour, ms=5, zorder=2)
    ax.annotate(
        format_number(value),
        (edge, height),
        xytext=(_BESIDE if left else -_BESIDE, 0),
        textcoords="offset points",
        ha="left" if left else "right",
        va="center",
        fontsize="small",
        color=ink(ax),
        bbox={"fc": ax.get_facecolor(), "ec": "none", "alpha": 0.7, "pad": 0.5},
    )
    return True


def further_intervals(row: pd.Series) -> list[str]:
    """Return the further intervals of a row that differ from ``low`` and ``high``."""
    return [
        which
        for which in FURTHER
        if f"low_{which}" in row.index
        and any(
            np.isfinite(row[end]) and row[end] != row[f"{end}_{which}"] for end in ("low", "high")
        )
    ]


def _edges(limits: tuple[float, float]) -> tuple[float, float]:
    room = _INSIDE * (limits[1] - limits[0])
    return limits[0] + room, limits[1] - room
