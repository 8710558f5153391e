"""Targets and predictions that errors relative to zero cannot measure."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from .._utils._arrays import typed
from .._utils._text import counted
from ._metrics import Metric
from ._needs import Complaint

# Nearer to 0 than this part of the median size, a target is divided by in vain.
_NEAR_ZERO = 1e-6
_REMEDY = "use another metric, such as neg_mean_absolute_error or d2_absolute_error_score"


class Ends(NamedTuple):
    """The values that a target, or predictions, must not have: those on one side of a number."""

    side: str  # a key of _SIDES
    number: float

    def outside(self, values: np.ndarray) -> np.ndarray:
        """Mark the values that are on this side."""
        is_outside: np.ndarray = _SIDES[self.side](values, self.number)
        return is_outside

    def __str__(self) -> str:
        return f"{self.side} {self.number:g}"


_SIDES: Mapping[str, Callable[..., np.ndarray]] = {"below": np.less, "at or below": np.less_equal}
_ABOVE_MINUS_1 = Ends("at or below", -1)
_ABOVE_0 = Ends("at or below", 0)
_FROM_0 = Ends("below", 0)
# Of a function of scikit-learn: what the target has to be, and what the predictions.
_ENDS = {
    "mean_squared_log_error": (_ABOVE_MINUS_1, _ABOVE_MINUS_1),
    "root_mean_squared_log_error": (_ABOVE_MINUS_1, _ABOVE_MINUS_1),
    "mean_poisson_deviance": (_FROM_0, _ABOVE_0),
    "mean_gamma_deviance": (_ABOVE_0, _ABOVE_0),
}
_OF_POWER = ("mean_tweedie_deviance", "d2_tweedie_score")
_PERCENTAGE = "mean_absolute_percentage_error"
RELATIVE_TO_ZERO = {_PERCENTAGE, *_ENDS, *_OF_POWER}


def outside_range(metric: Metric, y: Any, target: str = "y") -> Complaint | None:
    """Return a complaint of rows whose target a metric cannot measure, None if there are none."""
    values = _numbers(y)
    if metric.function_name not in RELATIVE_TO_ZERO or values is None:
        return None
    if metric.function_name == _PERCENTAGE:
        sizes = np.abs(values)
        is_outside = (sizes < _NEAR_ZERO * np.median(sizes)) | (sizes == 0)
        what = "0, or nearly 0,"
        why = ", and a percentage of it means nothing"
    else:
        ends = _ends_of(metric.function_name, metric.options)[0]
        if ends is None:
            return None
        is_outside = ends.outside(values)
        what = str(ends)
        why = ""
    n_outside = int(np.count_nonzero(is_outside.any(axis=1)))
    if not n_outside:
        return None
    return Complaint(
        f"{target} is {what} in {n_outside} of {counted(len(values), 'row')}: {metric.name} is "
        f"undefined there{why}",
        f"Leave those rows out, or {_REMEDY}",
    )


def refuse_outside(metrics: Iterable[Metric], y: Any) -> None:
    """Raise ValueError if a metric is not defined for some values of the target."""
    for metric in metrics:
        complaint = outside_range(metric, y)
        if complaint is not None:
            raise ValueError(f"{complaint.fact}. {complaint.remedy}.")


def predicted_outside(metric: Metric, predictions: Any) -> str:
    """Return how many predictions a metric cannot measure, and what to do; nothing if it can."""
    values = _numbers(predictions)
    if metric.function_name not in {*_ENDS, *_OF_POWER} or values is None:
        return ""
    ends = _ends_of(metric.function_name, metric.options)[1]
    if ends is None or not ends.outside(values).any():
        return ""
    n_outside = int(np.count_nonzero(ends.outside(values).any(axis=1)))
    return (
        f"{ends} in {n_outside} of {counted(len(values), 'row')}, where {metric.name} is not "
        "defined. Predict values above, as a model of the logarithm of the target does, or "
        f"{_REMEDY}."
    )


def _ends_of(
    function_name: str, options: Mapping[str, Any]
) -> tuple[Ends, Ends] | tuple[None, None] | tuple[None, Ends]:
    """Return what the target and the predictions have to be, None for any values."""
    if function_name not in _OF_POWER:
        return _ENDS[function_name]
    power = options.get("power", 0)
    if power == 0:
        return None, None
    if power < 0:
        return None, _ABOVE_0
    return (_FROM_0 if power < 2 else _ABOVE_0), _ABOVE_0


def _numbers(values: Any) -> np.ndarray | None:
    """Return the values of each row, None unless they are numbers."""
    array = np.asarray(values)
    if array.ndim == 0 or array.size == 0:
        return None
    array = typed(array)
    if array.dtype.kind not in "iuf":
        return None
    return array.reshape(len(array), -1).astype(float)
