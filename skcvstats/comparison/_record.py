"""ComparisonRecord: the comparisons that were made, by metric and by position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, overload

from .._utils._checks import is_integer, listed
from ..scores import CVScores, Note, union
from ..stats import Inference
from ._comparison import Comparison
from ._lazy import LazySequence
from ._missing import Dropped
from ._pairs import PairTests


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ComparisonRecord:
    """The comparisons that were made, the scores they were made from, and what was left out."""

    tests_by_metric: dict[str, PairTests]
    reference: str | None
    adjustment: str
    confidence_level: float = 0.95
    dropped: tuple[Dropped, ...] = ()
    warned: tuple[Note, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order given."""
        return tuple(self.tests_by_metric)

    @cached_property
    def comparisons(self) -> Sequence[Comparison]:
        """Every comparison made, metric by metric, the best estimators first."""
        return LazySequence(sum(map(len, self.tests_by_metric.values())), self._comparison)

    def _comparison(self, k: int) -> Comparison:
        for tests in self.tests_by_metric.values():
            if k < len(tests):
                break
            k -= len(tests)
        return tests.comparison(k, self.confidence_level)

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
            raise AttributeError(
                f"There are several metrics: {listed(self.metrics)}. Choose one, for example "
                f"result[{self.metrics[0]!r}].scores."
            )
        return self.scores_by_metric[self.metrics[0]]

    @property
    def notes(self) -> tuple[Note, ...]:
        """The limitations of any of the comparisons."""
        return union(*(tests.all_notes for tests in self.tests_by_metric.values()))

    @property
    def margin(self) -> tuple[float, float] | None:
        """The differences that do not matter, low < 0 < high; None without a margin."""
        return next(iter(self.tests_by_metric.values())).margin

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
        return len(self.comparisons)

    @overload
    def __getitem__(self, key: str) -> Self: ...
    @overload
    def __getitem__(self, key: int) -> Comparison: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Comparison, ...]: ...
    def __getitem__(self, key: str | int | slice) -> Any:
        """Return the result of a metric by its name, or a comparison by its position."""
        if isinstance(key, slice):
            return self.comparisons[key]
        if is_integer(key):
            return self._at(int(key))
        if not isinstance(key, str):
            raise TypeError(
                f"result[{key!r}]: expected the position of a comparison, such as result[0], or "
                f"the name of a metric, such as result[{self.metrics[0]!r}]."
            )
        if key not in self.tests_by_metric:
            lost = [entry for entry in self.dropped if entry.metric == key]
            why = f" {lost[0].cause}; it was left out." if lost else ""
            raise KeyError(f"{key!r} is not among the metrics {list(self.metrics)}.{why}")
        dropped = tuple(entry for entry in self.dropped if entry.metric in (None, key))
        return replace(self, tests_by_metric={key: self.tests_by_metric[key]}, dropped=dropped)

    def _at(self, position: int) -> Comparison:
        if not -len(self) <= position < len(self):
            raise IndexError(
                f"There is no comparison at {position}: there are {len(self)}, numbered from 0."
            )
        return self.comparisons[position]

    def _only(self, what: str) -> PairTests:
        """Return the tests of the only metric, or raise an error that says how to choose one."""
        if len(self.metrics) > 1:
            raise ValueError(
                f"There are several metrics: {listed(self.metrics)}. Choose one, for example "
                f"result[{self.metrics[0]!r}].{what}()."
            )
        return next(iter(self.tests_by_metric.values()))
