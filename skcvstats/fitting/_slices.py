"""Scores of the rows of a slice, by the fits on all rows: as those of out-of-fold predictions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from .._utils._arrays import entries_of
from ..scores import CVScores, RowScores
from ..stats import Procedure, read_groups
from ._gather import FitPlan, Fits, Measured
from ._metrics import Metric
from ._plan import plan_folds


@dataclass(frozen=True, kw_only=True)
class SlicedFits(FitPlan):
    """A plan of fits whose rows are also scored slice by slice."""

    @classmethod
    def of(cls, plan: FitPlan) -> Self:
        """Return the plan, or raise ValueError where a metric will have no scores of rows."""
        _check_rows(plan.procedures)
        return cls(**vars(plan))

    def gather(self, fits: Fits) -> Measured:
        return replace(super().gather(fits), rows=fits.rows)

    def measure_rows(
        self, measured: Measured, procedures: Mapping[str, Procedure], kept: np.ndarray
    ) -> dict[str, CVScores]:
        """Return the scores in each metric on the kept rows of all folds."""
        _check_rows(procedures)
        found = {}
        y = np.asarray(self.y)
        for metric in self.work.metrics:
            scores = measured.scores[metric.name]
            rows: Any = scores.row_scores
            own = kept[rows.rows]
            splits = splits_of_slice(np.split(rows.rows, rows.offsets[1:-1]), kept)
            _, tests = zip(*splits, strict=True)
            ends = np.cumsum([*map(len, tests)])[:-1]
            groups = entries_of(rows.groups, kept)
            weights = entries_of(self.routed.weights.get(metric.name), kept)
            procedure = procedures[metric.name]
            about = y[kept], groups, weights
            planned = plan_folds(procedure, metric, splits, *about, observe=_Unwatched)
            planned.check()
            values = np.split(rows.values[:, own], ends, axis=1)
            if metric.of_rows != "mean":
                predicted = np.split(measured.rows.predicted(metric)[:, own], ends, axis=1)
                values = _scores_in_folds(metric, predicted, tests, *about)
            codes = read_groups(groups, int(kept.sum())).codes
            of_rows = RowScores.from_splits(values, tests)
            weighed = entries_of(weights, of_rows.rows)
            of_rows = replace(of_rows, groups=codes, weights=weighed)
            found[metric.name] = CVScores(
                values=of_rows.means(),
                design=planned.plan.design,
                row_scores=of_rows,
                labels=scores.labels,
                metric=metric.name,
                provenance=scores.provenance,
            )
        return found


def splits_of_slice(
    tests: Iterable[np.ndarray], kept: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the folds of the kept rows, numbered among themselves: training and test rows."""
    numbers = np.cumsum(kept) - 1
    own = (numbers[test[kept[test]]] for test in tests)
    every = np.arange(kept.sum())
    return [(np.setdiff1d(every, test), test) for test in filter(len, own)]


def _check_rows(procedures: Mapping[str, Procedure]) -> None:
    """Raise ValueError unless all procedures work on scores of rows."""
    for metric, procedure in procedures.items():
        if not procedure.needs_rows:
            raise ValueError(
                f"by= needs scores of rows, and the {procedure.title}, for {metric}, has none. "
                'Pass method="row_t" and repeated k-fold as cv, or another metric.'
            )


class _Unwatched:
    """In place of what looks for notes on splits."""

    observers = ()

    def __init__(self, *about: Any) -> None:
        pass


def _scores_in_folds(
    metric: Metric,
    predicted: list[np.ndarray],
    tests: Sequence[np.ndarray],
    y: Any,
    groups: Any,
    weights: Any,
) -> list[np.ndarray]:
    """Return the scores of the rows of each fold in a metric that is not a mean over rows."""
    row_scorer: Any = metric.rows
    values = []
    for test, of_models in zip(tests, predicted, strict=True):
        parts = {"units": entries_of(groups, test), "weights": entries_of(weights, test)}
        of_fold = []
        for of_model in of_models:
            pair = y[test], of_model
            score = metric.function.measure(*pair, parts["weights"])
            of_fold.append(row_scorer.score(pair, score, **parts))
        values.append(np.stack(of_fold))
    return values
