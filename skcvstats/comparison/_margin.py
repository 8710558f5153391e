"""Check the margin of a comparison, and note its limitations."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._metrics import METRICS
from .._utils._text import counted, format_number
from ..scores import Note
from ..stats import LocationTest, Procedure, check_bounds, within

# A margin of fewer standard errors can hardly be shown to hold: with 14 degrees of freedom equal
# models are shown to be equivalent with power .23 at two, and not to be worse with .24 at one.
_FEWEST_ERRORS = {"two-sided": (2, "two standard errors"), "one-sided": (1, "one standard error")}
AFTERWARDS = Note(
    "margin afterwards",
    "the margin was given after the comparison was made; verdicts by a margin hold their level "
    "only if it was chosen without looking at the scores",
    None,
)


def check_margin(margin: Any, procedure: Procedure, confidence_level: float) -> Any:
    """Return the bounds of a margin that the procedure can use; None without a margin."""
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
            f"margin={margin!r} and null_value={procedure.null_value!r} cannot be combined: the "
            "margin already sets the null values. Leave one of them out."
        )
    if confidence_level <= 0.5:
        raise ValueError(
            f"confidence_level={confidence_level!r} must be above 0.5 with a margin: equivalence "
            "is read from the interval of the confidence 1 - 2 alpha."
        )
    return bounds


def margin_notes(inference: Any, bounds: tuple[float, float]) -> list[Note]:
    """Return notes on a margin, given these differences."""
    return [*_beyond_range(inference.metric, bounds), *_hardly_shown(inference, bounds)]


def _beyond_range(metric: str, bounds: tuple[float, float]) -> list[Note]:
    facts = METRICS.get(metric.partition(" ")[0])
    if facts is None or (facts.low, facts.high) != (0, 1) or max(-bounds[0], bounds[1]) <= 1:
        return []
    text = (
        f"the margin, {within(bounds)}, is wider than {metric} can be, which is from 0 to 1, so "
        "it says nothing; for percentage points divide by 100"
    )
    return [Note("margin beyond range", text, None)]


def _hardly_shown(inference: Any, bounds: tuple[float, float]) -> list[Note]:
    sides = "two-sided" if inference.alternative == "two-sided" else "one-sided"
    n_fewest, fewest = _FEWEST_ERRORS[sides]
    low, high = bounds
    metric = inference.metric
    room = {"two-sided": (high - low) / 2, "greater": -low, "less": high}[inference.alternative]
    errors = np.atleast_1d(inference.standard_error)
    determined = errors[errors > 0]
    narrow = n_fewest * determined[room < n_fewest * determined]
    if not narrow.size:
        return []
    if len(errors) == 1:
        which = f"{fewest} of the difference in {metric} ({format_number(narrow[0])})"
    else:
        which = (
            f"{fewest} in {narrow.size} of {counted(len(errors), 'comparison')} of {metric} (of up "
            f"to {format_number(narrow.max())})"
        )
    asked = {"greater": "that none is worse by more", "less": "that none is better by more"}
    what = asked.get(inference.alternative, "equivalence")
    remedy = "more data would help, and up to a point more splits"
    if inference.fixed:
        remedy = "more test rows would help"
    text = (
        f"the margin, {within(bounds)}, is less than {which}, so that {what} could hardly be "
        f"shown; {remedy}"
    )
    return [Note("small margin", text, None)]
