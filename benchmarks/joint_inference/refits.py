"""Estimators that are equally good and really refitted: the same learner with different seeds.

The seed chooses inputs, and all inputs are alike, so that no choice is better than another. Or it
is fresh in every fit. A seed that stays the same in all fits, of anything else, would be a part of
the estimator: networks that are trained briefly from different starting weights truly differ.
"""

import warnings

import numpy as np
from sklearn.linear_model import Perceptron
from sklearn.neural_network import MLPClassifier
from sklearn.tree import ExtraTreeClassifier

from skcvstats import (
    CVScores,
    RepeatedSubsampleSplit,
    SplitDesign,
    compare_estimators,
    compare_scores,
)

N_ROWS, N_INPUTS, N_SPLITS = 100, 5, 15
LEARNERS = {
    "random tree": ExtraTreeClassifier(max_depth=4),
    "perceptron": Perceptron(max_iter=5, tol=None),
    "neural network": MLPClassifier((4,), max_iter=5),
}


def random_inputs(seed, n_estimators, n_rows=600):
    """Compare least squares on four of ten inputs, which the seed of each estimator chooses."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 10))
    y = X.sum(axis=1) + rng.normal(size=n_rows)
    chosen = [rng.permutation(10)[:4] for _ in range(n_estimators)]
    features = np.stack([X[:, inputs] for inputs in chosen])[:, np.newaxis]
    return _least_squares(features, y, seed)


def random_neighbours(seed, n_estimators, n_rows=200, n_neighbors=5):
    """Compare nearest neighbours in four of ten inputs, which the seed of each chooses."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 10))
    y = np.sign(X.sum(axis=1) + rng.normal(size=n_rows))
    cv = RepeatedSubsampleSplit(N_SPLITS, test_size=0.1, random_state=seed)
    splits = list(cv.split(y))
    scores = np.zeros((n_estimators, N_SPLITS))
    for one in scores:
        inputs = X[:, rng.permutation(10)[:4]]
        distances = ((inputs[:, np.newaxis] - inputs) ** 2).sum(axis=-1)
        for k, (train, test) in enumerate(splits):
            near = distances[np.ix_(test, train)].argpartition(n_neighbors - 1, axis=1)
            votes = y[train][near[:, :n_neighbors]].sum(axis=1)
            one[k] = (votes * y[test] > 0).mean()
    return _compare(scores, cv, y, "accuracy")


def random_cosines(seed, n_estimators):
    """Compare least squares on six random cosines of the inputs, drawn anew in every fit."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, N_INPUTS))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + rng.normal(size=N_ROWS)
    directions = rng.normal(size=(n_estimators, N_SPLITS, N_INPUTS, 6))
    phases = rng.uniform(0, 2 * np.pi, size=(n_estimators, N_SPLITS, 1, 6))
    return _least_squares(np.cos(X @ directions + phases), y, seed)


def _least_squares(features, y, seed):
    """Fit and score all estimators on all splits at once, and compare them.

    Parameters
    ----------
    features : ndarray of shape (n_estimators, n_splits or 1, n_rows, n_features)
    y : ndarray of shape (n_rows,)
    seed : int
    """
    cv = RepeatedSubsampleSplit(N_SPLITS, test_size=0.1, random_state=seed)
    trained, tested = np.zeros((2, N_SPLITS, len(y)))
    for k, (train, test) in enumerate(cv.split(y)):
        trained[k, train] = 1
        tested[k, test] = 1
    weighted = (features * trained[:, :, np.newaxis]).swapaxes(-1, -2)
    slightly = 1e-6 * np.eye(features.shape[-1])
    coefficients = np.linalg.solve(weighted @ features + slightly, weighted @ y[:, np.newaxis])
    errors = (y - (features @ coefficients)[..., 0]) ** 2
    scores = -(errors * tested).sum(axis=-1) / tested.sum(axis=-1)
    return _compare(scores, cv, y, "neg_mse")


def _compare(scores, cv, y, metric):
    names = tuple(f"seed {k}" for k in range(len(scores)))
    design = SplitDesign.from_splitter(cv, y[:, np.newaxis], y)
    found = CVScores(values=scores, design=design, labels=names, metric=metric)
    return compare_scores(found, adjustment="max_t")


def learner(name):
    """Return a function that compares a learner of scikit-learn with itself."""

    def compare(seed, n_estimators):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(N_ROWS, N_INPUTS))
        y = (X.sum(axis=1) + 1.5 * rng.normal(size=N_ROWS) > 0).astype(int)
        models = {f"seed {k}": LEARNERS[name] for k in range(n_estimators)}
        cv = RepeatedSubsampleSplit(N_SPLITS, test_size=0.1, random_state=seed)
        np.random.seed(seed)  # noqa: NPY002, what random_state=None draws from in every fit
        return compare_estimators(models, X, y, cv=cv, scoring="accuracy", adjustment="max_t")

    return compare


def any_claim(compare, n_estimators, n_data_sets, seed=0):
    """Return in how many data sets some two of equal estimators are shown to differ.

    And in how many the first is missing from the best set.
    """
    count = missed = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(n_data_sets):
            result = compare(seed + k, n_estimators)
            count += any(pair.outcome in ("higher", "lower") for pair in result)
            missed += "seed 0" not in result.best_set()
    return count, missed
