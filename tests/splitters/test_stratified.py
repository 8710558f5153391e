"""Stratified splits: class counts by exact fractions, and classes that cannot serve."""

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
from tests.splitters.splitters import X, Y, assert_same_splits, both_classes


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


@both_classes
@pytest.mark.parametrize(
    ("y", "match"),
    [
        (np.linspace(0, 1, 40).tolist(), "continuous.*bin y, or use stratify=False"),
        (np.repeat(["a", "rare"], [39, 1]), "Class rare of y has 1 row.*Merge rare classes"),
        (np.repeat([[0, 1], [5, 6]], [39, 1], axis=0), r"Class \[5 6\] of y has 1 row"),
        (np.arange(40) % 7, "4 test rows are given for 7 classes.*Change test_size"),
        (np.zeros(39), "y has 39 rows and X has 40"),
        (np.r_[np.nan, np.zeros(39)], "y has missing labels"),
    ],
)
def test_classes_that_cannot_serve(cls, y, match):
    with pytest.raises(ValueError, match=match) as caught:
        cls(stratify=True).lazy_split(np.zeros(40), y)
    is_malformed = match.startswith("y has")
    assert isinstance(caught.value, SplitDesignError) != is_malformed


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
