"""Notes on splits: from the kind of the splitter, and from the rows of the splits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..exceptions import AnticonservativeWarning
from ._notes import Note
from ._overlap import OVERLAP, REFUSED

STRATIFIED = Note(
    "stratified",
    "the splits are stratified, which hides the part of the variance that comes from the class "
    "proportions: the interval is too short if one class is predicted better than another",
)
GROUPS_TORN = Note(
    "groups torn apart",
    "groups were given, but the splits divide them: rows of one group are in both the training and "
    "the test set, so the scores are too good and the sizes count rows; use "
    "RepeatedSubsampleSplit() or GroupKFold()",
)
TIME_ORDER = Note(
    "time order",
    "the splits are in time order: each trains on the rows before its test rows, so the splits are "
    "not exchangeable as the test assumes, and no procedure here is valid for them",
    AnticonservativeWarning,
)
SORTED_TARGET = Note(
    "sorted target",
    "folds of consecutive rows on a sorted target: each fold tests on values that the others lack; "
    "use KFold(shuffle=True) or cv=RepeatedSubsampleSplit()",
)
ROWS_REPEATED = Note(
    "repeated rows",
    "the splits repeat rows, as bootstrap samples do, and the sizes count each row once: a model "
    "is trained on more rows than n_train says, but on no more distinct ones",
)
NOT_AGAIN = Note(
    "unseeded splits",
    "the splits were drawn without a seed and cannot be drawn again: their sizes are known, but "
    "not their rows",
    None,
)
_FIXED_SUBSET = "fixed subset"

# Notes that apply only to several splits together.
_OF_SEVERAL = {STRATIFIED.code, TIME_ORDER.code, _FIXED_SUBSET, *REFUSED, OVERLAP}

_STRATIFIED_KINDS = {
    "StratifiedKFold",
    "StratifiedShuffleSplit",
    "StratifiedGroupKFold",
    "RepeatedStratifiedKFold",
}
_KINDS_WITHOUT_TARGET = {
    "GroupKFold",
    "GroupShuffleSplit",
    "KFold",
    "LeaveOneGroupOut",
    "LeaveOneOut",
    "LeavePGroupsOut",
    "LeavePOut",
    "RepeatedKFold",
    "ShuffleSplit",
    "TimeSeriesSplit",
}


def is_stratified(cv: Any) -> bool | None:
    """Return whether a splitter stratifies, or None if its kind does not show this."""
    names = [kind.__name__ for kind in type(cv).__mro__]
    if "LazySplitter" in names:
        return bool(cv.stratify)
    if _STRATIFIED_KINDS.intersection(names):
        return True
    return False if names[0] in _KINDS_WITHOUT_TARGET else None


def kind_notes(cv: Any, n_splits: int) -> tuple[Note, ...]:
    """Return the notes on a splitter whose splits need not be inspected."""
    return (STRATIFIED,) if n_splits > 1 and is_stratified(cv) else ()


def split_notes(
    *,
    n_splits: int,
    stratified: bool,
    torn: bool,
    in_time_order: bool,
    in_blocks: bool,
    rows_repeated: bool,
    subset: tuple[int, int] | None,
) -> tuple[Note, ...]:
    """Return a note for each observation about splits."""
    notes = []
    if subset is not None:
        notes.append(_fixed_subset(*subset))
    if torn:
        notes.append(GROUPS_TORN)
    if stratified:
        notes.append(STRATIFIED)
    if in_time_order:
        notes.append(TIME_ORDER)
    if in_blocks:
        notes.append(SORTED_TARGET)
    if rows_repeated:
        notes.append(ROWS_REPEATED)
    return notes_of_some(notes, n_splits)


def notes_of_some(notes: Iterable[Note], n_splits: int) -> tuple[Note, ...]:
    """Return the notes on splits that also apply to some of them."""
    return tuple(note for note in notes if n_splits > 1 or note.code not in _OF_SEVERAL)


def _fixed_subset(n_seen: int, n_rows: int) -> Note:
    return Note(
        _FIXED_SUBSET,
        f"all splits lie inside the same {n_seen} of {n_rows} rows, but the correction takes them "
        "as drawn from all; if the rest was set aside, leave it out of X, or use "
        "RepeatedSubsampleSplit(pool='fixed')",
    )


def is_sorted(y: Any) -> bool:
    """Return whether a target is sorted, or its classes come one after the other."""
    if y is None or hasattr(y, "toarray"):
        return False
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1 or y.size < 3:
        return False
    try:
        increases = y[1:] > y[:-1]
        decreases = y[1:] < y[:-1]
    except TypeError:  # labels that cannot be ordered
        return False
    if not (increases.any() or decreases.any()):
        return False
    if not (increases.any() and decreases.any()):
        return True
    n_distinct = len(set(y.tolist()))
    n_changes = int(np.count_nonzero(y[1:] != y[:-1]))
    return n_changes == n_distinct - 1 and n_distinct <= y.size // 2


class PlaceWatcher:
    """Inspects the positions of rows, split by split."""

    def __init__(self, n_kept: int) -> None:
        self._n_kept = n_kept
        self.tests: list[np.ndarray] = []
        self.in_time_order = True
        self.consecutive = True

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """Inspect the next split."""
        first, last = test.min(), test.max()
        self.in_time_order = self.in_time_order and bool(train.max() < first)
        self.consecutive = self.consecutive and bool(1 < test.size == last - first + 1)
        if len(self.tests) < self._n_kept:
            self.tests.append(test)
