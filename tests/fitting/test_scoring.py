"""What is measured: names of metrics, the default, and whether the estimators can answer."""

import functools

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import skcvstats as s
from skcvstats._utils._metrics import METRICS
from skcvstats.fitting import read_metrics
from skcvstats.fitting._metrics import default_scoring, read_metric
from skcvstats.model_selection import RepeatedSubsampleSplit

X = np.random.RandomState(0).normal(size=(60, 3))
Y = (X[:, 0] + np.random.RandomState(1).normal(size=60) > 0).astype(int)
TARGET = X[:, 0] + X[:, 1] ** 2
CV = RepeatedSubsampleSplit(12, test_size=0.25, random_state=0)

CLASSIFIERS = {"logistic": LogisticRegression(), "dummy": DummyClassifier()}
REGRESSORS = {"linear": LinearRegression(), "dummy": DummyRegressor()}


def agreement(estimator, X, y):
    return np.mean(estimator.predict(X) == y)


def two_numbers(estimator, X, y):
    return {"positives": np.mean(estimator.predict(X)), "agreement": agreement(estimator, X, y)}


@pytest.mark.parametrize(
    ("scoring", "name"),
    [
        ("roc_auc", "roc_auc"), (agreement, "agreement"), (make_scorer(accuracy_score), "score"),
        (get_scorer("accuracy"), "score"), (functools.partial(agreement), "score"),
    ],
    ids=["string", "function", "scorer", "known scorer", "partial"],
)  # fmt: skip
def test_name_of_one_metric(scoring, name):
    (metric,) = read_metrics(scoring)
    assert metric.alone
    assert metric.name == name
    result = s.compare_estimators(CLASSIFIERS, X, Y, scoring=scoring, cv=CV)
    assert result.metrics == (name,)
    assert result.scores.metric == name
    assert result.tests[0].metric == name
    assert s.cross_val_score(DummyClassifier(), X, Y, scoring=scoring, cv=CV).metric == name


def test_name_of_the_own_score():
    assert s.cross_val_score(LogisticRegression(), X, Y, cv=CV).metric == "accuracy"
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    assert s.cross_val_score(pipeline, X, Y, cv=CV).metric == "accuracy"
    assert s.cross_val_score(LinearRegression(), X, Y, cv=CV).metric == "r2"
    search = GridSearchCV(LogisticRegression(), {"C": [1]}, scoring="neg_log_loss", cv=2)
    assert s.cross_val_score(search, X, Y, cv=CV).metric == "GridSearchCV.score"


@pytest.mark.parametrize(
    ("scoring", "names"),
    [
        (["roc_auc", "accuracy"], ("roc_auc", "accuracy")),
        (("f1", "accuracy"), ("f1", "accuracy")), ({"b": "accuracy", "a": agreement}, ("b", "a")),
        (["accuracy"], ("accuracy",)), (two_numbers, ("positives", "agreement")),
    ],
    ids=["list", "tuple", "dict", "list of one", "callable"],
)  # fmt: skip
def test_names_of_several_metrics_keep_their_order(scoring, names):
    models = {"logistic": LogisticRegression(), "svc": SVC()}
    result = s.compare_estimators(models, X, Y, scoring=scoring, cv=CV)
    assert result.metrics == names


@pytest.mark.parametrize(
    ("models", "name"),
    [
        (CLASSIFIERS, "accuracy"),
        (REGRESSORS, "r2"),
        ({"pipeline": make_pipeline(StandardScaler(), LogisticRegression())}, "accuracy"),
        ({"pipeline": make_pipeline(StandardScaler(), LinearRegression())}, "r2"),
        ({"grid": GridSearchCV(LogisticRegression(), {}, scoring="roc_auc")}, "accuracy"),
    ],
    ids=["classifiers", "regressors", "pipeline", "regression pipeline", "grid"],
)
def test_default_is_that_of_the_task(models, name):
    assert default_scoring(models) == name
    target = Y if name == "accuracy" else TARGET
    model = next(iter(models.values()))
    assert s.cross_val_inference(model, X, target, cv=CV).metric == name


def test_callable_needs_no_response():
    def log_density(estimator, X, y=None):
        return estimator.score(X)

    models = {"narrow": KernelDensity(bandwidth=0.3), "wide": KernelDensity(bandwidth=1.0)}
    scores = s.compare_estimators(models, X, scoring=log_density, cv=CV).scores
    train, test = next(CV.split(X))
    expected = KernelDensity(bandwidth=0.3).fit(X[train]).score(X[test])
    assert scores["narrow"].values[0] == expected


TYPED = {facts.also: name for name, facts in METRICS.items() if facts.also}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *TYPED.items(),
        *[("f1_score", "f1"), ("R2", "r2"), ("AUC", "roc_auc"), ("f1-score", "f1")],
        ("neg_rmse", "neg_root_mean_squared_error"),
    ],
)
def test_what_people_type_for_a_metric_names_one(typed, meant):
    for scoring in (typed, [typed], {"m": typed}):
        with pytest.raises(ValueError, match=f"Did you mean '{meant}'"):
            read_metrics(scoring)


class OtherScorer:
    """A scorer as a later version may make it."""

    def __init__(self, name, **attributes):
        self.scorer = get_scorer(name)
        vars(self).update(attributes)

    def __call__(self, *args, **kwargs):
        return self.scorer(*args, **kwargs)


@pytest.mark.parametrize("attributes", [{}, {"_response_method": "automatic"}])
def test_what_an_unknown_scorer_reads(attributes):
    """Nothing is refused beforehand; what is not there fails, and unknown kinds are refused."""
    scorer = OtherScorer("neg_log_loss", **attributes)
    assert read_metric(scorer).responses is None
    assert s.compare_estimators(CLASSIFIERS, X, Y, cv=CV, scoring=scorer).tests
    with pytest.raises(s.FitError, match=r"The first fit of 'svc'.*predict_proba"):
        s.compare_estimators(CLASSIFIERS | {"svc": LinearSVC()}, X, Y, cv=CV, scoring=scorer)
    changed = make_scorer(accuracy_score)
    del vars(changed)["_response_method"]
    vars(changed).update(attributes)
    with pytest.raises(ValueError, match=r"does not state whether it takes labels"):
        s.compare_predictions(Y, {"a": Y, "b": Y[::-1]}, scoring=changed)
