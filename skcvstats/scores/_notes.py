"""Note: a limitation of a result, stored with the splits and the scores."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np

from .._utils._checks import check_several, is_list_of, listed
from .._utils._text import as_sentence, called
from .._utils._warn import warn_user
from ..exceptions import AnticonservativeWarning, DegenerateScoresWarning, SplitDesignWarning

# The code of notes that are given as plain strings.
PLAIN = "note"
# Codes of what limits no answer: it is likely for many models, or it is how the numbers were made.
_UNPRINTED = ("fixed seeds", "method", "mean of AUC", "mean over rows", "fits differ")
# By name, the warnings as which a note may be given.
_CATEGORIES: dict[str, type[Warning]] = {
    "AnticonservativeWarning": AnticonservativeWarning,
    "DegenerateScoresWarning": DegenerateScoresWarning,
    "SplitDesignWarning": SplitDesignWarning,
}


@dataclass(frozen=True)
class Note:
    """A limitation that a reader of a result should know, with the class of its warning."""

    code: str
    text: str
    category: type[Warning] | None = SplitDesignWarning
    # The estimators that the text is about, if it is about these only.
    about: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.text

    @property
    def name(self) -> str:
        """The code, or the text of a user's own note."""
        return self.text if self.code == PLAIN else self.code

    @property
    def category_name(self) -> str | None:
        """The name of the class of its warning."""
        return None if self.category is None else self.category.__name__

    @property
    def code_in_brackets(self) -> str:
        """The code as it is printed after the text; empty for a user's own note."""
        return "" if self.code == PLAIN else f" [{self.code}]"

    @property
    def is_printed(self) -> bool:
        """Whether it is printed with a result, and not only in `result.notes` and in reports."""
        return self.code not in _UNPRINTED

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return the note about those of its estimators that have new names, under these."""
        kept = tuple(dict.fromkeys(names[name] for name in self.about if name in names))
        said = listed(map(called, self.about))
        text = self.text.replace(said, listed(map(called, kept)))
        return replace(self, text=text, about=kept)


# What a saved note may contain, by name.
CLASSES_OF_NOTES: dict[str, type] = {"Note": Note, **_CATEGORIES}


class NoteOnTests(NamedTuple):
    """A note on several tests together, and one on each of those that it is about."""

    together: Note
    on_each: Mapping[int, Note]  # by the position of the test


def note_on_tests(
    code: str, where: Any, text_of: Callable[[int], str], text: str
) -> tuple[NoteOnTests, ...]:
    """Return a note on the tests at some positions, if any; of a single test it has the text."""
    on_each = {k: Note(code, text_of(k), None) for k in np.flatnonzero(where).tolist()}
    if not on_each:
        return ()
    together = Note(code, text, None)
    if len(where) == 1:
        together = on_each[0]
    return (NoteOnTests(together, on_each),)


# By code, the notes on single tests that replace the note on all of them together, each under the
# position of its test or the names of its estimators.
NotesOnEach = Mapping[str, Mapping[Any, Note]]


def notes_about(
    notes: Iterable[Note],
    names: Sequence[str] | None,
    on_each: NotesOnEach = MappingProxyType({}),
    test: Any = 0,
) -> tuple[Note, ...]:
    """Return the notes on some estimators, without the names of others, and on the test of them."""
    selected = list[Note]()
    for note in notes:
        if note.code in on_each:
            if test in on_each[note.code]:
                selected.append(on_each[note.code][test])
        elif names is None or not note.about:
            selected.append(note)
        elif not set(names).isdisjoint(note.about):
            selected.append(note.renamed(dict(zip(names, names, strict=True))))
    return union(selected)


def codes_of(notes: Iterable[Note]) -> str:
    """List the codes of notes, each once; a user's own note is listed by its text."""
    return "; ".join(dict.fromkeys(note.name for note in notes))


def as_notes(values: Any, name: str = "notes") -> tuple[Note, ...]:
    """Return notes, warnings and plain strings as notes, each once, after checking them."""
    check_several(name, values, "notes, warnings or strings")
    return union(map(_as_note, values))


@singledispatch
def _as_note(value: Any) -> Note:
    """Return a note, a warning or a string as a note; raise TypeError for anything else."""
    raise TypeError(f"notes must be notes, warnings or strings in a tuple or list, got {value!r}.")


@_as_note.register
def _(value: str) -> Note:
    return Note(PLAIN, value, None)


@_as_note.register
def _(value: Warning) -> Note:
    return _as_note(Note(PLAIN, str(value), type(value)))


@_as_note.register
def _(value: Note) -> Note:
    if not is_list_of((value.code, value.text), str):
        raise TypeError(f"A note needs a code and a text, got {value.code!r}, {value.text!r}.")
    if not isinstance(value.about, tuple) or not is_list_of(value.about, str):
        raise TypeError(f"about={value.about!r} must be a tuple of the names of estimators.")
    if value.category not in (None, *_CATEGORIES.values()):
        raise TypeError(
            f"category={value.category!r} must be None or one of skcvstats.exceptions: "
            f"{', '.join(_CATEGORIES)}."
        )
    return value


def union(*notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return all notes, each once, in their order."""
    return tuple(dict.fromkeys(chain.from_iterable(notes)))


def with_new(saved: Iterable[Note], new: Iterable[Note]) -> tuple[Note, ...]:
    """Return saved notes, and new ones unless one of their code is about the same estimators."""
    # A saved note without names is about all estimators, as older files do not record the names.
    subjects = {(note.code, note.about) for note in saved}

    def is_new(note: Note) -> bool:
        return subjects.isdisjoint([(note.code, note.about), (note.code, ())])

    return union(saved, filter(is_new, new))


def warn_of(notes: Iterable[Note]) -> None:
    """Give a warning for each note that is a warning, once."""
    for note in union(notes):
        if note.category is not None:
            warn_user(as_sentence(note.text), note.category)
