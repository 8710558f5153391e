"""Scores of the rows of a slice, by the fits on all rows: as those of out-of-fold predictions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
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
        numbers = np.cumsum(kept) - 1
        every = np.arange(kept.sum())
        y = np.asarray(self.y)
        for metric in self.work.metrics:
            scores = measured.scores[metric.name]
            rows: Any = scores.row_scores
            own = kept[rows.rows]
            ends = np.cumsum([0, *own])[rows.offsets]
            tests = [numbers[rows.rows[own][start:end]] for start, end in pairwise(ends)]
            tests = list(filter(len, tests))
            splits = [(np.setdiff1d(every, test), test) for test in tests]
            groups = entries_of(rows.groups, kept)
            weights = entries_of(self.routed.weights.get(metric.name), kept)
            procedure = procedures[metric.name]
            about = y[kept], groups, weights
            planned = plan_folds(procedure, metric, splits, *about, observe=_Unwatched)
            planned.check()
            values = np.split(rows.values[:, own], np.cumsum([*map(len, tests)])[:-1], axis=1)
            if metric.of_rows != "mean":
                predicted = measured.rows.predicted(metric)[:, own]
                values = _scores_in_folds(metric, predicted, tests, *about)
            codes = read_groups(groups, len(every)).codes
            of_rows = replace(RowScores.from_splits(values, tests), groups=codes)
            if weights is not None:
                of_rows = replace(of_rows, weights=weights[of_rows.rows])
            found[metric.name] = CVScores(
                values=of_rows.means(),
                design=planned.plan.design,
                row_scores=of_rows,
                labels=scores.labels,
                metric=metric.name,
                provenance=scores.provenance,
            )
        return found


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
    predicted: np.ndarray,
    tests: list[np.ndarray],
    y: Any,
    groups: Any,
    weights: Any,
) -> list[np.ndarray]:
    """Return the scores of the rows of each fold in a metric that is not a mean over rows."""
    row_scorer: Any = metric.rows
    start = 0
    values = []
    for test in tests:
        parts = {"units": entries_of(groups, test), "weights": entries_of(weights, test)}
        of_models = []
        for of_model in predicted[:, start : start + len(test)]:
            pair = y[test], of_model
            score = metric.function.measure(*pair, parts["weights"])
            of_models.append(row_scorer.score(pair, score, **parts))
        start += len(test)
        values.append(np.stack(of_models))
    return values
