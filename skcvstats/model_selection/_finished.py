"""What a finished search or study left: its candidates, their names and their scores.

Studies and trials are recognized by their attributes, so Optuna is not imported.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Any

import numpy as np
import sklearn
from sklearn.base import clone, is_classifier

from .._utils._arrays import as_numbers
from .._utils._checks import listed, n_rows, one_line, unseeded_parameters
from .._utils._text import counted
from ..exceptions import AnticonservativeWarning, SplitDesignError
from ..fitting import Metric, read_metrics, undefined_metrics
from ..scores import UNVERIFIED_PAIRING, CVScores, Note, SplitDesign, metrics_of, scores_of
from ..splitters import check_data, to_splitter
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
    prefix, varying = _varying(params)
    short = [(name.removeprefix(prefix), written) for name, written in varying.items()]
    labels = []
    for k, number in enumerate(range(len(params)) if positions is None else positions):
        values = ", ".join(f"{name}={written[k]}" for name, written in short if k in written)
        labels.append(f"#{number} {values}".rstrip())
    return tuple(labels)


def _in_common(params: Sequence[Mapping[str, Any]]) -> str:
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
    """Return the estimator of a candidate."""
    return clone(estimator).set_params(**clone(dict(params), safe=False))


def _write(estimator: Any, params: Mapping[str, Any]) -> str:
    """Write the estimator of a candidate in one line."""
    if list(params) == ["n_features"] and "n_features" not in estimator.get_params():  # of RFECV
        return f"{one_line(estimator)} on {params['n_features']} features"
    return one_line(candidate_estimator(estimator, params))


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


_RACED = Note(
    "left a race",
    "candidates that left the race are not compared, and p-values are adjusted for the comparisons "
    "that were made, not for the choice; the race's own best_set(), with rule='evidence', covers "
    "those that left",
    AnticonservativeWarning,
)
_SURVIVORS = Note(
    "surviving candidates",
    "the candidates are the survivors of a halving search, chosen in its earlier iterations on "
    "rows of the same data; p-values are adjusted for the comparisons that were made, not for the "
    "choice",
    AnticonservativeWarning,
)


def read_search(search: Any, X: Any, y: Any, groups: Any, design: SplitDesign | None) -> Finished:
    """Return the candidates of a search; of a halving search or a race those at its end."""
    metrics = read_metrics(search.scoring, search.estimator)
    results = search.cv_results_
    kept = _last_iteration(search)
    everyone, raced = params_of(results), "dropped_after" in results
    params = [everyone[k] for k in kept]
    where = "At its end the search" if len(kept) < len(everyone) else "The search"
    check_several(params, where)
    undefined: dict[str, Any] = {}
    if design is None and raced:
        design = search.scores_.design
    if design is None:
        _check_replay(search, X)
        X, y, groups = check_data(X, y, groups)
        splitter = to_splitter(search.cv, y, classifier=is_classifier(search.estimator))
        design = _sizes(search, _replayed(search, splitter, X, y, groups), X, kept[0])
        if getattr(search, "resource", None) != "n_samples":
            undefined = undefined_metrics(metrics, splitter, X, y, groups)
    labels = search.scores_.labels if raced else candidate_labels(params, kept)
    by_metric = metrics_of(results)
    if list(by_metric) == ["score"]:
        by_metric = {metrics[0].name: by_metric["score"]}
    scores = {
        metric: CVScores(
            values=values[kept, : design.n_splits] if raced else values[kept],
            design=replace(design, digests=None, seed=None),
            labels=labels,
            metric=metric,
            notes=(undefined[metric].note,) if metric in undefined else (),
        )
        for metric, values in by_metric.items()
    }
    return Finished(
        params,
        scores,
        scoring=metrics[0].describe() if metrics[0].alone else one_line(search.scoring),
        write=partial(_write, search.estimator),
        again="search again",
        notes=(_RACED if raced else _SURVIVORS,) if len(kept) < len(everyone) else (),
        causes=[lacking.fact for lacking in undefined.values()],
        unseeded=unseeded_parameters(search.estimator),
        metrics=metrics,
    )


def _last_iteration(search: Any) -> list[int]:
    """Return the candidates of the last iteration; all, if it is no halving search and no race."""
    results = search.cv_results_
    if "dropped_after" in results:
        return np.flatnonzero(results["dropped_after"] == 0).tolist()
    if "iter" in results:
        return np.flatnonzero(results["iter"] == np.max(results["iter"])).tolist()
    if hasattr(search, "n_iterations_"):
        raise ValueError(
            f"{type(search).__name__} has several iterations, but its cv_results_ do not tell them "
            f"apart (no 'iter', scikit-learn {sklearn.__version__}). Compare the candidates of the "
            "last one with compare_estimators."
        )
    return list(range(len(params_of(results))))


def _check_replay(search: Any, X: Any) -> None:
    """Raise an error if the splitter cannot be run again over the data of the search."""
    if X is None:
        raise ValueError(
            "A search does not keep the sizes of its splits. Pass X and y, the data that it was "
            "fitted on, or design=SplitDesign.from_sizes(...)."
        )
    from_data = getattr(search, "max_resources", None) == "auto" and search.resource == "n_samples"
    if from_data and search.max_resources_ != n_rows(X):
        raise SplitDesignError(
            f"The data have {n_rows(X)} rows, but the search was fitted on {search.max_resources_} "
            f"rows (max_resources_). Pass the data that it was fitted on, or design={SIZES}"
        )
    if isinstance(search.cv, Iterator):
        raise SplitDesignError(
            f"cv was a {type(search.cv).__name__}, which has been used up, so the sizes of the "
            f"splits are not known. Pass design={SIZES}"
        )


def _replayed(search: Any, splitter: Any, X: Any, y: Any, groups: Any) -> SplitDesign:
    """Run the splitter over the data again, for the sizes of its splits."""
    try:
        design = SplitDesign.from_any_draw(splitter, X, y, groups)
    except Exception as error:
        raise SplitDesignError(
            f"{one_line(splitter)} could not be run over the data again: {error} Pass the data "
            f"that it was fitted on (and groups=, if it needs them), or else design={SIZES}"
        ) from error
    n_splits = next(iter(metrics_of(search.cv_results_).values())).shape[-1]
    check_count(design, n_splits, one_line(splitter), f"Pass design={SIZES}")
    return design


def _sizes(search: Any, design: SplitDesign, X: Any, candidate: int) -> SplitDesign:
    """Return the sizes of a candidate's splits: halving takes the same share of both parts."""
    if getattr(search, "resource", None) != "n_samples" or design.unit == "groups":
        return design  # rows are taken from each group, so the number of groups is the same
    if "n_resources" not in search.cv_results_:
        raise ValueError(
            f"The cv_results_ of {type(search).__name__} do not tell how many rows an iteration "
            f"used (no 'n_resources', scikit-learn {sklearn.__version__}). Pass "
            "design=SplitDesign.from_sizes(...), the sizes of the splits of its last iteration."
        )
    share = np.asarray(search.cv_results_["n_resources"])[candidate] / n_rows(X)
    n_train, n_test = (
        tuple(int(share * size) for size in sizes) for sizes in (design.n_train, design.n_test)
    )
    part = f"{design.source}, {share:.3g} of each part in the last iteration of the halving search"
    return replace(design, n_train=n_train, n_test=n_test, source=part, digests=None, seed=None)


_COMPLETE, _FAILED, _PRUNED = "COMPLETE", "FAIL", "PRUNED"
# Relative difference by rounding, between the value of a trial and the mean of its scores.
_ROUNDING = 1e-6


def read_study(
    study: Any, data: Any, design: SplitDesign | None, *, cv: Any, key: Any, scoring: Any
) -> Finished:
    """Return the finished and the failed trials of a study with one objective on X, y, groups."""
    if len(study.directions) > 1:
        raise ValueError(
            f"The study has {len(study.directions)} objectives, and trials are compared in one. "
            "Compare each with compare_scores({name of trial: scores, ...}, design=...)."
        )
    sign = -1 if study.directions[0].name == "MINIMIZE" else 1
    key, scoring = key or "scores", scoring or "score"
    trials = [trial for trial in study.trials if trial.state.name in (_COMPLETE, _FAILED)]
    trials.sort(key=lambda trial: trial.number)
    if all(trial.state.name == _FAILED for trial in trials):
        raise ValueError(
            f"The study has no finished trials among its {len(study.trials)}, so there is nothing "
            "to compare. Run study.optimize(objective, n_trials=...) first."
        )
    params = [trial.params for trial in trials]
    check_several(params, "The study")
    if design is None:
        design = _design(*data, cv=cv)
    values = _values(trials, key, design.n_splits)
    _check_signs(trials, values, key, sign)
    name = scoring if sign > 0 else f"neg_{scoring}"
    stated = replace(design, digests=None, seed=None)  # it is the user's word
    labels = candidate_labels(params, [trial.number for trial in trials])
    scores = CVScores(
        values=sign * values, design=stated, labels=labels, metric=name, notes=(UNVERIFIED_PAIRING,)
    )
    return Finished(
        params,
        {name: scores},
        scoring=f"{scoring}, by the objective of the study",
        write=one_line,
        again="run the study again",
        notes=tuple(_left_out(study, len(trials))),
    )


def _design(X: Any, y: Any, groups: Any, *, cv: Any) -> SplitDesign:
    if X is None or cv is None:
        raise ValueError(
            "A study does not keep its splits. Pass the data and what split them, "
            "compare_candidates(study, X, y, cv=...), or design=SplitDesign.from_sizes(...)."
        )
    if isinstance(cv, type) or not (hasattr(cv, "split") or isinstance(cv, Sequence)):
        raise ValueError(
            f"cv={cv!r} must be the splitter of the objective, such as KFold(5) or "
            "RepeatedSubsampleSplit(15, random_state=0), or its list of (train, test) pairs."
        )
    X, y, groups = check_data(X, y, groups)
    return SplitDesign.from_splitter(to_splitter(cv, y, classifier=False), X, y, groups)


def _values(trials: Sequence[Any], key: str, n_splits: int) -> np.ndarray:
    """Return the scores of each trial as they were stored, nan in those that failed."""
    finished = [trial for trial in trials if trial.state.name == _COMPLETE]
    without = [f"#{trial.number}" for trial in finished if key not in trial.user_attrs]
    if without:
        known = dict.fromkeys(name for trial in finished for name in trial.user_attrs)
        there = f" Their attributes are {listed(known)}; choose one with key=." if known else ""
        raise ValueError(
            f"{len(without)} of {counted(len(finished), 'finished trial')} without {key!r} in "
            f"their user_attrs: {listed(without)}.{there} The value of a trial is a mean, which "
            "does not say how much the splits differ. Store their scores in the objective, "
            f"trial.set_user_attr({key!r}, scores.tolist()), and run it again."
        )
    values = np.full((len(trials), n_splits), np.nan)
    wanted = "store one number for each split, trial.set_user_attr(key, scores.tolist())"
    for row, trial in zip(values, trials, strict=True):
        if trial.state.name == _FAILED:
            continue
        stored = trial.user_attrs[key]
        try:
            numbers = as_numbers(key, stored)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"The {key!r} of trial {trial.number} is {stored!r}, not numbers; {wanted}."
            ) from error
        if numbers.shape != row.shape:
            raise ValueError(
                f"The {key!r} of trial {trial.number} has shape {numbers.shape}, but there are "
                f"{counted(n_splits, 'split')}; {wanted}, and pass what split the data in all "
                "trials."
            )
        row[:] = numbers
    return values


def _check_signs(trials: Sequence[Any], values: np.ndarray, key: str, sign: int) -> None:
    """Raise ValueError if scores have the opposite sign of the value, which is their mean."""
    direction = "maximizes" if sign > 0 else "minimizes"
    for trial, mean in zip(trials, values.mean(axis=1), strict=True):
        if trial.value is None or not np.isfinite(mean) or mean == 0:
            continue
        if abs(trial.value + mean) <= _ROUNDING * abs(mean):
            raise ValueError(
                f"The mean of the {key!r} of trial {trial.number} is {mean:.6g}, and its value is "
                f"{trial.value:.6g}, with the other sign. The study {direction}: store the scores "
                "that the value is the mean of."
            )


def _left_out(study: Any, n_compared: int) -> Iterator[Note]:
    """Yield what to say about the trials that are not compared."""
    n_pruned = sum(trial.state.name == _PRUNED for trial in study.trials)
    if n_pruned:
        text = (
            f"{counted(n_pruned, 'pruned trial')} left out, for their scores on some splits; "
            "p-values are adjusted for the comparisons that were made, not for the choice"
        )
        yield Note("pruned trials", text, AnticonservativeWarning)
    unfinished = len(study.trials) - n_pruned - n_compared
    if unfinished:
        yield Note("unfinished trials", f"{counted(unfinished, 'unfinished trial')} left out", None)
