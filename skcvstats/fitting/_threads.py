"""ThreadWatch: what runs in worker threads, which nobody can end from outside."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import Any, TypeVar

from .._utils import counted

T = TypeVar("T")


class ThreadWatch:
    """While the context lasts worker threads may begin tasks; afterwards only those begun run on.

    Parameters
    ----------
    task : str, default="fit"
        What a task is called.

    Notes
    -----
    Python has no safe way to end a thread: an exception that is raised in it from outside may
    arrive in the middle of anything, or in a thread that has taken the other's place. So tasks
    that run when a call is interrupted run to their end, and what they return is dropped.

    joblib's threading backend does its part through public calls: closing the generator of its
    results drops the tasks that no thread has taken yet and does not wait for the others. Its
    threads are daemons, so that they do not keep an interpreter alive that wants to exit.
    """

    def __init__(self, task: str = "fit") -> None:
        self._task = task
        self._lock = Lock()
        self._n_running = 0
        self._has_ended = False

    def __enter__(self) -> ThreadWatch:
        return self

    def __exit__(self, *exception: Any) -> None:
        with self._lock:
            self._has_ended = True

    def watched(self, results: Iterator[T]) -> Iterator[T]:
        """Pass on what tasks return, and begin none once the context has ended.

        Parameters
        ----------
        results : iterator
            Each step is a task.
        """
        try:
            while self._begin():
                try:
                    result = next(results)
                finally:
                    self._end()
                yield result
        except StopIteration:
            return

    @property
    def note(self) -> str:
        """What to add to the message of an interrupt: how many tasks are still running."""
        with self._lock:
            n = self._n_running
        if n == 0:
            return ""
        are, them = ("is", "itself") if n == 1 else ("are", "themselves")
        return (
            f"; {counted(n, self._task)} {are} still running in worker threads and will end by "
            f"{them}"
        )

    def _begin(self) -> bool:
        with self._lock:
            self._n_running += not self._has_ended
            return not self._has_ended

    def _end(self) -> None:
        with self._lock:
            self._n_running -= 1
