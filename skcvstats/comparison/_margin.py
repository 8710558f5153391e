"""A margin as users give it to a comparison: what it needs, and what a reader should know of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils import counted, format_number
from ..scores import Note
from ..stats import LocationTest, Procedure, check_bounds, within

# A margin of fewer standard errors can hardly be shown to hold.
_FEWEST_ERRORS = 2
_UNIT_RANGE = (
    "accuracy",
    "average_precision",
    "balanced_accuracy",
    "f1",
    "jaccard",
    "precision",
    "recall",
    "roc_auc",
    "top_k_accuracy",
)
AFTERWARDS = Note(
    "margin afterwards",
    "the margin was given after the comparison was made; verdicts by a margin hold their level "
    "only if it was chosen without looking at the scores",
    None,
)


def check_margin(margin: Any, procedure: Procedure, confidence_level: float) -> Any:
    """Return the bounds of a margin that the procedure can decide on, or None without one.

    Parameters
    ----------
    margin : float, pair of float or None
        As the user gave it.
    procedure : Procedure
        The test of the differences.
    confidence_level : float
        At which the result is reported.
    """
    if margin is None:
        return None
    bounds = check_bounds(margin)
    if not isinstance(procedure, LocationTest):
        raise ValueError(
            f"margin={margin!r} needs a difference with a standard error, which the "
            f"{procedure.title} does not give. Leave the margin out, or use another method, such "
            'as method="corrected_resampled_t".'
        )
    if procedure.null_value != 0:
        raise ValueError(
            f"margin={margin!r} and null_value={procedure.null_value!r} do not go together: the "
            "margin says itself where the null values are. Leave one of them out."
        )
    if confidence_level <= 0.5:
        raise ValueError(
            f"confidence_level={confidence_level!r} must be above 0.5 with a margin: equivalence "
            "is read from the interval of the confidence 1 - 2 alpha."
        )
    return bounds


def margin_notes(inference: Any, bounds: tuple[float, float]) -> list[Note]:
    """Return what a reader should know of a margin on these differences.

    Parameters
    ----------
    inference : CVTestResult
        Of all differences in a metric.
    bounds : tuple of float
        The margin.
    """
    return [*_beyond_range(inference.metric, bounds), *_hardly_shown(inference, bounds)]


def _beyond_range(metric: str, bounds: tuple[float, float]) -> list[Note]:
    limited = metric == metric.removeprefix("neg_") and any(
        metric == name or metric.startswith((f"{name}_", f"{name} ")) for name in _UNIT_RANGE
    )
    if not limited or max(-bounds[0], bounds[1]) <= 1:
        return []
    text = (
        f"the margin, {within(bounds)}, is wider than {metric} can be, which is from 0 to 1, so "
        "it says nothing; for percentage points divide by 100"
    )
    return [Note("margin beyond range", text, None)]


def _hardly_shown(inference: Any, bounds: tuple[float, float]) -> list[Note]:
    low, high = bounds
    errors = np.atleast_1d(inference.standard_error)
    determined = errors[errors > 0]
    narrow = determined[(high - low) / 2 < _FEWEST_ERRORS * determined]
    if not narrow.size:
        return []
    if len(errors) == 1:
        which = f"two standard errors of the difference ({format_number(2 * narrow[0])})"
    else:
        which = (
            f"two standard errors in {narrow.size} of {counted(len(errors), 'comparison')} (of up "
            f"to {format_number(2 * narrow.max())})"
        )
    remedy = "more data would help, and up to a point more splits"
    if inference.fixed:
        remedy = "more test rows would help"
    text = (
        f"the margin, {within(bounds)}, is less than {which}, so that equivalence could hardly be "
        f"shown; {remedy}"
    )
    return [Note("small margin", text, None)]
