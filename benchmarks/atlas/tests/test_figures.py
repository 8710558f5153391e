"""The figures of cells, on answers whose figures are known."""

import numpy as np
import pytest
from scipy import stats as laws

from benchmarks.atlas import figures, populations


def normal_answers(rng, n_data_sets, scale, errors, truth=3.0):
    """Return answers with normal estimates and given standard errors; again with the same."""
    first, second = truth + scale * rng.normal(size=(2, n_data_sets, 1))
    error = np.full((n_data_sets, 1), errors)
    halves = [error * laws.norm.isf(a / 2) for a in (0.05, 0.1)]
    return np.stack([first, error, *halves, second, halves[0]], axis=1)


def test_figures_of_normal_estimates():
    """With errors k times too small the size is 2 Phi(-1.96/k), and so on."""
    rng, n, truth = np.random.default_rng(0), 40_000, np.array([3.0])
    comparator = normal_answers(rng, n, 1.0, 1.0)
    answers = normal_answers(rng, n, 1.0, 0.5)
    found = figures.figures(answers, comparator, truth, truth, 1.0)
    for name, level in (("missed_95", 0.05), ("missed_90", 0.1)):
        size = 2 * laws.norm.sf(laws.norm.isf(level / 2) / 2)
        assert found[name][0] / n == pytest.approx(size, abs=0.01)
    assert found["variance_ratio"][0] == pytest.approx(4, abs=5 * found["variance_ratio_error"][0])
    assert found["variance_ratio_error"][0] == pytest.approx(4 * np.sqrt(2 / n), rel=0.05)
    assert found["length"][0] == pytest.approx(0.5)
    assert found["mean_length"][0] == pytest.approx(1.96, abs=0.001)
    for k in (2, 3):
        power = laws.norm.sf(0.98 - k)
        assert found[f"power_{k}"][0] / n == pytest.approx(power, abs=0.01)
    power = laws.norm.sf(0.98 - 2)
    assert found["flips"][0] / n == pytest.approx(2 * power * (1 - power), abs=0.01)


def test_a_finite_pool_has_less_variance():
    rng, n, truth = np.random.default_rng(0), 40_000, np.array([3.0])
    answers = normal_answers(rng, n, 0.9, 1.0)
    found = figures.figures(answers, answers, truth, truth, 0.81)
    assert found["missed_95"][0] / n == pytest.approx(0.05, abs=0.006)
    assert found["variance_ratio"][0] == pytest.approx(1, abs=0.04)
    assert populations.ALL["plane"].finite_factor(1000) == 1


def test_undetermined_data_sets_claim_nothing():
    truth = np.array([0.1])
    answers = np.zeros((4, 6, 1))
    answers[:2, 0] = 1.0
    answers[:2, 1:4] = 0.3
    found = figures.figures(answers, answers, truth, truth, 1.0)
    assert found["undetermined"][0] == 2
    assert found["missed_95"][0] == 2
    answers[3] = np.nan
    assert figures.figures(answers, answers, truth, truth, 1.0)["data_sets"][0] == 3


def test_the_truth_is_the_best_mixture():
    """Two independent means of variances 1 and 4 make one of variance .8."""
    rng, n = np.random.default_rng(0), 100_000
    own, fresh = 5 + rng.normal(size=(n, 2)), 5 + 2 * rng.normal(size=(n, 2))
    truth, error = figures.true_values(own, fresh, np.array([False, True]))
    assert error[0] == pytest.approx(np.sqrt(0.8 / n), rel=0.02)
    assert abs(truth[0] - 5) < 5 * error[0]
    assert truth[1] == error[1] == 0
