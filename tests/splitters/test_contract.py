"""What holds for every splitter, and arguments of splitters."""

import copy
import dataclasses
import hashlib
import itertools
import math
import pickle
import tracemalloc

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from scipy import stats
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, cross_validate

from skcvstats import SplitDesign, compare_estimators
from skcvstats.exceptions import SplitDesignError
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold

HALF = {"train_size": 0.5, "pool": "fixed", "stratify": True}
# Each with its sizes (n_samples, n_train, n_test) on 101 rows, worked out by hand.
ALL_SPLITTERS = [
    (RepeatedSubsampleSplit(6, random_state=0), (101, 90, 11)),
    (RepeatedSubsampleSplit(6, train_size=0.5, random_state=0), (101, 50, 11)),
    (RepeatedSubsampleSplit(6, train_size=0.5, pool="fixed", random_state=0), (61, 50, 11)),
    (RepeatedSubsampleSplit(6, stratify=True, random_state=0), (101, 90, 11)),
    (RepeatedSubsampleSplit(6, test_size=20, random_state=0, **HALF), (70, 50, 20)),
    (HalfSplitPairs(3, 4, random_state=0), (101, 39, 11)),
    (HalfSplitPairs(3, 4, test_size=10, stratify=True, random_state=0), (101, 40, 10)),
]
SPLITTERS = [splitter for splitter, _ in ALL_SPLITTERS]
UNSTRATIFIED = [splitter for splitter in SPLITTERS if not splitter.stratify]
STRATIFIED = [splitter for splitter in SPLITTERS if splitter.stratify]

N = 101
X = np.random.RandomState(0).normal(size=(N, 2))
Y = np.arange(N) % 3
GROUPS = np.random.RandomState(1).randint(0, 23, size=N)  # 23 groups of 1 to 10 rows


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


@all_splitters
def test_copies_have_the_same_splits(cv):
    copies = clone(cv, safe=False), pickle.loads(pickle.dumps(cv)), copy.deepcopy(cv)
    for other in (*copies, eval(repr(cv))):
        assert other is not cv
        assert type(other) is type(cv)
        assert vars(other) == vars(cv)
        assert_same_splits(other.split(X, Y), cv.split(X, Y))


@pytest.mark.parametrize(("cv", "sizes"), ALL_SPLITTERS, ids=as_id)
def test_parts_are_disjoint_and_of_the_stated_sizes(cv, sizes):
    _, n_train, n_test = sizes
    lazy = cv.lazy_split(X, Y)
    assert (lazy.n_samples, lazy.n_train, lazy.n_test) == sizes
    assert lazy.units.unit == "rows"
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
    many = with_params(cv, n_splits=150).lazy_split(X, Y, groups)
    assert_same_splits(many.take(np.arange(2, dtype=np.int8)), [many[0], many[1]])
    for k in (n, -n - 1):
        with pytest.raises(IndexError, match=f"There is no split {k}: there are {n}"):
            lazy[k]


@all_splitters
def test_lazy_split_is_frozen_and_pickles_small(cv):
    y, groups = Y.copy(), None if cv.stratify else np.arange(N) // 2
    of_callers_arrays = cv.lazy_split(X, y, groups)
    before = as_lists(of_callers_arrays)
    (y if groups is None else groups)[:] = 0
    assert as_lists(of_callers_arrays) == before
    lazy = cv.lazy_split(X, Y)
    with pytest.raises(dataclasses.FrozenInstanceError):
        lazy.n_test = 3
    assert_same_splits(pickle.loads(pickle.dumps(lazy)), lazy)
    assert len(repr(lazy)) < 300
    many = np.broadcast_to(0, (1_000_000, 1))
    for of_rows in (lazy, with_params(cv, stratify=False).lazy_split(many)):
        assert len(pickle.dumps(of_rows)) < 1000
    for train, test in lazy:
        train[:] = test[:] = 0  # a split that was given away can be changed without harm
    assert_same_splits(lazy, cv.split(X, Y))


@all_splitters
def test_first_splits_do_not_depend_on_their_number(cv):
    base = cv.lazy_split(X, Y)
    n_pairs = {"n_pairs": cv.n_pairs + 2} if hasattr(cv, "n_pairs") else {}
    more = with_params(cv, n_splits=cv.n_splits + 3, **n_pairs).lazy_split(X, Y)
    first = tuple(slice(n) for n in base.shape)
    splits = np.arange(len(more)).reshape(more.shape)[first].ravel()
    assert_same_splits([more[k] for k in splits], base)


@all_splitters
def test_an_int_seed_repeats_and_none_does_not(cv):
    first, anew = as_lists(cv.split(X, Y)), with_params(cv, random_state=None)
    assert as_lists(cv.split(X, Y)) == first
    assert as_lists(with_params(cv, random_state=1).split(X, Y)) != first
    assert as_lists(anew.split(X, Y)) != as_lists(anew.split(X, Y))


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
    # a failed call does not advance it
    cv = RepeatedSubsampleSplit(3, random_state=np.random.RandomState(0))
    with pytest.raises(SplitDesignError):
        cv.lazy_split(X[:1])
    assert_same_splits(cv.split(X), RepeatedSubsampleSplit(3, random_state=0).split(X))


# The bits of every split, as recorded at commit 7273a08, before splits were drawn several at a
# time: the same seed gives the same rows in the same order in every version. A change here breaks
# whoever published a seed.
PINNED = {
    "subsample": (RepeatedSubsampleSplit(25, random_state=0), "af54c951ffbc9b83"),
    "large seed": (RepeatedSubsampleSplit(5, random_state=2**32 - 1), "daf632c54529de24"),
    "train_size": (SPLITTERS[1], 3, "d7ea30e4a7ff0a1a"),
    "fixed pool": (SPLITTERS[2], 4, "96550087543a17ed"),
    "replicates": (RepeatedSubsampleSplit(4, n_replicates=3, random_state=5), "9a49a9a7720c844f"),
    "stratified": (RepeatedSubsampleSplit(6, stratify=True, random_state=6), "f52c6e7060ca5705"),
    "half pairs": (HalfSplitPairs(3, 4, random_state=7), "4cc39fc88ebca7ef"),
    "half pairs, stratified": (SPLITTERS[6], 8, "0021f74c05cd7bb6"),
    "two-fold": (RepeatedTwoFold(3, random_state=9), "610e0dc2ec2163a6"),
    "stratified folds": (RepeatedTwoFold(3, stratify=True), 10, "8bbe64df119d42c5"),
    "subsample of groups": (RepeatedSubsampleSplit(6, random_state=11), "c5c8b38074ce37cc"),
    "half pairs of groups": (HalfSplitPairs(3, 4, random_state=12), "50514c4ba8e24a36"),
    "two-fold of groups": (RepeatedTwoFold(3, random_state=13), "f6b984b4f11610da"),
}


def digest_of(splits):
    """Fingerprint the rows of all splits in their order, which split_digest leaves out."""
    digest = hashlib.blake2b(digest_size=8)
    for split in splits:
        for rows in split:
            assert rows.dtype == np.intp
            digest.update(len(rows).to_bytes(8, "little") + rows.astype("<i8").tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("name", PINNED)
def test_splits_are_those_of_the_first_version(name):
    cv, *seed, expected = PINNED[name]
    cv = with_params(cv, random_state=seed[0]) if seed else cv
    groups = GROUPS if name.endswith("of groups") else None
    assert digest_of(cv.split(X, Y, groups)) == expected


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


def memory_after(function):
    """Return what a function returns, and the memory that is held then and was at most."""
    tracemalloc.start()
    try:
        return function(), *tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("cv", "labels"),
    [
        (RepeatedSubsampleSplit(), None),
        (RepeatedSubsampleSplit(**HALF), "y"),
        (RepeatedSubsampleSplit(), "groups"), (HalfSplitPairs(), None),
        (HalfSplitPairs(stratify=True), "y"), (HalfSplitPairs(), "groups"),
    ],
    ids=as_id,
)  # fmt: skip
def test_memory_of_a_million_rows(cv, labels):
    n = 1_000_000
    data = {"X": np.broadcast_to(0, (n, 1))}
    if labels is not None:
        data[labels] = np.arange(n) % (5 if labels == "y" else 200_000)
    _, _, peak = memory_after(lambda: cv.lazy_split(**data)[cv.get_n_splits() - 1])
    assert peak < 8 * n * np.dtype(np.intp).itemsize


def test_small_splits_of_many_rows_keep_nothing_else_alive():
    n = 1_000_000
    cv = RepeatedSubsampleSplit(5, test_size=100, train_size=100)
    splits, held, _ = memory_after(lambda: list(cv.split(np.broadcast_to(0, (n, 1)))))
    assert len(splits) == 5
    assert held < n


def with_few_splits(cv):
    return with_params(cv, n_splits=2, **({"n_pairs": 2} if hasattr(cv, "n_pairs") else {}))


NUMBERS = Y.astype(float)
FEW = [with_few_splits(cv) for cv in UNSTRATIFIED]


@pytest.mark.parametrize("routing", [False, True], ids=["plain", "routing"])
@pytest.mark.parametrize(
    ("cv", "groups"),
    [*itertools.product(FEW, [None, GROUPS]), (with_few_splits(STRATIFIED[0]), None)],
    ids=as_id,
)
def test_scores_of_cross_validate_are_those_of_a_loop(cv, groups, routing):
    splits, model, given = list(cv.split(X, NUMBERS, groups)), Ridge(), {}
    by_hand = [model.fit(X[a], NUMBERS[a]).score(X[b], NUMBERS[b]) for a, b in splits]
    if groups is not None:
        given = {"groups": groups}
    # Not params=None: scikit-learn 1.6.0 cannot route that.
    passed = {"params": given} if routing else given
    with sklearn.config_context(enable_metadata_routing=routing):
        results = cross_validate(Ridge(), X, NUMBERS, cv=cv, return_indices=True, **passed)
    found = zip(*(results["indices"][side] for side in ("train", "test")), strict=True)
    assert_same_splits(found, splits)
    np.testing.assert_allclose(results["test_score"], by_hand)


def test_groups_are_requested_by_default():
    for cv in SPLITTERS:
        assert cv.get_metadata_routing().split.requests == {"groups": True}


SEEDED = {"n_splits": 3, "random_state": 0}


class Thinned(RepeatedSubsampleSplit):
    """Trains on every second row."""

    def split(self, X, y=None, groups=None):
        for train, test in super().split(X, y, groups):
            yield train[::2], test


class Below(Thinned):
    """Takes `split` from its base."""


class Delegating:
    """Has `lazy_split` only by what it wraps."""

    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.inner, name)

    def split(self, X, y=None, groups=None):
        for train, test in self.inner.split(X, y, groups):
            yield train[::2], test


def thinned_on_the_object():
    cv = RepeatedSubsampleSplit(**SEEDED)
    cv.split = Thinned(**SEEDED).split
    return cv


OVERRIDDEN = [
    Thinned(**SEEDED), Below(**SEEDED), Delegating(RepeatedSubsampleSplit(**SEEDED)),
    thinned_on_the_object(),
]  # fmt: skip


def fitted_design(cv):
    random = DummyClassifier(strategy="uniform", random_state=0)
    pair = {"prior": DummyClassifier(), "random": random}
    return compare_estimators(pair, X, Y, cv=cv, scoring="accuracy").scores.design


@pytest.mark.filterwarnings("ignore:Only")
@pytest.mark.parametrize("design_of", [fitted_design, lambda cv: SplitDesign.from_splitter(cv, X)])
@pytest.mark.parametrize("cv", OVERRIDDEN, ids=lambda cv: type(cv).__name__)
def test_an_overridden_split_is_what_is_drawn(cv, design_of):
    train, test = zip(*cv.split(X), strict=True)
    design = design_of(cv)
    assert design.digests == SplitDesign.from_indices(train, test, n_samples=N).digests
    assert set(design.n_train) == {len(rows) for rows in train}


@pytest.mark.filterwarnings("ignore:Only")
@pytest.mark.parametrize("design_of", [fitted_design, lambda cv: SplitDesign.from_splitter(cv, X)])
def test_a_subclass_that_leaves_split_alone_is_ours(design_of):
    class Named(RepeatedSubsampleSplit):
        pass

    class Fewer(RepeatedSubsampleSplit):
        def lazy_split(self, X, y=None, groups=None):
            return RepeatedSubsampleSplit(2, random_state=5).lazy_split(X, y, groups)

    named, fewer = design_of(Named(**SEEDED)), design_of(Fewer(**SEEDED))
    assert (named.n_splits, named.seed) == (3, 0)  # a seed is known of recipes only
    assert (fewer.n_splits, fewer.seed) == (2, 5)


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
        ("n_splits", [0, -1, 2.0, True, None], ValueError, "must be an integer of at least 1"),
        ("test_size", [0, 0.0, 1.0, 1.5, math.nan, -1], ValueError, FRACTION),
        ("test_size", ["a", True, None], TypeError, FRACTION),
        ("stratify", ["yes", 1], TypeError, "must be True or False"),
    ],
)
def test_malformed_arguments_are_refused_with_their_value(cls, name, values, error, match):
    for value in values:
        with pytest.raises(error, match=f"{name}={value!r} {match}") as caught:
            cls(**{name: value})
        assert not isinstance(caught.value, SplitDesignError)


@pytest.mark.parametrize(
    ("cv", "n", "match"),
    [
        (RepeatedSubsampleSplit(), 1, "n=1 rows; at least 2 rows are needed"),
        (RepeatedSubsampleSplit(test_size=0.99), 5, "0 to train on.*Change test_size or"),
        (RepeatedSubsampleSplit(train_size=0.1), 5, "0 to train on.*Change test_size or"),
        (RepeatedSubsampleSplit(train_size=5), 5, "at most 5 .*Change test_size or train_size"),
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
    assert lazy.units.unit == "groups"
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


UNFIT = [
    (np.repeat([[0, 1], [5, 6]], [39, 1], axis=0), r"Class \[5 6\] of y has 1 row"),
    (np.arange(40) % 7, "4 test rows are given for 7 classes.*Change test_size"),
]
MALFORMED = [
    (np.zeros(39), "{} has 39 entries for 40 rows of X"),
    (np.zeros((40, 1, 1)), "{} has 3 dimensions"),
    ([*range(39), math.nan], "{} has missing labels"),
    (pd.Series([*range(39), None], dtype="Int64"), "{} has missing labels"),
    (np.array(["2020-01-01"] * 39 + ["NaT"], dtype="M8[D]"), "{} has missing labels"),
]  # fmt: skip


@both_classes
@pytest.mark.parametrize(("labels", "match"), UNFIT + MALFORMED)
def test_labels_that_cannot_serve(cls, labels, match):
    for name in ("y", "groups") if "{}" in match else ("y",):
        with pytest.raises(ValueError, match=match.format(name)) as caught:
            cls(stratify=name == "y").lazy_split(np.zeros(40), **{name: labels})
        assert isinstance(caught.value, SplitDesignError) == ("{}" not in match)
