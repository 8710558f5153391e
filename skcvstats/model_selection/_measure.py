"""Estimators, data and a splitter to the CVScores of each metric."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn
from sklearn.exceptions import FitFailedWarning

from .._design import SplitDesign
from .._fingerprint import target_digest
from .._losses import RowLosses
from .._reader import SplitReader
from .._scores import CVScores
from .._validation import n_rows, one_line
from ..exceptions import FitError
from ._execution import FitRecord, Workload, run_fits
from ._progress import with_progress
from ._routing import route
from ._scoring import Scoring, hint_for

_CAUSE_END = 400


def measure(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    groups: Any,
    scoring: Scoring,
    cv: Any,
    require: Callable[[SplitDesign], None] = lambda design: None,
    params: Mapping[str, Any] | None,
    n_jobs: int | None,
    verbose: int,
    pre_dispatch: int | str,
    error_score: Any,
) -> dict[str, CVScores]:
    """Fit and score every estimator on every split.

    Parameters
    ----------
    estimators : mapping of str to estimator
        By name; they are cloned, never fitted.
    X, y, groups : indexable
        Data of equal length.
    scoring : Scoring
        What to measure.
    cv : splitter
        What draws the splits.
    require : callable, default=lambda design: None
        Raises for a design that cannot serve, before anything is fitted.
    params, n_jobs, verbose, pre_dispatch, error_score
        As in `compare_estimators`.

    Returns
    -------
    dict of str to CVScores
        For each metric the scores, of shape (n_estimators, n_splits). With a loss, one of them is
        minus its means and carries the losses.

    Raises
    ------
    FitError
        If every fit failed.
    """
    models = tuple(estimators.values())
    routed = route(models, cv, scoring.scorer, groups=groups, params=params)
    splits = read_splits(cv, X, y, routed.split, groups)
    require(splits.design(()))
    work = Workload(
        names=tuple(estimators),
        estimators=models,
        splits=splits.splits,
        scorer=scoring.scorer,
        metric=scoring.metric,
        metrics=scoring.metrics,
        fit_params=routed.fit,
        score_params=routed.score,
        loss=scoring.loss,
        error_score=error_score,
    )
    fits = run_fits(work, X, y, n_jobs=n_jobs, pre_dispatch=pre_dispatch)
    total = len(models) * len(splits.splits)
    records = sorted(
        with_progress(fits, total, verbose=verbose), key=lambda one: (one.estimator, one.split)
    )
    _report_failures(records, work)
    design = splits.design([one.digest for one in records[: len(splits.splits)]])
    return _gather(records, work, design, _provenance(scoring, cv))


@dataclass(frozen=True)
class Splits:
    """Splits to fit on, and what their design will be once they have been made.

    Parameters
    ----------
    splits : sequence of (train, test)
        Held, or made on demand.
    facts : dict
        The fields of their SplitDesign that are known already.
    """

    splits: Sequence[tuple[np.ndarray, np.ndarray]]
    facts: Mapping[str, Any]

    def design(self, digests: Iterable[str]) -> SplitDesign:
        """Return the design, with the digests of the splits as they were fitted."""
        return SplitDesign(**{**self.facts, "digests": tuple(digests) or None})


def read_splits(cv: Any, X: Any, y: Any, split_params: Mapping[str, Any], groups: Any) -> Splits:
    """Draw the splits: ours stay recipes, another splitter's are held and checked."""
    facts: dict[str, Any] = {"y_digest": target_digest(y), "source": one_line(cv)}
    if hasattr(cv, "lazy_split"):
        lazy = cv.lazy_split(X, y, **split_params)
        facts |= {name: getattr(lazy, name) for name in ("n_samples", "levels", "shape", "unit")}
        for name in ("n_train", "n_test"):
            facts[name] = (getattr(lazy, name),) * len(lazy)
        return Splits(lazy, facts)
    reader = SplitReader(n_rows(X), groups=groups)
    try:
        held = [reader.add(train, test) for train, test in cv.split(X, y, **split_params)]
    except ValueError as error:
        if groups is None and "'groups' parameter should not be None" in str(error):
            raise ValueError(
                f"{one_line(cv)} needs groups; pass groups=, one entry for each row."
            ) from error
        raise
    return Splits(held, facts | reader.facts())


def _report_failures(records: Sequence[FitRecord], work: Workload) -> None:
    failed = [one for one in records if one.error is not None]
    if not failed:
        return
    causes: dict[str, list[FitRecord]] = {}
    for one in failed:
        causes.setdefault(f"{work.names[one.estimator]!r}: {_cause(one)}", []).append(one)
    details = "\n".join(
        f"  {cause} (splits {', '.join(str(one.split) for one in group)})"
        for cause, group in causes.items()
    )
    count = f"{len(failed)} of {len(records)} fits or their scoring failed"
    if len(failed) == len(records) and not any(one.scores for one in failed):
        raise FitError(
            f"{count}. Use error_score='raise' for the whole traceback of the first.\n{details}"
        )
    warnings.warn(f"{count}; their scores are {work.error_score}.\n{details}", FitFailedWarning, 4)


def _cause(record: FitRecord) -> str:
    error = " ".join(str(record.error).split())
    if len(error) > 3 * _CAUSE_END:  # arrays in the middle help nobody; the remedy is at the end
        error = f"{error[:_CAUSE_END]} [...] {error[-_CAUSE_END:]}"
    return error + hint_for(str(record.error))


def _gather(
    records: Sequence[FitRecord],
    work: Workload,
    design: SplitDesign,
    provenance: Mapping[str, Any],
) -> dict[str, CVScores]:
    """Arrange sorted records as one CVScores for each metric."""
    shape = (len(work.names), len(work.splits))
    missing = np.nan if work.error_score == "raise" else float(work.error_score)
    common: dict[str, Any] = {
        "design": design,
        "labels": work.names,
        "fit_times": np.reshape([one.fit_time for one in records], shape),
        "score_times": np.reshape([one.score_time for one in records], shape),
        "provenance": provenance,
    }
    found = {}
    measured = (name for one in records for name in one.scores)
    for metric in dict.fromkeys((*work.metrics, *measured)):
        values = [one.scores.get(metric, missing) for one in records]
        failures = tuple(
            (one.estimator, one.split, _cause(one)) for one in records if metric not in one.scores
        )
        found[metric] = CVScores(
            values=np.reshape(values, shape), metric=metric, failures=failures, **common
        )
    if work.loss is not None:
        losses = _row_losses(records, work, found)
        found[work.loss] = CVScores(
            values=-losses.means(), metric=work.loss, losses=losses, **common
        )
    return found


def _row_losses(
    records: Sequence[FitRecord], work: Workload, found: Mapping[str, CVScores]
) -> RowLosses:
    n_estimators, n_splits = len(work.names), len(work.splits)
    rows = [one.rows for one in records[:n_splits]]
    for one in records:
        if one.losses is None or one.rows is None:
            raise FitError(
                f"Estimator {work.names[one.estimator]!r} has no per-row losses on split "
                f"{one.split}: {_cause(one)}. Mend the cause and score again; this error's .scores "
                "holds the metrics that were measured.",
                found,
            )
        if one.losses.shape != one.rows.shape:
            raise ValueError(
                f"The loss gave shape {one.losses.shape} for {one.rows.size} test rows; it must "
                "give one number for each row."
            )
    by_split = [
        np.stack([records[e * n_splits + k].losses for e in range(n_estimators)])  # type: ignore[misc]
        for k in range(n_splits)
    ]
    return RowLosses.from_splits(by_split, rows)  # type: ignore[arg-type]


def _provenance(scoring: Scoring, cv: Any) -> dict[str, Any]:
    return {
        "scoring": scoring.description,
        "splitter": one_line(cv),
        "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
    }
