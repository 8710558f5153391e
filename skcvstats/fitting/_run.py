"""Run fits, and the data sets of a study, on workers, in chunks that suit their cost.

Notes
-----
The fits of all estimators on all splits go through one pool. A chunk has enough fits to outweigh
the cost of sending it, but not more than its share of the remaining fits, so that workers finish
together. The time of a fit is learnt from the records as they arrive. Until then each worker gets a
single fit, and the chunks that wait behind these double in size.

On a Dask cluster `_workers` submits the tasks, in place of joblib.

If a worker process dies, the call ends with one error. joblib's loky backend reports this; its
multiprocessing backend would wait forever, so loky replaces it. Worker processes end with their
parent.

Within worker threads, estimators do not run jobs in parallel, because the cores are in use. An
interrupt returns at once.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from functools import cache
from itertools import chain, islice
from math import ceil
from multiprocessing import parent_process
from pickle import PicklingError
from threading import Thread, get_ident
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
import psutil
from joblib import cpu_count, effective_n_jobs, parallel_config
from joblib.parallel import LokyBackend, MultiprocessingBackend, get_active_backend
from sklearn.utils.parallel import Parallel, delayed

from .._utils._checks import listed
from .._utils._progress import limited_blas, with_progress
from .._utils._text import counted, verb
from .._utils._warn import CaughtWarnings, warn_user
from ..exceptions import FitError
from ._fit import FitRecord, Workload
from ._splits import Splits
from ._store import KeptArrays, NothingKept
from ._workers import as_it_travels, cluster_jobs, cluster_results, explained

T = TypeVar("T")
R = TypeVar("R")


# Seconds of fitting in a chunk: enough to outweigh sending it, few enough for smooth progress.
_LEAST = 0.01
_MOST = 0.2


class Chunker(Generic[T]):
    """Divides items of work into chunks that take about the same time."""

    def __init__(self, items: Sequence[T], n_workers: int) -> None:
        self._left = deque(items)
        self._handed: dict[T, list[T]] = {}
        self._n_workers = n_workers
        self._seconds = 0.0
        self._n_done = 0
        self._n_chunks = 0

    def learn(self, first: T, n_done: int, seconds: float) -> None:
        """Record the time of a finished chunk, which is known by its first item."""
        self._seconds += seconds
        self._n_done += n_done
        self._handed.pop(first, None)

    def __iter__(self) -> Iterator[list[T]]:
        while self._left:
            chunk = [self._left.popleft() for _ in range(self._size())]
            self._handed[chunk[0]] = chunk
            yield chunk

    @property
    def running(self) -> list[T]:
        """The items that the workers are at, as they take chunks in order."""
        return list(chain(*islice(self._handed.values(), self._n_workers)))

    def _size(self) -> int:
        share = len(self._left) / (2 * self._n_workers)
        if self._n_done == 0:
            size = min(2.0 ** max(0, self._n_chunks - self._n_workers), share)
        else:
            seconds_per_item = max(self._seconds / self._n_done, 1e-6)
            size = min(_MOST / seconds_per_item, max(share, _LEAST / seconds_per_item))
        self._n_chunks += 1
        return min(len(self._left), max(1, ceil(size)))


class ThreadWatch:
    """Within the context threads may begin tasks; afterwards they only finish running ones."""

    # Python has no safe way to end a thread. joblib drops the tasks that none has taken yet.

    def __init__(self, task: str = "fit") -> None:
        self._task = task
        self._running: set[int] = set()  # threads
        self._has_ended = False

    def __enter__(self) -> Self:
        self._has_ended = False
        return self

    def __exit__(self, *exception: Any) -> None:
        self._has_ended = True

    def watched(self, results: Iterator[T]) -> Iterator[T]:
        """Yield the results of tasks, and begin no task after the context has ended."""
        while True:
            self._running.add(get_ident())  # first, so that a thread that goes on is counted
            try:
                if self._has_ended:
                    return
                result = next(results)
            except StopIteration:
                return
            finally:
                self._running.discard(get_ident())
            yield result

    @property
    def note(self) -> str:
        """The text to add to the message of an interrupt: how many tasks are still running."""
        n = len(self._running)
        if n == 0:
            return ""
        running = f"{counted(n, self._task)} {verb(n, 'is', 'are')} still running in worker threads"
        return f"; {running} and will stop at {verb(n, 'its', 'their')} end"


class Workers(NamedTuple):
    """The workers of a call."""

    n: int
    are_threads: bool
    n_jobs: int | None


def find_workers(n_jobs: int | None) -> Workers:
    """Return the workers from joblib's settings, and warn if they are redirected."""
    backend, _ = get_active_backend()
    if n_jobs == 1 or type(backend) is LokyBackend:
        return Workers(effective_n_jobs(n_jobs), False, n_jobs)
    cluster = active_cluster()
    if cluster is not None:
        # Not 1, which means this process: a cluster of one worker must do the work.
        return Workers(max(2, cluster_jobs(cluster)), False, n_jobs)
    with redirected() as elsewhere:
        n = effective_n_jobs(n_jobs)
        are_threads = bool(getattr(get_active_backend()[0], "supports_sharedmem", False))
    if elsewhere and n > 1:
        warn_user(
            "joblib's multiprocessing backend waits forever for a worker process that dies, so "
            "its loky backend is used instead. The results are the same; choose "
            "parallel_config(backend='loky') to get no warning."
        )
    return Workers(n, are_threads, n_jobs)


def active_cluster() -> Any | None:
    """Return joblib's active backend if it is the one for Dask."""
    backend = get_active_backend()[0]
    # By the client, as the backend's class has no public name; nothing is imported for it.
    client = type(getattr(backend, "client", None))
    return backend if client.__module__.partition(".")[0] == "distributed" else None


def redirected() -> AbstractContextManager[Any]:
    """Replace joblib's legacy multiprocessing backend by loky; not to be held around a yield."""
    # By exact type: backends of other packages derive from this one.
    is_legacy = type(get_active_backend()[0]) is MultiprocessingBackend
    return parallel_config("loky") if is_legacy else nullcontext()


_PARTS_OF_SPARSE = ("data", "indices", "indptr")
FileState = tuple[int, int, int]  # inode, size and time; one changes with the file


def mapped_files(data: Sequence[Any]) -> dict[str, FileState]:
    """Return the files from which arrays are mapped, and their state."""
    files = {}
    sparse = [value for value in data if hasattr(value, "nnz")]
    parts = [getattr(matrix, part, None) for matrix in sparse for part in _PARTS_OF_SPARSE]
    for array in (*data, *parts):
        while isinstance(array, np.ndarray):
            filename = getattr(array, "filename", None)  # of a memmap that has a file
            if filename is not None:
                # Else an earlier write might look like a change later.
                array.flush()  # type: ignore[attr-defined]
                files[os.fspath(filename)] = _state(os.fspath(filename))
            array = array.base
    return files


def while_unchanged(
    records: Generator[T, None, None], files: dict[str, FileState]
) -> Generator[T, None, None]:
    """Yield what is computed from files, until one of them changes."""
    with closing(records):
        try:
            for record in records:
                _check(files)
                yield record
        except FitError:  # for example of a worker that died because of the change
            _check(files)
            raise


def _state(path: str) -> FileState:
    try:
        status = os.stat(path)
    except FileNotFoundError:  # a removed file stays readable for processes that have mapped it
        return -1, -1, -1
    return status.st_ino, status.st_size, status.st_mtime_ns


def _check(files: dict[str, FileState]) -> None:
    for path, state in files.items():
        if _state(path) != state:
            raise FitError(
                f"The data are mapped from {path}, which was changed or removed while the fits "
                "ran, so the scores would be of different data. Run it again on a file that nobody "
                "writes to, or load the data into memory, such as by np.array(X)."
            )


def run_fits(
    work: Workload,
    X: Any,
    y: Any,
    splits: Splits,
    rounds: Iterable[Sequence[tuple[int, int]]],
    *,
    workers: Workers,
    watch: ThreadWatch,
    find: Callable[[Sequence[tuple[int, int]]], Iterable[FitRecord]],
    pre_dispatch: int | str = "2*n_jobs",
) -> Generator[FitRecord, None, None]:
    """Fit rounds of (split, estimator) pairs, and yield the records in any order."""
    for pairs in rounds:
        left = dict.fromkeys(pairs)
        for record in find(pairs):
            del left[record.split, record.estimator]
            yield record
        if workers.n == 1:
            yield from work.fit(X, y, splits, left)
        else:
            yield from run_chunks(
                Workload.fit if workers.are_threads else _travelling,
                [*left],
                lambda chunk: (work, X, y, splits.part([*dict(chunk)])),
                workers,
                pre_dispatch=pre_dispatch,
                watch=watch,
                sent={
                    **dict(zip(work.names, work.estimators, strict=True)),
                    "scoring": work.scorer,
                    "params": (work.fit_params, work.score_params),
                },
                describe=lambda pairs: _described(work, pairs),
            )


def run_data_sets(
    run: Callable[..., Iterable[tuple[int, np.ndarray]]],
    numbers: Sequence[int],
    plan: Any,
    size: int,
    *,
    store: Any,
    content: tuple[Any, ...],
    n_jobs: int | None,
    verbose: int,
) -> dict[int, np.ndarray]:
    """Return the array of each data set, from a store or from ``run(plan, numbers)``."""
    # `content` is what an entry of the store depends on.
    opened: Any = NothingKept() if store is None else KeptArrays(store, *content)
    with opened as kept:
        arrays: dict[int, np.ndarray] = kept.find(numbers, size)
        n_kept = len(arrays)
        left = [number for number in numbers if number not in arrays]
        watch = ThreadWatch("data set")
        workers = find_workers(n_jobs if len(left) > 1 else 1)
        results = run_chunks(run, left, lambda _: (plan,), workers, describe=_listed, watch=watch)
        shown = with_progress(results, len(left), verbose, doing="simulating", unit="data set")
        try:
            with closing(results), closing(shown):
                for number, array in shown:
                    kept.add(number, array)
                    arrays[number] = array
        except BaseException as error:
            n_done = len(arrays) - n_kept
            counts = f"{n_done} of {len(left)} data sets were finished"
            error.add_note(f"skcvstats: {counts}{watch.note}")
            raise
    return arrays


def _listed(numbers: Sequence[int]) -> str:
    return f"data set{'s' * (len(numbers) > 1)} {listed(numbers)}"


def run_chunks(
    run: Callable[..., Iterable[R]],
    items: Sequence[T],
    shared: Callable[[Sequence[T]], tuple[Any, ...]],
    workers: Workers,
    *,
    describe: Callable[[Sequence[T]], str],
    watch: ThreadWatch,
    pre_dispatch: int | str = "2*n_jobs",
    sent: Mapping[str, Any] = {},
) -> Generator[R, None, None]:
    """Yield the results of ``run(*shared(chunk), chunk)``, which is for each chunk of the items."""
    if workers.n == 1:
        yield from run(*shared(items), items)
        return
    chunker = Chunker(items, workers.n)
    opened = ExitStack()
    in_thread = None
    if workers.are_threads:
        in_thread = watch
        # Threads share one BLAS. Each process has its own, limited when the process starts.
        opened.enter_context(limited_blas(max(1, cpu_count() // workers.n)))
        # Nor have threads filters of warnings of their own, which scikit-learn sets for each task.
        opened.enter_context(CaughtWarnings())
    # What is shared is at the top, as joblib maps arrays there only.
    tasks = (delayed(_run_chunk)(run, chunk, in_thread, *shared(chunk)) for chunk in chunker)
    cluster = active_cluster()
    if cluster is not None:
        results = cluster_results(
            tasks, cluster, pre_dispatch, shared(items), lambda run, chunk, *_: describe(chunk)
        )
    else:
        results = _results_of(tasks, workers, pre_dispatch)
    with opened, closing(results) as chunks, watch:
        try:
            for first, answers, seconds in chunks:
                chunker.learn(first, len(answers), seconds)
                yield from answers
        except (PicklingError, TypeError, AttributeError) as error:
            if "pickle" not in str(error) or hasattr(error, "__notes__"):  # the notes are a fit's
                raise
            raise explained(error, sent) from error
        except BrokenProcessPool as error:
            explanation = explained(error, sent)
            explanation.add_note(f"skcvstats: the workers were at {describe(chunker.running)}")
            raise explanation from error


def _run_chunk(
    run: Callable[..., Iterable[R]], chunk: Sequence[T], watch: ThreadWatch | None, *shared: Any
) -> tuple[T, list[R], float]:
    """Return the first item of a chunk, its results and the time they took."""
    started = time.perf_counter()
    results = iter(run(*shared, chunk))
    if watch is not None:
        with parallel_config("sequential"):
            answers = list(watch.watched(results))
        return chunk[0], answers, time.perf_counter() - started
    _end_with_parent()
    try:
        return chunk[0], list(results), time.perf_counter() - started
    except Exception as error:
        raised = error
    raise as_it_travels(raised)


def _end_with_parent() -> None:
    """End this worker process within a second after its parent's death; its tasks call this."""
    # joblib's workers outlive a killed parent for minutes, those that had no task for 300 seconds.
    # Linux could send a signal, but sends it when the thread ends that started the worker.
    parent: Any = parent_process()
    if parent is not None:
        _watch(os.getpid(), parent.pid)


@cache  # once in each process, those that are forked included
def _watch(process_id: int, parent: int) -> None:
    def watch() -> None:
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(parent)
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                time.sleep(1)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _travelling(
    work: Workload, X: Any, y: Any, splits: Splits, pairs: Iterable[tuple[int, int]]
) -> Iterator[FitRecord]:
    """Yield the records of fits in a process, with exceptions that can leave it."""
    for record in work.fit(X, y, splits, pairs):
        if record.has_failed:
            caught: Any = record.failure.exception
            exception = as_it_travels(caught, noted=True)
            record = record._replace(failure=record.failure._replace(exception=exception))
        yield record


def _results_of(
    tasks: Iterator[Any], workers: Workers, pre_dispatch: int | str
) -> Generator[Any, None, None]:
    """Yield the results of tasks as they finish, or in waves if the backend returns whole calls."""
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
        with CaughtWarnings(action="ignore", category=UserWarning):  # joblib cancels tasks
            chunks.close()


def _described(work: Workload, pairs: Sequence[tuple[int, int]]) -> str:
    splits: dict[str, list[int]] = {}
    for k, e in pairs:
        splits.setdefault(work.names[e], []).append(k)
    fits = "; ".join(
        f"{name!r} on split{'s' * (len(numbers) > 1)} {listed(numbers)}"
        for name, numbers in splits.items()
    )
    return f"the fit{'s' * (len(pairs) > 1)} of {fits}"
