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
    for part in (y[:1000], y):  # the first rows tell most
        before = part[:-1]
        after = part[1:]
        try:
            increases = (after > before).any()
            decreases = (after < before).any()
        except TypeError:  # labels that cannot be ordered
            return False
        n_changes = np.count_nonzero(after != before)
        if increases != decreases:
            continue
        if n_changes >= part.size // 2 or n_changes >= len(set(part.tolist())):
            return False
    return bool(increases or decreases)


def classes_of(y: Any) -> np.ndarray | None:
    """Return the class of each row as a number, or None where y is no vector of classes."""
    labels = sortable(y)
    if not labels.size:
        return None
    if labels.dtype.kind == "f" and not np.array_equal(labels, np.rint(labels)):
        return None
    return np.searchsorted(np.unique(labels), labels)
