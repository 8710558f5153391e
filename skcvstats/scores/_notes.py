"""Note: a limitation of a result, stored with the splits and the scores."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from .. import exceptions
from .._utils._checks import listed
from .._utils._text import sentence
from .._utils._warn import warn_user
from ..exceptions import SplitDesignWarning

# The code of notes that are given as plain strings.
PLAIN = "note"
# Codes of what is likely for many models and says nothing of these scores.
_UNPRINTED = ("fixed seeds",)
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
    # The estimators that the text lists, if it is about these only.
    about: tuple[str, ...] = field(default=(), compare=False, repr=False)

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
        """What ends it where it is printed, after a space; nothing for a user's own note."""
        return "" if self.code == PLAIN else f" [{self.code}]"

    @property
    def is_printed(self) -> bool:
        """Whether it is printed with a result, and not only in `result.notes` and in reports."""
        return self.code not in _UNPRINTED

    def to_dict(self) -> dict[str, Any]:
        """Return the note as plain data, with the name of the category."""
        names: dict[str, Any] = {"about": list(self.about)} if self.about else {}
        return {"code": self.code, "text": self.text, "category": self.category_name, **names}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        name = data["category"]
        if name is not None and name not in _CATEGORIES:
            raise ValueError(
                f"The note {data['text']!r} is of the category {name!r}, which this skcvstats does "
                f"not know; it knows {', '.join(_CATEGORIES)}. Use the skcvstats that wrote it."
            )
        category = None if name is None else _CATEGORIES[name]
        return cls(data["code"], data["text"], category, about=tuple(data.get("about", ())))

    def of(self, names: Mapping[str, str]) -> Self:
        """Return the same about some estimators, under new names; without a text if of none."""
        kept = tuple(dict.fromkeys(names[name] for name in self.about if name in names))
        text = self.text.replace(listed(self.about), listed(kept))
        return replace(self, text=text if kept or not self.about else "", about=kept)


def note_on_some(code: str, where: Any, own: Callable[[int], str], text: str) -> tuple[Note, ...]:
    """Return a note on some of several tests, with what each has of it; on one test that alone."""
    texts = tuple(own(k) if here else "" for k, here in enumerate(where.tolist()))
    text = texts[0] if len(texts) == 1 else text
    return (Note(code, text, None, texts),) if any(texts) else ()


def as_notes(given: Any, name: str = "notes") -> tuple[Note, ...]:
    """Return notes, warnings and plain strings as notes, each once, after checking them."""
    single = isinstance(given, (str, Note)) or getattr(given, "shape", None) == ()
    notes: list[Any] = [None] if single or not isinstance(given, Iterable) else list(given)
    for k, one in enumerate(notes):
        if isinstance(one, Warning):
            notes[k] = Note(PLAIN, str(one), type(one))
        elif isinstance(one, str):
            notes[k] = Note(PLAIN, one, None)
        elif not isinstance(one, Note):
            raise TypeError(
                f"{name}={given!r} must be notes, warnings or strings in a tuple or list."
            )
        elif not isinstance(one.code, str) or not isinstance(one.text, str):
            raise TypeError(f"A note needs a code and a text, got {one.code!r}, {one.text!r}.")
        category = notes[k].category
        if category is not None and category not in _CATEGORIES.values():
            raise TypeError(
                f"category={category!r} must be None or one of skcvstats.exceptions: "
                f"{', '.join(_CATEGORIES)}."
            )
    return union(notes)


def union(*notes: Iterable[Note], of: int | None = None) -> tuple[Note, ...]:
    """Return all notes, each once, in their order; or what one of several tests has `of` them."""
    given = [note for some in notes for note in some]
    if of is not None:
        given = [
            note if note.own_texts is None else replace(note, text=own, own_texts=None)
            for note in given
            if (own := note.text if note.own_texts is None else note.own_texts[of])
        ]
    return tuple(dict.fromkeys(given))


def with_new(saved: Iterable[Note], new: Iterable[Note]) -> tuple[Note, ...]:
    """Return saved notes, and new ones unless one of their code is about the same estimators."""
    notes = {(note.code, note.about) for note in saved}
    return union(saved, (note for note in new if (note.code, note.about) not in notes))


def warn_of(notes: Iterable[Note]) -> None:
    """Give a warning for each note that is a warning, once."""
    for note in union(notes):
        if note.category is not None:
            warn_user(sentence(note.text), note.category)
