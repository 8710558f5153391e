"""The candidates of a finished search or race: their scores, and what they are called."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from os.path import commonprefix
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_classifier

from .._utils._arrays import one_output
from .._utils._checks import check_option, listed, n_rows, one_line, unseeded_parameters
from .._utils._text import with_blanks
from ..comparison import CandidatesEvidence
from ..exceptions import SplitDesignError
from ..fitting import (
    Metric,
    check_refitted,
    measured_name,
    read_metrics,
    refuse_outside,
    undefined_metrics,
)
from ..notes import Evidence, LabelsEvidence, with_notes
from ..scores import (
    CVScores,
    Note,
    SplitDesign,
    check_design,
    find_notes,
    metrics_of,
    refuse_divided_by_zero,
)
from ..splitters import check_data, to_splitter
from ._compare_scores import columns_of

# The mean times of candidates, as they are called in ``cv_results_``.
TIMES = ("mean_fit_time", "mean_score_time")

# Significant digits to try: few are enough for most grids, the last are those of repr.
_FEWEST_DIGITS = 4
_MOST_DIGITS = 16

_ALL = range(sys.maxsize)


def params_of(cv_results: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the parameters of the candidates; those of RFECV are numbers of features."""
    if "params" in cv_results:
        return list(cv_results["params"])
    return [{"n_features": int(n)} for n in cv_results.get("n_features", ())]


def saved_results(results: Any) -> dict[str, Any] | None:
    """Return saved ``cv_results_``, a dict or a frame, also of CSV, or None."""
    columns = columns_of(results)
    if not any(str(key).startswith("split0_test_") for key in columns):
        return None
    saved = {str(key): list(results[key]) for key in columns}
    if not isinstance(next(iter(params_of(saved)), None), Mapping):  # texts, in CSV
        saved["params"] = _params_of_columns(saved)
    return saved


def _params_of_columns(results: Mapping[str, Sequence[Any]]) -> list[Mapping[Any, Any]]:
    """Return the parameters of each candidate, from columns that lack it where it has none."""
    import pandas as pd

    columns = pd.DataFrame(results, dtype=object).filter(regex="^param_")
    columns.columns = columns.columns.str.removeprefix("param_")
    columns = columns.mask(columns.map(np.ma.is_masked))
    return [values.dropna().to_dict() for _, values in columns.iterrows()]


def values_by_parameter(params: Sequence[Mapping[str, Any]]) -> dict[str, dict[int, Any]]:
    """Return for each parameter its values by the numbers of the candidates that have it."""
    values: dict[str, dict[int, Any]] = {}
    for number, params_of_one in enumerate(params):
        for name, value in params_of_one.items():
            values.setdefault(name, {})[number] = value
    return values


def candidate_labels(
    params: Sequence[Mapping[str, Any]], positions: Iterable[int] = _ALL
) -> tuple[str, ...]:
    """Name candidates by their number in ``cv_results_`` and the parameters that differ."""
    prefix, varying = _varying(params)
    labels = []
    for k, number in zip(range(len(params)), positions, strict=False):
        values = [
            f"{name.removeprefix(prefix)}={written[k]}"
            for name, written in varying.items()
            if k in written
        ]
        labels.append(with_blanks(f"#{number} {', '.join(values)}".rstrip()))
    return tuple(labels)


def in_common(params: Sequence[Mapping[str, Any]]) -> str:
    """Say what the labels of candidates leave out, because it is the same in all."""
    prefix, varying = _varying(params)
    parts = []
    if prefix:
        parts.append(f"parameters of {prefix.removesuffix('__')}")
    constant = [
        f"{name.removeprefix(prefix)}={_write_values([value])[0]}"
        for name, value in params[0].items()
        if name not in varying
    ]
    if constant:
        parts.append(f"{', '.join(constant)} in all")
    return "; ".join(parts)


def _varying(params: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, dict[int, str]]]:
    """Return the parameters that differ, with the value of each candidate, and their prefix."""
    varying = {}
    for name, values in values_by_parameter(params).items():
        written = _write_values(list(values.values()))
        if len(set(written)) > 1 or len(values) < len(params):
            varying[name] = dict(zip(values, written, strict=True))
    # They are compared by their characters; only whole steps are a prefix.
    step, separator, _ = commonprefix(list(varying)).rpartition("__")  # noqa: RUF071
    return f"{step}{separator}", varying


def varying_names(params: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the parameters that differ between candidates."""
    return list(_varying(params)[1])


def candidate_estimator(estimator: Any, params: Mapping[str, Any]) -> Any:
    return clone(estimator).set_params(**clone(dict(params), safe=False))


def _write_values(values: Sequence[Any]) -> list[str]:
    """Write the values of a parameter with the fewest digits that distinguish them."""
    exact = [
        repr(float(value)) if isinstance(value, float) else one_line(value) for value in values
    ]
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS + 1):
        brief = [
            f"{value:.{digits}g}" if isinstance(value, float) else " ".join(str(value).split())
            for value in values
        ]
        if len(set(brief)) >= len(set(exact)):
            return brief
    return exact


@dataclass(frozen=True)
class Finished:
    """The candidates of a finished search, with their scores on the same splits."""

    params: Sequence[Mapping[str, Any]]
    scores: Mapping[str, CVScores]  # by metric
    scoring: str  # what was measured
    notes: Sequence[Note] = ()
    causes: Sequence[str] = ()  # why scores are missing, where it is known
    estimator: Any = None  # of a search
    metrics: Sequence[Metric] = ()  # of a search
    tried: Mapping[str, Any] = field(default_factory=dict)  # where not all are there any more
    times: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # means, by label

    @property
    def first(self) -> CVScores:
        return next(iter(self.scores.values()))

    def compared(self, candidates: Sequence[int]) -> dict[str, CVScores]:
        """Return the scores of some candidates, which say what they are of."""
        names = {k: self.first.labels[k] for k in candidates}
        unseeded = unseeded_parameters(self.estimator)
        record = {
            "scoring": self.scoring,
            "estimators": {name: self._describe(self.params[k]) for k, name in names.items()},
            "unseeded": dict.fromkeys(names.values(), unseeded) if unseeded else {},
            "search": {
                "in common": in_common(self.params),
                "varying": varying_names(self.params),
                "times": self.times,
                **self.tried,
            },
        }
        compared = {}
        for name, scores in self.scores.items():
            some = scores._take(np.array(candidates))
            measured = {"measured": measured_name(self.metrics, name)}
            provenance = {**some.provenance, **record, **measured}
            compared[name] = replace(some, provenance=provenance)
        return compared

    def _describe(self, params: Mapping[str, Any]) -> str:
        """Write what the label of a candidate stands for in one line."""
        with suppress(TypeError, ValueError):  # there is no model, or it is in a RFECV
            return one_line(candidate_estimator(self.estimator, params))
        return one_line(params)


# What to state where the splits cannot be known.
SIZES = "SplitDesign.from_sizes(n_train=..., n_test=..., n_splits=..., n_samples=...)."


def check_several(params: Sequence[Mapping[str, Any]], where: str) -> None:
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


def read_finished(
    search: Any, data: dict[str, Any], design: SplitDesign | None, cv: Any, scoring: Any
) -> Finished:
    """Return the candidates of a search, or of its saved ``cv_results_``."""
    if design is not None:
        replaced = {**data, "cv": cv}
        if any(value is not None for value in replaced.values()):
            raise ValueError(f"Pass either the data ({', '.join(replaced)}) or design=, not both.")
        check_design(design)
    if hasattr(search, "cv_results_"):
        for name, value in {"cv": cv, "scoring": scoring}.items():
            if value is not None:
                raise ValueError(
                    f"{name}= cannot be given for a search, which has its own splitter and "
                    "metrics; it is for saved cv_results_. Leave it out."
                )
        return _read_search(search, data.values(), design)
    saved = saved_results(search)
    if saved is not None:
        return _read_saved(saved, data.values(), design, cv, scoring)
    raise TypeError(
        f"search is a {getattr(search, '__name__', type(search).__name__)} without cv_results_;"
        " pass a fitted GridSearchCV, RandomizedSearchCV or halving search, its saved cv_results_ "
        "(a dict or a frame with split0_test_score and so on). The trials of other tuners are "
        "compared by compare_scores: one score of each trial for each split, and design=."
    )


class _AtEnd(NamedTuple):
    """The candidates that a search scored to its end, and of how many."""

    positions: list[int]
    tried: Mapping[str, Any] = {}


def _candidates_at_end(results: Mapping[str, Any], n_candidates: int) -> _AtEnd:
    """Return the candidates that did not leave a race, or a halving search before its end."""
    if "dropped_after" in results:
        is_at_end = np.equal(results["dropped_after"], 0)
        n_tried = n_candidates
        which = " that did not leave the race"
    elif "iter" in results:
        iterations = np.asarray(results["iter"])
        is_at_end = iterations == iterations.max()
        n_tried = int(np.count_nonzero(iterations == 0))
        which = " of the last iteration"
    else:
        return _AtEnd(list(range(n_candidates)))
    positions = np.flatnonzero(is_at_end).tolist()
    if len(positions) == n_candidates:
        return _AtEnd(positions)
    return _AtEnd(positions, {"tried": n_tried, "kept": which})


def _read_search(search: Any, data: Any, design: SplitDesign | None) -> Finished:
    """Return the candidates of a search; of a halving search or a race those at its end."""
    X, y, groups = data
    metrics = read_metrics(search.scoring, search.estimator)
    results = search.cv_results_
    all_params = params_of(results)
    at_end = _candidates_at_end(results, len(all_params))
    positions = at_end.positions
    params = [all_params[k] for k in positions]
    n_left = len(all_params) - len(params)
    check_several(params, "At its end the search")
    if X is not None:
        _check_data(search, X, y)
    refuse_outside(metrics, y)
    undefined: dict[str, Any] = {}
    is_race = "dropped_after" in results
    if is_race:
        labels = search.scores_.labels
        design = design or search.scores_.design
    else:
        labels = candidate_labels(params, positions)
    on_end = find_notes(CandidatesEvidence(is_race=is_race, n_left=n_left))
    if design is None:
        design, undefined = _replayed(search, positions[0], metrics, X, y, groups)
    by_metric = metrics_of(results, alone=metrics[0].name)
    refit = getattr(search, "refit", None)  # RFECV has none
    scores = {}
    for name, values in sorted(by_metric.items(), key=lambda entry: entry[0] != refit):
        values = values[positions]
        refuse_divided_by_zero(measured_name(metrics, name), values)
        if is_race:
            values = values[:, : design.n_splits]
        notes: tuple[Note, ...] = ()
        if name in undefined:
            notes = find_notes(undefined[name])
        scores[name] = CVScores(
            values=values,
            design=design.as_stated(),
            labels=labels,
            metric=name,
            notes=notes,
        )
    if y is not None:
        scores |= _with_notes_on_scores(search, metrics, scores, y)
    estimators = {type(search).__name__: [search.estimator, params]}
    check_refitted(estimators)
    return Finished(
        params,
        scores,
        scoring=metrics[0].describe() if metrics[0].alone else one_line(search.scoring),
        notes=[*on_end, *find_notes(Evidence(estimators=estimators))],
        causes=[lacking.fact for lacking in undefined.values()],
        estimator=search.estimator,
        metrics=metrics,
        tried=dict(at_end.tried),
        times=_times_of(results, labels, positions),
    )


def _times_of(
    results: Mapping[str, Any], labels: Sequence[str], positions: Sequence[int]
) -> dict[str, dict[str, float]]:
    """Return the mean times of each candidate, as far as they were kept."""
    times = {}
    for name in TIMES:
        if name in results:
            numbers = np.asarray(results[name], dtype=float)[positions]
            times[name] = dict(zip(labels, numbers.tolist(), strict=True))
    return times


def _with_notes_on_scores(
    search: Any, metrics: Sequence[Metric], scores: Mapping[str, CVScores], y: Any
) -> dict[str, CVScores]:
    """Return scores with the notes on those of the best candidate; many grids have bad ones."""
    noted = {}
    of_classes = is_classifier(search.estimator)
    for metric in metrics:
        if metric.name not in scores:
            continue
        all_scores = scores[metric.name]
        best = int(np.nan_to_num(all_scores.values.mean(axis=1), nan=-np.inf).argmax())
        facts = {"metric": metric, "judged": metric, "of_classes": of_classes}
        best_scores = with_notes(Evidence(y=y), all_scores.row(best), **facts)
        sees_labels = metric.sees_labels(np.zeros(100), search.estimator)
        if metric.responses == ("predict",) and sees_labels:
            evidence = LabelsEvidence(metric, all_scores.labels)
            best_scores = best_scores.with_notes(find_notes(evidence))
        noted[metric.name] = replace(
            all_scores, provenance=best_scores.provenance, notes=best_scores.notes
        )
    return noted


def _check_data(search: Any, X: Any, y: Any) -> None:
    """Raise ValueError for other columns, classes or rows than the search was fitted on."""
    labels = one_output(y)
    facts = {
        "n_features_in_": getattr(X, "shape", ())[1:2],
        "feature_names_in_": getattr(X, "columns", ()),
        "classes_": () if labels is None else np.unique(labels).tolist(),
    }
    for name, of_data in facts.items():
        of_search = np.ravel(getattr(search, name, of_data)).tolist()
        if len(of_data) and of_search != list(of_data):
            raise ValueError(
                f"{name} of the search is {listed(of_search)}, and of the data {listed(of_data)}. "
                "Pass the data that the search was fitted on."
            )
    n_split_rows = _count_split_rows(search)
    if n_split_rows not in (None, n_rows(X)):
        raise SplitDesignError(
            f"The splits of the search are of {n_split_rows} rows, and X has {n_rows(X)}. Pass the "
            "data that the search was fitted on."
        )


def _count_split_rows(search: Any) -> int | None:
    """Count the rows that a search has split, None if its splits do not tell it."""
    if "dropped_after" in search.cv_results_:
        n_samples: int | None = search.scores_.design.n_samples
        return n_samples
    if hasattr(search.cv, "test_fold"):  # PredefinedSplit
        return len(search.cv.test_fold)
    if isinstance(search.cv, (list, tuple)):
        sides = chain.from_iterable(search.cv)
        rows = np.unique(np.concatenate(list(map(np.ravel, sides))))
        if len(rows) == rows[-1] + 1:  # else some rows are in no split
            return len(rows)
    return None


def _replayed(
    search: Any, candidate: int, metrics: Sequence[Metric], X: Any, y: Any, groups: Any
) -> tuple[SplitDesign, dict[str, Any]]:
    """Run the splitter over the data again, for the sizes of the splits and undefined metrics."""
    halves_rows = getattr(search, "resource", None) == "n_samples"
    _check_can_be_replayed(search, X, halves_rows=halves_rows)
    X, y, groups = check_data(X, y, groups)
    splitter = to_splitter(search.cv, y, classifier=is_classifier(search.estimator))
    try:
        design = SplitDesign.from_any_draw(splitter, X, y, groups)
    except Exception as error:
        raise SplitDesignError(
            f"{one_line(splitter)} could not be run over the data again: {error} Pass the data "
            f"that it was fitted on (and groups=, if it needs them), or else design={SIZES}"
        ) from error
    by_metric = metrics_of(search.cv_results_, alone=metrics[0].name)
    n_splits = next(iter(by_metric.values())).shape[-1]
    check_count(design, n_splits, one_line(splitter), f"Pass design={SIZES}")
    if halves_rows:
        if design.unit == "rows":  # from groups rows are taken, so their number is the same
            share = np.asarray(search.cv_results_["n_resources"])[candidate] / n_rows(X)
            design = _share_of(design, share)
        return design, {}
    if design.unit == "rows":
        _check_accuracies(metrics, by_metric, design, X)
    return design, undefined_metrics(metrics, splitter, X, y, groups)


def _check_can_be_replayed(search: Any, X: Any, *, halves_rows: bool) -> None:
    """Raise an error if the splitter cannot be run over the data of the search again."""
    if X is None:
        raise ValueError(
            "A search does not keep the sizes of its splits. Pass X and y, the data that it was "
            "fitted on, or design=SplitDesign.from_sizes(...)."
        )
    from_data = halves_rows and getattr(search, "max_resources", None) == "auto"
    if from_data and search.max_resources_ != n_rows(X):
        raise SplitDesignError(
            f"The data have {n_rows(X)} rows, but the search was fitted on {search.max_resources_} "
            f"rows (max_resources_). Pass the data that it was fitted on, or design={SIZES}"
        )


def _check_accuracies(
    metrics: Sequence[Metric], by_metric: Mapping[str, np.ndarray], design: SplitDesign, X: Any
) -> None:
    """Raise SplitDesignError for accuracies that test sets of these sizes cannot have."""
    for metric in metrics:
        if metric.named == "accuracy" and not design._are_shares(by_metric[metric.name]).all():
            raise SplitDesignError(
                "The accuracies of the search are not k/n_test on these test sets of "
                f"{n_rows(X)} rows, so it was fitted on other rows. Pass the data that it was "
                "fitted on."
            )


def _share_of(design: SplitDesign, share: float) -> SplitDesign:
    """Return the design of a share of each part of the splits, as a halving search takes it."""
    return replace(
        design.as_stated(),
        n_train=tuple(np.multiply(share, design.n_train).astype(int).tolist()),
        n_test=tuple(np.multiply(share, design.n_test).astype(int).tolist()),
        source=f"{design.source}, {share:.3g} of each part in the last iteration of the halving "
        "search",
    )


def _read_saved(
    results: Mapping[str, Any], data: Any, design: Any, cv: Any, scoring: Any
) -> Finished:
    """Return the candidates of saved ``cv_results_`` of a search on X, y, groups."""
    if "iter" in results or "dropped_after" in results:
        raise ValueError(
            "These cv_results_ are of a halving search or a race, whose candidates were not all "
            "scored on the same splits. Pass the search itself."
        )
    params = params_of(results)
    by_metric = metrics_of(results, alone=scoring)
    check_several(params, "The search")
    stated = _stated(data, design, cv)
    if scoring is not None:
        check_option("scoring", scoring, by_metric)
        by_metric = {scoring: by_metric[scoring]}
    n_splits = next(iter(by_metric.values())).shape[-1]
    check_count(stated, n_splits, one_line(cv or design), "Pass the cv that the search had.")
    labels = candidate_labels(params)
    scores = {}
    for metric, values in by_metric.items():
        refuse_divided_by_zero(metric, values)
        scores[metric] = CVScores(values=values, design=stated, labels=labels, metric=metric)
    times = _times_of(results, labels, range(len(params)))
    return Finished(params, scores, scoring=scoring or "saved", times=times)


def _stated(data: Any, design: SplitDesign | None, cv: Any) -> SplitDesign:
    """Return the splits by the user's word: a design, or what split X, y, groups."""
    if design is not None:
        return design.as_stated()
    X, y, groups = data
    if X is None or cv is None:
        raise ValueError(
            "Saved cv_results_ do not keep their splits. Pass the data and what split them, "
            "compare_candidates(..., X, y, cv=...), or design=SplitDesign.from_sizes(...)."
        )
    if not (hasattr(cv, "split") or isinstance(cv, Sequence)):
        raise ValueError(
            f"cv={cv!r} must be the splitter that was used, or its list of (train, test) pairs. "
            "An integer k is StratifiedKFold(k) for classifiers, and KFold(k) for others."
        )
    X, y, groups = check_data(X, y, groups)
    design = SplitDesign.from_splitter(to_splitter(cv, y, classifier=False), X, y, groups)
    return design.as_stated()
