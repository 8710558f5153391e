"""Learners that predict for all splits at once give what scikit-learn gives, row by row."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.atlas import designs, learners, populations, trees

POPULATIONS = [("gauss", 100), ("sparse", 300), ("mixture", 40), ("plane", 100), ("steps", 300)]
TREES = ("tree", "tree, depth 3")


def batch_of(name, n, seed=0, X=None):
    rng, population = np.random.default_rng(seed), populations.ALL[name]
    drawn, y = population.draw(rng, n + designs.N_FRESH)
    splits = designs.draw(rng, "quick", np.arange(n))
    split, row = splits.pairs()
    X = drawn if X is None else X(drawn)
    return learners.Batch(X, y[:n], population.is_classes, np.array(splits.train), split, row, rng)


def refitted(batch, estimator, k):
    n, train = len(batch.y), batch.train[k]
    model = clone(estimator).fit(batch.X[:n][train], batch.y[train])
    rows = batch.X[batch.row[batch.pairs_of_splits[k]]]
    return model.predict_proba(rows)[:, 1] if batch.is_classes else model.predict(rows)


def quick_learners(is_classes):
    by_seeds = {*TREES, "forest", "boosting"}
    return [
        name
        for name, pair in learners.ESTIMATORS.items()
        if name in learners._QUICK and pair[not is_classes] is not None and name not in by_seeds
    ]


def divides_by_rows():
    """Whether this scikit-learn divides the scatter by n, as since 1.9, or by n - K as before."""
    model = LinearDiscriminantAnalysis().fit([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1])
    return abs(model.coef_[0, 0] - 16.0) < 1.0


@pytest.mark.parametrize(("name", "n"), POPULATIONS)
def test_every_prediction_is_that_of_a_refit(name, n):
    batch = batch_of(name, n)
    for learner in quick_learners(batch.is_classes):
        if learner == "LDA" and not divides_by_rows():
            continue  # scikit-learn's earlier version has another covariance
        estimator = clone(learners.ESTIMATORS[learner][not batch.is_classes])
        exact = {
            "lasso": {"tol": 1e-12, "max_iter": 100_000},
            "lasso, stronger": {"tol": 1e-12, "max_iter": 100_000},
            "logistic": {"tol": 1e-10, "max_iter": 10_000},
        }
        estimator.set_params(**exact.get(learner, {}))
        found = batch.predict([learner])[learner]
        for k in range(0, len(batch.train), 6):
            at = batch.pairs_of_splits[k]
            np.testing.assert_allclose(found[at], refitted(batch, estimator, k), atol=1e-6)


@pytest.mark.parametrize("name", ["plane", "gauss"])
def test_trees_of_one_column_are_scikit_learns(name):
    """With one column of different values no two splits are equally good, but by symmetry."""
    batch = batch_of(name, 100, X=lambda X: X[:, :1])
    found = batch.predict(TREES)
    tree = DecisionTreeClassifier if batch.is_classes else DecisionTreeRegressor
    apart = [
        (found[learner][batch.pairs_of_splits[k]] - refitted(batch, tree(max_depth=depth), k)) != 0
        for learner, depth in zip(TREES, (None, 3), strict=True)
        for k in range(0, len(batch.train), 6)
    ]
    assert np.concatenate(apart).mean() < (0.03 if batch.is_classes else 1e-9)


def test_a_tree_cut_at_depth_three_is_a_tree_of_depth_three():
    batch = batch_of("friedman", 1000)
    found = batch.predict(["tree, depth 3"])["tree, depth 3"]
    for k in range(0, 111, 20):
        at = batch.pairs_of_splits[k]
        expected = refitted(batch, DecisionTreeRegressor(max_depth=3, random_state=0), k)
        np.testing.assert_allclose(found[at], expected, rtol=1e-9)


@pytest.mark.parametrize("name", ["plane", "gauss"])
def test_forests_are_scikit_learns(name):
    batch = batch_of(name, 100)
    train, rows = batch.train[0], batch.X[100:150].astype(np.float32)
    X, y = batch.X[:100][train].astype(np.float32), batch.y[train].astype(float)[:, None]
    forest = clone(learners.ESTIMATORS["forest"][not batch.is_classes])
    forest.set_params(random_state=7).fit(X, y.ravel())
    expected = forest.predict_proba(rows)[:, 1] if batch.is_classes else forest.predict(rows)
    n_features = 2 if batch.is_classes else 5  # of five, a root for classes
    found = trees.forest(7, 30, n_features, X, y, rows)
    # Of classes some splits are equally good, and the rounding of two criteria chooses.
    apart = np.abs(found - expected)
    assert apart.mean() < 0.02 if batch.is_classes else apart.max() < 1e-12


@pytest.mark.parametrize("weights", [None, "bootstrap"])
@pytest.mark.parametrize(("max_features", "max_depth"), [(5, trees.FULL), (2, 3)])
def test_trees_are_scikit_learns_bit_for_bit(weights, max_features, max_depth):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 5)).astype(np.float32), rng.normal(size=(90, 1))
    if weights:
        weights = rng.multinomial(90, np.full(90, 1 / 90)).astype(float)
    model = DecisionTreeRegressor(max_features=max_features, random_state=3)
    model.set_params(max_depth=None if max_depth == trees.FULL else max_depth)
    model.fit(X, y, sample_weight=weights)
    random = np.random.RandomState(3)
    found = trees.grow(X, y, random, max_features, max_depth, weights)
    for name in ("feature", "threshold", "value", "children_left", "children_right"):
        np.testing.assert_array_equal(getattr(found, name), getattr(model.tree_, name))


@pytest.mark.parametrize(("name", "n"), [("plane", 100), ("gauss", 100), ("rings", 300)])
def test_boosting_is_scikit_learns(name, n):
    """Of classes some splits are equally good, and after a few stages rounding chooses."""
    batch = batch_of(name, n)
    X, y, train = batch.X.astype(np.float32), batch.y.astype(float), batch.train[0]
    for n_stages in (5, 30):
        model = clone(learners.ESTIMATORS["boosting"][not batch.is_classes])
        model.set_params(random_state=7, n_estimators=n_stages).fit(X[:n][train], batch.y[train])
        expected = model.predict_proba(X)[:, 1] if batch.is_classes else model.predict(X)
        found = trees.boosted(7, n_stages, batch.is_classes, X[:n][train], y[train], X)
        apart = np.abs(found - expected)
        assert apart.mean() < 0.005 if batch.is_classes and n_stages > 5 else apart.max() < 1e-12


def test_trees_of_depth_three_alone_are_not_grown_further():
    """On columns of many values they are nearly always the same as full trees that are cut."""
    batch = batch_of("friedman", 300)
    state = batch.rng.bit_generator.state
    both = batch.predict(["tree", "tree, depth 3"])
    batch.rng.bit_generator.state = state
    alone = batch.predict(["tree, depth 3"])
    apart = np.abs(alone["tree, depth 3"] - both["tree, depth 3"])
    assert (apart > 1e-12).mean() < 0.005


def test_training_sets_of_one_class_predict_it():
    batch = batch_of("gauss", 40)
    batch.train[3], batch.train[4] = batch.y == 1, batch.y == 0
    names = ["logistic", "LDA", "naive Bayes", "10-NN", "tree", "SVM", "boosting"]
    for name, values in batch.predict(names).items():
        assert (values[batch.pairs_of_splits[3]] == 1).all(), name
        assert (values[batch.pairs_of_splits[4]] == 0).all(), name


def test_copies_are_exchangeable_and_again_has_other_seeds():
    batch = batch_of("gauss", 100)
    found = batch.predict(["10-NN", "10-NN~1", "10-NN~2", "forest", "forest~again"])
    assert (found["10-NN~1"] != found["10-NN~2"]).mean() > 0.3
    assert 0 < np.abs(found["forest"] - found["forest~again"]).mean() < 0.1


def test_every_learner_of_the_atlas_has_a_kind():
    named = [name for names in learners.KINDS.values() for name in names]
    assert sorted(named) == sorted(learners.ESTIMATORS)
