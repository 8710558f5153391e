"""How many threads BLAS and OpenMP use while models are fitted."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

_lock = threading.Lock()
_active: list[threadpool_limits] = []  # the same limit for each context


@contextmanager
def limited_blas(n_threads: int) -> Iterator[None]:
    """Limit the threads of BLAS and OpenMP in the process while any such context is active."""
    with _lock:
        _active.append(_active[0] if _active else threadpool_limits(n_threads))
    try:
        yield
    finally:
        with _lock:
            limit = _active.pop()
            if not _active:
                limit.restore_original_limits()
