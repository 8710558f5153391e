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


def test_covariance_of_the_halves_against_simulation():
    rng = np.random.default_rng(1)
    y = rng.normal(size=(200_000, 2, 4))
    means = y.mean(axis=2)
    scores = [((y[:, k] - means[:, [1 - k]]) ** 2).mean(axis=1) for k in range(2)]
    products = np.prod([one - one.mean() for one in scores], axis=0)
    error = products.std() / np.sqrt(len(products))
    assert abs(products.mean() - sample_mean_s4(4)) < 4 * error
