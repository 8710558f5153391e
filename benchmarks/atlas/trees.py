"""Trees, forests and boosting as scikit-learn fits them, without what it does around each tree.

Of two classes the reduction of squared errors is that of the Gini impurity, so that regression
trees serve for both.
"""

import numpy as np
from scipy.special import expit, logit
from sklearn.tree import DecisionTreeRegressor

try:  # what scikit-learn itself uses; in other versions it may have other names or arguments
    from sklearn.tree._criterion import MSE
    from sklearn.tree._splitter import BestSplitter
    from sklearn.tree._tree import DepthFirstTreeBuilder, Tree
except ImportError:  # pragma: no cover
    Tree = None

FULL = np.iinfo(np.int32).max  # the depth of full trees
_ONE = np.ones(1, dtype=np.intp)
_RANDOM = np.random.RandomState(0)


def seeded(seed):
    """Return what ``RandomState(seed)`` is; it is the same object in all calls.

    A new one takes ninety times as long: it is first seeded by the operating system.
    """
    _RANDOM.seed(seed)
    return _RANDOM


def grow(X, y, random, max_features, max_depth=FULL, weights=None):
    """Return scikit-learn's tree that reduces squared errors.

    Parameters
    ----------
    X : ndarray of float32 of shape (n_rows, n_columns)
    y : ndarray of float64 of shape (n_rows, 1)
    random : numpy.random.RandomState
    max_features, max_depth : int
    weights : ndarray of float64 of shape (n_rows,), default=None
    """
    if Tree is not None:
        tree = Tree(X.shape[1], _ONE, 1)
        try:
            splitter = BestSplitter(MSE(1, len(X)), max_features, 1, 0.0, random, None)
            DepthFirstTreeBuilder(splitter, 2, 1, 0.0, max_depth, 0.0).build(tree, X, y, weights)
        except TypeError:  # pragma: no cover
            pass
        else:
            return tree
    model = DecisionTreeRegressor(
        max_features=max_features, max_depth=max_depth, random_state=random
    )
    return model.fit(X, y, sample_weight=weights, check_input=False).tree_


def forest(seed, n_trees, max_features, X, y, rows):
    """Return the mean prediction of trees on bootstrap samples, for rows of float32."""
    n, total = len(y), 0.0
    for state in seeded(seed).randint(np.iinfo(np.int32).max, size=n_trees):
        drawn = seeded(state).randint(0, n, n, dtype=np.int32)
        weights = np.bincount(drawn, minlength=n).astype(float)
        tree = grow(X, y, seeded(state), max_features, weights=weights)
        total = total + tree.predict(rows)[:, 0]
    return total / n_trees


def boosted(seed, n_stages, is_classes, X, y, rows, rate=0.1, max_depth=3):
    """Return the predictions of gradient boosting: probabilities of class 1, or the target.

    For classes the value of a leaf is a step of Newton's: the sum of y - p over that of p (1 - p).
    """
    random, mean = seeded(seed), y.mean()
    start = logit(mean) if is_classes else mean
    own, found = np.full(len(y), start), np.full(len(rows), start)
    for _ in range(n_stages):
        if is_classes:
            odds = np.exp(-own)
            off = (y * odds - (1 - y)) / (1 + odds)
        else:
            off = y - own
        tree = grow(X, off[:, None], random, X.shape[1], max_depth)
        leaf, values = tree.apply(X), tree.value[:, 0, 0]
        if is_classes:
            p = y - off
            above, below = np.bincount(leaf, off), np.bincount(leaf, p * (1 - p))
            values = np.where(np.abs(below) < 1e-150, 0.0, above / np.maximum(below, 1e-150))
        own += rate * values[leaf]
        found += rate * values[tree.apply(rows)]
    return expit(found) if is_classes else found
