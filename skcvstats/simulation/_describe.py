"""Describe a study as plain data, which is the same in every process."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping
from functools import partial
from numbers import Integral, Real
from typing import Any

import numpy as np


def describe(value: Any, within: tuple[int, ...] = ()) -> Any:
    """Return strings, numbers, lists and dicts that tell a value from others of its kind."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else repr(float(value))
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "dtype": str(value.dtype), "digest": _digest(value)}
    if isinstance(value, Mapping):
        return {str(key): describe(member, within) for key, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        members = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        return [describe(member, within) for member in members]
    if isinstance(value, partial):
        parts = (value.func, value.args, value.keywords)
        return {"partial": describe(list(parts), within)}
    if id(value) in within:
        return {"again": len(within) - within.index(id(value))}
    within = (*within, id(value))
    if hasattr(value, "__qualname__"):  # functions and classes
        owner = getattr(value, "__self__", None)
        bound = {} if owner is None else {"of": describe(owner, within)}
        return {"name": _name(value), **bound, **_inside(value, within)}
    if hasattr(value, "__array__"):  # frames
        return {"class": _name(type(value)), "values": describe(np.asarray(value))}
    return {"class": _name(type(value)), "parameters": describe(_parameters(value), within)}


def _name(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def _inside(function: Any, within: tuple[int, ...]) -> dict[str, Any]:
    """Return what tells lambdas and local functions apart, which share their names."""
    code = getattr(function, "__code__", None)
    if code is None or "<" not in function.__qualname__:
        return {}
    constants = [repr(constant) for constant in code.co_consts if not hasattr(constant, "co_code")]
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return {
        "code": hashlib.blake2b(code.co_code, digest_size=8).hexdigest(),
        "uses": [*code.co_names, *constants],
        "defaults": describe([function.__defaults__, function.__kwdefaults__], within),
        "closure": describe([cell for cell in cells if cell is not function], within),
    }


def _parameters(value: Any) -> dict[str, Any]:
    if hasattr(value, "get_params"):
        return dict(sorted(value.get_params(deep=False).items()))
    if dataclasses.is_dataclass(value):
        return {own.name: getattr(value, own.name) for own in dataclasses.fields(value)}
    if hasattr(value, "__dict__"):
        return dict(sorted(vars(value).items()))
    return {"text": repr(value)}


def _digest(array: np.ndarray) -> str:
    if array.dtype.hasobject:
        payload = repr(array.tolist()).encode()
    else:
        payload = np.ascontiguousarray(array).tobytes()
    return hashlib.blake2b(payload, digest_size=16).hexdigest()


def data_digest(X: Any, y: Any) -> str:
    """Fingerprint a data set."""
    arrays = [data.toarray() if hasattr(data, "toarray") else np.asarray(data) for data in (X, y)]
    return fingerprint([describe(array) for array in arrays])


def fingerprint(description: Any) -> str:
    """Return a short text that differs if descriptions differ."""
    text = json.dumps(description, sort_keys=True, allow_nan=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
