"""Closed forms against plain loops of refits, and what is left to the ordinary path."""

import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import FitFailedWarning, UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcvstats import CVScores, compare_estimators, cross_val_inference, cross_val_score
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit, _splits
from skcvstats.model_selection._fast import _batch, _linear, _metrics, _neighbors
from skcvstats.model_selection._fast._data import Data
from skcvstats.model_selection._fast._registry import CLOSED_FORMS, closed_form
from skcvstats.model_selection._measure import measure
from skcvstats.model_selection._options import FitOptions
from skcvstats.model_selection._scoring import PerRowLoss, resolve_scoring

RNG = np.random.RandomState(0)
N = 90
X = RNG.normal(size=(N, 5)) * [1, 5, 20, 0.1, 1] + [0, 10, 0, 0, -3]
SIGNAL = X[:, 0] + X[:, 1] / 5 + RNG.normal(size=N)
OUTPUTS = np.column_stack([SIGNAL, X[:, 2] + RNG.normal(size=N), RNG.normal(size=N)])
CODES = np.digitize(SIGNAL, np.quantile(SIGNAL, [0.4, 0.7]))
WORDS = np.array(["low", "mid", "top"])[CODES]
BINARY = CODES > 0
WEIGHTS = RNG.uniform(0.1, 3, size=N)
WIDE = RNG.normal(size=(N, 150))

DESIGNS = {
    "subsample": RepeatedSubsampleSplit(12, random_state=0),
    "one test row": RepeatedSubsampleSplit(12, test_size=1, random_state=0),
    "rows left out": RepeatedSubsampleSplit(12, test_size=0.1, train_size=0.5, random_state=0),
    "fixed pool": RepeatedSubsampleSplit(
        12, test_size=0.1, train_size=0.6, pool="fixed", random_state=0
    ),
    "half pairs": HalfSplitPairs(2, 4, test_size=0.1, random_state=0),
    "folds of two sizes": KFold(12, shuffle=True, random_state=0),
    "growing": TimeSeriesSplit(12, max_train_size=60, test_size=4),
    "rows that repeat": [
        (np.tile(train[:40], 2), test) for train, test in KFold(12, shuffle=True).split(X)
    ],
}
REGRESSORS = {
    "mean": DummyRegressor(),
    "median": DummyRegressor(strategy="median"),
    "quantile": DummyRegressor(strategy="quantile", quantile=0.2),
    "least squares": LinearRegression(),
    "least squares, no intercept": LinearRegression(fit_intercept=False, copy_X=False),
    "ridge": Ridge(),
    "ridge, no intercept": Ridge(0.1, fit_intercept=False, random_state=0),
    "ridge, no penalty": Ridge(0.0, solver="cholesky"),
    "neighbours": KNeighborsRegressor(),
    "neighbours by distance": KNeighborsRegressor(3, weights="distance", algorithm="brute"),
}
CLASSIFIERS = {
    "prior": DummyClassifier(),
    "most frequent": DummyClassifier(strategy="most_frequent", random_state=3),
    "ridge": RidgeClassifier(),
    "naive Bayes": GaussianNB(),
    "naive Bayes, smoothed": GaussianNB(var_smoothing=0.01),
    "discriminants": LinearDiscriminantAnalysis(),
    "nearest": KNeighborsClassifier(1),
    "neighbours": KNeighborsClassifier(n_jobs=2),
    "neighbours, brute": KNeighborsClassifier(4, algorithm="brute"),
    "neighbours, ball tree": KNeighborsClassifier(4, algorithm="ball_tree", leaf_size=5),
    "neighbours by distance": KNeighborsClassifier(6, weights="distance"),
    "manhattan": KNeighborsClassifier(3, metric="manhattan"),
    "chebyshev": KNeighborsClassifier(3, metric="chebyshev"),
    "weighted euclidean": KNeighborsClassifier(3, metric_params={"w": np.arange(1.0, 6)}),
    "weighted minkowski": KNeighborsClassifier(3, p=2.5, metric_params={"w": np.arange(1.0, 6)}),
    "minkowski": KNeighborsClassifier(3, p=3, weights="distance"),
}


def refit(model, X, y, train, params):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(model).fit(X[train], y[train], **{k: v[train] for k, v in params.items()})


def make_batches(cv, X, y):
    splits = cv if isinstance(cv, list) else list(cv.split(X, y))
    held = [_splits.Split(np.asarray(train), np.asarray(test), "") for train, test in splits]
    return _batch.batches(held, len(held), len(X))


def assert_like_refits(model, X, y, cv, params=None):
    """Check all answers of a closed form; return on which splits there were any."""
    params = params or {}
    fast = closed_form(model, Data(X, y), params)
    if fast is None:
        return []
    answered = []
    for batch in make_batches(cv, X, y):
        with np.errstate(all="ignore"):
            answers = fast.answer(batch)
        for i in np.flatnonzero(answers.found):
            part = slice(*batch.offsets[i : i + 2])
            train, test, _ = batch.splits[i]
            fitted = refit(model, X, y, train, params)
            assert_like_fitted(fitted, X[test], answers, fast.classes, part)
            answered.append(batch.numbers[i])
    return answered


def assert_like_fitted(fitted, X, answers, classes, part):
    if classes is None:
        assert_close(answers.predict[part], fitted.predict(X))
        if isinstance(fitted, KNeighborsRegressor) and fitted.weights == "uniform":
            np.testing.assert_array_equal(answers.predict[part], fitted.predict(X))
        return
    # Some of scikit-learn's classifiers make strings of objects.
    ours, strict = classes[answers.predict[part]], classes.dtype != object
    np.testing.assert_array_equal(ours, fitted.predict(X), strict=strict)
    np.testing.assert_array_equal(classes, fitted.classes_, strict=strict)
    for name in ("predict_proba", "decision_function"):
        values = getattr(answers, name)
        assert hasattr(fitted, name) == (values is not None)
        if values is not None:
            assert_close(values[part], getattr(fitted, name)(X))


def assert_close(ours, theirs):
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= 1e-9 * np.abs(theirs).max()


# --------------------------------------------------------------------------------------
# Against refitting


def test_every_closed_form_is_tested():
    tested = {type(one) for one in (*REGRESSORS.values(), *CLASSIFIERS.values())}
    assert tested == set(CLOSED_FORMS)


def splits_to_answer(model, design):
    if design == "rows that repeat" and hasattr(model, "n_neighbors"):
        return []  # a row that is trained on twice is two neighbours
    return list(range(16 if design == "half pairs" else 12))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors_against_refits(name, design):
    model, cv = REGRESSORS[name], DESIGNS[design]
    assert assert_like_refits(model, X, SIGNAL, cv) == splits_to_answer(model, design)


@pytest.mark.parametrize("name", REGRESSORS)
@pytest.mark.parametrize("y", [OUTPUTS, np.rint(SIGNAL).astype(int), OUTPUTS.round()])
def test_kinds_of_targets_against_refits(name, y):
    assert len(assert_like_refits(REGRESSORS[name], X, y, DESIGNS["half pairs"])) == 16


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_against_refits(name, design):
    model, cv = CLASSIFIERS[name], DESIGNS[design]
    assert assert_like_refits(model, X, WORDS, cv) == splits_to_answer(model, design)


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("y", [BINARY, CODES - 1, CODES.astype(float), WORDS.astype(object)])
def test_kinds_of_classes_against_refits(name, y):
    assert len(assert_like_refits(CLASSIFIERS[name], X, y, DESIGNS["subsample"])) == 12


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(3), RidgeClassifier(3)])
@pytest.mark.parametrize("design", DESIGNS)
def test_weights_against_refits(model, design):
    y = WORDS if is_classifier(model) else SIGNAL
    cv = DESIGNS[design]
    answered = assert_like_refits(model, X, y, cv, {"sample_weight": WEIGHTS})
    assert len(answered) == 12 if design != "half pairs" else 16


@pytest.mark.parametrize("design", ["subsample", "one test row", "half pairs"])
@pytest.mark.parametrize(
    ("model", "y"),
    [
        (Ridge(10), SIGNAL),
        (Ridge(10, fit_intercept=False), OUTPUTS),
        (Ridge(np.array([1.0, 20.0, 1.0])), OUTPUTS),
        (RidgeClassifier(10), WORDS),
    ],
)
def test_more_columns_than_rows_against_refits(model, y, design):
    assert assert_like_refits(model, WIDE, y, DESIGNS[design])
    # Columns more than training rows, but not than rows.
    assert assert_like_refits(model, WIDE[:, :80], y, DESIGNS[design])


def test_either_form_of_the_identity_against_refits(monkeypatch):
    # Few test rows and many columns go by rows; made to go by columns they answer alike.
    cv = KFold(30, shuffle=True, random_state=0)
    used = []
    by_rows = _linear.Penalised._by_rows
    monkeypatch.setattr(
        _linear.Penalised, "_by_rows", lambda *args: used.append(1) or by_rows(*args)
    )
    for model in (LinearRegression(), Ridge(2.0)):
        assert len(assert_like_refits(model, WIDE[:, :40], SIGNAL, cv)) == 30
    assert used
    monkeypatch.setattr(_linear.Penalised, "_has_few_rows", lambda *_: False)
    used.clear()
    for model in (LinearRegression(), Ridge(2.0)):
        assert len(assert_like_refits(model, WIDE[:, :40], SIGNAL, cv)) == 30
    assert not used


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_iris])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_real_classes_against_refits(name, load):
    data, y = load(return_X_y=True)
    model = clone(CLASSIFIERS[name])
    if "weighted" in name:
        model.set_params(metric_params={"w": np.arange(1.0, data.shape[1] + 1)})
    answered = assert_like_refits(model, data, y, RepeatedSubsampleSplit(4, random_state=0))
    if name in ("ridge", "naive Bayes", "discriminants", "prior"):
        assert answered == [0, 1, 2, 3]


@pytest.mark.parametrize("name", REGRESSORS)
def test_real_numbers_against_refits(name):
    data, y = load_diabetes(return_X_y=True)
    cv = HalfSplitPairs(2, 2, random_state=0)
    assert assert_like_refits(REGRESSORS[name], data, y, cv) == list(range(8))


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
@settings(max_examples=150, deadline=None)
def test_linear_models_against_refits(problem, intercept, log_alpha):
    X, y, labels, cv, params = problem
    alpha = 10.0**log_alpha
    both = np.column_stack([y, y**2])
    assert_like_refits(LinearRegression(fit_intercept=intercept), X, y, cv, params)
    assert_like_refits(LinearRegression(fit_intercept=intercept), X, both, cv, params)
    assert_like_refits(Ridge(alpha, fit_intercept=intercept), X, y, cv, params)
    assert_like_refits(Ridge(np.array([alpha, 1.0])), X, both, cv, params)
    assert_like_refits(RidgeClassifier(alpha, fit_intercept=intercept), X, labels, cv, params)


@given(problems(), st.sampled_from([1e-9, 1e-3, 0.0]))
@settings(max_examples=100, deadline=None)
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
@settings(max_examples=150, deadline=None)
def test_neighbours_against_refits(problem, k, weights, p, weighted):
    X, y, labels, cv, _ = problem
    options = {"weights": weights, "p": p}
    if weighted:
        options["metric_params"] = {"w": np.linspace(0.5, 2, X.shape[1])}
    assert_like_refits(KNeighborsClassifier(k, **options), X, labels, cv)
    assert_like_refits(KNeighborsRegressor(k, **options), X, y, cv)


def test_few_products_or_many_against_refits(monkeypatch):
    for most in (0, 2**30):
        monkeypatch.setattr(_linear, "_MOST_PRODUCTS", most)
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
    monkeypatch.setattr(_batch, "_MOST_MARKS", 3 * N)
    for module in (_linear, _neighbors):
        monkeypatch.setattr(module, "_MOST_NUMBERS", 100)
    monkeypatch.setattr(_linear, "_MOST_POOLED", 1)
    for model, y in ((Ridge(), SIGNAL), (KNeighborsRegressor(2), OUTPUTS)):
        assert assert_like_refits(model, X, y, DESIGNS["half pairs"]) == list(range(16))


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


def test_distances_that_rounding_hides_are_left():
    # Around 1e6 squared distances are known to about 1e-3 only.
    data = 1e6 + RNG.normal(size=(60, 2)) * 1e-3
    cv = ShuffleSplit(5, random_state=0)
    assert assert_like_refits(KNeighborsRegressor(3), data, data[:, 0], cv) == []
    assert len(assert_like_refits(KNeighborsRegressor(3, p=1), data, data[:, 0], cv)) > 0


# --------------------------------------------------------------------------------------
# Splits and fits that are left to the ordinary path


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
    scores = compare({"one": model, "other": model}, y, DESIGNS["subsample"], None, X=data).scores
    assert scores.provenance["fast_paths"] == {}
    expected = cross_validate(model, data, y, cv=DESIGNS["subsample"])["test_score"]
    np.testing.assert_array_equal(scores["one"].values, expected)


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
        cross_val_inference(model, data, y, cv=DESIGNS["subsample"], error_score="raise")


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (DummyRegressor(strategy="constant", constant=2.5), SIGNAL),
        (DummyClassifier(strategy="constant", constant="mid"), WORDS),
        (DummyClassifier(strategy="constant", constant=1), CODES),
    ],
)
def test_constants_against_refits(model, y):
    assert len(assert_like_refits(model, X, y, DESIGNS["subsample"])) == 12


@pytest.mark.parametrize(
    "weights",
    [WEIGHTS.tolist(), WEIGHTS.astype(np.float32), np.where(WEIGHTS < 1, 0.0, WEIGHTS)],
    ids=["list", "single precision", "zeros"],
)
def test_weights_that_are_left(weights):
    result = cross_val_inference(
        Ridge(), X, SIGNAL, cv=DESIGNS["subsample"], params={"sample_weight": weights}
    )
    assert result.scores.provenance["fast_paths"] == {}


# --------------------------------------------------------------------------------------
# Scores


REGRESSION_METRICS = [*_metrics.REGRESSION, "neg_median_absolute_error", "explained_variance"]
CLASS_METRICS = ["accuracy", "f1_macro", "roc_auc_ovr", "neg_log_loss", "balanced_accuracy"]


def compare(models, y, cv, scoring, X=X, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare_estimators(models, X, y, cv=cv, scoring=scoring, **options)


def assert_scores(models, y, cv, scoring, tolerance=1e-9):
    result = compare(models, y, cv, scoring)
    names = [scoring] if isinstance(scoring, str) else list(scoring)
    for name, model in models.items():
        expected = cross_validate(model, X, y, cv=cv, scoring=scoring)
        for metric in names:
            theirs = expected["test_score" if isinstance(scoring, str) else f"test_{metric}"]
            ours = result[metric].scores[name]
            np.testing.assert_allclose(ours.values, theirs, rtol=tolerance, atol=tolerance)
    return result


@pytest.mark.parametrize("metric", REGRESSION_METRICS)
@pytest.mark.parametrize("y", [SIGNAL, OUTPUTS])
def test_regression_scores_against_cross_validate(metric, y):
    models = {name: REGRESSORS[name] for name in ("mean", "least squares", "ridge", "neighbours")}
    for design in ("subsample", "folds of two sizes"):
        result = assert_scores(models, y, DESIGNS[design], metric)
        counts = result[metric].scores.provenance["fast_paths"]
        assert counts == dict.fromkeys(models, 12)


@pytest.mark.parametrize("metric", CLASS_METRICS)
def test_class_scores_against_cross_validate(metric):
    models = dict(CLASSIFIERS)
    if metric in ("roc_auc_ovr", "neg_log_loss"):
        del models["ridge"]  # has no probabilities
    result = assert_scores(models, WORDS, DESIGNS["folds of two sizes"], metric)
    counts = result[metric].scores.provenance["fast_paths"]
    assert counts == dict.fromkeys(models, 12)


def test_roc_auc_takes_the_decision_function_against_cross_validate():
    models = {name: CLASSIFIERS[name] for name in ("ridge", "discriminants", "naive Bayes")}
    result = assert_scores(models, BINARY, ShuffleSplit(12, random_state=0), "roc_auc")
    assert result.scores.provenance["fast_paths"] == dict.fromkeys(models, 12)


def test_accuracy_is_exactly_that_of_cross_validate():
    assert_scores(CLASSIFIERS, WORDS, DESIGNS["subsample"], "accuracy", tolerance=0)


def test_several_metrics_against_cross_validate():
    models = {name: REGRESSORS[name] for name in ("mean", "ridge")}
    both = ["r2", "neg_mean_absolute_error"]
    assert_scores(models, SIGNAL, DESIGNS["subsample"], both)
    scorers = {"r2": "r2", "mine": metrics.make_scorer(metrics.mean_pinball_loss, alpha=0.2)}
    result = assert_scores(models, SIGNAL, DESIGNS["subsample"], scorers)
    assert result["mine"].scores.provenance["fast_paths"] == {"mean": 12, "ridge": 12}


def test_callables_see_fitted_models_only():
    def size(estimator, X, y):
        return float(np.abs(estimator.coef_).sum())

    models = {"ridge": Ridge(), "plain": LinearRegression()}
    result = compare(models, SIGNAL, DESIGNS["subsample"], size)
    assert result.scores.provenance["fast_paths"] == {}


@given(
    st.integers(0, 1000), st.sampled_from([1, 2, 3]), st.sampled_from(sorted(_metrics.REGRESSION))
)
@settings(max_examples=60, deadline=None)
def test_metrics_against_scikit_learn(seed, n_outputs, name):
    rng = np.random.RandomState(seed)
    y = rng.normal(size=(50, n_outputs)) * 10.0 ** rng.randint(-3, 4) + rng.randint(1000)
    cv = KFold(7) if seed % 2 else KFold(5)
    (batch,) = make_batches(cv, y, None)
    predicted = y[batch.test] + rng.normal(size=(50, n_outputs))
    (scores,) = _metrics.score_all(batch, y, predicted, {name: _metrics.REGRESSION[name]})
    function = metrics.get_scorer(name)._score_func
    for k, (_, test) in enumerate(cv.split(y)):
        theirs = function(y[test], predicted[slice(*batch.offsets[k : k + 2])])
        assert abs(scores[k]) == pytest.approx(abs(theirs), rel=1e-12)


def test_r2_without_spread_is_left_to_scikit_learn():
    y = np.where(np.arange(N) < 30, 5.0, SIGNAL)
    cv = KFold(12)
    models = {"mean": DummyRegressor(), "ridge": Ridge()}
    result = assert_scores(models, y, cv, "r2")
    assert (result.scores.values[:, :3] == 0).all()
    assert result.scores.provenance["fast_paths"] == {"mean": 9, "ridge": 9}


def test_r2_of_one_row_warns_as_scikit_learn_does():
    cv = RepeatedSubsampleSplit(12, test_size=1, random_state=0)
    with (
        pytest.warns(UndefinedMetricWarning),
        pytest.raises(Exception, match="missing or not finite"),
    ):
        compare_estimators({"a": Ridge(), "b": DummyRegressor()}, X, SIGNAL, cv=cv)


def test_metric_that_fails_is_told_as_by_refits():
    def fails(y_true, y_pred):
        raise ZeroDivisionError("never works")

    with pytest.raises(ZeroDivisionError, match="never works") as caught:
        cross_val_inference(
            Ridge(),
            X,
            SIGNAL,
            cv=DESIGNS["subsample"],
            scoring=metrics.make_scorer(fails),
            error_score="raise",
        )
    assert caught.value.__notes__ == ["skcvstats: estimator 'Ridge', split 0"]
    scoring = {"good": "r2", "bad": metrics.make_scorer(fails)}
    with (
        pytest.warns(FitFailedWarning, match="24 of 24.*never works|bad: ZeroDivisionError"),
        pytest.raises(Exception, match="'bad' are missing"),
    ):
        compare_estimators(
            {"a": Ridge(), "b": DummyRegressor()},
            X,
            SIGNAL,
            cv=DESIGNS["subsample"],
            scoring=scoring,
        )


def squared_error(y_true, y_pred):
    return (y_true - y_pred) ** 2


def test_losses_against_refits():
    models = {"ridge": Ridge(), "mean": DummyRegressor()}
    found = {}
    for fast_paths in (True, False):
        options = FitOptions(
            params=None,
            n_jobs=None,
            verbose=0,
            pre_dispatch="2*n_jobs",
            error_score=np.nan,
            fast_paths=fast_paths,
        )
        scoring = resolve_scoring(
            models, "r2", error_score=np.nan, loss=PerRowLoss(squared_error, "squared_error")
        )
        cv = DESIGNS["subsample"]
        found[fast_paths] = measure(
            models, X, SIGNAL, groups=None, scoring=scoring, cv=cv, options=options
        ).scores
    for metric in ("r2", "neg_squared_error"):
        np.testing.assert_allclose(
            found[True][metric].values, found[False][metric].values, rtol=1e-9
        )
    fast, slow = (found[one]["neg_squared_error"] for one in (True, False))
    np.testing.assert_array_equal(fast.losses.rows, slow.losses.rows)
    np.testing.assert_allclose(fast.losses.values, slow.losses.values, rtol=1e-7)
    assert fast.provenance["fast_paths"] == {"ridge": 12, "mean": 12}


# --------------------------------------------------------------------------------------
# In the entry points


MIXED = {
    "ridge": Ridge(),
    "tree": DecisionTreeRegressor(random_state=0),
    "neighbours": KNeighborsRegressor(),
    "mean": DummyRegressor(),
}
FAST_OF_MIXED = {"ridge": 12, "neighbours": 12, "mean": 12}


def test_switched_off_has_the_bits_of_cross_validate():
    cv = DESIGNS["subsample"]
    result = compare(MIXED, SIGNAL, cv, "r2", fast_paths=False)
    assert result.scores.provenance["fast_paths"] == {}
    for name, model in MIXED.items():
        expected = cross_validate(model, X, SIGNAL, cv=cv)["test_score"]
        np.testing.assert_array_equal(result.scores[name].values, expected)


def test_cross_val_score_always_refits():
    scores = cross_val_score(Ridge(), X, SIGNAL, cv=DESIGNS["subsample"])
    assert scores.provenance["fast_paths"] == {}
    expected = cross_validate(Ridge(), X, SIGNAL, cv=DESIGNS["subsample"])["test_score"]
    np.testing.assert_array_equal(scores.values, expected)


@pytest.mark.parametrize("backend", ["loky", "threading"])
@pytest.mark.parametrize("n_jobs", [2, -1])
def test_scores_do_not_depend_on_the_workers(backend, n_jobs):
    cv = [
        *RepeatedSubsampleSplit(6, random_state=0).split(X),
        *HalfSplitPairs(1, 4, random_state=0).split(X),
    ]
    one = compare(MIXED, SIGNAL, cv, "r2", n_jobs=1).scores
    with joblib.parallel_config(backend=backend):
        many = compare(MIXED, SIGNAL, cv, "r2", n_jobs=n_jobs).scores
    np.testing.assert_array_equal(one.values, many.values)
    assert one.design == many.design
    assert one.provenance == many.provenance


def test_only_splits_that_were_left_are_refitted():
    # The halves have fewer training rows than columns, the whole has not.
    data, y = WIDE[:, :50], SIGNAL
    splits = [
        *RepeatedSubsampleSplit(8, random_state=0).split(data),
        *HalfSplitPairs(1, 2, random_state=0).split(data),
    ]
    models = {"plain": LinearRegression(), "ridge": Ridge()}
    scores = compare(models, y, splits, "r2", X=data).scores
    assert scores.provenance["fast_paths"] == {"plain": 8, "ridge": 12}
    expected = cross_validate(models["plain"], data, y, cv=splits)["test_score"]
    np.testing.assert_array_equal(scores["plain"].values[8:], expected[8:])
    np.testing.assert_allclose(scores["plain"].values, expected, rtol=1e-9)


def test_design_and_digests_are_those_of_refits():
    cv = RepeatedSubsampleSplit(12, random_state=0)
    fast, slow = (compare(MIXED, SIGNAL, cv, "r2", fast_paths=one).scores for one in (True, False))
    assert fast.design == slow.design
    assert fast.labels == slow.labels


def test_counts_survive_saving(tmp_path):
    scores = compare(MIXED, SIGNAL, DESIGNS["subsample"], "r2").scores
    assert scores.provenance["fast_paths"] == FAST_OF_MIXED
    scores.save(tmp_path / "scores.json")
    assert CVScores.load(tmp_path / "scores.json").provenance["fast_paths"] == FAST_OF_MIXED


def test_times_are_spread_evenly():
    scores = compare(MIXED, SIGNAL, DESIGNS["subsample"], "r2").scores
    for times in (scores["ridge"].fit_times, scores["ridge"].score_times):
        assert (times == times[0]).all()
        assert times[0] > 0


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_counts_all_fits(n_jobs, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm", None)
    compare(MIXED, SIGNAL, DESIGNS["subsample"], "r2", n_jobs=n_jobs, verbose=1)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].split()[1] == "48/48"


def test_splits_that_are_drawn_again_are_refitted(monkeypatch):
    cv = ShuffleSplit(12, test_size=0.1, random_state=0)
    held = compare(MIXED, SIGNAL, cv, "r2").scores
    monkeypatch.setattr(_splits, "_MOST_HELD", 0)
    drawn = compare(MIXED, SIGNAL, cv, "r2").scores
    assert held.provenance["fast_paths"] == FAST_OF_MIXED
    assert drawn.provenance["fast_paths"] == {}
    np.testing.assert_allclose(held.values, drawn.values, rtol=1e-9)


@pytest.mark.parametrize("index", [None, np.arange(1000, 1000 + N)])
def test_frames_and_series_against_cross_validate(index):
    frame = pd.DataFrame(X, columns=list("abcde"), index=index).assign(f=np.arange(N) % 4)
    cases = [
        (Ridge(), pd.Series(SIGNAL, index=index)),
        (LinearRegression(), pd.DataFrame(OUTPUTS, index=index)),
        (LinearDiscriminantAnalysis(), pd.Series(WORDS, index=index, dtype="category")),
        (KNeighborsClassifier(), pd.Series(WORDS, index=index)),
    ]
    for model, y in cases:
        result = cross_val_inference(model, frame, y, cv=DESIGNS["subsample"])
        expected = cross_validate(model, frame, y, cv=DESIGNS["subsample"])["test_score"]
        assert result.estimate == pytest.approx(expected.mean(), rel=1e-9)
        assert result.standard_error == pytest.approx(
            np.sqrt(result.correction) * expected.std(ddof=1), rel=1e-7
        )
        assert list(result.scores.provenance["fast_paths"].values()) == [12]


def test_weights_of_fits_against_cross_validate():
    params = {"sample_weight": WEIGHTS}
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
    scores = compare(models, SIGNAL, DESIGNS["subsample"], "r2", params=params).scores
    assert scores.provenance["fast_paths"] == {"ridge": 12}
    for name, model in models.items():
        expected = cross_validate(model, X, SIGNAL, cv=DESIGNS["subsample"], params=params)[
            "test_score"
        ]
        np.testing.assert_allclose(scores[name].values, expected, rtol=1e-9)


def test_data_are_left_alone():
    data, y = X.copy(), SIGNAL.copy()
    compare(MIXED, y, DESIGNS["subsample"], "r2", X=data)
    np.testing.assert_array_equal(data, X)
    np.testing.assert_array_equal(y, SIGNAL)
    data = StandardScaler().fit_transform(X)
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    compare(models, WORDS, DESIGNS["subsample"], "accuracy", X=data)
    assert not vars(models["bayes"]).keys() & {"theta_", "classes_"}


@pytest.mark.parametrize("fast_paths", [None, "yes", 1])
def test_fast_paths_must_be_a_flag(fast_paths):
    with pytest.raises(TypeError, match=r"fast_paths=.* must be True or False"):
        compare_estimators(MIXED, X, SIGNAL, fast_paths=fast_paths)
