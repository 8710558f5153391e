"""Evaluators compute a metric of fitted models from resampled groups of test rows."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from ._metrics import SumMetric


class Evaluator(ABC):
    """Computes the metric of all runs of all models from resampled groups of rows."""

    @abstractmethod
    def on(self, draws: Iterable[np.ndarray]) -> np.ndarray:
        """Return the metric of each run on each draw, nan where it is not defined."""

    @abstractmethod
    def without(self, blocks: np.ndarray, numbers: Sequence[int]) -> np.ndarray:
        """Return the metric of each run with each of some blocks of groups left out."""


@dataclass(frozen=True, eq=False)
class DefinedEvaluator(Evaluator):
    """Computes a metric if the rows contain the classes that it needs; else it is nan."""

    evaluator: Evaluator
    holds: np.ndarray
    least: int

    def on(self, draws: Iterable[np.ndarray]) -> np.ndarray:
        held = []

        def noted() -> Iterator[np.ndarray]:
            for groups in draws:
                held.append(self._is_held(groups))
                yield groups

        values = self.evaluator.on(noted())
        return np.where(np.array(held)[:, None], values, np.nan)

    def without(self, blocks: np.ndarray, numbers: Sequence[int]) -> np.ndarray:
        values = self.evaluator.without(blocks, numbers)
        held = [self._is_held(np.flatnonzero(blocks != block)) for block in numbers]
        return np.where(np.array(held)[:, None], values, np.nan)

    def _is_held(self, groups: np.ndarray) -> bool:
        return sum(bool(of_class[groups].any()) for of_class in self.holds) >= self.least


@dataclass(frozen=True, eq=False)
class RowsOfGroups:
    """The rows of each group, and their weights."""

    n_rows: int
    n_groups: int
    codes: np.ndarray | None
    order: np.ndarray | None = None
    starts: np.ndarray | None = None

    @classmethod
    def of(cls, codes: np.ndarray | None, n_rows: int, n_groups: int) -> RowsOfGroups:
        """Sort the rows by group."""
        if codes is None:
            return cls(n_rows, n_groups, None)
        starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=n_groups))])
        return cls(n_rows, n_groups, codes, np.argsort(codes, kind="stable"), starts)

    def rows(self, groups: np.ndarray) -> np.ndarray:
        """Return the rows of resampled groups."""
        if self.order is None or self.starts is None:
            return groups
        sizes = self.starts[groups + 1] - self.starts[groups]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return self.order[np.repeat(self.starts[groups], sizes) + within]

    def outside(self, blocks: np.ndarray, block: int) -> np.ndarray:
        """Return the rows of all groups except those of a block."""
        kept = blocks != block
        return np.flatnonzero(kept if self.codes is None else kept[self.codes])


@dataclass(frozen=True, eq=False)
class SumEvaluator(Evaluator):
    """Computes metrics from sums over groups, of which those that are alike are counted."""

    table: np.ndarray
    kinds: np.ndarray
    metric: SumMetric
    n_runs: int

    def on(self, draws: Iterable[np.ndarray]) -> np.ndarray:
        sums = np.stack([self._sums(groups) for groups in draws])
        n = self.metric.n_classes
        if n == 0:
            values = [self.metric.value(sums, run) for run in range(self.n_runs)]
            return np.stack(values, axis=1)
        return self.metric.value(sums.reshape(len(sums), self.n_runs, n, n))

    def without(self, blocks: np.ndarray, numbers: Sequence[int]) -> np.ndarray:
        return self.on(np.flatnonzero(blocks != block) for block in numbers)

    def _sums(self, groups: np.ndarray) -> np.ndarray:
        counts = np.bincount(self.kinds[groups], minlength=len(self.table))
        return counts @ self.table


def sum_evaluator(
    metric: SumMetric, where: RowsOfGroups, weights: np.ndarray | None, n_runs: int
) -> SumEvaluator:
    """Prepare the sums of the groups."""
    n_cells = metric.n_classes**2
    if metric.cells is not None and where.codes is None and weights is None:
        kinds = np.zeros(where.n_rows, dtype=np.intp)
        for cells in metric.cells:  # rows that are the same in all runs are one kind
            kinds = np.unique(kinds * n_cells + cells, return_inverse=True)[1].reshape(-1)
        first = np.zeros(kinds.max() + 1, dtype=np.intp)
        first[kinds] = np.arange(where.n_rows)
        table = np.zeros((len(first), n_runs, n_cells))
        for run, cells in enumerate(metric.cells):
            table[np.arange(len(first)), run, cells[first]] = 1.0
        return SumEvaluator(table.reshape(len(first), -1), kinds, metric, n_runs)
    codes = np.arange(where.n_rows) if where.codes is None else where.codes
    w = np.ones(where.n_rows) if weights is None else weights
    if metric.cells is not None:
        sums = [
            np.bincount(codes * n_cells + cells, weights=w, minlength=where.n_groups * n_cells)
            for cells in metric.cells
        ]
        table = np.stack([run.reshape(where.n_groups, n_cells) for run in sums], axis=1)
        return SumEvaluator(
            table.reshape(where.n_groups, -1), np.arange(where.n_groups), metric, n_runs
        )
    assert metric.columns is not None
    columns = [
        np.bincount(codes, weights=w * column, minlength=where.n_groups)
        for column in metric.columns.T
    ]
    return SumEvaluator(np.column_stack(columns), np.arange(where.n_groups), metric, n_runs)


@dataclass(frozen=True, eq=False)
class ScorerEvaluator(Evaluator):
    """Computes any metric by its scorer on resampled rows."""

    scorer: Any
    models: tuple[Any, ...]
    y: np.ndarray
    weights: np.ndarray | None
    where: RowsOfGroups

    def on(self, draws: Iterable[np.ndarray]) -> np.ndarray:
        return np.array([self._of_rows(self.where.rows(groups)) for groups in draws])

    def without(self, blocks: np.ndarray, numbers: Sequence[int]) -> np.ndarray:
        return np.array([self._of_rows(self.where.outside(blocks, block)) for block in numbers])

    def _of_rows(self, rows: np.ndarray) -> list[float]:
        weights = None if self.weights is None else self.weights[rows]
        return [
            defined_score(self.scorer, model, rows, self.y[rows], weights) for model in self.models
        ]


def score_of(scorer: Any, model: Any, rows: Any, y: np.ndarray, weights: Any) -> float:
    """Return the metric of a run on some rows."""
    more = {} if weights is None else {"sample_weight": weights}
    return float(scorer(model, rows, y, **more))


def defined_score(scorer: Any, model: Any, rows: Any, y: np.ndarray, weights: Any) -> float:
    """Return the metric of a run on some rows, nan where it is not defined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", UndefinedMetricWarning)
        try:
            return score_of(scorer, model, rows, y, weights)
        except (UndefinedMetricWarning, ValueError, ZeroDivisionError):
            return float("nan")
