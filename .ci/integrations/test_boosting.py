"""The recipes for the ``cv`` of LightGBM and XGBoost, and the error for their means."""

import numpy as np
import pytest
from sklearn.base import clone

from skcvstats import compare_estimators, compare_scores
from skcvstats.exceptions import FitError


def assert_compared(names, history):
    """Assert that the scores of the folds are those that the package takes the mean of."""
    scores = next(iter(names["scores"].values()))
    assert len(scores) == len(names["folds"]) == 15
    assert np.mean(scores) == pytest.approx(list(history["mean"])[-1], abs=1e-6)
    assert np.std(scores) == pytest.approx(list(history["deviation"])[-1], abs=1e-6)
    assert names["result"][0].test.n_train == 512
    assert names["result"].scores.values[0].tolist() == scores


def assert_refused(history, key):
    message = f"These scores are means and standard deviations.*{key}.*boosters"
    with pytest.raises(ValueError, match=message):
        compare_scores(history)
    with pytest.raises(ValueError, match=f"The scores of 'a' are means.*{key}"):
        compare_scores({"a": history, "b": history})


def test_lightgbm(run):
    lightgbm = pytest.importorskip("lightgbm")
    names = run("lightgbm_folds.py")
    data = lightgbm.Dataset(names["X"], names["y"])
    options = {"num_boost_round": 30, "folds": names["folds"]}
    history = lightgbm.cv(names["common"] | {"num_leaves": 2}, data, **options)
    mean, deviation = history["valid auc-mean"], history["valid auc-stdv"]
    assert_compared(names, {"mean": mean, "deviation": deviation})
    assert_refused(history, "valid auc-mean")


@pytest.mark.parametrize("as_pandas", [True, False])
def test_xgboost(run, as_pandas):
    xgboost = pytest.importorskip("xgboost")
    names = run("xgboost_folds.py")
    data = xgboost.DMatrix(names["X"], names["y"])
    options = {"num_boost_round": 30, "folds": names["folds"], "as_pandas": as_pandas}
    history = xgboost.cv(names["common"] | {"max_depth": 1}, data, **options)
    mean, deviation = history["test-auc-mean"], history["test-auc-std"]
    assert_compared(names, {"mean": mean, "deviation": deviation})
    assert_refused(history, "test-auc-mean")


@pytest.mark.parametrize(
    ("package", "name"), [("lightgbm", "LGBMClassifier"), ("xgboost", "XGBClassifier")]
)
def test_their_estimators_need_no_recipe(package, name):
    from sklearn.datasets import load_breast_cancer
    from sklearn.dummy import DummyClassifier

    from skcvstats import compare_estimators

    model = getattr(pytest.importorskip(package), name)(n_estimators=5, n_jobs=1)
    X, y = load_breast_cancer(return_X_y=True)
    result = compare_estimators({"boosting": model, "dummy": DummyClassifier()}, X, y)
    assert result[0].outcome == "higher"


def assert_stopped(names, plain):
    """Assert that rounds are saved, and that the error without held-out rows has the remedy."""
    X, y, models = names["X"], names["y"], names["models"]
    stopped = clone(models["stopped early"]).fit(X, y)
    rounds = getattr(stopped, "best_iteration_", None) or stopped.best_iteration
    assert 0 < rounds < 400
    assert names["result"].tests[0].method == "row_t"
    with pytest.raises(FitError, match="a subclass of eight lines"):
        compare_estimators({"plain": plain, "other": models["100 rounds"]}, X, y)


def test_early_stopping_of_lightgbm(run):
    lightgbm = pytest.importorskip("lightgbm")
    plain = lightgbm.LGBMClassifier(early_stopping_round=5, n_jobs=1, verbosity=-1)
    assert_stopped(run("lightgbm_early_stopping.py"), plain)


def test_early_stopping_of_xgboost(run):
    xgboost = pytest.importorskip("xgboost")
    plain = xgboost.XGBClassifier(early_stopping_rounds=5, n_jobs=1)
    assert_stopped(run("xgboost_early_stopping.py"), plain)
