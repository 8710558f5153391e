"""The list of notes, and the ways through it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..scores import CVScores, MissingEvidenceError, Note, find_notes
from ._evidence import Evidence, MetricEvidence, ScoresEvidence

# Looks for a note in a kind of evidence, which `looks_in` names.
Search = Callable[[Any], Iterator[Note]]


@dataclass(frozen=True)
class RegisteredNote:
    """A note with what a reader should know about it."""

    code: str
    title: str
    looks_for: str
    why: str
    remedy: str
    search: Search
    looks_in: type
    on_sound_data: str = ""  # in place of how often it was found there

    def find(self, evidence: Any) -> tuple[Note, ...]:
        """Return the notes that are due, none where the evidence for them is missing."""
        try:
            return tuple(self.search(evidence))
        except MissingEvidenceError:
            return ()


NOTES: list[RegisteredNote] = []


# What looks for all notes in a kind of evidence, where more is to be learned from it first.
FURTHER_SEARCHES: dict[type, Callable[[Any], tuple[Note, ...]]] = {}


def note(
    code: str,
    *,
    title: str,
    looks_for: str,
    why: str,
    remedy: str,
    looks_in: type = Evidence,
    on_sound_data: str = "",
) -> Callable[[Search], Search]:
    """Put a function that looks for a note into the list.

    It is called before the first fit, with the `Evidence` of the call or, where it `looks_in` it,
    the `SplitsEvidence` of each design or the `MetricEvidence` of each metric; or later, with the
    `ScoresEvidence` of the scores in each, or with what else one door knows, as `_evidence.py` has.
    A note that tells a fact has no false alarms; what it says of itself is `on_sound_data`.
    """

    def register(search: Search) -> Search:
        explained = (code, title, looks_for, why, remedy)
        NOTES.append(RegisteredNote(*explained, search, looks_in, on_sound_data))
        return search

    return register


def before_fits(evidence: Evidence) -> dict[str | None, tuple[Note, ...]]:
    """Return what is to be noted before the first fit: by metric, under None for all metrics."""
    notes: dict[str | None, tuple[Note, ...]] = {None: find_notes(evidence)}
    for metric in evidence.metrics:
        notes[metric.name] = find_notes(MetricEvidence(evidence, metric))
    return notes


def on_scores(evidence: Evidence, **facts: Any) -> tuple[Note, ...]:
    """Return what is to be noted on scores in one metric, with these facts."""
    return find_notes(ScoresEvidence(evidence, **facts))


def with_notes(evidence: Evidence, scores: CVScores, **facts: Any) -> CVScores:
    """Return scores with what is to be noted on them, and with the score of a constant."""
    found = ScoresEvidence(evidence, scores=scores, **facts)
    noted = scores.with_notes(find_notes(found))
    return noted._made(**vars(noted) | {"provenance": found.provenance})
