"""Test rows that equal a training row in X and in y, as copies made before the splits do."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from .._utils._arrays import missing_in

LEAST_SHARE = 0.05
# In small test sets 5 % may be a row or two: with fewer than this the data must have the share too.
ENOUGH_ROWS = 10
# Rows of columns of at most so many values are often equal by chance.
_FEW_VALUES = 20
# Numbers are equal up to so much of the middle half of their column, if copies are much nearer.
_DIGITS, _NEARER = 1e-4, 0.1
_MOST_SEEN = 1000
_ODD = np.uint64(0x9E3779B97F4A7C15)


class SharedRows:
    """Counts the test rows that equal a training row in X and y, split by split."""

    # Found once, column by column, by hashes of 64 bits, one to one within a column: unequal rows
    # are taken for equal with probability 2^-64. Missing values are equal. Only tables are looked
    # at, and no symmetric one, which may be a kernel matrix. With two continuous columns, numbers
    # are equal to four digits, as those of copies with a little noise are.

    def __init__(self, X: Any, y: Any) -> None:
        self.precision = ""  # how precisely rows are equal, for the note
        self.counts: list[tuple[int, int]] = []  # equal ones and all test rows of each split
        self.labels: np.ndarray | None = None  # a number for each row, 0 if no other row equals it
        self._X = X
        try:
            if not hasattr(X, "shape"):  # texts as objects, or each takes the room of the longest
                self._X = np.asarray(X, dtype=object if isinstance(X[0], str) else None)
            self._label(y)
        except Exception:  # no table, or values that cannot be hashed
            return

    def _label(self, y: Any) -> None:
        """Find the rows that equal another one, to four digits where these seem to be copies."""
        X = self._X
        n = X.shape[0]
        if X.shape == (n, n) and _is_symmetric(X):
            return
        steps = []
        if not hasattr(X, "tocsr"):
            steps = [_step_of(column) for column in columns_of(X)]
        rounded_labels = None
        if np.count_nonzero(steps) > 1:
            rounded = map(_rounded, columns_of(X), steps)
            rounded_labels = equal_rows(chain(rounded, columns_of(y)), n)
            if rounded_labels is None:
                return
        self.labels = equal_rows(chain(columns_of(X), columns_of(y)), n)
        if rounded_labels is None or _have_same_groups(self.labels, rounded_labels):
            return
        if np.median(_distances(columns_of(X), steps, rounded_labels)) < _NEARER:
            self.labels = rounded_labels
            self.precision = " to four digits"

    @property
    def n_equal(self) -> int:
        """How many rows equal another one."""
        return 0 if self.labels is None else int(np.count_nonzero(self.labels))

    @property
    def share_in_data(self) -> float:
        """The share of the rows that equal another one."""
        assert self.labels is not None, "they were counted"
        return float(np.mean(self.labels > 0))

    @cached_property
    def has_many_values(self) -> bool:
        """Whether some column has so many values that rows are hardly equal by chance."""
        return _has_many_values(self._X)

    def are_enough(self, n_test: int) -> bool:
        """Whether there are enough equal rows for a note on test sets of at least this size."""
        return self.n_equal >= LEAST_SHARE * n_test and self.has_many_values

    def is_needed(self, n_test: int) -> bool:
        """Whether splits of ours with test sets of this size are made to look for equal rows."""
        return self.are_enough(n_test)

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """Add the next split, as row numbers."""
        if self.labels is not None:
            trained = self.labels[train]
            is_equal = np.isin(self.labels[test], trained[trained > 0])
            self.counts.append((int(np.count_nonzero(is_equal)), test.size))


def _step_of(column: np.ndarray) -> float:
    """Return a small share of the middle half of a continuous column, 0 for other columns."""
    if column.dtype.kind != "f":
        return 0.0
    seen = column[:_MOST_SEEN]
    seen = seen[np.isfinite(seen)]
    if len(np.unique(seen)) <= _FEW_VALUES:
        return 0.0
    return _DIGITS * float(np.ptp(np.quantile(seen, (0.25, 0.75))))


def _have_same_groups(exact: np.ndarray | None, rounded: np.ndarray) -> bool:
    """Return whether the rows that are equal when they are rounded are equal before, too."""
    if exact is None or exact.max() != rounded.max():
        return False
    return bool(np.count_nonzero(exact) == np.count_nonzero(rounded))


def _rounded(column: np.ndarray, step: float) -> np.ndarray:
    return np.rint(column / step) if step else column


def _distances(
    columns: Iterable[np.ndarray], steps: Iterable[float], labels: np.ndarray
) -> np.ndarray:
    """Return in steps how far apart rows are that are equal to four digits."""
    order = np.argsort(labels, kind="stable")
    order = order[labels[order] > 0]
    pairs = np.diff(labels[order]) == 0
    distances = [
        np.abs(np.diff(column[order]))[pairs] / step
        for column, step in zip(columns, steps, strict=True)
        if step
    ]
    return np.asarray(np.nan_to_num(np.stack(distances)))


def equal_rows(columns: Iterable[np.ndarray], n: int) -> np.ndarray | None:
    """Return a number for each row, 0 if no other one equals it; None if there are none."""
    rows = np.arange(n)
    hashes = np.zeros(n, dtype=np.uint64)
    for k, column in enumerate(columns, 1):
        _mix(hashes, column[rows])
        if k & (k - 1) == 0:  # rows that are unlike all others by now are left out
            n_bits = max(rows.size.bit_length() + 1, 16)
            buckets = (hashes >> np.uint64(64 - n_bits)).astype(np.intp)
            is_shared = np.bincount(buckets)[buckets] > 1
            rows = rows[is_shared]
            hashes = hashes[is_shared]
            if not rows.size:
                return None
    _, inverse, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    several = counts > 1
    if not several.any():
        return None
    labels = np.zeros(n, dtype=np.intp)
    labels[rows] = (np.cumsum(several) * several)[inverse]
    return labels


def _is_symmetric(square: Any) -> bool:
    """Whether the first rows of a matrix are its first columns, up to rounding."""
    matrix = square.tocsr() if hasattr(square, "tocsr") else np.asarray(square)
    rows = matrix[:_FEW_VALUES]
    return bool(abs(rows - matrix[:, :_FEW_VALUES].T).max() <= 1e-8 * abs(rows).max())


def _has_many_values(X: Any) -> bool:
    """Whether some column has more than 20 different values; most show it in their first rows."""
    csc = X.tocsc() if hasattr(X, "tocsc") else None
    columns = columns_of(X) if csc is None else np.split(csc.data, csc.indptr[1:-1])
    parts = (part for column in columns for part in (column[:1000], column))
    found = (_mix(np.zeros(part.size, dtype=np.uint64), part) for part in parts)
    return any(np.unique(hashes).size > _FEW_VALUES for hashes in found)


def columns_of(data: Any) -> Iterator[np.ndarray]:
    """Yield the columns of a table, if there is one; of a sparse one, a hash of each row."""
    if data is None:
        return
    if hasattr(data, "tocsr"):
        matrix = data.tocsr(copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        hashes = _ODD * (matrix.indices.astype(np.uint64) + np.uint64(1))
        _mix(hashes, matrix.data)
        # The sum over the entries of a row, modulo 2^64.
        yield np.diff(np.insert(np.cumsum(hashes), 0, 0)[matrix.indptr])
    elif hasattr(data, "columns"):
        table = getattr(data, "iloc", data)
        yield from (np.asarray(table[:, k]) for k in range(data.shape[1]))
    else:
        array = np.asarray(data)
        yield from array.T if array.ndim == 2 else (array,)


def _mix(hashes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Mix a value into each hash, in place: 64 bits that are the same for equal values only."""
    if values.dtype.kind in "biumM":
        bits = values.astype(np.int64).view(np.uint64)
    elif values.dtype.kind == "f":
        numbers = values.astype(np.float64) + 0.0  # -0.0 becomes 0.0
        numbers[np.isnan(numbers)] = np.nan
        bits = numbers.view(np.uint64)
    else:
        values = values.astype(object)
        codes: dict[Any, int] = {}
        bits = np.array([codes.setdefault(v, len(codes)) for v in values.tolist()], dtype=np.uint64)
        bits[missing_in(values)] = len(codes)
    hashes ^= bits
    for shift in (30, 27):
        hashes ^= hashes >> np.uint64(shift)
        hashes *= _ODD
    return hashes
