"""Data, designs and models of the closed forms, and their comparison with plain refits."""

import warnings
from collections import Counter
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import KFold, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from benchmarks.closed_forms import _batch, records
from benchmarks.closed_forms._data import Data
from benchmarks.closed_forms._registry import closed_form
from skcvstats.fitting import Splits, Workload, read_metrics, row_scoring_of
from skcvstats.fitting._fit import Routed
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit
from skcvstats.splitters import check_data

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

# All have eight splits.
DESIGNS = {
    "subsample": RepeatedSubsampleSplit(8, random_state=0),
    "one test row": RepeatedSubsampleSplit(8, test_size=1, random_state=0),
    "rows left out": RepeatedSubsampleSplit(8, test_size=0.1, train_size=0.5, random_state=0),
    "fixed pool": RepeatedSubsampleSplit(
        8, test_size=0.1, train_size=0.6, pool="fixed", random_state=0
    ),
    "half pairs": HalfSplitPairs(2, 2, test_size=0.1, random_state=0),
    "folds of two sizes": KFold(8, shuffle=True, random_state=0),
    "growing": TimeSeriesSplit(8, max_train_size=60, test_size=5),
    "rows that repeat": [
        (np.tile(train[:40], 2), test)
        for train, test in KFold(8, shuffle=True, random_state=1).split(X)
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
    "neighbours": KNeighborsClassifier(),
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


def hold(cv, X, y):
    splits = cv if isinstance(cv, list) else cv.split(X, y)
    return Splits.of((np.asarray(train), np.asarray(test)) for train, test in splits)


def make_batches(cv, X, y):
    held = hold(cv, X, y)
    return _batch.batches(held, len(held), len(X))


def assert_like_refits(model, X, y, cv, params=None, every=1):
    """Check the answers of a closed form; return on which splits there were any.

    With `every=2`, the answers of every second split are compared with a refit.
    """
    params = params or {}
    fast = closed_form(model, Data(X, y), params)
    if fast is None:
        return []
    answered = []
    for batch in make_batches(cv, X, y):
        with np.errstate(all="ignore"):
            answers = fast.answer(batch)
        for i in np.flatnonzero(answers.found):
            answered.append(batch.numbers[i])
            if len(answered) % every:
                continue
            part = slice(*batch.offsets[i : i + 2])
            train, test, _ = batch.splits[i]
            fitted = refit(model, X, y, train, params)
            assert_like_fitted(fitted, X[test], answers, fast.classes, part)
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


def splits_to_answer(model, design):
    if design == "rows that repeat" and hasattr(model, "n_neighbors"):
        return []  # a row that is trained on twice is two neighbours
    return list(range(8))


@dataclass(frozen=True)
class Measured:
    """The records of all models on all splits, and how many of each come from a closed form."""

    models: dict
    records: list
    counts: dict

    def scores(self, name, metric="score"):
        e = list(self.models).index(name)
        return np.array([record.scores[metric] for record in self.records if record.estimator == e])


def measure(models, y, cv, scoring=None, X=X, params=None, of_rows=False, closed=True):
    """Score by closed forms, and by refits where there are none."""
    X, y, _ = check_data(X, y, None)
    metrics = read_metrics(scoring, models)
    names = [metric.name for metric in metrics if of_rows]
    routed = Routed((params or {},) * len(models))
    work = Workload.of(models, metrics, rows=row_scoring_of(metrics, names), routed=routed)
    splits = hold(cv, X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(records(work, X, y, splits)) if closed else []
        done = {(record.split, record.estimator) for record in found}
        pairs = [(k, e) for k in range(len(splits)) for e in range(len(models))]
        refits = work.fit(X, y, splits, [pair for pair in pairs if pair not in done])
        both = sorted([*found, *refits], key=attrgetter("estimator", "split"))
    return Measured(models, both, dict(Counter(work.names[one.estimator] for one in found)))
