"""What to measure: scorers, their names, and whether the estimators can answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import check_scoring, get_scorer_names, make_scorer

from .._validation import check_option, listed

RESPONSES = ("predict", "predict_proba", "decision_function")


@dataclass(frozen=True)
class Scoring:
    """A resolved `scoring` argument.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)`` to a number or, for several metrics, to a dict.
    metric : str
        The name of a single number.
    description : str
        For the provenance.
    metrics : tuple of str, default=()
        The names of several, where they are known beforehand.
    loss : str or None, default=None
        Which answer is a per-row loss.
    """

    scorer: Callable[..., Any]
    metric: str
    description: str
    metrics: tuple[str, ...] = ()
    loss: str | None = None


def resolve_scoring(
    estimators: Mapping[str, Any],
    scoring: Any,
    *,
    error_score: Any,
    loss: Callable[..., Any] | None = None,
) -> Scoring:
    """Turn `scoring` into a scorer that suits all estimators.

    Parameters
    ----------
    estimators : mapping of str to estimator
        By name.
    scoring : str, callable, list, tuple, set or dict
        As in scikit-learn.
    error_score : "raise" or float
        Whether a failing metric raises.
    loss : callable, default=None
        ``loss(y_true, y_pred)`` to one loss for each test row, to be collected as well.
    """
    some = next(iter(estimators.values()))
    check_names(scoring)
    if not callable(scoring):
        check_responses(estimators, scoring)
    description = repr(scoring)
    if loss is None and (callable(scoring) or isinstance(scoring, str)):
        scorer = scoring if callable(scoring) else check_scoring(some, scoring=scoring)
        return Scoring(scorer, metric_name(scoring), description)
    several = _as_dict(scoring)
    metrics = tuple(several)
    name = None
    if loss is not None:
        name = getattr(loss, "__name__", "loss")
        if name in several:
            raise ValueError(f"The loss and a metric are both named {name!r}; rename one.")
        several[name] = make_scorer(loss)
    scorer = check_scoring(some, scoring=several, raise_exc=error_score == "raise")
    return Scoring(scorer, "score", description, metrics, name)


def default_scoring(estimators: Mapping[str, Any]) -> str:
    """Return the metric that all estimators share, as each one's own `score` may not be.

    Parameters
    ----------
    estimators : mapping of str to estimator
        By name.
    """
    if all(is_classifier(one) for one in estimators.values()):
        return "accuracy"
    if all(is_regressor(one) for one in estimators.values()):
        return "r2"
    kinds = {
        name: "classifier"
        if is_classifier(one)
        else "regressor"
        if is_regressor(one)
        else "neither"
        for name, one in estimators.items()
    }
    raise ValueError(
        f"Without scoring= the estimators must be all classifiers or all regressors, but they "
        f"are {kinds}. Pass scoring=, one metric for all of them."
    )


def check_names(scoring: Any) -> None:
    """Raise ValueError for a metric that scikit-learn does not know, proposing the closest."""
    if isinstance(scoring, str):
        check_option("scoring", scoring, get_scorer_names())
    elif isinstance(scoring, Mapping):
        for one in scoring.values():
            if isinstance(one, str):
                check_names(one)
    elif isinstance(scoring, (list, tuple, set)):
        if not scoring or len(set(scoring)) != len(scoring):
            raise ValueError(f"scoring={scoring!r} must name at least one metric, each once.")
        for one in scoring:
            if not isinstance(one, str):
                raise ValueError(
                    f"scoring={scoring!r} must list names of metrics; for callables pass a dict "
                    "from names to callables."
                )
            check_names(one)
    elif not callable(scoring):
        raise ValueError(
            f"scoring={scoring!r} must be the name of a metric, a callable, a list of names or a "
            "dict from names to metrics."
        )


def check_responses(estimators: Mapping[str, Any], scoring: Any) -> None:
    """Raise TypeError for estimators that no metric could be computed for."""
    mute = [
        name
        for name, one in estimators.items()
        if not any(hasattr(one, response) for response in RESPONSES)
    ]
    if mute:
        raise TypeError(
            f"{listed(mute)} cannot be scored with {scoring!r}: no {' or '.join(RESPONSES)}. Put "
            "a transformer into a pipeline that ends in a classifier or regressor, or pass a "
            "callable scoring(estimator, X, y)."
        )


def metric_name(scoring: Any) -> str:
    """Return what to call the numbers that a single metric gives."""
    return scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")


def _as_dict(scoring: Any) -> dict[str, Any]:
    if isinstance(scoring, Mapping):
        if not scoring:
            raise ValueError("scoring={} must name at least one metric.")
        return dict(scoring)
    if isinstance(scoring, (list, tuple, set)):
        return {name: name for name in scoring}
    return {metric_name(scoring): scoring}
