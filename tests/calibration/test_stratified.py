"""Accuracy by the formula of the corrected resampled t-test on stratified tenths."""

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

pytestmark = pytest.mark.calibration

N, J = 200, 15


def rows_right(X, y, train, test):
    """Return the accuracies of a linear discriminant, naive Bayes and the nearest row."""
    A, a, B, b = X[train], y[train], X[test], y[test]
    means, shares = np.array([A[a == k].mean(axis=0) for k in (0, 1)]), np.bincount(a) / len(a)
    within = A - means[a]
    direction = np.linalg.solve(within.T @ within / (len(a) - 2), means[1] - means[0])
    linear = (B - means.mean(axis=0)) @ direction + np.log(shares[1] / shares[0]) > 0
    spread = np.array([within[a == k].var(axis=0) for k in (0, 1)])[:, np.newaxis]
    logs = np.log(spread) + (B - means[:, np.newaxis]) ** 2 / spread
    bayes = np.log(shares) - logs.sum(axis=2).T / 2
    nearest = a[((B[:, np.newaxis] - A) ** 2).sum(axis=2).argmin(axis=1)]
    return [np.mean(found == b) for found in (linear, bayes.argmax(axis=1), nearest)]


def misses(kind, share, n_sets=400):
    """Return how often intervals of single scores, and of differences, miss their expectation."""
    rng, scores = np.random.default_rng(round(100 * share)), np.empty((3, n_sets, J))
    for k in range(n_sets):
        y = (rng.random(N) < share).astype(int)
        X = rng.standard_normal((N, 4)) + 1.25 * y[:, np.newaxis] * np.eye(4)[0]
        cv = kind(J, test_size=0.1, random_state=k)
        for split, (train, test) in enumerate(cv.split(X, y)):
            scores[:, k, split] = rows_right(X, y, train, test)
    found = []
    for x in (scores, scores[[0, 0, 1]] - scores[[1, 2, 2]]):
        means = x.mean(axis=2)
        errors = np.sqrt((1 / J + 20 / 180) * x.var(axis=2, ddof=1))
        distances = np.abs(means - means.mean(axis=1, keepdims=True))
        found.append(np.mean(distances > stats.t.ppf(0.975, J - 1) * errors))
    return found


def test_single_accuracies_miss_more_often_and_differences_hardly():
    stratified, random = (
        np.array([misses(kind, share) for share in (0.2, 0.5)])
        for kind in (StratifiedShuffleSplit, ShuffleSplit)
    )
    error = np.sqrt(0.1 * 0.9 / 400)  # of single cells, of which three are averaged
    # a fifth of positives, which are predicted worse; then classes that are predicted alike
    assert stratified[0, 0] > random[0, 0] + 0.03
    assert 0.1 < stratified[0, 0] < 0.25
    assert abs(stratified[1, 0] - random[1, 0]) < 2.5 * error
    assert (np.abs(stratified[:, 1] - random[:, 1]) < 2.5 * error).all()
