"""The pivot's probabilities against mpmath, and the conventions of SciPy's tests."""

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import stats

from skcvstats.stats._sample import sample_moments
from skcvstats.stats._student import student_quantile, tail_probability
from tests.stats.oracles import student_tails


@pytest.mark.parametrize("df", [1, 2, 14, 999])
@pytest.mark.parametrize("tail", [0.4999, 0.25, 0.025, 1e-12])
def test_quantiles_against_mpmath(df, tail):
    quantile = student_quantile(df, tail)
    mp.dps = 40
    exact = mp.findroot(lambda t: student_tails(t, df) - 2 * mpf(tail), mpf(quantile))
    # Near the median the quantile itself is small: there its absolute error counts.
    assert quantile == pytest.approx(float(exact), rel=1e-13, abs=1e-12)


@pytest.mark.parametrize("tail", [0.4, 0.05, 0.025, 1e-6, 1e-100])
def test_infinite_df_is_the_normal_law(tail):
    assert student_quantile(np.inf, tail) == pytest.approx(stats.norm.ppf(tail), rel=1e-14)
    z = stats.norm.ppf(tail)
    assert tail_probability(np.array(z), np.inf, "less") == pytest.approx(tail, rel=1e-12)


def test_moments_against_numpy_in_extended_precision():
    values = 1e6 + np.random.default_rng(0).normal(size=(50, 15))
    mean, variance, _ = sample_moments(values)
    exact = values.astype(np.longdouble)
    np.testing.assert_allclose(mean, exact.mean(axis=-1).astype(float), rtol=1e-15)
    np.testing.assert_allclose(variance, exact.var(axis=-1, ddof=1).astype(float), rtol=1e-9)


@pytest.mark.parametrize(("ulps", "constant"), [(0, True), (8, True), (12, False), (1000, False)])
def test_ten_ulps_of_the_scores_are_no_variance(ulps, constant):
    # x = scale +- d: the mean is the scale and the largest deviation d.
    scale = 1.0
    d = ulps * np.finfo(float).eps
    values = np.array([scale + d, scale - d] * 4)
    _, variance, _ = sample_moments(values)
    assert (variance == 0) == constant
    _, variance, _ = sample_moments(values - scale, magnitude=np.array(scale))
    assert (variance == 0) == constant
