"""Comparisons: those of all metrics as one sequence, and what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar, overload

from .._utils._registry import Printed
from .._utils._text import counted
from ..scores import CVScores, Note, union
from ..stats import Inference
from ._comparison import Comparison
from ._pairs import PairTests
from ._saved import choose_metric
from ._time_order import refuse_in_time_order

T = TypeVar("T")


class LazySequence(Sequence[T], Generic[T]):
    """A sequence whose items are made on access, and kept."""

    def __init__(self, length: int, make: Callable[[int], T]) -> None:
        self._length = length
        self._make = make
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, k: int) -> T: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[T, ...]: ...
    def __getitem__(self, k: int | slice) -> T | tuple[T, ...]:
        if isinstance(k, slice):
            return tuple(self[position] for position in range(*k.indices(self._length)))
        if not -self._length <= k < self._length:
            why = f"there are {len(self)}, numbered from 0."
            if not len(self):
                why = "no pairs were compared; result.pairs() does. result.ranking() has scores."
            raise IndexError(f"There is no comparison at {k}: {why}")
        position = int(k) % self._length
        if position not in self._made:
            self._made[position] = self._make(position)
        return self._made[position]

    def __repr__(self) -> str:
        kind = type(self[0]).__name__ if len(self) else "Comparison"
        return f"<{counted(self._length, kind)}>"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparisons(Printed):
    """All comparisons that were made, metric by metric."""

    tests_by_metric: dict[str, PairTests]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order given."""
        return tuple(self.tests_by_metric)

    @property
    def _first(self) -> PairTests:
        return next(iter(self.tests_by_metric.values()))

    def _only(self, what: str) -> PairTests:
        """Return the tests of the only metric, or raise an error that says how to choose one."""
        if len(self.metrics) > 1:
            raise ValueError(choose_metric(self.metrics, f"{what}()"))
        return self._first

    @cached_property
    def comparisons(self) -> Sequence[Comparison]:
        """Every comparison made, metric by metric, the best estimators first."""
        refuse_in_time_order(self.notes)
        return LazySequence(len(self), self._comparison)

    def _comparison(self, k: int) -> Comparison:
        for tests in self.tests_by_metric.values():
            if k < len(tests):
                break
            k -= len(tests)
        return tests.comparison(k)

    @cached_property
    def tests(self) -> Sequence[Inference]:
        """The test of each comparison."""
        return LazySequence(len(self.comparisons), self._test)

    def _test(self, k: int) -> Inference:
        return self.comparisons[k].test

    @property
    def scores_by_metric(self) -> dict[str, CVScores]:
        """For each metric the scores, of shape (n_estimators, n_splits)."""
        return {metric: tests.scores for metric, tests in self.tests_by_metric.items()}

    @property
    def auxiliary_by_metric(self) -> dict[str, CVScores]:
        """The same on the auxiliary splits; empty if the procedure has none."""
        return {
            metric: tests.auxiliary
            for metric, tests in self.tests_by_metric.items()
            if tests.auxiliary is not None
        }

    @property
    def scores(self) -> CVScores:
        """The scores of the only metric, of shape (n_estimators, n_splits)."""
        if len(self.metrics) > 1:
            raise AttributeError(choose_metric(self.metrics, "scores"))
        return self._first.scores

    @property
    def notes(self) -> tuple[Note, ...]:
        """The limitations of any of the comparisons."""
        return union(*(tests.all_notes for tests in self.tests_by_metric.values()))

    @property
    def margin(self) -> tuple[float, float] | None:
        """The differences that do not matter, low < 0 < high; None without a margin."""
        return self._first.margin

    @property
    def names(self) -> tuple[str, ...]:
        """The estimators that are compared in any of the metrics."""
        parts = (tests.scores.labels for tests in self.tests_by_metric.values())
        return tuple(dict.fromkeys(name for labels in parts for name in labels))

    @property
    def n_adjusted(self) -> int:
        """The number of comparisons in each metric, for which p-values are adjusted.

        If estimators were left out of some metrics, it is the largest of these numbers.
        """
        return max(map(len, self.tests_by_metric.values()))

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return sum(map(len, self.tests_by_metric.values()))
