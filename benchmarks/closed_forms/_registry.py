"""The estimators that have a closed form, and with which parameters."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from skcvstats._utils._checks import is_integer

from . import _discriminants, _dummy, _linear, _naive_bayes, _neighbors
from ._base import Builder, FastModel
from ._data import Data


class Entry(NamedTuple):
    """A closed form."""

    build: Builder
    parameters: frozenset[str]


def _entry(build: Builder, *parameters: str) -> Entry:
    return Entry(build, frozenset(parameters))


# By exact type, because a subclass may compute something else.
CLOSED_FORMS: Mapping[type, Entry] = {
    DummyClassifier: _entry(_dummy.classifier, "strategy", "constant"),
    DummyRegressor: _entry(_dummy.regressor, "strategy", "constant", "quantile"),
    GaussianNB: _entry(_naive_bayes.naive_bayes, "var_smoothing"),
    KNeighborsClassifier: _entry(
        _neighbors.classifier, "n_neighbors", "weights", "algorithm", "metric", "p", "metric_params"
    ),
    KNeighborsRegressor: _entry(
        _neighbors.regressor, "n_neighbors", "weights", "algorithm", "metric", "p", "metric_params"
    ),
    LinearDiscriminantAnalysis: _entry(_discriminants.discriminants),
    LinearRegression: _entry(_linear.ordinary, "fit_intercept", "tol"),
    Ridge: _entry(_linear.ridge, "alpha", "fit_intercept", "solver"),
    RidgeClassifier: _entry(_linear.ridge_classifier, "alpha", "fit_intercept", "solver"),
}
_DEFAULTS = {kind: kind().get_params(deep=False) for kind in CLOSED_FORMS}


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_whole_or_none(value: Any) -> bool:
    return value is None or (is_integer(value) and value != 0)


def _is_seed(value: Any) -> bool:
    return value is None or (is_integer(value) and 0 <= value < 2**32)


# Parameters that do not change predictions, as long as scikit-learn accepts them.
_HARMLESS: Mapping[str, Callable[[Any], bool]] = {
    "copy_X": _is_flag,
    "leaf_size": lambda value: is_integer(value) and value >= 1,
    "n_jobs": _is_whole_or_none,
    "random_state": _is_seed,
}


def closed_form(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of an estimator, or None."""
    entry = CLOSED_FORMS.get(type(estimator))
    if entry is None or not _has_supported_parameters(estimator, entry.parameters):
        return None
    if not data.has_clear_names:
        return None
    try:
        with np.errstate(all="ignore"):  # data for which everything is refitted
            return entry.build(estimator, data, params)
    except np.linalg.LinAlgError:
        return None


def _has_supported_parameters(estimator: Any, supported: frozenset[str]) -> bool:
    defaults = _DEFAULTS[type(estimator)]
    given = estimator.get_params(deep=False)
    for name in given.keys() - supported:
        if name in _HARMLESS and _HARMLESS[name](given[name]):
            continue
        if type(given[name]) is not type(defaults[name]) or given[name] != defaults[name]:
            return False
    return True
