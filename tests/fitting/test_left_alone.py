"""Nothing that belongs to the user, or to the next fit, is changed."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info

from skcvstats import compare_estimators
from skcvstats._utils._progress import limited_blas
from tests.fitting.against_sklearn import CV, CV12, WEIGHTS, X, Y, fit_all, sklearn_scores


class SpoilsAll(ClassifierMixin, BaseEstimator):
    """Overwrites whatever it is given to fit and to predict."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        for data in (X, y, sample_weight):
            data[:] = 0
        return self

    def predict(self, X):
        X[:] = 0
        return np.zeros(len(X), dtype=int)


def test_spoilt_rows_reach_nobody_else():
    ours, target, weights = X.copy(), Y.copy(), WEIGHTS.copy()
    models = {"spoils": SpoilsAll(), "tree": DecisionTreeClassifier(random_state=0)}
    params = {"sample_weight": weights}
    scores = fit_all(models, ours, target, "accuracy", CV, params=params)["accuracy"]
    expected = sklearn_scores(models["tree"], X, Y, "accuracy", CV, params={**params})["score"]
    np.testing.assert_array_equal(scores["tree"].values, expected)
    np.testing.assert_array_equal(ours, X)
    np.testing.assert_array_equal(target, Y)
    np.testing.assert_array_equal(weights, WEIGHTS)


def test_estimators_are_left_alone():
    inner = RandomForestClassifier(3, random_state=np.random.RandomState(5))
    models = {"forest": inner, "pipeline": make_pipeline(StandardScaler(), SVC())}
    before = {name: dict(vars(model)) for name, model in models.items()}
    deep = {name: repr(model.get_params()) for name, model in models.items()}
    state = inner.random_state.get_state(legacy=False)["state"]
    compare_estimators(models, X, Y, cv=CV12)
    assert {name: vars(model) for name, model in models.items()} == before
    assert {name: repr(model.get_params()) for name, model in models.items()} == deep
    assert not any(name.endswith("_") for name in vars(models["pipeline"][-1]))
    after = inner.random_state.get_state(legacy=False)["state"]
    np.testing.assert_array_equal(after["key"], state["key"])
    assert after["pos"] == state["pos"]


def test_overlapping_limits_leave_none_behind():
    before = {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()}
    first, second = limited_blas(1), limited_blas(1)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert all(pool["num_threads"] == 1 for pool in threadpool_info())
    second.__exit__(None, None, None)
    assert {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()} == before
