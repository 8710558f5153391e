"""Fits over workers: in chunks that suit their cost, ended at once when interrupted.

Notes
-----
The fits of all estimators on all splits go through one pool. A chunk is fits enough to outweigh the
cost of sending it, but not more than its share of what is left, so that workers end together. How
long a fit takes is learnt from the records as they come; until then each worker gets a single fit
and the chunks that wait behind these double.

A worker process that dies ends the call with one error under joblib's own loky backend. Its
multiprocessing backend waits for ever for such a worker, and nothing here can know.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from itertools import islice
from math import ceil
from pickle import PicklingError
from typing import Any

from joblib import cpu_count, effective_n_jobs
from joblib.parallel import get_active_backend
from sklearn.utils.parallel import Parallel, delayed

from ..exceptions import FitError
from ._execution import FitRecord, Workload, fit_pairs
from ._interrupt import Stopped, ThreadStop
from ._processes import limited_blas, raise_in_parent
from ._splits import HeldSplits, JoinedSplits, Recipes, ReplayedSplits

# Seconds of fitting in a chunk: enough to outweigh sending it, few enough for a smooth bar.
_LEAST, _MOST = 0.01, 0.2


class Chunker:
    """Hand out (split, estimator) pairs in chunks that take about the same time.

    Parameters
    ----------
    pairs : sequence of (int, int)
        All of them, those of one split together.
    n_workers : int
        How many will work on them.
    """

    def __init__(self, pairs: Sequence[tuple[int, int]], n_workers: int) -> None:
        self._left = deque(pairs)
        self._n_workers = n_workers
        self._seconds = 0.0
        self._n_done = 0
        self._n_chunks = 0

    def learn(self, records: Sequence[FitRecord]) -> None:
        """Take note of what finished fits cost."""
        self._seconds += sum(one.fit_time + one.score_time for one in records)
        self._n_done += len(records)

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        while self._left:
            yield [self._left.popleft() for _ in range(self._size())]

    def _size(self) -> int:
        share = len(self._left) / (2 * self._n_workers)
        if self._n_done == 0:
            size = min(2.0 ** max(0, self._n_chunks - self._n_workers), share)
        else:
            per_fit = max(self._seconds / self._n_done, 1e-6)
            size = min(_MOST / per_fit, max(share, _LEAST / per_fit))
        self._n_chunks += 1
        return min(len(self._left), max(1, ceil(size)))


def run_fits(
    work: Workload,
    X: Any,
    y: Any,
    splits: Recipes | HeldSplits | ReplayedSplits | JoinedSplits,
    *,
    n_jobs: int | None = None,
    pre_dispatch: int | str = "2*n_jobs",
) -> Generator[FitRecord, None, None]:
    """Fit every estimator on every split and yield the records as they come, in any order.

    Parameters
    ----------
    work : Workload
        Estimators and scoring.
    X, y : indexable
        The data.
    splits : Recipes, HeldSplits, ReplayedSplits or JoinedSplits
        The splits.
    n_jobs : int, default=None
        As joblib's.
    pre_dispatch : int or str, default="2*n_jobs"
        As joblib's, counted in chunks of fits.

    Raises
    ------
    FitError
        If a worker process died.
    """
    pairs = [(k, e) for k in range(len(splits)) for e in range(len(work.estimators))]
    n_workers = effective_n_jobs(n_jobs)
    if n_workers == 1:
        yield from fit_pairs(X, y, work, splits, pairs)
        return
    chunker = Chunker(pairs, n_workers)
    with ExitStack() as stack:
        stop = None
        if getattr(get_active_backend()[0], "supports_sharedmem", False):
            # Threads share one BLAS; processes are limited by joblib.
            stack.enter_context(limited_blas(max(1, cpu_count() // n_workers)))
            stop = stack.enter_context(ThreadStop())
        tasks = (
            delayed(_fit_chunk)(X, y, work, splits.part(_numbers(chunk)), chunk, stop)
            for chunk in chunker
        )
        chunks = stack.enter_context(closing(as_they_finish(tasks, n_jobs, pre_dispatch)))
        for records in chunks:
            chunker.learn(records)
            yield from records


def _numbers(chunk: Sequence[tuple[int, int]]) -> list[int]:
    return list(dict.fromkeys(k for k, _ in chunk))


def as_they_finish(
    tasks: Iterator[Any], n_jobs: int | None, pre_dispatch: int | str
) -> Generator[Any, None, None]:
    """Yield what tasks return as they finish, or in waves where the backend hands over whole calls.

    Parameters
    ----------
    tasks : iterator of delayed calls
        Taken as workers ask for them.
    n_jobs : int or None
        As joblib's.
    pre_dispatch : int or str
        As joblib's.

    Raises
    ------
    FitError
        If a worker process died.
    """
    try:
        yield from _results_of(tasks, n_jobs, pre_dispatch)
    except (PicklingError, TypeError, AttributeError) as error:
        if "pickle" in str(error):
            error.add_note(
                "skcvstats: estimators and metrics are pickled to reach worker processes; use "
                "joblib.parallel_config(backend='threading') or n_jobs=1"
            )
        raise
    except BrokenProcessPool as error:
        raise FitError(
            "A worker process died, most often for lack of memory or by a crash in compiled "
            "code. Use fewer jobs, joblib.parallel_config(backend='threading'), or "
            "n_jobs=1, which shows where it happens."
        ) from error


def _results_of(
    tasks: Iterator[Any], n_jobs: int | None, pre_dispatch: int | str
) -> Generator[Any, None, None]:
    options = {"n_jobs": n_jobs, "pre_dispatch": pre_dispatch, "batch_size": 1}
    try:
        pool = Parallel(return_as="generator_unordered", **options)
    except ValueError:  # multiprocessing and some others
        with Parallel(**options) as pool:
            while wave := list(islice(tasks, 2 * effective_n_jobs(n_jobs))):
                yield from pool(wave)
        return
    with closing(pool(tasks)) as chunks:
        yield from chunks


def _fit_chunk(
    X: Any,
    y: Any,
    work: Workload,
    splits: Recipes | HeldSplits | JoinedSplits,
    pairs: Sequence[tuple[int, int]],
    stop: ThreadStop | None,
) -> list[FitRecord]:
    if stop is None:
        try:
            return list(fit_pairs(X, y, work, splits, pairs))
        except Exception as error:
            raise_in_parent(error)
    try:
        with stop.registered():
            return list(fit_pairs(X, y, work, splits, pairs))
    except Stopped:
        return []
