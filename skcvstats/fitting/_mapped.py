"""Data that are mapped from a file, which another program may change while the fits run."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import closing
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..exceptions import FitError

T = TypeVar("T")


class FileState(NamedTuple):
    """The state of a file, which changes if it is written to, truncated or replaced."""

    inode: int
    size: int
    changed: int


def mapped_files(data: Iterable[Any]) -> dict[str, FileState]:
    """Return the files from which arrays are mapped, and their state."""
    maps = [array for value in data for array in _maps_of(value)]
    for array in maps:
        array.flush()  # else an earlier write might look like a change later
    paths = [os.fspath(array.filename) for array in maps if array.filename is not None]
    return {path: _state(path) for path in paths}


def while_unchanged(
    records: Generator[T, None, None], files: dict[str, FileState]
) -> Generator[T, None, None]:
    """Yield what is computed from files, until one of them changes."""
    with closing(records):
        try:
            for record in records:
                _check(files)
                yield record
        except FitError:  # for example of a worker that died because of the change
            _check(files)
            raise


def _maps_of(value: Any) -> list[np.memmap]:
    if not isinstance(value, np.ndarray):
        parts = [getattr(value, name, None) for name in ("data", "indices", "indptr")]
        return [array for part in parts if isinstance(part, np.ndarray) for array in _maps_of(part)]
    while value is not None and not (isinstance(value, np.memmap) and value.filename is not None):
        value = getattr(value, "base", None)
    return [] if value is None else [value]


def _state(path: str) -> FileState:
    try:
        found = os.stat(path)
    except FileNotFoundError:  # a removed file stays readable for processes that have mapped it
        return FileState(-1, -1, -1)
    return FileState(found.st_ino, found.st_size, found.st_mtime_ns)


def _check(files: dict[str, FileState]) -> None:
    changed = [path for path, state in files.items() if _state(path) != state]
    if changed:
        raise FitError(
            f"The data are mapped from {changed[0]}, which was changed or removed while the fits "
            "ran, so the scores would be of different data. Run it again on a file that nobody "
            "writes to, or load the data into memory, such as by np.array(X)."
        )
