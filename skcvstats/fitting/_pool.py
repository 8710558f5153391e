"""Run fits on workers: in chunks that suit their cost; an interrupt returns at once.

Notes
-----
The fits of all estimators on all splits go through one pool. A chunk has enough fits to outweigh
the cost of sending it, but not more than its share of the remaining fits, so that workers finish
together. The time of a fit is learnt from the records as they arrive. Until then each worker gets a
single fit, and the chunks that wait behind these double in size.

On a Dask cluster `_dask` submits the tasks, in place of joblib.

If a worker process dies, the call ends with one error. joblib's loky backend reports this; its
multiprocessing backend would wait forever, so loky replaces it. Worker processes end with their
parent.

Within worker threads, estimators do not run jobs in parallel, because the cores are in use.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from itertools import islice
from math import ceil
from pickle import PicklingError
from typing import Any, TypeVar

from joblib import cpu_count, parallel_config
from sklearn.utils.parallel import Parallel, delayed

from .._utils._checks import listed
from ..exceptions import FitError
from ._execution import FitRecord, Workload, fit_pairs
from ._splits import Splits
from ._workers import (
    ALONE,
    ThreadWatch,
    Workers,
    active_cluster,
    as_it_travels,
    as_kept,
    end_with_parent,
    explained,
    limited_blas,
    redirected,
)

T = TypeVar("T")


def with_progress(
    fits: Iterable[T], total: int, *, verbose: int, doing: str = "fitting", unit: str = "fit"
) -> Iterator[T]:
    """Yield the fits and, if requested, show how many are done and when the rest will be."""
    if not verbose:
        return iter(fits)
    try:
        from tqdm import tqdm
    except ImportError:
        return _plain(fits, total, doing, unit)
    return iter(tqdm(fits, total=total, desc=doing, unit=unit))


def say(line: str) -> None:
    """Print a line to standard error, above a progress bar if there is one."""
    try:
        from tqdm import tqdm
    except ImportError:
        print(line, file=sys.stderr)
    else:
        tqdm.write(line, file=sys.stderr)


def _plain(fits: Iterable[T], total: int, doing: str, unit: str) -> Iterator[T]:
    """Print a line at the first fit, then after each tenth of all."""
    started = time.perf_counter()
    step = max(1, total // 10)
    for done, fit in enumerate(fits, 1):
        yield fit
        if done == 1 or done % step == 0 or done == total:
            left = (time.perf_counter() - started) / done * (total - done)
            # In one piece, so that Ctrl-C cannot come between a line and its end.
            sys.stderr.write(f"{doing}: {done}/{total} {unit}s, about {left:.0f} s left\n")


# Seconds of fitting in a chunk: enough to outweigh sending it, few enough for smooth progress.
_LEAST, _MOST = 0.01, 0.2
# How many fits of a chunk an error names.
_MOST_NAMED = 4


class Chunker:
    """Divides (split, estimator) pairs into chunks that take about the same time."""

    def __init__(self, pairs: Sequence[tuple[int, int]], n_workers: int) -> None:
        self._left = deque(pairs)
        self._handed: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._n_workers = n_workers
        self._seconds = 0.0
        self._n_done = 0
        self._n_chunks = 0

    def learn(self, records: Sequence[FitRecord]) -> None:
        """Record the time of finished fits."""
        self._seconds += sum(record.fit_time + record.score_time for record in records)
        self._n_done += len(records)
        for record in records[:1]:
            self._handed.pop((record.split, record.estimator), None)

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        while self._left:
            chunk = [self._left.popleft() for _ in range(self._size())]
            self._handed[chunk[0]] = chunk
            yield chunk

    def running(self, names: Sequence[str]) -> str:
        """Say which fits the workers are running, as they take chunks in order."""
        splits: dict[str, list[int]] = {}
        for chunk in islice(self._handed.values(), self._n_workers):
            for k, e in chunk:
                splits.setdefault(names[e], []).append(k)
        return "; ".join(
            f"{name!r} on split{'s' * (len(numbers) > 1)} {listed(numbers)}"
            for name, numbers in splits.items()
        )

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
    splits: Splits,
    *,
    workers: Workers = ALONE,
    pre_dispatch: int | str = "2*n_jobs",
    watch: ThreadWatch | None = None,
    pairs: Sequence[tuple[int, int]] | None = None,
    find: Callable[[Sequence[tuple[int, int]]], Iterable[FitRecord]] | None = None,
) -> Generator[FitRecord, None, None]:
    """Fit every estimator on every split, and yield the records as they arrive, in any order."""
    if pairs is None:
        pairs = [(k, e) for k in range(len(splits)) for e in range(len(work.estimators))]
    if find is not None:
        pairs = yield from _without_fits(find(pairs), pairs)
    if not pairs:
        return
    if workers.n == 1:
        yield from fit_pairs(X, y, work, splits, pairs)
        return
    chunker = Chunker(pairs, workers.n)
    watch = watch or ThreadWatch()
    in_thread = watch if workers.are_threads else None
    tasks = (
        delayed(_fit_chunk)(X, y, work, splits.part(_numbers(chunk)), chunk, in_thread)
        for chunk in chunker
    )
    with ExitStack() as stack:
        if workers.are_threads:
            # Threads share one BLAS. Each process has its own, which is limited when the process
            # starts.
            stack.enter_context(limited_blas(max(1, cpu_count() // workers.n)))
        results = as_they_finish(
            tasks,
            workers,
            pre_dispatch,
            sent=_named(work),
            shared=(X, y, work, splits),
            describe=_described,
        )
        chunks = stack.enter_context(closing(results))
        stack.enter_context(watch)
        try:
            for records in chunks:
                chunker.learn(records)
                yield from records
        except FitError as error:
            if isinstance(error.__cause__, BrokenProcessPool):
                error.add_note(f"skcvstats: the workers were at {chunker.running(work.names)}")
            raise


def _named(work: Workload) -> dict[str, Any]:
    """Return the contents of tasks besides the data, by name."""
    return {
        **dict(zip(work.names, work.estimators, strict=True)),
        "scoring": work.scoring.scorer,
        "params": (work.fit_params, work.score_params),
    }


def _without_fits(
    records: Iterable[FitRecord], pairs: Sequence[tuple[int, int]]
) -> Generator[FitRecord, None, list[tuple[int, int]]]:
    """Yield records that need no fit, and return the pairs that are left."""
    done = set()
    for record in records:
        done.add((record.split, record.estimator))
        yield record
    return [pair for pair in pairs if pair not in done]


def _numbers(chunk: Sequence[tuple[int, int]]) -> list[int]:
    return list(dict.fromkeys(k for k, _ in chunk))


def as_they_finish(
    tasks: Iterator[Any],
    workers: Workers,
    pre_dispatch: int | str,
    *,
    sent: Mapping[str, Any] | None = None,
    shared: Sequence[Any] = (),
    describe: Callable[..., str] | None = None,
) -> Generator[Any, None, None]:
    """Yield the results of tasks as they finish, or in waves if the backend returns whole calls."""
    if (cluster := active_cluster()) is not None:
        from ._dask import cluster_results

        yield from cluster_results(tasks, cluster, pre_dispatch, shared, describe)
        return
    results = _results_of(tasks, workers, pre_dispatch)
    try:
        with closing(results):
            yield from results
    except BrokenProcessPool as error:
        raise explained(error, sent or {}) from error
    except (PicklingError, TypeError, AttributeError) as error:
        if "pickle" not in str(error) or hasattr(error, "__notes__"):  # the notes belong to a fit
            raise
        raise explained(error, sent or {}) from error


def _results_of(
    tasks: Iterator[Any], workers: Workers, pre_dispatch: int | str
) -> Generator[Any, None, None]:
    options = {"n_jobs": workers.n_jobs, "pre_dispatch": pre_dispatch, "batch_size": 1}
    try:
        with redirected():
            pool = Parallel(return_as="generator_unordered", **options)
    except ValueError:  # backends from outside joblib
        with Parallel(**options) as pool:
            while wave := list(islice(tasks, 2 * workers.n)):
                yield from pool(wave)
        return
    chunks = pool(tasks)
    try:
        while (chunk := next(chunks, None)) is not None:  # `yield from` would close it without this
            yield chunk
    finally:
        with warnings.catch_warnings():  # of tasks that joblib cancels, as intended
            warnings.simplefilter("ignore", UserWarning)
            chunks.close()


def _described(
    X: Any,
    y: Any,
    work: Workload,
    splits: Splits,
    pairs: Sequence[tuple[int, int]],
    watch: ThreadWatch | None,
) -> str:
    fits = [f"{work.names[e]!r} on split {k}" for k, e in pairs[:_MOST_NAMED]]
    more = f" and {len(pairs) - _MOST_NAMED} more" if len(pairs) > _MOST_NAMED else ""
    return f"the fit{'s' * (len(pairs) > 1)} of {', '.join(fits)}{more}"


def _fit_chunk(
    X: Any,
    y: Any,
    work: Workload,
    splits: Splits,
    pairs: Sequence[tuple[int, int]],
    watch: ThreadWatch | None,
) -> list[FitRecord]:
    fits = fit_pairs(X, y, work, splits, pairs)
    if watch is not None:
        with parallel_config("sequential"):
            return list(watch.watched(fits))
    end_with_parent()
    try:
        return [
            record
            if record.exception is None
            else record._replace(exception=as_kept(record.exception))
            for record in fits
        ]
    except Exception as error:
        raised = error
    raise as_it_travels(raised)
