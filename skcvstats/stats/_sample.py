"""Sample: the input of a procedure; moments of scores; and Student's t distribution.

All p-values and intervals are from that distribution, which is normal if df is infinite.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betaln, ndtri, stdtr, stdtrit

from .._utils._arrays import Floats
from .._utils._checks import ConfidenceInterval
from .._utils._shared_arguments import tails_of
from ..scores import CVScores, SplitDesign, check_range

# Distances below this share of the scores are only rounding.
ROUNDING = 10 * np.finfo(float).eps


@dataclass(frozen=True)
class Sample:
    """What a procedure works on: complete scores, or paired differences, and their splits.

    Parameters
    ----------
    values : ndarray of shape (..., n_splits)
        Greater is better. The holdout t-test has one value for each test row instead.
    {shared: splits}
    magnitude : ndarray of shape (...) or None, default=None
        The largest absolute score before any subtraction; None means of `values` themselves.
    scores : CVScores or None, default=None
        Where they come from: their metric, names and notes. None for bare arrays.
    """

    values: np.ndarray
    design: SplitDesign
    magnitude: np.ndarray | None = None
    scores: CVScores | None = None

    def __post_init__(self) -> None:
        check_range("the scores", self.largest)

    @property
    def largest(self) -> np.ndarray:
        """The largest absolute score of each row, before any subtraction where that is known."""
        return np.abs(self.values).max(axis=-1) if self.magnitude is None else self.magnitude


class Root(NamedTuple):
    """A root of the estimated covariance of several estimators' expected scores."""

    values: np.ndarray
    n_squares: int


def deviations_of(values: Floats) -> Floats:
    """Return scores minus their mean over the splits."""
    means: Floats = values.mean(axis=-1, keepdims=True)
    return values - means


def sample_moments(values: np.ndarray, largest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the variance of the scores of each row."""
    mean = values.mean(axis=-1)
    squares = sum_of_squares(values - mean[..., np.newaxis], largest)
    return mean, squares / (values.shape[-1] - 1)


def mean_of_last(values: Floats) -> Floats:
    """Return the mean over the last axis; faster than NumPy's if that axis is short."""
    mean: Floats = np.einsum("...j->...", values) / values.shape[-1]
    return mean


def sum_of_squares(differences: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Return the sum of squares of differences of scores of this size; 0 where all are rounding."""
    squares = np.einsum("...j,...j->...", differences, differences)
    is_rounding = np.abs(differences).max(axis=-1) <= ROUNDING * largest
    return np.where(is_rounding, 0.0, squares)


def mean_square(differences: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Return the mean square of differences of scores of this size; 0 where all are rounding."""
    return np.asarray(sum_of_squares(differences, largest) / differences.shape[-1])


def interval(half_width: Any, *, estimate: Any, alternative: str) -> ConfidenceInterval:
    """Return the interval of this half-width, or the one-sided interval of the alternative."""
    low = np.subtract(estimate, half_width)
    return with_ends(low, np.add(estimate, half_width), alternative)


def with_ends(low: Any, high: Any, alternative: str) -> ConfidenceInterval:
    """Return the interval with these ends, or with one for a one-sided alternative."""
    infinite = np.full_like(low, np.inf)
    low, high = {
        "two-sided": (low, high),
        "greater": (low, infinite),
        "less": (-infinite, high),
    }[alternative]
    return ConfidenceInterval(plain(low), plain(high))


def tail_probability(statistic: Floats, df: Any, alternative: str) -> Floats:
    """Return P(T at least as extreme as `statistic`) under the alternative's meaning."""
    tail: Floats = stdtr(df, -extremeness(statistic, alternative))
    return tails_of(alternative) * tail


def extremeness(statistic: Floats, alternative: str) -> Floats:
    """Return the statistic such that larger values speak for the alternative."""
    distances = {"two-sided": np.abs(statistic), "less": -statistic, "greater": statistic}
    return distances[alternative]


def student_quantile(df: Any, probability: float) -> Any:
    """Return the quantile of Student's t distribution to full precision; df may be an array."""
    # Before SciPy 1.16 stdtrit has eleven digits; a Newton step on stdtr doubles them.
    normal = np.isinf(df)
    finite = np.where(normal, 1.0, df)  # the quantiles for infinite df are replaced below
    rough = stdtrit(finite, probability)
    log_density = -(finite + 1) / 2 * np.log1p(rough**2 / finite) - betaln(finite / 2, 0.5)
    density = np.exp(log_density) / np.sqrt(finite)
    exact = rough - (stdtr(finite, rough) - probability) / density
    exact = np.where(probability == 0.5, 0.0, exact)  # the step leaves 1e-16 at the median
    return plain(np.where(normal, ndtri(probability), exact))


def plain_flags(flags: Any) -> Any:
    """Return a Python bool for a scalar, and an array unchanged."""
    return flags if np.ndim(flags) else bool(flags)


def plain(x: np.ndarray) -> Any:
    """Return a Python float for a scalar, and an array unchanged."""
    return x if np.ndim(x) else float(x)
