"""Which answers of an estimator a metric is computed from, and whether estimators give them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.base import is_classifier
from sklearn.metrics import get_scorer

from .._utils._checks import listed

RESPONSES = ("predict", "predict_proba", "decision_function")


def mute_for(estimators: Mapping[str, Any], metric: Any) -> list[str]:
    """Return the estimators without any response that a metric could be computed from."""
    wanted = responses_of(metric) if isinstance(metric, str) else RESPONSES
    return [
        name
        for name, model in estimators.items()
        if not any(hasattr(model, response) for response in wanted)
    ]


def check_responses(estimators: Mapping[str, Any], scoring: Any) -> None:
    """Raise TypeError for estimators that no metric could be computed for."""
    names = scoring.values() if isinstance(scoring, Mapping) else scoring
    for metric in [scoring] if isinstance(scoring, str) else names:
        wanted = responses_of(metric) if isinstance(metric, str) else RESPONSES
        mute = mute_for(estimators, metric)
        if mute:
            raise TypeError(
                f"{listed(mute)} cannot be scored with {metric!r}: no {' or '.join(wanted)}. "
                f"{_remedy([estimators[name] for name in mute], wanted)}"
            )


def _remedy(mute: Sequence[Any], wanted: Sequence[str]) -> str:
    if wanted == ("predict_proba",) and all(
        hasattr(model, "__sklearn_tags__") and is_classifier(model) for model in mute
    ):
        return (
            "Choose another metric or a classifier with predict_proba, or wrap this one in "
            "sklearn.calibration.CalibratedClassifierCV, which gives it one."
        )
    return (
        "Choose another metric or estimator, put a transformer into a pipeline that ends in a "
        "classifier or regressor, or pass a callable scoring(estimator, X, y)."
    )


def responses_of(metric: str) -> tuple[str, ...]:
    """Return the response methods that a metric can work with, as far as is known."""
    return stated_responses(metric) or RESPONSES


def stated_responses(metric: Any) -> tuple[str, ...] | None:
    """Return the responses that a scorer of scikit-learn states in its representation, or None."""
    stated = re.search(r"response_method=(\([^)]*\)|'[^']*')", repr(get_scorer(metric)))
    wanted = ast.literal_eval(stated[1]) if stated else ()
    wanted = (wanted,) if isinstance(wanted, str) else wanted
    return wanted if wanted and set(wanted) <= set(RESPONSES) else None
