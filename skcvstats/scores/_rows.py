"""What single rows of test sets contribute: losses in each split, components of estimates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._utils._arrays import as_array, as_numbers
from .._utils._checks import is_integer
from ..exceptions import PairingError


@dataclass(frozen=True, eq=False)
class RowLosses:
    """Per-row losses of the test rows of every split.

    Parameters
    ----------
    values : ndarray of shape (..., n_test_rows)
        The losses (smaller is better) of all splits' test rows, one split after the other, the
        rows of a split in ascending order.
    rows : ndarray of shape (n_test_rows,)
        The row number that each value belongs to.
    offsets : ndarray of shape (n_splits + 1,)
        Split k's losses are ``values[..., offsets[k]:offsets[k + 1]]``.
    magnitude : ndarray of shape (...), default=None
        The largest absolute loss before any subtraction. None computes it from `values`.
    """

    values: np.ndarray
    rows: np.ndarray
    offsets: np.ndarray
    magnitude: np.ndarray = None  # type: ignore[assignment]  # made from values

    def __post_init__(self) -> None:
        for name, dtype in (("values", np.float64), ("rows", np.intp), ("offsets", np.intp)):
            array = as_array(name, getattr(self, name))
            if array.dtype.kind not in "iuf":
                raise ValueError(f"{name} of dtype {array.dtype} must hold numbers.")
            object.__setattr__(self, name, read_only(array, dtype))
        if not (self.values.ndim and self.rows.ndim == self.offsets.ndim == 1 and self._in_order()):
            raise ValueError(
                f"values, rows and offsets have shapes {self.values.shape}, {self.rows.shape} and "
                f"{self.offsets.shape}; they must be the losses and the row numbers of all splits' "
                "test rows, and where each split's begin, from 0 on. RowLosses.from_splits makes "
                "them."
            )
        magnitude = self.magnitude
        if magnitude is None:
            values = self.values
            magnitude = np.abs(values).max(axis=-1, where=np.isfinite(values), initial=0.0)
        magnitude = check_magnitude(magnitude, self.values.shape[:-1])
        object.__setattr__(self, "magnitude", read_only(magnitude))
        if not self.values.shape[-1:] == self.rows.shape == (self.offsets[-1],):
            raise ValueError(
                f"{self.values.shape[-1]} losses and {self.rows.size} rows for "
                f"{self.offsets[-1]} test rows."
            )

    def _in_order(self) -> bool:
        sizes = np.diff(self.offsets)
        return sizes.size > 0 and self.offsets[0] == 0 and bool((sizes > 0).all())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.values, self.rows, self.offsets, self.magnitude)

    @classmethod
    def from_splits(cls, losses: Sequence[np.ndarray], rows: Sequence[np.ndarray]) -> RowLosses:
        """Join the losses of each split, given with their row numbers in any order.

        Parameters
        ----------
        losses : sequence of ndarray of shape (..., n_test)
            The losses of each split.
        rows : sequence of ndarray of shape (n_test,)
            The row numbers of each split.
        """
        orders = [np.argsort(part, kind="stable") for part in rows]
        return cls(
            np.concatenate([a[..., o] for a, o in zip(losses, orders, strict=True)], axis=-1),
            np.concatenate([r[o] for r, o in zip(rows, orders, strict=True)]),
            np.concatenate([[0], np.cumsum([len(part) for part in rows])]),
        )

    @classmethod
    def stacked(cls, parts: Sequence[RowLosses]) -> RowLosses:
        """Join the losses of estimators on the same test rows.

        Parameters
        ----------
        parts : sequence of RowLosses
            Of one estimator each.
        """
        for part in parts:
            part.check_same_rows(parts[0])
        values = np.stack([part.values for part in parts])
        magnitude = np.stack([part.magnitude for part in parts])
        return cls(values, parts[0].rows, parts[0].offsets, magnitude)

    def split(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the row numbers and the losses of one split.

        Parameters
        ----------
        k : int
            Which split.

        Returns
        -------
        rows : ndarray of shape (n_test,)
            In ascending order.
        losses : ndarray of shape (..., n_test)
            Smaller is better.
        """
        part = slice(self.offsets[k], self.offsets[k + 1])
        return self.rows[part], self.values[..., part]

    def means(self) -> np.ndarray:
        """Return the mean loss of each split.

        Returns
        -------
        ndarray of shape (..., n_splits)
            Smaller is better.
        """
        sizes = np.diff(self.offsets)
        return np.add.reduceat(self.values, self.offsets[:-1], axis=-1) / sizes

    def take(self, splits: Sequence[int]) -> RowLosses:
        """Return the losses of some of the splits.

        Parameters
        ----------
        splits : sequence of int
            Which splits.

        Returns
        -------
        RowLosses
            In the order asked for.
        """
        parts = [self.split(k) for k in splits]
        taken = type(self).from_splits([losses for _, losses in parts], [rows for rows, _ in parts])
        return replace(taken, magnitude=self.magnitude)

    def __getitem__(self, estimators: int | np.ndarray) -> RowLosses:
        """Return the losses of one estimator, or of several in this order."""
        if not is_integer(estimators) and not isinstance(estimators, np.ndarray):
            raise TypeError(f"Expected an integer or an array of integers, got {estimators!r}.")
        return replace(self, values=self.values[estimators], magnitude=self.magnitude[estimators])

    def check_same_rows(self, other: RowLosses) -> None:
        """Raise PairingError unless both are losses of the same test rows.

        Parameters
        ----------
        other : RowLosses
            To compare with.
        """
        if not (
            np.array_equal(self.offsets, other.offsets) and np.array_equal(self.rows, other.rows)
        ):
            raise PairingError(
                "The losses were measured on different test rows. Score all estimators with the "
                "same cv."
            )

    def __sub__(self, other: RowLosses) -> RowLosses:
        self.check_same_rows(other)
        magnitude = np.maximum(self.magnitude, other.magnitude)
        return type(self)(self.values - other.values, self.rows, self.offsets, magnitude)


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
    """Return a read-only array that does not share its memory."""
    array = np.array(array, dtype=dtype)
    array.flags.writeable = False
    return array


# Numbers in a block of pairs: at 8 bytes each 2 MiB, which fit into the cache of a core.
_BLOCK = 2**18


_DIFFERENT = (
    "The two were measured on different test sets or by different metrics. Compare all models in "
    "one call."
)


@dataclass(frozen=True, eq=False)
class Components:
    """The contributions of rows, groups or replicates of a test set to the estimates of models.

    The components of a difference of two models are the differences of their components, so a
    procedure for one model also applies to a difference. Pairs are stored as pairs of positions and
    subtracted block by block, because all differences of many models on many rows would fill the
    memory.
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

    def row(self, k: int) -> Components:
        """Return the components of one model, or of one pair."""
        if self.first is None or self.second is None:
            return replace(self, arrays={name: a[k : k + 1] for name, a in self.arrays.items()})
        return replace(self, first=self.first[k : k + 1], second=self.second[k : k + 1])

    @classmethod
    def stacked(cls, parts: Sequence[Components]) -> Components:
        """Return the components of models one after the other."""
        one = parts[0]
        for part in parts[1:]:
            if (part.kind, part.facts) != (one.kind, one.facts) or not _same(
                part.shared, one.shared
            ):
                raise PairingError(_DIFFERENT)
        whole = slice(None)
        arrays = {
            name: np.concatenate([part.rows(name, whole) for part in parts]) for name in one.arrays
        }
        return cls(one.kind, arrays, one.shared, one.facts)

    def pairs(self, first: np.ndarray, second: np.ndarray) -> Components:
        """Return the components of differences of models."""
        if self.first is not None:
            raise ValueError("These components are differences already.")
        return replace(self, first=np.asarray(first), second=np.asarray(second))

    def __sub__(self, other: Components) -> Components:
        if self.kind != other.kind or self.facts != other.facts:
            raise PairingError(_DIFFERENT)
        whole = slice(None)
        arrays = {
            name: np.concatenate([self.rows(name, whole), other.rows(name, whole)])
            for name in self.arrays
        }
        n_first, n_second = len(self), len(other)
        first, second = np.broadcast_arrays(np.arange(n_first), n_first + np.arange(n_second))
        return Components(self.kind, arrays, self.shared, self.facts, first, second)

    def rows(self, name: str, part: slice) -> np.ndarray:
        """Return some rows of one of the arrays."""
        array = self.arrays[name]
        if self.first is None or self.second is None:
            return array[part]
        return array[self.first[part]] - array[self.second[part]]

    def blocks(self) -> Iterator[slice]:
        """Yield parts of the models or pairs whose components fit into the cache, if possible."""
        widest = max(array[0].size for array in self.arrays.values())
        step = max(1, _BLOCK // max(widest, 1))
        for start in range(0, len(self), step):
            yield slice(start, min(start + step, len(self)))


def _same(arrays: Mapping[str, np.ndarray], others: Mapping[str, np.ndarray]) -> bool:
    return arrays.keys() == others.keys() and all(
        np.array_equal(arrays[name], others[name]) for name in arrays
    )
