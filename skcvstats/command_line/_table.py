"""Read a CSV or Parquet file, turn its columns into X, y and groups, and say what is wrong."""

import argparse
import csv
import difflib
import io
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from .._utils._checks import listed
from .._utils._documents import open_at_once
from .._utils._metrics import METRICS
from .._utils._text import counted, with_blanks
from ..fitting import read_metrics, unknown_labels
from ._parser import DATA, InputError, in_one_line, refused

_PARQUET = (".parquet", ".pq")
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
_SEPARATORS = ";\t|"
_MOST_CATEGORIES = 100
# A text column with a larger share of distinct values is taken for an identifier.
_DISTINCT = 0.95
# A column of fewer values, each in as many rows, is rather a category than a subject.
_FEWEST_SUBJECTS = 10
_ISO = r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_DATES = "dates as days since 1970"


@dataclass(frozen=True)
class Prepared:
    """Data that are ready for a comparison."""

    X: Any
    y: Any
    target: str
    groups: Any
    transformer: ColumnTransformer | None  # None if all columns are numbers without missing values
    done: tuple[str, ...]
    dates: Sequence[str]  # columns of days

    @property
    def is_regression(self) -> bool:
        """Whether the target is a floating-point number."""
        return bool(np.asarray(self.y).dtype.kind == "f")

    def wrap(self, estimator: Any) -> Any:
        """Return an estimator after the preprocessing."""
        if self.transformer is None:
            return estimator
        return make_pipeline(clone(self.transformer), estimator)


def prepare(options: argparse.Namespace) -> Prepared:
    """Read the data that the options name."""
    groups = options.groups
    drop = options.drop or []
    keep = options.keep or []
    table, target = _read_data(options)
    named = [target, *drop, *keep]
    if groups is not None:
        named.append(groups)
    check_columns(table, options.data, named)
    if both := set(drop) & set(keep):
        raise InputError(f"--drop and --keep both name {listed(sorted(both))}.")
    if target in named[1:]:
        raise InputError(f"{target!r} is the target; leave it out of --drop, --keep and --groups.")
    y, done = _prepare_target(table[target], options)
    if drop:
        done.append(f"left out by --drop: {listed(drop)}")
    X = table.drop(columns=list({target, groups, *drop} - {None, *keep}))
    features, changes, dates = find_features(X, keep)
    units = None
    if groups is None:
        done += _could_be_groups(features)
    else:
        units = np.asarray(whole_column(table[groups], "groups column"))
    done += changes
    done += filter(None, map(_odd_texts, [y, *dict(features.items()).values()]))
    transformer, steps = _preprocessing(features)
    return Prepared(features, y, target, units, transformer, (*done, *steps), dates)


def _read_data(options: argparse.Namespace) -> tuple[pd.DataFrame, str]:
    """Return the table that is named, and its target."""
    target = options.target
    if options.data in DATA:
        loader = getattr(import_module("sklearn.datasets"), f"load_{options.data}")
        return loader(as_frame=True).frame, target or "target"
    table = read_table(options.data, options, shipped=DATA)
    if target is None:
        raise InputError(
            f"--target is missing; pass the target's column of {options.data}, one of "
            f"{listed(table.columns, 20)}."
        )
    return table, target


def _prepare_target(column: pd.Series, options: argparse.Namespace) -> tuple[pd.Series, list[str]]:
    """Return the target, and what was done to it or is in doubt."""
    y = _target(column)
    done = []
    if options.positive is not None:
        (y,), said = as_one_and_zero(options.positive, y)
        done.append(said)
    check_positive_is_known(options.scoring, y)
    y = _for_task(y, options.task)
    if options.task is None and y.dtype.kind == "f" and y.nunique() == 2:
        labels = " and ".join(f"{label:g}" for label in np.unique(y))
        done.append(f"{column.name!r} has the numbers {labels} only: --task classification?")
    return y, done


def _could_be_groups(features: pd.DataFrame) -> Iterator[str]:
    """Ask about columns of which all values have as many rows, as those of groups may."""
    for name in features.columns[[kind.kind in "iuO" for kind in features.dtypes]]:
        sizes = features[name].value_counts()
        n_rows = sizes.iloc[0]
        if sizes.nunique() == 1 and n_rows > 1 and len(sizes) >= _FEWEST_SUBJECTS:
            said = f"{name!r} has {len(sizes)} values, {n_rows} rows each"
            yield f"{said}: --groups {name}?"


def _odd_texts(column: pd.Series) -> str:
    """Say that a column of texts is nearly one of numbers, or has one label written in two ways."""
    texts = pd.Series(column.dropna().unique())
    if column.dtype != object or not len(texts):
        return ""
    is_number = pd.to_numeric(texts, errors="coerce").notna()
    if is_number.mean() > 0.5:
        why = listed(texts[~is_number], 3)
        remedy = "leave cells without a value empty"
        return f"{column.name!r} is taken as text because of {why} ({remedy})"
    alike = texts.str.strip().str.casefold()
    if alike.duplicated().any():
        pair = texts[alike == alike[alike.duplicated()].iloc[0]]
        return f"{column.name!r} has {listed(pair, 3)} as different labels"
    return ""


def _target(column: pd.Series) -> pd.Series:
    """Return the target as numbers or texts; it has at least two values."""
    column = whole_column(column, "target")
    distinct = column.nunique()
    if distinct < 2:
        raise InputError(
            f"The target {column.name!r} has one value, {column.tolist()[0]!r}, in all rows."
        )
    if column.dtype == object and distinct > len(column) / 2:
        raise InputError(
            f"The target {column.name!r} has {distinct} different texts in "
            f"{counted(len(column), 'row')}, so they are not classes; pass another --target."
        )
    return column


def _for_task(y: pd.Series, task: str | None) -> pd.Series:
    """Return the target as numbers for regression, as labels for classification."""
    if task == "regression":
        if y.dtype == object:
            raise InputError(
                f"--task regression needs a target of numbers; {y.name!r} holds {y.iloc[0]!r}."
            )
        return y.astype(float)
    if task == "classification" and y.dtype.kind == "f":
        return y.astype(int) if (y % 1 == 0).all() else y.map(str)
    return y


def record_of(table: str, target: str, n_rows: int, done: Sequence[str]) -> dict[str, list[str]]:
    """Return what scores keep of their data: the file, and what was done to its columns."""
    rows = counted(n_rows, "row")
    today = date.today().isoformat()
    named = f"{Path(table).name}, target {target!r}, {rows}, {today}"
    return {"table": [named]} | ({"data": list(done)} if done else {})


def find_features(
    table: pd.DataFrame, keep: Sequence[str] = ()
) -> tuple[pd.DataFrame, list[str], list[str]]:
    """Return the columns that are features, as numbers or texts, what was done, and the dates."""
    features: dict[str, pd.Series] = {}
    done: dict[str, list[str]] = {}
    for name in table.columns:
        found, what = _feature(plain(table[name]), name in keep)
        if found is not None:
            features[name] = found
        if what is not None:
            done.setdefault(what, []).append(name)
    dates = done.pop(_DATES, [])
    said = [f"left out {why}: {listed(names)}" for why, names in done.items()]
    if not features:
        why = "; ".join(said)
        raise InputError(f"No column is left as a feature ({why}); bring some back with --keep.")
    if dates:
        said.append(f"{_DATES}: {listed(dates)}")
    return pd.DataFrame(features), said, dates


def _feature(column: pd.Series, kept: bool) -> tuple[pd.Series | None, str | None]:
    """Return a column as a feature, and how it was changed or why it is left out."""
    present = column.dropna()
    if not len(present):
        return None, "as all values are missing"
    if (days := days_of(column)) is not None:
        return days, _DATES
    if kept:
        return column, None
    if column.dtype == object and present.nunique() > _DISTINCT * len(present):
        return None, "as over 95 % of the texts differ (--keep brings them back)"
    is_count = column.dtype.kind in "iu" and len(column) > 2 and column.is_unique
    if is_count and int(column.max()) - int(column.min()) == len(column) - 1:  # in any order
        return None, "as they number the rows (--keep brings them back)"
    return column, None


def named_by(column: pd.Series, target: pd.Series) -> str:
    """Return what a column is of, "dates", "rows", "subjects" or "texts"; "" for predictions."""
    counts = column.value_counts()
    n_classes = target.nunique()
    if set(counts.index) <= set(target):
        return ""
    found, what = _feature(column, kept=False)
    if found is None:
        return "rows"
    if what == _DATES:
        return "dates"
    of_subjects = counts.nunique() == 1 or n_classes <= len(target) / 10
    repeated = column.dtype.kind != "f" and counts.max() > 1 and len(counts) >= _FEWEST_SUBJECTS
    if of_subjects and repeated and len(counts) > n_classes:
        return "subjects"
    return "texts" if column.dtype == object and target.dtype != object else ""


def days_of(column: pd.Series) -> pd.Series | None:
    """Return a column of ISO dates as days since 1970, or None for another column."""
    texts = column.dropna()
    if column.dtype != object or not len(texts) or not texts.str.fullmatch(_ISO).all():
        return None
    try:
        moments = map(datetime.fromisoformat, texts)
        days = [(moment.replace(tzinfo=moment.tzinfo or UTC) - _EPOCH) / _DAY for moment in moments]
    except ValueError:  # such as the 30th of February
        return None
    return pd.Series(days, index=texts.index, name=column.name).reindex(column.index)


def times_of(column: pd.Series) -> np.ndarray:
    """Return the time of each row: days of ISO dates, or numbers."""
    values = whole_column(column)
    days = days_of(values)
    if days is None and values.dtype == object:
        raise InputError(
            f"--time {column.name} holds {values.iloc[0]!r}; it needs dates such as 2024-01-31, or "
            "numbers."
        )
    return np.asarray(values if days is None else days)


def _preprocessing(features: pd.DataFrame) -> tuple[ColumnTransformer | None, list[str]]:
    """Return scikit-learn's usual preprocessing: medians, and one column for each category."""
    is_text = np.array([kind.kind == "O" for kind in features.dtypes])
    lacking = features.isna().any().to_numpy()
    # By place: scikit-learn finds many columns by name in a time that grows with their square.
    texts, numbers = (np.flatnonzero(part).tolist() for part in (is_text, ~is_text))
    if not texts and not lacking.any():
        return None, []
    done = []
    if filled := features.columns[~is_text & lacking].tolist():
        done.append(f"missing values replaced by the median of the training rows: {listed(filled)}")
    if texts:
        most = f"the {_MOST_CATEGORIES} most frequent, missing values as one of their own"
        done.append(f"categories one-hot encoded ({most}): {listed(features.columns[is_text])}")
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_CATEGORIES, sparse_output=False
    )
    median = SimpleImputer(strategy="median", keep_empty_features=True)
    constant = SimpleImputer(strategy="constant", fill_value="missing")
    categories = make_pipeline(constant, encoder)
    parts = [("numbers", median, numbers), ("categories", categories, texts)]
    return ColumnTransformer(parts), done


def read_table(
    name: str, options: argparse.Namespace, shipped: tuple[str, ...] = ()
) -> pd.DataFrame:
    """Read a CSV or Parquet file, with the separator and the encoding of the options."""
    path = Path(name)
    if not path.exists():
        others = f", or name one of {listed(shipped)}" if shipped else ""
        close = difflib.get_close_matches(name, shipped, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise InputError(f"There is no file {name!r}; pass a CSV or Parquet file{others}.{hint}")
    for kind, is_kind in {"directory": path.is_dir(), "device": path.is_char_device()}.items():
        if is_kind:
            raise InputError(f"{name} is a {kind}; pass a CSV or Parquet file.")
    with refused(f"{name} cannot be read"):  # each format raises others for a damaged archive
        with open_at_once(path) as file:
            content = file.read()
        if opener := _COMPRESSED.get(path.suffix.lower()):
            content = import_module(opener).decompress(content)
    if not content.strip():
        raise InputError(f"{name} is empty.")
    is_parquet = path.suffix.lower() in _PARQUET
    frame = _parquet(content, name) if is_parquet else _csv(content, name, options)
    if not len(frame):
        raise InputError(f"{name} has no rows below its header.")
    frame.columns = frame.columns.map(with_blanks)
    return frame


def check_columns(table: pd.DataFrame, file: str, named: Sequence[str]) -> None:
    """Raise InputError if the table does not have the columns; the first is the target."""
    if unknown := [name for name in named if name not in table.columns]:
        hint = "; --target names that of the target" if named[0] in unknown else ""
        raise InputError(
            f"{listed(unknown)}: not among the columns of {file}, which are "
            f"{listed(table.columns, 20)}{hint}."
        )


def _parquet(content: bytes, name: str) -> pd.DataFrame:
    with refused(f"{name} is not a Parquet file"):
        try:
            frame = pd.read_parquet(io.BytesIO(content))
        except ImportError as error:
            raise InputError(
                f"{name}: reading Parquet files needs pyarrow, which is not installed; run "
                "python -m pip install pyarrow, or pass a CSV file."
            ) from error
    frame.columns = frame.columns.map(str)
    _check_header(list(frame.columns), name)
    return frame


def _csv(content: bytes, name: str, options: argparse.Namespace) -> pd.DataFrame:
    separator = options.separator
    encoding = options.encoding
    if len(separator) != 1 or separator in '"\r\n':
        raise InputError(f"--separator {separator!r} must be one character, such as ';'.")
    try:
        text = content.decode(encoding)
    except LookupError as error:
        raise InputError(f"--encoding {encoding} is not known; utf-8 and latin-1 are.") from error
    except ValueError as error:
        raise InputError(
            f"{name} is not in {encoding.removesuffix('-sig')}: {in_one_line(error)}. Save it as "
            "UTF-8, or pass --encoding, such as --encoding latin-1 or utf-16."
        ) from error
    with refused("The header cannot be read"):
        names = next(csv.reader(io.StringIO(text.lstrip("\r\n")), delimiter=separator))
    _check_header(names, name, separator)
    with (
        refused(f"{name} is not a CSV file with the separator {separator!r}"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error", pd.errors.ParserWarning)  # rows that are too long
        return pd.read_csv(io.StringIO(text), sep=separator, index_col=False, low_memory=False)


def _check_header(names: list[str], file: str, separator: str = ",") -> None:
    """Refuse repeated names, and a single column, which usually means another separator."""
    twice = [name for name, count in Counter(map(with_blanks, names)).items() if count > 1]
    if twice:
        raise InputError(f"{file} has two columns named {listed(twice)}; rename one.")
    if len(names) > 1:
        return
    for other in _SEPARATORS:
        if other in "".join(names) and other != separator:
            shell = "$" if other == "\t" else ""
            raise InputError(
                f"{file} has one column, {names[0]!r}: its separator seems to be {other!r}; pass "
                f"--separator {shell}{other!r}."
            )
    raise InputError(f"{file} has one column, {listed(names)}; it needs a target and a feature.")


def whole_column(column: pd.Series, what: str = "column", remedy: str = "") -> pd.Series:
    """Return a column without missing values as truth values, numbers or texts."""
    if missing := int(column.isna().sum()):
        raise InputError(
            f"The {what} {column.name!r} is missing in {missing} of "
            f"{counted(len(column), 'row')}; remove these rows{remedy}."
        )
    is_bool = pd.api.types.infer_dtype(column) == "boolean"
    return column.astype(bool) if is_bool else plain(column)


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
                f"The column {column.name!r} holds infinite values; leave them empty, or use "
                "--drop."
            )
        return column
    present = column.dropna()
    if strange := {type(value).__name__ for value in present} & {"ndarray", "dict", "list"}:
        raise InputError(
            f"The column {column.name!r} holds {listed(sorted(strange))}; drop it with --drop."
        )
    texts = pd.Series(map(str, present), index=present.index, name=column.name, dtype=object)
    return texts.reindex(column.index)


def as_one_and_zero(
    positive: str, target: pd.Series, *others: pd.Series
) -> tuple[list[pd.Series], str]:
    """Return a target of two classes, and predictions of it, with ``--positive`` as 1."""
    classes = np.unique(target).tolist()
    if len(classes) != 2:
        raise InputError(
            f"--positive needs two classes; {target.name!r} has {len(classes)}: {listed(classes)}."
        )
    short = {label: f"{label:g}" for label in classes if isinstance(label, float)}
    meant = [label for label in classes if positive in (str(label), short.get(label))]
    if not meant:
        raise InputError(
            f"--positive {positive!r} must be one of the labels of {target.name!r}, "
            f"{listed(classes)}."
        )
    one, zero = classes if meant[0] == classes[0] else classes[::-1]
    found = []
    for labels in (target, *others):
        known = labels.isin(classes)
        if labels.dtype == object and not known.all():
            raise InputError(
                f"The column {labels.name!r} holds {labels[~known].iloc[0]!r}; the labels of "
                f"{target.name!r} are {listed([zero, one])}."
            )
        found.append((labels == one).astype(int) if known.all() else labels)
    return found, f"labels as numbers, {one!r} as 1, {zero!r} as 0: {str(target.name)!r}"


def check_positive_is_known(scoring: str | Sequence[str] | None, y: Any) -> None:
    """Raise InputError where a metric needs to know which label is the positive one."""
    named = [scoring] if isinstance(scoring, str) else scoring or []
    has_two_labels = len(np.unique(y)) == 2
    for name in named:
        if has_two_labels and name in METRICS:
            (metric,) = read_metrics(name)
            unknown = unknown_labels(metric, y)
            if unknown is not None:
                raise InputError(
                    f"{unknown.fact}. Pass --positive with the label that counts as positive."
                )
