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
    spread = float((np.square(1 - shares) / dfs).sum())
    statistic = between / (1 + 2 * (n - 2) / (n**2 - 1) * spread)
    df_within = (n**2 - 1) / (3 * max(spread, 1 / _MOST_SQUARES))
    pvalue = fdtrc(n - 1, df_within, statistic)
    return WelchTest(float(statistic), n - 1, df_within, float(pvalue))
