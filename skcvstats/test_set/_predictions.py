"""Predictions for one test set, read with all that is given for its rows."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
import sklearn
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import make_scorer

from .._utils._arrays import as_array, check_unmasked, classes_in, entries_of, target_digest, typed
from .._utils._checks import brief, check_finite_number, check_option, distinct, listed, n_rows
from .._utils._documents import versions
from .._utils._metrics import CALLED, METRICS, shown_as
from .._utils._text import counted, format_number
from .._utils._warn import heard, quiet
from ..fitting import (
    Lack,
    Metric,
    RowScorer,
    ScoringFunction,
    TargetLabels,
    outside_range,
    read_metrics,
    refuse_other_kinds,
    unknown_labels,
)
from ..notes import Evidence, NearRows, PassedEvidence, as_stamps, on_scores
from ..scores import Note, find_notes
from ..stats import check_present, read_weights
from ._alignment import arrays_of, by_name, matched_rows, named_runs, stamps_in, times_of
from ._metadata import check_taken, is_of_metric, parts_of_score, with_params
from ._stored import DECISION, PREDICT, PROBA, StoredLabels, as_objects, of_one_column, store


@dataclass(frozen=True, eq=False)
class RowLabels:
    """What some doors take for each row: its fold, its slice, and its time."""

    folds: Any = None
    slices: np.ndarray | None = None
    times: np.ndarray | None = None
    stamps: Any = None  # what the times are, such as dates
    is_timed: bool = False  # whether times were asked for, and not found in an index
    params: Mapping[str, np.ndarray] = field(default_factory=dict)  # that the metric takes

    def only(self, kept: Any) -> Self:
        """Return the labels of some rows; folds are of all rows."""
        slices = entries_of(self.slices, kept)
        stamps = entries_of(self.stamps, kept)
        times = entries_of(self.times, kept)
        params = {name: part[kept] for name, part in self.params.items()}
        return replace(self, slices=slices, times=times, stamps=stamps, params=params)


@dataclass(frozen=True, eq=False)
class TestSet:
    """Predictions of all runs of all models, checked and in one order."""

    __test__ = False

    y: np.ndarray
    labels: tuple[str, ...]
    runs: tuple[Any, ...]
    owners: tuple[int, ...]
    metric: Metric  # as it was given, and knowing all classes
    metric_name: str
    classes: np.ndarray | None
    groups: Any
    weights: np.ndarray | None
    threshold: float | None
    row_labels: RowLabels = RowLabels()
    notes: tuple[Note, ...] = ()

    def only(self, kept: Any) -> Self:
        """Return the test set of some rows."""
        return replace(
            self,
            y=self.y[kept],
            runs=tuple(_run_of(run, kept) for run in self.runs),
            groups=entries_of(self.groups, kept),
            weights=entries_of(self.weights, kept),
            row_labels=self.row_labels.only(kept),
        )

    def by_model(self, of_runs: np.ndarray) -> list[np.ndarray]:
        """Return what each model has of something that there is for each run."""
        starts = np.searchsorted(self.owners, np.arange(1, len(self.labels)))
        return np.split(of_runs, starts)

    def averaged(self, of_runs: np.ndarray) -> np.ndarray:
        """Return the mean over the runs of each model."""
        if len(self.runs) == len(self.labels):
            return of_runs
        return np.stack([of_model.mean(axis=0) for of_model in self.by_model(of_runs)])

    @property
    def all_rows(self) -> Any:
        """The numbers of all rows, for `score`."""
        return np.arange(self.n_rows)

    def score(self, k: int, rows: Any) -> float:
        more = {} if self.weights is None else {"sample_weight": self.weights[rows]}
        scorer = self.metric.scorer
        params = {name: part[rows] for name, part in self.row_labels.params.items()}
        if params:
            function = self.metric.function
            scorer = function.scorer_of(partial(function.function, **params))
        return float(scorer(self.runs[k], rows, self.y[rows], **more))

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @cached_property
    def known_labels(self) -> TargetLabels:
        """The labels that are known from the target or predictions; of values the two ends."""
        is_unsortable = self.y.ndim > 1 or self.y.dtype.kind == "O"
        if not self.metric.needs or is_unsortable:
            return TargetLabels.read(None)
        if self.classes is None:  # the ends tell whether values differ
            labels = np.unique([self.y.min(), self.y.max()])
            return TargetLabels(labels, (self.y != self.y[0]).view(np.int8))
        known = [self.classes]
        if self.has_labels and self.metric.needs != "positive":
            known += [run.values for run in self.runs]
        labels = np.unique(np.concatenate(known))
        return TargetLabels(labels, np.searchsorted(labels, self.y))

    @property
    def has_alike_rows(self) -> bool:
        """Whether rows are independent and count alike."""
        return self.groups is None and self.weights is None

    @property
    def has_single_runs_of_alike_rows(self) -> bool:
        """Whether moreover each model has one run."""
        return len(self.runs) == len(self.labels) and self.has_alike_rows

    @property
    def has_labels(self) -> bool:
        return self.classes is not None and isinstance(self.runs[0], StoredLabels)

    @property
    def of_classes(self) -> bool | None:
        """Whether the target is of classes; None of a metric of one's own that may take either."""
        return self.classes is not None if self.metric.function_name else None

    def facts(self, **more: Any) -> dict[str, Any]:
        """Return the arguments that all scores are made with."""
        metric = self.metric
        if not isinstance(metric.given, str):
            metric = replace(metric, given=metric.scorer)
        cut = ""
        if self.threshold is not None and self.has_labels:
            cut = f", from {self.threshold} on"
        provenance = {"scoring": f"{metric.describe()}{cut}", "versions": dict(versions())}
        if metric.measured != self.metric_name:
            provenance["measured"] = metric.measured
        return {
            "labels": self.labels,
            "metric": self.metric_name,
            "y_digest": target_digest(self.y),
            "provenance": {**provenance, **more},
        }


def _run_of(run: Any, kept: Any) -> Any:
    """Return the predictions of some rows."""
    return type(run)(**(run.get_params() | {"values": run.values[kept]}))


def read_test_sets(
    scoring: Any, threshold: Any, y_true: Any, predictions: Any, **more: Any
) -> list[TestSet]:
    """Read the test set once for each metric, which has the name that it is given in a mapping."""
    check_option("response", more.get("response", "auto"), _RESPONSES)
    if threshold is not None:
        threshold = check_finite_number("threshold", threshold)
    metrics = [scoring]
    names: dict[int, str] = {}
    if isinstance(scoring, Mapping):
        names = dict(enumerate(distinct(scoring, "metrics")))
        metrics = list(scoring.values())
    elif isinstance(scoring, (list, tuple)):
        metrics = list(scoring)
    test_sets: dict[str, TestSet] = {}
    for k, metric in enumerate(metrics):
        test_set = read_test_set(y_true, predictions, metric, threshold, **more)
        name = names.get(k, test_set.metric_name)
        test_sets[name] = replace(test_set, metric_name=name)
    if not 0 < len(metrics) == len(test_sets):
        raise ValueError(f"scoring={scoring!r} must name at least one metric, each once.")
    _check_response(more.get("response", "auto"), test_sets)
    places = set(filter(is_of_metric, more))
    check_taken(places, {name: test_set.metric for name, test_set in test_sets.items()})
    if threshold is not None and not any(part.has_labels for part in test_sets.values()):
        raise ValueError(
            f"threshold={threshold!r} is for metrics of labels, and none of "
            f"{listed(test_sets)} is one here. Leave it out."
        )
    return list(test_sets.values())


def _check_response(response: Any, test_sets: Mapping[str, TestSet]) -> None:
    """Raise ValueError for scores as the response, if no metric is a function of the user's."""
    if response == "scores" and all(
        part.metric.is_scorer or isinstance(part.metric.given, str) for part in test_sets.values()
    ):
        raise ValueError(
            "response='scores' is for functions of (y_true, scores), and it is known what "
            f"{listed(test_sets)} takes. Leave response= out."
        )


def read_test_set(
    y_true: Any,
    predictions: Any,
    scoring: Any,
    threshold: float | None = None,
    missing_rows: str = "raise",
    response: str = "auto",
    **more: Any,
) -> TestSet:
    """Check predictions, and put all that is given for the rows into one order."""
    metric = read_metric(scoring, response)
    responses: Any = metric.responses
    runs = _read_runs(predictions, y_true)
    arrays, owners, named_tables = arrays_of(runs, "predictions")
    tables = {"X": more.get("X"), "y_true": y_true, **named_tables}

    def describe_score(model: str, parts: Mapping[str, Any]) -> str:
        own: Any = [parts.get(place, run) for name, place, run in runs if name == model]
        shared = parts_of_score(parts)
        return _describe_score(
            metric, parts["y_true"], {model: own}, scoring, threshold, response=response, **shared
        )

    aligned, notes = matched_rows(
        {"y_true": y_true, **arrays, **more}, owners, missing_rows, describe_score
    )
    for name, part in aligned.items():
        check_unmasked(name, part)

    y = _read_target(aligned["y_true"], is_own=not metric.function_name)
    weights = read_weights(aligned["sample_weight"], len(y))
    folds = aligned.get("folds")
    counts: Any = slice(None)
    if weights is not None and folds is None:
        counts = weights > 0
    _check_suits(metric, y[counts])
    classes = _find_classes(y, metric, responses, [run for *_, run in runs])

    X = aligned.get("X")
    metric, params = with_params(metric, aligned)
    _refuse_other_kinds(runs, metric, y)
    stored_runs, predicted = _store_runs(runs, aligned, metric, classes, threshold)
    groups = aligned["groups"]
    of_second = _of_second_label(owners, aligned, classes)
    unseen = _count_unseen(runs, stored_runs, classes)
    notes += find_notes(PassedEvidence(unseen=unseen, of_second=of_second, labels=classes))
    notes += find_notes(
        Evidence(groups=groups, tables=tables, has_later_training_rows=folds is not None)
    )
    if groups is None and folds is None:
        notes += on_scores(Evidence(y=y), predicted=list(map(np.asarray, predicted)), table=X)
        notes += find_notes(NearRows(X, y))
    names = [name for name, *_ in runs]
    models = tuple(dict.fromkeys(names))
    test_set = TestSet(
        y=y,
        labels=models,
        runs=tuple(stored_runs),
        owners=tuple(map(models.index, names)),
        metric=metric.knowing_classes(classes),
        metric_name=metric.measured,
        classes=classes,
        groups=read_labels("groups", groups),
        weights=weights,
        threshold=threshold,
        row_labels=RowLabels(
            folds=folds,
            slices=read_labels("by", aligned.get("by")),
            times=times_of(aligned),
            stamps=as_stamps(stamps_in(aligned)),
            is_timed=aligned.get("time") is not None,
            params=params,
        ),
        notes=notes,
    )
    return test_set.only(counts)


def _describe_score(
    metric: Metric, y_true: Any, predictions: Mapping[str, Any], *arguments: Any, **more: Any
) -> str:
    """Write the score of one model on some rows; it is empty where the metric has none there."""
    unneeded = {"groups": None, "sample_weight": None}
    try:
        with quiet():
            test_set = read_test_set(y_true, predictions, *arguments, **{**unneeded, **more})
        with heard(UndefinedMetricWarning, ignored="") as undefined:
            scores = [test_set.score(k, test_set.all_rows) for k in range(len(test_set.runs))]
    except (TypeError, ValueError, ZeroDivisionError):
        return ""
    if undefined:
        return ""
    shown = shown_as(metric.measured)
    return f"{shown.name} {format_number(shown.number(float(np.mean(scores))))}"


def _check_suits(metric: Metric, y: np.ndarray) -> None:
    """Raise ValueError for labels that a metric does not know, or numbers out of its range."""
    complaint = unknown_labels(metric, y, "y_true") or outside_range(metric, y, "y_true")
    if complaint is not None:
        raise ValueError(f"{complaint.fact}. {complaint.remedy}.")


def _store_runs(
    runs: Sequence[Any],
    aligned: Mapping[str, Any],
    metric: Metric,
    classes: np.ndarray | None,
    threshold: float | None,
) -> tuple[list[Any], list[Any]]:
    """Return the runs as estimators for scorers, and their predictions as they were given."""
    n_tested = len(aligned["y_true"])
    responses: Any = metric.responses
    X = aligned.get("X")
    stored_runs = []
    predicted = []
    for name, place, run in runs:
        given = aligned.get(place, run)
        stored = store(name, given, responses, classes, n_tested, X, threshold)
        stored_runs.append(stored)
        # As they were given, but for what NumPy makes no array of.
        is_of_objects = stored.values.dtype.kind == "O"
        predicted.append(stored.values if is_of_objects else aligned.get(place, stored.values))
    return stored_runs, predicted


def _refuse_other_kinds(runs: Sequence[Any], metric: Metric, y: np.ndarray) -> None:
    """Raise ValueError for fitted outlier detectors of other labels, and for clusterers."""
    fitted = {name: run for name, _, run in runs if hasattr(run, "__sklearn_tags__")}
    refuse_other_kinds(fitted, [metric], y, "y_true")


def _count_unseen(
    runs: Sequence[Any], stored: Sequence[Any], classes: np.ndarray | None
) -> dict[str, int]:
    """Return in how many rows each model predicts a label of an unknown class."""
    counts: dict[str, int] = {}
    for (name, *_), run in zip(runs, stored, strict=True):
        if classes is not None and isinstance(run, StoredLabels):
            n_unseen = np.count_nonzero(~np.isin(run.values, classes))
            counts[name] = counts.get(name, 0) + int(n_unseen)
    return counts


def _of_second_label(
    owners: Mapping[str, str], aligned: Mapping[str, Any], classes: Any
) -> list[str]:
    """Return the models with numbers of the second of two labels that is not 1."""
    labels = np.ravel(classes).tolist()
    if len(labels) != 2 or labels[1] == 1:
        return []
    names = dict[str, None]()
    for place, name in owners.items():
        numbers = of_one_column(typed(np.asarray(aligned[place])))
        if numbers.ndim == 1 and not {*numbers.tolist()} <= {*labels}:
            names[name] = None
    return list(names)


def read_labels(name: str, labels: Any) -> np.ndarray | None:
    """Return the group or the slice of each row as an array, None if there are none."""
    return None if labels is None else as_array(name, labels)


def read_metric(scoring: Any, response: str) -> Metric:
    """Return a metric that says which responses it takes."""
    if not isinstance(scoring, str) and not callable(scoring):
        raise ValueError(
            f"scoring={scoring!r} must be a metric: its name in scikit-learn, what make_scorer "
            "makes, or a function metric(y_true, y_pred). For several metrics pass a list or dict "
            "of these, or call once for each."
        )
    metric = read_metrics(scoring)[0].in_sklearn()
    if metric.function.function is None:  # a function that is no scorer
        return _read_function(metric, response)
    if metric.responses is None:
        raise ValueError(
            f"scoring={metric.describe()}: scikit-learn {sklearn.__version__} does not state "
            "whether it takes labels, probabilities or decision values. Pass a function of "
            "(y_true, y_pred), or use a supported version."
        )
    return metric


# By `response`, what a function of the user's takes.
_RESPONSES = {"auto": (PREDICT,), "scores": (DECISION, PROBA)}


def _read_function(metric: Metric, response: str) -> Metric:
    """Return the metric that calls a function of the user's, which gets what models predict."""
    function = metric.given
    name = getattr(getattr(function, "func", function), "__name__", metric.name)
    if getattr(function, "__module__", "").startswith("sklearn.metrics"):
        raise ValueError(
            f"scoring={name} is a function of scikit-learn, which does not say whether greater is "
            "better, or whether it needs labels. Pass the name of a metric, such as 'f1' or "
            f"'neg_log_loss', or make_scorer({name}, ...), of a loss with greater_is_better=False."
        )
    responses = _RESPONSES[response]
    read = ScoringFunction(function, responses=responses)
    return replace(
        metric,
        scorer=make_scorer(function, response_method=responses),
        named=name,
        measured=name,
        function=read,
        rows=RowScorer("not measured", read),
    )


def _read_runs(predictions: Any, y_true: Any) -> list[tuple[str, str, Any]]:
    """Return the runs of all models; see `named_runs`."""
    named = by_name(predictions)
    if not named:
        raise TypeError(
            'predictions must be a mapping from names to predictions, such as {"a": ..., "b": '
            f"...}}, or a frame with a column for each model, got {brief(predictions)}. "
            "The target comes first: compare_predictions(y_true, predictions)."
        )
    return named_runs(named, "predictions", n_rows(y_true, "y_true"))


def _read_target(y_true: Any, is_own: bool) -> np.ndarray:
    """Return the target as an array; any that a metric of one's own takes, such as records."""
    if is_own:
        objects = as_objects(y_true)
        if objects is not None:
            return objects
        with suppress(ValueError):  # lists of different lengths, which are refused below
            y = np.asarray(y_true)
            if y.dtype.names or y.ndim > 2:
                return y
    y = of_one_column(as_array("y_true", y_true))
    if y.ndim not in (1, 2) or len(y) == 0:
        raise ValueError(f"y_true has shape {y.shape}; give one label or value for each test row.")
    check_present("y_true", y)
    return typed(y)


# In the names of functions of values, whose target has no classes.
_OF_VALUES = re.compile("error|r2|variance|deviance|d2_absolute|d2_pinball")


def _is_of_values(y: np.ndarray, metric: Metric) -> bool:
    """Return whether a target that is predicted by itself is of values, not of classes."""
    if y.ndim > 1 or y.dtype.kind not in "biufUS":
        return True
    facts = METRICS.get(CALLED.get(metric.named, ""), metric.facts)
    if not facts.function:  # nothing is known
        return y.dtype.kind == "f" or _OF_VALUES.search(metric.named) is not None
    return facts.of_values or (y.dtype.kind == "f" and bool((y != np.rint(y)).any()))


def _find_classes(
    y: np.ndarray, metric: Metric, responses: tuple[str, ...], runs: Sequence[Any]
) -> np.ndarray | None:
    """Return the classes of the target and known ones, or None for a metric of values."""
    takes_labels = PREDICT in responses
    if takes_labels and _is_of_values(y, metric):
        return None
    if y.ndim > 1:
        raise ValueError(
            f"y_true has {y.shape[1]} outputs, and {metric.name} needs probabilities or decision "
            "values, which are taken of one output only. Pass each output by itself, or metrics "
            "of labels such as scoring='f1_macro'; compare_estimators takes several outputs."
        )
    labels = np.concatenate([y, *_known_labels(y, metric, runs)])
    classes, _ = classes_in("y_true", labels)
    if len(classes) < 2 and not takes_labels:
        values = {"there": classes.tolist(), "lacking": []}
        raise ValueError(sentence_of(Lack("one class", values), metric.measured))
    return classes


def _known_labels(y: np.ndarray, metric: Metric, runs: Sequence[Any]) -> list[np.ndarray]:
    """Return the classes that the metric, models or columns of frames name, with those of y."""
    known = []
    if metric.options.get("labels") is not None:
        known.append(np.array(metric.options["labels"]))
    for run in runs:
        names = getattr(run, "classes_", getattr(run, "columns", ()))
        with suppress(TypeError, ValueError):  # other names are refused where they are read
            labels = np.array([*map(y.dtype.type, names)])
            if set(np.unique(y).tolist()) <= set(labels.tolist()):
                known.append(labels)
    return known


# What a target consists of that lacks something, by the code of the reason.
_HELD = {
    "no positive": "no positive row, labelled {positive!r}",
    "one class": "only {there}",
    "one value": "only {there}",
    "fewer classes": "no row of {lacking}",
}


def sentence_of(lack: Lack, metric_name: str) -> str:
    """Say why a metric is not defined, or means little, on a test set, and what to do."""
    if not lack.is_of_labels:
        n_rows = counted(lack.values["n_rows"], "row")
        return (
            f"{metric_name} is nearly meaningless on {n_rows}. Test on {lack.values['fewest']} "
            "rows or more, or use squared errors, scoring='neg_mean_squared_error'."
        )
    there = listed(lack.values["there"])
    lacking = listed(lack.values["lacking"])
    held = _HELD[lack.code].format_map({**lack.values, "there": there, "lacking": lacking})
    return (
        f"y_true contains {held}: {metric_name} is undefined on this test set. Test on more rows, "
        "or use another metric."
    )
