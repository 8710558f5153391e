"""The columns of tables that may have dates, or the names of subjects with several rows."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

from .._utils._text import cut

# Names of columns that say which rows belong to one person or thing.
_WHO = "patient|subject|subj|participant|respondent|person|individual|user|customer|client|student"
_WHO += "|pupil|employee|animal|household|family|speaker|donor|village|school|hospital|clinic|farm"
_IDENTIFIER = re.compile(
    rf"(?i:(.*[_\W])?(id|ids|uuid|guid)|({_WHO})s?[_\W]*(id|no|nr|number|code|key)?\W*|pid|mrn)"
    "|.*[a-z]I[dD]"
)
_WRITTEN_DATE = re.compile(r"\d{4}-\d\d(-\d\d([T ].*)?)?")
_OF_BIRTH = re.compile("(?i)birth|born|dob$")  # no dates of rows
_FEWEST_SUBJECTS = 10  # of a column; with fewer it is rather a category
_FIRST = 100  # values of a column of objects that are looked at


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
        """Whether values are dates, also as objects or as text that differs."""
        kind = _kind_of(self.values)
        if _OF_BIRTH.search(self.name):
            return False
        if kind != "objects":
            return kind == "dates"
        some = [value for value in islice(self.values, _FIRST) if _is_present(value)]
        if not all(isinstance(value, str) for value in some):
            return all(hasattr(some[0], part) for part in ("year", "month"))
        return len(set(some)) > 1 and all(map(_WRITTEN_DATE.fullmatch, some))

    @property
    def descends(self) -> bool:
        """Whether some value is less than the one before it."""
        present = filter(_is_present, self.values)
        return any(later < earlier for earlier, later in pairwise(present))


def _is_present(value: Any) -> bool:
    return value is not None and value == value


def _kind_of(values: Any) -> str:
    """Return whether a data type is of dates, or of objects or text, which may be dates."""
    dtype = str(getattr(values, "dtype", values)).lower()
    if dtype.startswith(("date", "timestamp", "period")):
        return "dates"
    return "objects" if dtype.startswith(("o", "str", "utf8")) else ""


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
    if index.nlevels == 1 and index.is_unique and not _kind_of(index):
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
        if is_identifier or _kind_of(dtype):
            title = f"column {cut(column)!r}"
            code = f"{name}[{label!r}]"
            yield Column(
                title, f"dates in the {title}", name, code, table[label], column, is_identifier
            )
