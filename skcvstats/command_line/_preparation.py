"""Turn ``--data`` into X, y and groups, and make the preprocessing of the estimators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._checks import listed
from .._utils._text import counted
from ..comparison import ComparisonResult
from ..scores import CVScores
from ._columns import Features, as_numbers, as_texts
from ._errors import InputError
from ._positive import check_positive_is_known, read_coding
from ._short_names import DATA
from ._table import read_table

if TYPE_CHECKING:
    import argparse

    import pandas as pd

_MOST_CATEGORIES = 100


@dataclass(frozen=True)
class Prepared:
    """Data that are ready for a comparison."""

    X: Any
    y: Any
    groups: Any
    wrap: Callable[[Any], Any]
    done: tuple[str, ...]

    @property
    def is_regression(self) -> bool:
        """Whether the target is a floating-point number."""
        return bool(np.asarray(self.y).dtype.kind == "f")


def with_done(result: ComparisonResult, done: Sequence[str]) -> ComparisonResult:
    """Return the result with a record of what was done to its data."""
    if not done:
        return result
    tests = {
        metric: replace(tests, scores=_noting(tests.scores, done))
        for metric, tests in result.tests_by_metric.items()
    }
    return replace(result, tests_by_metric=tests)


def how_prepared(result: ComparisonResult) -> list[str]:
    """Return what was done to the data of a result, in words."""
    scores = next(iter(result.scores_by_metric.values()))
    return list(map(str, scores.provenance.get("data") or []))


def _noting(scores: CVScores, done: Sequence[str]) -> CVScores:
    return replace(scores, provenance={**scores.provenance, "data": list(done)})


def prepare(options: argparse.Namespace) -> Prepared:
    """Read the data that the options name."""
    if options.data in DATA:
        loader = getattr(import_module("sklearn.datasets"), f"load_{options.data}")
        table, target = loader(as_frame=True).frame, options.target or "target"
    else:
        table = read_table(
            options.data,
            separator=options.separator,
            encoding=options.encoding,
            shipped=DATA,
        )
        target = options.target
    drop, keep = options.drop or [], options.keep or []
    _check_columns(table, options.data, target, [*drop, *keep, *filter(None, [options.groups])])
    _check_contradictions(target, options.groups, drop, keep)
    y, done = _target(table[target]), []
    if options.positive is not None:
        coding = read_coding(y, options.positive)
        y, done = coding.of(y), [coding.done]
    check_positive_is_known(options.scoring, y)
    groups = None if options.groups is None else _groups(table[options.groups])
    apart = {target, *drop} | ({options.groups} - set(keep))
    features = Features(table[[name for name in table.columns if name not in apart]], keep)
    steps = _steps(features)
    changed = (*features.done, *steps.done)
    X = features.frame() if changed else table[[n for n in table.columns if n not in apart]]
    if drop:
        done.append(f"left out by --drop: {listed(drop)}")
    return Prepared(X, y, groups, steps.wrap, (*done, *changed))


def _check_columns(table: pd.DataFrame, data: str, target: Any, named: Sequence[str]) -> None:
    if target is None:
        raise InputError(
            f"--target is missing; pass the target's column of {data}, one of "
            f"{listed(table.columns, 20)}."
        )
    if target not in table.columns:
        raise InputError(
            f"--target {target!r} is not a column of {data}; pass --target, one of "
            f"{listed(table.columns, 20)}."
        )
    unknown = [name for name in named if name not in table.columns]
    if unknown:
        raise InputError(
            f"{listed(unknown)}: not among the columns of {data}, which are "
            f"{listed(table.columns, 20)}."
        )


def _check_contradictions(
    target: str, groups: str | None, drop: Sequence[str], keep: Sequence[str]
) -> None:
    if both := set(drop) & set(keep):
        raise InputError(f"--drop and --keep both name {listed(sorted(both))}.")
    if target in {*drop, *keep, groups}:
        raise InputError(f"{target!r} is the target; leave it out of --drop, --keep and --groups.")


def _target(column: pd.Series) -> Any:
    """Return the target as numbers or texts; it has at least two values."""
    missing = int(column.isna().sum())
    if missing:
        raise InputError(
            f"The target {column.name!r} is missing in {missing} of {counted(len(column), 'row')}; "
            "remove these rows."
        )
    if column.dtype != bool:
        number = as_numbers(column)
        column = as_texts(column) if number is None else number
    distinct = column.nunique()
    if distinct < 2:
        raise InputError(
            f"The target {column.name!r} has one value, {column.iloc[0]!r}, in all rows; there is "
            "nothing to predict."
        )
    if column.dtype == object and distinct > len(column) / 2:
        raise InputError(
            f"The target {column.name!r} has {distinct} different texts in "
            f"{counted(len(column), 'row')}, so these are no classes; pass another --target."
        )
    return column


def _groups(column: pd.Series) -> Any:
    if column.isna().any():
        raise InputError(f"The groups {column.name!r} have missing values; fill them in.")
    number = as_numbers(column)
    return np.asarray(as_texts(column) if number is None else number)


@dataclass(frozen=True)
class _Steps:
    """The preprocessing of the columns; none if all are numbers without missing values."""

    transformer: Any
    done: tuple[str, ...]

    def wrap(self, estimator: Any) -> Any:
        if self.transformer is None:
            return estimator
        make_pipeline = import_module("sklearn.pipeline").make_pipeline
        return make_pipeline(import_module("sklearn.base").clone(self.transformer), estimator)


def _steps(features: Features) -> _Steps:
    """Return scikit-learn's usual preprocessing: medians, and one column for each category."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    missing = features.with_missing
    texts, numbers = list(features.categories), list(features.numbers)
    if not missing and not texts:
        return _Steps(None, ())
    done = []
    if filled := [name for name in numbers if name in missing]:
        done.append(f"missing values replaced by the median of the training rows: {listed(filled)}")
    if texts:
        most = f"the {_MOST_CATEGORIES} most frequent, missing values as one of their own"
        done.append(f"categories one-hot encoded ({most}): {listed(texts)}")
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist",
        max_categories=_MOST_CATEGORIES,
        sparse_output=False,
    )
    median = SimpleImputer(strategy="median", keep_empty_features=True)
    constant = SimpleImputer(strategy="constant", fill_value="missing")
    transformer = ColumnTransformer(
        [
            ("numbers", median, numbers),
            ("categories", make_pipeline(constant, encoder), texts),
        ]
    )
    return _Steps(transformer, tuple(done))
