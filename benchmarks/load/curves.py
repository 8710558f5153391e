"""The curves: for each, the sizes and the call that is timed."""

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import RepeatedSubsampleSplit, compare_estimators, compare_predictions

# Of the forests.
N_FITS = 60


def compare(models, X, y, n_splits, n_jobs):
    """Compare on random splits, every model fitted on each of them."""
    cv = RepeatedSubsampleSplit(n_splits, random_state=0)
    named = {str(k): model for k, model in enumerate(models)}
    return compare_estimators(named, X, y, cv=cv, n_jobs=n_jobs)


def bare(models, X, y, n_splits, n_jobs):
    """Fit and score by joblib alone, a task for each fit."""
    splits = RepeatedSubsampleSplit(n_splits, random_state=0).split(X, y)
    return Parallel(n_jobs=n_jobs)(
        delayed(_fit_and_score)(model, X, y, *split) for split in splits for model in models
    )


def _fit_and_score(model, X, y, train, test):
    fitted = clone(model).fit(X[train], y[train])
    return accuracy_score(y[test], fitted.predict(X[test]))


def data(n_rows):
    """Return two classes of rows with ten columns."""
    return make_classification(n_rows, 10, random_state=0)


def tiny():
    """Return two models whose fits take about a millisecond on 200 rows."""
    return [GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)]


def of_splits(size, n_jobs):
    X, y = data(200)
    return lambda: compare(tiny(), X, y, size, n_jobs)


def of_estimators(size, n_jobs):
    X, y = data(200)
    models = [DecisionTreeClassifier(splitter="random", random_state=k) for k in range(size)]
    return lambda: compare(models, X, y, 15, n_jobs)


def of_rows(size, n_jobs):
    X, y = data(size)
    models = [GaussianNB(), GaussianNB(var_smoothing=1.0)]
    return lambda: compare(models, X, y, 15, n_jobs)


def of_test_rows(size, n_jobs):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=size)
    predictions = {name: np.where(rng.random(size) < 0.8, y, 1 - y) for name in "ab"}
    return lambda: compare_predictions(y, predictions, scoring="accuracy", n_jobs=n_jobs)


def of_trees(size, n_jobs, call=compare):
    """Time fits of forests of this many trees, of about 1.5 ms each."""
    X, y = data(1000)
    models = [RandomForestClassifier(size, random_state=seed) for seed in range(2)]
    return lambda: call(models, X, y, N_FITS // len(models), n_jobs)


def of_trees_in_bare_loop(size, n_jobs):
    return of_trees(size, n_jobs, bare)


# By name: what is called, the sizes, the numbers of jobs, and how often. A call that is made more
# than once is warm: the first is not counted.
CURVES = {
    "splits": (of_splits, (15, 150, 1500, 15_000), (1, 2), 1),
    "estimators": (of_estimators, (2, 20, 200), (1, 2), 1),
    "rows": (of_rows, (200, 10_000, 100_000, 1_000_000), (1, 2), 1),
    "test rows": (of_test_rows, (1000, 100_000, 1_000_000, 10_000_000), (1,), 1),
    "trees": (of_trees, (10, 30, 100), (1, 2), 4),
    "trees, bare loop": (of_trees_in_bare_loop, (10, 30, 100), (1, 2), 4),
}
