"""What a finished search or study left: its candidates, their names and their scores."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from sklearn.base import clone

from .._utils._checks import one_line
from ..exceptions import SplitDesignError
from ..fitting import Metric
from ..scores import CVScores, Note, SplitDesign, scores_of
from ..stats import Procedure

# What to state where the splits cannot be known.
SIZES = "SplitDesign.from_sizes(n_train=..., n_test=..., n_splits=..., n_samples=...)."
# Significant digits to try: few are enough for most grids, the last are those of repr.
_FEWEST_DIGITS, _MOST_DIGITS = 4, 16


@dataclass(frozen=True)
class Finished:
    """The candidates of a finished search, with their scores on the same splits."""

    params: Sequence[Mapping[str, Any]]
    scores: Mapping[str, CVScores]  # by metric
    scoring: str  # what was measured
    write: Callable[[Mapping[str, Any]], str]  # turns parameters into what a label stands for
    again: str  # what to do after a failure
    notes: Sequence[Note] = ()
    causes: Sequence[str] = ()  # why scores are missing, where it is known
    unseeded: Sequence[str] = ()
    metrics: Sequence[Metric] = ()  # of a search

    @property
    def first(self) -> CVScores:
        """The scores in the first metric."""
        return next(iter(self.scores.values()))

    def compared(self, candidates: Sequence[int]) -> dict[str, CVScores]:
        """Return the scores of some candidates, which say what they are of."""
        names = {k: self.first.labels[k] for k in candidates}
        about = {
            "scoring": self.scoring,
            "estimators": {name: self.write(self.params[k]) for k, name in names.items()},
            "unseeded": {name: self.unseeded for name in names.values() if self.unseeded},
            "search": {"in common": _in_common(self.params)},
        }
        known = {metric.name: metric.measured for metric in self.metrics}
        found = {}
        for metric, scores in self.scores.items():
            what = known.get(metric, metric)
            measured = {} if what == metric else {"measured": what}
            own = scores_of(scores, list(names.values()))
            found[metric] = replace(own, provenance=about | measured)
        return found


def params_of(cv_results: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the parameters of the candidates; those of RFECV are numbers of features."""
    if "params" in cv_results:
        return list(cv_results["params"])
    return [{"n_features": int(n)} for n in cv_results.get("n_features", ())]


def check_several(params: Sequence[Mapping[str, Any]], where: str) -> None:
    """Raise ValueError if there is one candidate only."""
    if len(params) == 1:
        raise ValueError(
            f"{where} had one candidate only, {dict(params[0])}: nothing to compare it with. "
            "Search over more, or estimate its score alone with cross_val_inference."
        )


def check_count(design: SplitDesign, n_splits: int, what: str, remedy: str) -> None:
    """Raise SplitDesignError if the splits are not as many as the scores of a candidate."""
    if design.n_splits != n_splits:
        raise SplitDesignError(
            f"{what} has {design.n_splits} splits, but the results are of {n_splits}, so they came "
            f"from others. {remedy}"
        )


def require_no_more(test: Procedure, design: SplitDesign, *, who: str) -> None:
    """Raise ValueError for a procedure that needs more than the scores of a search."""
    if test.needs_rows or test.fixed or test.auxiliary_request(design) is not None:
        raise ValueError(
            f"{who} has the scores of a search only, and {test!r} needs more: scores of rows, "
            'models that were fitted once, or auxiliary splits. Use method="corrected_resampled_t".'
        )


def candidate_labels(
    params: Sequence[Mapping[str, Any]], positions: Sequence[int] | None = None
) -> tuple[str, ...]:
    """Name candidates by their number in ``cv_results_`` and the parameters that differ."""
    varying = _varying(params)
    prefix = _common_prefix(varying)
    short = [(name.removeprefix(prefix), written) for name, written in varying.items()]
    labels = []
    for k, number in enumerate(range(len(params)) if positions is None else positions):
        values = ", ".join(f"{name}={written[k]}" for name, written in short if k in written)
        labels.append(f"#{number} {values}".rstrip())
    return tuple(labels)


def _in_common(params: Sequence[Mapping[str, Any]]) -> str:
    """Say what the labels of candidates leave out, because it is the same in all."""
    varying = _varying(params)
    prefix = _common_prefix(varying)
    said = [f"parameters of {prefix.removesuffix('__')}"] if prefix else []
    constant = {name: value for name, value in params[0].items() if name not in varying}
    if constant:
        values = (f"{name.removeprefix(prefix)}={_written([x])[0]}" for name, x in constant.items())
        said.append(f"{', '.join(values)} in all")
    return "; ".join(said)


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
    if list(params) == ["n_features"] and "n_features" not in estimator.get_params():  # of RFECV
        return f"{one_line(estimator)} on {params['n_features']} features"
    own = {name: clone(value, safe=False) for name, value in params.items()}
    return one_line(clone(estimator).set_params(**own))


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
