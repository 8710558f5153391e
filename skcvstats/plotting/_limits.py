"""Choose the limits of an axis so that a row that is far away does not compress the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_FINER = 4  # rows are cut off if the axis becomes this many times finer
_ROOM = 0.1  # share of the axis that is left free on both sides


def shown_limits(ends: Any, anchors: Sequence[float], *, pairs: bool) -> tuple[float, float]:
    """Return the limits of an axis on which most rows can be read.

    All rows are in view, unless the axis becomes at least four times finer without the rows that
    reach farthest. With more than two rows, at least half of the pairs of estimators are in view,
    because one bad estimator is in many pairs; of single estimators, more than half are.
    """
    lowest, highest = min(anchors), max(anchors)
    ends = np.asarray(ends, dtype=float)
    ends = ends[np.isfinite(ends).any(axis=1)]
    finite = np.isfinite(ends)
    low = np.where(finite, ends, np.inf).min(axis=1, initial=lowest)
    high = np.where(finite, ends, -np.inf).max(axis=1, initial=highest)
    n_rows = len(low)
    fewest = n_rows if n_rows < 3 else n_rows // 2 + (not pairs)
    kept = _kept(low, high, fewest)
    bottom, top = low[kept].min(initial=lowest), high[kept].max(initial=highest)
    room = _ROOM * ((top - bottom) or 1)
    return float(bottom - room), float(top + room)


def _kept(low: np.ndarray, high: np.ndarray, fewest: int) -> np.ndarray:
    """Return the rows that are in view; those that reach least far come first."""
    order = np.argsort(high - low, kind="stable")
    reach = np.maximum.accumulate(high[order]) - np.minimum.accumulate(low[order])
    n_kept = len(order)
    while n_kept:
        finer = (reach > 0) & (reach * _FINER <= reach[n_kept - 1])
        enough = np.flatnonzero(finer) + 1
        enough = enough[enough >= fewest]
        if not len(enough):
            break
        n_kept = int(enough[-1])
    return order[:n_kept]
