"""Files that users name, and our JSON documents: format, version, and a checksum.

Notes
-----
A document may come from an untrusted source. Reading it runs no code: JSON contains only numbers,
strings, lists and dicts, and what is made of them is validated. Memory is limited as well. A text
longer than `MAX_BYTES` is not read. A parsed number takes up to 16 times the memory of its text, an
empty list or dict 24 times or more. A text that consists mostly of lists and dicts is therefore
refused before it is parsed; no document written here does.

The checksum detects accidental damage. Someone who changes a document can also correct its
checksum, so the content is validated even if the checksum is right: any failure to make something
of it becomes one error.
"""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from platform import python_version
from typing import Any, BinaryIO, TypeVar

from ._checks import is_integer
from ._plain import Known, from_plain, to_plain

Made = TypeVar("Made")

MAX_BYTES = 2**28
# Least bytes of text for each list or dict, beyond the first ten thousand.
_BYTES_EACH = 24
_FEW = 10_000
_PIECE = 2**20


class DocumentError(ValueError):
    """A document cannot be read; its message says which, why, and what to do."""


def open_at_once(path: str | PathLike[str]) -> BinaryIO:
    """Open a file to read it; a named pipe that nobody writes to is empty."""
    return open(path, "rb", opener=_without_waiting)


def _without_waiting(path: str, flags: int) -> int:
    at_once = getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | at_once)
    if at_once:
        os.set_blocking(descriptor, True)  # to read from one that another process writes to
    return descriptor


def read_file(path: str | PathLike[str], max_bytes: int = MAX_BYTES) -> bytes:
    """Return the content of a file that is not too large."""
    _check_size(str(path), 0, max_bytes)
    content = bytearray()
    with open_at_once(path) as file:
        size = os.fstat(file.fileno()).st_size
        while size <= max_bytes and (piece := file.read(_PIECE)):
            content += piece
            size = max(size, len(content))  # the size of a pipe is not known
    _check_size(str(path), size, max_bytes)
    return bytes(content)


def _check_size(source: str, size: int, max_bytes: Any) -> None:
    """Raise an error for a limit that is not a size, or for a size above the limit."""
    if not is_integer(max_bytes) or max_bytes < 1:
        raise ValueError(
            f"max_bytes={max_bytes!r} must be an integer of at least 1, such as {MAX_BYTES}."
        )
    if size > max_bytes:
        raise DocumentError(
            f"{source} has at least {size} bytes, more than max_bytes={max_bytes}, and was not "
            "read. If you trust it, read it in Python with a larger max_bytes."
        )


def is_stream(path: Path) -> bool:
    """Tell whether a path is written to and not replaced, such as /dev/stdout."""
    return path.exists() and not path.is_file()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that readers see the old content or the new one, never a part.

    It is on the disk when this returns, so that it also survives a loss of power.
    """
    if is_stream(path):
        path.write_bytes(content)
        return
    target = path.resolve()
    part = beside(target)
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    if os.name == "posix":  # where the new name is on the disk when its folder is
        folder = os.open(target.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def beside(target: Path) -> Path:
    """Return a name for a part of a file that this process writes."""
    return target.with_name(f".{target.name[:100]}.{os.getpid()}.part")


@dataclass(frozen=True)
class Format:
    """A kind of document: its name and version, what it contains, and what to do without it."""

    name: str
    version: int
    holds: str
    remedy: str

    def write(self, record: Any, known: Known) -> str:
        """Return JSON text from which `read` gives a record back."""
        content = to_plain(record, known)
        document = {
            "format": self.name,
            "version": self.version,
            "checksum": _checksum(content),
            "content": content,
        }
        return json.dumps(document, allow_nan=False)

    def read(
        self,
        text: str | bytes,
        known: Known,
        check: Callable[[Any], Made],
        source: str = "the text",
        max_bytes: int = MAX_BYTES,
    ) -> Made:
        """Return the record that `write` wrote, after a check, or say why it cannot be read."""
        content = self._content(text, source, max_bytes)
        try:
            return check(from_plain(content, known))
        except (DocumentError, MemoryError):
            raise
        except Exception as error:
            cause = str(error).rstrip(".")
            what = f"matches its checksum, but contains what skcvstats does not write: {cause}"
            raise self._damage(source, what) from error

    def _damage(self, source: str, what: str) -> DocumentError:
        """Return the error for a document that is damaged."""
        return DocumentError(f"{source} {what}. Restore it from a copy, or {self.remedy}.")

    def _content(self, text: str | bytes, source: str, max_bytes: int) -> Any:
        """Return the content of a document, or say why it is not what `write` wrote."""
        if not isinstance(text, (str, bytes)):
            raise TypeError(
                f"Expected JSON text that contains {self.holds}; got {type(text).__name__}."
            )
        _check_size(source, len(text), max_bytes)
        try:
            if isinstance(text, bytes):
                text = text.decode()
            count = text.count("[") + text.count("{")
            if count > _FEW + len(text) // _BYTES_EACH:
                raise ValueError(f"{count} lists and objects in {len(text)} bytes")
            document = json.loads(text, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise self._damage(source, f"is damaged or not JSON: {error}") from error
        if not isinstance(document, dict) or document.get("format") != self.name:
            raise DocumentError(f"{source} does not contain {self.holds}.")
        version = document.get("version")
        if isinstance(version, bool) or version != self.version:
            raise DocumentError(
                f"{source} was written in version {version!r} of the format; this skcvstats reads "
                f"version {self.version}. Use the skcvstats that wrote it, or {self.remedy}."
            )
        content = document.get("content")
        if document.get("checksum") != _checksum(content):
            raise self._damage(source, "is damaged: its content does not match its checksum")
        return content


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _checksum(content: Any) -> str:
    text = json.dumps(content, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@cache  # reading the metadata of a package takes milliseconds
def versions() -> dict[str, str]:
    """Return the versions of the packages that make scores."""
    packages = ("skcvstats", "scikit-learn", "numpy", "scipy")
    return {"python": python_version(), **{name: version(name) for name in packages}}
