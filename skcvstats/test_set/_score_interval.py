"""Score intervals: the values that a test with the standard error under each of them accepts."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from .._utils._checks import ConfidenceInterval
from ..stats import UNDETERMINED, plain, student_quantile, tail_probability
from ._held_out import HeldOutResult

# After this many bisections of an interval of length 2, its ends are neighbouring numbers.
_N_BISECTIONS = 64


def score_interval(
    statistic_at: Callable[[np.ndarray], np.ndarray],
    lowest: np.ndarray,
    df: Any,
    confidence_level: float,
    alternative: str,
) -> ConfidenceInterval:
    """Return the values from `lowest` to 1 that a statistic, which falls in them, accepts."""
    tails = 2 if alternative == "two-sided" else 1
    critical = -np.asarray(student_quantile(df, (1 - confidence_level) / tails))
    ends = [np.full_like(lowest, -np.inf), np.full_like(lowest, np.inf)]
    for k, target in enumerate((critical, -critical)):
        if alternative == ("less", "greater")[k]:
            continue
        low, high = lowest, np.ones_like(lowest)
        for _ in range(_N_BISECTIONS):
            middle = (low + high) / 2
            statistic = statistic_at(middle)
            # nan at a difference of 0 without discordant rows, where it passes through 0
            above = np.where(np.isnan(statistic), target < 0, statistic > target)
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        ends[k] = np.where(low == lowest, lowest, (low + high) / 2)
    return ConfidenceInterval(*map(plain, ends))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreTestResult(HeldOutResult):
    """Base of the answers of score tests: the interval holds the values that are not rejected."""

    @abstractmethod
    def statistic_at(self, value: Any) -> np.ndarray:
        """Return the statistic of a true value.

        Parameters
        ----------
        value : float or ndarray
            The value under test, or one for each estimate.

        Returns
        -------
        ndarray
            The greater the value, the lower.
        """

    @property
    def undetermined(self) -> Any:
        """Never: where rows are all alike, the interval says how sure that is."""
        none = np.zeros(np.shape(self.estimate), dtype=bool)
        return none if none.ndim else False

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        level = self._level(confidence_level)
        lowest = np.full(np.shape(self.estimate), -1.0 if self.paired else 0.0)
        return score_interval(self.statistic_at, lowest, self.df, level, self.alternative)

    def against(self, null_value: Any, alternative: str) -> Self:
        statistic = self.statistic_at(null_value)
        pvalue = tail_probability(statistic, self.df, alternative)
        return replace(
            self,
            statistic=plain(statistic),
            pvalue=plain(np.where(np.isnan(statistic), 1.0, pvalue)),
            null_value=null_value,
            alternative=alternative,
            notes=tuple(note for note in self.notes if note.code != UNDETERMINED.code),
        )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class WilsonResult(ScoreTestResult):
    """The answer about the accuracy of one classifier on independent rows."""

    def statistic_at(self, value: Any) -> np.ndarray:
        return score_statistic(self.estimate, value, value * np.subtract(1, value) / self.n_test)


WILSON = {
    "title": "Wilson score test",
    "explanation": "the square root of accuracy times error rate divided by the number of rows; "
    "the interval and p take that at the value under test",
    "assumption": "it assumes that the rows are independent",
    "sources": ("wilson1927",),
}


def score_statistic(estimate: Any, value: Any, variance: Any) -> np.ndarray:
    """Return a distance in standard errors: infinite where the variance is 0, nan for none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return (np.asarray(estimate) - value) / np.sqrt(np.maximum(variance, 0.0))
