"""What scores and splits know for the functions that look for notes, and the way to these."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._notes import Note, union

if TYPE_CHECKING:
    from ._design import SplitDesign
    from ._scores import CVScores


class MissingEvidenceError(Exception):
    """A note asks for what this call does not know; the note is skipped."""


class Facts:
    """What is known of something; a note that asks for what is not known is skipped."""

    def __init__(self, **facts: Any) -> None:
        vars(self).update(facts)

    def __getattr__(self, name: str) -> Any:
        if name in type(self).__annotations__:
            raise MissingEvidenceError(name)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")


def find_notes(evidence: Any) -> tuple[Note, ...]:
    """Return the notes that look in this kind of evidence."""
    from ..notes import FURTHER_SEARCHES, NOTES

    kind = type(evidence)
    if kind in FURTHER_SEARCHES:
        return FURTHER_SEARCHES[kind](evidence)
    return union(*(search.find(evidence) for search in NOTES if search.looks_in is kind))


class FinishedScores(NamedTuple):
    """Scores of splits that were not measured here."""

    scores: "CVScores"


class FinishedLevel(NamedTuple):
    """Such scores, whose level tells something of the models."""

    scores: "CVScores"


class RepeatedScores(NamedTuple):
    """Scores of all repeats, of shape (n_repeats, ...), and what has a score in each."""

    values: np.ndarray
    units: str


class ScoresOfMetric(NamedTuple):
    """All scores in one metric."""

    parts: Sequence["CVScores"]


class ListedSplits(NamedTuple):
    """A design that was made of the rows of its splits, and these rows."""

    design: "SplitDesign"
    pairs: Sequence[Sequence[np.ndarray]]
    y: Any
    groups: Any
    n_rows: int  # of the data, as far as the splits show it
