"""The variance of the mean score over correlated splits: the report's equation 8."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._scores_input import check_counts, finite_array
from .._student import plain

# In Proposition 1, the second is never above the first; the tolerance is for rounding.
_ORDERED = [("s0", "s1"), ("s0", "s3"), ("s1", "s2"), ("s1", "s3"), ("s1_half", "s2_half")]
_SLACK = 1 + 1e-12


def check_moments(**moments: Any) -> dict[str, np.ndarray]:
    """Return the given moments as arrays, or raise an error if they contradict each other."""
    given = {
        name: finite_array(name, value) for name, value in moments.items() if value is not None
    }
    for name, value in given.items():
        if name != "s4" and (value < 0).any():
            raise ValueError(
                f"{name}={moments[name]!r} is negative. True variances and covariances of scores "
                "are not (Proposition 1 of the report); estimates can be, and do not belong here."
            )
    for large, small in _ORDERED:
        if {large, small} <= set(given) and (given[small] > _SLACK * given[large]).any():
            raise ValueError(
                f"{small}={moments[small]!r} is above {large}={moments[large]!r}. The moments of "
                "scores satisfy s2 <= s1 <= s0 and s3 <= s1; check that they belong to the same "
                "sizes."
            )
    if {"s1", "s4"} <= set(given) and (np.abs(given["s4"]) > _SLACK * given["s1"]).any():
        raise ValueError(
            f"s4={moments['s4']!r} is a covariance of two scores of variance s1={moments['s1']!r}, "
            "so it must be between -s1 and s1."
        )
    return given


def cv_variance(
    s1: Any, s2: Any, n_splits: Any, *, s0: Any = None, n_draws: float = math.inf
) -> Any:
    """Return the variance of the mean score over splits, from the moments of the scores.

    A theory function: the moments cannot all be estimated from one data set. Its arguments may be
    arrays that broadcast.

    Parameters
    ----------
    s1 : float or array-like
        Variance of the score of one split.
    s2 : float or array-like
        Covariance of the scores of two splits.
    n_splits : int or array-like of int
        Number of splits; ``math.inf`` gives what no number of splits goes below.
    s0 : float or array-like, default=None
        Variance of the loss at one test row; needed with a finite `n_draws`.
    n_draws : int, default=math.inf
        How many test rows are drawn with replacement for each split. ``math.inf`` means that every
        test row counts once, which is what everybody does.

    Returns
    -------
    float or ndarray
        The variance.

    Raises
    ------
    ValueError
        If the moments contradict each other: 0 <= s2 <= s1 <= s0.

    See Also
    --------
    implied_correlation : The way back, from a variance to the correlation of the splits.
    plan_n_splits : What more splits would bring for scores at hand.

    Notes
    -----
    Let mu_j be the score of split j, with Var[mu_j] = s1 and Cov[mu_j, mu_k] = s2. The mean of J
    of them has J variances and J(J - 1) covariances, over J^2, so

        Var[mu_J] = s2 + (s1 - s2)/J = s1 (rho + (1 - rho)/J),    rho = s2/s1,

    equation 8 of [1]_. It never increases with J, and tends to s2. In [2]_ the score of a split is
    the mean of K losses drawn from its test rows with replacement. Two draws have covariance s1
    (each is a random test row of the split), one has variance s0, so a split's score has variance
    s1 + (s0 - s1)/K, while the covariance of two splits is s2 as before:

        Var = s2 + (s1 - s2 + (s0 - s1)/K)/J.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       equation 8.
    .. [2] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", NIPS 12, 2000;
       equation 4.

    Examples
    --------
    With a correlation of .1, going from one split to three removes 60 % of the variance:

    >>> from skcvstats.theory import cv_variance
    >>> [round(cv_variance(1.0, 0.1, n_splits), 2) for n_splits in (1, 3, 9)]
    [1.0, 0.4, 0.2]
    """
    for name, value in {"s1": s1, "s2": s2}.items():
        if value is None:
            raise TypeError(f"{name}=None must be a number; there is no default.")
    moments = check_moments(s0=s0, s1=s1, s2=s2)
    n_splits = check_counts("n_splits", n_splits)
    draws = check_counts("n_draws", n_draws)
    own = moments["s1"] - moments["s2"]
    if np.isfinite(draws).any():
        if s0 is None:
            raise ValueError(
                f"n_draws={n_draws!r} needs s0=, the variance of the loss at one test row; give "
                "it, or leave n_draws out."
            )
        own = own + (moments["s0"] - moments["s1"]) / draws
    return plain(moments["s2"] + own / n_splits)


def standard_error_of_mean(n_splits: Any, variance: Any, rho: Any) -> Any:
    """Return the standard error of a mean over splits, from the sample variance of their scores."""
    return plain(np.sqrt(variance * (1 / np.asarray(n_splits) + rho / (1 - np.asarray(rho)))))
