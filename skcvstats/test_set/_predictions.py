"""Predictions for one test set: checked, in one order, and as estimators for scorers."""

import re
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.metrics import make_scorer
from sklearn.utils import _safe_indexing

from .._utils._arrays import (
    OF_DATES,
    SINGLE,
    as_array,
    check_unmasked,
    classes_in,
    entries_of,
    missing_in,
    normalised,
    order_of,
    target_digest,
    typed,
)
from .._utils._checks import check_finite_number, check_option, distinct, is_several, listed, n_rows
from .._utils._documents import versions
from .._utils._metrics import CALLED, METRICS, known_of
from .._utils._text import counted
from .._utils._warn import warn_user
from ..exceptions import PairingError
from ..fitting import (
    Lack,
    Metric,
    RowScorer,
    ScoringFunction,
    TargetLabels,
    read_metrics,
    unknown_labels,
)
from ..notes import Evidence, PassedEvidence, on_scores
from ..scores import Note, find_notes
from ..stats import check_present, one_each, read_weights

# By so much may rounded probabilities of a row miss 1 in all.
_ROUNDED = 0.01
PREDICT = "predict"
PROBA = "predict_proba"
DECISION = "decision_function"


class StoredLabels(BaseEstimator):
    """Labels or values that were predicted; the rows asked for are their numbers."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def predict(self, rows: Any) -> Any:
        return self.values[rows]


class _StoredScores(ClassifierMixin, BaseEstimator):
    def __init__(self, values: np.ndarray, classes: np.ndarray) -> None:
        self.values = values
        self.classes = self.classes_ = classes


class StoredDecisions(_StoredScores):
    """Decision values; for two classes one for each row, greater for the second class."""

    def decision_function(self, rows: Any) -> Any:
        return self.values[rows]


class StoredProbabilities(_StoredScores):
    def predict_proba(self, rows: Any) -> Any:
        return self.values[rows]


def is_estimator(given: Any) -> bool:
    """Whether something predicts, rather than being predictions."""
    return hasattr(given, "predict") or hasattr(given, "fit")


def respond(name: str, estimator: Any, X: Any, wanted: tuple[str, ...]) -> tuple[str, Any, Any]:
    """Return what a fitted estimator answers, as the metric wants it."""
    if X is None:
        raise ValueError(
            f"The predictions of {name!r} are an estimator, {type(estimator).__name__}: pass X=, "
            "the test rows that it is to predict, or its predictions."
        )
    response = next((way for way in wanted if hasattr(estimator, way)), None)
    if response is None:
        raise TypeError(
            f"{name!r} ({type(estimator).__name__}) has no {' or '.join(wanted)}, which the metric "
            "needs. Choose another metric or model."
        )
    try:
        values = np.asarray(getattr(estimator, response)(X))
    except NotFittedError as error:
        raise ValueError(
            f"{name!r} ({type(estimator).__name__}) is not fitted: {error} To compare algorithms "
            "that are fitted again on many splits, use compare_estimators."
        ) from error
    return response, values, getattr(estimator, "classes_", None)


def store(
    name: str,
    given: Any,
    wanted: tuple[str, ...],
    classes: np.ndarray | None,
    n_rows: int,
    X: Any,
    threshold: float | None,
) -> Any:
    """Return the predictions of one run of a model as an estimator for scikit-learn's scorers."""
    response = None
    known = None
    if is_estimator(given):
        response, values, known = respond(name, given, X, wanted)
    elif classes is None and (objects := _as_objects(given)) is not None:
        return StoredLabels(objects)
    else:
        values = as_array(f"predictions of {name!r}", _by_class(name, given, classes))
    if values.shape[:1] != (n_rows,) or values.ndim > 2:
        raise ValueError(
            f"The predictions of {name!r} have shape {values.shape}, but y_true has {n_rows} rows; "
            "give one prediction for each row, or one row of probabilities."
        )
    check_present(f"the predictions of {name!r}", values)
    values = typed(values)
    if PREDICT in wanted:
        if threshold is not None and classes is not None:
            values = _cut_at(threshold, values, classes)
        return StoredLabels(_labels(name, values, classes))
    assert classes is not None, "metrics of probabilities are of classes"
    return _scores(name, values, wanted, response, classes if known is None else known)


def _cut_at(threshold: float, values: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the labels of probabilities or decision values, and labels as they are."""
    if values.dtype.kind != "f" or set(values.flat) <= set(classes.tolist()):
        return values
    if len(classes) != 2:
        raise ValueError(
            f"threshold={threshold!r} is for a target of two classes, and y_true has "
            f"{len(classes)}. Pass labels, such as classes[probabilities.argmax(axis=1)]."
        )
    of_second = values[:, 1] if values.ndim == 2 and values.shape[1] == 2 else values
    if of_second.min() >= 0 and of_second.max() <= 1 and not 0 < threshold <= 1:
        raise ValueError(
            f"threshold={threshold!r} puts every probability on one side; give one from 0 to 1."
        )
    return classes.take((of_second >= threshold).astype(int))


def _by_class(name: str, given: Any, classes: np.ndarray | None) -> Any:
    """Return a frame of probabilities with its columns in the order of the classes."""
    names = list(getattr(given, "columns", ()))
    if classes is None or len(names) < 2 or names == list(range(len(names))):
        return given  # no columns that are named by something
    own = classes.tolist()
    called = {str(column): column for column in names}
    if len(called) == len(names) and called.keys() == set(map(str, own)):
        return given[[called[str(label)] for label in own]]
    raise ValueError(
        f"The predictions of {name!r} have the columns {listed(names)}, and the classes are "
        f"{listed(own)}. Name the columns by the classes, or pass .to_numpy() with a column "
        "for each class, in this order."
    )


def _labels(name: str, values: np.ndarray, classes: np.ndarray | None) -> np.ndarray:
    """Return predictions for a metric of labels, or of a regression."""
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if classes is None:
        if values.dtype.kind not in "fiub":
            raise ValueError(f"The predictions of {name!r} must be numbers, as y_true is.")
        return values
    if values.ndim == 2:
        raise ValueError(
            f"The predictions of {name!r} have shape {values.shape}, but the metric needs one "
            "label for each row. Pass the labels, such as classes[probabilities.argmax(axis=1)]."
        )
    if values.dtype.kind == "f" and (values % 1 != 0).any():
        raise ValueError(
            f"The predictions of {name!r} are not labels (the first: {_first(values)!r}), but the "
            "metric needs labels. Pass labels, such as (probabilities >= 0.5).astype(int), or to "
            "compare_predictions threshold=0.5 (on the command line, --threshold 0.5). If the "
            "metric is a function of your own that takes probabilities, use make_scorer(function, "
            "response_method='predict_proba')."
        )
    refuse_unseen(f"The predictions of {name!r}", values, classes)
    return values


def refuse_unseen(what: str, values: np.ndarray, classes: np.ndarray) -> None:
    """Raise ValueError for text instead of numbers, for classes that a target of two lacks."""
    text = all(isinstance(x, str) for x in values.flat[:1])
    if text != all(isinstance(x, str) for x in classes.tolist()):
        raise ValueError(
            f"{what} are {'text' if text else 'numbers'} such as {_first(values)!r}, and y_true "
            f"holds {listed(classes.tolist(), 3)}, so none would agree. Pass predictions of the "
            "classes that y_true has."
        )
    lacking = values[~np.isin(values, classes)]
    if len(classes) < 2 or not lacking.size or (len(classes) > 2 and lacking.size < values.size):
        return
    some = lacking.size < values.size
    if some and np.isin(classes, values).all():  # a model of more classes than these rows have
        return
    raise ValueError(
        f"{what} hold {listed(dict.fromkeys(lacking.tolist()), 3)}, and y_true only has "
        f"{listed(classes.tolist(), 3)}. Replace them by the classes that they stand for; if they "
        "are simply wrong, use compare_losses(..., metric='zero_one')."
    )


def _first(values: np.ndarray) -> Any:
    """Return the first prediction as a plain number or text, for a message."""
    return np.ravel(values)[:1].tolist()[0]


def _scores(
    name: str, values: np.ndarray, wanted: Sequence[str], response: str | None, classes: np.ndarray
) -> Any:
    """Return predictions for a metric of probabilities or decision values."""
    if values.dtype.kind not in "fiub":
        raise ValueError(
            f"The predictions of {name!r} are labels such as {_first(values)!r}, but the metric "
            f"needs {' or '.join(wanted)}: probabilities or decision values. Pass those."
        )
    values = values.astype(float, copy=False)
    if response is None:  # decision values where they will do, as these may be any numbers
        response = DECISION if DECISION in wanted and values.ndim == 1 else PROBA
    if response == DECISION:
        return StoredDecisions(values, classes)
    if ((values < -SINGLE) | (values > 1 + SINGLE)).any():
        raise ValueError(
            f"The predictions of {name!r} are not probabilities: they reach from "
            f"{values.min():.7g} to {values.max():.7g}. The metric needs numbers from 0 to 1."
        )
    values = np.clip(values, 0.0, 1.0)
    if np.isin(values, (0, 1)).all() and values.ndim == 1:
        raise ValueError(
            f"The predictions of {name!r} are all 0 or 1, which are labels; the metric needs "
            "probabilities, as predict_proba gives them."
        )
    if values.ndim == 1 or values.shape[1] == 1:
        if len(classes) != 2:
            raise ValueError(
                f"The predictions of {name!r} are one probability for each row, but y_true has "
                f"{len(classes)} classes. Pass one for each class, of shape (n_rows, n_classes)."
            )
        positive = values.reshape(-1)
        values = np.column_stack([1 - positive, positive])
    if values.shape[1] != len(classes):
        raise ValueError(
            f"The predictions of {name!r} have {values.shape[1]} columns; give a column for each "
            f"class, in this order: {listed(classes.tolist())}. If it knows others, pass a frame "
            "whose columns are named by the classes, or a metric with labels=."
        )
    sums = values.sum(axis=1)
    apart = np.abs(sums - 1)
    if (wrong := apart > _ROUNDED).any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"The predictions of {name!r} are not probabilities: those of {int(wrong.sum())} rows "
            f"do not add to 1 (the first: row {row}, {sums[row]:.4g}). Give one probability for "
            "each class, as predict_proba does."
        )
    if (wrong := apart > SINGLE).any():
        warn_user(
            f"The probabilities of {name!r} do not quite add to 1 in {counted(wrong.sum(), 'row')} "
            f"(the farthest: {sums[apart.argmax()]:.7g}) and are taken as they are. Divide each "
            "row by its sum, p / p.sum(axis=1, keepdims=True), if they were rounded.",
            UserWarning,
        )
    return StoredProbabilities(normalised(values), classes)


@dataclass(frozen=True, eq=False)
class RowLabels:
    """What some doors take for each row: its fold, its slice, and its time."""

    folds: Any = None
    slices: np.ndarray | None = None
    times: np.ndarray | None = None
    is_timed: bool = False  # whether times were asked for, and not found in an index

    def only(self, kept: Any) -> Self:
        """Return the labels of some rows; folds are of all rows."""
        slices = entries_of(self.slices, kept)
        return replace(self, slices=slices, times=entries_of(self.times, kept))


@dataclass(frozen=True, eq=False)
class TestSet:
    """Predictions of all runs of all models, checked and in one order."""

    __test__ = False

    y: np.ndarray
    labels: tuple[str, ...]
    runs: tuple[Any, ...]
    owners: tuple[int, ...]
    what: Metric  # as it was given, and knowing all classes
    metric: str
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

    @property
    def named(self) -> str | None:
        """The name by which the metric was given; None of a scorer or function."""
        return self.what.given if isinstance(self.what.given, str) else None

    def averaged(self, of_runs: np.ndarray) -> np.ndarray:
        """Return the mean over the runs of each model."""
        if len(self.runs) == len(self.labels):
            return of_runs
        owners = np.asarray(self.owners)
        return np.stack([of_runs[owners == k].mean(axis=0) for k in range(len(self.labels))])

    @property
    def all_rows(self) -> Any:
        """All rows for `score`: a slice, which copies nothing, but numbers for users' scorers."""
        return slice(None) if self.what.function_name else np.arange(self.n_rows)

    def score(self, k: int, rows: Any) -> float:
        more = {} if self.weights is None else {"sample_weight": self.weights[rows]}
        return float(self.what.scorer(self.runs[k], rows, self.y[rows], **more))

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @cached_property
    def known_labels(self) -> TargetLabels:
        """The labels that are known from the target or predictions; of values the two ends."""
        if not self.what.needs or self.y.ndim > 1:
            return TargetLabels.read(None)
        if self.classes is None:  # the ends tell whether values differ
            labels = np.unique([self.y.min(), self.y.max()])
            return TargetLabels(labels, (self.y != self.y[0]).view(np.int8))
        known = [self.classes]
        if self.has_labels and self.what.needs != "positive":
            known += [run.values for run in self.runs]
        labels = np.unique(np.concatenate(known))
        return TargetLabels(labels, np.searchsorted(labels, self.y))

    @property
    def has_alike_rows(self) -> bool:
        """Whether rows are independent and count alike."""
        return self.groups is None and self.weights is None

    @property
    def has_labels(self) -> bool:
        return self.classes is not None and isinstance(self.runs[0], StoredLabels)

    @property
    def of_classes(self) -> bool | None:
        """Whether the target is of classes; None of a metric of one's own that may take either."""
        return self.classes is not None if self.what.function_name else None

    def facts(self, **more: Any) -> dict[str, Any]:
        """Return the arguments that all scores are made with."""
        what = self.what if self.named else replace(self.what, given=self.what.scorer)
        cut = "" if self.threshold is None or not self.has_labels else f", from {self.threshold} on"
        return {
            "labels": self.labels,
            "metric": self.metric,
            "y_digest": target_digest(self.y),
            "provenance": {
                "scoring": f"{what.describe()}{cut}",
                "versions": dict(versions()),
                **({} if self.what.measured == self.metric else {"measured": self.what.measured}),
                **more,
            },
        }


def _run_of(run: Any, kept: Any) -> Any:
    """Return the predictions of some rows."""
    return type(run)(**(run.get_params() | {"values": run.values[kept]}))


def read_test_sets(
    scoring: Any, threshold: Any, y_true: Any, predictions: Any, **of_rows: Any
) -> list[TestSet]:
    if threshold is not None:
        threshold = check_finite_number("threshold", threshold)
    asked = [("", metric) for metric in (scoring if is_several(scoring) else [scoring])]
    if isinstance(scoring, Mapping):
        asked = list(zip(distinct(scoring, "metrics"), scoring.values(), strict=True))
    sets = []
    for name, metric in asked:
        test_set = read_test_set(y_true, predictions, metric, threshold, **of_rows)
        sets.append(replace(test_set, metric=name or test_set.metric))
    names = [test_set.metric for test_set in sets]
    if not sets or len(set(names)) < len(sets):
        raise ValueError(f"scoring={scoring!r} must name at least one metric, each once.")
    if threshold is not None and not any(test_set.has_labels for test_set in sets):
        raise ValueError(
            f"threshold={threshold!r} is for metrics of labels, and none of "
            f"{listed(names)} is one here. Leave it out."
        )
    return sets


def read_test_set(
    y_true: Any,
    predictions: Any,
    scoring: Any,
    threshold: float | None = None,
    missing_rows: str = "raise",
    **more: Any,
) -> TestSet:
    """Check predictions, and put all that is given for the rows into one order."""
    metric = _read_metric(scoring)
    responses: Any = metric.responses
    given = _given_runs(predictions, y_true)
    arrays = {place: run for _, place, run in given if not is_estimator(run)}
    owners = {place: name for name, place, _ in given}
    aligned, notes = matched_rows({"y_true": y_true, **arrays, **more}, owners, missing_rows)
    for name, part in aligned.items():
        check_unmasked(name, part)

    y = _target(aligned["y_true"], is_own=not metric.function_name)
    weights = read_weights(aligned["sample_weight"], len(y))
    folds = aligned.get("folds")
    counts: Any = slice(None)
    if weights is not None and folds is None:
        counts = weights > 0
    if metric.function_name:  # others may take any target
        unknown = unknown_labels(metric, y[counts], "y_true")
        if unknown is not None:
            raise ValueError(f"{unknown.fact}. {unknown.remedy}.")
    classes = _classes(y, metric, responses, _known_labels(metric, [run for *_, run in given], y))

    X = aligned.get("X")
    runs = tuple(
        store(name, aligned.get(place, run), responses, classes, len(y), X, threshold)
        for name, place, run in given
    )
    groups = aligned["groups"]
    tables = {"X": more.get("X"), "y_true": y_true}
    tables |= {f"predictions[{owners[place]!r}]": run for place, run in arrays.items()}
    on_tables = find_notes(
        Evidence(groups=groups, tables=tables, has_later_training_rows=folds is not None)
    )
    on_copies: tuple[Note, ...] = ()
    if groups is None and folds is None:
        predicted = [
            _as_given(run, aligned.get(place))
            for (_, place, _), run in zip(given, runs, strict=True)
        ]
        on_copies = on_scores(Evidence(y=y), predicted=predicted, table=X)
    labels = tuple(dict.fromkeys(owners.values()))
    test_set = TestSet(
        y=y,
        labels=labels,
        runs=runs,
        owners=tuple(map(labels.index, owners.values())),
        what=metric.knowing_classes(classes),
        metric=metric.measured,
        classes=classes,
        groups=None if groups is None else as_array("groups", groups),
        weights=weights,
        threshold=threshold,
        row_labels=RowLabels(
            folds=folds,
            slices=_slices_of(aligned.get("by"), len(y)),
            times=times_of(aligned),
            is_timed=aligned.get("time") is not None,
        ),
        notes=(*notes, *on_tables, *on_copies),
    )
    return test_set.only(counts)


def _slices_of(by: Any, n_rows: int) -> np.ndarray | None:
    """Return the slice of each row, after checks."""
    if by is None:
        return None
    slices = one_each("by", as_array("by", by), n_rows)
    check_present("by", slices)
    return slices


def _as_given(run: Any, aligned: Any) -> np.ndarray:
    """Return predictions as they were given; those of an estimator, and objects, as stored."""
    if aligned is None or run.values.dtype.kind == "O":
        return np.asarray(run.values)
    return np.asarray(aligned)


def _read_metric(scoring: Any) -> Metric:
    """Return a metric that says which responses it takes."""
    if not isinstance(scoring, str) and not callable(scoring):
        raise ValueError(
            f"scoring={scoring!r} must be a metric: its name in scikit-learn, what make_scorer "
            "makes, or a function metric(y_true, y_pred). For several metrics call once for each."
        )
    metric = read_metrics(scoring)[0].in_sklearn()
    scoring = metric.given
    if not isinstance(scoring, str) and not metric.is_scorer:
        called = getattr(getattr(scoring, "func", scoring), "__name__", metric.name)
        if getattr(scoring, "__module__", "").startswith("sklearn.metrics"):
            loss = "greater_is_better=False, " if known_of(called).sign < 0 else ""
            raise ValueError(
                f"scoring={called} is a function of scikit-learn, which does not say whether "
                "greater is better, or whether it needs labels. Pass the name of a metric, such "
                f"as 'f1' or 'neg_log_loss', or make_scorer({called}, {loss}...)."
            )
        function = ScoringFunction(scoring, responses=(PREDICT,))
        return replace(
            metric,
            scorer=make_scorer(scoring),
            named=called,
            measured=called,
            function=function,
            rows=RowScorer("not measured", function),
        )
    if metric.responses is None:
        raise ValueError(
            f"scoring={metric.describe()}: scikit-learn {sklearn.__version__} does not state "
            "whether it takes labels, probabilities or decision values. Pass a function of "
            "(y_true, y_pred), or use a supported version."
        )
    return metric


def times_of(aligned: Mapping[str, Any]) -> np.ndarray | None:
    """Return the number of each row's time, by `time` or else by dates in an index."""
    if "time" not in aligned:
        return None
    name = "time"
    time = aligned["time"]
    if time is None:
        indexes = (getattr(part, "index", None) for part in aligned.values())
        time = next((index for index in indexes if type(index).__name__ in OF_DATES), None)
        name = "The index"
    return None if time is None else order_of(name, time)


def by_name(given: Any) -> dict[str, Any] | None:
    """Return the entries of a mapping, or the columns of a frame, by their names; else None."""
    if hasattr(given, "columns"):
        names = distinct(given.columns, "columns")
        return {name: given[column] for name, column in zip(names, given.columns, strict=True)}
    if isinstance(given, Mapping):
        return dict(zip(distinct(given, "names"), given.values(), strict=True))
    return None


def named_runs(
    named: Mapping[str, Any], noun: str, n_rows: int | None = None
) -> list[tuple[str, str, Any]]:
    """Return each run of each model: the model, what messages call the run, and the run."""
    runs = {name: _runs(name, part, n_rows) for name, part in named.items()}
    return [
        (name, f"the {noun} of {name!r}{f', run {k}' if len(of_model) > 1 else ''}", run)
        for name, of_model in runs.items()
        for k, run in enumerate(of_model)
    ]


def _given_runs(predictions: Any, y_true: Any) -> list[tuple[str, str, Any]]:
    """Return the runs of all models; see `named_runs`."""
    named = by_name(predictions)
    if named is None:
        raise TypeError(
            'predictions must be a mapping from names to predictions, such as {"a": ..., "b": '
            f"...}}, or a frame with a column for each model, got {type(predictions).__name__}."
        )
    if not named:
        raise ValueError("No predictions given; give those of at least one model.")
    return named_runs(named, "predictions", n_rows(y_true, "y_true"))


def _runs(name: str, part: Any, n_rows: int | None) -> Sequence[Any]:
    """Return the runs of a model: arrays or estimators, perhaps only one."""
    if not isinstance(part, (list, tuple)) or not part:
        return [part]
    whole = all(is_estimator(run) or (hasattr(run, "shape") and np.ndim(run)) for run in part)
    if whole or (len(part) != n_rows and all(map(np.ndim, part))):
        lengths = sorted({len(run) for run in part if not is_estimator(run)} - {n_rows})
        if lengths and n_rows is not None:
            raise ValueError(
                f"The predictions of {name!r} are a list of {len(part)} runs, one of which has "
                f"{lengths[0]} rows, and y_true {n_rows}. Each run predicts all rows."
            )
        return part
    return [part]


def _target(y_true: Any, is_own: bool) -> np.ndarray:
    """Return the target as an array; any that a metric of one's own takes, such as records."""
    if is_own:
        with suppress(ValueError):  # lists of different lengths
            if (y := np.asarray(y_true)).ndim and len(y) and (y.dtype.names or y.ndim > 2):
                return y
        if (objects := _as_objects(y_true)) is not None:
            return objects
    y = as_array("y_true", y_true)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim not in (1, 2) or len(y) == 0:
        raise ValueError(f"y_true has shape {y.shape}; give one label or value for each test row.")
    check_present("y_true", y)
    return typed(y)


def _as_objects(given: Any) -> np.ndarray | None:
    """Return lists, sets, mappings and the like, one for each row, as an array; None of others."""
    if getattr(given, "ndim", 1) != 1 or not isinstance(next(iter(given), 0), _OBJECTS):
        return None
    with suppress(ValueError):  # of different lengths
        if (table := np.asarray([*given])).ndim > 1 and table.dtype.kind in "fiub":
            return None
    objects = np.empty(len(given), dtype=object)
    objects[:] = [*given]
    return objects


def _known_labels(metric: Metric, runs: Sequence[Any], y: np.ndarray) -> list[Any]:
    """Return the classes that the metric, columns of frames or models name."""
    labels = metric.options.get("labels")
    known = [] if labels is None else list(labels)
    for run in runs if y.ndim == 1 else ():
        named: Any = getattr(run, "classes_", None)
        if named is None:
            with suppress(TypeError, ValueError):  # other names are refused where they are read
                named = list(map(y.dtype.type, getattr(run, "columns", ())))
        if (
            np.ndim(named) == 1
            and len(named)
            and set(np.unique(y).tolist()) <= set(np.array(named).tolist())
        ):
            known += list(named)
    return known


_LABELS = (str, bytes, bool, int, float)
_OBJECTS = (Mapping, Set, list, tuple)
# In the names of functions of values, whose target has no classes.
_OF_VALUES = re.compile("error|r2|variance|deviance|d2_absolute|d2_pinball")


def _is_of_values(y: np.ndarray, metric: Metric) -> bool:
    """Return whether a target that is predicted by itself is of values, not of classes."""
    if y.ndim > 1 or y.dtype.kind not in "biufUSO" or not isinstance(y[:1].tolist()[0], _LABELS):
        return True
    facts = metric.facts or METRICS.get(CALLED.get(metric.named, ""))
    if facts is None:
        return y.dtype.kind == "f" or _OF_VALUES.search(metric.named) is not None
    return facts.of_values or (y.dtype.kind == "f" and bool((y != np.rint(y)).any()))


def _classes(y: np.ndarray, metric: Metric, wanted: Sequence[str], known: list[Any]) -> Any:
    """Return the classes of the target and known ones, or None for a metric of values."""
    if PREDICT in wanted and _is_of_values(y, metric):
        return None
    if y.ndim > 1:
        raise ValueError(
            f"y_true has {y.shape[1]} outputs, and {metric.name} needs probabilities or decision "
            "values, which are taken of one output only. Pass each output by itself, or metrics "
            "of labels such as scoring='f1_macro'; compare_estimators takes several outputs."
        )
    classes = np.union1d(y, np.array(known)) if known else classes_in("y_true", y)[0]
    if PREDICT in wanted:
        return classes
    if len(classes) < 2:
        values = {"there": classes.tolist(), "lacking": []}
        raise ValueError(sentence_of(Lack("one class", values), metric.measured))
    return classes


# What a target holds that lacks something, by the code of the reason.
_HELD = {
    "no positive": "no positive row, labelled {positive!r}",
    "one class": "{there} only",
    "one value": "{there} only",
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
        f"y_true holds {held}: {metric_name} is not defined on this test set. Test on more rows, "
        "or use another metric."
    )


def matched_rows(
    given: Mapping[str, Any], owners: Mapping[str, str], missing_rows: str
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Put arrays into one order, perhaps without the rows that some model lacks, which is noted."""
    runs = [name for name in owners if name in given]  # others are estimators
    if check_option("missing_rows", missing_rows, ("raise", "drop")) == "drop" and runs:
        return _common_rows(given, owners, runs)
    aligned = align_rows(given)
    moved = [name for name, part in given.items() if part is not aligned[name]]
    in_order_of = [*_indexed(_present(given)), ""][0]
    return aligned, find_notes(PassedEvidence(moved=moved, in_order_of=in_order_of))


def _common_rows(
    given: Mapping[str, Any], owners: Mapping[str, str], runs: Sequence[str]
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return the rows that all models have, in one order, and a note on those that are left out."""
    parts = _present(given)
    indexes = [part.index for part in _indexed(parts).values()]
    if len(indexes) == len(parts) and all(index.is_unique for index in indexes):
        known = ["y_true"] if "y_true" in parts else runs
        rows = parts[known[0]].index
        for name in known[1:]:
            rows = rows.union(parts[name].index, sort=False)
        parts |= {name: parts[name].reindex(rows) for name in runs}
    parts = align_rows(parts)
    lacking: dict[str, Any] = {}
    for name in runs:
        missing = missing_in(np.asarray(parts[name]))
        lacking[name] = missing.reshape(len(missing), -1).any(axis=1)
    kept = np.flatnonzero(~np.any(list(lacking.values()), axis=0))
    if not len(kept):
        raise ValueError(
            "missing_rows='drop' leaves nothing: there is no row that all models have."
        )
    common = {name: _safe_indexing(part, kept) for name, part in parts.items()}
    evidence = PassedEvidence(
        coverage=_coverage(lacking, owners),
        n_rows=len(next(iter(lacking.values()))),
        n_kept=len(kept),
    )
    return dict.fromkeys(given) | common, find_notes(evidence)


def _coverage(lacking: Mapping[str, np.ndarray], owners: Mapping[str, str]) -> dict[str, float]:
    """Return the share of the rows that each model has in all its runs."""
    shares: dict[str, float] = {}
    for name, rows in lacking.items():
        shares[owners[name]] = min(1 - rows.mean(), shares.get(owners[name], 1.0))
    return shares


def _present(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given for the rows without what is None."""
    return {name: part for name, part in given.items() if part is not None}


def _indexed(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts that have an index."""
    return {name: part for name, part in parts.items() if hasattr(part, "iloc")}


def align_rows(given: Mapping[str, Any]) -> dict[str, Any]:
    """Put arrays of the same rows into one order: frames by index, others by position."""
    parts = _present(given)
    first, *others = parts
    length = n_rows(parts[first], first)
    for name in others:
        found = n_rows(parts[name], name)
        if found != length:
            raise PairingError(
                f"There are {counted(found, 'row')} in {name} and {length} in {first}; give one of "
                "each for every row of the test set."
            )
    moved = {}
    indexed = list(_indexed(parts))
    for name in indexed[1:]:
        reference = indexed[0]
        own = parts[name].index
        wanted = parts[reference].index
        if np.array_equal(np.asarray(own), np.asarray(wanted)):
            continue
        lacking = wanted.difference(own)
        foreign = own.difference(wanted)
        if len(lacking):
            raise PairingError(
                f"By their index, {name} and {reference} are not of the same rows: "
                f"{counted(len(lacking), 'row')} of {reference} ({listed(lacking.tolist(), 3)}) "
                f"and {len(foreign)} of {name} ({listed(foreign.tolist(), 3)}) are not in the "
                "other. Give both one index, or pass arrays (.to_numpy()) in one order."
            )
        if not (own.is_unique and wanted.is_unique):
            raise PairingError(
                f"By their index, {name} and {reference} are in another order, and some labels "
                "repeat. Number the rows (.reset_index(drop=True)), or pass arrays that are in the "
                "same order."
            )
        moved[name] = parts[name].loc[wanted]
    return {**given, **moved}
