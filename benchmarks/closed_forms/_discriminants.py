"""Linear discriminants, from sums over the rows of each class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from ._base import Answers, FastModel, class_counts
from ._basis import Basis, centre_of, from_scatter, largest, solve
from ._batch import Batch, Blocks, Pool, Stack
from ._classes import ClassSums, from_likelihoods, less_class_means
from ._data import Data, Labels, magnitudes

# Numbers in a stack of test rows, 4 MB, and in the matrices of pools in memory at once, 32 MB.
_MOST_NUMBERS = 2**19
_MOST_POOLED = 2**22
# Of the within-class scatter with columns scaled to unit length: of all rows, and of a split's.
# scikit-learn drops directions whose singular value is below 1e-4, a condition of 1e8.
_MOST_WITHIN = 1e5
_MOST_SOLVED = 1e6
# scikit-learn drops directions of the class means whose singular value is below 1e-4 of the first.
_LEAST_BETWEEN = 1e-3
# Of a column's spread within a class against its largest entry, as for naive Bayes.
_LEAST_SPREAD = 3e-5


@dataclass(frozen=True)
class Discriminants:
    """Linear discriminants with the classes' frequencies as priors."""

    X: np.ndarray
    labels: Labels
    means: np.ndarray
    basis: Basis

    @property
    def classes(self) -> np.ndarray:
        """The classes."""
        return self.labels.classes

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split."""
        # Made again for every batch, so that only one estimator has it in memory at a time.
        rows = RowsOfClasses.of(self.X, self.labels.codes, self.means, self.basis)
        d, n_classes = self.X.shape[1], len(self.classes)
        counts = class_counts(batch, self.labels.codes, n_classes)
        found = (counts > 0).all(axis=1) & (batch.n_train >= d + n_classes)
        scores = np.zeros((batch.test.size, n_classes))
        step = max(1, _MOST_POOLED // d**2)
        for first in range(0, len(batch.pools), step):
            pools = batch.pools[first : first + step]
            sums = rows.sums_of(pools)
            for stack in batch.stacks(pools, found, _MOST_NUMBERS // d):
                good = rows.fill(scores, stack, counts[stack.splits], *sums)
                found[stack.splits[~good]] = False
        if n_classes > 2:
            return from_likelihoods(batch, scores, found, decision=scores)
        decision = scores[:, 1] - scores[:, 0]
        return from_likelihoods(batch, scores, found, decision=decision)


@dataclass(frozen=True)
class RowsOfClasses:
    """The rows in a basis, minus the mean of their class."""

    rows: np.ndarray
    codes: np.ndarray
    means: np.ndarray
    condition: float

    @classmethod
    def of(cls, X: np.ndarray, codes: np.ndarray, means: np.ndarray, basis: Basis) -> Self:
        """Transform X to a basis."""
        axes: Any = basis.axes  # a basis from a scatter matrix has axes
        rows = np.empty(X.shape)
        for part, left in less_class_means(X, codes, means):
            rows[part] = left @ axes
        return cls(rows, codes, (means - basis.centre) @ axes, basis.scaled_condition)

    def sums_of(self, pools: Sequence[Pool]) -> tuple[np.ndarray, np.ndarray]:
        """Return the scatter matrix of each pool, and its sums by class."""
        sums = [self._sums(pool.rows, Blocks(self.rows, pool.rows)) for pool in pools]
        scatters, by_class = zip(*sums, strict=True)
        return np.stack(scatters), np.stack(by_class)

    def _sums(self, rows: np.ndarray, blocks: Blocks) -> tuple[np.ndarray, np.ndarray]:
        """Return the same over the last axis of `rows`, in blocks."""
        of_classes = ClassSums(self.codes, len(self.means))
        scatter: Any = 0.0
        by_class: Any = 0.0
        for part, Z in blocks:
            scatter = scatter + np.swapaxes(Z, -1, -2) @ Z
            by_class = by_class + of_classes.of(rows[..., part], Z)
        return scatter, by_class

    def fill(
        self,
        scores: np.ndarray,
        stack: Stack,
        counts: np.ndarray,
        scatters: np.ndarray,
        sums: np.ndarray,
    ) -> np.ndarray:
        """Fill in the scores of test rows, and return for which splits they are valid."""
        scatters, sums = scatters[stack.pool], sums[stack.pool]
        size = largest(scatters)
        blocks = Blocks(self.rows, stack.rows)
        if stack.downdate:
            off, off_by_class = self._sums(stack.rows, blocks)
            scatters, sums = scatters - off, sums - off_by_class
        shift = sums / counts[:, :, None]
        within = scatters - sums.transpose(0, 2, 1) @ shift
        n_train = counts.sum(axis=1)
        divisor = _scatter_divisor(n_train, counts.shape[1])
        within /= divisor[:, None, None]
        means = self.means + shift
        priors = counts / n_train[:, None]
        centre = priors[:, None] @ means
        means = means - centre
        coefficients, inverse = solve(within, means.transpose(0, 2, 1))
        condition = size / divisor * inverse
        gram = means @ coefficients
        constants = np.log(priors) - gram.diagonal(axis1=1, axis2=2) / 2
        # In a basis of all rows: the condition of a split may be as bad as both together.
        good = (condition * self.condition < _MOST_SOLVED) & _is_spanned(gram, counts)
        # The score of a class (last) for a row that is its own class's mean.
        of_means = (self.means - centre) @ coefficients + constants[:, None]
        each = np.arange(len(gram))[:, None]
        for part, Z in blocks:
            answers = Z @ coefficients + of_means[each, self.codes[stack.rows[:, part]]]
            scores[stack.at[:, part]] = answers
            good &= np.isfinite(answers).all(axis=(1, 2))
        return good


def _is_spanned(gram: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Whether the class means span all possible directions, each of them clearly."""
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


def discriminants(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a LinearDiscriminantAnalysis, if it has one."""
    labels, X = data.labels, data.numbers
    if params or labels is None or X is None:
        return None
    n, d = X.shape
    n_classes = len(labels.classes)
    if n_classes < 2 or d < n_classes - 1 or n < d + n_classes:
        return None
    means = ClassSums(labels.codes, n_classes).means(X)
    within = np.zeros((d, d))
    for _, left in less_class_means(X, labels.codes, means):
        within += left.T @ left
    if (np.sqrt(within.diagonal() / n) < _LEAST_SPREAD * magnitudes(X)).any():
        return None
    basis = from_scatter(within, centre_of(X), n)
    if basis is None or basis.scaled_condition > _MOST_WITHIN:
        return None
    return Discriminants(X, labels, means, basis)
