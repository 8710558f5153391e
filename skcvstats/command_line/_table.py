"""Read a CSV or Parquet file as a frame, with errors that say what is wrong with it."""

from __future__ import annotations

import csv
import difflib
import io
import warnings
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from .._utils._checks import listed
from .._utils._documents import open_at_once
from ._errors import InputError, in_one_line

if TYPE_CHECKING:
    import pandas as pd

_PARQUET = (".parquet", ".pq")
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
_SEPARATORS = {";": "';'", "\t": "'\\t'", "|": "'|'"}


def read_table(
    name: str, *, separator: str = ",", encoding: str = "utf-8-sig", shipped: tuple[str, ...] = ()
) -> pd.DataFrame:
    """Read a CSV or Parquet file."""
    path = Path(name)
    if "\0" in name or not path.exists():
        raise InputError(_no_such_file(name, shipped))
    if path.is_dir():
        raise InputError(f"{name} is a directory; pass a CSV or Parquet file.")
    if path.is_char_device():
        raise InputError(f"{name} is a device; pass a CSV or Parquet file.")
    content = _content(path)
    if path.suffix.lower() in _PARQUET:
        frame = _parquet(content, name)
    else:
        frame = _csv(_text(content, name, encoding), name, separator)
    if not len(frame):
        raise InputError(f"{name} has no rows below its header.")
    return frame


def _no_such_file(name: str, shipped: tuple[str, ...]) -> str:
    others = f", or name one of {listed(shipped)}" if shipped else ""
    close = difflib.get_close_matches(name, shipped, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return f"There is no file {name!r}; pass a CSV or Parquet file{others}.{hint}"


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
    import pandas as pd

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
    if b"\0" in content and "16" not in encoding and "32" not in encoding:
        raise InputError(
            f"{name} is not UTF-8 text: it has bytes of zero. Save it as CSV in UTF-8, or pass "
            "--encoding, such as --encoding utf-16."
        )
    try:
        return content.decode(encoding)
    except LookupError as error:
        raise InputError(f"--encoding {encoding} is not known; utf-8 and latin-1 are.") from error
    except UnicodeError as error:
        raise InputError(
            f"{name} is not in the encoding {encoding.removesuffix('-sig')}: "
            f"{in_one_line(error)}. Save it as UTF-8, or pass --encoding, such as --encoding "
            "latin-1."
        ) from error


def _csv(text: str, name: str, separator: str) -> pd.DataFrame:
    import pandas as pd

    if len(separator) != 1 or separator in '"\r\n':
        raise InputError(f"--separator {separator!r} must be one character, such as ';'.")
    _check_header(_header(text, separator), name, separator)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # rows that are too long
            return pd.read_csv(io.StringIO(text), sep=separator, index_col=False, low_memory=False)
    except (ValueError, pd.errors.ParserWarning) as error:
        raise InputError(
            f"{name} is not a CSV file with the separator {separator!r}: {in_one_line(error)}."
        ) from error


def _header(text: str, separator: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(text.lstrip("\r\n")), delimiter=separator))
    except (csv.Error, StopIteration) as error:
        raise InputError(f"The header cannot be read: {in_one_line(error)}.") from error


def _check_header(names: list[str], file: str, separator: str = ",") -> None:
    """Refuse repeated names, and a single column, which usually means another separator."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"{file} has two columns named {listed(twice)}; rename one.")
    if len(names) > 1:
        return
    for other, written in _SEPARATORS.items():
        if names and other in names[0] and other != separator:
            raise InputError(
                f"{file} has one column, {names[0]!r}: its separator seems to be {written}; pass "
                f"--separator {written if other != chr(9) else chr(36) + written}."
            )
    raise InputError(f"{file} has one column, {listed(names)}; it needs a target and a feature.")
