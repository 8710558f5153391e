"""The trees against an exact one in rational numbers, and against scikit-learn's."""

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.nadeau_bengio._deviance_growth import n_log_n
from benchmarks.nadeau_bengio.trees import DevianceTree, LeastSquaresTree


def least_squares_deviance(labels):
    ones = sum(labels)
    return ones * (len(labels) - ones) / len(labels)


def least_squares_merit(left, right):
    return sum(Fraction(sum(side)) ** 2 / len(side) for side in (left, right))


def multinomial_deviance(labels):
    counts = Counter(labels).values()
    return len(labels) * math.log(len(labels)) - sum(n * math.log(n) for n in counts)


def multinomial_merit(left, right):
    """Return the likelihood: equal if and only if the deviances are, and a rational number."""
    merit = Fraction(1)
    for side in (left, right):
        for n in Counter(side).values():
            merit *= n**n
        merit /= len(side) ** len(side)
    return merit


class ExactTree:
    """Grown by trying every cut, as the report's software would in exact arithmetic."""

    def __init__(self, X, labels, deviance, merit, limit=None):
        self.limit = 0.01 * deviance(labels) if limit is None else limit
        self.labels, self.split, self.has_tie = labels, None, False
        if len(labels) < 10 or deviance(labels) <= 1e-9 or deviance(labels) < self.limit:
            return
        best = None
        for column in range(X.shape[1]):
            values = sorted(set(X[:, column]))
            for below, above in pairwise(values):
                cut = (below + above) / 2
                goes_left = X[:, column] < cut
                left = [y for y, goes in zip(labels, goes_left, strict=True) if goes]
                right = [y for y, goes in zip(labels, goes_left, strict=True) if not goes]
                if min(len(left), len(right)) < 5:
                    continue
                found = merit(left, right)
                if best is None or found > best:
                    best, self.has_tie = found, False
                    self.split = column, cut, goes_left, left, right
                elif found == best:
                    self.has_tie = True
        if self.split is not None:
            *self.rule, goes_left, left, right = self.split
            self.left = ExactTree(X[goes_left], left, deviance, merit, self.limit)
            self.right = ExactTree(X[~goes_left], right, deviance, merit, self.limit)
            self.has_tie |= self.left.has_tie | self.right.has_tie

    def leaf(self, row):
        if self.split is None:
            return self.labels
        column, cut = self.rule
        return (self.left if row[column] < cut else self.right).leaf(row)

    def predict(self, X, value):
        return np.array([value(self.leaf(row)) for row in X])


def first_of_the_most_frequent(labels):
    counts = Counter(labels)
    return min(label for label in counts if counts[label] == max(counts.values()))


def case(kind, seed, n_rows=100):
    """Return X and y, and further X."""
    rng = np.random.default_rng(seed)
    n_classes = 2 if kind.startswith("two") else 7
    y = rng.integers(n_classes, size=n_rows)
    X = y[:, None] * [1.0, 0.5, 0.0] + rng.normal(size=(n_rows, 3))
    others = rng.normal(0.5, 2, size=(300, 3))
    if kind.endswith("whole numbers"):
        X, others = np.round(X * 2), np.round(others * 2)
    return X, y, others


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["two continuous", "two whole numbers"])
def test_least_squares_against_exact(kind, seed):
    X, y, others = case(kind, seed)
    exact = ExactTree(X, y.tolist(), least_squares_deviance, least_squares_merit)
    expected = exact.predict(others, lambda labels: int(2 * sum(labels) > len(labels)))
    np.testing.assert_array_equal(LeastSquaresTree().fit(X, y).predict(others), expected)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["continuous", "whole numbers", "two whole numbers"])
def test_deviance_against_exact(kind, seed):
    X, y, others = case(kind, seed)
    exact = ExactTree(X, y.tolist(), multinomial_deviance, multinomial_merit)
    expected = exact.predict(others, first_of_the_most_frequent)
    np.testing.assert_array_equal(DevianceTree().fit(X, y).predict(others), expected)


def collapsed(model, X):
    """Return the node of each row, where nodes below .01 of the root's deviance are leaves."""
    tree = model.tree_
    deviance = tree.impurity * tree.n_node_samples
    stop = (deviance < 0.01 * deviance[0]) | (tree.children_left == -1)
    nodes = np.zeros(len(X), dtype=int)
    while (going := np.flatnonzero(~stop[nodes])).size:
        at = nodes[going]
        goes_left = X[going, tree.feature[at]] <= tree.threshold[at]
        nodes[going] = np.where(goes_left, tree.children_left[at], tree.children_right[at])
    return nodes


RULES = {"min_samples_leaf": 5, "min_samples_split": 10, "random_state": 0}


@pytest.mark.parametrize(
    ("tree", "model", "deviance", "merit"),
    [
        (
            *(LeastSquaresTree(), DecisionTreeRegressor(**RULES)),
            *(least_squares_deviance, least_squares_merit),
        ),
        (
            *(DevianceTree(), DecisionTreeClassifier(criterion="entropy", **RULES)),
            *(multinomial_deviance, multinomial_merit),
        ),
    ],
)
def test_against_scikit_learn(tree, model, deviance, merit):
    compared = 0
    for seed in range(40):
        X, y, others = case("two continuous", seed, n_rows=40)
        if ExactTree(X, y.tolist(), deviance, merit).has_tie:
            continue
        compared += 1
        shares = model.fit(X, y).tree_.value[collapsed(model, others), 0]
        expected = shares.argmax(axis=1) if shares.shape[1] > 1 else shares[:, 0] > 0.5
        np.testing.assert_array_equal(tree.fit(X, y).predict(others), expected)
    assert compared >= 5


TREES = pytest.mark.parametrize("tree", [LeastSquaresTree(), DevianceTree()])


@TREES
def test_value_at_the_cut_goes_right(tree):
    X = np.repeat([[0.0], [2.0]], 5, axis=0)
    model = tree.fit(X, X[:, 0])
    np.testing.assert_array_equal(model.predict([[0.9], [1.0], [2.0]]), [0, 2, 2])


@TREES
def test_cut_is_between_the_values_of_the_node(tree):
    X = np.array([[0.0, 0.0]] * 5 + [[4.0, 0.0]] * 5 + [[1.0, 9.0]] * 10 + [[1.0, 7.0]] * 2)
    y = np.array([0] * 5 + [1] * 5 + [1] * 12)
    model = tree.fit(X, y)
    # The first cut, of column 0, is between 0 and 1 in both trees; the 4s are on its other side.
    np.testing.assert_array_equal(model.predict([[0.4, 0.0], [0.5, 0.0]]), [0, 1])


@TREES
def test_equal_columns_the_first_is_cut(tree):
    x = np.repeat([0.0, 1.0], 5)
    model = tree.fit(np.column_stack([x, x]), x)
    np.testing.assert_array_equal(model.predict([[0, 1], [1, 0]]), [0, 1])


@TREES
def test_equal_cuts_the_lowest_is_taken(tree):
    X = np.repeat([[0.0], [1.0], [2.0]], 5, axis=0)
    y = np.array([0] * 5 + [1, 1, 0, 0, 0] + [0] * 5)  # both cuts leave the 1s with 5 rows more
    forest = tree.fit(X, y).forest_
    assert forest.cut[0] == 0.5


@pytest.mark.parametrize(
    ("n_rows", "n_nodes"), [(9, 1), (10, 3)], ids=["below minsize", "at minsize"]
)
@TREES
def test_fewest_rows_of_a_split(tree, n_rows, n_nodes):
    X = np.arange(float(n_rows))[:, None]
    assert len(tree.fit(X, X[:, 0] >= n_rows // 2).forest_.left) == n_nodes


@TREES
def test_a_side_has_five_rows(tree):
    X = np.arange(20.0)[:, None]
    assert tree.fit(X, X[:, 0] >= 3).forest_.cut[0] == 4.5


@TREES
def test_small_deviance_is_a_leaf(tree):
    # The root's right half has 1 of 500 rows wrong, a deviance of .998 or 7.2 for 250 or 693.
    X = np.arange(1000.0)[:, None]
    y = X[:, 0] >= 500
    y[700] = False
    assert len(tree.fit(X, y).forest_.left) == (3 if isinstance(tree, LeastSquaresTree) else 5)
    tree = type(tree)(min_deviance=0.02)
    assert len(tree.fit(X, y).forest_.left) == 3


def test_an_even_leaf():
    X, y = np.zeros((10, 1)), np.repeat([1, 0], 5)
    assert LeastSquaresTree().fit(X, y).predict([[0]]) == 0  # not above 1/2
    assert DevianceTree().fit(X, y).predict([[0]]) == 0  # the first


@pytest.mark.parametrize(
    ("name", "value"),
    [("min_samples_leaf", 0), ("min_samples_split", 1.5), ("min_deviance", -0.1)],
)
@TREES
def test_rules_that_are_none(tree, name, value):
    with pytest.raises(ValueError, match=f"{name}={value}"):
        type(tree)(**{name: value}).fit([[0.0], [1.0]], [0, 1])


def test_neighbouring_floats_are_told_apart():
    x = np.repeat([1.0, np.nextafter(1.0, 2)], 5)[:, None]
    y = np.repeat([0, 1], 5)
    for tree in (LeastSquaresTree(), DevianceTree()):
        np.testing.assert_array_equal(tree.fit(x, y).predict(x), y)


def test_n_log_n_is_that_and_exact():
    table = n_log_n(300)
    n = np.arange(1, 301)
    np.testing.assert_allclose(table[1:], n * np.log(n), rtol=1e-12, atol=1e-9)
    assert table[0] == 0
    # 8^8 = (4^4)^2 (2^2)^4 and 12^12 = (4^4)^3 (3^3)^4, so these sums are equal.
    assert table[8] == 2 * table[4] + 4 * table[2]
    assert table[12] == 3 * table[4] + 4 * table[3]


def test_classes_of_more_rows_than_a_byte_counts():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, size=(900, 2)).astype(float)
    y = (X[:, 0] + rng.normal(size=900) > 2.5).astype(int)
    exact = ExactTree(X, y.tolist(), multinomial_deviance, multinomial_merit)
    expected = exact.predict(X, first_of_the_most_frequent)
    np.testing.assert_array_equal(DevianceTree().fit(X, y).predict(X), expected)
