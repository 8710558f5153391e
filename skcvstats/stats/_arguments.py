"""Turn the arguments of a procedure into the arrays that it works on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._utils._arrays import as_array
from .._utils._checks import is_integer, listed
from ..exceptions import FitError, PairingError
from ..scores import CVScores, Note, check_same_metric
from ._inference import Inference
from ._sample import Sample

Scores = CVScores | Mapping[str, Any]


def complete_difference(scores: Scores, other: Scores | None = None) -> CVScores:
    """Return complete scores, or their paired difference."""
    sample = as_scores(scores)
    sample.check_complete()
    if other is None:
        return sample
    against = as_scores(other)
    against.check_complete()
    return sample - against


def auxiliary_difference(auxiliary: Any, *, paired: bool) -> CVScores | None:
    """Return the auxiliary scores, or the difference of a pair of them."""
    if auxiliary is None:
        return None
    if isinstance(auxiliary, CVScores) or (isinstance(auxiliary, Mapping) and not paired):
        return complete_difference(auxiliary)
    if not paired or not isinstance(auxiliary, (tuple, list)) or len(auxiliary) != 2:
        raise TypeError(
            "auxiliary must be the scores on the auxiliary splits: of the one estimator, or with "
            "two estimators the pair of theirs, or the CVScores of their difference; got "
            f"{type(auxiliary).__name__}."
        )
    return complete_difference(*auxiliary)


def check_auxiliary(scores: CVScores, auxiliary: CVScores) -> tuple[Note, ...]:
    """Raise PairingError unless auxiliary scores belong to these; return notes on doubts."""
    check_same_metric(scores, auxiliary)
    if scores.shape[:-1] != auxiliary.shape[:-1]:
        raise PairingError(
            f"The scores have shape {scores.shape} and the auxiliary ones {auxiliary.shape}: both "
            "need the same estimators."
        )
    if scores.labels and auxiliary.labels and scores.labels != auxiliary.labels:
        raise PairingError(
            f"The scores are of {listed(scores.labels)} and the auxiliary ones of "
            f"{listed(auxiliary.labels)}: both need the same estimators, in the same order."
        )
    ours, theirs = scores.design, auxiliary.design
    if None not in (ours.y_digest, theirs.y_digest) and ours.y_digest != theirs.y_digest:
        raise PairingError(
            "The auxiliary scores were measured against another target y. Score both on the same "
            "data."
        )
    notes = []
    if any(design.y_digest is None and design.source is None for design in (ours, theirs)):
        text = (
            "not verified that the auxiliary scores are of the same data: pass y= to "
            "CVScores.from_cv_results for both"
        )
        notes.append(Note("auxiliary data not verified", text, None))
    if ours.n_samples // 2 < theirs.n_samples // 2:
        text = (
            f"the auxiliary splits were drawn from {theirs.n_samples} {theirs.unit}, those of the "
            f"estimate from {ours.n_samples}: right only if these are a part of the same data"
        )
        notes.append(Note("auxiliary pool", text, None))
    return tuple(notes)


def check_complete(
    scores: Mapping[str, CVScores], auxiliary: Mapping[str, CVScores] | None = None
) -> None:
    """Raise FitError at the first missing score, with all finished scores."""
    auxiliary = dict(auxiliary or {})
    for where, parts in (("", scores), ("On the auxiliary splits: ", auxiliary)):
        for measured in parts.values():
            try:
                measured.check_complete()
            except FitError as error:
                raise FitError(f"{where}{error}", scores, auxiliary) from None


def check_finite(name: str, sample: Sample) -> None:
    """Raise ValueError at the first score that is not finite."""
    holes = np.argwhere(~np.isfinite(sample.values))
    if len(holes):
        where = tuple(int(i) for i in holes[0])
        raise ValueError(
            f"{name} has a score that is {sample.values[where]} (at {where}, splits last). Fix "
            "its cause, or leave that split out for all estimators."
        )


def splits_last(x: Any, axis: int, name: str = "x", *, knowing: str = "") -> np.ndarray:
    """Return `x` as an array of floats with the splits along its last axis, after checking it."""
    x = as_real(x, name, knowing=knowing)
    if x.ndim == 0 or x.size == 0:
        raise ValueError(
            f"{name} has shape {x.shape}: expected at least one score, and one for each split."
        )
    if not is_integer(axis) or not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis={axis!r} is not an axis of {name}, which has shape {x.shape}.")
    return np.moveaxis(x, axis, -1)


def as_real(x: Any, name: str = "x", *, knowing: str = "") -> np.ndarray:
    """Return `x` as an array of floats, or raise an error that says why not."""
    if knowing and isinstance(x, (CVScores, Mapping)):
        raise TypeError(
            f"{name} is a {type(x).__name__}, which knows the sizes of its splits, so sizes must "
            f"not be given too. Call {knowing}()({name}), which reads them; or pass the "
            "bare numbers and their sizes."
        )
    array = np.ma.asanyarray(x) if isinstance(x, np.ma.MaskedArray) else as_array(name, x)
    if isinstance(array, np.ma.MaskedArray) or array.dtype.kind not in "biuf":
        masked = isinstance(array, np.ma.MaskedArray)
        remedy = "Leave out masked splits for all estimators" if masked else "Convert it to floats"
        raise ValueError(
            f"{name} must hold real numbers, one for each split; got {type(x).__name__} of dtype "
            f"{array.dtype}. {remedy}."
        )
    return array.astype(float, copy=False)


def as_scores(scores: Scores) -> CVScores:
    """Return `scores` as CVScores, or raise an error that says what to pass instead."""
    if isinstance(scores, CVScores):
        return scores
    if isinstance(scores, Mapping):
        return CVScores.from_cv_results(scores)
    remedy = where_scores_are(scores) or (
        " A bare array has lost the sizes of its splits: use the procedure's function, which asks "
        "for them."
    )
    raise TypeError(
        "Expected CVScores or the dict of cross_validate(..., return_indices=True), got "
        f"{type(scores).__name__}.{remedy}"
    )


def where_scores_are(given: Any) -> str:
    """Return a sentence on what to pass instead of a result; empty for other objects."""
    if hasattr(given, "scores_by_metric"):
        return (
            " A comparison holds the scores of each difference, result.tests[0].scores, and those "
            "of all its estimators, result.scores."
        )
    if isinstance(given, Inference):
        return " The scores that were tested are result.scores."
    return ""
