"""Turn FitRecords into the CVScores of each metric."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import version
from types import MappingProxyType
from typing import Any

import numpy as np
import sklearn

from .._utils._checks import listed, one_line
from ..scores import CVScores, Note, RowLosses, SplitDesign, part_of
from ._execution import FitRecord, Workload
from ._failures import cause
from ._inputs import unseeded_parameters
from ._options import is_raise
from ._splits import PlannedSplits
from ._target import Undefined


def by_plan(
    records: Sequence[FitRecord], plans: Sequence[PlannedSplits]
) -> Iterator[list[FitRecord]]:
    """Divide the records of joined splits by plan; the splits of each plan are numbered from 0."""
    start = 0
    for plan in plans:
        stop = start + len(plan.splits)
        yield [
            record if start == 0 else record._replace(split=record.split - start)
            for record in records
            if start <= record.split < stop
        ]
        start = stop


def gather(
    records: Sequence[FitRecord],
    work: Workload,
    plan: PlannedSplits,
    undefined: Sequence[Undefined] = (),
    notes: Sequence[Note] = (),
    contents: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, CVScores]:
    """Arrange sorted records as one CVScores for each metric."""
    design, part = _design_of(records, work, plan, contents)
    shape = (len(work.names), design.n_splits)
    missing = np.nan if is_raise(work.error_score) else float(work.error_score)
    common: dict[str, Any] = {
        "design": design,
        "labels": work.names,
        "fit_times": np.reshape([record.fit_time for record in records], shape),
        "score_times": np.reshape([record.score_time for record in records], shape),
        "provenance": {
            **_provenance(work),
            "unseeded_splits": plan.unseeded,
            **part,
        },
    }
    _check_same_metrics(records, work)
    found = {}
    for metric in _metrics_of(records, work):
        of_metric = [lacking for lacking in undefined if lacking.metric == metric]
        found[metric] = CVScores(
            values=np.reshape([record.scores.get(metric, missing) for record in records], shape),
            metric=metric,
            failures=_failed(records, partial(_why_no_score, metric=metric, undefined=of_metric)),
            notes=(*notes, *(lacking.note for lacking in of_metric)),
            **common,
        )
    if work.scoring.loss is not None:
        losses = _row_losses(records, shape)
        found[work.scoring.loss] = CVScores(
            values=-losses.means(),
            metric=work.scoring.loss,
            losses=losses,
            failures=_failed(records, _why_no_losses),
            notes=tuple(notes),
            **common,
        )
    return found


def _design_of(
    records: Sequence[FitRecord], work: Workload, plan: PlannedSplits, contents: Mapping[str, Any]
) -> tuple[SplitDesign, dict[str, Any]]:
    """Return the design of the fitted splits, and what they are a part of."""
    of_first = records[: len(records) // len(work.names)]
    numbers = [record.split for record in of_first]
    digests = [record.digest for record in of_first]
    if len(numbers) == len(plan.splits):
        return plan.design(digests), {}
    return part_of(plan.design(), numbers, digests, identity=plan.identity, **contents)


def _metrics_of(records: Sequence[FitRecord], work: Workload) -> Iterable[str]:
    """Return the metrics, including those that only the results of a callable name."""
    measured = [name for record in records for name in record.scores]
    known = (*work.scoring.metrics, *measured)
    nameless = () if work.scoring.loss else (work.scoring.metric,)  # all scoring failed
    return dict.fromkeys(known or nameless)


def _failed(
    records: Sequence[FitRecord], why: Callable[[FitRecord], str | None]
) -> tuple[tuple[int, int, str], ...]:
    """Return the estimator, the position of the split and the cause of each failure."""
    splits = dict.fromkeys(record.split for record in records)
    places = {split: place for place, split in enumerate(splits)}
    causes = ((record, why(record)) for record in records)
    return tuple(
        (record.estimator, places[record.split], found)
        for record, found in causes
        if found is not None
    )


def _why_no_score(record: FitRecord, metric: str, undefined: Sequence[Undefined]) -> str | None:
    if metric not in record.scores:
        return cause(record)
    if undefined and not np.isfinite(record.scores[metric]):
        return undefined[0].fact
    return None


def _why_no_losses(record: FitRecord) -> str | None:
    return cause(record) if record.losses is None else None


def _check_same_metrics(records: Sequence[FitRecord], work: Workload) -> None:
    """Raise ValueError if the results of a callable have different names on different splits."""
    whole = [record for record in records if record.error is None]
    for record in whole:
        if record.scores.keys() != whole[0].scores.keys():
            one, other = (
                f"{listed(each.scores)} for {work.names[each.estimator]!r}, split {each.split}"
                for each in (whole[0], record)
            )
            raise ValueError(
                f"scoring gave {one}, and {other}. It must give the same metrics for every "
                "estimator and split; return nan for one that cannot be computed."
            )


def _row_losses(records: Sequence[FitRecord], shape: tuple[int, int]) -> RowLosses:
    """Arrange the losses by split, with nan for failed fits."""
    n_estimators, n_splits = shape
    by_split = []
    for k in range(n_splits):
        parts = [records[e * n_splits + k] for e in range(n_estimators)]
        missing = np.full(len(parts[0].rows), np.nan)  # type: ignore[arg-type]
        by_split.append(np.stack([missing if r.losses is None else r.losses for r in parts]))
    return RowLosses.from_splits(by_split, [r.rows for r in records[:n_splits]])  # type: ignore[misc]


def _provenance(work: Workload) -> dict[str, Any]:
    return {
        "scoring": work.scoring.description,
        "estimators": {
            name: _represented(model)
            for name, model in zip(work.names, work.estimators, strict=True)
        },
        "unseeded": {
            name: unseeded
            for name, model in zip(work.names, work.estimators, strict=True)
            if (unseeded := unseeded_parameters(model))
        },
        "versions": dict(versions()),
    }


@cache
def versions() -> dict[str, str]:
    """Return the versions of the packages that make scores."""
    # Cached, because reading the metadata of a package takes milliseconds.
    return {
        "python": platform.python_version(),
        "skcvstats": version("skcvstats"),
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "scipy": version("scipy"),
    }


def _represented(estimator: Any) -> str:
    try:
        return one_line(estimator)
    except Exception:  # one whose parameter is a scorer of a partial, in scikit-learn 1.6.0
        return type(estimator).__name__
