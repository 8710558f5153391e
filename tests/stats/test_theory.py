"""The theory: moments of section 2 and exchangeable vectors of appendix A.3, exactly."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

import skcvstats as s
from skcvstats import theory
from skcvstats.stats import corrected_resampled_ttest, resampled_ttest
from tests.calibration.settings import exchangeable
from tests.stats.oracles import exchangeable_covariance, roots_of


def loss_scores(losses, n_test, *, n_train=20, n_samples=40, weights=None):
    """Wrap losses of shape (..., sum of n_test)."""
    offsets = np.concatenate([[0], np.cumsum(n_test)])
    rows = np.arange(offsets[-1])
    kept = s.RowScores(values=-losses, rows=rows, offsets=offsets, weights=weights)
    design = s.SplitDesign.from_sizes(n_train, list(n_test), n_samples=n_samples)
    return s.CVScores(values=kept.means(), design=design, row_scores=kept)


def loss_covariance(n_test, s0, s2, s3):
    """Return the covariance matrix of Proposition 3's proof, for any test sizes."""
    split = np.repeat(np.arange(len(n_test)), n_test)
    same = split[:, np.newaxis] == split
    return s2 + (s3 - s2) * same + (s0 - s3) * np.eye(split.size)


class TestVarianceComponents:
    @pytest.mark.parametrize(
        ("n_test", "s0", "s2", "s3"), [([5] * 6, 4, 0.3, 0.5), ([2, 3, 5, 10, 1], 4, 0.5, 0.3)]
    )
    def test_variance_components_are_exactly_unbiased(self, n_test, s0, s2, s3):
        roots = roots_of(loss_covariance(n_test, s0, s2, s3))
        found = theory.variance_components(loss_scores(roots, n_test))
        s1 = s3 + (s0 - s3) * np.mean(1 / np.array(n_test))
        assert np.sum(found.s0_minus_s3) == pytest.approx(s0 - s3, rel=1e-12)
        assert np.sum(found.s1_minus_s2) == pytest.approx(s1 - s2, rel=1e-12)
        assert np.sum(found.s3_minus_s2) == pytest.approx(s3 - s2, rel=1e-11)

    def test_exactly_unbiased_with_weights(self):
        n_test, s0, s2, s3 = [2, 3, 5], 4, 0.5, 0.3
        weights = np.array([1, 3, 2, 2, 0, 1, 1, 4, 0.5, 2])
        roots = roots_of(loss_covariance(n_test, s0, s2, s3))
        found = theory.variance_components(loss_scores(roots, n_test, weights=weights))
        shares = [w / w.sum() for w in np.split(weights, [2, 5])]
        s1 = s3 + (s0 - s3) * np.mean([share @ share for share in shares])
        assert np.sum(found.s0_minus_s3) == pytest.approx(s0 - s3, rel=1e-12)
        assert np.sum(found.s1_minus_s2) == pytest.approx(s1 - s2, rel=1e-12)
        assert np.sum(found.s3_minus_s2) == pytest.approx(s3 - s2, rel=1e-11)
        losses = np.random.default_rng(0).normal(size=8)  # without rows of weight 0
        without = theory.variance_components(loss_scores(losses, [3, 5]))
        weights = np.array([0, 1, 1, 1, 1, 1, 0, 1, 1, 1])
        padded = np.full(10, 7.0)
        padded[weights > 0] = losses
        weighted = loss_scores(padded, [4, 6], weights=weights)
        found = theory.variance_components(weighted)
        assert found.n_test == pytest.approx(without.n_test)
        assert found.s3_minus_s2 == pytest.approx(without.s3_minus_s2)

    def test_against_numpy(self):
        losses = np.random.default_rng(1).normal(size=(2, 3, 7))
        found = theory.variance_components(loss_scores(losses.reshape(2, 21), [7] * 3))
        within = losses.var(axis=2, ddof=1).mean(axis=1)
        between = losses.mean(axis=2).var(axis=1, ddof=1)
        np.testing.assert_allclose(found.s0_minus_s3, within, rtol=1e-13)
        np.testing.assert_allclose(found.s1_minus_s2, between, rtol=1e-13)
        np.testing.assert_allclose(found.s3_minus_s2, between - within / 7, rtol=1e-12)

    def test_one_estimator_a_difference_and_several_agree(self):
        losses = np.random.default_rng(2).normal(size=(2, 12))
        both = loss_scores(losses, [4] * 3)
        several = theory.variance_components(both)
        one = theory.variance_components(loss_scores(losses[1], [4] * 3))
        assert one.s3_minus_s2 == several.s3_minus_s2[1]
        assert str(several).count("s3 - s2") == 2
        difference = loss_scores(losses[0], [4] * 3) - loss_scores(losses[1], [4] * 3)
        direct = theory.variance_components(loss_scores(losses[0] - losses[1], [4] * 3))
        found = theory.variance_components(difference)
        assert found.s1_minus_s2 == pytest.approx(direct.s1_minus_s2)
        assert found.s0_minus_s3 == pytest.approx(direct.s0_minus_s3)


class TestCVVariance:
    @pytest.mark.parametrize("n_splits", [1, 2, 15])
    def test_is_the_variance_of_a_mean(self, n_splits):
        covariance = exchangeable_covariance(n_splits, 2.0, 0.5)
        weights = np.full(n_splits, 1 / n_splits)
        expected = weights @ covariance @ weights
        assert theory.cv_variance(2.0, 0.5, n_splits) == pytest.approx(expected)

    def test_what_the_report_says_of_more_splits(self):
        # rho = .1: 1 -> 3 splits remove 60 %, 3 -> 9 halve it, 9 -> infinity halve it again.
        found = theory.cv_variance(1, 0.1, [1, 3, 9, np.inf])
        np.testing.assert_allclose(found, [1, 0.4, 0.2, 0.1])

    @pytest.mark.parametrize("n_draws", [1, 3, 50])
    def test_draws_with_replacement_by_enumeration(self, n_draws):
        # The covariance of two draws: the same row with probability 1/n2, else two rows.
        n_test, s0, s3, s2, n_splits = 4, 5.0, 0.7, 0.4, 6
        s1 = s3 + (s0 - s3) / n_test
        two_draws = s0 / n_test + s3 * (1 - 1 / n_test)
        split = (n_draws * s0 + n_draws * (n_draws - 1) * two_draws) / n_draws**2
        expected = s2 + (split - s2) / n_splits
        found = theory.cv_variance(s1, s2, n_splits, s0=s0, n_draws=n_draws)
        assert found == pytest.approx(expected, rel=1e-14)
        without_end = theory.cv_variance(s1, s2, n_splits, s0=s0, n_draws=math.inf)
        assert without_end == theory.cv_variance(s1, s2, n_splits)


class TestImpliedCorrelation:
    @given(st.floats(0.01, 10), st.floats(0, 0.99), st.integers(2, 30), st.integers(0, 2**32 - 1))
    def test_a_variance_implies_the_correlation_that_it_was_made_from(
        self, s1, rho, n_splits, seed
    ):
        x = np.random.default_rng(seed).normal(size=n_splits)
        x *= np.sqrt(s1 * (1 - rho) / x.var(ddof=1))  # so that S2 is s1 - s2
        found = theory.implied_correlation(theory.cv_variance(s1, rho * s1, n_splits), x)
        assert found.s1 == pytest.approx(s1, rel=1e-9)
        assert found.s2 == pytest.approx(rho * s1, rel=1e-9, abs=1e-9 * s1)
        assert found.correlation == pytest.approx(rho, abs=1e-9)

    def test_of_the_corrected_t_is_its_assumption(self):
        n_train, n_test, n = 50, 10, 100
        x = np.random.default_rng(0).normal(size=(3, 15))
        test = corrected_resampled_ttest(x, n_train=n_train, n_test=n_test, n_samples=n)
        found = theory.implied_correlation(test.standard_error**2, x)
        np.testing.assert_allclose(found.correlation, n_test / n, rtol=1e-12)
        assert "implied correlation" in str(found)

    def test_a_small_variance_is_not_clipped_and_without_any_there_is_none(self):
        x = [1.0, 2.0, 4.0, 3.0]
        spread = np.var(x, ddof=1)
        assert theory.implied_correlation(0.0, x).correlation == pytest.approx(-1 / 3)
        assert theory.implied_correlation(0.0, x).s2 == pytest.approx(-spread / 4)
        constant = [0.5, 0.5, 0.5]
        assert math.isnan(theory.implied_correlation(0.0, constant).correlation)
        assert theory.implied_correlation(0.1, constant).correlation == 1

    def test_scores_and_arrays_agree(self):
        values = np.array([[0.5, 0.75, 0.5, 0.25], [0.5, 0.5, 0.75, 1]])
        design = s.SplitDesign.from_sizes(8, 2, n_splits=4)
        scores = s.CVScores(values=values, design=design, labels=("a", "b"))
        found = theory.implied_correlation([0.01, 0.02], scores).correlation
        of_arrays = theory.implied_correlation([0.01, 0.02], values).correlation
        assert found.tolist() == of_arrays.tolist()
        assert theory.implied_correlation(0.02, scores["b"]).correlation == found[1]
        assert "two have covariance" in str(theory.implied_correlation(0.02, scores["b"]))


def test_conservative_variance_of_half_sample_pairs():
    values = np.random.default_rng(0).normal(size=(2, 3, 2, 4))
    design = s.SplitDesign.from_splitter(s.HalfSplitPairs(3, 4, random_state=0), np.zeros(60))
    scores = s.CVScores(values=values.reshape(2, 24), design=design)
    d = values.mean(axis=-1)[..., 0] - values.mean(axis=-1)[..., 1]
    np.testing.assert_allclose(theory.half_sample_differences(scores), d)
    np.testing.assert_allclose(theory.conservative_variance(scores), (d**2).sum(axis=1) / 6)


N_SPLITS, N_REPLICATES, N_PAIRS = 6, 4, 3
N_TEST, N_SAMPLES = 10, 100
ODDS = N_TEST / (N_SAMPLES - N_TEST)
MOMENTS = {"s0": 9.0, "s1": 1.0, "s2": 0.15, "s3": 0.2}
KNOWN = {"n_splits": N_SPLITS, "n_test": N_TEST, "n_samples": N_SAMPLES}
S4 = -0.3
HALF = {"s1_half": 1.4, "s2_half": 0.4}


def mean(x):
    return x.mean(axis=-1)


def variance(x):
    return x.var(axis=-1, ddof=1)


def squares(x):
    return (x**2).sum(axis=-1)


def pairs(x):
    return x[..., 0::2] - x[..., 1::2]


def replicates(x):
    return mean(x.reshape(*x.shape[:-1], N_REPLICATES + 1, N_SPLITS))


def half_differences(x):
    return pairs(mean(x[..., N_SPLITS:].reshape(*x.shape[:-1], 2 * N_PAIRS, N_SPLITS)))


def splits_covariance(n_splits):
    return exchangeable_covariance(n_splits, MOMENTS["s1"], MOMENTS["s2"])


def conservative_covariance():
    half = exchangeable_covariance(N_SPLITS, *HALF.values())
    whole = np.zeros((N_SPLITS * (1 + 2 * N_PAIRS),) * 2)
    whole[:N_SPLITS, :N_SPLITS] = splits_covariance(N_SPLITS)
    whole[N_SPLITS:, N_SPLITS:] = np.kron(np.eye(2 * N_PAIRS), half)
    return whole


# By method and variant: the estimate and the variance estimate.
PROCEDURES = {
    "holdout_t dietterich": (mean, lambda x: variance(x) / N_TEST),
    "resampled_t dietterich": (mean, lambda x: variance(x) / N_SPLITS),
    "corrected_resampled_t dietterich": (mean, lambda x: (1 / N_SPLITS + ODDS) * variance(x)),
    "five_by_two_cv_t dietterich": (lambda x: x[..., 0], lambda x: squares(pairs(x)) / 10),
    "five_by_two_cv_t t4": (lambda x: x[..., 0], lambda x: squares(pairs(x)[..., 1:]) / 8),
    "five_by_two_cv_t t5": (lambda x: mean(x[..., :2]), lambda x: squares(pairs(x)) / 20),
    "conservative_z dietterich": (
        lambda x: mean(x[..., :N_SPLITS]),
        lambda x: squares(half_differences(x)) / (2 * N_PAIRS),
    ),
    "bootstrap_t dietterich": (
        lambda x: replicates(x)[..., 0],
        lambda x: variance(replicates(x)[..., 1:]),
    ),
    "corrected_bootstrap_t dietterich": (
        lambda x: replicates(x)[..., 0],
        lambda x: (1 + N_SPLITS * ODDS) * variance(replicates(x)[..., 1:]),
    ),
}
# Of the scores (of the losses in the first).
COVARIANCES = {
    "holdout_t": exchangeable_covariance(N_TEST, MOMENTS["s0"], MOMENTS["s3"]),
    "resampled_t": splits_covariance(N_SPLITS),
    "corrected_resampled_t": splits_covariance(N_SPLITS),
    "five_by_two_cv_t": 0.1
    + np.kron(np.eye(5), exchangeable_covariance(2, MOMENTS["s1"], S4) - 0.1),
    "conservative_z": conservative_covariance(),
    "bootstrap_t": splits_covariance((N_REPLICATES + 1) * N_SPLITS),
    "corrected_bootstrap_t": splits_covariance((N_REPLICATES + 1) * N_SPLITS),
}


@pytest.mark.parametrize("name", PROCEDURES)
def test_variance_ratios_are_exact_expectations(name):
    method, variant = name.split()
    estimate, variance_estimate = PROCEDURES[name]
    assert np.linalg.eigvalsh(COVARIANCES[method]).min() > 0
    roots = roots_of(COVARIANCES[method])
    exact = np.sum(estimate(roots) ** 2) / np.sum(variance_estimate(roots))
    found = theory.variance_ratio(method, variant=variant, **MOMENTS, **KNOWN, **HALF, s4=S4)
    assert found == pytest.approx(exact, rel=1e-12)


def test_pool_is_train_plus_test_unless_given():
    moments = {"s1": 1.0, "s2": 0.1, "n_splits": 5, "n_test": 10}
    by_train = theory.variance_ratio("corrected_resampled_t", **moments, n_train=90)
    by_pool = theory.variance_ratio("corrected_resampled_t", **moments, n_samples=100)
    assert by_train == by_pool == pytest.approx(1)
    wider = theory.variance_ratio("corrected_resampled_t", **moments, n_train=50, n_samples=100)
    assert wider == by_pool


@pytest.mark.parametrize("name", PROCEDURES)
def test_sizes_that_contradict_each_other_are_refused_for_all_procedures(name):
    method, variant = name.split()
    sizes = {"n_train": 90, "n_test": 20, "n_samples": 100}
    with pytest.raises(s.SplitDesignError, match="is below n_train"):
        theory.variance_ratio(
            method, variant=variant, **MOMENTS, **HALF, s4=S4, n_splits=5, **sizes
        )


def test_arrays_broadcast():
    n_splits = np.array([1, 5, 25])
    ratios = theory.variance_ratio("resampled_t", s1=1.0, s2=[[0.1], [0.5]], n_splits=n_splits)
    np.testing.assert_allclose(ratios, [1 + n_splits / 9, 1 + n_splits])
    # Without a variance estimate.
    assert theory.variance_ratio("resampled_t", s1=1.0, s2=1.0, n_splits=5) == np.inf
    assert np.isnan(theory.variance_ratio("holdout_t", s0=0.0, s3=0.0, n_test=5))


def estimating_function(theta, T):
    """Return g_i of appendix A.3 for every vector, of shape (N, 3)."""
    beta, delta, pi = theta
    K = T.shape[1]
    means = T.mean(axis=1)
    of_pairs = (means - beta) ** 2 - delta * (pi + (1 - pi) / K)
    return np.stack([means - beta, ((T - beta) ** 2 - delta).sum(axis=1), of_pairs], axis=1)


def skewed_vectors(n_vectors=60, size=4, seed=0):
    rng = np.random.default_rng(seed)
    shared = rng.exponential(size=(n_vectors, 1))
    return 3 + 0.01 * (shared + rng.exponential(size=(n_vectors, size)))


def theta_of(found):
    return np.array([found.mean, found.variance, found.correlation])


@pytest.mark.parametrize("size", [2, 4, 9])
def test_root_of_the_estimating_function_and_its_sandwich(size):
    T = skewed_vectors(size=size)
    found = theory.exchangeable_moments(T)
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
    found = theory.exchangeable_moments(T)
    # Fisher's variance of the intraclass correlation; that of a quadratic form for the variance.
    correlation = 2 * (1 - pi) ** 2 * (1 + (size - 1) * pi) ** 2 / (size * (size - 1) * n)
    variance = 2e-8 * (1 + (size - 1) * pi**2) / (size * n)
    mean = 1e-4 * (pi + (1 - pi) / size) / n
    np.testing.assert_allclose(np.diag(found.covariance), [mean, variance, correlation], rtol=0.03)
    for name, truth in [("mean", 3.0), ("variance", 1e-4), ("correlation", pi)]:
        assert abs(getattr(found, name) - truth) < 4 * found.standard_error(name)


def test_exchangeable_moments_are_equivariant_under_order_scale_and_shift():
    T = skewed_vectors()
    found = theory.exchangeable_moments(T)
    turned = theory.exchangeable_moments(T[::-1, ::-1])
    np.testing.assert_allclose(turned.covariance, found.covariance, rtol=1e-9)
    moved = theory.exchangeable_moments(-2 * T + 7)
    assert moved.mean == pytest.approx(-2 * found.mean + 7)
    assert moved.variance == pytest.approx(4 * found.variance)
    assert moved.correlation == pytest.approx(found.correlation)
    assert moved.standard_error("correlation") == pytest.approx(found.standard_error("correlation"))
    deviations = T.mean(axis=1) - T.mean()
    assert found.variance_of_mean(4) == pytest.approx(np.mean(deviations**2), rel=1e-10)
    assert str(found).count("95 % confidence interval") == 3
    assert found.variance_of_mean(np.inf) == pytest.approx(found.variance * found.correlation)
    assert theory.exchangeable_moments([[1.0, -1.0], [-1.0, 1.0]]).correlation == -1  # not clipped


@pytest.mark.parametrize("value", [0.1, 0.0, 1e6 + 0.3])
def test_entries_that_do_not_vary(value):
    with pytest.warns(s.DegenerateScoresWarning, match="not defined"):
        found = theory.exchangeable_moments(np.full((7, 3), value))
    assert (found.mean, found.variance) == (pytest.approx(value), 0)
    assert np.isnan(found.correlation)
    assert found.standard_error("mean") == 0


DESIGN = s.SplitDesign.from_sizes(n_train=90, n_test=30, n_splits=12, n_samples=150)
X = np.random.default_rng(1).normal(0.03, 0.03, 12)
SCORES = s.CVScores(values=X, design=DESIGN, metric="accuracy")
SIZES = {"n_train": 90, "n_test": 30, "n_samples": 150}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_against_the_two_tests(alternative):
    result = theory.correlation_sensitivity(SCORES, [0], null_value=0.01, alternative=alternative)
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
    scores = s.CVScores(values=X - X.mean() + shift, design=DESIGN)
    grid = np.linspace(0, 0.98, 99)
    options = {"alternative": alternative, "confidence_level": level}
    result = theory.correlation_sensitivity(scores, grid, **options)
    left_out = (result.low > 0) | (result.high < 0)
    assert (left_out == (result.pvalue < 1 - level)).all()
    verdict = result.verdict()
    if np.isnan(result.tipping):
        assert left_out.all() or not left_out.any()
        assert ("excludes" if left_out.all() else "contains") in verdict
        assert "at every correlation" in verdict
        return
    at = theory.correlation_sensitivity(scores, [result.tipping], **options)
    k = at.correlation.tolist().index(result.tipping)
    assert at.pvalue[k] == pytest.approx(1 - level, rel=1e-9)
    assert np.abs([at.low[k], at.high[k]]).min() == pytest.approx(0, abs=1e-12)
    below = result.correlation < result.tipping
    expected = below if alternative == "two-sided" or level > 0.5 else ~below
    np.testing.assert_array_equal(left_out, expected)
    assert ("up to a correlation" if expected is below else "from a correlation") in verdict


def test_widens_with_the_correlation_and_says_so():
    result = theory.correlation_sensitivity(SCORES)
    assert (np.diff(result.high - result.low) > 0).all()
    assert (result.correlation[0], result.correlation[-1]) == pytest.approx((0, 0.6))
    lines = str(result).splitlines()
    assert len(lines) == 10  # a heading, that of the table, 7 rows with the assumed one, the rest
    assert lines[-1] == f"{len(result.correlation) - 7} more rows in to_frame()."
    result = theory.correlation_sensitivity(SCORES, [0, 0.5])
    text = str(result)
    assert "cannot be estimated from one data set" in text
    assert f"up to a correlation of {result.tipping:.3g}" in text
    assert "the assumed 0.2" in text
    assert "Neither is adjusted for other comparisons." in " ".join(text.split())
    assert result.to_frame().shape == (3, 5)
    assert result._repr_html_().count("<tr>") == 4
