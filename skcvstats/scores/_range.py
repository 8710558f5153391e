"""The range of a metric: where intervals are cut when they are shown."""

import re
from typing import Any

import numpy as np

from .._utils._metrics import known_of
from ._scores import CVScores

# Options of scorers that give a metric another range.
_CHANGED = re.compile("adjusted=True|normalize=False")


def shown_ends(scores: CVScores | None, low: Any, high: Any) -> tuple[Any, Any]:
    """Return ends of intervals, finite ones cut at the range of the metric or of a difference."""
    ends = np.asarray([low, high], dtype=float)
    shown = np.where(np.isinf(ends), ends, np.clip(ends, *_limits(scores)))
    return (shown[0], shown[1]) if shown.ndim > 1 else (float(shown[0]), float(shown[1]))


def with_shown_ends(frame: Any, scores: CVScores | None) -> Any:
    """Return a frame with its intervals, ``low`` to ``high`` and others, as they are shown."""
    found = frame.copy()
    for low in [name for name in map(str, frame) if name.startswith("low")]:
        high = f"high{low[3:]}"
        found[low], found[high] = shown_ends(scores, frame[low], frame[high])
    return found


def _limits(scores: CVScores | None) -> tuple[float, float]:
    """Return the range of a known metric; infinite for scores on another scale, as percent."""
    unknown = -np.inf, np.inf
    if scores is None or _CHANGED.search(str(scores.provenance.get("scoring"))):
        return unknown
    _, low, high = known_of(scores.provenance.get("measured", scores.metric))
    if np.max(scores.magnitude, initial=0.0) > max(-low, high):
        return unknown
    if scores.paired:
        return low - high, high - low
    return (low, high) if low <= scores.values.min() and scores.values.max() <= high else unknown
