"""SplitReader: gathers sizes, digests, pool and levels of splits, one split at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._arrays import as_labels
from ..exceptions import SplitDesignError
from ._diagnostics import PlaceWatcher, is_sorted, is_stratified, split_notes
from ._fingerprint import as_rows, from_the_start, raise_overlap, row_mask, split_digest
from ._notes import Note, union
from ._overlap import OverlapCounter, repeat_notes, trained_on_note
from ._stratification import are_stratified, classes_of, n_needed
from ._structure import UNITS, LevelRecognizer


class SplitReader:
    """Gathers the facts of a SplitDesign, one split at a time.

    Sizes count distinct rows, so a row that a resampling splitter repeats counts once.
    """

    def __init__(
        self,
        n_rows: int,
        *,
        groups: Any = None,
        y: Any = None,
        cv: Any = None,
        may_overlap: bool = False,
    ) -> None:
        self.n_rows = n_rows
        self._may_overlap = may_overlap
        self._n_overlapping = 0
        self._y = y
        self._stratified = is_stratified(cv)
        self._classes = classes_of(y) if self._stratified is None else None
        self._places = PlaceWatcher(0 if self._classes is None else n_needed(n_rows))
        self._recognizer = LevelRecognizer()
        self._codes = np.zeros(0, dtype=np.intp)
        if groups is not None:
            self._codes = _codes_of(groups)
        self._sizes: dict[str, list[tuple[int, int]]] = {unit: [] for unit in UNITS}
        self._covered: dict[str, list[int]] = {unit: [] for unit in UNITS}
        n_units = {"rows": n_rows, "groups": int(self._codes.max(initial=-1)) + 1}
        self._overlaps = {unit: OverlapCounter(n_units[unit]) for unit in UNITS}
        self._seen = np.zeros(n_rows, dtype=bool)
        self._rows_repeated = False
        self._groups_given = self._groups_whole = groups is not None
        self.digests: list[str] = []

    def add(self, train: Any, test: Any) -> tuple[np.ndarray, np.ndarray]:
        """Add the next split, and return its checked row numbers."""
        split = len(self.digests)
        if self._may_overlap:
            train, test = (from_the_start(rows, self.n_rows) for rows in (train, test))
        train = as_rows(train, split=split, side="train", n_rows=self.n_rows)
        test = as_rows(test, split=split, side="test", n_rows=self.n_rows)
        trained, tested = row_mask(train, self.n_rows), row_mask(test, self.n_rows)
        support = trained | tested
        sizes = int(np.count_nonzero(trained)), int(np.count_nonzero(tested))
        if sum(sizes) > np.count_nonzero(support):
            if not self._may_overlap:
                raise_overlap(trained & tested, test, split=split)
            self._n_overlapping += 1
        self.digests.append(split_digest(train, test))
        self._seen |= support
        self._sizes["rows"].append(sizes)
        self._covered["rows"].append(sum(sizes))
        self._recognizer.add(support, tested)
        self._places.add(train, test)
        self._overlaps["rows"].add(np.flatnonzero(tested))
        self._rows_repeated |= train.size + test.size > sum(sizes)
        if self._groups_whole:
            self._count_groups(train, test)
        return train, test

    def _count_groups(self, train: np.ndarray, test: np.ndarray) -> None:
        in_train, in_test = np.unique(self._codes[train]), np.unique(self._codes[test])
        self._groups_whole = np.intersect1d(in_train, in_test).size == 0
        self._sizes["groups"].append((in_train.size, in_test.size))
        self._covered["groups"].append(in_train.size + in_test.size)
        self._overlaps["groups"].add(in_test)

    def facts(
        self,
        *,
        n_samples: int | None = None,
        levels: tuple[str, ...] | None = None,
        shape: tuple[int, ...] = (),
    ) -> dict[str, Any]:
        """Return the fields of the SplitDesign of the splits so far."""
        if not self.digests:
            raise SplitDesignError(
                "cv yielded no split. A generator can be used only once: pass a splitter such as "
                "RepeatedSubsampleSplit(), or a list of (train, test) pairs."
            )
        unit = "groups" if self._groups_whole else "rows"
        if n_samples is None:
            n_samples = self.n_rows if unit == "rows" else int(self._codes.max()) + 1
        if levels is None:
            levels, shape = self._recognizer.levels(n_samples, self._covered[unit])
        return {
            "n_samples": n_samples,
            "n_train": tuple(int(a) for a, _ in self._sizes[unit]),
            "n_test": tuple(int(b) for _, b in self._sizes[unit]),
            "levels": levels,
            "shape": shape,
            "unit": unit,
            "digests": tuple(self.digests),
            "notes": self._notes(unit, n_samples, levels),
        }

    def _notes(self, unit: str, n_samples: int, levels: tuple[str, ...]) -> tuple[Note, ...]:
        n_rows = self.n_rows if unit == "groups" else n_samples
        inside = self.n_covered.min() == self.n_seen < n_rows
        seen = split_notes(
            n_splits=len(self.digests),
            stratified=self._looks_stratified(unit),
            torn=self._groups_given and unit == "rows",
            in_time_order=self._places.in_time_order,
            in_blocks=levels == ("fold",) and self._places.consecutive and is_sorted(self._y),
            rows_repeated=self._rows_repeated,
            subset=(self.n_seen, n_rows) if inside else None,
        )
        n_splits = len(self.digests)
        trained_on = [trained_on_note(self._n_overlapping, n_splits)] if self._n_overlapping else []
        return union(
            trained_on,
            repeat_notes(self.digests, n_samples, [b for _, b in self._sizes[unit]]),
            self._overlaps[unit].notes(n_samples, levels),
            seen,
        )

    def _looks_stratified(self, unit: str) -> bool:
        if self._classes is None or self._classes.size < self.n_rows:
            return bool(self._stratified)
        # Whole groups have no single class.
        return unit == "rows" and are_stratified(
            self._places.tests, np.flatnonzero(self._seen), self._classes
        )

    @property
    def n_seen(self) -> int:
        """Number of rows that occur in some split."""
        return int(np.count_nonzero(self._seen))

    @property
    def n_covered(self) -> np.ndarray:
        """How many rows each split covers, train and test together."""
        return np.array(self._covered["rows"])


def _codes_of(groups: Any) -> np.ndarray:
    """Return the groups numbered from 0."""
    labels = as_labels("groups", groups)
    try:
        return np.unique(labels, return_inverse=True)[1]
    except TypeError as error:
        raise TypeError(
            f"groups holds labels that cannot be sorted together ({error}); make them all strings, "
            "or all numbers."
        ) from error
