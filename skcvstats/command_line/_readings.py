"""How the columns of a file are read: numbers, dates and missing values that are written as text.

`read_rows` returns a `Table`: the frame, in which numbers are numbers, dates are days since 1970
and missing cells are nan, and a `Column` for each column of the file: the facts of which sentences
and tables are made. For a column ``spend`` with the cells ``3,5``, ``?`` and ``1.234,5`` it is::

    Column("spend", kind="number", done="decimal comma, '.' between thousands",
           first=("3,5", "?", "1.234,5"), missing={"?": 1})

Pandas reads the file, and converts the cells. Here is only which reading a column gets: the first
one that *every* cell fits, of numbers, amounts of money, percentages and dates. Others stay text.
"""

import argparse
import csv
import io
import math
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .._utils._checks import listed
from .._utils._dates import (
    ANY_DATE,
    CLOCK,
    CLOCK_FORMATS,
    EIGHT_DIGITS,
    FORMATS,
    ISO,
    SECONDS,
    is_named_as_time,
)
from .._utils._text import counted, first_of, verb
from ._parser import InputError

# Missing values in columns of numbers and dates, in any case; blanks around them do not count.
_TOKENS = ("?", "-", "--", ".", "n/a", "missing", "unknown", "none", "null", "#n/a", "#div/0!", "")
# What pandas takes for missing in any column.
_TOKENS_OF_PANDAS = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)
_ALL_TOKENS = (*_TOKENS, *_TOKENS_OF_PANDAS)
# A column of which a larger share can be read is almost numbers; with few of them, categories.
_ALMOST = 0.95
_FEW = 10
_WIDEST = 100
# Separators of fields, as they are written in a shell; the header and as many records decide.
SEPARATORS = {",": ",", ";": "';'", "\t": r"$'\t'", "|": "'|'"}
_N_RECORDS = 101
_DAY = 86400
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_BLANKS = " \u00a0\u2009\u202f"
_CURRENCY = (
    r"(?:(?:US|A|C|NZ|HK|S|R)?\$|[\u00a2\u00a3\u00a5\u20a0-\u20bf]|z\u0142|K\u010d|kr\.?|Fr\.?|Ft"
    "|AUD|BRL|CAD|CHF|CNY|CZK|DKK|GBP|HKD|HUF|JPY|KRW|MXN|NOK|NZD|PLN|RUB|SEK|SGD|TRY|USD"
    "|(?:EU|IN|ZA)R)"
)


def _patterns(decimal: str, thousands: str) -> tuple[str, str, str]:
    """Return the patterns of numbers, of amounts with a currency, and of percentages."""
    groups = "|".join(f"(?:[{sign}][0-9]{{3}})+" for sign in (thousands, "'\u2019", _BLANKS))
    whole = f"(?:[0-9]{{1,15}}|[1-9][0-9]{{0,2}}(?:{groups}))"  # more digits identify something
    amount = f"(?:{whole}(?:[{decimal}][0-9]*)?|[{decimal}][0-9]+)"
    sign = "[-+\u2212]?"
    blank = f"[{_BLANKS}]?"
    exponent = "(?:[eE][-+]?[0-9]{1,3})?"
    before = f"{_CURRENCY}{blank}{sign}{amount}"
    after = f"{amount}{blank}{_CURRENCY}"
    percent = f"{amount}{blank}%"
    return (
        rf"{sign}{amount}{exponent}|\({amount}\)",
        rf"{sign}{blank}{before}|{sign}{after}|\((?:{before}|{after})\)",
        rf"{sign}{percent}|\({percent}\)",
    )


_PATTERNS = {".": _patterns(".", ","), ",": _patterns(",", ".")}
_OTHER_SIGN = {".": ",", ",": "."}
_SHAPE = str.maketrans("12345678", "99999999")
# What pandas gets in place of a character, by the decimal sign: (5) is -5, 45% is 45e-2.
_WRITTEN = {
    **dict.fromkeys(f"{_BLANKS}'\u2019)", ""),
    **{"(": "-", "\u2212": "-", "%": "e-2"},
}
_AS_PANDAS_READS = {
    ".": str.maketrans({**_WRITTEN, ",": ""}),
    ",": str.maketrans({**_WRITTEN, ".": "", ",": "."}),
}


@dataclass(frozen=True)
class Column:
    """What was read in a column."""

    name: str
    kind: str  # "number", "date" or "text", which is a category or left out
    done: str = ""  # what was done to its cells; empty if they are as pandas reads them
    first: tuple[str, ...] = ()  # its first three values, as the file has them
    missing: Mapping[str, int] = field(default_factory=dict)  # tokens and their numbers of cells


@dataclass(frozen=True)
class Table:
    """A file as it was read."""

    frame: pd.DataFrame
    columns: tuple[Column, ...] = ()  # of all columns of the frame, in their order
    done: tuple[str, ...] = ()  # what was done to the file, such as "separator ';'"


@dataclass(frozen=True)
class Source:
    """The text of a CSV file."""

    text: str
    separator: str

    def lines(self, rows: Iterable[int]) -> list[int]:
        """Return the numbers of the lines on which rows begin."""
        starts = list[int]()
        reader = csv.reader(io.StringIO(self.text, newline=""), delimiter=self.separator)
        start = 1
        for record in reader:
            if len(record) > 1 or "".join(record).strip():  # pandas skips blank lines
                starts.append(start)
            start = reader.line_num + 1
        return [starts[row + 1] for row in rows]

    def cells(self, places: Sequence[int]) -> pd.DataFrame:
        """Return the columns at some places, which ascend, as texts."""
        return pd.read_csv(
            io.StringIO(self.text),
            sep=self.separator,
            index_col=False,
            usecols=list(places),
            dtype=str,
        )


class _Cells:
    """The different cells of a column of text, without blanks around them.

    Patterns are matched with their shapes, in which all digits but 0 are 9, as these are fewer.
    """

    def __init__(self, column: pd.Series, tokens: Iterable[str] = _ALL_TOKENS) -> None:
        self.codes, different = pd.factorize(column)
        self.texts = pd.Series(different, dtype=object).str.strip()
        self.counts = np.bincount(self.codes[self.codes >= 0], minlength=len(different))
        any_case = set(map(str.casefold, tokens))
        self.is_token = self.texts.str.casefold().isin(any_case).to_numpy()
        self._shape_codes, shapes = pd.factorize(self.texts.str.translate(_SHAPE))
        self._shapes = pd.Series(shapes, dtype=object)

    def match(self, pattern: str) -> np.ndarray:
        """Tell for each different cell whether it fits a pattern."""
        fits = self._shapes.str.fullmatch(pattern).to_numpy(dtype=bool)
        is_match: np.ndarray = fits[self._shape_codes] & ~self.is_token
        return is_match

    def match_numbers(self, decimal: str) -> np.ndarray:
        """Tell for each different cell whether it is a number of any kind."""
        plain, money, percent = map(self.match, _PATTERNS[decimal])
        is_number: np.ndarray = plain | money | percent
        return is_number

    def share(self, fits: np.ndarray) -> float:
        """Return the share of the rows with a value whose cells fit."""
        return float(self.counts[fits].sum() / max(1, self.counts[~self.is_token].sum()))

    def tokens(self) -> dict[str, int]:
        """Return the tokens, as the file has them, and their numbers of cells."""
        counts = Counter[str]()
        for code in np.flatnonzero(self.is_token).tolist():
            counts[self.texts[code]] += int(self.counts[code])
        return dict(counts)

    def first_rows(self, chosen: np.ndarray) -> list[int]:
        """Return the first row of each different cell that is chosen, in their order."""
        codes, rows = np.unique(self.codes, return_index=True)
        first: list[int] = rows[codes >= 0][chosen].tolist()
        return first

    def spread(self, values: pd.Series, column: pd.Series) -> pd.Series:
        """Return a column of the values of its different cells."""
        by_code = values.to_numpy()
        if (self.codes < 0).any():
            by_code = np.append(by_code.astype(float), np.nan)  # for -1, cells that are missing
        return pd.Series(by_code[self.codes], index=column.index, name=column.name)

    def without_tokens(self, column: pd.Series) -> pd.Series:
        """Return the column with nan in place of tokens."""
        is_token = np.append(self.is_token, False)
        return column.mask(is_token[self.codes])


class _Reading(NamedTuple):
    """The values of the different cells by one reading; nan where a cell does not fit."""

    kind: str
    values: pd.Series
    done: str


class _Evidence:
    """Columns of numbers with their cells that show what the decimal sign of a file is."""

    def __init__(self) -> None:
        self.sure: dict[str, list[str]] = {".": [], ",": []}
        self.unsure: dict[str, list[str]] = {".": [], ",": []}

    def add(self, name: Any, cells: _Cells) -> None:
        fits = {decimal: cells.match_numbers(decimal) for decimal in _PATTERNS}
        if cells.share(fits["."] | fits[","]) < _ALMOST:
            return
        for decimal, other in _OTHER_SIGN.items():
            if cells.share(fits[decimal]) < _ALMOST <= cells.share(fits[other]):
                continue  # the column has the other sign, and a cell that is no number by it
            has_sign = cells.texts.str.contains(decimal, regex=False).to_numpy()
            sure = fits[decimal] & ~fits[other]
            unsure = fits[decimal] & fits[other] & has_sign
            self.sure[decimal] += [f"{name!r} ({cell!r})" for cell in cells.texts[sure][:1]]
            self.unsure[decimal] += [f"{name!r} ({cell!r})" for cell in cells.texts[unsure][:1]]

    @property
    def has_commas(self) -> bool:
        return bool(self.sure[","] or self.unsure[","])

    def decide(self, separator: str) -> str:
        """Return the decimal sign, or raise InputError if it may be either."""
        points = self.sure["."]
        commas = self.sure[","]
        if points and commas:
            raise InputError(
                f"{commas[0]} has a decimal comma and {points[0]} a decimal point; pass --decimal "
                ", or --decimal . for the file, or --as-text with a column that has no numbers."
            )
        if points:
            return "."
        if commas or (separator == ";" and not self.unsure["."]):
            return ","
        raise InputError(
            f"{self.unsure[','][0]} may have a decimal comma or a comma between thousands, and no "
            "other column shows which; pass --decimal , or --thousands , for the file."
        )


def read_rows(frame: pd.DataFrame, source: Source, options: argparse.Namespace) -> Table:
    """Read the columns of a table of rows, as pandas has read it."""
    return _Reader(source, options).read(frame)


def read_typed(frame: pd.DataFrame, options: argparse.Namespace) -> Table:
    """Read the columns of a table whose columns have types; only dates are looked for in texts."""
    unread = {*options.as_text, *options.drop, options.target, options.groups}
    columns = {}
    facts = []
    for name, column in frame.items():
        kind = pd.api.types.infer_dtype(column, skipna=True)
        days = None
        if name not in unread and kind in ("string", "date", "datetime", "datetime64"):
            texts = column.dropna().map(str).reindex(column.index)
            days = days_of(texts, order_of_dates(options))
        fact = Column(str(name), "text" if kind in ("string", "categorical") else "number")
        if days is None:
            columns[name] = column
        else:
            columns[name] = days
            fact = Column(str(name), "date")
        first = tuple(column.dropna().head(3).map(str))
        facts.append(replace(fact, first=first))
    return Table(pd.DataFrame(columns), tuple(facts))


def without_missing_target(table: Table, source: Source | None, target: str) -> Table:
    """Return a table without the rows whose target is missing."""
    is_present = table.frame[target].notna().to_numpy()
    n_missing = int((~is_present).sum())
    if n_missing == 0:
        return table
    frame = table.frame[is_present].reset_index(drop=True)
    y = frame[target]
    if source is not None and y.dtype.kind == "f":
        place = frame.columns.tolist().index(target)
        texts = source.cells([place]).iloc[:, 0][is_present]
        # Without the missing ones they are integers, as pandas reads them.
        if not texts.str.contains("[.,eE%]").any():
            frame[target] = y.astype(int)
    done = f"{counted(n_missing, 'row')} without a target left out"
    return Table(frame, table.columns, (*table.done, done))


def read_predictions(frame: pd.DataFrame, source: Source, options: argparse.Namespace) -> Table:
    """Read the columns of a file of predictions, of which pandas took only empty cells as missing.

    What else pandas takes for missing is missing among numbers, unless it is a label of the target.
    """
    return _Reader(source, options).read_predictions(frame)


class _Reader:
    """Reads the columns of a file by the rules that options set; what is not clear is an error."""

    def __init__(self, source: Source, options: argparse.Namespace) -> None:
        self.source = source
        self.options = options
        self.unread = {*options.as_text, *options.drop}

    def read(self, frame: pd.DataFrame) -> Table:
        shown = frame
        frame, named_tokens = _without_tokens(frame, self.options.missing)
        cells_by_name = {
            name: _Cells(column)
            for name, column in frame.items()
            if name not in self.unread and _is_text(column)
        }
        decimal, cells_of_floats = self._find_decimal(frame, cells_by_name)
        read_columns = {}
        facts = []
        for name, column in frame.items():
            values = column
            fact = Column(str(name), "text" if _is_text(column) else "number")
            if name in cells_by_name:
                values, fact = self._read_text(column, cells_by_name[name], decimal)
            elif name in cells_of_floats:
                values, fact = _read_thousands(column, cells_of_floats[name])
            if name not in self.unread | {self.options.target, self.options.groups}:
                values, fact = _read_whole_numbers_as_dates(values, fact)
            first = tuple(shown[name].dropna().head(3).map(str))
            tokens = {**named_tokens[name], **fact.missing}
            read_columns[name] = values
            facts.append(replace(fact, first=first, missing=tokens))
        read = pd.DataFrame(read_columns)
        self._check_target(shown, read)
        return Table(read, tuple(facts), self._describe_file())

    def read_predictions(self, frame: pd.DataFrame) -> Table:
        frame, named_tokens = _without_tokens(frame, self.options.missing)
        labels: set[Any] = set()
        if self.options.target in frame:
            labels = set(frame[self.options.target])
        tokens = set(_TOKENS_OF_PANDAS) - labels
        cells_by_name = {
            name: _Cells(column, tokens)
            for name, column in frame.items()
            if name not in self.unread and _is_text(column)
        }
        decimal, cells_of_floats = self._find_decimal(frame, cells_by_name)
        facts = []
        for name, column in frame.items():
            fact = Column(str(name), "text" if _is_text(column) else "number")
            if name in cells_of_floats:
                frame[name], fact = _read_thousands(column, cells_of_floats[name])
            elif name in cells_by_name:
                cells = cells_by_name[name]
                reading = _number_reading(column, cells, decimal)
                if reading is not None and cells.share(reading.values.notna().to_numpy()) == 1:
                    frame[name] = cells.spread(reading.values, column)
                    fact = Column(str(name), "number", reading.done, missing=cells.tokens())
            tokens_in_column = {**named_tokens[name], **fact.missing}
            facts.append(replace(fact, missing=tokens_in_column))
        return Table(frame, tuple(facts), self._describe_file())

    def _describe_file(self) -> tuple[str, ...]:
        if self.options.separator is not None or self.source.separator == ",":
            return ()
        return (f"separator {self.source.separator!r}",)

    def _find_decimal(
        self, frame: pd.DataFrame, cells_by_name: Mapping[Any, _Cells]
    ) -> tuple[str, dict[Any, _Cells]]:
        """Return the decimal sign of the file; if it is a comma, also the cells of floats."""
        evidence = _Evidence()
        for name, cells in cells_by_name.items():
            if name != self.options.groups:
                evidence.add(name, cells)
        decimal = self._chosen_decimal()
        if decimal == "." or not (decimal or evidence.has_commas):
            return ".", {}
        places = [
            place
            for place, (name, column) in enumerate(frame.items())
            if column.dtype.kind == "f" and name not in self.unread
        ]
        texts = self.source.cells(places)
        texts.columns = frame.columns[places]
        # A cell that is missing in the frame may be a token that an option names.
        texts = texts.where(frame[texts.columns].notna())
        cells_of_floats = {name: _Cells(column) for name, column in texts.items()}
        if decimal:
            return decimal, cells_of_floats
        for name, cells in cells_of_floats.items():
            evidence.add(name, cells)
        decimal = evidence.decide(self.source.separator)
        if decimal == ".":
            return decimal, {}
        return decimal, cells_of_floats

    def _chosen_decimal(self) -> str:
        """Return the decimal sign that options give, or an empty text."""
        decimal = self.options.decimal
        thousands = self.options.thousands
        if decimal is not None and decimal == thousands:
            raise InputError(f"--decimal and --thousands are both {decimal!r}; leave one out.")
        if thousands is not None:
            return _OTHER_SIGN[thousands]
        return decimal or ""

    def _read_text(
        self, column: pd.Series, cells: _Cells, decimal: str
    ) -> tuple[pd.Series, Column]:
        """Return a column by the first reading that all its cells fit, and the facts."""
        name = column.name
        fact = Column(str(name), "text")
        reading = _number_reading(column, cells, decimal)
        if reading is None and name != self.options.target:
            reading = _date_reading(name, cells, order_of_dates(self.options))
        if name == self.options.groups:
            if reading is not None:
                column = cells.without_tokens(column)
            return column, fact
        if reading is None:
            self._check_half(column, cells, decimal)
            return column, fact
        is_read = reading.values.notna().to_numpy()
        if cells.share(is_read) < 1:
            done = self._why_categories(name, cells, reading)
            self._check_half(column, cells, decimal)
            return column, replace(fact, done=done)
        if self.options.command == "gate":
            self._refuse_tokens(name, cells)
        values = cells.spread(reading.values, column)
        return values, Column(str(name), reading.kind, reading.done, missing=cells.tokens())

    def _why_categories(self, name: Any, cells: _Cells, reading: _Reading) -> str:
        """Return why a column that is almost numbers or dates is categories, or raise an error."""
        is_odd = reading.values.isna().to_numpy() & ~cells.is_token
        odd = cells.texts[is_odd]
        n_odd = int(cells.counts[is_odd].sum())
        noun = f"{reading.kind}s"
        if reading.values.nunique() < _FEW or _are_top_coded(odd, reading.values):
            are_no = verb(n_odd, f"is no {reading.kind}", f"are no {noun}")
            return f"categories, as {counted(n_odd, 'cell')} {are_no}: {listed(odd, 3)}"
        n_rows = int(cells.counts.sum())
        shown = self._with_lines(odd.tolist(), cells.first_rows(is_odd))
        token = _in_shell(odd.iloc[0])
        raise InputError(
            f"The column {name!r} has {noun} in {n_rows - n_odd} of {n_rows} cells, but not in "
            f"{shown}. Correct the file, or pass --as-text {_in_shell(name)} to use it as "
            f"categories, --missing {token} if that is no value, or --drop {_in_shell(name)}."
        )

    def _refuse_tokens(self, name: Any, cells: _Cells) -> None:
        """Refuse tokens for missing values, which nobody confirmed, where a gate decides."""
        if cells.is_token.any():
            texts = cells.texts[cells.is_token].tolist()
            shown = self._with_lines(texts, cells.first_rows(cells.is_token))
            raise InputError(
                f"The column {name!r} has numbers, but also {shown}. A gate does not take that for "
                f"missing by itself: pass --missing {_in_shell(texts[0])}, or --as-text "
                f"{_in_shell(name)} or --drop {_in_shell(name)}."
            )

    def _check_half(self, column: pd.Series, cells: _Cells, decimal: str) -> None:
        """Refuse a column of text of which half of the cells are numbers, where a gate decides."""
        if self.options.command != "gate":
            return
        is_number = cells.match_numbers(decimal)
        if cells.share(is_number) >= 0.5:
            first = np.argsort(is_number | cells.is_token, kind="stable")
            name = _in_shell(column.name)
            raise InputError(
                f"The column {column.name!r} would be categories, such as "
                f"{listed(cells.texts[first], 3)}, but at least half of its cells are numbers. For "
                f"a gate, pass --as-text {name} or --drop {name}."
            )

    def _check_target(self, as_in_file: pd.DataFrame, read: pd.DataFrame) -> None:
        """Refuse a target that is missing, unless such rows are to be left out."""
        name = self.options.target
        if name not in read or self.options.drop_missing_target:
            return
        rows = np.flatnonzero(read[name].isna())
        if len(rows):
            cells = as_in_file[name].iloc[rows[:3]].fillna("").tolist()
            shown = self._with_lines(cells, rows.tolist())
            raise InputError(
                f"The target {name!r} is missing in {len(rows)} of {counted(len(read), 'row')}: "
                f"{shown}; remove these rows, or pass --drop-missing-target."
            )

    def _with_lines(self, cells: Sequence[str], rows: Sequence[int]) -> str:
        """Return the first three cells with the numbers of their lines."""
        lines = self.source.lines(rows[:3])
        shown = [f"{cell!r} (line {line})" for cell, line in zip(cells, lines, strict=False)]
        if len(rows) > 3:
            shown.append(f"{len(rows) - 3} more")
        return _and(shown)


def _is_text(column: pd.Series) -> bool:
    return pd.api.types.infer_dtype(column, skipna=True) == "string"


def _number_reading(column: pd.Series, cells: _Cells, decimal: str) -> _Reading | None:
    """Return a column as numbers if almost all of its cells are numbers of one kind."""
    plain, money, percent = map(cells.match, _PATTERNS[decimal])
    if money.any():
        money |= plain
    fits = max((plain, money, percent), key=cells.share)  # the first of equal ones
    texts = cells.texts[fits]
    # Cells such as (1) and (2) alone are no negative numbers.
    if cells.share(fits) < _ALMOST or texts.str.startswith("(").all():
        return None
    done = []
    if fits is percent:
        done.append("45 % as 0.45")
    elif fits is money:
        currencies = texts.str.extract(f"({_CURRENCY})")[0].dropna().unique().tolist()
        if len(currencies) > 1:
            name = _in_shell(column.name)
            raise InputError(
                f"The column {column.name!r} has amounts in {listed(currencies, 3)}; convert them "
                f"into one currency, or pass --as-text {name} or --drop {name}."
            )
        done.append(f"amounts in {currencies[0]}")
        texts = texts.str.replace(_CURRENCY, "", regex=True)
    signs = set("".join(texts))
    if "(" in signs:
        done.append("(5) as -5")
    if decimal == "," and "," in signs:
        done.append("decimal comma")
    if _OTHER_SIGN[decimal] in signs:
        done.append(f"{_OTHER_SIGN[decimal]!r} between thousands")
    return _Reading("number", _as_numbers(texts, decimal, cells), ", ".join(done))


def _as_numbers(texts: pd.Series, decimal: str, cells: _Cells) -> pd.Series:
    """Return the values of texts that are numbers, and nan for the other different cells."""
    values = pd.to_numeric(texts.str.translate(_AS_PANDAS_READS[decimal]))
    return values.reindex(cells.texts.index)


def _read_thousands(column: pd.Series, cells: _Cells) -> tuple[pd.Series, Column]:
    """Return a column in which each point that pandas took for decimal groups thousands."""
    fact = Column(str(column.name), "number")
    has_points = cells.texts.str.contains(".", regex=False).any()
    if not has_points or cells.share(cells.match(_PATTERNS[","][0])) < 1:
        return column, fact
    values = cells.spread(_as_numbers(cells.texts, ",", cells), column)
    return values, replace(fact, done="'.' between thousands")


def order_of_dates(options: argparse.Namespace) -> str:
    """Return what options say is first in dates, "day" or "month", or an empty text."""
    if options.dayfirst and options.monthfirst:
        raise InputError("--dayfirst and --monthfirst exclude each other; leave one out.")
    if options.dayfirst:
        return "day"
    return "month" if options.monthfirst else ""


def are_dates(column: pd.Series) -> bool:
    """Tell whether all texts of a column look like dates."""
    if not _is_text(column):
        return False
    cells = _Cells(column)
    return cells.share(cells.match(ANY_DATE.pattern)) == 1


def days_of(column: pd.Series, order: str = "") -> pd.Series | None:
    """Return a column of dates as days since 1970, or None for another column."""
    if not _is_text(column):
        return None
    cells = _Cells(column)
    reading = _date_reading(column.name, cells, order)
    if reading is None or reading.values.isna().any():
        return None
    return cells.spread(reading.values, column)


def _date_reading(name: Any, cells: _Cells, wanted_order: str) -> _Reading | None:
    """Return a column as days since 1970 if almost all of its cells are dates."""
    if cells.share(cells.match(ANY_DATE.pattern)) < _ALMOST:
        return None
    readings = list(_days_by_order(cells, wanted_order))
    shares = [cells.share(days.notna().to_numpy()) for _, days in readings]
    best = int(np.argmax(shares))
    order, days = readings[best]
    if shares[best] < _ALMOST:
        return None
    for (other_order, other_days), share in zip(readings, shares, strict=True):
        if share == shares[best] and other_order != order and not other_days.equals(days):
            raise InputError(
                f"The column {name!r} has dates such as {cells.texts[0]!r}, and no cell shows "
                "whether the day or the month is first; pass --dayfirst or --monthfirst."
            )
    done = ""
    if order:
        done = f"dates, {order} first"
    return _Reading("date", days, done)


def _days_by_order(cells: _Cells, wanted: str) -> Iterator[tuple[str, pd.Series]]:
    """Yield days since 1970 by each format that some cells fit, and what is first in it."""
    is_iso = cells.match(ISO.pattern)
    yield "", cells.texts.where(is_iso).map(_iso_days, na_action="ignore").astype(float)
    for form in FORMATS:
        fits = cells.match(f"{form.pattern}(?:{CLOCK})?")
        is_unwanted = wanted and form.first not in ("", wanted)
        if is_unwanted or not fits.any():
            continue
        texts = cells.texts.where(fits)
        days = pd.Series(math.nan, index=texts.index)
        for clock in CLOCK_FORMATS:
            moments = pd.to_datetime(texts, format=form.format + clock, errors="coerce")
            since_1970 = moments.to_numpy() - np.datetime64(0, "us")
            days = days.fillna(pd.Series(since_1970 / np.timedelta64(1, "D")))
        yield form.first, days


def _iso_days(text: str) -> float:
    """Return days since 1970, or nan for one such as the 30th of February."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return math.nan
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - _EPOCH) / timedelta(days=1)


def _are_top_coded(odd: pd.Series, values: pd.Series) -> bool:
    """Tell whether texts are numbers such as 90+ above all values."""
    if not odd.str.fullmatch(r"[0-9]+\+").all():
        return False
    return float(pd.to_numeric(odd.str[:-1]).min()) >= float(values.max())


def _read_whole_numbers_as_dates(column: pd.Series, fact: Column) -> tuple[pd.Series, Column]:
    """Return days since 1970 of a column of dates such as 20230101, or of seconds, by its name."""
    present = column.dropna()
    if not is_named_as_time(fact.name) or column.dtype.kind not in "iuf" or present.empty:
        return column, fact
    days = None
    if (present % 1 == 0).all() and present.between(*EIGHT_DIGITS).all():
        texts = present.astype(int).astype(str)
        moments = pd.to_datetime(texts, format="%Y%m%d", errors="coerce")
        if moments.notna().all():
            days = (moments - pd.Timestamp(0)) / pd.Timedelta(days=1)
            done = "dates such as 20230101"
    elif (present % 1 == 0).all() and present.between(*SECONDS).all():
        days = present / _DAY
        done = "seconds since 1970 as dates"
    if days is None:
        return column, fact
    return days.reindex(column.index), replace(fact, kind="date", done=done)


def _without_tokens(
    frame: pd.DataFrame, tokens: Sequence[str]
) -> tuple[pd.DataFrame, dict[Any, dict[str, int]]]:
    """Return a frame without the cells that an option calls missing, and their counts."""
    counts: dict[Any, dict[str, int]] = {name: {} for name in frame.columns}
    columns = {}
    for name, column in frame.items():
        for token in tokens:
            is_token = _equal_to(column, token)
            if is_token.any():
                counts[name][token] = int(is_token.sum())
                column = column.mask(is_token)
        columns[name] = column
    return pd.DataFrame(columns), counts


def _equal_to(column: pd.Series, token: str) -> Any:
    """Tell which cells are a token, which may be a number in a column of numbers."""
    if _is_text(column):
        return column.str.strip() == token.strip()
    try:
        return (column == float(token)) & (column.dtype.kind in "iuf")
    except ValueError:
        return column.isna() & False


def _in_shell(text: Any) -> str:
    return shlex.quote(str(text))


def describe(table: Table) -> list[str]:
    """Return at most two lines on how a file was read; none if there is nothing to say."""
    names_by_done: dict[str, list[str]] = {}
    tokens = list[str]()
    n_cells = 0
    for column in table.columns:
        if column.done:
            names_by_done.setdefault(column.done, []).append(column.name)
        for token, n in column.missing.items():
            noun = "" if tokens else verb(n, " cell", " cells")
            tokens.append(f"{n}{noun} {token!r} in {column.name}")
            n_cells += n
    done = [f"{done}: {first_of(names, 3)}" for done, names in names_by_done.items()]
    lines = []
    if table.done or done:
        lines.append(_in_one_line("Read: ", [*table.done, *done], ""))
    if tokens:
        are = verb(n_cells, "is", "are")
        lines.append(_in_one_line("", tokens, f" {are} read as missing"))
    return lines


def _in_one_line(start: str, parts: Sequence[str], end: str) -> str:
    """List as many parts as a line has room for."""
    for n_shown in range(len(parts), 0, -1):
        shown = list(parts[:n_shown])
        if n_shown < len(parts):
            shown.append(f"{len(parts) - n_shown} more")
        line = f"{start}{_and(shown)}{end}."
        if len(line) <= _WIDEST:
            break
    return line


def _and(parts: Sequence[str]) -> str:
    """List parts with "and" before the last."""
    return " and ".join([*filter(None, [", ".join(parts[:-1])]), parts[-1]])


def find_separator(text: str, name: str) -> str:
    """Return the separator with which the first records have the same number of fields.

    A comma if there is none, so that errors are those of such a file.
    """
    fitting = [separator for separator in SEPARATORS if _fits(text, separator)]
    if len(fitting) > 1:
        shown = listed(fitting)
        raise InputError(
            f"{name} has equally many fields in each line with each of the separators {shown}; "
            f"pass one of them, such as --separator {SEPARATORS[fitting[0]]}."
        )
    return (*fitting, ",")[0]


def _fits(text: str, separator: str) -> bool:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        records = list(islice((record for record in reader if record), _N_RECORDS))
    except csv.Error:
        return False
    n_fields = set(map(len, records))
    return len(n_fields) == 1 and n_fields.pop() > 1
