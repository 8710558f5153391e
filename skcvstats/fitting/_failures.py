"""Messages about failed fits: each cause once, with its likely reason in X."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from .._utils._warn import warn_user
from ..exceptions import FitError
from ._execution import FitRecord, Workload
from ._scoring import Metric

_CAUSE_END = 400
_MOST_SPLITS = 6
# Words in the errors of models that cannot use the content of a column.
_ABOUT_COLUMNS = re.compile(
    r"\bnan\b|missing value|convert|timestamp|datetime|dtype|\bstring\b|\bstr\b|\bcast\b"
    r"|categorical|non-numeric|numeric",
    re.IGNORECASE,
)


def report_failures(records: Sequence[FitRecord], work: Workload, X: Any, n_splits: int) -> None:
    """Warn about failed fits, or raise an error if all failed."""
    failed = [record for record in records if record.error is not None]
    if not failed:
        return
    if work.scoring.may_fail:
        failed = _warn_of_failed_scoring(failed, records, work, X, n_splits)
    if not failed:
        return
    details = _by_cause(failed, records, work, X, n_splits)
    count = f"{len(failed)} of {len(records)} fits or their scoring failed"
    if len(failed) == len(records) and not any(record.scores for record in failed):
        raise FitError(
            f"{count}. Use error_score='raise' for the whole traceback of the first.\n{details}"
        )
    warn_user(f"{count}; their scores are {work.error_score}.\n{details}", FitFailedWarning)


def _warn_of_failed_scoring(
    failed: Sequence[FitRecord],
    records: Sequence[FitRecord],
    work: Workload,
    X: Any,
    n_splits: int,
) -> list[FitRecord]:
    """Warn about failed scores in scikit-learn's words; return the failed fits."""
    scored = [record for record in failed if record.is_fitted]
    if scored:
        warn_user(
            "Scoring failed. The score on this train-test partition for these parameters will be "
            f"set to {work.error_score}. Details: \n"
            f"{_by_cause(scored, records, work, X, n_splits)}",
            UserWarning,
        )
    return [record for record in failed if not record.is_fitted]


def _by_cause(
    failed: Sequence[FitRecord],
    records: Sequence[FitRecord],
    work: Workload,
    X: Any,
    n_splits: int,
) -> str:
    """List failures, a line for each estimator and cause, and the likely reason in X."""
    causes: dict[str, list[FitRecord]] = {}
    for record in failed:
        causes.setdefault(f"{record.estimator} {_kind(record.error)}", []).append(record)
    n_all = len(records) // len(work.names)
    lines = [
        f"  {work.names[group[0].estimator]!r}: {cause(group[0])} "
        f"({_splits([record.split for record in group], n_splits, n_all)})"
        for group in causes.values()
    ]
    if hint := columns_hint(X, failed):
        lines.append(f"  {hint}")
    return "\n".join(lines)


def stop_at_first(work: Workload, X: Any, total: int) -> Callable[[FitRecord], None]:
    """Return a function that raises FitError if an estimator's first fit or score fails."""

    def check(record: FitRecord) -> None:
        if record.error is None or record.split > 0:
            return
        name = work.names[record.estimator]
        several = len(work.scoring.given) > 1 if record.scores else len(work.names) > 2
        drop = ", or pass on_error='drop', which continues without it" if several else ""
        hint = columns_hint(X, [record])
        raise FitError(
            f"The first fit of {name!r} or its scoring failed, so the {total} fits were stopped: "
            f"{cause(record).rstrip('.')}. Fix the cause{drop}; error_score='raise' shows the "
            f"whole traceback.{f' {hint}' if hint else ''}"
        )

    return check


def cause(record: FitRecord) -> str:
    """Return why a fit failed, in one line of limited length."""
    error = " ".join(str(record.error).split())
    if len(error) > 3 * _CAUSE_END:  # arrays in the middle do not help; the remedy is at the end
        error = f"{error[:_CAUSE_END]} [...] {error[-_CAUSE_END:]}"
    hint = Metric.hint_for(str(record.error))
    return f"{error.rstrip('.')}. {hint}" if hint else error


def _kind(error: str | None) -> str:
    """Return an error without its values, which differ between splits."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|[-+]?\d[\d.e+-]*", "*", str(error))


def _splits(numbers: Sequence[int], n_splits: int, n_all: int) -> str:
    if len(numbers) == n_all:
        return "all splits" if n_all > 1 else "the only split"
    shown = [k if k < n_splits else f"auxiliary {k - n_splits}" for k in numbers]
    left = len(shown) - _MOST_SPLITS
    more = f" and {left} more" if left > 0 else ""
    return f"split{'s' * (len(shown) > 1)} {', '.join(map(str, shown[:_MOST_SPLITS]))}{more}"


def columns_hint(X: Any, failed: Sequence[FitRecord]) -> str:
    """Name the columns of X that the errors may be about, in a sentence."""
    if not any(_ABOUT_COLUMNS.search(str(record.error)) for record in failed):
        return ""
    by_kind: dict[str, list[Any]] = {}
    for name, kind in _suspects(X):
        by_kind.setdefault(kind, []).append(name)
    if not by_kind:
        return ""
    named = ", ".join(f"{_names(names)} ({kind})" for kind, names in by_kind.items())
    return f"Likely cause: columns of X with text, dates or NaN: {named}."


def _names(names: Sequence[Any]) -> str:
    shown = ", ".join(map(str, names[:10]))
    return shown if len(names) <= 10 else f"{shown} and {len(names) - 10} more"


def _suspects(X: Any) -> Iterator[tuple[Any, str]]:
    """Yield the columns with text, dates or NaN, each with the first of these."""
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        names = list(X.columns)
        columns: Mapping[Any, Any] = {name: X[name] for name in names}
    else:
        values = np.asarray(X) if isinstance(X, (np.ndarray, list)) else None
        if values is None or values.ndim != 2:
            return
        columns = dict(enumerate(values.T))
    for name, column in columns.items():
        if kind := _kind_of(column):
            yield name, kind


def _kind_of(column: Any) -> str:
    dtype = str(getattr(column, "dtype", "")).lower()
    if dtype.startswith(("date", "time", "duration", "period", "<m8", "interval")):
        return "dates"
    values = np.asarray(column)
    if values.dtype.kind in "mM":
        return "dates"
    if values.dtype.kind in "US" or "str" in dtype:
        return "text"
    if values.dtype.kind == "O":
        if any(isinstance(value, str) for value in values.ravel()):
            return "text"
        if any(hasattr(value, "year") for value in values.ravel()):
            return "dates"
        import pandas as pd  # recognises nan, None, NaT and pandas' NA

        return "NaN" if pd.isna(values).any() else ""
    return "NaN" if values.dtype.kind == "f" and np.isnan(values).any() else ""
