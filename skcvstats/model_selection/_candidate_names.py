"""The candidates of a finished search: their scores, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from sklearn.base import clone

from .._utils._checks import one_line, unseeded_parameters
from ..fitting import Metric
from ..scores import CVScores, Note, scores_of

# Significant digits to try: few are enough for most grids, the last are those of repr.
_FEWEST_DIGITS, _MOST_DIGITS = 4, 16


def params_of(cv_results: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the parameters of the candidates; those of RFECV are numbers of features."""
    if "params" in cv_results:
        return list(cv_results["params"])
    return [{"n_features": int(n)} for n in cv_results.get("n_features", ())]


def saved_results(results: Any) -> dict[str, Any] | None:
    """Return saved ``cv_results_``, a dict or a frame, also of CSV, or None."""
    is_table = isinstance(results, Mapping) or hasattr(results, "columns")
    if not is_table or not any(str(key).startswith("split0_test_") for key in results):
        return None
    saved = {str(key): list(results[key]) for key in results}
    if not all(isinstance(params, Mapping) for params in saved.get("params", [None])):
        varied = {key: saved[key] for key in saved if key.startswith("param_")}  # of CSV
        saved["params"] = [
            {
                key.removeprefix("param_"): value
                for key, value in zip(varied, values, strict=True)
                if value is not None and value == value  # nan where a candidate has none
            }
            for values in zip(*varied.values(), strict=True)
        ]
    return saved


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


@dataclass(frozen=True)
class Finished:
    """The candidates of a finished search or study, with their scores on the same splits."""

    params: Sequence[Mapping[str, Any]]
    scores: Mapping[str, CVScores]  # by metric
    scoring: str  # what was measured
    again: str  # what to do after a failure
    notes: Sequence[Note] = ()
    causes: Sequence[str] = ()  # why scores are missing, where it is known
    estimator: Any = None  # of a search
    metrics: Sequence[Metric] = ()  # of a search
    tried: Mapping[str, Any] = field(default_factory=dict)  # where not all are there any more

    @property
    def first(self) -> CVScores:
        return next(iter(self.scores.values()))

    def compared(self, candidates: Sequence[int]) -> dict[str, CVScores]:
        """Return the scores of some candidates, which say what they are of."""
        names = {k: self.first.labels[k] for k in candidates}
        unseeded = [] if self.estimator is None else unseeded_parameters(self.estimator)
        about = {
            "scoring": self.scoring,
            "estimators": {name: self._written(self.params[k]) for k, name in names.items()},
            "unseeded": {name: unseeded for name in names.values() if unseeded},
            "search": {"in common": in_common(self.params), **self.tried},
        }
        known = {metric.name: metric.measured for metric in self.metrics}
        found = {}
        for metric, scores in self.scores.items():
            what = known.get(metric, metric)
            measured = {} if what == metric else {"measured": what}
            own = scores_of(scores, list(names.values()))
            found[metric] = replace(own, provenance={**own.provenance, **about, **measured})
        return found

    def _written(self, params: Mapping[str, Any]) -> str:
        """Write what the label of a candidate stands for in one line."""
        model = self.estimator
        if model is None:
            return one_line(params)
        if list(params) == ["n_features"] and "n_features" not in model.get_params():  # of RFECV
            return f"{one_line(model)} on {params['n_features']} features"
        return one_line(candidate_estimator(model, params))
