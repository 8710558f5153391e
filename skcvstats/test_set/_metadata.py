"""What a metric takes for each row besides targets and predictions, such as an amount."""

from collections.abc import Mapping, Set
from contextlib import suppress
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from .._utils._arrays import as_array
from .._utils._checks import listed
from ..fitting import Metric
from ..stats import check_present

_START = "metric_params["  # of the place of each entry among all that is given for the rows


def places_of(metric_params: Any) -> dict[str, Any]:
    """Return each entry of `metric_params` by its place; raise an error for what are none."""
    given = {} if metric_params is None else metric_params
    if not isinstance(given, Mapping):
        raise TypeError(
            "metric_params must be a mapping from names to an entry for each row, such as "
            f"{{'amount': amount}}, got {type(given).__name__}."
        )
    return {_place(name): part for name, part in given.items()}


def _place(name: Any) -> str:
    return f"{_START}{name!r}]"


def is_of_metric(place: str) -> bool:
    """Tell whether something is an entry of `metric_params`."""
    return place.startswith(_START)


def parts_of_score(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the score on some rows needs besides targets and predictions."""
    kept = {"X", "sample_weight", *filter(is_of_metric, parts)}
    return {name: parts[name] for name in kept.intersection(parts)}


def with_params(metric: Metric, aligned: Mapping[str, Any]) -> tuple[Metric, dict[str, np.ndarray]]:
    """Return a metric, without scores of rows if it takes more for each, and what it takes."""
    taken = {}
    for parameter, place in _places_by_parameter(metric).items():
        if place in aligned:
            taken[parameter] = as_array(place, aligned[place])
            check_present(place, taken[parameter])
            requests = {parameter: True, **metric.function.requests}
            function = replace(metric.function, requests=requests)
            metric = replace(metric, rows=None, function=function)
    return metric, taken


def _places_by_parameter(metric: Metric) -> dict[str, str]:
    """Return the place of what each parameter takes, of a function of the user's."""
    function = metric.function
    if metric.function_name:  # the others of scikit-learn's are no metadata
        return {}
    names: dict[str, Any] = {}
    with suppress(TypeError, ValueError):  # some callables have no signature
        names = dict.fromkeys([*signature(function.function).parameters][2:], True)
    fixed = dict.fromkeys(["sample_weight", *function.options], False)
    names = {**names, **function.requests, **fixed}
    return {
        parameter: _place(parameter if alias is True else alias)
        for parameter, alias in names.items()
        if alias is not False
    }


def check_taken(places: Set[str], metrics: Mapping[str, Metric]) -> None:
    """Raise ValueError for an entry that no metric takes, or if one is requested and lacking."""
    unknown = {*places}
    for name, metric in metrics.items():
        by_parameter = _places_by_parameter(metric)
        unknown.difference_update(by_parameter.values())
        requested = {by_parameter.get(asked, "") for asked in metric.function.requests}
        requested -= {"", *places}
        if requested:
            raise ValueError(
                f"{name} requests {', '.join(sorted(requested))}, which is not given. Pass it, "
                "with one entry for each row."
            )
    if unknown:
        raise ValueError(
            f"{', '.join(sorted(unknown))} is taken by no metric ({listed(metrics)}). Pass a "
            "function of your own with such a parameter, f(y_true, y_pred, amount) or "
            "make_scorer(f); weights are passed as sample_weight=."
        )
