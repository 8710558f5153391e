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
    n_changes = np.count_nonzero(after != before)
    return bool(0 < n_changes < y.size // 2 and n_changes < len(set(y.tolist())))


def classes_of(y: Any) -> np.ndarray | None:
    """Return the class of each row as a number, or None where y is no vector of classes."""
    labels = sortable(y)
    if not labels.size:
        return None
    if labels.dtype.kind == "f" and not np.array_equal(labels, np.rint(labels)):
        return None
    return np.searchsorted(np.unique(labels), labels)
