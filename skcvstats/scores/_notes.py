"""Note: what weakens a result, as an object that travels with the splits and the scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .._utils import sentence, warn_user
from ..exceptions import SplitDesignWarning


@dataclass(frozen=True)
class Note:
    """What a reader of a result should know, and as which warning it is given.

    Parameters
    ----------
    code : str
        What it is about, such as "stratified"; the same in every version.
    text : str
        In words, without a full stop; ``str(note)`` is this.
    category : type of Warning or None, default=SplitDesignWarning
        The class of the warning; None where it is no warning.
    """

    code: str
    text: str
    category: type[Warning] | None = SplitDesignWarning

    def __str__(self) -> str:
        return self.text


def union(*notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return all notes, each once, in the order of their first occurrence.

    Parameters
    ----------
    *notes : iterable of Note
        Several collections.
    """
    return tuple(dict.fromkeys(note for some in notes for note in some))


def warn_of(notes: Iterable[Note]) -> None:
    """Warn of each note that is a warning, once.

    Parameters
    ----------
    notes : iterable of Note
        What was found.
    """
    for note in dict.fromkeys(notes):
        if note.category is not None:
            warn_user(sentence(note.text), note.category)
