"""Max-t: one critical value for all comparisons, with their estimated correlation.

Notes
-----
The estimates of K estimators have an estimated covariance S of rank nu, the number of squares in
the procedure's variance estimate. The usual max-t test takes the statistics' correlation from S as
if it were known, and rejects true null hypotheses too often if nu is small. Here each simulated
statistic is studentized again, as the observed one is. Let S come from the scores minus their mean
over the estimators (only differences matter), with off-diagonal entries shrunk by K/(K + nu), and
let R be its Cholesky factor. Draw z ~ N(0, I_K) and a nu x K matrix G of standard normals, W =
G'G/nu; the simulated statistic of the contrast q is

    q'Rz / sqrt(q'R W R'q),

and its maximum over the contrasts is the reference for the largest of the observed statistics. With
maxima m_1, ..., m_B, N comparisons, p_1 the p-value of a comparison by itself and p_nu that of
Student's t distribution with nu degrees of freedom, the adjusted p-value at t is

    min(1, N p_nu(t), max((1 + #{m_b >= t})/(B + 1), p_1(t))),

and the critical value at the level alpha is min(c_Bonferroni, max(m_(k), c_1)) with
k = floor(alpha (B + 1)) and m_(k) the k-th largest maximum. So p <= alpha exactly if t is beyond
the critical value, at every level: verdicts and intervals agree.

References
----------
.. [1] T. Hothorn, F. Bretz and P. Westfall, "Simultaneous Inference in General Parametric Models",
   Biometrical Journal 50, 2008: max-t at a known correlation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from ..stats import Root

N_DRAWS = 19_999
_SEED = 20_080_614
_BLOCK = 2**18  # numbers in a block of draws: at most 2 MiB, which fit into the cache of a core
_FEW = 10  # estimators; with more, products of matrices are quicker than differences
_KEPT = N_DRAWS  # more draws of few estimators are not kept: these take at most 20 MB
_ALL = slice(None)
Source = Callable[[int, int, int], Iterator[np.ndarray]]


def standard_normals(n_estimators: int, n_squares: int, n_draws: int) -> Iterator[np.ndarray]:
    """Yield, block by block, z and below it G, or a root of G'G with fewer rows."""
    generator = np.random.Generator(np.random.PCG64(_SEED))
    dtype = precise_enough(n_estimators, n_squares)
    many = n_squares > 2 * n_estimators
    n_rows = n_estimators if many else n_squares
    step = max(1, _BLOCK // (n_estimators * max(n_estimators, n_rows + 1)))
    for start in range(0, n_draws, step):
        shape = (min(step, n_draws - start), 1 + n_rows, n_estimators)
        normal = generator.standard_normal(shape, dtype)
        if many:
            normal[:, 1:] = _wishart_root(generator, normal[:, 1:], n_squares)
        yield normal


def precise_enough(n_estimators: int, n_squares: int) -> type[np.floating]:
    """Return the type that is precise enough for a variance as a difference of products.

    The variance of a contrast can be much smaller than those of its two estimators: with few
    squares by chance, with very many because there is hardly any shrinkage.
    """
    return np.float32 if 4 <= n_squares <= 100 * n_estimators else np.float64


def _wishart_root(generator: np.random.Generator, normal: np.ndarray, n_squares: int) -> np.ndarray:
    """Return a square root of G'G for G with many rows, by Bartlett's decomposition."""
    df = n_squares - np.arange(normal.shape[-1])
    diagonal = np.sqrt(generator.chisquare(df, size=(len(normal), normal.shape[-1])))
    root = np.triu(normal, k=1)
    np.einsum("bkk->bk", root)[:] = diagonal
    return root


@dataclass(frozen=True, eq=False)
class Draws:
    """Simulated statistics of all pairs of estimators, as far as comparisons need them."""

    factor: np.ndarray
    order: np.ndarray
    n_squares: int
    determined: np.ndarray
    n_draws: int = N_DRAWS
    source: Source = standard_normals

    def control_maxima(self) -> np.ndarray:
        """Return the maximum over the others of (other - control), for each control."""
        maxima = np.empty((self.n_draws, len(self.order)), dtype=self.dtype)
        penalty = self._penalty(self.determined[np.ix_(self.order, self.order)])
        start = 0
        with _one_thread():
            for ratios in self._ratios(_ALL, _ALL):  # of the row minus the column
                ratios += penalty
                maxima[start : start + len(ratios), self.order] = ratios.max(axis=1)
                start += len(ratios)
        return maxima

    def maxima(self, first: np.ndarray, second: np.ndarray, alternative: str) -> np.ndarray:
        """Return the maximum over some contrasts, in the direction of the alternative."""
        kept = self.determined[first, second]
        if not kept.any():
            return np.full(self.n_draws, -np.inf)
        if alternative == "less":
            first, second = second, first
        place = np.argsort(self.order)
        rows, row = np.unique(place[first[kept]], return_inverse=True)
        columns, column = np.unique(place[second[kept]], return_inverse=True)
        asked = np.zeros((len(rows), len(columns)), dtype=bool)
        asked[row, column] = True
        penalty = self._penalty(asked)
        parts = []
        with _one_thread():
            for ratios in self._ratios(rows, columns):
                if alternative == "two-sided":
                    np.abs(ratios, out=ratios)
                ratios += penalty
                parts.append(ratios.max(axis=(1, 2)))
        return np.concatenate(parts)

    @property
    def dtype(self) -> type[np.floating]:
        """The type of the simulated numbers."""
        return precise_enough(len(self.order), self.n_squares)

    def _penalty(self, asked: np.ndarray) -> np.ndarray:
        """Return an array that, added to ratios, excludes unneeded ones from a maximum."""
        return np.where(asked, 0, -np.inf).astype(self.dtype)

    def _ratios(self, rows: Any, columns: Any) -> Iterator[np.ndarray]:
        """Yield simulated statistics of rows minus columns, of shape (block, rows, columns)."""
        if len(self.order) <= _FEW:
            return self._ratios_of_few(rows, columns)
        return self._ratios_of_many(rows, columns)

    def _ratios_of_few(self, rows: Any, columns: Any) -> Iterator[np.ndarray]:
        """Yield ratios of the differences themselves, for all draws of a block at once."""
        all_pairs = rows is _ALL and columns is _ALL  # of two directions one gives the other
        factor = self.factor.astype(self.dtype)
        least = np.finfo(self.dtype).tiny
        controls = np.arange(len(self.order))[columns]
        for normal in _blocks_of_few(self.source, len(factor), self.n_squares, self.n_draws):
            drawn = factor @ normal
            means, spread = drawn[0], drawn[1:]
            compared, spread_of_compared = means[rows], spread[:, rows]
            ratios = np.zeros((len(compared), len(controls), normal.shape[-1]), self.dtype)
            for k, control in enumerate(controls):
                others = slice(k + 1 if all_pairs else 0, None)
                differences = spread_of_compared[:, others] - spread[:, [control]]
                variances = np.einsum("rkb,rkb->kb", differences, differences)
                np.maximum(variances, least, out=variances)
                found = compared[others] - means[control]
                found /= np.sqrt(variances, out=variances)
                ratios[others, k] = found
                if all_pairs:
                    np.negative(found, out=ratios[k, others])
            yield np.moveaxis(ratios, -1, 0)

    def _ratios_of_many(self, rows: Any, columns: Any) -> Iterator[np.ndarray]:
        """Yield ratios by products of matrices, one for each draw.

        Sums a + b over all rows a and columns b are written as products of matrices (a, 1) and
        (1, b), which are quicker than sums of short arrays.
        """
        n_estimators = len(self.order)
        factor = self.factor.T.astype(self.dtype)
        least = np.finfo(self.dtype).tiny
        for normal in self.source(n_estimators, self.n_squares, self.n_draws):
            normal[:, 1:] /= self.dtype(np.sqrt(self.n_squares))
            drawn = (normal.reshape(-1, n_estimators) @ factor).reshape(normal.shape)
            means, spread = drawn[:, :1], drawn[:, 1:]
            one = np.ones_like(means)
            own = np.einsum("brk,brk->bk", spread, spread)[:, None]
            ratios = _products([means, one], [one, -means], rows, columns)
            variances = _products([-2 * spread, own, one], [spread, one, own], rows, columns)
            np.maximum(variances, least, out=variances)
            ratios /= np.sqrt(variances, out=variances)
            yield ratios


def _blocks_of_few(source: Source, n_estimators: int, n_squares: int, n_draws: int) -> Any:
    """Return z and below it G over the root of nu, with the draws of a block along the last axis.

    The next comparison of as many estimators needs the same, and drawing takes longest.
    """
    make = _kept if n_draws <= _KEPT else _transposed
    return make(source, n_estimators, n_squares, n_draws)


def _transposed(
    source: Source, n_estimators: int, n_squares: int, n_draws: int
) -> Iterator[np.ndarray]:
    for normal in source(n_estimators, n_squares, n_draws):
        normal[:, 1:] /= normal.dtype.type(np.sqrt(n_squares))
        yield np.ascontiguousarray(normal.transpose(1, 2, 0))


@lru_cache(maxsize=2)
def _kept(source: Source, n_estimators: int, n_squares: int, n_draws: int) -> list[np.ndarray]:
    return list(_transposed(source, n_estimators, n_squares, n_draws))


def _products(
    left: list[np.ndarray], right: list[np.ndarray], rows: Any, columns: Any
) -> np.ndarray:
    """Return left'right for some rows and columns of matrices in parts below each other."""
    left_rows = np.concatenate([part[:, :, rows] for part in left], axis=1)
    return left_rows.transpose(0, 2, 1) @ np.concatenate(
        [part[:, :, columns] for part in right], axis=1
    )


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def _one_thread() -> AbstractContextManager[Any]:
    """Return a context of one BLAS thread.

    Several threads would only slow down products of small matrices, and round differently.
    """
    return _controller().limit(limits=1, user_api="blas")


def make_draws(root: Root, names: tuple[str, ...], determined: np.ndarray) -> Draws:
    """Prepare the simulation of the statistics of all pairs."""
    order = np.argsort(np.array(names), kind="stable")
    values = root.values[order]
    centred = values - values.mean(axis=0)
    centred /= np.abs(centred).max() or 1.0  # so that squares neither overflow nor underflow
    n_estimators = len(order)
    with _one_thread():
        covariance = centred @ centred.T
        shrunk = covariance * (root.n_squares / (n_estimators + root.n_squares))
        np.fill_diagonal(shrunk, np.diag(covariance))
        factor = _cholesky(shrunk)
    return Draws(factor, order, root.n_squares, determined)


def _cholesky(covariance: np.ndarray) -> np.ndarray:
    """Return the Cholesky factor, with a zero row for an estimator without variance."""
    variances = np.diag(covariance)
    factor = np.zeros_like(covariance)
    vary = np.flatnonzero(variances > 1e-14 * variances.max())
    if vary.size:
        factor[np.ix_(vary, vary)] = np.linalg.cholesky(covariance[np.ix_(vary, vary)])
    return factor
