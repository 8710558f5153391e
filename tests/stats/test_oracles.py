"""The oracles themselves: against full enumeration, printed values and simulation."""

import numpy as np
import pytest

from tests.stats.oracles import enumerated_moments, sample_mean_moments, sample_mean_s4


@pytest.mark.parametrize(
    ("n_train", "n_test", "n"),
    [(1, 2, 3), (2, 2, 4), (3, 2, 5), (2, 3, 5), (3, 3, 6), (4, 2, 6), (2, 2, 6), (3, 2, 6)],
)
def test_sample_mean_against_all_splits(n_train, n_test, n):
    closed = sample_mean_moments(n_train, n_test, n)
    np.testing.assert_allclose(closed, enumerated_moments(n_train, n_test, n), rtol=1e-10)


@pytest.mark.parametrize(
    ("n_train", "n_test", "n", "rho"),
    [
        (100, 100, 200, 0.4977),
        (100, 20, 120, 0.1678),
        (180, 20, 200, 0.1004),
        (1000, 1000, 2000, 0.4998),
        (1000, 200, 1200, 0.1668),
        (1800, 200, 2000, 0.1000),
        (100, 20, 200, 0.1003),
    ],
)
def test_correlation_of_the_sample_mean(n_train, n_test, n, rho):
    # The report's Table 2 prints intervals around the first six: [.466,.512], [.148,.179], ...
    assert sample_mean_moments(n_train, n_test, n).rho == pytest.approx(rho, abs=5e-5)


def test_covariance_of_the_halves_against_simulation():
    rng = np.random.default_rng(1)
    y = rng.normal(size=(200_000, 2, 4))
    means = y.mean(axis=2)
    scores = [((y[:, k] - means[:, [1 - k]]) ** 2).mean(axis=1) for k in range(2)]
    products = np.prod([one - one.mean() for one in scores], axis=0)
    error = products.std() / np.sqrt(len(products))
    assert abs(products.mean() - sample_mean_s4(4)) < 4 * error
