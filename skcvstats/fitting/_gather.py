"""Turn FitRecords into the CVScores of each metric, and report failed fits, each cause once."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from .._utils._arrays import missing_in
from .._utils._checks import listed, one_line
from .._utils._documents import versions
from .._utils._text import first_of
from .._utils._warn import warn_user
from ..exceptions import FitError
from ..scores import CVScores, Note, RowScores, SplitDesign, part_of
from ._execution import FitRecord, Workload
from ._inputs import is_raise
from ._row_metrics import weights_for
from ._scoring import Metric, Scoring, measured_as
from ._splits import PlannedSplits
from ._target import Undefined

_CAUSE_END = 400
_VALUES = r"'[^']*'|\"[^\"]*\"|[-+]?\d[\d.e+-]*"  # in errors, where they differ between splits
_MOST_SPLITS = 6
# Words in the errors of models that cannot use the content of a column.
_ABOUT_COLUMNS = re.compile(
    r"\bnan\b|missing value|convert|timestamp|datetime|dtype|\bstring\b|\bstr\b|\bcast\b"
    r"|categorical|non-numeric|numeric",
    re.IGNORECASE,
)


class RowTable:
    """Collects the scores of test rows as records arrive, so that there is one copy of them."""

    def __init__(self, tests: Iterable[np.ndarray], work: Workload) -> None:
        self._tests = list(tests)
        self._orders = [np.argsort(test, kind="stable") for test in self._tests]
        self._offsets = np.cumsum([0, *(test.size for test in self._tests)])
        shape = (len(work.names), self._offsets[-1])
        self._values = {metric: np.full(shape, np.nan) for metric in work.scoring.rows}

    def __len__(self) -> int:
        return len(self._tests)

    def add(self, record: FitRecord, split: int) -> None:
        """Store the scores of the rows of a split, in ascending order of the rows."""
        part = slice(*self._offsets[split : split + 2])
        for metric, scores in record.row_scores.items():
            self._values[metric][record.estimator, part] = scores[self._orders[split]]

    def row_scores(self, scoring: Scoring, routed: Any) -> dict[str, RowScores]:
        """Return the scores in each metric, with the groups and the weights of the rows."""
        both = zip(self._tests, self._orders, strict=True)
        rows, found = np.concatenate([test[order] for test, order in both]), {}
        groups = routed.split.get("groups")
        codes = None if groups is None else np.unique(groups, return_inverse=True)[1]
        for metric, values in self._values.items():
            given = weights_for(scoring.given[metric], routed.score)
            weights = None if given is None else np.asarray(given, dtype=float)[rows]
            values.flags.writeable = False  # so that it is not copied
            found[metric] = RowScores(
                values=values, rows=rows, offsets=self._offsets, groups=codes, weights=weights
            )
        return found


def by_plan(
    records: Sequence[FitRecord], plans: Sequence[PlannedSplits]
) -> Iterator[list[FitRecord]]:
    """Divide the records of joined splits by plan; the splits of each plan are numbered from 0."""
    start = 0
    for plan in plans:
        stop = start + len(plan.splits)
        of_plan = (record for record in records if start <= record.split < stop)
        yield [record._replace(split=record.split - start) for record in of_plan]
        start = stop


def gather(
    records: Sequence[FitRecord],
    work: Workload,
    plan: PlannedSplits,
    undefined: Sequence[Undefined],
    notes: Sequence[Note],
    contents: Mapping[str, Any],
    row_scores: Mapping[str, RowScores] | None,
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
    }
    provenance = {**_provenance(work), "unseeded_splits": plan.unseeded, **part}
    _check_same_metrics(records, work)
    found = {}
    # Those too that only the results of a callable name; if all scoring failed, there are none.
    measured = (*work.scoring.metrics, *(name for record in records for name in record.scores))
    for metric in dict.fromkeys(measured or (work.scoring.metric,)):
        of_metric = [lacking for lacking in undefined if lacking.metric == metric]
        found[metric] = CVScores(
            values=np.reshape([record.scores.get(metric, missing) for record in records], shape),
            metric=metric,
            row_scores=(row_scores or {}).get(metric),
            failures=tuple(_failures(records, metric, of_metric)),
            notes=(*notes, *(lacking.note for lacking in of_metric)),
            provenance=provenance | measured_as(work.scoring.given, metric),
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


def _failures(
    records: Sequence[FitRecord], metric: str, undefined: Sequence[Undefined]
) -> Iterator[tuple[int, int, str]]:
    """Yield the estimator, the position of the split and the cause of each missing score."""
    splits = dict.fromkeys(record.split for record in records)
    places = {split: place for place, split in enumerate(splits)}
    for record in records:
        if metric not in record.scores:
            yield record.estimator, places[record.split], cause(record)
        elif undefined and not np.isfinite(record.scores[metric]):
            yield record.estimator, places[record.split], undefined[0].fact


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


def _provenance(work: Workload) -> dict[str, Any]:
    models = dict(zip(work.names, work.estimators, strict=True))
    unseeded = {name: work.unseeded(e) for e, name in enumerate(work.names)}
    return {
        "scoring": work.scoring.description,
        "estimators": {name: _represented(model) for name, model in models.items()},
        "unseeded": {name: found for name, found in unseeded.items() if found},
        "versions": dict(versions()),
        **({} if work.seed is None else {"seed_of_fits": work.seed}),
    }


def _represented(estimator: Any) -> str:
    try:
        return one_line(estimator)
    except Exception:  # one whose parameter is a scorer of a partial, in scikit-learn 1.6.0
        return type(estimator).__name__


def report_failures(
    records: Sequence[FitRecord], work: Workload, X: Any, n_splits: int, exception: Exception | None
) -> None:
    """Warn about failed fits, or raise an error if all failed."""
    failed = [record for record in records if record.error is not None]
    n_all = Counter(record.estimator for record in records)
    if work.scoring.may_fail:
        scored = [record for record in failed if record.is_fitted]
        failed = [record for record in failed if not record.is_fitted]
        if scored:  # in scikit-learn's words
            warn_user(
                "Scoring failed. The score on this train-test partition for these parameters will "
                f"be set to {work.error_score}. Details: \n"
                f"{_by_cause(scored, work, X, n_splits, n_all)}",
            )
    if not failed:
        return
    details = _by_cause(failed, work, X, n_splits, n_all)
    count = f"{len(failed)} of {len(records)} fits or their scoring failed"
    if len(failed) == len(records) and not any(record.scores for record in failed):
        raise FitError(f"{count}.\n{details}") from exception
    warn_user(f"{count}; their scores are {work.error_score}.\n{details}", FitFailedWarning)


def _by_cause(
    failed: Sequence[FitRecord], work: Workload, X: Any, n_splits: int, n_all: Mapping[int, int]
) -> str:
    """List failures, a line for each estimator and cause, and the likely reason in X."""
    causes: dict[str, list[FitRecord]] = {}
    for record in failed:
        kind = re.sub(_VALUES, "*", str(record.error))
        causes.setdefault(f"{record.estimator} {kind}", []).append(record)
    lines = [
        f"  {work.names[group[0].estimator]!r}: {cause(group[0])} "
        f"({_splits([record.split for record in group], n_splits, n_all[group[0].estimator])})"
        for group in causes.values()
    ]
    if hint := columns_hint(X, failed):
        lines.append(f"  {hint}")
    return "\n".join(lines)


def stop_at_first(record: FitRecord, work: Workload, X: Any, total: int) -> None:
    """Raise FitError if this is an estimator's first fit, which failed."""
    if record.error is None or record.split > 0:
        return
    name = work.names[record.estimator]
    several = len(work.scoring.given) > 1 if record.scores else len(work.names) > 2
    drop = ", or pass on_error='drop', which continues without it" if several else ""
    hint = columns_hint(X, [record])
    raise FitError(
        f"The first fit of {name!r} or its scoring failed, so the {total} fits were stopped: "
        f"{cause(record).rstrip('.')}. Fix the cause{drop}.{f' {hint}' if hint else ''}"
    ) from record.exception


def cause(record: FitRecord) -> str:
    """Return why a fit failed, in one line of limited length."""
    error = " ".join(str(record.error).split())
    if len(error) > 3 * _CAUSE_END:  # arrays in the middle do not help; the remedy is at the end
        error = f"{error[:_CAUSE_END]} [...] {error[-_CAUSE_END:]}"
    hint = Metric.hint_for(str(record.error))
    return f"{error.rstrip('.')}. {hint}" if hint else error


def _splits(numbers: Sequence[int], n_splits: int, n_all: int) -> str:
    if len(numbers) == n_all:
        return "all splits" if n_all > 1 else "the only split"
    shown = [str(k) if k < n_splits else f"auxiliary {k - n_splits}" for k in numbers]
    return f"split{'s' * (len(shown) > 1)} {first_of(shown, _MOST_SPLITS)}"


def columns_hint(X: Any, failed: Sequence[FitRecord]) -> str:
    """Name the columns of X that the errors may be about, in a sentence."""
    if not any(_ABOUT_COLUMNS.search(str(record.error)) for record in failed):
        return ""
    columns: dict[Any, Any] = {}
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        columns = {name: X[name] for name in X.columns}
    elif isinstance(X, (np.ndarray, list)) and np.ndim(X) == 2:
        columns = dict(enumerate(np.asarray(X).T))
    by_kind: dict[str, list[str]] = {}
    for name, column in columns.items():
        if kind := _kind_of(column):
            by_kind.setdefault(kind, []).append(str(name))
    if not by_kind:
        return ""
    named = ", ".join(f"{first_of(names, 10)} ({kind})" for kind, names in by_kind.items())
    return f"Likely cause: columns of X with text, dates or NaN: {named}."


def _kind_of(column: Any) -> str:
    """Return the first of text, dates and NaN that a column has."""
    dtype, values = str(getattr(column, "dtype", "")).lower(), np.asarray(column)
    of_dates = ("date", "time", "duration", "period", "<m8", "interval")
    if dtype.startswith(of_dates) or values.dtype.kind in "mM":
        return "dates"
    if values.dtype.kind in "US" or "str" in dtype:
        return "text"
    if values.dtype.kind == "O":
        if any(isinstance(value, str) for value in values.ravel()):
            return "text"
        if any(hasattr(value, "year") for value in values.ravel()):
            return "dates"
    return "NaN" if missing_in(values).any() else ""
