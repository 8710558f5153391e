"""What limits an answer, and on what a gate does not decide."""

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

import pandas as pd

from .._utils._text import counted
from ..scores import Note
from ._parser import InputError
from ._table import named_by, plain

_MISSING_ROWS = "missing rows"
_SUBJECTS = "repeated subjects"
_LEAST_REPEATED = 0.05  # of the rows, which share an identifier with others
_NEXT_ROWS = (
    "pass --groups with a column of blocks of neighbouring rows, or --time with a column of times"
)
_COPIES = "pass --groups with a column that has one value for a row and its copies"
# Notes that make a gate undecided, and what to do.
_UNDECIDED = {
    _SUBJECTS: "pass --groups COLUMN, or --drop COLUMN if its values are not of subjects",
    "equal rows": _COPIES,
    "rows in training and test": f"{_COPIES}, or resample inside a pipeline",
    "order of rows": _NEXT_ROWS,
}
_REMEDY_IN_PYTHON = re.compile(r"[.;:,]? (pass [^.;]*groups|resample inside).*", re.IGNORECASE)
_REMEDY = "Fill in these predictions, or count each gap as a wrong answer"


def refuse_gaps_of_one(runs: Mapping[str, Sequence[pd.Series]], rows: pd.Index) -> None:
    """Raise InputError for rows that one of two models lacks in some run, and the other one has."""
    has_row = {
        name: rows.isin(pd.concat(of_model, axis=1, join="inner").index)
        for name, of_model in runs.items()
    }
    for name, other in (tuple(has_row), tuple(has_row)[::-1]):
        only_other = has_row[other] & ~has_row[name]
        if only_other.any():
            raise InputError(
                f"{name} has no prediction in {counted(int(only_other.sum()), 'row')} of "
                f"{len(rows)} where {other} has one (the first is row {only_other.argmax() + 1} "
                f"below the header), and a gate does not decide without them. {_REMEDY}."
            )


def refuse_saved_gaps(file: str, notes: Sequence[Note]) -> None:
    """Raise InputError for saved scores of the rows that all models have, if some lack rows."""
    if _MISSING_ROWS in map(attrgetter("code"), notes):
        raise InputError(
            f"The scores in {file} leave out rows that a model lacks, and a gate does not decide "
            f"without them. {_REMEDY}, and pass the file to gate --predictions."
        )


def notes_on_columns(
    table: pd.DataFrame, y: pd.Series, options: argparse.Namespace
) -> Iterator[Note]:
    """Yield a note on each column beside the predictions that names subjects or has dates."""
    if options.groups is not None:
        return
    for name in table.columns:
        kind = named_by(plain(table[name]), y)
        if kind == "dates" and options.time is None:
            text = f"{name!r} has dates; pass --time {name} if rows near in time may be alike"
            yield Note("dates", text, None)
        if kind != "subjects":
            continue
        sizes = table[name].value_counts()
        if sizes[sizes > 1].sum() >= _LEAST_REPEATED * len(table):
            text = (
                f"{name!r} has {len(sizes)} values in {len(table)} rows; pass --groups {name} if "
                f"rows of one value may be alike, or --drop {name} if they are not"
            )
            yield Note(_SUBJECTS, text, None)


def limiting_notes(notes: Iterable[Note]) -> list[Note]:
    """Return the notes that make a gate undecided."""
    return [note for note in notes if note.code in _UNDECIDED]


def why_undecided(note: Note) -> str:
    """Say why a gate is undecided, and which option resolves it."""
    if "--groups" in note.text:
        return note.text
    return f"{_REMEDY_IN_PYTHON.sub('', note.text)}; {_UNDECIDED[note.code]}"
