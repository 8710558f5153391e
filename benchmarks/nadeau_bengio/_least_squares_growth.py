"""The best splits of regression trees of a 0/1 target, for many nodes at once."""

import numpy as np

from ._forest import midpoint

# Of training sets: fewer make NumPy's calls dear, more miss the cache.
ROWS_AT_ONCE = 2**14


class LeastSquares:
    """Least squares: a node's deviance is its sum of squares about its mean.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    ones : ndarray of bool of shape (n_samples,)
        The target.

    Notes
    -----
    Splitting N rows with A ones into n and N - n, the first with a ones, lowers the deviance by
    (a N - A n)^2 / (N n (N - n)). Numerator and denominator are whole numbers, which a float holds
    exactly up to N = 19,000; so equal splits have equal numbers, however they were reached.
    """

    def __init__(self, X, ones):
        self.X, self.ones = X, ones.astype(float)
        self.ranks = [np.unique(column, return_inverse=True)[1] for column in X.T]
        self.has_ties = [rank.max() + 1 < len(X) for rank in self.ranks]
        self.sorted_rows = np.argsort(X, axis=0, kind="stable").T

    def trees_at_once(self, n_train):
        """Return how many trees are best grown together."""
        return max(1, ROWS_AT_ONCE // n_train)

    def orders(self, train):
        """Sort each training set's rows by every column."""
        chosen = np.zeros((len(train), len(self.X)), dtype=bool)
        np.put_along_axis(chosen, train, True, axis=1)
        shape = (len(self.sorted_rows), *train.shape)
        orders = np.empty(shape, dtype=np.int32)
        for order, rows in zip(orders, self.sorted_rows, strict=True):
            order[...] = rows[np.nonzero(chosen[:, rows])[1]].reshape(train.shape)
        return orders

    def summary(self, orders, sizes):
        """Return the deviance of each node, and whether most of its rows are ones."""
        ones = np.add.reduceat(self.ones[orders[0]], np.cumsum(sizes) - sizes)
        return ones * (sizes - ones) / sizes, 2 * ones > sizes

    def best_splits(self, orders, sizes, min_samples_leaf):
        """Return the column and the cut of each node's best split: the first of equal ones."""
        starts = np.cumsum(sizes) - sizes
        n = np.arange(1.0, sizes.sum() + 1) - np.repeat(starts, sizes)
        total = np.repeat(sizes.astype(float), sizes)
        ones = np.add.reduceat(self.ones[orders[0]], starts)
        expected = np.repeat(ones, sizes) * n
        before = np.repeat(np.cumsum(ones) - ones, sizes)
        product = n * (total - n)
        allowed = (n >= min_samples_leaf) & (total - n >= min_samples_leaf)
        product[~allowed] = 1
        best = np.full(len(sizes), -1.0)
        column, cut = np.zeros(len(sizes), dtype=int), np.full(len(sizes), np.nan)
        for c, order in enumerate(orders):
            a = np.cumsum(self.ones[order]) - before
            gain = (a * total - expected) ** 2 / product
            gain[~allowed] = -1
            if self.has_ties[c]:
                rank = self.ranks[c][order]
                gain[:-1][rank[:-1] == rank[1:]] = -1
            top = np.maximum.reduceat(gain, starts)
            better = np.flatnonzero(top > best)
            hits = np.flatnonzero(gain == np.repeat(top, sizes))
            at = hits[np.searchsorted(hits, starts[better])]
            below, above = self.X[order[at], c], self.X[order[at + 1], c]
            best[better], column[better], cut[better] = top[better], c, midpoint(below, above)
        return column, cut
