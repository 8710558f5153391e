"""What to measure: metrics, their names and scorers, and whether estimators can answer them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier, is_regressor
from sklearn.metrics import accuracy_score, check_scoring, get_scorer, get_scorer_names, make_scorer
from sklearn.pipeline import Pipeline

from .._utils._arrays import one_output
from .._utils._checks import listed, one_line
from .._utils._metrics import METRICS, RESPONSES, MetricFacts, known_of, metric_called
from ._inputs import is_raise
from ._row_scores import RowScorer, for_classes

# What errors of metrics hold, and the advice that they lack.
_HINTS = {
    "pos_label is not specified": (
        "Number the classes 0 and 1, or pass make_scorer(brier_score_loss, pos_label=..., "
        "greater_is_better=False, response_method='predict_proba')."
    ),
    "pos_label": (
        "For labels other than 0 and 1 use an averaged metric such as scoring='f1_macro', or "
        "make_scorer(f1_score, pos_label=...)."
    ),
    "average='binary'": "For more than two classes use an average, such as scoring='f1_macro'.",
    "multi_class must be in": "For more than two classes use scoring='roc_auc_ovr'.",
}


# Before the name of a metric, that of its rows' scores; no name that a user gives holds it.
OF_ROWS = "\0rows of "


@dataclass(frozen=True)
class Metric:
    """A single metric: its name in scikit-learn, a scorer, a callable, or an estimator's own."""

    given: Any
    estimator: Any = None

    @property
    def name(self) -> str:
        """The name of its scores."""
        if self.given is None:
            return _own_score(self.estimator)
        return self.given if isinstance(self.given, str) else _name(self.given)

    @property
    def facts(self) -> MetricFacts | None:
        """What is known about a metric that is given by its name."""
        return METRICS.get(self.given) if isinstance(self.given, str) else None

    @property
    def is_scorer(self) -> bool:
        """Whether it is a scorer from `make_scorer`."""
        return type(self.given) is type(make_scorer(accuracy_score))

    @property
    def responses(self) -> tuple[str, ...] | None:
        """The responses it is computed from, as known or stated by the scorer, or None."""
        if self.facts is not None:
            return self.facts.responses
        wanted = getattr(get_scorer(self.given), "_response_method", ())
        wanted = (wanted,) if isinstance(wanted, str) else tuple(wanted)
        return wanted if wanted and set(wanted) <= set(RESPONSES) else None

    def reads_the_same(self, one: Any, other: Any, X: Any) -> bool:
        """Whether two fitted estimators give it the same, or all they have if it may read any."""
        known = self.responses
        names = [name for name in known or RESPONSES if hasattr(one, name)]
        for name in names[:1] if known else names:
            found, wanted = (np.asarray(getattr(model, name)(X)) for model in (one, other))
            if found.dtype.kind != "f":
                is_same = np.array_equal(found, wanted)
            else:
                is_same = np.allclose(found, wanted, atol=1e-8 * np.abs(wanted).max(initial=0))
            if not is_same:
                return False
        return True

    def describe(self) -> str:
        """Return its name, or its representation."""
        if self.given is None:
            return f"None, the estimator's own score ({self.name})"
        return describe(self.given)

    @staticmethod
    def hint_for(cause: str) -> str:
        """Return advice about the error of a metric, if its own message has none."""
        return next((hint for words, hint in _HINTS.items() if words in cause), "")

    @property
    def named(self) -> str:
        """The name, or of a scorer that of the function that it was made from."""
        if not self.is_scorer:
            return self.name
        return _name(self.function)

    @property
    def function(self) -> Any:
        """The function that a scorer was made from."""
        function = vars(self.given)["_score_func"]
        while isinstance(function, partial):
            function = function.func
        return function

    @property
    def is_of_sklearn(self) -> bool:
        """Whether it is a scorer of a function of scikit-learn."""
        return self.is_scorer and str(self.function.__module__).startswith("sklearn.")

    @property
    def is_negated(self) -> bool:
        """Whether it is a scorer of a function of which less is better."""
        return self.is_scorer and vars(self.given)["_sign"] < 0

    @property
    def measured(self) -> str:
        """What the scores are: minus the function, if less of that is better."""
        return f"neg_{self.named}" if self.is_negated else self.named

    @property
    def in_sklearn(self) -> Metric:
        """Itself, or by its name where scikit-learn has the same scorer under one."""
        if not self.is_scorer:
            return self
        names = (name for name in get_scorer_names() if vars(get_scorer(name)) == vars(self.given))
        return Metric(next(names, self.given))

    def _check_direction(self) -> None:
        """Raise ValueError for a scorer of which greater is not better."""
        given, function = self.describe(), self.named
        better, remedy = "smaller", "Pass greater_is_better=False to make_scorer"
        if self.is_negated:
            better, remedy = "greater", "Leave greater_is_better=False out"
        if self.is_scorer and known_of(function).sign == (-1 if better == "smaller" else 1):
            raise ValueError(
                f"scoring={given}: {better} is better in {function}, so the worst model would have "
                f"the highest score. {remedy}."
            )

    def check(self) -> None:
        """Raise ValueError for a name that scikit-learn does not know, or the wrong direction."""
        self._check_direction()
        name, known = self.given, get_scorer_names()
        if not isinstance(name, str) or name in known:
            return
        meant = metric_called(name)
        close = [meant] if meant in known else difflib.get_close_matches(name, known)
        hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
        raise ValueError(
            f"scoring={name!r} is not a metric that scikit-learn knows.{hint} "
            "sklearn.metrics.get_scorer_names() lists them all."
        )

    def mute(self, estimators: Mapping[str, Any]) -> list[str]:
        """Return the estimators without any response that it could be computed from."""
        wanted = self._wanted()
        return [
            name
            for name, model in estimators.items()
            if not any(hasattr(model, response) for response in wanted)
        ]

    def _wanted(self) -> tuple[str, ...]:
        return (isinstance(self.given, str) and self.responses) or RESPONSES

    def check_responses(self, estimators: Mapping[str, Any]) -> None:
        """Raise TypeError for estimators that it could not be computed for."""
        mute, wanted = self.mute(estimators), self._wanted()
        if not mute:
            return
        remedy = (
            "Choose another metric or estimator, put a transformer into a pipeline that ends in a "
            "classifier or regressor, or pass a callable scoring(estimator, X, y)."
        )
        if wanted == ("predict_proba",) and all(
            hasattr(estimators[name], "__sklearn_tags__") and is_classifier(estimators[name])
            for name in mute
        ):
            remedy = (
                "Choose another metric or a classifier with predict_proba, or wrap this one in "
                "sklearn.calibration.CalibratedClassifierCV, which gives it one."
            )
        raise TypeError(
            f"{listed(mute)} cannot be scored with {self.given!r}: no {' or '.join(wanted)}. "
            f"{remedy}"
        )

    def complaint(self, y: Any, target: str = "y") -> tuple[str, str] | None:
        """Return that a metric of two classes does not know the labels, and the remedy."""
        labels = one_output(y)
        if self.facts is None or self.facts.needs != "positive" or labels is None:
            return None
        if labels.dtype.kind not in "biUSO":
            return None
        try:
            classes = np.unique(labels).tolist()
        except TypeError:  # labels of different types
            return None
        has_average = self.given != "average_precision"
        if len(classes) > 2 and has_average:
            return (
                f"scoring={self.given!r} is for two classes, and {target} has {len(classes)}: "
                f"{listed(classes)}",
                f"For more than two classes use an average, such as scoring='{self.given}_macro'.",
            )
        if 1 in classes or len(classes) < 2:
            return None
        average = f"an averaged metric such as scoring='{self.given}_macro', or "
        response = ", response_method='predict_proba'"
        return (
            f"scoring={self.given!r} takes 1 for the positive class, and {target} has the labels "
            f"{listed(classes)}: pos_label=1 is not a valid label",
            f"For labels other than 0 and 1 use {average if has_average else ''}"
            f"make_scorer({self.facts.function}, pos_label={classes[-1]!r}"
            f"{'' if has_average else response}).",
        )


@dataclass(frozen=True)
class Scoring:
    """A resolved `scoring` argument."""

    scorer: Callable[..., Any]
    metric: str
    description: str
    metrics: tuple[str, ...] = ()
    may_fail: bool = False
    given: Mapping[str, Any] = field(default_factory=dict)
    rows: Mapping[str, RowScorer] = field(default_factory=dict)  # of the metrics, if wanted

    @classmethod
    def of(
        cls,
        estimators: Mapping[str, Any],
        scoring: Any,
        y: Any = None,
        *,
        error_score: Any = "raise",
        of_rows: bool = False,
        may_be_mute: bool = False,
    ) -> Scoring:
        """Turn `scoring` into a scorer that suits all estimators, of single rows too if wanted."""
        some = next(iter(estimators.values()))
        check_names(scoring)
        given = metrics_of(scoring)
        for metric in () if callable(scoring) or may_be_mute else given.values():
            Metric(metric).check_responses(estimators)
        if callable(scoring) or isinstance(scoring, str):
            check_scoring(some, scoring=scoring)  # raises an error for metric functions
        knowing = {name: for_classes(metric, y) for name, metric in given.items()}
        if (callable(scoring) or isinstance(scoring, str)) and not of_rows:
            (metric,) = knowing.values()
            scorer = check_scoring(some, scoring=metric)
            return cls(scorer, Metric(scoring).name, describe(scoring), given=given)
        known = {name: RowScorer.of(metric) for name, metric in knowing.items()} if of_rows else {}
        rows = {name: found for name, found in known.items() if found is not None}
        several = {**knowing, **{OF_ROWS + name: found.scorer for name, found in rows.items()}}
        if may_be_mute:  # a partial shares no responses, so that only this metric fails without one
            mute = [name for name, metric in given.items() if Metric(metric).mute(estimators)]
            silent = {name for metric in mute for name in (metric, OF_ROWS + metric)}
            several |= {
                name: partial(get_scorer(several[name])) for name in silent & several.keys()
            }
        scorer = check_scoring(some, scoring=several, raise_exc=is_raise(error_score))
        return cls(scorer, "score", describe(scoring), tuple(given), given=given, rows=rows)

    @classmethod
    def as_sklearn(cls, estimator: Any, scoring: Any, error_score: Any = np.nan) -> Scoring:
        """Turn `scoring` into what scikit-learn measures; None is the estimator's own score."""
        if scoring is not None:
            check_names(scoring)
        failing: dict[str, Any] = {"description": describe(scoring), "may_fail": True}
        if scoring is None or isinstance(scoring, str) or callable(scoring):
            name = Metric(scoring, estimator).name
            scorer = check_scoring(estimator, scoring=scoring)
            return cls(scorer, name, given={name: scoring}, **failing)
        given = metrics_of(scoring)
        scorer = check_scoring(estimator, scoring=given, raise_exc=is_raise(error_score))
        return cls(scorer, "score", metrics=tuple(given), given=given, **failing)

    @property
    def needing_more_than_rows(self) -> dict[str, Any]:
        """The metrics that are no means over rows, which are defined on any test set."""
        defined = {name for name, rows in self.rows.items() if not rows.is_area}
        return {name: metric for name, metric in self.given.items() if name not in defined}


def default_scoring(estimators: Mapping[str, Any], *, of_rows: bool = False) -> str:
    """Return the metric that all estimators share; their own `score` may differ."""
    kinds = {
        name: "classifier" if is_classifier(m) else "regressor" if is_regressor(m) else "neither"
        for name, m in estimators.items()
    }
    if set(kinds.values()) == {"classifier"}:
        return "accuracy"
    if set(kinds.values()) == {"regressor"}:
        return "neg_mean_squared_error" if of_rows else "r2"
    raise ValueError(
        f"Without scoring= the estimators must be all classifiers or all regressors, but they "
        f"are {kinds}. Pass scoring=, one metric for all of them."
    )


def check_names(scoring: Any) -> None:
    """Raise ValueError for what is no metric, and for names that scikit-learn does not know."""
    metrics: Iterable[Any] = [scoring]
    if isinstance(scoring, Mapping):
        metrics = scoring.values()
        for name, metric in scoring.items():
            if not isinstance(metric, str) and not callable(metric):
                raise ValueError(
                    f"scoring[{name!r}] is {metric!r}; it must be a metric's name or a callable."
                )
    elif isinstance(scoring, (list, tuple, set)):
        metrics = scoring
        if not all(isinstance(metric, str) for metric in scoring):
            raise ValueError(
                f"scoring={scoring!r} must list names of metrics; for callables pass a dict from "
                "names to callables."
            )
        if not scoring or len(set(scoring)) != len(scoring):
            raise ValueError(f"scoring={scoring!r} must name at least one metric, each once.")
    elif not callable(scoring) and not isinstance(scoring, str):
        raise ValueError(
            f"scoring={scoring!r} must be the name of a metric, a callable, a list of names or a "
            "dict from names to metrics."
        )
    for metric in metrics:
        Metric(metric).check()


def measured_as(scoring: Any, name: str) -> dict[str, str]:
    """Return for the provenance what is measured under this name, if the name does not tell."""
    given = metrics_of(scoring or None)
    what = Metric(given[name]).measured if name in given else name
    return {} if what == name else {"measured": what}


def describe(scoring: Any) -> str:
    """Describe `scoring` for a reader: its name, or its representation."""
    if isinstance(scoring, str):
        return scoring
    if hasattr(scoring, "__qualname__"):
        return f"{scoring.__module__}.{scoring.__qualname__}"
    try:
        return one_line(scoring)
    except AttributeError:
        return _name(scoring)


def _name(metric: Any) -> str:
    return getattr(metric, "__name__", "score")


def _own_score(estimator: Any) -> str:
    """Return the name of what an estimator's own ``score`` measures."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    score = getattr(type(estimator), "score", None)
    usual = getattr(score, "__module__", "").startswith(("sklearn.dummy", "sklearn.neighbors"))
    if score is ClassifierMixin.score or (usual and is_classifier(estimator)):
        return "accuracy"
    if score is RegressorMixin.score or (usual and is_regressor(estimator)):
        return "r2"
    return f"{type(estimator).__name__}.score"


def names_of(scoring: Any, estimators: Mapping[str, Any], *, of_rows: bool) -> tuple[str, ...]:
    """Return what is measured, by the names that it has in the result and in scikit-learn."""
    if scoring is None:
        return (default_scoring(estimators, of_rows=of_rows),)
    check_names(scoring)
    metrics = metrics_of(scoring)
    return (*metrics, *(Metric(given).named for given in metrics.values()))


def metrics_of(scoring: Any) -> dict[str, Any]:
    """Return the metrics by their names in the result."""
    if scoring is None:
        return {}
    if isinstance(scoring, Mapping):
        if not scoring:
            raise ValueError("scoring={} must name at least one metric.")
        return dict(scoring)
    if isinstance(scoring, (list, tuple, set)):
        return {name: name for name in (sorted(scoring) if isinstance(scoring, set) else scoring)}
    return {Metric(scoring).name: scoring}
