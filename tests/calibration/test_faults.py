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


def odds(of_design):
    """Correct with something other than n_test/(n - n_test)."""

    def put_into(monkeypatch):
        monkeypatch.setattr(SplitDesign, "rho0_odds", property(of_design))

    return put_into


def pivot(cls, change, **attributes):
    """Change the result of a procedure, for tests with these attributes."""
    original = cls.pivot

    def put_into(monkeypatch):
        def faulty(self, sample, further):
            right = original(self, sample, further)
            if any(getattr(self, name) != value for name, value in attributes.items()):
                return right
            return change(right, sample, further)

        monkeypatch.setattr(cls, "pivot", faulty)

    return put_into


def error_times(factor):
    """Multiply the standard error by a number, or by a function of the sample's design."""

    def change(right, sample, further):
        value = factor(sample.design) if callable(factor) else factor
        return replace(right, standard_error=right.standard_error * value)

    return change


def df_plus(number):
    return lambda right, sample, further: replace(right, df=right.df + number)


def df_of(number):
    return lambda right, sample, further: replace(right, df=number)


def no_root(right, sample, further):
    return replace(right, standard_error=right.standard_error**2)


def estimate_of(function):
    def change(right, sample, further):
        return replace(right, estimate=function(sample, further))

    return change


def one_split_too_few(design):
    right = 1 / design.n_splits + design.rho0_odds
    return np.sqrt((1 / (design.n_splits - 1) + design.rho0_odds) / right)


def replicate_0_in_the_variance(right, sample, further):
    means = sample.values.reshape(-1, *sample.design.shape).mean(axis=-1)
    variance = right.correction * means.var(axis=-1, ddof=1)
    return replace(right, standard_error=np.sqrt(variance), df=right.df)


def grid(sample):
    return sample.values.reshape(-1, *sample.design.shape)


def first_against_next(right, sample, further):
    """Pair the scores as if all first halves came before all second halves."""
    d = sample.values[..., :5] - sample.values[..., 5:]
    return replace(right, standard_error=np.sqrt(np.mean(d**2, axis=-1) / 2))


def torn_halves(right, sample, further):
    """Average over the halves of different pairs."""
    n_pairs, _, n_splits = further.design.shape
    means = further.values.reshape(-1, n_splits, n_pairs, 2).mean(axis=-3)
    d = means[..., 0] - means[..., 1]
    return replace(right, standard_error=np.sqrt(np.mean(d**2, axis=-1) / 2))


def single_splits(right, sample, further):
    """Take the differences of single splits instead of those of the halves' means."""
    halves = further.values.reshape(-1, *further.design.shape)
    d = halves[:, :, 0, 0] - halves[:, :, 1, 0]
    return replace(right, standard_error=np.sqrt(np.mean(d**2, axis=-1) / 2))


def f_law(change):
    def put_into(monkeypatch):
        monkeypatch.setattr(combined_f, "_tail_probability", lambda f: fdtrc(*change(10, 5, f)))

    return put_into


def f_without_null_value(monkeypatch):
    monkeypatch.setattr(combined_f, "check_finite_number", lambda name, value: 0.0)


RIGHT_ODDS = SplitDesign.rho0_odds.fget
T4, T5, DIETTERICH = ({"variant": name} for name in ("t4", "t5", "dietterich"))

# The settings that must notice (the start of their names), the fault, how it is put in.
FAULTS = [
    ("corrected_resampled_t", "n_test/n", odds(lambda d: d.test_size / d.n_samples)),
    ("corrected_resampled_t", "n_test/n_train", odds(lambda d: d.test_size / d.train_size)),
    ("corrected_resampled_t", "no correction", odds(lambda d: 0.0)),
    ("corrected_resampled_t", "no root", pivot(CorrectedResampledTTest, no_root)),
    ("corrected_resampled_t", "df J", pivot(CorrectedResampledTTest, df_plus(1))),
    ("corrected_resampled_t", "df J - 2", pivot(CorrectedResampledTTest, df_plus(-1))),
    ("corrected_resampled_t", "normal law", pivot(CorrectedResampledTTest, df_of(np.inf))),
    (
        "corrected_resampled_t",
        "one repeat too few",
        pivot(CorrectedResampledTTest, error_times(one_split_too_few)),
    ),
    (
        "corrected_resampled_t",
        "ddof 0",
        pivot(
            CorrectedResampledTTest,
            error_times(lambda d: np.sqrt((d.n_splits - 1) / d.n_splits)),
        ),
    ),
    (
        "resampled_t",
        "not divided by J",
        pivot(ResampledTTest, error_times(lambda d: np.sqrt(d.n_splits))),
    ),
    ("corrected_bootstrap", "n_test/n", odds(lambda d: d.test_size / d.n_samples)),
    ("corrected_bootstrap", "n_test/n_train", odds(lambda d: d.test_size / d.train_size)),
    ("corrected_bootstrap", "J left out", odds(lambda d: RIGHT_ODDS(d) / d.shape[1])),
    ("corrected_bootstrap", "(R + 1) J for J", odds(lambda d: RIGHT_ODDS(d) * d.shape[0])),
    ("corrected_bootstrap", "df R", pivot(CorrectedBootstrapTTest, df_plus(1))),
    ("corrected_bootstrap", "one replicate too few", pivot(CorrectedBootstrapTTest, df_plus(-1))),
    ("corrected_bootstrap", "no root", pivot(CorrectedBootstrapTTest, no_root)),
    (
        "corrected_bootstrap",
        "replicate 0 in the variance",
        pivot(CorrectedBootstrapTTest, replicate_0_in_the_variance),
    ),
    (
        "corrected_bootstrap",
        "estimate of all replicates",
        pivot(CorrectedBootstrapTTest, estimate_of(lambda s, _: s.values.mean(axis=-1))),
    ),
    (
        "bootstrap",
        "divided by R",
        pivot(BootstrapTTest, error_times(lambda d: 1 / np.sqrt(d.shape[0] - 1))),
    ),
    (
        "bootstrap",
        "replicates and splits exchanged",
        pivot(
            BootstrapTTest,
            lambda right, s, _: (
                replace(
                    right,
                    standard_error=grid(s).mean(axis=-2)[:, 1:].std(axis=-1, ddof=1),
                )
                if s.design.shape[1] > 2
                else right
            ),
        ),
    ),
    ("holdout_t t", "normal law", pivot(HoldoutTTest, df_of(np.inf), law="t")),
    ("holdout_t t", "df n_test", pivot(HoldoutTTest, df_plus(1), law="t")),
    (
        "holdout_t normal",
        "t law",
        pivot(
            HoldoutTTest,
            lambda right, s, _: replace(right, df=s.values.shape[-1] - 1),
            law="normal",
        ),
    ),
    (
        "holdout_t",
        "n for n_test",
        pivot(HoldoutTTest, error_times(lambda d: np.sqrt(d.n_test[0] / d.n_samples))),
    ),
    (
        "holdout_t",
        "ddof 0",
        pivot(HoldoutTTest, error_times(lambda d: np.sqrt(1 - 1 / d.n_test[0]))),
    ),
    ("five_by_two_cv_t t4", "divisor 10", pivot(FiveByTwoCVTTest, error_times(0.8**0.5), **T4)),
    ("five_by_two_cv_t t4", "df 5", pivot(FiveByTwoCVTTest, df_plus(1), **T4)),
    ("five_by_two_cv_t t5", "without sqrt 2", pivot(FiveByTwoCVTTest, error_times(2**0.5), **T5)),
    ("five_by_two_cv_t t5", "df 4", pivot(FiveByTwoCVTTest, df_plus(-1), **T5)),
    (
        "five_by_two_cv_t t5",
        "first split for the pair",
        pivot(FiveByTwoCVTTest, estimate_of(lambda s, _: s.values[..., 0]), **T5),
    ),
    (
        "five_by_two_cv_t dietterich",
        "divisor 5",
        pivot(FiveByTwoCVTTest, error_times(2**0.5), **DIETTERICH),
    ),
    ("five_by_two_cv_t dietterich", "df 4", pivot(FiveByTwoCVTTest, df_plus(-1), **DIETTERICH)),
    ("five_by_two_cv_t dietterich", "df 10", pivot(FiveByTwoCVTTest, df_of(10), **DIETTERICH)),
    (
        "five_by_two_cv_t dietterich",
        "mean for the first",
        pivot(FiveByTwoCVTTest, estimate_of(lambda s, _: s.values.mean(axis=-1)), **DIETTERICH),
    ),
    (
        "five_by_two_cv_t dietterich",
        "pairs torn",
        pivot(FiveByTwoCVTTest, first_against_next, **DIETTERICH),
    ),
    (
        "five_by_two_cv_t dietterich",
        "first pair left out, divisor kept",
        pivot(
            FiveByTwoCVTTest,
            lambda right, s, _: replace(
                right,
                standard_error=np.sqrt(
                    np.sum((s.values[..., 2::2] - s.values[..., 3::2]) ** 2, axis=-1) / 10
                ),
            ),
            **DIETTERICH,
        ),
    ),
    ("five_by_two_cv_f", "degrees of freedom exchanged", f_law(lambda a, b, f: (b, a, f))),
    ("five_by_two_cv_f", "factor 2 left out", f_law(lambda a, b, f: (a, b, f / 2))),
    ("five_by_two_cv_f", "root", f_law(lambda a, b, f: (a, b, np.sqrt(f)))),
    ("five_by_two_cv_f", "null value left out", f_without_null_value),
    ("conservative_z", "1/M for 1/2M", pivot(ConservativeZTest, error_times(2**0.5))),
    (
        "conservative_z",
        "t law",
        pivot(ConservativeZTest, lambda r, _, further: replace(r, df=further.design.shape[0])),
    ),
    (
        "conservative_z",
        "divided by M - 1",
        pivot(
            ConservativeZTest,
            lambda r, _, further: replace(
                r,
                standard_error=r.standard_error / np.sqrt(1 - 1 / further.design.shape[0]),
            ),
        ),
    ),
    ("conservative_z", "halves torn", pivot(ConservativeZTest, torn_halves)),
    ("conservative_z", "single splits for means", pivot(ConservativeZTest, single_splits)),
    (
        "conservative_z",
        "divided by J once more",
        pivot(ConservativeZTest, error_times(lambda d: d.n_splits**-0.5)),
    ),
    (
        "conservative_z",
        "estimate of the half-samples",
        pivot(ConservativeZTest, estimate_of(lambda _, further: further.values.mean(axis=-1))),
    ),
]


@lru_cache(maxsize=6)
def remembered(setting):
    """Return the first of the blocks, whose copies share what was drawn; faults are neighbors."""
    return tee(blocks(setting), 1)[0]


@pytest.mark.parametrize(
    ("start", "put_into"),
    [pytest.param(start, fault, id=f"{start}: {what}") for start, what, fault in FAULTS],
)
def test_a_fault_in_the_package_is_seen(monkeypatch, start, put_into):
    settings = [setting for name, setting in SETTINGS.items() if name.startswith(start)]
    assert settings
    put_into(monkeypatch)
    assert not all(is_calibrated(setting, copy(remembered(setting))) for setting in settings)
