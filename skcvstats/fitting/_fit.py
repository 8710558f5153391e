"""Turn estimators and splits into FitRecords.

Notes
-----
The rows are taken again for every fit, because a transformer with ``copy=False`` would otherwise
change the data of the next model. Other producers of FitRecords can replace this one: everything
downstream (the scores, the progress bar) sees only records.
"""

import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from itertools import groupby
from numbers import Real
from operator import itemgetter
from threading import current_thread, main_thread
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.utils import _safe_indexing, get_tags, indexable

from .._utils._arrays import check_path, digest_of, entries_of
from .._utils._checks import (
    brief,
    check_flag,
    check_option,
    check_verbose,
    is_finite,
    n_rows,
    random_states,
    unseeded_parameters,
)
from .._utils._metrics import known_of
from .._utils._text import check_printable, error_of
from .._utils._warn import CaughtWarnings
from ..exceptions import FitError
from ..scores import refuse_losses
from ..splitters import check_length
from ..stats import METHODS, Procedure
from ._metrics import Metric, is_one_metric, measured_name, read_metrics, resolve_metrics, scorer_of
from ._needs import sortable
from ._observed import with_label_metric, with_warnings
from ._refusals import check_predicted
from ._scorers import Compared
from ._splits import Split, Splits

# Test rows, at least, on which it is seen whether predictions are labels.
_SEEN = 100

_PRE_DISPATCH = re.compile(r" *(all|[1-9]\d*|([1-9]\d* *\* *)?n_jobs|n_jobs *\* *[1-9]\d*) *")


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """How to fit, checked once."""

    params: Mapping[str, Any] | None
    n_jobs: int | None
    verbose: int
    on_error: str = "raise"
    can_drop: bool = False  # whether the call has on_error
    store: Any = None
    pre_dispatch: int | str = "2*n_jobs"
    error_score: Any = np.nan
    fresh_seeds: bool = False
    return_train_score: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.params, Mapping | None):
            raise TypeError(
                f"params is a {type(self.params).__name__}; pass a dict from names to values, such "
                "as {'sample_weight': weights}."
            )
        check_verbose(self.verbose)
        if not _PRE_DISPATCH.fullmatch(str(self.pre_dispatch)):
            raise ValueError(
                f"pre_dispatch={self.pre_dispatch!r} must be an integer of at least 1, 'all', or a "
                "multiple of the jobs such as '2*n_jobs'."
            )
        score = self.error_score
        is_number = is_finite(score) or isinstance(score, float | np.floating)  # nan is one
        if not is_number and repr(score) != "'raise'":
            raise ValueError(f"error_score={brief(score)} must be 'raise' or a number.")
        if self.store is not None:
            check_path("store", self.store)
        check_option("on_error", self.on_error, ("raise", "drop"))
        check_flag("fresh_seeds", self.fresh_seeds)
        check_flag("return_train_score", self.return_train_score)

    @property
    def given(self) -> dict[str, Any]:
        """The parameters of fits, scorers and splitters that were passed, by name."""
        return dict(self.params or {})

    def check_lengths(self, X: Any) -> None:
        """Raise ValueError for weights or groups without one entry for each row of X.

        Fits would get all entries, whatever their rows; other parameters may have any length.
        """
        for name, value in self.given.items():
            if str(name).split("__")[-1] in ("sample_weight", "groups"):
                check_length(f"{name} in params", value, X)


class Failure(NamedTuple):
    """Why a fit has no score in some metrics, or in all; without a message it has all scores."""

    message: str = ""
    exception: Exception | None = None
    in_fit: bool = False  # rather than in the scoring of a fitted estimator


NO_FAILURE = Failure()


class FitRecord(NamedTuple):
    """The result of one estimator on one split."""

    estimator: int
    split: int
    scores: Mapping[str, float] = {}
    row_scores: Mapping[str, np.ndarray] = {}
    fit_time: float = 0.0
    score_time: float = 0.0
    failure: Failure = NO_FAILURE
    digest: str = ""
    observed: Mapping[str, Any] = {}  # what only its process saw, for the notes: plain data
    training_scores: Mapping[str, float] = {}
    predictions: Mapping[str, np.ndarray] = {}  # of metrics that are no means of scores of rows

    @property
    def has_failed(self) -> bool:
        """Whether a score is missing, as the fit or its scoring failed."""
        return self.failure.message != ""

    def without_rows(self) -> Self:
        """Return the record without what it has for rows, and without the exception."""
        failure = self.failure._replace(exception=None)
        return self._replace(row_scores={}, predictions={}, failure=failure)


class Routed(NamedTuple):
    """The parameters for each consumer, and the weights of rows in each metric, None if alike."""

    fit: Sequence[Mapping[str, Any]]  # for each estimator
    score: Mapping[str, Any] = {}
    split: Mapping[str, Any] = {}
    weights: Mapping[str, Any] = {}


class NotANumberError(ValueError):
    """A scorer returned something that is not a number."""


class RowScoring(NamedTuple):
    """What the scores of single test rows need, besides the scores of whole test sets."""

    metrics: tuple[str, ...]  # that have such scores
    predicted_metrics: tuple[str, ...]  # of these, those whose predictions are kept too
    groups: Any = None  # the number of each row's group, if scores of rows depend on it
    weights: Mapping[str, Any] = {}  # of the rows, in metrics that take some
    classes: np.ndarray | None = None  # of a target of text, whose predictions are kept as numbers
    may_be_missing: bool = False  # whether there is another test for a metric without such scores

    def score(
        self, metric: Metric, compared: Compared, score: float, test: np.ndarray
    ) -> np.ndarray:
        """Return the score of each test row, where rows have weights and groups if those count."""
        pair = (compared.y_true, compared.y_pred)
        row_scorer: Any = metric.rows
        scores: np.ndarray = row_scorer.score(
            pair,
            score,
            units=entries_of(self.groups, test),
            weights=self.weights_of(metric.name, test),
        )
        return scores

    def weights_of(self, metric: str, rows: np.ndarray) -> Any:
        """Return the weights of rows in a metric, None if it takes all rows alike."""
        weights = self.weights.get(metric)
        if weights is not None:
            weights = np.asarray(weights, dtype=float)[rows]
        return weights

    def number(self, predicted: Any) -> np.ndarray:
        """Return predictions as numbers, text as that of its class; nan where there is none."""
        values = np.asarray(predicted)
        unknown = np.full(n_rows(predicted), np.nan)
        if values.ndim != 1:
            return unknown
        if values.dtype.kind in "biuf":
            return values.astype(float)
        if self.classes is None:
            return unknown
        numbers = np.searchsorted(self.classes, values).clip(max=len(self.classes) - 1)
        return np.where(self.classes[numbers] == values, numbers, np.nan)


class FreshSeeds(NamedTuple):
    """The seed from which every fit gets random states of its own."""

    seed: int

    def set_random_states(self, estimator: Any, name: str, split: str) -> None:
        """Set the random states of an estimator, by its name and the name of the split."""
        for parameter in random_states(estimator):
            digest = digest_of(str(self.seed), split, name, parameter)
            number = int.from_bytes(digest, "little")
            estimator.set_params(**{parameter: number % 2**31})  # some packages take no larger one


class FailedFits(NamedTuple):
    """What a call does where a fit or its scoring fails."""

    score: Any = np.nan  # in place of a missing one; a text is to raise the error
    as_sklearn: bool = False  # whether a failed scorer is reported as scikit-learn does

    @property
    def are_raised(self) -> bool:
        """Whether the first error ends the call."""
        return isinstance(self.score, str)


RAISED = FailedFits("raise")
NO_ROWS = RowScoring((), ())


@dataclass(frozen=True)
class Workload:
    """All that the fits need besides X and y, which are sent separately to be mapped."""

    names: tuple[str, ...]
    estimators: tuple[Any, ...]
    metrics: tuple[Metric, ...]
    scorer: Any
    by_name: bool  # whether the scorer returns a dict by the names of the metrics
    pairwise: tuple[bool, ...]
    fit_params: Sequence[Mapping[str, Any]]
    score_params: Mapping[str, Any] = field(default_factory=dict)
    rows: RowScoring = NO_ROWS
    seeds: FreshSeeds | None = None
    with_training_scores: bool = False
    failures: FailedFits = RAISED

    @classmethod
    def of(
        cls,
        estimators: Mapping[str, Any],
        metrics: Sequence[Metric],
        *,
        rows: RowScoring = NO_ROWS,
        routed: Routed,
        failures: FailedFits = RAISED,
        seeds: FreshSeeds | None = None,
        with_training_scores: bool = False,
    ) -> Self:
        """Return the work of some estimators, scored in some metrics, in some of them by rows."""
        models = tuple(estimators.values())
        return cls(
            names=tuple(estimators),
            estimators=models,
            metrics=tuple(metrics),
            scorer=scorer_of(metrics, estimators, of_rows=rows.metrics, fails=failures.are_raised),
            by_name=bool(rows.metrics) or not metrics[0].alone,
            pairwise=tuple(bool(get_tags(model).input_tags.pairwise) for model in models),
            fit_params=routed.fit,
            score_params=routed.score,
            rows=rows,
            seeds=seeds,
            with_training_scores=with_training_scores,
            failures=failures,
        )

    @classmethod
    def of_study(
        cls, estimators: Mapping[str, Any], scoring: Any, tests: Mapping[str, Procedure]
    ) -> Self:
        """Return the fits on any data set of a study, of rows too where procedures need them."""
        if not is_one_metric(scoring):
            raise ValueError(f"scoring={scoring!r} must be one metric's name or a callable.")
        (metric,) = read_metrics(scoring, estimators, METHODS["holdout_t"]())
        facts: Any = {"metric": "the metric", "of_rows": metric.of_rows}
        unsuitable = [label for label, test in tests.items() if test.unsuitable(**facts)]
        if unsuitable:
            raise ValueError(
                f"{unsuitable} work on the scores of the test rows, and {metric.describe()} is not "
                'their mean. Give a metric that is, such as scoring="neg_mean_squared_error".'
            )
        metrics = resolve_metrics([metric], estimators)
        row_metrics = [metric.name for test in tests.values() if test.needs_rows]
        rows = row_scoring_of(metrics, row_metrics)
        routed = Routed(({},) * len(estimators))
        return cls.of(estimators, metrics, rows=rows, routed=routed)

    @property
    def row_metrics(self) -> tuple[str, ...]:
        """The metrics whose rows are scored too."""
        return self.rows.metrics

    @property
    def predicted_metrics(self) -> tuple[str, ...]:
        """The metrics whose predictions of rows are kept too."""
        return self.rows.predicted_metrics

    def unseeded_parameters(self, e: int) -> list[str]:
        """Return the parameters that make the fits of an estimator random without a seed."""
        if self.seeds is not None:
            return []
        return unseeded_parameters(self.estimators[e])

    def refuse_losses(self, scores: Mapping[str, Any]) -> None:
        """Raise ValueError for scores that are losses by the name of their metric."""
        remedy = "Return minus the loss, or pass make_scorer(..., greater_is_better=False)."
        for name, score in scores.items():
            known_name = name if known_of(name).sign else measured_name(self.metrics, name)
            refuse_losses(known_name, np.atleast_1d(score), remedy)

    def fit(
        self, X: Any, y: Any, splits: Splits, pairs: Iterable[tuple[int, int]]
    ) -> Iterator[FitRecord]:
        """Fit (split, estimator) pairs one after the other, each split made or taken once."""
        for k, group in groupby(pairs, key=itemgetter(0)):
            (split,) = splits.take([k])
            for _, e in group:
                # Python has one list of filters for all threads, which would mix up their warnings.
                is_alone = current_thread() is main_thread()
                context = CaughtWarnings(record=True) if is_alone else nullcontext()
                with context as caught:
                    record = _fit_one(X, y, self, e, k, split)
                if caught:
                    record = record._replace(observed=with_warnings(record.observed, caught))
                yield record


def row_scoring_of(
    metrics: Sequence[Metric], names: Collection[str], y: Any = None, **facts: Any
) -> RowScoring:
    """Return what scores rows in the named metrics."""
    scored = [metric for metric in metrics if metric.name in names]
    predicted = tuple(metric.name for metric in scored if metric.of_rows != "mean")
    classes = None
    if predicted:
        labels = sortable(y)
        if labels.dtype.kind == "U":
            classes = np.unique(labels)
    row_metrics = tuple(metric.name for metric in scored)
    return RowScoring(row_metrics, predicted, classes=classes, **facts)


def _fit_one(X: Any, y: Any, work: Workload, e: int, k: int, split: Split) -> FitRecord:
    """Clone, take the rows, fit and score, as scikit-learn's cross_validate does."""
    started = time.perf_counter()
    fitted = None
    training_scores: Mapping[str, float] = {}
    try:
        estimator = clone(work.estimators[e])
        if work.seeds is not None:
            work.seeds.set_random_states(estimator, work.names[e], split.digest)
        data, params = take_rows(
            X, y, work.fit_params[e], split.train, split.train, work.pairwise[e]
        )
        estimator.fit(*data, **params)
        fitted = time.perf_counter()
        del data, params  # so that the training rows are freed before the test rows are taken
        scored = score_fitted(estimator, X, y, work, e, split)
        ended = time.perf_counter()
        if k == 0:
            if not hasattr(estimator, "classes_"):
                (rows,), _ = take_rows(
                    X, None, {}, split.test[:_SEEN], split.train, work.pairwise[e]
                )
                check_predicted(estimator, rows, y, work.metrics)
            scored = _watch_for_labels(scored, estimator, X, work, e, split)
        if work.with_training_scores:
            on_training = split._replace(test=split.train)
            training_scores = score_fitted(estimator, X, y, work, e, on_training).scores
    except Exception as exception:
        ended = time.perf_counter()
        where = f"skcvstats: estimator {work.names[e]!r}, split {k}"
        exception.add_note(where)
        _raise_if_hopeless(exception, where, work)
        message = _named(exception, str(exception))
        scored = FittedScores(failure=Failure(message, exception, in_fit=fitted is None))
    fit_ended = fitted or ended
    return FitRecord(
        estimator=e,
        split=k,
        fit_time=fit_ended - started,
        score_time=ended - fit_ended,
        digest=split.digest,
        training_scores=training_scores,
        **scored._asdict(),
    )


def _raise_if_hopeless(exception: Exception, where: str, work: Workload) -> None:
    """Raise the exception of a fit unless the call goes on without its scores."""
    hopeless = (UnsetMetadataPassedError, NotANumberError)  # in every other fit, too
    if not work.failures.are_raised and not isinstance(exception, hopeless):
        return
    if isinstance(exception, StopIteration):  # it would be taken for the end of the fits
        misleading = FitError("A fit or its scoring raised StopIteration.")
        misleading.add_note(where)
        raise misleading from exception
    raise exception


class FittedScores(NamedTuple):
    """What the scoring of a fitted estimator gave: fields of its record."""

    scores: Mapping[str, float] = {}
    row_scores: Mapping[str, np.ndarray] = {}
    predictions: Mapping[str, np.ndarray] = {}
    observed: Mapping[str, Any] = {}
    failure: Failure = NO_FAILURE


def score_fitted(
    estimator: Any, X: Any, y: Any, work: Workload, e: int, split: Split
) -> FittedScores:
    """Score a fitted estimator on the test rows, and the rows where metrics have scores of them."""
    data, params = take_rows(X, y, work.score_params, split.test, split.train, work.pairwise[e])
    answers = work.scorer(estimator, *data, **params)
    if not work.by_name:
        answers = _named_answers(answers, work.metrics[0].name)
    scores: dict[str, float] = {}
    failed: dict[str, str] = {}
    for name, answer in answers.items():
        # For a metric that failed, scikit-learn's scorer of several metrics returns the traceback.
        if work.by_name and isinstance(answer, str) and not work.failures.are_raised:
            failed[name] = answer
        else:
            scores[name] = _number_from(name, answer)
    rows = work.rows
    row_scores = {}
    predictions = {}
    observed: Mapping[str, Any] = {}
    for metric in work.metrics:
        name = metric.name
        compared = answers.get(name)
        if not isinstance(compared, Compared):
            continue
        if metric.sees_labels(compared.y_pred, estimator):
            observed = with_label_metric(observed, name)
        if name in rows.predicted_metrics:
            predictions[name] = rows.number(compared.y_pred)
        try:
            row_scores[name] = rows.score(metric, compared, scores[name], split.test)
        except Exception as error:
            if rows.may_be_missing:
                row_scores[name] = np.full(len(split.test), np.nan)
                continue
            if work.failures.are_raised:
                raise
            failed[name] = _one_line(error)
            del scores[name]
    failure = NO_FAILURE
    if failed:
        failure = _failure_of(failed)
    return FittedScores(scores, row_scores, predictions, observed, failure)


def _watch_for_labels(
    scored: FittedScores, estimator: Any, X: Any, work: Workload, e: int, split: Split
) -> FittedScores:
    """Add the metrics of scores or probabilities, but of rows, that get labels."""
    observed = scored.observed
    for metric in work.metrics:
        if metric.needed_values and metric.name not in work.row_metrics:
            some = split.test[:: max(1, len(split.test) // _SEEN)]
            (rows,), _ = take_rows(X, None, {}, some, split.train, work.pairwise[e])
            responses: Any = metric.responses  # None where they are not known
            with suppress(Exception):  # the scoring of the whole test set shows this error
                response = next(filter(partial(hasattr, estimator), responses))
                if metric.sees_labels(getattr(estimator, response)(rows), estimator):
                    observed = with_label_metric(observed, metric.name)
    return scored._replace(observed=observed)


def _named_answers(answer: Any, name: str) -> Mapping[Any, Any]:
    """Return what the scorer of a metric returned by name; a callable may return several scores."""
    if not isinstance(answer, Mapping):
        return {name: answer}
    if not answer:
        raise ValueError("The scorer gave no metric; it must return a number or a dict of numbers.")
    check_printable([str(name) for name in answer], "metrics that scoring returned")
    return answer


def _number_from(name: str, value: Any) -> float:
    """Return what a scorer returned for a metric as a number, or raise NotANumberError."""
    if isinstance(value, Compared):
        value = value.score
    if type(value) is float:
        return value
    number = value
    with suppress(Exception):  # of an array with one entry, also of other packages
        number = value.item()
    is_masked = np.any(np.ma.getmask(value))
    if is_masked or not isinstance(number, Real | Decimal):
        raise NotANumberError(
            f"scoring must return a number, but {name!r} gave {brief(value)} of type "
            f"{type(value).__name__}."
        )
    return float(number)


def _failure_of(failed: Mapping[str, str]) -> Failure:
    """Return the failure of some metrics, with the error of each traceback in its message."""
    errors = []
    texts = []
    for name, traceback in failed.items():
        text = traceback.strip()
        errors.append(f"{name}: {error_of(text)}")
        texts.append(f"{name}: {text}")
    return Failure("; ".join(errors), FitError("\n".join(texts)))


def take_rows(
    X: Any, y: Any, params: Mapping[str, Any], rows: np.ndarray, train: np.ndarray, pairwise: bool
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Take rows of X, of y if there is one, and of the parameters with one entry for each row."""
    parts = [_take_from_kernel(X, rows, train) if pairwise else _take(X, rows)]
    if y is not None:
        parts.append(_take(y, rows))
    taken = dict(params)
    for name, value in params.items():
        if _is_per_row(value, X):
            taken[name] = _safe_indexing(indexable(value)[0], rows)
    return tuple(parts), taken


def _take(data: Any, rows: np.ndarray) -> Any:
    """Take rows of an array or a frame."""
    # An array's own indexing does the same as _safe_indexing, in a tenth of the time.
    if type(data) in (np.ndarray, np.memmap):
        return data[rows]
    return _safe_indexing(data, rows)


def _take_from_kernel(X: Any, rows: np.ndarray, train: np.ndarray) -> Any:
    """Take rows of a kernel or distance matrix, and the columns of the training rows."""
    n = n_rows(X)
    shape = getattr(X, "shape", type(X).__name__)
    if shape != (n, n):
        raise ValueError(
            "A precomputed kernel or distance matrix must be a square array, one row and one "
            f"column for each sample; got {shape}."
        )
    return _safe_indexing(_safe_indexing(X, rows), train, axis=1)


def _is_per_row(value: Any, X: Any) -> bool:
    """Return whether a parameter has one entry for each row of X."""
    try:
        return n_rows(value) == n_rows(X)
    except TypeError:  # it has no rows
        return False


def _one_line(error: Exception) -> str:
    """Return the message of an exception in one line, without a full stop."""
    return _named(error, " ".join(str(error).split()).rstrip("."))


def _named(error: Exception, message: str) -> str:
    """Return the message of an exception after the name of its class."""
    return f"{type(error).__name__}: {message}".removesuffix(": ")
