"""How many threads BLAS and OpenMP use while models are fitted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

_lock = threading.Lock()
_limits: list[threadpool_limits] = []
_n_users = 0


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
