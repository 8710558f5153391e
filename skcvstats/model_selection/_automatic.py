"""``method="auto"``: the row t-test where it can serve, else the corrected resampled t-test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from ..fitting import Prepared, RowScorer, default_scoring, metrics_of, prepare
from ..scores import Note
from ..splitters import to_splitter
from ..stats import Procedure, get_procedure

AUTO, _OF_ROWS, _OF_SPLITS = "auto", "row_t", "corrected_resampled_t"
# The code of the note on what was chosen, which limits nothing.
CHOSEN_METHOD = "method"


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
    **call: Any,
) -> tuple[Prepared, tuple[Note, ...]]:
    """Prepare a call by `test`, or by what "auto" chooses, and return why it did."""
    if not _is_auto(method):
        how = {"scoring": scoring, "cv": cv, "random_state": random_state}
        return prepare(test, estimators, X, y, **how, **call), ()
    if isinstance(cv, Iterable) and not hasattr(cv, "split") and not isinstance(cv, (str, Mapping)):
        cv = to_splitter(cv, None, classifier=False)  # a generator would be used up
    splits, again = _copy({"cv": cv, "random_state": random_state}), {"scoring": scoring, **call}
    options = {name: getattr(test, name) for name in ("null_value", "alternative")}
    try:
        which = _means_over_rows(scoring, estimators)
        rows = get_procedure(_OF_ROWS, **options)
        found = prepare(rows, estimators, X, y, cv=cv, random_state=random_state, **again)
        why = f", as {which} over rows"
    except (TypeError, ValueError) as refusal:  # what is wrong for both is raised once more
        found = prepare(test, estimators, X, y, **splits, **again)
        said = str(refusal).partition(". ")[0].rstrip(".")
        why = f": {said[0].lower()}{said[1:]}"
    return found, (Note("method", f'method="auto" chose the {found.procedure.title}{why}', None),)


def _is_auto(method: Any) -> bool:
    return isinstance(method, str) and method == AUTO


def _copy(drawn: dict[str, Any]) -> dict[str, Any]:
    """Return a splitter and a random state that draw the same once more, where they can be."""
    try:
        return deepcopy(drawn)
    except Exception:  # of somebody's own splitter
        return drawn


def _means_over_rows(scoring: Any, estimators: Mapping[str, Any]) -> str:
    """Return that the metrics are means, or raise ValueError for one that is not."""
    metrics = metrics_of(scoring or default_scoring(estimators))
    for name, metric in metrics.items():
        found = RowScorer.of(metric)
        if found is None or found.is_area:
            raise ValueError(f"{name} is not a mean over rows")
    return f"{next(iter(metrics))} is a mean" if len(metrics) == 1 else "the metrics are means"
