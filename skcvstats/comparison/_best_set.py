"""The best set: the estimators that could be the best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._utils import alpha_of
from ..scores import CVScores, Note
from ..stats import LocationTest, Procedure
from ._contest import Contest


def contest_of(
    procedure: Procedure, scores: CVScores, auxiliary: CVScores | None = None
) -> Contest:
    """Return the contest of all estimators of a metric.

    Parameters
    ----------
    procedure : Procedure
        The test.
    scores : CVScores of shape (n_estimators, n_splits)
        Complete scores.
    auxiliary : CVScores, default=None
        Scores on the auxiliary splits, if the procedure has them.
    """
    estimates = np.asarray(procedure.estimates(*procedure.samples(scores, auxiliary)))
    return Contest(procedure, scores, auxiliary, estimates)


def could_be_best(contest: Contest, confidence_level: float) -> np.ndarray:
    """Return the positions of the estimators that could be the best.

    Parameters
    ----------
    contest : Contest
        The estimators.
    confidence_level : float
        Above 0.5.

    Raises
    ------
    ValueError
        If the confidence level is not above 0.5.
    """
    if confidence_level <= 0.5:
        raise ValueError(
            f"confidence_level={confidence_level!r} must be above 0.5 for the set of the best."
        )
    pvalues = contest.p_best
    return np.isnan(pvalues) | (pvalues > alpha_of(confidence_level))


def best_set(contest: Contest, confidence_level: float) -> tuple[str, ...]:
    """Return the names of the estimators that could be the best, the highest estimate first.

    Parameters
    ----------
    contest : Contest
        The estimators.
    confidence_level : float
        Above 0.5.
    """
    inside = could_be_best(contest, confidence_level)
    order = np.argsort(-contest.estimates, kind="stable")
    return tuple(contest.scores.labels[k] for k in order if inside[k])


def best_set_of(
    procedure: LocationTest, scores: CVScores, confidence_level: float
) -> tuple[str, ...]:
    """Return the names of the estimators that could be the best, from their scores.

    Parameters
    ----------
    procedure : LocationTest
        The test; its alternative and null value do not matter.
    scores : CVScores of shape (n_estimators, n_splits)
        Complete.
    confidence_level : float
        The probability that such a set contains the truly best estimator; above 0.5.

    Returns
    -------
    tuple of str
        Their names, the highest estimate first; never empty.
    """
    if len(scores.labels) == 1:
        return scores.labels
    return best_set(contest_of(procedure, scores), confidence_level)


def pointing_to_best_set(note: Note, procedure: Procedure) -> Note:
    """Return the note on a reference that is favoured by chance, with advice on what to use.

    Parameters
    ----------
    note : Note
        It says that the reference is the best on the same scores.
    procedure : Procedure
        If it has no direction, it cannot tell which estimators could be the best; then the note is
        returned unchanged.
    """
    if not isinstance(procedure, LocationTest):
        return note
    instead = "result.best_set() names the estimators that could be the best, and is valid although"
    return replace(note, text=f"{note.text}; {instead} the scores were seen")
