"""Put the rows of a test set that are given in several arrays into one order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._utils._checks import listed, n_rows
from .._utils._text import counted
from ..exceptions import PairingError


def align_rows(given: Mapping[str, Any]) -> dict[str, Any]:
    """Put arrays for the same rows into one order, after checking that the rows are the same.

    Frames and series are aligned by their index, everything else by position.
    """
    parts = {name: part for name, part in given.items() if part is not None}
    first, *others = parts
    length = n_rows(parts[first], first)
    for name in others:
        found = n_rows(parts[name], name)
        if found != length:
            raise PairingError(
                f"There are {counted(found, 'row')} in {name} and {length} in {first}; give one of "
                "each for every row of the test set."
            )
    indexed = [
        name for name, part in parts.items() if hasattr(part, "index") and hasattr(part, "iloc")
    ]
    if len(indexed) < 2:
        return dict(given)
    reference = indexed[0]
    aligned = dict(given)
    for name in indexed[1:]:
        aligned[name] = _in_order_of(parts[name], name, parts[reference].index, reference)
    return aligned


def _in_order_of(part: Any, name: str, wanted: Any, reference: str) -> Any:
    """Return a frame or series in the order of an index, which must have the same rows."""
    own = part.index
    if len(own) == len(wanted) and np.array_equal(np.asarray(own), np.asarray(wanted)):
        return part
    lacking, foreign = wanted.difference(own), own.difference(wanted)
    if len(lacking):
        raise PairingError(
            f"By their index, {name} and {reference} are not of the same rows: "
            f"{counted(len(lacking), 'row')} of {reference} ({listed(lacking.tolist(), 3)}) and "
            f"{len(foreign)} of {name} ({listed(foreign.tolist(), 3)}) are not in the other. Give "
            "both the index of the test set, or pass arrays (.to_numpy()) in the same order."
        )
    if not (own.is_unique and wanted.is_unique):
        raise PairingError(
            f"By their index, {name} and {reference} hold the same rows in another order, but "
            "some labels repeat, so that the order cannot be restored. Number the rows "
            "(.reset_index(drop=True)), or pass arrays that are in the same order."
        )
    return part.loc[wanted]
