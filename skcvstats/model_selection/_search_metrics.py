"""Find the metrics of a search that are not defined on some of its test sets."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier

from ..fitting import (
    Undefined,
    find_undefined,
    metrics_of,
    plan_splits,
)
from ..splitters import check_data, to_splitter


def undefined_metrics(search: Any, X: Any, y: Any, groups: Any) -> dict[str, Undefined]:
    """Return the metrics that are not defined on some test sets of a search."""
    given = metrics_of(search.scoring)
    if X is None or not given or getattr(search, "resource", None) == "n_samples":
        return {}
    X, y, groups = check_data(X, y, groups)
    splitter = to_splitter(search.cv, y, classifier=is_classifier(search.estimator))
    plan = plan_splits(splitter, X, y, {} if groups is None else {"groups": groups})
    if plan.unseeded:
        return {}
    return {undefined.metric: undefined for undefined in find_undefined(given, y, [plan])}
