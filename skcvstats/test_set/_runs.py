"""What the rows of a test set and the repeated runs of a model contribute to the variance."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from .._utils._arrays import Floats, weights_or_ones
from ..stats import Groups


def pseudo_values(whole: np.ndarray, without_units: np.ndarray) -> Floats:
    """Return the pseudo-value of each unit in each run, of shape (n_runs, n_units)."""
    n_units = without_units.shape[1]
    values: Floats = n_units * whole[:, np.newaxis] - (n_units - 1) * without_units
    return values


def scores_of_units(scores: np.ndarray, groups: Groups, weights: np.ndarray | None) -> Floats:
    """Return the score of each unit in each run, a row or a group, from the scores of the rows."""
    of_rows = weights_or_ones(weights, scores.shape[1])
    sizes = groups.sums(of_rows)
    total = of_rows.sum()
    mean = (scores @ of_rows).mean() / total
    sums = [groups.sums(run) for run in (scores - mean) * of_rows]
    values: Floats = mean + (groups.n_groups - 1) / (total - sizes) * np.array(sums)
    return values


def arrays_of_runs(units_of_models: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Return what `RunSpread` reads: small arrays, whose differences are those of two models.

    The scores of the units in the runs of each model have shape (n_runs, n_units). Models with
    another number of runs than most have nan.
    """
    n_runs_of_models = [len(units) for units in units_of_models]
    n_runs = max(n_runs_of_models, key=lambda n: (n_runs_of_models.count(n), n), default=1)
    if n_runs == 1:
        return {}
    kept = np.flatnonzero(np.equal(n_runs_of_models, n_runs)).tolist()
    table = np.stack([units_of_models[k] for k in kept])
    n_units = table.shape[2]
    of_units = table.mean(axis=1)
    # Less the first run, so that runs that are equal differ by exactly 0.
    apart = table - table[:, :1]
    apart -= apart.mean(axis=1, keepdims=True)
    of_runs = apart.mean(axis=2, keepdims=True)
    df = (n_units - 1) * (n_runs - 1)
    arrays = {
        "run_means": of_runs[:, :, 0],
        "run_units": _root(of_units - of_units.mean(axis=1, keepdims=True), n_units - 1),
        "run_rest": _root(apart - of_runs, n_runs * df),
    }
    for name, part in arrays.items():
        arrays[name] = np.full((len(units_of_models), part.shape[1]), np.nan)
        arrays[name][kept] = part
    return arrays


def _root(deviations: np.ndarray, df: int) -> np.ndarray:
    """Return few numbers for each model, whose differences have the same sums of squares."""
    columns = deviations.reshape(len(deviations), -1).T
    triangle = np.asarray(np.linalg.qr(columns, mode="r"))
    root: Floats = triangle.T / sqrt(deviations.shape[-1] * df)
    return root
