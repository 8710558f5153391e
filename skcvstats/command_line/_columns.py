"""Decide which columns of a file are features: numbers, dates, categories, or left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .._utils._checks import listed
from ._errors import InputError

if TYPE_CHECKING:
    import pandas as pd

# A text column with a larger share of distinct values is taken for an identifier.
_DISTINCT = 0.95
_ISO = (
    r"(?P<date>\d{4}-\d\d-\d\d)(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)"
    r"(?::(?P<second>\d\d(?:\.\d+)?))?(?P<zone>Z|[+-]\d\d:?\d\d)?)?"
)
_DAY = np.timedelta64(1, "D")


class Features:
    """The features of a table, and what was done to get them."""

    def __init__(self, table: pd.DataFrame, keep: Sequence[str] = ()) -> None:
        self.numbers: dict[str, pd.Series] = {}
        self.categories: dict[str, pd.Series] = {}
        self._order = list(table.columns)
        self._dates: list[str] = []
        self._left_out: dict[str, list[str]] = {}
        for name in table.columns:
            self._sort_in(name, table[name], name in keep)
        if not self.numbers and not self.categories:
            why = "; ".join(self.done)
            raise InputError(
                f"No column is left as a feature ({why}); bring some back with --keep."
            )

    @property
    def with_missing(self) -> list[str]:
        """The columns with missing values."""
        found = {**self.numbers, **self.categories}
        return [name for name in self._order if name in found and found[name].isna().any()]

    @property
    def done(self) -> list[str]:
        """What was done to the columns, in words."""
        lines = [f"left out {why}: {listed(names)}" for why, names in self._left_out.items()]
        if self._dates:
            lines.append(f"dates as days since 1970: {listed(self._dates)}")
        return lines

    def frame(self) -> pd.DataFrame:
        """Return the features in the table's order."""
        import pandas as pd

        found = {**self.numbers, **self.categories}
        return pd.DataFrame({name: found[name] for name in self._order if name in found})

    def _sort_in(self, name: str, column: pd.Series, kept: bool) -> None:
        """Classify a column."""
        present = column.dropna()
        days = days_of(column)
        if not len(present):
            self._leave_out("as all values are missing", name)
        elif days is not None:
            self._dates.append(name)
            self.numbers[name] = days
        elif (number := as_numbers(column)) is not None:
            if not kept and _numbers_the_rows(number):
                self._leave_out("as they number the rows (--keep brings them back)", name)
            else:
                self.numbers[name] = number
        else:
            texts = as_texts(column)
            if not kept and texts.nunique() > _DISTINCT * len(present):
                self._leave_out("as over 95 % of the texts differ (--keep brings them back)", name)
            else:
                self.categories[name] = texts

    def _leave_out(self, why: str, name: str) -> None:
        self._left_out.setdefault(why, []).append(name)


def as_numbers(column: pd.Series) -> pd.Series | None:
    """Return a column of numbers with a NumPy type, or None for another column."""
    import pandas as pd

    types = pd.api.types
    if types.is_timedelta64_dtype(column.dtype):
        return column.dt.total_seconds() / 86400
    if types.is_complex_dtype(column.dtype):
        raise InputError(f"The column {column.name!r} holds complex numbers; drop it with --drop.")
    present = column.dropna()
    if len(present) and types.infer_dtype(present) in ("boolean", "decimal"):
        column = column.astype(float)
    if not types.is_numeric_dtype(column.dtype):
        return None
    if types.is_extension_array_dtype(column.dtype):
        values = column.to_numpy(dtype=float, na_value=np.nan)
        column = pd.Series(values, index=column.index, name=column.name)
    if np.isinf(column).any():
        raise InputError(
            f"The column {column.name!r} holds infinite values; leave them empty in the file, or "
            "drop the column with --drop."
        )
    return column


def as_texts(column: pd.Series) -> pd.Series:
    """Return a column as str, nan where missing."""
    values = np.array(column.astype(object), dtype=object)
    present = np.array(column.notna())
    strange = {type(value).__name__ for value in values[present]} & {"ndarray", "dict", "list"}
    if strange:
        raise InputError(
            f"The column {column.name!r} holds {listed(sorted(strange))}, neither numbers nor "
            "text; drop it with --drop."
        )
    import pandas as pd

    texts = [str(value) if there else np.nan for value, there in zip(values, present, strict=True)]
    return pd.Series(texts, index=column.index, name=column.name, dtype=object)


def days_of(column: pd.Series) -> pd.Series | None:
    """Return a column of ISO dates as days since 1970, or None for another column."""
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        column = column.dt.strftime("%Y-%m-%dT%H:%M:%S%z")
    present = column.dropna()
    if not len(present) or pd.api.types.is_numeric_dtype(column.dtype):
        return None
    parts = present.astype(str).str.extract(f"^{_ISO}$")
    if parts["date"].isna().any():
        return None
    try:
        dates = parts["date"].to_numpy(dtype="datetime64[D]")
    except ValueError:  # such as the 30th of February
        return None
    clock = parts[["hour", "minute", "second"]].astype(float).fillna(0).to_numpy()
    offset = parts["zone"].map(_minutes_of_zone, na_action="ignore").astype(float).fillna(0)
    minutes = clock @ [60, 1, 1 / 60] - offset.to_numpy()
    days = (dates - np.datetime64("1970-01-01")) / _DAY + minutes / 1440
    return pd.Series(days, index=present.index, name=column.name).reindex(column.index)


def _minutes_of_zone(zone: str) -> float:
    if zone == "Z":
        return 0.0
    digits = zone[1:].replace(":", "")
    return (-1 if zone[0] == "-" else 1) * (60 * int(digits[:2]) + int(digits[2:]))


def _numbers_the_rows(column: pd.Series) -> bool:
    """Whether integers count the rows, from any start and in any order."""
    if column.dtype.kind not in "iu" or len(column) < 3:
        return False
    return bool(column.is_unique and int(column.max()) - int(column.min()) == len(column) - 1)
