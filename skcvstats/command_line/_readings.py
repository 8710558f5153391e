"""How the columns of a file are read: numbers, dates and missing values that are written as text.

`read_rows` (in ``_table.py``) returns a `Table`: the frame, in which numbers are numbers, dates are
days since 1970, and missing cells are nan; and a `Column` for each column of the file, with the
plain facts from which sentences and tables are made. For a file whose column ``spend`` holds
``3,5``, ``?``, ``1.234,5``::

    Column("spend", kind="number", done="decimal comma, '.' between thousands",
           first=("3,5", "?", "1.234,5"), missing={"?": 75})
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True)
class Column:
    """What was read in a column."""

    name: str
    kind: str  # "number", "date" or "text", which is a category or left out
    done: str = ""  # what was done to its cells; empty if pandas read them
    first: tuple[str, ...] = ()  # its first three values, as the file has them
    missing: Mapping[str, int] = field(default_factory=dict)  # tokens and their numbers of cells


@dataclass(frozen=True)
class Table:
    """A file as it was read."""

    frame: pd.DataFrame
    columns: tuple[Column, ...] = ()  # of all columns of the frame, in their order
    done: tuple[str, ...] = ()  # what was done to the file, such as "separator ';'"
