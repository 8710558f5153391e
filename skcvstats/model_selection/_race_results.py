"""The results of a race in the form of those of scikit-learn's searches."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from .._utils._checks import listed
from ..fitting import OF_TRAINING, FitRecord, Metric


class RaceRecords:
    """The records of a race, which grow while it is run, and their scores."""

    def __init__(
        self, metrics: Sequence[Metric], error_score: Any, of_training: bool, refit: Any
    ) -> None:
        self._alone = metrics[0].name
        self._names = [metric.name for metric in metrics if not metric.alone]
        self._missing = np.nan if isinstance(error_score, str) else float(error_score)
        self._parts = {"test": "", "train": OF_TRAINING} if of_training else {"test": ""}
        self._refit = refit
        self.records: Sequence[FitRecord] = ()
        _ = self.metric  # raises an error for metrics that are known beforehand

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics; those of a callable are in what it returned."""
        given = ((record[:2], record.scores) for record in self.records if record.scores)
        own = [name for name in min(given, default=((), {}))[1] if OF_TRAINING not in name]
        return self._names or own or [self._alone]

    @property
    def several(self) -> bool:
        """Whether the metrics have their names in ``cv_results_``."""
        return bool(self._names) or self.metrics != [self._alone]

    @property
    def metric(self) -> str:
        """The metric that decides the race; ValueError if `refit` names none of several."""
        if not self.several or self._refit is False or callable(self._refit):
            return self.metrics[0]
        if isinstance(self._refit, str) and self._refit in self.metrics:
            return self._refit
        raise ValueError(
            f"refit={self._refit!r} with several metrics must be one of {listed(self.metrics)}, "
            "which then decides the race; or a callable, or False, and the first decides it."
        )

    def values(self, metric: str, shape: tuple[int, int]) -> np.ndarray:
        """Return the scores, candidates by splits; nan where not fitted."""
        return self._table(lambda record: record.scores.get(metric, self._missing), shape)

    def _table(self, number: Callable[[FitRecord], float], shape: tuple[int, int]) -> np.ndarray:
        table = np.full(shape, np.nan)
        for record in self.records:
            table[record.estimator, record.split] = number(record)
        return table

    def cv_results(
        self, params: Sequence[Mapping[str, Any]], dropped_after: np.ndarray, n_splits: int
    ) -> dict[str, Any]:
        """Return the results in the form of those of scikit-learn's searches."""
        estimators = [record.estimator for record in self.records]
        n_done, shape = np.bincount(estimators), (len(params), n_splits)
        results: dict[str, Any] = {}

        def store(name: str, table: np.ndarray) -> None:
            own = [row[:n] for row, n in zip(table, n_done, strict=True)]
            means = results[f"mean_{name}"] = np.array([np.average(row) for row in own])
            with np.errstate(invalid="ignore"):
                deviations = [row - mean for row, mean in zip(own, means, strict=True)]
                results[f"std_{name}"] = np.sqrt([np.average(row**2) for row in deviations])

        store("fit_time", self._table(attrgetter("fit_time"), shape))
        store("score_time", self._table(attrgetter("score_time"), shape))
        results |= {**_columns_of(params), "params": list(params)}
        for metric in self.metrics:
            name = metric if self.several else "score"
            for part, prefix in self._parts.items():
                table = self.values(prefix + metric, shape)
                results |= {f"split{k}_{part}_{name}": column for k, column in enumerate(table.T)}
                store(f"{part}_{name}", table)
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
