"""Note: a limitation of a result, stored with the splits and the scores.

Here are also those on values that do not suit their metric's name or each other, and where
intervals are cut at a metric's range.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .. import exceptions
from .._utils._checks import listed
from .._utils._metrics import AT_TIMES_0, BEST_OF_SOME, CALLED, METRICS, OF_FOLDS, Known, known_of
from .._utils._text import sentence
from .._utils._warn import warn_user
from ..exceptions import SplitDesignWarning

if TYPE_CHECKING:
    from ._scores import CVScores

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


def warn_of(notes: Iterable[Note]) -> None:
    """Give a warning for each note that is a warning, once."""
    for note in union(notes):
        if note.category is not None:
            warn_user(sentence(note.text), note.category)


# Rows without an error that are hardly luck; rows of a test set on which a score of 0 hardly is, if
# others are above the next, at so small a chance and so steady; how much larger losses may be.
_FEWEST_RIGHT, _FEWEST_TESTED, _FAR_FROM_0, _BY_CHANCE, _STEADY, _ALIKE = 50, 10, 0.3, 1e-4, 6, 3
# How many times as large a score in percent is, if no model is twice as good as another.
_PERCENT = 50, 200


def refuse_losses(metric: str, values: np.ndarray, remedy: str) -> tuple[Note, ...]:
    """Raise ValueError for losses by the name of the metric; return a note if they may be."""
    known, doubts = known_of(metric), _reversed_notes(metric, values)
    if doubts and (known.sign < 0 or known.high <= 0):
        what = "a loss" if known.sign < 0 else "a negated loss"
        raise ValueError(
            f"{metric!r} is the name of {what}, and these scores reach {np.nanmax(values):.4g}, so "
            f"the worst would be taken for the best. {remedy}"
        )
    return doubts


def _reversed_notes(metric: str, values: np.ndarray) -> tuple[Note, ...]:
    """Return a note if these scores, by their name and sign, seem to be losses."""
    known, largest = known_of(metric), np.nan_to_num(np.abs(values), posinf=0.0).max(initial=0.0)
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
    metric, measured = parts[0].metric, parts[0].provenance.get("measured", parts[0].metric)
    values = np.concatenate([part.values.reshape(-1, part.values.shape[-1]) for part in parts])
    means = np.ma.masked_invalid(values).mean(axis=-1).filled(np.nan)
    sign, low, high = known_of(metric)
    notes = _reversed_notes(metric if sign else measured, values)
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
    if sign >= 0 and ((means > high + rounding) | (-means > rounding - low)).any():
        text = (
            f"some scores are outside of the range of {metric}, {low:g} to {high:g}: are they in "
            "percent? then divide them by 100, and a margin too"
        )
        return (Note("scores out of range", text, None),)
    labels = [name for part in parts for name in part.labels or ("the scores",)]
    return tuple(_odd_notes(parts[0], known_of(measured), values, np.array(labels, dtype=object)))


_FEWEST_FOLDS = 3  # of the row t-test
# With more splits in folds, the row t-test's intervals are not shorter than the corrected t-test's.
_FEW_SPLITS = 15


def means_of_folds(scores: "CVScores") -> tuple[Note, ...]:
    """Return a note if the scores of rows, which finished scores of folds lack, would tell more."""
    design = scores.design
    known = METRICS.get(scores.metric) or METRICS.get(CALLED.get(scores.metric, ""))
    has_rows = known is None or known.is_row_mean or known.function in OF_FOLDS
    whole = sum(design.n_train) + sum(design.n_test) == design.n_splits * design.n_samples
    few = design.shape[-1] < _FEWEST_FOLDS or min(design.n_test) < 2
    if "fold" not in design.levels or few or not (whole and has_rows) or scores.row_scores:
        return ()
    length = "shorter intervals, which" if design.n_splits <= _FEW_SPLITS else "intervals that"
    text = (
        "only the means of folds are known; "
        f"{'' if known else 'if the metric is a mean over rows, '}the scores of the rows would "
        f"give {length} vary less from one data set to another: compare_estimators and "
        "cross_val_inference keep them"
    )
    return (Note("means of folds", text, None),)


def _odd_notes(
    scores: "CVScores", known: Known, values: np.ndarray, labels: np.ndarray
) -> Iterator[Note]:
    """Yield a note for each kind of scores that fitted models hardly have."""
    metric, sizes = scores.provenance.get("measured", scores.metric), scores.design.n_test
    found: list[tuple[str, Any, str]] = []
    if metric.removeprefix("neg_") == "max_error":
        text = f"{metric} grows with the size of the test set: this is its value for this size"
        yield Note("largest error", text, None)
    name = scores.metric
    if metric.startswith("neg_") and known_of(name).sign == 0 and not name.startswith("neg_"):
        text = (
            f"scores in {name} are minus {metric.removeprefix('neg_')}, so a higher score is a "
            f"lower {name}; call it 'neg_{name}' to read it as a loss"
        )
        yield Note("minus a loss", text, None)
    n_rows = min(scores.design.n_samples, sum(sizes))
    constant = scores.provenance.get("score of a constant")
    if n_rows >= _FEWEST_RIGHT and not BEST_OF_SOME.search(metric) and constant != known.high:
        text = "no error in any row (is the target among the columns, or are these training rows?)"
        negated = metric.startswith("neg_") and (values <= 0).all()
        high = 0.0 if negated else known.high  # also of losses that may be negative
        scale = high or np.abs([*values.flat, constant or 0.0]).max()
        best = high - 1e-9 * scale
        found.append(("no errors", (values >= best).all(axis=1), text))
    least = np.where(values == 0, np.inf, np.abs(values)).min(axis=1)
    failed = (values == 0).any(axis=1) & (least >= _FAR_FROM_0) & (least < np.inf)
    for k in np.flatnonzero(failed):  # in some of several splits
        others, rare = np.abs(values[k][values[k] != 0]), AT_TIMES_0.search(metric)
        mean, apart = others.mean(), others.std()
        by_chance = max(1 - mean, 0.0) ** min(sizes) > _BY_CHANCE  # of a share of the rows
        steady = not rare or (min(sizes) >= _FEWEST_RIGHT and mean > _STEADY * apart > 0)
        failed[k] = min(sizes) >= _FEWEST_TESTED and steady and not by_chance
    if failed.any():
        failed = (values == 0).any(axis=1) & ~(values == 0).all(axis=1)
    text = "scores of exactly 0 in some splits (did fits fail there, with error_score=0?)"
    if "estimators" in scores.provenance:  # fitted here, where no failed fit has a score
        text = text.partition(" (")[0]
        if AT_TIMES_0.search(metric):
            text += ": the class is rare there; use larger test sets, or another metric"
    found.append(("scores of 0", failed, text))
    several = values.shape[1] > 1
    if several and "accuracy" in (metric, CALLED.get(metric)):
        whole = scores.design._are_shares(values).all(axis=1)
        text = "not k/n_test as others are (averaged, weighted, or of other test rows?)"
        found.append(("no shares", ~whole & whole.any() & (scores.design.unit == "rows"), text))
    below, above = values.max(axis=1) < 0, values.min(axis=1) > 0
    if several and np.isinf(known[1:]).all() and below.any() and above.any():
        of_both = [np.median(np.abs(values[part]), axis=0) for part in (below, above)]
        ratio = np.median(of_both[0]) / np.median(of_both[1])
        # As r2 may be: losses of both would rise together, so that one falls as the other rises.
        with np.errstate(invalid="ignore", divide="ignore"):
            rising = np.corrcoef(values[below][0], values[above][0])[0, 1] > 0.3
        of_shares = values.max() <= 1 and rising
        if 1 / _ALIKE < ratio < _ALIKE and not of_shares:
            text = "all below 0, those of others all above (are some of them negated losses?)"
            found.append(("scores of two signs", below, text))
    for code, which, text in found:
        if which.any():
            named = listed(labels[: len(which)][which].tolist())
            yield Note(code, f"{named} in {scores.metric}: {text}", None)
    if scores.design.digests is None and scores.design.levels == ("repeat", "fold"):  # only stated
        stated = values.reshape(len(values), *scores.design.shape)
        yield from repeat_notes_of(np.moveaxis(stated, 1, 0), "folds")


def repeat_notes_of(repeats: Any, of: str = "rows") -> tuple[Note, ...]:
    """Return a note if two repeats, of shape (n_repeats, ...), have the same scores that vary."""
    for one, other in combinations(range(len(repeats)), 2):
        if np.array_equal(repeats[one], repeats[other]) and np.ptp(repeats[one]) > 0:
            text = (
                f"repeats {one} and {other} have the same scores in all {of}: if one was passed "
                "twice, the variance is too small; pass each repeat once"
            )
            return (Note("same repeats", text, None),)
    return ()


def shown_ends(scores: "CVScores | None", low: Any, high: Any) -> tuple[Any, Any]:
    """Return ends of intervals, finite ones cut at the range of the metric or of a difference."""
    ends = np.asarray([low, high], dtype=float)
    limits = (-np.inf, np.inf) if scores is None else scores._limits
    shown = np.where(np.isinf(ends), ends, np.clip(ends, *limits))
    return (shown[0], shown[1]) if shown.ndim > 1 else (float(shown[0]), float(shown[1]))


def with_shown_ends(frame: Any, scores: "CVScores | None") -> Any:
    """Return a frame with its intervals, ``low`` to ``high`` and others, as they are shown."""
    found = frame.copy()
    for low in [name for name in map(str, frame) if name.startswith("low")]:
        high = f"high{low[3:]}"
        found[low], found[high] = shown_ends(scores, frame[low], frame[high])
    return found
