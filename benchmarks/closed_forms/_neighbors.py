"""Nearest neighbours: one query for all rows, from which each split takes its training rows.

Notes
-----
How scikit-learn's distances are rounded depends on how it searches. If rounding could decide which
row is the k-th neighbour, the split is refitted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from sklearn.neighbors import NearestNeighbors

from skcvstats._utils._checks import is_integer, is_real

from ._base import Answers, FastModel, class_counts, is_close_call
from ._batch import Batch, parts
from ._data import Data, Labels

_POWERS = {
    "euclidean": 2.0,
    "l2": 2.0,
    "manhattan": 1.0,
    "cityblock": 1.0,
    "l1": 1.0,
    "chebyshev": np.inf,
}
# Distances listed at once, and looked up at once: 3 MB each, with all arrays made from them.
_MOST_NUMBERS = 2**16
# Pairs of rows that are compared in the millisecond that a fit and a query of scikit-learn take.
_PAIRS_A_FIT = 1e5
# Relative rounding of distances that are weights: a tenth of the promised 1e-9.
_DISTANCE_PRECISION = 1e-10


class Lists(NamedTuple):
    """The nearest of all rows to some rows, ascending."""

    rows: np.ndarray
    distances: np.ndarray
    neighbors: np.ndarray
    rounding: np.ndarray


@dataclass(frozen=True)
class Space:
    """The rows and their distances."""

    X: np.ndarray
    power: float

    @cached_property
    def lengths(self) -> np.ndarray:
        """The distances of all rows from the origin."""
        some = [np.linalg.norm(self.X[part], ord=self.power, axis=1) for part in parts(self.X)]
        return np.concatenate(some)

    def query(self, m: int) -> NearestNeighbors:
        """Return a query for the `m` nearest of all rows."""
        metrics = {2.0: "euclidean", 1.0: "manhattan", np.inf: "chebyshev"}
        metric = metrics.get(self.power, "minkowski")
        options = {"p": self.power} if metric == "minkowski" else {}
        query = NearestNeighbors(n_neighbors=m, algorithm="brute", metric=metric, **options)
        return query.fit(self.X)

    def nearest(self, query: NearestNeighbors, rows: np.ndarray) -> Lists:
        """Return the nearest of all rows to some rows."""
        distances, neighbors = query.kneighbors(self.X[rows])
        rounding = self.rounding(rows, distances)
        return Lists(rows, distances, neighbors.astype(np.int32), rounding)

    def distances(self, row: int, others: np.ndarray) -> np.ndarray:
        """Return the distances of one row to others."""
        return np.linalg.norm(self.X[others] - self.X[row], ord=self.power, axis=1)

    def rounding(self, rows: np.ndarray, distances: np.ndarray) -> np.ndarray:
        """Return the possible error of scikit-learn's distances, and of ours."""
        n_features = self.X.shape[1]
        unit = 4 * (n_features + 8) * np.finfo(float).eps
        lengths = self.lengths
        if self.power != 2:
            return unit * (lengths[rows] + lengths.max())[:, None] + 0 * distances
        # Squares are computed as |x|^2 - 2 x.y + |y|^2; a distance of zero is off by their root.
        off = unit * np.square(lengths[rows] + lengths.max())[:, None]
        return off / np.maximum(distances, np.sqrt(off))


@dataclass(frozen=True)
class Neighbors:
    """The nearest rows of all rows that some split tests on, and their targets."""

    space: Space
    k: int
    by_distance: bool
    y: np.ndarray | None
    is_flat: bool
    labels: Labels | None

    @property
    def classes(self) -> np.ndarray | None:
        """The classes, or None for a regressor."""
        return None if self.labels is None else self.labels.classes

    @cached_property
    def _sums_depend_on_order(self) -> bool:
        """Whether sums over neighbours are rounded, so that the order of ties changes bits."""
        if self.y is None:
            return False
        return bool((self.y != np.rint(self.y)).any() or np.abs(self.y).max() * self.k > 2.0**53)

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split."""
        n_outputs = 1 if self.y is None else self.y.shape[1]
        n_columns = n_outputs if self.labels is None else len(self.labels.classes)
        values = np.zeros((batch.test.size, n_columns))
        found = (batch.n_train >= self.k) & batch.trains_on_distinct_rows
        if self.labels is not None:
            counts = class_counts(batch, self.labels.codes, n_columns)
            found &= (counts > 0).all(axis=1)
        if self._is_quicker(batch, found):
            self._fill(values, batch, found)
        else:
            found[:] = False
        if self.labels is not None:
            return Answers(found, values.argmax(axis=1), predict_proba=values)
        return Answers(found, values[:, 0] if self.is_flat else values)

    def _is_quicker(self, batch: Batch, wanted: np.ndarray) -> bool:
        """Whether one query for all rows compares fewer pairs of rows than refitting does."""
        n_tested = np.count_nonzero(np.bincount(batch.test, minlength=batch.n_rows))
        pairs = np.dot(batch.n_test, batch.n_train) + _PAIRS_A_FIT * len(batch)
        return bool(wanted.any()) and n_tested * batch.n_rows <= pairs

    def _n_listed(self, batch: Batch, wanted: np.ndarray) -> int:
        """Return how many neighbours to list, so that enough of them are usually training rows."""
        share = batch.n_train[wanted].min() / batch.n_rows
        need = self.k + 1
        return min(batch.n_rows, int(np.ceil((need + 3 * np.sqrt(need) + 4) / share)))

    def _fill(self, values: np.ndarray, batch: Batch, found: np.ndarray) -> None:
        """Fill in `values`, and unmark splits in `found` that ties leave undecided."""
        m = self._n_listed(batch, found)
        query, step = self.space.query(m), max(1, _MOST_NUMBERS // m)
        owner = np.repeat(np.arange(len(batch)), batch.n_test)
        tested = np.flatnonzero(np.bincount(batch.test, minlength=batch.n_rows))
        place = np.full(batch.n_rows, -1)
        for first in range(0, tested.size, step):
            lists = self.space.nearest(query, tested[first : first + step])
            place[:] = -1
            place[lists.rows] = np.arange(lists.rows.size)
            listed = np.flatnonzero((place[batch.test] >= 0) & found[owner])
            for begin in range(0, listed.size, step):
                at = listed[begin : begin + step]
                at = at[found[owner[at]]]
                if at.size:
                    chosen = self._choose(lists, place[batch.test[at]], batch, owner[at])
                    values[at], is_open = self._vote(*chosen)
                    found[owner[at[is_open]]] = False

    def _choose(
        self,
        lists: Lists,
        places: np.ndarray,
        batch: Batch,
        owner: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the k nearest training rows, their distances, and where a tie is undecided."""
        k, (rows, distances, neighbors, rounding) = self.k, lists
        is_train = batch.train_marks.ravel()[neighbors[places] + (owner * batch.n_rows)[:, None]]
        counts = is_train.sum(axis=1)
        need = np.minimum(k + 1, batch.n_train[owner])
        hits = np.flatnonzero(is_train.ravel())
        starts = np.cumsum(counts) - counts
        taken = starts[:, None] + np.minimum(np.arange(k + 1), (counts - 1)[:, None])
        columns = hits[np.clip(taken, 0, max(hits.size - 1, 0))] % is_train.shape[1]
        at = places[:, None], columns
        chosen, far, off = neighbors[at], distances[at], rounding[at]
        for i in np.flatnonzero(counts < need):
            chosen[i], far[i] = self._search(rows[places[i]], batch.splits[owner[i]].train, need[i])
            off[i] = self.space.rounding(rows[places[i : i + 1]], far[i : i + 1])[0]
        last, beyond = far[:, k - 1], far[:, k]
        is_open = (need > k) & ~(beyond - last > off[:, k - 1] + off[:, k])
        if self._sums_depend_on_order and self.k > 2:
            is_open |= ~(np.diff(far[:, :k]) > off[:, : k - 1] + off[:, 1:k]).all(axis=1)
        if self.by_distance:
            # The weight of a close row is as uncertain as its distance.
            is_open |= (off[:, :k] > _DISTANCE_PRECISION * far[:, :k]).any(axis=1)
        return chosen[:, :k], far[:, :k], is_open

    def _search(self, row: int, train: np.ndarray, need: int) -> tuple[np.ndarray, np.ndarray]:
        distances = self.space.distances(row, train)
        order = np.argsort(distances, kind="stable")[:need]
        order = np.append(order, order[-1:])[: self.k + 1]
        return train[order], distances[order]

    def _vote(
        self, chosen: np.ndarray, far: np.ndarray, is_open: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        weights = None
        if self.by_distance:
            weights = 1 / np.where(is_open[:, None], 1.0, far)
        if self.labels is None:
            return self._mean(self.y[chosen], weights), is_open  # type: ignore[index]
        codes = self.labels.codes[chosen]
        votes = np.zeros((len(chosen), len(self.labels.classes)))
        for column in range(self.k):
            vote = 1.0 if weights is None else weights[:, column]
            votes[np.arange(len(chosen)), codes[:, column]] += vote
        shares = votes / votes.sum(axis=1, keepdims=True)
        return shares, is_open if weights is None else is_open | is_close_call(shares)

    def _mean(self, values: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
        if weights is None:
            return np.mean(values, axis=1)
        return (values * weights[:, :, None]).sum(axis=1) / weights.sum(axis=1)[:, None]


def regressor(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a KNeighborsRegressor, if it has one."""
    y = data.target
    if y is None or params:
        return None
    return _neighbors(estimator, data, y.reshape(len(y), -1), y.ndim == 1, None)


def classifier(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a KNeighborsClassifier, if it has one."""
    if data.labels is None or len(data.labels.classes) < 2 or params:
        return None
    return _neighbors(estimator, data, None, True, data.labels)


def _neighbors(
    estimator: Any, data: Data, y: np.ndarray | None, is_flat: bool, labels: Labels | None
) -> Neighbors | None:
    k, weights = estimator.n_neighbors, estimator.weights
    known = isinstance(weights, str) and weights in ("uniform", "distance")
    searches = ("auto", "brute", "kd_tree", "ball_tree")
    if estimator.algorithm not in searches or not known or not is_integer(k) or k < 1:
        return None
    if data.numbers is None:
        return None
    space = _space(estimator, data.numbers)
    if space is None or k >= len(data.numbers):
        return None
    return Neighbors(space, int(k), weights == "distance", y, is_flat, labels)


def _space(estimator: Any, X: np.ndarray) -> Space | None:
    metric, power, options = estimator.metric, estimator.p, estimator.metric_params
    if not isinstance(metric, str) or not (options is None or isinstance(options, dict)):
        return None
    if metric in _POWERS:
        return None if options or power != 2 else Space(X, _POWERS[metric])
    if metric != "minkowski" or not is_real(power) or not power >= 1:
        return None
    if not options:
        return Space(X, float(power))
    if estimator.algorithm == "kd_tree":  # scikit-learn refuses weights in this case
        return None
    weights: Any = options.get("w") if isinstance(options, dict) and len(options) == 1 else None
    is_plain = type(weights) is np.ndarray and weights.shape == X.shape[1:]
    if not is_plain or weights.dtype != np.float64 or np.isinf(power):
        return None
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        return None
    return Space(X * weights ** (1 / power), float(power))
