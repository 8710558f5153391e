"""How dates are written in text and in whole numbers, as the command line and the notes read them.

A date in text fits a `DateFormat` if it matches its pattern, which a time of day may follow, and is
a day of the calendar. Whole numbers are dates in columns with such a name only.
"""

import re
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import product
from typing import NamedTuple

# Words in the names of columns whose numbers may be dates.
WORDS_OF_TIME = frozenset(
    (
        *("date", "dates", "datetime", "day", "days", "time", "timestamp", "week", "month", "year"),
        *("created", "updated", "modified", "epoch", "ts", "datum", "fecha"),
    )
)
# Seconds since 1970 at the beginning of 1990 and at the end of 2100, and the same days as numbers.
SECONDS = (631152000, 4133980799)
EIGHT_DIGITS = (19900101, 21001231)
# Times of day, which may follow a date, and their formats.
_HOURS = " [0-9]{1,2}:[0-9]{2}"
_HALF_DAY = " ?[AaPp][Mm]"
_CLOCKS = {
    "": "",
    _HOURS: " %H:%M",
    f"{_HOURS}:[0-9]{{2}}": " %H:%M:%S",
    rf"{_HOURS}:[0-9]{{2}}\.[0-9]+": " %H:%M:%S.%f",
    f"{_HOURS}{_HALF_DAY}": " %I:%M %p",
    f"{_HOURS}:[0-9]{{2}}{_HALF_DAY}": " %I:%M:%S %p",
}


class DateFormat(NamedTuple):
    """A way to write dates."""

    pattern: str  # of the date without the time of day
    format: str  # as strptime has it
    first: str = ""  # day or month, where one may be taken for the other


_YEAR = "[0-9]{4}"
_PART = "[0-9]{1,2}"
_NAME = "[A-Za-z]{3,9}"
_ISO = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
# ISO dates, which may have a time zone, are not among these.
_FORMATS = (
    DateFormat(rf"{_YEAR}/{_PART}/{_PART}", "%Y/%m/%d"),
    DateFormat(rf"{_YEAR}\.{_PART}\.{_PART}", "%Y.%m.%d"),
    DateFormat(rf"{_YEAR}-{_PART}-{_PART}", "%Y-%m-%d"),
    DateFormat(rf"{_PART}\.{_PART}\.{_YEAR}", "%d.%m.%Y", "day"),
    DateFormat(rf"{_PART}\.{_PART}\.{_YEAR}", "%m.%d.%Y", "month"),
    DateFormat(rf"{_PART}/{_PART}/{_YEAR}", "%d/%m/%Y", "day"),
    DateFormat(rf"{_PART}/{_PART}/{_YEAR}", "%m/%d/%Y", "month"),
    DateFormat(rf"{_PART}-{_PART}-{_YEAR}", "%d-%m-%Y", "day"),
    DateFormat(rf"{_PART}-{_PART}-{_YEAR}", "%m-%d-%Y", "month"),
    DateFormat(rf"{_NAME} {_PART}, {_YEAR}", "%b %d, %Y"),
    DateFormat(rf"{_NAME} {_PART}, {_YEAR}", "%B %d, %Y"),
    DateFormat(rf"{_NAME} {_PART} {_YEAR}", "%b %d %Y"),
    DateFormat(rf"{_PART} {_NAME} {_YEAR}", "%d %b %Y"),
    DateFormat(rf"{_PART} {_NAME} {_YEAR}", "%d %B %Y"),
    DateFormat(rf"{_PART}-{_NAME}-{_YEAR}", "%d-%b-%Y"),
)
# A text that may be a date in any of these ways, with or without a time of day.
ANY_DATE = re.compile(
    f"(?:{_ISO}|(?:{'|'.join(form.pattern for form in _FORMATS)})(?:{'|'.join(_CLOCKS)}))"
)
# Formats in which the command line does not read dates.
_MORE_FORMATS = (
    DateFormat("[0-9]{4}-[0-9]{2}", "%Y-%m"),
    DateFormat("[0-9]{4}/[0-9]{2}", "%Y/%m"),
    DateFormat("[0-9]{1,2}/[0-9]{1,2}/[0-9]{2}", "%m/%d/%y", "month"),
    DateFormat("[0-9]{1,2}/[0-9]{1,2}/[0-9]{2}", "%d/%m/%y", "day"),
    DateFormat(r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}", "%d.%m.%y"),
    DateFormat("[A-Za-z]{3} [0-9]{1,2} [A-Za-z]{3} [0-9]{4}", "%a %d %b %Y"),
    DateFormat("[A-Za-z]{3}, [0-9]{1,2} [A-Za-z]{3} [0-9]{4}", "%a, %d %b %Y"),
)
_SHAPE = str.maketrans("12345678", "99999999")


def is_named_as_time(name: object, words: frozenset[str] = WORDS_OF_TIME) -> bool:
    """Return whether a word in the name of a column is one of time, also as in saleDate."""
    parts = re.split(r"[\W\d_]+|(?<=[a-z])(?=[A-Z])", str(name))
    return not words.isdisjoint(map(str.lower, parts))


def read_date(text: str, order: str) -> datetime | None:
    """Return the time of a text in UTC, None for no date; `order` is "day" or "month" first."""
    with suppress(ValueError, OverflowError):
        time = datetime.fromisoformat(text)
        return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
    for form in _formats_of(text.translate(_SHAPE), order):
        with suppress(ValueError):
            return datetime.strptime(text, form)
    return None


@lru_cache(maxsize=1024)  # the dates of a column have few shapes
def _formats_of(shape: str, order: str) -> list[str]:
    """Return the formats of texts whose digits are as those of a shape, in which 1 to 8 are 9."""
    return [
        form.format + clock
        for form, (pattern, clock) in product((*_FORMATS, *_MORE_FORMATS), _CLOCKS.items())
        if form.first in ("", order) and re.fullmatch(form.pattern + pattern, shape)
    ]
