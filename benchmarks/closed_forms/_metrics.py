"""Metrics of all splits at once: those that are means over rows or computed from means."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._batch import Batch

# Compute scores from true and predicted values of shape (n_splits, n_test, n_outputs). If a score
# is nan, scikit-learn computes it and gives its warning.
Metric = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _accuracy(true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    return np.count_nonzero(true == predicted, axis=(1, 2)) / true.shape[1]


def _squared(true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    errors = true - predicted
    return np.square(errors, out=errors).mean(axis=1)


def _neg_mean_squared_error(true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    return -_squared(true, predicted).mean(axis=1)


def _neg_root_mean_squared_error(true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    return -np.sqrt(_squared(true, predicted)).mean(axis=1)


def _neg_mean_absolute_error(true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    return -np.abs(true - predicted).mean(axis=1).mean(axis=1)


def _r2(true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    if true.shape[1] < 2:
        return np.full(true.shape[0], np.nan)
    spread = _squared(true, true.mean(axis=1, keepdims=True))
    # Rounding of the mean of a constant may leave a spread that is not real.
    flat = true.max(axis=1) == true.min(axis=1)
    ratio = _squared(true, predicted) / np.where(flat | (spread == 0), np.nan, spread)
    return 1 - ratio.mean(axis=1)


REGRESSION: dict[str, Metric] = {
    "neg_mean_absolute_error": _neg_mean_absolute_error,
    "neg_mean_squared_error": _neg_mean_squared_error,
    "neg_root_mean_squared_error": _neg_root_mean_squared_error,
    "r2": _r2,
}
CLASSIFICATION: dict[str, Metric] = {"accuracy": _accuracy}


def score_all(
    batch: Batch, true: np.ndarray, predicted: np.ndarray, metrics: Mapping[str, Metric]
) -> np.ndarray:
    """Return the scores, of shape (n_metrics, n_splits)."""
    true = true[batch.test]
    scores = np.empty((len(metrics), len(batch)))
    sizes = set(batch.n_test.tolist())
    for size in sizes:
        here: Any = slice(None)
        at: Any = slice(None)
        if len(sizes) > 1:
            here = np.flatnonzero(batch.n_test == size)
            at = batch.offsets[here][:, None] + np.arange(size)
        n_splits = scores[:, here].shape[1]
        sides = [values[at].reshape(n_splits, size, -1) for values in (true, predicted)]
        for metric, row in zip(metrics.values(), scores, strict=True):
            row[here] = metric(*sides)
    return scores
