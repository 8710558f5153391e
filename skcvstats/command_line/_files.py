"""Files that options name: read at once, checked before the first fit, never written in part."""

import os
from contextlib import suppress
from pathlib import Path

from .._utils._documents import beside, read_file
from ._parser import InputError, refused


def read_bytes(name: str, max_bytes: int) -> bytes:
    """Return the content of a file; a named pipe that nobody writes to is empty."""
    with refused(f"{name} cannot be read", errors=OSError):
        return read_file(name, max_bytes)


def is_stream(path: Path) -> bool:
    """Tell whether a path is written to and not replaced, such as /dev/stdout."""
    return path.exists() and not path.is_file()


def real_path(path: Path) -> Path:
    """Return the path of the file that links lead to; a loop of links leads to itself."""
    return Path(os.path.realpath(path))


def check_writable(option: str, path: Path, taken: dict[Path, str]) -> None:
    """Raise an error if a file cannot be written, or is that of another option."""
    target = real_path(path)
    with refused(f"{option} {path} cannot be written", errors=OSError), suppress(FileNotFoundError):
        path.stat()  # such as a loop of links
    if target.is_dir():
        raise InputError(f"{option} {path} is a directory; name a file in it.")
    if not target.parent.is_dir():
        raise InputError(f"{option} {path}: there is no directory {str(path.parent)!r}.")
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"{option} {path} cannot be written: no permission.")
    if is_stream(path):
        return
    probe = beside(target)
    try:
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise InputError(f"{option} {path} cannot be written: {error.strerror}.") from error
    if target in taken:
        raise InputError(f"{option} {path} would overwrite {taken[target]}; name another file.")
