"""What single rows of test sets contribute: scores in each split, components of estimates."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

import numpy as np

from .._utils._arrays import as_array, as_numbers, entries_of
from ..exceptions import PairingError

# Variances of scores between these, and products of some, are in the range of floats.
_SMALLEST, _LARGEST = 1e-100, 1e100
IN_RANGE = (
    f"it must be from {_SMALLEST:g} to {_LARGEST:g}, or exactly 0, because squares of other "
    "numbers overflow or underflow"
)
# Numbers in a block of pairs: at 8 bytes each 2 MiB, which fit into the cache of a core.
_BLOCK = 2**18


def joined(parts: Iterable[Any], name: str, join: Callable[[list[Any]], Any]) -> Any:
    """Join the attribute of this name of all parts; None if a part lacks it."""
    values = [getattr(part, name) for part in parts]
    if any(value is None for value in values):
        return None
    return join(values)


def _freeze(values: Iterable[Any]) -> None:
    """Make those of the values that are arrays read-only."""
    for value in values:
        if isinstance(value, np.ndarray):
            value.flags.writeable = False


class Unchecked:
    """Base of classes whose constructor checks its arguments; `_made` skips the checks."""

    @classmethod
    def _made(cls, **fields: Any) -> Self:
        """Return an instance with all of these fields, unchecked; arrays become read-only."""
        _freeze(fields.values())
        instance = object.__new__(cls)
        vars(instance).update(fields)
        return instance


def largest_of(values: np.ndarray) -> np.ndarray:
    """Return the largest finite absolute score of each row; row by row, without a copy of all."""
    flat = values.reshape(math.prod(values.shape[:-1]), values.shape[-1])
    largest = [np.abs(row).max(where=np.isfinite(row), initial=0.0) for row in flat]
    return np.reshape(np.array(largest, dtype=float), values.shape[:-1])


def are_extreme(largest: np.ndarray) -> np.ndarray:
    """Return which scores are too large or too small for variances, by the largest of each row."""
    too_small = (largest > 0) & (largest < _SMALLEST)
    too_large = (largest > _LARGEST) & (largest < np.inf)
    return np.asarray(too_small | too_large)


def check_range(name: str, largest: np.ndarray) -> None:
    """Raise ValueError if numbers are too large or too small for variances.

    Parameters
    ----------
    name : str
        What the numbers are.
    largest : ndarray
        The largest absolute number of each row.
    """
    extreme = are_extreme(largest)
    if extreme.any():
        raise ValueError(
            f"The largest size in {name} is {largest[extreme][0]:.3g}; {IN_RANGE}. Multiply all of "
            "these numbers by a constant, so that they are nearer to 1."
        )


class Subtractable:
    """Base of data on estimators, or on differences that are stored as positions of estimators."""

    # The positions of the two estimators of each difference; None for estimators.
    first: np.ndarray | None
    second: Any  # an array where `first` is one

    def _select(self, values: np.ndarray, part: Any) -> np.ndarray:
        """Return some of the values of the estimators, or of their differences."""
        if self.first is None:
            return np.asarray(values[part])
        return np.asarray(values[self.first[part]] - values[self.second[part]])

    def _check_not_differences(self, noun: str) -> None:
        """Raise ValueError if these are differences."""
        if self.first is not None:
            raise ValueError(f"These {noun} are differences already.")


# The types that arrays may have; others become the first of them. Fits number rows by int32.
_DTYPES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("values", "weights"), (np.float64,)),
    **dict.fromkeys(("offsets", "groups", "times", "first", "second"), (np.intp,)),
    "rows": (np.intp, np.int32),
}
# The arrays that row scores may have besides their values, rows and offsets.
_OPTIONAL = ("groups", "weights", "first", "second", "times")


@dataclass(frozen=True, eq=False)
class RowScores(Subtractable, Unchecked):
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
    times : ndarray of int of shape (n_samples,), default=None
        The number of the time of each row of the data, in the order of time. None is the order of
        the rows.
    """

    values: np.ndarray
    rows: np.ndarray
    offsets: np.ndarray
    magnitude: np.ndarray = None  # type: ignore[assignment]  # made from values
    groups: np.ndarray | None = None
    weights: np.ndarray | None = None
    first: np.ndarray | None = None
    second: Any = None  # an array where `first` is one
    times: np.ndarray | None = None

    def __post_init__(self) -> None:
        values = _read_numbers("values", self.values)
        rows = _read_numbers("rows", self.rows)
        offsets = _read_numbers("offsets", self.offsets)
        for name in _OPTIONAL:
            numbers = getattr(self, name)
            if numbers is not None:
                vars(self)[name] = _read_numbers(name, numbers)
        vars(self).update(values=values, rows=rows, offsets=offsets)
        # The offsets are distinct, in ascending order, and begin with 0.
        is_ascending = np.array_equal(offsets, np.union1d(0, np.abs(offsets)))
        are_arrays = values.ndim > 0 and rows.ndim == 1 and offsets.size > 1
        if not are_arrays or not is_ascending or rows.min(initial=0) < 0:
            raise ValueError(
                f"values, rows and offsets have shapes {values.shape}, {rows.shape} and "
                f"{offsets.shape}; they must be the scores and the row numbers of all splits' "
                "test rows, and where each split's begin, from 0. RowScores.from_splits makes them."
            )
        if not values.shape[-1:] == rows.shape == (offsets[-1],):
            raise ValueError(
                f"{values.shape[-1]} scores and {rows.size} rows for {offsets[-1]} test rows."
            )
        if self.weights is not None and self.weights.shape != rows.shape:
            raise ValueError(f"{self.weights.size} weights for {rows.size} test rows.")
        last_row = int(rows.max())
        _check_numbers_of_rows("groups", self.groups, last_row)
        _check_numbers_of_rows("times", self.times, last_row)
        if not _are_pairs(self.first, self.second, len(values)):
            raise ValueError(
                f"first={self.first!r} and second={self.second!r} must be positions of estimators, "
                f"one of each for every difference, of scores of shape {values.shape}."
            )
        magnitude = self.magnitude
        if magnitude is None:
            magnitude = largest_of(values)
            if self.first is not None:
                magnitude = np.maximum(magnitude[self.first], magnitude[self.second])
        magnitude = check_magnitude(magnitude, self.shape)
        vars(self)["magnitude"] = read_only(magnitude)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(self._made, **vars(self)), ()  # so that copies are read-only too

    def _check_means(self, means: np.ndarray) -> None:
        """Raise ValueError unless these are the means of the splits, but for rounding."""
        row_means = self.means()
        # Probabilities in single precision are made to add to 1, which may change a score by 1e-5.
        rounding = 1e-4 * self.magnitude[..., np.newaxis]
        is_shaped = row_means.shape == means.shape
        if not is_shaped or not np.allclose(row_means, means, 0, rounding, equal_nan=True):
            raise ValueError(
                f"row_scores has means of shape {row_means.shape} over {len(self.offsets) - 1} "
                f"splits; values, of shape {means.shape}, must be these means."
            )

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
        sorted_scores = []
        sorted_rows = []
        for split_scores, split_rows in zip(scores, rows, strict=True):
            order = np.argsort(split_rows, kind="stable")
            sorted_scores.append(split_scores[..., order])
            sorted_rows.append(split_rows[order])
        offsets = np.cumsum([0, *map(len, rows)])
        return cls(np.concatenate(sorted_scores, axis=-1), np.concatenate(sorted_rows), offsets)

    @classmethod
    def _stacked(cls, parts: Sequence[Self]) -> Self:
        """Join the scores of estimators, of one each, on the same test rows."""
        for part in parts:
            part._check_same_rows(parts[0])
        stacked = {
            "values": joined(parts, "values", np.stack),
            "magnitude": joined(parts, "magnitude", np.stack),
        }
        return cls._made(**vars(parts[0]) | stacked)

    def block(self, part: Any = ..., values: Any = None) -> np.ndarray:
        """Return the scores of some estimators, or some of the differences.

        Parameters
        ----------
        part : slice or Ellipsis, default=Ellipsis
            Along the first axis; all by default.
        values : ndarray of shape (n_estimators, ...), default=None
            Something else of each estimator. None are the scores of all rows.

        Returns
        -------
        ndarray of shape (..., n_test_rows)
            Greater is better.
        """
        if values is None:
            values = self.values
        return self._select(values, part)

    def blocks(self) -> Iterator[slice]:
        """Return parts of the estimators or differences whose scores fit into the cache.

        Returns
        -------
        iterator of slice
            For `block`.
        """
        return _blocks(len(self.magnitude), self.rows.size)

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
        return self.rows[part], self.block(values=self.values[..., part])

    def means(self) -> np.ndarray:
        """Return the mean score of each split, weighted where there are weights.

        Returns
        -------
        ndarray of shape (..., n_splits)
            Greater is better.
        """
        # Of differences the means of the estimators are subtracted, not their rows.
        return self.block(values=self._means_of(self.values))

    def _means_of(self, values: np.ndarray) -> np.ndarray:
        """Return the mean of the values of all test rows in each split."""
        starts = self.offsets[:-1]
        sizes = np.diff(self.offsets)
        if self.weights is not None:
            values = values * self.weights
            sizes = np.add.reduceat(self.weights, starts)
        means: np.ndarray = np.add.reduceat(values, starts, axis=-1) / sizes
        return means

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
        positions = np.concatenate(parts)
        taken = {
            "values": self.values[..., positions],
            "rows": self.rows[positions],
            "offsets": np.cumsum([0, *map(len, parts)]),
            "weights": entries_of(self.weights, positions),
        }
        return self._made(**vars(self) | taken)

    def __getitem__(self, estimators: int | np.ndarray) -> Self:
        """Return the scores of one estimator or difference, or of several in this order."""
        taken: dict[str, Any] = {"magnitude": self.magnitude[estimators, ...]}
        if self.first is None:
            taken["values"] = self.values[estimators, ...]
        else:
            taken["first"] = self.first[estimators, ...]
            taken["second"] = self.second[estimators, ...]
        return self._made(**vars(self) | taken)

    def _flat(self) -> Self:
        """Return the same scores or differences, along one leading axis."""
        flat: dict[str, Any] = {"magnitude": self.magnitude.reshape(-1)}
        if self.first is None:
            flat["values"] = self.values.reshape(-1, self.values.shape[-1])
        else:
            flat["first"] = self.first.reshape(-1)
            flat["second"] = self.second.reshape(-1)
        return self._made(**vars(self) | flat)

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
        self._check_not_differences("scores")
        pairs = {
            "first": np.array(first, dtype=np.intp),
            "second": np.array(second, dtype=np.intp),
            "magnitude": np.maximum(self.magnitude[first], self.magnitude[second]),
        }
        return self._made(**vars(self) | pairs)

    def _check_same_rows(self, other: Self) -> None:
        """Raise PairingError unless both are scores of the same test rows."""
        for name in ("offsets", "rows", "weights"):
            if not np.array_equal(getattr(self, name), getattr(other, name)):
                raise PairingError(
                    "The row scores were measured on different test rows, or with different "
                    "weights. Score all estimators with the same cv."
                )

    def __sub__(self, other: Self) -> Self:
        self._check_same_rows(other)
        difference = {
            "values": self.block() - other.block(),
            "first": None,
            "second": None,
            "magnitude": np.maximum(self.magnitude, other.magnitude),
        }
        return self._made(**vars(self) | difference)


def _read_numbers(name: str, given: Any) -> np.ndarray:
    """Return numbers as a read-only array of one of the types that they may have."""
    array = as_array(name, given)
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} of dtype {array.dtype} must contain numbers.")
    dtypes = _DTYPES[name]
    dtype = array.dtype
    if dtype not in dtypes:
        dtype = np.dtype(dtypes[0])
    return read_only(array, dtype)


def _check_numbers_of_rows(name: str, numbers: np.ndarray | None, last_row: int) -> None:
    """Raise ValueError unless each row of the data has a number from 0 on."""
    if numbers is None:
        return
    if numbers.ndim != 1 or numbers.size <= last_row or numbers.min() < 0:
        raise ValueError(
            f"{name} has shape {numbers.shape}; it must number the {name[:-1]} of each row of the "
            f"data from 0, and row {last_row} is tested."
        )


def _are_pairs(first: np.ndarray | None, second: np.ndarray | None, n_estimators: int) -> bool:
    """Return whether positions are those of both estimators of each difference, or none."""
    if first is None or second is None:
        return first is second
    if first.shape != second.shape or first.ndim > 1:
        return False
    positions = np.stack([first, second])
    return bool(((positions >= 0) & (positions < n_estimators)).all())


def check_magnitude(magnitude: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return the largest absolute score of each row, after checking it."""
    array = as_numbers("magnitude", magnitude)
    if array.shape != shape or not ((array >= 0) & np.isfinite(array)).all():
        raise ValueError(
            f"magnitude={magnitude!r} must have shape {shape} and contain the largest absolute "
            "score of each row, finite and not negative; leave it out to have it computed."
        )
    return array


def read_only(array: np.ndarray, dtype: Any = np.float64) -> np.ndarray:
    """Return a read-only array that shares no writable memory."""
    if array.dtype == dtype and array.flags.owndata and not array.flags.writeable:
        return array
    copied = np.array(array, dtype=dtype)
    copied.flags.writeable = False
    return copied


def _blocks(length: int, width: int) -> Iterator[slice]:
    """Return parts of a table of this length that fit into the cache."""
    step = max(1, _BLOCK // max(width, 1))
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


def subtract(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a - b, read-only."""
    with np.errstate(over="ignore"):  # such scores are refused where they are used
        values: np.ndarray = a - b
    values.flags.writeable = False
    return values


def differences_of(part: Any, first: np.ndarray, second: np.ndarray) -> Any:
    """Return the differences of pairs of estimators in scores of rows or in components, if any."""
    return None if part is None else part.pairs(first, second)


@dataclass(frozen=True, eq=False)
class Components(Subtractable):
    """The contributions of rows, groups or replicates of a test set to the estimates of models."""

    kind: str
    arrays: Mapping[str, np.ndarray]
    shared: Mapping[str, np.ndarray] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    first: np.ndarray | None = None
    second: Any = None  # an array where `first` is one

    def __post_init__(self) -> None:
        _freeze([*self.arrays.values(), *self.shared.values()])

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **vars(self)), ()  # so that copies are read-only too

    def __len__(self) -> int:
        if self.first is not None:
            return len(self.first)
        return len(next(iter(self.arrays.values())))

    def __getitem__(self, positions: np.ndarray) -> Self:
        """Return the components of some models, or of some pairs."""
        if self.first is not None:
            return replace(self, first=self.first[positions], second=self.second[positions])
        arrays = {name: array[positions] for name, array in self.arrays.items()}
        return replace(self, arrays=arrays)

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Return the components of models one after the other.

        What they have of repeated runs is not taken along, as only that of one call can be
        subtracted.
        """
        first = parts[0]
        for part in parts[1:]:
            first._check_same_test_set(part)
        arrays = {
            name: np.concatenate([part.rows(name) for part in parts])
            for name in first.arrays
            if not name.startswith("run_")
        }
        return cls(first.kind, arrays, first.shared, first.facts)

    def _check_same_test_set(self, other: Self) -> None:
        """Raise PairingError unless both are components of one metric on one test set."""
        is_alike = (self.kind, self.facts, self.shared.keys()) == (
            other.kind,
            other.facts,
            other.shared.keys(),
        )
        if not is_alike or not all(
            np.array_equal(array, other.shared[name]) for name, array in self.shared.items()
        ):
            raise PairingError(
                "The two were measured on different test sets or by different metrics. Compare "
                "all in one call."
            )

    def pairs(self, first: np.ndarray, second: np.ndarray) -> Self:
        """Return the components of differences of models."""
        self._check_not_differences("components")
        return replace(self, first=np.asarray(first), second=np.asarray(second))

    def __sub__(self, other: Self) -> Self:
        first, second = np.broadcast_arrays(np.arange(len(self)), len(self) + np.arange(len(other)))
        return self.stacked([self, other]).pairs(first, second)

    def rows(self, name: str, part: slice = slice(None)) -> np.ndarray:
        """Return some rows of one of the arrays."""
        return self._select(self.arrays[name], part)

    def blocks(self) -> Iterator[slice]:
        """Yield parts of the models or pairs whose components fit into the cache, if possible."""
        widest = max(array[0].size for array in self.arrays.values())
        return _blocks(len(self), widest)
