"""Least squares and ridge, one penalty for each output, and the classifier made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcvstats._utils._checks import is_real

from ._base import Answers, FastModel, has_all_classes, is_close_call
from ._basis import Basis, make_basis
from ._batch import Batch
from ._data import Data
from ._normal_equations import MOST_STACKED, Rows

# A prediction is off by about eps = 2.2e-16 times a condition number, and the two must agree to
# 1e-9. Scatter matrices: eps * 3e6 = 7e-10. Least squares: eps * 3e4 = 7e-12, where a test row may
# lie a hundred times as far out as the training rows. Systems solved here: their product with the
# rows' own condition, whose root is at most 3e4, counts: eps * 1e4 * 3e4 / 100 = 7e-10.
_MOST_LEAST_SQUARES = 3e4  # condition number of the training rows
_MOST_RIDGE = 3e6  # condition number of their penalised scatter matrix
_MOST_SOLVED = 1e4  # condition number of the systems solved here, cancellation included


@dataclass(frozen=True)
class Penalised:
    """Least squares with one penalty."""

    X: np.ndarray
    basis: Basis
    y: np.ndarray
    weights: np.ndarray | None
    is_ridge: bool

    def predict(self, batch: Batch) -> tuple[np.ndarray, np.ndarray]:
        """Return predictions for the test rows, and for which splits they are valid."""
        # Made again for every batch, so that only one estimator has it in memory at a time.
        rows = Rows(self.basis.coordinates_beside(self.X, self.y), self.basis.penalty, self.weights)
        predictions = np.empty((batch.test.size, self.y.shape[1]))
        condition = np.full(len(batch), np.inf)
        wanted = batch.n_train >= (1 if self.basis.penalty.any() else rows.n_columns)
        if rows.are_small(batch):
            sums = rows.sums_of_all(batch)
            for stack in batch.stacks_alone(wanted, MOST_STACKED // rows.n_columns):
                predictions[stack.at], condition[stack.splits] = rows.by_columns(stack, sums)
            return predictions, self._is_accurate(condition, batch.n_train)
        rows.fill(predictions, condition, batch, batch.pools, wanted)
        # Removing test rows of great weight loses digits: such splits are solved alone.
        wanted &= condition > _MOST_SOLVED
        alone = [batch.pool_of(i) for i in np.flatnonzero(wanted).tolist()]
        rows.fill(predictions, condition, batch, alone, wanted)
        return predictions, self._is_accurate(condition, batch.n_train)

    def _is_accurate(self, condition: np.ndarray, n_train: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            if self.is_ridge:
                # The kernel of some rows is not worse conditioned than that of all.
                theirs = np.where(
                    n_train < self.X.shape[1],  # scikit-learn then uses the kernel
                    self.basis.condition,
                    self.basis.scaled_condition * condition,
                )
                return (condition < _MOST_SOLVED) & (theirs < _MOST_RIDGE)
            theirs = np.sqrt(self.basis.condition * condition)
            return (condition < _MOST_SOLVED) & (theirs < _MOST_LEAST_SQUARES)


@dataclass(frozen=True)
class LinearModel:
    """A linear regression with one penalty for each output."""

    parts: Sequence[tuple[np.ndarray, Penalised]]
    shift: np.ndarray
    is_flat: bool
    classes: None = None

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split."""
        predictions = np.empty((batch.test.size, self.shift.size))
        found = np.ones(len(batch), dtype=bool)
        for outputs, model in self.parts:
            predictions[:, outputs], good = model.predict(batch)
            found &= good
        predictions += self.shift
        return Answers(found, predictions[:, 0] if self.is_flat else predictions)


@dataclass(frozen=True)
class RidgeLabels:
    """A ridge regression on classes coded as -1 and 1."""

    classes: np.ndarray
    codes: np.ndarray
    regression: LinearModel

    def answer(self, batch: Batch) -> Answers:
        """Answer for the test rows of every split."""
        answers = self.regression.answer(batch)
        decision = answers.predict
        columns = decision if decision.ndim > 1 else np.column_stack([-decision, decision])
        doubtful = np.add.reduceat(is_close_call(columns), batch.offsets[:-1]) > 0
        found = answers.found & ~doubtful
        found &= has_all_classes(batch, self.codes, len(self.classes))
        return Answers(found, columns.argmax(axis=1), decision_function=decision)


def ordinary(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a LinearRegression, if it has one."""
    # scikit-learn 1.9 drops directions below `tol`, earlier versions those of rounding size.
    tol = getattr(estimator, "tol", 1e-6)
    plain = is_real(tol) and 0 <= tol <= 0.1 / _MOST_LEAST_SQUARES
    if not plain or data.target is None:
        return None
    return _linear_model(estimator, data, data.target, [0.0], params)


def ridge(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a Ridge, if it has one."""
    if not _is_cholesky(estimator) or data.target is None:
        return None
    alphas = _alphas(estimator.alpha, data.target)
    return None if alphas is None else _linear_model(estimator, data, data.target, alphas, params)


def ridge_classifier(estimator: Any, data: Data, params: Mapping[str, Any]) -> FastModel | None:
    """Return the closed form of a RidgeClassifier, if it has one."""
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
        is_ridge = hasattr(estimator, "alpha")
        part = Penalised(X, basis, (y - shift)[:, outputs], weights, is_ridge)
        parts.append((outputs, part))
    return LinearModel(parts, shift, is_flat)


def _are_weights(weights: Any, n: int) -> bool:
    return (
        type(weights) is np.ndarray
        and weights.shape == (n,)
        and weights.dtype == np.float64
        and bool(np.isfinite(weights).all() and (weights > 0).all())
    )
