"""The political ratio of every procedure, against the procedures themselves.

The estimates and variance estimates are written out from the report's Table 1. A variance estimate
is a quadratic form, so its mean is exact (`oracles.roots_of`); it is simulated besides.
"""

import numpy as np
import pytest

from skcvstats.theory import political_ratio
from tests.stats.oracles import exchangeable_covariance, roots_of

N_SPLITS, N_REPLICATES, N_PAIRS = 6, 4, 3
N_TRAIN, N_TEST, N_SAMPLES = 50, 10, 100
CORRECTION = N_TEST / (N_SAMPLES - N_TEST)
MOMENTS = {"s0": 9.0, "s1": 1.0, "s2": 0.15, "s3": 0.2}
SIZES = {"n_splits": N_SPLITS, "n_test": N_TEST, "n_samples": N_SAMPLES}
S4 = -0.3
HALF = {"s1_half": 1.4, "s2_half": 0.4}


def variance(x):
    return x.var(axis=-1, ddof=1)


def pairs(x):
    return x[..., 0::2] - x[..., 1::2]


def replicates(x):
    return x.reshape(*x.shape[:-1], N_REPLICATES + 1, N_SPLITS).mean(axis=-1)


def half_differences(x):
    halves = x[..., N_SPLITS:].reshape(*x.shape[:-1], N_PAIRS, 2, N_SPLITS).mean(axis=-1)
    return halves[..., 0] - halves[..., 1]


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
    ("holdout_t", "dietterich"): (lambda x: x.mean(axis=-1), lambda x: variance(x) / N_TEST),
    ("resampled_t", "dietterich"): (lambda x: x.mean(axis=-1), lambda x: variance(x) / N_SPLITS),
    ("corrected_resampled_t", "dietterich"): (
        lambda x: x.mean(axis=-1),
        lambda x: (1 / N_SPLITS + CORRECTION) * variance(x),
    ),
    ("five_by_two_cv_t", "dietterich"): (
        lambda x: x[..., 0],
        lambda x: (pairs(x) ** 2).sum(axis=-1) / 10,
    ),
    ("five_by_two_cv_t", "t4"): (
        lambda x: x[..., 0],
        lambda x: (pairs(x)[..., 1:] ** 2).sum(axis=-1) / 8,
    ),
    ("five_by_two_cv_t", "t5"): (
        lambda x: x[..., :2].mean(axis=-1),
        lambda x: (pairs(x) ** 2).sum(axis=-1) / 20,
    ),
    ("conservative_z", "dietterich"): (
        lambda x: x[..., :N_SPLITS].mean(axis=-1),
        lambda x: (half_differences(x) ** 2).sum(axis=-1) / (2 * N_PAIRS),
    ),
    ("bootstrap_t", "dietterich"): (
        lambda x: replicates(x)[..., 0],
        lambda x: variance(replicates(x)[..., 1:]),
    ),
    ("corrected_bootstrap_t", "dietterich"): (
        lambda x: replicates(x)[..., 0],
        lambda x: (1 + N_SPLITS * CORRECTION) * variance(replicates(x)[..., 1:]),
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


@pytest.mark.parametrize(
    ("method", "variant"), list(PROCEDURES), ids=["-".join(key) for key in PROCEDURES]
)
def test_exactly(method, variant):
    estimate, variance_estimate = PROCEDURES[method, variant]
    assert np.linalg.eigvalsh(COVARIANCES[method]).min() > 0
    roots = roots_of(COVARIANCES[method])
    exact = np.sum(estimate(roots) ** 2) / np.sum(variance_estimate(roots))
    found = political_ratio(method, variant=variant, **MOMENTS, **SIZES, **HALF, s4=S4)
    assert found == pytest.approx(exact, rel=1e-12)


def test_pool_is_train_plus_test_unless_given():
    moments = {"s1": 1.0, "s2": 0.1, "n_splits": 5}
    by_train = political_ratio("corrected_resampled_t", **moments, n_train=90, n_test=10)
    by_pool = political_ratio("corrected_resampled_t", **moments, n_test=10, n_samples=100)
    assert by_train == by_pool == pytest.approx(1)
    wider = political_ratio(
        "corrected_resampled_t", **moments, n_train=50, n_test=10, n_samples=100
    )
    assert wider == by_pool


def test_arrays_broadcast():
    n_splits = np.array([1, 5, 25])
    ratios = political_ratio("resampled_t", s1=1.0, s2=[[0.1], [0.5]], n_splits=n_splits)
    np.testing.assert_allclose(ratios, [1 + n_splits / 9, 1 + n_splits])


def test_without_a_variance_estimate():
    assert political_ratio("resampled_t", s1=1.0, s2=1.0, n_splits=5) == np.inf
    assert np.isnan(political_ratio("holdout_t", s0=0.0, s3=0.0, n_test=5))
