"""Draw equal values apart, always in the same way, and count them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._style import ink

_SHARE = 0.5  # of the step between neighbouring values, over which equal ones are spread
_APART = 0.13  # of a line, between two equal values that are stacked
_REACH = 0.35  # of a row, to either side of its middle
_DIGITS = 9  # of the range of the values, in which equal ones agree
_COUNTED = 3  # this many equal values, or more, have their number written
_ABOVE = 0.3  # of a line, from values to their number


def shifts(values: Any) -> np.ndarray:
    """Return the shift of each column of values that separates equal values in a row.

    A whole column is shifted, so that differences within it do not change.
    """
    values = np.asarray(values, dtype=float)
    n_columns = values.shape[1]
    distinct = np.diff(np.unique(_scaled(values)))
    if not len(distinct) or all(len(_groups(row)) == n_columns for row in values):
        return np.zeros(n_columns)
    return np.linspace(-0.5, 0.5, n_columns) * _SHARE * distinct.min() * np.ptp(values)


def stacked(values: Any, row: float) -> np.ndarray:
    """Return the shift of each value across its row that stacks equal values."""
    found = np.zeros(np.shape(values))
    for same in _groups(values):
        step = min(_APART, 2 * _REACH * row / max(len(same) - 1, 1))
        found[same] = step * (np.arange(len(same)) - (len(same) - 1) / 2)
    return found


def write_counts(ax: Any, values: Any, heights: Any) -> None:
    """Write the number of equal values above them, if there are at least three."""
    values, heights = np.asarray(values, dtype=float), np.asarray(heights, dtype=float)
    for same in _groups(values):
        if len(same) >= _COUNTED:
            ax.text(
                values[same[0]],
                heights[same].min() - _ABOVE,
                str(len(same)),
                ha="center",
                va="bottom",
                fontsize="x-small",
                color=ink(ax),
                clip_on=True,
                bbox={"fc": ax.get_facecolor(), "ec": "none", "alpha": 0.7, "pad": 0.5},
            )


def _groups(values: Any) -> list[np.ndarray]:
    """Return the positions of each value."""
    _, group = np.unique(_scaled(values), return_inverse=True)
    return [np.flatnonzero(group == k) for k in range(group.max() + 1)]


def _scaled(values: Any) -> np.ndarray:
    """Return values scaled to 0 to 1, without the last digits."""
    values = np.asarray(values, dtype=float)
    scaled: np.ndarray = np.round((values - values.min()) / (np.ptp(values) or 1), _DIGITS)
    return scaled
