"""A JSON document of ours: its format, its version, and a checksum of its content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


def write_document(name: str, version: int, content: dict[str, Any]) -> str:
    """Return JSON text from which `read_document` gives the content back.

    Parameters
    ----------
    name : str
        The format.
    version : int
        Its version.
    content : dict
        Without nan and infinities.
    """
    document = {
        "format": name,
        "version": version,
        "checksum": _checksum(content),
        "content": content,
    }
    return json.dumps(document, allow_nan=False)


def read_document(
    text: str | bytes, name: str, versions: Sequence[int], *, source: str, holds: str, remedy: str
) -> dict[str, Any]:
    """Return what `write_document` wrote, or say why it cannot be had.

    Parameters
    ----------
    text : str or bytes
        JSON text.
    name : str
        The format.
    versions : sequence of int
        The versions that are read, in ascending order.
    source : str
        Where the text comes from, for the messages.
    holds : str
        What is wanted and who writes it, for the messages.
    remedy : str
        What to do about a damaged text, besides restoring it.

    Raises
    ------
    ValueError
        If the text is damaged, or of another version or kind.
    """
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"Expected JSON text that holds {holds}; got {type(text).__name__}.")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{source} is damaged or not JSON: {error}. Restore it from a copy, or {remedy}."
        ) from error
    if not isinstance(document, dict) or document.get("format") != name:
        raise ValueError(f"{source} does not hold {holds}.")
    version = document.get("version")
    if isinstance(version, bool) or version not in versions:
        read = f"version {versions[0]}"
        if len(versions) > 1:
            read = f"versions {versions[0]} to {versions[-1]}"
        raise ValueError(
            f"{source} was written in version {version!r} of the format; this skcvstats reads "
            f"{read}. Use the skcvstats that wrote it."
        )
    content = document.get("content")
    if not isinstance(content, dict) or document.get("checksum") != _checksum(content):
        raise ValueError(
            f"{source} is damaged: its content does not match its checksum. Restore it from a "
            f"copy, or {remedy}."
        )
    return content


@contextmanager
def reading(source: str) -> Iterator[None]:
    """Say of what goes wrong inside that the content of a document is not what was written.

    Parameters
    ----------
    source : str
        Where the text comes from, for the message.

    Raises
    ------
    ValueError
        With the cause: a field that is missing, unknown or of another kind, say.
    """
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        cause = f"no {error}" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise ValueError(
            f"{source} matches its checksum, but holds what skcvstats does not write: {cause}. "
            "Restore it from a copy, or write it again."
        ) from error


def _checksum(content: dict[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
