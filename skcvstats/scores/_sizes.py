"""Check the sizes of splits that users state."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._utils._arrays import as_array
from .._utils._checks import brief, is_integer
from ..exceptions import SplitDesignError
from ._structure import MOST_SPLITS


def stated_sizes(
    n_train: Any, n_test: Any, n_splits: int | None, n_samples: int | None
) -> dict[str, Any]:
    """Return the fields of the SplitDesign of splits with known sizes only."""
    sizes = {"n_train": _one_or_each("n_train", n_train), "n_test": _one_or_each("n_test", n_test)}
    lengths = [len(size) for size in sizes.values() if isinstance(size, tuple)]
    lengths += [] if n_splits is None else [n_splits]
    if not lengths or not all(is_integer(k) and 1 <= k == lengths[0] for k in lengths):
        raise SplitDesignError(
            f"The number of splits is not clear: n_splits={n_splits!r}, n_train={n_train!r}, "
            f"n_test={n_test!r}. Pass n_splits= of at least 1, or one size for each split."
        )
    count = lengths[0]
    if count > MOST_SPLITS:
        raise SplitDesignError(
            f"n_splits={count} is above {MOST_SPLITS}, and a design holds the sizes of each. "
            "Pass fewer."
        )
    train, test = (s if isinstance(s, tuple) else (s,) * count for s in sizes.values())
    if n_samples is None:
        totals = {a + b for a, b in zip(train, test, strict=True)}
        if len(totals) != 1:
            raise SplitDesignError(
                f"n_train + n_test differs between splits ({min(totals)} to {max(totals)}), "
                "so not every split uses all rows. Pass n_samples=, the number of rows."
            )
        (n_samples,) = totals
    return {"n_samples": n_samples, "n_train": train, "n_test": test}


def _one_or_each(name: str, size: Any) -> int | tuple[int, ...]:
    """Return one size, or a tuple of one for each split, as they were given."""
    sizes = (size,) if is_integer(size) else as_array(name, size).tolist()
    if not isinstance(sizes, tuple | list) or not sizes or not all(map(is_integer, sizes)):
        raise SplitDesignError(
            f"{name}={size!r}: expected one integer of at least 1 for each split, or one for all."
        )
    return int(size) if is_integer(size) else tuple(sizes)


def checked_sizes(name: str, sizes: Any, least: int) -> tuple[int, ...]:
    """Return one size for each split, after checking them."""
    usual = type(sizes) is tuple and set(map(type, sizes)) == {int}
    if usual and least <= min(sizes) and max(sizes) <= sys.maxsize:
        return sizes
    known = is_list(sizes) and len(sizes) > 0
    if not known or not all(is_integer(size) and least <= size <= sys.maxsize for size in sizes):
        raise SplitDesignError(
            f"{name}={brief(sizes)}: expected one integer of at least 1 for each split."
        )
    return tuple(int(size) for size in sizes)


def checked_pool(n_samples: Any, largest: int, unit: str, *, overlapping: bool) -> int:
    """Return the size of the pool, or raise an error if the splits do not fit into it."""
    if not is_integer(n_samples):
        raise SplitDesignError(f"n_samples={n_samples!r} must be an integer.")
    if n_samples < largest and not overlapping:
        raise SplitDesignError(
            f"n_samples={n_samples!r}, but a split uses {largest} {unit}; n_samples "
            "is the number that the splits were drawn from, so at least that many."
        )
    return int(n_samples)


def is_list(value: Any) -> bool:
    """Whether something is a tuple, a list or the like, or an array that is not a single number."""
    return isinstance(value, (Sequence, np.ndarray)) and not (
        isinstance(value, (str, bytes)) or getattr(value, "shape", None) == ()
    )
