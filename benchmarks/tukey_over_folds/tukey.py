"""Tukey's test after a repeated-measures analysis of variance, with the folds as subjects."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.stats import studentized_range


@dataclass(frozen=True)
class Tukey:
    """All pairs of models by Tukey's test, which takes the folds for independent.

    Parameters
    ----------
    differences : ndarray of shape (..., n_models, n_models)
        Mean score of the first model minus that of the second.
    standard_error : ndarray of shape (...)
        Of a mean score, from the residual mean square.
    df : int
        Its degrees of freedom, (n_splits - 1) (n_models - 1).
    """

    differences: np.ndarray
    standard_error: np.ndarray
    df: int

    @property
    def n_models(self) -> int:
        return self.differences.shape[-1]

    @property
    def pvalues(self) -> np.ndarray:
        """The adjusted p-value of each pair, of shape (..., n_models, n_models)."""
        ranges = np.abs(self.differences) / self.standard_error[..., None, None]
        first, second = np.triu_indices(self.n_models, k=1)
        found = studentized_range.sf(ranges[..., first, second], self.n_models, self.df)
        pvalues = np.ones(self.differences.shape)
        pvalues[..., first, second] = pvalues[..., second, first] = found
        return pvalues

    def half_width(self, confidence_level: float = 0.95) -> np.ndarray:
        """Return half the length of the simultaneous intervals, of shape (...)."""
        return _quantile(confidence_level, self.n_models, self.df) * self.standard_error

    def claims(self, alpha: float = 0.05) -> np.ndarray:
        """Return whether any two models are said to differ, of shape (...)."""
        widest = self.differences.max(axis=(-2, -1))
        return widest > self.half_width(1 - alpha)


def repeated_measures_tukey(scores: np.ndarray) -> Tukey:
    """Compare all pairs of models as if each fold were another subject.

    Parameters
    ----------
    scores : ndarray of shape (..., n_splits, n_models)
        One row of scores for each fold.

    Returns
    -------
    Tukey
        The residual mean square is that of scores less the means of their fold and model.
    """
    scores = np.asarray(scores, dtype=float)
    n_splits, n_models = scores.shape[-2:]
    means = scores.mean(axis=-2)
    residuals = (
        scores
        - scores.mean(axis=-1, keepdims=True)
        - means[..., None, :]
        + scores.mean(axis=(-2, -1), keepdims=True)
    )
    df = (n_splits - 1) * (n_models - 1)
    mean_square = (residuals**2).sum(axis=(-2, -1)) / df
    return Tukey(
        differences=means[..., :, None] - means[..., None, :],
        standard_error=np.sqrt(mean_square / n_splits),
        df=df,
    )


@cache
def _quantile(confidence_level: float, n_models: int, df: int) -> float:
    return float(studentized_range.ppf(confidence_level, n_models, df))
