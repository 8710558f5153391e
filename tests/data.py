"""Data that many test modules load: read once, and read-only."""

from functools import cache

from sklearn import datasets


def _shared(X, y):
    """Give the two arrays as what no test can change."""
    X.flags.writeable = y.flags.writeable = False
    return X, y


@cache
def iris():
    """Give the 150 flowers of three classes."""
    return _shared(*datasets.load_iris(return_X_y=True))


@cache
def breast_cancer():
    """Give the 569 tumours of two classes."""
    return _shared(*datasets.load_breast_cancer(return_X_y=True))


@cache
def diabetes():
    """Give the 442 patients with a number as the target."""
    return _shared(*datasets.load_diabetes(return_X_y=True))


@cache
def wine():
    """Give the 178 wines of three classes."""
    return _shared(*datasets.load_wine(return_X_y=True))


@cache
def classification(n_samples=200, n_features=5, **options):
    """Give what `make_classification` makes, with `random_state=0` unless told."""
    made = datasets.make_classification(n_samples, n_features, **{"random_state": 0} | options)
    return _shared(*made)


@cache
def regression(n_samples=100, n_features=4, **options):
    """Give what `make_regression` makes, with `random_state=0` unless told."""
    made = datasets.make_regression(n_samples, n_features, **{"random_state": 0} | options)
    return _shared(*made)
