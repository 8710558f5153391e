"""``method="auto"``: the row t-test where it can serve, else the corrected resampled t-test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from ..fitting import (
    FitOptions,
    Prepared,
    RowScorer,
    as_integer,
    default_scoring,
    metrics_of,
    plan_splits,
    prepare,
)
from ..scores import Note
from ..splitters import generator_from, to_splitter
from ..stats import Procedure, get_procedure

AUTO, _OF_ROWS, _OF_SPLITS = "auto", "row_t", "corrected_resampled_t"


def procedure_of(method: str | Procedure, **options: Any) -> Procedure:
    """Return the procedure; of "auto" the one that serves for any metric and splits."""
    return get_procedure(_OF_SPLITS if _is_auto(method) else method, **options)


def prepare_by(
    method: str | Procedure,
    test: Procedure,
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    scoring: Any,
    cv: Any,
    random_state: Any,
    options: FitOptions,
    **call: Any,
) -> tuple[Prepared, tuple[Note, ...]]:
    """Prepare a call by `test`, or by what "auto" chooses, and return why it did."""
    if _is_auto(method) and options.reseed:  # so that both draw the same
        random_state = as_integer(random_state)
    call |= {"scoring": scoring, "random_state": random_state, "options": options}
    if not _is_auto(method):
        return prepare(test, estimators, X, y, cv=cv, **call), ()
    if isinstance(cv, Iterable) and not hasattr(cv, "split") and not isinstance(cv, (str, Mapping)):
        cv = to_splitter(cv, None, classifier=False)  # a generator would be used up
    call |= {"cv": cv} if cv is None else {"cv": cv, "plan_by": _once(plan_splits)}
    rewind = _rewinding(random_state) if cv is None else None
    which, why = _metrics_of_rows(scoring, estimators)
    if which:
        same = {name: getattr(test, name) for name in ("null_value", "alternative")}
        try:
            rows = prepare(get_procedure(_OF_ROWS, **same), estimators, X, y, **call)
            return rows, _said(rows, f", as {which} over rows")
        except Exception as refusal:  # what is wrong for both is raised once more, below
            why = str(refusal).partition(". ")[0].rstrip(".")
        if rewind is not None:
            rewind()
    found = prepare(test, estimators, X, y, **call)
    start = why[:1].lower() if why.startswith(("The ", "Too ")) else why[:1]
    return found, _said(found, f": {start}{why[1:]}")


def _is_auto(method: Any) -> bool:
    return isinstance(method, str) and method == AUTO


def _said(found: Prepared, why: str) -> tuple[Note, ...]:
    return (Note("method", f'method="auto" chose the {found.procedure.title}{why}', None),)


def _once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with one answer: other splits may be drawn by a second call."""
    found: list[Any] = []

    def first(*args: Any) -> Any:
        found[:] = found or [function(*args)]
        return found[0]

    return first


def _rewinding(random_state: Any) -> Callable[[], None] | None:
    """Return what takes a stream of random numbers back to where it is now."""
    try:
        stream = generator_from(random_state)
    except ValueError:  # raised once more where it is used
        return None
    return partial(stream.set_state, stream.get_state())


def _metrics_of_rows(scoring: Any, estimators: Mapping[str, Any]) -> tuple[str, str]:
    """Return that the metrics are means over rows, or nothing, and one that is not."""
    try:
        metrics = metrics_of(default_scoring(estimators) if scoring is None else scoring)
        scorers = {name: RowScorer.of(metric) for name, metric in metrics.items()}
    except Exception as error:  # what is wrong is raised once more, with a remedy
        return "", str(error)
    for name, found in scorers.items():
        if found is None or found.is_area:
            return "", f"{name} is not a mean over rows"
    return f"{next(iter(metrics))} is a mean" if len(metrics) == 1 else "the metrics are means", ""
