"""While something long runs: the progress that is shown, and how many threads BLAS uses."""

import math
import sys
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")
_in_one_line: ContextVar[bool] = ContextVar("in one line", default=False)
_PATIENCE = 2.0  # seconds until the one line is written


def with_progress(
    parts: Iterable[T],
    total: int,
    verbose: int = 1,
    *,
    doing: str = "fitting",
    unit: str = "fit",
    delay: float = 0,
) -> Generator[T, None, None]:
    """Yield parts; if verbose, show after `delay` how many are done and when the rest will be."""
    # To be closed if a variable refers to it: until then the line of an interrupted call has no
    # end.
    if not verbose:
        return iter(parts)  # type: ignore[arg-type]
    if _in_one_line.get():
        return _in_lines(parts, total, doing, unit, _PATIENCE, math.inf)
    try:
        from tqdm import tqdm
    except ImportError:
        return _in_lines(parts, total, doing, unit, delay, max(1, total // 10))
    bar: Generator[T, None, None] = iter(
        tqdm(parts, total=total, desc=doing, unit=unit, delay=delay)
    )
    return bar


def _in_lines(
    parts: Iterable[T], total: int, doing: str, unit: str, delay: float, step: float
) -> Generator[T, None, None]:
    """Write a line after the first part that is done when it takes long, then after each step."""
    started = time.perf_counter()
    next_line = 1.0
    for done, part in enumerate(parts, 1):
        yield part
        seconds = time.perf_counter() - started
        if seconds >= delay and done >= next_line:
            left = seconds / done * (total - done)
            # In one piece, so that Ctrl-C cannot come between a line and its end.
            sys.stderr.write(f"{doing}: {done}/{total} {unit}s, about {left:.0f} s left\n")
            next_line = (done // step + 1) * step


@contextmanager
def progress_in_one_line(is_brief: bool) -> Iterator[None]:
    """Show progress as one line where `is_brief`, as suits a file, and else as a bar."""
    token = _in_one_line.set(is_brief)
    try:
        yield
    finally:
        _in_one_line.reset(token)


_lock = threading.Lock()
_active: list[Any] = []  # the same limit for each context


@contextmanager
def limited_blas(n_threads: int) -> Iterator[None]:
    """Limit the threads of BLAS and OpenMP in the process while any such context is active."""
    from threadpoolctl import threadpool_limits  # of fits only

    with _lock:
        _active.append(_active[0] if _active else threadpool_limits(n_threads))
    try:
        yield
    finally:
        with _lock:
            limit = _active.pop()
            if not _active:
                limit.restore_original_limits()
