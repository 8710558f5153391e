"""Bootstrap replicates of any metric of fitted models on one test set, by sums where these do.

Metrics that are functions of sums over rows are used only if they equal the number from
scikit-learn's scorer; it computes all others for every replicate.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.parallel import Parallel, delayed

from .._utils._text import format_percent
from ..stats import Groups
from ._predictions import TestSet

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
    group_of = np.arange(len(of_row)) if codes is None else codes
    of_group = np.zeros(group_of.max() + 1, dtype=np.intp)
    of_group[group_of] = of_row
    mixed = of_group[group_of] != of_row
    if mixed.any():
        raise ValueError(
            "stratify=True draws groups within each class, but some groups hold rows of several "
            f"classes (the first of them is of row {int(np.argmax(mixed))}). Leave stratify out."
        )
    strata = tuple(np.flatnonzero(of_group == k) for k in range(of_group.max() + 1))
    if min(map(len, strata)) < 2:
        what = "row" if codes is None else "group"
        raise ValueError(
            f"stratify=True draws {what}s within each class, but there is only 1 {what} of one of "
            f"them. Test on at least 2 {what}s of each class, better 10."
        )
    return strata


# With more classes, resampling confusion tables is slower than resampling predictions.
_MOST_CLASSES = 20


@dataclass(frozen=True, eq=False)
class SumMetric:
    """A metric of all runs that is a function of sums over rows, or of their confusion tables."""

    rows: np.ndarray  # columns to sum, or for each run the cells of a table that rows are in
    n_classes: int  # of the tables; 0 for columns
    value: Callable[[np.ndarray], np.ndarray]


def sum_metric(metric: str, y: np.ndarray, models: Sequence[Any]) -> SumMetric | None:
    """Return a metric as a function of sums over rows, or None if it is not a known one."""
    if y.ndim != 1:
        return None
    if metric in _OF_SUMS:
        if any(model.values.shape != y.shape for model in models):
            return None
        centred = y.astype(float) - y.mean()
        errors = [np.square(y - np.asarray(model.values, dtype=float)) for model in models]
        columns = np.column_stack([np.ones(len(y)), centred, centred**2, *errors])
        return SumMetric(columns, 0, _OF_SUMS[metric])
    known = np.unique(np.concatenate([y, *(model.values for model in models)]))
    compute = _of_table(metric, known.tolist())
    if compute is None or len(known) > _MOST_CLASSES:
        return None
    rows = np.searchsorted(known, y) * len(known)
    cells = np.stack([rows + np.searchsorted(known, model.values) for model in models])
    return SumMetric(cells, len(known), compute)


def _r2(sums: np.ndarray) -> np.ndarray:
    total = sums[..., 2] - sums[..., 1] ** 2 / sums[..., 0]
    return 1 - sums[..., 3:] / np.where(total > 0, total, np.nan)


_OF_SUMS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "r2": _r2,
    "neg_root_mean_squared_error": lambda sums: -np.sqrt(sums[..., 3:] / sums[..., 0]),
}


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, above / below, np.nan)


def _parts(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, by class, the numbers of right, of true and of predicted rows."""
    right = np.einsum("...ii->...i", tables)
    return right, tables.sum(axis=-1), tables.sum(axis=-2)


_BY_CLASS: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "f1": lambda right, true, predicted: _ratio(2 * right, true + predicted),
    "precision": lambda right, true, predicted: _ratio(right, predicted),
    "recall": lambda right, true, predicted: _ratio(right, true),
    "jaccard": lambda right, true, predicted: _ratio(right, true + predicted - right),
}


def _of_table(metric: str, classes: list[Any]) -> Callable[[np.ndarray], np.ndarray] | None:
    """Return a metric as a function of confusion tables, or None."""
    if metric == "balanced_accuracy":
        return lambda tables: _BY_CLASS["recall"](*_parts(tables)).mean(axis=-1)
    if metric == "matthews_corrcoef":
        return _matthews
    if metric == "accuracy":
        return lambda tables: _ratio(_parts(tables)[0].sum(axis=-1), tables.sum(axis=(-1, -2)))
    kind, _, average = metric.partition("_")
    if kind not in _BY_CLASS or average not in ("", "macro", "weighted", "micro"):
        return None
    by_class = _BY_CLASS[kind]
    if average == "":
        if 1 not in classes or len(classes) > 2:
            return None
        at = classes.index(1)
        return lambda tables: by_class(*_parts(tables))[..., at]
    if average == "macro":
        return lambda tables: by_class(*_parts(tables)).mean(axis=-1)
    if average == "micro":
        return lambda tables: by_class(*(part.sum(axis=-1) for part in _parts(tables)))

    def weighted(tables: np.ndarray) -> np.ndarray:
        shares = _parts(tables)[1]
        values = by_class(*_parts(tables))
        values = np.where(shares == 0, 0.0, values)
        return (values * shares).sum(axis=-1) / shares.sum(axis=-1)

    return weighted


def _matthews(tables: np.ndarray) -> np.ndarray:
    right, true, predicted = _parts(tables)
    total = tables.sum(axis=(-1, -2))
    above = right.sum(axis=-1) * total - (true * predicted).sum(axis=-1)
    spread = (total**2 - (true**2).sum(axis=-1)) * (total**2 - (predicted**2).sum(axis=-1))
    return _ratio(above, np.sqrt(np.maximum(spread, 0.0)))


# Computes the metric of each run from groups of rows, in their order or in that of the test set.
Evaluator = Callable[[np.ndarray, bool], np.ndarray]


def sum_evaluator(metric: SumMetric, groups: Groups, weights: np.ndarray | None) -> Evaluator:
    """Return what computes a metric from sums over groups, of which those alike are counted."""
    n, n_groups = metric.n_classes, groups.n_groups
    n_cells, kinds = n**2, np.arange(n_groups)
    codes = kinds if groups.codes is None else groups.codes
    w = np.ones(len(codes)) if weights is None else weights
    if n == 0:
        table = np.column_stack([groups.sums(w * column) for column in metric.rows.T])
    elif groups.codes is None and weights is None:
        kinds = np.zeros(n_groups, dtype=np.intp)
        for cells in metric.rows:  # rows that are the same in all runs are one kind
            kinds = np.unique(kinds * n_cells + cells, return_inverse=True)[1].reshape(-1)
        first = np.unique(kinds, return_index=True)[1]
        table = np.hstack([np.eye(n_cells)[cells[first]] for cells in metric.rows])
    else:
        sums = [
            np.bincount(codes * n_cells + cells, weights=w, minlength=n_groups * n_cells)
            for cells in metric.rows
        ]
        table = np.hstack([run.reshape(n_groups, n_cells) for run in sums])

    def evaluate(drawn: np.ndarray, in_order: bool) -> np.ndarray:
        sums = np.bincount(kinds[drawn], minlength=len(table)) @ table
        return metric.value(sums.reshape(-1, n, n) if n else sums)

    return evaluate


def scorer_evaluator(test_set: TestSet, groups: Groups) -> Evaluator:
    """Return what computes any metric by its scorer on resampled rows."""

    def evaluate(drawn: np.ndarray, in_order: bool) -> np.ndarray:
        rows = groups.rows(drawn)
        rows = np.sort(rows) if in_order else rows
        return np.array([_defined(test_set, k, rows) for k in range(len(test_set.runs))])

    return evaluate


def _defined(test_set: TestSet, k: int, rows: np.ndarray) -> float:
    """Return the metric of a run on some rows, nan where it is not defined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", UndefinedMetricWarning)
        try:
            return test_set.score(k, rows)
        except (UndefinedMetricWarning, ValueError, ZeroDivisionError):
            return float("nan")


# If a metric is not defined in a replicate, it is drawn again, at most this many times.
_MOST_ATTEMPTS = 20
# With a larger share of undefined draws, the metric is not suitable for resampling.
_MOST_UNDEFINED = 0.01
# Replicates in one task.
_CHUNK = 50


def replicate(
    evaluator: Evaluator, resampling: Resampling, n_replicates: int, n_jobs: int | None, metric: str
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the metric in all replicates and without each block, and how many were drawn again."""
    blocks = resampling.blocks()
    parts, parts_left_out = _chunks(n_replicates), _chunks(int(blocks.max()) + 1)
    drawn = [delayed(_drawn)(evaluator, part, resampling) for part in parts]
    left_out = [delayed(_left_out)(evaluator, part, blocks) for part in parts_left_out]
    done = Parallel(n_jobs=n_jobs)(drawn + left_out)
    values = np.concatenate([part for part, _ in done[: len(drawn)]])
    n_undefined = sum(undefined for _, undefined in done)
    share = n_undefined / (n_replicates + n_undefined)
    if share > _MOST_UNDEFINED or not np.isfinite(values).all():
        stratify = (
            "Pass stratify=True, which draws rows (or groups, where each is of one class) within "
            "each class. Else use"
        )
        raise ValueError(
            f"{metric} is not defined in {format_percent(share)} of the bootstrap samples, as they "
            f"lack a class or a prediction of it. {'Use' if resampling.strata else stratify} "
            "another metric, or test on more rows."
        )
    without = np.concatenate([part for part, _ in done[len(drawn) :]])
    return np.ascontiguousarray(values.T), np.ascontiguousarray(without.T), n_undefined


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


def averaged(runs: np.ndarray, owners: Sequence[int], n_models: int) -> np.ndarray:
    """Return the mean over the runs of each model."""
    if n_models == len(owners):
        return runs
    own = np.asarray(owners)
    return np.stack([runs[own == model].mean(axis=0) for model in range(n_models)])
