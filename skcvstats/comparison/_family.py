"""Family: several comparisons at once, with one critical value for all of them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._utils._checks import ConfidenceInterval, alpha_of
from ..stats import (
    CVTestResult,
    Inference,
    MarginPvalues,
    adjust_pvalues,
    deciding_level,
    plain,
    student_quantile,
    tail_probability,
)


@dataclass(frozen=True, eq=False)
class Family(ABC):
    """Comparisons in one metric, with p-values and intervals that allow for their number."""

    n_comparisons: int

    # Whether intervals are adjusted too, so that they agree with the p-values.
    joint: ClassVar[bool] = True

    @abstractmethod
    def pvalues(self, inference: Inference) -> np.ndarray:
        """Return the adjusted p-value of each comparison."""

    def error_of(self, pvalues: Any) -> Any:
        """Return the standard error that simulated maxima give to p-values."""
        return 0.0 * pvalues

    def errors(self, inference: Inference) -> np.ndarray:
        """Return the Monte-Carlo standard error of each adjusted p-value; 0 if nothing is drawn."""
        alone = np.asarray(inference.pvalue)
        factor = self.pvalues(inference) / np.where(alone > 0, alone, 1.0)
        return np.asarray(factor * getattr(inference, "pvalue_error", 0.0))

    @abstractmethod
    def intervals(self, inference: Inference, confidence_level: float) -> ConfidenceInterval:
        """Return the intervals that decide."""

    def critical(self, inference: Any, alpha: float, position: int) -> Any:
        """Return the critical value of the statistic of a comparison."""
        return _at_level(inference, self.own_level(alpha, position))

    def own_level(self, alpha: float, position: int) -> float:
        """Return the level at which a comparison is tested."""
        return alpha

    def margin_intervals(self, inference: Any, confidence_level: float) -> ConfidenceInterval:
        """Return the intervals that decide whether differences are within a margin."""
        return self.intervals(inference, confidence_level)

    def margin_pvalues(self, inference: Any, bounds: tuple[float, float]) -> MarginPvalues:
        """Return the adjusted p-values for a margin; nan if undetermined."""
        low, high = bounds
        return MarginPvalues(
            better_by_more=self._beyond(inference, high, "greater"),
            worse_by_more=self._beyond(inference, low, "less"),
            not_worse=self._beyond(inference, low, "greater"),
            not_better=self._beyond(inference, high, "less"),
        )

    def _beyond(self, inference: Any, bound: float, direction: str) -> np.ndarray:
        """Return the p-values of differences beyond a bound, from the intervals that decide."""
        if inference.alternative not in ("two-sided", direction):  # one-sided the other way
            return np.full(np.shape(inference.estimate), np.nan)
        moved = inference.against(bound, inference.alternative)
        statistic = np.asarray(moved.statistic)
        right = statistic > 0 if direction == "greater" else statistic < 0
        one_sided = inference.alternative != "two-sided"
        pvalues = np.where(right | one_sided, self.pvalues(moved), 1.0)
        return np.where(np.isnan(statistic), np.nan, pvalues)


def _at_level(inference: Any, level: float) -> Any:
    """Return the critical value of each comparison by itself."""
    tails = 2 if inference.alternative == "two-sided" else 1
    return -student_quantile(inference.df, level / tails)


@dataclass(frozen=True, eq=False)
class Unadjusted(Family):
    """One comparison, or several that are not adjusted."""

    joint = False

    def pvalues(self, inference: Inference) -> np.ndarray:
        return np.asarray(inference.pvalue)

    def intervals(self, inference: Inference, confidence_level: float) -> ConfidenceInterval:
        return inference.confidence_interval(confidence_level)

    def margin_intervals(self, inference: Any, confidence_level: float) -> ConfidenceInterval:
        """Return intervals with confidence 1 - 2 alpha, which decide on equivalence."""
        check_level_with_margin(confidence_level)
        # These ends are those of one-sided intervals at the level itself.
        tails = 2 if inference.alternative == "two-sided" else 1
        return inference.confidence_interval(1 - tails * alpha_of(confidence_level))

    def margin_pvalues(self, inference: Any, bounds: tuple[float, float]) -> MarginPvalues:
        below, above = _one_sided(inference, bounds)
        return super().margin_pvalues(inference, bounds)._replace(not_worse=below, not_better=above)


@dataclass(frozen=True, eq=False)
class PvaluesOnly(Unadjusted):
    """Comparisons whose p-values are adjusted one by one, and whose intervals are not."""

    adjustment: str
    evidence: np.ndarray

    def pvalues(self, inference: Inference) -> np.ndarray:
        return adjust_pvalues(self.evidence, self.adjustment)

    def own_level(self, alpha: float, position: int) -> float:
        return deciding_level(self.evidence, self.adjustment, position, alpha)

    def margin_pvalues(self, inference: Any, bounds: tuple[float, float]) -> MarginPvalues:
        """Adjust p of equivalence, or one-sided of "not worse" or "not better", as a family."""
        below, above = _one_sided(inference, bounds)
        nothing = np.full(self.evidence.shape, np.nan)
        asked = {"two-sided": np.maximum(below, above), "greater": below, "less": above}
        pvalues = asked[inference.alternative]
        adjusted = adjust_pvalues(np.where(np.isnan(pvalues), 1.0, pvalues), self.adjustment)
        adjusted = np.where(np.isnan(pvalues), np.nan, adjusted)
        return MarginPvalues(
            better_by_more=nothing,
            worse_by_more=nothing,
            not_worse=nothing if inference.alternative == "less" else adjusted,
            not_better=nothing if inference.alternative == "greater" else adjusted,
        )


def _one_sided(inference: Any, bounds: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Return unadjusted p-values of "not worse" and "not better"; nan in the other direction."""
    found = []
    for bound, direction in zip(bounds, ("greater", "less"), strict=True):
        pvalues = np.asarray(inference.against(bound, direction).pvalue)
        asked = inference.alternative in ("two-sided", direction)
        found.append(pvalues if asked else np.full(pvalues.shape, np.nan))
    return found[0], found[1]


def check_level_with_margin(confidence_level: float) -> None:
    """Raise ValueError for a level at which no margin can be tested."""
    if confidence_level <= 0.5:
        raise ValueError(
            f"confidence_level={confidence_level!r} must be above 0.5 with a margin: equivalence "
            "is read from the interval of the confidence 1 - 2 alpha."
        )


@dataclass(frozen=True, eq=False)
class Bonferroni(Family):
    """Each comparison at the level alpha divided by the number of comparisons."""

    def pvalues(self, inference: Inference) -> np.ndarray:
        return np.minimum(1.0, self.n_comparisons * np.asarray(inference.pvalue))

    def intervals(self, inference: Inference, confidence_level: float) -> ConfidenceInterval:
        level = self.own_level(alpha_of(confidence_level))
        usual = type(inference).confidence_interval is CVTestResult.confidence_interval
        if usual and isinstance(inference, CVTestResult):  # 1 - level would lose digits
            return inference.interval_at(_at_level(inference, level))
        return inference.confidence_interval(1 - level)

    def own_level(self, alpha: float, position: int = 0) -> float:
        return alpha / self.n_comparisons


@dataclass(frozen=True, eq=False)
class MaxT(Family):
    """The largest statistic of all against the simulated one; never less strict than each alone."""

    maxima: np.ndarray
    n_squares: int

    def pvalues(self, inference: Any) -> np.ndarray:
        if self.n_comparisons == 1:
            return np.asarray(inference.pvalue)
        statistic = np.asarray(inference.statistic)
        bound = tail_probability(statistic, self.n_squares, inference.alternative)
        alone = tail_probability(statistic, inference.df, inference.alternative)
        found = single_step(self.n_comparisons, self.tail(_extreme(inference)), alone, bound)
        return np.maximum(found, getattr(inference, "pvalue_of_side", 0.0))

    def error_of(self, pvalues: Any) -> Any:
        return error_of_share(pvalues, len(self.maxima))

    def errors(self, inference: Any) -> np.ndarray:
        """Return the error by the draws, and by the replicates of a bootstrap."""
        # With n replicates t has the relative error 1/sqrt(2 n), and the normal tail falls by about
        # t p.
        pvalues = self.pvalues(inference)
        drawn = np.where(pvalues == self.tail(_extreme(inference)), self.error_of(pvalues), 0.0)
        if not hasattr(inference, "n_replicates"):
            return drawn
        by_t = pvalues * np.square(inference.statistic) / np.sqrt(2 * inference.n_replicates)
        of_own = pvalues == inference.pvalue_of_side
        return np.hypot(drawn, np.where(of_own, inference.pvalue_error, by_t))

    def tail(self, extreme: np.ndarray) -> np.ndarray:
        """Return the share of maxima that are at least as large, the observed one included."""
        n_draws = len(self.maxima)
        beyond = n_draws - np.searchsorted(self.maxima, extreme, side="left")
        return np.asarray((1 + beyond) / (n_draws + 1))

    def quantile(self, alpha: float) -> float:
        """Return the simulated maximum whose `tail` is at most `alpha`."""
        # a product that is an integer up to rounding is that integer
        k = int(np.floor(alpha * (len(self.maxima) + 1) + 1e-9))
        return np.inf if k == 0 else float(self.maxima[-k])

    def critical(self, inference: Any, alpha: float, position: int = 0) -> Any:
        """Return the critical value of the statistics at the level of all comparisons together."""
        tails = 2 if inference.alternative == "two-sided" else 1
        single = _at_level(inference, alpha)
        if self.n_comparisons == 1:
            return single
        bound = -student_quantile(self.n_squares, alpha / self.n_comparisons / tails)
        return np.minimum(bound, np.maximum(self.quantile(alpha), single))

    def intervals(self, inference: Any, confidence_level: float) -> ConfidenceInterval:
        together = inference.interval_at(self.critical(inference, alpha_of(confidence_level)))
        lows, highs = zip(together, inference.confidence_interval(confidence_level), strict=True)
        return ConfidenceInterval(plain(np.minimum(*lows)), plain(np.maximum(*highs)))


def _extreme(inference: Any) -> np.ndarray:
    """Return the statistics in the direction of the alternative."""
    statistic = np.asarray(inference.statistic)
    extremes = {"two-sided": np.abs(statistic), "less": -statistic}
    return extremes.get(inference.alternative, statistic)


def single_step(
    n_comparisons: int, simulated: np.ndarray, single: np.ndarray, bound: np.ndarray
) -> np.ndarray:
    """Return max-t p-values, bounded by the unadjusted p-values and Bonferroni's."""
    return np.minimum(1.0, np.minimum(n_comparisons * bound, np.maximum(simulated, single)))


def error_of_share(pvalues: Any, n_draws: int) -> Any:
    """Return the standard error of p-values that are shares of so many draws."""
    return np.sqrt(pvalues * (1 - pvalues) / (n_draws + 1))


# A p-value within so many of its standard errors of a level could be on its other side.
_ERRORS = 4


def close(pvalues: Any, errors: Any, levels: Sequence[float]) -> bool:
    """Return whether another simulation could change a verdict at one of the levels."""
    distance = np.abs(np.subtract.outer(pvalues, levels))
    return bool((distance < _ERRORS * np.asarray(errors)[..., np.newaxis]).any())
