"""ThreadWatch: tasks in worker threads, which cannot be ended from outside."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import Any, TypeVar

from .._utils._text import counted

T = TypeVar("T")


class ThreadWatch:
    """Within the context worker threads may begin tasks; afterwards they only finish running ones.

    Notes
    -----
    Python has no safe way to end a thread: an exception that is raised in it from outside may
    arrive in the middle of anything, or in another thread that has replaced it. So tasks that are
    running when a call is interrupted run to their end, and their results are dropped.

    joblib's threading backend supports this: closing the generator of its results drops the tasks
    that no thread has taken yet, and does not wait for the others. Its threads are daemons, so they
    do not keep the interpreter from exiting.
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
        """Yield the results of tasks, and begin no task after the context has ended."""
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
        """The text to add to the message of an interrupt: how many tasks are still running."""
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
