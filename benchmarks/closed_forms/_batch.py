"""Batches of splits, so that array operations handle many splits at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from skcvstats.fitting._splits import Split, Splits

# Rows of a batch's splits together, a test row for four: some 40 MB, as eight bytes are held for a
# training row and about four times as many for a test row, its prediction and its target. It holds
# all 315 splits of the conservative Z test up to 20,000 rows.
_MOST_ROWS = 5_000_000
_A_TEST_ROW = 4
# Numbers that are copied from the data at once: 4 MB. At least as many rows as columns, because
# their products are summed.
_MOST_COPIED = 2**19


class Stack(NamedTuple):
    """Splits of a batch with test sets of one size."""

    splits: np.ndarray
    pool: np.ndarray
    rows: np.ndarray
    at: np.ndarray
    downdate: bool


class Blocks:
    """Some rows of an array, in blocks, so that little is copied at once."""

    def __init__(self, array: np.ndarray, rows: np.ndarray) -> None:
        self._array, self._rows = array, rows
        m = rows.shape[-1]
        n_columns = array.shape[1]
        self._step = max(n_columns, _MOST_COPIED * m // (rows.size * n_columns))
        self._only = np.take(array, rows, axis=0) if m <= self._step else None

    def __iter__(self) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield the position of a block in the last axis of `rows`, and its content."""
        m = self._rows.shape[-1]
        if self._only is not None:
            yield slice(0, m), self._only
            return
        for first in range(0, m, self._step):
            part = slice(first, min(first + self._step, m))
            yield part, np.take(self._array, self._rows[..., part], axis=0)


def parts(array: np.ndarray) -> Iterator[slice]:
    """Yield slices that divide the rows of an array into blocks."""
    n_rows, n_columns = array.shape
    step = max(n_columns, _MOST_COPIED // n_columns)
    for first in range(0, n_rows, step):
        yield slice(first, min(first + step, n_rows))


class Pool(NamedTuple):
    """Rows whose sums serve the training sets of some splits."""

    rows: np.ndarray
    splits: np.ndarray
    downdate: bool


@dataclass(frozen=True)
class Batch:
    """Some splits of the same rows."""

    n_rows: int
    numbers: Sequence[int]
    splits: Sequence[Split]

    def __len__(self) -> int:
        return len(self.splits)

    @cached_property
    def n_train(self) -> np.ndarray:
        """The number of training rows of each split."""
        return np.array([split.train.size for split in self.splits])

    @cached_property
    def n_test(self) -> np.ndarray:
        """The number of test rows of each split."""
        return np.array([split.test.size for split in self.splits])

    @cached_property
    def test(self) -> np.ndarray:
        """The test rows of all splits, one split after the other."""
        return np.concatenate([split.test for split in self.splits])

    @cached_property
    def offsets(self) -> np.ndarray:
        """The test rows of split i are ``test[offsets[i]:offsets[i + 1]]``."""
        return np.concatenate([[0], np.cumsum(self.n_test)])

    @cached_property
    def train_marks(self) -> np.ndarray:
        """Which rows each split trains on, of shape (n_splits, n_rows)."""
        marks = np.zeros((len(self), self.n_rows), dtype=bool)
        for row, split in zip(marks, self.splits, strict=True):
            row[split.train] = True
        return marks

    @cached_property
    def trains_on_distinct_rows(self) -> np.ndarray:
        """Which splits train on no row twice."""
        return np.count_nonzero(self.train_marks, axis=1) == self.n_train

    @cached_property
    def pools(self) -> tuple[Pool, ...]:
        """The smallest number of sets of rows that give all training sets by removing rows."""
        marks = self.train_marks.copy()
        for row, split in zip(marks, self.splits, strict=True):
            row[split.test] = True
        no_row_twice = np.count_nonzero(marks, axis=1) == self.n_train + self.n_test
        packed = np.packbits(marks, axis=1)
        keys, width = packed.tobytes(), packed.shape[1]
        members: dict[bytes | int, list[int]] = {}
        for i, shared in enumerate(no_row_twice.tolist()):
            key = keys[i * width : (i + 1) * width] if shared else i
            members.setdefault(key, []).append(i)
        return tuple(
            Pool(np.flatnonzero(marks[some[0]]), np.array(some), True)
            if len(some) > 1
            else self.pool_of(some[0])
            for some in members.values()
        )

    def pool_of(self, i: int) -> Pool:
        """Return the training rows of one split."""
        return Pool(self.splits[i].train, np.array([i]), False)

    def stacks(self, pools: Sequence[Pool], wanted: np.ndarray, most: int) -> Iterator[Stack]:
        """Yield the marked splits of these pools in stacks."""
        pool_of = np.full(len(self), -1)
        downdate = np.zeros(len(self), dtype=bool)
        for k, pool in enumerate(pools):
            pool_of[pool.splits], downdate[pool.splits] = k, pool.downdate
        wanted = wanted & (pool_of >= 0)
        yield from self._stacks(wanted & downdate, pool_of, most, True)
        yield from self._stacks(wanted & ~downdate, pool_of, most, False)

    def stacks_alone(self, wanted: np.ndarray, most: int) -> Iterator[Stack]:
        """Yield the marked splits in stacks; the pool of each is its training rows."""
        yield from self._stacks(wanted, np.arange(len(self)), most, False)

    def _stacks(
        self, wanted: np.ndarray, pool_of: np.ndarray, most: int, downdate: bool
    ) -> Iterator[Stack]:
        for size in set(self.n_test[wanted].tolist()):
            splits = np.flatnonzero(wanted & (self.n_test == size))
            step = max(1, most // size)
            for first in range(0, splits.size, step):
                some = splits[first : first + step]
                at = self.offsets[some][:, None] + np.arange(size)
                yield Stack(some, pool_of[some], self.test[at], at, downdate)


def batches(splits: Splits, n_splits: int, n_rows: int) -> Iterator[Batch]:
    """Yield the splits in batches that take little memory."""
    step = max(1, _MOST_ROWS // (_A_TEST_ROW * n_rows))
    first, held, size = 0, [], 0
    for start in range(0, n_splits, step):
        numbers = range(start, min(start + step, n_splits))
        for k, split in zip(numbers, splits.take(numbers), strict=True):
            held.append(split)
            size += split.train.size + _A_TEST_ROW * split.test.size
            if size >= _MOST_ROWS or k == n_splits - 1:
                yield Batch(n_rows, range(first, k + 1), held)
                first, held, size = k + 1, [], 0
