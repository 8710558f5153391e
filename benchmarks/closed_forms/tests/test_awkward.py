"""Closed forms against refits in difficult cases: columns, batches, ties, rounding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from benchmarks.closed_forms import (
    _batch,
    _discriminants,
    _linear,
    _naive_bayes,
    _neighbors,
    _normal_equations,
)
from benchmarks.closed_forms.tests.refits import (
    DESIGNS,
    OUTPUTS,
    RNG,
    SIGNAL,
    WEIGHTS,
    WORDS,
    N,
    X,
    assert_like_refits,
    splits_to_answer,
)
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit

# Models that divide their work into parts if there is much of it.
MANY_PARTS = [
    (LinearRegression(), SIGNAL),
    (Ridge(), SIGNAL),
    (Ridge(np.array([0.1, 1.0, 10.0])), OUTPUTS),
    (RidgeClassifier(), WORDS),
    (GaussianNB(), WORDS),
    (LinearDiscriminantAnalysis(), WORDS),
    (KNeighborsRegressor(2), OUTPUTS),
    (KNeighborsClassifier(3), WORDS),
]
# How columns can be awkward: each takes normal ones and a RandomState.
AWKWARD = {
    "plain": lambda X, rng: X,
    "scales": lambda X, rng: X * 10.0 ** rng.uniform(-4, 4, size=X.shape[1]),
    "large means": lambda X, rng: X + 10.0 ** rng.uniform(0, 8, size=X.shape[1]),
    "collinear": lambda X, rng: np.column_stack([X, X @ rng.normal(size=X.shape[1])]),
    "nearly collinear": lambda X, rng: np.column_stack(
        [X, X[:, 0] + 10.0 ** rng.uniform(-9, -1) * rng.normal(size=len(X))]
    ),
    "constant": lambda X, rng: np.column_stack([X, np.full(len(X), 7.3)]),
    "zero": lambda X, rng: np.column_stack([X, np.zeros(len(X))]),
    "integers": lambda X, rng: np.rint(2 * X).astype(int),
    "repeated rows": lambda X, rng: X[rng.randint(len(X), size=len(X))],
    "heavy tails": lambda X, rng: X * np.exp(3 * rng.normal(size=(len(X), 1))),
    "rare": lambda X, rng: X * (rng.uniform(size=X.shape) < 0.15),
}


@st.composite
def problems(draw):
    rng = np.random.RandomState(draw(st.integers(0, 10_000)))
    n, d = draw(st.integers(12, 70)), draw(st.sampled_from([1, 2, 3, 6, 12, 25, 60]))
    X = AWKWARD[draw(st.sampled_from(sorted(AWKWARD)))](rng.normal(size=(n, d)), rng)
    scaled = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-12)
    y = scaled @ rng.normal(size=X.shape[1]) + rng.normal(size=n) + draw(st.sampled_from([0, 30]))
    labels = np.digitize(y, np.quantile(y, [0.5, 0.75][: draw(st.integers(1, 2))]))
    cv = draw(
        st.sampled_from(
            [
                RepeatedSubsampleSplit(3, random_state=1),
                RepeatedSubsampleSplit(3, test_size=1, random_state=2),
                RepeatedSubsampleSplit(3, test_size=0.2, train_size=0.5, random_state=3),
                HalfSplitPairs(1, 2, random_state=4),
                KFold(4),
            ]
        )
    )
    weights = rng.uniform(0.1, 3, size=n) if draw(st.booleans()) else None
    return X, y, labels, cv, {} if weights is None else {"sample_weight": weights}


@given(problems(), st.booleans(), st.floats(-4, 3))
@settings(max_examples=50, deadline=None)
def test_linear_models_against_refits(problem, intercept, log_alpha):
    X, y, labels, cv, params = problem
    alpha = 10.0**log_alpha
    both = np.column_stack([y, y**2])
    assert_like_refits(LinearRegression(fit_intercept=intercept), X, both, cv, params)
    assert_like_refits(Ridge(alpha, fit_intercept=intercept), X, y, cv, params)
    assert_like_refits(Ridge(np.array([alpha, 1.0])), X, both, cv, params)
    assert_like_refits(RidgeClassifier(alpha, fit_intercept=intercept), X, labels, cv, params)


@given(problems(), st.sampled_from([1e-9, 1e-3, 0.0]))
@settings(max_examples=50, deadline=None)
def test_gaussian_models_against_refits(problem, smoothing):
    X, _, labels, cv, _ = problem
    assert_like_refits(GaussianNB(var_smoothing=smoothing), X, labels, cv)
    assert_like_refits(LinearDiscriminantAnalysis(), X, labels, cv)


@given(
    problems(),
    st.integers(1, 8),
    st.sampled_from(["uniform", "distance"]),
    st.sampled_from([1, 1.5, 2, 3]),
    st.booleans(),
)
@settings(max_examples=50, deadline=None)
def test_neighbours_against_refits(problem, k, weights, p, weighted):
    X, y, labels, cv, _ = problem
    options = {"weights": weights, "p": p}
    if weighted:
        options["metric_params"] = {"w": np.linspace(0.5, 2, X.shape[1])}
    assert_like_refits(KNeighborsClassifier(k, **options), X, labels, cv)
    assert_like_refits(KNeighborsRegressor(k, **options), X, y, cv)


def test_few_products_or_many_against_refits(monkeypatch):
    for most in (0, 2**30):
        monkeypatch.setattr(_normal_equations, "_MOST_PRODUCTS", most)
        for design in DESIGNS:
            for model in (LinearRegression(), Ridge(0.5, fit_intercept=False)):
                answered = assert_like_refits(model, X, SIGNAL, DESIGNS[design])
                assert answered == splits_to_answer(model, design)


def test_masks_and_numbers_of_splits_are_not_mixed_up():
    # The mask of 16 rows in two bytes could read like the number of a split.
    rng = np.random.RandomState(0)
    data, y = rng.normal(size=(16, 1)), rng.normal(size=16)
    splits = [(np.sort(rng.permutation(16)[:8]), [0]) for _ in range(60)]
    splits = [(np.setdiff1d(train, test), np.array(test)) for train, test in splits]
    assert len(assert_like_refits(LinearRegression(), data, y, splits)) == 60


def test_small_batches_and_stacks_against_refits(monkeypatch):
    monkeypatch.setattr(_batch, "_MOST_ROWS", 3 * N)
    monkeypatch.setattr(_linear, "MOST_STACKED", 100)
    monkeypatch.setattr(_neighbors, "_MOST_NUMBERS", 100)
    monkeypatch.setattr(_normal_equations, "MOST_STACKED", 100)
    for module in (_normal_equations, _discriminants):
        monkeypatch.setattr(module, "_MOST_POOLED", 1)
    for module in (_naive_bayes, _discriminants):
        monkeypatch.setattr(module, "_MOST_NUMBERS", 100)
    for model, y in MANY_PARTS:
        assert assert_like_refits(model, X, y, DESIGNS["half pairs"]) == list(range(8))


@pytest.mark.parametrize("most", [1, 30, 100])
@pytest.mark.parametrize("test_size", [0.1, 0.5])
def test_rows_in_blocks_against_refits(monkeypatch, most, test_size):
    monkeypatch.setattr(_batch, "_MOST_COPIED", most)
    cv = RepeatedSubsampleSplit(6, test_size=test_size, random_state=0)
    for model, y in MANY_PARTS:
        params = {"sample_weight": WEIGHTS} if isinstance(model, LinearRegression) else {}
        assert assert_like_refits(model, X, y, cv, params) == list(range(6))


def test_neighbours_beyond_the_list_are_searched_for(monkeypatch):
    # The test rows' nearest rows are all tested on as well, so that no list holds a training row.
    near, far = RNG.normal(size=(300, 3)), 100 + RNG.normal(size=(300, 3))
    data = np.concatenate([near, far])
    splits = [(np.arange(300, 600), np.arange(250)), (np.arange(260, 600), np.arange(40))]
    searched = []
    search = _neighbors.Neighbors._search
    monkeypatch.setattr(
        _neighbors.Neighbors, "_search", lambda *args: searched.append(1) or search(*args)
    )
    y = np.arange(600.0)
    assert assert_like_refits(KNeighborsRegressor(3), data, y, splits) == [0, 1]
    assert len(searched) >= 250


def test_neighbours_that_refits_find_sooner_are_left():
    data = RNG.normal(size=(3000, 2))
    splits = [(np.arange(100), np.arange(100, 3000))]
    assert assert_like_refits(KNeighborsRegressor(3), data, data[:, 0], splits) == []


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_ties_across_the_last_neighbour_are_left(weights):
    # Row 0 is as far from 1 as from 2; a split that trains on both, and tests on it, is open.
    data = np.array([[0.0], [1.0], [-1.0], [5.0], [7.0], [9.5]])
    splits = [
        (np.array([1, 2, 3, 4]), np.array([0])),
        (np.array([1, 3, 4]), np.array([0, 5])),
        (np.array([0, 1, 2, 3]), np.array([4])),
    ]
    model = KNeighborsRegressor(1, weights=weights)
    assert assert_like_refits(model, data, np.arange(6.0), splits) == [1, 2]


@pytest.mark.parametrize("model", [RidgeClassifier(), LinearDiscriminantAnalysis(), GaussianNB()])
def test_rows_between_two_classes_are_left(model):
    # The classes are mirror images, so that rounding decides about the row in their middle.
    half = np.random.RandomState(0).normal(size=(30, 2))
    first = half[:, 0] > 0
    data = np.concatenate([half, -half, [[0.0, 0.0]]])
    y = np.concatenate([first, ~first, [True]])
    pairs = np.r_[0:5, 30:35]
    splits = [
        (np.setdiff1d(np.arange(60), pairs), pairs),
        (np.arange(60), np.array([60])),
    ]
    assert assert_like_refits(model, data, y, splits) == [0]


def test_distances_that_rounding_hides_are_left():
    # Around 1e6 squared distances are known to about 1e-3 only.
    data = 1e6 + RNG.normal(size=(60, 2)) * 1e-3
    cv = ShuffleSplit(5, random_state=0)
    assert assert_like_refits(KNeighborsRegressor(3), data, data[:, 0], cv) == []
    assert len(assert_like_refits(KNeighborsRegressor(3, p=1), data, data[:, 0], cv)) > 0
