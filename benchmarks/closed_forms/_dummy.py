"""Closed forms of dummies, which do not use X."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from skcvstats._utils._checks import is_real

from ._base import Answers, FastModel, class_counts
from ._batch import Batch
from ._data import Data


@dataclass(frozen=True)
class DummyNumbers:
    """A statistic of the training rows' target."""

    y: np.ndarray
    statistic: Callable[[np.ndarray], Any]
    is_flat: bool
    classes: None = None

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split."""
        values = np.array([self.statistic(self.y[split.train]) for split in batch.splits])
        values = np.repeat(values, batch.n_test, axis=0)
        return Answers(np.ones(len(batch), dtype=bool), values.ravel() if self.is_flat else values)


@dataclass(frozen=True)
class DummyLabels:
    """The most frequent class, or a constant class."""

    classes: np.ndarray
    codes: np.ndarray
    constant: int | None
    is_prior: bool

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split."""
        counts = class_counts(batch, self.codes, len(self.classes))
        guess = counts.argmax(axis=1)
        if self.constant is not None:
            guess[:] = self.constant
        shares = counts / counts.sum(axis=1, keepdims=True)
        probabilities = shares if self.is_prior else np.eye(len(self.classes))[guess]
        return Answers(
            np.all(counts > 0, axis=1),
            np.repeat(guess, batch.n_test),
            np.repeat(probabilities, batch.n_test, axis=0),
        )


def regressor(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a DummyRegressor, if it has one."""
    y = data.raw_target
    statistic = None if y is None or params else _statistic(estimator, y)
    if y is None or statistic is None:
        return None
    return DummyNumbers(y.reshape(len(y), -1), statistic, y.ndim == 1)


def _statistic(estimator: Any, y: np.ndarray) -> Callable[[np.ndarray], Any] | None:
    strategy, quantile, constant = estimator.strategy, estimator.quantile, estimator.constant
    unused = (quantile, strategy == "quantile"), (constant, strategy == "constant")
    if not isinstance(strategy, str) or any(v is not None and not used for v, used in unused):
        return None  # scikit-learn checks them nevertheless
    if strategy == "mean":
        return partial(np.average, axis=0)
    if strategy == "median":
        return partial(np.median, axis=0)
    if strategy == "quantile" and is_real(quantile) and 0 <= quantile <= 1:
        return partial(np.percentile, q=quantile * 100.0, axis=0)
    if strategy == "constant" and y.ndim == 1 and is_real(constant) and np.isfinite(constant):
        return lambda part: constant
    return None


def classifier(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a DummyClassifier, if it has one."""
    strategy = estimator.strategy
    if data.labels is None or params or not isinstance(strategy, str):
        return None
    if strategy in ("most_frequent", "prior") and estimator.constant is None:
        return DummyLabels(*data.labels, None, strategy == "prior")
    if strategy == "constant" and isinstance(estimator.constant, (str, int, np.integer)):
        (at,) = np.nonzero(data.labels.classes == estimator.constant)
        return DummyLabels(*data.labels, int(at[0]), False) if at.size == 1 else None
    return None
