"""Scores whose squares overflow or underflow, and levels that are nearly 1."""

import warnings

import numpy as np
import pytest
from scipy import stats

from skcvstats._utils._checks import alpha_of
from skcvstats.stats import corrected_resampled_ttest, five_by_two_cv_ftest
from skcvstats.theory import conservative_variance
from tests.stats.recipes import every, moved

X = np.random.default_rng(0).normal(0.5, 1, size=(3, 10))
SIZES = {"n_train": 90, "n_test": 10}
pytestmark = pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")


@every
@pytest.mark.parametrize("exponent", [1000, -400, -1000])
def test_the_unit_of_the_scores_does_not_matter(recipe, exponent):
    scores = recipe.draw(np.random.default_rng(0), 3)
    usual, extreme = recipe.run(*scores), recipe.run(*moved(scores, 2.0**exponent))
    np.testing.assert_array_equal(extreme.statistic, usual.statistic)
    np.testing.assert_array_equal(extreme.pvalue, usual.pvalue)
    np.testing.assert_array_equal(extreme.estimate, np.ldexp(usual.estimate, exponent))
    np.testing.assert_array_equal(extreme.standard_error, np.ldexp(usual.standard_error, exponent))
    f, extreme_f = five_by_two_cv_ftest(X), five_by_two_cv_ftest(X * 2.0**exponent)
    np.testing.assert_array_equal(extreme_f.statistic, f.statistic)


@every
def test_only_the_extreme_rows_are_brought_near_1(recipe):
    scores = recipe.draw(np.random.default_rng(0), 3)
    by = np.array([1.0, 2.0**600, 2.0**-600])
    mixed = [None if one is None else one * by.reshape(3, *[1] * (one.ndim - 1)) for one in scores]
    np.testing.assert_array_equal(recipe.run(*mixed).statistic, recipe.run(*scores).statistic)


def test_conservative_variance():
    d = np.array([[1.0, -3.0, 2.0], [1e-160, -3e-160, 2e-160], [1e153, -3e153, 2e153]])
    expected = [14 / 6, 14 / 6 * 1e-320, 14 / 6 * 1e306]
    np.testing.assert_allclose(conservative_variance(d), expected, rtol=1e-3)
    np.testing.assert_allclose(conservative_variance(d)[[0, 2]], np.array(expected)[[0, 2]])


@pytest.mark.parametrize("level", [1 - 1e-9, 1 - 5e-13, 1 - 1e-13, 1 - 2**-53])
def test_levels_that_are_nearly_1(level):
    result = corrected_resampled_ttest(X[0], **SIZES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = result.confidence_interval(level)
    quantile = stats.t.isf((1 - level) / 2, 9)
    half_width = quantile * result.standard_error
    assert high - low == pytest.approx(2 * half_width, rel=1e-9)
    assert 0 < alpha_of(level) == pytest.approx(1 - level, rel=1e-3)
    assert result.claim(alpha_of(level)).kind == "not shown"
    assert [alpha_of(level) for level in (0.9, 0.95, 0.99, 0.999, 0.99999)] == [
        0.1, 0.05, 0.01, 0.001, 0.00001
    ]  # fmt: skip
    assert alpha_of(np.float64(0.7)) == 0.3
