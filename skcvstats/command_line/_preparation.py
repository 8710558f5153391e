"""Turn ``--data`` into X, y and groups, and make the preprocessing of the estimators."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from .._utils._checks import listed
from .._utils._text import counted
from ._errors import InputError
from ._parser import DATA
from ._table import (
    as_numbers,
    as_texts,
    check_columns,
    check_positive_is_known,
    read_coding,
    read_table,
    whole_column,
)

_MOST_CATEGORIES = 100
# A text column with a larger share of distinct values is taken for an identifier.
_DISTINCT = 0.95
# A column of fewer values, each in as many rows, is rather a category than a subject.
_FEWEST_SUBJECTS = 10
_ISO = r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?"
_EPOCH, _DAY = datetime(1970, 1, 1, tzinfo=UTC), timedelta(days=1)
_DATES = "dates as days since 1970"


@dataclass(frozen=True)
class Prepared:
    """Data that are ready for a comparison."""

    X: Any
    y: Any
    groups: Any
    transformer: ColumnTransformer | None  # None if all columns are numbers without missing values
    done: tuple[str, ...]

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
    if options.data in DATA:
        loader = getattr(import_module("sklearn.datasets"), f"load_{options.data}")
        table, target = loader(as_frame=True).frame, options.target or "target"
    else:
        table = read_table(options.data, options, shipped=DATA)
        target = options.target
    drop, keep = options.drop or [], options.keep or []
    _check_named(table, options, target, drop, keep)
    y, done = _target(table[target]), []
    if options.positive is not None:
        coding = read_coding(y, options.positive)
        y, done = coding.of(y), [coding.done]
    check_positive_is_known(options.scoring, y)
    y = _for_task(y, options.task)
    groups = None
    if options.groups is not None:
        groups = np.asarray(whole_column(table[options.groups], "groups column"))
    X = table.drop(columns=list({target, *drop} | ({options.groups} - {None, *keep})))
    features, changes = find_features(X, keep)
    transformer, steps = _preprocessing(features)
    if drop:
        done.append(f"left out by --drop: {listed(drop)}")
    if groups is None:
        done += filter(None, (_like_subjects(features[name]) for name in features))
    changes += steps
    return Prepared(features if changes else X, y, groups, transformer, (*done, *changes))


def _for_task(y: pd.Series, task: str | None) -> pd.Series:
    """Return the target as numbers for regression, as labels for classification."""
    if task is None:
        return y
    if task == "classification":
        is_label = y.dtype.kind != "f" or (y % 1 == 0).all()
        return y.astype(int) if is_label and y.dtype.kind == "f" else y if is_label else y.map(str)
    if y.dtype.kind not in "biuf":
        raise InputError(
            f"--task regression needs a target of numbers; {y.name!r} holds {y.iloc[0]!r}."
        )
    return y.astype(float)


def _like_subjects(column: pd.Series) -> str | None:
    """Ask whether rows with the same value belong together, if all values have as many."""
    counts = column.value_counts()
    if column.dtype.kind not in "iuO" or len(counts) < _FEWEST_SUBJECTS:
        return None
    n_rows = int(counts.iloc[0])
    if n_rows < 2 or counts.nunique() > 1:
        return None
    name = column.name
    return f"{name!r} has {len(counts)} values, {n_rows} rows each: --groups {name}?"


def _check_named(
    table: pd.DataFrame, options: argparse.Namespace, target: Any, drop: list[str], keep: list[str]
) -> None:
    """Refuse columns that are not there, and those that are given two parts."""
    if target is None:
        raise InputError(
            f"--target is missing; pass the target's column of {options.data}, one of "
            f"{listed(table.columns, 20)}."
        )
    groups = options.groups
    check_columns(table, options.data, [target, *drop, *keep, *filter(None, [groups])])
    if both := set(drop) & set(keep):
        raise InputError(f"--drop and --keep both name {listed(sorted(both))}.")
    if target in {*drop, *keep, groups}:
        raise InputError(f"{target!r} is the target; leave it out of --drop, --keep and --groups.")


def _target(column: pd.Series) -> pd.Series:
    """Return the target as numbers or texts; it has at least two values."""
    if column.dtype != bool:
        column = whole_column(column, "target")
    distinct = column.nunique()
    if distinct < 2:
        raise InputError(
            f"The target {column.name!r} has one value, {column.iloc[0]!r}, in all rows."
        )
    if column.dtype == object and distinct > len(column) / 2:
        raise InputError(
            f"The target {column.name!r} has {distinct} different texts in "
            f"{counted(len(column), 'row')}, so these are no classes; pass another --target."
        )
    return column


def find_features(table: pd.DataFrame, keep: Sequence[str] = ()) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns that are features, as numbers or texts, and what was done."""
    features: dict[str, pd.Series] = {}
    done: dict[str, list[str]] = {}
    for name in table.columns:
        found, what = _feature(table[name], name in keep)
        if found is not None:
            features[name] = found
        if what is not None:
            done.setdefault(what, []).append(name)
    dates = done.pop(_DATES, None)
    said = [f"left out {why}: {listed(names)}" for why, names in done.items()]
    if not features:
        why = "; ".join(said)
        raise InputError(f"No column is left as a feature ({why}); bring some back with --keep.")
    if dates:
        said.append(f"{_DATES}: {listed(dates)}")
    return pd.DataFrame(features), said


def _feature(column: pd.Series, kept: bool) -> tuple[pd.Series | None, str | None]:
    """Return a column as a feature, and how it was changed or why it is left out."""
    present = column.dropna()
    if not len(present):
        return None, "as all values are missing"
    days = days_of(column)
    if days is not None:
        return days, _DATES
    number = as_numbers(column)
    if number is not None:
        if not kept and _numbers_the_rows(number):
            return None, "as they number the rows (--keep brings them back)"
        return number, None
    texts = as_texts(column)
    if not kept and texts.nunique() > _DISTINCT * len(present):
        return None, "as over 95 % of the texts differ (--keep brings them back)"
    return texts, None


def days_of(column: pd.Series) -> pd.Series | None:
    """Return a column of ISO dates as days since 1970, or None for another column."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        column = column.dt.strftime("%Y-%m-%dT%H:%M:%S%z")
    present = column.dropna()
    if not len(present) or pd.api.types.is_numeric_dtype(column.dtype):
        return None
    texts = present.astype(str)
    if not texts.str.fullmatch(_ISO).all():
        return None
    try:
        moments = map(datetime.fromisoformat, texts)
        days = [(moment.replace(tzinfo=moment.tzinfo or UTC) - _EPOCH) / _DAY for moment in moments]
    except ValueError:  # such as the 30th of February
        return None
    return pd.Series(days, index=present.index, name=column.name).reindex(column.index)


def _numbers_the_rows(column: pd.Series) -> bool:
    """Whether integers count the rows, from any start and in any order."""
    if column.dtype.kind not in "iu" or len(column) < 3:
        return False
    return bool(column.is_unique and int(column.max()) - int(column.min()) == len(column) - 1)


def _preprocessing(features: pd.DataFrame) -> tuple[ColumnTransformer | None, list[str]]:
    """Return scikit-learn's usual preprocessing: medians, and one column for each category."""
    texts = [name for name in features if features[name].dtype == object]
    numbers = [name for name in features if name not in texts]
    if not texts and not features.isna().any(axis=None):
        return None, []
    done = []
    if filled := [name for name in numbers if features[name].isna().any()]:
        done.append(f"missing values replaced by the median of the training rows: {listed(filled)}")
    if texts:
        most = f"the {_MOST_CATEGORIES} most frequent, missing values as one of their own"
        done.append(f"categories one-hot encoded ({most}): {listed(texts)}")
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_CATEGORIES, sparse_output=False
    )
    median = SimpleImputer(strategy="median", keep_empty_features=True)
    constant = SimpleImputer(strategy="constant", fill_value="missing")
    categories = make_pipeline(constant, encoder)
    parts = [("numbers", median, numbers), ("categories", categories, texts)]
    return ColumnTransformer(parts), done
