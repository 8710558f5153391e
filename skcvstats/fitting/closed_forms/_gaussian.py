"""Gaussian naive Bayes and linear discriminants, from sums over the rows of each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from ..._utils import is_real
from ._base import Answers, FastModel, class_counts, is_close_call
from ._basis import largest, make_basis, solve
from ._batch import Batch, Pool, Stack
from ._data import Data, Labels

_MOST_NUMBERS = 2**19
_MOST_POOLED = 2**22
# Of the within-class scatter with columns scaled to unit length: of all rows, and of a split's.
# scikit-learn drops directions whose singular value is below 1e-4, a condition of 1e8.
_MOST_WITHIN = 1e5
_MOST_SOLVED = 1e6
# scikit-learn drops directions of the class means whose singular value is below 1e-4 of the first.
_LEAST_BETWEEN = 1e-3
# How much of a column's spread may cancel between sums over classes.
_LEAST_VARIANCE = 1e-6
# Of a column's spread within a class against its largest entry.
_LEAST_SPREAD = 3e-5


class ClassRows(NamedTuple):
    """Rows with the mean of their class taken off.

    Parameters
    ----------
    labels : Labels
        The classes.
    means : ndarray of shape (n_classes, n_columns)
        Of all rows.
    rows : ndarray of shape (n_rows, n_columns)
        What is left.
    """

    labels: Labels
    means: np.ndarray
    rows: np.ndarray

    @classmethod
    def centre(cls, X: np.ndarray, labels: Labels) -> ClassRows:
        """Take the means off.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
            The data.
        labels : Labels
            The classes.
        """
        n_classes = range(len(labels.classes))
        means = np.array([X[labels.codes == k].mean(axis=0) for k in n_classes])
        return cls(labels, means, X - means[labels.codes])

    def sums(self, rows: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Sum values over the rows of each class.

        Parameters
        ----------
        rows : ndarray of shape (..., m)
            Row numbers.
        values : ndarray of shape (..., m, c)
            What to sum.
        """
        n_classes = len(self.labels.classes)
        marks = self.labels.codes[rows][..., None, :] == np.arange(n_classes)[:, None]
        return marks.astype(float) @ values


@dataclass(frozen=True)
class NaiveBayes:
    """Gaussian naive Bayes with the classes' frequencies as priors.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        The data, centred.
    centred : ClassRows
        The data by classes.
    smoothing : float
        Which share of the largest variance is added to all.
    magnitude : ndarray of shape (n_features,)
        The largest entries of the columns as given, 0 for those that are constant.
    """

    X: np.ndarray
    centred: ClassRows
    smoothing: float
    magnitude: np.ndarray

    @property
    def classes(self) -> np.ndarray:
        """The classes."""
        return self.centred.labels.classes

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split.

        Parameters
        ----------
        batch : Batch
            The splits.
        """
        d, n_classes = self.X.shape[1], len(self.classes)
        counts = class_counts(batch, self.centred.labels.codes, n_classes)
        found = np.all(counts > 0, axis=1)
        likelihoods = np.zeros((batch.test.size, n_classes))
        sums = np.stack([self._sums(pool.rows) for pool in batch.pools])
        for stack in batch.stacks(batch.pools, found, _MOST_NUMBERS // (2 * d)):
            some = sums[stack.pool]
            if stack.downdate:
                some = some - self._sums(stack.rows)
            moments = self._moments(some, counts[stack.splits])
            found[stack.splits[~moments[-1]]] = False
            likelihoods[stack.at] = self._likelihoods(stack, counts[stack.splits], *moments[:-1])
        return _from_likelihoods(batch, likelihoods, found)

    def _sums(self, rows: np.ndarray) -> np.ndarray:
        deviations = self.centred.rows[rows]
        values = np.concatenate([deviations, np.square(deviations)], axis=-1)
        return self.centred.sums(rows, values)

    def _moments(
        self, sums: np.ndarray, counts: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return means and variances by class, and whether they are free of cancellation."""
        d = self.X.shape[1]
        shift, squares = np.split(sums / counts[:, :, None], [d], axis=2)
        means = self.centred.means + shift
        variances = squares - shift**2
        shares = (counts / counts.sum(axis=1, keepdims=True))[:, :, None]
        centre = (shares * means).sum(axis=1, keepdims=True)
        total = (shares * (variances + (means - centre) ** 2)).sum(axis=1)
        smallest = self.smoothing * total.max(axis=1)[:, None, None]
        whole = np.square(self.centred.rows).mean(axis=0)
        ample = (variances > _LEAST_VARIANCE * whole) | (whole == 0)
        variances = np.maximum(variances, 0) + smallest
        # Where a mean is large against the spread, its rounding counts.
        precise = (variances > 0) & (variances > (_LEAST_SPREAD * self.magnitude) ** 2)
        return means, variances, (ample & precise).all(axis=(1, 2))

    def _likelihoods(
        self, stack: Stack, counts: np.ndarray, means: np.ndarray, variances: np.ndarray
    ) -> np.ndarray:
        X = self.X[stack.rows]
        logs = np.empty((*stack.rows.shape, counts.shape[1]))
        with np.errstate(all="ignore"):  # where variances are zero the split is given up
            for k in range(counts.shape[1]):
                scaled = (X - means[:, k, None]) ** 2 / variances[:, k, None]
                constant = np.log(2 * np.pi * variances[:, k]).sum(axis=1)
                logs[..., k] = -0.5 * (scaled.sum(axis=2) + constant[:, None])
        return logs + np.log(counts / counts.sum(axis=1, keepdims=True))[:, None]


@dataclass(frozen=True)
class Discriminants:
    """Linear discriminants with the classes' frequencies as priors.

    Parameters
    ----------
    labels : Labels
        The classes.
    centred : ClassRows
        The data by classes, in a basis in which the scatter within them is even.
    X : ndarray of shape (n_rows, n_features)
        The data, centred as a whole, in that basis.
    condition : float
        Of the scatter of all rows before it was made even.
    """

    labels: Labels
    centred: ClassRows
    X: np.ndarray
    condition: float

    @property
    def classes(self) -> np.ndarray:
        """The classes."""
        return self.labels.classes

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split.

        Parameters
        ----------
        batch : Batch
            The splits.
        """
        d, n_classes = self.X.shape[1], len(self.classes)
        counts = class_counts(batch, self.labels.codes, n_classes)
        found = (counts > 0).all(axis=1) & (batch.n_train >= d + n_classes)
        scores = np.zeros((batch.test.size, n_classes))
        step = max(1, _MOST_POOLED // d**2)
        for first in range(0, len(batch.pools), step):
            pools = batch.pools[first : first + step]
            sums = self._pool_sums(pools)
            for stack in batch.stacks(pools, found, _MOST_NUMBERS // d):
                scores[stack.at], good = self._scores(stack, counts[stack.splits], *sums)
                found[stack.splits[~good]] = False
        if n_classes > 2:
            return _from_likelihoods(batch, scores, found, decision=scores)
        decision = scores[:, 1] - scores[:, 0]
        return _from_likelihoods(batch, scores, found, decision=decision)

    def _pool_sums(self, pools: Sequence[Pool]) -> tuple[np.ndarray, np.ndarray]:
        parts = [self.centred.rows[pool.rows] for pool in pools]
        sums = [self.centred.sums(pool.rows, Z) for pool, Z in zip(pools, parts, strict=True)]
        return np.stack([Z.T @ Z for Z in parts]), np.stack(sums)

    def _scores(
        self, stack: Stack, counts: np.ndarray, scatters: np.ndarray, sums: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        scatters, sums = scatters[stack.pool], sums[stack.pool]
        size = largest(scatters)
        if stack.downdate:
            Z = self.centred.rows[stack.rows]
            scatters = scatters - Z.transpose(0, 2, 1) @ Z
            sums = sums - self.centred.sums(stack.rows, Z)
        shift = sums / counts[:, :, None]
        within = scatters - sums.transpose(0, 2, 1) @ shift
        n_train = counts.sum(axis=1)
        divisor = _scatter_divisor(n_train, counts.shape[1])
        within /= divisor[:, None, None]
        means = self.centred.means + shift
        priors = counts / n_train[:, None]
        centre = priors[:, None] @ means
        means = means - centre
        coefficients, inverse = solve(within, means.transpose(0, 2, 1))
        condition = size / divisor * inverse
        gram = means @ coefficients
        constants = np.log(priors) - gram.diagonal(axis1=1, axis2=2) / 2
        scores = (self.X[stack.rows] - centre) @ coefficients + constants[:, None]
        # In a basis of all rows: those of a split alone may be as bad as both together.
        good = (condition * self.condition < _MOST_SOLVED) & _is_spanned(gram, counts)
        return scores, good & np.isfinite(scores).all(axis=(1, 2))


def _is_spanned(gram: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Whether the class means span all directions that they can, none of them faint."""
    finite = np.isfinite(gram).all(axis=(1, 2))
    root = np.sqrt(counts)
    weighted = np.where(finite[:, None, None], gram, 0) * root[:, :, None] * root[:, None]
    sizes = np.linalg.eigvalsh(weighted)
    return finite & (sizes[:, -1] > 0) & (sizes[:, 1] > _LEAST_BETWEEN**2 * sizes[:, -1])


@cache
def _divides_by_rows() -> bool:
    """Whether this scikit-learn divides the scatter by n, as since 1.9, or by n - K as before."""
    model = LinearDiscriminantAnalysis().fit([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1])
    return bool(abs(model.coef_[0, 0] - 16.0) < 1.0)


def _scatter_divisor(n_train: np.ndarray, n_classes: int) -> np.ndarray:
    return n_train if _divides_by_rows() else n_train - n_classes


def _from_likelihoods(
    batch: Batch, logs: np.ndarray, found: np.ndarray, decision: np.ndarray | None = None
) -> Answers:
    """Turn log-likelihoods, up to a number for each row, into classes and probabilities."""
    doubtful = np.add.reduceat(is_close_call(logs), batch.offsets[:-1]) > 0
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return Answers(found & ~doubtful, logs.argmax(axis=1), shares, decision)


def naive_bayes(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a GaussianNB, if it has one.

    Parameters
    ----------
    estimator : GaussianNB
        The estimator.
    data : Data
        The data.
    params : mapping
        What its ``fit`` gets.
    """
    smoothing, labels, X = estimator.var_smoothing, data.labels, data.numbers
    if params or not is_real(smoothing) or not smoothing >= 0:
        return None
    if labels is None or X is None or len(labels.classes) < 2:
        return None
    magnitude = np.abs(X).max(axis=0)
    is_constant = X.max(axis=0) == X.min(axis=0)
    magnitude[is_constant] = 0.0
    X = X - X.mean(axis=0)
    X[:, is_constant] = 0.0
    return NaiveBayes(X, ClassRows.centre(X, labels), float(smoothing), magnitude)


def discriminants(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a LinearDiscriminantAnalysis, if it has one.

    Parameters
    ----------
    estimator : LinearDiscriminantAnalysis
        The estimator.
    data : Data
        The data.
    params : mapping
        What its ``fit`` gets.
    """
    labels, X = data.labels, data.numbers
    if params or labels is None or X is None:
        return None
    n, d = X.shape
    n_classes = len(labels.classes)
    if n_classes < 2 or d < n_classes - 1 or n < d + n_classes:
        return None
    magnitude = np.abs(X).max(axis=0)
    X = X - X.mean(axis=0)
    centred = ClassRows.centre(X, labels)
    basis = make_basis(centred.rows, intercept=False)
    if basis is None or basis.axes is None or basis.scaled_condition > _MOST_WITHIN:
        return None
    if (centred.rows.std(axis=0) < _LEAST_SPREAD * magnitude).any():
        return None
    axes = basis.axes
    means, rows = centred.means @ axes, X @ axes
    whole = ClassRows(labels, means, basis.rows)
    return Discriminants(labels, whole, rows, float(basis.scaled_condition))
