"""The scores of constant predictions."""

import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.metrics import get_scorer

from .._utils._warn import FILTERS
from ..fitting import Metric


class _ClassShares(DummyClassifier):
    """The most frequent class or the class shares, also for metrics of decision values."""

    def decision_function(self, X: Any) -> Any:
        shares = self.predict_proba(X)
        return shares[:, 1] if shares.shape[1] == 2 else shares


class _OneValue(RegressorMixin, BaseEstimator):
    """The mean or the median of the targets, of each output."""

    def __init__(self, summary: Callable[..., Any]) -> None:
        self.summary = summary

    def fit(self, X: Any, y: Any) -> Self:
        self.value_ = self.summary(np.asarray(y), axis=0)
        return self

    def predict(self, X: Any) -> np.ndarray:
        return np.full((len(X), *np.shape(self.value_)), self.value_)


_MEAN = _OneValue(np.average)
_OF_VALUES = (_MEAN, _OneValue(np.median))
# By whether the target is of classes; of both kinds where that is not known.
_CONSTANTS: dict[bool | None, tuple[Any, ...]] = {
    True: (_ClassShares(),),
    False: _OF_VALUES,
    None: (_ClassShares(), *_OF_VALUES),
}
# The mean of targets has the highest score of all constants on the same rows.
_BEST_BY_MEAN = {
    *("mean_gamma_deviance", "mean_poisson_deviance", "mean_squared_error"),
    *("r2_score", "root_mean_squared_error"),
}


def constants_of(
    metric: Metric,
    known: Any,
    tested: Any,
    of_classes: bool | None,
    sample_weight: Any = None,
) -> tuple[float, float]:
    """Return the lowest and the highest score of constants made of known targets, or nan."""
    constants = _CONSTANTS[of_classes]
    scores = [_score(constant, metric, known, tested, sample_weight) for constant in constants]
    best = np.fmax.reduce(scores)
    if of_classes is None:  # of both kinds, as either may be meant
        return best, best
    return np.fmin.reduce(scores), best


def best_constant(metric: Metric, y: Any, of_classes: bool | None, sample_weight: Any) -> float:
    """Return the highest score of constants made of the same targets, or nan."""
    is_mean = metric.function_name in _BEST_BY_MEAN and of_classes is False
    if not is_mean or sample_weight is not None:  # the mean of all rows is not that with weights
        return constants_of(metric, y, y, of_classes, sample_weight)[1]
    if metric.function_name == "r2_score":
        return 0.0  # which is so defined
    return _score(_MEAN, metric, y, y)


def _score(
    constant: Any, metric: Metric, known: Any, tested: Any, sample_weight: Any = None
) -> float:
    """Return the score of a constant made of known targets, or nan."""
    weighing = {}
    if sample_weight is not None:
        weighing["sample_weight"] = sample_weight
    score = np.nan
    with FILTERS, warnings.catch_warnings(action="ignore"), suppress(Exception):  # there is none
        scorer = metric.scorer or get_scorer(metric.named)  # of a model's own score
        fitted = clone(constant).fit(np.zeros((len(known), 1)), known)
        score = float(scorer(fitted, np.zeros((len(tested), 1)), tested, **weighing))
    return score
