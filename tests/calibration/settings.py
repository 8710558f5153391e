"""The procedures, with the distributions of scores for the tests of their sizes.

`SKCVSTATS_DATA_SETS=full` in the environment simulates ten times as many data sets in all tests of
this folder, but at most the 200,000 of the specification; all bounds are of the number drawn.
"""

import os
from functools import partial

import numpy as np

from skcvstats.stats import (
    bootstrap_ttest,
    conservative_ztest,
    corrected_bootstrap_ttest,
    corrected_resampled_ttest,
    diebold_mariano_test,
    five_by_two_cv_ftest,
    five_by_two_cv_ttest,
    holdout_ttest,
    resampled_ttest,
)

from . import gaussian
from .gaussian import MEAN, Setting

FULL = os.environ.get("SKCVSTATS_DATA_SETS") == "full"
# n_train, n_test, n, J: these distinguish the known faults of other implementations.
CONFIGURATIONS = [(50, 50, 100, 15), (50, 10, 100, 4), (50, 10, 100, 15)]
# The same, and R: few splits and replicates show a wrong number of degrees of freedom.
REPLICATED = [(50, 10, 100, 3, 5), (50, 50, 100, 2, 8)]
MANY_SCORES = [(90, 10, 100, 15, 15)]


def data_sets(usual):
    """Return how many data sets to simulate where usually there are so many."""
    return min(10 * usual, 200_000) if FULL else usual


def _exchangeable(rng, n, *, shape, rho):
    return (gaussian.exchangeable(rng, n, shape, rho),)


def _of_splits(function, configuration, rho):
    """Return the setting of scores of splits, or of R further replicates of them."""
    n_train, n_test, n, n_splits, *further = configuration
    odds = n_test / (n - n_test) if "corrected" in function.__name__ else 0.0
    sizes = {"n_train": n_train, "n_test": n_test, "n_samples": n}
    n_squares = further[0] if further else n_splits
    return Setting(
        draw=partial(_exchangeable, shape=(*(r + 1 for r in further), n_splits), rho=rho),
        call=partial(function, **sizes, null_value=MEAN),
        size=gaussian.student(gaussian.resampled_ratio(rho, n_splits, odds), n_squares - 1),
        n_data_sets=40_000 if configuration in MANY_SCORES else 60_000,
    )


def _independent(rng, n, n_times):
    return (gaussian.exchangeable(rng, n, (n_times,), 0.0),)


def _holdout(n_test, ratio, law):
    return Setting(
        draw=lambda rng, n: (gaussian.rows(rng, n, n_test, ratio / n_test),),
        call=partial(holdout_ttest, n_train=60, null_value=MEAN, law=law),
        size=gaussian.student(ratio, n_test - 1, np.inf if law == "normal" else None),
        n_data_sets=200_000 if n_test == 10 else 100_000,  # ten degrees of freedom are hardly nine
    )


def _five_by_two(k):
    """Yield the name and the setting of each variant of the t-test, and of the F test."""
    for variant, size in (
        ("dietterich", gaussian.dietterich(k)),
        ("t4", gaussian.student(1 / (1 - k), 4)),
        ("t5", gaussian.student((1 + k) / (1 - k), 5)),
        ("", gaussian.combined_f(k)),
    ):
        test = five_by_two_cv_ftest
        if variant:
            test = partial(five_by_two_cv_ttest, n_train=50, n_test=50, variant=variant)
        yield (
            f"five_by_two_cv_t {variant} k = {k:g}" if variant else f"five_by_two_cv_f k = {k:g}",
            Setting(
                draw=lambda rng, n: (gaussian.pairs(rng, n, k),),
                call=partial(test, null_value=MEAN),
                size=size,
            ),
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
        draw=draw,
        call=partial(conservative_ztest, n_train=90, n_test=10, null_value=MEAN),
        size=gaussian.student(ratio, n_pairs, np.inf),
    )


def _all():
    for function, configurations, multiples in (
        (corrected_resampled_ttest, CONFIGURATIONS, (0.5, 1.0, 1.5)),
        (resampled_ttest, [*CONFIGURATIONS, (90, 10, 100, 15)], (0.0, 1.0)),
        (corrected_bootstrap_ttest, REPLICATED, (0.5, 1.0, 1.5)),
        (corrected_bootstrap_ttest, MANY_SCORES, (1.0,)),
        (bootstrap_ttest, REPLICATED, (0.5, 1.0, 1.5)),
        (bootstrap_ttest, MANY_SCORES, (1.0,)),
    ):
        for configuration in configurations:
            _, n_test, n, *_ = configuration
            for multiple in multiples:
                name = f"{function.__name__} {configuration} {multiple:g} rho0"
                yield name, _of_splits(function, configuration, multiple * n_test / n)
    for law in ("t", "normal"):
        for n_test, ratio in ((10, 1.0), (30, 0.6), (30, 1.0), (30, 2.0)):
            yield f"holdout_t {law} {n_test} rows PR {ratio:g}", _holdout(n_test, ratio, law)
    for n_times, df in ((20, 4), (60, 6)):  # of independent times it is exactly Student's
        yield (
            f"diebold_mariano {n_times} times",
            Setting(
                draw=partial(_independent, n_times=n_times),
                call=partial(diebold_mariano_test, null_value=MEAN),
                size=gaussian.student(1.0, df),
            ),
        )
    for k in (-0.2, 0.0, 0.3):
        yield from _five_by_two(k)
    for n_pairs, n_splits, ratio in ((10, 3, 1.0), (4, 2, 0.7), (10, 1, 1.2)):
        name = f"conservative_z M = {n_pairs} J = {n_splits} PR {ratio:g}"
        yield name, _conservative(n_pairs, n_splits, ratio)


SETTINGS = dict(_all())
