"""Gaussian scores with exact covariance, their exact sizes, and the check of both.

In units of the variance s1 of a score: rho is the correlation of two splits of the same rows, k
that of the two scores of a pair of halves. A variance estimate that is an independent multiple of
chi-square, with PR the political ratio Var[estimate]/E[variance estimate], gives a two-sided test
of level alpha the size 2 T_df(-c/sqrt PR), where c is its critical value.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

BLOCK = 20_000
LEVELS = (0.10, 0.01)
MEAN, SCALE = 3.0, 0.01  # a missing root hides at unit variance


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A procedure, the law of its scores, and its exact size at each level.

    `draw(rng, n)` returns the arguments of `call` for n data sets; their expectation is 0 and their
    standard deviation about 1. There are enough data sets for the faults of test_faults to be seen.
    """

    draw: Callable
    call: Callable
    size: Callable
    n_data_sets: int = 60_000


def exchangeable(rng, n, shape, rho):
    """Draw scores of variance 1 whose correlation is rho throughout; rho may not be negative."""
    common = rng.normal(size=(n, *(1 for _ in shape)))
    own = rng.normal(size=(n, *shape))
    own *= np.sqrt(1 - rho)
    own += np.sqrt(rho) * common
    return own


def pairs(rng, n, k):
    """Draw ten scores, pair by pair, of correlation k within the pairs and none between them."""
    total, difference = rng.normal(size=(2, n, 5))
    total *= np.sqrt((1 + k) / 2)
    difference *= np.sqrt((1 - k) / 2)
    return np.stack([total + difference, total - difference], axis=-1).reshape(n, 10)


def rows(rng, n, n_test, variance_of_mean):
    """Draw scores of test rows with variance 1 about a mean of this variance; s3 may be below 0."""
    e = rng.normal(size=(n, n_test))
    mean = np.sqrt(variance_of_mean) * rng.normal(size=(n, 1))
    return mean + e - e.mean(axis=-1, keepdims=True)


def resampled_ratio(rho, n_splits, odds=0.0):
    """Return the political ratio of procedures 2 and 5, and with rho0's odds of 6 and 7."""
    return (1 + n_splits * rho / (1 - rho)) / (1 + n_splits * odds)


def student(ratio, df, critical_df=None):
    """Return the size as a function of the level; the critical value may be of another law."""

    def size(level):
        critical = stats.t.isf(level / 2, df if critical_df is None else critical_df)
        return 2 * stats.t.sf(critical / np.sqrt(ratio), df)

    return size


def dietterich(k):
    """Return the size of Dietterich's statistic, whose numerator and denominator are dependent."""

    def size(level):
        critical = stats.t.isf(level / 2, 5)
        b, b_weights = special.roots_hermitenorm(150)
        half_chi, chi_weights = special.roots_genlaguerre(120, 1)  # chi-square with 4 df, halved
        b = b[:, np.newaxis]
        bound = critical * np.sqrt((1 - k) * (b**2 + 2 * half_chi) / 5)
        shift, spread = np.sqrt((1 - k) / 2) * b, np.sqrt((1 + k) / 2)
        beyond = stats.norm.cdf((-bound - shift) / spread) + stats.norm.sf((bound - shift) / spread)
        weights = np.outer(b_weights / b_weights.sum(), chi_weights / chi_weights.sum())
        return float(np.sum(weights * beyond))

    return size


def combined_f(k):
    """Return the size of Alpaydin's F: 2F - 1 is (1 + k)/(1 - k) times an F(5, 5)."""

    def size(level):
        critical = stats.f.isf(level, 10, 5)
        return stats.f.sf((2 * critical - 1) * (1 - k) / (1 + k), 5, 5)

    return size


def blocks(setting):
    """Draw the arguments of a setting's call, block by block."""
    rng = np.random.default_rng(0)
    for _ in range(setting.n_data_sets // BLOCK):
        yield [MEAN + SCALE * one for one in setting.draw(rng, BLOCK)]


def is_calibrated(setting, drawn=None):
    """Whether rejections of the truth are in the exact binomial 99.9 % band at every level."""
    sizes = [setting.size(level) for level in LEVELS]
    low, high = stats.binom.ppf([[0.0005], [0.9995]], setting.n_data_sets, sizes)
    counts = np.zeros((2, len(LEVELS)))
    for arguments in blocks(setting) if drawn is None else drawn:
        result = setting.call(*arguments)
        for k, level in enumerate(LEVELS):
            rejected = left_out = result.pvalue < level
            if result.has_interval:
                ends = result.confidence_interval(1 - level)
                left_out = (ends.low > MEAN) | (ends.high < MEAN)
            counts[:, k] += rejected.sum(), left_out.sum()
        if np.any(counts > high):  # more data sets do not make it fewer
            return False
    return bool(np.all(low <= counts))
