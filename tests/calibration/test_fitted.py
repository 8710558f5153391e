"""Sizes and coverage for fitted models on one test set, exact or as the guide states them."""

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import binom, multinomial, t

from skcvstats.test_set import DeLongTest, McNemarScoreTest, clustered_mean, delong_auc
from tests.test_set.components import areas_of, bca_pvalue_of, hits_of

from .settings import data_sets

pytestmark = pytest.mark.calibration
N_MEANS, N_AREAS, N_F1 = data_sets(4000), data_sets(600), data_sets(250)
ALPHA = 0.05
AT_ONCE = 20  # pairs of models whose areas one call computes
LABELS = [f"model {k}" for k in range(AT_ONCE)]


def _largest(count, share, n_groups):
    """Shares of the rows: this one for some groups, the rest in equal parts for the others."""
    rest = (1 - count * share) / (n_groups - count)
    return np.r_[np.full(count, share), np.full(n_groups - count, rest)]


SHARES = {
    "two of 45 %": _largest(2, 0.45, 15), "two of 44 %": _largest(2, 0.44, 15),
    "three of 32 %": _largest(3, 0.32, 15), "one of 50 %": _largest(1, 0.5, 30),
    "1/k^2": 1 / np.arange(1.0, 16) ** 2, "Zipf": 1 / np.arange(1.0, 31), "12 equal": np.ones(12),
    "20 equal": np.ones(20),
}  # fmt: skip


def groups_of(shares, n_rows=600):
    """Labels of groups that hold these shares of the rows, at least one each."""
    spare = n_rows - len(shares)
    sizes = np.maximum(1, np.floor(shares / shares.sum() * spare)).astype(int)
    return np.repeat(np.arange(len(shares)), sizes)


def size_of_weighted_means(n_rows, n_sets, spread=3.0, n_weights=20):
    """How often the mean of independent rows, with lognormal weights, is shown to differ from 0."""
    random = np.random.default_rng(0)
    shown = done = 0
    while done < n_weights:
        weights = np.exp(spread * random.normal(size=n_rows))
        if np.square(weights.sum()) < 2 * np.square(weights).sum():
            continue
        x = random.normal(size=(n_sets // n_weights, n_rows))
        found = clustered_mean(x, sample_weight=weights)
        shown += np.sum(np.abs(found.estimate / found.standard_error) > t.isf(0.025, found.df))
        done += 1
    return shown / (n_sets // n_weights * n_weights)


def size_of_means(groups, correlation, *, n_sets, variances=("jackknife",)):
    """How often the mean of a difference is shown to differ from its true value, 0, by variance."""
    random = np.random.default_rng(0)
    of_groups = random.normal(size=(n_sets, groups.max() + 1))[:, groups]
    rows = random.normal(size=(n_sets, len(groups)))
    x = np.sqrt(correlation) * of_groups + np.sqrt(1 - correlation) * rows
    sizes = []
    for variance in variances:
        found = clustered_mean(x, groups, variance=variance)
        statistic = np.abs(found.estimate / found.standard_error)
        sizes.append(float(np.mean(statistic > t.isf(ALPHA / 2, found.df))))
    return sizes


def size_of_delong(n, auc, n_sets, *, share=0.5, groups=None, correlation=0.0):
    """How often two equal areas are shown to differ, and how often one's interval misses it."""
    random = np.random.default_rng(0)
    y = (np.arange(n) < round(n * share)).astype(int)
    shift = np.sqrt(2) * ndtri(auc)
    shown = missed = 0
    for _ in range(n_sets // AT_ONCE):
        scores = []
        if groups is not None:
            groups = random.permutation(groups)
        for _ in range(AT_ONCE):
            common = random.normal(size=n)
            own = random.normal(size=(2, n))
            if groups is not None:
                own = np.sqrt(1 - correlation) * own
                own += np.sqrt(correlation) * random.normal(size=(2, groups.max() + 1))[:, groups]
            scores += list(shift * y + np.sqrt(0.5) * common + np.sqrt(0.5) * own)
        found = delong_auc(y, scores, groups)
        areas, variances = found.estimate, np.diag(found.covariance)
        own = areas_of(y, scores[::2], LABELS, groups)
        missed += np.sum(DeLongTest(null_value=auc).run(own).pvalue < ALPHA)
        covariances = np.diag(found.covariance, 1)[::2]
        errors = np.sqrt(np.maximum(variances[::2] + variances[1::2] - 2 * covariances, 0.0))
        df = np.inf if groups is None else found.n_squares
        shown += np.sum(np.abs(areas[::2] - areas[1::2]) > t.isf(ALPHA / 2, df) * errors)
    return shown / n_sets, missed / n_sets


def draw_area(random, shape, auc, rarer, others, n_sets):
    """Scores of the positives and negatives of many test sets, with the rarer class given first."""
    if shape == "exponential":
        odds = (1 - auc) / auc
        sizes = (n_sets, rarer), (n_sets, others)
        return random.exponential(1 / odds, sizes[0]), random.exponential(1, sizes[1])
    spread = {"normal": 1.0, "twice the spread": 2.0}[shape]
    shift = ndtri(auc) * np.sqrt(1 + spread**2)
    return random.normal(shift, spread, (n_sets, rarer)), random.normal(size=(n_sets, others))


def missed_areas(shape, auc, rarer, others, n_sets):
    """How often the interval of a single area misses it."""
    random = np.random.default_rng(0)
    scores = np.hstack(draw_area(random, shape, auc, rarer, others, n_sets))
    y = np.arange(rarer + others) < rarer
    labels = [f"model {k}" for k in range(n_sets)]
    found = areas_of(y, scores, labels)
    return float(np.mean(DeLongTest(null_value=auc).run(found).pvalue < ALPHA))


def misses_of_grouped_f1(groups, correlation, n_sets, *, n_replicates=999):
    """How often the bootstrap of groups misses the difference of two equal F1, and one of them."""
    random = np.random.default_rng(0)
    n_groups, of_groups = groups.max() + 1, np.eye(groups.max() + 1)[:, groups]
    share, accuracy = 0.3, 0.8
    hits, errors = share * accuracy, 1 - accuracy
    truth = 2 * hits / (2 * hits + errors)
    shown = missed = 0
    for _ in range(n_sets):
        y = random.random(len(groups)) < share
        own = np.sqrt(1 - correlation) * random.normal(size=(2, len(groups)))
        own += np.sqrt(correlation) * random.normal(size=(2, n_groups))[:, groups]
        right = own < ndtri(accuracy)
        table = of_groups @ np.column_stack([*(y & right), *~right])  # hits of both, errors of both

        def f1(counts, table=table):
            hits, wrong = np.split(counts @ table, 2, axis=-1)
            return hits / np.maximum(hits + wrong / 2, 0.5)

        one, other = f1(np.ones(n_groups))
        drawn = f1(random.multinomial(n_groups, np.full(n_groups, 1 / n_groups), n_replicates))
        error = np.std(drawn[:, 0] - drawn[:, 1], ddof=1)
        shown += abs(one - other) > t.isf(ALPHA / 2, n_groups - 1) * error
        left_out = f1(1 - np.eye(n_groups))[:, 0]
        missed += bca_pvalue_of(truth, one, drawn[:, 0], left_out) < ALPHA
    return shown / n_sets, missed / n_sets


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
    scores = hits_of(rows, [f"model {k}" for k in right])
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
@pytest.mark.parametrize(
    ("shares", "low", "high"),
    [("20 equal", 0.05, 0.10), ("Zipf", 0.08, 0.15), ("two of 44 %", 0.08, 0.28)],
)
def test_the_bootstrap_of_few_groups_misses_as_often_as_its_note_says(
    shares, low, high, correlation
):
    groups = groups_of(SHARES[shares])
    for missed in misses_of_grouped_f1(groups, correlation, N_F1):
        assert is_within(missed, N_F1, low, high)


def outcomes(n, only_first, only_second):
    """All discordant counts of n rows, with their probabilities."""
    counts = np.array([(a, b) for a in range(n + 1) for b in range(n + 1 - a)])
    law = multinomial(n, [only_first, only_second, 1 - only_first - only_second])
    return *counts.T, law.pmf(np.column_stack([counts, n - counts.sum(axis=1)]))


def mcnemar_of_outcomes(n, n01, n10):
    """Return the tests of pairs of models that differ on so many of n rows."""
    rows = np.arange(n)
    first = rows < n01[:, np.newaxis]
    second = (rows >= n01[:, np.newaxis]) & (rows < (n01 + n10)[:, np.newaxis])
    labels = [f"model {k}" for k in range(2 * len(n01))]
    scores = hits_of(np.concatenate([first, second]), labels)
    pairs = np.arange(len(n01)), np.arange(len(n01), 2 * len(n01))
    return McNemarScoreTest().run(scores.differences(*pairs))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("discordant", [0.1, 0.3])
@pytest.mark.parametrize("n", [50, 100])
def test_mcnemars_size_by_enumeration(n, discordant):
    n01, n10, chances = outcomes(n, discordant / 2, discordant / 2)
    size = chances[mcnemar_of_outcomes(n, n01, n10).pvalue <= ALPHA].sum()
    assert 0.02 < size < 0.06


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("chances", [(0.1, 0.1), (0.2, 0.05), (0.05, 0.0), (0.4, 0.1)])
def test_tangos_coverage_by_enumeration(chances):
    n01, n10, law = outcomes(60, *chances)
    low, high = mcnemar_of_outcomes(60, n01, n10).confidence_interval(0.95)
    difference = chances[0] - chances[1]
    covered = law[(low <= difference) & (difference <= high)].sum()
    assert 0.93 < covered < 0.995
