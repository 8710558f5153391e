"""Note: a limitation of a result, stored with the splits and the scores.

Here are also those on values that do not suit their metric's name or each other, and where
intervals are cut at a metric's range.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .. import exceptions
from .._utils._metrics import known_of
from .._utils._text import sentence
from .._utils._warn import warn_user
from ..exceptions import SplitDesignWarning

if TYPE_CHECKING:
    from ._scores import CVScores

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

    def __str__(self) -> str:
        return self.text

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
    warnings = [note for note in notes if note.category is not None]
    for note in in_brief(warnings) if warnings else ():
        warn_user(sentence(note.text), note.category or UserWarning)


def codes(notes: Iterable[Note]) -> str:
    """List the codes of notes; a user's own note is listed by its text."""
    named = (note.text if note.code == PLAIN else note.code for note in notes)
    return "; ".join(dict.fromkeys(named))


# How many times as large a score in percent is, if no model is twice as good as another.
_PERCENT = 50, 200


def refuse_losses(metric: str, values: np.ndarray, remedy: str) -> None:
    """Raise ValueError for values that, by the name of the metric, are losses and not scores."""
    known = known_of(metric)
    if (known.sign < 0 or known.high <= 0) and reversed_notes(metric, values):
        what = "a loss" if known.sign < 0 else "a negated loss"
        raise ValueError(
            f"{metric!r} is the name of {what}, and these scores reach {np.nanmax(values):.4g}, so "
            f"the worst would be taken for the best. {remedy}"
        )


def reversed_notes(metric: str, values: np.ndarray) -> tuple[Note, ...]:
    """Return a note if these scores, by their name and sign, seem to be losses."""
    known, largest = known_of(metric), np.nan_to_num(np.abs(values), posinf=0.0).max()
    above = values > 1e-9 * largest + 1e-12  # by more than rounding
    if known.sign < 0 or known.high <= 0:
        is_reversed = above.any()
    else:  # the mean of losses of either sign has either sign
        several = values.shape[-1] > 1
        is_reversed = known.sign > 0 and metric.startswith("neg_") and several and above.all()
    if not is_reversed:
        return ()
    text = (
        f"{metric} is taken as a score, greater is better, but its name is that of a "
        f"{'loss' if known.sign < 0 else 'negated loss'} and it is above 0: if these "
        "are losses, the order is reversed"
    )
    return (Note("loss as score", text, None),)


def value_notes(*parts: "CVScores") -> tuple[Note, ...]:
    """Return what the values of scores in one metric make doubtful; nothing of differences."""
    if any(part.paired for part in parts):
        return ()
    metric = parts[0].metric
    values = np.concatenate([part.values.reshape(-1, part.values.shape[-1]) for part in parts])
    means = np.ma.masked_invalid(values).mean(axis=-1).filled(np.nan)
    sign, low, high = known_of(metric)
    notes = reversed_notes(metric, values)
    if notes:
        return notes if len(values) > 1 or high <= 0 else ()
    percent, share = means[means > 1], means[(means > 0) & (means <= 1)]
    ratio = np.median(percent) / np.median(share) if percent.size and share.size else 0.0
    of_two = ratio and percent.max() <= 100 and _PERCENT[0] <= ratio <= _PERCENT[1]
    if of_two and (high <= 1 or np.isinf([low, high]).all()):
        text = (
            f"some scores in {metric} are about 100 times as large as others: are they in percent? "
            "then divide them by 100"
        )
        return (Note("scores of two scales", text, None),)
    rounding = 1e-9 * np.nan_to_num(np.abs(means), posinf=0.0).max() + 1e-12
    if sign < 0 or not ((means > high + rounding) | (-means > rounding - low)).any():
        return ()
    text = (
        f"some scores are outside of the range of {metric}, {low:g} to {high:g}: are they in "
        "percent? then divide them by 100, and a margin too"
    )
    return (Note("scores out of range", text, None),)


# Options of scorers that give a metric another range.
_CHANGED = re.compile("adjusted=True|normalize=False")


def shown_ends(
    scores: "CVScores | None", low: Any, high: Any, *, row: int | None = None
) -> tuple[Any, Any]:
    """Return ends of intervals, finite ones cut at the range of the metric or of a difference."""
    # They are of all scores, or of one row of them.
    ends = np.asarray([low, high], dtype=float)
    limits = -np.inf, np.inf  # for scores of unknown range, and on another scale, as percent
    if scores is not None and not _CHANGED.search(str(scores.provenance.get("scoring"))):
        least, most = known_of(scores.provenance.get("measured", scores.metric))[1:]
        values, magnitude = scores.values, scores.magnitude
        if row is not None:
            values, magnitude = values[row], magnitude[row]
        on_scale = np.max(magnitude, initial=0.0) <= max(-least, most)
        if on_scale and scores.paired:
            limits = least - most, most - least
        elif on_scale and least <= values.min() and values.max() <= most:
            limits = least, most
    shown = np.where(np.isinf(ends), ends, np.clip(ends, *limits))
    return (shown[0], shown[1]) if shown.ndim > 1 else (float(shown[0]), float(shown[1]))


def with_shown_ends(frame: Any, scores: "CVScores | None") -> Any:
    """Return a frame with its intervals, ``low`` to ``high`` and others, as they are shown."""
    found = frame.copy()
    for low in [name for name in map(str, frame) if name.startswith("low")]:
        high = f"high{low[3:]}"
        found[low], found[high] = shown_ends(scores, frame[low], frame[high])
    return found
