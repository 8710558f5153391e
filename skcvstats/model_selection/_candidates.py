"""The candidates of a search: their names, their costs, the estimators that they stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from .._utils import is_real, listed, one_line

# Significant digits: enough for most grids, and where repr writes no more.
_FEWEST_DIGITS, _MOST_DIGITS = 4, 16


def candidate_labels(params: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Name candidates by the parameters that differ, those that occur twice by a number too.

    Parameters
    ----------
    params : sequence of mapping
        The parameters of each candidate, of which grids may set different ones.

    Returns
    -------
    tuple of str
        Unique, such as ``"C=1, gamma=0.5"``.
    """
    texts: list[dict[str, str]] = [{} for _ in params]
    for name in dict.fromkeys(name for given in params for name in given):
        owners = [k for k, given in enumerate(params) if name in given]
        written = _written([params[k][name] for k in owners])
        if len(set(written)) > 1 or len(owners) < len(params):
            for k, text in zip(owners, written, strict=True):
                texts[k][name] = f"{name}={text}"
    labels = [", ".join(values.values()) or "candidate" for values in texts]
    counts, seen = Counter(labels), Counter[str]()
    for k, label in enumerate(labels):
        seen[label] += 1
        if counts[label] > 1:
            labels[k] = f"{label} #{seen[label]}"
    return tuple(labels)


def candidate_estimator(estimator: Any, params: Mapping[str, Any]) -> str:
    """Write the estimator that a candidate stands for in one line.

    Parameters
    ----------
    estimator : estimator
        The search's own; it is not changed.
    params : mapping
        The parameters of the candidate.
    """
    own = {name: clone(value, safe=False) for name, value in params.items()}
    return one_line(clone(estimator).set_params(**own))


def candidate_costs(cost: Any, cv_results: Mapping[str, Any]) -> list[float]:
    """Return what each candidate costs.

    Parameters
    ----------
    cost : str or callable
        A key of `cv_results`, a parameter, or a callable of one candidate's parameters.
    cv_results : mapping
        The ``cv_results_`` of a search.

    Raises
    ------
    ValueError
        If the cost of a candidate is not a number.
    """
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
    """Write the values of a parameter with as few digits as tell them apart."""
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
