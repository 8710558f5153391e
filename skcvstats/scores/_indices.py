"""Read the facts about splits from their row numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._utils._checks import is_integer, n_rows, one_line
from ..exceptions import SplitDesignError
from ._fingerprint import as_rows, target_digest
from ._reader import SplitReader
from ._sizes import is_list
from ._structure import LEVELS, infer_pool


def read_indices(
    train: Sequence[Any],
    test: Sequence[Any],
    *,
    n_samples: int | None,
    groups: Any,
    y: Any,
    levels: tuple[str, ...] | None,
    shape: tuple[int, ...],
) -> dict[str, Any]:
    """Return the fields of the SplitDesign of splits whose row numbers are known."""
    _check_parts(train, test)
    if n_samples is not None and groups is not None:
        raise SplitDesignError(
            f"n_samples={n_samples} and groups are both given; leave n_samples out, since "
            "sizes count groups and groups tell how many there are."
        )
    n_known = _stated_rows(n_samples, groups, y)
    if levels is not None and not isinstance(levels, (tuple, list)):
        raise SplitDesignError(f"levels={levels!r} is not one of {list(LEVELS)}.")
    parts = [
        (
            as_rows(a, split=k, side="train", n_rows=n_known),
            as_rows(b, split=k, side="test", n_rows=n_known),
        )
        for k, (a, b) in enumerate(zip(train, test, strict=True))
    ]
    largest = max(int(rows.max()) for part in parts for rows in part) + 1
    known_rows = n_rows(groups) if groups is not None else largest
    reader = SplitReader(known_rows, groups=groups, y=y)
    for a, b in parts:
        reader.add(a, b)
    if n_samples is None and groups is None:
        n_samples = _pool_of(reader, y)
    facts = reader.facts(n_samples=n_samples, levels=levels, shape=shape)
    return {**facts, "y_digest": target_digest(y)}


def _check_parts(train: Any, test: Any) -> None:
    for name, parts in (("train", train), ("test", test)):
        if not is_list(parts):
            raise SplitDesignError(
                f"{name}={one_line(parts)} must be a list with the row numbers of each split."
            )
    if len(train) != len(test) or len(test) == 0:
        raise SplitDesignError(
            f"{len(train)} training parts and {len(test)} test parts: expected as many of "
            "each, at least one."
        )


def _stated_rows(n_samples: int | None, groups: Any, y: Any) -> int | None:
    """Return the number of rows if an argument states it; raise an error if arguments disagree."""
    if n_samples is not None and not is_integer(n_samples):
        raise SplitDesignError(f"n_samples={n_samples!r} must be an integer, the number of rows.")
    known = {"n_samples": n_samples}
    known |= {
        name: n_rows(data) for name, data in (("y", y), ("groups", groups)) if data is not None
    }
    counts = {name: count for name, count in known.items() if count is not None}
    if len(set(counts.values())) > 1:
        raise SplitDesignError(f"The number of rows differs between {counts}; pass them alike.")
    return next(iter(counts.values()), None)


def _pool_of(reader: SplitReader, y: Any) -> int:
    """Return the pool of splits without the data.

    If a split covers all rows that occur, these are the pool, even if y has more rows: the splits
    were then drawn within a fixed subset. Otherwise the pool follows from y or from the indices.
    """
    if y is not None and reader.n_covered.max() < reader.n_seen:
        return n_rows(y)
    return infer_pool(reader.n_seen, reader.n_covered)
