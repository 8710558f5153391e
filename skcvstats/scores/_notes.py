"""Note: a limitation of a result, stored with the splits and the scores."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from .. import exceptions
from .._utils._text import sentence
from .._utils._warn import warn_user
from ..exceptions import SplitDesignWarning

# The code of notes that are given as plain strings.
PLAIN = "note"
# What cv=5 has: together they are one note.
_OF_FOLDS = ("stratified", "single k-fold", "few splits")
_CATEGORIES: dict[str, type[Warning]] = {
    name: kind
    for name in exceptions.__all__
    if issubclass(kind := getattr(exceptions, name), Warning)
}


@dataclass(frozen=True)
class Note:
    """A limitation that a reader of a result should know, with the class of its warning."""

    code: str
    text: str
    category: type[Warning] | None = SplitDesignWarning
    # What each of several tests has of it instead: an empty text where it does not concern one.
    own_texts: tuple[str, ...] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.code, str) or not isinstance(self.text, str):
            raise TypeError(f"A note needs a code and a text, got {self.code!r}, {self.text!r}.")
        if self.category is not None and self.category not in _CATEGORIES.values():
            raise TypeError(
                f"category={self.category!r} must be None or one of skcvstats.exceptions: "
                f"{', '.join(_CATEGORIES)}."
            )

    def __str__(self) -> str:
        return self.text

    def of(self, k: int) -> tuple[Self, ...]:
        """Return the note as one of several tests has it, if it has it."""
        if self.own_texts is None:
            return (self,)
        own = self.own_texts[k]
        return (replace(self, text=own, own_texts=None),) if own else ()

    def to_dict(self) -> dict[str, str | None]:
        """Return the note as plain data, with the name of the category."""
        name = None if self.category is None else self.category.__name__
        return {"code": self.code, "text": self.text, "category": name}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        name = data["category"]
        if name is not None and name not in _CATEGORIES:
            raise ValueError(
                f"The note {data['text']!r} is of the category {name!r}, which this skcvstats does "
                f"not know; it knows {', '.join(_CATEGORIES)}. Use the skcvstats that wrote it."
            )
        return cls(data["code"], data["text"], None if name is None else _CATEGORIES[name])


def note_on_some(code: str, where: Any, own: Callable[[int], str], text: str) -> tuple[Note, ...]:
    """Return a note on some of several tests, with what each has of it; on one test that alone."""
    texts = tuple(own(k) if here else "" for k, here in enumerate(where.tolist()))
    text = texts[0] if len(texts) == 1 else text
    return (Note(code, text, None, texts),) if any(texts) else ()


def as_notes(given: Any, name: str = "notes") -> tuple[Note, ...]:
    """Return notes, warnings and plain strings as notes, each once."""
    single = isinstance(given, (str, Note)) or getattr(given, "shape", None) == ()
    notes = None if single or not isinstance(given, Iterable) else [_as_note(x) for x in given]
    if notes is None or not all(isinstance(note, Note) for note in notes):
        raise TypeError(f"{name}={given!r} must be notes, warnings or strings in a tuple or list.")
    return union(notes)


def _as_note(given: Any) -> Any:
    if isinstance(given, Warning):
        return Note(PLAIN, str(given), type(given))
    return Note(PLAIN, given, None) if isinstance(given, str) else given


def union(*notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return all notes, each once, in the order of their first occurrence."""
    return tuple(dict.fromkeys(note for some in notes for note in some))


def in_brief(notes: Iterable[Note]) -> list[Note]:
    """Return notes, each once, with a single one in place of several on usual folds."""
    given = list(union(notes))
    usual = [note for note in given if note.code in _OF_FOLDS]
    if len(usual) < 2:
        return given
    text = (
        f"these splits make the inference weak ({', '.join(note.code for note in usual)}): prefer "
        "cv=RepeatedSubsampleSplit(); the notes of a result say why"
    )
    return [Note("folds", text), *(note for note in given if note not in usual)]


def warn_of(notes: Iterable[Note]) -> None:
    """Give a warning for each note that is a warning, once."""
    for note in in_brief(note for note in notes if note.category is not None):
        if note.category is not None:
            warn_user(sentence(note.text), note.category)


def codes(notes: Iterable[Note]) -> str:
    """List the codes of notes; a user's own note is listed by its text."""
    named = (note.text if note.code == PLAIN else note.code for note in notes)
    return "; ".join(dict.fromkeys(named))
