"""What to measure: scorers and their names."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier, is_regressor
from sklearn.metrics import (
    accuracy_score,
    check_scoring,
    get_scorer,
    get_scorer_names,
    make_scorer,
)
from sklearn.pipeline import Pipeline

from .._utils._checks import listed, one_line
from ._inputs import is_raise
from ._responses import check_responses, mute_for
from ._row_loss import LOSSES, PerRowLoss

# What people type for a metric that scikit-learn names otherwise.
ALIASES = {
    "acc": "accuracy",
    "auc": "roc_auc",
    "f1_score": "f1",
    "mae": "neg_mean_absolute_error",
    "mape": "neg_mean_absolute_percentage_error",
    "mse": "neg_mean_squared_error",
    "r2_score": "r2",
    "rmse": "neg_root_mean_squared_error",
}
HINTS = {
    "pos_label": (
        "For labels other than 0 and 1 use an averaged metric such as scoring='f1_macro', or "
        "make_scorer(f1_score, pos_label=...)."
    ),
    "average='binary'": "For more than two classes use an average, such as scoring='f1_macro'.",
    "multi_class must be in": "For more than two classes use scoring='roc_auc_ovr'.",
}


@dataclass(frozen=True)
class Scoring:
    """A resolved `scoring` argument."""

    scorer: Callable[..., Any]
    metric: str
    description: str
    metrics: tuple[str, ...] = ()
    loss: str | None = None
    standard: Mapping[str, str] | None = None
    by_response: bool = False
    may_fail: bool = False
    given: Mapping[str, Any] = field(default_factory=dict)
    row_loss: PerRowLoss | None = None


def resolve_scoring(
    estimators: Mapping[str, Any],
    scoring: Any,
    *,
    error_score: Any,
    loss: PerRowLoss | None = None,
    may_be_mute: bool = False,
) -> Scoring:
    """Turn `scoring` into a scorer that suits all estimators."""
    some = next(iter(estimators.values()))
    if scoring is None and loss is not None:
        mute = [name for name, model in estimators.items() if not hasattr(model, "predict")]
        if mute:
            raise TypeError(
                f"{listed(mute)} cannot be scored by a loss: no predict. Put a transformer into a "
                "pipeline that ends in a classifier or regressor."
            )
        scorer = _scorer_of_several(some, {loss.metric: make_scorer(loss)}, error_score)
        return Scoring(
            scorer, loss.metric, describe(loss), (), loss.metric, by_response=True, row_loss=loss
        )
    check_names(scoring)
    if not callable(scoring) and not may_be_mute:
        check_responses(estimators, scoring)
    description = describe(scoring)
    several = _as_dict(scoring)
    kinds: dict[str, Any] = {
        "standard": _standard(several, loss),
        "by_response": _is_by_response(several),
        "given": dict(several),
        "row_loss": loss,
    }
    if callable(scoring) or isinstance(scoring, str):
        scorer = check_scoring(some, scoring=scoring)  # raises an error for metric functions
    if loss is None and (callable(scoring) or isinstance(scoring, str)):
        return Scoring(scorer, metric_name(scoring), description, **kinds)
    metrics = tuple(several)
    if may_be_mute:
        several = {
            name: _Alone(get_scorer(metric)) if mute_for(estimators, metric) else metric
            for name, metric in several.items()
        }
    if loss is not None:
        if loss.metric in several:
            raise ValueError(f"The loss and a metric are both named {loss.metric!r}; rename one.")
        several[loss.metric] = make_scorer(loss)
    scorer = _scorer_of_several(some, several, error_score)
    name = None if loss is None else loss.metric
    return Scoring(scorer, "score", description, metrics, name, **kinds)


def _scorer_of_several(estimator: Any, scoring: Mapping[str, Any], error_score: Any) -> Any:
    return check_scoring(estimator, scoring=scoring, raise_exc=is_raise(error_score))


def _standard(several: Mapping[str, Any], loss: Any) -> dict[str, str] | None:
    if loss is not None or not all(isinstance(metric, str) for metric in several.values()):
        return None
    return dict(several)


def _is_by_response(several: Mapping[str, Any]) -> bool:
    return all(isinstance(metric, str) or is_scorer(metric) for metric in several.values())


def default_scoring(estimators: Mapping[str, Any]) -> str:
    """Return the metric that all estimators share; their own `score` may differ."""
    if all(is_classifier(model) for model in estimators.values()):
        return "accuracy"
    if all(is_regressor(model) for model in estimators.values()):
        return "r2"
    kinds = {
        name: "classifier"
        if is_classifier(model)
        else "regressor"
        if is_regressor(model)
        else "neither"
        for name, model in estimators.items()
    }
    raise ValueError(
        f"Without scoring= the estimators must be all classifiers or all regressors, but they "
        f"are {kinds}. Pass scoring=, one metric for all of them."
    )


def check_names(scoring: Any) -> None:
    """Raise ValueError for a metric that scikit-learn does not know; propose the closest."""
    if isinstance(scoring, str):
        _check_name(scoring)
    elif isinstance(scoring, Mapping):
        for name, metric in scoring.items():
            if isinstance(metric, str):
                _check_name(metric)
            elif not callable(metric):
                raise ValueError(
                    f"scoring[{name!r}] is {metric!r}; it must be a metric's name or a callable."
                )
    elif isinstance(scoring, (list, tuple, set)):
        if not all(isinstance(metric, str) for metric in scoring):
            raise ValueError(
                f"scoring={scoring!r} must list names of metrics; for callables pass a dict from "
                "names to callables."
            )
        if not scoring or len(set(scoring)) != len(scoring):
            raise ValueError(f"scoring={scoring!r} must name at least one metric, each once.")
        for metric in scoring:
            _check_name(metric)
    elif not callable(scoring):
        raise ValueError(
            f"scoring={scoring!r} must be the name of a metric, a callable, a list of names or a "
            "dict from names to metrics."
        )


def _check_name(scoring: str) -> None:
    known = get_scorer_names()
    if scoring in known:
        return
    close = [ALIASES[scoring]] if scoring in ALIASES else difflib.get_close_matches(scoring, known)
    hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    raise ValueError(
        f"scoring={scoring!r} is not a metric that scikit-learn knows.{hint} "
        "sklearn.metrics.get_scorer_names() lists them all."
    )


def hint_for(cause: str) -> str:
    """Return advice about the error of a metric, if its own message has none."""
    for words, hint in HINTS.items():
        if words in cause:
            return hint
    return ""


@dataclass(frozen=True)
class _Alone:
    """A scorer that does not share predictions, so that only this metric fails without a response.

    scikit-learn's scorer of several metrics computes all responses before it scores.
    """

    scorer: Any

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.scorer(*args, **kwargs)


def is_scorer(metric: Any) -> bool:
    """Whether a metric is a scorer from `make_scorer`."""
    return type(metric) is type(make_scorer(accuracy_score))


def describe(scoring: Any) -> str:
    """Describe `scoring` for a reader: its name, or its representation."""
    if isinstance(scoring, str):
        return scoring
    if isinstance(scoring, PerRowLoss):
        named = {function: name for name, function in LOSSES.items()}
        return f"loss={named.get(scoring.function) or describe(scoring.function)}"
    if hasattr(scoring, "__qualname__"):
        return f"{scoring.__module__}.{scoring.__qualname__}"
    try:
        return one_line(scoring)
    except AttributeError:
        return metric_name(scoring)


def metric_name(scoring: Any) -> str:
    """Return the name of the scores of a single metric."""
    return scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")


def score_name(estimator: Any) -> str:
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


def metrics_of(scoring: Any) -> dict[str, Any]:
    """Return the metrics by their names in the result."""
    return {} if scoring is None else _as_dict(scoring)


def _as_dict(scoring: Any) -> dict[str, Any]:
    if isinstance(scoring, Mapping):
        if not scoring:
            raise ValueError("scoring={} must name at least one metric.")
        return dict(scoring)
    if isinstance(scoring, (list, tuple, set)):
        return {name: name for name in (sorted(scoring) if isinstance(scoring, set) else scoring)}
    return {metric_name(scoring): scoring}
