"""What columns of a file are used for: a sentence below the answer, a table where it is asked for.

`Use` is a row of it, which scores keep as ``provenance["columns"]``; the sentence is ``"used"``.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter
from textwrap import wrap
from typing import Any, NamedTuple

from .._utils._text import WIDEST_LINE, counted, cut, verb
from ..words import as_table, table_lines
from ._readings import Column, Table

_WIDEST = 30  # of a name, or of a value
_MORE = " ... (--explain)"
LEFT_OUT = "left out"
_PLURALS = {"number": "numbers", "category": "categories", "date": "dates"}
# Why a column is left out: in the line, and in the table.
REASONS = {
    "empty": "all values are missing",
    "free text": "over 95 % of the texts differ; --keep brings it back",
    "identifier": "over 95 % of the texts differ; --keep brings it back",
    "counter": "its numbers number the rows; --keep brings it back",
    "--drop": "named by --drop",
    "groups": "named by --groups: its rows stay together in every split",
    "time": "named by --time: the rows are in its order",
}


class Use(NamedTuple):
    """What a column is used for."""

    name: str
    role: str  # a key of _PLURALS, LEFT_OUT or "target"
    done: str = ""  # what was done to it; of one that is left out a key of REASONS

    def row(self, column: Column) -> dict[str, str]:
        """Return the row of the table, with what was read in the column."""
        done = (column.done, REASONS.get(self.done, self.done))
        return {
            "column": _short(self.name),
            "used as": self.role,
            "what was done": "; ".join(filter(None, done)),
            "first values": ", ".join(map(_short, column.first)),
        }


def record_of_columns(table: Table, uses: Sequence[Use]) -> dict[str, list[Any]]:
    """Return what scores keep of the columns, that is what they are used for."""
    by_name = {use.name: use for use in uses}
    return {
        "used": [line_of(uses)],
        "columns": [by_name[column.name].row(column) for column in table.columns],
    }


def line_of(uses: Sequence[Use]) -> str:
    """Return the line below the answer: how many columns are used, and which are left out."""
    counts = Counter(map(attrgetter("role"), uses))
    kinds = []
    for role, plural in _PLURALS.items():
        if counts[role]:
            kinds.append(f"{counts[role]} {verb(counts[role], role, plural)}")
    n_used = len(uses) - counts["target"] - counts[LEFT_OUT]
    line = f"{counted(n_used, 'column')} used: {', '.join(kinds)}"
    others = [f"{_short(use.name)} ({use.done})" for use in uses if use.role == LEFT_OUT]
    if others:
        line = f"{line}; {LEFT_OUT}: {', '.join(others)}"
    return line


def below_answer(known: Mapping[str, Any]) -> list[str]:
    """Return at most two lines on what the columns are used for."""
    return wrap("".join(known.get("used", ())), WIDEST_LINE, max_lines=2, placeholder=_MORE)


def explained(known: Mapping[str, Any]) -> list[str]:
    """Return the lines of ``--explain``: the table of what was done to each column."""
    if "columns" not in known:
        return ["What was done to columns is not known, as these are not scores on a file."]
    table = as_table(list(map(dict, known["columns"])), n_names=4)
    return ["", *table_lines(table)]


def _short(text: str) -> str:
    return cut(text, _WIDEST)
