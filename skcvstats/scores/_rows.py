"""What single rows of test sets contribute: scores in each split, components of estimates."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from .._utils._arrays import as_array, as_numbers
from .._utils._checks import is_integer
from ..exceptions import PairingError

# Numbers in a block of pairs: at 8 bytes each 2 MiB, which fit into the cache of a core.
_BLOCK = 2**18
_OWN = ("values", "_means")  # of each difference


def of_pairs(
    array: np.ndarray, first: np.ndarray | None, second: np.ndarray | None, part: Any
) -> np.ndarray:
    """Return some rows of an array, or some of the differences of its rows."""
    if first is None or second is None:
        return array[part]
    return array[first[part]] - array[second[part]]


def blocks_of(length: int, width: int) -> Iterator[slice]:
    """Yield parts of so many rows or pairs that fit into the cache, if possible."""
    step = max(1, _BLOCK // max(width, 1))
    for start in range(0, length, step):
        yield slice(start, min(start + step, length))


@dataclass(frozen=True, eq=False)
class RowScores:
    """The scores of the single test rows of every split.

    All differences of many estimators on many rows would fill the memory. `pairs` stores them as
    positions of estimators, and `block` subtracts some of them.

    Parameters
    ----------
    values : ndarray of shape (..., n_test_rows)
        The scores (greater is better) of all splits' test rows, one split after the other, the
        rows of a split in ascending order. Of differences those of the estimators.
    rows : ndarray of shape (n_test_rows,)
        The row number that each value belongs to.
    offsets : ndarray of shape (n_splits + 1,)
        Split k's scores are ``values[..., offsets[k]:offsets[k + 1]]``.
    magnitude : ndarray of shape (...), default=None
        The largest absolute score before any subtraction. None computes it from `values`.
    groups : ndarray of int of shape (n_samples,), default=None
        The number of the group of each row of the data, where rows belong to groups.
    weights : ndarray of shape (n_test_rows,), default=None
        The weight of each value in the mean of its split. None weighs all alike.
    first, second : ndarray of int of shape (n_pairs,), default=None
        The positions of the estimators of each difference.
    """

    values: np.ndarray
    rows: np.ndarray
    offsets: np.ndarray
    magnitude: np.ndarray = None  # type: ignore[assignment]  # made from values
    groups: np.ndarray | None = None
    weights: np.ndarray | None = None
    first: np.ndarray | None = None
    second: np.ndarray | None = None

    def __post_init__(self) -> None:
        for name in ("values", "weights", "rows", "offsets", "groups", "first", "second"):
            if getattr(self, name) is not None or name in ("values", "rows", "offsets"):
                object.__setattr__(self, name, _stored(name, getattr(self, name)))
        if not (self.values.ndim and self.rows.ndim == self.offsets.ndim == 1 and self._in_order()):
            raise ValueError(
                f"values, rows and offsets have shapes {self.values.shape}, {self.rows.shape} and "
                f"{self.offsets.shape}; they must be the scores and the row numbers of all splits' "
                "test rows, and where each split's begin, from 0. RowScores.from_splits makes them."
            )
        if not self.values.shape[-1:] == self.rows.shape == (self.offsets[-1],):
            raise ValueError(
                f"{self.values.shape[-1]} scores and {self.rows.size} rows for "
                f"{self.offsets[-1]} test rows."
            )
        if self.weights is not None and self.weights.shape != self.rows.shape:
            raise ValueError(f"{self.weights.size} weights for {self.rows.size} test rows.")
        groups = np.zeros(self.rows.max() + 1) if self.groups is None else self.groups
        if groups.ndim != 1 or groups.size <= self.rows.max() or groups.min() < 0:
            raise ValueError(
                f"groups has shape {groups.shape}; it must number the group of each row of the "
                f"data from 0, and row {self.rows.max()} is tested."
            )
        pairs = [at for at in (self.first, self.second) if at is not None]
        outside = (((at < 0) | (at >= len(self.values))).any() for at in pairs)
        if len(pairs) == 1 or any(at.shape != (pairs[0].size,) for at in pairs) or any(outside):
            raise ValueError(
                f"first={self.first!r} and second={self.second!r} must be positions of estimators, "
                f"one of each for every difference, of scores of shape {self.values.shape}."
            )
        magnitude = self.magnitude
        if magnitude is None:
            magnitude = _largest(self.values)
            if self.first is not None:
                magnitude = np.maximum(magnitude[self.first], magnitude[self.second])
        magnitude = check_magnitude(magnitude, self.shape)
        object.__setattr__(self, "magnitude", read_only(magnitude))

    def _in_order(self) -> bool:
        sizes = np.diff(self.offsets)
        ordered = sizes.size > 0 and self.offsets[0] == 0 and bool((sizes > 0).all())
        return ordered and bool(self.rows.size == 0 or self.rows.min() >= 0)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape without the rows: that of the estimators, or of the differences."""
        return self.values.shape[:-1] if self.first is None else self.first.shape

    @classmethod
    def from_splits(cls, scores: Sequence[np.ndarray], rows: Sequence[np.ndarray]) -> Self:
        """Join the scores of each split, given with their row numbers in any order.

        Parameters
        ----------
        scores : sequence of ndarray of shape (..., n_test)
            The scores of each split, greater is better.
        rows : sequence of ndarray of shape (n_test,)
            The row numbers of each split.

        Returns
        -------
        RowScores
            The rows of a split in ascending order.
        """
        orders = [np.argsort(part, kind="stable") for part in rows]
        return cls(
            np.concatenate([a[..., o] for a, o in zip(scores, orders, strict=True)], axis=-1),
            np.concatenate([r[o] for r, o in zip(rows, orders, strict=True)]),
            np.cumsum([0, *map(len, rows)]),
        )

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Join the scores of estimators on the same test rows.

        Parameters
        ----------
        parts : sequence of RowScores
            Of one estimator each.

        Returns
        -------
        RowScores
            Of shape (n_estimators,).

        Raises
        ------
        PairingError
            If the test rows or their weights differ.
        """
        for part in parts:
            part.check_same_rows(parts[0])
        values = np.stack([part.values for part in parts])
        magnitude = np.stack([part.magnitude for part in parts])
        return replace(parts[0], values=values, magnitude=magnitude)

    def block(self, part: slice = slice(None)) -> np.ndarray:
        """Return the scores of some estimators, or some of the differences.

        Parameters
        ----------
        part : slice, default=slice(None)
            Along the first axis.

        Returns
        -------
        ndarray of shape (..., n_test_rows)
            Greater is better.
        """
        return of_pairs(self.values, self.first, self.second, part)

    def blocks(self) -> Iterator[slice]:
        """Return parts of the estimators or differences whose scores fit into the cache.

        Returns
        -------
        iterator of slice
            For `block`.
        """
        return blocks_of(self.shape[0], self.rows.size)

    def split(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the row numbers and the scores of one split.

        Parameters
        ----------
        k : int
            Which split.

        Returns
        -------
        rows : ndarray of shape (n_test,)
            In ascending order.
        scores : ndarray of shape (..., n_test)
            Greater is better.
        """
        part = slice(self.offsets[k], self.offsets[k + 1])
        return self.rows[part], of_pairs(self.values[..., part], self.first, self.second, ...)

    def means(self) -> np.ndarray:
        """Return the mean score of each split, weighted where there are weights.

        Returns
        -------
        ndarray of shape (..., n_splits)
            Greater is better.
        """
        return of_pairs(self._means, self.first, self.second, ...)

    @cached_property
    def _means(self) -> np.ndarray:
        starts, weights = self.offsets[:-1], self.weights
        sizes = np.diff(self.offsets) if weights is None else np.add.reduceat(weights, starts)
        return _by_row(
            self.values,
            lambda row: np.add.reduceat(row if weights is None else row * weights, starts) / sizes,
        )

    def take(self, splits: Sequence[int]) -> Self:
        """Return the scores on some of the splits.

        Parameters
        ----------
        splits : sequence of int
            Which splits.

        Returns
        -------
        RowScores
            In the order asked for.
        """
        parts = [np.arange(self.offsets[k], self.offsets[k + 1]) for k in splits]
        at = np.concatenate(parts)
        return replace(
            self,
            values=self.values[..., at],
            rows=self.rows[at],
            offsets=np.cumsum([0, *map(len, parts)]),
            weights=None if self.weights is None else self.weights[at],
        )

    def __getitem__(self, estimators: int | np.ndarray) -> Self:
        """Return the scores of one estimator or difference, or of several in this order."""
        if not is_integer(estimators) and not isinstance(estimators, np.ndarray):
            raise TypeError(f"Expected an integer or an array of integers, got {estimators!r}.")
        magnitude = self.magnitude[estimators]
        if self.first is None or self.second is None:
            return replace(self, values=self.values[estimators], magnitude=magnitude)
        if isinstance(estimators, np.ndarray):
            first, second = self.first[estimators], self.second[estimators]
            return replace(self, magnitude=magnitude, first=first, second=second)
        single = object.__new__(type(self))
        shared = {name: part for name, part in vars(self).items() if name not in _OWN}
        own = {"magnitude": read_only(magnitude), "first": None, "second": None}
        vars(single).update(shared, **own, _pair_of=(self, estimators))
        return single

    def __getattr__(self, name: str) -> Any:
        """Subtract the values of a single pair when they are used; thousands would fill memory."""
        if name != "values" or "_pair_of" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        scores, k = self._pair_of
        return read_only(of_pairs(scores.values, scores.first, scores.second, k))

    def pairs(self, first: np.ndarray, second: np.ndarray) -> Self:
        """Return the differences of estimators, as positions.

        Parameters
        ----------
        first, second : ndarray of int of shape (n_pairs,)
            The positions of the two estimators of each difference, first minus second.

        Returns
        -------
        RowScores
            Of shape (n_pairs,); its `values` are those of the estimators.

        Raises
        ------
        ValueError
            If these are differences already.
        """
        if self.first is not None:
            raise ValueError("These scores are differences already.")
        magnitude = np.maximum(self.magnitude[first], self.magnitude[second])
        return replace(self, magnitude=magnitude, first=first, second=second)

    def check_same_rows(self, other: Self) -> None:
        """Raise PairingError unless both are scores of the same test rows.

        Parameters
        ----------
        other : RowScores
            To compare with.
        """
        for name in ("offsets", "rows", "weights"):
            if not np.array_equal(getattr(self, name), getattr(other, name)):
                raise PairingError(
                    "The row scores were measured on different test rows, or with different "
                    "weights. Score all estimators with the same cv."
                )

    def __sub__(self, other: Self) -> Self:
        self.check_same_rows(other)
        values = self.block() - other.block()
        largest = np.maximum(self.magnitude, other.magnitude)
        return replace(self, values=values, magnitude=largest, first=None, second=None)


def _stored(name: str, given: Any) -> np.ndarray:
    """Return one of the arrays of row scores, read-only, after checking its type."""
    array = as_array(name, given)
    dtype = np.float64 if name in ("values", "weights") else np.intp
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} of dtype {array.dtype} must hold numbers.")
    return read_only(array, dtype)


def _by_row(values: np.ndarray, compute: Callable[[np.ndarray], Any]) -> np.ndarray:
    """Apply a function to one row after the other, so that it makes no copy of all."""
    rows = values.reshape(-1, values.shape[-1])
    found = np.array([compute(row) for row in rows])
    return found.reshape((*values.shape[:-1], *found.shape[1:]))


def _largest(values: np.ndarray) -> np.ndarray:
    """Return the largest absolute finite value of each row."""
    return _by_row(values, lambda row: np.abs(row).max(where=np.isfinite(row), initial=0.0))


def check_magnitude(magnitude: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return the largest absolute score of each row, after checking it."""
    array = as_numbers("magnitude", magnitude)
    if array.shape != shape or not ((array >= 0) & np.isfinite(array)).all():
        raise ValueError(
            f"magnitude={magnitude!r} must have shape {shape} and hold the largest absolute score "
            "of each row, finite and not negative; leave it out to have it computed."
        )
    return array


def read_only(array: Any, dtype: Any = np.float64) -> np.ndarray:
    """Return a read-only array that shares no memory that somebody may write to."""
    if isinstance(array, np.ndarray) and array.dtype == dtype and _is_frozen(array):
        return array
    array = np.array(array, dtype=dtype)
    array.flags.writeable = False
    return array


def _is_frozen(array: Any) -> bool:
    is_array = type(array) is np.ndarray and not array.flags.writeable
    return array is None or type(array) is bytes or (is_array and _is_frozen(array.base))


_DIFFERENT = (
    "The two were measured on different test sets or by different metrics. Compare all in one call."
)


@dataclass(frozen=True, eq=False)
class Components:
    """The contributions of rows, groups or replicates of a test set to the estimates of models.

    The components of a difference of two models are the differences of their components, so a
    procedure for one model also applies to a difference. Pairs are stored as positions and
    subtracted block by block: all differences of many models on many rows would fill the memory.
    """

    kind: str
    arrays: Mapping[str, np.ndarray]
    shared: Mapping[str, np.ndarray] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    first: np.ndarray | None = None
    second: np.ndarray | None = None

    def __len__(self) -> int:
        if self.first is not None:
            return len(self.first)
        return len(next(iter(self.arrays.values())))

    def row(self, k: int) -> Self:
        """Return the components of one model, or of one pair."""
        if self.first is None or self.second is None:
            return replace(self, arrays={name: a[k : k + 1] for name, a in self.arrays.items()})
        return replace(self, first=self.first[k : k + 1], second=self.second[k : k + 1])

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Return the components of models one after the other."""
        one = parts[0]
        for part in parts[1:]:
            alike = (part.kind, part.facts) == (one.kind, one.facts)
            if not alike or not _same(part.shared, one.shared):
                raise PairingError(_DIFFERENT)
        arrays = {name: np.concatenate([part.rows(name) for part in parts]) for name in one.arrays}
        return cls(one.kind, arrays, one.shared, one.facts)

    def pairs(self, first: np.ndarray, second: np.ndarray) -> Self:
        """Return the components of differences of models."""
        if self.first is not None:
            raise ValueError("These components are differences already.")
        return replace(self, first=np.asarray(first), second=np.asarray(second))

    def __sub__(self, other: Self) -> Self:
        if self.kind != other.kind or self.facts != other.facts:
            raise PairingError(_DIFFERENT)
        parts = (self, other)
        arrays = {name: np.concatenate([x.rows(name) for x in parts]) for name in self.arrays}
        first, second = np.broadcast_arrays(np.arange(len(self)), len(self) + np.arange(len(other)))
        return type(self)(self.kind, arrays, self.shared, self.facts, first, second)

    def rows(self, name: str, part: slice = slice(None)) -> np.ndarray:
        """Return some rows of one of the arrays."""
        return of_pairs(self.arrays[name], self.first, self.second, part)

    def blocks(self) -> Iterator[slice]:
        """Yield parts of the models or pairs whose components fit into the cache, if possible."""
        return blocks_of(len(self), max(array[0].size for array in self.arrays.values()))


def _same(arrays: Mapping[str, np.ndarray], others: Mapping[str, np.ndarray]) -> bool:
    return arrays.keys() == others.keys() and all(
        np.array_equal(arrays[name], others[name]) for name in arrays
    )
