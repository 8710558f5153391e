"""Check the input of functions on moments: scores that know their splits, or numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._utils._arrays import as_array
from ..scores import CVScores
from ._arguments import where_scores_are
from ._sample import exponents_to_one, sample_moments


def scores_with_splits(who: str, scores: Any) -> CVScores:
    """Return complete scores that know their splits, or say in an error how to make them."""
    if isinstance(scores, Mapping):
        scores = CVScores.from_cv_results(scores)
    if not isinstance(scores, CVScores):
        remedy = where_scores_are(scores) or (
            " Scores whose sizes you know can be wrapped: CVScores(values=x, "
            "design=SplitDesign.from_sizes(n_train=90, n_test=10, n_splits=15))."
        )
        raise TypeError(
            f"{who} needs CVScores or the dict of cross_validate(..., return_indices=True), got "
            f"{type(scores).__name__}.{remedy}"
        )
    scores.check_complete()
    return scores


def variance_over_splits(who: str, scores: CVScores) -> float:
    """Return the sample variance of the scores of one estimator, or of one difference."""
    if scores.ndim != 1:
        raise ValueError(
            f"The scores have shape {scores.shape}, so they are of several estimators. {who} is "
            "for one, scores['a'], or for the difference of two, scores['a'] - scores['b']."
        )
    scores.design.require(
        who=who,
        levels=[("split",), ("fold",), ("repeat", "fold"), ("replicate", "split")],
        min_splits=2,
        distinct=True,
    )
    if exponents_to_one(np.abs(scores.values).max()):
        raise ValueError(
            f"The scores reach {np.abs(scores.values).max():.3g}, and the variance of such scores "
            "overflows or underflows. Multiply them by a constant, so that they are nearer to 1."
        )
    variance = float(sample_moments(scores.values, scores.magnitude)[1])
    if variance == 0:
        raise ValueError(
            "The scores do not vary over the splits, so the effect of more splits, or of another "
            "correlation, cannot be computed. Use more test rows or a finer metric."
        )
    return variance


def finite_array(name: str, value: Any) -> np.ndarray:
    """Return `value` as an array of finite floats."""
    array = as_array(name, value)
    if array.dtype.kind not in "iuf":
        given = f"{name}={value!r}" if array.ndim == 0 else f"{name} of dtype {array.dtype}"
        raise ValueError(f"{given} must be a finite number, or an array of such.")
    if not np.isfinite(array).all():
        at = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
        given = f"{name}={value!r}" if array.ndim == 0 else f"{name} holds {array[at]} at {at}; it"
        raise ValueError(f"{given} must be a finite number, or an array of such.")
    return array.astype(float)


def check_counts(name: str, value: Any, *, endless: bool = True) -> np.ndarray:
    """Return counts of at least 1, which may be infinite if `endless`, as floats."""
    array = as_array(name, value)
    if array.dtype.kind in "iuf":
        array = array.astype(float)
        counts = (array >= 1) & (array == np.floor(array))  # infinity equals its floor
        if (counts & (endless | np.isfinite(array))).all():
            return array
    end = ", or math.inf for no end" if endless else ""
    raise ValueError(f"{name}={value!r} must be a whole number of at least 1{end}.")
