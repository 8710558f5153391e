"""The list of notes, and the ways through it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..scores import Note, union
from ._evidence import Evidence, MetricEvidence, MissingEvidenceError

# Looks for a note in an Evidence, or in the MetricEvidence of each metric.
Search = Callable[[Any], Iterator[Note]]


@dataclass(frozen=True)
class RegisteredNote:
    """A note with what a reader should know about it."""

    code: str
    title: str
    looks_for: str
    remedy: str
    search: Search
    on_metric: bool

    def find(self, evidence: Any) -> tuple[Note, ...]:
        """Return the notes that are due, none where the evidence for them is missing."""
        try:
            return tuple(self.search(evidence))
        except MissingEvidenceError:
            return ()


NOTES: list[RegisteredNote] = []


def note(
    code: str, *, title: str, looks_for: str, remedy: str, on_metric: bool = False
) -> Callable[[Search], Search]:
    """Put a function that looks for a note into the list; with `on_metric` it sees each metric."""

    def register(search: Search) -> Search:
        NOTES.append(RegisteredNote(code, title, looks_for, remedy, search, on_metric))
        return search

    return register


def find_notes(evidence: Evidence | MetricEvidence) -> tuple[Note, ...]:
    """Return the notes on the data, the splits and the models; or those on a metric."""
    on_metric = isinstance(evidence, MetricEvidence)
    return union(*(each.find(evidence) for each in NOTES if each.on_metric is on_metric))


def before_fits(evidence: Evidence) -> dict[str | None, tuple[Note, ...]]:
    """Return what is to be noted before the first fit: by metric, under None for all metrics."""
    notes: dict[str | None, tuple[Note, ...]] = {None: find_notes(evidence)}
    for metric in evidence.metrics:
        notes[metric.name] = find_notes(MetricEvidence(evidence, metric))
    return notes
