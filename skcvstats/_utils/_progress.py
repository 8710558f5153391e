"""Progress that is shown while something long runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def with_progress(
    parts: Iterable[T], total: int, *, doing: str = "fitting", unit: str = "fit", delay: float = 0
) -> Iterator[T]:
    """Yield parts, and show how many are done and when the rest will be; after some seconds."""
    try:
        from tqdm import tqdm
    except ImportError:
        return _plain(parts, total, doing, unit, delay)
    return iter(tqdm(parts, total=total, desc=doing, unit=unit, delay=delay))


def _plain(parts: Iterable[T], total: int, doing: str, unit: str, delay: float) -> Iterator[T]:
    """Print a line at the first part, then after each tenth of all."""
    started = time.perf_counter()
    step = max(1, total // 10)
    for done, part in enumerate(parts, 1):
        yield part
        seconds = time.perf_counter() - started
        if seconds >= delay and (done == 1 or done % step == 0 or done == total):
            left = seconds / done * (total - done)
            # In one piece, so that Ctrl-C cannot come between a line and its end.
            sys.stderr.write(f"{doing}: {done}/{total} {unit}s, about {left:.0f} s left\n")
