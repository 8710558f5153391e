"""Read a CSV or Parquet file and its columns, with errors that say what is wrong with them."""

import argparse
import csv
import difflib
import io
import warnings
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .._utils._checks import listed
from .._utils._documents import open_at_once
from .._utils._metrics import METRICS
from .._utils._text import counted
from ..fitting import read_metrics
from ._errors import InputError, in_one_line

_PARQUET = (".parquet", ".pq")
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
_SEPARATORS = ";\t|"


def read_table(
    name: str, options: argparse.Namespace, shipped: tuple[str, ...] = ()
) -> pd.DataFrame:
    """Read a CSV or Parquet file, with the separator and the encoding of the options."""
    path = Path(name)
    if "\0" in name or not path.exists():
        others = f", or name one of {listed(shipped)}" if shipped else ""
        close = difflib.get_close_matches(name, shipped, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise InputError(f"There is no file {name!r}; pass a CSV or Parquet file{others}.{hint}")
    for kind, is_kind in {"directory": path.is_dir(), "device": path.is_char_device()}.items():
        if is_kind:
            raise InputError(f"{name} is a {kind}; pass a CSV or Parquet file.")
    content = _content(path)
    if path.suffix.lower() in _PARQUET:
        frame = _parquet(content, name)
    else:
        frame = _csv(_text(content, name, options.encoding), name, options.separator)
    if not len(frame):
        raise InputError(f"{name} has no rows below its header.")
    return frame


def check_columns(table: pd.DataFrame, file: str, named: Sequence[str]) -> None:
    """Raise InputError if the table does not have the columns; the first is the target."""
    if unknown := [name for name in named if name not in table.columns]:
        hint = "; --target names that of the target" if named[0] in unknown else ""
        raise InputError(
            f"{listed(unknown)}: not among the columns of {file}, which are "
            f"{listed(table.columns, 20)}{hint}."
        )


def _content(path: Path) -> bytes:
    try:
        with open_at_once(path) as file:
            content = file.read()
        if opener := _COMPRESSED.get(path.suffix.lower()):
            content = import_module(opener).decompress(content)
    except Exception as error:  # each format raises other errors for a damaged archive
        why = getattr(error, "strerror", None) or in_one_line(error)
        raise InputError(f"{path} cannot be read: {why}.") from error
    if not content.strip():
        raise InputError(f"{path} is empty.")
    return content


def _parquet(content: bytes, name: str) -> pd.DataFrame:
    try:
        frame = pd.read_parquet(io.BytesIO(content))
    except ImportError as error:
        raise InputError(
            f"{name}: reading Parquet files needs pyarrow, which is not installed; run "
            "python -m pip install pyarrow, or pass a CSV file."
        ) from error
    except Exception as error:  # pyarrow's own
        raise InputError(f"{name} is not a Parquet file: {in_one_line(error)}.") from error
    frame.columns = frame.columns.map(str)
    _check_header(list(frame.columns), name)
    return frame


def _text(content: bytes, name: str, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except LookupError as error:
        raise InputError(f"--encoding {encoding} is not known; utf-8 and latin-1 are.") from error
    except UnicodeError as error:
        raise InputError(
            f"{name} is not in {encoding.removesuffix('-sig')}: {in_one_line(error)}. Save it as "
            "UTF-8, or pass --encoding, such as --encoding latin-1 or utf-16."
        ) from error


def _csv(text: str, name: str, separator: str) -> pd.DataFrame:
    if len(separator) != 1 or separator in '"\r\n':
        raise InputError(f"--separator {separator!r} must be one character, such as ';'.")
    try:
        names = next(csv.reader(io.StringIO(text.lstrip("\r\n")), delimiter=separator))
    except (csv.Error, StopIteration) as error:
        raise InputError(f"The header cannot be read: {in_one_line(error)}.") from error
    _check_header(names, name, separator)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # rows that are too long
            return pd.read_csv(io.StringIO(text), sep=separator, index_col=False, low_memory=False)
    except (ValueError, pd.errors.ParserWarning) as error:
        raise InputError(
            f"{name} is not a CSV file with the separator {separator!r}: {in_one_line(error)}."
        ) from error


def _check_header(names: list[str], file: str, separator: str = ",") -> None:
    """Refuse repeated names, and a single column, which usually means another separator."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"{file} has two columns named {listed(twice)}; rename one.")
    if len(names) > 1:
        return
    for other in _SEPARATORS:
        if names and other in names[0] and other != separator:
            shell = "$" if other == "\t" else ""
            raise InputError(
                f"{file} has one column, {names[0]!r}: its separator seems to be {other!r}; pass "
                f"--separator {shell}{other!r}."
            )
    raise InputError(f"{file} has one column, {listed(names)}; it needs a target and a feature.")


def whole_column(column: pd.Series, what: str = "column") -> pd.Series:
    """Return a column without missing values as numbers or texts."""
    if missing := int(column.isna().sum()):
        raise InputError(
            f"The {what} {column.name!r} is missing in {missing} of "
            f"{counted(len(column), 'row')}; remove these rows."
        )
    number = as_numbers(column)
    return as_texts(column) if number is None else number


def as_numbers(column: pd.Series) -> pd.Series | None:
    """Return a column of numbers with a NumPy type, or None for another column."""
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
            f"The column {column.name!r} holds infinite values; leave them empty, or use --drop."
        )
    return column


def as_texts(column: pd.Series) -> pd.Series:
    """Return a column as str, nan where missing."""
    strange = {type(value).__name__ for value in column.dropna()} & {"ndarray", "dict", "list"}
    if strange:
        raise InputError(
            f"The column {column.name!r} holds {listed(sorted(strange))}; drop it with --drop."
        )
    values = zip(column.astype(object), column.notna(), strict=True)
    texts = [str(value) if present else np.nan for value, present in values]
    return pd.Series(texts, index=column.index, name=column.name, dtype=object)


class Coding(NamedTuple):
    """Which label of a target of two classes counts as 1, and which as 0."""

    target: str
    positive: Any
    negative: Any

    @property
    def done(self) -> str:
        """In words, what was done."""
        return f"labels as numbers, {self.positive!r} as 1, {self.negative!r} as 0: {self.target!r}"

    def of(self, labels: pd.Series) -> pd.Series:
        """Return labels as 1 and 0."""
        known = labels.isin([self.positive, self.negative])
        if known.all():
            return (labels == self.positive).astype(int)
        if labels.dtype == object:
            raise InputError(
                f"The column {labels.name!r} holds {labels[~known].iloc[0]!r}; the labels of "
                f"{self.target!r} are {listed([self.negative, self.positive])}."
            )
        return labels


def read_coding(column: pd.Series, positive: str) -> Coding:
    """Return the coding that ``--positive`` asks for."""
    classes = np.unique(column).tolist()
    if len(classes) != 2:
        raise InputError(
            f"--positive needs two classes; {column.name!r} has {len(classes)}: {listed(classes)}."
        )
    short = {label: f"{label:g}" for label in classes if isinstance(label, float)}
    meant = [label for label in classes if positive in (str(label), short.get(label))]
    if not meant:
        raise InputError(
            f"--positive {positive!r} must be one of the labels of {column.name!r}, "
            f"{listed(classes)}."
        )
    (negative,) = (label for label in classes if label != meant[0])
    return Coding(str(column.name), meant[0], negative)


def check_positive_is_known(scoring: str | Sequence[str] | None, y: Any) -> None:
    """Raise InputError where a metric needs to know which label is the positive one."""
    named = [scoring] if isinstance(scoring, str) else scoring or []
    labels = np.unique(y).tolist()
    if len(labels) == 2:
        names = [name for name in named if name in METRICS]
        known = read_metrics(names) if names else []
        for fact, _ in filter(None, (metric.complaint(y) for metric in known)):
            raise InputError(f"{fact}. Pass --positive with the label that counts as positive.")
