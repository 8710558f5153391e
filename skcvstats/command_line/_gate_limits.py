"""What a gate does not decide on: rows that one of two models left out."""

from collections.abc import Mapping, Sequence

import pandas as pd

from .._utils._text import counted
from ..scores import Note
from ._parser import InputError

_MISSING_ROWS = "missing rows"
_REMEDY = "Fill in these predictions, or count each gap as a wrong answer"


def refuse_gaps_of_one(predicted: Mapping[str, pd.Series], rows: pd.Index) -> None:
    """Raise InputError for rows that one of two models lacks, and the other one has."""
    has_row = {name: rows.isin(column.index) for name, column in predicted.items()}
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
    if any(note.code == _MISSING_ROWS for note in notes):
        raise InputError(
            f"The scores in {file} leave out rows that a model lacks, and a gate does not decide "
            f"without them. {_REMEDY}, and pass the file to gate --predictions."
        )
