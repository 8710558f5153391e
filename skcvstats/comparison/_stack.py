"""Scores of several estimators, however they are given, as one CVScores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..scores import (
    CVScores,
    RowLosses,
    SplitDesign,
    check_same_metric,
    merged_provenance,
    pair_designs,
    provenance_of,
    union,
)
from ..stats import as_scores, where_scores_are


def as_stack(
    scores: CVScores | Mapping[str, Any], metric: str | None, design: SplitDesign | None = None
) -> CVScores:
    """Return the scores of two or more estimators as one CVScores."""
    if isinstance(scores, CVScores):
        sample = scores
        _check_metric(sample, metric)
        _check_design_is_wanted(design, [])
    elif isinstance(scores, Mapping):
        sample = stack_scores({name: _named(one, metric, design) for name, one in scores.items()})
        read = [one for one in scores.values() if not isinstance(one, CVScores)]
        _check_design_is_wanted(design, read)
    else:
        raise TypeError(
            "Expected CVScores of several estimators or a mapping from names to their scores, "
            f'such as {{"tree": a, "forest": b}}, got {type(scores).__name__}.'
            f"{where_scores_are(scores)}"
        )
    if sample.ndim != 2:
        raise ValueError(
            f"A comparison needs the scores of at least two estimators, got shape {sample.shape}."
            " For one, use CVScores.confidence_interval."
        )
    return sample


def _check_design_is_wanted(design: SplitDesign | None, read: Sequence[Any]) -> None:
    if design is not None and not read:
        raise ValueError(
            "design= states the splits of cross_validate's results, but these scores are CVScores, "
            "which know their splits; leave design out."
        )


def _named(scores: Any, metric: str | None, design: SplitDesign | None) -> CVScores:
    if isinstance(scores, Mapping) and not isinstance(scores, CVScores):
        return CVScores.from_cv_results(scores, metric=metric, design=design)
    sample = as_scores(scores)
    _check_metric(sample, metric)
    return sample


def _check_metric(scores: CVScores, metric: str | None) -> None:
    if metric not in (None, scores.metric):
        raise ValueError(f"metric={metric!r}, but these are scores of {scores.metric!r}.")


def stack_scores(scores: Mapping[str, CVScores]) -> CVScores:
    """Join the scores of estimators on the same splits into one CVScores.

    Parameters
    ----------
    scores : mapping of str to CVScores of shape (n_splits,)
        By name.

    Returns
    -------
    CVScores
        Of shape (n_estimators, n_splits).

    Raises
    ------
    PairingError
        If they were not measured on the same splits, or measure different things.
    """
    if not scores:
        raise ValueError("No scores given; give those of at least two estimators.")
    several = {name: one.shape for name, one in scores.items() if one.ndim != 1}
    if several:
        raise ValueError(f"Expected the scores of one estimator each, got shapes {several}.")
    parts = list(scores.values())
    design, notes = parts[0].design, parts[0].notes
    for part in parts[1:]:
        check_same_metric(parts[0], part)
        design, unsure = pair_designs(design, part.design)
        notes = union(notes, part.notes, unsure)
    return CVScores(
        values=np.stack([one.values for one in parts]),
        design=design,
        labels=tuple(map(str, scores)),
        metric=parts[0].metric,
        fit_times=_stack([one.fit_times for one in parts]),
        score_times=_stack([one.score_times for one in parts]),
        losses=_stack_losses([one.losses for one in parts]),
        magnitude=np.stack([one.magnitude for one in parts]),
        failures=tuple((k, s, why) for k, one in enumerate(parts) for _, s, why in one.failures),
        notes=notes,
        provenance=merged_provenance(provenance_of(one, str(name)) for name, one in scores.items()),
    )


def _stack(times: Sequence[np.ndarray | None]) -> np.ndarray | None:
    known = [one for one in times if one is not None]
    return np.stack(known) if len(known) == len(times) else None


def _stack_losses(losses: Sequence[RowLosses | None]) -> RowLosses | None:
    known = [one for one in losses if one is not None]
    if len(known) < len(losses):
        return None
    for one in known:
        one.check_same_rows(known[0])
    values = np.stack([one.values for one in known])
    magnitude = np.stack([one.magnitude for one in known])
    return RowLosses(values, known[0].rows, known[0].offsets, magnitude)
