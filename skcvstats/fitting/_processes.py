"""What workers share badly: exceptions that do not travel, and one BLAS for all threads."""

from __future__ import annotations

import pickle
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

from ..exceptions import FitError

_lock = threading.Lock()
_limits: list[threadpool_limits] = []
_n_users = 0


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
        pickle.loads(pickle.dumps(error.with_traceback(None)))
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
