"""A basis in which the normal equations of all splits are well-conditioned.

Notes
-----
Least squares, ridge and discriminants do not depend on the basis. In the basis of the scaled
eigenvectors of the scatter of all data, the matrices of all splits are close to multiples of the
identity. Solving their normal equations then loses no more precision than an orthogonal
factorisation.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ._batch import parts
from ._data import magnitudes

_MOST_KERNEL = 1e5


class Basis(NamedTuple):
    """A basis for the rows of X in which their coordinates have a variance close to one."""

    centre: np.ndarray
    axes: np.ndarray | None
    kernel_rows: np.ndarray | None
    has_ones: bool
    penalty: np.ndarray
    condition: float
    scaled_condition: float

    def coordinates_beside(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the coordinates of all rows and, next to them, other columns."""
        p = self.penalty.size
        joined = np.empty((len(X), p + y.shape[1]))
        if self.has_ones:
            joined[:, p - 1] = 1.0
        joined[:, p:] = y
        coordinates = joined[:, : p - self.has_ones]
        if self.axes is None:
            coordinates[:] = self.kernel_rows
        else:
            for part in parts(X):
                coordinates[part] = (X[part] - self.centre) @ self.axes
        return joined


def make_basis(
    X: np.ndarray, *, intercept: bool, weights: np.ndarray | None = None, alpha: float = 0.0
) -> Basis | None:
    """Return the basis of the scaled principal axes of X, or None if it has too few."""
    n, d = X.shape
    if d > n and (weights is not None or alpha == 0):
        return None
    centre = centre_of(X, weights) if intercept else np.zeros(d)
    if d > n:
        basis = _from_kernel(X - centre, centre, alpha)
    else:
        basis = from_scatter(_scatter(X, centre, weights), centre, n, alpha)
    if basis is None or not intercept:
        return basis
    # Rounding of the means is large if columns vary little around a large mean.
    spread = np.maximum(X.max(axis=0) - centre, centre - X.min(axis=0))
    varies = spread > 0
    loss = np.max(np.where(varies, magnitudes(X) / np.where(varies, spread, 1.0), 0.0)) ** 2
    return basis._replace(
        has_ones=True,
        penalty=np.append(basis.penalty, 0.0),
        condition=basis.condition * max(1.0, loss),
        scaled_condition=basis.scaled_condition * max(1.0, loss),
    )


def centre_of(X: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the means of columns, exact for constant columns."""
    centre = X.mean(axis=0) if weights is None else weights @ X / weights.sum()
    is_constant = X.max(axis=0) == X.min(axis=0)
    return np.where(is_constant, X[0], centre)


def _scatter(X: np.ndarray, centre: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    scatter = np.zeros((X.shape[1], X.shape[1]))
    for part in parts(X):
        some = X[part] - centre
        if weights is not None:
            some *= np.sqrt(weights[part])[:, None]
        scatter += some.T @ some
    return scatter


def from_scatter(
    scatter: np.ndarray, centre: np.ndarray, n_rows: int, alpha: float = 0.0
) -> Basis | None:
    """Return the basis that makes a scatter matrix the identity, or None if it has too few axes."""
    sizes, axes = np.linalg.eigh(scatter)
    total = sizes + alpha
    if not total[0] > 1e-12 * total[-1]:
        return None
    penalised = scatter + alpha * np.eye(len(scatter))
    scale = 1 / np.sqrt(penalised.diagonal())
    scaled = np.linalg.eigvalsh(penalised * scale * scale[:, None])
    axes = axes * np.sqrt(n_rows / total)
    penalty = alpha * n_rows / total
    return Basis(centre, axes, None, False, penalty, _ratio(total), _ratio(scaled))


def _from_kernel(X: np.ndarray, centre: np.ndarray, alpha: float) -> Basis | None:
    # The coordinates of the rows in the space that they span: equivalent to X, but fewer.
    n = len(X)
    sizes, axes = np.linalg.eigh(X @ X.T)
    sizes = np.maximum(sizes, 0)
    total = sizes + alpha
    condition = _ratio(total)
    if condition > _MOST_KERNEL:  # the small eigenvalues have the rounding error of the large ones
        return None
    rows = axes * np.sqrt(n * sizes / total)
    return Basis(centre, None, rows, False, alpha * n / total, condition, condition)


def _ratio(sizes: np.ndarray) -> float:
    """Return the ratio of the largest to the smallest of ascending sizes, if that is positive."""
    return float(sizes[-1] / sizes[0]) if sizes[0] > 0 else np.inf


def solve(matrices: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solve symmetric systems, and estimate the size of each inverse."""
    signs = np.broadcast_to(_signs(matrices.shape[-1]), (*matrices.shape[:2], 3))
    both = np.concatenate([sides, signs], axis=2)
    try:
        both = np.linalg.solve(matrices, both)
    except np.linalg.LinAlgError:
        both = np.stack([_solve_one(*pair) for pair in zip(matrices, both, strict=True)])
    inverse = np.sqrt(np.square(both[..., -3:]).sum(axis=(1, 2)) / 3)
    return both[..., :-3], np.where(np.isfinite(inverse), inverse, np.inf)


def largest(matrices: np.ndarray) -> np.ndarray:
    """Return the largest diagonal entry of each positive semi-definite matrix."""
    return matrices.diagonal(axis1=1, axis2=2).max(axis=1)


@cache
def _signs(p: int) -> np.ndarray:
    return np.random.RandomState(0).choice([-1.0, 1.0], size=(p, 3))


def _solve_one(matrix: np.ndarray, sides: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.solve(matrix, sides)
    except np.linalg.LinAlgError:
        return np.full_like(sides, np.inf)
