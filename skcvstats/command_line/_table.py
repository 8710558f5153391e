"""Read a CSV or Parquet file, turn its columns into X, y and groups, and say what is wrong."""

import argparse
import csv
import io
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from .._utils._arrays import order_of
from .._utils._checks import listed
from .._utils._metrics import METRICS
from .._utils._parts import part_in
from .._utils._text import counted, first_of, verb, with_blanks
from ..fitting import read_metrics, unknown_labels
from ._columns import LEFT_OUT, REASONS, Use, record_of_columns
from ._files import read_bytes
from ._parser import DATA, InputError, refused
from ._readings import (
    SEPARATORS,
    Source,
    Table,
    are_dates,
    days_of,
    describe,
    find_separator,
    order_of_dates,
    read_predictions,
    read_rows,
    read_typed,
    refuse_almost_predictions,
)
from ._sheets import as_csv

_PARQUET = (".parquet", ".pq")
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
# What Excel may write, and reads, as the first line.
_NAMES_SEPARATOR = re.compile("(?:sep=(.)\r?(?=\n))?")
_MOST_CATEGORIES = 100
# A text column with a larger share of distinct values is taken for an identifier.
_DISTINCT = 0.95
# A column of fewer values, each in as many rows, is rather a category than a subject.
_FEWEST_SUBJECTS = 10
_NOTHING: Mapping[Any, Any] = MappingProxyType({})
_MOST_ODD = 8  # labels that are named as alike
_MOST_TITLES = 20  # lines in which a header is looked for
_LARGEST_GROUP = 0.2  # of the rows; a category often has a larger one
# What is done to the features of a role, and to missing values.
_MEDIAN = "replaced by the median of the training rows"
_DONE = {
    "number": "",
    "date": "days since 1970",
    "category": f"one-hot encoded, as {{}} of text (the {_MOST_CATEGORIES} most frequent)",
}
_FILLED = {"number": _MEDIAN, "date": _MEDIAN, "category": "a category of their own"}


@dataclass(frozen=True)
class Prepared:
    """Data that are ready for a comparison."""

    X: Any
    y: Any
    target: str
    groups: Any
    transformer: ColumnTransformer | None  # None if all columns are numbers without missing values
    done: Sequence[str]  # to the target, and what is in doubt
    uses: Sequence[Use]
    table: Table

    @property
    def task(self) -> str:
        """Regression if the target is a floating-point number, else classification."""
        return "regression" if np.asarray(self.y).dtype.kind == "f" else "classification"

    @property
    def read(self) -> tuple[str, ...]:
        """How the file was read, in at most two lines."""
        return tuple(describe(self.table))

    @property
    def dates(self) -> list[str]:
        """The columns of days."""
        return [use.name for use in self.uses if use.role == "date"]

    def record(self, file: str) -> dict[str, list[Any]]:
        """Return what scores keep of their data."""
        record = record_of(file, self.target, len(self.y), self.done)
        return record | {"read": list(self.read), **record_of_columns(self.table, self.uses)}

    def wrap(self, estimator: Any) -> Any:
        """Return an estimator after the preprocessing."""
        if self.transformer is None:
            return estimator
        return make_pipeline(clone(self.transformer), estimator)


def prepare(options: argparse.Namespace) -> Prepared:
    """Read the data that the options name."""
    groups = options.groups
    drop = options.drop
    keep = options.keep
    read = _read_data(options)
    table = read.frame
    target = options.target
    y, done = _prepare_target(table[target], options)
    X = table.drop(columns=list({target, groups, options.time, *drop} - {None, *keep}))
    days = [column.name for column in read.columns if column.kind == "date"]
    features, uses = find_features(X, keep, days, read.whole)
    apart = [Use(name, LEFT_OUT, "--drop") for name in drop]
    units = read_named(table, groups, partial(whole_column, what="groups column"))
    if groups is None:
        done += _could_be_groups(features)
    else:
        apart.append(Use(groups, LEFT_OUT, "groups"))
    if options.time is not None:
        apart.append(Use(options.time, LEFT_OUT, "time"))
        index = _index_of_times(table[options.time], options)
        order = np.argsort(index, kind="stable")
        features = features.set_axis(index).iloc[order]
        y = y.set_axis(index).iloc[order]
        done.append(f"rows in the order of {options.time!r}, {index.nunique()} times")
    done += _could_be_parts(features)
    for _, column in [(target, y), *features.items()]:
        done += _odd_texts(column)
    uses = [Use(target, "target"), *uses, *apart]
    return Prepared(features, y, target, units, _preprocessing(features), done, uses, read)


def _index_of_times(column: pd.Series, options: argparse.Namespace) -> pd.DatetimeIndex:
    """Return an index in which the times of a column follow each other day by day."""
    if options.groups is not None:
        raise InputError("--groups and --time: rows of one time stay together; leave out --groups.")
    return pd.DatetimeIndex(pd.to_datetime(order_of("time", times_of(column, options)), unit="D"))


def _read_data(options: argparse.Namespace) -> Table:
    """Return the table that is named."""
    if options.data in DATA:
        loader = getattr(import_module("sklearn.datasets"), f"load_{options.data}")
        frame = loader(as_frame=True).frame
        options.target = options.target or "target"
        _check_named(frame, options)
        return read_typed(frame, options)
    frame, source = _load(options.data, options, f", or name one of {listed(DATA)}")
    if options.target is None:
        raise InputError(
            f"--target is missing; pass the target's column of {options.data}, one of "
            f"{listed(frame.columns, 20)}."
        )
    _check_named(frame, options)
    if source is None:
        return read_typed(frame, options)
    return read_rows(frame, source, options)


def _check_named(frame: pd.DataFrame, options: argparse.Namespace) -> None:
    """Raise InputError if options name columns that are not there, or contradict each other."""
    named = [*options.drop, *options.keep, options.groups, options.time]
    check_columns(frame, options.data, options.target, named)
    check_known(options.as_text, frame.columns, f"the columns of {options.data}")
    both = set(options.drop) & set(options.keep)
    if both:
        raise InputError(f"--drop and --keep both name {listed(sorted(both))}.")


def _prepare_target(column: pd.Series, options: argparse.Namespace) -> tuple[pd.Series, list[str]]:
    """Return the target, and what was done to it or is in doubt."""
    y = _target(column)
    done = []
    if options.positive is not None:
        classes = positive_and_negative(options.positive, y)
        y = as_one_and_zero(y, classes, column.name)
        done.append(describe_one_and_zero(classes, column.name))
    check_positive_is_known(options.scoring, y)
    y = _for_task(y, options.task)
    if options.task is None and y.dtype.kind == "f" and y.nunique() == 2:
        low, high = np.unique(y)
        done.append(
            f"{column.name!r} has the numbers {low:g} and {high:g} only: --task classification?"
        )
    return y, done


def _could_be_groups(features: pd.DataFrame) -> Iterator[str]:
    """Ask about columns whose values may be those of groups."""
    for name, column in features.select_dtypes(exclude=[np.floating, bool]).items():
        if _may_name_groups(column):
            sizes = column.value_counts()
            each = " to ".join(map(str, sorted({sizes.min(), sizes.max()})))
            yield f"{name!r} has {len(sizes)} values, {each} rows each: --groups {name}?"


def _could_be_parts(features: pd.DataFrame) -> Iterator[str]:
    """Ask about features that seem to number folds, or to name sets of rows."""
    for name, column in features.items():
        part = part_in(name, column)
        if part is not None:
            yield f"{name!r} seems to tell {part} apart: --drop {name}?"


def _may_name_groups(column: pd.Series) -> bool:
    """Tell whether values may be those of groups, by how many rows each has and where these are."""
    sizes = column.value_counts()
    if len(sizes) < _FEWEST_SUBJECTS or sizes.max() == 1:
        return False
    if column.dtype == object:
        return bool(sizes.max() <= _LARGEST_GROUP * len(column))
    n_runs = np.count_nonzero(np.diff(column.factorize()[0])) + 1
    return sizes.nunique() == 1 or n_runs == len(sizes)


def _odd_texts(column: pd.Series) -> Iterator[str]:
    """Say that a column of texts has one label written in two ways."""
    if column.dtype != object:
        return
    texts = pd.Series(column.dropna().unique())
    alike = texts.str.strip().str.casefold()
    odd = texts[alike.duplicated(keep=False)]
    if not odd.empty:
        shown = listed(odd[alike[odd.index].sort_values(kind="stable").index], _MOST_ODD)
        yield f"{column.name!r} has {shown} as different labels"


def _target(column: pd.Series) -> pd.Series:
    """Return the target as numbers or texts."""
    column = whole_column(column, "target", ", or pass --drop-missing-target")
    n_values = column.nunique()
    if column.dtype == object and n_values > max(len(column) / 2, 1):
        raise InputError(
            f"The target {column.name!r} has {n_values} different texts in "
            f"{counted(len(column), 'row')}, so they are not classes; pass another --target, "
            "or, if they are numbers, --task regression without --as-text."
        )
    return column


def _for_task(y: pd.Series, task: str | None) -> pd.Series:
    """Return the target as numbers for regression, as labels for classification."""
    if task == "regression":
        with refused(f"--task regression needs a target of numbers, which {y.name!r} is not"):
            return y.astype(float)
    if task == "classification" and y.dtype.kind == "f":
        return y.astype(int) if (y % 1 == 0).all() else y.map(str)
    return y


def record_of(
    table: str, target: str | None, n_rows: int, done: Sequence[str]
) -> dict[str, list[Any]]:
    """Return what scores keep of their data: the file, and what was done or is in doubt."""
    rows = counted(n_rows, "row")
    today = date.today().isoformat()
    of_target = "" if target is None else f"target {target!r}, "
    record: dict[str, list[Any]] = {"table": [f"{Path(table).name}, {of_target}{rows}, {today}"]}
    if done:
        record["data"] = list(done)
    return record


def find_features(
    table: pd.DataFrame, keep: Sequence[str] = (), days: Sequence[str] = (), whole: Any = _NOTHING
) -> tuple[pd.DataFrame, list[Use]]:
    """Return the columns that are features, as numbers or texts, and what all are used for.

    Those in `days` are dates that are numbers already. `whole` has the columns with rows that were
    left out since, without which a column that numbers the rows has gaps.
    """
    features: dict[str, pd.Series] = {}
    uses = []
    for name in table.columns:
        column = plain(table[name])
        is_kept = name in keep
        in_whole = plain(whole.get(name, column))
        reason = _why_no_feature(column, is_kept) or _why_no_feature(in_whole, is_kept)
        if name in days:
            features[name] = column
            uses.append(_use_of(column, "date"))
        elif reason:
            uses.append(Use(name, LEFT_OUT, reason))
        else:
            features[name] = column
            uses.append(_use_of(column, "category" if column.dtype == object else "number"))
    if not features:
        reasons = first_of([f"{use.name!r}: {REASONS[use.done]}" for use in uses], 5)
        raise InputError(
            f"No column is left as a feature ({reasons}); bring some back with --keep."
        )
    return pd.DataFrame(features), uses


def _use_of(column: pd.Series, role: str) -> Use:
    """Return the use of a column that is a feature, and what the preprocessing does to it."""
    done = _DONE[role].format(counted(column.nunique(), "value"))
    n_missing = int(column.isna().sum())
    if n_missing:
        done += f"; {counted(n_missing, 'missing value')}: {_FILLED[role]}"
    return Use(str(column.name), role, done.removeprefix("; "))


def _why_no_feature(column: pd.Series, is_kept: bool) -> str:
    """Return why a column without dates is left out, a key of REASONS, or an empty text."""
    present = column.dropna()
    if present.empty:
        return "empty"
    if is_kept:
        return ""
    if column.dtype == object and present.nunique() > _DISTINCT * len(present):
        return "free text" if present.str.contains(" ").any() else "identifier"
    if column.dtype.kind in "iu" and _numbers_rows(column.to_numpy()):
        return "counter"
    return ""


def _numbers_rows(values: np.ndarray) -> bool:
    """Tell whether integers number the rows, in any order."""
    return np.array_equal(np.sort(values) - values.min(), np.arange(len(values)))


def named_by(column: pd.Series, target: pd.Series) -> str:
    """Return what a column is of, "dates", "rows", "subjects" or "texts"; "" for predictions."""
    counts = column.value_counts()
    n_classes = target.nunique()
    if set(counts.index) <= set(target):
        return ""
    if are_dates(column):
        return "dates"
    refuse_almost_predictions(column, target)
    if _why_no_feature(column, is_kept=False):
        return "rows"
    may_name_groups = _may_name_groups(column)
    if column.dtype == object and target.dtype != object:
        return "subjects" if may_name_groups else "texts"
    is_name = column.dtype.kind != "f" and len(counts) > max(n_classes, _FEWEST_SUBJECTS - 1)
    are_few_classes = n_classes <= len(target) / 10
    if is_name and (may_name_groups or are_few_classes):
        return "subjects"
    return ""


def times_of(column: pd.Series, options: argparse.Namespace) -> np.ndarray:
    """Return the time of each row: days of dates, or numbers."""
    values = whole_column(column)
    days = days_of(values, order_of_dates(options))
    if days is not None:
        return days.to_numpy()
    if values.dtype == object:
        raise InputError(
            f"--time {column.name} contains {values.iloc[0]!r}; it needs dates such as 2024-01-31, "
            "or numbers."
        )
    return values.to_numpy()


def _preprocessing(features: pd.DataFrame) -> ColumnTransformer | None:
    """Return scikit-learn's usual preprocessing: medians, and one column for each category."""
    is_text = (features.dtypes == "object").to_numpy()
    lacking = features.isna().any().to_numpy()
    if not (is_text | lacking).any():
        return None
    # By place: scikit-learn finds many columns by name in a time that grows with their square.
    texts = np.flatnonzero(is_text).tolist()
    numbers = np.flatnonzero(~is_text).tolist()
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_CATEGORIES, sparse_output=False
    )
    median = SimpleImputer(strategy="median", keep_empty_features=True)
    constant = SimpleImputer(strategy="constant", fill_value="missing")
    categories = make_pipeline(constant, encoder)
    parts = [("numbers", median, numbers), ("categories", categories, texts)]
    return ColumnTransformer(parts)


def read_table(name: str, options: argparse.Namespace) -> Table:
    """Read a file of predictions."""
    frame, source = _load(name, options, are_rows=False)
    if source is None:
        return Table(frame)
    return read_predictions(frame, source, options)


def read_plainly(name: str, options: argparse.Namespace) -> pd.DataFrame:
    """Read a file as pandas does, so that how a column is read depends on no other one."""
    return _load(name, options, are_rows=False)[0]


def _load(
    name: str, options: argparse.Namespace, other_sources: str = "", are_rows: bool = True
) -> tuple[pd.DataFrame, Source | None]:
    """Return a CSV, Excel or Parquet file as pandas reads it, and the text of the former."""
    path = Path(name)
    suffix = path.suffix.lower()
    if "://" in name:
        raise InputError(f"{name} is an address: download it first, and pass the file.")
    if path.is_char_device():  # which may have no end
        raise InputError(f"{name} is a device; pass a CSV or Parquet file.")
    content = read_bytes(name, sys.maxsize, f"Pass a CSV or Parquet file{other_sources}.")
    if suffix in _COMPRESSED:
        with refused(f"{name} cannot be read"):  # each format has its errors for a damaged file
            content = _unpacked(content, suffix, name, options.most_unpacked)
    if not content.strip():
        raise InputError(f"{name} is empty.")
    source = None
    if suffix in _PARQUET:
        frame = _parquet(content, name)
    else:
        content = as_csv(content, name, options)
        source = _source(content, name, options)
        frame = _csv(source, name, options, are_rows)
    if frame.empty:
        raise InputError(f"{name} has no rows below its header.")
    frame.columns = frame.columns.map(with_blanks)
    return frame, source


def _unpacked(content: bytes, suffix: str, name: str, most: float) -> bytes:
    """Return the content of a compressed file, which a few bytes can make as large as a disk."""
    n_most = int(most * 1e9)
    with import_module(_COMPRESSED[suffix]).open(io.BytesIO(content)) as file:
        unpacked: bytes = file.read(n_most + 1)
    if len(unpacked) > n_most:
        raise InputError(
            f"{name} has more than {most:g} GB once it is unpacked. Pass --most-unpacked with a "
            "larger number of GB if that is right, or a file with fewer rows or columns."
        )
    return unpacked


def check_columns(
    table: pd.DataFrame, file: str, target: str | None, others: Sequence[str | None]
) -> None:
    """Raise InputError if a table lacks a column, or the target is to be something else, too."""
    check_known([target, *others], table.columns, f"the columns of {file}")
    if target in {*others} - {None}:
        raise InputError(f"{target!r} is the target; leave it out of the other options.")


def check_known(named: Sequence[str | None], known: Iterable[str], what: str) -> None:
    """Raise InputError that lists the names that are not known; None is no name."""
    unknown = sorted(map(str, {*named} - {None, *known}))
    if unknown:
        raise InputError(f"{listed(unknown)}: not among {what}, which are {listed(known, 20)}.")


def _parquet(content: bytes, name: str) -> pd.DataFrame:
    remedy = "Reading Parquet files needs python -m pip install pyarrow; or pass a CSV file."
    with refused(f"{name} cannot be read as a Parquet file", remedy):
        frame = pd.read_parquet(io.BytesIO(content))
    frame.columns = frame.columns.map(str)
    _check_header(frame.columns, name)
    return frame


def _source(content: bytes, name: str, options: argparse.Namespace) -> Source:
    """Return the text of a CSV file and its separator, which is looked for if none is given."""
    encoding = options.encoding.removesuffix("-sig")
    remedy = "Save it as UTF-8, or pass --encoding, such as --encoding latin-1 or utf-16."
    with refused(f"{name} is not in {encoding}", remedy):
        text = content.decode(options.encoding)
    first_line = _NAMES_SEPARATOR.match(text)
    assert first_line is not None, "it may be empty"
    text = text[first_line.end() :]
    return Source(text, options.separator or first_line[1] or find_separator(text, name))


def _csv(source: Source, name: str, options: argparse.Namespace, are_rows: bool) -> pd.DataFrame:
    """Return a CSV file as pandas reads it; among predictions only empty cells are missing."""
    text = source.text
    separator = source.separator
    with (
        refused(f"{name} is not a CSV file with the separator {separator!r}"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error", pd.errors.ParserWarning)  # rows that are too long
        names = next(csv.reader(io.StringIO(text.lstrip("\r\n")), delimiter=separator))
        _check_header(names, name, _lower_header(text))
        frame = pd.read_csv(
            io.StringIO(text),
            sep=separator,
            index_col=False,
            low_memory=False,
            dtype=dict.fromkeys(options.as_text, str),
            keep_default_na=are_rows,
            na_values=["", *options.missing],
        )
    _refuse_second_header(frame, names, source, name)
    return frame


def _refuse_second_header(
    frame: pd.DataFrame, names: Sequence[str], source: Source, file: str
) -> None:
    """Refuse a row of the names of the header, in any order."""
    header = sorted(map(_folded, names))
    first = frame.iloc[:, 0].astype(object).map(_folded)
    rows = np.flatnonzero(first.isin(header))
    cells = frame.iloc[rows].astype(object).map(_folded).to_numpy(dtype=str)
    rows = rows[np.all(np.sort(cells, axis=1) == header, axis=1)]
    if rows.size:
        (line,) = source.lines(rows[:1].tolist())
        raise InputError(
            f"{file} has a second header in line {line}; remove it, or read the files that were "
            "joined one by one."
        )


def _folded(cell: Any) -> str:
    return "" if pd.isna(cell) else str(cell).strip().casefold()


def _lower_header(text: str) -> str:
    """Say in which line below a title the header seems to be; nothing if it is in the first."""
    lines = "".join(islice(io.StringIO(text), _MOST_TITLES)).splitlines()
    counts = np.array([[line.count(separator) for separator in SEPARATORS] for line in lines])
    are_as_last = (counts == counts[-1]) & (counts[-1] > 0)
    separator = [*SEPARATORS][are_as_last.sum(axis=0).argmax()]
    records = [line.split(separator) for line in lines]
    header = max(records, key=_n_filled)  # the first of equal ones
    if _n_filled(header) < 2 * _n_filled(records[0]):
        return ""
    return (
        f" Line {records.index(header) + 1} seems to be the header, as it begins with "
        f"{listed(header[:2])}: delete what is above it."
    )


def _n_filled(cells: Sequence[str]) -> int:
    return len(cells) - cells.count("")


def _check_header(header: Iterable[str], file: str, remedy: str = "") -> None:
    """Refuse repeated names, and a single column, which usually means another separator."""
    names = list(header)
    columns = pd.Index(names).map(with_blanks)
    if not columns.is_unique:
        twice = listed(columns[columns.duplicated()].unique())
        raise InputError(f"{file} has two columns named {twice}; rename one.{remedy}")
    if len(names) < 2:
        raise InputError(
            f"{file} has one column, {listed(names)}; it needs a target and a feature. If its "
            f"separator is another one, pass --separator.{remedy}"
        )


def whole_column(column: pd.Series, what: str = "column", remedy: str = "") -> pd.Series:
    """Return a column without missing values as truth values, numbers or texts."""
    missing = np.flatnonzero(column.isna())
    if missing.size:
        rows = listed((missing + 1).tolist(), 5)
        raise InputError(
            f"The {what} {column.name!r} is missing in {missing.size} of "
            f"{counted(len(column), 'row')} ({verb(missing.size, 'row', 'rows')} {rows} below the "
            f"header); remove these rows{remedy}."
        )
    if pd.api.types.infer_dtype(column) == "boolean":
        return column.astype(bool)
    return plain(column)


def read_named(
    table: pd.DataFrame, name: str | None, read: Callable[[pd.Series], Any] = whole_column
) -> Any:
    """Return what is read from a column as an array; None if none is named."""
    if name is None:
        return None
    return np.asarray(read(table[name]))


def plain(column: pd.Series) -> pd.Series:
    """Return a column as numbers with a NumPy type, or as str, nan where a value is missing."""
    types = pd.api.types
    kind = pd.api.types.infer_dtype(column, skipna=True)
    if kind == "timedelta64":
        column = column.dt.total_seconds() / 86400
    elif kind in ("boolean", "decimal"):
        column = column.astype(float)
    if types.is_numeric_dtype(column.dtype):
        if types.is_extension_array_dtype(column.dtype):
            values = column.to_numpy(dtype=float, na_value=np.nan)
            column = pd.Series(values, index=column.index, name=column.name)
        if np.isinf(column).any():
            raise InputError(
                f"The column {column.name!r} contains infinite values; leave them empty, or use "
                "--drop."
            )
        return column
    present = column.dropna()
    texts = pd.Series(map(str, present), index=present.index, name=column.name, dtype=object)
    return texts.reindex(column.index)


def positive_and_negative(positive: str, target: pd.Series) -> tuple[Any, Any]:
    """Return the two classes of a target, first the one that ``--positive`` names."""
    classes = np.unique(target).tolist()
    if len(classes) != 2:
        raise InputError(
            f"--positive needs two classes; {target.name!r} has {len(classes)}: {listed(classes)}."
        )
    by_name = {str(label).removesuffix(".0"): label for label in classes}  # 1.0 as 1
    by_name |= {str(label): label for label in classes}
    if positive not in by_name:
        raise InputError(
            f"--positive {positive!r} must be one of the labels of {target.name!r}, "
            f"{listed(classes)}."
        )
    classes.remove(by_name[positive])
    return by_name[positive], classes[0]


def describe_one_and_zero(classes: tuple[Any, Any], target: Any) -> str:
    return f"labels as numbers, {classes[0]!r} as 1, {classes[1]!r} as 0: {str(target)!r}"


def as_one_and_zero(column: pd.Series, classes: tuple[Any, Any], target: Any) -> pd.Series:
    """Return labels of two classes as 1 for the first and 0; numbers that are no labels stay."""
    is_known = column.isin(classes)
    if is_known.all():
        return column.eq(classes[0]).astype(int)
    if column.dtype == object:
        raise InputError(
            f"The column {column.name!r} contains {column[~is_known].iloc[0]!r}; the labels of "
            f"{target!r} are {listed(classes[::-1])}."
        )
    return column


def check_positive_is_known(metric_names: Sequence[str], y: Any) -> None:
    """Raise InputError where a metric needs to know which label is the positive one."""
    if len(np.unique(y)) != 2:
        return
    for name in filter(METRICS.__contains__, metric_names):
        (metric,) = read_metrics(name)
        unknown = unknown_labels(metric, y)
        if unknown is not None:
            raise InputError(
                f"{unknown.fact}. Pass --positive with the label that counts as positive."
            )
