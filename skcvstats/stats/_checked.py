"""Check what a procedure returns, so that its mistakes do not become wrong numbers in a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..scores import as_notes, union
from ._inference import Inference
from ._sample import Sample
from ._student import plain


def checked_inference(procedure: Any, inference: Any, sample: Sample) -> Inference:
    """Return the answer of a procedure with arrays of the right shape, or say what is wrong."""
    who = f"{type(procedure).__name__}.infer"
    if not isinstance(inference, Inference):
        raise TypeError(
            f"{who} returned {type(inference).__name__}; it must return an object of a class that "
            "is derived from skcvstats.stats.Inference."
        )
    if inference.n_splits == 0:
        raise ValueError(
            f"{who} returned an answer that does not know what it was measured on: make it with "
            "**self.facts(sample, auxiliary)."
        )
    shape = sample.values.shape[:-1]
    numbers: dict[str, Any] = {
        "estimate": checked_number(f"{who}: estimate", inference.estimate, shape),
        "pvalue": checked_number(f"{who}: pvalue", inference.pvalue, shape, low=0, high=1),
    }
    for name in ("statistic", "standard_error", "df"):
        value = getattr(inference, name)
        if not isinstance(value, tuple):  # two degrees of freedom
            low = None if name == "statistic" else 0
            numbers[name] = checked_number(f"{who}: {name}", value, shape, low=low, missing=True)
    if sample.scores is None:
        return replace(inference, **numbers)
    notes = union(as_notes(inference.notes, f"{who}: notes"), sample.scores.all_notes)
    return replace(inference, **numbers, notes=notes)


def checked_number(
    what: str,
    value: Any,
    shape: tuple[int, ...],
    *,
    low: float | None = None,
    high: float | None = None,
    missing: bool = False,
) -> Any:
    """Return a number, or an array with one for each test, after checking it."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{what} is {value!r} of dtype {array.dtype}; it must be a number.")
    array = array.astype(float)
    if array.shape != shape and not (missing and array.ndim == 0):
        raise ValueError(
            f"{what} has shape {array.shape} for scores of shape {(*shape, 'n_splits')}; give one "
            "for each row of sample.values: work along the last axis only."
        )
    known = array[~np.isnan(array)] if missing else array
    wrong = np.isnan(known)
    wrong |= (known < low) if low is not None else False
    wrong |= (known > high) if high is not None else False
    if wrong.any():
        limits = f"at least {low}" if high is None else f"between {low} and {high}"
        wanted = "a number" if low is None else limits
        raise ValueError(f"{what} is {known[wrong][0]}; it must be {wanted}.")
    return plain(array)
