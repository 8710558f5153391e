"""The procedures, Gaussian scores with exact covariance, their exact sizes, and the check of both.

In units of the variance s1 of a score: rho is the correlation of two splits of the same rows, k
that of the two scores of a pair of halves. A variance estimate that is an independent multiple of
chi-square, with PR the political ratio Var[estimate]/E[variance estimate], gives a two-sided test
of level alpha the size 2 T_df(-c/sqrt PR), where c is its critical value.

`SKCVSTATS_DATA_SETS=full` in the environment simulates ten times as many data sets in all tests of
this folder, but at most the 200,000 of the specification; all bounds are of the number drawn.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import special, stats

import skcvstats as s

BLOCK = 20_000
LEVELS = (0.10, 0.01)
MEAN, SCALE = 3.0, 0.01  # a missing root hides at unit variance


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A procedure, the law of its scores, and its exact size at each level.

    `draw(rng, n)` returns the arguments of `call` for n data sets; their expectation is 0 and their
    standard deviation about 1. There are enough data sets for the faults of test_faults to be seen.
    """

    draw: Callable
    call: Callable
    size: Callable
    n_data_sets: int = 60_000


def exchangeable(rng, n, shape, rho):
    """Draw scores of variance 1 whose correlation is rho throughout; rho may not be negative."""
    common = rng.normal(size=(n, *(1 for _ in shape)))
    own = rng.normal(size=(n, *shape))
    own *= np.sqrt(1 - rho)
    own += np.sqrt(rho) * common
    return own


def pairs(rng, n, k):
    """Draw ten scores, pair by pair, of correlation k within the pairs and none between them."""
    total, difference = rng.normal(size=(2, n, 5))
    total *= np.sqrt((1 + k) / 2)
    difference *= np.sqrt((1 - k) / 2)
    return np.stack([total + difference, total - difference], axis=-1).reshape(n, 10)


def rows(rng, n, n_test, variance_of_mean):
    """Draw scores of test rows with variance 1 about a mean of this variance; s3 may be below 0."""
    e = rng.normal(size=(n, n_test))
    mean = np.sqrt(variance_of_mean) * rng.normal(size=(n, 1))
    return mean + e - e.mean(axis=-1, keepdims=True)


def resampled_ratio(rho, n_splits, odds=0.0):
    """Return the political ratio of procedures 2 and 5, and with rho0's odds of 6 and 7."""
    return (1 + n_splits * rho / (1 - rho)) / (1 + n_splits * odds)


def student(ratio, df, critical_df=None):
    """Return the size as a function of the level; the critical value may be of another law."""

    def size(level):
        critical = stats.t.isf(level / 2, df if critical_df is None else critical_df)
        return 2 * stats.t.sf(critical / np.sqrt(ratio), df)

    return size


def dietterich(k):
    """Return the size of Dietterich's statistic, whose numerator and denominator are dependent."""

    def size(level):
        critical = stats.t.isf(level / 2, 5)
        b, b_weights = special.roots_hermitenorm(150)
        half_chi, chi_weights = special.roots_genlaguerre(120, 1)  # chi-square with 4 df, halved
        b = b[:, np.newaxis]
        bound = critical * np.sqrt((1 - k) * (b**2 + 2 * half_chi) / 5)
        shift, spread = np.sqrt((1 - k) / 2) * b, np.sqrt((1 + k) / 2)
        beyond = stats.norm.cdf((-bound - shift) / spread) + stats.norm.sf((bound - shift) / spread)
        weights = np.outer(b_weights / b_weights.sum(), chi_weights / chi_weights.sum())
        return float(np.sum(weights * beyond))

    return size


def combined_f(k):
    """Return the size of Alpaydin's F: 2F - 1 is (1 + k)/(1 - k) times an F(5, 5)."""

    def size(level):
        critical = stats.f.isf(level, 10, 5)
        return stats.f.sf((2 * critical - 1) * (1 - k) / (1 + k), 5, 5)

    return size


def blocks(setting):
    """Draw the arguments of a setting's call, block by block."""
    rng = np.random.default_rng(0)
    for _ in range(setting.n_data_sets // BLOCK):
        yield [MEAN + SCALE * one for one in setting.draw(rng, BLOCK)]


def is_calibrated(setting, drawn=None):
    """Whether rejections of the truth are in the exact binomial 99.9 % band at every level."""
    sizes = [setting.size(level) for level in LEVELS]
    low, high = stats.binom.ppf([[0.0005], [0.9995]], setting.n_data_sets, sizes)
    counts = np.zeros((2, len(LEVELS)))
    for arguments in blocks(setting) if drawn is None else drawn:
        result = setting.call(*arguments)
        for k, level in enumerate(LEVELS):
            rejected = left_out = result.pvalue < level
            if result.has_interval:
                ends = result.confidence_interval(1 - level)
                left_out = (ends.low > MEAN) | (ends.high < MEAN)
            counts[:, k] += rejected.sum(), left_out.sum()
        if np.any(counts > high):  # more data sets do not make it fewer
            return False
    return bool(np.all(low <= counts))


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
    return (exchangeable(rng, n, shape, rho),)


def _of_splits(function, configuration, rho):
    """Return the setting of scores of splits, or of R further replicates of them."""
    n_train, n_test, n, n_splits, *further = configuration
    odds = n_test / (n - n_test) if "corrected" in function.__name__ else 0.0
    sizes = {"n_train": n_train, "n_test": n_test, "n_samples": n}
    n_squares = further[0] if further else n_splits
    return Setting(
        draw=partial(_exchangeable, shape=(*(r + 1 for r in further), n_splits), rho=rho),
        call=partial(function, **sizes, null_value=MEAN),
        size=student(resampled_ratio(rho, n_splits, odds), n_squares - 1),
        n_data_sets=40_000 if configuration in MANY_SCORES else 60_000,
    )


def _independent(rng, n, n_times):
    return (exchangeable(rng, n, (n_times,), 0.0),)


def _holdout(n_test, ratio, law):
    return Setting(
        draw=lambda rng, n: (rows(rng, n, n_test, ratio / n_test),),
        call=partial(s.stats.holdout_ttest, n_train=60, null_value=MEAN, law=law),
        size=student(ratio, n_test - 1, np.inf if law == "normal" else None),
        n_data_sets=200_000 if n_test == 10 else 100_000,  # ten degrees of freedom are hardly nine
    )


def _five_by_two(k):
    """Yield the name and the setting of each variant of the t-test, and of the F test."""
    for variant, size in (
        ("dietterich", dietterich(k)),
        ("t4", student(1 / (1 - k), 4)),
        ("t5", student((1 + k) / (1 - k), 5)),
        ("", combined_f(k)),
    ):
        test = s.stats.five_by_two_cv_ftest
        if variant:
            test = partial(s.stats.five_by_two_cv_ttest, n_train=50, n_test=50, variant=variant)
        name = f"five_by_two_cv_t {variant}" if variant else "five_by_two_cv_f"
        own = {"call": partial(test, null_value=MEAN), "size": size}
        yield f"{name} k = {k:g}", Setting(draw=lambda rng, n: (pairs(rng, n, k),), **own)


def _conservative(n_pairs, n_splits, ratio):
    """Make the variance of the half-samples' means 1/ratio of that of the estimate."""
    rho, rho_half = 0.1, 0.3
    variance = rho + (1 - rho) / n_splits
    half_variance = rho_half + (1 - rho_half) / n_splits

    def draw(rng, n):
        x = exchangeable(rng, n, (n_splits,), rho)
        # Scores of one half share what scores of its other do not.
        halves = exchangeable(rng, n * n_pairs * 2, (n_splits,), rho_half)
        halves = halves.reshape(n, n_pairs, 2, n_splits)
        return x, halves * np.sqrt(variance / half_variance / ratio)

    return Setting(
        draw=draw,
        call=partial(s.stats.conservative_ztest, n_train=90, n_test=10, null_value=MEAN),
        size=student(ratio, n_pairs, np.inf),
    )


def _all():
    for function, configurations, multiples in (
        (s.stats.corrected_resampled_ttest, CONFIGURATIONS, (0.5, 1.0, 1.5)),
        (s.stats.resampled_ttest, [*CONFIGURATIONS, (90, 10, 100, 15)], (0.0, 1.0)),
        (s.stats.corrected_bootstrap_ttest, REPLICATED, (0.5, 1.0, 1.5)),
        (s.stats.corrected_bootstrap_ttest, MANY_SCORES, (1.0,)),
        (s.stats.bootstrap_ttest, REPLICATED, (0.5, 1.0, 1.5)),
        (s.stats.bootstrap_ttest, MANY_SCORES, (1.0,)),
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
        call = partial(s.stats.diebold_mariano_test, null_value=MEAN)
        own = {"draw": partial(_independent, n_times=n_times), "size": student(1.0, df)}
        yield f"diebold_mariano {n_times} times", Setting(call=call, **own)
    for k in (-0.2, 0.0, 0.3):
        yield from _five_by_two(k)
    for n_pairs, n_splits, ratio in ((10, 3, 1.0), (4, 2, 0.7), (10, 1, 1.2)):
        name = f"conservative_z M = {n_pairs} J = {n_splits} PR {ratio:g}"
        yield name, _conservative(n_pairs, n_splits, ratio)


SETTINGS = dict(_all())
