"""Exchangeable estimators that are really refitted: the same learner, with a fresh seed each fit.

A seed that stays the same for all fits would be a part of the estimator. Where it decides much, as
the starting weights of a network that is trained briefly do, such estimators truly differ.
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
N_FEATURES = 6
LEARNERS = {
    "random tree": ExtraTreeClassifier(max_depth=4),
    "perceptron": Perceptron(max_iter=5, tol=None),
    "neural network": MLPClassifier((4,), max_iter=5),
}


def random_features(seed, n_estimators):
    """Compare least squares on random cosines, fitted for all estimators and splits at once."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, N_INPUTS))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + rng.normal(size=N_ROWS)
    cv = RepeatedSubsampleSplit(N_SPLITS, test_size=0.1, random_state=seed)
    trained = np.zeros((N_SPLITS, N_ROWS))
    tested = np.zeros((N_SPLITS, N_ROWS))
    for k, (train, test) in enumerate(cv.split(X)):
        trained[k, train] = 1
        tested[k, test] = 1
    directions = rng.normal(size=(n_estimators, N_SPLITS, N_INPUTS, N_FEATURES))
    phases = rng.uniform(0, 2 * np.pi, size=(n_estimators, N_SPLITS, 1, N_FEATURES))
    features = np.cos(X @ directions + phases)
    weighted = (features * trained[:, :, np.newaxis]).swapaxes(-1, -2)
    coefficients = np.linalg.solve(
        weighted @ features + np.eye(N_FEATURES), weighted @ y[:, np.newaxis]
    )
    errors = (y - (features @ coefficients)[..., 0]) ** 2
    scores = -(errors * tested).sum(axis=-1) / tested.sum(axis=-1)
    names = tuple(f"seed {k}" for k in range(n_estimators))
    design = SplitDesign.from_splitter(cv, X, y)
    found = CVScores(values=scores, design=design, labels=names, metric="neg_mse")
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
    """Return in how many data sets some two of equal estimators are shown to differ."""
    count = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(n_data_sets):
            result = compare(seed + k, n_estimators)
            count += any(pair.outcome in ("above", "below") for pair in result)
    return count
