"""Power: against statsmodels, R's pwr, SciPy's noncentral t, quadrature and simulation."""

import numpy as np
import pytest
from scipy import integrate, stats

from skcvstats.stats import detectable_difference
from skcvstats.stats._power import equivalence_probability, rejection_probability
from tests.conftest import golden_cases
from tests.stats.oracles import critical_of, power_by_scipy

TOLERANCE = 1e-9
SIDES = {"two.sided": "two-sided", "larger": "greater", "smaller": "less"}


def golden(name, output):
    return [case for case in golden_cases(name) if any(output in key for key in case["outputs"])]


@pytest.mark.parametrize("case", golden("pwr_t", "power"), ids=lambda case: case["id"])
def test_against_pwr(case):
    inputs = case["inputs"]
    alternative = SIDES.get(inputs["alternative"], inputs["alternative"])
    df = inputs["n"] - 1
    critical = critical_of(inputs["alpha"], df, alternative)
    power = rejection_probability(inputs["noncentrality"], df, critical, alternative)
    assert power == pytest.approx(case["outputs"]["power"], abs=TOLERANCE)


@pytest.mark.parametrize(
    "case", golden("statsmodels_power_corrected_t", "minimal"), ids=lambda case: case["id"]
)
def test_detectable_difference_against_statsmodels(case):
    inputs, outputs = case["inputs"], case["outputs"]
    df, rho = inputs["n_splits"] - 1, inputs["correlation"]
    error = inputs["sd"] * np.sqrt(rho + (1 - rho) / inputs["n_splits"])
    for side, alternative in (("two", "two-sided"), ("one", "greater")):
        critical = critical_of(inputs["alpha"], df, alternative)
        found = detectable_difference(error, df, critical, inputs["power"], alternative)
        # The peer's root is that rough; SciPy's law says that ours is exact.
        expected = outputs[f"minimal_detectable_difference_{side}_sided"]
        assert found == pytest.approx(expected, rel=1e-5)
        power = power_by_scipy(found / error, df, inputs["alpha"], alternative)
        assert power == pytest.approx(inputs["power"], abs=TOLERANCE)


@pytest.mark.parametrize("df", [1, 2, 14, 99, 1e6])
def test_against_scipy_far_out_and_close_by(df):
    critical, noncentrality = np.meshgrid([0.5, 2, 6, 60, 600], [-3.0, 0.5, 3, 50, 300])
    with np.errstate(divide="ignore"):  # far out in SciPy 1.13
        expected = stats.nct.sf(critical, df, noncentrality)
    found = rejection_probability(noncentrality, df, critical, "greater")
    np.testing.assert_allclose(found, expected, atol=1e-10)


def test_normal_law():
    expected = stats.norm.sf(1.96 - 2.5) + stats.norm.cdf(-1.96 - 2.5)
    assert rejection_probability(2.5, np.inf, 1.96) == pytest.approx(expected, abs=1e-15)
    # A law of a thousand million degrees of freedom differs from it by less than they can tell.
    assert rejection_probability(2.5, 1e9, 1.96) == pytest.approx(expected, abs=1e-8)
    inside = stats.norm.cdf(3 - 1.64) - stats.norm.cdf(1.64 - 3)
    assert equivalence_probability(3.0, 3.0, np.inf, 1.64) == pytest.approx(inside, abs=1e-15)


@pytest.mark.parametrize("df", [1, 14, 60])
@pytest.mark.parametrize(("below", "above"), [(2, 2), (1.5, 6), (12, 4)])
def test_equivalence_by_another_quadrature(df, below, above):
    critical = stats.t.isf(0.05, df)

    def density_times_inside(ratio):
        inside = stats.norm.cdf(above - critical * ratio) - stats.norm.cdf(critical * ratio - below)
        return inside * stats.chi.pdf(ratio, df, scale=df**-0.5)

    end = (below + above) / (2 * critical)
    expected, _ = integrate.quad(density_times_inside, 0, end, epsabs=1e-13, limit=500)
    found = equivalence_probability(below, above, df, critical)
    assert found == pytest.approx(expected, abs=TOLERANCE)


class TestDetectableDifference:
    def test_arrays_are_single_ones(self):
        errors, df = np.array([[0.01], [0.02]]), np.array([4, 14, np.inf])
        critical = np.array([2.8, 2.1, 1.96])
        found = detectable_difference(errors, df, critical)
        assert found.shape == (2, 3)
        for row, error in enumerate(errors[:, 0]):
            for column in range(3):
                single = detectable_difference(error, df[column], critical[column])
                assert isinstance(single, float)
                assert found[row, column] == pytest.approx(single, rel=1e-13)

    def test_what_has_no_difference(self):
        assert np.isnan(detectable_difference(0.0, 14, 2.1))  # undetermined
        assert np.isnan(detectable_difference(np.nan, 14, 2.1))
        assert np.isnan(detectable_difference(0.01, 14, np.nan))
        assert detectable_difference(0.01, 14, np.inf) == np.inf
        # A test that rejects more often than wanted without any difference.
        assert detectable_difference(1.0, 14, 0.1, power=0.3) == 0
