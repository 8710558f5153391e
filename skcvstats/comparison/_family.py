"""Family: several comparisons at once, with one critical value for all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._utils import ConfidenceInterval, alpha_of
from ..stats import Inference, student_quantile, tail_probability


@dataclass(frozen=True, eq=False)
class Family(ABC):
    """Comparisons whose p-values and intervals are adjusted together.

    Parameters
    ----------
    n_comparisons : int
        How many were asked for, undetermined ones included.
    """

    n_comparisons: int

    @abstractmethod
    def pvalues(self, inference: Inference) -> np.ndarray:
        """Return the adjusted p-value of each comparison."""

    @abstractmethod
    def intervals(self, inference: Inference, confidence_level: float) -> ConfidenceInterval:
        """Return intervals that cover all true differences at once with this confidence.

        Parameters
        ----------
        inference : Inference
            Of one comparison, or of all of them.
        confidence_level : float
            Strictly between 0 and 1.
        """


@dataclass(frozen=True, eq=False)
class Bonferroni(Family):
    """Each comparison at the level alpha divided by their number."""

    def pvalues(self, inference: Inference) -> np.ndarray:
        return np.minimum(1.0, self.n_comparisons * np.asarray(inference.pvalue))

    def intervals(self, inference: Inference, confidence_level: float) -> ConfidenceInterval:
        return inference.confidence_interval(1 - alpha_of(confidence_level) / self.n_comparisons)


@dataclass(frozen=True, eq=False)
class MaxT(Family):
    """The largest statistic of all, against the simulated one.

    Parameters
    ----------
    n_comparisons : int
        How many were asked for, undetermined ones included.
    maxima : ndarray of shape (n_draws,)
        Simulated maxima, ascending.
    n_squares : int
        The number of squares in the variance estimate.
    """

    maxima: np.ndarray
    n_squares: int

    def pvalues(self, inference: Any) -> np.ndarray:
        statistic, pvalue = np.asarray(inference.statistic), np.asarray(inference.pvalue)
        if self.n_comparisons == 1:
            return pvalue
        extreme = {"two-sided": np.abs(statistic), "less": -statistic}.get(
            inference.alternative, statistic
        )
        bound = tail_probability(statistic, self.n_squares, inference.alternative)
        return single_step(self.n_comparisons, self.tail(extreme), pvalue, bound)

    def tail(self, extreme: np.ndarray) -> np.ndarray:
        """Return how often a simulated maximum is at least so large, counting the real one.

        Parameters
        ----------
        extreme : ndarray
            Statistics in the direction of the alternative.
        """
        n_draws = len(self.maxima)
        beyond = n_draws - np.searchsorted(self.maxima, extreme, side="left")
        return share_of_draws(beyond, n_draws)

    def quantile(self, alpha: float) -> float:
        """Return the simulated maximum that `tail` gives at most `alpha`."""
        # a share of the draws that is whole but for rounding is that whole number
        k = int(np.floor(alpha * (len(self.maxima) + 1) + 1e-9))
        return np.inf if k == 0 else float(self.maxima[-k])

    def critical(self, inference: Any, alpha: float) -> Any:
        """Return the critical value of the statistics at the level of all comparisons together."""
        tails = 2 if inference.alternative == "two-sided" else 1
        single = -student_quantile(inference.df, alpha / tails)
        if self.n_comparisons == 1:
            return single
        bound = -student_quantile(self.n_squares, alpha / self.n_comparisons / tails)
        return np.minimum(bound, np.maximum(self.quantile(alpha), single))

    def intervals(self, inference: Any, confidence_level: float) -> ConfidenceInterval:
        critical = self.critical(inference, alpha_of(confidence_level))
        return inference.interval_at(critical)


def share_of_draws(beyond: np.ndarray, n_draws: int) -> np.ndarray:
    """Return the share of simulated maxima beyond a statistic, counting the real one.

    Parameters
    ----------
    beyond : ndarray of int
        How many are at least as large.
    n_draws : int
        How many there are.
    """
    return (1 + beyond) / (n_draws + 1)


def single_step(
    n_comparisons: int, simulated: np.ndarray, single: np.ndarray, bound: np.ndarray
) -> np.ndarray:
    """Return max-t p-values: simulated ones between the single ones and Bonferroni's.

    Parameters
    ----------
    n_comparisons : int
        How many were asked for.
    simulated : ndarray
        The share of simulated maxima beyond each statistic.
    single : ndarray
        The p-value of each comparison by itself.
    bound : ndarray
        The same of Student's law with as many degrees of freedom as there are squares.
    """
    return np.minimum(1.0, np.minimum(n_comparisons * bound, np.maximum(simulated, single)))
