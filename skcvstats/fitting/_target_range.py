"""Targets and predictions that errors relative to zero cannot measure."""

from bisect import bisect
from collections.abc import Callable, Iterable
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
    """The numbers that a target, or predictions, must not be."""

    words: str
    outside: Callable[[np.ndarray], Any]  # marks such numbers

    def count_rows(self, values: Any) -> int:
        """Return the number of rows that have such a number."""
        is_outside = self.outside(_numbers(values))
        of_one_row = tuple(range(1, is_outside.ndim))
        return int(np.count_nonzero(is_outside.any(axis=of_one_row)))


def _nearly_0(values: np.ndarray) -> Any:
    sizes = np.abs(values)
    return sizes <= _NEAR_ZERO * np.median(sizes)


_ANY = Ends("", np.zeros_like)
_ABOVE_MINUS_1 = Ends("at or below -1", lambda values: values <= -1)
_ABOVE_0 = Ends("at or below 0", lambda values: values <= 0)
_FROM_0 = Ends("below 0", lambda values: values < 0)
_NOT_NEAR_0 = Ends("0, or nearly 0,", _nearly_0)
# Of a function of scikit-learn: what the target must not be, and what the predictions.
_ENDS = {
    "mean_absolute_percentage_error": (_NOT_NEAR_0, _ANY),
    "mean_squared_log_error": (_ABOVE_MINUS_1, _ABOVE_MINUS_1),
    "root_mean_squared_log_error": (_ABOVE_MINUS_1, _ABOVE_MINUS_1),
    "mean_poisson_deviance": (_FROM_0, _ABOVE_0),
    "mean_gamma_deviance": (_ABOVE_0, _ABOVE_0),
}
_OF_POWER = ("mean_tweedie_deviance", "d2_tweedie_score")
# By their power: below 0, of 0, from 1 on and from 2 on.
_POWERS = (0, 1, 2)
_ENDS_BY_POWER = ((_ANY, _ABOVE_0), (_ANY, _ANY), (_FROM_0, _ABOVE_0), (_ABOVE_0, _ABOVE_0))
RELATIVE_TO_ZERO = {*_ENDS, *_OF_POWER}


def outside_range(metric: Metric, y: Any, target: str = "y") -> Complaint | None:
    """Return a complaint of rows whose target a metric cannot measure, None if there are none."""
    ends = _ends_of(metric)[0]
    n_outside = ends.count_rows(y)
    if not n_outside:
        return None
    return Complaint(
        f"{target} is {ends.words} in {n_outside} of {counted(len(y), 'row')}: {metric.name} means "
        "nothing there",
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
    ends = _ends_of(metric)[1]
    n_outside = ends.count_rows(predictions)
    if not n_outside:
        return ""
    return (
        f"{ends.words} in {n_outside} of {counted(len(predictions), 'row')}, where {metric.name} "
        "is not defined. Predict values above, as a model of the logarithm of the target does, or "
        f"{_REMEDY}."
    )


def _ends_of(metric: Metric) -> tuple[Ends, Ends]:
    """Return what the target and the predictions must not be."""
    if metric.function_name in _OF_POWER:
        return _ENDS_BY_POWER[bisect(_POWERS, metric.options.get("power", 0))]
    return _ENDS.get(metric.function_name, (_ANY, _ANY))


def _numbers(values: Any) -> np.ndarray:
    """Return values as numbers; a single nan, which is on no side, if they are none."""
    array = typed(np.asarray(values))
    if array.dtype.kind not in "iuf":
        return np.array([np.nan])
    return array
