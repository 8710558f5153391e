"""Var[estimate] against the mean variance estimate on real refits of a learner with exact moments.

The learner is the sample mean under squared loss, y Gaussian. Its scores are far from Gaussian, so
nothing is said about sizes; but the political ratio of each procedure is known exactly, from the
moments of tests/stats/oracles.py. The splits are those of our splitters.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from skcvstats import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold, stats
from skcvstats.theory import variance_ratio
from tests.conftest import ignoring
from tests.stats.oracles import sample_mean_moments, sample_mean_s4

from .settings import data_sets

pytestmark = [pytest.mark.calibration, ignoring("Anticonservative")]

N_DATA_SETS = 250  # of y, for each set of splits
# Sets of splits: the scores of one are dependent, so they are the blocks.
N_SETS = data_sets(200 * N_DATA_SETS) // N_DATA_SETS
N_ERRORS = 4
J, M, R = 6, 4, 5
VARIANCE = 4.0


def scores(y, cv):
    """Fit and score the sample mean on every split of every data set, all at once."""
    splits = list(cv.split(np.zeros((y.shape[1], 1))))
    train, test = np.zeros((2, y.shape[1], len(splits)))
    for k, (trained, tested) in enumerate(splits):
        train[trained, k] = 1 / len(trained)
        test[tested, k] = 1 / len(tested)
    mean = y @ train
    return -((y**2) @ test - 2 * mean * (y @ test) + mean**2)


@dataclass(frozen=True)
class Sizes:
    n_train: int
    n_test: int
    n: int

    @property
    def moments(self):
        return sample_mean_moments(self.n_train, self.n_test, self.n, VARIANCE)

    @property
    def stated(self):
        return {"n_train": self.n_train, "n_test": self.n_test, "n_samples": self.n}

    @property
    def options(self):
        return {"train_size": self.n_train, "test_size": self.n_test}


def resampled(sizes, seed, y):
    cv = RepeatedSubsampleSplit(J, **sizes.options, random_state=seed)
    x = scores(y, cv)
    return {
        "resampled_t": stats.resampled_ttest(x, **sizes.stated),
        "corrected_resampled_t": stats.corrected_resampled_ttest(x, **sizes.stated),
    }


def bootstrap(sizes, seed, y):
    cv = RepeatedSubsampleSplit(J, n_replicates=R + 1, **sizes.options, random_state=seed)
    x = scores(y, cv).reshape(-1, R + 1, J)
    return {
        "bootstrap_t": stats.bootstrap_ttest(x, **sizes.stated),
        "corrected_bootstrap_t": stats.corrected_bootstrap_ttest(x, **sizes.stated),
    }


def conservative(sizes, seed, y):
    cv = RepeatedSubsampleSplit(J, **sizes.options, random_state=seed)
    halves = scores(y, HalfSplitPairs(M, J, test_size=sizes.n_test, random_state=seed))
    result = stats.conservative_ztest(scores(y, cv), halves.reshape(-1, M, 2, J), **sizes.stated)
    return {"conservative_z": result}


def five_by_two(sizes, seed, y):
    x = scores(y, RepeatedTwoFold(random_state=seed))
    halves = {"n_train": sizes.n_train, "n_test": sizes.n_test}
    variants = ("dietterich", "t4", "t5")
    return {name: stats.five_by_two_cv_ttest(x, variant=name, **halves) for name in variants}


def holdout(sizes, seed, y):
    ((train, test),) = RepeatedSubsampleSplit(1, **sizes.options, random_state=seed).split(y.T)
    rows = -((y[:, test] - y[:, train].mean(axis=1, keepdims=True)) ** 2)
    return {"holdout_t": stats.holdout_ttest(rows, n_train=sizes.n_train, n_samples=sizes.n)}


def expected_ratio(name, sizes):
    """Return it by the formula that tests/stats checks, from the learner's exact moments."""
    variants, moments = ("dietterich", "t4", "t5"), sizes.moments._asdict()
    if name in variants:
        moments["s4"] = sample_mean_s4(sizes.n_train, VARIANCE)
    if name == "conservative_z":
        half = sizes.n // 2
        small = sample_mean_moments(half - sizes.n_test, sizes.n_test, half, VARIANCE)
        moments |= {"s1_half": small.s1, "s2_half": small.s2}
    return variance_ratio(
        "five_by_two_cv_t" if name in variants else name,
        variant=name if name in variants else "dietterich",
        **moments,
        n_splits=J,
        n_test=sizes.n_test,
        n_samples=sizes.n,
    )


WHOLE, PART, HALF = Sizes(18, 2, 20), Sizes(10, 4, 20), Sizes(10, 10, 20)
ODD, TINY_HALVES = Sizes(16, 5, 21), Sizes(3, 3, 7)
CASES = {
    f"{run.__name__} {sizes.n_train} + {sizes.n_test} of {sizes.n}": (run, sizes)
    for run, designs in [
        (resampled, [WHOLE, PART, HALF]),
        (bootstrap, [PART, HALF]),
        (conservative, [WHOLE, ODD]),
        (five_by_two, [TINY_HALVES, HALF]),
        (holdout, [Sizes(4, 12, 16), Sizes(10, 5, 20)]),
    ]
    for sizes in designs
}


@pytest.mark.parametrize(("run", "sizes"), CASES.values(), ids=CASES)
def test_political_ratio(run, sizes):
    """All procedures for the same splits are given the same scores."""
    truth = -VARIANCE * (1 + 1 / sizes.n_train)
    rng = np.random.default_rng(0)
    blocks = {}
    for seed in range(N_SETS):
        y = rng.normal(scale=np.sqrt(VARIANCE), size=(N_DATA_SETS, sizes.n))
        for name, result in run(sizes, seed, y).items():
            error = result.estimate - truth
            means = error.mean(), np.mean(error**2), np.mean(result.standard_error**2)
            blocks.setdefault(name, []).append(means)
    for name, found in blocks.items():
        assert_ratio(np.array(found), expected_ratio(name, sizes))


def assert_ratio(blocks, expected):
    bias, variance, estimated = blocks.mean(axis=0)
    assert abs(bias) < N_ERRORS * blocks[:, 0].std(ddof=1) / np.sqrt(N_SETS)
    measured = variance / estimated
    spread = np.std(blocks[:, 1] - measured * blocks[:, 2], ddof=1)
    error = spread / estimated / np.sqrt(N_SETS)
    assert measured == pytest.approx(expected, abs=N_ERRORS * error)
    assert error < 0.017 * measured  # near enough that a fault would be seen
