"""The usual max-t test, which takes the estimated correlation for the true one."""

import numpy as np

N_DRAWS = 5000


def critical_value(root, pairs, *, level, df, one_sided, rng):
    """Return the quantile of the maximum of a multivariate t at the estimated correlation.

    Parameters
    ----------
    root : ndarray of shape (n_estimators, n_squares)
        The estimated covariance of the estimates is this times its transpose.
    pairs : tuple of two ndarray of int
        The estimators of each comparison.
    level : float
    df : float
        Infinity is the multivariate normal law.
    one_sided : bool
    rng : Generator
    """
    first, second = pairs
    contrasts = root[first] - root[second]
    contrasts /= np.linalg.norm(contrasts, axis=1, keepdims=True)
    statistics = rng.normal(size=(N_DRAWS, root.shape[1])) @ contrasts.T
    largest = (statistics if one_sided else np.abs(statistics)).max(axis=1)
    if np.isfinite(df):
        largest /= np.sqrt(rng.chisquare(df, size=N_DRAWS) / df)
    return np.quantile(largest, 1 - level)
