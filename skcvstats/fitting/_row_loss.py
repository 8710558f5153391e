"""Losses of single test rows: zero-one, squared error, or a function of the user."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from .._utils._checks import brief, check_option


@dataclass(frozen=True)
class PerRowLoss:
    """A loss with one number for each test row."""

    function: Callable[..., Any]
    __name__: str

    @property
    def metric(self) -> str:
        """The name of minus its mean, as scikit-learn names negated losses."""
        return f"neg_{self.__name__}"

    def __call__(self, y_true: Any, y_pred: Any) -> np.ndarray:
        """Return the losses, or raise LossShapeError if they are not numbers."""
        given = self.function(y_true, y_pred)
        losses = np.asanyarray(given)  # masked entries are refused later
        if losses.dtype.kind not in "biuf":
            raise LossShapeError(
                f"The loss returned {brief(given)}; it must return an array of one number for each "
                "row."
            )
        return losses


def zero_one_loss(y_true: Any, y_pred: Any) -> np.ndarray:
    """Return 1 for each row with a wrong prediction (in any of its outputs), else 0."""
    truth, predicted = _alike(y_true, y_pred)
    return (truth != predicted).any(axis=1).astype(float)


def squared_error(y_true: Any, y_pred: Any) -> np.ndarray:
    """Return the squared error of each row, the mean over its outputs."""
    truth, predicted = _alike(y_true, y_pred)
    return ((truth.astype(float) - predicted.astype(float)) ** 2).mean(axis=1)


def _alike(y_true: Any, y_pred: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return both as dense arrays of shape (n_test, n_outputs)."""
    dense = (
        labels.toarray() if hasattr(labels, "toarray") else labels for labels in (y_true, y_pred)
    )
    truth, predicted = map(np.asarray, dense)
    if truth.size != predicted.size or len(truth) != len(predicted):
        raise ValueError(
            f"The target has shape {truth.shape} and the predictions {predicted.shape}; a loss "
            "compares them row by row."
        )
    return truth.reshape(len(truth), -1), predicted.reshape(len(truth), -1)


class LossShapeError(ValueError):
    """A loss did not return one number for each row."""


LOSSES = {"zero_one": zero_one_loss, "squared_error": squared_error}


def resolve_loss(loss: Any, estimators: Mapping[str, Any], *, needed: bool) -> PerRowLoss | None:
    """Return the per-row loss to collect, or None."""
    if isinstance(loss, PerRowLoss) or (loss is None and not needed):
        return loss
    if callable(loss):
        name = getattr(loss, "__name__", "loss")
        return PerRowLoss(loss, name if name.isidentifier() else "loss")  # not "<lambda>"
    if loss is None:
        loss = _default_loss(estimators)
    try:
        check_option("loss", loss, LOSSES)
    except ValueError as error:
        raise ValueError(
            f"{error} It may also be a callable loss(y_true, y_pred) that gives one number for "
            "each row, the loss itself and not its mean. For a score of a whole split pass "
            "scoring=."
        ) from None
    function = LOSSES[loss]
    return PerRowLoss(function, function.__name__)


def _default_loss(estimators: Mapping[str, Any]) -> str:
    if all(is_classifier(model) for model in estimators.values()):
        return "zero_one"
    if all(is_regressor(model) for model in estimators.values()):
        return "squared_error"
    raise ValueError(
        "Without loss= the estimators must be all classifiers or all regressors. Pass "
        "loss='zero_one', loss='squared_error' or a callable loss(y_true, y_pred) that gives one "
        "number for each row."
    )
