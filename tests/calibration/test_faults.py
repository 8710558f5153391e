"""Faults put into the package: the calibration check must detect each of them.

Most are known from other implementations. If a check did not detect a fault, it would prove
nothing. Degrees of freedom that no simulation can distinguish (90 for 99) are asserted exactly in
tests/stats.
"""

from copy import copy
from dataclasses import replace
from functools import lru_cache
from itertools import tee

import numpy as np
import pytest
from scipy.special import fdtrc

from skcvstats import (
    BootstrapTTest,
    ConservativeZTest,
    CorrectedBootstrapTTest,
    CorrectedResampledTTest,
    DieboldMarianoTest,
    FiveByTwoCVTTest,
    HoldoutTTest,
    ResampledTTest,
    SplitDesign,
)
from skcvstats.stats import _five_by_two_cv as combined_f

from .gaussian import blocks, is_calibrated
from .settings import SETTINGS

pytestmark = [
    pytest.mark.calibration,
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
]


def error_times(factor):
    """Multiply the standard error by a number, or by a function of the sample's design."""

    def change(right, sample, further):
        value = factor(sample.design) if callable(factor) else factor
        return replace(right, standard_error=right.standard_error * value)

    return change


def error_from(differences):
    """Compute the standard error as that of the mean of differences of two halves."""

    def change(right, sample, further):
        d = differences(sample, further)
        return replace(right, standard_error=np.sqrt(np.mean(d**2, axis=-1) / 2))

    return change


def df_plus(number):
    return lambda right, sample, further: replace(right, df=right.df + number)


def df_of(function):
    return lambda right, *samples: replace(right, df=function(*samples))


def estimate_of(function):
    return lambda right, *samples: replace(right, estimate=function(*samples))


def no_root(right, sample, further):
    return replace(right, standard_error=right.standard_error**2)


def mean(sample, further):
    return sample.values.mean(axis=-1)


def one_split_too_few(design):
    right = 1 / design.n_splits + design.rho0_odds
    return np.sqrt((1 / (design.n_splits - 1) + design.rho0_odds) / right)


def grid(sample):
    return sample.values.reshape(-1, *sample.design.shape)


def replicate_0_in_the_variance(right, sample, further):
    variance = right.correction * grid(sample).mean(axis=-1).var(axis=-1, ddof=1)
    return replace(right, standard_error=np.sqrt(variance), df=right.df)


def replicates_for_splits(right, sample, further):
    if sample.design.shape[1] == 2:
        return right
    return replace(right, standard_error=grid(sample).mean(axis=-2)[:, 1:].std(axis=-1, ddof=1))


def first_pair_left_out(sample, further):
    """Keep the divisor."""
    pairs = sample.values.reshape(-1, 5, 2)
    return (pairs[..., 0] - pairs[..., 1]) * [0, 1, 1, 1, 1]


def first_against_next(sample, further):
    """Pair the scores as if all first halves came before all second halves."""
    return sample.values[..., :5] - sample.values[..., 5:]


def divided_by_m_minus_1(right, sample, further):
    share = 1 - 1 / further.design.shape[0]
    return replace(right, standard_error=right.standard_error / np.sqrt(share))


def torn_halves(sample, further):
    """Average over the halves of different pairs."""
    n_pairs, _, n_splits = further.design.shape
    means = further.values.reshape(-1, n_splits, n_pairs, 2).mean(axis=-3)
    return means[..., 0] - means[..., 1]


def single_splits(sample, further):
    """Take the differences of single splits instead of those of the halves' means."""
    return grid(further)[:, :, 0, 0] - grid(further)[:, :, 1, 0]


RIGHT_ODDS = SplitDesign.rho0_odds.fget
# By the start of the names of the settings that must notice: what is used for n_test/(n - n_test).
ODDS = {
    ("corrected_resampled_t",): {
        "n_test/n": lambda d: d.test_size / d.n_samples,
        "n_test/n_train": lambda d: d.test_size / d.train_size,
        "no correction": lambda d: 0.0,
    },
    ("corrected_bootstrap",): {
        "n_test/n": lambda d: d.test_size / d.n_samples,
        "n_test/n_train": lambda d: d.test_size / d.train_size,
        "J left out": lambda d: RIGHT_ODDS(d) / d.shape[1],
        "(R + 1) J for J": lambda d: RIGHT_ODDS(d) * d.shape[0],
    },
}
# By that and the class: what changes the result of its pivot.
PIVOTS = {
    ("corrected_resampled_t", CorrectedResampledTTest): {
        "no root": no_root,
        "df J": df_plus(1),
        "df J - 2": df_plus(-1),
        "normal law": df_plus(np.inf),
        "one repeat too few": error_times(one_split_too_few),
        "ddof 0": error_times(lambda d: np.sqrt(1 - 1 / d.n_splits)),
    },
    ("diebold_mariano", DieboldMarianoTest): {
        "no root": no_root,
        "one transform too few": df_plus(-1),
        "normal law": df_plus(np.inf),
        "not sqrt(2/T)": error_times(0.5**0.5),
    },
    ("resampled_t", ResampledTTest): {
        "not divided by J": error_times(lambda d: np.sqrt(d.n_splits))
    },
    ("corrected_bootstrap", CorrectedBootstrapTTest): {
        "df R": df_plus(1),
        "one replicate too few": df_plus(-1),
        "no root": no_root,
        "replicate 0 in the variance": replicate_0_in_the_variance,
        "estimate of all replicates": estimate_of(mean),
    },
    ("bootstrap", BootstrapTTest): {
        "divided by R": error_times(lambda d: 1 / np.sqrt(d.shape[0] - 1)),
        "replicates and splits exchanged": replicates_for_splits,
    },
    ("holdout_t t", HoldoutTTest): {"normal law": df_plus(np.inf), "df n_test": df_plus(1)},
    ("holdout_t normal", HoldoutTTest): {
        "t law": df_of(lambda sample, _: sample.values.shape[-1] - 1)
    },
    ("holdout_t", HoldoutTTest): {
        "n for n_test": error_times(lambda d: np.sqrt(d.n_test[0] / d.n_samples)),
        "ddof 0": error_times(lambda d: np.sqrt(1 - 1 / d.n_test[0])),
    },
    ("five_by_two_cv_t t4", FiveByTwoCVTTest): {
        "divisor 10": error_times(0.8**0.5),
        "df 5": df_plus(1),
    },
    ("five_by_two_cv_t t5", FiveByTwoCVTTest): {
        "without sqrt 2": error_times(2**0.5),
        "df 4": df_plus(-1),
        "first split for the pair": estimate_of(lambda sample, _: sample.values[..., 0]),
    },
    ("five_by_two_cv_t dietterich", FiveByTwoCVTTest): {
        "divisor 5": error_times(2**0.5),
        "df 4": df_plus(-1),
        "df 10": df_plus(5),
        "mean for the first": estimate_of(mean),
        "pairs torn": error_from(first_against_next),
        "first pair left out, divisor kept": error_from(first_pair_left_out),
    },
    ("conservative_z", ConservativeZTest): {
        "1/M for 1/2M": error_times(2**0.5),
        "t law": df_of(lambda _, further: further.design.shape[0]),
        "divided by M - 1": divided_by_m_minus_1,
        "halves torn": error_from(torn_halves),
        "single splits for means": error_from(single_splits),
        "divided by J once more": error_times(lambda d: d.n_splits**-0.5),
        "estimate of the half-samples": estimate_of(lambda _, further: mean(further, None)),
    },
}
# Of the F test: its arguments of F's upper tail, which are right with (10, 5, f).
LAWS = {
    "degrees of freedom exchanged": lambda f: (5, 10, f),
    "factor 2 left out": lambda f: (10, 5, f / 2),
    "root": lambda f: (10, 5, np.sqrt(f)),
}


@lru_cache(maxsize=6)
def remembered(setting):
    """Return the first of the blocks, whose copies share what was drawn; faults are neighbors."""
    return tee(blocks(setting), 1)[0]


def assert_seen(start):
    settings = [setting for name, setting in SETTINGS.items() if name.startswith(start)]
    assert settings
    assert not all(is_calibrated(setting, copy(remembered(setting))) for setting in settings)


def named(table):
    """Return parameters with ids from a table of tables."""
    return [
        pytest.param(*key, fault, id=f"{key[0]}: {what}")
        for key, faults in table.items()
        for what, fault in faults.items()
    ]


@pytest.mark.parametrize(("start", "odds"), named(ODDS))
def test_of_the_correction(monkeypatch, start, odds):
    monkeypatch.setattr(SplitDesign, "rho0_odds", property(odds))
    assert_seen(start)


@pytest.mark.parametrize(("start", "test", "change"), named(PIVOTS))
def test_of_a_pivot(monkeypatch, start, test, change):
    original = test.pivot

    def faulty(self, sample, further):
        return change(original(self, sample, further), sample, further)

    monkeypatch.setattr(test, "pivot", faulty)
    assert_seen(start)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_of_the_law_of_f(monkeypatch, law):
    monkeypatch.setattr(combined_f, "_tail_probability", lambda f: fdtrc(*law(f)))
    assert_seen("five_by_two_cv_f")


def test_of_the_null_value_of_f(monkeypatch):
    monkeypatch.setattr(combined_f, "check_finite_number", lambda name, value: 0.0)
    assert_seen("five_by_two_cv_f")
