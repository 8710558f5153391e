"""Warnings about results: scores that do not vary, a liberal procedure."""

from __future__ import annotations

import numpy as np

from .._utils._warn import warn_user
from ..exceptions import AnticonservativeWarning, DegenerateScoresWarning
from ..scores import Note
from ._inference import Inference


def liberal_notes(inference: Inference) -> tuple[Note, ...]:
    """Return the notes that a test of finished scores gives as warnings."""
    return tuple(note for note in inference.notes if note.category is AnticonservativeWarning)


def warn_undetermined(inference: Inference, varies_over: str, convention: str) -> None:
    """Warn if the scores of a result do not vary."""
    if not np.any(inference.undetermined):
        return
    warn_user(
        f"{_whose_scores(inference)} do not vary over the {varies_over}{convention}. Use more "
        "test rows or a finer metric.",
        DegenerateScoresWarning,
    )


def _whose_scores(inference: Inference) -> str:
    if inference.scores is None:
        return "The scores"
    labels = inference.scores.labels
    if not np.ndim(inference.undetermined) or not labels:
        return f"{inference.label}: the scores"
    names = [labels[row] for row in np.flatnonzero(inference.undetermined)]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}: the scores"
