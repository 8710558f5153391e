"""Arguments of the splitters: sizes as in ShuffleSplit, and what cannot serve."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit

from skcvstats.exceptions import SplitDesignError
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit
from tests.splitters.splitters import (
    GROUPS,
    UNSTRATIFIED,
    X,
    Y,
    as_id,
    assert_same_splits,
    both_classes,
)


@pytest.mark.parametrize("groups", [False, True], ids=["rows", "groups"])
@pytest.mark.parametrize(
    ("test_size", "train_size"),
    [
        *itertools.product([0.07, 0.1, 0.25, 1 / 3, 0.5, 1, 3], [None, 0.05, 0.1, 0.3, 0.5, 1, 2]),
        *((0.9, None), (0.9, 0.1)),
    ],
)
def test_sizes_are_those_of_shuffle_split(test_size, train_size, groups):
    reference = GroupShuffleSplit if groups else ShuffleSplit
    ours = RepeatedSubsampleSplit(1, test_size=test_size, train_size=train_size)
    theirs = reference(1, test_size=test_size, train_size=train_size)
    n_compared = 0
    numbers = [*range(2, 45), 99, 100, 101][:: 3 if groups else 1]
    for n in numbers:
        data = np.zeros(n), None, np.arange(n) if groups else None
        try:
            ((train, test),) = theirs.split(*data)
        except ValueError:
            with pytest.raises(SplitDesignError):
                next(ours.split(*data))
            continue
        ((our_train, our_test),) = ours.split(*data)
        assert (len(our_train), len(our_test)) == (len(train), len(test))
        n_compared += 1
    assert n_compared > len(numbers) / 3


@pytest.mark.parametrize("test_size", [0.03, 0.07, 0.1, 0.25, 0.35, 1, 3])
def test_half_sizes_follow_the_full_sample(test_size):
    for n in range(12, 60):
        lazy = HalfSplitPairs(1, 1, test_size=test_size).lazy_split(np.zeros(n))
        ((_, test),) = ShuffleSplit(1, test_size=test_size).split(np.zeros(n))
        assert (lazy.n_samples, lazy.n_test) == (n, len(test))
        for train, test in lazy:
            assert (len(train), len(test)) == (n // 2 - lazy.n_test, lazy.n_test)


def test_sizes_in_numpys_numbers_and_of_the_smallest_data():
    cv = RepeatedSubsampleSplit(np.int64(2), test_size=np.float64(0.2), train_size=np.int32(3))
    assert [(len(a), len(b)) for a, b in cv.split(np.zeros(10))] == [(3, 2), (3, 2)]
    ((train, test),) = RepeatedSubsampleSplit(1).split(np.zeros(2))
    assert sorted([*train, *test]) == [0, 1]
    for train, test in HalfSplitPairs(2, 2).split(np.zeros(4)):
        assert (len(train), len(test)) == (1, 1)


FRACTION = "must be a fraction strictly between 0 and 1.* a count of 1 or more"


@both_classes
@pytest.mark.parametrize(
    ("name", "values", "error", "match"),
    [
        ("n_splits", [0, -1], ValueError, "must be 1 or more"),
        ("n_splits", [2.0, True, None], TypeError, "must be an integer"),
        ("test_size", [0, 0.0, 1.0, 1.5, math.nan, -1], ValueError, FRACTION),
        ("test_size", ["a", True, None], TypeError, FRACTION),
        ("stratify", ["yes", 1], TypeError, "must be True or False"),
    ],
)
def test_malformed_arguments(cls, name, values, error, match):
    for value in values:
        with pytest.raises(error, match=f"{name}={value!r} {match}") as caught:
            cls(**{name: value})
        assert not isinstance(caught.value, SplitDesignError)


@both_classes
def test_malformed_random_state_and_data_without_rows(cls):
    with pytest.raises(ValueError, match=r"random_state=-1 must be .* from 0 to 2\*\*32 - 1"):
        next(cls(random_state=-1).split(X))
    with pytest.raises(TypeError, match="X must be data with rows"):
        cls().lazy_split(3)
    with pytest.raises(TypeError, match=r"n_pairs=1\.0 must be an integer"):
        HalfSplitPairs(n_pairs=1.0)


@pytest.mark.parametrize(
    ("cv", "n", "match"),
    [
        (RepeatedSubsampleSplit(), 1, "n=1 rows; at least 2 rows are needed"),
        (RepeatedSubsampleSplit(test_size=0.99), 5, "0 to train on.*Make test_size smaller"),
        (RepeatedSubsampleSplit(train_size=0.1), 5, "0 to train on.*Make train_size larger"),
        (RepeatedSubsampleSplit(train_size=5), 5, "at most 5 .*Make test_size or train_size sm"),
        (HalfSplitPairs(), 3, "n=3 rows; at least 4 rows are needed"),
        (HalfSplitPairs(test_size=0.5), 20, "10 to test on, .* half has 10.*at most 9 rows"),
        (HalfSplitPairs(test_size=7), 9, "7 to test on, but a half has 4.*at most 3 rows"),
    ],
)
def test_sizes_that_cannot_serve(cv, n, match):
    with pytest.raises(SplitDesignError, match=match):
        next(cv.split(np.zeros(n)))
    if n > 0:
        groups = np.repeat(np.arange(n), 5)
        with pytest.raises(SplitDesignError, match=match.replace("rows", "groups")):
            next(cv.split(np.zeros(5 * n), None, groups))


# Of 23 groups, worked out by hand.
SIZES = [(23, 20, 3), (23, 11, 3), (14, 11, 3), (23, 8, 3)]


@pytest.mark.parametrize(("cv", "sizes"), [*zip(UNSTRATIFIED, SIZES, strict=True)], ids=as_id)
def test_groups_stay_whole_and_sizes_count_them(cv, sizes):
    lazy = cv.lazy_split(X, Y, GROUPS)
    assert lazy.unit == "groups"
    assert (lazy.n_samples, lazy.n_train, lazy.n_test) == sizes
    for train, test in lazy:
        in_train, in_test = set(GROUPS[train]), set(GROUPS[test])
        assert not in_train & in_test
        assert (len(in_train), len(in_test)) == (lazy.n_train, lazy.n_test)
        assert sorted(train) == np.flatnonzero(np.isin(GROUPS, list(in_train))).tolist()
        assert sorted(test) == np.flatnonzero(np.isin(GROUPS, list(in_test))).tolist()
        assert train.dtype == test.dtype == np.intp
        assert np.any(np.diff(train) < 0)


@pytest.mark.parametrize("cv", UNSTRATIFIED[-2:], ids=as_id)
def test_group_labels_with_columns_are_rows_of_labels(cv):
    two = np.column_stack([GROUPS // 5, GROUPS % 5])
    assert_same_splits(cv.split(X, None, two), cv.split(X, None, GROUPS))


RARE = "Class rare of y has 1 row.*Merge rare classes"
UNFIT = [
    (np.linspace(0, 1, 40).tolist(), "continuous.*bin y, or use stratify=False"),
    (np.repeat(["a", "rare"], [39, 1]), RARE),
    (np.repeat([[0, 1], [5, 6]], [39, 1], axis=0), r"Class \[5 6\] of y has 1 row"),
    (np.arange(40) % 7, "4 test rows are given for 7 classes.*Change test_size"),
]
MALFORMED = [
    (np.zeros(39), "{} has 39 rows and X has 40"),
    *((values, "{} has missing labels") for values in (
        [*range(39), math.nan], [*range(39), None], pd.Series([*"a" * 39, None]),
        pd.Series([*range(39), None], dtype="Int64"),
        np.array(["2020-01-01"] * 39 + ["NaT"], dtype="M8[D]"),
    )),
    (np.zeros((40, 1, 1)), "{} has 3 dimensions"),
]  # fmt: skip


@both_classes
@pytest.mark.parametrize(("labels", "match"), UNFIT + MALFORMED)
def test_labels_that_cannot_serve(cls, labels, match):
    for name in ("y", "groups") if "{}" in match else ("y",):
        with pytest.raises(ValueError, match=match.format(name)) as caught:
            cls(stratify=name == "y").lazy_split(np.zeros(40), **{name: labels})
        assert isinstance(caught.value, SplitDesignError) == ("{}" not in match)
