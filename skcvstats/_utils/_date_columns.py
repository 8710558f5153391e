"""The columns of a table that are dates, as they are written or counted, and the times of rows."""

from collections.abc import Iterator
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np

from ._arrays import OF_DATES, missing_in, order_of
from ._dates import EIGHT_DIGITS, SECONDS, is_named_as_time, read_date
from ._text import first_of

WHOLE_DATES = (
    "Split whole dates: days = dates.unique(); cv = [(numpy.flatnonzero(dates.isin(days[a])), "
    "numpy.flatnonzero(dates.isin(days[b]))) for a, b in TimeSeriesSplit(5).split(days)]"
)
_WORDS_OF_DATES = frozenset(("date", "dates", "datetime", "timestamp"))  # whatever their numbers
_MOST_DAYS = 31  # of a month
# Numbers of dates: as years, months and days; seconds since 1970, and their thousandths to
# billionths; days since the year 1; days since 1970 or 1900.
_AS_NUMBERS = (
    EIGHT_DIGITS,
    (199001, 210012),
    *[(SECONDS[0] * 1000**k, SECONDS[1] * 1000**k) for k in range(4)],
    (726468, 767009),
    (7305, 73050),
)
_YEARS = (1800, 2101)
_SEEN = 100  # values that tell what a column is


def kind_of(values: Any) -> str:
    """Return "dates" or "numbers" by the type of values, "objects" where it may be either."""
    dtype = str(getattr(values, "dtype", values)).lower()
    if dtype.startswith(("date", "timestamp", "period")):
        return "dates"
    if dtype.startswith(("o", "str", "utf8", "category")):
        return "objects"
    return "numbers" if dtype.startswith(("int", "uint", "float", "double")) else ""


def are_dates(name: str, values: Any) -> bool:
    """Return whether the values of a column are dates, which of numbers its name says, too."""
    kind = kind_of(values)
    if kind not in ("numbers", "objects"):
        return kind == "dates"
    some = _present(np.asarray(values)[:: 1 + len(values) // _SEEN])
    if len(set(some.tolist())) < 2:
        return len(some) > 0 and hasattr(some[0], "year")
    if kind == "numbers":
        return is_named_as_time(name) and _are_numbers_of_dates(name, some.astype(float))
    if not isinstance(some[0], str):
        return all(hasattr(value, "year") for value in some)
    return next(_readings(some), None) is not None


def _present(values: np.ndarray) -> np.ndarray:
    present: np.ndarray = values[~missing_in(values)]
    return present


def _are_numbers_of_dates(name: str, numbers: np.ndarray) -> bool:
    is_many = len(np.unique(numbers)) > _MOST_DAYS
    if is_many and is_named_as_time(name, _WORDS_OF_DATES):
        return True
    low = numbers.min()
    high = numbers.max()
    ranges = [*_AS_NUMBERS]
    if (numbers != np.rint(numbers)).any():
        ranges.append(_YEARS)
    return any(first <= low <= high <= last for first, last in ranges)


def descend(values: Any) -> bool:
    """Return whether dates descend somewhere, by each way to read them."""
    ways = list(_readings(_present(np.asarray(values))))
    return bool(ways) and all((times[1:] < times[:-1]).any() for times in ways)


def _readings(values: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the times of dates; of text with the day and with the month first, if all are dates."""
    if len(values) == 0 or not isinstance(values[0], str):
        yield values
        return
    texts, places = np.unique(values.astype(str), return_inverse=True)
    for order in ("day", "month"):
        times = np.array([read_date(text, order) for text in texts.tolist()], dtype="M8[us]")
        if not np.isnat(times).any():
            yield times[places]


def has_dates_in_index(table: Any) -> bool:
    """Return whether the index of a frame is one of dates."""
    return type(getattr(table, "index", None)).__name__ in OF_DATES


class TimeColumn(NamedTuple):
    """Dates of rows."""

    code: str  # that takes them from X
    values: Any
    times: np.ndarray  # the number of each row's time
    dates: Any = None  # as they are read, where they are not the index


def time_column(table: Any) -> TimeColumn | None:
    """Return the column of dates that never descends.

    It may be a level of an index; an index of dates is none. ValueError if there are several.
    """
    if has_dates_in_index(table):
        return None
    columns = list(filter(None, starmap(_ascending_column, _columns_and_levels(table))))
    if len(columns) > 1:
        codes = first_of([column.code for column in columns], 3)
        raise ValueError(
            f"{codes} have dates that never descend, and only one can be the time of the rows. "
            "Make it the index: X.index = pandas.DatetimeIndex(...)."
        )
    return next(iter(columns), None)


def _ascending_column(code: str, values: Any) -> TimeColumn | None:
    """Return a column of dates that never descends, None if it is no such column."""
    if not are_dates("", values):
        return None
    for dates in _readings(_present(np.asarray(values))):
        times = order_of("the dates", dates)
        steps = np.diff(times)
        if len(times) == len(values) and steps.min() >= 0 < steps.max():
            return TimeColumn(code, values, times, dates)
    return None


def _columns_and_levels(table: Any) -> Iterator[tuple[str, Any]]:
    for label in getattr(table, "columns", ()):
        yield f"X[{label!r}]", table[label]
    index: Any = getattr(table, "index", None)
    for level in range(getattr(index, "nlevels", 0)):
        yield f"X.index.get_level_values({level})", index.get_level_values(level)
