"""CVScores as JSON text: exact, versioned, and refused when damaged."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

import numpy as np

from .._utils._checks import is_integer
from ._components import Components
from ._design import SplitDesign
from ._document import MAX_BYTES, as_damage, checked_shape, read_document, write_document
from ._losses import RowLosses
from ._notes import PLAIN, Note

Made = TypeVar("Made")

FORMAT = "skcvstats.CVScores"
VERSION = 2
# The versions that are read. In version 1 the notes were strings, and all of them warnings of
# `confidence_interval`.
_READ = (1, VERSION)
_ARRAYS = ("values", "fit_times", "score_times", "magnitude")
_REMEDY = "score again"
_NOT_FINITE = {"nan", "inf", "-inf"}
# Integers up to this are exact as floats; no data set is larger.
_LARGEST = 2**53
_LARGEST_EXPONENT = 2000


def scores_to_json(fields: Mapping[str, Any]) -> str:
    """Return JSON text from which `scores_from_json` restores every field of a CVScores exactly."""
    content = dict(fields)
    for name in _ARRAYS:
        content[name] = _encode(content[name])
    design = content["design"]
    content["design"] = {**asdict(design), "notes": [note.to_dict() for note in design.notes]}
    content["notes"] = [note.to_dict() for note in content["notes"]]
    content["provenance"] = dict(content["provenance"])
    if content["losses"] is not None:
        losses = content["losses"]
        content["losses"] = {
            name: _encode(getattr(losses, name))
            for name in ("values", "rows", "offsets", "magnitude")
        }
    components = content.pop("components")
    if components is not None:
        content["components"] = _encode_components(components)
    return write_document(FORMAT, VERSION, content)


def scores_from_json(
    make: Callable[..., Made],
    text: str | bytes,
    *,
    source: str = "the text",
    max_bytes: int = MAX_BYTES,
) -> Made:
    """Return what `scores_to_json` wrote, or raise an error that says why not."""
    content = read_document(
        text,
        FORMAT,
        _READ,
        source=source,
        holds="CVScores. Pass a file that CVScores.save wrote",
        remedy=_REMEDY,
        max_bytes=max_bytes,
    )
    with as_damage(source, _REMEDY):
        return make(**_decode_content(content))


def check_json(name: str, value: Any) -> None:
    """Raise TypeError for values that JSON would not return unchanged."""
    try:
        same = isinstance(value, Mapping)
        if same and value:
            same = json.loads(json.dumps(dict(value), allow_nan=False)) == dict(value)
    except (TypeError, ValueError):
        same = False
    if not same:
        raise TypeError(
            f"{name}={value!r} cannot be saved as it is: use strings, finite numbers, lists and "
            "dicts with string keys only."
        )


def _decode_content(content: dict[str, Any]) -> dict[str, Any]:
    for name in _ARRAYS:
        content[name] = _decode(content[name])
    design: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in content["design"].items()
    }
    design["notes"] = _decode_notes(design.get("notes", ()))
    sizes = (design["n_samples"], *design["n_train"], *design["n_test"])
    if not all(is_integer(size) and size <= _LARGEST for size in sizes):
        raise ValueError("sizes that no data set has")
    content["design"] = SplitDesign(**design)
    content["notes"] = _decode_notes(content["notes"])
    content["labels"] = tuple(content["labels"])
    content["failures"] = tuple((row, split, cause) for row, split, cause in content["failures"])
    if content["losses"] is not None:
        losses: dict[str, Any] = {k: _decode(v) for k, v in content["losses"].items()}
        content["losses"] = RowLosses(**losses)
    if "components" in content:
        content["components"] = _decode_components(content["components"])
    return content


def _encode_components(components: Components) -> dict[str, Any]:
    """Encode components; pairs are written as their two models."""
    return {
        "kind": components.kind,
        "arrays": {name: _encode_typed(array) for name, array in components.arrays.items()},
        "shared": {name: _encode_typed(array) for name, array in components.shared.items()},
        "facts": dict(components.facts),
        "first": None if components.first is None else components.first.tolist(),
        "second": None if components.second is None else components.second.tolist(),
    }


def _decode_components(data: dict[str, Any]) -> Components:
    pairs = {k: None if data[k] is None else np.array(data[k]) for k in ("first", "second")}
    return Components(
        data["kind"],
        {name: _decode_typed(array) for name, array in data["arrays"].items()},
        {name: _decode_typed(array) for name, array in data["shared"].items()},
        _checked_facts(data["facts"]),
        **pairs,
    )


def _checked_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts about a test set: flags, counts, and the power of two of a scale.

    A variance needs at least two groups, and two of each class.
    """
    for name, fact in facts.items():
        least = 2 if name == "n_groups" or name.startswith("with_") else 1
        if name == "exponent":
            least = -_LARGEST_EXPONENT
        is_count = is_integer(fact) and least <= fact <= _LARGEST
        if not isinstance(fact, (bool, str)) and not is_count:
            raise ValueError(f"{name} of a test set is {fact!r}")
    return dict(facts)


def _encode_typed(array: np.ndarray) -> dict[str, Any]:
    encoded = _encode(array)
    assert encoded is not None
    return {**encoded, "dtype": str(array.dtype)}


def _decode_typed(data: dict[str, Any]) -> np.ndarray:
    dtype = np.dtype(data["dtype"])
    if dtype.kind not in "biuf":  # else a text of a chosen length could fill the memory
        raise TypeError(f"an array of dtype {data['dtype']!r}")
    numbers = _decoded(data, bool if dtype.kind == "b" else float)
    with np.errstate(invalid="ignore", over="ignore"):
        array = numbers.astype(dtype)
    if not np.array_equal(array, numbers, equal_nan=dtype.kind == "f"):
        raise ValueError(f"numbers that are no {dtype}")
    return array


def _decode_notes(notes: Iterable[Any]) -> tuple[Note, ...]:
    return tuple(
        Note(PLAIN, note) if isinstance(note, str) else Note.from_dict(note) for note in notes
    )


def _encode(array: np.ndarray | None) -> dict[str, Any] | None:
    """Encode an array as its shape and its numbers; nan and inf are text, as JSON lacks them."""
    if array is None:
        return None
    numbers = array.ravel().tolist()
    return {
        "shape": list(array.shape),
        "numbers": [x if math.isfinite(x) else str(x) for x in numbers],
    }


def _decode(data: dict[str, Any] | None) -> np.ndarray | None:
    return None if data is None else _decoded(data)


def _decoded(data: dict[str, Any], kind: type = float) -> np.ndarray:
    numbers = data["numbers"]
    if not set(map(type, numbers)) <= {int, str, kind}:
        raise TypeError("an array of something else than numbers")
    words = {x for x in numbers if isinstance(x, str)}
    if not words <= _NOT_FINITE:
        raise ValueError(f"{min(words - _NOT_FINITE)!r} in place of a number")
    shape = checked_shape(data["shape"], len(numbers))
    return np.array([float(x) for x in numbers]).reshape(shape)
