"""Gaussian naive Bayes, from sums over the rows of each class."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from skcvstats._utils._checks import is_real

from ._base import Answers, FastModel, class_counts
from ._batch import Batch, Blocks
from ._classes import ClassSums, from_likelihoods, less_class_means
from ._data import Data, Labels, magnitudes

# Numbers in a stack of test rows and their squares: 4 MB.
_MOST_NUMBERS = 2**19
# Of a class's variance against the spread within all classes, as a difference of whose sums it is
# computed: its relative rounding is 2e-16 over this, 2e-10.
_LEAST_VARIANCE = 1e-6
# Of a column's spread within a class against its largest entry: the relative rounding of what is
# left less the mean is 2e-16 over this, 7e-12, in scikit-learn too.
_LEAST_SPREAD = 3e-5


@dataclass(frozen=True)
class NaiveBayes:
    """Gaussian naive Bayes with the classes' frequencies as priors."""

    X: np.ndarray
    labels: Labels
    means: np.ndarray
    spread: np.ndarray
    smoothing: float
    magnitude: np.ndarray

    @property
    def classes(self) -> np.ndarray:
        """The classes."""
        return self.labels.classes

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split."""
        d, n_classes = self.X.shape[1], len(self.classes)
        counts = class_counts(batch, self.labels.codes, n_classes)
        found = np.all(counts > 0, axis=1)
        likelihoods = np.zeros((batch.test.size, n_classes))
        sums = np.stack([self._sums(p.rows, Blocks(self.X, p.rows)) for p in batch.pools])
        for stack in batch.stacks(batch.pools, found, _MOST_NUMBERS // (2 * d)):
            blocks = Blocks(self.X, stack.rows)
            some = sums[stack.pool]
            if stack.downdate:
                some = some - self._sums(stack.rows, blocks)
            moments = self._moments(some, counts[stack.splits])
            found[stack.splits[~moments[-1]]] = False
            for part, X in blocks:
                likelihoods[stack.at[:, part]] = self._likelihoods(
                    X, counts[stack.splits], *moments[:-1]
                )
        return from_likelihoods(batch, likelihoods, found)

    def _sums(self, rows: np.ndarray, blocks: Blocks) -> np.ndarray:
        """Sum by class, over the last axis of `rows`, X minus the class means, and the squares."""
        return reduce(np.add, (self._sums_of_block(rows[..., part], X) for part, X in blocks))

    def _sums_of_block(self, rows: np.ndarray, X: np.ndarray) -> np.ndarray:
        d = X.shape[-1]
        values = np.empty((*rows.shape, 2 * d))
        left = np.subtract(X, self.means[self.labels.codes[rows]], out=values[..., :d])
        np.square(left, out=values[..., d:])
        return ClassSums(self.labels.codes, len(self.classes)).of(rows, values)

    def _moments(
        self, sums: np.ndarray, counts: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return means and variances by class, and whether they are free of cancellation."""
        d = self.X.shape[1]
        shift, squares = np.split(sums / counts[:, :, None], [d], axis=2)
        means = self.means + shift
        variances = squares - shift**2
        shares = (counts / counts.sum(axis=1, keepdims=True))[:, :, None]
        centre = (shares * means).sum(axis=1, keepdims=True)
        total = (shares * (variances + (means - centre) ** 2)).sum(axis=1)
        smallest = self.smoothing * total.max(axis=1)[:, None, None]
        ample = (variances > _LEAST_VARIANCE * self.spread) | (self.spread == 0)
        variances = np.maximum(variances, 0) + smallest
        # If a mean is large compared with the spread, its rounding matters.
        precise = (variances > 0) & (variances > (_LEAST_SPREAD * self.magnitude) ** 2)
        return means, variances, (ample & precise).all(axis=(1, 2))

    def _likelihoods(
        self, X: np.ndarray, counts: np.ndarray, means: np.ndarray, variances: np.ndarray
    ) -> np.ndarray:
        logs = np.empty((*X.shape[:2], counts.shape[1]))
        with np.errstate(all="ignore"):  # if a variance is zero the split is refitted
            for k in range(counts.shape[1]):
                scaled = (X - means[:, k, None]) ** 2 / variances[:, k, None]
                constant = np.log(2 * np.pi * variances[:, k]).sum(axis=1)
                logs[..., k] = -0.5 * (scaled.sum(axis=2) + constant[:, None])
        return logs + np.log(counts / counts.sum(axis=1, keepdims=True))[:, None]


def naive_bayes(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a GaussianNB, if it has one."""
    smoothing, labels, X = estimator.var_smoothing, data.labels, data.numbers
    if params or not is_real(smoothing) or not smoothing >= 0:
        return None
    if labels is None or X is None or len(labels.classes) < 2:
        return None
    magnitude = np.where(X.max(axis=0) == X.min(axis=0), 0.0, magnitudes(X))
    means = ClassSums(labels.codes, len(labels.classes)).means(X)
    blocks = less_class_means(X, labels.codes, means)
    spread = sum(np.square(left).sum(axis=0) for _, left in blocks) / len(X)
    return NaiveBayes(X, labels, means, spread, float(smoothing), magnitude)
