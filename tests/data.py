"""Data that many test modules load: read once, and read-only."""

from functools import cache, partial

import numpy as np
from sklearn import datasets


@cache
def _load(name, *sizes, **options):
    """Give the two arrays of a data set of scikit-learn as what no test can change."""
    X, y = getattr(datasets, name)(*sizes, **options)
    X.flags.writeable = y.flags.writeable = False
    return X, y


# The first of three classes, the next of two, of a number, and of three classes.
iris = partial(_load, "load_iris", return_X_y=True)
breast_cancer = partial(_load, "load_breast_cancer", return_X_y=True)
diabetes = partial(_load, "load_diabetes", return_X_y=True)
wine = partial(_load, "load_wine", return_X_y=True)


def classification(n_samples=200, n_features=5, **options):
    """Give what `make_classification` makes, with `random_state=0` unless told."""
    return _load("make_classification", n_samples, n_features, **{"random_state": 0} | options)


def regression(n_samples=100, n_features=4, **options):
    """Give what `make_regression` makes, with `random_state=0` unless told."""
    return _load("make_regression", n_samples, n_features, **{"random_state": 0} | options)


def interpolated(X, n_rows, random_state=0):
    """Return rows between those of X and one of their five neighbours, as SMOTE makes them.

    Chawla and others, "SMOTE", Journal of Artificial Intelligence Research 16, 2002, section 4.2.
    """
    generator = np.random.default_rng(random_state)
    distances = np.square(X[:, None] - X).sum(axis=2)
    neighbours = np.argsort(distances, axis=1)[:, 1:6]
    rows = generator.integers(len(X), size=n_rows)
    others = neighbours[rows, generator.integers(5, size=n_rows)]
    return X[rows] + generator.random((n_rows, 1)) * (X[others] - X[rows])
