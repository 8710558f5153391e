"""SplitDesign: sizes, pool and levels as they are read off splits, and when they are refused."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

from skcvstats import (
    HalfSplitPairs,
    PairingError,
    RepeatedSubsampleSplit,
    SplitDesign,
    cross_val_score,
)
from skcvstats.exceptions import SplitDesignError
from skcvstats.scores._pairing import UNVERIFIED_PAIRING, pair_designs
from skcvstats.scores._reading import split_digest, target_digest


def parts(cv, n, y=None, groups=None):
    """Split n rows; return the training parts and the test parts."""
    splits = list(cv.split(np.zeros((n, 1)), y, groups))
    return [train for train, _ in splits], [test for _, test in splits]


LEVELS = [
    (KFold(5), 23, ("fold",), (5,)),
    (KFold(2), 30, ("fold",), (2,)),
    (LeaveOneOut(), 7, ("fold",), (7,)),
    (StratifiedKFold(3, shuffle=True, random_state=0), 31, ("fold",), (3,)),
    (RepeatedKFold(n_splits=5, n_repeats=3, random_state=0), 23, ("repeat", "fold"), (3, 5)),
    (RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0), 24,
     ("repeat", "fold"), (5, 2)),
    (ShuffleSplit(15, test_size=0.1, random_state=0), 40, ("split",), (15,)),
    (ShuffleSplit(4, test_size=0.5, random_state=0), 40, ("split",), (4,)),
    (TimeSeriesSplit(5), 40, ("split",), (5,)),
    (RepeatedSubsampleSplit(6, test_size=10, train_size=20, pool="fixed", random_state=0), 50,
     ("split",), (6,)),
    (HalfSplitPairs(3, 4, test_size=0.1, random_state=0), 41, ("pair", "half", "split"), (3, 2, 4)),
    (HalfSplitPairs(2, 2, test_size=0.1, random_state=0), 20, ("pair", "half", "split"), (2, 2, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("cv", "n", "levels", "shape"), LEVELS, ids=lambda v: repr(v)[:40])
def test_levels_are_recognised_from_indices(cv, n, levels, shape):
    y = np.arange(n) % 2
    design = SplitDesign.from_indices(*parts(cv, n, y), n_samples=n)
    assert (design.levels, design.shape) == (levels, shape)
    assert SplitDesign.from_splitter(cv, np.zeros((n, 1)), y).levels == levels


def test_chance_half_pairs_are_not_recognised():
    for cv, n in [
        (HalfSplitPairs(3, 1, random_state=0), 40),
        (HalfSplitPairs(3, 4, random_state=0), 18),
    ]:
        trains, tests = parts(cv, n)
        assert SplitDesign.from_indices(trains, tests, n_samples=n).levels == ("split",)
        shape = (cv.n_pairs, 2, cv.n_splits)
        stated = SplitDesign.from_indices(
            trains, tests, n_samples=n, levels=("pair", "half", "split"), shape=shape
        )
        assert stated.shape == shape


def test_folds_of_unequal_number_are_plain_splits():
    trains, tests = (a + b for a, b in zip(parts(KFold(2), 12), parts(KFold(3), 12), strict=True))
    assert SplitDesign.from_indices(trains, tests).levels == ("split",)


def test_an_incomplete_block_of_folds_is_plain_splits():
    trains, tests = parts(KFold(5), 25)
    assert SplitDesign.from_indices(trains[:4], tests[:4]).levels == ("split",)


def test_folds_inside_a_subset_are_folds():
    rows = np.random.default_rng(0).permutation(100)[:40]
    trains, tests = parts(KFold(4), 40)
    design = SplitDesign.from_indices([rows[t] for t in trains], [rows[t] for t in tests])
    assert (design.levels, design.n_samples) == (("fold",), 40)


def test_pool_is_what_the_splitter_states():
    X = np.zeros((50, 1))
    cv = RepeatedSubsampleSplit(6, test_size=0.2, train_size=0.4, pool="fixed", random_state=0)
    assert SplitDesign.from_splitter(cv, X).n_samples == 30
    cv = RepeatedSubsampleSplit(6, test_size=0.2, train_size=0.4, random_state=0)
    assert SplitDesign.from_splitter(cv, X).n_samples == 50


def test_pool_is_the_length_of_x_for_other_splitters():
    cv = ShuffleSplit(1, train_size=0.2, test_size=0.1, random_state=0)
    assert SplitDesign.from_splitter(cv, np.zeros((100, 1))).n_samples == 100


@pytest.mark.parametrize("n", [30, 200])
def test_pool_from_indices_where_each_split_covers_all_that_occurs(n):
    assert SplitDesign.from_indices(*parts(ShuffleSplit(2, test_size=0.3), n)).n_samples == n


def test_pool_from_indices_where_no_row_can_be_missing():
    # A row is missed by all 15 splits with probability .4^15; of 100 rows 1e-4 are expected to be.
    cv = ShuffleSplit(15, train_size=0.5, test_size=0.1, random_state=0)
    assert SplitDesign.from_indices(*parts(cv, 100)).n_samples == 100


@pytest.mark.parametrize(("n_splits", "asked"), [(5, True), (6, False)])
def test_pool_is_asked_for_at_the_stated_threshold(n_splits, asked):
    # u = 20 rows occur and each split covers 10: 20 (1/2)^J < .5 from J = 6 on.
    rows = np.arange(20)
    supports = [rows[:10], rows[10:], rows[5:15], rows[::2], rows[1::2], rows[3:13]][:n_splits]
    trains, tests = [s[:8] for s in supports], [s[8:] for s in supports]
    if asked:
        with pytest.raises(SplitDesignError, match="Pass n_samples="):
            SplitDesign.from_indices(trains, tests)
        assert SplitDesign.from_indices(trains, tests, n_samples=25).n_samples == 25
    else:
        assert SplitDesign.from_indices(trains, tests).n_samples == 20


def test_sizes_count_groups_where_splits_keep_them_whole():
    groups = np.repeat(np.arange(12), 5)
    trains, tests = parts(GroupKFold(4), 60, groups=groups)
    design = SplitDesign.from_indices(trains, tests, groups=groups)
    assert (design.unit, design.n_samples) == ("groups", 12)
    assert (design.train_size, design.test_size) == (9, 3)
    assert design.levels == ("fold",)
    one_out = SplitDesign.from_splitter(LeaveOneGroupOut(), np.zeros((60, 1)), None, groups)
    assert (one_out.train_size, one_out.test_size, one_out.n_splits) == (11, 1, 12)
    own = SplitDesign.from_splitter(
        RepeatedSubsampleSplit(3, test_size=0.25, random_state=0), np.zeros((60, 1)), None, groups
    )
    assert (own.unit, own.n_samples, own.train_size, own.test_size) == ("groups", 12, 9, 3)


def test_sizes_count_rows_where_splits_tear_groups_apart():
    groups = np.repeat(np.arange(12), 5)
    design = SplitDesign.from_indices(*parts(KFold(7), 60), groups=groups)
    assert (design.unit, design.n_samples) == ("rows", 60)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8))
def test_test_size_is_the_harmonic_mean(sizes):
    design = SplitDesign.from_sizes(10, sizes, n_samples=100)
    assert design.test_size == pytest.approx(len(sizes) / np.sum(1 / np.array(sizes)), rel=1e-14)
    assert design.train_size == 10


def test_common_sizes_are_integers():
    design = SplitDesign.from_sizes(90, 10, n_splits=15)
    assert type(design.test_size) is int
    assert (design.train_size, design.test_size, design.n_samples) == (90, 10, 100)


@given(st.permutations(list(range(12))), st.integers(1, 11), st.integers(0, 1000))
def test_digests_know_sets_not_orders(rows, n_train, seed):
    rows = np.array(rows)
    train, test = rows[:n_train], rows[n_train:]
    shuffle = np.random.default_rng(seed).permutation
    digest = split_digest(train, test)
    assert split_digest(shuffle(train), shuffle(test)) == digest
    assert split_digest(test, train) != digest
    if n_train > 1:
        assert split_digest(train[1:], test) != digest
        assert split_digest(np.append(train[1:], train[1]), test) != split_digest(train[1:], test)
    assert split_digest(train.astype(np.int32), test.astype(np.uint8)) == digest


def test_target_digests():
    y = [0, 1, 1, 0]
    assert target_digest(y) == target_digest(np.array(y, dtype=float))
    assert target_digest(y) != target_digest([0, 1, 0, 1])
    assert target_digest(["a", "b"]) != target_digest(["a", "c"])
    assert target_digest(np.zeros((2, 3))) != target_digest(np.zeros((3, 2)))
    assert target_digest(None) is None


def two_designs(n_splits=4):
    cv = ShuffleSplit(n_splits, test_size=0.2, random_state=0)
    y = np.arange(30)
    return [SplitDesign.from_indices(*parts(cv, 30), y=y) for _ in range(2)], y


def test_equal_designs_pair_without_notes():
    (a, b), _ = two_designs()
    assert a == b
    assert pair_designs(a, b) == (a, ())
    assert pickle.loads(pickle.dumps(a)) == a


def test_other_splits_or_targets_do_not_pair():
    (a, _), y = two_designs()
    other = parts(ShuffleSplit(4, test_size=0.2, random_state=1), 30)
    with pytest.raises(PairingError, match="Score both estimators with the same cv"):
        pair_designs(a, SplitDesign.from_indices(*other, y=y))
    trains, tests = parts(ShuffleSplit(4, test_size=0.2, random_state=0), 30)
    with pytest.raises(PairingError, match="different targets"):
        pair_designs(a, SplitDesign.from_indices(trains, tests, y=y[::-1]))
    with pytest.raises(PairingError, match="another order"):
        pair_designs(a, SplitDesign.from_indices(trains[::-1], tests[::-1], y=y))
    with pytest.raises(PairingError, match="4 splits against 3"):
        pair_designs(a, SplitDesign.from_indices(trains[:3], tests[:3], y=y))


def test_stated_sizes_pair_with_a_note():
    (a, _), _ = two_designs()
    assert pair_designs(a, SplitDesign.from_sizes(24, 6, n_splits=4)) == (a, (UNVERIFIED_PAIRING,))
    with pytest.raises(PairingError, match="sizes of the splits differ"):
        pair_designs(a, SplitDesign.from_sizes(20, 10, n_splits=4))


def test_taking_some_splits_keeps_what_is_known():
    design = SplitDesign.from_indices(*parts(KFold(5), 23))
    some = design.take([0, 3])
    assert some.levels == ("split",)
    assert some.n_test == (design.n_test[0], design.n_test[3])
    assert some.digests == (design.digests[0], design.digests[3])
    assert some.n_samples == 23
    assert design.take(range(5)) is design
    prefix = SplitDesign.from_indices(*(side[:2] for side in parts(KFold(5), 23)), n_samples=23)
    assert design.take([0, 1]).digests == prefix.digests
    with pytest.raises(SplitDesignError, match="No split is left"):
        design.take([])


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        ([[0, 1]], [[1, 2]], "training and test rows do not overlap"),
        ([[0, -1]], [[2]], "at least 0"),
        ([[0.5, 1.5]], [[2]], "integer row numbers"),
        ([[0, 1]], [[]], "at least one row on each side"),
        ([[[0], [1]]], [[2]], "1-d array"),
        ([], [], "at least one"),
        ([[0]], [[1], [2]], "as many of each"),
    ],
)
def test_impossible_indices(train, test, message):
    with pytest.raises(SplitDesignError, match=message):
        SplitDesign.from_indices([np.array(a) for a in train], [np.array(b) for b in test])


def test_boolean_masks_are_row_numbers():
    mask = np.array([True, True, False, False])
    by_mask = SplitDesign.from_indices([mask], [~mask])
    assert by_mask == SplitDesign.from_indices([[0, 1]], [[2, 3]])


def test_repeated_rows_change_the_digest_and_count_once():
    once = SplitDesign.from_indices([[0, 1, 2]], [[3, 4]])
    twice = SplitDesign.from_indices([[0, 1, 2, 2]], [[3, 4]], n_samples=6)
    assert once.digests != twice.digests
    assert twice.n_train == (3,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_train": 90, "n_test": 10}, "Pass n_splits="),
        ({"n_train": [90, 90], "n_test": [10]}, "number of splits is not clear"),
        ({"n_train": [90, 80], "n_test": 10}, "Pass n_samples="),
        ({"n_train": 90, "n_test": 10, "n_splits": 3, "n_samples": 99}, "at least that many"),
        ({"n_train": 90, "n_test": 0, "n_splits": 3}, "at least 1"),
        ({"n_train": 90, "n_test": 2**70, "n_splits": 3, "n_samples": 2**71}, "at least 1"),
        ({"n_train": 90, "n_test": 2.5, "n_splits": 3}, "at least 1|number of splits"),
        ({"n_train": 1, "n_test": 1, "n_splits": 3, "levels": ("fold", "repeat")}, "is not one of"),
        ({"n_train": 1, "n_test": 1, "n_splits": 3, "shape": (2,)}, "does not arrange"),
    ],
)
def test_impossible_sizes(arguments, message):
    with pytest.raises(SplitDesignError, match=message):
        SplitDesign.from_sizes(**arguments)


def test_groups_tell_the_pool():
    # Few splits that leave groups out: the pool could not be told from the indices.
    groups = np.repeat(np.arange(23), 4)
    trains, tests = [[0, 1, 2, 3]] * 2, [[4, 5, 6, 7], [8, 9, 10, 11]]
    design = SplitDesign.from_indices(trains, tests, groups=groups)
    assert (design.n_samples, design.unit, design.test_size) == (23, "groups", 1)
    with pytest.raises(SplitDesignError, match="leave n_samples out"):
        SplitDesign.from_indices(trains, tests, groups=groups, n_samples=92)


def test_pool_of_a_fixed_subset_is_not_enlarged_by_y():
    cv = RepeatedSubsampleSplit(15, train_size=0.5, test_size=0.1, pool="fixed", random_state=0)
    trains, tests = parts(cv, 300)
    y = np.arange(300)
    assert SplitDesign.from_indices(trains, tests, y=y).n_samples == 180
    redrawn = ShuffleSplit(3, train_size=0.2, test_size=0.1, random_state=0)
    assert SplitDesign.from_indices(*parts(redrawn, 300), y=y).n_samples == 300


def test_half_pairs_of_groups_of_unequal_size_are_recognised():
    groups = np.repeat(np.arange(40), np.arange(40) % 3 + 1)
    n = groups.size
    cv = HalfSplitPairs(3, 4, test_size=0.1, random_state=0)
    design = SplitDesign.from_indices(*parts(cv, n, groups=groups), groups=groups)
    assert (design.levels, design.shape) == (("pair", "half", "split"), (3, 2, 4))


def test_designs_of_other_pools_or_units_do_not_pair():
    groups = np.repeat(np.arange(12), 5)
    trains, tests = parts(GroupKFold(4), 60, groups=groups)
    by_group = SplitDesign.from_indices(trains, tests, groups=groups)
    by_row = SplitDesign.from_indices(trains, tests)
    larger = SplitDesign.from_indices(trains, tests, n_samples=100)
    for a, b in [(by_group, by_row), (by_row, larger)]:
        with pytest.raises(PairingError, match="Read both with the same groups= and n_samples="):
            pair_designs(a, b)


def test_some_of_the_splits_are_not_drawn_again_by_the_seed():
    design = SplitDesign.from_splitter(RepeatedSubsampleSplit(5, random_state=3), np.zeros(50))
    some = design.take([0, 1, 4])
    assert design.seed == 3
    assert some.seed is None
    assert some.source == f"3 of the 5 splits of {design.source}"


def test_seed_of_our_splits_is_kept():
    cv, X = RepeatedSubsampleSplit(3), np.zeros((50, 1))
    designs = [
        cross_val_score(DummyRegressor(), X, np.arange(50.0), cv=cv).design for _ in range(2)
    ]
    assert designs[0].seed != designs[1].seed
    for design in designs:
        again = RepeatedSubsampleSplit(3, random_state=design.seed)
        assert SplitDesign.from_splitter(again, X).digests == design.digests
        assert again.lazy_split(X).seed == design.seed


UNSEEDED = [
    KFold(5, shuffle=True),
    ShuffleSplit(5),
    ShuffleSplit(5, random_state=np.random.RandomState(0)),
    RepeatedSubsampleSplit(5),
    RepeatedSubsampleSplit(5, random_state=np.random.RandomState(0)),
]


@pytest.mark.parametrize("cv", UNSEEDED, ids=lambda v: repr(v)[:40])
def test_what_is_drawn_anew_each_time_is_refused(cv):
    X = np.zeros((50, 1))
    with pytest.raises(
        SplitDesignError, match=r"random_state=.*from_indices\(\.\.\.\).*from_sizes"
    ):
        SplitDesign.from_splitter(cv, X)
    sizes = SplitDesign.from_any_draw(cv, X)
    assert sizes.digests is sizes.seed is None
    assert [note.code for note in sizes.notes] == ["unseeded splits"]
    assert (sizes.n_splits, sizes.n_samples, sizes.n_train[0]) == (5, 50, 50 - sizes.n_test[0])


def test_a_splitter_that_has_fewer_splits_the_second_time_is_refused():
    class Exhausted:
        def __init__(self):
            self.splits = iter(KFold(3).split(np.zeros(30)))

        def split(self, X, y=None, groups=None):
            yield from self.splits

    with pytest.raises(SplitDesignError, match="draws other splits each time"):
        SplitDesign.from_splitter(Exhausted(), np.zeros(30))
