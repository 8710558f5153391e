"""Sizes on Gaussian scores with exact covariance, of the procedures and with faults in them.

The check must detect each fault; most are known from other implementations. Degrees of freedom that
no simulation can distinguish (90 for 99), and what is computed from other scores (torn pairs, other
replicates), are asserted exactly in tests/stats.
"""

from copy import copy
from dataclasses import replace
from functools import lru_cache
from itertools import tee

import numpy as np
import pytest
from scipy.special import fdtrc

import skcvstats as s
from skcvstats.stats import _five_by_two_cv as combined_f
from tests.conftest import ignoring

from .settings import SETTINGS, blocks, data_sets, is_calibrated

pytestmark = [pytest.mark.calibration, ignoring("Anticonservative")]


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_size_and_coverage(setting):
    assert is_calibrated(replace(setting, n_data_sets=data_sets(setting.n_data_sets)))


def error_times(factor):
    """Multiply the standard error by a number, or by a function of the sample's design."""

    def change(right, sample, further):
        value = factor(sample.design) if callable(factor) else factor
        return replace(right, standard_error=right.standard_error * value)

    return change


def df_plus(number):
    return lambda right, sample, further: replace(right, df=right.df + number)


def df_of(function):
    return lambda right, *samples: replace(right, df=function(*samples))


def no_root(right, sample, further):
    return replace(right, standard_error=right.standard_error**2)


def one_split_too_few(design):
    right = 1 / design.n_splits + design.rho0_odds
    return np.sqrt((1 / (design.n_splits - 1) + design.rho0_odds) / right)


RIGHT_ODDS = s.SplitDesign.rho0_odds.fget
OF_OTHER_ROWS = {
    "n_test/n": lambda d: d.test_size / d.n_samples,
    "n_test/n_train": lambda d: d.test_size / d.train_size,
}
# By the start of the names of the settings that must notice: what is used for n_test/(n - n_test).
ODDS = {
    ("corrected_resampled_t",): {**OF_OTHER_ROWS, "no correction": lambda d: 0.0},
    ("corrected_bootstrap",): {
        **OF_OTHER_ROWS,
        "J left out": lambda d: RIGHT_ODDS(d) / d.shape[1],
        "(R + 1) J for J": lambda d: RIGHT_ODDS(d) * d.shape[0],
    },
}
# By that and the class: what changes the result of its pivot.
PIVOTS = {
    ("corrected_resampled_t", s.CorrectedResampledTTest): {
        "no root": no_root, "df J": df_plus(1), "df J - 2": df_plus(-1),
        "normal law": df_plus(np.inf), "one repeat too few": error_times(one_split_too_few),
        "ddof 0": error_times(lambda d: np.sqrt(1 - 1 / d.n_splits)),
    },
    ("diebold_mariano", s.DieboldMarianoTest): {
        "no root": no_root, "one transform too few": df_plus(-1), "normal law": df_plus(np.inf),
        "not sqrt(2/T)": error_times(0.5**0.5),
    },
    ("resampled_t", s.ResampledTTest): {"no 1/J": error_times(lambda d: np.sqrt(d.n_splits))},
    ("corrected_bootstrap", s.CorrectedBootstrapTTest): {
        "df R": df_plus(1), "one replicate too few": df_plus(-1), "no root": no_root,
    },
    ("bootstrap", s.BootstrapTTest): {"1/R": error_times(lambda d: (d.shape[0] - 1) ** -0.5)},
    ("holdout_t t", s.HoldoutTTest): {"normal law": df_plus(np.inf), "df n_test": df_plus(1)},
    ("holdout_t normal", s.HoldoutTTest): {"t law": df_of(lambda x, _: x.values.shape[-1] - 1)},
    ("holdout_t", s.HoldoutTTest): {
        "n for n_test": error_times(lambda d: np.sqrt(d.n_test[0] / d.n_samples)),
        "ddof 0": error_times(lambda d: np.sqrt(1 - 1 / d.n_test[0])),
    },
    ("five_by_two_cv_t t4", s.FiveByTwoCVTTest): {
        "divisor 10": error_times(0.8**0.5), "df 5": df_plus(1),
    },
    ("five_by_two_cv_t t5", s.FiveByTwoCVTTest): {
        "without sqrt 2": error_times(2**0.5), "df 4": df_plus(-1),
    },
    ("five_by_two_cv_t dietterich", s.FiveByTwoCVTTest): {
        "divisor 5": error_times(2**0.5), "df 4": df_plus(-1), "df 10": df_plus(5),
    },
    ("conservative_z", s.ConservativeZTest): {
        "1/M for 1/2M": error_times(2**0.5),
        "t law": df_of(lambda _, further: further.design.shape[0]),
        "divided by J once more": error_times(lambda d: d.n_splits**-0.5),
    },
}  # fmt: skip
# Of the F test: its arguments of F's upper tail, which are right with (10, 5, f).
LAWS = {"degrees of freedom exchanged": lambda f: (5, 10, f)}
LAWS |= {"factor 2 left out": lambda f: (10, 5, f / 2), "root": lambda f: (10, 5, np.sqrt(f))}


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
    monkeypatch.setattr(s.SplitDesign, "rho0_odds", property(odds))
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
