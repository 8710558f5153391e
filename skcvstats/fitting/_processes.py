"""For worker processes: exceptions that can be sent, limited BLAS, an end with the parent."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
from threadpoolctl import threadpool_limits

from ..exceptions import FitError

_lock = threading.Lock()
_limits: list[threadpool_limits] = []
_n_users = 0
_watched: int | None = None


def as_it_travels(error: BaseException, text: str = "") -> BaseException:
    """Return an exception that can be sent to another process.

    An exception that cannot be pickled, or whose constructor needs more than its message, would
    look like a dead worker there, or never arrive. It is sent as a FitError with its text. Raise it
    outside the ``except`` block; otherwise the original is its context.
    """
    trace = error.__traceback__
    try:
        # Libraries may also send tracebacks, which fails if they are deep.
        pickle.loads(pickle.dumps(error.with_traceback(None)))  # our own bytes  # nosec B301
    except Exception:
        text = text or "".join(traceback.format_exception(error.with_traceback(trace)))
    else:
        return error.with_traceback(trace)
    return FitError(f"{type(error).__name__}: {error}\n{text}")


@contextmanager
def limited_blas(n_threads: int) -> Iterator[None]:
    """Limit the threads of BLAS and OpenMP while any such context is active.

    The limit is that of the process. If several contexts overlap, the first sets it and the last
    resets it, so that none leaves a limit behind.
    """
    global _n_users
    with _lock:
        if _n_users == 0:
            _limits.append(threadpool_limits(n_threads))
        _n_users += 1
    try:
        yield
    finally:
        with _lock:
            _n_users -= 1
            if _n_users == 0:
                _limits.pop().restore_original_limits()


def end_with_parent() -> None:
    """End this worker process within a second after its parent's death; its tasks call this.

    Notes
    -----
    If a signal kills the parent, joblib's worker processes continue: they finish their tasks and
    wait minutes for more, and their shared copy of the data stays. When they are gone, joblib's
    resource tracker removes the copy. A task that was not started by the `multiprocessing` module,
    such as in a thread, has no parent in this sense.

    A daemon thread checks once a second. (Linux could send a signal, but it sends it when the
    thread ends that started the worker, not when the parent process ends.) Compiled code that does
    not release the interpreter's lock delays the check until it ends.
    """
    global _watched
    parent = multiprocessing.parent_process()
    with _lock:
        if parent is None or _watched == os.getpid():
            return
        _watched = os.getpid()
    threading.Thread(target=_end_after, args=(parent.pid,), daemon=True).start()


def _end_after(parent: int) -> None:
    try:
        process = psutil.Process(parent)
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            time.sleep(1)
    except psutil.NoSuchProcess:
        pass
    os._exit(1)
