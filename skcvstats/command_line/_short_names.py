"""The short names of the command line: data sets, estimators, procedures.

Nothing is imported here, so that ``--help`` is quick.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

DATA = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# The default estimators: the simplest linear model, neighbours and a tree,
# for classification (False) and regression (True).
DEFAULT = {False: ("logistic", "knn", "tree"), True: ("linear", "knn", "tree")}
METHODS = (
    "bootstrap_t",
    "conservative_z",
    "corrected_bootstrap_t",
    "corrected_resampled_t",
    "five_by_two_cv_f",
    "five_by_two_cv_t",
    "holdout_t",
    "resampled_t",
)


def _maker(path: str, scaled: bool = False, **params: Any) -> Callable[[], Any]:
    """Return a function that makes an estimator, after a scaler if it needs one."""

    def make() -> Any:
        module, _, name = path.rpartition(".")
        estimator = getattr(import_module(f"sklearn.{module}"), name)(**params)
        if not scaled:
            return estimator
        scaler = import_module("sklearn.preprocessing").StandardScaler()
        return import_module("sklearn.pipeline").make_pipeline(scaler, estimator)

    return make


CLASSIFIERS = {
    "forest": _maker("ensemble.RandomForestClassifier", random_state=0),
    "knn": _maker("neighbors.KNeighborsClassifier", scaled=True),
    "logistic": _maker("linear_model.LogisticRegression", scaled=True, max_iter=1000),
    "svm": _maker("svm.SVC", scaled=True),
    "tree": _maker("tree.DecisionTreeClassifier", random_state=0),
}
REGRESSORS = {
    "forest": _maker("ensemble.RandomForestRegressor", random_state=0),
    "knn": _maker("neighbors.KNeighborsRegressor", scaled=True),
    "linear": _maker("linear_model.LinearRegression", scaled=True),
    "ridge": _maker("linear_model.Ridge", scaled=True),
    "svm": _maker("svm.SVR", scaled=True),
    "tree": _maker("tree.DecisionTreeRegressor", random_state=0),
}
