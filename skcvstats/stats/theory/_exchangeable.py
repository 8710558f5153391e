"""Mean, variance and correlation of vectors with exchangeable entries (report, appendix A.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._utils._checks import ConfidenceInterval, check_level, check_option
from ..._utils._text import format_interval, format_number
from ..._utils._warn import warn_user
from ...exceptions import DegenerateScoresWarning
from .._sample import exponents_to_one
from .._scores_input import check_counts, finite_array
from .._student import plain, student_quantile

_PARAMETERS = ("mean", "variance", "correlation")
_ROUNDING = 10 * np.finfo(float).eps


@dataclass(frozen=True, eq=False, kw_only=True)
class ExchangeableMoments:
    """Moments of exchangeable entries, estimated from independent vectors of them.

    Parameters
    ----------
    mean, variance, correlation : float
        Of an entry, of an entry, and of two entries of one vector; the correlation is nan where
        the entries do not vary.
    covariance : ndarray of shape (3, 3)
        The estimated covariance matrix of these three estimates, in this order.
    n_vectors, n_entries : int
        Number of vectors, and of entries in each.
    """

    mean: float
    variance: float
    correlation: float
    covariance: np.ndarray
    n_vectors: int
    n_entries: int

    def standard_error(self, parameter: str) -> float:
        """Return the standard error of one of the estimates.

        Parameters
        ----------
        parameter : {"mean", "variance", "correlation"}
            Which moment.

        Returns
        -------
        float
            The root of its estimated variance.
        """
        k = _PARAMETERS.index(check_option("parameter", parameter, _PARAMETERS))
        return float(np.sqrt(self.covariance[k, k]))

    def confidence_interval(
        self, parameter: str, confidence_level: float = 0.95
    ) -> ConfidenceInterval:
        """Return an interval for one of the parameters.

        Parameters
        ----------
        parameter : {"mean", "variance", "correlation"}
            Which moment.
        confidence_level : float, default=0.95
            Approximately how often such intervals cover the parameter; the approximation is good
            for many vectors.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``: the estimate plus and minus a normal quantile times its standard
            error.
        """
        error = self.standard_error(parameter)
        half_width = -student_quantile(np.inf, (1 - check_level(confidence_level)) / 2) * error
        estimate = getattr(self, parameter)
        return ConfidenceInterval(estimate - half_width, estimate + half_width)

    def variance_of_mean(self, n_entries: Any) -> Any:
        """Return the variance that the mean of so many entries of one vector has (Lemma 1).

        Parameters
        ----------
        n_entries : int or array-like of int
            Number of entries; ``math.inf`` gives what no number goes below.

        Returns
        -------
        float or ndarray
            ``variance * (correlation + (1 - correlation) / n_entries)``.
        """
        n_entries = check_counts("n_entries", n_entries)
        return plain(self.variance * (self.correlation + (1 - self.correlation) / n_entries))

    def __str__(self) -> str:
        lines = [f"{self.n_vectors} vectors of {self.n_entries} exchangeable entries:"]
        for name in _PARAMETERS:
            interval = format_interval(*self.confidence_interval(name), 0.95)
            lines.append(f"{name} {format_number(getattr(self, name))} ({interval})")
        return "\n".join(lines)


def exchangeable_moments(vectors: Any) -> ExchangeableMoments:
    """Estimate mean, variance and correlation from independent vectors of exchangeable entries.

    For simulation studies: the scores of the splits of one data set are such a vector, and many
    independent data sets give the correlation of the splits, which one data set cannot.

    Parameters
    ----------
    vectors : array-like of shape (n_vectors, n_entries)
        Independent rows; within a row, all entries have one mean and one variance, and every two
        have one covariance.

    Returns
    -------
    ExchangeableMoments
        The estimates, their covariance matrix and intervals.

    Raises
    ------
    ValueError
        If there are fewer than 2 rows or columns, or an entry is not finite.

    See Also
    --------
    conservative_variance : The correlation of squared half-sample differences gives its variance.

    Notes
    -----
    Let T_ik be entry k of vector i, i = 1..N, k = 1..K, and Tbar_i the mean of vector i. With mean
    beta, variance delta and correlation pi, E[(Tbar_i - beta)^2] = delta (pi + (1 - pi)/K) =: delta
    c by Lemma 1. The estimates solve sum_i g_i = 0 with [1]_

        g_i = ( Tbar_i - beta,  sum_k [(T_ik - beta)^2 - delta],  (Tbar_i - beta)^2 - delta c ),

    which has the closed root: beta the grand mean; delta the mean of (T_ik - beta)^2; with v the
    mean of (Tbar_i - beta)^2, pi = (K v/delta - 1)/(K - 1). Their covariance matrix is estimated by
    the sandwich A^-1 B A^-T with B = sum_i g_i g_i' and

        A = -E[dg/dtheta'] = N [ 1, 0, 0;  0, K, 0;  0, c, delta (K - 1)/K ].

    A is triangular, so its inverse is written out: the influence of vector i on the three is
    u1 = g_i1,  u2 = g_i2/K,  u3 = (g_i3 - c u2) K/((K - 1) delta), and the sandwich is
    sum_i u u'/N^2. The three hold for any distribution with four moments, for many vectors [2]_.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       appendix A.3.
    .. [2] H. White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50, 1982.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats.theory import exchangeable_moments
    >>> rng = np.random.default_rng(0)
    >>> shared = rng.normal(size=(1000, 1))
    >>> moments = exchangeable_moments(shared + rng.normal(size=(1000, 15)))
    >>> low, high = moments.confidence_interval("correlation")
    >>> bool(low < 0.5 < high)
    True
    """
    T = finite_array("vectors", vectors)
    if T.ndim != 2 or min(T.shape) < 2:
        raise ValueError(
            f"vectors has shape {T.shape}: expected at least 2 independent rows with 2 or more "
            "exchangeable entries each."
        )
    if exponents_to_one(np.abs(T).max()):
        raise ValueError(
            f"vectors reaches {np.abs(T).max():.3g}, and the variance of such entries overflows or "
            "underflows. Multiply them by a constant, so that they are nearer to 1."
        )
    N, K = T.shape
    beta = T.mean()
    deviations = T - beta
    if np.abs(deviations).max() <= _ROUNDING * np.abs(T).max():
        warn_user(
            "The entries do not vary, so their correlation is not defined (nan). Use more test "
            "rows or a finer metric.",
            DegenerateScoresWarning,
        )
        deviations = np.zeros_like(T)
    means = deviations.mean(axis=1)
    squares = np.einsum("ik,ik->i", deviations, deviations) / K
    delta = squares.mean()
    with np.errstate(invalid="ignore"):
        shrinkage = np.divide(np.mean(means**2), delta)
        influence = np.array([means, squares - delta, means**2 - delta * shrinkage])
        influence[2] = (influence[2] - shrinkage * influence[1]) * K / np.multiply(K - 1, delta)
    return ExchangeableMoments(
        mean=float(beta),
        variance=float(delta),
        correlation=float((K * shrinkage - 1) / (K - 1)),
        covariance=influence @ influence.T / N**2,
        n_vectors=N,
        n_entries=K,
    )
