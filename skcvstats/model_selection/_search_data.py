"""Check whether a search can have been fitted on the data, from what its attributes reveal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from .._utils._checks import listed, n_rows
from ..exceptions import SplitDesignError
from ..fitting import Metric
from ..scores import SplitDesign

# Where estimators of scikit-learn store the number of rows they were fitted on, whatever the
# weights. StandardScaler is not among them: it sums weights.
_ROWS_FITTED: Mapping[str, Callable[[Any], Any]] = {
    "n_samples_fit_": lambda part: part.n_samples_fit_,  # nearest neighbours
    "shape_fit_": lambda part: part.shape_fit_[0],  # support vector machines
}
_ROWS_FITTED_BY_CLASS = {
    "PCA": "n_samples_",
    "IncrementalPCA": "n_samples_seen_",
    "MinMaxScaler": "n_samples_seen_",
    "MaxAbsScaler": "n_samples_seen_",
}
_REMEDY = (
    "Pass the data that the search was fitted on, or design=SplitDesign.from_sizes(...), the sizes "
    "of its splits."
)
# Accuracies are fractions of the test rows up to rounding; float32 is the coarsest type.
_ROUNDING, _EXACT = 1e-6, 1e-9
_MOST_TEST_ROWS, _MOST_CANDIDATES = 20_000, 50
# The label that means "no label" for scikit-learn's semi-supervised classifiers.
_UNLABELLED = -1


def require_fitted_data(search: Any, X: Any, y: Any) -> None:
    """Raise SplitDesignError if the search was fitted on other data."""
    for source, fitted, given in _facts(search, X, y):
        if fitted != given:
            raise SplitDesignError(
                f"The data have {given}, but the search was fitted on {fitted} ({source}). "
                f"{_REMEDY}"
            )


def require_whole_hits(
    search: Any, accuracies: Mapping[str, np.ndarray], design: SplitDesign
) -> None:
    """Raise SplitDesignError if accuracies are not fractions of the test rows."""
    for values in accuracies.values():
        values = np.where(values == _number(getattr(search, "error_score", None)), np.nan, values)
        if _are_hits(values, design.n_test, _ROUNDING):
            continue
        columns = values[:_MOST_CANDIDATES].T
        n_test = [_fewest_rows(column[np.isfinite(column)]) for column in columns]
        if None in n_test:
            continue  # a fraction of no number of rows, so it is weighted
        raise SplitDesignError(
            "The search was fitted on other data: the test sets of these data have "
            f"{_range(design.n_test)} rows, and its accuracies are not whole numbers of hits "
            f"among so many. {_REMEDY} If it was fitted with weights, pass "
            "params={'sample_weight': ...} too."
        )


def accuracy_columns(search: Any, params: Mapping[str, Any] | None) -> list[str]:
    """Return the names in cv_results_ of the metrics that are unweighted accuracies."""
    if dict(params or {}).get("sample_weight") is not None:
        return []
    scoring = search.scoring
    if scoring is None:
        return ["score"] if _own_score_is_accuracy(search) else []
    if isinstance(scoring, str):
        return ["score"] if scoring == "accuracy" else []
    if isinstance(scoring, Mapping):
        return [name for name, metric in scoring.items() if _is_accuracy(metric)]
    names = isinstance(scoring, (list, tuple, set))
    return ["accuracy"] if names and any(_is_accuracy(metric) for metric in scoring) else []


def _is_accuracy(metric: Any) -> bool:
    return isinstance(metric, str) and metric == "accuracy"


def _own_score_is_accuracy(search: Any) -> bool:
    """Return whether all candidates are scored by scikit-learn's ClassifierMixin.score."""
    swapped = any(
        hasattr(value, "fit")
        for params in search.cv_results_["params"]
        for value in params.values()
    )
    return not swapped and Metric(None, search.estimator).name == "accuracy"


def _facts(search: Any, X: Any, y: Any) -> Iterator[tuple[str, str, str]]:
    """Yield facts about the fitted data: the attribute, its value, and the value for X and y."""
    if getattr(search, "max_resources", None) == "auto" and search.resource == "n_samples":
        yield "max_resources_", f"{search.max_resources_} rows", f"{n_rows(X)} rows"
    best = getattr(search, "best_estimator_", None)
    parts = _parts(best)
    if parts is None:
        return
    for part in parts:
        for name, fitted in _rows_fitted(part):
            source = f"{name} of its {type(part).__name__}"
            yield source, f"{int(fitted)} rows", f"{n_rows(X)} rows"
    n_features, shape = getattr(best, "n_features_in_", None), tuple(getattr(X, "shape", ()))
    if n_features is not None and len(shape) == 2:
        yield "n_features_in_", f"{n_features} columns", f"{shape[1]} columns"
    yield from _classes(best, y)


def _classes(best: Any, y: Any) -> Iterator[tuple[str, str, str]]:
    classes = getattr(best, "classes_", None)
    if y is None or not isinstance(classes, np.ndarray) or np.ndim(y) != 1:
        return
    fitted, given = set(classes.tolist()), set(np.asarray(y).tolist())
    given -= {_UNLABELLED} - fitted
    if fitted != given:
        differing = listed(sorted(fitted ^ given, key=str))
        yield "classes_", f"{len(fitted)}, differing in {differing}", f"{len(given)} classes"


def _parts(estimator: Any) -> list[Any] | None:
    """Return the estimators of scikit-learn that saw all rows, or None if this is not known."""
    if type(estimator) is Pipeline:
        parts: list[Any] = []
        for _, step in estimator.steps:
            if step is None or isinstance(step, str):
                continue
            inner = _parts(step)
            if inner is None:
                return None
            parts += inner
        return parts
    module = type(estimator).__module__
    if not module.startswith("sklearn.") or isinstance(estimator, FunctionTransformer):
        return None  # other steps may remove or add rows
    return [estimator]


def _rows_fitted(part: Any) -> Iterator[tuple[str, Any]]:
    for name, read in _ROWS_FITTED.items():
        if hasattr(part, name):
            yield name, read(part)
    name = _ROWS_FITTED_BY_CLASS.get(type(part).__name__, "")
    if hasattr(part, name):
        yield name, getattr(part, name)


def _number(error_score: Any) -> Any:
    return error_score if isinstance(error_score, (int, float)) else np.nan


def _range(sizes: Sequence[int]) -> str:
    fewest, most = min(sizes), max(sizes)
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def _are_hits(values: np.ndarray, n_test: Any, rounding: float) -> bool:
    """Return whether the accuracies are whole numbers of hits for these numbers of test rows."""
    n_test = np.asarray(n_test)
    hits = values * n_test
    return not (np.abs(hits - np.rint(hits)) > rounding * n_test).any()


def _fewest_rows(accuracies: np.ndarray) -> int | None:
    """Return the smallest number of test rows for which all these accuracies are possible."""
    n_test = np.arange(1, _MOST_TEST_ROWS + 1)
    hits = accuracies[:, np.newaxis] * n_test
    fits = (np.abs(hits - np.rint(hits)) <= _EXACT * n_test).all(axis=0)
    return int(n_test[fits.argmax()]) if fits.any() else None
