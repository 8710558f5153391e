"""Draw the groups of test rows of bootstrap replicates, and the blocks that are left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

# Up to this number, groups are left out one by one; more groups in this many blocks.
_MOST_LEFT_OUT = 2000


@dataclass(frozen=True, eq=False)
class Resampling:
    """Draws groups with replacement: each replicate from its number and the seed alone."""

    n_groups: int
    seed: int
    strata: tuple[np.ndarray, ...] = ()

    def draw(self, replicate: int, attempt: int = 0) -> np.ndarray:
        """Return the groups of a replicate."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(replicate, attempt))
        generator = np.random.Generator(np.random.PCG64(sequence))
        if not self.strata:
            return generator.integers(0, self.n_groups, self.n_groups)
        parts = [of[generator.integers(0, len(of), len(of))] for of in self.strata]
        return np.concatenate(parts)

    def blocks(self) -> np.ndarray:
        """Return the blocks of groups that are left out together for the acceleration."""
        blocks = np.arange(self.n_groups) % _MOST_LEFT_OUT
        if self.n_groups <= _MOST_LEFT_OUT:
            return blocks
        sequence = np.random.SeedSequence(self.seed)
        return np.random.Generator(np.random.PCG64(sequence)).permutation(blocks)


def strata_of(classes: Any, codes: np.ndarray | None) -> tuple[np.ndarray, ...]:
    """Return the groups of each class, if each group has one class."""
    of_row = np.unique(np.asarray(classes), return_inverse=True)[1].reshape(-1)
    if codes is None:
        of_group = of_row
    else:
        of_group = np.zeros(codes.max() + 1, dtype=np.intp)
        of_group[codes] = of_row
        mixed = of_group[codes] != of_row
        if mixed.any():
            raise ValueError(
                "stratify=True draws groups within each class, but some groups hold rows of "
                f"several classes (the first of them is of row {int(np.argmax(mixed))}). Leave "
                "stratify out."
            )
    strata = tuple(np.flatnonzero(of_group == k) for k in range(of_group.max() + 1))
    if min(map(len, strata)) < 2:
        what = "row" if codes is None else "group"
        raise ValueError(
            f"stratify=True draws {what}s within each class, but there is only 1 {what} of one of "
            f"them, so it cannot be seen how its {what}s vary. Test on at least 2 {what}s of each "
            "class, better 10."
        )
    return strata
