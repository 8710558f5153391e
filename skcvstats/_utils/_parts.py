"""Columns of a table that say which part of the data a row is of, such as its fold: no models."""

import re
from typing import Any

import numpy as np

# What such columns are called, by what they tell apart.
_NAMES = {
    "folds": ("fold", "kfold", "split", "cv"),
    "repeats": ("repeat", "seed", "sample"),
    "sets": ("set", "subset", "partition"),
}
_NAMED = "|".join(f"(?P<{kind}>{'|'.join(names)})" for kind, names in _NAMES.items())
_NAME = re.compile(rf"(cv[\W_]*)?({_NAMED})s?([\W_]*(id|nr|no|number|idx|index))?", re.IGNORECASE)
_INTEGER = re.compile(r"-?\d+(\.0*)?")
_MOST_PARTS = 100
_TRAINED = {"train", "training", "valid", "validation", "val", "dev"}
TRAINING_ROWS = "training rows"


def part_in(name: Any, values: Any) -> str:
    """Return what a column of few integers, or of names of sets, tells apart; "" for a model."""
    named = _NAME.fullmatch(str(name).strip())
    if named is None:
        return ""
    labels = set(map(str.casefold, np.unique(np.asarray(values, dtype=str)).tolist()))
    if labels & _TRAINED:
        return TRAINING_ROWS
    is_of_parts = len(labels) <= min(_MOST_PARTS, len(values) / 2)
    is_of_parts &= all(map(_INTEGER.fullmatch, labels))
    kind = max(_NAMES, key=lambda kind: named.start(kind))  # -1 for the others
    return kind if is_of_parts else ""


_REFUSED = {
    TRAINING_ROWS: "The column {0!r} has training rows, and a test set is wanted. Pass the test "
    "rows only, such as frame[frame[{0!r}] == 'test'], without this column."
}
_NO_MODEL = (
    "The column {0!r} has few integers: it seems to tell {1} apart, and to be no model. Compare "
    "out-of-fold predictions by compare_out_of_fold(..., folds=frame[{0!r}]); else leave it out, "
    "frame.drop(columns={0!r}). A model of this name can be passed in a mapping, {{{0!r}: ...}}."
)


def refuse_parts(table: Any) -> None:
    """Raise ValueError if a frame of models has a column that is no model but names a part."""
    for name in table.columns:
        part = part_in(name, table[name])
        if part:
            raise ValueError(_REFUSED.get(part, _NO_MODEL).format(name, part))
