"""Sizes of the tests on Gaussian scores with exact covariance, against the exact size.

The scores of J splits have variance s1 and covariance s2 = rho s1. The variance estimate is then an
independent multiple of chi-square with J - 1 degrees of freedom, so with PR the political ratio
Var[estimate]/E[variance estimate], a two-sided test of level alpha has size 2 T_{J-1}(-c/sqrt PR),
c being its critical value. Levels, configurations and faults are those that tell the known bugs of
other implementations apart.
"""

import numpy as np
import pytest
from scipy import stats

from skcvstats import corrected_resampled_ttest

pytestmark = pytest.mark.calibration

N_DATA_SETS = 200_000
CONFIGURATIONS = [(50, 50, 100, 15), (50, 10, 100, 4), (50, 10, 100, 15)]  # n_train, n_test, n, J
MEAN, SCALE = 3.0, 0.01  # a missing root hides at unit variance


def gaussian_scores(rho, n_splits, seed):
    """Draw scores with standard deviation SCALE and correlation rho between splits."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(N_DATA_SETS, 1))
    own = rng.normal(size=(N_DATA_SETS, n_splits))
    return MEAN + SCALE * (np.sqrt(rho) * common + np.sqrt(1 - rho) * own)


def political_ratio(rho, correction, n_splits):
    """Return Var[mean] / (correction E[S2]); both in units of s1."""
    return (rho + (1 - rho) / n_splits) / (correction * (1 - rho))


def exact_size(level, ratio, df):
    return 2 * stats.t.cdf(stats.t.ppf(level / 2, df) / np.sqrt(ratio), df)


def band(size):
    """Return the exact binomial 99.9 % band of the rejection rate."""
    return stats.binom.ppf([0.0005, 0.9995], N_DATA_SETS, size) / N_DATA_SETS


def rejection_rate(pvalues, level):
    return np.mean(pvalues < level)


def pvalues_with(x, variance, df):
    """Refer the mean to Student's law with any variance estimate, right or wrong."""
    return 2 * stats.t.cdf(-np.abs(x.mean(axis=-1) - MEAN) / variance, df)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize("rho_over_rho0", [0.5, 1.0, 1.5])
def test_corrected_resampled_t(configuration, rho_over_rho0):
    n_train, n_test, n, n_splits = configuration
    rho = rho_over_rho0 * n_test / n
    x = gaussian_scores(rho, n_splits, seed=n_splits)
    result = corrected_resampled_ttest(
        x, n_train=n_train, n_test=n_test, n_samples=n, null_value=MEAN
    )
    correction = 1 / n_splits + n_test / (n - n_test)
    ratio = political_ratio(rho, correction, n_splits)
    for level in (0.10, 0.01):
        expected = level if rho_over_rho0 == 1 else exact_size(level, ratio, n_splits - 1)
        low, high = band(expected)
        assert low <= rejection_rate(result.pvalue, level) <= high
        low_end, high_end = result.confidence_interval(1 - level)
        covered = np.mean((low_end < MEAN) & (high_end > MEAN))
        assert 1 - high <= covered <= 1 - low


def root_forgotten(n_train, n_test, n, n_splits, variance):
    return (1 / n_splits + n_test / (n - n_test)) * variance


def standard_error(correction):
    def error(n_train, n_test, n, n_splits, variance):
        return np.sqrt(correction(n_train, n_test, n, n_splits) * variance)

    return error


FAULTS = {
    "n_test/n": standard_error(lambda n1, n2, n, n_splits: 1 / n_splits + n2 / n),
    "n_test/n_train": standard_error(lambda n1, n2, n, n_splits: 1 / n_splits + n2 / n1),
    "J for n": standard_error(lambda n1, n2, n, n_splits: 1 / n_splits + n2 / n_splits),
    "no correction": standard_error(lambda n1, n2, n, n_splits: 1 / n_splits),
    "no root": root_forgotten,
}


def is_calibrated(error, df, level=0.10):
    """Whether a procedure has its level at rho0 in every configuration."""
    for n_train, n_test, n, n_splits in CONFIGURATIONS:
        x = gaussian_scores(n_test / n, n_splits, seed=n_splits)
        variance = x.var(axis=-1, ddof=1)
        pvalues = pvalues_with(x, error(n_train, n_test, n, n_splits, variance), df(n_splits))
        low, high = band(level)
        if not low <= rejection_rate(pvalues, level) <= high:
            return False
    return True


@pytest.mark.parametrize("fault", FAULTS)
def test_known_faults_are_seen(fault):
    assert not is_calibrated(FAULTS[fault], lambda n_splits: n_splits - 1)


def test_one_df_too_many_is_seen_and_the_right_one_passes():
    right = standard_error(lambda n1, n2, n, n_splits: 1 / n_splits + n2 / (n - n2))
    assert is_calibrated(right, lambda n_splits: n_splits - 1)
    assert not is_calibrated(right, lambda n_splits: n_splits)


@pytest.mark.parametrize(("n_splits", "share", "size"), [(15, 0.1, 0.21), (30, 0.3, 0.59)])
def test_what_the_readme_says_of_the_uncorrected_test(n_splits, share, size):
    ratio = political_ratio(share, 1 / n_splits, n_splits)
    assert round(exact_size(0.05, ratio, n_splits - 1), 2) == size
