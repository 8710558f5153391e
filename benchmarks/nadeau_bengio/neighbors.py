"""The nearest neighbour under a distorted distance, ties broken at random."""

import zlib

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._splits import check_splits

ROWS_AT_ONCE = 512  # of a table of distances

SHARPENED = (1, 3, 9, 16)
FLATTENED = (5, 11, 13)


def letter_weights(w):
    """Return the weights of the letters' 16 features: w, 1 and 1/w, times w.

    Times w, since the squared distances of whole numbers are then exact, for the report's w: what
    is tied is tied.

    Parameters
    ----------
    w : float
        The distortion; 1 is the Euclidean distance.
    """
    weights = np.full(16, float(w))
    weights[np.subtract(SHARPENED, 1)] = float(w) ** 2
    weights[np.subtract(FLATTENED, 1)] = 1.0
    return weights


class NearestNeighbor(ClassifierMixin, BaseEstimator):
    """Predict the class of the nearest training row.

    Of equally near rows the first in a random order is taken. The order is a function of the rows'
    values and classes and of the seed, so it is the same in every training set, however its rows
    are sorted.

    Parameters
    ----------
    feature_weights : array-like of shape (n_features,), default=None
        Weights of the squared differences. None is 1 for each.
    random_state : int, RandomState instance or None, default=None
        Seeds the order.
    """

    def __init__(self, feature_weights=None, random_state=None):
        self.feature_weights = feature_weights
        self.random_state = random_state

    def fit(self, X, y):
        """Keep the rows, in the order in which ties are broken."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        self.weights_ = self._weights(X)
        order = self._order(X, y)
        self.X_, self.y_ = X[order], y[order]
        return self

    def predict(self, X):
        """Return the class of the nearest training row of each row."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        nearest = [
            _distances(X[start : start + ROWS_AT_ONCE], self.X_, self.weights_).argmin(axis=1)
            for start in range(0, len(X), ROWS_AT_ONCE)
        ]
        return self.y_[np.concatenate(nearest)]

    def predict_splits(self, X, y, train, test):
        """As `predict_one_by_one`, many splits at once, with a seed that is a number.

        Every row's neighbours are sorted once, for all splits.
        """
        X, y = check_X_y(X, y, dtype=np.float64)
        check_classification_targets(y)
        train, test = check_splits(X, train, test)
        weights = self._weights(X)
        order = self._order(X, y)
        place = np.argsort(order)
        X, y = X[order], y[order]
        in_train = np.zeros((len(train), len(X)), dtype=bool)
        np.put_along_axis(in_train, place[train], True, axis=1)
        rows, splits = place[test].ravel(), np.repeat(np.arange(len(test)), test.shape[1])
        nearest = np.empty(rows.shape, dtype=np.intp)
        for start in range(0, len(X), ROWS_AT_ONCE):
            stop = start + ROWS_AT_ONCE
            distances = _distances(X[start:stop], X, weights)
            neighbors = np.argsort(distances, axis=1, kind="stable")
            here = np.flatnonzero((rows >= start) & (rows < stop))
            nearest[here] = _first_in_train(neighbors, in_train, rows[here] - start, splits[here])
        return y[nearest].reshape(test.shape)

    def _weights(self, X):
        if self.feature_weights is None:
            return np.ones(X.shape[1])
        weights = np.asarray(self.feature_weights, dtype=np.float64)
        if weights.shape != (X.shape[1],) or not (np.isfinite(weights) & (weights >= 0)).all():
            raise ValueError(
                f"feature_weights must be a finite weight of at least 0 for each of the "
                f"{X.shape[1]} features, got {self.feature_weights!r}."
            )
        return weights

    def _order(self, X, y):
        seed = check_random_state(self.random_state).randint(2**31)
        classes, codes = np.unique(y, return_inverse=True)
        names = np.array([zlib.crc32(str(name).encode()) for name in classes], dtype=np.uint64)
        key = np.full(len(X), seed, dtype=np.uint64)
        for column in ((X + 0.0).view(np.uint64).T, names[codes][None]):
            for bits in column:
                key = _mixed(key ^ bits)
        return np.argsort(key, kind="stable")


def _distances(A, B, weights):
    return cdist(A, B, "sqeuclidean", w=weights)


def _first_in_train(neighbors, in_train, rows, splits):
    """Return the first of each row's neighbours that its split trains on."""
    nearest = np.empty(len(rows), dtype=np.intp)
    waiting = np.arange(len(rows))
    for k in range(neighbors.shape[1]):
        candidate = neighbors[rows[waiting], k]
        found = in_train[splits[waiting], candidate]
        nearest[waiting[found]] = candidate[found]
        waiting = waiting[~found]
        if not len(waiting):
            break
    return nearest


def _mixed(key):
    """Scramble 64-bit numbers: the finaliser of SplitMix64."""
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))
