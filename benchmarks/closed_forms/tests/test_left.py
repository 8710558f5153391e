"""Splits, fits and arguments that closed forms leave to the ordinary path."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import is_classifier
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

from benchmarks.closed_forms.tests.refits import (
    CLASSIFIERS,
    CODES,
    DESIGNS,
    SIGNAL,
    WEIGHTS,
    WIDE,
    WORDS,
    N,
    X,
    assert_like_refits,
    measure,
)
from skcvstats.model_selection import RepeatedSubsampleSplit


def test_collinear_training_rows_are_left():
    # Column 1 differs from column 0 in row 0 only.
    data = np.column_stack([X[:, 0], X[:, 0]])
    data[0, 1] += 1
    splits = list(KFold(10).split(data))
    for model in (LinearRegression(), Ridge(0.0)):
        assert assert_like_refits(model, data, SIGNAL, splits) == list(range(1, 10))
    assert len(assert_like_refits(Ridge(1.0), data, SIGNAL, splits)) == 10


def test_rows_of_great_leverage_against_refits():
    # Taking row 0 off would leave the rounding of its squares behind.
    splits = list(KFold(10).split(X))
    data = StandardScaler().fit_transform(X)
    data[0] *= 30
    for model in (LinearRegression(), LinearRegression(fit_intercept=False), Ridge(1e3)):
        assert len(assert_like_refits(model, data, SIGNAL, splits)) == 10
    data[0] *= 1e6
    assert assert_like_refits(LinearRegression(), data, SIGNAL, splits) == []


def test_training_rows_fewer_than_columns_are_left():
    splits = [*RepeatedSubsampleSplit(2, random_state=0).split(X), (np.arange(30), [40, 41])]
    assert assert_like_refits(LinearRegression(), WIDE[:, :40], SIGNAL, splits) == [0, 1]


def test_training_rows_without_a_class_are_left():
    splits = [(np.flatnonzero(CODES > 0), np.flatnonzero(CODES == 0)), (np.arange(80), [80, 81])]
    for model in CLASSIFIERS.values():
        assert assert_like_refits(model, X, CODES, splits) == [1]


class Shifted(LinearRegression):
    """Predicts something else."""

    def predict(self, X):
        return super().predict(X) + 1


class Frozen(np.ndarray):
    """An array of another type."""


SPARSE = sp.csr_array(X)
LEFT = {
    "subclass": (Shifted(), X, SIGNAL),
    "subclass of an array": (LinearRegression(), X.view(Frozen), SIGNAL),
    "positive": (LinearRegression(positive=True), X, SIGNAL),
    "tolerance": (LinearRegression().set_params(fit_intercept=1 == 1), X.tolist(), SIGNAL),
    "single precision": (Ridge(), X.astype(np.float32), SIGNAL),
    "single precision of the target": (DummyRegressor(), X, SIGNAL.astype(np.float32)),
    "sparse": (Ridge(), SPARSE, SIGNAL),
    "lists of targets": (Ridge(), X, SIGNAL.tolist()),
    "one column of targets": (Ridge(), X, SIGNAL[:, None]),
    "solver": (Ridge(solver="svd"), X, SIGNAL),
    "class weights": (RidgeClassifier(class_weight="balanced"), X, WORDS),
    "drawn": (DummyClassifier(strategy="stratified", random_state=0), X, WORDS),
    "priors": (GaussianNB(priors=[0.2, 0.3, 0.5]), X, WORDS),
    "shrinkage": (LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1), X, WORDS),
    "more classes than columns": (LinearDiscriminantAnalysis(), X[:, :1], WORDS),
    "callable weights": (KNeighborsClassifier(weights=np.exp), X, WORDS),
    "other metric": (KNeighborsClassifier(metric="canberra"), X, WORDS),
    "callable metric": (KNeighborsClassifier(metric=lambda a, b: abs(a - b).sum()), X, WORDS),
    "weights of a list": (KNeighborsClassifier(metric_params={"w": [1.0] * 5}), X, WORDS),
    "classes of two kinds of number": (GaussianNB(), X, CODES.astype(np.float32)),
    "categories": (GaussianNB(), pd.DataFrame(X).astype("Float64"), WORDS),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_has_the_bits_of_cross_validate(name):
    model, data, y = LEFT[name]
    found = measure({"one": model}, y, DESIGNS["subsample"], X=data)
    assert found.counts == {}
    scoring = "accuracy" if is_classifier(model) else "r2"
    expected = cross_validate(model, data, y, cv=DESIGNS["subsample"])["test_score"]
    np.testing.assert_array_equal(found.scores("one", scoring), expected)


# Arguments that scikit-learn refuses, or that fail on data: its errors are to be heard.
REFUSED = {
    "alpha": (Ridge(-1.0), X, SIGNAL, "alpha"),
    "alphas": (Ridge(np.ones(2)), X, SIGNAL, "alpha|targets|penalties"),
    "flag": (LinearRegression(copy_X="yes"), X, SIGNAL, "copy_X"),
    "intercept": (LinearRegression(fit_intercept="no"), X, SIGNAL, "fit_intercept"),
    "solver": (Ridge(solver="fast"), X, SIGNAL, "solver"),
    "neighbours": (KNeighborsRegressor(0), X, SIGNAL, "n_neighbors"),
    "too many neighbours": (KNeighborsRegressor(85), X, SIGNAL, "n_neighbors"),
    "power": (KNeighborsRegressor(p=-1), X, SIGNAL, "'p'|The p"),
    "weights in a k-d tree": (
        KNeighborsRegressor(algorithm="kd_tree", metric_params={"w": np.ones(5)}),
        X,
        SIGNAL,
        "kd_tree.* weight parameter",
    ),
    "metric in a ball tree": (
        KNeighborsClassifier(algorithm="ball_tree", metric="cosine"),
        X,
        WORDS,
        "'cosine' not valid",
    ),
    "smoothing": (GaussianNB(var_smoothing=-1), X, WORDS, "var_smoothing"),
    "quantile": (DummyRegressor(strategy="quantile", quantile=2), X, SIGNAL, "quantile"),
    "constant": (DummyClassifier(strategy="constant", constant="none"), X, WORDS, "constant"),
    "no constant": (DummyRegressor(strategy="constant"), X, SIGNAL, "onstant"),
    "missing numbers": (Ridge(), np.where(X > 20, np.nan, X), SIGNAL, "NaN"),
    "infinite target": (Ridge(), X, np.where(SIGNAL > 0, np.inf, SIGNAL), "infinity"),
    "continuous classes": (GaussianNB(), X, SIGNAL, "label type"),
    "one class": (RidgeClassifier(alpha="1"), X, np.zeros(N, dtype=int), "alpha"),
    "mixed names": (Ridge(), pd.DataFrame(X, columns=[0, "a", "b", "c", "d"]), SIGNAL, "names"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_errors_are_those_of_scikit_learn(name):
    model, data, y, message = REFUSED[name]
    with pytest.raises((ValueError, TypeError), match=message):
        measure({"one": model}, y, DESIGNS["subsample"], X=data)


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (DummyRegressor(strategy="constant", constant=2.5), SIGNAL),
        (DummyClassifier(strategy="constant", constant="mid"), WORDS),
        (DummyClassifier(strategy="constant", constant=1), CODES),
    ],
)
def test_constants_against_refits(model, y):
    assert len(assert_like_refits(model, X, y, DESIGNS["subsample"])) == 8


@pytest.mark.parametrize(
    "weights",
    [WEIGHTS.tolist(), WEIGHTS.astype(np.float32), np.where(WEIGHTS < 1, 0.0, WEIGHTS)],
    ids=["list", "single precision", "zeros"],
)
def test_weights_that_are_left(weights):
    params = {"sample_weight": weights}
    assert measure({"a": Ridge()}, SIGNAL, DESIGNS["subsample"], params=params).counts == {}
