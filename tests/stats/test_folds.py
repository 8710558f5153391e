"""Repeated k-fold, recognised from test rows by brute force, or refused."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import model_selection as ms
from sklearn.dummy import DummyClassifier

from skcvstats import RepeatedSubsampleSplit, RowTTest, SplitDesign, cross_val_score
from skcvstats.exceptions import SplitDesignError
from skcvstats.stats import find_folds
from skcvstats.stats._row_units import folds_of_units, repeats_and_folds

WHO = "The row t-test"


def joined(tests):
    """Test rows of all splits as rows and offsets, each split in ascending order."""
    rows = np.concatenate([np.sort(test) for test in tests])
    return rows, np.cumsum([0, *(len(test) for test in tests)])


def folds_of(tests, n_rows, codes=None):
    """What is read, and the folds of its units."""
    found = find_folds(*joined(tests), n_rows, who=WHO)
    return found, folds_of_units(found.labels, codes)


def drawn(cv, n, y=None, groups=None):
    return [test for _, test in cv.split(np.zeros((n, 1)), y, groups)]


def random_folds(rng, n_units, n_folds):
    """Fold labels of units, at least two units in each fold, of any other sizes."""
    labels = np.concatenate([np.repeat(np.arange(n_folds), 2),
                             rng.integers(0, n_folds, n_units - 2 * n_folds)])  # fmt: skip
    return rng.permutation(labels)


def assert_is(found, tests, n_rows):
    """Each repeat tests each row once, and the positions are those of the rows' scores."""
    rows, offsets = joined(tests)
    n_repeats = rows.size // n_rows
    assert found.labels.shape == found.positions.shape == (n_repeats, n_rows)
    assert sorted(found.positions.ravel()) == list(range(rows.size))
    split_of = np.searchsorted(offsets, found.positions, side="right") - 1
    for repeat in range(n_repeats):
        assert (rows[found.positions[repeat]] == np.arange(n_rows)).all()
        pairs = set(zip(found.labels[repeat].tolist(), split_of[repeat].tolist(), strict=True))
        by_label = Counter(label for label, _ in pairs)
        assert sorted(by_label) == list(range(len(pairs)))  # a label for each split, from 0
        for label, split in pairs:
            tested = np.flatnonzero(found.labels[repeat] == label)
            assert tested.tolist() == sorted(tests[split])


Y = np.arange(60) % 3 == 0
GROUPS = np.array([f"g{k % 23}" for k in range(60)])


@pytest.mark.parametrize(
    ("cv", "shape"),
    [
        (ms.KFold(10, shuffle=True, random_state=0), (1, 10)),
        (ms.RepeatedKFold(n_splits=5, n_repeats=4, random_state=0), (4, 5)),
        (ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0), (2, 10)),
        (ms.GroupKFold(5), (1, 5)),
        (ms.StratifiedGroupKFold(4, shuffle=True, random_state=0), (1, 4)),
    ],
    ids=repr,
)
def test_folds_of_scikit_learn_are_recognised(cv, shape):
    n_folds = shape[1]
    codes = np.unique(GROUPS, return_inverse=True)[1] if "Group" in repr(cv) else None
    groups = None if codes is None else GROUPS
    splits = list(cv.split(np.zeros((60, 1)), Y, groups))
    tests = [test for _, test in splits]
    found, units = folds_of(tests, 60, codes)
    assert_is(found, tests, 60)
    for k, test in enumerate(tests):  # repeats that follow one another stay what they are
        assert (found.labels[k // n_folds, test] == k % n_folds).all()
    first = np.arange(60) if codes is None else np.unique(codes, return_index=True)[1]
    assert (units == found.labels[:, first]).all()
    train = [train for train, _ in splits]
    design = SplitDesign.from_indices(train, tests, groups=groups)
    assert repeats_and_folds(design) == shape
    assert design.n_samples == units.shape[1]
    RowTTest().require(design)


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=40, deadline=None)
def test_any_partition_repeat_by_repeat(seed, of_groups):
    rng = np.random.default_rng(seed)
    n_folds, n_repeats = rng.integers(3, 6), rng.integers(1, 5)
    n_units = int(2 * n_folds + rng.integers(2, 12))
    codes = rng.permutation(np.r_[np.arange(n_units), rng.integers(0, n_units, 15)])
    codes = codes if of_groups else np.arange(n_units)
    labels = np.stack([random_folds(rng, n_units, n_folds) for _ in range(n_repeats)])
    order = [rng.permutation(n_folds) for _ in range(n_repeats)]
    tests = [rng.permutation(np.flatnonzero(labels[r][codes] == fold))
             for r in range(n_repeats) for fold in order[r]]  # fmt: skip
    found = find_folds(*joined(tests), codes.size, who=WHO)
    assert_is(found, tests, codes.size)
    same = {frozenset(frozenset(np.flatnonzero(r == f)) for f in range(n_folds)) for r in labels}
    if len(same) < n_repeats:
        with pytest.raises(SplitDesignError, match="other folds in each repeat"):
            folds_of_units(found.labels, codes if of_groups else None)
    else:
        units = folds_of_units(found.labels, codes if of_groups else None)
        assert (units[:, codes] == found.labels).all()
        assert units.shape == (n_repeats, n_units)


def test_other_orders_are_read_or_refused_but_never_misread():
    n_read = dict.fromkeys([30, 100, 400], 0)
    for n in n_read:
        for seed in range(10):
            cv = ms.RepeatedKFold(n_splits=5, n_repeats=4, random_state=seed)
            tests = drawn(cv, n)
            shuffled = [tests[k] for k in np.random.default_rng(seed).permutation(20)]
            refusal = ""
            try:
                found, _ = folds_of(shuffled, n)
            except SplitDesignError as error:
                refusal = str(error)
            if refusal:
                assert "pass one repeat after another" in refusal
            else:
                assert_is(found, shuffled, n)
                n_read[n] += 1
    assert n_read[400] == 10
    assert n_read[100] >= 6
    assert 0 < n_read[30] < 10


REFUSED = [
    (drawn(RepeatedSubsampleSplit(15, random_state=0), 100), 100,
     r"Of 100 rows, these splits test \d+ rows 0 times, \d+ rows 1 time, \d+ rows 2 times, "
     r".* times\. Such folds are .*RepeatedStratifiedKFold\(n_splits=5, n_repeats=4\)"
     r".*corrected_resampled_t"),
    (drawn(ms.TimeSeriesSplit(4), 50), 50, "test 10 rows 0 times, 40 rows 1 time"),
    (drawn(ms.KFold(5), 80), 100, "test 20 rows 0 times, 80 rows 1 time"),
    (drawn(ms.ShuffleSplit(2, test_size=0.5, random_state=0), 8), 8, "0 times, .* 1 .* 2 times"),
    ([*drawn(ms.KFold(5), 20), np.arange(4)], 20, "test 16 rows 1 time, 4 rows 2 times"),
    ([[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]], 5, "each row is tested 2 times"),
    ([[0, 0, 1], [1, 2, 2]], 3, "each row is tested 2 times"),
    (drawn(ms.KFold(2), 20), 20, "repeats have 2 folds, .* 10 rows"),
    ([*drawn(ms.KFold(5), 20), *drawn(ms.KFold(4), 20)], 20, "repeats have 4 and 5 folds"),
    (drawn(ms.LeaveOneOut(), 9), 9, "repeats have 9 folds, .* smallest fold has 1 row"),
    (drawn(ms.RepeatedKFold(n_splits=5, n_repeats=2, random_state=0), 9), 9, "fold has 1 row"),
    (drawn(ms.KFold(5), 20) * 2, 20, "1 of 2 repeats has the same folds as one before"),
    ([*drawn(ms.KFold(5), 20), *drawn(ms.KFold(5, shuffle=True, random_state=0), 20),
      *drawn(ms.KFold(5), 20)[::-1]], 20, "1 of 3 repeats has the same folds"),
]  # fmt: skip


@pytest.mark.parametrize(("tests", "n", "match"), REFUSED)
def test_what_is_no_repeated_k_fold(tests, n, match):
    with pytest.raises(SplitDesignError, match=match) as caught:
        folds_of(tests, n)
    assert str(caught.value).startswith(WHO)


def test_groups_that_are_torn_or_alone_in_a_fold():
    codes = np.repeat(np.arange(12), 5)
    with pytest.raises(SplitDesignError, match="8 of 12 groups have rows in several folds"):
        folds_of(drawn(ms.KFold(10), 60), 60, np.r_[codes[3:], 0, 0, 0])
    tests = drawn(ms.GroupKFold(10), 60, groups=codes)
    with pytest.raises(SplitDesignError, match=r"two groups or more in each .* has 1 group\."):
        folds_of(tests, 60, codes)
    assert folds_of(drawn(ms.GroupKFold(6), 60, groups=codes), 60, codes)[1].shape == (1, 12)


class Purged(ms.KFold):
    """Leaves out of training the rows next to the test rows."""

    def split(self, X, y=None, groups=None):
        for train, test in super().split(X, y, groups):
            yield np.setdiff1d(train, [test.min() - 1, test.max() + 1]), test


def test_models_are_trained_on_all_other_rows():
    X = np.zeros((40, 1))
    design = SplitDesign.from_splitter(Purged(5), X)
    assert folds_of(drawn(Purged(5), 40), 40)  # its test rows are those of k-fold
    with pytest.raises(SplitDesignError, match="split 0 trains on 31 and tests on 8 of 40"):
        RowTTest().require(design)
    with pytest.raises(SplitDesignError, match="these are of fitted models"):
        RowTTest().require(SplitDesign.of_test_set(10))
    parts = [(np.arange(8 * k, 8 * k + 32) % 40, np.arange(8 * k, 8 * k + 8)) for k in range(5)]
    scores = cross_val_score(DummyClassifier(), X, np.arange(40) % 2, cv=parts)
    with pytest.raises(SplitDesignError, match="and on no others"):
        RowTTest().require(scores.design)
