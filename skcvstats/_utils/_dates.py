"""How dates are written in text and in whole numbers, as the command line and the notes read them.

A date in text fits a `DateFormat` if it matches its pattern, which a time of day may follow
(``CLOCK``), and is a day of the calendar. Whole numbers are dates in columns with such a name only.
"""

import re
from datetime import UTC, datetime
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
CLOCK = r" [0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?: ?[AaPp][Mm])?"
CLOCK_FORMATS = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p")


class DateFormat(NamedTuple):
    """A way to write dates."""

    pattern: str  # of the date without the time of day
    format: str  # as pandas.to_datetime has it
    first: str = ""  # day or month, where one may be taken for the other


_YEAR = "[0-9]{4}"
_PART = "[0-9]{1,2}"
_NAME = "[A-Za-z]{3,9}"
ISO = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
# ISO dates, which may have a time zone, are not among these.
FORMATS = (
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
    f"(?:{ISO.pattern}|(?:{'|'.join(form.pattern for form in FORMATS)})(?:{CLOCK})?)"
)


def is_named_as_time(name: object, words: frozenset[str] = WORDS_OF_TIME) -> bool:
    """Return whether a word in the name of a column is one of time, also as in saleDate."""
    parts = re.split(r"[\W\d_]+|(?<=[a-z])(?=[A-Z])", str(name))
    return not words.isdisjoint(part.lower() for part in parts)


def read_date(text: str, form: str = "") -> datetime:
    """Return the time of a text in UTC; without a format it is an ISO date."""
    time = datetime.strptime(text, form) if form else datetime.fromisoformat(text)
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
