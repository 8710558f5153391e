"""Where intervals are cut: at the range of the metric, or of its differences."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._scores import CVScores


def shown_ends(scores: "CVScores | None", low: Any, high: Any) -> tuple[Any, Any]:
    """Return ends of intervals, finite ones cut at the range of the metric or of a difference."""
    ends = np.asarray([low, high], dtype=float)
    limits = (-np.inf, np.inf) if scores is None else scores._limits
    shown = np.where(np.isinf(ends), ends, np.clip(ends, *limits))
    if shown.ndim > 1:
        return shown[0], shown[1]
    return float(shown[0]), float(shown[1])


def with_shown_ends(frame: Any, scores: "CVScores | None") -> Any:
    """Return a frame with its intervals, ``low`` to ``high`` and others, as they are shown."""
    cut_frame = frame.copy()
    for low in map(str, frame):
        if low.startswith("low"):
            high = f"high{low[3:]}"
            cut_frame[low], cut_frame[high] = shown_ends(scores, frame[low], frame[high])
    return cut_frame
