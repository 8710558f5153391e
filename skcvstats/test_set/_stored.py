"""The predictions of one run of a model, checked for a metric, as an estimator for scorers."""

from collections.abc import Mapping, Set
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from .._utils._arrays import SINGLE, as_array, decimals_in, normalised, typed
from .._utils._checks import listed
from .._utils._text import counted
from .._utils._warn import warn_user
from ..stats import check_present

# Rounded probabilities of a row may add to 1 within this.
_ROUNDED = 0.01
PREDICT = "predict"
PROBA = "predict_proba"
DECISION = "decision_function"
_OBJECTS = (Mapping, Set, list, tuple)


class StoredLabels(BaseEstimator):
    """Labels or values that were predicted; the rows asked for are their numbers."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def predict(self, rows: Any) -> Any:
        return self.values[rows]


class _StoredScores(ClassifierMixin, BaseEstimator):
    def __init__(self, values: np.ndarray, classes: np.ndarray) -> None:
        self.values = values
        self.classes = self.classes_ = classes


class StoredDecisions(_StoredScores):
    """Decision values; for two classes one for each row, greater for the second class."""

    def decision_function(self, rows: Any) -> Any:
        return self.values[rows]


class StoredProbabilities(_StoredScores):
    def predict_proba(self, rows: Any) -> Any:
        return self.values[rows]


def is_estimator(predictions: Any) -> bool:
    """Tell whether something predicts, rather than being predictions."""
    return hasattr(predictions, "predict") or hasattr(predictions, "fit")


def as_objects(predictions: Any) -> np.ndarray | None:
    """Return predictions that are lists, sets or mappings as an array of objects, else None."""
    if getattr(predictions, "ndim", 1) != 1:
        return None
    first = next(iter(predictions), None)
    if not isinstance(first, _OBJECTS):
        return None
    with suppress(ValueError):  # lists of different lengths make no table
        table = np.asarray([*predictions])
        if table.ndim > 1 and table.dtype.kind in "fiub":
            return None
    objects = np.empty(len(predictions), dtype=object)
    objects[:] = [*predictions]
    return objects


def of_one_column(values: np.ndarray) -> np.ndarray:
    """Return a table of one column as an array without columns."""
    if values.shape[1:] == (1,):
        return values[:, 0]
    return values


def store(
    name: str,
    predictions: Any,
    responses: tuple[str, ...],
    classes: np.ndarray | None,
    n_rows: int,
    X: Any,
    threshold: float | None,
) -> Any:
    """Return the predictions of one run of a model as an estimator for scikit-learn's scorers."""
    response = None
    known_classes: Any = classes
    if is_estimator(predictions):
        response, values = _respond(name, predictions, X, responses)
        known_classes = getattr(predictions, "classes_", classes)
    elif classes is None:
        objects = as_objects(predictions)
        if objects is not None:
            return StoredLabels(objects)
        values = as_array(f"predictions of {name!r}", predictions)
    else:
        values = as_array(f"predictions of {name!r}", _by_class(name, predictions, classes))
    if values.shape[:1] != (n_rows,) or values.ndim > 2:
        raise ValueError(
            f"The predictions of {name!r} have shape {values.shape}, but y_true has {n_rows} rows; "
            "give one prediction for each row, or one row of probabilities."
        )
    check_present(f"the predictions of {name!r}", values)
    values = of_one_column(typed(values))
    if PREDICT not in responses:
        return _store_scores(name, values, responses, response, known_classes)
    if classes is None:
        if values.dtype.kind not in "fiub":
            raise ValueError(
                f"The predictions of {name!r} must be numbers, as y_true is; labels must be all "
                "text or all numbers."
            )
        return StoredLabels(values)
    if threshold is not None:
        values = _cut_at(name, threshold, values, classes)
    _check_labels(name, values, classes)
    return StoredLabels(values)


def _respond(
    name: str, estimator: Any, X: Any, responses: tuple[str, ...]
) -> tuple[str, np.ndarray]:
    """Return the first of the responses that a fitted estimator has, and its predictions."""
    if X is None:
        raise ValueError(
            f"The predictions of {name!r} are an estimator, {type(estimator).__name__}: pass X=, "
            "the test rows that it is to predict, or its predictions."
        )
    response = next(filter(partial(hasattr, estimator), responses), None)
    if response is None:
        raise TypeError(
            f"{name!r} ({type(estimator).__name__}) has no {' or '.join(responses)}, which the "
            "metric needs. Choose another metric or model."
        )
    try:
        return response, np.asarray(getattr(estimator, response)(X))
    except NotFittedError as error:
        raise ValueError(
            f"{name!r} ({type(estimator).__name__}) is not fitted: {error} To compare algorithms "
            "that are fitted again on many splits, use compare_estimators."
        ) from error


def _by_class(name: str, predictions: Any, classes: np.ndarray) -> Any:
    """Return a frame of probabilities with its columns in the order of the classes."""
    columns = list(getattr(predictions, "columns", ()))
    if len(columns) < 2 or columns == list(range(len(columns))):
        return predictions  # the columns have no names
    labels = classes.tolist()
    written_columns = list(map(str, columns))
    written_labels = list(map(str, labels))
    if sorted(written_columns) != sorted(written_labels):
        raise ValueError(
            f"The predictions of {name!r} have the columns {listed(columns)}, and the classes are "
            f"{listed(labels)}. Name the columns by the classes, or pass .to_numpy() with a column "
            "for each class, in this order."
        )
    column_of = dict(zip(written_columns, columns, strict=True))
    return predictions[[column_of[label] for label in written_labels]]


def _cut_at(name: str, threshold: float, values: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return labels for probabilities or decision values; labels are returned as they are."""
    if values.dtype.kind != "f" or np.isin(values, classes).all():
        return values
    if len(classes) != 2:
        raise ValueError(
            f"threshold={threshold!r} is for a target of two classes, and y_true has "
            f"{len(classes)}. Pass labels, such as classes[probabilities.argmax(axis=1)]."
        )
    if values.shape[1:] == (2,):
        values = values[:, 1]
    low = float(values.min())
    high = float(values.max())
    are_probabilities = low >= -SINGLE and high <= 1 + SINGLE
    if not are_probabilities and 0 < threshold < 1:
        raise ValueError(
            f"threshold={threshold!r} is one of probabilities, and the predictions of {name!r} "
            f"reach from {low:.4g} to {high:.4g}: are they logits, or percentages? Pass "
            "probabilities, or labels; logits are cut at a probability of 0.5 by threshold=0."
        )
    if are_probabilities and not 0 < threshold <= 1:
        raise ValueError(
            f"threshold={threshold!r} puts every probability on one side; give one from 0 to 1."
        )
    return classes.take((values >= threshold).astype(int))


def _check_labels(name: str, values: np.ndarray, classes: np.ndarray) -> None:
    """Raise ValueError for predictions that are not labels of the classes."""
    if values.ndim == 2:
        raise ValueError(
            f"The predictions of {name!r} have shape {values.shape}, but the metric needs one "
            "label for each row. Pass the labels, such as classes[probabilities.argmax(axis=1)]."
        )
    shares = decimals_in(values)
    if shares.size:
        raise ValueError(
            f"The predictions of {name!r} contain {_first(shares)!r}, which is not a label, and "
            "the metric needs labels. Pass labels, such as (probabilities >= 0.5).astype(int), or "
            "to compare_predictions threshold=0.5 (on the command line, --threshold 0.5). A metric "
            "of your own that takes scores needs make_scorer(f, response_method="
            "('decision_function', 'predict_proba')), or response='scores' to compare_predictions."
        )
    refuse_unseen(f"The predictions of {name!r}", values, classes)


def refuse_unseen(what: str, values: np.ndarray, classes: np.ndarray) -> None:
    """Raise ValueError for labels of another type, and for classes that a target of two lacks."""
    if isinstance(_first(values), str) != isinstance(_first(classes), str):
        raise ValueError(
            f"{what}, such as {_first(values)!r}, and y_true, which contains "
            f"{listed(classes.tolist(), 3)}, are text and numbers, so none would agree. Pass "
            "predictions of the classes that y_true has."
        )
    unseen = values[~np.isin(values, classes)]
    # A model may know more classes than these rows have, if it also predicts some that they have.
    n_allowed = values.size - 1 if len(classes) > 2 else 0
    if len(classes) < 2 or unseen.size <= n_allowed:
        return
    raise ValueError(
        f"{what} contain {listed(dict.fromkeys(unseen.tolist()), 3)}, and y_true only has "
        f"{listed(classes.tolist(), 3)}. Replace them by the classes that they stand for; if they "
        "are simply wrong, use compare_losses(..., metric='zero_one'); for scores choose a metric "
        "of these, or response='scores' with a function of your own."
    )


def _first(values: np.ndarray) -> Any:
    """Return the first value as a plain number or text; None if there is none."""
    return next(iter(np.ravel(values)[:1].tolist()), None)


def _store_scores(
    name: str,
    values: np.ndarray,
    responses: tuple[str, ...],
    response: str | None,
    classes: np.ndarray,
) -> Any:
    """Store predictions for a metric of probabilities or decision values."""
    if values.dtype.kind not in "fiub":
        raise ValueError(
            f"The predictions of {name!r} are labels such as {_first(values)!r}, but the metric "
            f"needs {' or '.join(responses)}: probabilities or decision values. Pass those."
        )
    values = values.astype(float, copy=False)
    # Decision values may be any numbers, so a user's numbers for a metric that takes both are such.
    if response is None and DECISION in responses and values.ndim == 1:
        response = DECISION
    if response == DECISION:
        return StoredDecisions(values, classes)
    if ((values < -SINGLE) | (values > 1 + SINGLE)).any():
        raise ValueError(
            f"The predictions of {name!r} are not probabilities: they reach from "
            f"{values.min():.7g} to {values.max():.7g}. The metric needs numbers from 0 to 1."
        )
    values = np.clip(values, 0.0, 1.0)
    if values.ndim == 1:
        values = _add_first_class(name, values, classes)
    if values.shape[1] != len(classes):
        raise ValueError(
            f"The predictions of {name!r} have {values.shape[1]} columns; give a column for each "
            f"class, in this order: {listed(classes.tolist())}. If it knows others, pass a frame "
            "whose columns are named by the classes, or a metric with labels=."
        )
    _check_sums(name, values.sum(axis=1))
    return StoredProbabilities(normalised(values), classes)


def _add_first_class(name: str, values: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the probabilities of both classes from those of the second."""
    if np.isin(values, (0, 1)).all():
        raise ValueError(
            f"The predictions of {name!r} are all 0 or 1, which are labels; the metric needs "
            "probabilities, as predict_proba gives them."
        )
    if len(classes) != 2:
        raise ValueError(
            f"The predictions of {name!r} are one probability for each row, but y_true has "
            f"{len(classes)} classes. Pass one for each class, of shape (n_rows, n_classes)."
        )
    return np.column_stack([1 - values, values])


def _check_sums(name: str, sums: np.ndarray) -> None:
    """Raise ValueError for probabilities that do not add to 1, and warn where they nearly do."""
    distances = np.abs(sums - 1)
    wrong = distances > _ROUNDED
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"The predictions of {name!r} are not probabilities: those of {int(wrong.sum())} rows "
            f"do not add to 1 (the first: row {row}, {sums[row]:.4g}). Give one probability for "
            "each class, as predict_proba does."
        )
    inexact = distances > SINGLE
    if inexact.any():
        n_rows = counted(inexact.sum(), "row")
        warn_user(
            f"The probabilities of {name!r} do not quite add to 1 in {n_rows} (the farthest: "
            f"{sums[distances.argmax()]:.7g}) and are taken as they are. Divide each row by its "
            "sum, p / p.sum(axis=1, keepdims=True), if they were rounded.",
            UserWarning,
        )
