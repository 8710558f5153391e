"""Files that options name: read at once, checked before the first fit, never written in part."""

import os
from contextlib import suppress
from pathlib import Path

from .._utils._documents import beside, is_stream, read_file
from ._parser import InputError, refused


def read_bytes(name: str, max_bytes: int, remedy: str = "") -> bytes:
    """Return the content of a file; a named pipe that nobody writes to is empty."""
    with refused(f"{name} cannot be read", remedy, errors=OSError):
        return read_file(name, max_bytes)


def real_path(path: Path) -> Path:
    """Return the path of the file that links lead to; a loop of links leads to itself."""
    return Path(os.path.realpath(path))


def check_writable(option: str, path: Path, taken: dict[Path, str]) -> None:
    """Raise an error if a file cannot be written, or is that of another option."""
    target = real_path(path)
    with refused(f"{option} {path} cannot be written", errors=OSError):
        with suppress(FileNotFoundError):
            # For reading, too, as a named pipe then does not wait for a reader.
            os.close(os.open(path, os.O_RDWR))
        if is_stream(path):
            return
        probe = beside(target)
        probe.touch(exist_ok=False)
        probe.unlink()
    if target in taken:
        raise InputError(f"{option} {path} would overwrite {taken[target]}; name another file.")
