"""Student's t distribution (normal if df is infinite), for all p-values and intervals."""

from typing import Any

import numpy as np
from scipy.special import betaln, ndtri, stdtr, stdtrit

from .._utils._checks import ConfidenceInterval


def interval(
    confidence_level: float, *, estimate: Any, standard_error: Any, df: Any, alternative: str
) -> ConfidenceInterval:
    """Return the null values that the test does not reject at 1 - `confidence_level`."""
    tail = (1 - confidence_level) / (2 if alternative == "two-sided" else 1)
    half_width = -student_quantile(df, tail) * standard_error
    return interval_of(half_width, estimate=estimate, alternative=alternative)


def interval_of(half_width: Any, *, estimate: Any, alternative: str) -> ConfidenceInterval:
    """Return the interval of this half-width, or the one-sided interval of the alternative."""
    estimate = np.asarray(estimate)
    low = estimate - half_width if alternative != "less" else np.full_like(estimate, -np.inf)
    high = estimate + half_width if alternative != "greater" else np.full_like(estimate, np.inf)
    return ConfidenceInterval(plain(low), plain(high))


def tail_probability(statistic: np.ndarray, df: Any, alternative: str) -> np.ndarray:
    """Return P(T at least as extreme as `statistic`) under the alternative's meaning."""
    if alternative == "two-sided":
        return 2 * stdtr(df, -np.abs(statistic))
    return stdtr(df, statistic if alternative == "less" else -statistic)


def student_quantile(df: Any, probability: float) -> Any:
    """Return the quantile of Student's t distribution to full precision; df may be an array.

    Before SciPy 1.16 `stdtrit` is accurate to eleven digits only. A Newton step on `stdtr`, which
    is accurate to all digits, doubles them; its slope, the density, need not be more accurate.
    """
    normal = np.isinf(df)
    if np.all(normal):
        return plain(np.full(np.shape(df), ndtri(probability)))
    finite = np.where(normal, 1.0, df)  # these values are replaced below
    rough = stdtrit(finite, probability)
    log_density = -(finite + 1) / 2 * np.log1p(rough**2 / finite) - betaln(finite / 2, 0.5)
    density = np.exp(log_density) / np.sqrt(finite)
    exact = rough - (stdtr(finite, rough) - probability) / density
    return plain(np.where(normal, ndtri(probability), exact))


def plain(x: np.ndarray) -> Any:
    """Return a Python float for a scalar, and an array unchanged."""
    return x if np.ndim(x) else float(x)
