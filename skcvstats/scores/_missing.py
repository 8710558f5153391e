"""Missing scores: errors that name them, and the scores without them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._text import cut
from ..exceptions import FitError
from ._notes import Note
from ._scored import Scored
from ._selection import splits_of
from ._structure import spread_holes


def check_complete(scores: Scored) -> None:
    """Raise FitError if a score was not measured: NaN, infinite, or a filler for a failed fit."""
    several = scores.values.ndim > 1
    causes = {(row, split): cause for row, split, cause in scores.failures}
    holes = {tuple(map(int, at)) for at in np.argwhere(~np.isfinite(scores.values))}
    holes |= {at if several else at[-1:] for at in causes}
    if not holes:
        return
    where = min(holes)
    row = where[0] if several else 0
    name = cut(scores.labels[row]) if scores.labels else "the estimator"
    cause = causes.get((row, where[-1]), "the metric gave no finite number there")
    raise FitError(
        f"{len(holes)} of {scores.values.size} scores in {scores.metric!r} are missing or not "
        f"finite. The first: {name}, split {where[-1]}, is {scores.values[where]} ({cause}). "
        f"{_remedy(scores, holes)} This error's .scores (and .auxiliary, where there are "
        "auxiliary splits) contain the finished scores, by metric.",
        {scores.metric: scores},
    )


def _remedy(scores: Scored, holes: set[tuple[int, ...]]) -> str:
    n_splits = scores.design.n_splits
    lost = {split for *_, split in holes}
    if len(lost) < n_splits:
        return (
            "Fix the cause and score again, or drop those splits for all estimators with .dropna()."
        )
    rows = [row for row, *_ in holes] if scores.values.ndim > 1 else [0] * len(holes)
    hopeless = sorted({row for row in rows if rows.count(row) == n_splits})
    names = [cut(scores.labels[row]) for row in hopeless] if scores.labels else []
    who = f"{', '.join(names)} failed on every split" if names else "No split is whole"
    return f"{who}: fix the cause and score again, or leave out what fails."


def without_missing(scores: Scored) -> dict[str, Any]:
    """Return the fields of a CVScores that change if splits with missing scores are dropped."""
    kept = np.isfinite(scores.values).all(axis=tuple(range(scores.values.ndim - 1)))
    kept[[split for _, split, _ in scores.failures]] = False
    kept = spread_holes(kept, scores.design.levels, scores.design.shape)
    if kept.all():
        return {}
    splits = np.flatnonzero(kept).tolist()
    if not splits:
        raise FitError(
            "No split is left: each has a score that was not measured. Fix the cause and "
            "score again, or leave out the estimator that fails.",
            {scores.metric: scores},
        )
    dropped = f"{kept.size - len(splits)} of {kept.size} splits dropped for missing scores"
    notes = (*scores.notes, Note("dropped splits", dropped, None))
    return {**splits_of(scores, splits), "notes": notes}
