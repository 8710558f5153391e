"""What a candidate of a search is called: its number, and the parameters that vary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from sklearn.base import clone

from .._utils._checks import one_line

# Significant digits to try: few are enough for most grids, the last are those of repr.
_FEWEST_DIGITS, _MOST_DIGITS = 4, 16


def params_of(cv_results: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the parameters of the candidates; those of RFECV are numbers of features."""
    if "params" in cv_results:
        return list(cv_results["params"])
    return [{"n_features": int(n)} for n in cv_results.get("n_features", ())]


def candidate_labels(
    params: Sequence[Mapping[str, Any]], positions: Sequence[int] | None = None
) -> tuple[str, ...]:
    """Name candidates by their number in ``cv_results_`` and the parameters that differ."""
    prefix, varying = _varying(params)
    short = [(name.removeprefix(prefix), written) for name, written in varying.items()]
    labels = []
    for k, number in enumerate(range(len(params)) if positions is None else positions):
        values = ", ".join(f"{name}={written[k]}" for name, written in short if k in written)
        labels.append(f"#{number} {values}".rstrip())
    return tuple(labels)


def in_common(params: Sequence[Mapping[str, Any]]) -> str:
    """Say what the labels of candidates leave out, because it is the same in all."""
    prefix, varying = _varying(params)
    said = [f"parameters of {prefix.removesuffix('__')}"] if prefix else []
    constant = {name: value for name, value in params[0].items() if name not in varying}
    if constant:
        values = (f"{name.removeprefix(prefix)}={_written([x])[0]}" for name, x in constant.items())
        said.append(f"{', '.join(values)} in all")
    return "; ".join(said)


def _varying(params: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, dict[int, str]]]:
    """Return the parameters that differ, with the value of each candidate, and their prefix."""
    varying = {}
    for name in dict.fromkeys(name for given in params for name in given):
        owners = [k for k, given in enumerate(params) if name in given]
        written = _written([params[k][name] for k in owners])
        if len(set(written)) > 1 or len(owners) < len(params):
            varying[name] = dict(zip(owners, written, strict=True))
    levels = zip(*(name.split("__")[:-1] for name in varying), strict=False)
    common = takewhile(lambda level: len(set(level)) == 1, levels)
    return "".join(f"{level[0]}__" for level in common), varying


def candidate_estimator(estimator: Any, params: Mapping[str, Any]) -> Any:
    return clone(estimator).set_params(**clone(dict(params), safe=False))


def _written(values: Sequence[Any]) -> list[str]:
    """Write the values of a parameter with the fewest digits that distinguish them."""
    exact = [repr(float(it)) if isinstance(it, float) else one_line(it) for it in values]
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS + 1):
        brief = [
            f"{it:.{digits}g}" if isinstance(it, float) else " ".join(str(it).split())
            for it in values
        ]
        if len(set(brief)) >= len(set(exact)):
            return brief
    return exact
