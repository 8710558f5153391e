"""Max-t: one critical value for all comparisons, whose estimated correlation is allowed for.

Notes
-----
The estimates of K estimators have an estimated covariance S of rank nu, the number of squares in
the procedure's variance estimate. The usual max-t test takes the statistics' correlation from S as
if it were known, and rejects true null hypotheses too often where nu is small. Here each simulated
statistic is studentized anew, as the real one is. With S taken from the scores less their mean over
the estimators (only differences matter), its off-diagonal entries shrunk by K/(K + nu) and R its
Cholesky factor, draw z ~ N(0, I_K) and a nu x K matrix G of standard normals, W = G'G/nu; the
simulated statistic of the contrast q is

    q'Rz / sqrt(q'R W R'q),

and its maximum over the contrasts is the reference for the largest of the real statistics. With
maxima m_1, ..., m_B, N comparisons, p_1 the p-value of a comparison by itself and p_nu that of
Student's law with nu degrees of freedom, the adjusted p-value at t is

    min(1, N p_nu(t), max((1 + #{m_b >= t})/(B + 1), p_1(t))),

and the critical value at the level alpha is min(c_Bonferroni, max(m_(k), c_1)) with
k = floor(alpha (B + 1)), the k-th largest maximum. So p <= alpha exactly where t is beyond the
critical value, at every level: verdicts and intervals agree.

References
----------
.. [1] T. Hothorn, F. Bretz and P. Westfall, "Simultaneous Inference in General Parametric Models",
   Biometrical Journal 50, 2008: max-t at a known correlation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from ..stats import Root

N_DRAWS = 19_999
_SEED = 20_080_614
_BLOCK = 2**18  # numbers of a block of draws that stay in the cache


@dataclass(frozen=True, eq=False)
class Draws:
    """Simulated statistics of all pairs of estimators, as far as comparisons need them.

    Parameters
    ----------
    factor : ndarray of shape (n_estimators, n_estimators)
        R, with the estimators in the order of their names.
    order : ndarray of int of shape (n_estimators,)
        The position of each row of `factor` among the estimators.
    n_squares : int
        The number of squares in the variance estimate, nu.
    determined : ndarray of bool of shape (n_estimators, n_estimators)
        Which pairs, by position among the estimators, enter a maximum.
    """

    factor: np.ndarray
    order: np.ndarray
    n_squares: int
    determined: np.ndarray

    def control_maxima(self) -> np.ndarray:
        """Return the maximum over the others of (other - control), for each control.

        Returns
        -------
        ndarray of shape (N_DRAWS, n_estimators)
            By position among the estimators. The largest of a draw is the two-sided maximum over
            all pairs.
        """
        # Products of small matrices, which several threads would only slow down.
        with threadpool_limits(1, "blas"):
            return self._control_maxima()

    def _control_maxima(self) -> np.ndarray:
        maxima = np.empty((N_DRAWS, len(self.order)), dtype=np.float32)
        left_out = np.argwhere(~self.determined[np.ix_(self.order, self.order)])
        start = 0
        for means, errors in self._blocks():
            ratios = means[:, :, None] - means[:, None, :]  # of the row minus the column
            ratios /= errors
            ratios[:, left_out[:, 0], left_out[:, 1]] = -np.inf
            maxima[start : start + len(means), self.order] = ratios.max(axis=1)
            start += len(means)
        return maxima

    def maxima(self, first: np.ndarray, second: np.ndarray, alternative: str) -> np.ndarray:
        """Return the maximum over some contrasts, in the direction of the alternative.

        Parameters
        ----------
        first, second : ndarray of int of shape (n_comparisons,)
            The two estimators of each contrast, by position among the estimators.
        alternative : {"two-sided", "less", "greater"}
            Two-sided takes absolute values; less turns the signs.

        Returns
        -------
        ndarray of shape (N_DRAWS,)
            Minus infinity where no contrast is determined.
        """
        kept = self.determined[first, second]
        place = np.argsort(self.order)
        first, second = place[first[kept]], place[second[kept]]
        if not first.size:
            return np.full(N_DRAWS, -np.inf)
        parts = []
        for means, errors in self._blocks():
            ratios = (means[:, first] - means[:, second]) / errors[:, first, second]
            if alternative == "two-sided":
                ratios = np.abs(ratios)
            parts.append((-ratios if alternative == "less" else ratios).max(axis=1))
        return np.concatenate(parts)

    def _blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield simulated means and the standard errors of all differences, block by block."""
        n_estimators = len(self.order)
        generator = np.random.Generator(np.random.PCG64(_SEED))
        many = self.n_squares > 2 * n_estimators
        n_rows = n_estimators if many else self.n_squares
        step = max(1, _BLOCK // (n_estimators * max(n_estimators, n_rows + 1)))
        factor = self.factor.T.astype(np.float32)
        ones = np.ones((step, n_estimators, 1), dtype=np.float32)
        for start in range(0, N_DRAWS, step):
            n_draws = min(step, N_DRAWS - start)
            normal = generator.standard_normal((n_draws, n_rows + 1, n_estimators), np.float32)
            if many:
                normal[:, 1:] = self._wishart_root(generator, normal[:, 1:])
            drawn = normal @ factor
            spread = drawn[:, 1:].transpose(0, 2, 1) / np.float32(np.sqrt(self.n_squares))
            own = np.einsum("bkj,bkj->bk", spread, spread)[:, :, None]
            # own_a + own_b - 2 spread_a . spread_b as one product
            left = np.concatenate([-2 * spread, own, ones[:n_draws]], axis=2)
            right = np.concatenate([spread, ones[:n_draws], own], axis=2)
            variances = left @ right.transpose(0, 2, 1)
            np.maximum(variances, np.finfo(np.float32).tiny, out=variances)
            yield drawn[:, 0], np.sqrt(variances, out=variances)

    def _wishart_root(self, generator: np.random.Generator, normal: np.ndarray) -> np.ndarray:
        """Return a square root of G'G where G has many rows: Bartlett's decomposition."""
        df = self.n_squares - np.arange(normal.shape[-1])
        diagonal = np.sqrt(generator.chisquare(df, size=(len(normal), normal.shape[-1])))
        root = np.triu(normal, k=1)
        np.einsum("bkk->bk", root)[:] = diagonal
        return root


def make_draws(root: Root, names: tuple[str, ...], determined: np.ndarray) -> Draws:
    """Prepare the simulation of the statistics of all pairs.

    Parameters
    ----------
    root : Root
        Of the procedure, on the scores of all estimators.
    names : tuple of str
        The estimators' names, whose order makes the answer independent of that of the estimators.
    determined : ndarray of bool of shape (n_estimators, n_estimators)
        Which pairs have a variance above 0.
    """
    order = np.argsort(np.array(names), kind="stable")
    centred = root.values[order] - root.values.mean(axis=0)
    covariance = centred @ centred.T
    n_estimators = len(order)
    shrunk = covariance * (root.n_squares / (n_estimators + root.n_squares))
    np.fill_diagonal(shrunk, np.diag(covariance))
    return Draws(_cholesky(shrunk), order, root.n_squares, determined)


def _cholesky(covariance: np.ndarray) -> np.ndarray:
    """Return the Cholesky factor, with a zero row for an estimator without variance."""
    scale = np.diag(covariance).max(initial=0.0)
    factor = np.zeros_like(covariance)
    vary = np.flatnonzero(np.diag(covariance) > 1e-14 * scale)
    if vary.size:
        factor[np.ix_(vary, vary)] = np.linalg.cholesky(covariance[np.ix_(vary, vary)] / scale)
    return factor
