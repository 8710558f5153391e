"""Welch's test of whether several independent estimates have one true value."""

from typing import NamedTuple

import numpy as np
from scipy.special import fdtrc

_MOST_SQUARES = 1e8  # degrees of freedom in place of infinitely many


class WelchTest(NamedTuple):
    """The statistic, its degrees of freedom, and the p-value."""

    statistic: float
    df: float
    df_within: float
    pvalue: float


NOT_TESTED = WelchTest(np.nan, np.nan, np.nan, np.nan)


def welch_test(estimates: np.ndarray, errors: np.ndarray, dfs: np.ndarray) -> WelchTest:
    """Test whether independent estimates, with their standard errors, have one true value.

    This is B. L. Welch, "On the Comparison of Several Mean Values: An Alternative Approach",
    Biometrika 38, 1951, whose means of samples may be any estimates.
    """
    n = len(estimates)
    weights = 1 / np.square(errors)
    shares = weights / weights.sum()
    between = (weights * np.square(estimates - shares @ estimates)).sum() / (n - 1)
    spread = (np.square(1 - shares) / dfs).sum()
    statistic = between / (1 + 2 * (n - 2) / (n**2 - 1) * spread)
    with np.errstate(divide="ignore"):  # of the normal distribution df is infinite
        df_within = np.divide(n**2 - 1, 3 * spread)
    pvalue = fdtrc(n - 1, min(df_within, _MOST_SQUARES), statistic)
    return WelchTest(float(statistic), n - 1, float(df_within), float(pvalue))
