"""How splits are arranged and what they were drawn from, as far as row numbers tell."""

from collections.abc import Sequence

import numpy as np

from ..exceptions import SplitDesignError

# One test set on which fitted models are compared, whatever they were trained on.
TEST_SET = ("test set",)
LEVELS = (
    ("split",),
    ("fold",),
    ("repeat", "fold"),
    ("pair", "half", "split"),
    ("replicate", "split"),
)
UNITS = ("rows", "groups")
# A design holds two sizes for each, and a plan of this many takes a second.
MOST_SPLITS = 10**6
# The levels that mean something only as wholes: a pair of half-samples, a replicate.
BLOCKS = ("pair", "replicate")

# Below this many rows, half-samples can coincide by chance.
_FEWEST_ROWS_FOR_HALVES = 20


def arrangement_of(
    splits: Sequence[int], levels: tuple[str, ...], shape: tuple[int, ...]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return how some of the splits are arranged: in whole pairs or replicates, or not at all."""
    block = int(np.prod(shape[1:]))
    if levels[0] in BLOCKS and len(splits) % block == 0:
        blocks = np.reshape(splits, (-1, block))
        if np.array_equal(blocks, blocks[:, :1] // block * block + np.arange(block)):
            return levels, (len(blocks), *shape[1:])
    return ("split",), (len(splits),)


def infer_pool(n_seen: int, covered: np.ndarray) -> int:
    """Infer how many rows the splits were drawn from, or ask for it.

    Notes
    -----
    If each split covers m of n rows at random, a given row is missed by all J splits with
    probability (1 - m/n)^J. Where the expected number of missed rows is below one half, the rows
    seen are the pool.
    """
    if covered.max() == n_seen:
        return n_seen
    expected_missed = n_seen * (1 - covered.mean() / n_seen) ** covered.size
    if expected_missed < 0.5:
        return n_seen
    raise SplitDesignError(
        f"The {covered.size} splits use {n_seen} rows and none covers them all, so the number of "
        "rows they were drawn from cannot be known from the indices. Pass n_samples=, the number "
        "of rows of the data; CVScores.from_cv_results takes it."
    )


class LevelRecognizer:
    """Watch splits go by and recognize folds and half-sample pairs.

    What is recognized only admits a procedure or raises a warning; it never selects a formula.

    Notes
    -----
    Folds are consecutive blocks of splits that share one support S (train and test together),
    whose test sets are disjoint and cover S, each block with the same number of folds. Half pairs
    are runs of equal length with one support each, of floor(n/2) rows, disjoint from the support
    of the other run of the pair. Splits are seen one at a time, so that nothing of the size
    n_splits x n is held.
    """

    def __init__(self) -> None:
        self._n_splits = 0
        self._block: np.ndarray | None = None
        self._covered: np.ndarray = np.zeros(0, dtype=bool)
        self._blocks: list[int] = []
        self._folds = True
        self._support: np.ndarray | None = None
        self._runs: list[int] = []
        self._halves = True

    def add(self, support: np.ndarray, tested: np.ndarray) -> None:
        """See the next split, as masks of the rows that it covers and of those it tests on."""
        self._n_splits += 1
        if self._folds:
            self._add_fold(support, tested)
        if self._halves:
            self._add_half(support)

    def _add_fold(self, support: np.ndarray, tested: np.ndarray) -> None:
        if self._block is None:
            self._block, self._covered = support, tested.copy()
            self._blocks.append(1)
        elif np.array_equal(support, self._block) and not (self._covered & tested).any():
            self._covered |= tested
            self._blocks[-1] += 1
        else:
            self._folds = False
            return
        if np.array_equal(self._covered, self._block):
            self._block = None

    def _add_half(self, support: np.ndarray) -> None:
        previous, self._support = self._support, support
        if previous is not None and np.array_equal(previous, support):
            self._runs[-1] += 1
            return
        self._runs.append(1)
        second_half = len(self._runs) % 2 == 0
        if second_half and previous is not None:
            self._halves = not (previous & support).any()

    def levels(
        self, n_samples: int, covered: Sequence[int]
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the names of the levels and how many there are of each."""
        if self._folds and self._block is None and len(set(self._blocks)) == 1:
            n_repeats, n_folds = len(self._blocks), self._blocks[0]
            if n_folds >= 2 and n_repeats == 1:
                return ("fold",), (n_folds,)
            if n_folds >= 2:
                return ("repeat", "fold"), (n_repeats, n_folds)
        if (
            self._halves
            and n_samples >= _FEWEST_ROWS_FOR_HALVES
            and len(self._runs) % 2 == 0
            and set(covered) == {n_samples // 2}
            and len(set(self._runs)) == 1
            and self._runs[0] >= 2
        ):
            return ("pair", "half", "split"), (len(self._runs) // 2, 2, self._runs[0])
        return ("split",), (self._n_splits,)
