"""Scores of several estimators on the same splits, joined as one CVScores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..scores import (
    Components,
    CVScores,
    RowLosses,
    check_same_metric,
    merged_provenance,
    pair_designs,
    provenance_of,
    union,
)


def stack_scores(scores: Mapping[str, CVScores]) -> CVScores:
    """Join the scores of estimators on the same splits into one CVScores."""
    if not scores:
        raise ValueError("No scores given; give those of at least two estimators.")
    several = {name: part.shape for name, part in scores.items() if part.ndim != 1}
    if several:
        raise ValueError(f"Expected the scores of one estimator each, got shapes {several}.")
    parts = list(scores.values())
    design, notes = parts[0].design, parts[0].notes
    for part in parts[1:]:
        check_same_metric(parts[0], part)
        design, unsure = pair_designs(design, part.design)
        notes = union(notes, part.notes, unsure)
    return CVScores(
        values=np.stack([part.values for part in parts]),
        design=design,
        labels=tuple(map(str, scores)),
        metric=parts[0].metric,
        fit_times=_stack([part.fit_times for part in parts]),
        score_times=_stack([part.score_times for part in parts]),
        losses=_stack_losses([part.losses for part in parts]),
        magnitude=np.stack([part.magnitude for part in parts]),
        failures=tuple((k, s, why) for k, part in enumerate(parts) for _, s, why in part.failures),
        notes=notes,
        provenance=merged_provenance(
            provenance_of(part, str(name)) for name, part in scores.items()
        ),
        components=_stack_components([part.components for part in parts]),
    )


def _stack(times: Sequence[np.ndarray | None]) -> np.ndarray | None:
    known = [part for part in times if part is not None]
    return np.stack(known) if len(known) == len(times) else None


def _stack_components(components: Sequence[Components | None]) -> Components | None:
    known = [part for part in components if part is not None]
    return Components.stacked(known) if len(known) == len(components) else None


def _stack_losses(losses: Sequence[RowLosses | None]) -> RowLosses | None:
    known = [part for part in losses if part is not None]
    if len(known) < len(losses):
        return None
    for part in known:
        part.check_same_rows(known[0])
    values = np.stack([part.values for part in known])
    magnitude = np.stack([part.magnitude for part in known])
    return RowLosses(values, known[0].rows, known[0].offsets, magnitude)
