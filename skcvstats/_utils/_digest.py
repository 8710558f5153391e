"""A fingerprint of several pieces of bytes that also depends on where each piece ends."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

Piece = str | bytes | memoryview


def digest_of(*pieces: Piece | Iterable[bytes | memoryview]) -> bytes:
    """Return 16 bytes that differ if the pieces differ."""
    digest = hashlib.blake2b(digest_size=16)
    for piece in pieces:
        if isinstance(piece, str):
            piece = piece.encode("utf-8", "surrogatepass")
        if isinstance(piece, (bytes, memoryview)):
            size = piece.nbytes if isinstance(piece, memoryview) else len(piece)
            digest.update(b"p" + size.to_bytes(8, "little"))
            digest.update(piece)
            continue
        size = 0
        for block in piece:
            digest.update(block)
            size += len(block)
        digest.update(b"j" + size.to_bytes(8, "little"))
    return digest.digest()
