"""Plans of a test set before there are data, against formulas, other packages and simulation."""

import math

import numpy as np
import pytest
from scipy.stats import nct, norm, t

from skcvstats.stats import plan_test_set

# Accuracies and agreements with enough rows on which exactly one of the two is right.
PLANS = [((0.80, 0.83), 0.9), ((0.6, 0.7), 0.7), ((0.95, 0.90), 0.9), ((0.5, 0.52), 0.6)]


def n_of_connor(d, psi, power=0.8, alpha=0.05):
    """Return the formula of Connor (1987) with SciPy's quantiles."""
    root = norm.isf(alpha / 2) * math.sqrt(psi) + norm.ppf(power) * math.sqrt(psi - d * d)
    return root**2 / d**2


@pytest.mark.parametrize(("accuracy", "agreement"), PLANS)
@pytest.mark.parametrize(("power", "level"), [(0.8, 0.95), (0.95, 0.95), (0.5, 0.99)])
def test_rows_are_those_of_connors_formula(accuracy, agreement, power, level):
    d = abs(accuracy[0] - accuracy[1])
    how = {"power": power, "confidence_level": level}
    plan = plan_test_set(accuracy=accuracy, agreement=agreement, **how)
    assert plan.n_rows == math.ceil(n_of_connor(d, 1 - agreement, power, 1 - level))
    reverse = plan_test_set(accuracy=accuracy[::-1], agreement=agreement, **how)
    assert reverse.n_rows == plan.n_rows
    for n_rows, detectable in plan.detectable.items():
        if math.isfinite(detectable):
            assert n_of_connor(detectable, 1 - agreement, power, 1 - level) == pytest.approx(n_rows)


def test_rows_of_a_standard_deviation_are_the_fewest_with_the_power_of_the_paired_t_test():
    def power(n, d=0.02, sd=0.4, alpha=0.05):
        critical = t.isf(alpha / 2, n - 1)
        return nct.sf(critical, n - 1, d / sd * n**0.5) + nct.cdf(-critical, n - 1, d / sd * n**0.5)

    plan = plan_test_set(sd_of_difference=0.4, difference=0.02)
    assert power(plan.n_rows) >= 0.8 > power(plan.n_rows - 1)
    assert [*plan.detectable] == [plan.n_rows // 2, plan.n_rows, 2 * plan.n_rows]
    for n_rows, detectable in plan.detectable.items():
        assert power(n_rows, detectable) == pytest.approx(0.8, abs=1e-6)
    assert plan_test_set(sd_of_difference=0.4, difference=-0.02).n_rows == plan.n_rows
    few = plan_test_set(sd_of_difference=1.0, difference=2.0)
    assert power(few.n_rows, 2.0, 1.0) >= 0.8 > power(few.n_rows - 1, 2.0, 1.0)
    assert plan_test_set(sd_of_difference=1.0, difference=1e6).n_rows == 2
    assert plan_test_set(sd_of_difference=1e-3, difference=2e-5).n_rows == pytest.approx(
        plan_test_set(sd_of_difference=1.0, difference=0.02).n_rows, abs=1
    )


def test_a_difference_of_all_rows_on_which_one_is_right_is_the_largest_there_is():
    """Rounding of 0.8 - 0.7 and of 1 - 0.9 refuses none."""
    plan = plan_test_set(accuracy=(0.7, 0.8), agreement=0.9)
    assert plan.n_rows == math.ceil(n_of_connor(0.1, 0.1) - 1e-9)
    assert plan.detectable[39] == math.inf
    assert "Half as many, 39 rows, show none; twice as many, 154 rows, show 0.0708." in str(plan)
    with pytest.raises(ValueError, match=r"agreement=0.91: .* and at most 0.9"):
        plan_test_set(accuracy=(0.7, 0.8), agreement=0.91)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, r"Got \[\]\. Give either accuracy= and agreement="),
        ({"accuracy": (0.8, 0.83)}, r"Got \['accuracy'\]. Give either"),
        ({"accuracy": (0.8, 0.83), "agreement": 0.9, "difference": 0.1}, r"'difference'\]. Give"),
        ({"sd_of_difference": 0.4}, r"Got \['sd_of_difference'\]. Give either"),
        ({"accuracy": 0.8, "agreement": 0.9}, "accuracy=0.8 must be a pair of numbers"),
        ({"accuracy": (0.8, 0.8), "agreement": 0.9}, "do not differ, so no number of rows"),
        ({"accuracy": (80, 83), "agreement": 0.9}, "accuracy=80 must be a share from 0 to 1"),
        ({"accuracy": (0.8, 0.83), "agreement": 90}, "agreement=90 must be a share from 0 to 1"),
        ({"accuracy": (0.8, 0.83), "agreement": 1}, "agreement=1: .* and at most 0.97"),
        ({"accuracy": (0.8, 0.83), "agreement": 0.2}, "agreement=0.2: .* of at least 0.63"),
        ({"sd_of_difference": 0.4, "difference": 0}, "difference=0.0 must be above 0"),
        ({"sd_of_difference": 0, "difference": 1}, "sd_of_difference=0 must be above 0"),
        ({"sd_of_difference": 1, "difference": 1e-9}, "More than 1000000000 rows would be needed"),
        ({"accuracy": (0.8, 0.83), "agreement": 0.9, "power": 0.04}, "power=0.04 is no more than"),
    ],
)
def test_what_cannot_be_planned_is_refused(given, said):
    with pytest.raises(ValueError, match=said):
        plan_test_set(**given)


@pytest.mark.calibration
@pytest.mark.parametrize(("accuracy", "agreement"), PLANS)
def test_simulated_power_of_mcnemars_test_without_correction(accuracy, agreement):
    """The planned power is .8; the exact test has less."""
    n_rows = plan_test_set(accuracy=accuracy, agreement=agreement).n_rows
    rng = np.random.default_rng(0)
    d = accuracy[1] - accuracy[0]
    only_new = (1 - agreement + d) / 2
    only_old = (1 - agreement - d) / 2
    shares = [only_new, only_old, agreement]
    b, c, _ = rng.multinomial(n_rows, shares, size=100_000).T
    z = (b - c) / np.sqrt(np.maximum(b + c, 1))
    assert 0.79 < np.mean(np.abs(z) > norm.isf(0.025)) < 0.84


@pytest.mark.calibration
@pytest.mark.parametrize(("sd", "difference"), [(0.4, 0.05), (1.0, 0.8), (0.3, 0.1)])
def test_simulated_power_of_the_paired_t_test(sd, difference):
    n_rows = plan_test_set(sd_of_difference=sd, difference=difference).n_rows
    rng = np.random.default_rng(1)
    means = []
    for _ in range(20):
        draws = rng.normal(difference, sd, size=(2000, n_rows))
        statistic = draws.mean(axis=1) / draws.std(axis=1, ddof=1) * n_rows**0.5
        means.append(np.mean(np.abs(statistic) > t.isf(0.025, n_rows - 1)))
    assert 0.79 < np.mean(means) < 0.84
