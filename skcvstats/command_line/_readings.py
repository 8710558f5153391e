"""How the columns of a file are read: numbers, dates and missing values that are written as text.

`read_rows` returns a `Table`: the frame, in which numbers are numbers, dates are days since 1970
and missing cells are nan, and a `Column` for each column of the file: the facts for sentences and
tables. For a column ``spend`` with the cells ``3,5``, ``?`` and ``1.234,5`` it is::

    Column("spend", kind="number", done="decimal comma, '.' between thousands",
           first=("3,5", "?", "1.234,5"), missing={"?": 1})

Pandas reads the file, and converts the cells. Here is only which reading a column gets: the first
one that *every* cell fits, of numbers, amounts of money, percentages and dates. Others stay text.
"""

import argparse
import csv
import io
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from textwrap import shorten
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .._utils._checks import listed
from .._utils._dates import ANY_DATE, EIGHT_DIGITS, SECONDS, is_named_as_time, read_date
from .._utils._text import counted, first_of, verb, with_blanks
from ._parser import InputError

# Missing values in columns of numbers and dates, in any case; blanks around them do not count.
_TOKENS = ("?", "-", "--", ".", "n/a", "missing", "unknown", "none", "null", "#n/a", "#div/0!", "")
# What pandas takes for missing in any column.
_TOKENS_OF_PANDAS = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)
_ALL_TOKENS = (*_TOKENS, *_TOKENS_OF_PANDAS)
# Types of columns, as pandas infers them, that are not numbers, or may be dates.
_KINDS = {"string": "text", "categorical": "text"}
_MAY_BE_DATES = ("string", "date", "datetime", "datetime64")
# Whole numbers that are dates where the name says so: their bounds, and how pandas reads them.
_NUMBERS_OF_DAYS: tuple[tuple[tuple[int, int], Any, dict[str, Any], str], ...] = (
    (EIGHT_DIGITS, "string", {"format": "%Y%m%d"}, "dates such as 20230101"),
    (SECONDS, "Int64", {"unit": "s"}, "seconds since 1970 as dates"),
)
# A column with a larger share that can be read is almost numbers; with few of them, categories.
_ALMOST = 0.95
_FEW = 10
_WIDEST = 100
# Separators of fields, as they are written in a shell; the header and as many records decide.
SEPARATORS = {",": ",", ";": "';'", "\t": r"$'\t'", "|": "'|'"}
_N_RECORDS = 101

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
_DONE = {"%": "45 % as 0.45", "(": "(5) as -5"}
_CODES = "codes with leading zeros, not numbers"
_LEADING_ZERO = re.compile(r"(?<![^,;|\t\n\"])0[0-9]+(?=[,;|\t\r\n\"])")
_DECIMAL_COMMA = "decimal comma"  # reported once for the file
# The words on signs in the cells of a column, by the decimal sign.
_SIGNS_DONE = {
    ".": {",": "',' between thousands", **_DONE},
    ",": {",": _DECIMAL_COMMA, ".": "'.' between thousands", **_DONE},
}
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
    whole: Any = field(default_factory=dict)  # the frame before rows were left out, if any were


@dataclass(frozen=True)
class Source:
    """The text of a CSV file."""

    text: str
    separator: str

    def lines(self, rows: Sequence[int]) -> list[int]:
        """Return the numbers of the lines on which rows begin."""
        starts = list[int]()
        reader = csv.reader(io.StringIO(self.text, newline=""), delimiter=self.separator)
        start = 1
        for record in reader:
            if len(record) > 1 or "".join(record).strip():  # pandas skips blank lines
                starts.append(start)
            start = reader.line_num + 1
        lines: list[int] = np.take(starts[1:], rows).tolist()
        return lines

    def cells(self, names: Iterable[Any]) -> pd.DataFrame:
        """Return columns as texts, nan where pandas takes them for missing."""
        wanted = set(names)
        frame = pd.read_csv(
            io.StringIO(self.text),
            sep=self.separator,
            index_col=False,
            usecols=lambda name: with_blanks(name) in wanted,
            dtype=str,
        )
        return frame.rename(columns=with_blanks)


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

    @property
    def are_codes(self) -> bool:
        """Whether all cells are digits of one length, and some of them begin with 0."""
        length = self.texts[~self.is_token].map(len).max()
        are_digits = self.share(self.match(f"[0-9]{{{length}}}")) == 1
        return are_digits and bool(self.match("0.+").any())

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

    @property
    def fits(self) -> np.ndarray:
        fits: np.ndarray = self.values.notna().to_numpy()
        return fits


class _Evidence:
    """Columns of numbers, each with a cell that shows, or may show, the decimal sign of a file."""

    def __init__(self) -> None:
        self.sure: dict[str, list[str]] = {".": [], ",": []}
        self.unsure: dict[str, list[str]] = {".": [], ",": []}

    def add(self, cells_by_name: Mapping[Any, _Cells], groups: str | None) -> None:
        for name, cells in cells_by_name.items():
            by_point = cells.match_numbers(".")
            by_comma = cells.match_numbers(",")
            if name == groups or cells.share(by_point | by_comma) < _ALMOST:
                continue
            self._add_cell(name, cells, ".", by_point, by_comma)
            self._add_cell(name, cells, ",", by_comma, by_point)

    def _add_cell(
        self, name: Any, cells: _Cells, decimal: str, fits: np.ndarray, fits_other: np.ndarray
    ) -> None:
        if cells.share(fits) < _ALMOST <= cells.share(fits_other):
            return  # the column has the other sign, and a cell that is not a number
        has_sign = cells.texts.str.contains(decimal, regex=False).to_numpy()
        sure = cells.texts[fits & ~fits_other].head(1)
        unsure = cells.texts[fits & fits_other & has_sign].head(1)
        self.sure[decimal] += sure.map(lambda cell: f"{name!r} ({cell!r})").tolist()
        self.unsure[decimal] += unsure.map(lambda cell: f"{name!r} ({cell!r})").tolist()

    @property
    def has_commas(self) -> bool:
        return bool(self.sure[","] + self.unsure[","])

    def decide(self, separator: str) -> str:
        """Return the decimal sign, or raise InputError if it may be either."""
        points = self.sure["."]
        commas = self.sure[","]
        if points and commas:
            raise InputError(
                f"{commas[0]} has a decimal comma and {points[0]} a decimal point; pass --decimal "
                ", or --decimal . for the file, or --as-text with a column that has no numbers."
            )
        if points or not self.has_commas:
            return "."
        if commas or (separator == ";" and not self.unsure["."]):
            return ","
        raise InputError(
            f"{self.unsure[','][0]} may have a decimal comma or a comma between thousands, and no "
            "other column shows which; pass --decimal , or --thousands , for the file."
        )


def read_rows(frame: pd.DataFrame, source: Source, options: argparse.Namespace) -> Table:
    """Read the columns of a table of rows."""
    tokens = (*_ALL_TOKENS, *options.missing)
    reader = _Reader(source, options, tokens, are_rows=True)
    table = reader.read(reader.with_codes(frame))
    if options.drop_missing_target:
        return _without_missing_target(table, source, options.target)
    _check_target(table.frame[options.target], source)
    return table


def read_predictions(frame: pd.DataFrame, source: Source, options: argparse.Namespace) -> Table:
    """Read the columns of a file of predictions, in which pandas took only empty cells as missing.

    What else pandas takes for missing is missing among numbers, unless it is a label of the target.
    """
    tokens = set(_TOKENS_OF_PANDAS) - set(frame.get(options.target, ()))
    return _Reader(source, options, tokens, are_rows=False).read(frame)


def refuse_almost_predictions(column: pd.Series, target: pd.Series) -> None:
    """Refuse a column that has predictions for a target of numbers in almost all of its cells."""
    if not _is_text(column) or _is_text(target):
        return
    cells = _Cells(column, ())
    is_number = cells.match_numbers(".")
    if _ALMOST <= cells.share(is_number) < 1:
        text = cells.texts[~is_number].iloc[0]
        row = cells.first_rows(~is_number)[0] + 1
        raise InputError(
            f"The column {column.name!r} has numbers, but also {text!r} (row {row} below the "
            f"header). Pass --missing={_in_shell(text)} if that is no value, or --drop "
            f"{_in_shell(column.name)} if the column has no predictions."
        )


def read_typed(frame: pd.DataFrame, options: argparse.Namespace) -> Table:
    """Read the columns of a table whose columns have types; only dates are looked for in texts."""
    whole = frame
    if options.drop_missing_target:
        frame = frame.dropna(subset=[options.target], ignore_index=True)
    unread = {*options.as_text, *options.drop, options.target, options.groups}
    columns = {}
    facts = []
    for name, column in frame.items():
        fact = _fact(column)
        if pd.api.types.infer_dtype(column, skipna=True) in _MAY_BE_DATES and name not in unread:
            texts = column.dropna().map(str).reindex(column.index)
            days = days_of(texts, order_of_dates(options))
            if days is not None:
                column = days
                fact = replace(fact, kind="date")
        columns[name] = column
        facts.append(fact)
    return Table(pd.DataFrame(columns), tuple(facts), whole=whole)


class _Reader:
    """Reads the columns of a file by the rules that options set; what is not clear is an error."""

    def __init__(
        self,
        source: Source,
        options: argparse.Namespace,
        tokens: Iterable[str],
        *,
        are_rows: bool,
    ) -> None:
        self.source = source
        self.options = options
        self.tokens = tokens
        self.are_rows = are_rows
        self.unread = [*options.as_text, *options.drop]
        self.codes = list[Any]()

    def read(self, frame: pd.DataFrame) -> Table:
        names = frame.columns.difference(self.unread, sort=False)
        cells_by_name = {
            name: _Cells(frame[name], self.tokens) for name in names if _is_text(frame[name])
        }
        decimal, floats_by_name = self._find_decimal(frame, cells_by_name)
        no_dates = {*self.unread, self.options.target, self.options.groups}
        columns = {}
        facts = []
        for name, column in frame.items():
            fact = _fact(column)
            if name in cells_by_name:
                column, fact = self._read_text(column, cells_by_name[name], decimal)
            elif name in floats_by_name:
                column, fact = _read_thousands(column, floats_by_name[name])
            if self.are_rows and name not in no_dates:
                column, fact = _read_whole_numbers_as_dates(column, fact)
            columns[name] = column
            facts.append(fact)
        done = []
        if self.source.separator != ",":
            done.append(f"separator {self.source.separator!r}")
        if decimal == ",":
            done.append(_DECIMAL_COMMA)
        return Table(pd.DataFrame(columns), self._with_tokens(frame, facts), tuple(done))

    def with_codes(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame in which codes such as 01234, which pandas reads as numbers, are texts."""
        if _LEADING_ZERO.search(self.source.text):
            no_codes = [*self.unread, self.options.target, self.options.time]
            names = frame.columns.difference(no_codes, sort=False)
            texts = self.source.cells(names).where(frame[names].notna())
            self.codes = [name for name in names if _Cells(texts[name]).are_codes]
            frame = frame.assign(**texts[self.codes])
        return frame

    def _with_tokens(self, frame: pd.DataFrame, facts: list[Column]) -> tuple[Column, ...]:
        """Return the facts with the numbers of the tokens that an option calls missing."""
        if self.options.missing:
            cells = self.source.cells(frame.columns).where(frame.isna())
            for place, name in enumerate(frame.columns):
                tokens = {**facts[place].missing, **cells[name].value_counts()}
                facts[place] = replace(facts[place], missing=tokens)
        return tuple(facts)

    def _find_decimal(
        self, frame: pd.DataFrame, cells_by_name: Mapping[Any, _Cells]
    ) -> tuple[str, dict[Any, _Cells]]:
        """Return the decimal sign of the file; if it is a comma, also the cells of floats."""
        evidence = _Evidence()
        evidence.add(cells_by_name, self.options.groups)
        chosen = _chosen_decimal(self.options)
        if chosen != "," and not evidence.has_commas:
            return ".", {}
        names = frame.select_dtypes(np.floating).columns.difference(self.unread, sort=False)
        # A cell that is missing in the frame may be a token that an option names.
        texts = self.source.cells(names).where(frame[names].notna())
        floats_by_name = {name: _Cells(column, self.tokens) for name, column in texts.items()}
        evidence.add(floats_by_name, self.options.groups)
        decimal = chosen or evidence.decide(self.source.separator)
        return decimal, {".": {}, ",": floats_by_name}[decimal]

    def _read_text(
        self, column: pd.Series, cells: _Cells, decimal: str
    ) -> tuple[pd.Series, Column]:
        """Return a column by the first reading that all its cells fit, and the facts."""
        name = column.name
        fact = _fact(column)
        if name in self.codes:
            self._why_text(name, cells)
            return column, replace(fact, done=_CODES)
        reading = _number_reading(name, cells, decimal)
        if self.are_rows and reading is None and name != self.options.target:
            reading = _date_reading(name, cells, order_of_dates(self.options))
        if reading is None:
            return column, replace(fact, done=self._why_text(name, cells))
        if name == self.options.groups:
            return cells.without_tokens(column), fact
        if cells.share(reading.fits) == 1:
            self._check_tokens(name, cells, reading.kind)
            fact = replace(fact, kind=reading.kind, done=reading.done, missing=cells.tokens())
            return cells.spread(reading.values, column), fact
        if self.are_rows:
            fact = replace(fact, done=self._why_categories(name, cells, reading))
            self._why_text(name, cells)
        return column, fact

    def _why_categories(self, name: Any, cells: _Cells, reading: _Reading) -> str:
        """Return why a column that is almost numbers or dates is categories, or raise an error."""
        is_odd = ~reading.fits & ~cells.is_token
        odd = cells.texts[is_odd]
        n_odd = int(cells.counts[is_odd].sum())
        noun = f"{reading.kind}s"
        if reading.values.nunique() < _FEW or _are_top_coded(odd, reading.values):
            are_not = verb(n_odd, f"is not a {reading.kind}", f"are not {noun}")
            return f"categories, as {counted(n_odd, 'cell')} {are_not}: {listed(odd, 3)}"
        n_rows = int(cells.counts.sum())
        shown = _with_lines(odd, cells.first_rows(is_odd), self.source)
        text = _in_shell(name)
        raise InputError(
            f"The column {name!r} has {noun} in {n_rows - n_odd} of {n_rows} cells, but not in "
            f"{shown}. Correct the file, or pass --as-text {text} to use it as categories, "
            f"--missing={_in_shell(odd.iloc[0])} if that is no value, or --drop {text}."
        )

    def _check_tokens(self, name: Any, cells: _Cells, kind: str) -> None:
        """Refuse tokens for missing values, which nobody confirmed, where a gate decides."""
        confirmed = list(map(str.strip, self.options.missing))
        is_new = cells.is_token & ~cells.texts.isin(confirmed).to_numpy()
        if self.are_rows and self.options.command == "gate" and is_new.any():
            texts = cells.texts[is_new]
            shown = _with_lines(texts, cells.first_rows(is_new), self.source)
            text = _in_shell(name)
            raise InputError(
                f"The column {name!r} has {kind}s, but also {shown}. A gate does not take that for "
                f"missing by itself: pass --missing={_in_shell(texts.iloc[0])}, or --as-text "
                f"{text} or --drop {text}."
            )

    def _why_text(self, name: Any, cells: _Cells) -> str:
        """Tell that a column is text though half of it are numbers; refuse it for a gate."""
        is_number = cells.match_numbers(".") | cells.match_numbers(",")
        if not self.are_rows or cells.share(is_number) < 0.5:
            return ""
        first = np.argsort(is_number | cells.is_token, kind="stable")
        if self.options.command == "gate":
            text = _in_shell(name)
            raise InputError(
                f"The column {name!r} would be categories, such as "
                f"{listed(cells.texts[first], 3)}, but at least half of its cells are numbers. For "
                f"a gate, pass --as-text {text} or --drop {text}."
            )
        shown = listed(cells.texts[first].head(2))
        if "%" in "".join(cells.texts):
            return f"text, as some cells have % and others not, such as {shown}"
        return f"text, with cells such as {shown} (see --missing, --decimal)"


def _fact(column: pd.Series) -> Column:
    """Return what is known of a column that stays as pandas reads it."""
    kind = _KINDS.get(pd.api.types.infer_dtype(column, skipna=True), "number")
    return Column(str(column.name), kind, first=tuple(map(str, column.dropna().iloc[:3])))


def _check_target(y: pd.Series, source: Source) -> None:
    """Refuse a target that is missing in some rows."""
    rows = np.flatnonzero(y.isna()).tolist()
    if rows:
        cells = source.cells([y.name])[y.name].fillna("").iloc[rows]
        raise InputError(
            f"The target {y.name!r} is missing in {len(rows)} of {counted(len(y), 'row')}: "
            f"{_with_lines(cells, rows, source)}; remove these rows, or pass "
            "--drop-missing-target."
        )


def _without_missing_target(table: Table, source: Source, target: str) -> Table:
    """Return a table without the rows whose target is missing."""
    is_present = table.frame[target].notna().to_numpy()
    frame = table.frame[is_present].reset_index(drop=True)
    # Whole numbers are integers now, as in a file without these rows.
    numbers = pd.to_numeric(source.cells([target])[target][is_present], errors="coerce")
    if numbers.dtype.kind == "i":
        frame[target] = numbers.to_numpy()
    n_missing = int((~is_present).sum())
    done = f"{counted(n_missing, 'row')} without a target left out"
    return Table(frame, table.columns, (*table.done, done), table.frame)


def _with_lines(cells: pd.Series, rows: Sequence[int], source: Source) -> str:
    """Return the first three cells with the numbers of their lines."""
    pairs = zip(cells, source.lines(rows[:3]), strict=False)
    shown = [f"{cell!r} (line {line})" for cell, line in pairs]
    return first_of([*shown, *map(str, rows[3:])], 3)


def _is_text(column: pd.Series) -> bool:
    return pd.api.types.infer_dtype(column, skipna=True) == "string"


def _chosen_decimal(options: argparse.Namespace) -> str:
    """Return the decimal sign that options give, or an empty text."""
    chosen = {options.decimal, _OTHER_SIGN.get(options.thousands)} - {None}
    if len(chosen) > 1:
        raise InputError(f"--decimal and --thousands are both {options.decimal!r}; leave one out.")
    return max(chosen, default="")


def _number_reading(name: Any, cells: _Cells, decimal: str) -> _Reading | None:
    """Return a column as numbers if almost all of its cells are numbers of one kind."""
    plain, money, percent = map(cells.match, _PATTERNS[decimal])
    money |= plain & money.any()
    fits = max((plain, money, percent), key=cells.share)  # the first of equal ones
    texts = cells.texts[fits]
    # Cells such as (1) and (2) alone are not negative numbers.
    if cells.share(fits) < _ALMOST or texts.str.startswith("(").all():
        return None
    done = list[str]()
    if fits is money:
        currencies = texts.str.extract(f"({_CURRENCY})")[0].dropna().unique().tolist()
        if len(currencies) > 1:
            text = _in_shell(name)
            raise InputError(
                f"The column {name!r} has amounts in {listed(currencies, 3)}; convert them into "
                f"one currency, or pass --as-text {text} or --drop {text}."
            )
        done.append(f"amounts in {currencies[0]}")
        texts = texts.str.replace(_CURRENCY, "", regex=True)
    signs = set("".join(texts))
    done = [text for sign, text in _SIGNS_DONE[decimal].items() if sign in signs] + done
    if cells.match(f".*[0-9][{_BLANKS}'\u2019][0-9].*").any():
        done.append("blanks or ' between thousands")
    return _Reading("number", _as_numbers(texts, decimal, cells), ", ".join(done))


def _as_numbers(texts: pd.Series, decimal: str, cells: _Cells) -> pd.Series:
    """Return the values of texts that are numbers, and nan for the other different cells."""
    values = pd.to_numeric(texts.str.translate(_AS_PANDAS_READS[decimal]))
    return values.reindex(cells.texts.index)


def _read_thousands(column: pd.Series, cells: _Cells) -> tuple[pd.Series, Column]:
    """Return a column in which each point that pandas took for decimal groups thousands."""
    fact = _fact(column)
    has_points = cells.texts.str.contains(".", regex=False).any()
    if not has_points or cells.share(cells.match(_PATTERNS[","][0])) < 1:
        return column, fact
    values = cells.spread(_as_numbers(cells.texts, ",", cells), column)
    return values, replace(fact, done=_SIGNS_DONE[","]["."])


def order_of_dates(options: argparse.Namespace) -> str:
    """Return what options say is first in dates, "day" or "month", or an empty text."""
    orders = options.passed & {"dayfirst", "monthfirst"}
    if len(orders) > 1:
        raise InputError("--dayfirst and --monthfirst exclude each other; leave one out.")
    return "".join(orders).removesuffix("first")


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
    day = _by_order(cells, "day")
    month = _by_order(cells, "month")
    likely = max(day, month, key=lambda reading: cells.share(reading.fits))
    reading = {"day": day, "month": month, "": likely}[wanted_order]
    if cells.share(reading.fits) < _ALMOST:
        return None
    if day.values.equals(month.values):
        return reading._replace(done="")
    if cells.share(day.fits) == cells.share(month.fits) and not wanted_order:
        raise InputError(
            f"The column {name!r} has dates such as {cells.texts[reading.fits].iloc[0]!r}, "
            "and no cell shows whether the day or the month is first; pass --dayfirst or "
            "--monthfirst."
        )
    return reading


def _by_order(cells: _Cells, order: str) -> _Reading:
    """Return the days since 1970 of cells that are dates, with the day or the month first."""
    texts = cells.texts[cells.match(ANY_DATE.pattern)]
    times = np.array(list(map(partial(read_date, order=order), texts)), dtype="M8[us]")
    days = _days_since_1970(pd.Series(times, index=texts.index))
    return _Reading("date", days.reindex(cells.texts.index), f"dates, {order} first")


def _are_top_coded(odd: pd.Series, values: pd.Series) -> bool:
    """Tell whether texts are numbers such as 90+ above all values."""
    if not odd.str.fullmatch(r"[0-9]+\+").all():
        return False
    return float(pd.to_numeric(odd.str[:-1]).min()) >= float(values.max())


def _read_whole_numbers_as_dates(column: pd.Series, fact: Column) -> tuple[pd.Series, Column]:
    """Return days since 1970 of a column of dates such as 20230101, or of seconds, by its name."""
    present = column.dropna()
    if column.dtype.kind not in "iuf" or not is_named_as_time(fact.name) or present.empty:
        return column, fact
    for bounds, kind, form, done in _NUMBERS_OF_DAYS:
        whole = present.where(present.between(*bounds) & (present % 1 == 0)).astype("Int64")
        moments = pd.to_datetime(whole.astype(kind), errors="coerce", **form)
        if moments.notna().all():
            days = _days_since_1970(moments).reindex(column.index)
            return days, replace(fact, kind="date", done=done)
    return column, fact


def _days_since_1970(moments: pd.Series) -> pd.Series:
    days = (moments.to_numpy() - np.datetime64(0, "us")) / np.timedelta64(1, "D")
    return pd.Series(days, index=moments.index, name=moments.name)


def _in_shell(text: Any) -> str:
    return shlex.quote(str(text))


def describe(table: Table) -> list[str]:
    """Return at most two lines on how a file was read; none if there is nothing to say."""
    names_by_done: dict[str, list[str]] = {}
    tokens = list[str]()
    n_cells = list[int]()
    for column in table.columns:
        done_here = column.done.removeprefix(_DECIMAL_COMMA).removeprefix(", ")
        names_by_done.setdefault(done_here, []).append(column.name)
        for token, n in column.missing.items():
            tokens.append(f"{n} {token or ' '!r} in {column.name}")
            n_cells.append(n)
    names_by_done.pop("", None)
    done = [f"{first_of(names, 3)}: {done}" for done, names in names_by_done.items()]
    lines = []
    all_done = [*table.done, *done]
    if all_done:
        text = _in_one_line(all_done, "; ", _WIDEST - len("Read: ."))
        lines.append(f"Read: {text}.")
    if tokens:
        tokens[0] = tokens[0].replace(" ", verb(n_cells[0], " cell ", " cells "), 1)
        last = " and ".join(tokens[-2:])
        text = _in_one_line([*tokens[:-2], last], ", ", _WIDEST - len(" are read as missing."))
        lines.append(f"{text} {verb(sum(n_cells), 'is', 'are')} read as missing.")
    return lines


def _in_one_line(parts: Sequence[str], between: str, width: int) -> str:
    """Join parts; if they are too long, a line ends with where the others are."""
    text = between.join(parts).replace(" ", "\0").replace(between.replace(" ", "\0"), between)
    return shorten(text, width, placeholder=" ... (--explain)").replace("\0", " ")


def find_separator(text: str, name: str) -> str:
    """Return the separator with which the first records have the same number of fields.

    A comma if there is none, so that errors are those of such a file.
    """
    fitting = list(filter(partial(_fits, text), SEPARATORS))
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
        records = list(islice(filter(None, reader), _N_RECORDS))
    except csv.Error:
        return False
    n_fields = set(map(len, records))
    return len(n_fields) == 1 and n_fields.pop() > 1
