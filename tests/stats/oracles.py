"""Exact moments of a simple learner, exact expectations of quadratic forms, tails and power.

The sample-mean learner predicts the mean of its training y; squared loss, y independent Gaussian
with variance v. The loss at row i of the model trained on S is (a'y)^2 with a = e_i - 1_S/n1, whose
entries add up to 0, and Cov[(a'y)^2, (b'y)^2] = 2 v^2 (a'b)^2. The moments follow by counting.
"""

from math import cos, floor, fsum, pi, sqrt
from typing import NamedTuple

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import integrate, stats


class Moments(NamedTuple):
    """The report's s0 to s3; in the order of its section 2."""

    s0: float
    s1: float
    s2: float
    s3: float

    @property
    def rho(self):
        return self.s2 / self.s1


def sample_mean_moments(n_train, n_test, n_samples=None, variance=1.0):
    """Return the moments of the sample-mean learner for splits drawn from `n_samples` rows."""
    n = n_train + n_test if n_samples is None else n_samples
    n_rest = n - n_train
    h = np.arange(max(0, 2 * n_train - n), n_train + 1)  # rows that two training sets share
    share = stats.hypergeom(n, n_train, n_train).pmf(h)
    a, b = (n_train - h) / n_rest, h / n_train**2
    neither = n - 2 * n_train + h
    p = np.divide((1 - a) ** 2, neither, out=np.zeros(h.size), where=neither > 0)
    squares = (
        a**2 * (b - 2 / n_train) ** 2
        + 2 * a * (1 - a) * (b - 1 / n_train) ** 2
        + p * (b + 1) ** 2
        + ((1 - a) ** 2 - p) * b**2
    )
    scale = 2 * variance**2
    s0, s3 = scale * (1 + 1 / n_train) ** 2, scale / n_train**2
    return Moments(s0, s3 + (s0 - s3) / n_test, scale * np.sum(share * squares), s3)


def sample_mean_s4(half, variance=1.0):
    """Return the covariance of the two scores of a pair of halves, each of `half` rows."""
    return 8 * variance**2 / half**2


def exchangeable_covariance(size, variance, covariance):
    """Return the covariance matrix of Lemma 1."""
    return covariance + (variance - covariance) * np.eye(size)


def roots_of(covariance):
    """Return columns c_k with covariance sum c_k c_k'.

    For a quadratic form q and mean-zero x with that covariance, E[q(x)] = sum_k q(c_k) exactly.
    """
    values, vectors = np.linalg.eigh(covariance)
    return (vectors * np.sqrt(np.maximum(values, 0))).T


def student_tails(t, df):
    """Return both tails of Student's t distribution together, to 40 digits."""
    mp.dps = 40
    t, df = mpf(t), mpf(df)
    return mp.betainc(df / 2, mpf(1) / 2, 0, df / (df + t**2), regularized=True)


def check(result, rel=1e-12, **expected):
    """Compare numbers of a result with those of another system."""
    for name, value in expected.items():
        rounding = 0 if name == "pvalue" else 1e-15
        assert getattr(result, name) == pytest.approx(float(value), rel=rel, abs=rounding), name


def check_intervals(result, intervals):
    """Compare with the intervals that mlr3inferr and inferGE give, at several levels."""
    for expected in intervals:
        check(result, estimate=expected["estimate"])
        ends = expected["lower"], expected["upper"]
        assert result.confidence_interval(1 - expected["alpha"]) == pytest.approx(ends, rel=1e-12)


def critical_of(alpha, df, alternative):
    return stats.t.isf(alpha / 2 if alternative == "two-sided" else alpha, df)


def power_by_scipy(noncentrality, df, alpha, alternative="two-sided"):
    """Return the power of a t-test of level alpha from the noncentral t distribution."""
    critical = critical_of(alpha, df, alternative)
    with np.errstate(divide="ignore"):  # far out in SciPy 1.13
        above = stats.nct.sf(critical, df, noncentrality)
        below = stats.nct.cdf(-critical, df, noncentrality)
    return {"two-sided": above + below, "greater": above, "less": below}[alternative]


def diebold_mariano(d):
    """Return estimate, standard error and df of scores over time, as the papers have them."""
    d = [float(x) for x in d]
    n = len(d)
    n_transforms = min(n - 1, max(4, floor(0.4 * n ** (2 / 3) + 1e-9)))
    mean, squares = fsum(d) / n, []
    for j in range(1, n_transforms + 1):
        terms = [x * cos(pi * j * (t - 0.5) / n) for t, x in enumerate(d, start=1)]
        squares.append((sqrt(2 / n) * fsum(terms)) ** 2)
    long_run = fsum(squares) / n_transforms
    return mean, sqrt(long_run / n), n_transforms


def check_in_time(test, d, most=np.inf):
    mean, error, df = diebold_mariano(d)
    assert test.estimate == pytest.approx(mean, rel=1e-12)
    assert test.standard_error == pytest.approx(error, rel=1e-10)
    assert test.df == df
    assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(mean) / error, df), rel=1e-9)
    half_width = stats.t.ppf(0.975, df) * error
    ends = mean - half_width, min(mean + half_width, most)
    assert test.confidence_interval() == pytest.approx(ends)


def equivalence_probability(below, above, df, critical):
    """Return how often two one-sided t-tests both reject, by integrating over the variance.

    The bounds are so many true standard errors below and above the true value.
    """

    def density_times_inside(ratio):
        inside = stats.norm.cdf(above - critical * ratio) - stats.norm.cdf(critical * ratio - below)
        return inside * stats.chi.pdf(ratio, df, scale=df**-0.5)

    end = (below + above) / (2 * critical)
    probability, _ = integrate.quad(density_times_inside, 0, end, epsabs=1e-13, limit=500)
    return probability
