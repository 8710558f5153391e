"""Records, arrays and other values as JSON types, and back.

Notes
-----
A list of JSON is a tuple. An object of JSON has one key, which says what its content is: the name
of a dataclass, with its fields; ``ndarray``; ``dict`` or ``list``; ``float``, a number that JSON
does not have; or ``type``, a class by its name. Only classes that the caller knows are written and
made, so reading runs no other code than theirs.
"""

import math
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import fields
from functools import singledispatch
from typing import Any
from zlib import compress, decompressobj

import numpy as np

# Classes by their names.
Known = Mapping[str, Any]

_NOT_FINITE = ("nan", "inf", "-inf")
_DTYPES = ("|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8")
_MOST_BYTES = 2**32  # of an array


@singledispatch
def to_plain(value: Any, known: Known) -> Any:
    """Return a value as JSON types; raise TypeError if `from_plain` would not return it.

    Of a record these are its fields under the name of its class.
    """
    kind = type(value)
    if known.get(kind.__name__) is not kind:
        raise TypeError(f"a {kind.__name__} cannot be saved")
    parts = {name: to_plain(getattr(value, name), known) for name in _field_names(kind)}
    return {kind.__name__: parts}


@to_plain.register(int)
@to_plain.register(str)
@to_plain.register(type(None))
def _(value: Any, known: Known) -> Any:
    return value


@to_plain.register(np.generic)
def _(value: np.generic, known: Known) -> Any:
    return to_plain(value.item(), known)


@to_plain.register(float)
def _(value: float, known: Known) -> Any:
    if math.isfinite(value):
        return value
    return {"float": str(value)}


@to_plain.register(tuple)
def _(value: tuple[Any, ...], known: Known) -> list[Any]:
    return [to_plain(part, known) for part in value]


@to_plain.register(list)
def _(value: list[Any], known: Known) -> dict[str, Any]:
    return {"list": to_plain(tuple(value), known)}


@to_plain.register(np.ndarray)
def _(value: np.ndarray, known: Known) -> dict[str, Any]:
    return {"ndarray": _array_to_plain(value)}


@to_plain.register(Mapping)
def _(value: Mapping[Any, Any], known: Known) -> dict[str, Any]:
    if not all(isinstance(key, str) for key in value):
        raise TypeError("a mapping with keys other than strings cannot be saved")
    return {"dict": {key: to_plain(part, known) for key, part in value.items()}}


@to_plain.register(type)
def _(value: type, known: Known) -> dict[str, str]:
    return {"type": value.__name__}


def _field_names(kind: Any) -> list[str]:
    return [field.name for field in fields(kind)]


def from_plain(plain: Any, known: Known) -> Any:
    """Return what `to_plain` was given, or raise an error."""
    if isinstance(plain, list):
        return tuple(from_plain(part, known) for part in plain)
    if not isinstance(plain, dict):
        return plain
    ((name, content),) = plain.items()
    if name == "float":
        return float(_NOT_FINITE[_NOT_FINITE.index(content)])
    if name == "list":
        return list(from_plain(content, known))
    if name == "ndarray":
        return _array_from_plain(**content)
    if name == "type":
        return known[content]
    parts = {key: from_plain(part, known) for key, part in content.items()}
    if name == "dict":
        return parts
    kind = known[name]
    different = parts.keys() ^ _field_names(kind)
    if different:
        raise ValueError(f"a {name} with fields that are missing or unknown, {sorted(different)}")
    return kind(**parts)


def _array_to_plain(array: np.ndarray) -> dict[str, Any]:
    """Return the type, the shape, and the bytes, compressed, as text."""
    stored = array.astype(array.dtype.newbyteorder("<"), copy=False)
    if stored.dtype.str not in _DTYPES:
        raise TypeError(f"an array of dtype {array.dtype} cannot be saved")
    content = b64encode(compress(stored.tobytes())).decode()
    return {"dtype": stored.dtype.str, "shape": list(array.shape), "zlib": content}


def _array_from_plain(dtype: Any, shape: Any, zlib: Any) -> np.ndarray:
    """Return a read-only array, without more memory than its shape says."""
    if dtype not in _DTYPES:
        raise TypeError(f"an array of dtype {dtype!r}")
    n_bytes = math.prod(shape) * np.dtype(dtype).itemsize
    if not 0 <= n_bytes <= _MOST_BYTES:
        raise ValueError(f"an array of {n_bytes} bytes, of at most {_MOST_BYTES}")
    # One byte more than there are, so that text that expands without end is noticed.
    decompressor = decompressobj()
    compressed = b64decode(zlib, validate=True)
    stored = decompressor.decompress(compressed, n_bytes + 1)
    if len(stored) != n_bytes or not decompressor.eof or decompressor.unused_data:
        raise ValueError(f"{len(stored)} bytes in place of {n_bytes}")
    return np.frombuffer(stored, dtype=dtype).reshape(shape)
