"""Bootstrap replicates of any metric of fitted models on one test set."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.parallel import Parallel, delayed

from .._utils import format_percent
from ..stats import Resampling
from ._test_set_metrics import SumMetric
from ._workers import find_workers

# A replicate in which a metric is not defined is drawn again, at most so often.
_MOST_ATTEMPTS = 20
# Of all draws, beyond which they say that the metric suits no resampling.
_MOST_UNDEFINED = 0.01
# Replicates of a task.
_CHUNK = 50


class Evaluator(Protocol):
    """Computes the metric of all runs of all models from resampled groups of rows."""

    def on(self, groups: np.ndarray) -> np.ndarray: ...

    def without(self, blocks: np.ndarray, block: int) -> np.ndarray: ...


class Replicates(NamedTuple):
    """What the bootstrap gives.

    Parameters
    ----------
    values : ndarray of shape (n_runs, n_replicates)
        The metric in each replicate.
    left_out : ndarray of shape (n_runs, n_blocks)
        With one block of groups left out.
    n_undefined : int
        How many replicates were drawn again.
    """

    values: np.ndarray
    left_out: np.ndarray
    n_undefined: int


@dataclass(frozen=True, eq=False)
class RowsOfGroups:
    """The rows of each group, and their weights.

    Parameters
    ----------
    n_rows, n_groups : int
        How many there are.
    codes : ndarray of int of shape (n_rows,) or None
        The group of each row; None where each row is one.
    order, starts : ndarray of int or None
        Group g holds the rows ``order[starts[g]:starts[g + 1]]``.
    """

    n_rows: int
    n_groups: int
    codes: np.ndarray | None
    order: np.ndarray | None = None
    starts: np.ndarray | None = None

    @classmethod
    def of(cls, codes: np.ndarray | None, n_rows: int, n_groups: int) -> RowsOfGroups:
        """Sort the rows by group.

        Parameters
        ----------
        codes : ndarray of int of shape (n_rows,) or None
            The group of each row.
        n_rows, n_groups : int
            How many there are.
        """
        if codes is None:
            return cls(n_rows, n_groups, None)
        starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=n_groups))])
        return cls(n_rows, n_groups, codes, np.argsort(codes, kind="stable"), starts)

    def rows(self, groups: np.ndarray) -> np.ndarray:
        """Return the rows of resampled groups.

        Parameters
        ----------
        groups : ndarray of int
            With repetitions.
        """
        if self.order is None or self.starts is None:
            return groups
        sizes = self.starts[groups + 1] - self.starts[groups]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return self.order[np.repeat(self.starts[groups], sizes) + within]

    def outside(self, blocks: np.ndarray, block: int) -> np.ndarray:
        """Return the rows of all groups but those of a block.

        Parameters
        ----------
        blocks : ndarray of int of shape (n_groups,)
            The block of each group.
        block : int
            Which one is left out.
        """
        kept = blocks != block
        return np.flatnonzero(kept if self.codes is None else kept[self.codes])


@dataclass(frozen=True, eq=False)
class SumEvaluator:
    """Computes metrics from sums over groups, of which those that are alike are counted.

    Parameters
    ----------
    table : ndarray of shape (n_kinds, n_columns)
        The sums of a group of each kind.
    kinds : ndarray of int of shape (n_groups,)
        The kind of each group.
    metric : SumMetric
        The metric of the sums.
    n_runs : int
        Of all models.
    """

    table: np.ndarray
    kinds: np.ndarray
    metric: SumMetric
    n_runs: int

    def on(self, groups: np.ndarray) -> np.ndarray:
        """Return the metric of each run.

        Parameters
        ----------
        groups : ndarray of int
            With repetitions.
        """
        counts = np.bincount(self.kinds[groups], minlength=len(self.table))
        return self._values(counts @ self.table)

    def without(self, blocks: np.ndarray, block: int) -> np.ndarray:
        """Return the metric of each run with a block of groups left out.

        Parameters
        ----------
        blocks : ndarray of int of shape (n_groups,)
            The block of each group.
        block : int
            Which one is left out.
        """
        return self.on(np.flatnonzero(blocks != block))

    def _values(self, sums: np.ndarray) -> np.ndarray:
        n = self.metric.n_classes
        if n == 0:
            return np.array([self.metric.value(sums, run) for run in range(self.n_runs)])
        return self.metric.value(sums.reshape(self.n_runs, n, n))


def sum_evaluator(
    metric: SumMetric, where: RowsOfGroups, weights: np.ndarray | None, n_runs: int
) -> SumEvaluator:
    """Prepare the sums of the groups.

    Parameters
    ----------
    metric : SumMetric
        The metric.
    where : RowsOfGroups
        The groups.
    weights : ndarray of shape (n_rows,) or None
        Of the rows.
    n_runs : int
        Of all models.
    """
    n_cells = metric.n_classes**2
    if metric.cells is not None and where.codes is None and weights is None:
        kinds = np.zeros(where.n_rows, dtype=np.intp)
        for cells in metric.cells:  # rows that are alike in all runs are one kind
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
class ScorerEvaluator:
    """Computes any metric by its scorer on resampled rows.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)``.
    models : tuple of estimator
        The stored predictions of all runs.
    y : ndarray of shape (n_rows, ...)
        The target.
    weights : ndarray of shape (n_rows,) or None
        Of the rows.
    where : RowsOfGroups
        The groups.
    """

    scorer: Any
    models: tuple[Any, ...]
    y: np.ndarray
    weights: np.ndarray | None
    where: RowsOfGroups

    def on(self, groups: np.ndarray) -> np.ndarray:
        """Return the metric of each run, nan where it is not defined.

        Parameters
        ----------
        groups : ndarray of int
            With repetitions.
        """
        return self._of_rows(self.where.rows(groups))

    def without(self, blocks: np.ndarray, block: int) -> np.ndarray:
        """Return the metric of each run with a block of groups left out.

        Parameters
        ----------
        blocks : ndarray of int of shape (n_groups,)
            The block of each group.
        block : int
            Which one is left out.
        """
        return self._of_rows(self.where.outside(blocks, block))

    def _of_rows(self, rows: np.ndarray) -> np.ndarray:
        weights = None if self.weights is None else self.weights[rows]
        return np.array(
            [
                defined_score(self.scorer, model, rows, self.y[rows], weights)
                for model in self.models
            ]
        )


def score_of(scorer: Any, model: Any, rows: Any, y: np.ndarray, weights: Any) -> float:
    """Return the metric of a run on some rows.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)``.
    model : estimator
        Stored predictions.
    rows : ndarray of int
        The rows.
    y : ndarray
        The target of these.
    weights : ndarray or None
        Of these.
    """
    more = {} if weights is None else {"sample_weight": weights}
    return float(scorer(model, rows, y, **more))


def defined_score(scorer: Any, model: Any, rows: Any, y: np.ndarray, weights: Any) -> float:
    """Return the metric of a run on some rows, nan where it is not defined.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)``.
    model : estimator
        Stored predictions.
    rows : ndarray of int
        The rows.
    y : ndarray
        The target of these.
    weights : ndarray or None
        Of these.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", UndefinedMetricWarning)
        try:
            return score_of(scorer, model, rows, y, weights)
        except (UndefinedMetricWarning, ValueError, ZeroDivisionError):
            return float("nan")


def replicate(
    evaluator: Evaluator, resampling: Resampling, n_replicates: int, n_jobs: int | None, metric: str
) -> Replicates:
    """Compute the metric in all replicates, the same for every number of workers.

    Parameters
    ----------
    evaluator : Evaluator
        Computes it.
    resampling : Resampling
        Draws the groups.
    n_replicates : int
        How many.
    n_jobs : int or None
        As joblib's.
    metric : str
        For messages.

    Raises
    ------
    ValueError
        If the metric is not defined in more than 1 % of the draws.
    """
    blocks = resampling.blocks()
    n_blocks = int(blocks.max()) + 1
    n_workers = find_workers(n_jobs).n
    tasks: list[tuple[Any, range, Any]] = [
        (_drawn, part, resampling) for part in _chunks(n_replicates)
    ]
    tasks += [(_left_out, part, blocks) for part in _chunks(n_blocks)]
    if n_workers == 1:
        done = [work(evaluator, part, more) for work, part, more in tasks]
    else:
        done = Parallel(n_jobs=n_jobs)(
            delayed(work)(evaluator, part, more) for work, part, more in tasks
        )
    n_drawn = len(_chunks(n_replicates))
    values = np.concatenate([part for part, _ in done[:n_drawn]], axis=1)
    n_undefined = sum(undefined for _, undefined in done[:n_drawn])
    stratified, found_all = bool(resampling.strata), bool(np.isfinite(values).all())
    _check_defined(n_undefined, n_replicates, metric, stratified=stratified, found_all=found_all)
    left_out = np.concatenate([part for part, _ in done[n_drawn:]], axis=1)
    return Replicates(values, left_out, n_undefined)


def _chunks(n: int) -> list[range]:
    return [range(start, min(start + _CHUNK, n)) for start in range(0, n, _CHUNK)]


def _drawn(evaluator: Evaluator, numbers: range, resampling: Resampling) -> tuple[np.ndarray, int]:
    """Return some replicates, and how many draws were not defined."""
    found, n_undefined = [], 0
    for number in numbers:
        for attempt in range(_MOST_ATTEMPTS):
            values = evaluator.on(resampling.draw(number, attempt))
            if np.isfinite(values).all():
                break
            n_undefined += 1
        found.append(values)
    return np.stack(found, axis=1), n_undefined


def _left_out(evaluator: Evaluator, numbers: range, blocks: np.ndarray) -> tuple[np.ndarray, int]:
    return np.stack([evaluator.without(blocks, block) for block in numbers], axis=1), 0


def _check_defined(
    n_undefined: int, n_replicates: int, metric: str, *, stratified: bool, found_all: bool
) -> None:
    share = n_undefined / (n_replicates + n_undefined)
    if share <= _MOST_UNDEFINED and found_all:
        return
    remedy = "Use another metric, or test on more rows"
    if not stratified:
        remedy = (
            "Pass stratify=True, which draws rows (or groups, where each is of one class) within "
            "each class, use another metric, or test on more rows"
        )
    raise ValueError(
        f"{metric} is not defined in {format_percent(share)} of the bootstrap samples, as they "
        f"lack a class or a prediction of it. {remedy}."
    )


def averaged(runs: np.ndarray, owners: Sequence[int], n_models: int) -> np.ndarray:
    """Return the mean over the runs of each model.

    Parameters
    ----------
    runs : ndarray of shape (n_runs, ...)
        Of all models.
    owners : sequence of int
        The model of each run.
    n_models : int
        How many there are.
    """
    if n_models == len(owners):
        return runs
    own = np.asarray(owners)
    return np.stack([runs[own == model].mean(axis=0) for model in range(n_models)])
