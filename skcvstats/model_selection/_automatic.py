"""``method="auto"``: the row t-test where it can serve, else the corrected resampled t-test."""

from collections.abc import Mapping
from typing import Any

from .._utils._checks import check_option
from .._utils._text import cut, first_of
from ..fitting import Against, Prepared, prepare
from ..scores import Note
from ..stats import Procedure, get_procedure, get_procedure_names

AUTO, _OF_ROWS, _OF_SPLITS = "auto", "row_t", "corrected_resampled_t"
# The code of the note on what was chosen, which limits nothing.
CHOSEN_METHOD = "method"
_MOST_NAMES = 6


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
    **call: Any,
) -> tuple[Prepared, tuple[Note, ...]]:
    """Prepare a call by `test`, or by what "auto" chooses, and return why it did."""
    if not _is_auto(method):
        return prepare(test, estimators, X, y, **call), ()
    options = {name: getattr(test, name) for name in ("null_value", "alternative")}
    of_rows = get_procedure(_OF_ROWS, **options)
    found = prepare(test, estimators, X, y, **call, preferred=of_rows)
    if found.procedure is of_rows:
        name, *more = found.scoring.given
        which = "the metrics are means" if more else f"{cut(name)} is a mean"
        why = f", as {which} over rows"
    else:
        why = f": {_reasons(found.against, list(found.scoring.given), of_rows.title)}"
    text = f'method="auto" chose the {found.procedure.title}{why}'
    return found, (Note(CHOSEN_METHOD, text, None),)


def _is_auto(method: Any) -> bool:
    return isinstance(method, str) and method == AUTO


def _reasons(against: Against, metrics: list[str], preferred: str) -> str:
    """Say which metrics or splits decided, and what the other metrics would have got alone."""
    of_others: dict[str | None, list[str]] = {}
    for name in metrics:
        if name not in against.of_metrics:
            of_others.setdefault(against.of_splits.get(name), []).append(cut(name))
    parts = [_clause(reason) for reason in against.of_metrics.values()]
    if not parts and len(of_others) == 1:
        return "; ".join(_clause(reason or "") for reason in of_others)
    for reason, names in of_others.items():
        each = f"{'each of ' if len(names) > 1 else ''}{first_of(names, _MOST_NAMES)}"
        got = f"the {preferred}" if reason is None else f"it too: {_clause(reason)}"
        parts.append(f"{each} alone would get {got}")
    return "; ".join(parts)


def _clause(reason: str) -> str:
    """Return whole sentences as what stands after a colon, without the last full stop."""
    first = reason[:1].lower() if reason.startswith(("The ", "Too ")) else reason[:1]
    return f"{first}{reason[1:]}".removesuffix(".")
