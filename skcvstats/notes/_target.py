"""What a target shows: classes, and whether it is sorted."""

from typing import Any

import numpy as np

from .._utils._arrays import one_output
from ..fitting import sortable


def is_sorted(y: Any) -> bool:
    """Return whether a target is sorted, or its classes come one after the other."""
    y = one_output(y)
    if y is None or y.size < 3:
        return False
    before = y[:-1]
    after = y[1:]
    try:
        increases = (after > before).any()
        decreases = (after < before).any()
    except TypeError:  # labels that cannot be ordered
        return False
    if increases != decreases:
        return True
    if not increases:  # all rows are the same
        return False
    changes = after != before
    parts = (changes[:999], y[:1000]), (changes, y)  # the first rows tell most
    return np.count_nonzero(changes) < y.size // 2 and all(
        np.count_nonzero(of) == len(set(part.tolist())) - 1 for of, part in parts
    )


def classes_of(y: Any) -> np.ndarray | None:
    """Return the class of each row as a number, or None where y is no vector of classes."""
    labels = sortable(y)
    if labels is None:
        return None
    if labels.dtype.kind == "f" and not np.array_equal(labels, np.rint(labels)):
        return None
    return np.unique(labels, return_inverse=True)[1]
