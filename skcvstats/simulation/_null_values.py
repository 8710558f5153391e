"""The null values of power curves: as they are given, or a grid about the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._utils._arrays import as_numbers
from .._utils._checks import check_option


def given_grids(null_values: Any, hypotheses: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the grid of each hypothesis, or say what is wrong with it."""
    if not isinstance(null_values, Mapping):
        null_values = dict.fromkeys(hypotheses, null_values)
    grids = {}
    for name, values in null_values.items():
        check_option("hypothesis", name, hypotheses)
        grid = np.atleast_1d(as_numbers("null_values", values))
        if grid.ndim != 1 or grid.size == 0 or not np.isfinite(grid).all():
            raise ValueError(
                f"null_values of {name!r} must be finite numbers in one dimension, got {values!r}."
            )
        grids[name] = grid
    return grids


def grid_about(centres: np.ndarray, reach: float, n_points: int) -> np.ndarray:
    """Return null values about one truth or several, each truth among them."""
    steps = np.linspace(-1, 1, n_points)
    if np.ptp(centres) == 0:
        return centres[0] + reach * steps
    middle, half = (centres.max() + centres.min()) / 2, np.ptp(centres) / 2 + reach
    return np.union1d(middle + half * steps, centres)
