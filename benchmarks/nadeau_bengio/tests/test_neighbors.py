"""The nearest neighbour against the report's distance in rational numbers."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.nadeau_bengio.neighbors import NearestNeighbor, letter_weights

# The report's classes of components, counted from 1, whose weights are w, 1 and 1/w.
COMPONENTS = [(1, 3, 9, 16), (2, 4, 6, 7, 8, 10, 12, 14, 15), (5, 11, 13)]


def distances(rows, known, w):
    """Return w D1 + D2 + D3/w, times the numerator and the denominator of w: whole numbers."""
    p, q = Fraction(w).as_integer_ratio()
    squares = (rows[:, None] - known).astype(int) ** 2
    parts = [squares[..., np.array(of) - 1].sum(axis=-1) for of in COMPONENTS]
    return p**2 * parts[0] + p * q * parts[1] + q**2 * parts[2]


@pytest.mark.parametrize("w", [1, 5, 10, 17.25, 25, 2048])
def test_one_of_the_nearest(w):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(60, 16)).astype(float)
    others = rng.integers(0, 2, size=(40, 16)).astype(float)
    y = np.arange(60) // 3
    nearest = distances(others, X, w)
    nearest = nearest == nearest.min(axis=1, keepdims=True)
    assert (nearest.sum(axis=1) > 1).any()
    for seed in range(5):
        model = NearestNeighbor(letter_weights(w), random_state=seed).fit(X, y)
        for row, predicted in zip(nearest, model.predict(others), strict=True):
            assert row[predicted * 3 : predicted * 3 + 3].any()


@pytest.mark.parametrize("w", [1, 5, 10, 17.25, 25, 2048])
def test_ties_are_ties_in_floats(w):
    # The whole numbers D1, D2 and D3 of w D1 + D2 + D3/w, times w.
    weights = letter_weights(w)
    for first, second in [((1, 0, 0), (0, w, 0)), ((0, 1, 0), (0, 0, w)), ((4, 9, 1), (4, 9, 1))]:
        sums = [np.dot(parts, weights[[0, 1, 4]]) for parts in (first, second)]
        assert sums[0] == sums[1]


def test_ties_are_broken_evenly_and_always_alike():
    X, y = np.array([[-1.0, 3.0], [1.0, 5.0], [0.0, 9.0]]), np.array(["a", "b", "c"])
    models = [NearestNeighbor(random_state=seed).fit(X, y) for seed in range(400)]
    first = sum(model.predict([[0.0, 4.0]])[0] == "a" for model in models)
    low, high = binom.interval(0.999, 400, 0.5)
    assert low <= first <= high
    for seed, model in enumerate(models[:20]):
        reversed_ = NearestNeighbor(random_state=seed).fit(X[::-1], y[::-1])
        assert reversed_.predict([[0.0, 4.0]]) == model.predict([[0.0, 4.0]])


def test_equal_rows_of_two_classes_are_ties_too():
    X = np.zeros((2, 2))
    models = [NearestNeighbor(random_state=seed) for seed in range(400)]
    first = sum(model.fit(X, ["a", "b"]).predict([[0.0, 0.0]])[0] == "a" for model in models)
    low, high = binom.interval(0.999, 400, 0.5)
    assert low <= first <= high


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, np.nan], "heavy"])
def test_weights_that_are_none(weights):
    with pytest.raises(ValueError, match=r"feature_weights|could not convert"):
        NearestNeighbor(weights).fit([[0, 1], [1, 0]], [0, 1])
