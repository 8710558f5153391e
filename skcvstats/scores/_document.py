"""Our JSON documents: format, version, and a checksum of the content.

Notes
-----
A document may come from an untrusted source. Reading it runs no code: JSON contains only numbers,
strings, lists and dicts, and what is made of them is validated. Memory is limited as well. A text
longer than `MAX_BYTES` is not read. A parsed number takes up to 16 times the memory of its text, an
empty list or dict 24 times or more. A text that consists mostly of lists and dicts is therefore
refused before it is parsed; no document written here does.

The checksum detects accidental damage. Someone who changes a document can also correct its
checksum, so the content is validated even if the checksum is right: `as_damage` turns any failure
into one error.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any

from .._utils._checks import is_integer
from .._utils._files import open_at_once

MAX_BYTES = 2**28
# Least bytes of text for each list or dict, beyond the first ten thousand.
_BYTES_EACH, _FEW = 24, 10_000
_PIECE = 2**20


class DocumentError(ValueError):
    """A document cannot be read; its message says which, why, and what to do."""


def check_max_bytes(max_bytes: Any) -> int:
    """Return the limit as an integer, or raise an error that says what it must be."""
    if not is_integer(max_bytes) or max_bytes < 1:
        raise ValueError(
            f"max_bytes={max_bytes!r} must be an integer of at least 1, such as {MAX_BYTES}."
        )
    return int(max_bytes)


def read_file(path: str | PathLike[str], max_bytes: int = MAX_BYTES) -> bytes:
    """Return the content of a file that is not too large."""
    check_max_bytes(max_bytes)
    content = bytearray()
    with open_at_once(path) as file:
        size = os.fstat(file.fileno()).st_size
        while size <= max_bytes and (piece := file.read(_PIECE)):
            content += piece
            size = max(size, len(content))  # the size of a pipe is not known
    if size > max_bytes:
        raise _too_large(str(path), size, max_bytes)
    return bytes(content)


def _too_large(source: str, size: int, max_bytes: int) -> DocumentError:
    return DocumentError(
        f"{source} has at least {size} bytes, more than max_bytes={max_bytes}, and was not read. "
        "If you trust it, read it in Python with a larger max_bytes."
    )


def write_document(name: str, version: int, content: dict[str, Any]) -> str:
    """Return JSON text from which `read_document` gives the content back."""
    document = {
        "format": name,
        "version": version,
        "checksum": _checksum(content),
        "content": content,
    }
    return json.dumps(document, allow_nan=False)


def read_document(
    text: str | bytes,
    name: str,
    versions: Sequence[int],
    *,
    source: str,
    holds: str,
    remedy: str,
    max_bytes: int = MAX_BYTES,
) -> dict[str, Any]:
    """Return what `write_document` wrote, or raise an error that says why not."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"Expected JSON text that holds {holds}; got {type(text).__name__}.")
    if len(text) > check_max_bytes(max_bytes):
        raise _too_large(source, len(text), max_bytes)
    if not text:
        raise DocumentError(f"{source} is empty. Restore it from a copy, or {remedy}.")
    try:
        if isinstance(text, bytes):
            text = text.decode()
        _check_density(text)
        document = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise DocumentError(
            f"{source} is damaged or not JSON: {error}. Restore it from a copy, or {remedy}."
        ) from error
    if not isinstance(document, dict) or document.get("format") != name:
        raise DocumentError(f"{source} does not hold {holds}.")
    version = document.get("version")
    if isinstance(version, bool) or version not in versions:
        read = f"version {versions[0]}"
        if len(versions) > 1:
            read = f"versions {versions[0]} to {versions[-1]}"
        raise DocumentError(
            f"{source} was written in version {version!r} of the format; this skcvstats reads "
            f"{read}. Use the skcvstats that wrote it."
        )
    content = document.get("content")
    if not isinstance(content, dict) or document.get("checksum") != _checksum(content):
        raise DocumentError(
            f"{source} is damaged: its content does not match its checksum. Restore it from a "
            f"copy, or {remedy}."
        )
    return content


@contextmanager
def as_damage(source: str, remedy: str) -> Iterator[None]:
    """Turn any problem with content whose checksum is right into one error."""
    try:
        yield
    except (DocumentError, MemoryError):
        raise
    except Exception as error:
        cause = f"no {error}" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise DocumentError(
            f"{source} matches its checksum, but holds what skcvstats does not write: {cause}. "
            f"Restore it from a copy, or {remedy}."
        ) from error


def checked_shape(shape: Any, n_numbers: int) -> tuple[int, ...]:
    """Return the shape of an array, or raise an error if the number of entries differs."""
    sizes = tuple(shape)
    if not all(is_integer(size) and size >= 0 for size in sizes) or math.prod(sizes) != n_numbers:
        raise ValueError(f"shape {shape!r} for {n_numbers} numbers")
    return sizes


def _check_density(text: str) -> None:
    count = text.count("[") + text.count("{")
    if count > _FEW + len(text) // _BYTES_EACH:
        raise ValueError(f"{count} lists and objects in {len(text)} bytes")


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _checksum(content: dict[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
