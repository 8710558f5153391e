"""Bootstrap replicates of any metric of fitted models on one test set."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.parallel import Parallel, delayed

from .._utils._text import format_percent
from ._groups import Groups
from ._metrics import SumMetric

# Up to this number, groups are left out one by one; more groups in this many blocks.
_MOST_LEFT_OUT = 2000


@dataclass(frozen=True, eq=False)
class Resampling:
    """Draws groups with replacement: each replicate from its number and the seed alone."""

    n_groups: int
    seed: int
    strata: tuple[np.ndarray, ...] = ()

    def draw(self, replicate: int, attempt: int = 0) -> np.ndarray:
        """Return the groups of a replicate."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(replicate, attempt))
        generator = np.random.Generator(np.random.PCG64(sequence))
        if not self.strata:
            return generator.integers(0, self.n_groups, self.n_groups)
        parts = [of[generator.integers(0, len(of), len(of))] for of in self.strata]
        return np.concatenate(parts)

    def blocks(self) -> np.ndarray:
        """Return the blocks of groups that are left out together for the acceleration."""
        blocks = np.arange(self.n_groups) % _MOST_LEFT_OUT
        if self.n_groups <= _MOST_LEFT_OUT:
            return blocks
        sequence = np.random.SeedSequence(self.seed)
        return np.random.Generator(np.random.PCG64(sequence)).permutation(blocks)


def strata_of(classes: Any, codes: np.ndarray | None) -> tuple[np.ndarray, ...]:
    """Return the groups of each class, if each group has one class."""
    of_row = np.unique(np.asarray(classes), return_inverse=True)[1].reshape(-1)
    if codes is None:
        of_group = of_row
    else:
        of_group = np.zeros(codes.max() + 1, dtype=np.intp)
        of_group[codes] = of_row
        mixed = of_group[codes] != of_row
        if mixed.any():
            raise ValueError(
                "stratify=True draws groups within each class, but some groups hold rows of "
                f"several classes (the first of them is of row {int(np.argmax(mixed))}). Leave "
                "stratify out."
            )
    strata = tuple(np.flatnonzero(of_group == k) for k in range(of_group.max() + 1))
    if min(map(len, strata)) < 2:
        what = "row" if codes is None else "group"
        raise ValueError(
            f"stratify=True draws {what}s within each class, but there is only 1 {what} of one of "
            f"them, so it cannot be seen how its {what}s vary. Test on at least 2 {what}s of each "
            "class, better 10."
        )
    return strata


# Computes the metric of each run from groups of rows, in their order or in that of the test set.
Evaluator = Callable[[np.ndarray, bool], np.ndarray]


@dataclass(frozen=True, eq=False)
class DefinedEvaluator:
    """Computes a metric if the rows contain the classes that it needs; else it is nan."""

    evaluator: Evaluator
    holds: np.ndarray
    least: int

    def __call__(self, groups: np.ndarray, in_order: bool = False) -> np.ndarray:
        values = self.evaluator(groups, in_order)
        held = sum(bool(of_class[groups].any()) for of_class in self.holds)
        return values if held >= self.least else np.full_like(values, np.nan)


@dataclass(frozen=True, eq=False)
class SumEvaluator:
    """Computes a metric from sums over groups, of which those that are alike are counted."""

    table: np.ndarray
    kinds: np.ndarray
    metric: SumMetric
    n_runs: int

    def __call__(self, groups: np.ndarray, in_order: bool = False) -> np.ndarray:
        sums = np.bincount(self.kinds[groups], minlength=len(self.table)) @ self.table
        n = self.metric.n_classes
        if n == 0:
            return np.array([self.metric.value(sums, run) for run in range(self.n_runs)])
        return self.metric.value(sums.reshape(self.n_runs, n, n))


def sum_evaluator(
    metric: SumMetric, groups: Groups, weights: np.ndarray | None, n_runs: int
) -> SumEvaluator:
    """Prepare the sums of the groups."""
    n_cells = metric.n_classes**2
    n_groups = groups.n_groups
    if metric.cells is not None and groups.codes is None and weights is None:
        kinds = np.zeros(n_groups, dtype=np.intp)
        for cells in metric.cells:  # rows that are the same in all runs are one kind
            kinds = np.unique(kinds * n_cells + cells, return_inverse=True)[1].reshape(-1)
        first = np.zeros(kinds.max() + 1, dtype=np.intp)
        first[kinds] = np.arange(n_groups)
        table = np.zeros((len(first), n_runs, n_cells))
        for run, cells in enumerate(metric.cells):
            table[np.arange(len(first)), run, cells[first]] = 1.0
        return SumEvaluator(table.reshape(len(first), -1), kinds, metric, n_runs)
    codes = np.arange(n_groups) if groups.codes is None else groups.codes
    w = np.ones(len(codes)) if weights is None else weights
    if metric.cells is not None:
        sums = [
            np.bincount(codes * n_cells + cells, weights=w, minlength=n_groups * n_cells)
            for cells in metric.cells
        ]
        table = np.hstack([run.reshape(n_groups, n_cells) for run in sums])
    else:
        assert metric.columns is not None
        columns = metric.columns.T
        table = np.column_stack(
            [np.bincount(codes, weights=w * column, minlength=n_groups) for column in columns]
        )
    return SumEvaluator(table, np.arange(n_groups), metric, n_runs)


@dataclass(frozen=True, eq=False)
class ScorerEvaluator:
    """Computes any metric by its scorer on resampled rows."""

    scorer: Any
    models: tuple[Any, ...]
    y: np.ndarray
    weights: np.ndarray | None
    groups: Groups

    def __call__(self, groups: np.ndarray, in_order: bool = False) -> np.ndarray:
        rows = self.groups.rows(groups)
        rows = np.sort(rows) if in_order else rows
        weights = None if self.weights is None else self.weights[rows]
        return np.array(
            [
                defined_score(self.scorer, model, rows, self.y[rows], weights)
                for model in self.models
            ]
        )


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


# If a metric is not defined in a replicate, it is drawn again, at most this many times.
_MOST_ATTEMPTS = 20
# With a larger share of undefined draws, the metric is not suitable for resampling.
_MOST_UNDEFINED = 0.01
# Replicates in one task.
_CHUNK = 50


class Replicates(NamedTuple):
    """The results of the bootstrap."""

    values: np.ndarray
    left_out: np.ndarray
    n_undefined: int


def replicate(
    evaluator: Evaluator, resampling: Resampling, n_replicates: int, n_jobs: int | None, metric: str
) -> Replicates:
    """Compute the metric in all replicates; the result does not depend on the number of workers."""
    blocks = resampling.blocks()
    drawn = [delayed(_drawn)(evaluator, part, resampling) for part in _chunks(n_replicates)]
    left_out = [
        delayed(_left_out)(evaluator, part, blocks) for part in _chunks(int(blocks.max()) + 1)
    ]
    done = Parallel(n_jobs=n_jobs)(drawn + left_out)
    values = np.concatenate([part for part, _ in done[: len(drawn)]])
    n_undefined = sum(undefined for _, undefined in done[: len(drawn)])
    stratified, found_all = bool(resampling.strata), bool(np.isfinite(values).all())
    _check_defined(n_undefined, n_replicates, metric, stratified=stratified, found_all=found_all)
    without = np.concatenate([part for part, _ in done[len(drawn) :]])
    return Replicates(np.ascontiguousarray(values.T), np.ascontiguousarray(without.T), n_undefined)


def _chunks(n: int) -> list[range]:
    return [range(start, min(start + _CHUNK, n)) for start in range(0, n, _CHUNK)]


def _drawn(evaluator: Evaluator, numbers: range, resampling: Resampling) -> tuple[np.ndarray, int]:
    """Return some replicates, and the number of draws in which the metric was not defined."""
    found, n_undefined = [], 0
    for number in numbers:
        for attempt in range(_MOST_ATTEMPTS):
            values = evaluator(resampling.draw(number, attempt), False)
            if np.isfinite(values).all():
                break
            n_undefined += 1
        found.append(values)
    return np.array(found), n_undefined


def _left_out(evaluator: Evaluator, numbers: range, blocks: np.ndarray) -> tuple[np.ndarray, int]:
    return np.array([evaluator(np.flatnonzero(blocks != block), True) for block in numbers]), 0


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
    """Return the mean over the runs of each model."""
    if n_models == len(owners):
        return runs
    own = np.asarray(owners)
    return np.stack([runs[own == model].mean(axis=0) for model in range(n_models)])
