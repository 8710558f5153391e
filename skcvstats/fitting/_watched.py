"""Worker processes under watch, for who has chosen joblib's multiprocessing backend.

Notes
-----
A `multiprocessing.Pool`, which is what joblib would start, replaces a worker that dies and waits
for ever for what that one had in hand; and where it died holding a lock of the pool's, not even the
pool can be ended. Here each worker has a pipe of its own and there are no locks, so that a death is
seen at once, the others can be killed at any time, and nobody outlives the parent.

The workers are started as that backend would start them. Under the start method "fork" they inherit
the data; under any other these are sent once to each.
"""

from __future__ import annotations

import os
import signal
import threading
import traceback
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any

from joblib import cpu_count, parallel_config
from joblib.parallel import MultiprocessingBackend
from sklearn import config_context, get_config
from threadpoolctl import threadpool_limits

# Seconds between looks at workers whose death their pipes may hide, as their children hold them.
_LOOK = 1.0


def is_multiprocessing(backend: Any) -> bool:
    """Whether a backend is joblib's own multiprocessing, not another that is built on it.

    Parameters
    ----------
    backend : joblib backend
        The active one.
    """
    return type(backend) is MultiprocessingBackend


def context_of(backend: Any) -> Any:
    """Return the `multiprocessing` context that the backend would start its workers in.

    Parameters
    ----------
    backend : MultiprocessingBackend
        joblib's; before joblib 1.5 it held no options.
    """
    options = getattr(backend, "backend_kwargs", {})
    return options.get("context") or get_context(os.environ.get("JOBLIB_START_METHOD") or None)


def run_watched(
    function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], n_workers: int, context: Any
) -> Generator[Any, None, None]:
    """Call a function in worker processes and yield what it returns as it comes.

    Parameters
    ----------
    function : callable
        Sent once to each worker.
    tasks : iterable of tuple
        The arguments of each call; taken one by one, as workers become free.
    n_workers : int
        How many processes.
    context : multiprocessing context
        Starts them.

    Raises
    ------
    BrokenProcessPool
        If a worker died. Whichever way this ends, no worker is left.
    """
    here = _Surroundings(max(1, cpu_count() // n_workers))
    workers: list[_Worker] = []
    try:
        for _ in range(n_workers):
            workers.append(_Worker(context, function, here))
        yield from _hand_out(workers, iter(tasks))
    finally:
        for one in workers:
            one.process.kill()
        for one in workers:
            one.process.join()
            one.pipe.close()


def _hand_out(workers: list[_Worker], tasks: Iterator[tuple[Any, ...]]) -> Iterator[Any]:
    idle = list(workers)
    busy: dict[Any, _Worker] = {}
    while True:
        for one, task in zip(idle, tasks, strict=False):
            one.send(task)
            busy[one.pipe] = one
        idle = []  # there is no task for those that are left
        if not busy:
            return
        ready = wait([*busy, *(one.process.sentinel for one in workers)], _LOOK)
        died = [one for one in workers if not one.process.is_alive()]
        for pipe in busy.keys() & ready:
            one = busy.pop(pipe)
            try:
                answer, error = pipe.recv()
            except (EOFError, OSError):
                died.append(one)
                continue
            if error is not None:
                raise error
            yield answer
            idle.append(one)
        if died:
            raise died[0].obituary()


class _Worker:
    """A process that calls a function on whatever comes through its pipe."""

    def __init__(self, context: Any, function: Callable[..., Any], here: _Surroundings) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(function, here, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def send(self, task: tuple[Any, ...]) -> None:
        try:
            self.pipe.send(task)
        except OSError:
            raise self.obituary() from None

    def obituary(self) -> BrokenProcessPool:
        self.process.join(_LOOK)
        return BrokenProcessPool(
            f"worker process {self.process.pid} ended with exit code {self.process.exitcode}"
        )


@dataclass(frozen=True)
class _Surroundings:
    """What the parent's fits would find around them, for those of a worker."""

    n_threads: int
    config: dict[str, Any] = field(default_factory=get_config)
    filters: list[Any] = field(default_factory=lambda: list(warnings.filters))

    @contextmanager
    def restored(self) -> Iterator[None]:
        with (
            warnings.catch_warnings(),
            config_context(**self.config),
            threadpool_limits(self.n_threads),
            parallel_config("sequential"),  # the cores are taken by the other workers
        ):
            warnings.filters[:] = self.filters  # type: ignore[index]
            yield


def _serve(function: Callable[..., Any], here: _Surroundings, pipe: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the parent that is interrupted
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with here.restored():
        while True:
            pipe.send(_answer(function, pipe.recv()))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _answer(function: Callable[..., Any], task: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    try:
        return function(*task), None
    except Exception as error:
        error.add_note(f"In the worker process:\n{traceback.format_exc()}")
        return None, error
