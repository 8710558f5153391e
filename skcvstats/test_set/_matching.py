"""What is given for the rows of a test set, put into one order by its index."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from .._utils._arrays import missing_in
from .._utils._checks import check_option, listed, n_rows
from .._utils._text import counted, cut, first_of, format_percent
from ..exceptions import PairingError, SplitDesignWarning
from ..scores import Note

_LOW_COVERAGE = 0.9


def matched_rows(
    given: Mapping[str, Any], owners: Mapping[str, str], unmatched: str
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Put arrays into one order, perhaps without the rows that some model lacks, which is noted."""
    runs = [name for name in owners if name in given]  # others are estimators
    if check_option("unmatched", unmatched, ("raise", "drop")) == "raise" or not runs:
        return align_rows(given), ()
    parts = {name: part for name, part in given.items() if part is not None}
    if all(_has_index(part) and part.index.is_unique for part in parts.values()):
        known = ["y_true"] if "y_true" in parts else runs
        rows = reduce(lambda a, b: a.union(b, sort=False), [parts[name].index for name in known])
        parts |= {name: parts[name].reindex(rows) for name in runs}
    parts = align_rows(parts)
    missing = {name: missing_in(np.asarray(parts[name])) for name in runs}
    lacking: dict[str, Any] = {
        name: of.reshape(len(of), -1).any(axis=1) for name, of in missing.items()
    }
    kept = np.flatnonzero(~np.any(list(lacking.values()), axis=0))
    if not len(kept):
        raise ValueError("unmatched='drop' leaves nothing: there is no row that all models have.")
    found = {name: _safe_indexing(part, kept) for name, part in parts.items()}
    for name in runs:
        if str(getattr(found[name], "dtype", "")) == "object":  # because of what was missing
            found[name] = np.array(found[name].tolist())
    return dict.fromkeys(given) | found, _coverage(lacking, owners, len(kept))


def _coverage(
    lacking: Mapping[str, np.ndarray], owners: Mapping[str, str], n_kept: int
) -> tuple[Note, ...]:
    """Note how many of the rows each model has; where one lacks many, with a warning."""
    shares: dict[str, float] = {}
    for name, rows in lacking.items():
        shares[owners[name]] = min(1 - rows.mean(), shares.get(owners[name], 1.0))
    lowest = sorted(shares, key=shares.__getitem__)
    if shares[lowest[0]] == 1:
        return ()
    said = first_of([f"{cut(name)} {format_percent(shares[name])}" for name in lowest], 10)
    text = f"{n_kept} of {len(rows)} rows are compared, those that all models have, and the answer "
    text += f"says nothing about the others. Coverage: {said}"
    category = SplitDesignWarning if shares[lowest[0]] < _LOW_COVERAGE else None
    return (Note("unmatched rows", text, category),)


def _has_index(part: Any) -> bool:
    return hasattr(part, "index") and hasattr(part, "iloc")


def align_rows(given: Mapping[str, Any]) -> dict[str, Any]:
    """Put arrays of the same rows into one order: frames by index, others by position."""
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
    indexed = [name for name, part in parts.items() if _has_index(part)]
    if len(indexed) < 2:
        return dict(given)
    reference, *others = indexed
    rows = parts[reference].index
    moved = {name: _in_order_of(parts[name], name, rows, reference) for name in others}
    return {**given, **moved}


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
            "both one index, or pass arrays (.to_numpy()) in one order."
        )
    if not (own.is_unique and wanted.is_unique):
        raise PairingError(
            f"By their index, {name} and {reference} are in another order, and some labels repeat. "
            "Number the rows (.reset_index(drop=True)), or pass arrays that are in the same order."
        )
    return part.loc[wanted]
