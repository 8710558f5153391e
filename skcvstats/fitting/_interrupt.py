"""ThreadStop: end the fits of worker threads, which, unlike processes, nobody can kill."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_TRIES, _PAUSE = 20, 0.05  # one second in all


class Stopped(BaseException):
    """Raised inside a worker thread to end its fit."""


class ThreadStop:
    """While the context lasts threads may fit; when it ends those that still do are stopped.

    A thread stops at its next Python instruction: a long call into compiled code is finished
    first, and threads that a fit has started itself end as that fit ends them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads: set[int] = set()
        self._ended = False

    def __enter__(self) -> ThreadStop:
        return self

    def __exit__(self, *exception: Any) -> None:
        self._ended = True
        # Again and again, as a fit may catch everything; not for ever, as it may not be in Python.
        for _ in range(_TRIES):
            with self._lock:
                if not self._threads:
                    return
                for thread in self._threads:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(thread), ctypes.py_object(Stopped)
                    )
            time.sleep(_PAUSE)

    @contextmanager
    def registered(self) -> Iterator[None]:
        """Let the current thread be stopped, or stop it at once if the context has ended."""
        with self._lock:
            if self._ended:
                raise Stopped
            self._threads.add(threading.get_ident())
        try:
            yield
        finally:
            with self._lock:
                self._threads.discard(threading.get_ident())
