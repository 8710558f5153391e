"""CVScores as JSON text: exact, versioned, and refused when damaged."""

import math
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._utils._checks import is_integer
from .._utils._documents import Format
from ._design import design_from_dict, design_to_dict
from ._notes import Note
from ._rows import Components, RowScores

FORMAT = Format(
    "skcvstats.CVScores",
    3,
    holds="CVScores. Pass a file that CVScores.save wrote",
    remedy="score again",
)
_ARRAYS = ("values", "fit_times", "score_times", "magnitude")
# Compressed, as there is a number for each test row; text of 256 MB can hold no more as numbers.
_OF_ROWS = ("values", "rows", "offsets", "magnitude", "groups", "weights", "first", "second")
_FURTHER = ("repeats", "times")  # of some scores
_MOST_BYTES = 2**32
_NOT_FINITE = {"nan", "inf", "-inf"}
# Integers up to this are exact as floats; no data set is larger.
_LARGEST = 2**53
_LARGEST_EXPONENT = 2000


def encoded(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a CVScores as plain data from which `decoded` restores all exactly."""
    content = {**fields, **{name: _encode(fields[name]) for name in _ARRAYS}}
    content["design"] = design_to_dict(fields["design"])
    content["notes"] = [note.to_dict() for note in fields["notes"]]
    content["provenance"] = dict(fields["provenance"])
    row_scores, components = fields["row_scores"], content.pop("components")
    if row_scores is not None:
        if np.ndim(row_scores.first) == 0:  # a single difference
            row_scores = row_scores.subtracted()
        further = [name for name in _FURTHER if getattr(row_scores, name) is not None]
        names = (*_OF_ROWS, *further)
        content["row_scores"] = {name: _pack(getattr(row_scores, name)) for name in names}
    if components is not None:
        content["components"] = {
            "kind": components.kind,
            "arrays": {name: _encode(array) for name, array in components.arrays.items()},
            "shared": {name: _encode(array) for name, array in components.shared.items()},
            "facts": dict(components.facts),
            "first": None if components.first is None else components.first.tolist(),
            "second": None if components.second is None else components.second.tolist(),
        }
    return content


def decoded(content: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a CVScores from what `encoded` returned, or raise an error."""
    fields = {**content, **{name: _decode(content[name]) for name in _ARRAYS}}
    design = design_from_dict(content["design"])
    if max(design.n_samples, *design.n_train, *design.n_test) > _LARGEST:
        raise ValueError("sizes that no data set has")
    fields["design"] = design
    fields["notes"] = tuple(map(Note.from_dict, content["notes"]))
    if content["row_scores"] is not None:
        rows: dict[str, Any] = {k: _unpack(data) for k, data in content["row_scores"].items()}
        fields["row_scores"] = RowScores(**rows)
    if "components" in content:
        fields["components"] = _decode_components(content["components"])
    return fields


def _decode_components(data: dict[str, Any]) -> Components:
    """Decode components, after checking the facts: flags, counts, and the exponent of a scale."""
    for name, fact in data["facts"].items():
        if name.startswith(("n_", "with_", "exponent")):
            # A variance needs at least two groups, and two of each class.
            least = -_LARGEST_EXPONENT if name == "exponent" else 2
            right = is_integer(fact) and least <= fact <= _LARGEST
        else:
            right = isinstance(fact, bool)
        if not right:
            raise ValueError(f"{name} of a test set is {fact!r}")
    arrays, shared = (
        {name: _decode(array) for name, array in data[key].items()} for key in ("arrays", "shared")
    )
    pairs = (None if data[key] is None else np.array(data[key]) for key in ("first", "second"))
    return Components(data["kind"], arrays, shared, data["facts"], *pairs)


def _encode(array: np.ndarray | None) -> dict[str, Any] | None:
    """Encode an array as its shape and its numbers; nan and inf are text, as JSON lacks them."""
    if array is None:
        return None
    numbers = [x if math.isfinite(x) else str(x) for x in array.ravel().tolist()]
    encoded = {"shape": list(array.shape), "numbers": numbers}
    return encoded if array.dtype == np.float64 else {**encoded, "dtype": str(array.dtype)}


def _decode(data: dict[str, Any] | None) -> Any:
    if data is None:
        return None
    dtype = np.dtype(data.get("dtype", "float64"))
    if dtype.kind not in "biuf":  # else a text of a chosen length could fill the memory
        raise TypeError(f"an array of dtype {data['dtype']!r}")
    shape, numbers = data["shape"], data["numbers"]
    if not set(map(type, numbers)) <= {int, str, bool if dtype.kind == "b" else float}:
        raise TypeError("an array of something else than numbers")
    words = {x for x in numbers if isinstance(x, str)}
    if not words <= _NOT_FINITE:
        raise ValueError(f"{min(words - _NOT_FINITE)!r} in place of a number")
    known = all(is_integer(size) and size >= 0 for size in shape)
    if not known or math.prod(shape) != len(numbers):
        raise ValueError(f"shape {shape!r} for {len(numbers)} numbers")
    floats = np.array([float(x) for x in numbers]).reshape(shape)
    with np.errstate(invalid="ignore", over="ignore"):
        array = floats.astype(dtype)
    if not np.array_equal(array, floats, equal_nan=dtype.kind == "f"):
        raise ValueError(f"numbers that are no {dtype}")
    return array


def _pack(array: np.ndarray | None) -> dict[str, Any] | None:
    """Encode an array as compressed bytes; integers as steps from one to the next."""
    if array is None:
        return None
    kind = "<f8" if array.dtype == np.float64 else "<i8"
    numbers = array if kind == "<f8" else np.diff(array, prepend=0)
    content = zlib.compress(numbers.astype(kind, copy=False).tobytes())
    return {"shape": list(array.shape), "dtype": kind, "zlib": b64encode(content).decode()}


def _unpack(data: dict[str, Any] | None) -> np.ndarray | None:
    if data is None:
        return None
    shape = data["shape"]
    n_bytes = 8 * math.prod(shape)
    if n_bytes > _MOST_BYTES:
        raise ValueError(f"shape {shape!r}, which is more than {_MOST_BYTES} bytes")
    # One byte more than there are, so that text that expands without end is noticed.
    decompressor = zlib.decompressobj()
    content = decompressor.decompress(b64decode(data["zlib"], validate=True), n_bytes + 1)
    if len(content) != n_bytes or not decompressor.eof or decompressor.unused_data:
        raise ValueError(f"packed numbers that are not of shape {shape!r}")
    numbers = np.frombuffer(content, dtype=data["dtype"]).reshape(shape)
    return numbers if numbers.dtype == np.float64 else np.cumsum(numbers)
