"""Nothing that belongs to the user, or to the next fit, is changed."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info

from skcvstats import compare_estimators
from skcvstats._utils._threads import limited_blas
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


class Warns(DecisionTreeClassifier):
    """Warns in every fit of more than some rows, with another number each time."""

    def fit(self, X, y):
        if X[0, 0] > np.median(self.seen[:, 0]):
            warnings.warn(
                f"the first row is {X[0, 0]:.17g}.\nMore.", ConvergenceWarning, stacklevel=1
            )
        return super().fit(X, y)

    seen = X


@pytest.mark.parametrize("n_jobs", [None, pytest.param(2, marks=pytest.mark.processes)])
def test_warnings_of_fits_are_given_once_with_their_number(n_jobs):
    models = {"warns": Warns(random_state=0), "tree": DecisionTreeClassifier(random_state=0)}
    n = sum(X[train[0], 0] > np.median(X[:, 0]) for train, _ in CV12.split(X, Y))
    assert 1 < n < 12
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        result = compare_estimators(models, X, Y, cv=CV12, n_jobs=n_jobs)
    (said,) = (it for it in caught if it.category is ConvergenceWarning)
    assert said.filename == __file__
    assert str(said.message).startswith("the first row is ")
    assert str(said.message).endswith(f".\nMore. (in {n} of 12 fits of warns)")
    (note,) = (note for note in result.notes if note.code == "warnings of fits")
    assert note.text.startswith(f"{n} of 12 fits of warns warned: the first row is ")
    assert note.text.endswith("(ConvergenceWarning)")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        quiet = compare_estimators(models, X, Y, cv=CV12)
    assert not caught
    assert "warnings of fits" not in [note.code for note in quiet.notes]
