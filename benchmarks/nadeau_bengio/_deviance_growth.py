"""The best splits of classification trees, for many nodes at once; for columns of few values."""

from functools import lru_cache

import numpy as np
from scipy.sparse import csr_array

from ._forest import midpoint

# Class counts at the roots of the trees that are grown at once: fewer make NumPy's calls dear, more
# miss the cache.
COUNTS_AT_ONCE = 2**17


class Deviance:
    """The multinomial deviance: N log N - sum of N_k log N_k over the classes of a node's N rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    codes : ndarray of int of shape (n_samples,)
        The classes: 0, 1, ....

    Notes
    -----
    Each row is a string of counters, one for each cut of each column: 1 if the row is below it.
    Counters share machine words, eight in one where no class has more than 255 rows; so how many
    rows of a class a node has below every cut takes a few additions of words for each row. The
    counters take n_samples times as many bytes as the columns have distinct values.

    Deviances are whole multiples of a tiny unit, so equal splits have equal numbers in whatever
    order they are added up: see `n_log_n`.
    """

    def __init__(self, X, codes):
        self.codes = codes
        self.n_classes = codes.max() + 1
        self.by_class = np.argsort(codes, kind="stable")
        self.n_log_n = n_log_n(len(X))
        values, ranks = zip(
            *(np.unique(column, return_inverse=True) for column in X.T), strict=True
        )
        self.ranks = np.column_stack(ranks)
        n_values = np.array([len(column) for column in values])
        self.values, self.first_value = np.concatenate(values), np.cumsum(n_values) - n_values
        self.cut_column = np.repeat(np.arange(X.shape[1]), n_values - 1)
        self.cut_rank = np.concatenate([np.arange(1, n) for n in n_values])
        self.counter = np.min_scalar_type(np.bincount(codes).max())
        self.below = self._pack(self.ranks[:, self.cut_column] < self.cut_rank)

    def trees_at_once(self, n_train):
        """Return how many trees are best grown together."""
        return max(1, COUNTS_AT_ONCE // (self.n_classes * max(1, len(self.cut_rank))))

    def _pack(self, flags):
        per_word = 8 // self.counter.itemsize
        packed = np.zeros((len(flags), -(-flags.shape[1] // per_word) * per_word), self.counter)
        packed[:, : flags.shape[1]] = flags
        return packed.view(np.uint64)

    def orders(self, train):
        """Sort each training set's rows by class."""
        place = np.empty(len(self.codes), dtype=np.int64)
        place[self.by_class] = np.arange(len(self.codes))
        return self.by_class[np.sort(place[train], axis=1)][None]

    def summary(self, orders, sizes):
        """Return the deviance of each node, and the first of its most frequent classes."""
        starts, counts, node = self._groups(orders[0], sizes)
        first = np.searchsorted(node, np.arange(len(sizes)))
        deviance = self.n_log_n[sizes] - np.add.reduceat(self.n_log_n[counts], first)
        most = np.flatnonzero(counts == np.maximum.reduceat(counts, first)[node])
        winner = most[np.searchsorted(most, first)]
        return deviance, self.codes[orders[0][starts[winner]]]

    def best_splits(self, orders, sizes, min_samples_leaf):
        """Return the column and the cut of each node's best split: the first of equal ones."""
        if not len(self.cut_rank):
            return np.zeros(len(sizes), dtype=int), np.full(len(sizes), np.nan)
        rows = orders[0]
        starts, counts, node = self._groups(rows, sizes)
        below = self._counts_below(rows, starts)
        n_left = (_adder(node, len(sizes), np.float32) @ below.astype(np.float32)).astype(int)
        n_right = sizes[:, None] - n_left
        mixed = counts > 1  # a single row of a class has no deviance on either side
        terms = self._class_terms(below[mixed], counts[mixed])
        merit = _adder(node[mixed], len(sizes), float) @ terms
        merit -= self.n_log_n.take(n_left)
        merit -= self.n_log_n.take(n_right)
        merit[(n_left < min_samples_leaf) | (n_right < min_samples_leaf)] = -np.inf
        best = np.argmax(merit, axis=1)
        column = self.cut_column[best]
        cut = self._cut_values(rows, sizes, column, self.cut_rank[best])
        cut[merit[np.arange(len(sizes)), best] == -np.inf] = np.nan
        return column, cut

    def _groups(self, rows, sizes):
        """Return where the runs of one class in one node begin, their lengths and their nodes."""
        node = np.repeat(np.arange(len(sizes)), sizes)
        key = node * self.n_classes + self.codes[rows]
        starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
        return starts, np.diff(starts, append=len(rows)), node[starts]

    def _counts_below(self, rows, starts):
        """Return the number of each run's rows below each cut, of shape (n_runs, n_cuts)."""
        adder = csr_array(
            (np.ones(len(rows), np.uint64), rows, np.append(starts, len(rows))),
            shape=(len(starts), len(self.codes)),
        )
        return (adder @ self.below).view(self.counter)[:, : len(self.cut_rank)]

    def _class_terms(self, below, counts):
        """Return l log l + r log r of l = `below` rows on the left and r on the right."""
        totals, which = np.unique(counts, return_inverse=True)
        offsets = np.cumsum(totals + 1) - (totals + 1)
        left = np.arange((totals + 1).sum()) - np.repeat(offsets, totals + 1)
        right = np.repeat(totals, totals + 1) - left
        table = self.n_log_n[left] + self.n_log_n[right]
        return table.take(np.add(below, offsets[which, None], dtype=np.int64))

    def _cut_values(self, rows, sizes, column, rank):
        """Return the midpoints of the values of the node that are next to the cuts."""
        starts = np.cumsum(sizes) - sizes
        ranks = self.ranks[rows, np.repeat(column, sizes)]
        is_left = ranks < np.repeat(rank, sizes)
        highest = np.maximum.reduceat(np.where(is_left, ranks, 0), starts)
        lowest = np.minimum.reduceat(np.where(is_left, ranks.max(), ranks), starts)
        first = self.first_value[column]
        return midpoint(self.values[first + highest], self.values[first + lowest])


def _adder(group, n_groups, dtype):
    """Return the matrix that adds up the rows of each group, which stand one after the other."""
    ends = np.searchsorted(group, np.arange(n_groups + 1))
    return csr_array(
        (np.ones(len(group), dtype), np.arange(len(group)), ends), shape=(n_groups, len(group))
    )


@lru_cache(maxsize=16)
def n_log_n(largest):
    """Return n log n for n = 0, ..., `largest`, such that equal sums of them are equal floats.

    The logarithms of the primes are rounded to multiples of a power of 2 that is so large that all
    sums are exact, and so small (2^-41 for 300 rows) that no two different sums meet in practice.
    """
    unit = 2.0 ** np.ceil(np.log2(max(largest, 2) * np.log(max(largest, 3))) - 52)
    logarithm = np.zeros(largest + 1)
    for prime in range(2, largest + 1):
        if logarithm[prime] == 0:
            power = prime
            while power <= largest:
                logarithm[power::power] += np.round(np.log(prime) / unit) * unit
                power *= prime
    return np.arange(largest + 1) * logarithm
