"""The procedures, with the distributions of scores for the tests of their sizes."""

from functools import partial

import numpy as np

from skcvstats.stats import (
    bootstrap_ttest,
    conservative_ztest,
    corrected_bootstrap_ttest,
    corrected_resampled_ttest,
    five_by_two_cv_ftest,
    five_by_two_cv_ttest,
    holdout_ttest,
    resampled_ttest,
)

from . import gaussian
from .gaussian import MEAN, Setting

# n_train, n_test, n, J: these distinguish the known faults of other implementations.
CONFIGURATIONS = [(50, 50, 100, 15), (50, 10, 100, 4), (50, 10, 100, 15)]
# The same, and R: few splits and replicates show a wrong number of degrees of freedom.
REPLICATED = [(50, 10, 100, 3, 5), (50, 50, 100, 2, 8), (90, 10, 100, 15, 15)]
HALVES = {"n_train": 50, "n_test": 50}


def _sizes(n_train, n_test, n):
    return {"n_train": n_train, "n_test": n_test, "n_samples": n, "null_value": MEAN}


def _odds(n_test, n):
    return n_test / (n - n_test)


def _exchangeable(rng, n, *, shape, rho):
    return (gaussian.exchangeable(rng, n, shape, rho),)


def _resampled(configuration, *, function, rho_over_rho0, corrected):
    n_train, n_test, n, n_splits = configuration
    rho = rho_over_rho0 * n_test / n
    odds = _odds(n_test, n) if corrected else 0.0
    return Setting(
        procedure=function.__name__,
        draw=partial(_exchangeable, shape=(n_splits,), rho=rho),
        call=partial(function, **_sizes(n_train, n_test, n)),
        size=gaussian.student(gaussian.resampled_ratio(rho, n_splits, odds), n_splits - 1),
    )


def _replicated(configuration, *, function, rho_over_rho0, corrected):
    n_train, n_test, n, n_splits, n_further = configuration
    rho = rho_over_rho0 * n_test / n
    odds = _odds(n_test, n) if corrected else 0.0
    return Setting(
        procedure=function.__name__,
        draw=partial(_exchangeable, shape=(n_further + 1, n_splits), rho=rho),
        call=partial(function, **_sizes(n_train, n_test, n)),
        size=gaussian.student(gaussian.resampled_ratio(rho, n_splits, odds), n_further - 1),
        n_data_sets=40_000 if n_further == 15 else 60_000,  # those have 240 scores each
    )


def _holdout(n_test, ratio, law):
    return Setting(
        procedure="holdout_ttest",
        draw=lambda rng, n: (gaussian.rows(rng, n, n_test, ratio / n_test),),
        call=partial(holdout_ttest, n_train=60, null_value=MEAN, law=law),
        size=gaussian.student(ratio, n_test - 1, np.inf if law == "normal" else None),
        n_data_sets=200_000 if n_test == 10 else 100_000,  # ten degrees of freedom are hardly nine
    )


def _five_by_two(variant, k):
    size = {
        "dietterich": gaussian.dietterich(k),
        "t4": gaussian.student(1 / (1 - k), 4),
        "t5": gaussian.student((1 + k) / (1 - k), 5),
    }[variant]
    return Setting(
        procedure=f"five_by_two_cv_ttest {variant}",
        draw=lambda rng, n: (gaussian.pairs(rng, n, k),),
        call=partial(five_by_two_cv_ttest, **HALVES, null_value=MEAN, variant=variant),
        size=size,
    )


def _combined_f(k):
    return Setting(
        procedure="five_by_two_cv_ftest",
        draw=lambda rng, n: (gaussian.pairs(rng, n, k),),
        call=partial(five_by_two_cv_ftest, null_value=MEAN),
        size=gaussian.combined_f(k),
    )


def _conservative(n_pairs, n_splits, ratio):
    """Make the variance of the half-samples' means 1/ratio of that of the estimate."""
    rho, rho_half = 0.1, 0.3
    variance = rho + (1 - rho) / n_splits
    half_variance = rho_half + (1 - rho_half) / n_splits

    def draw(rng, n):
        x = gaussian.exchangeable(rng, n, (n_splits,), rho)
        # Scores of one half share what scores of its other do not.
        halves = gaussian.exchangeable(rng, n * n_pairs * 2, (n_splits,), rho_half)
        halves = halves.reshape(n, n_pairs, 2, n_splits)
        return x, halves * np.sqrt(variance / half_variance / ratio)

    return Setting(
        procedure="conservative_ztest",
        draw=draw,
        call=partial(conservative_ztest, n_train=90, n_test=10, null_value=MEAN),
        size=gaussian.student(ratio, n_pairs, np.inf),
    )


def _all():
    for configuration in CONFIGURATIONS:
        for rho_over_rho0 in (0.5, 1.0, 1.5):
            yield (
                f"corrected_resampled_t {configuration} {rho_over_rho0:g} rho0",
                _resampled(
                    configuration,
                    function=corrected_resampled_ttest,
                    rho_over_rho0=rho_over_rho0,
                    corrected=True,
                ),
            )
    for configuration in (*CONFIGURATIONS, (90, 10, 100, 15)):
        for rho_over_rho0 in (0.0, 1.0):
            yield (
                f"resampled_t {configuration} {rho_over_rho0:g} rho0",
                _resampled(
                    configuration,
                    function=resampled_ttest,
                    rho_over_rho0=rho_over_rho0,
                    corrected=False,
                ),
            )
    for configuration in REPLICATED:
        for rho_over_rho0 in (1.0,) if configuration[-1] == 15 else (0.5, 1.0, 1.5):
            for function in (corrected_bootstrap_ttest, bootstrap_ttest):
                yield (
                    f"{function.__name__} {configuration} {rho_over_rho0:g} rho0",
                    _replicated(
                        configuration,
                        function=function,
                        rho_over_rho0=rho_over_rho0,
                        corrected=function is corrected_bootstrap_ttest,
                    ),
                )
    for law in ("t", "normal"):
        for n_test, ratio in ((10, 1.0), (30, 0.6), (30, 1.0), (30, 2.0)):
            yield f"holdout_t {law} {n_test} rows PR {ratio:g}", _holdout(n_test, ratio, law)
    for k in (-0.2, 0.0, 0.3):
        for variant in ("dietterich", "t4", "t5"):
            yield f"five_by_two_cv_t {variant} k = {k:g}", _five_by_two(variant, k)
        yield f"five_by_two_cv_f k = {k:g}", _combined_f(k)
    for n_pairs, n_splits, ratio in ((10, 3, 1.0), (4, 2, 0.7), (10, 1, 1.2)):
        yield (
            f"conservative_z M = {n_pairs} J = {n_splits} PR {ratio:g}",
            _conservative(n_pairs, n_splits, ratio),
        )


SETTINGS = dict(_all())
