"""What worker processes need: exceptions that travel, BLAS in bounds, an end with their parent."""

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

    One that cannot be pickled, or whose constructor wants other arguments than its message, would
    look there like a dead worker, or never arrive. It travels as a FitError with its text. Raise it
    outside of the ``except`` block, or it has the original as its context.

    Parameters
    ----------
    error : BaseException
        What a task raised.
    text : str, default=""
        Its traceback, if it has been taken off.
    """
    trace = error.__traceback__
    try:
        # Libraries may make tracebacks travel too, which fails where they are deep.
        pickle.loads(pickle.dumps(error.with_traceback(None)))  # our own bytes  # nosec B301
    except Exception:
        text = text or "".join(traceback.format_exception(error.with_traceback(trace)))
    else:
        return error.with_traceback(trace)
    return FitError(f"{type(error).__name__}: {error}\n{text}")


@contextmanager
def limited_blas(n_threads: int) -> Iterator[None]:
    """Limit the threads of BLAS and OpenMP while any such context lasts.

    The limit is the process's. Where several overlap, the first sets it and the last takes it back,
    so that none leaves the others' limit behind.

    Parameters
    ----------
    n_threads : int
        The most threads for each library.
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
    """End this worker process within a second of its parent's death; to be called by its tasks.

    Notes
    -----
    joblib's worker processes outlive a parent that a signal has killed: they finish what they
    work on and wait minutes for more, and with them lives the copy of the data that they share.
    Once they are gone joblib's resource tracker removes that. A task which was started by somebody
    else than the `multiprocessing` module, such as in a thread, has no parent in this sense.

    A daemon thread asks once a second. (Linux could send a signal, but when the parent's thread
    ends that started the worker, and not its process.) Compiled code that does not release the
    interpreter's lock delays it to its end.
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
