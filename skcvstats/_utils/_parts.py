"""Columns of a table that say which part of the data a row is of, such as its fold: no models."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

# What such columns are called, by what they tell apart.
_NAME = re.compile(
    r"(?:(?:cv|test|outer|inner|random)[\W_]*)?"
    r"(?:(?P<folds>fold|kfold|split|cv)|(?P<repeats>repeat|repetition|iteration|seed|sample)"
    r"|(?P<sets>set|subset|partition))s?(?:[\W_]*(?:id|nr|no|number|idx|index))?[\W_]*",
    re.IGNORECASE,
)
_INTEGER = re.compile(r"(?:[a-z]+[\W_]*)?-?\d+(?:\.0*)?")  # also "fold 3"
_MOST_PARTS = 100
_TRAINED = {"train", "training", "valid", "validation", "val", "dev"}
TRAINING_ROWS = "training rows"

_NO_MODEL = (
    "The column {0!r} has few integers: it seems to tell {1} apart, and to be no model. Compare "
    "out-of-fold predictions by compare_out_of_fold(..., folds=frame[{0!r}]), and scores of folds "
    "by compare_scores(..., design=SplitDesign.from_sizes(...)); else leave it out, frame.drop("
    "columns={0!r}). A model of this name can be passed in a mapping, {{{0!r}: ...}}."
)
_REFUSED = {
    **dict.fromkeys(("folds", "repeats", "sets"), _NO_MODEL),
    TRAINING_ROWS: "The column {0!r} has training rows, and a test set is wanted. Pass the test "
    "rows only, such as frame[frame[{0!r}] == 'test'], without this column.",
}
# Of columns of a frame of scores, one for each split.
REFUSED_IN_SCORES = dict.fromkeys(
    ("folds", "repeats", "sets"),
    "The column {0!r} has few integers: it seems to tell {1} apart, and to be no estimator. Leave "
    "it out, frame.drop(columns={0!r}). An estimator of this name can be passed in a mapping, "
    "{{{0!r}: ...}}.",
)
# Of columns of a long frame that are not named.
REFUSED_IN_LONG = {
    "folds": "The column {0!r} of the long frame has few integers: it seems to tell folds apart. "
    "Compare out-of-fold predictions by compare_out_of_fold(..., folds=...), a column for each "
    "model; else leave it out, frame.drop(columns={0!r}).",
    TRAINING_ROWS: _REFUSED[TRAINING_ROWS],
}


def part_in(name: Any, values: Any) -> str | None:
    """Return what a column of few integers, or of names of sets, tells apart; None for a model."""
    named = _NAME.fullmatch(str(name).strip())
    if named is None:
        return None
    labels = set(map(str.casefold, np.unique(np.asarray(values, dtype=str)).tolist()))
    if labels & _TRAINED:
        return TRAINING_ROWS
    is_of_parts = len(labels) <= _MOST_PARTS and all(map(_INTEGER.fullmatch, labels))
    return {True: named.lastgroup}.get(is_of_parts)


def refuse_parts(table: Any, refused: Mapping[Any, str] = _REFUSED) -> None:
    """Raise ValueError if a frame has a column that is no model but names a part of some kinds."""
    for name in table.columns:
        part = part_in(name, table[name])
        if part in refused:
            raise ValueError(refused[part].format(name, part))


def refuse_texts(table: Any, what: str, remedy: str) -> None:
    """Raise ValueError for a frame with a column of texts, as a long one has; {} is its name."""
    for name in getattr(table, "columns", ()):
        if isinstance(next(iter(table[name]), None), str):
            raise ValueError(
                f"{what} texts in the column {name!r}. Pass frame.astype(float) if they are "
                f"numbers. {remedy.format(repr(name))}"
            )
