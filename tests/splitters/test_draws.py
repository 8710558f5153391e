"""What is drawn: each unit as likely as the next, and each splitter's pools and halves."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit
from tests.splitters.splitters import N, X, Y, as_id


def uniformity_pvalue(counts, n_draws, size):
    """P-value of the chi-square test that `size` of n units are drawn without replacement."""
    n = len(counts)
    p = size / n
    statistic = (n - 1) / n * np.sum((counts - n_draws * p) ** 2) / (n_draws * p * (1 - p))
    return stats.chi2.sf(statistic, n - 1)


@pytest.mark.parametrize(
    "cv",
    [
        RepeatedSubsampleSplit(1000, test_size=5, random_state=1),
        RepeatedSubsampleSplit(1000, test_size=5, train_size=7, random_state=2),
        HalfSplitPairs(1000, 1, test_size=3, random_state=3),
    ],
    ids=as_id,
)
@pytest.mark.parametrize("groups", [None, np.arange(42) // 2], ids=["rows", "groups"])
def test_every_unit_is_equally_likely(cv, groups):
    lazy = cv.lazy_split(np.zeros(21 if groups is None else 42), groups=groups)
    step = len(lazy) // 1000  # the first half of each pair only: these are independent
    counts = np.zeros((2, 21))
    for k in range(0, len(lazy), step):
        for rows, own in zip(lazy[k], counts, strict=True):
            own[rows if groups is None else np.unique(groups[rows])] += 1
    for size, own in zip((lazy.n_train, lazy.n_test), counts, strict=True):
        assert own.sum() == 1000 * size
        assert 1e-4 < uniformity_pvalue(own, 1000, size) < 1 - 1e-4


def test_every_row_is_equally_likely_in_the_fixed_pool():
    counts = np.zeros(20)
    sizes = {"test_size": 3, "train_size": 5, "pool": "fixed"}
    cv = RepeatedSubsampleSplit(1, **sizes, random_state=np.random.RandomState(4))
    for _ in range(1000):
        ((train, test),) = cv.split(np.zeros(20))
        counts[np.concatenate([train, test])] += 1
    assert 1e-4 < uniformity_pvalue(counts, 1000, 8) < 1 - 1e-4


@pytest.mark.parametrize(
    "cv",
    [
        RepeatedSubsampleSplit(1000, test_size=5, random_state=1, stratify=True),
        HalfSplitPairs(1000, 1, test_size=5, random_state=3, stratify=True),
    ],
    ids=as_id,
)
def test_every_row_of_a_class_is_equally_likely(cv):
    y = np.repeat([0, 1], [12, 8])
    lazy = cv.lazy_split(np.zeros(20), y)
    counts = np.zeros(20)
    for k in range(0, len(lazy), len(lazy) // 1000):
        test = lazy[k][1]
        assert np.bincount(y[test]).tolist() == [3, 2]
        counts[test] += 1
    assert 1e-4 < uniformity_pvalue(counts[:12], 1000, 3) < 1 - 1e-4
    assert 1e-4 < uniformity_pvalue(counts[12:], 1000, 2) < 1 - 1e-4


def members_of(splits):
    return [frozenset(np.concatenate(split).tolist()) for split in splits]


@pytest.mark.parametrize("stratify", [False, True])
def test_a_fixed_pool_holds_all_splits_of_one_call_and_another_is_redrawn(stratify):
    sizes = {"test_size": 0.1, "train_size": 0.5, "stratify": stratify}
    pools = set()
    for seed in range(3):
        cv = RepeatedSubsampleSplit(20, **sizes, pool="fixed", random_state=seed)
        splits = cv.lazy_split(X, Y)
        (pool,) = set(members_of(splits))
        assert len(pool) == 61
        assert len({frozenset(test.tolist()) for _, test in splits}) == 20
        pools.add(pool)
    assert len(pools) == 3
    members = members_of(RepeatedSubsampleSplit(20, **sizes, random_state=0).split(X, Y))
    assert len(set(members)) == 20
    assert frozenset().union(*members) == set(range(N))


@pytest.mark.parametrize("n", [100, 101])
@pytest.mark.parametrize("stratify", [False, True])
def test_halves_and_the_order_of_the_splits(n, stratify):
    cv = HalfSplitPairs(4, 5, stratify=stratify, random_state=0)
    lazy = cv.lazy_split(X[:n], Y[:n])
    assert lazy.levels == ("pair", "half", "split")
    assert lazy.shape == (4, 2, 5)
    splits = list(lazy)
    halves = []
    for pair, half in itertools.product(range(4), range(2)):
        inside = [splits[np.ravel_multi_index((pair, half, s), lazy.shape)] for s in range(5)]
        covers = {frozenset(np.concatenate(split).tolist()) for split in inside}
        assert len(covers) == 1
        assert len({frozenset(test.tolist()) for _, test in inside}) == 5
        halves.append(covers.pop())
    assert [len(half) for half in halves] == [n // 2] * 8
    for first, second in zip(halves[::2], halves[1::2], strict=True):
        assert not first & second
    assert len(set(halves)) == 8


def test_the_odd_row_is_dropped_afresh_for_each_pair():
    lazy = HalfSplitPairs(1100, 1, test_size=2, random_state=0).lazy_split(np.zeros(11))
    dropped = np.zeros(11)
    for pair in range(1100):
        kept = np.concatenate([*lazy[2 * pair], *lazy[2 * pair + 1]])
        (row,) = set(range(11)) - set(kept.tolist())
        dropped[row] += 1
    assert 1e-4 < stats.chisquare(dropped).pvalue < 1 - 1e-4


def test_splits_of_the_two_halves_are_independent():
    # Were both halves cut by the same permutations, two test sets would share as many rows in
    # the one half as the same two in the other.
    lazy = HalfSplitPairs(20, 15, random_state=0).lazy_split(np.zeros(100))
    shared = np.empty((20, 2, 105))
    for pair, half in itertools.product(range(20), range(2)):
        first = np.ravel_multi_index((pair, half, 0), lazy.shape)
        tests = [set(lazy[first + s][1].tolist()) for s in range(15)]
        shared[pair, half] = [len(a & b) for a, b in itertools.combinations(tests, 2)]
    # Two sets of 10 of 50 rows share 2 on average.
    assert shared.mean() == pytest.approx(2, abs=0.1)
    correlation = np.corrcoef(shared[:, 0].ravel(), shared[:, 1].ravel())[0, 1]
    assert abs(correlation) < 4 / math.sqrt(shared[:, 0].size)
