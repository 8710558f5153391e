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
    """The mean or the median of the targets, of each output; rows may have weights."""

    def __init__(self, summary: Callable[..., Any]) -> None:
        self.summary = summary

    def fit(self, X: Any, y: Any, **weighing: Any) -> Self:
        self.value_ = self.summary(np.asarray(y), axis=0, **weighing)
        return self

    def predict(self, X: Any) -> np.ndarray:
        return np.full((len(X), *np.shape(self.value_)), self.value_)


def _mean(y: np.ndarray, axis: int, sample_weight: Any = None) -> Any:
    return np.average(y, axis=axis, weights=sample_weight)


def _median(y: np.ndarray, axis: int, sample_weight: Any = None) -> Any:
    """Return a median; where any value between two is one, the lower of these."""
    return np.quantile(y, 0.5, axis=axis, weights=sample_weight, method="inverted_cdf")


_OF_VALUES = (_OneValue(_mean), _OneValue(_median))
# By whether the target is of classes; of both kinds where that is not known.
_CONSTANTS: dict[bool | None, tuple[Any, ...]] = {
    True: (_ClassShares(),),
    False: _OF_VALUES,
    None: (_ClassShares(), *_OF_VALUES),
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
    if metric.function_name == "r2_score":
        return 0.0  # which is so defined
    constants = _candidates(metric, y, of_classes)
    return float(
        np.fmax.reduce([_score(constant, metric, y, y, sample_weight) for constant in constants])
    )


def fit_best_constant(metric: Metric, y: Any, of_classes: bool | None, sample_weight: Any) -> Any:
    """Return the constant with the highest score, fitted on the same targets."""

    def score(constant: Any) -> float:
        return float(np.nan_to_num(_score(constant, metric, y, y, sample_weight), nan=-np.inf))

    best = max(_candidates(metric, y, of_classes), key=score)
    return _fitted(best, y, weights_of(sample_weight))


def _candidates(metric: Metric, y: Any, of_classes: bool | None) -> tuple[Any, ...]:
    """Return the constants from which the best is taken."""
    constants = _CONSTANTS[of_classes]
    # The most frequent class has the best mean over rows. F1, say, is best if all are positive.
    if not of_classes or metric.of_rows == "mean" or metric.responses != ("predict",):
        return constants
    with suppress(TypeError):  # of labels that cannot be sorted
        classes = np.unique(y)
        if np.ndim(y) == 1 and len(classes) == 2:
            return (*constants, *(_ClassShares(strategy="constant", constant=c) for c in classes))
    return constants


def weights_of(sample_weight: Any) -> dict[str, Any]:
    """Return the argument that gives rows their weights, if they have any."""
    return {} if sample_weight is None else {"sample_weight": sample_weight}


def _fitted(constant: Any, y: Any, weighing: dict[str, Any]) -> Any:
    return clone(constant).fit(np.zeros((len(y), 1)), y, **weighing)


def _score(
    constant: Any, metric: Metric, known: Any, tested: Any, sample_weight: Any = None
) -> float:
    """Return the score of a constant made of known targets, or nan."""
    weighing = weights_of(sample_weight)
    score = np.nan
    with FILTERS, warnings.catch_warnings(action="ignore"), suppress(Exception):  # there is none
        scorer = metric.scorer or get_scorer(metric.named)  # of a model's own score
        fitted = _fitted(constant, known, weighing)
        score = float(scorer(fitted, np.zeros((len(tested), 1)), tested, **weighing))
    return score
