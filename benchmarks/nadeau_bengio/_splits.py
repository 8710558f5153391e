"""What the learners share: a loop over splits, and the check of the arguments of a faster way."""

import numpy as np
from sklearn.base import clone
from sklearn.utils.multiclass import check_classification_targets, type_of_target


def check_splits(X, train, test):
    """Return the splits as two arrays of indices, or say what they should be."""
    train, test = np.asarray(train), np.asarray(test)
    if train.dtype.kind not in "iu" or test.dtype.kind not in "iu":
        raise ValueError(
            f"Expected arrays of row numbers, got arrays of {train.dtype} and {test.dtype}."
        )
    if train.ndim != 2 or test.ndim != 2 or len(train) != len(test):
        raise ValueError(
            "Expected train of shape (n_splits, n_train) and test of shape (n_splits, n_test), "
            f"got shapes {train.shape} and {test.shape}."
        )
    if not train.size or not test.size:
        raise ValueError("Every split needs a training row and a test row.")
    for rows in (train, test):
        if rows.min() < 0 or rows.max() >= len(X):
            raise ValueError(f"Splits name rows outside the {len(X)} rows of X.")
    is_chosen = np.zeros((len(train), len(X)), dtype=bool)
    np.put_along_axis(is_chosen, train, True, axis=1)
    if np.count_nonzero(is_chosen) < train.size:
        raise ValueError("A training set names a row twice.")
    return train, test


def predict_one_by_one(estimator, X, y, train, test):
    """Fit a clone on each training set and predict its test set: what the fast ways must equal.

    Parameters
    ----------
    estimator : estimator
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    train : array-like of int of shape (n_splits, n_train)
    test : array-like of int of shape (n_splits, n_test)

    Returns
    -------
    ndarray of shape (n_splits, n_test)
        What ``clone(estimator).fit(X[train[j]], y[train[j]]).predict(X[test[j]])`` gives.
    """
    return np.array(
        [
            clone(estimator).fit(X[rows], y[rows]).predict(X[others])
            for rows, others in zip(train, test, strict=True)
        ]
    )


def encode_two_classes(y):
    """Return the at most two classes of y and, for each row, the number of its own."""
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) > 2:
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}."
        )
    return classes, codes
