"""Data that many test modules load: read once, and read-only."""

from functools import cache, partial

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
