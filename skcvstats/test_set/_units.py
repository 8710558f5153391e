"""The metric on the rows of some units of a test set: its rows, or its groups."""

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.parallel import Parallel, delayed

from .._utils._progress import with_progress
from .._utils._warn import CaughtWarnings, heard
from ..fitting import needed_labels
from ..stats import Groups
from ._predictions import TestSet

# Up to this number, units are left out one by one; more units in this many blocks.
_MOST_LEFT_OUT = 2000
# Calls in one task, and parts of all tasks for which progress is shown.
_CHUNK = 50
_SHOWN = 20


@dataclass(frozen=True, eq=False)
class UnitScorer:
    """Computes the metric of each run on the rows of some units; nan where it is not defined."""

    test_set: TestSet
    groups: Groups
    has_class: np.ndarray  # (n_classes, n_units), whether a unit has rows of a class
    n_needed: int  # how many of the classes must be there

    def __call__(self, units: np.ndarray, *, in_order: bool = False) -> np.ndarray:
        scores = np.full(len(self.test_set.runs), np.nan)
        if np.count_nonzero(self.has_class[:, units].any(axis=1)) < self.n_needed:
            return scores
        rows = self.groups.rows(units)
        if in_order:
            rows = np.sort(rows)
        for k in range(len(scores)):
            with suppress(ValueError, ZeroDivisionError):
                with heard(UndefinedMetricWarning, ignored="") as undefined:
                    score = self.test_set.score(k, rows)
                if not undefined:
                    scores[k] = score
        return scores


def unit_scorer(test_set: TestSet, groups: Groups) -> UnitScorer:
    """Return what computes the metric on some units, and which classes these must have."""
    labels = test_set.known_labels
    needed = needed_labels(test_set.metric, labels)
    positions = needed.positions
    if needed.reason in ("", "one value"):
        positions = positions[:0]
    has_class = [groups.sums((labels.codes == k) * 1.0) > 0 for k in positions]
    has_class_of_units = np.array(has_class, dtype=bool).reshape(-1, groups.n_groups)
    # Predictions may know labels that the target does not have.
    is_there = has_class_of_units.any(axis=1)
    n_needed = min(needed.least, len(positions))
    return UnitScorer(test_set, groups, has_class_of_units[is_there], n_needed)


def blocks_of(n_units: int, seed: int) -> list[np.ndarray]:
    """Return the units of each block, which are left out together: one, or more of many."""
    if n_units <= _MOST_LEFT_OUT:
        return [*np.arange(n_units)[:, np.newaxis]]
    blocks = np.arange(n_units) % _MOST_LEFT_OUT
    blocks = generator_of(seed).permutation(blocks)
    ends = np.cumsum(np.bincount(blocks))
    return np.split(np.argsort(blocks, kind="stable"), ends[:-1])


def generator_of(seed: int, *key: int) -> np.random.Generator:
    """Return a generator of random numbers for a seed and a key."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def without_each_block(scorer: UnitScorer, blocks: Sequence[np.ndarray]) -> np.ndarray:
    """Return the metric of each run without each of some blocks, of shape (n_blocks, n_runs)."""
    units = np.arange(scorer.groups.n_groups)
    return np.array([scorer(np.delete(units, block), in_order=True) for block in blocks])


def parts_of(calls: Any) -> list[Any]:
    """Return the calls of each task, as parts of a list or range of calls."""
    return [calls[start : start + _CHUNK] for start in range(0, len(calls), _CHUNK)]


def run_tasks(
    tasks: Sequence[Callable[[], Any]], n_jobs: int | None, verbose: int, *, doing: str
) -> list[Any]:
    """Return what tasks return, in their order; with `verbose` show the progress."""
    n_parts = _SHOWN if verbose else 1
    parts = (tasks[k::n_parts] for k in range(n_parts))
    parts_of_tasks = with_progress(parts, n_parts, verbose, doing=doing, unit="part")
    answers: list[Any] = [None] * len(tasks)
    if effective_n_jobs(n_jobs) == 1:  # without scikit-learn's filters of warnings for each task
        with closing(parts_of_tasks):
            for k, part in enumerate(parts_of_tasks):
                answers[k::n_parts] = [task() for task in part]
        return answers
    with CaughtWarnings(), Parallel(n_jobs=n_jobs) as parallel, closing(parts_of_tasks):
        for k, part in enumerate(parts_of_tasks):
            answers[k::n_parts] = parallel(delayed(task)() for task in part)
    return answers
