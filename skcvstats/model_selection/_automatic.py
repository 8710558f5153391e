"""``method="auto"``: the row t-test where it can serve, else the corrected resampled t-test."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from .._utils._checks import check_option
from .._utils._text import cut
from ..fitting import Prepared, RowScorer, default_scoring, metrics_of, plan_splits, prepare
from ..scores import Note
from ..splitters import generator_from, to_splitter
from ..stats import Procedure, get_procedure, get_procedure_names

AUTO, _OF_ROWS, _OF_SPLITS = "auto", "row_t", "corrected_resampled_t"
# The code of the note on what was chosen, which limits nothing.
CHOSEN_METHOD = "method"


def procedure_of(method: str | Procedure, **options: Any) -> Procedure:
    """Return the procedure; of "auto" the one that serves for any metric and splits."""
    if isinstance(method, str):
        check_option("method", method, [AUTO, *get_procedure_names()])
    return get_procedure(_OF_SPLITS if _is_auto(method) else method, **options)


def prepare_by(
    method: str | Procedure,
    test: Procedure,
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    cv: Any,
    random_state: Any,
    **call: Any,
) -> tuple[Prepared, tuple[Note, ...]]:
    """Prepare a call by `test`, or by what "auto" chooses, and return why it did."""
    if not _is_auto(method):
        return prepare(test, estimators, X, y, cv=cv, random_state=random_state, **call), ()
    if isinstance(cv, Iterable) and not hasattr(cv, "split") and not isinstance(cv, (str, Mapping)):
        cv = to_splitter(cv, None, classifier=False)  # a generator would be used up
    # Given splits are drawn once, as others may come next; ours again, from the same state.
    call |= {"cv": cv, "random_state": random_state}
    call |= {} if cv is None else {"plan_by": partial(_plan_once, [])}
    is_drawn = cv is None or call["options"].reseed  # from random_state
    stream = generator_from(random_state if is_drawn else None)
    state = stream.get_state()
    try:
        which = _means_over_rows(call["scoring"], estimators)
        options = {name: getattr(test, name) for name in ("null_value", "alternative")}
        found = prepare(get_procedure(_OF_ROWS, **options), estimators, X, y, **call)
        why = f", as {which} over rows"
    except Exception as refusal:  # what is wrong for both is raised once more, outside
        found, said = None, str(refusal).partition(". ")[0].rstrip(".")
        why = f": {said[:1].lower() if said.startswith(('The', 'Too')) else said[:1]}{said[1:]}"
    if found is None:
        if is_drawn:
            stream.set_state(state)
        found = prepare(test, estimators, X, y, **call)
    text = f'method="auto" chose the {found.procedure.title}{why}'
    return found, (Note(CHOSEN_METHOD, text, None),)


def _is_auto(method: Any) -> bool:
    return isinstance(method, str) and method == AUTO


def _plan_once(drawn: list[Any], *args: Any) -> Any:
    drawn[:] = drawn or [plan_splits(*args)]
    return drawn[0]


def _means_over_rows(scoring: Any, estimators: Mapping[str, Any]) -> str:
    """Return that the metrics are means, or raise ValueError for one that is not."""
    metrics = metrics_of(default_scoring(estimators) if scoring is None else scoring)
    for name, metric in metrics.items():
        found = RowScorer.of(metric)
        if found is None or found.is_area:
            known = "" if isinstance(metric, str) or found is not None else "known to be "
            raise ValueError(f"{cut(name)} is not {known}a mean over rows")
    return f"{cut(next(iter(metrics)))} is a mean" if len(metrics) == 1 else "the metrics are means"
