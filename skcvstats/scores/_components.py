"""Components: the contributions of rows, groups or replicates of a test set to each estimate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..exceptions import PairingError

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
