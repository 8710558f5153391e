"""A progress bar for fits and other tasks."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def with_progress(
    fits: Iterable[T], total: int, *, verbose: int, doing: str = "fitting", unit: str = "fit"
) -> Iterator[T]:
    """Yield the fits and, if requested, show how many are done and when the rest will be."""
    if not verbose:
        return iter(fits)
    try:
        from tqdm import tqdm
    except ImportError:
        return _plain(fits, total, doing, unit)
    return iter(tqdm(fits, total=total, desc=doing, unit=unit))


def say(line: str) -> None:
    """Print a line to standard error, above a progress bar if there is one."""
    try:
        from tqdm import tqdm
    except ImportError:
        print(line, file=sys.stderr)
    else:
        tqdm.write(line, file=sys.stderr)


def _plain(fits: Iterable[T], total: int, doing: str, unit: str) -> Iterator[T]:
    """Print a line at the first fit, then after each tenth of all."""
    started = time.perf_counter()
    step = max(1, total // 10)
    for done, fit in enumerate(fits, 1):
        yield fit
        if done == 1 or done % step == 0 or done == total:
            left = (time.perf_counter() - started) / done * (total - done)
            # In one piece, so that Ctrl-C cannot come between a line and its end.
            sys.stderr.write(f"{doing}: {done}/{total} {unit}s, about {left:.0f} s left\n")
