"""The columns of tables that may have dates, or the names of subjects with several rows."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._utils._date_columns import are_dates, descend, kind_of
from .._utils._dates import is_named_as_time
from .._utils._text import cut

# Names of columns that say which rows belong to one person or thing.
_WHO = "patient|subject|subj|participant|respondent|person|individual|user|customer|client|student"
_WHO += "|pupil|employee|animal|household|family|speaker|donor|village|school|hospital|clinic|farm"
_IDENTIFIER = re.compile(
    rf"(?i:(.*[_\W])?(id|ids|uuid|guid)|({_WHO})s?[_\W]*(id|no|nr|number|code|key)?\W*|pid|mrn)"
    "|.*[a-z]I[dD]"
)
_OF_BIRTH = re.compile("(?i)birth|born|dob$")  # no dates of rows
# Words in the names of numbers that number times; months and years are rather the calendar's.
_OF_TIMES = frozenset(("date", "dates", "datetime", "day", "days", "time", "timestamp", "week"))
_FEWEST_SUBJECTS = 10  # of a column; with fewer it is rather a category


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a table, or its index."""

    title: str
    dates_in_it: str  # what it is called if these are dates
    table: str  # the argument
    code: str  # that takes the column from its table
    values: Any
    name: str = ""
    may_name_subjects: bool = False
    fewest_subjects: int = _FEWEST_SUBJECTS

    @cached_property
    def are_dates(self) -> bool:
        """Whether values are dates, also as objects, as text that differs or as numbers."""
        return not _OF_BIRTH.search(self.name) and are_dates(self.name, self.values)

    @property
    def descends(self) -> bool:
        """Whether some value is less than the one before it."""
        return descend(self.values)

    @property
    def may_number_times(self) -> bool:
        """Whether these are numbers that are called as times are, never descend and repeat."""
        if kind_of(self.values) != "numbers" or not is_named_as_time(self.name, _OF_TIMES):
            return False
        steps = np.diff(np.asarray(self.values, dtype=float))
        return bool((steps >= 0).all() and (steps == 0).any() and (steps > 0).any())


def read_columns(tables: Mapping[str, Any]) -> list[Column]:
    """Return the columns of all tables that may have dates or names of subjects."""
    columns = list[Column]()
    for name, table in tables.items():
        if hasattr(table, "iloc"):
            columns += _levels_of(name, table.index)
        if hasattr(table, "columns") and hasattr(table, "dtypes"):
            columns += _columns_of(name, table)
        if getattr(getattr(table, "dtype", None), "kind", "") == "M":
            columns.append(Column("", "dates in it", name, "", table))
    return columns


def _levels_of(table: str, index: Any) -> Iterator[Column]:
    """Yield the levels of an index that is more than a number for each row."""
    has_types = kind_of(index) in ("dates", "objects")
    if index.nlevels == 1 and index.is_unique and not has_types:
        return
    for level in range(index.nlevels):
        code = f"{table}.index"
        if index.nlevels > 1:
            code += f".get_level_values({level})"
        values = index.get_level_values(level)
        yield Column(
            f"index of {table}",
            "an index of dates",
            table,
            code,
            values,
            may_name_subjects=True,
            fewest_subjects=2,
        )


def _columns_of(name: str, table: Any) -> Iterator[Column]:
    """Yield the columns of a frame that may be dates, or are called as identifiers are."""
    for label, dtype in zip(table.columns, table.dtypes, strict=True):
        column = str(label)
        is_identifier = bool(_IDENTIFIER.fullmatch(column))
        kind = kind_of(dtype)
        is_counted = kind == "numbers" and is_named_as_time(column)
        if is_identifier or is_counted or kind in ("dates", "objects"):
            title = f"column {cut(column)!r}"
            code = f"{name}[{label!r}]"
            yield Column(
                title, f"dates in the {title}", name, code, table[label], column, is_identifier
            )
