"""The correlation of splits that is implied by a variance of their mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._utils._text import format_number
from ...scores import CVScores
from .._sample import sample_moments
from .._scores_input import finite_array
from .._student import plain


@dataclass(frozen=True, eq=False, kw_only=True)
class ImpliedCorrelation:
    """What a variance of the mean score implies about the splits.

    Parameters
    ----------
    correlation : float or ndarray
        Of the scores of two splits; nan where they have no variance at all.
    s1, s2 : float or ndarray
        Variance of the score of one split, and covariance of two. Estimates, so `s2` and with it
        the correlation may be negative.
    """

    correlation: Any
    s1: Any
    s2: Any

    def __str__(self) -> str:
        if np.ndim(self.correlation):
            return f"implied correlation of the splits: {np.array2string(self.correlation)}"
        return (
            f"implied correlation of the splits {format_number(self.correlation)}: a split's score "
            f"has variance {format_number(self.s1)}, two have covariance {format_number(self.s2)}"
        )


def implied_correlation(variance: Any, scores: Any) -> ImpliedCorrelation:
    """Return the correlation of the splits that a variance of their mean score implies.

    Every estimate of the variance of a mean over splits is, by way of the sample variance of the
    scores, a statement about how correlated the splits are.

    Parameters
    ----------
    variance : float or array-like of shape (...)
        The variance of the mean score: the truth, or an estimate from elsewhere, such as a
        squared standard error.
    scores : CVScores or array-like of shape (..., n_splits)
        The scores of 2 or more splits.

    Returns
    -------
    ImpliedCorrelation
        The correlation, the variance and the covariance.

    Raises
    ------
    ValueError
        If the variance is negative, or there are fewer than 2 splits.

    See Also
    --------
    cv_variance : The way there.

    Notes
    -----
    The mean of J scores of variance s1 and covariance s2 has the variance V = s2 + (s1 - s2)/J,
    and their sample variance S2 estimates s1 - s2 without bias [1]_. So

        s2 = V - S2/J,    s1 = s2 + S2,    rho = s2/s1.

    The corrected resampled t-test implies rho = n_test/n_samples by construction, and the
    uncorrected one rho = 0. A variance below S2/J implies a negative covariance, which is not
    clipped: such an estimate says that the splits contradict each other. On k-fold splits, rho is
    the mean correlation over all pairs of splits.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       Lemma 1 and equation 8.

    Examples
    --------
    >>> from skcvstats.stats import corrected_resampled_ttest
    >>> from skcvstats.theory import implied_correlation
    >>> scores = [0.90, 0.85, 0.95, 0.80, 0.90]
    >>> test = corrected_resampled_ttest(scores, n_train=90, n_test=10)
    >>> round(implied_correlation(test.standard_error**2, scores).correlation, 6)
    0.1
    """
    variance = finite_array("variance", variance)
    if (variance < 0).any():
        raise ValueError("variance is negative; pass the variance of the mean score, at least 0.")
    magnitude = None
    if isinstance(scores, CVScores):
        scores.check_complete()
        scores, magnitude = scores.values, scores.magnitude
    values = finite_array("scores", scores)
    if values.ndim == 0 or values.shape[-1] < 2:
        raise ValueError(
            f"scores has shape {values.shape}; its last axis must have the scores of 2 or more "
            "splits. Score on more splits."
        )
    if variance.ndim and variance.shape != values.shape[:-1]:
        raise ValueError(
            f"variance has shape {variance.shape} for scores of shape {values.shape}; pass one "
            "number, or one for each row of scores."
        )
    spread = sample_moments(values, magnitude)[1]
    s2 = variance - spread / values.shape[-1]
    s1 = s2 + spread
    with np.errstate(invalid="ignore"):
        correlation = np.divide(s2, s1)
    return ImpliedCorrelation(correlation=plain(correlation), s1=plain(s1), s2=plain(s2))
