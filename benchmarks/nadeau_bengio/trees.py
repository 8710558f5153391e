"""The trees of S-Plus 4.5's `tree` with its defaults, as scikit-learn estimators."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._deviance_growth import Deviance
from ._forest import Rules, grow
from ._least_squares_growth import LeastSquares
from ._splits import check_splits, encode_two_classes


class _SPlusTree(ClassifierMixin, BaseEstimator):
    """A binary tree that is grown, without pruning, until the rules stop it.

    Parameters
    ----------
    min_samples_leaf : int, default=5
        Both sides of a split have at least so many rows (``mincut``).
    min_samples_split : int, default=10
        A node of fewer rows is a leaf (``minsize``).
    min_deviance : float, default=0.01
        So is a node whose deviance is below this part of the root's (``mindev``).
    """

    def __init__(self, min_samples_leaf=5, min_samples_split=10, min_deviance=0.01):
        self.min_samples_leaf = min_samples_leaf
        self.min_samples_split = min_samples_split
        self.min_deviance = min_deviance

    def fit(self, X, y):
        """Grow the tree."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = self._encode(y)
        criterion = self._criterion(X, codes)
        rows = np.arange(len(X))[None]
        self.forest_ = grow(X, criterion.orders(rows), criterion, self._rules())
        return self

    def predict(self, X):
        """Return the class of the leaf of each row."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        rows = np.arange(len(X))
        return self.classes_[self.forest_.predict(X, rows, np.zeros_like(rows)).astype(int)]

    def predict_splits(self, X, y, train, test):
        """As `predict_one_by_one`, many splits at once."""
        X, y = check_X_y(X, y, dtype=np.float64)
        train, test = check_splits(X, train, test)
        classes, codes = self._encode(y)
        criterion = self._criterion(X, codes)
        predicted = np.empty(test.shape, dtype=np.intp)
        step = criterion.trees_at_once(train.shape[1])
        for start in range(0, len(train), step):
            part = slice(start, start + step)
            forest = grow(X, criterion.orders(train[part]), criterion, self._rules())
            rows = test[part]
            trees = np.repeat(np.arange(len(rows)), rows.shape[1])
            predicted[part] = forest.predict(X, rows.ravel(), trees).reshape(rows.shape)
        return classes[predicted]

    def _rules(self):
        for name in ("min_samples_leaf", "min_samples_split"):
            value = getattr(self, name)
            if not isinstance(value, Integral) or value < 1:
                raise ValueError(f"{name}={value!r}: expected a whole number of at least 1.")
        if not 0 <= self.min_deviance <= 1:
            raise ValueError(f"min_deviance={self.min_deviance!r}: expected a number in [0, 1].")
        return Rules(self.min_samples_leaf, self.min_samples_split, self.min_deviance)

    def _encode(self, y):
        check_classification_targets(y)
        return np.unique(y, return_inverse=True)


class LeastSquaresTree(_SPlusTree):
    """A least-squares regression tree of a 0/1 target, predicting 1 where it is above 1/2.

    Equal splits: the first column, then the lowest cut. Values below the cut go left.

    Parameters
    ----------
    min_samples_leaf, min_samples_split, min_deviance
        As in S-Plus 4.5's `tree`, whose ``mincut``, ``minsize`` and ``mindev`` they are.
    """

    def _encode(self, y):
        return encode_two_classes(y)

    def _criterion(self, X, codes):
        return LeastSquares(X, codes == 1)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class DevianceTree(_SPlusTree):
    """A classification tree that minimises the multinomial deviance.

    Equal splits: the first column, then the lowest cut. Values below the cut go left. Of equally
    frequent classes a leaf predicts the first. Made for columns of few values: time and memory
    grow with the rows times the distinct values of all columns.

    Parameters
    ----------
    min_samples_leaf, min_samples_split, min_deviance
        As in S-Plus 4.5's `tree`, whose ``mincut``, ``minsize`` and ``mindev`` they are.
    """

    def _criterion(self, X, codes):
        return Deviance(X, codes)
