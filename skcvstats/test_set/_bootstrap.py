"""Bootstrap replicates of any metric of fitted models on one test set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.parallel import delayed

from .._utils._text import format_percent
from ..fitting import as_they_finish, end_with_parent, find_workers
from ._evaluators import Evaluator
from ._resampling import Resampling

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
    n_blocks = int(blocks.max()) + 1
    workers = find_workers(n_jobs)
    tasks: list[tuple[Any, range, Any]] = [
        (_drawn, part, resampling) for part in _chunks(n_replicates)
    ]
    tasks += [(_left_out, part, blocks) for part in _chunks(n_blocks)]
    if workers.n == 1:
        done = [work(evaluator, part, more) for work, part, more in tasks]
    else:
        calls = (
            delayed(_numbered)(k, workers.are_threads, evaluator, *task)
            for k, task in enumerate(tasks)
        )
        shared = (evaluator, resampling, blocks)
        found = dict(as_they_finish(calls, workers, "2*n_jobs", shared=shared))
        done = [found[k] for k in range(len(tasks))]
    n_drawn = len(_chunks(n_replicates))
    values = np.concatenate([part for part, _ in done[:n_drawn]], axis=1)
    n_undefined = sum(undefined for _, undefined in done[:n_drawn])
    stratified, found_all = bool(resampling.strata), bool(np.isfinite(values).all())
    _check_defined(n_undefined, n_replicates, metric, stratified=stratified, found_all=found_all)
    left_out = np.concatenate([part for part, _ in done[n_drawn:]], axis=1)
    return Replicates(values, left_out, n_undefined)


def _chunks(n: int) -> list[range]:
    return [range(start, min(start + _CHUNK, n)) for start in range(0, n, _CHUNK)]


def _numbered(
    number: int, in_thread: bool, evaluator: Evaluator, work: Any, part: range, more: Any
) -> tuple[int, tuple[np.ndarray, int]]:
    """Run a task in a worker."""
    if not in_thread:
        end_with_parent()
    return number, work(evaluator, part, more)


def _drawn(evaluator: Evaluator, numbers: range, resampling: Resampling) -> tuple[np.ndarray, int]:
    """Return some replicates, and the number of draws in which the metric was not defined."""
    found: dict[int, np.ndarray] = {}
    left, n_undefined = list(numbers), 0
    for attempt in range(_MOST_ATTEMPTS):
        values = evaluator.on(resampling.draw(number, attempt) for number in left)
        found |= zip(left, values, strict=True)
        left = [number for number in left if not np.isfinite(found[number]).all()]
        n_undefined += len(left)
        if not left:
            break
    return np.stack([found[number] for number in numbers], axis=1), n_undefined


def _left_out(evaluator: Evaluator, numbers: range, blocks: np.ndarray) -> tuple[np.ndarray, int]:
    return evaluator.without(blocks, numbers).T, 0


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
