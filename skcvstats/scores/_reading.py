"""Read the facts about splits, one split at a time: from row numbers, or from a splitter.

How splits are arranged and what they were drawn from is recognized as far as row numbers tell.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .._utils._arrays import as_labels, classes_in, split_digest, target_digest
from .._utils._checks import is_array, n_rows, one_line
from .._utils._shared_arguments import check_integer
from .._utils._text import counted
from ..exceptions import SplitDesignError
from ._notes import Note
from ._split_facts import (
    DRAWN_FROM_ALL,
    GROUPS_TORN,
    TIME_ORDER,
    repeat_notes,
    same_test_rows,
    trained_on,
)

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
# The levels that mean something only as wholes: a pair of half-samples, a replicate.
BLOCKS = ("pair", "replicate")

# Below this many rows, half-samples can coincide by chance.
_FEWEST_ROWS_FOR_HALVES = 20


def as_rows(part: Any, *, split: int, side: str, n_rows: float = math.inf) -> np.ndarray:
    """Return one side of a split, or a mask, as non-negative row numbers, or raise an error."""
    rows = np.asarray(part)
    where = f"split {split}, {side} rows"
    if rows.ndim != 1:
        raise SplitDesignError(f"{where}: expected a 1-d array of row numbers, got {rows.ndim}-d.")
    if rows.dtype == bool:
        if n_rows not in (rows.size, math.inf):  # which is not known
            raise SplitDesignError(
                f"{where}: a mask of {rows.size} entries for {n_rows} rows; it needs one for each."
            )
        rows = np.flatnonzero(rows)
    if rows.size == 0:
        raise SplitDesignError(f"{where}: empty. Every split needs at least one row on each side.")
    if rows.dtype.kind not in "iu":
        raise SplitDesignError(f"{where}: expected integer row numbers, got dtype {rows.dtype}.")
    low = int(rows.min())
    high = int(rows.max())
    if not 0 <= low <= high < n_rows:
        raise SplitDesignError(
            f"{where}: row numbers from {low} to {high}; they must be at least 0 and below "
            f"{n_rows}, the number of rows as far as it is known (y and groups need one entry for "
            "each row)."
        )
    return rows


class Arrangement:
    """Recognizes folds, and pairs of half-samples, for a note; it never selects a formula."""

    # Folds are blocks of splits of the same rows, whose disjoint test sets cover them. Half pairs
    # are runs of equal length of the same floor(n/2) rows, without a row in common.

    def __init__(self, n_rows: int) -> None:
        self._support = np.zeros(n_rows, dtype=bool)  # the rows of the last split
        self._covered = np.zeros(n_rows, dtype=bool)  # those that the folds before tested on
        self._blocks: list[int] = []
        self._runs: list[int] = []
        self._are_folds = True
        self._are_halves = True
        self._is_block_whole = True

    def add(self, support: np.ndarray, tested: np.ndarray) -> None:
        """Add the next split: which rows it has, and which of them it tests on."""
        is_same = np.array_equal(support, self._support)
        if self._is_block_whole:
            self._blocks.append(0)
        elif not is_same or (self._covered & tested).any():
            self._are_folds = False
        if not is_same:
            self._runs.append(0)
            is_first_of_pair = len(self._runs) % 2 == 1
            self._are_halves &= is_first_of_pair or not (support & self._support).any()
        self._blocks[-1] += 1
        self._runs[-1] += 1
        self._covered |= tested
        self._is_block_whole = np.array_equal(self._covered, support)
        if self._is_block_whole:
            self._covered[:] = False
        self._support = support

    def levels(
        self, n_samples: int, sizes: Sequence[tuple[int, int]]
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the levels of the splits, and how many there are of each."""
        n_blocks = len(self._blocks)
        n_folds = self._blocks[0]
        are_equal_blocks = self._is_block_whole and set(self._blocks) == {n_folds}
        if self._are_folds and are_equal_blocks and n_folds > 1:
            if n_blocks > 1:
                return ("repeat", "fold"), (n_blocks, n_folds)
            return ("fold",), (n_folds,)
        n_runs = len(self._runs)
        n_splits = self._runs[0]
        are_halves_used = np.sum(sizes, axis=1) == n_samples // 2
        are_halves = n_samples >= _FEWEST_ROWS_FOR_HALVES and are_halves_used.all()
        are_equal_runs = n_runs % 2 == 0 and set(self._runs) == {n_splits}
        if self._are_halves and are_halves and are_equal_runs and n_splits > 1:
            return ("pair", "half", "split"), (n_runs // 2, 2, n_splits)
        return ("split",), (len(sizes),)


def _counted_from_the_start(part: Any, n_rows: int) -> np.ndarray:
    """Return row numbers, where negative ones, which count from the end, become usual ones."""
    rows = np.asarray(part)
    if rows.dtype.kind == "i" and -n_rows <= rows.min(initial=0) < 0:
        return np.where(rows < 0, rows + n_rows, rows)
    return rows


class Sides:
    """How many rows, or groups, the splits have on each side, and whether all test on the same."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []
        self.tests_are_equal = True
        self._last_test: np.ndarray | None = None

    def add(self, n_train: int, tested: np.ndarray) -> None:
        """Add the next split: how many it trains on, and which it tests on, in ascending order."""
        self.sizes.append((n_train, tested.size))
        if self._last_test is not None:
            self.tests_are_equal &= np.array_equal(tested, self._last_test)
        self._last_test = tested


class SplitReader:
    """Gathers the facts of a SplitDesign, split by split; sizes count repeated rows once."""

    def __init__(
        self,
        n_rows: int,
        *,
        groups: Any = None,
        may_overlap: bool = False,
    ) -> None:
        self.n_rows = n_rows
        self.digests: list[str] = []
        self._may_overlap = may_overlap
        self._n_overlapping = 0
        self._in_time_order = True
        self._arrangement = Arrangement(n_rows)
        self._seen = np.zeros(n_rows, dtype=bool)
        self._codes = np.zeros(0, dtype=np.intp)
        if groups is not None:
            self._codes = classes_in("groups", as_labels("groups", groups))[1]
        self._groups_whole = groups is not None
        self._groups_torn = False
        self._rows = Sides()
        self._groups = Sides()

    def add(self, train: Any, test: Any) -> tuple[np.ndarray, np.ndarray]:
        """Add the next split, and return its checked row numbers."""
        split = len(self.digests)
        if self._may_overlap:
            train = _counted_from_the_start(train, self.n_rows)
            test = _counted_from_the_start(test, self.n_rows)
        train = as_rows(train, split=split, side="train", n_rows=self.n_rows)
        test = as_rows(test, split=split, side="test", n_rows=self.n_rows)
        trained, tested = np.zeros((2, self.n_rows), dtype=bool)
        trained[train] = True
        tested[test] = True
        support = trained | tested
        shared = np.flatnonzero(trained & tested)
        if shared.size:
            self._add_overlapping(shared, test)
        self.digests.append(split_digest(train, test))
        self._seen |= support
        self._arrangement.add(support, tested)
        self._in_time_order &= bool(train.max() < test.min())
        self._rows.add(int(np.count_nonzero(trained)), np.flatnonzero(tested))
        if self._groups_whole:
            in_train = np.unique(self._codes[train])
            in_test = np.unique(self._codes[test])
            self._groups_torn = np.intersect1d(in_train, in_test).size > 0
            self._groups_whole = not self._groups_torn
            self._groups.add(in_train.size, in_test)
        return train, test

    def _add_overlapping(self, shared: np.ndarray, test: np.ndarray) -> None:
        """Count a split that tests on rows that it trains on, or refuse it."""
        if not self._may_overlap:
            raise SplitDesignError(
                f"split {len(self.digests)}: {shared.size} of the {test.size} test rows are also "
                f"training rows (row {shared[0]} is the first), so the scores would measure "
                "memorization. Pass a cv whose training and test rows do not overlap."
            )
        self._n_overlapping += 1

    def facts(
        self, n_samples: int | None = None, levels: Any = None, shape: Any = ()
    ) -> dict[str, Any]:
        """Return the fields of the SplitDesign of the splits so far."""
        if not self.digests:
            raise SplitDesignError(
                "cv yielded no split. A generator can be used only once: pass a splitter such as "
                "RepeatedSubsampleSplit(), or a list of (train, test) pairs."
            )
        unit = "rows"
        sides = self._rows
        n_units = self.n_rows
        if self._groups_whole:
            unit = "groups"
            sides = self._groups
            n_units = int(self._codes.max()) + 1
        if n_samples is None:
            n_samples = n_units
        if levels is None:
            levels, shape = self._arrangement.levels(n_samples, sides.sizes)
        n_train, n_test = zip(*sides.sizes, strict=True)
        return {
            "n_samples": n_samples,
            "n_train": n_train,
            "n_test": n_test,
            "levels": levels,
            "shape": shape,
            "unit": unit,
            "digests": tuple(self.digests),
            "notes": tuple(self._notes(n_samples, sides, n_test, levels)),
        }

    def _notes(
        self, n_samples: int, sides: Sides, n_test: Sequence[int], levels: tuple[str, ...]
    ) -> Iterator[Note]:
        """Yield the notes by which procedures refuse splits, or another one is chosen."""
        n_splits = len(self.digests)
        if self._n_overlapping:
            yield trained_on(self._n_overlapping, counted(n_splits, "split"))
        yield from repeat_notes(self.digests, n_samples, n_test)
        if n_splits > 1 and levels in DRAWN_FROM_ALL and sides.tests_are_equal:
            yield same_test_rows(n_splits)
        if self._groups_torn:
            yield GROUPS_TORN
        if n_splits > 1 and self._in_time_order:
            yield TIME_ORDER

    def pool(self, y: Any) -> int:
        """Return the pool of splits without the data, by what they cover, or by y."""
        covered = np.sum(self._rows.sizes, axis=1)
        n_seen = int(np.count_nonzero(self._seen))
        # A split that covers all rows that occur was drawn within these, even if y has more.
        if y is not None and covered.max() < n_seen:
            return n_rows(y)
        # If each of J splits covers m of n rows, one is missed by all with probability (1 - m/n)^J.
        # Where less than half a row is expected to be missed, the rows seen are the pool.
        expected_missed = n_seen * (1 - covered.mean() / n_seen) ** covered.size
        if covered.max() == n_seen or expected_missed < 0.5:
            return n_seen
        raise SplitDesignError(
            f"The {covered.size} splits use {n_seen} rows and none covers them all, so the number "
            "of rows they were drawn from cannot be known from the indices. Pass n_samples=, the "
            "number of rows of the data; CVScores.from_cv_results takes it."
        )


def _known_size(n_samples: Any, y: Any, groups: Any) -> float:
    """Return the number of rows by n_samples, y or groups; infinity if none is given."""
    counts = {}
    if n_samples is not None:
        if groups is not None:
            raise SplitDesignError(
                f"n_samples={n_samples} and groups are both given; leave n_samples out, since "
                "sizes count groups and groups tell how many there are."
            )
        counts["n_samples"] = check_integer("n_samples", n_samples, 1)
    counts |= {name: n_rows(x) for name, x in (("y", y), ("groups", groups)) if x is not None}
    if len(set(counts.values())) > 1:
        raise SplitDesignError(f"The number of rows differs between {counts}; pass them alike.")
    return next(iter(counts.values()), math.inf)


def _check_side(name: str, parts: Any) -> None:
    """Raise SplitDesignError for anything else than a list."""
    if not is_array(parts):
        raise SplitDesignError(
            f"{name}={one_line(parts)} must be a list with the row numbers of each split."
        )


def read_indices(
    train: Any, test: Any, n_samples: int | None, groups: Any, y: Any, levels: Any, shape: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields of the SplitDesign of splits whose rows are known, and their evidence."""
    _check_side("train", train)
    _check_side("test", test)
    if not 0 < len(train) == len(test):
        raise SplitDesignError(
            f"{len(train)} training, {len(test)} test parts; pass as many of each, at least one."
        )
    n_known = _known_size(n_samples, y, groups)
    pairs = []
    known_rows = 0
    for k, (train_part, test_part) in enumerate(zip(train, test, strict=True)):
        train_rows = as_rows(train_part, split=k, side="train", n_rows=n_known)
        test_rows = as_rows(test_part, split=k, side="test", n_rows=n_known)
        pairs.append([train_rows, test_rows])
        known_rows = max(known_rows, int(train_rows.max()) + 1, int(test_rows.max()) + 1)
    if groups is not None:
        known_rows = n_rows(groups)
    reader = SplitReader(known_rows, groups=groups)
    for train_rows, test_rows in pairs:
        reader.add(train_rows, test_rows)
    if n_samples is None and groups is None:
        n_samples = reader.pool(y)
    facts = {**reader.facts(n_samples, levels, shape), "y_digest": target_digest(y)}
    return facts, {"pairs": pairs, "y": y, "groups": groups, "n_rows": known_rows}
