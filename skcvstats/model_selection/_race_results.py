"""The results of a race in the form of those of scikit-learn's searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..fitting import OF_TRAINING, FitRecord


def names_in(records: Sequence[FitRecord]) -> list[str]:
    """Return what a callable measured: "score", or the names of the numbers that it gave."""
    first = min((it for it in records if it.scores), key=lambda it: it[:2], default=FitRecord(0, 0))
    return [name for name in first.scores if name[:1] != "\0"] or ["score"]


def score_of(metric: str, missing: float) -> Callable[[FitRecord], float]:
    """Return what takes the score in a metric from a record."""
    return lambda record: record.scores.get(metric, missing)


def values_of(
    records: Sequence[FitRecord], number: Callable[[FitRecord], float], shape: tuple[int, int]
) -> np.ndarray:
    """Return a number of each record, candidates by splits; nan where nothing was fitted."""
    values = np.full(shape, np.nan)
    for record in records:
        values[record.estimator, record.split] = number(record)
    return values


def cv_results_of(
    params: Sequence[Mapping[str, Any]],
    records: Sequence[FitRecord],
    names: Mapping[str, str],
    dropped_after: np.ndarray,
    n_splits: int,
    missing: float,
) -> dict[str, Any]:
    """Return ``cv_results_``; `names` has the name of each metric in it."""
    shape = (len(params), n_splits)
    n_done = np.bincount([record.estimator for record in records], minlength=len(params))
    results: dict[str, Any] = {}

    def store(name: str, values: np.ndarray) -> None:
        own = [row[:n] for row, n in zip(values, n_done, strict=True)]  # as scikit-learn's, in bits
        means = results[f"mean_{name}"] = np.array([np.average(row) for row in own])
        both = zip(own, means, strict=True)
        results[f"std_{name}"] = np.sqrt([np.average((row - mean) ** 2) for row, mean in both])

    for time in ("fit_time", "score_time"):
        store(time, values_of(records, attrgetter(time), shape))
    results |= _columns_of(params)
    results["params"] = list(params)
    trained = any(OF_TRAINING + metric in record.scores for record in records for metric in names)
    for metric, name in names.items():
        for part, key in (("test", metric), ("train", OF_TRAINING + metric)):
            if part == "train" and not trained:
                continue
            values = values_of(records, score_of(key, missing), shape)
            results |= {f"split{k}_{part}_{name}": column for k, column in enumerate(values.T)}
            store(f"{part}_{name}", values)
            if part == "test":
                ranks = _ranks(results[f"mean_test_{name}"], dropped_after == 0)
                results[f"rank_test_{name}"] = ranks
    return {**results, "n_splits_done": n_done, "dropped_after": dropped_after}


def _ranks(means: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Rank those that are left by their means, then the others; nan is the lowest of its part."""
    ranks = np.empty(len(means), dtype=np.int32)
    for part, first in ((left, 1), (~left, 1 + left.sum())):
        losses = np.where(np.isnan(means[part]), np.inf, -means[part])
        ranks[part] = first + np.searchsorted(np.sort(losses), losses)
    return ranks


def _columns_of(params: Sequence[Mapping[str, Any]]) -> dict[str, np.ma.MaskedArray]:
    """Return the values of each parameter, masked where a candidate does not have it."""
    columns = {}
    for name in dict.fromkeys(name for given in params for name in given):
        owned = {k: given[name] for k, given in enumerate(params) if name in given}
        try:
            found = np.array(list(owned.values()))
            dtype = found.dtype if found.dtype.kind != "U" and found.ndim == 1 else np.dtype(object)
        except ValueError:  # sequences of different lengths
            dtype = np.dtype(object)
        column = np.ma.MaskedArray(np.empty(len(params), dtype=dtype), mask=True)
        for k, value in owned.items():
            column[k] = value
        columns[f"param_{name}"] = column
    return columns
