"""Predictions that are there already, as estimators that scikit-learn's scorers can ask."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from .._utils._arrays import missing_in
from .._utils._checks import listed

# By so much may rounded probabilities of a row miss 1 in all.
_ROUNDED = 0.01
PREDICT, PROBA, DECISION = "predict", "predict_proba", "decision_function"


class StoredLabels(BaseEstimator):
    """Labels or values that were predicted; the rows asked for are their numbers."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Return the predictions of these rows."""
        return self.values[rows]


class StoredDecisions(ClassifierMixin, BaseEstimator):
    """Decision values; for two classes one for each row, greater for the second class."""

    def __init__(self, values: np.ndarray, classes: np.ndarray) -> None:
        self.values = values
        self.classes = classes
        self.classes_ = classes

    def decision_function(self, rows: np.ndarray) -> np.ndarray:
        """Return the decision values of these rows."""
        return self.values[rows]


class StoredProbabilities(ClassifierMixin, BaseEstimator):
    """Probabilities of each class."""

    def __init__(self, values: np.ndarray, classes: np.ndarray) -> None:
        self.values = values
        self.classes = classes
        self.classes_ = classes

    def predict_proba(self, rows: np.ndarray) -> np.ndarray:
        """Return the probabilities of these rows."""
        return self.values[rows]


def rows_of(stored: Any, rows: Any) -> Any:
    """Return the stored predictions of some rows."""
    return type(stored)(**(stored.get_params() | {"values": stored.values[rows]}))


def is_estimator(given: Any) -> bool:
    """Whether something predicts, rather than being predictions."""
    return hasattr(given, "predict") or hasattr(given, "fit")


def respond(name: str, estimator: Any, X: Any, wanted: tuple[str, ...]) -> tuple[str, Any, Any]:
    """Return what a fitted estimator answers, as the metric wants it."""
    if X is None:
        raise ValueError(
            f"The predictions of {name!r} are an estimator, {type(estimator).__name__}: pass X=, "
            "the test rows that it is to predict, or its predictions."
        )
    response = next((way for way in wanted if hasattr(estimator, way)), None)
    if response is None:
        raise TypeError(
            f"{name!r} ({type(estimator).__name__}) has no {' or '.join(wanted)}, which the metric "
            "needs. Choose another metric or model."
        )
    try:
        values = np.asarray(getattr(estimator, response)(X))
    except NotFittedError as error:
        raise ValueError(
            f"{name!r} ({type(estimator).__name__}) is not fitted: {error} To compare algorithms "
            "that are fitted again on many splits, use compare_estimators."
        ) from error
    return response, values, getattr(estimator, "classes_", None)


def store(
    name: str, given: Any, wanted: tuple[str, ...], classes: np.ndarray | None, n_rows: int, X: Any
) -> Any:
    """Return the predictions of one run of a model as an estimator for scikit-learn's scorers."""
    response, known = None, None
    if is_estimator(given):
        response, values, known = respond(name, given, X, wanted)
    else:
        values = np.asarray(given)
    if values.shape[:1] != (n_rows,) or values.ndim > 2:
        raise ValueError(
            f"The predictions of {name!r} have shape {values.shape}, but y_true has {n_rows} rows; "
            "give one prediction for each row, or one row of probabilities."
        )
    _check_present(name, values)
    if PREDICT in wanted:
        return StoredLabels(_labels(name, values, classes))
    assert classes is not None, "metrics of probabilities are of classes"
    return _scores(name, values, wanted, response, classes if known is None else known)


def _check_present(name: str, values: np.ndarray) -> None:
    missing = missing_in(values)
    if values.dtype.kind == "f":
        missing |= np.isinf(values)
    if missing.any():
        row = int(np.argwhere(missing)[0][0])
        raise ValueError(
            f"{int(missing.sum())} predictions of {name!r} are missing or not finite (the first: "
            f"row {row}). Predict those rows, or leave them out for all models."
        )


def _labels(name: str, values: np.ndarray, classes: np.ndarray | None) -> np.ndarray:
    """Return predictions for a metric of labels, or of a regression."""
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if classes is None:
        if values.dtype.kind not in "fiub":
            raise ValueError(f"The predictions of {name!r} must be numbers, as y_true is.")
        return values
    if values.ndim == 2 and classes.ndim == 1:
        raise ValueError(
            f"The predictions of {name!r} have shape {values.shape}, but the metric needs one "
            "label for each row. Pass the labels, such as classes[probabilities.argmax(axis=1)]."
        )
    text = values.dtype.kind in "US" or all(isinstance(x, str) for x in values.flat[:1])
    if text != all(isinstance(x, str) for x in classes.tolist()):
        raise ValueError(
            f"The predictions of {name!r} are {'text' if text else 'numbers'} such as "
            f"{_first(values)!r}, and y_true holds {listed(classes.tolist(), 3)}, so none would "
            "agree. Pass predictions of the classes that y_true has."
        )
    if values.dtype.kind == "f" and (values % 1 != 0).any():
        raise ValueError(
            f"The predictions of {name!r} are not labels (the first: {_first(values)!r}), but the "
            "metric needs labels. Pass labels, such as (probabilities >= 0.5).astype(int)."
        )
    if len(classes) > 1 and not np.isin(values, classes).any():
        raise ValueError(
            f"The predictions of {name!r} are none of the classes that y_true has, "
            f"{listed(classes.tolist(), 3)}; the first is {_first(values)!r}. Pass predictions of "
            "these classes."
        )
    return values


def _first(values: np.ndarray) -> Any:
    """Return the first prediction as a plain number or text, for a message."""
    return np.ravel(values)[:1].tolist()[0]


def _scores(
    name: str,
    values: np.ndarray,
    wanted: tuple[str, ...],
    response: str | None,
    classes: np.ndarray,
) -> Any:
    """Return predictions for a metric of probabilities or decision values."""
    if values.dtype.kind not in "fiub":
        raise ValueError(
            f"The predictions of {name!r} are labels such as {_first(values)!r}, but the metric "
            f"needs {' or '.join(wanted)}: probabilities or decision values. Pass those."
        )
    values = values.astype(float, copy=False)
    if response is None:  # decision values where they will do, as these may be any numbers
        response = DECISION if DECISION in wanted and values.ndim == 1 else PROBA
    if response == DECISION:
        return StoredDecisions(values, classes)
    if ((values < 0) | (values > 1)).any():
        raise ValueError(
            f"The predictions of {name!r} are not probabilities: they reach from "
            f"{values.min():.4g} to {values.max():.4g}. The metric needs numbers from 0 to 1."
        )
    if np.isin(values, (0, 1)).all() and values.ndim == 1:
        raise ValueError(
            f"The predictions of {name!r} are all 0 or 1, which are labels; the metric needs "
            "probabilities, as predict_proba gives them."
        )
    if values.ndim == 1 or values.shape[1] == 1:
        if len(classes) != 2:
            raise ValueError(
                f"The predictions of {name!r} are one probability for each row, but y_true has "
                f"{len(classes)} classes. Pass one for each class, of shape (n_rows, n_classes)."
            )
        positive = values.reshape(-1)
        values = np.column_stack([1 - positive, positive])
    if values.shape[1] != len(classes):
        raise ValueError(
            f"The predictions of {name!r} have {values.shape[1]} columns, but there are "
            f"{len(classes)} classes, {listed(classes.tolist())}; give a column for each, in this "
            "order."
        )
    sums = values.sum(axis=1)
    apart = np.abs(sums - 1) > _ROUNDED
    if apart.any():
        row = int(np.argmax(apart))
        raise ValueError(
            f"The predictions of {name!r} are not probabilities: those of {int(apart.sum())} rows "
            f"do not add to 1 (the first: row {row}, {sums[row]:.4g}). Give one probability for "
            "each class, as predict_proba does."
        )
    return StoredProbabilities(values, classes)
