"""Binary trees as flat arrays, grown level by level, many at once."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rules:
    """When a node is split, as in S-Plus 4.5's `tree` (``mincut``, ``minsize``, ``mindev``)."""

    min_samples_leaf: int
    min_samples_split: int
    min_deviance: float


@dataclass(frozen=True)
class Forest:
    """Trees in one numbering of nodes: tree j's root is node j, a leaf has no left child (-1).

    A row goes left if its value is below the cut; the right child follows the left one.
    """

    column: np.ndarray
    cut: np.ndarray
    left: np.ndarray
    value: np.ndarray

    def predict(self, X, rows, trees):
        """Return the value of the leaf that each of X's `rows` reaches in its one of `trees`."""
        node = np.array(trees)
        going = np.arange(len(node))
        while (going := going[self.left[node[going]] >= 0]).size:
            at = node[going]
            goes_right = X[rows[going], self.column[at]] >= self.cut[at]
            node[going] = self.left[at] + goes_right
        return self.value[node]


def grow(X, orders, criterion, rules):
    """Grow one tree for each training set.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    orders : ndarray of shape (n_orders, n_trees, n_train)
        The rows of each training set, in the orders that the criterion wants. Nodes keep them.
    criterion : object
        ``summary(orders, sizes)`` gives the deviance and the value of nodes whose rows stand one
        after the other; ``best_splits(orders, sizes, min_samples_leaf)`` the column and the cut of
        each, nan where it has no split.
    rules : Rules

    Returns
    -------
    Forest
    """
    n_orders, n_trees, n_train = orders.shape
    orders = orders.reshape(n_orders, -1)
    sizes = np.full(n_trees, n_train)
    node = tree = np.arange(n_trees)
    limit, n_nodes = None, n_trees
    values, splits = [], []
    flat = X.ravel()
    while len(sizes):
        deviance, value = criterion.summary(orders, sizes)
        if limit is None:
            limit = rules.min_deviance * deviance
        values.append((node, value))
        is_open = (sizes >= max(rules.min_samples_split, 2 * rules.min_samples_leaf)) & (
            (deviance > 0) & (deviance >= limit[tree])
        )
        orders = orders[:, np.repeat(is_open, sizes)]
        sizes, node, tree = sizes[is_open], node[is_open], tree[is_open]
        if not len(sizes):
            break
        column, cut = criterion.best_splits(orders, sizes, rules.min_samples_leaf)
        has_split = ~np.isnan(cut)
        place = orders * X.shape[1] + np.repeat(column, sizes)
        goes_left = flat.take(place) < np.repeat(cut, sizes)
        goes_right = ~goes_left & np.repeat(has_split, sizes)
        n_left = np.add.reduceat(goes_left[0], np.cumsum(sizes) - sizes, dtype=int)[has_split]
        # All left children, then all right ones: their rows only have to be picked out.
        orders = np.concatenate(
            [orders[goes].reshape(n_orders, -1) for goes in (goes_left, goes_right)], axis=1
        )
        left = n_nodes + 2 * np.arange(len(n_left))
        n_nodes += 2 * len(n_left)
        splits.append((node[has_split], column[has_split], cut[has_split], left))
        sizes = np.concatenate([n_left, sizes[has_split] - n_left])
        node, tree = np.concatenate([left, left + 1]), np.tile(tree[has_split], 2)
    return _forest(n_nodes, values, splits)


def _forest(n_nodes, values, splits):
    node, value = (np.concatenate(parts) for parts in zip(*values, strict=True))
    forest = Forest(
        column=np.zeros(n_nodes, dtype=int),
        cut=np.full(n_nodes, np.nan),
        left=np.full(n_nodes, -1),
        value=np.empty(n_nodes, dtype=value.dtype),
    )
    forest.value[node] = value
    for inner, column, cut, left in splits:
        forest.column[inner], forest.cut[inner], forest.left[inner] = column, cut, left
    return forest


def midpoint(below, above):
    """Return a cut such that below < cut <= above."""
    cut = below / 2 + above / 2
    return np.where(cut > below, cut, above)
