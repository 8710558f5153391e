"""Least squares and ridge: the leave-block-out identity, from one factorisation for all splits.

Notes
-----
The scatter matrix of the training rows is that of a pool of rows, shared by several splits, less
that of the test rows. With p columns and m test rows either the p x p system of the training rows
is solved, or the m x m system of the deleted residuals ``(I - H)^-1 e``, whichever is smaller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..._utils import is_real
from ._base import Answers, FastModel, has_all_classes, is_close_call
from ._basis import Basis, largest, make_basis, solve
from ._batch import Batch, Pool, Stack
from ._data import Data

# scikit-learn's own rounding grows with these, and the two must agree to 1e-9.
_MOST_LEAST_SQUARES = 3e4  # condition number of the training rows
_MOST_RIDGE = 3e6  # condition number of their penalised scatter matrix
_MOST_SOLVED = 1e4  # condition number of the systems solved here, cancellation included
# Numbers in a stack of rows, which is to stay in the cache, and in the pools' matrices.
_MOST_NUMBERS = 2**17
_MOST_POOLED = 2**22
# Products of columns of all rows that are summed over training rows without further ado.
_MOST_PRODUCTS = 2**13


@dataclass(frozen=True)
class Penalised:
    """Least squares with one penalty.

    Parameters
    ----------
    basis : Basis
        The rows, and the penalty in their basis.
    y : ndarray of shape (n_rows, n_outputs)
        The target, centred.
    weights : ndarray of shape (n_rows,) or None
        Weights of the rows.
    is_ridge : bool
        Whether scikit-learn solves normal equations itself.
    n_features : int
        Of X; scikit-learn turns to the kernel where there are fewer rows.
    """

    basis: Basis
    y: np.ndarray
    weights: np.ndarray | None
    is_ridge: bool
    n_features: int

    @cached_property
    def n_columns(self) -> int:
        """The number of coefficients, the intercept's included."""
        return self.basis.rows.shape[1]

    @cached_property
    def joined(self) -> np.ndarray:
        """The rows and, next to them, their target, of which one product gives all sums."""
        return np.concatenate([self.basis.rows, self.y], axis=1)

    @cached_property
    def weighted(self) -> np.ndarray:
        """The same times the roots of the weights."""
        if self.weights is None:
            return self.joined
        return self.joined * np.sqrt(self.weights)[:, None]

    def predict(self, batch: Batch) -> tuple[np.ndarray, np.ndarray]:
        """Return predictions for the test rows, and which splits they are good for.

        Parameters
        ----------
        batch : Batch
            The splits.
        """
        predictions = np.empty((batch.test.size, self.y.shape[1]))
        condition = np.full(len(batch), np.inf)
        wanted = batch.n_train >= (1 if self.basis.penalty.any() else self.n_columns)
        if self._is_small(batch):
            sums = self._sums_of_all(batch)
            for stack in batch.stacks_alone(wanted, _MOST_NUMBERS // self.n_columns):
                predictions[stack.at], condition[stack.splits] = self._by_columns(stack, sums)
            return predictions, self._is_accurate(condition, batch.n_train)
        self._fill(predictions, condition, batch, batch.pools, wanted)
        # What test rows of great weight leave behind is cancelled: these splits on their own.
        wanted &= condition > _MOST_SOLVED
        alone = [batch.pool_of(i) for i in np.flatnonzero(wanted).tolist()]
        self._fill(predictions, condition, batch, alone, wanted)
        return predictions, self._is_accurate(condition, batch.n_train)

    def _fill(
        self,
        predictions: np.ndarray,
        condition: np.ndarray,
        batch: Batch,
        pools: Sequence[Pool],
        wanted: np.ndarray,
    ) -> None:
        """Fill in predictions from these pools, and the condition numbers of what was solved."""
        p = self.n_columns
        if not wanted.all():
            pools = [pool for pool in pools if wanted[pool.splits].any()]
        step = max(1, _MOST_POOLED // p**2)
        for first in range(0, len(pools), step):
            some = pools[first : first + step]
            sums = np.stack([self._sums(pool.rows) for pool in some])
            sums[:, :p, :p] += np.diag(self.basis.penalty)
            for stack in batch.stacks(some, wanted, _MOST_NUMBERS // p):
                form = self._by_rows if self._has_few_rows(stack) else self._by_columns
                predictions[stack.at], condition[stack.splits] = form(stack, sums)

    def _is_small(self, batch: Batch) -> bool:
        """Whether each row's products are so few that one matrix product sums them for all."""
        return batch.n_rows * self.joined.shape[1] ** 2 <= _MOST_PRODUCTS and bool(
            batch.trains_on_distinct_rows.all()
        )

    def _sums_of_all(self, batch: Batch) -> np.ndarray:
        """Return the products of all columns over the training rows of each split."""
        products = self.weighted[:, :, None] * self.weighted[:, None]
        sums = batch.train_marks.astype(float) @ products.reshape(batch.n_rows, -1)
        sums = sums.reshape(len(batch), *products.shape[1:])
        sums[:, : self.n_columns, : self.n_columns] += np.diag(self.basis.penalty)
        return sums

    def _is_accurate(self, condition: np.ndarray, n_train: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            if self.is_ridge:
                # The kernel of some rows is no worse than that of all.
                theirs = np.where(
                    n_train < self.n_features,
                    self.basis.condition,
                    self.basis.scaled_condition * condition,
                )
                return (condition < _MOST_SOLVED) & (theirs < _MOST_RIDGE)
            theirs = np.sqrt(self.basis.condition * condition)
            return (condition < _MOST_SOLVED) & (theirs < _MOST_LEAST_SQUARES)

    def _has_few_rows(self, stack: Stack) -> bool:
        m, p = stack.rows.shape[1], self.n_columns
        few = 2 * m * m * p + 2 * m**3 / 3 < 2 * p**3 / 3
        return few and stack.downdate and self.weights is None

    def _sums(self, rows: np.ndarray) -> np.ndarray:
        """Return the products of all columns, those of the target included, over some rows."""
        some = np.take(self.weighted, rows, axis=0)
        return some.T @ some

    def _by_columns(self, stack: Stack, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve the training rows' normal equations."""
        p, sums = self.n_columns, sums[stack.pool]
        size = largest(sums[:, :p, :p])  # what is taken off leaves the rounding of this behind
        rows = np.take(self.joined, stack.rows, axis=0)
        if stack.downdate:
            some = rows if self.weights is None else np.take(self.weighted, stack.rows, axis=0)
            sums -= some.transpose(0, 2, 1) @ some
        coefficients, inverse = solve(sums[:, :p, :p], sums[:, :p, p:])
        return rows[:, :, :p] @ coefficients, size * inverse

    def _by_rows(self, stack: Stack, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve for the residuals that the test rows have once they are deleted."""
        p, m = self.n_columns, stack.rows.shape[1]
        used, pool = np.unique(stack.pool, return_inverse=True)
        matrices, sides = sums[used, :p, :p], sums[used, :p, p:]
        eye = np.broadcast_to(np.eye(p), matrices.shape)
        solved, inverse = solve(matrices, np.concatenate([eye, sides], axis=2))
        condition = largest(matrices) * inverse
        Z, y = self.basis.rows[stack.rows], self.y[stack.rows]
        residuals = y - Z @ solved[pool, :, p:]
        leverage = (Z @ solved[pool, :, :p]) @ Z.transpose(0, 2, 1)
        deleted, inverse = solve(np.eye(m) - leverage, residuals)
        return y - deleted, condition[pool] * np.maximum(inverse, 1.0)


@dataclass(frozen=True)
class LinearModel:
    """A linear regression with one penalty for each output.

    Parameters
    ----------
    parts : sequence of (ndarray, Penalised)
        The outputs that share a penalty, and their model.
    shift : ndarray of shape (n_outputs,)
        What was taken off the target.
    is_flat : bool
        Whether predictions are of one dimension.
    """

    parts: Sequence[tuple[np.ndarray, Penalised]]
    shift: np.ndarray
    is_flat: bool
    classes: None = None

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split.

        Parameters
        ----------
        batch : Batch
            The splits.
        """
        predictions = np.empty((batch.test.size, self.shift.size))
        found = np.ones(len(batch), dtype=bool)
        for outputs, model in self.parts:
            predictions[:, outputs], good = model.predict(batch)
            found &= good
        predictions += self.shift
        return Answers(found, predictions[:, 0] if self.is_flat else predictions)


@dataclass(frozen=True)
class RidgeLabels:
    """A ridge regression on classes coded as -1 and 1.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        The classes.
    codes : ndarray of shape (n_rows,)
        The number of each row's class.
    regression : LinearModel
        On one column for each class; on one for two classes.
    """

    classes: np.ndarray
    codes: np.ndarray
    regression: LinearModel

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split.

        Parameters
        ----------
        batch : Batch
            The splits.
        """
        answers = self.regression.answer(batch)
        decision = answers.predict
        columns = decision if decision.ndim > 1 else np.column_stack([-decision, decision])
        doubtful = np.add.reduceat(is_close_call(columns), batch.offsets[:-1]) > 0
        found = answers.found & ~doubtful
        found &= has_all_classes(batch, self.codes, len(self.classes))
        return Answers(found, columns.argmax(axis=1), decision_function=decision)


def ordinary(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a LinearRegression, if it has one.

    Parameters
    ----------
    estimator : LinearRegression
        The estimator.
    data : Data
        The data.
    params : mapping
        What its ``fit`` gets.
    """
    # scikit-learn 1.9 drops directions below `tol`, earlier versions those of rounding size.
    tol = getattr(estimator, "tol", 1e-6)
    plain = is_real(tol) and 0 <= tol <= 0.1 / _MOST_LEAST_SQUARES
    if not plain or data.target is None:
        return None
    return _linear_model(estimator, data, data.target, [0.0], params)


def ridge(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a Ridge, if it has one.

    Parameters
    ----------
    estimator : Ridge
        The estimator.
    data : Data
        The data.
    params : mapping
        What its ``fit`` gets.
    """
    if not _is_cholesky(estimator) or data.target is None:
        return None
    alphas = _alphas(estimator.alpha, data.target)
    return None if alphas is None else _linear_model(estimator, data, data.target, alphas, params)


def ridge_classifier(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a RidgeClassifier, if it has one.

    Parameters
    ----------
    estimator : RidgeClassifier
        The estimator.
    data : Data
        The data.
    params : mapping
        What its ``fit`` gets.
    """
    if not _is_cholesky(estimator) or data.labels is None:
        return None
    classes, codes = data.labels
    if len(classes) < 2:
        return None
    signs = np.where(codes[:, None] == np.arange(len(classes)), 1.0, -1.0)
    target = signs[:, 1] if len(classes) == 2 else signs
    alphas = _alphas(estimator.alpha, target)
    if alphas is None or len(alphas) > 1:
        return None
    regression = _linear_model(estimator, data, target, alphas, params)
    return None if regression is None else RidgeLabels(classes, codes, regression)


def _is_cholesky(estimator: Any) -> bool:
    return isinstance(estimator.solver, str) and estimator.solver in ("auto", "cholesky")


def _alphas(alpha: Any, y: np.ndarray) -> Sequence[float] | None:
    if is_real(alpha):
        return [float(alpha)] if 0 <= alpha < np.inf else None
    if type(alpha) is not np.ndarray or alpha.dtype != np.float64 or alpha.shape != y.shape[1:]:
        return None
    return alpha.tolist() if ((alpha >= 0) & np.isfinite(alpha)).all() and alpha.ndim else None


def _linear_model(
    estimator: Any,
    data: Data,
    y: np.ndarray,
    alphas: Sequence[float],
    params: Mapping[str, Any],
) -> LinearModel | None:
    intercept, X = estimator.fit_intercept, data.numbers
    weights = params.get("sample_weight")
    if not isinstance(intercept, bool) or X is None or not set(params) <= {"sample_weight"}:
        return None
    if weights is not None and not _are_weights(weights, len(X)):
        return None
    is_flat = y.ndim == 1
    y = y[:, None] if is_flat else y
    shift = np.average(y, axis=0, weights=weights) if intercept else np.zeros(y.shape[1])
    parts = []
    for alpha in dict.fromkeys(alphas):
        basis = make_basis(X, intercept=intercept, weights=weights, alpha=alpha)
        if basis is None:
            return None
        shared = len(alphas) == 1
        outputs = np.arange(y.shape[1]) if shared else np.flatnonzero(np.equal(alphas, alpha))
        part = Penalised(
            basis, (y - shift)[:, outputs], weights, hasattr(estimator, "alpha"), X.shape[1]
        )
        parts.append((outputs, part))
    return LinearModel(parts, shift, is_flat)


def _are_weights(weights: Any, n: int) -> bool:
    return (
        type(weights) is np.ndarray
        and weights.shape == (n,)
        and weights.dtype == np.float64
        and bool(np.isfinite(weights).all() and (weights > 0).all())
    )
