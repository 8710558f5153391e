"""The leave-block-out identity of least squares, from one factorisation for all splits.

Notes
-----
The scatter matrix of the training rows is that of a pool of rows, which several splits share, minus
that of the test rows. With p columns and m test rows, the smaller of two systems is solved: the
p x p system of the training rows, or the m x m system of the deleted residuals ``(I - H)^-1 e``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from ._basis import largest, solve
from ._batch import Batch, Blocks, Pool, Stack

# Numbers in a stack of test rows: 1 MB, which stays in a processor's cache.
MOST_STACKED = 2**17
# Numbers in the matrices of pools in memory at once: 32 MB.
_MOST_POOLED = 2**22
# Products of columns of all rows, 64 KB: summed over training rows by one matrix product with the
# marks of these, though that multiplies by zeros as well.
_MOST_PRODUCTS = 2**13


@dataclass(frozen=True)
class Rows:
    """The rows in a basis, and the normal equations of training rows."""

    joined: np.ndarray
    penalty: np.ndarray
    weights: np.ndarray | None

    @cached_property
    def n_columns(self) -> int:
        """The number of coefficients, including the intercept."""
        return self.penalty.size

    def are_small(self, batch: Batch) -> bool:
        """Whether rows have so few products that one matrix product sums them for all splits."""
        return batch.n_rows * self.joined.shape[1] ** 2 <= _MOST_PRODUCTS and bool(
            batch.trains_on_distinct_rows.all()
        )

    def sums_of_all(self, batch: Batch) -> np.ndarray:
        """Return the products of all columns over the training rows of each split."""
        weighted = self.joined
        if self.weights is not None:
            weighted = weighted * np.sqrt(self.weights)[:, None]
        products = weighted[:, :, None] * weighted[:, None]
        sums = batch.train_marks.astype(float) @ products.reshape(batch.n_rows, -1)
        sums = sums.reshape(len(batch), *products.shape[1:])
        sums[:, : self.n_columns, : self.n_columns] += np.diag(self.penalty)
        return sums

    def fill(
        self,
        predictions: np.ndarray,
        condition: np.ndarray,
        batch: Batch,
        pools: Sequence[Pool],
        wanted: np.ndarray,
    ) -> None:
        """Fill in predictions from these pools, and the condition numbers of the systems."""
        p = self.n_columns
        if not wanted.all():
            pools = [pool for pool in pools if wanted[pool.splits].any()]
        step = max(1, _MOST_POOLED // p**2)
        for first in range(0, len(pools), step):
            some = pools[first : first + step]
            sums = np.stack([self._sums(pool.rows) for pool in some])
            sums[:, :p, :p] += np.diag(self.penalty)
            for stack in batch.stacks(some, wanted, MOST_STACKED // p):
                form = self._by_rows if self._has_few_rows(stack) else self.by_columns
                predictions[stack.at], condition[stack.splits] = form(stack, sums)

    def _has_few_rows(self, stack: Stack) -> bool:
        m, p = stack.rows.shape[1], self.n_columns
        few = 2 * m * m * p + 2 * m**3 / 3 < 2 * p**3 / 3
        return few and stack.downdate and self.weights is None

    def _sums(self, rows: np.ndarray) -> np.ndarray:
        """Return the products of all columns, including the target, over some rows."""
        return self._products(rows, Blocks(self.joined, rows))

    def _products(self, rows: np.ndarray, blocks: Blocks) -> np.ndarray:
        """Sum the products of all columns over the last axis of `rows`, in blocks."""
        weighted = (some for _, some in blocks)
        if self.weights is not None:
            roots = np.sqrt(self.weights)[..., None]
            weighted = (some * roots[rows[..., part]] for part, some in blocks)
        return reduce(np.add, (np.swapaxes(some, -1, -2) @ some for some in weighted))

    def by_columns(self, stack: Stack, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve the training rows' normal equations."""
        p, sums = self.n_columns, sums[stack.pool]
        size = largest(sums[:, :p, :p])  # subtraction leaves the rounding error of this
        blocks = Blocks(self.joined, stack.rows)
        if stack.downdate:
            sums -= self._products(stack.rows, blocks)
        coefficients, inverse = solve(sums[:, :p, :p], sums[:, :p, p:])
        predictions = np.empty((*stack.rows.shape, coefficients.shape[-1]))
        for part, some in blocks:
            predictions[:, part] = some[..., :p] @ coefficients
        return predictions, size * inverse

    def _by_rows(self, stack: Stack, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve for the residuals of the test rows after their deletion."""
        p, m = self.n_columns, stack.rows.shape[1]
        used, pool = np.unique(stack.pool, return_inverse=True)
        matrices, sides = sums[used, :p, :p], sums[used, :p, p:]
        eye = np.broadcast_to(np.eye(p), matrices.shape)
        solved, inverse = solve(matrices, np.concatenate([eye, sides], axis=2))
        condition = largest(matrices) * inverse
        Z, y = np.split(self.joined[stack.rows], [p], axis=2)
        residuals = y - Z @ solved[pool, :, p:]
        leverage = (Z @ solved[pool, :, :p]) @ Z.transpose(0, 2, 1)
        deleted, inverse = solve(np.eye(m) - leverage, residuals)
        return y - deleted, condition[pool] * np.maximum(inverse, 1.0)
