"""What holds for every learner of the report's study."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from benchmarks.nadeau_bengio._splits import predict_one_by_one
from benchmarks.nadeau_bengio.learner_errors import random_splits
from benchmarks.nadeau_bengio.linear import (
    LeastSquaresClassifier,
    LeastSquaresRegression,
    SampleMean,
)
from benchmarks.nadeau_bengio.neighbors import NearestNeighbor
from benchmarks.nadeau_bengio.trees import DevianceTree, LeastSquaresTree

LEARNERS = [
    SampleMean(),
    LeastSquaresRegression(),
    LeastSquaresTree(),
    LeastSquaresClassifier(),
    DevianceTree(),
    NearestNeighbor(random_state=0),
]
BINARY = (LeastSquaresTree, LeastSquaresClassifier)
REGRESSIONS = (SampleMean, LeastSquaresRegression)


@pytest.mark.parametrize(
    ("estimator", "check"),
    [case for learner in LEARNERS for case in estimator_checks_generator(learner)],
)
def test_scikit_learn_estimator(estimator, check):
    check(estimator)


def data(learner, kind, seed=0, n_samples=120):
    """Return a data set that the learner can do, of many ties where the kind is whole numbers."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 3))
    if kind == "whole numbers":
        X = np.round(2 * X)
    y = X[:, 0] + rng.normal(size=n_samples)
    if not isinstance(learner, REGRESSIONS):
        cuts = [0] if isinstance(learner, BINARY) else [-1, 0, 1]
        y = np.array(["d", "a", "c", "b"])[np.digitize(y, cuts)]
    return X, y


@pytest.mark.parametrize("sizes", [(60, 60), (60, 12), (108, 12), (3, 5)])
@pytest.mark.parametrize("kind", ["continuous", "whole numbers"])
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_many_splits_equal_one_at_a_time(learner, kind, sizes):
    X, y = data(learner, kind)
    splits = random_splits(np.random.default_rng(1), 8, *sizes, len(y))
    fast = learner.predict_splits(X, y, *splits)
    expected = predict_one_by_one(learner, X, y, *splits)
    if isinstance(learner, REGRESSIONS):
        np.testing.assert_allclose(fast, expected, rtol=1e-9, atol=1e-9)
    else:
        np.testing.assert_array_equal(fast, expected)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_work_in_parts_gives_the_same(learner, monkeypatch):
    X, y = data(learner, "whole numbers")
    splits = random_splits(np.random.default_rng(2), 30, 60, 60, len(y))
    whole = learner.predict_splits(X, y, *splits)
    monkeypatch.setattr("benchmarks.nadeau_bengio._deviance_growth.COUNTS_AT_ONCE", 200)
    monkeypatch.setattr("benchmarks.nadeau_bengio._least_squares_growth.ROWS_AT_ONCE", 130)
    monkeypatch.setattr("benchmarks.nadeau_bengio.neighbors.ROWS_AT_ONCE", 7)
    monkeypatch.setattr("benchmarks.nadeau_bengio.linear.ENTRIES_AT_ONCE", 250)
    parts = learner.predict_splits(X, y, *splits)
    if isinstance(learner, LeastSquaresRegression):
        np.testing.assert_allclose(parts, whole, rtol=1e-12)
    else:
        np.testing.assert_array_equal(parts, whole)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_splits_that_do_not_fit(learner):
    X, y = data(learner, "continuous")
    with pytest.raises(ValueError, match=r"shape \(n_splits, n_train\).*got shapes \(2,\)"):
        learner.predict_splits(X, y, [0, 1], [2, 3])
    with pytest.raises(ValueError, match=r"got shapes \(2, 1\) and \(1, 1\)"):
        learner.predict_splits(X, y, [[0], [1]], [[2]])
    with pytest.raises(ValueError, match="outside the 120 rows"):
        learner.predict_splits(X, y, [[0, 1, 120]], [[3]])
    with pytest.raises(ValueError, match="names a row twice"):
        learner.predict_splits(X, y, [[0, 1, 1]], [[3]])
    with pytest.raises(ValueError, match="needs a training row"):
        learner.predict_splits(X, y, np.zeros((1, 0), dtype=int), [[3]])
    with pytest.raises(ValueError, match="row numbers, got arrays of bool"):
        learner.predict_splits(X, y, np.ones((1, 120), dtype=bool), [[3]])


@pytest.mark.parametrize("learner", [LeastSquaresTree(), LeastSquaresClassifier()])
def test_three_classes_are_too_many(learner):
    X, y = data(NearestNeighbor(), "continuous")
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        learner.predict_splits(X, y, [[0, 1, 2]], [[3]])


def test_least_squares_on_columns_that_depend_on_each_other():
    X, y = data(LeastSquaresRegression(), "continuous")
    X[:, 2] = X[:, 0] - 2 * X[:, 1]
    splits = random_splits(np.random.default_rng(3), 5, 60, 60, len(y))
    learner = LeastSquaresRegression()
    expected = predict_one_by_one(learner, X, y, *splits)
    np.testing.assert_allclose(learner.predict_splits(X, y, *splits), expected, rtol=1e-9)


@pytest.mark.parametrize(
    "learner",
    [
        SampleMean(strategy="median"),
        LeastSquaresRegression(fit_intercept=False),
        LeastSquaresRegression(positive=True),
    ],
)
def test_what_has_no_faster_way_is_done_one_at_a_time(learner):
    X, y = data(learner, "continuous")
    splits = random_splits(np.random.default_rng(4), 5, 60, 60, len(y))
    expected = predict_one_by_one(learner, X, y, *splits)
    np.testing.assert_array_equal(learner.predict_splits(X, y, *splits), expected)


def test_least_squares_classifier_is_above_one_half():
    X = np.array([[0.0], [1.0], [2.0]])
    model = LeastSquaresClassifier().fit(X, [0, 0, 1])  # fitted: -1/6 + x/2
    np.testing.assert_array_equal(model.predict([[1.3], [1.4]]), [0, 1])
