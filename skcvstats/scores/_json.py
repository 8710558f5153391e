"""CVScores as JSON text: exact, versioned, and refused when damaged."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ._components import Components
from ._design import SplitDesign
from ._document import read_document, reading, write_document
from ._losses import RowLosses
from ._notes import PLAIN, Note

FORMAT = "skcvstats.CVScores"
VERSION = 2
# The versions that are read. In version 1 the notes were strings, and all of them warnings of
# `confidence_interval`.
_READ = (1, VERSION)
_ARRAYS = ("values", "fit_times", "score_times", "magnitude")


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


def scores_from_json(text: str | bytes, *, source: str = "the text") -> dict[str, Any]:
    """Return the fields that `scores_to_json` wrote, or say why they cannot be had."""
    content = read_document(
        text,
        FORMAT,
        _READ,
        source=source,
        holds="CVScores. Pass a file that CVScores.save wrote",
        remedy="score again",
    )
    with reading(source):
        return _decode_content(content)


def check_json(name: str, value: Any) -> None:
    """Raise TypeError for what JSON would not give back as it is.

    Parameters
    ----------
    name : str
        The field, for the message.
    value : mapping
        Its value.
    """
    try:
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
    """Write components; those of pairs as the two models of each."""
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
        data["facts"],
        **pairs,
    )


def _encode_typed(array: np.ndarray) -> dict[str, Any]:
    encoded = _encode(array)
    assert encoded is not None
    return {**encoded, "dtype": str(array.dtype)}


def _decode_typed(data: dict[str, Any]) -> np.ndarray:
    return _decoded(data).astype(data["dtype"])


def _decode_notes(notes: Iterable[Any]) -> tuple[Note, ...]:
    return tuple(
        Note(PLAIN, note) if isinstance(note, str) else Note.from_dict(note) for note in notes
    )


def _encode(array: np.ndarray | None) -> dict[str, Any] | None:
    """Write an array as its shape and its numbers; JSON has no nan or inf, so these as text."""
    if array is None:
        return None
    numbers = array.ravel().tolist()
    return {
        "shape": list(array.shape),
        "numbers": [x if math.isfinite(x) else str(x) for x in numbers],
    }


def _decode(data: dict[str, Any] | None) -> np.ndarray | None:
    return None if data is None else _decoded(data)


def _decoded(data: dict[str, Any]) -> np.ndarray:
    return np.array([float(x) for x in data["numbers"]]).reshape(data["shape"])
