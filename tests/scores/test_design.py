"""Splits that are known: sizes, levels, digests, pairing; notes on designs and on scores."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import model_selection as ms
from sklearn.dummy import DummyRegressor

import skcvstats as s
from skcvstats.scores import (
    UNVERIFIED_PAIRING,
    Note,
    as_notes,
    stack_scores,
    target_digest,
    union,
    warn_of,
)


def parts(cv, n, y=None, groups=None):
    """Split n rows; return the training parts and the test parts."""
    splits = list(cv.split(np.zeros((n, 1)), y, groups))
    return [train for train, _ in splits], [test for _, test in splits]


PAIRS = ("pair", "half", "split")
REPLICATES = ("replicate", "split")
LEVELS = [
    (ms.KFold(2), 30, ("fold",), (2,)),
    (ms.LeaveOneOut(), 7, ("fold",), (7,)),
    (ms.StratifiedKFold(3, shuffle=True, random_state=0), 31, ("fold",), (3,)),
    (ms.RepeatedKFold(n_splits=5, n_repeats=3, random_state=0), 23, ("repeat", "fold"), (3, 5)),
    (ms.RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0), 24,
     ("repeat", "fold"), (5, 2)),
    (ms.ShuffleSplit(4, test_size=0.5, random_state=0), 40, ("split",), (4,)),
    (ms.TimeSeriesSplit(5), 40, ("split",), (5,)),
    (s.RepeatedSubsampleSplit(6, test_size=10, train_size=20, pool="fixed", random_state=0), 50,
     ("split",), (6,)),
    (s.HalfSplitPairs(3, 4, test_size=0.1, random_state=0), 41, PAIRS, (3, 2, 4)),
    (s.HalfSplitPairs(2, 2, test_size=0.1, random_state=0), 20, PAIRS, (2, 2, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("cv", "n", "levels", "shape"), LEVELS, ids=lambda v: repr(v)[:40])
def test_levels_are_recognised_from_indices(cv, n, levels, shape):
    y = np.arange(n) % 2
    design = s.SplitDesign.from_indices(*parts(cv, n, y), n_samples=n)
    assert (design.levels, design.shape) == (levels, shape)
    assert s.SplitDesign.from_splitter(cv, np.zeros((n, 1)), y).levels == levels


def test_chance_half_pairs_are_not_recognised():
    for n_splits, n in ((1, 40), (4, 18)):
        cv = s.HalfSplitPairs(3, n_splits, random_state=0)
        trains, tests = parts(cv, n)
        assert s.SplitDesign.from_indices(trains, tests, n_samples=n).levels == ("split",)
        shape = (cv.n_pairs, 2, cv.n_splits)
        stated = s.SplitDesign.from_indices(trains, tests, n_samples=n, levels=PAIRS, shape=shape)
        assert stated.shape == shape


def test_levels_of_folds_that_are_no_whole_partition():
    """Unequal numbers and missing folds are plain splits; folds inside a subset are folds."""
    (trains, tests), (others, other_tests) = parts(ms.KFold(4), 40), parts(ms.KFold(5), 40)
    unequal = s.SplitDesign.from_indices(trains + others, tests + other_tests)
    assert unequal.levels == s.SplitDesign.from_indices(trains[:3], tests[:3]).levels == ("split",)
    rows = np.random.default_rng(0).permutation(100)[:40]
    inside = s.SplitDesign.from_indices([rows[t] for t in trains], [rows[t] for t in tests])
    assert (inside.levels, inside.n_samples) == (("fold",), 40)


def test_pool_is_what_the_splitter_states_or_the_length_of_x():
    sizes = {"test_size": 0.2, "train_size": 0.4, "random_state": 0}
    for cv, n_samples in (
        (s.RepeatedSubsampleSplit(6, pool="fixed", **sizes), 30),
        (s.RepeatedSubsampleSplit(6, **sizes), 50),
        (ms.ShuffleSplit(1, **sizes), 50),
    ):
        assert s.SplitDesign.from_splitter(cv, np.zeros((50, 1))).n_samples == n_samples


def test_pool_from_indices_and_y():
    for cv, n in [
        (ms.ShuffleSplit(2, test_size=0.3), 30),  # each split covers all that occurs
        # A row is missed by all 15 splits with probability .4^15; 1e-4 of 100 are expected to be.
        (ms.ShuffleSplit(15, train_size=0.5, test_size=0.1, random_state=0), 100),
    ]:
        assert s.SplitDesign.from_indices(*parts(cv, n)).n_samples == n
    sizes = {"train_size": 0.5, "test_size": 0.1, "random_state": 0}
    fixed = parts(s.RepeatedSubsampleSplit(15, pool="fixed", **sizes), 300)
    assert s.SplitDesign.from_indices(*fixed, y=np.arange(300)).n_samples == 180
    redrawn = parts(ms.ShuffleSplit(3, train_size=0.2, test_size=0.1, random_state=0), 300)
    assert s.SplitDesign.from_indices(*redrawn, y=np.arange(300)).n_samples == 300


@pytest.mark.parametrize(("n_splits", "asked"), [(5, True), (6, False)])
def test_pool_is_asked_for_at_the_stated_threshold(n_splits, asked):
    # u = 20 rows occur and each split covers 10: 20 (1/2)^J < .5 from J = 6 on.
    rows = np.arange(20)
    supports = [rows[:10], rows[10:], rows[5:15], rows[::2], rows[1::2], rows[3:13]][:n_splits]
    trains, tests = [rows[:8] for rows in supports], [rows[8:] for rows in supports]
    if asked:
        with pytest.raises(s.SplitDesignError, match="Pass n_samples="):
            s.SplitDesign.from_indices(trains, tests)
        assert s.SplitDesign.from_indices(trains, tests, n_samples=25).n_samples == 25
    else:
        assert s.SplitDesign.from_indices(trains, tests).n_samples == 20


def test_sizes_count_groups_where_splits_keep_them_whole():
    groups = np.repeat(np.arange(12), 5)
    trains, tests = parts(ms.GroupKFold(4), 60, groups=groups)
    design = s.SplitDesign.from_indices(trains, tests, groups=groups)
    assert (design.unit, design.n_samples) == ("groups", 12)
    assert (design.train_size, design.test_size) == (9, 3)
    assert design.levels == ("fold",)
    one_out = s.SplitDesign.from_splitter(ms.LeaveOneGroupOut(), np.zeros((60, 1)), None, groups)
    assert (one_out.train_size, one_out.test_size, one_out.n_splits) == (11, 1, 12)
    cv = s.RepeatedSubsampleSplit(3, test_size=0.25, random_state=0)
    own = s.SplitDesign.from_splitter(cv, np.zeros((60, 1)), None, groups)
    assert (own.unit, own.n_samples, own.train_size, own.test_size) == ("groups", 12, 9, 3)
    torn = s.SplitDesign.from_indices(*parts(ms.KFold(7), 60), groups=groups)
    assert (torn.unit, torn.n_samples) == ("rows", 60)
    # Groups tell the pool of few splits, which could not be told from the indices.
    some = [trains[0][:5], trains[1][:5]], [trains[0][5:10], trains[1][5:10]]
    design = s.SplitDesign.from_indices(*some, groups=groups)
    assert (design.n_samples, design.unit, design.test_size) == (12, "groups", 1)
    with pytest.raises(s.SplitDesignError, match="leave n_samples out"):
        s.SplitDesign.from_indices(*some, groups=groups, n_samples=92)
    unequal = np.repeat(np.arange(40), np.arange(40) % 3 + 1)
    cv = s.HalfSplitPairs(3, 4, test_size=0.1, random_state=0)
    pairs = s.SplitDesign.from_indices(*parts(cv, unequal.size, groups=unequal), groups=unequal)
    assert (pairs.levels, pairs.shape) == (PAIRS, (3, 2, 4))


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8))
def test_test_size_is_the_harmonic_mean(sizes):
    design = s.SplitDesign.from_sizes(10, sizes, n_samples=100)
    assert design.test_size == pytest.approx(len(sizes) / np.sum(1 / np.array(sizes)), rel=1e-14)
    assert design.train_size == 10
    left = 100 - design.test_size  # also of rows that no split trains on
    assert design.rho0_odds == pytest.approx(design.test_size / left, rel=1e-14)
    assert (len(set(sizes)) > 1) or type(design.test_size) is int


def digest_of(train, test):
    """Return the fingerprint of a split of 12 rows."""
    (digest,) = s.SplitDesign.from_indices([train], [test], n_samples=12).digests
    return digest


def difference_of(a, b):
    """Return the difference of scores with these designs."""
    first, second = (s.CVScores(values=np.arange(float(x.n_splits)), design=x) for x in (a, b))
    return first - second


@given(st.permutations(list(range(12))), st.integers(1, 11), st.integers(0, 1000))
def test_digests_know_sets_not_orders(rows, n_train, seed):
    rows = np.array(rows)
    train, test = rows[:n_train], rows[n_train:]
    shuffle = np.random.default_rng(seed).permutation
    digest = digest_of(train, test)
    assert digest_of(shuffle(train), shuffle(test)) == digest
    assert digest_of(test, train) != digest
    if n_train > 1:
        assert digest_of(train[1:], test) != digest
        assert digest_of(np.append(train[1:], train[1]), test) != digest_of(train[1:], test)
    assert digest_of(train.astype(np.int32), test.astype(np.uint8)) == digest


def test_targets_with_other_values_or_shapes_have_other_digests():
    assert target_digest([0, 1, 1]) == target_digest(np.array([0.0, 1, 1]))
    assert target_digest([0, 1, 1]) != target_digest([1, 0, 1])
    assert target_digest(["a", "b"]) != target_digest(["a", "c"])
    assert target_digest(np.zeros((2, 3))) != target_digest(np.zeros((3, 2)))
    assert target_digest(None) is None


def test_equal_designs_pair_without_notes_and_stated_sizes_with_one():
    splits = parts(ms.ShuffleSplit(4, test_size=0.2, random_state=0), 30)
    a, b = (s.SplitDesign.from_indices(*splits, y=np.arange(30)) for _ in range(2))
    assert a == b
    assert difference_of(a, b).design == a
    assert difference_of(a, b).notes == ()
    stated = s.SplitDesign.from_sizes(24, 6, n_splits=4)
    for difference in (difference_of(a, stated), difference_of(stated, a)):
        assert difference.design == a
        assert difference.notes == (UNVERIFIED_PAIRING,)
    assert pickle.loads(pickle.dumps(a)) == a


def test_taking_some_splits_keeps_what_is_known():
    design = s.SplitDesign.from_indices(*parts(ms.KFold(5), 23))
    some = design.take([0, 3])
    assert some.levels == ("split",)
    assert some.n_test == (design.n_test[0], design.n_test[3])
    assert some.digests == (design.digests[0], design.digests[3])
    assert some.n_samples == 23
    assert design.take(range(5)) is design
    first = (side[:2] for side in parts(ms.KFold(5), 23))
    assert design.take([0, 1]).digests == s.SplitDesign.from_indices(*first, n_samples=23).digests
    with pytest.raises(s.SplitDesignError, match="No split is left"):
        design.take([])
    seeded = s.SplitDesign.from_splitter(s.RepeatedSubsampleSplit(5, random_state=3), np.zeros(50))
    some = seeded.take([0, 1, 4])
    assert (seeded.seed, some.seed) == (3, None)  # which does not draw these
    assert some.source == f"3 of the 5 splits of {seeded.source}"
    design = with_holes(REPLICATES, (3, 2), []).design
    assert design.take([4, 5, 0, 1]).shape == (2, 2)
    for splits in ([1, 0, 4, 5], [0, 1, 2], [1, 2]):
        assert design.take(splits).levels == ("split",)


def test_boolean_masks_are_row_numbers_and_repeated_rows_count_once():
    mask = np.array([True, True, True, False, False])
    once = s.SplitDesign.from_indices([[0, 1, 2]], [[3, 4]])
    assert s.SplitDesign.from_indices([mask], [~mask]) == once
    twice = s.SplitDesign.from_indices([[0, 1, 2, 2]], [[3, 4]], n_samples=6)
    assert once.digests != twice.digests
    assert twice.n_train == (3,)


def test_designs_of_other_pools_or_units_do_not_pair():
    groups = np.repeat(np.arange(12), 5)
    trains, tests = parts(ms.GroupKFold(4), 60, groups=groups)
    by_group = s.SplitDesign.from_indices(trains, tests, groups=groups)
    by_row = s.SplitDesign.from_indices(trains, tests)
    larger = s.SplitDesign.from_indices(trains, tests, n_samples=100)
    for a, b in [(by_group, by_row), (by_row, larger)]:
        with pytest.raises(s.PairingError, match="Read both with the same groups= and n_samples="):
            difference_of(a, b)


def test_seed_of_our_splits_is_kept():
    cv, X = s.RepeatedSubsampleSplit(3), np.zeros((50, 1))
    y = np.arange(50.0)
    designs = [s.cross_val_score(DummyRegressor(), X, y, cv=cv).design for _ in range(2)]
    assert designs[0].seed != designs[1].seed
    for design in designs:
        again = s.RepeatedSubsampleSplit(3, random_state=design.seed)
        assert s.SplitDesign.from_splitter(again, X).digests == design.digests
        assert again.lazy_split(X).seed == design.seed


UNSEEDED = [
    ms.KFold(5, shuffle=True), ms.ShuffleSplit(5, random_state=np.random.RandomState(0)),
    s.RepeatedSubsampleSplit(5), s.RepeatedSubsampleSplit(5, random_state=np.random.RandomState(0)),
]  # fmt: skip


@pytest.mark.parametrize("cv", UNSEEDED, ids=lambda v: repr(v)[:40])
def test_what_is_drawn_anew_each_time_is_refused(cv):
    X = np.zeros((50, 1))
    with pytest.raises(s.SplitDesignError, match=r"random_state=.*from_indices\(.*from_sizes"):
        s.SplitDesign.from_splitter(cv, X)
    sizes = s.SplitDesign.from_any_draw(cv, X)
    assert sizes.digests is sizes.seed is None
    assert [note.code for note in sizes.notes] == ["unseeded splits"]
    assert (sizes.n_splits, sizes.n_samples, sizes.n_train[0]) == (5, 50, 50 - sizes.n_test[0])

    class Exhausted:  # has fewer splits the second time
        splits = iter(ms.KFold(3).split(X))

        def split(self, X, y=None, groups=None):
            yield from self.splits

    with pytest.raises(s.SplitDesignError, match="draws other splits each time"):
        s.SplitDesign.from_splitter(Exhausted(), X)


def with_holes(levels, shape, holes):
    n_splits = int(np.prod(shape))
    laid_out = {"n_splits": n_splits, "levels": levels, "shape": shape}
    design = s.SplitDesign.from_sizes(40, 10, n_samples=100, **laid_out)
    values = np.arange(n_splits, dtype=float)
    values[holes] = np.nan
    return s.CVScores(values=values, design=design)


@pytest.mark.parametrize(
    ("levels", "shape", "holes", "left", "expected"),
    [
        # Pair 1 is splits 6 to 11: a hole in one half takes the other half with it.
        (PAIRS, (3, 2, 3), [7], [*range(6), *range(12, 18)], (PAIRS, (2, 2, 3))),
        (PAIRS, (3, 2, 3), [0, 17], list(range(6, 12)), (PAIRS, (1, 2, 3))),
        (REPLICATES, (4, 2), [0, 5], [2, 3, 6, 7], (REPLICATES, (2, 2))),
        (("repeat", "fold"), (2, 3), [4], [0, 1, 2, 3, 5], (("split",), (5,))),
    ],
)
def test_a_hole_takes_its_whole_pair_or_replicate(levels, shape, holes, left, expected):
    rest = with_holes(levels, shape, holes).dropna()
    assert rest.values.tolist() == left
    assert (rest.design.levels, rest.design.shape) == expected
    n_dropped = np.prod(shape) - len(left)
    told = f"{n_dropped} of {np.prod(shape)} splits dropped for missing scores"
    assert [str(note) for note in rest.notes] == [told]


@pytest.mark.filterwarnings("ignore::skcvstats.AnticonservativeWarning")
def test_a_bootstrap_goes_on_without_a_failed_replicate():
    holed = with_holes(REPLICATES, (5, 3), [4])
    result = s.BootstrapTTest()(holed.dropna())
    means = np.arange(15.0).reshape(5, 3)[[0, 2, 3, 4]].mean(axis=1)
    assert result.estimate == means[0]
    assert result.df == 2
    assert result.standard_error == pytest.approx(means[1:].std(ddof=1))


Y = np.random.default_rng(0).integers(2, size=60)
NOTE = Note("some code", "some text")


def codes(notes):
    return [note.code for note in notes]


def from_indices(cv, y=Y):
    train, test = zip(*cv.split(y, y), strict=True)
    return s.SplitDesign.from_indices(train, test, y=y)


class OfTheFamily(ms.StratifiedKFold):
    """A subclass of a splitter that is known."""


class TestNote:
    def test_its_text_and_category(self):
        assert str(NOTE) == f"{NOTE}" == "some text"
        assert NOTE.category is s.SplitDesignWarning
        for category in (UserWarning, "SplitDesignWarning", ValueError):
            with pytest.raises(TypeError, match=r"must be None or one of .*SplitDesignWarning"):
                as_notes([Note("a", "b", category)])
        with pytest.raises(TypeError, match="a code and a text"):
            as_notes([Note("a", None)])

    def test_strings_are_no_warnings(self):
        assert as_notes(["text", NOTE, "text"]) == (Note("note", "text", None), NOTE)
        for wrong in ("text", NOTE, None, [3]):
            with pytest.raises(TypeError, match=r"must be .*notes, warnings or strings"):
                as_notes(wrong)

    def test_notes_are_joined_and_warned_of_once_each(self):
        other = Note("other", "text", None)
        assert union([NOTE, other], [NOTE]) == (NOTE, other)
        with pytest.warns(s.SplitDesignWarning, match=r"^Some text\.$") as caught:
            warn_of([NOTE, other, NOTE])
        assert len(caught) == 1


class TestDesign:
    def test_notes_take_no_part_in_equality_and_pairing(self):
        bare = from_indices(ms.ShuffleSplit(4, random_state=0))
        noted = replace(bare, notes=(NOTE,))
        assert bare == noted
        assert hash(bare) == hash(noted)
        assert repr(bare) == repr(noted)
        assert difference_of(bare, noted).design.notes == (NOTE,)

    def test_differences_and_stacks_take_the_union(self):
        other = Note("other", "text", None)
        bare = from_indices(ms.ShuffleSplit(4, random_state=0), y=Y)
        a, b = (
            s.CVScores(values=np.arange(4.0), design=replace(bare, notes=notes), notes=(f"of {k}",))
            for k, notes in enumerate([(NOTE,), (other, NOTE)])
        )
        for both in (a - b, stack_scores({"a": a, "b": b})):
            assert both.design.notes == (NOTE, other)
            assert set(map(str, both.notes)) >= {"of 0", "of 1"}
            assert both.all_notes[:2] == (NOTE, other)

    def test_some_of_the_splits(self):
        time = from_indices(ms.TimeSeriesSplit(5))
        assert codes(time.notes) == codes(time.take([0, 2]).notes) == ["time order"]
        assert time.take([2]).notes == ()
        assert replace(time, notes=(NOTE,)).take([2]).notes == (NOTE,)

    def test_groups_in_training_and_test_sets_are_noted(self):
        groups = np.arange(60) // 3
        train, test = zip(*ms.GroupKFold(5).split(Y, Y, groups), strict=True)
        assert s.SplitDesign.from_indices(train, test, groups=groups).notes == ()
        one_torn = [np.arange(30, 60), np.arange(31)], [np.arange(30), np.arange(31, 60)]
        first, *_ = s.SplitDesign.from_indices(*one_torn, groups=groups).notes
        assert first.code == "groups split across training and test"

    def test_time_order_whatever_made_it(self):
        walk = [np.arange(k) for k in (20, 30, 40)], [np.arange(k, k + 10) for k in (20, 30, 40)]
        (note,) = s.SplitDesign.from_indices(*walk, n_samples=60).notes
        assert (note.code, note.category) == ("time order", s.AnticonservativeWarning)
        alone = s.SplitDesign.from_indices(walk[0][:1], walk[1][:1], n_samples=60)
        assert alone.notes == ()  # one holdout
        shuffled = s.SplitDesign.from_indices(*([*part, part[0]] for part in walk), n_samples=60)
        assert codes(shuffled.notes) == ["repeated splits", "time order"]
        last = [rows[-10:] for rows in walk[0]], walk[1]  # as max_train_size does
        assert codes(s.SplitDesign.from_indices(*last, n_samples=60).notes) == ["time order"]
        backwards = s.SplitDesign.from_indices([*walk[0], walk[1][0]], [*walk[1], walk[0][0]])
        assert backwards.notes == ()

    @pytest.mark.parametrize(
        "y", [np.sort(Y), np.arange(60.0), np.repeat(["b", "c", "a"], 20), np.sort(Y)[:, None]]
    )
    def test_unshuffled_folds_of_a_sorted_target(self, y):
        made = s.SplitDesign.from_splitter(ms.KFold(6), y, y), from_indices(ms.KFold(6), y=y)
        assert [codes(design.notes) for design in made] == [["sorted target"]] * 2
        assert from_indices(ms.KFold(6, shuffle=True, random_state=0), y=y).notes == ()
        assert from_indices(ms.LeaveOneOut(), y=y).notes == ()

    def test_splits_of_the_same_part_of_the_rows_are_noted(self):
        train, test = zip(*ms.ShuffleSplit(5, random_state=0).split(Y[:40]), strict=True)
        assert s.SplitDesign.from_indices(train, test).notes == ()
        (note,) = s.SplitDesign.from_indices(train, test, n_samples=60).notes
        assert note.code == "fixed subset"
        assert "same 40 of 60 rows" in str(note)

    @pytest.mark.parametrize(
        ("cv", "y", "expected"),
        [
            (s.RepeatedSubsampleSplit(5, stratify=True, random_state=0), Y, ["stratified"]),
            (s.RepeatedSubsampleSplit(1, stratify=True, random_state=0), Y, []),
            (OfTheFamily(3), Y, []),  # folds are the default
            # scikit-learn's own do not look at y, though unshuffled folds are as if stratified
            (ms.KFold(10), np.arange(600) % 2, []),
        ],
    )
    def test_stratified_as_the_splitter_says(self, cv, y, expected):
        assert codes(s.SplitDesign.from_splitter(cv, y, y).notes) == expected


def test_notes_survive_a_file():
    design = replace(s.SplitDesign.from_sizes(9, 3, n_splits=4), notes=(NOTE,))
    scores = s.CVScores(values=np.arange(4.0), design=design, notes=("of my own",))
    again = s.CVScores.from_json(scores.to_json())
    assert again.design.notes == scores.design.notes == (NOTE,)
    assert again.notes == scores.notes == (Note("note", "of my own", None),)
    content = json.loads(scores.to_json())["content"]["CVScores"]
    expected = {"code": "some code", "text": "some text", "about": []}
    expected["category"] = {"type": "SplitDesignWarning"}
    assert content["design"]["SplitDesign"]["notes"] == [{"Note": expected}]


@pytest.mark.parametrize(
    ("cv", "noted"),
    [
        (ms.LeaveOneOut(), True),
        (ms.ShuffleSplit(30, test_size=2, random_state=0), False),
        (ms.LeaveOneGroupOut(), False),  # a group is tested on as a whole
    ],
)
def test_single_test_rows_are_noted(cv, noted):
    groups = np.arange(60) % 20 if isinstance(cv, ms.LeaveOneGroupOut) else None
    design = s.SplitDesign.from_splitter(cv, Y, None, groups)
    assert ("single test rows" in codes(s.CorrectedResampledTTest().notes(design))) == noted
