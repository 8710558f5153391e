"""What is drawn: each unit as likely as the next, and each splitter's pools and halves."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skcvstats.exceptions import SplitDesignError
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit
from tests.splitters.splitters import N, X, Y, as_id, assert_same_splits


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


def class_counts(y, splits):
    """List the class counts of (train, test) in each split."""
    return [tuple(tuple(int(np.sum(y[p] == c)) for c in np.unique(y)) for p in s) for s in splits]


def largest_remainder(counts, total):
    """Allocate in exact fractions; None where a tie decides."""
    shares = [Fraction(int(c) * total, int(sum(counts))) for c in counts]
    allocated = [math.floor(share) for share in shares]
    left = total - sum(allocated)
    rest = [share - floor for share, floor in zip(shares, allocated, strict=True)]
    cut = sorted(rest, reverse=True)
    if 0 < left < len(rest) and cut[left - 1] == cut[left]:
        return None
    return tuple(
        a + (r >= cut[left - 1] and left > 0) for a, r in zip(allocated, rest, strict=True)
    )


def test_class_counts_of_pools_and_halves_worked_by_hand():
    # Either has 30, 15 and 5 of these, of which tests of 10 take 6, 3, 1.
    y = np.repeat(["a", "b", "c"], [60, 30, 10])
    sizes = {"test_size": 10, "train_size": 40, "pool": "fixed"}
    pools = RepeatedSubsampleSplit(4, **sizes, stratify=True, random_state=0)
    for cv in (pools, HalfSplitPairs(3, 4, stratify=True, random_state=0)):
        assert set(class_counts(y, cv.split(y, y))) == {((24, 12, 4), (6, 3, 1))}


@pytest.mark.parametrize("counts", [(5, 17, 40), (2, 2, 50), (33, 33, 34), (4, 9, 25, 61)])
def test_class_counts_are_the_largest_remainders(counts):
    y = np.repeat(np.arange(len(counts)), counts)
    n_compared = 0
    for n_test in range(len(counts), 30):
        cv = RepeatedSubsampleSplit(2, test_size=n_test, stratify=True, random_state=0)
        expected = largest_remainder(counts, n_test)
        if expected is None:
            continue
        train = tuple(c - e for c, e in zip(counts, expected, strict=True))
        assert class_counts(y, cv.split(y, y)) == [(train, expected)] * 2
        n_compared += 1
    assert n_compared > 10


def test_class_counts_of_all_sizes_stay_near_their_shares():
    counts = np.array([3, 8, 20, 29])
    y = np.repeat(np.arange(4), counts)
    for n_test, n_train in itertools.product(range(4, 56, 3), repeat=2):
        if n_test + n_train > 60:
            continue
        sizes = {"test_size": n_test, "train_size": n_train}
        cv = RepeatedSubsampleSplit(1, **sizes, stratify=True, random_state=0)
        ((train, test),) = np.array(class_counts(y, cv.split(y, y)))
        assert (train.sum(), test.sum()) == (n_train, n_test)
        assert np.all(train + test <= counts)
        assert np.all(np.abs(test - counts * n_test / 60) < 1)
        assert np.all(np.abs(train - counts * n_train / 60) < 2)


def test_ties_are_broken_at_random_in_each_split():
    # 4 test rows of three equal classes: one class, any, has 2.
    y = np.repeat([0, 1, 2], 10)
    cv = RepeatedSubsampleSplit(900, test_size=4, stratify=True, random_state=0)
    double = Counter(int(np.argmax(test)) for _, test in class_counts(y, cv.split(y, y)))
    assert sorted(double) == [0, 1, 2]
    assert stats.chisquare(list(double.values())).pvalue > 1e-4


@pytest.mark.parametrize("counts", [(5, 5), (5, 7, 9), (4, 4, 5), (4, 30, 6)])
def test_stratified_halves_are_exchangeable(counts):
    y = np.repeat(np.arange(len(counts)), counts)
    cv = HalfSplitPairs(200, 1, test_size=len(counts), stratify=True, random_state=0)
    halves = np.array([np.add(*split) for split in class_counts(y, cv.split(y, y))])
    halves = halves.reshape(200, 2, -1)
    dropped = np.array(counts) - halves.sum(axis=1)
    # The dropped row is of the largest class; nothing is dropped of an even number.
    assert np.all(dropped.sum(axis=1) == sum(counts) % 2)
    assert np.all(dropped[:, np.array(counts) < max(counts)] == 0)
    assert np.all(np.abs(halves[:, 0] - halves[:, 1]) <= 1)
    # 4 standard deviations of the mean of 200 signs
    assert np.all(np.abs((halves[:, 0] - halves[:, 1]).mean(axis=0)) < 4 / math.sqrt(200))


def test_which_labels_are_classes():
    """Rows of a multilabel target, texts that do not run into each other, whole floats."""
    y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[np.arange(80) % 4]
    cv = RepeatedSubsampleSplit(3, test_size=8, stratify=True, random_state=0)
    for container in (np.array, np.ndarray.tolist, pd.DataFrame):
        for train, test in cv.split(y, container(y)):
            counts = Counter(map(tuple, y[test].tolist()))
            assert counts == dict.fromkeys(itertools.product([0, 1], repeat=2), 2)
            assert len(train) == 72
    y = np.array([["a b", "c"], ["a", "b c"]])[np.arange(40) % 2]
    cv = RepeatedSubsampleSplit(3, test_size=4, stratify=True, random_state=0)
    for _, test in cv.split(y, y):
        assert Counter((test % 2).tolist()) == {0: 2, 1: 2}
    assert_same_splits(cv.split(X, Y.astype(float)), cv.split(X, Y))


def test_rows_that_must_be_there():
    for cv, n_test in (
        (RepeatedSubsampleSplit(stratify=True, train_size=2), 4),
        (HalfSplitPairs(stratify=True, test_size=0.45), 18),
    ):
        message = f"2 training rows and {n_test} test rows.*3 classes"
        with pytest.raises(SplitDesignError, match=message):
            cv.lazy_split(np.zeros(40), np.arange(40) % 3)
    for counts, fewest, cls in (((38, 2), 2, RepeatedSubsampleSplit), ((36, 4), 4, HalfSplitPairs)):
        y = np.repeat([0, 1], counts)
        assert len(list(cls(stratify=True).split(y, y))) == cls().get_n_splits()
        y = np.repeat([0, 1], (counts[0] + 1, counts[1] - 1))
        with pytest.raises(SplitDesignError, match=f"at least {fewest} of each class"):
            cls(stratify=True).lazy_split(y, y)
