"""Metrics of a test set that are functions of sums over rows.

Notes
-----
These metrics are used only if they equal the number from scikit-learn's scorer. All other metrics
are computed by scikit-learn for every replicate of the bootstrap.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

# With more classes, resampling confusion tables is slower than resampling predictions.
_MOST_CLASSES = 20


@dataclass(frozen=True, eq=False)
class SumMetric:
    """A metric of all runs that is a function of sums over rows, or of their confusion tables."""

    rows: np.ndarray  # columns to sum, or for each run the cells of a table that rows are in
    n_classes: int  # of the tables; 0 for columns
    value: Callable[[np.ndarray], np.ndarray]


def sum_metric(metric: str, y: np.ndarray, models: Sequence[Any]) -> SumMetric | None:
    """Return a metric as a function of sums over rows, or None if it is not a known one."""
    if y.ndim != 1:
        return None
    if metric in _OF_SUMS:
        if any(model.values.shape != y.shape for model in models):
            return None
        centred = y.astype(float) - y.mean()
        errors = [np.square(y - np.asarray(model.values, dtype=float)) for model in models]
        columns = np.column_stack([np.ones(len(y)), centred, centred**2, *errors])
        return SumMetric(columns, 0, _OF_SUMS[metric])
    known = np.unique(np.concatenate([y, *(model.values for model in models)]))
    compute = _of_table(metric, known.tolist())
    if compute is None or len(known) > _MOST_CLASSES:
        return None
    rows = np.searchsorted(known, y) * len(known)
    cells = np.stack([rows + np.searchsorted(known, model.values) for model in models])
    return SumMetric(cells, len(known), compute)


def _r2(sums: np.ndarray) -> np.ndarray:
    total = sums[..., 2] - sums[..., 1] ** 2 / sums[..., 0]
    return 1 - sums[..., 3:] / np.where(total > 0, total, np.nan)


_OF_SUMS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "r2": _r2,
    "neg_root_mean_squared_error": lambda sums: -np.sqrt(sums[..., 3:] / sums[..., 0]),
}


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, above / below, np.nan)


def _parts(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, by class, the numbers of right, of true and of predicted rows."""
    right = np.einsum("...ii->...i", tables)
    return right, tables.sum(axis=-1), tables.sum(axis=-2)


_BY_CLASS: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "f1": lambda right, true, predicted: _ratio(2 * right, true + predicted),
    "precision": lambda right, true, predicted: _ratio(right, predicted),
    "recall": lambda right, true, predicted: _ratio(right, true),
    "jaccard": lambda right, true, predicted: _ratio(right, true + predicted - right),
}


def _of_table(metric: str, classes: list[Any]) -> Callable[[np.ndarray], np.ndarray] | None:
    """Return a metric as a function of confusion tables, or None."""
    if metric == "balanced_accuracy":
        return lambda tables: _BY_CLASS["recall"](*_parts(tables)).mean(axis=-1)
    if metric == "matthews_corrcoef":
        return _matthews
    if metric == "accuracy":
        return lambda tables: _ratio(_parts(tables)[0].sum(axis=-1), tables.sum(axis=(-1, -2)))
    kind, _, average = metric.partition("_")
    if kind not in _BY_CLASS or average not in ("", "macro", "weighted", "micro"):
        return None
    by_class = _BY_CLASS[kind]
    if average == "":
        if 1 not in classes or len(classes) > 2:
            return None
        at = classes.index(1)
        return lambda tables: by_class(*_parts(tables))[..., at]
    if average == "macro":
        return lambda tables: by_class(*_parts(tables)).mean(axis=-1)
    if average == "micro":
        return lambda tables: by_class(*(part.sum(axis=-1) for part in _parts(tables)))

    def weighted(tables: np.ndarray) -> np.ndarray:
        shares = _parts(tables)[1]
        values = by_class(*_parts(tables))
        values = np.where(shares == 0, 0.0, values)
        return (values * shares).sum(axis=-1) / shares.sum(axis=-1)

    return weighted


def _matthews(tables: np.ndarray) -> np.ndarray:
    right, true, predicted = _parts(tables)
    total = tables.sum(axis=(-1, -2))
    above = right.sum(axis=-1) * total - (true * predicted).sum(axis=-1)
    spread = (total**2 - (true**2).sum(axis=-1)) * (total**2 - (predicted**2).sum(axis=-1))
    return _ratio(above, np.sqrt(np.maximum(spread, 0.0)))
