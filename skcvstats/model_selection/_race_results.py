"""The results of a race in the form of those of scikit-learn's searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..fitting import OF_TRAINING, FitRecord, Scoring


class RaceRecords:
    """The records of a race, which grow while it is run, and their scores."""

    def __init__(self, scoring: Scoring, n_candidates: int, error_score: Any) -> None:
        self._scoring = scoring
        self._n_candidates = n_candidates
        self._missing = np.nan if isinstance(error_score, str) else float(error_score)
        self.records: Sequence[FitRecord] = ()

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics; those of a callable are in what it returned."""
        of_first = min(((it[:2], it.scores) for it in self.records if it.scores), default=((), {}))[
            1
        ]
        own = [name for name in of_first if not name.startswith(OF_TRAINING)]
        return list(self._scoring.metrics) or own or [self._scoring.metric]

    @property
    def several(self) -> bool:
        """Whether the metrics have their names in ``cv_results_``."""
        return bool(self._scoring.metrics) or self.metrics != [self._scoring.metric]

    def values(self, metric: str, n_splits: int) -> np.ndarray:
        """Return the scores of all candidates on the first splits; nan where not fitted."""
        return self._table(lambda record: record.scores.get(metric, self._missing), n_splits)

    def _table(self, number: Callable[[FitRecord], float], n_splits: int) -> np.ndarray:
        table = np.full((self._n_candidates, n_splits), np.nan)
        for record in self.records:
            table[record.estimator, record.split] = number(record)
        return table

    def cv_results(
        self, params: Sequence[Mapping[str, Any]], dropped_after: np.ndarray, n_splits: int
    ) -> dict[str, Any]:
        """Return the results in the form of those of scikit-learn's searches."""
        estimators = [record.estimator for record in self.records]
        n_done = np.bincount(estimators, minlength=self._n_candidates)
        results: dict[str, Any] = {}

        def store(name: str, table: np.ndarray) -> None:
            own = [row[:n] for row, n in zip(table, n_done, strict=True)]
            means = results[f"mean_{name}"] = np.array([np.average(row) for row in own])
            both = zip(own, means, strict=True)
            results[f"std_{name}"] = np.sqrt([np.average((row - mean) ** 2) for row, mean in both])

        store("fit_time", self._table(attrgetter("fit_time"), n_splits))
        store("score_time", self._table(attrgetter("score_time"), n_splits))
        results |= {**_columns_of(params), "params": list(params)}
        trained = any(OF_TRAINING in "".join(record.scores) for record in self.records)
        for metric in self.metrics:
            name = metric if self.several else "score"
            for part, key in (("test", metric), ("train", OF_TRAINING + metric))[: 1 + trained]:
                table = self.values(key, n_splits)
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
