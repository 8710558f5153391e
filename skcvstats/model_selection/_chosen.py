"""Compare candidates of a search or of a study that were tried on the same splits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from .._utils._checks import is_integer, listed
from .._utils._text import counted, sentence
from .._utils._warn import warn_user
from ..comparison import ComparisonPlan, ComparisonResult
from ..exceptions import FitError
from ..scores import CVScores, Note
from ..stats import Procedure
from ._candidates import in_common
from ._search_notes import OPTIMISTIC_WINNER, reference_notes, selection_notes


@dataclass(frozen=True)
class Choice:
    """The options of the comparison; see `compare_candidates`."""

    reference: str | None
    adjustment: str
    top: int | None
    confidence_level: float
    margin: Any


def compare_chosen(
    scores: Mapping[str, CVScores],
    test: Procedure,
    choice: Choice,
    params: Sequence[Mapping[str, Any]],
    *,
    scoring: str,
    write: Callable[[Mapping[str, Any]], str],
    unseeded: Any = None,
    notes: Iterable[Note] = (),
    causes: Sequence[str] = (),
    again: str,
) -> ComparisonResult:
    """Compare candidates that have all their scores, and note the effect of having chosen them."""
    labels = next(iter(scores.values())).labels
    complete = _complete(scores, labels, choice.reference, causes, again)
    candidates = _top(scores, complete, choice.top, choice.reference)
    provenance = {
        "scoring": scoring,
        "estimators": {labels[k]: write(params[k]) for k in candidates},
        "unseeded": {labels[k]: unseeded for k in candidates if unseeded},
        "search": {"in common": in_common(params)},
    }
    taken = {metric: _take(found, candidates, provenance) for metric, found in scores.items()}
    compared = tuple(labels[k] for k in candidates)
    plan = ComparisonPlan(
        test,
        choice.reference,
        choice.adjustment,
        compared,
        choice.confidence_level,
        choice.margin,
    )
    selection = selection_notes(len(complete), len(candidates), choice.top)
    notes_by_metric = {
        metric: (
            OPTIMISTIC_WINNER,
            *notes,
            *selection,
            *(reference_notes(found, choice.reference, test) if plan.favours_the_best else ()),
        )
        for metric, found in taken.items()
    }
    chosen_from = None
    if len(candidates) < len(complete):
        chosen_from = {metric: _take(found, complete, {}) for metric, found in scores.items()}
    return plan.run(taken, notes_by_metric=notes_by_metric, chosen_from=chosen_from)


def check_several(params: Sequence[Mapping[str, Any]], where: str) -> None:
    """Raise ValueError if there are not several candidates."""
    if len(params) > 1:
        return
    raise ValueError(
        f"{where} had one candidate only, {dict(params[0])}, so there is nothing to compare it "
        "with. Search over more candidates, or estimate its score alone with cross_val_inference."
    )


def _complete(
    scores: Mapping[str, CVScores],
    labels: tuple[str, ...],
    reference: str | None,
    causes: Sequence[str],
    again: str,
) -> list[int]:
    """Return the candidates that have all scores, and warn about the others."""
    whole = np.logical_and.reduce(
        [np.isfinite(found.values).all(axis=1) for found in scores.values()]
    )
    failed = [label for label, good in zip(labels, whole, strict=True) if not good]
    if len(labels) - len(failed) < 2:
        known = "".join(f"{sentence(cause)} " for cause in causes)
        raise FitError(
            f"{len(failed)} of {counted(len(labels), 'candidate')} have scores that are missing, "
            f"so there is nothing to compare. {known}Fix the cause and {again}.",
            scores,
        )
    if reference in failed:
        raise FitError(
            f"reference={reference!r} had fits or scores that failed, so nothing can be "
            f"compared with it. Choose another, or fix the cause and {again}.",
            scores,
        )
    if failed:
        warn_user(
            f"{listed(failed)} had fits or scores that failed, and are left out of the comparison.",
            FitFailedWarning,
        )
    return np.flatnonzero(whole).tolist()


def _top(
    scores: Mapping[str, CVScores], candidates: list[int], top: int | None, reference: str | None
) -> list[int]:
    """Return the candidates with the highest mean scores in the first metric, and the reference."""
    if top is None:
        return candidates
    if not is_integer(top) or top < 2:
        raise ValueError(f"top={top!r} must be an integer of at least 2, or None for all.")
    first = next(iter(scores.values()))
    means = first.values[candidates].mean(axis=1)
    best = {candidates[k] for k in np.argsort(-means, kind="stable")[:top]}
    return sorted(best | {k for k in candidates if first.labels[k] == reference})


def _take(scores: CVScores, candidates: list[int], provenance: Mapping[str, Any]) -> CVScores:
    return replace(
        scores,
        values=scores.values[candidates],
        labels=tuple(scores.labels[k] for k in candidates),
        magnitude=scores.magnitude[candidates],
        provenance=provenance,
    )
