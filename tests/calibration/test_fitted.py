"""Sizes and coverage for fitted models on one test set, exact or as the guide states them."""

from functools import partial

import numpy as np
import pytest
from scipy.stats import binom, multinomial, norm

from skcvstats.test_set import McNemarScoreTest
from skcvstats.test_set._cluster_bootstrap import _SIZES
from skcvstats.test_set._held_out import score_interval
from skcvstats.test_set._mcnemar import correct_scores, tango_statistic

from .fitted import (
    ALPHA,
    SHARES,
    groups_of,
    missed_areas,
    size_of_delong,
    size_of_grouped_f1,
    size_of_means,
    size_of_weighted_means,
)
from .settings import data_sets

pytestmark = pytest.mark.calibration
N_MEANS, N_AREAS, N_F1 = data_sets(4000), data_sets(600), data_sets(250)


def is_within(found, n_sets, low=ALPHA, high=ALPHA):
    """Whether an estimated size is in the range of 99.9 %, if the size is between these."""
    least, most = binom.ppf([0.0005, 0.9995], n_sets, [low, high])
    return least <= n_sets * found <= most


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("n_groups", [10, 30, 200])
def test_equal_groups_have_the_exact_size(n_groups, correlation):
    groups = np.arange(3 * n_groups) % n_groups
    (size,) = size_of_means(groups, correlation, n_sets=N_MEANS)
    assert is_within(size, N_MEANS)


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.8])
@pytest.mark.parametrize("shares", SHARES)
def test_very_unequal_groups(shares, correlation):
    groups = groups_of(SHARES[shares])
    options = {"n_sets": N_MEANS, "variances": ("jackknife", "sandwich")}
    jackknife, sandwich = size_of_means(groups, correlation, **options)
    assert is_within(jackknife, N_MEANS, 0.0, 0.06)
    assert sandwich < 0.4
    if shares == "Zipf" and correlation == 0.8:
        assert jackknife + 0.01 < sandwich


@pytest.mark.parametrize("n_rows", [100, 300, 1000])
def test_very_unequal_weights(n_rows):
    assert is_within(size_of_weighted_means(n_rows, N_MEANS), N_MEANS, 0.0, 0.06)


@pytest.mark.parametrize(("n", "auc"), [(200, 0.6), (200, 0.8), (2000, 0.8)])
def test_delong_has_its_size(n, auc):
    n_sets = N_AREAS if n == 200 else N_AREAS // 2
    shown, missed = size_of_delong(n, auc, n_sets)
    assert is_within(shown, n_sets, 0.045, 0.06)
    assert is_within(missed, n_sets, 0.03, 0.06)


@pytest.mark.parametrize(
    ("shape", "most"), [("normal", 0.05), ("exponential", 0.075), ("twice the spread", 0.09)]
)
@pytest.mark.parametrize("rarer", [10, 20, 40])
def test_the_interval_of_one_area(shape, most, rarer):
    for auc, others in ((0.7, 100), (0.8, 500), (0.9, 500), (0.95, 40)):
        missed = missed_areas(shape, auc, rarer, others, N_AREAS)
        assert missed <= binom.ppf(0.9995, N_AREAS, most) / N_AREAS


@pytest.mark.parametrize("accuracy", [0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", [50, 100, 400])
def test_wilsons_coverage_by_enumeration(n, accuracy):
    right = np.arange(n + 1)
    rows = np.arange(n) < right[:, np.newaxis]
    scores = correct_scores(rows, labels=[f"model {k}" for k in right], metric="accuracy")
    low, high = McNemarScoreTest().run(scores).confidence_interval()
    missed = binom.pmf(right, n, accuracy)[(accuracy < low) | (accuracy > high)].sum()
    assert missed < 0.095  # 48 or fewer of 50 right, at .99, have probability .089


def test_delong_of_few_and_of_nearly_perfect():
    few, _ = size_of_delong(50, 0.76, N_AREAS, share=0.1)
    assert is_within(few, N_AREAS, 0.06, 0.09)
    shown, missed = size_of_delong(50, 0.99, N_AREAS)
    assert shown < 0.01  # differences of nearly perfect areas are rarely shown
    assert missed < 0.06


@pytest.mark.parametrize("correlation", [0.3, 0.8])
@pytest.mark.parametrize("shares", [*SHARES, "60 equal"])
def test_areas_in_groups(shares, correlation):
    groups = groups_of(SHARES.get(shares, np.ones(60)), n_rows=400)
    options = {"groups": groups, "correlation": correlation}
    shown, missed = size_of_delong(len(groups), 0.8, N_AREAS, **options)
    assert is_within(shown, N_AREAS, 0.0, 0.075)
    assert is_within(missed, N_AREAS, 0.0, 0.085)


@pytest.mark.parametrize("correlation", [0.1, 0.5])
@pytest.mark.parametrize("shares", ["20 equal", "Zipf", "two of 44 %"])
def test_the_bootstrap_of_few_groups_rejects_as_often_as_its_note_says(shares, correlation):
    groups = groups_of(SHARES[shares])
    sizes = np.bincount(groups)
    effective = sizes.sum() ** 2 / (sizes @ sizes)
    said = next(said for least, said in _SIZES.items() if effective >= least)
    size = size_of_grouped_f1(groups, correlation, N_F1)
    assert is_within(size, N_F1, *(float(end) / 100 for end in said.split(" to ")))


def outcomes(n, only_first, only_second):
    """All discordant counts of n rows, with their probabilities."""
    counts = np.array([(a, b) for a in range(n + 1) for b in range(n + 1 - a)])
    law = multinomial(n, [only_first, only_second, 1 - only_first - only_second])
    return *counts.T, law.pmf(np.column_stack([counts, n - counts.sum(axis=1)]))


@pytest.mark.parametrize("discordant", [0.1, 0.3])
@pytest.mark.parametrize("n", [50, 100])
def test_mcnemars_size_by_enumeration(n, discordant):
    n01, n10, chances = outcomes(n, discordant / 2, discordant / 2)
    statistic = np.nan_to_num(tango_statistic(n01, n10, n))
    size = chances[2 * norm.sf(np.abs(statistic)) <= ALPHA].sum()
    assert 0.02 < size < 0.06


@pytest.mark.parametrize("chances", [(0.1, 0.1), (0.2, 0.05), (0.05, 0.0), (0.4, 0.1)])
def test_tangos_coverage_by_enumeration(chances):
    n01, n10, law = outcomes(60, *chances)
    statistic_at, lowest = partial(tango_statistic, n01, n10, 60), np.full(np.shape(n01), -1.0)
    low, high = score_interval(statistic_at, lowest, np.inf, 0.95, "two-sided")
    difference = chances[0] - chances[1]
    covered = law[(low <= difference) & (difference <= high)].sum()
    assert 0.93 < covered < 0.995
