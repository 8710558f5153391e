"""One estimator or several, one metric or several: as they are given, and the one alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._utils._checks import listed
from ..fitting import check_estimator, check_estimators
from ..scores import CVScores


def named_estimators(estimator: Any) -> dict[str, Any]:
    """Return the estimators by name; one alone is called by its class."""
    if isinstance(estimator, Mapping):
        return check_estimators(estimator, at_least=1)
    check_estimator("estimator", estimator)
    return {type(estimator).__name__: estimator}


def only_metric(scores: dict[str, CVScores]) -> CVScores:
    """Return the scores in the only metric, or say that there are several."""
    if len(scores) > 1:
        raise ValueError(
            f"scoring gave several metrics: {listed(scores)}. Pass one, and call once for each."
        )
    return next(iter(scores.values()))
