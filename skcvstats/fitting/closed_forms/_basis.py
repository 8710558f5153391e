"""A basis in which the normal equations of all splits are well-conditioned.

Notes
-----
Least squares, ridge and discriminants do not depend on the basis. In that of the scaled
eigenvectors of the whole data's scatter the matrices of all splits are close to multiples of the
identity, so that solving their normal equations loses no more than an orthogonal factorisation
does.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

_MOST_KERNEL = 1e5


class Basis(NamedTuple):
    """The rows of X in another basis.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, p)
        Their coordinates, of variance close to one.
    penalty : ndarray of shape (p,)
        What the ridge penalty adds to the diagonal of the scatter matrix.
    condition : float
        The condition number of the scatter matrix with its penalty.
    scaled_condition : float
        The same with columns of X scaled to equal length first.
    axes : ndarray of shape (n_features, p) or None
        What takes X there, less the column of ones.
    """

    rows: np.ndarray
    penalty: np.ndarray
    condition: float
    scaled_condition: float
    axes: np.ndarray | None


def make_basis(
    X: np.ndarray, *, intercept: bool, weights: np.ndarray | None = None, alpha: float = 0.0
) -> Basis | None:
    """Return X in the basis of its scaled principal axes, or None where it has too few.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        The data.
    intercept : bool
        Whether to centre X, and to append a column of ones that is not penalised.
    weights : ndarray of shape (n_rows,), default=None
        Weights of the rows.
    alpha : float, default=0.0
        The ridge penalty.
    """
    n, d = X.shape
    magnitude = np.abs(X).max(axis=0)
    if intercept:
        is_constant = X.max(axis=0) == X.min(axis=0)
        X = X - (X.mean(axis=0) if weights is None else np.average(X, axis=0, weights=weights))
        X[:, is_constant] = 0.0
    if d > n and (weights is not None or alpha == 0):
        return None
    basis = _from_kernel(X, alpha) if d > n else _from_scatter(X, weights, alpha)
    if basis is None or not intercept:
        return basis
    # Rounding of the means is large where columns vary little around a large mean.
    spread = np.abs(X).max(axis=0)
    loss = np.max(np.where(spread > 0, magnitude / np.where(spread > 0, spread, 1.0), 0.0)) ** 2
    return basis._replace(
        rows=np.column_stack([basis.rows, np.ones(n)]),
        penalty=np.append(basis.penalty, 0.0),
        condition=basis.condition * max(1.0, loss),
        scaled_condition=basis.scaled_condition * max(1.0, loss),
    )


def _from_scatter(X: np.ndarray, weights: np.ndarray | None, alpha: float) -> Basis | None:
    n, d = X.shape
    weighted = X if weights is None else X * np.sqrt(weights)[:, None]
    scatter = weighted.T @ weighted
    sizes, axes = np.linalg.eigh(scatter)
    total = sizes + alpha
    if not total[0] > 1e-12 * total[-1]:
        return None
    penalised = scatter + alpha * np.eye(d)
    scale = 1 / np.sqrt(penalised.diagonal())
    scaled = np.linalg.eigvalsh(penalised * scale * scale[:, None])
    axes = axes * np.sqrt(n / total)
    return Basis(X @ axes, alpha * n / total, _ratio(total), _ratio(scaled), axes)


def _from_kernel(X: np.ndarray, alpha: float) -> Basis | None:
    # The rows' own coordinates in the space that they span: as good as X, and fewer.
    n = len(X)
    sizes, axes = np.linalg.eigh(X @ X.T)
    sizes = np.maximum(sizes, 0)
    total = sizes + alpha
    condition = _ratio(total)
    if condition > _MOST_KERNEL:  # the small eigenvalues have the rounding of the large
        return None
    rows = axes * np.sqrt(n * sizes / total)
    return Basis(rows, alpha * n / total, condition, condition, None)


def _ratio(sizes: np.ndarray) -> float:
    """Return the largest of ascending sizes over the smallest, where that is positive."""
    return float(sizes[-1] / sizes[0]) if sizes[0] > 0 else np.inf


def solve(matrices: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solve symmetric systems, and estimate the size of each inverse.

    Parameters
    ----------
    matrices : ndarray of shape (g, p, p)
        Positive semi-definite.
    sides : ndarray of shape (g, p, t)
        The right-hand sides.

    Returns
    -------
    solutions : ndarray of shape (g, p, t)
        Without meaning where the inverse is infinite.
    inverse : ndarray of shape (g,)
        The Frobenius norm of the inverse, from three random directions.
    """
    signs = np.broadcast_to(_signs(matrices.shape[-1]), (*matrices.shape[:2], 3))
    both = np.concatenate([sides, signs], axis=2)
    try:
        both = np.linalg.solve(matrices, both)
    except np.linalg.LinAlgError:
        both = np.stack([_solve_one(*pair) for pair in zip(matrices, both, strict=True)])
    inverse = np.sqrt(np.square(both[..., -3:]).sum(axis=(1, 2)) / 3)
    return both[..., :-3], np.where(np.isfinite(inverse), inverse, np.inf)


def largest(matrices: np.ndarray) -> np.ndarray:
    """Return the largest diagonal entry of each positive semi-definite matrix.

    Parameters
    ----------
    matrices : ndarray of shape (g, p, p)
        The matrices.
    """
    return matrices.diagonal(axis1=1, axis2=2).max(axis=1)


@cache
def _signs(p: int) -> np.ndarray:
    return np.random.RandomState(0).choice([-1.0, 1.0], size=(p, 3))


def _solve_one(matrix: np.ndarray, sides: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.solve(matrix, sides)
    except np.linalg.LinAlgError:
        return np.full_like(sides, np.inf)
