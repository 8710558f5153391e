"""Appendix A.3: the closed root, the sandwich, its coverage, and what it says when degenerate."""

import numpy as np
import pytest
from scipy import optimize, stats

from skcvstats import CVScores, DegenerateScoresWarning, SplitDesign
from skcvstats.stats import corrected_resampled_ttest, resampled_ttest
from skcvstats.theory import correlation_sensitivity, exchangeable_moments
from tests.calibration.gaussian import exchangeable


def estimating_function(theta, T):
    """Return g_i of appendix A.3 for every vector, of shape (N, 3)."""
    beta, delta, pi = theta
    K = T.shape[1]
    means = T.mean(axis=1)
    return np.stack(
        [
            means - beta,
            ((T - beta) ** 2 - delta).sum(axis=1),
            (means - beta) ** 2 - delta * (pi + (1 - pi) / K),
        ],
        axis=1,
    )


def skewed_vectors(n_vectors=60, size=4, seed=0):
    rng = np.random.default_rng(seed)
    return 3 + 0.01 * (
        rng.exponential(size=(n_vectors, 1)) + rng.exponential(size=(n_vectors, size))
    )


def theta_of(found):
    return np.array([found.mean, found.variance, found.correlation])


@pytest.mark.parametrize("size", [2, 4, 9])
def test_root_of_the_estimating_function_and_its_sandwich(size):
    T = skewed_vectors(size=size)
    found = exchangeable_moments(T)
    g = estimating_function(theta_of(found), T)
    np.testing.assert_allclose(g.sum(axis=0) / np.abs(g).sum(axis=0), 0, atol=1e-12)
    # The same from a root finder started elsewhere, on standardized data.
    z = (T - 3) / 0.01
    root = optimize.root(lambda t: estimating_function(t, z).sum(axis=0), [1.0, 1.0, 0.2])
    assert root.success
    expected = root.x * [0.01, 1e-4, 1] + [3, 0, 0]
    np.testing.assert_allclose(theta_of(found), expected, rtol=1e-8)
    # The sandwich with the printed matrices, and the printed interval for the mean.
    _, delta, pi = theta_of(found)
    c = pi + (1 - pi) / size
    printed = len(T) * np.array([[1, 0, 0], [0, size, 0], [0, c, (size - 1) / size * delta]])
    inverse = np.linalg.inv(printed)
    np.testing.assert_allclose(found.covariance, inverse @ (g.T @ g) @ inverse.T, rtol=1e-9)
    means = T.mean(axis=1)
    half_width = stats.norm.ppf(0.95) * np.sqrt(np.mean((means - means.mean()) ** 2) / len(T))
    expected = means.mean() - half_width, means.mean() + half_width
    assert found.confidence_interval("mean", 0.9) == pytest.approx(expected, rel=1e-12)


def test_standard_errors_against_gaussian_theory():
    size, pi, n = 5, 0.4, 200_000
    T = 3.0 + 0.01 * exchangeable(np.random.default_rng(1), n, (size,), pi)
    found = exchangeable_moments(T)
    # Fisher's variance of the intraclass correlation; that of a quadratic form for the variance.
    correlation = 2 * (1 - pi) ** 2 * (1 + (size - 1) * pi) ** 2 / (size * (size - 1) * n)
    variance = 2e-8 * (1 + (size - 1) * pi**2) / (size * n)
    mean = 1e-4 * (pi + (1 - pi) / size) / n
    np.testing.assert_allclose(np.diag(found.covariance), [mean, variance, correlation], rtol=0.03)
    for name, truth in [("mean", 3.0), ("variance", 1e-4), ("correlation", pi)]:
        assert abs(getattr(found, name) - truth) < 4 * found.standard_error(name)


def test_laws():
    T = skewed_vectors()
    found = exchangeable_moments(T)
    turned = exchangeable_moments(T[::-1, ::-1])
    np.testing.assert_allclose(turned.covariance, found.covariance, rtol=1e-9)
    moved = exchangeable_moments(-2 * T + 7)
    assert moved.mean == pytest.approx(-2 * found.mean + 7)
    assert moved.variance == pytest.approx(4 * found.variance)
    assert moved.correlation == pytest.approx(found.correlation)
    assert moved.standard_error("correlation") == pytest.approx(found.standard_error("correlation"))
    deviations = T.mean(axis=1) - T.mean()
    assert found.variance_of_mean(4) == pytest.approx(np.mean(deviations**2), rel=1e-10)
    assert str(found).count("95 % confidence interval") == 3
    assert found.variance_of_mean(np.inf) == pytest.approx(found.variance * found.correlation)
    assert exchangeable_moments([[1.0, -1.0], [-1.0, 1.0]]).correlation == -1  # not clipped


@pytest.mark.parametrize("value", [0.1, 0.0, 1e6 + 0.3])
def test_entries_that_do_not_vary(value):
    with pytest.warns(DegenerateScoresWarning, match="not defined"):
        found = exchangeable_moments(np.full((7, 3), value))
    assert (found.mean, found.variance) == (pytest.approx(value), 0)
    assert np.isnan(found.correlation)
    assert found.standard_error("mean") == 0


DESIGN = SplitDesign.from_sizes(n_train=90, n_test=30, n_splits=12, n_samples=150)
X = np.random.default_rng(1).normal(0.03, 0.03, 12)
SCORES = CVScores(values=X, design=DESIGN, metric="accuracy")
SIZES = {"n_train": 90, "n_test": 30, "n_samples": 150}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_against_the_two_tests(alternative):
    result = correlation_sensitivity(SCORES, [0], null_value=0.01, alternative=alternative)
    assert result.correlation.tolist() == [0, 0.2]
    options = {"null_value": 0.01, "alternative": alternative}
    with pytest.warns(match="overlapping splits"):
        naive = resampled_ttest(X, **SIZES, **options)
    for k, test in enumerate((naive, corrected_resampled_ttest(X, **SIZES, **options))):
        low, high = test.confidence_interval()
        assert (result.low[k], result.high[k]) == pytest.approx((low, high), rel=1e-12)
        assert result.pvalue[k] == pytest.approx(test.pvalue, rel=1e-9)
        assert result.standard_error[k] == pytest.approx(test.standard_error, rel=1e-12)


@pytest.mark.parametrize("alternative", ["less", "greater", "two-sided"])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.95])
@pytest.mark.parametrize("shift", [-0.05, -0.01, 0.02, 0.3])
def test_verdict_and_tipping_agree_with_the_table(alternative, level, shift):
    scores = CVScores(values=X - X.mean() + shift, design=DESIGN)
    grid = np.linspace(0, 0.98, 99)
    options = {"alternative": alternative, "confidence_level": level}
    result = correlation_sensitivity(scores, grid, **options)
    left_out = (result.low > 0) | (result.high < 0)
    assert (left_out == (result.pvalue < 1 - level)).all()
    verdict = result.verdict()
    if np.isnan(result.tipping):
        assert left_out.all() or not left_out.any()
        assert ("excludes" if left_out.all() else "contains") in verdict
        assert "at every correlation" in verdict
        return
    at = correlation_sensitivity(scores, [result.tipping], **options)
    k = at.correlation.tolist().index(result.tipping)
    assert at.pvalue[k] == pytest.approx(1 - level, rel=1e-9)
    assert np.abs([at.low[k], at.high[k]]).min() == pytest.approx(0, abs=1e-12)
    below = result.correlation < result.tipping
    expected = below if alternative == "two-sided" or level > 0.5 else ~below
    np.testing.assert_array_equal(left_out, expected)
    assert ("up to a correlation" if expected is below else "from a correlation") in verdict


def test_widens_with_the_correlation_and_says_so():
    result = correlation_sensitivity(SCORES)
    assert (np.diff(result.high - result.low) > 0).all()
    assert (result.correlation[0], result.correlation[-1]) == pytest.approx((0, 0.6))
    result = correlation_sensitivity(SCORES, [0, 0.5])
    text = str(result)
    assert "cannot be estimated from one data set" in text
    assert f"up to a correlation of {result.tipping:.3g}" in text
    assert "the assumed 0.2" in text
    assert result.to_frame().shape == (3, 5)
    assert result._repr_html_().count("<tr>") == 4
