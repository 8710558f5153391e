"""Files that somebody names: none is waited for."""

from __future__ import annotations

import os
from os import PathLike
from typing import BinaryIO


def open_at_once(path: str | PathLike[str]) -> BinaryIO:
    """Open a file to read it; a named pipe that nobody writes to is empty."""
    return open(path, "rb", opener=_without_waiting)


def _without_waiting(path: str, flags: int) -> int:
    at_once = getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | at_once)
    if at_once:
        os.set_blocking(descriptor, True)  # to read from one that somebody does write to
    return descriptor
