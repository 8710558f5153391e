"""The candidates of a search: their names, costs and estimators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

import numpy as np
from sklearn.base import clone

from .._utils._checks import is_real, listed, one_line

# Significant digits to try: few are enough for most grids, the last are those of repr.
_FEWEST_DIGITS, _MOST_DIGITS = 4, 16


def candidate_labels(
    params: Sequence[Mapping[str, Any]], positions: Sequence[int] | None = None
) -> tuple[str, ...]:
    """Name candidates by their number in ``cv_results_`` and the parameters that differ."""
    texts: list[dict[str, str]] = [{} for _ in params]
    varying = _varying(params)
    prefix = _common_prefix(varying)
    for name, written in varying.items():
        for k, text in written.items():
            texts[k][name] = f"{name.removeprefix(prefix)}={text}"
    numbers = range(len(params)) if positions is None else positions
    return tuple(
        " ".join([f"#{number}", ", ".join(values.values())]).rstrip()
        for number, values in zip(numbers, texts, strict=True)
    )


def in_common(params: Sequence[Mapping[str, Any]]) -> str:
    """Say what the labels of candidates leave out, because it is the same in all."""
    varying = _varying(params)
    prefix = _common_prefix(varying)
    said = [f"parameters of {prefix.removesuffix('__')}"] if prefix else []
    constant = [name for name in params[0] if name not in varying]
    if constant:
        values = (
            f"{name.removeprefix(prefix)}={_written([params[0][name]])[0]}" for name in constant
        )
        said.append(f"{', '.join(values)} in all")
    return "; ".join(said)


def matching_label(reference: Any, labels: Sequence[str]) -> Any:
    """Return the label of a candidate that is named only by its number or its parameters."""
    if not isinstance(reference, str) or reference in labels:
        return reference
    found = [label for label in labels if reference in label.split(" ", 1)]
    return found[0] if len(found) == 1 else reference


def _varying(params: Sequence[Mapping[str, Any]]) -> dict[str, dict[int, str]]:
    """Return the parameters that differ, by name, with the value of each candidate."""
    varying = {}
    for name in dict.fromkeys(name for given in params for name in given):
        owners = [k for k, given in enumerate(params) if name in given]
        written = _written([params[k][name] for k in owners])
        if len(set(written)) > 1 or len(owners) < len(params):
            varying[name] = dict(zip(owners, written, strict=True))
    return varying


def _common_prefix(names: Iterable[str]) -> str:
    """Return the prefix that all names share, up to the last "__"."""
    steps = [name.split("__")[:-1] for name in names]
    common = takewhile(lambda level: len(set(level)) == 1, zip(*steps, strict=False))
    return "".join(f"{level[0]}__" for level in common)


def candidate_estimator(estimator: Any, params: Mapping[str, Any]) -> str:
    """Write the estimator of a candidate in one line."""
    own = {name: clone(value, safe=False) for name, value in params.items()}
    return one_line(clone(estimator).set_params(**own))


def candidate_costs(cost: Any, cv_results: Mapping[str, Any]) -> list[float]:
    """Return the cost of each candidate."""
    costs = _raw_costs(cost, cv_results)
    for value, params in zip(costs, cv_results["params"], strict=True):
        if not is_real(value) or np.isnan(value):
            raise ValueError(
                f"The candidate {params} costs {value!r}, which is no number to compare by; pass "
                "cost= as a callable that turns every candidate's parameters into one."
            )
    return [float(value) for value in costs]


def _raw_costs(cost: Any, cv_results: Mapping[str, Any]) -> Sequence[Any]:
    candidates = cv_results["params"]
    if callable(cost):
        return [cost(params) for params in candidates]
    if isinstance(cost, str) and cost in cv_results:
        return list(cv_results[cost])
    names = list(dict.fromkeys(name for params in candidates for name in params))
    if cost not in names:
        raise ValueError(
            f"cost={cost!r} is neither a key of cv_results_ nor a parameter of the candidates "
            f"({listed(names)}); it may also be a callable that takes a candidate's parameters."
        )
    return [params.get(cost) for params in candidates]


def _written(values: Sequence[Any]) -> list[str]:
    """Write the values of a parameter with the fewest digits that distinguish them."""
    exact = [_in_digits(value, None) for value in values]
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS + 1):
        brief = [_in_digits(value, digits) for value in values]
        if len(set(brief)) >= len(set(exact)):
            return brief
    return exact


def _in_digits(value: Any, digits: int | None) -> str:
    if isinstance(value, float):
        return repr(float(value)) if digits is None else f"{value:.{digits}g}"
    return one_line(value) if digits is None else " ".join(str(value).split())
