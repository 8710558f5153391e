"""Scores of one estimator, or on some of the splits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._utils._arrays import as_array
from .._utils._checks import is_integer
from ._scored import Scored


def row_of(scores: Scored, k: int) -> dict[str, Any]:
    """Return the fields of a CVScores that change if one estimator is taken."""
    n_rows = _n_positions(scores)
    if not is_integer(k) or not -n_rows <= k < n_rows:
        there = f"there are {n_rows}, numbered from 0" if n_rows else "these are of one alone"
        raise IndexError(f"There are no scores of an estimator {k!r}: {there}.")
    k = int(k) % n_rows

    def of(array: Any) -> Any:
        return None if array is None else array[k]

    return {
        "values": scores.values[k],
        "labels": scores.labels[k : k + 1],
        "fit_times": of(scores.fit_times),
        "score_times": of(scores.score_times),
        "failures": tuple((0, split, cause) for row, split, cause in scores.failures if row == k),
        "losses": of(scores.losses),
        "magnitude": of(scores.magnitude),
        "components": None if scores.components is None else scores.components.row(k),
    }


def splits_of(scores: Scored, splits: Sequence[int]) -> dict[str, Any]:
    """Return the fields of a CVScores that change if only some splits are taken."""

    def of(array: Any) -> Any:
        return None if array is None else array[..., splits]

    return {
        "values": scores.values[..., splits],
        "design": scores.design.take(splits),
        "fit_times": of(scores.fit_times),
        "score_times": of(scores.score_times),
        "failures": (),
        "losses": None if scores.losses is None else scores.losses.take(splits),
    }


def positions_in(scores: Scored, rows: Any) -> np.ndarray:
    """Return the positions of estimators as integers, after checking them."""
    at = as_array("positions", rows)
    n_rows = _n_positions(scores)
    if at.dtype.kind not in "iu" or at.ndim != 1 or ((at < 0) | (at >= n_rows)).any():
        raise IndexError(
            f"Positions {rows!r} of estimators must be an array of integers from 0 to {n_rows - 1}."
        )
    return at


def _n_positions(scores: Scored) -> int:
    """Return the number of estimators; 0 if the scores have no axis for them."""
    return scores.values.shape[0] if scores.values.ndim > 1 else 0
