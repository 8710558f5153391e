"""The interface of a closed form: a model that predicts for all splits of a batch at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if

from ._batch import Batch
from ._data import Data


@dataclass(frozen=True)
class Answers:
    """What refitted models would predict for the test rows of a batch."""

    found: np.ndarray
    predict: np.ndarray
    predict_proba: np.ndarray | None = None
    decision_function: np.ndarray | None = None


class FastModel(Protocol):
    """A closed form for one estimator on one data set."""

    @property
    def classes(self) -> np.ndarray | None:
        """The classes, or None for a regressor."""
        ...

    def answer(self, batch: Batch) -> Answers:
        """Predict for the test rows of every split."""
        ...


# Returns the closed form for an estimator, data and parameters of fit, or None.
Builder = Callable[[Any, Data, Mapping[str, Any]], FastModel | None]


def _knows(name: str) -> Callable[[Any], bool]:
    return lambda fitted: name in fitted.answers


class _Fitted(BaseEstimator):
    """Returns known predictions, so that any metric can be computed."""

    def __init__(self, answers: Mapping[str, np.ndarray]) -> None:
        self.answers = answers

    def predict(self, X: Any) -> np.ndarray:
        return self.answers["predict"]

    @available_if(_knows("predict_proba"))
    def predict_proba(self, X: Any) -> np.ndarray:
        return self.answers["predict_proba"]

    @available_if(_knows("decision_function"))
    def decision_function(self, X: Any) -> np.ndarray:
        return self.answers["decision_function"]

    def __sklearn_is_fitted__(self) -> bool:
        return True


class _FittedRegressor(RegressorMixin, _Fitted):
    pass


class _FittedClassifier(ClassifierMixin, _Fitted):
    pass


def as_fitted(answers: Answers, classes: np.ndarray | None, part: slice) -> Any:
    """Return the predictions for one split as a fitted estimator."""
    if classes is None:
        return _FittedRegressor({"predict": answers.predict[part]})
    found = {"predict": classes[answers.predict[part]]}
    for name in ("predict_proba", "decision_function"):
        values = getattr(answers, name)
        if values is not None:
            found[name] = values[part]
    fitted = _FittedClassifier(found)
    fitted.classes_ = classes
    return fitted


def has_all_classes(batch: Batch, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Mark the splits whose training rows contain every class."""
    return np.all(class_counts(batch, codes, n_classes) > 0, axis=1)


def class_counts(batch: Batch, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Count the training rows of each class, in an array of shape (n_splits, n_classes)."""
    counts = [np.bincount(codes[split.train], minlength=n_classes) for split in batch.splits]
    return np.array(counts)


def is_close_call(values: np.ndarray, relative: float = 1e-8) -> np.ndarray:
    """Mark the rows whose two largest values differ by no more than rounding may."""
    largest = np.partition(values, -2, axis=-1)
    gap = largest[..., -1] - largest[..., -2]
    return ~np.greater(gap, relative * (1 + np.abs(values).max(axis=-1)))
