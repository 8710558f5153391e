"""Summaries of arrays over data sets with their Monte-Carlo errors; given truths and grids."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._utils._arrays import as_numbers
from .._utils._checks import check_finite_number, check_option
from ..stats import error_rate_interval, student_quantile

# The intervals of moments are asymptotic: they need many data sets.
FEWEST_DATA_SETS = 30


class Estimated(NamedTuple):
    """A quantity, its Monte-Carlo standard error, and the ends of an interval for it."""

    value: Any
    standard_error: Any
    low: Any
    high: Any

    def columns(self, name: str) -> dict[str, Any]:
        """Return them by name."""
        return {name: self.value, **dict(zip(self._fields[1:], self[1:], strict=True))}


def require_data_sets(n: int, fewest: int, what: str) -> None:
    """Raise ValueError if there are too few data sets."""
    if n < fewest:
        raise ValueError(
            f"{what} needs at least {fewest} data sets; there {'is' if n == 1 else 'are'} {n}. "
            "Simulate more: with the same store= only further data sets are computed."
        )


def rates(counts: np.ndarray, n: int, level: float) -> Estimated:
    """Return rates, their standard errors and exact (Clopper-Pearson) intervals."""
    found = error_rate_interval(counts, n, "exact", confidence_level=level)
    rate = np.asarray(found.estimate)
    error = np.sqrt(rate * (1 - rate) / n)
    return Estimated(rate, error, np.asarray(found.low), np.asarray(found.high))


def mean_of(values: np.ndarray, level: float) -> Estimated:
    """Return the mean of independent numbers."""
    n = len(values)
    error = float(values.std(ddof=1) / np.sqrt(n))
    half_width = -student_quantile(n - 1, (1 - level) / 2) * error
    mean = float(values.mean())
    return Estimated(mean, error, mean - half_width, mean + half_width)


def political_ratio_of(estimates: np.ndarray, variances: np.ndarray, level: float) -> Estimated:
    """Return the variance of the estimates over the mean of the variance estimates."""
    # The Notes of `SimulationResult.political_ratio` have the influence values.
    n = len(estimates)
    squares = (estimates - estimates.mean()) ** 2
    variance = squares.sum() / (n - 1)
    mean = variances.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.divide(variance, mean)
        influence = (squares - variance) / mean - variance * (variances - mean) / mean**2
        error = influence.std(ddof=1) / np.sqrt(n)
        factor = np.exp(-student_quantile(np.inf, (1 - level) / 2) * error / ratio)
        return Estimated(*map(float, (ratio, error, ratio / factor, ratio * factor)))


def check_truth(truth: Mapping[str, float] | None, hypotheses: Sequence[str]) -> dict[str, float]:
    """Return the true values that are given, by hypothesis, or say what is wrong with them."""
    if truth is None:
        return {}
    if not isinstance(truth, Mapping):
        raise TypeError(
            f"truth={truth!r} must be a dict from hypotheses of {list(hypotheses)} to true values."
        )
    return {
        check_option("hypothesis", name, hypotheses): check_finite_number(name, value)
        for name, value in truth.items()
    }


def given_grids(null_values: Any, hypotheses: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the grid of each hypothesis, or say what is wrong with it."""
    if not isinstance(null_values, Mapping):
        null_values = dict.fromkeys(hypotheses, null_values)
    grids = {}
    for name, values in null_values.items():
        check_option("hypothesis", name, hypotheses)
        grid = np.atleast_1d(as_numbers("null_values", values))
        if grid.ndim != 1 or grid.size == 0 or not np.isfinite(grid).all():
            raise ValueError(
                f"null_values of {name!r} must be finite numbers in one dimension, got {values!r}."
            )
        grids[name] = grid
    return grids
