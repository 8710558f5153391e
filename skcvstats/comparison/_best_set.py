"""The best set: the estimators that could be the best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._utils._checks import alpha_of
from ..scores import CVScores, Note
from ..stats import LocationTest, Procedure
from ._contest import Contest


def contest_of(
    procedure: Procedure, scores: CVScores, auxiliary: CVScores | None = None
) -> Contest:
    """Return the contest of all estimators of a metric."""
    estimates = np.asarray(procedure.estimates(*procedure.samples(scores, auxiliary)))
    return Contest(procedure, scores, auxiliary, estimates)


def could_be_best(contest: Contest, confidence_level: float) -> np.ndarray:
    """Return the positions of the estimators that could be the best."""
    if confidence_level <= 0.5:
        raise ValueError(
            f"confidence_level={confidence_level!r} must be above 0.5 for the set of the best."
        )
    pvalues = contest.p_best
    return np.isnan(pvalues) | (pvalues > alpha_of(confidence_level))


def best_set(contest: Contest, confidence_level: float) -> tuple[str, ...]:
    """Return the names of the estimators that could be the best, the highest estimate first."""
    inside = could_be_best(contest, confidence_level)
    order = np.argsort(-contest.estimates, kind="stable")
    return tuple(contest.scores.labels[k] for k in order if inside[k])


def best_set_of(
    procedure: LocationTest, scores: CVScores, confidence_level: float
) -> tuple[str, ...]:
    """Return the names of the estimators that could be the best, from their scores."""
    if len(scores.labels) == 1:
        return scores.labels
    return best_set(contest_of(procedure, scores), confidence_level)


def pointing_to_best_set(note: Note, procedure: Procedure) -> Note:
    """Return the note on a reference that is favoured by chance, with advice on what to use."""
    if not isinstance(procedure, LocationTest):
        return note
    instead = "result.best_set() names the estimators that could be the best, and is valid although"
    return replace(note, text=f"{note.text}; {instead} the scores were seen")
