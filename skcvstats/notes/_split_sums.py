"""What the notes on splits need of all splits together, summed in one walk over them."""

from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from .._utils._arrays import as_labels, classes_in
from ._strata import n_needed


class SplitSums:
    """Sums over splits: of how often each row or group is tested, and which rows are used."""

    def __init__(self, n_rows: int, groups: Any = None, *, keeps_tests: bool = False) -> None:
        self.n_rows = n_rows
        self.n_splits = 0
        self.fewest_used = n_rows * 2  # different rows on both sides of a split
        self.rows_are_repeated = False
        self.tests_are_consecutive = True
        self.tests: list[np.ndarray] = []  # of the first splits, if they are kept
        self.used = np.zeros(n_rows, dtype=bool)
        # Of each unit `shares` has the sums of 1/sqrt(m) and of 1/m over the test sets of m units
        # that it is in.
        self.shares = {"rows": np.zeros((2, n_rows))}
        self._groups = groups
        self._n_tests_kept = n_needed(n_rows) if keeps_tests else 0

    def is_needed(self, n_test: int) -> bool:
        """Return that splits of ours, about which all is known, are not made for these sums."""
        return False

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """Add the next split, as row numbers."""
        trained, tested = sides = np.zeros((2, self.n_rows), dtype=bool)
        trained[train] = True
        tested[test] = True
        n_used = int(np.count_nonzero(sides))
        self.n_splits += 1
        self.fewest_used = min(self.fewest_used, n_used)
        self.rows_are_repeated |= train.size + test.size > n_used
        self.tests_are_consecutive &= 1 < test.size == np.ptp(test) + 1
        self.used[train] = True
        self.used[test] = True
        self._share("rows", np.flatnonzero(tested))
        if self._groups is not None:
            self._share("groups", np.unique(self._group_of_row[test]))
        if len(self.tests) < self._n_tests_kept:
            self.tests.append(test)

    @cached_property
    def _group_of_row(self) -> np.ndarray:
        codes = classes_in("groups", as_labels("groups", self._groups))[1]
        self.shares["groups"] = np.zeros((2, int(codes.max()) + 1))
        return codes

    def _share(self, unit: str, tested: np.ndarray) -> None:
        roots, weights = self.shares[unit]
        roots[tested] += 1 / sqrt(tested.size)
        weights[tested] += 1 / tested.size
