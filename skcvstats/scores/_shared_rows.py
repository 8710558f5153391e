"""Test rows that equal a training row in X and in y, as copies made before the splits do."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np

from .._utils._arrays import missing_in
from .._utils._text import counted, format_number
from ._notes import Note

_SMALLEST_SHARE = 0.05
# In small test sets 5 % may be a row or two: with fewer than this the data must have the share too.
_ENOUGH_ROWS = 10
# Rows of columns of at most so many values are often equal by chance.
_FEW_VALUES = 20
_ODD = np.uint64(0x9E3779B97F4A7C15)


class SharedRows:
    """Counts the test rows that equal a training row in X and y, split by split."""

    # Found once, column by column, by hashes of 64 bits, one to one within a column: unequal rows
    # are taken for equal with probability 2^-64. Missing values are equal. Only tables are looked
    # at, and no symmetric one, which may be a kernel matrix.

    def __init__(self, X: Any, y: Any) -> None:
        self._X = X
        self._counts: list[tuple[int, int]] = []
        self._labels: np.ndarray | None = None  # a number for each row, 0 if no other row equals it
        with suppress(Exception):  # no table, or values that cannot be hashed
            if not hasattr(X, "shape"):  # texts as objects, or each takes the room of the longest
                self._X = X = np.asarray(X, dtype=object if isinstance(X[0], str) else None)
            n = X.shape[0]
            if X.shape == (n, n) and _is_symmetric(X):
                return
            rows, hashes = np.arange(n), np.zeros(n, dtype=np.uint64)
            for k, column in enumerate(chain(_columns(X), () if y is None else _columns(y)), 1):
                _mix(hashes, column if rows.size == n else column[rows])
                if k & (k - 1) == 0:
                    n_bits = max(rows.size.bit_length() + 1, 16)
                    buckets = (hashes >> np.uint64(64 - n_bits)).astype(np.intp)
                    kept = (np.bincount(buckets) > 1)[buckets]
                    rows, hashes = rows[kept], hashes[kept]
                    if not rows.size:
                        return
            _, inverse, counts = np.unique(hashes, return_inverse=True, return_counts=True)
            if (several := counts > 1).any():
                labels = np.zeros(n, dtype=np.intp)
                labels[rows] = (np.cumsum(several) * several)[inverse]
                self._labels = labels

    def are_enough(self, n_test: int) -> bool:
        """Whether there are enough equal rows for a note on test sets of at least this size."""
        n_equal = 0 if self._labels is None else int(np.count_nonzero(self._labels))
        return n_equal >= _SMALLEST_SHARE * n_test and _has_many_values(self._X)

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """Add the next split, as row numbers."""
        if self._labels is not None:
            trained = np.zeros(self._labels.max() + 1, dtype=bool)
            trained[self._labels[train]] = True
            trained[0] = False
            self._counts.append((int(trained[self._labels[test]].sum()), test.size))

    def notes(self) -> tuple[Note, ...]:
        """Return a note if many test rows equal a training row."""
        if self._labels is None:
            return ()
        share = np.mean([found / size for found, size in self._counts])
        found, size = map(sum, zip(*self._counts, strict=True))
        in_data = 1.0 if found >= _ENOUGH_ROWS else np.mean(self._labels > 0)
        if min(share, in_data) < _SMALLEST_SHARE or not _has_many_values(self._X):
            return ()
        text = (
            f"{found} of {size} test rows equal a training row in X and y "
            f"({format_number(100 * float(share))} % on average over "
            f"{counted(len(self._counts), 'split')}). If they are copies, the scores reward "
            "memorization: resample inside a pipeline, or pass groups= if several rows belong "
            "together"
        )
        return (Note("rows in training and test", text),)


def _is_symmetric(square: Any) -> bool:
    """Whether the first rows of a matrix are its first columns, up to rounding."""
    matrix = square.tocsr() if hasattr(square, "tocsr") else np.asarray(square)
    rows = matrix[:_FEW_VALUES]
    return bool(abs(rows - matrix[:, :_FEW_VALUES].T).max() <= 1e-8 * abs(rows).max())


def _has_many_values(X: Any) -> bool:
    """Whether some column has more than 20 different values; most show it in their first rows."""
    csc = X.tocsc() if hasattr(X, "tocsc") else None
    columns = _columns(X) if csc is None else np.split(csc.data, csc.indptr[1:-1])
    parts = (part for column in columns for part in (column[:1000], column))
    found = (_mix(np.zeros(part.size, dtype=np.uint64), part) for part in parts)
    return any(np.unique(hashes).size > _FEW_VALUES for hashes in found)


def _columns(data: Any) -> Iterator[np.ndarray]:
    """Yield the columns of a table; of a sparse one, a hash of each row."""
    if hasattr(data, "tocsr"):
        yield _hashes_of_sparse(data.tocsr(copy=True))
    elif hasattr(data, "columns"):
        table = getattr(data, "iloc", data)
        yield from (np.asarray(table[:, k]) for k in range(data.shape[1]))
    else:
        array = np.asarray(data)
        yield from array.T if array.ndim == 2 else (array,)


def _hashes_of_sparse(matrix: Any) -> np.ndarray:
    """Return a hash of each row: the sum over its entries, modulo 2^64."""
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    hashes = _ODD * (matrix.indices.astype(np.uint64) + np.uint64(1))
    _mix(hashes, matrix.data)
    return np.diff(np.insert(np.cumsum(hashes), 0, 0)[matrix.indptr])


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
