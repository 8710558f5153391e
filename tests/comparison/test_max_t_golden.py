"""Simulated maxima against others, which take the correlation as known, and a plain loop."""

from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from tests.conftest import golden_cases

from .max_t import draws_of, family_of, set_number_of_leaders

pytestmark = pytest.mark.slow
MANY = 500_000
P_TOLERANCE = 2e-3
TAIL_TOLERANCE = 1e-3  # of a p-value of 0.05


@lru_cache(maxsize=4)
def normals(n_estimators):
    return np.random.default_rng(1).standard_normal((MANY, n_estimators), dtype=np.float32)


@lru_cache(maxsize=8)
def roots_of_chi_squares(n_squares):
    return np.sqrt(np.random.default_rng(2).chisquare(n_squares, size=(MANY, 1)))


def at_known_chi_square(n_estimators, n_squares, n_draws, n_shared):
    """Yield normals for a known correlation: G'G is the identity times one chi-square."""
    k, step = n_estimators, 2000
    assert (n_draws, n_shared) == (MANY, 1)
    for start in range(0, n_draws, step):
        block = slice(start, start + step)
        normal = np.zeros((step, 1 + k, k))
        normal[:, 0] = normals(k)[block]
        np.einsum("bkk->bk", normal[:, 1:])[:] = roots_of_chi_squares(n_squares)[block]
        yield normal


def at_known_correlation(factor, n_squares, first, second, alternative):
    """Return the family of these contrasts of estimates with covariance factor @ factor.T."""
    draws = draws_of(factor, n_squares, n_draws=MANY, source=at_known_chi_square)
    maxima = draws.maxima(np.asarray(first), np.asarray(second), alternative)
    assert maxima.shape == (MANY,)
    return family_of(maxima, len(first), n_squares)


@cache
def with_a_control(n_contrasts, correlation, n_squares, alternative):
    """Return differences from a control, of variance 1 and equally correlated."""
    variances = np.array([correlation] + n_contrasts * [1 - correlation])
    others = np.arange(1, n_contrasts + 1)
    factor = np.diag(np.sqrt(variances))
    return at_known_correlation(factor, n_squares, others, np.zeros_like(others), alternative)


@cache
def all_pairs(n_estimators, n_squares):
    first, second = np.triu_indices(n_estimators, k=1)
    return at_known_correlation(np.eye(n_estimators), n_squares, first, second, "two-sided")


def case_id(case):
    return case["id"]


def extreme(statistics, alternative):
    statistics = np.array(statistics)
    turned = {"two-sided": np.abs(statistics), "less": -statistics, "greater": statistics}
    return turned[alternative]


def scipy_cases(function):
    return [case for case in golden_cases("scipy_max_t") if case["function"].endswith(function)]


@pytest.mark.parametrize("case", golden_cases("mvtnorm_qmvt"), ids=case_id)
def test_against_mvtnorm(case):
    given, expected = case["inputs"], case["outputs"]
    of = (given["dimension"], given["correlation"], given["df"])
    both, upper = with_a_control(*of, "two-sided"), with_a_control(*of, "greater")
    for family, name in ((both, "two"), (upper, "one")):
        wanted = expected[f"{name}_sided_quantile_95"]
        assert family.tail(wanted) == pytest.approx(0.05, abs=TAIL_TOLERANCE)
    assert 1 - both.tail(2.5) == pytest.approx(expected["prob_all_abs_below_2.5"], abs=P_TOLERANCE)


@pytest.mark.parametrize("case", scipy_cases("multivariate_t.cdf"), ids=case_id)
def test_against_the_multivariate_t_of_scipy(case):
    given, expected = case["inputs"], case["outputs"]
    of = (given["dimension"], given["correlation"], given["df"])
    both, upper = with_a_control(*of, "two-sided"), with_a_control(*of, "greater")
    found = [1 - family.tail(given["c"]) for family in (both, upper)]
    wanted = [expected["prob_all_abs_below"], expected["prob_all_below"]]
    assert found == pytest.approx(wanted, abs=P_TOLERANCE)


@pytest.mark.parametrize("case", scipy_cases("studentized_range.ppf"), ids=case_id)
def test_against_the_studentized_range_of_scipy(case):
    given = case["inputs"]
    family = all_pairs(given["n_models"], given["df"])
    wanted = case["outputs"]["q_over_sqrt2"]
    assert given["level"] == 0.05
    assert family.tail(wanted) == pytest.approx(0.05, abs=TAIL_TOLERANCE)


@pytest.mark.parametrize("case", scipy_cases("dunnett"), ids=case_id)
def test_against_dunnetts_test_of_scipy(case):
    given, expected = case["inputs"], case["outputs"]
    n_contrasts, n = np.shape(given["samples"])
    family = with_a_control(n_contrasts, 0.5, (n_contrasts + 1) * (n - 1), given["alternative"])
    found = family.tail(extreme(expected["statistic"], given["alternative"]))
    assert found == pytest.approx(expected["pvalue"], abs=P_TOLERANCE)


@pytest.mark.parametrize("case", scipy_cases("tukey_hsd"), ids=case_id)
def test_against_tukeys_test_of_scipy(case):
    samples = np.array(case["inputs"]["samples"])
    n_groups, n = samples.shape
    error = np.sqrt(samples.var(axis=1, ddof=1).mean() * 2 / n)
    statistics = np.array(case["outputs"]["statistic"]) / error
    found = all_pairs(n_groups, n_groups * (n - 1)).tail(np.abs(statistics))
    np.testing.assert_allclose(found, case["outputs"]["pvalue"], atol=P_TOLERANCE)


@pytest.mark.parametrize("case", golden_cases("multcomp_max_t"), ids=case_id)
def test_against_multcomp(case):
    """R's glht, given the corrected covariance."""
    given, expected = case["inputs"], case["outputs"]
    scores = np.array(given["scores"]).T
    centred = scores - scores.mean(axis=1, keepdims=True)
    left, lengths, _ = np.linalg.svd(centred, full_matrices=False)
    factor = left * lengths * np.sqrt(given["correction_factor"] / given["df"])
    first, second = np.argmax(given["contrasts"], axis=1), np.argmin(given["contrasts"], axis=1)
    alternative = given["alternative"].replace(".", "-")
    family = at_known_correlation(factor, given["df"], first, second, alternative)
    tolerance = max(P_TOLERANCE, expected["single_step_error"])
    found = family.tail(extreme(expected["statistic"], alternative))
    np.testing.assert_allclose(found, expected["pvalue_single_step"], atol=tolerance)
    wanted = abs(expected["quantile_95"])
    assert family.tail(wanted) == pytest.approx(0.05, abs=TAIL_TOLERANCE)
    half_width = family.quantile(0.05) * np.array(expected["standard_error"])
    for end, side in (("low", -1), ("high", 1)):
        wanted = np.array(expected[end], dtype=float) - expected["estimate"]
        if np.isfinite(wanted).all():
            np.testing.assert_allclose(wanted, side * half_width, rtol=5e-3)


def normals_of(draws):
    return draws.source(len(draws.factor), draws.n_squares, draws.n_draws, draws.n_shared)


def by_hand(draws, contrasts, alternative):
    """Return the maxima by the formula, one draw and contrast at a time."""
    factor = draws.factor
    found = []
    for block in normals_of(draws):
        for normal, shared in product(block, range(draws.n_shared)):
            z, g = normal[shared], normal[draws.n_shared :]
            wishart = g.T @ g / draws.n_squares
            covariance = factor @ wishart @ factor.T
            ratios = []
            for a, b in contrasts:
                q = np.zeros(len(factor))
                q[a], q[b] = 1, -1
                ratio = q @ factor @ z / np.sqrt(q @ covariance @ q)
                ratios.append({"two-sided": abs(ratio), "less": -ratio}.get(alternative, ratio))
            found.append(max(ratios))
    return np.array(found)[: draws.n_draws]


def random_draws(n_estimators, n_squares, *, alike=0.0, n_draws=50, most_shared=1):
    """Return draws for a random covariance; the first two estimators are more or less alike."""
    values = np.random.RandomState(n_squares).normal(size=(n_estimators, n_estimators + 3))
    values[1] += alike * (values[0] - values[1])
    factor = np.linalg.cholesky(values @ values.T)
    return draws_of(factor, n_squares, n_draws=n_draws, n_shared=min(most_shared, n_squares))


@pytest.mark.parametrize("most_shared", [1, 20])
class TestAgainstALoop:
    """With a covariance for each draw, as of few estimators, and for several, as of many."""

    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    @pytest.mark.parametrize("n_estimators", [3, 4])
    @pytest.mark.parametrize("n_squares", [1, 2, 3, 5, 14, 200])
    def test_all_pairs_and_many_to_one(self, most_shared, n_estimators, n_squares, alternative):
        draws = random_draws(n_estimators, n_squares, most_shared=most_shared)
        pairs = list(combinations(range(n_estimators), 2))
        with_control = [(k, 1) for k in range(n_estimators) if k != 1]
        for contrasts in (pairs, with_control, [(2, 0)]):
            found = draws.maxima(*np.transpose(contrasts), alternative)
            expected = by_hand(draws, contrasts, alternative)
            np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)
        found = draws.control_maxima()[1]
        expected = by_hand(draws, with_control, "greater")
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)

    @pytest.mark.parametrize("n_squares", [1, 4, 14, 300, 301, 10**5])
    def test_two_estimators_that_are_nearly_alike(self, most_shared, n_squares):
        # As alike as shrunk correlations can be.
        alike = 1 - 0.5 * np.sqrt(3 / (3 + n_squares))
        draws = random_draws(3, n_squares, alike=alike, most_shared=most_shared)
        found = draws.maxima(np.array([0, 0]), np.array([1, 2]), "two-sided")
        expected = by_hand(draws, [(0, 1), (0, 2)], "two-sided")
        np.testing.assert_allclose(found, expected, rtol=1e-7)

    def test_undetermined_pairs_are_left_out(self, most_shared):
        draws = random_draws(4, 6, most_shared=most_shared)
        draws.determined[0, 1] = draws.determined[1, 0] = False
        draws.determined[3] = draws.determined[:, 3] = False
        first, second = np.triu_indices(4, k=1)
        expected = by_hand(draws, [(0, 2), (1, 2)], "less")
        np.testing.assert_allclose(draws.maxima(first, second, "less"), expected, rtol=1e-7)
        controls = draws.control_maxima()
        expected = by_hand(draws, [(0, 2), (1, 2)], "greater")
        np.testing.assert_allclose(controls[2], expected, rtol=1e-7, atol=1e-9)
        assert np.isneginf(controls[3]).all()
        nothing = draws.maxima(np.array([0]), np.array([3]), "two-sided")
        assert np.isneginf(nothing).all()


@pytest.mark.parametrize("n_leaders", [1, 4, 48])
@pytest.mark.parametrize("n_squares", [5, 60, 300])
def test_each_of_many_as_the_control(n_squares, n_leaders, monkeypatch):
    """Whichever others have the highest means, where spreads differ and pairs are undetermined."""
    set_number_of_leaders(monkeypatch, n_leaders)
    draws = random_draws(70, n_squares, n_draws=40, most_shared=20)
    rng = np.random.RandomState(0)
    draws.factor[:] *= np.exp(rng.normal(size=70))[:, np.newaxis]
    draws.determined[rng.randint(0, 70, 400), rng.randint(0, 70, 400)] = False
    draws.determined[:] &= draws.determined.T
    draws.determined[7] = draws.determined[:, 7] = False
    found = draws.control_maxima()
    assert np.isneginf(found[7]).all()
    for control in (0, 1, 20, 69):
        pairs = [(k, control) for k in np.flatnonzero(draws.determined[control])]
        expected = by_hand(draws, pairs, "greater")
        np.testing.assert_allclose(found[control], expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    ("n_squares", "most_shared", "n_rows"), [(3, 1, 3), (4, 1, 4), (40, 1, 4), (5, 20, 4)]
)
def test_the_root_of_g_has_wisharts_law(n_squares, most_shared, n_rows):
    """Mean and variance on and off the diagonal, of G and of a root with fewer rows."""
    draws = random_draws(4, n_squares, most_shared=most_shared)
    draws = replace(draws, n_draws=20_000 * draws.n_shared)
    normal = np.concatenate(list(normals_of(draws)))
    assert normal.shape == (20_000, draws.n_shared + n_rows, 4)
    normal = normal[:, draws.n_shared :]
    products = np.einsum("bri,brj->bij", normal, normal)
    off = ~np.eye(4, dtype=bool)
    error = np.sqrt(2 * n_squares / 20_000)
    assert np.abs(products.mean(axis=0) - n_squares * np.eye(4)).max() < 4.5 * error
    variances = products.var(axis=0)
    assert variances[off] == pytest.approx(np.full(12, n_squares), rel=0.12)
    assert np.diag(variances) == pytest.approx(np.full(4, 2 * n_squares), rel=0.12)
    assert stats.kstest(products[:, 2, 2], stats.chi2(n_squares).cdf).pvalue > 1e-4
