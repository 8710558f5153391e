"""The units that a splitter draws: rows, rows of known classes, or whole groups of rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from .._utils._arrays import missing_in
from .._utils._checks import n_rows
from ..exceptions import SplitDesignError


@dataclass(frozen=True, eq=False)
class Units:
    """The units to draw: rows, rows of known strata, or whole groups of rows."""

    n: int
    unit: str = "rows"
    strata: np.ndarray | None = None
    group_of_row: np.ndarray | None = None

    def draw(
        self, pool: np.ndarray, sizes: Sequence[int], random_state: np.random.RandomState
    ) -> list[np.ndarray]:
        """Draw disjoint parts of these sizes from the pool, each in random order."""
        pool = random_state.permutation(pool)
        if self.strata is None:
            # Copies, because a view would keep all of the pool alive.
            return [
                pool[stop - size : stop].copy()
                for size, stop in zip(sizes, accumulate(sizes), strict=True)
            ]
        strata = self.strata[pool]
        left = np.bincount(strata)
        table = []
        for size in sizes:
            table.append(proportional_counts(left, size, random_state))
            left = left - table[-1]
        parts = np.tile(np.arange(len(sizes) + 1, dtype=np.int8), len(left))
        part_of = np.empty(len(pool), dtype=np.int8)
        part_of[np.argsort(strata, kind="stable")] = np.repeat(
            parts, np.column_stack([*table, left]).ravel()
        )
        return [pool[part_of == part] for part in range(len(sizes))]

    def rows(self, units: np.ndarray, random_state: np.random.RandomState) -> np.ndarray:
        """Return the rows of these units, in random order."""
        if self.group_of_row is None:
            return units
        drawn = np.zeros(self.n, dtype=bool)
        drawn[units] = True
        return random_state.permutation(np.flatnonzero(drawn[self.group_of_row]))


def proportional_counts(
    counts: np.ndarray, total: int, random_state: np.random.RandomState
) -> np.ndarray:
    """Allocate `total` in proportion to `counts` by largest remainder, ties at random."""
    # Integers make ties exact. No count is exceeded: the units left over are
    # fewer than the classes with a remainder, and those have room for one more.
    allocated, remainders = np.divmod(counts * total, max(counts.sum(), 1))
    order = np.lexsort((random_state.permutation(len(counts)), -remainders))
    allocated[order[: total - allocated.sum()]] += 1
    return allocated


def make_units(X: Any, y: Any, groups: Any, *, stratify: bool, fewest: int) -> Units:
    """Check the data once, and return the units to draw."""
    n = n_rows(X)
    for name, values in (("y", y), ("groups", groups)):
        if values is not None and n_rows(values) != n:
            raise ValueError(f"{name} has {n_rows(values)} rows and X has {n}; pass one per row.")
    _require_units(n, "rows", fewest)
    if stratify and groups is not None:
        raise SplitDesignError(
            "groups with stratify=True cannot be drawn, whole groups have no single class; "
            "use stratify=False, or leave groups out."
        )
    if stratify:
        return Units(n, strata=_strata(y, fewest))
    if groups is None:
        return Units(n)
    codes = encode_labels("groups", groups)
    n_groups = int(codes.max()) + 1
    _require_units(n_groups, "groups", fewest)
    return Units(n_groups, "groups", group_of_row=codes)


def _require_units(n: int, unit: str, fewest: int) -> None:
    if n < fewest:
        raise SplitDesignError(
            f"The data have n={n} {unit}; at least {fewest} {unit} are needed, so pass more data."
        )


def encode_labels(name: str, values: Any) -> np.ndarray:
    """Return each label's rank (each row's, if there are columns) among the distinct ones."""
    # As objects, because NumPy turns the nan of the list ["a", nan] into the string "nan".
    values = np.asarray(values, dtype=None if hasattr(values, "__array__") else object)
    if values.ndim not in (1, 2):
        raise ValueError(f"{name} has {values.ndim} dimensions; pass a dense array of 1 or 2.")
    codes, *others = (_ranks(name, column) for column in values.reshape(len(values), -1).T)
    for ranks in others:
        # Ranked again for each column, so that the codes stay below n and cannot overflow.
        codes = np.unique(codes * (ranks.max() + 1) + ranks, return_inverse=True)[1]
    return codes.astype(np.min_scalar_type(codes.max()))


def _ranks(name: str, labels: np.ndarray) -> np.ndarray:
    if missing_in(labels).any():
        raise ValueError(f"{name} has missing labels (nan, None); fill or drop those rows.")
    try:
        return np.unique(labels, return_inverse=True)[1]
    except TypeError as error:
        raise ValueError(
            f"{name} has labels of types that cannot be sorted together; make them strings."
        ) from error


def _strata(y: Any, fewest: int) -> np.ndarray:
    """Return the class numbers of y; raise an error if a class has too few rows."""
    if y is None:
        raise SplitDesignError("stratify=True needs y; pass y, or use stratify=False.")
    codes = encode_labels("y", y)
    y = np.asarray(y)
    if y.dtype.kind == "f" and np.any(y != np.rint(y)):
        raise SplitDesignError(
            "y is continuous, and stratify=True needs classes; bin y, or use stratify=False."
        )
    counts = np.bincount(codes)
    rarest = int(np.argmin(counts))
    if counts[rarest] < fewest:
        raise SplitDesignError(
            f"Class {y[np.argmax(codes == rarest)]} of y has {counts[rarest]} row(s); "
            f"stratify=True needs at least {fewest} of each class. Merge rare classes, bin y if "
            f"it is a quantity, or use stratify=False."
        )
    return codes
