"""The sample mean, and ordinary least squares as a regression and as a classifier."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.utils import check_X_y
from sklearn.utils.validation import check_is_fitted, validate_data

from ._splits import check_splits, encode_two_classes, predict_one_by_one

ENTRIES_AT_ONCE = 2**20  # of a table of splits by rows
ILL_CONDITIONED = 1e10  # a moment matrix, so 1e5 for the data: beyond it rounding would show


class SampleMean(DummyRegressor):
    """Predict the mean of the training targets: a `DummyRegressor` that can do many splits."""

    def predict_splits(self, X, y, train, test):
        """As `predict_one_by_one`, many splits at once."""
        X, y = check_X_y(X, y, y_numeric=True)
        train, test = check_splits(X, train, test)
        if self.strategy != "mean":
            return predict_one_by_one(self, X, y, train, test)
        means = y[train].mean(axis=1)
        return np.repeat(means, test.shape[1]).reshape(test.shape)


class LeastSquaresRegression(LinearRegression):
    """Ordinary least squares: a `LinearRegression` that can do many splits."""

    def predict_splits(self, X, y, train, test):
        """As `predict_one_by_one`, many splits at once, up to rounding."""
        X, y = check_X_y(X, y, dtype=np.float64, y_numeric=True)
        train, test = check_splits(X, train, test)
        if not self.fit_intercept or self.positive:
            return predict_one_by_one(self, X, y, train, test)
        predicted, is_sound = least_squares_splits(X, y, train, test)
        rest = np.flatnonzero(~is_sound)
        if len(rest):
            predicted[rest] = predict_one_by_one(self, X, y, train[rest], test[rest])
        return predicted


class LeastSquaresClassifier(ClassifierMixin, BaseEstimator):
    """Regress a 0/1 target on the features and a constant; predict 1 where that is above 1/2."""

    def fit(self, X, y):
        """Regress the number of the class, 0 or 1, on the features."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = encode_two_classes(y)
        self.regression_ = LinearRegression().fit(X, codes)
        return self

    def predict(self, X):
        """Return the second class where the regression is above 1/2, else the first."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.classes_[(self.regression_.predict(X) > 0.5).astype(int)]

    def predict_splits(self, X, y, train, test):
        """As `predict_one_by_one`, many splits at once."""
        X, y = check_X_y(X, y, dtype=np.float64)
        classes, codes = encode_two_classes(y)
        fitted = LeastSquaresRegression().predict_splits(X, codes, train, test)
        return classes[(fitted > 0.5).astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def least_squares_splits(X, y, train, test):
    """Predict each test set by least squares on its training set, from the normal equations.

    Returns
    -------
    predicted : ndarray of shape (n_splits, n_test)
    is_sound : ndarray of bool of shape (n_splits,)
        Whether the equations determine the fit well; nothing is predicted where they do not.
    """
    spread = X.std(axis=0)
    Z = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
    center = y.mean()
    products = (Z[:, :, None] * np.column_stack([Z, y - center])[:, None, :]).reshape(len(Z), -1)
    features = np.column_stack([Z, y - center, products])
    sums = _sums_over_rows(train, features) / train.shape[1]
    d = X.shape[1]
    means, moments = sums[:, : d + 1], sums[:, d + 1 :].reshape(-1, d, d + 1)
    moments = moments - means[:, :d, None] * means[:, None, :]
    is_sound = np.linalg.cond(moments[:, :, :d]) < ILL_CONDITIONED
    slopes = np.zeros((len(train), d))
    slopes[is_sound] = np.linalg.solve(moments[is_sound, :, :d], moments[is_sound, :, d:])[..., 0]
    predicted = np.repeat(center + means[:, d], test.shape[1]).reshape(test.shape)
    for c in range(d):
        predicted += slopes[:, c, None] * (Z[test, c] - means[:, c, None])
    return predicted, is_sound


def _sums_over_rows(train, features):
    """Return the sums of the rows of `features` over each training set."""
    n = len(features)
    step = max(1, ENTRIES_AT_ONCE // n)
    sums = np.empty((len(train), features.shape[1]))
    for start in range(0, len(train), step):
        part = train[start : start + step]
        is_chosen = np.zeros((len(part), n))
        np.put_along_axis(is_chosen, part, 1.0, axis=1)
        sums[start : start + step] = is_chosen @ features
    return sums
