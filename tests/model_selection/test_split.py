"""Tests of the splitters: first what holds for all of them, then each one's own design."""

import copy
import dataclasses
import itertools
import math
import pickle
import tracemalloc
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from scipy import stats
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupShuffleSplit,
    ShuffleSplit,
    cross_validate,
    learning_curve,
    permutation_test_score,
)

from skcvstats.exceptions import SplitDesignError
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit

# Each with its sizes (n_samples, n_train, n_test) on 101 rows, worked out by hand.
ALL_SPLITTERS = [
    (RepeatedSubsampleSplit(6, random_state=0), (101, 90, 11)),
    (RepeatedSubsampleSplit(6, train_size=0.5, random_state=0), (101, 50, 11)),
    (RepeatedSubsampleSplit(6, train_size=0.5, pool="fixed", random_state=0), (61, 50, 11)),
    (RepeatedSubsampleSplit(6, stratify=True, random_state=0), (101, 90, 11)),
    (
        RepeatedSubsampleSplit(
            6, train_size=0.5, test_size=20, pool="fixed", stratify=True, random_state=0
        ),
        (70, 50, 20),
    ),
    (HalfSplitPairs(3, 4, random_state=0), (101, 39, 11)),
    (HalfSplitPairs(3, 4, test_size=10, stratify=True, random_state=0), (101, 40, 10)),
]
SPLITTERS = [splitter for splitter, _ in ALL_SPLITTERS]
UNSTRATIFIED = [splitter for splitter in SPLITTERS if not splitter.stratify]
STRATIFIED = [splitter for splitter in SPLITTERS if splitter.stratify]

N = 101
X = np.random.RandomState(0).normal(size=(N, 2))
Y = np.arange(N) % 3


def as_id(value):
    """Name a parameter of a test in one line."""
    if value is None or isinstance(value, np.ndarray):
        return "rows" if value is None else "groups"
    return " ".join(str(value).split())


all_splitters = pytest.mark.parametrize("cv", SPLITTERS, ids=as_id)
both_classes = pytest.mark.parametrize("cls", [RepeatedSubsampleSplit, HalfSplitPairs])


def with_params(cv, **params):
    """Return a copy of the splitter with other arguments."""
    cv = copy.deepcopy(cv)
    for name, value in params.items():
        assert hasattr(cv, name)
        setattr(cv, name, value)
    return cv


def as_lists(splits):
    return [(train.tolist(), test.tolist()) for train, test in splits]


def assert_same_splits(a, b):
    assert as_lists(a) == as_lists(b)


def uniformity_pvalue(counts, n_draws, size):
    """P-value of the chi-square test that `size` of n units are drawn without replacement."""
    n = len(counts)
    p = size / n
    statistic = (n - 1) / n * np.sum((counts - n_draws * p) ** 2) / (n_draws * p * (1 - p))
    return stats.chi2.sf(statistic, n - 1)


# All splitters


@all_splitters
def test_repr_evaluates_to_the_same_splitter(cv):
    again = eval(repr(cv))
    assert type(again) is type(cv)
    assert vars(again) == vars(cv)


@all_splitters
def test_clone_and_pickle(cv):
    for other in (clone(cv, safe=False), pickle.loads(pickle.dumps(cv)), copy.deepcopy(cv)):
        assert other is not cv
        assert_same_splits(other.split(X, Y), cv.split(X, Y))


@pytest.mark.parametrize(("cv", "sizes"), ALL_SPLITTERS, ids=as_id)
def test_parts_are_disjoint_and_of_the_stated_sizes(cv, sizes):
    _, n_train, n_test = sizes
    lazy = cv.lazy_split(X, Y)
    assert (lazy.n_samples, lazy.n_train, lazy.n_test) == sizes
    assert lazy.unit == "rows"
    splits = list(cv.split(X, Y))
    assert len(splits) == cv.get_n_splits() == cv.get_n_splits(X, Y, None) == len(lazy)
    for train, test in splits:
        assert train.dtype == test.dtype == np.intp
        assert train.shape == (n_train,)
        assert test.shape == (n_test,)
        rows = {*train.tolist(), *test.tolist()}
        assert len(rows) == n_train + n_test
        assert rows <= set(range(N))


@all_splitters
def test_all_splits_differ_and_their_order_is_permuted(cv):
    splits = list(cv.split(X, Y))
    assert len({tuple(sorted(test.tolist())) for _, test in splits}) == len(splits)
    for train, test in splits:
        assert np.any(np.diff(train) < 0)
        assert np.any(np.diff(test) < 0)
    # Permuted at random, not only unsorted: the ranks do not follow the positions.
    correlations = [stats.spearmanr(np.arange(len(a)), a)[0] for a, _ in splits]
    assert abs(np.mean(correlations)) < 4 / math.sqrt(len(splits) * (len(splits[0][0]) - 1))


@all_splitters
@pytest.mark.parametrize("groups", [None, np.arange(N) // 2], ids=["rows", "groups"])
def test_lazy_split_is_a_sequence_of_the_splits(cv, groups):
    if cv.stratify and groups is not None:
        cv = with_params(cv, stratify=False, test_size=0.1)
    lazy = cv.lazy_split(X, Y, groups)
    sequential = list(cv.split(X, Y, groups))
    n = len(sequential)
    assert_same_splits(lazy, sequential)
    backwards = [lazy[k] for k in reversed(range(n))]
    assert_same_splits(backwards[::-1], sequential)
    assert_same_splits([lazy[k] for k in range(-n, 0)], sequential)
    assert_same_splits([lazy[np.int64(1)]], sequential[1:2])
    assert_same_splits(lazy.take(range(n - 1, -1, -3)), sequential[n - 1 :: -3])
    for k in (n, -n - 1):
        with pytest.raises(IndexError, match=f"split {k} of {n} splits"):
            lazy[k]


@all_splitters
def test_lazy_split_is_frozen_and_pickles(cv):
    lazy = cv.lazy_split(X, Y)
    with pytest.raises(dataclasses.FrozenInstanceError):
        lazy.n_test = 3
    assert_same_splits(pickle.loads(pickle.dumps(lazy)), lazy)
    assert len(pickle.dumps(lazy)) < 1000
    assert len(repr(lazy)) < 300


def test_lazy_split_of_many_rows_stays_small():
    many = np.broadcast_to(0, (1_000_000, 1))
    assert len(pickle.dumps(RepeatedSubsampleSplit().lazy_split(many))) < 1000
    assert len(pickle.dumps(HalfSplitPairs().lazy_split(many))) < 1000


def test_lazy_split_does_not_change_with_the_callers_arrays():
    y, groups = Y.copy(), np.arange(N) // 2
    for cv, data in (
        (RepeatedSubsampleSplit(3, stratify=True, random_state=0), (X, y)),
        (RepeatedSubsampleSplit(3, random_state=0), (X, None, groups)),
    ):
        lazy = cv.lazy_split(*data)
        before = as_lists(lazy)
        data[-1][:] = 0
        assert as_lists(lazy) == before


@all_splitters
def test_a_yielded_split_can_be_changed_without_harm(cv):
    expected = as_lists(cv.split(X, Y))
    lazy = cv.lazy_split(X, Y)
    for train, test in lazy:
        train[:] = 0
        test[:] = 0
    assert as_lists(lazy) == expected


@all_splitters
def test_first_splits_do_not_depend_on_their_number(cv):
    base = cv.lazy_split(X, Y)
    more = with_params(cv, n_splits=cv.n_splits + 3).lazy_split(X, Y)
    splits = np.arange(len(more)).reshape(more.shape)[..., : cv.n_splits].ravel()
    assert_same_splits([more[k] for k in splits], base)


@all_splitters
def test_int_seed_repeats(cv):
    assert_same_splits(cv.split(X, Y), cv.split(X, Y))
    other = with_params(cv, random_state=1)
    assert as_lists(cv.split(X, Y)) != as_lists(other.split(X, Y))


@all_splitters
def test_seed_none_differs_between_calls(cv):
    cv = with_params(cv, random_state=None)
    assert as_lists(cv.split(X, Y)) != as_lists(cv.split(X, Y))


@all_splitters
def test_random_state_instance_advances_once_per_call(cv):
    cv = with_params(cv, random_state=np.random.RandomState(0))
    first, second = as_lists(cv.split(X, Y)), as_lists(cv.split(X, Y))
    assert first != second
    cv = with_params(cv, random_state=np.random.RandomState(0))
    lazy = cv.lazy_split(X, Y)
    state = cv.random_state.get_state()[2]
    assert as_lists(lazy) == first
    assert cv.random_state.get_state()[2] == state
    assert as_lists(cv.split(X, Y)) == second


def test_failed_call_does_not_advance_the_random_state():
    cv = RepeatedSubsampleSplit(3, random_state=np.random.RandomState(0))
    with pytest.raises(SplitDesignError):
        cv.lazy_split(X[:1])
    assert_same_splits(cv.split(X), RepeatedSubsampleSplit(3, random_state=0).split(X))


def documented_stream(seed, key):
    """Make the stream of a spawn key as documented."""
    root = np.random.RandomState(seed).randint(0, 2**32, size=4, dtype=np.uint32).tolist()
    child = np.random.SeedSequence(root, spawn_key=key)
    return np.random.RandomState(np.random.PCG64(child))


def test_seeds_are_the_documented_ones():
    lazy = RepeatedSubsampleSplit(5, random_state=3).lazy_split(X)
    expected = documented_stream(3, (4,)).permutation(N)
    assert lazy[4][1].tolist() == expected[:11].tolist()
    assert lazy[4][0].tolist() == expected[11:].tolist()

    lazy = HalfSplitPairs(3, 4, random_state=3).lazy_split(X)
    halves = documented_stream(3, (2, 0)).permutation(N)[1:].reshape(2, 50)
    expected = documented_stream(3, (2, 2, 1)).permutation(halves[1])
    k = np.ravel_multi_index((2, 1, 1), (3, 2, 4))
    assert lazy[k][1].tolist() == expected[:11].tolist()
    assert lazy[k][0].tolist() == expected[11:].tolist()


def test_streams_are_frozen_across_numpy_versions():
    # Printed with NumPy 2.0.0 and 2.4.6; a change would make every published seed worthless.
    cv = RepeatedSubsampleSplit(2, random_state=0)
    assert as_lists(cv.split(np.zeros(12))) == [
        ([1, 6, 11, 7, 9, 0, 2, 10, 5, 3], [4, 8]),
        ([2, 3, 7, 6, 11, 0, 10, 4, 8, 5], [1, 9]),
    ]


@all_splitters
@pytest.mark.parametrize(
    "container",
    [pd.DataFrame, sp.csr_matrix, sp.csr_array, lambda X: X.tolist(), lambda X: X[:, 0]],
    ids=["frame", "csr_matrix", "csr_array", "list", "1-d"],
)
def test_container_does_not_matter(cv, container):
    assert_same_splits(cv.split(container(X), Y), cv.split(X, Y))


@pytest.mark.parametrize("cv", STRATIFIED + UNSTRATIFIED[:1], ids=as_id)
def test_container_of_labels_does_not_matter(cv):
    labels = np.array(["a", "b", "c"])[Y]
    for other in (
        labels.tolist(),
        labels.astype(object),
        pd.Series(labels, index=np.arange(N)[::-1] * 7),
        pd.Series(labels).astype("category"),
        pd.DataFrame({"y": labels}),
        Y,
        pd.Series(Y).astype("Int64"),
    ):
        if cv.stratify:
            assert_same_splits(cv.split(X, other), cv.split(X, labels))
        else:
            assert_same_splits(cv.split(X, None, other), cv.split(X, None, labels))


# Groups

GROUPS = np.random.RandomState(1).randint(0, 23, size=N)  # 23 groups of 1 to 10 rows


@pytest.mark.parametrize("cv", UNSTRATIFIED, ids=as_id)
@pytest.mark.parametrize("kind", ["int", "str", "series"])
def test_groups_stay_whole(cv, kind):
    groups = {
        "int": GROUPS,
        "str": np.array([f"patient {g:02}" for g in GROUPS]),
        "series": pd.Series(GROUPS * 10, index=np.arange(N) + 5),
    }[kind]
    lazy = cv.lazy_split(X, Y, groups)
    assert lazy.unit == "groups"
    assert len(np.unique(GROUPS)) == 23
    for train, test in lazy:
        in_train, in_test = set(GROUPS[train]), set(GROUPS[test])
        assert not in_train & in_test
        assert (len(in_train), len(in_test)) == (lazy.n_train, lazy.n_test)
        assert sorted(train) == np.flatnonzero(np.isin(GROUPS, list(in_train))).tolist()
        assert sorted(test) == np.flatnonzero(np.isin(GROUPS, list(in_test))).tolist()
        assert train.dtype == test.dtype == np.intp
        assert np.any(np.diff(train) < 0)


@pytest.mark.parametrize(
    ("cv", "sizes"),
    [
        (RepeatedSubsampleSplit(), (23, 20, 3)),
        (RepeatedSubsampleSplit(test_size=4, train_size=0.5), (23, 11, 4)),
        (RepeatedSubsampleSplit(test_size=4, train_size=0.5, pool="fixed"), (15, 11, 4)),
        (HalfSplitPairs(test_size=0.2), (23, 6, 5)),
    ],
    ids=as_id,
)
def test_sizes_count_groups(cv, sizes):
    lazy = cv.lazy_split(X, groups=GROUPS)
    assert (lazy.n_samples, lazy.n_train, lazy.n_test) == sizes


@pytest.mark.parametrize("cv", UNSTRATIFIED, ids=as_id)
def test_groups_of_one_row_each_are_rows(cv):
    by_rows = [(sorted(a), sorted(b)) for a, b in cv.split(X)]
    by_groups = [(sorted(a), sorted(b)) for a, b in cv.split(X, groups=np.arange(N))]
    assert by_rows == by_groups


@pytest.mark.parametrize("cv", UNSTRATIFIED[-2:], ids=as_id)
def test_group_labels_with_columns_are_rows_of_labels(cv):
    two = np.column_stack([GROUPS // 5, GROUPS % 5])
    assert_same_splits(cv.split(X, None, two), cv.split(X, None, GROUPS))


# In scikit-learn's functions


@pytest.mark.parametrize("routing", [False, True], ids=["plain", "routing"])
@pytest.mark.parametrize(
    ("cv", "groups"),
    [*itertools.product(UNSTRATIFIED, [None, GROUPS]), (STRATIFIED[0], None)],
    ids=as_id,
)
class TestInScikitLearn:
    @pytest.fixture(autouse=True)
    def _routing(self, routing):
        with sklearn.config_context(enable_metadata_routing=routing):
            yield

    @pytest.fixture
    def y(self):
        return Y.astype(float)

    @pytest.fixture
    def passed(self, groups, routing):
        """Give the keywords with which a function takes the groups."""
        given = {} if groups is None else {"groups": groups}
        # Not params=None: scikit-learn 1.6.0 cannot route that.
        return {"params": given} if routing else given

    @staticmethod
    def by_hand(alpha, cv, y, groups):
        """Score a ridge model on each split with nothing but its fit and its R^2."""
        scores = []
        for train, test in cv.split(X, y, groups):
            predicted = Ridge(alpha=alpha).fit(X[train], y[train]).predict(X[test])
            residual = np.sum((y[test] - predicted) ** 2)
            scores.append(1 - residual / np.sum((y[test] - y[test].mean()) ** 2))
        return np.array(scores)

    def test_cross_validate(self, cv, groups, y, passed):
        results = cross_validate(Ridge(), X, y, cv=cv, return_indices=True, **passed)
        assert_same_splits(
            zip(results["indices"]["train"], results["indices"]["test"], strict=True),
            cv.split(X, y, groups),
        )
        if groups is not None:
            for train, test in cv.split(X, y, groups):
                assert not set(groups[train]) & set(groups[test])
        np.testing.assert_allclose(results["test_score"], self.by_hand(1.0, cv, y, groups))

    def test_grid_search(self, cv, groups, y):
        search = GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=cv)
        search.fit(X, y, **({} if groups is None else {"groups": groups}))
        assert search.n_splits_ == cv.get_n_splits()
        for i, alpha in enumerate([0.1, 10.0]):
            scores = [
                search.cv_results_[f"split{k}_test_score"][i] for k in range(search.n_splits_)
            ]
            np.testing.assert_allclose(scores, self.by_hand(alpha, cv, y, groups))

    def test_learning_curve(self, cv, groups, y, passed):
        sizes, _, scores = learning_curve(Ridge(), X, y, cv=cv, train_sizes=[20, 30], **passed)
        assert sizes.tolist() == [20, 30]
        for i, size in enumerate(sizes):
            for k, (train, test) in enumerate(cv.split(X, y, groups)):
                model = Ridge().fit(X[train[:size]], y[train[:size]])
                assert scores[i, k] == pytest.approx(model.score(X[test], y[test]))

    def test_permutation_test_score(self, cv, groups, y, passed):
        score, permuted, _ = permutation_test_score(
            Ridge(), X, y, cv=cv, n_permutations=2, **passed
        )
        assert score == pytest.approx(self.by_hand(1.0, cv, y, groups).mean())
        assert len(permuted) == 2


def test_groups_are_requested_by_default():
    for cv in SPLITTERS:
        assert cv.get_metadata_routing().split.requests == {"groups": True}


# Every unit is equally likely


@pytest.mark.parametrize("part", [0, 1], ids=["train", "test"])
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
def test_every_unit_is_equally_likely(cv, part, groups):
    lazy = cv.lazy_split(np.zeros(21 if groups is None else 42), groups=groups)
    step = len(lazy) // 1000  # the first half of each pair only: these are independent
    counts = np.zeros(21)
    for k in range(0, len(lazy), step):
        units = lazy[k][part] if groups is None else np.unique(groups[lazy[k][part]])
        counts[units] += 1
    size = (lazy.n_train, lazy.n_test)[part]
    assert counts.sum() == 1000 * size
    assert 1e-4 < uniformity_pvalue(counts, 1000, size) < 1 - 1e-4


def test_every_row_is_equally_likely_in_the_fixed_pool():
    counts = np.zeros(20)
    random_state = np.random.RandomState(4)
    cv = RepeatedSubsampleSplit(
        1, test_size=3, train_size=5, pool="fixed", random_state=random_state
    )
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
        assert np.bincount(y[lazy[k][1]]).tolist() == [3, 2]
        counts[lazy[k][1]] += 1
    assert 1e-4 < uniformity_pvalue(counts[:12], 1000, 3) < 1 - 1e-4
    assert 1e-4 < uniformity_pvalue(counts[12:], 1000, 2) < 1 - 1e-4


# Sizes


@pytest.mark.parametrize("groups", [False, True], ids=["rows", "groups"])
@pytest.mark.parametrize(
    ("test_size", "train_size"),
    [
        *itertools.product([0.07, 0.1, 0.25, 1 / 3, 0.5, 1, 3], [None, 0.05, 0.1, 0.3, 0.5, 1, 2]),
        (0.9, None),
        (0.9, 0.1),
    ],
)
def test_sizes_are_those_of_shuffle_split(test_size, train_size, groups):
    reference = GroupShuffleSplit if groups else ShuffleSplit
    ours = RepeatedSubsampleSplit(1, test_size=test_size, train_size=train_size)
    theirs = reference(1, test_size=test_size, train_size=train_size)
    n_compared = 0
    for n in [*range(2, 45), 99, 100, 101]:
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
    assert n_compared > 15


@pytest.mark.parametrize("test_size", [0.03, 0.07, 0.1, 0.25, 0.35, 1, 3])
def test_half_sizes_follow_the_full_sample(test_size):
    for n in range(12, 60):
        lazy = HalfSplitPairs(1, 1, test_size=test_size).lazy_split(np.zeros(n))
        ((_, test),) = ShuffleSplit(1, test_size=test_size).split(np.zeros(n))
        assert (lazy.n_samples, lazy.n_test) == (n, len(test))
        for train, test in lazy:
            assert (len(train), len(test)) == (n // 2 - lazy.n_test, lazy.n_test)


def test_numpy_numbers_are_sizes():
    cv = RepeatedSubsampleSplit(np.int64(2), test_size=np.float64(0.2), train_size=np.int32(3))
    assert [(len(a), len(b)) for a, b in cv.split(np.zeros(10))] == [(3, 2), (3, 2)]


def test_smallest_data():
    ((train, test),) = RepeatedSubsampleSplit(1).split(np.zeros(2))
    assert sorted([*train, *test]) == [0, 1]
    for train, test in HalfSplitPairs(2, 2).split(np.zeros(4)):
        assert (len(train), len(test)) == (1, 1)


# RepeatedSubsampleSplit


@pytest.mark.parametrize("stratify", [False, True])
def test_fixed_pool_holds_all_splits_of_one_call(stratify):
    cv = RepeatedSubsampleSplit(
        20, test_size=0.1, train_size=0.5, pool="fixed", stratify=stratify, random_state=0
    )
    pools = []
    for seed in range(3):
        splits = with_params(cv, random_state=seed).lazy_split(X, Y)
        members = [frozenset(np.concatenate(split).tolist()) for split in splits]
        assert len(set(members)) == 1
        assert len(members[0]) == 61
        assert len({frozenset(test.tolist()) for _, test in splits}) == 20
        pools.append(members[0])
    assert len(set(pools)) == 3


def test_pool_of_all_rows_is_redrawn():
    cv = RepeatedSubsampleSplit(20, train_size=0.5, random_state=0)
    members = [frozenset(np.concatenate(split).tolist()) for split in cv.split(X)]
    assert len(set(members)) == 20
    assert frozenset().union(*members) == set(range(N))


def test_fixed_pool_of_whole_groups():
    cv = RepeatedSubsampleSplit(9, test_size=4, train_size=8, pool="fixed", random_state=0)
    members = {frozenset(GROUPS[np.concatenate(s)]) for s in cv.split(X, groups=GROUPS)}
    assert [len(groups) for groups in members] == [12]


# HalfSplitPairs


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


def test_levels_of_subsamples():
    lazy = RepeatedSubsampleSplit(7).lazy_split(X)
    assert (lazy.levels, lazy.shape) == (("split",), (7,))


def test_first_pairs_do_not_depend_on_their_number():
    few, many = HalfSplitPairs(2, 3, random_state=0), HalfSplitPairs(5, 3, random_state=0)
    assert_same_splits(itertools.islice(many.split(X), 12), few.split(X))
    few, many = HalfSplitPairs(2, 3, random_state=0), HalfSplitPairs(5, 7, random_state=0)
    lazy = many.lazy_split(X)
    kept = np.arange(70).reshape(5, 2, 7)[:2, :, :3].ravel()
    assert_same_splits([lazy[k] for k in kept], few.split(X))


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
        tests = [
            set(lazy[np.ravel_multi_index((pair, half, s), lazy.shape)][1].tolist())
            for s in range(15)
        ]
        shared[pair, half] = [len(a & b) for a, b in itertools.combinations(tests, 2)]
    # Two sets of 10 of 50 rows share 2 on average.
    assert shared.mean() == pytest.approx(2, abs=0.1)
    correlation = np.corrcoef(shared[:, 0].ravel(), shared[:, 1].ravel())[0, 1]
    assert abs(correlation) < 4 / math.sqrt(shared[:, 0].size)


# Stratification


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


def test_class_counts_worked_by_hand():
    # 60, 30, 10 rows; tests of 10 hold 6, 3, 1, the complement 54, 27, 9.
    y = np.repeat(["a", "b", "c"], [60, 30, 10])
    cv = RepeatedSubsampleSplit(4, stratify=True, random_state=0)
    assert class_counts(y, cv.split(y, y)) == [((54, 27, 9), (6, 3, 1))] * 4
    # Tests of 7: shares 4.2, 2.1, .7. Training sets of 33: 19.8, 9.9, 3.3.
    cv = RepeatedSubsampleSplit(4, test_size=7, train_size=33, stratify=True, random_state=0)
    assert class_counts(y, cv.split(y, y)) == [((20, 10, 3), (4, 2, 1))] * 4
    # The pool of 50 holds 30, 15, 5, of which tests of 10 take 6, 3, 1.
    cv = RepeatedSubsampleSplit(
        4, test_size=10, train_size=40, pool="fixed", stratify=True, random_state=0
    )
    assert class_counts(y, cv.split(y, y)) == [((24, 12, 4), (6, 3, 1))] * 4
    # Halves of 30, 15, 5; the same tests.
    cv = HalfSplitPairs(3, 4, stratify=True, random_state=0)
    assert class_counts(y, cv.split(y, y)) == [((24, 12, 4), (6, 3, 1))] * 24


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
        cv = RepeatedSubsampleSplit(
            1, test_size=n_test, train_size=n_train, stratify=True, random_state=0
        )
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


@pytest.mark.parametrize("container", [np.array, np.ndarray.tolist, pd.DataFrame])
def test_rows_of_a_multilabel_target_are_classes(container):
    y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[np.arange(80) % 4]
    cv = RepeatedSubsampleSplit(3, test_size=8, stratify=True, random_state=0)
    for train, test in cv.split(y, container(y)):
        assert Counter(map(tuple, y[test].tolist())) == dict.fromkeys(
            itertools.product([0, 1], repeat=2), 2
        )
        assert len(train) == 72


def test_rows_of_text_labels_do_not_run_into_each_other():
    y = np.array([["a b", "c"], ["a", "b c"]])[np.arange(40) % 2]
    cv = RepeatedSubsampleSplit(3, test_size=4, stratify=True, random_state=0)
    for _, test in cv.split(y, y):
        assert Counter((test % 2).tolist()) == {0: 2, 1: 2}


def test_whole_numbers_in_floats_are_classes():
    cv = RepeatedSubsampleSplit(3, stratify=True, random_state=0)
    assert_same_splits(cv.split(X, Y.astype(float)), cv.split(X, Y))


# Memory


@pytest.mark.parametrize(
    ("cv", "labels"),
    [
        (RepeatedSubsampleSplit(), None),
        (RepeatedSubsampleSplit(train_size=0.5, pool="fixed"), None),
        (RepeatedSubsampleSplit(stratify=True), "y"),
        (RepeatedSubsampleSplit(train_size=0.5, stratify=True, pool="fixed"), "y"),
        (RepeatedSubsampleSplit(), "groups"),
        (HalfSplitPairs(), None),
        (HalfSplitPairs(stratify=True), "y"),
        (HalfSplitPairs(), "groups"),
    ],
    ids=as_id,
)
def test_memory_of_a_million_rows(cv, labels):
    n = 1_000_000
    data = {"X": np.broadcast_to(0, (n, 1))}
    if labels is not None:
        data[labels] = np.arange(n) % (5 if labels == "y" else 200_000)
    tracemalloc.start()
    try:
        lazy = cv.lazy_split(**data)
        lazy[len(lazy) - 1]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * n * np.dtype(np.intp).itemsize


def test_small_splits_of_many_rows_keep_nothing_else_alive():
    n = 1_000_000
    cv = RepeatedSubsampleSplit(5, test_size=100, train_size=100)
    tracemalloc.start()
    try:
        splits = list(cv.split(np.broadcast_to(0, (n, 1))))
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(splits) == 5
    assert held < n


# Bad input


@both_classes
@pytest.mark.parametrize(
    ("params", "error", "match"),
    [
        ({"n_splits": 0}, ValueError, "n_splits=0 must be 1 or more"),
        ({"n_splits": -1}, ValueError, "n_splits=-1 must be 1 or more"),
        ({"n_splits": 2.0}, TypeError, "n_splits=2.0 must be an integer"),
        ({"n_splits": True}, TypeError, "n_splits=True must be an integer"),
        ({"n_splits": None}, TypeError, "n_splits=None must be an integer"),
        ({"test_size": 0}, ValueError, "test_size=0 must be a fraction strictly between 0 and 1"),
        ({"test_size": 0.0}, ValueError, "test_size=0.0 must be a fraction"),
        ({"test_size": 1.0}, ValueError, "test_size=1.0 must be a fraction"),
        ({"test_size": 1.5}, ValueError, "test_size=1.5 must be a fraction"),
        ({"test_size": math.nan}, ValueError, "test_size=nan must be a fraction"),
        ({"test_size": -1}, ValueError, "test_size=-1 must be .* a count of 1 or more"),
        ({"test_size": "a"}, TypeError, "test_size='a' must be a fraction"),
        ({"test_size": True}, TypeError, "test_size=True must be a fraction"),
        ({"test_size": None}, TypeError, "test_size=None must be a fraction"),
        ({"stratify": "yes"}, TypeError, "stratify='yes' must be True or False"),
        ({"stratify": 1}, TypeError, "stratify=1 must be True or False"),
    ],
)
def test_malformed_arguments(cls, params, error, match):
    with pytest.raises(error, match=match) as caught:
        cls(**params)
    assert not isinstance(caught.value, SplitDesignError)


@pytest.mark.parametrize(
    ("cls", "params", "error", "match"),
    [
        (RepeatedSubsampleSplit, {"train_size": 0}, ValueError, "train_size=0 must be a fraction"),
        (RepeatedSubsampleSplit, {"train_size": "a"}, TypeError, "train_size='a' must be"),
        (RepeatedSubsampleSplit, {"train_size": True}, TypeError, "train_size=True must be"),
        (
            RepeatedSubsampleSplit,
            {"test_size": 0.5, "train_size": 0.6},
            ValueError,
            "more than 1; make one of them smaller",
        ),
        (RepeatedSubsampleSplit, {"pool": "fix"}, ValueError, r"\['all', 'fixed'\]"),
        (RepeatedSubsampleSplit, {"pool": None}, ValueError, r"\['all', 'fixed'\]"),
        (HalfSplitPairs, {"n_pairs": 0}, ValueError, "n_pairs=0 must be 1 or more"),
        (HalfSplitPairs, {"n_pairs": 1.0}, TypeError, "n_pairs=1.0 must be an integer"),
    ],
)
def test_malformed_arguments_of_one_class(cls, params, error, match):
    with pytest.raises(error, match=match):
        cls(**params)


@both_classes
def test_malformed_random_state(cls):
    with pytest.raises(ValueError, match="cannot be used to seed"):
        cls(random_state="seed").lazy_split(X)


@pytest.mark.parametrize(
    ("cv", "n", "match"),
    [
        (RepeatedSubsampleSplit(), 0, "n=0 rows; at least 2 rows are needed"),
        (RepeatedSubsampleSplit(), 1, "n=1 rows; at least 2 rows are needed"),
        (RepeatedSubsampleSplit(test_size=0.99), 5, "0 to train on.*Make test_size smaller"),
        (RepeatedSubsampleSplit(test_size=5), 5, "5 to test on.*Make test_size smaller"),
        (RepeatedSubsampleSplit(test_size=50), 5, "50 to test on and 0.*Make test_size smaller"),
        (RepeatedSubsampleSplit(train_size=0.1), 5, "0 to train on.*Make train_size larger"),
        (
            RepeatedSubsampleSplit(train_size=5),
            5,
            "at most 5 in all.*Make test_size or train_size smaller",
        ),
        (HalfSplitPairs(), 0, "n=0 rows; at least 4 rows are needed"),
        (HalfSplitPairs(), 2, "n=2 rows; at least 4 rows are needed"),
        (HalfSplitPairs(), 3, "n=3 rows; at least 4 rows are needed"),
        (
            HalfSplitPairs(test_size=0.5),
            20,
            "10 to test on, but a half has 10.*smaller.*at most 9 rows",
        ),
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


@both_classes
@pytest.mark.parametrize(
    ("y", "match"),
    [
        (None, "needs y; pass y, or use stratify=False"),
        (np.linspace(0, 1, 40), "continuous.*bin y, or use stratify=False"),
        (np.linspace(0, 1, 40).tolist(), "continuous.*bin y, or use stratify=False"),
        (np.arange(40), "Class 0 of y has 1 row.*bin y.*stratify=False"),
        (np.repeat(["a", "rare"], [39, 1]), "Class rare of y has 1 row.*Merge rare classes"),
        (np.repeat([[0, 1], [5, 6]], [39, 1], axis=0), r"Class \[5 6\] of y has 1 row"),
        (np.arange(40) % 7, "4 test rows are given for 7 classes.*Change test_size"),
    ],
)
def test_classes_that_cannot_serve(cls, y, match):
    with pytest.raises(SplitDesignError, match=match):
        cls(stratify=True).lazy_split(np.zeros(40), y)


def test_training_rows_must_be_as_many_as_the_classes():
    cv = RepeatedSubsampleSplit(stratify=True, train_size=2)
    with pytest.raises(SplitDesignError, match=r"2 training rows and 4 test rows.*3 classes"):
        cv.lazy_split(np.zeros(40), np.arange(40) % 3)
    cv = HalfSplitPairs(stratify=True, test_size=0.45)
    with pytest.raises(SplitDesignError, match=r"2 training rows and 18 test rows.*3 classes"):
        cv.lazy_split(np.zeros(40), np.arange(40) % 3)


def test_rows_that_a_class_must_have():
    for counts, fewest, cls in (((38, 2), 2, RepeatedSubsampleSplit), ((36, 4), 4, HalfSplitPairs)):
        y = np.repeat([0, 1], counts)
        assert len(list(cls(stratify=True).split(y, y))) == cls().get_n_splits()
        y = np.repeat([0, 1], (counts[0] + 1, counts[1] - 1))
        with pytest.raises(SplitDesignError, match=f"at least {fewest} of each class"):
            cls(stratify=True).lazy_split(y, y)


@both_classes
@pytest.mark.parametrize(
    ("groups", "match"),
    [
        (np.zeros(39), "groups has 39 rows and X has 40"),
        ([*range(39), math.nan], "groups has missing labels"),
        ([*range(39), None], "groups has missing labels"),
        ([*range(39), pd.NA], "groups has missing labels"),
        ([*"a" * 39, math.nan], "groups has missing labels"),
        (pd.Series([*"a" * 39, None]), "groups has missing labels"),
        (pd.Series([*range(39), None], dtype="Int64"), "groups has missing labels"),
        (np.array(["2020-01-01"] * 39 + ["NaT"], dtype="M8[D]"), "groups has missing labels"),
        (np.array([*range(39), "a"], dtype=object), "cannot be sorted together; make them strings"),
        (np.zeros((40, 1, 1)), "groups has 3 dimensions"),
    ],
)
def test_malformed_groups(cls, groups, match):
    with pytest.raises(ValueError, match=match) as caught:
        cls().lazy_split(np.zeros(40), None, groups)
    assert not isinstance(caught.value, SplitDesignError)


@both_classes
def test_malformed_y(cls):
    with pytest.raises(ValueError, match="y has 39 rows and X has 40"):
        cls(stratify=True).lazy_split(np.zeros(40), np.zeros(39))
    with pytest.raises(ValueError, match="y has missing labels"):
        cls(stratify=True).lazy_split(np.zeros(40), np.r_[np.nan, np.zeros(39)])


@both_classes
def test_groups_with_stratify(cls):
    with pytest.raises(SplitDesignError, match=r"groups with stratify=True.*leave groups out"):
        cls(stratify=True).lazy_split(X, Y, GROUPS)


@both_classes
def test_data_without_rows(cls):
    with pytest.raises(TypeError, match="X must be data with rows"):
        cls().lazy_split(3)
