"""Test sets that overlap more than random ones, and stratified ones, by brute force."""

from dataclasses import replace
from functools import partial
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy import stats
from sklearn import model_selection as ms

import skcvstats as s
from skcvstats.fitting import plan_splits
from skcvstats.notes import NOTES, SplitsEvidence, SplitsWatch
from skcvstats.notes._strata import LEVEL, are_stratified
from skcvstats.scores import (
    FIXED_SUBSET,
    GROUPS_TORN,
    REPEATED,
    SAME_TEST_ROWS,
    STRATIFIED,
    TIME_ORDER,
    TRAINED_ON,
    find_notes,
)
from skcvstats.theory import correlation_sensitivity

N, J = 200, 15
X = np.random.default_rng(0).normal(size=(N, 2))
Y = (X[:, 0] + np.random.default_rng(1).normal(size=N) > 0).astype(int)
ROWS = np.arange(N)


def rest(test, n=N):
    return np.setdiff1d(np.arange(n), test)


def fixed_test_set(n_splits=J, seed=0):
    """One test set, with other training rows each time."""
    rng = np.random.default_rng(seed)
    return [(rng.permutation(rest(ROWS[:20]))[:150], ROWS[:20]) for _ in range(n_splits)]


def design_of(splits, **facts):
    train, test = zip(*splits, strict=True)
    return s.SplitDesign.from_indices(train, test, n_samples=N, **facts)


def codes(design):
    return [note.code for note in design.notes]


def brute_force(tests):
    """Mean overlap and exact factor, from all pairs of test sets and from the loss of each row."""
    sets = [set(test) for test in tests]
    overlap = np.mean([len(a & b) / np.sqrt(len(a) * len(b)) for a, b in combinations(sets, 2)])
    # Each score is a row of this times independent losses of unit variance.
    means = np.array([[(k in test) / len(test) for k in range(N)] for test in sets])
    covariance = means @ means.T
    n_splits = len(sets)
    of_mean = covariance.mean()
    sample_variance = (np.trace(covariance) - n_splits * of_mean) / (n_splits - 1)
    return overlap, of_mean / sample_variance


class TestNumbers:
    @pytest.mark.parametrize("sizes", [(20,) * 15, (20, 10, 30, 25, 17) * 2, (30, 20)])
    def test_against_all_pairs(self, sizes):
        rng = np.random.default_rng(0)
        tests = [rng.permutation(50)[:size] for size in sizes]
        (note,) = design_of([(rest(test), test) for test in tests]).notes
        overlap, factor = brute_force(tests)
        assert f"two of them have {overlap:.2g} of their size in common" in note.text
        assert f"would be {factor:.3g} times the sample variance" in note.text

    @pytest.mark.parametrize("n", [23, 26])
    def test_repeats_that_chance_makes_once_in_a_hundred_designs(self, n):
        """Of 3 splits, which make 3 pairs, each with one of the ways to choose 2 of n rows."""
        tests = [[0, 1], [0, 1], [2, 3]]
        trains = [rest(test, n) for test in tests]
        design = s.SplitDesign.from_indices(trains, tests, n_samples=n)
        is_improbable = 3 / comb(n, 2) < 0.01
        assert ("repeated splits" in codes(design)) == is_improbable
        assert ("few distinct splits" in codes(design)) == (not is_improbable)

    @pytest.mark.parametrize(("n_distinct", "code"), [(12, None), (11, "few distinct splits")])
    def test_random_splits_that_repeat_are_said_from_a_quarter_on(self, n_distinct, code):
        """Of 15 draws of one unit of twelve; in another order than that of the first pass."""
        tests = [[k] for k in [*range(n_distinct), *reversed(range(n_distinct))][:15]]
        trains = [rest(test, 12) for test in tests]
        design = s.SplitDesign.from_indices(trains, tests, n_samples=12)
        found = [
            note
            for note in design.notes
            if note.code.endswith(("distinct splits", "repeated splits"))
        ]
        assert [note.code for note in found] == ([] if code is None else [code])
        counted = f"{n_distinct} distinct of 15", f"freedom instead of {n_distinct - 1}"
        assert all(words in note.text for note in found for words in counted)


FOLDS = list(ms.KFold(10, shuffle=True, random_state=0).split(X))
DRAWN = list(ms.ShuffleSplit(5, random_state=0).split(X))
SINGLE = list(ms.LeaveOneOut().split(X))
AS_REPLICATES = {"levels": ("replicate", "split"), "shape": (4, 5)}


class TestRefused:
    @pytest.mark.parametrize(
        ("test", "design", "message"),
        [
            (s.ResampledTTest(), design_of(fixed_test_set()), "15 splits test on the same rows"),
            (s.CorrectedResampledTTest(), design_of(FOLDS * 10), "10 distinct of 100.*99 degrees"),
            (s.CorrectedBootstrapTTest(), design_of(DRAWN * 4, **AS_REPLICATES), "5 distinct of"),
            (s.CorrectedResampledTTest(), design_of(SINGLE * 2), "200 distinct"),
        ],
    )
    def test_by_the_procedures(self, test, design, message):
        with pytest.raises(s.SplitDesignError, match=message):
            test.require(design)

    def test_it_travels(self):
        for splits in (fixed_test_set(), list(ms.KFold(5).split(X)) * 3):
            scores = s.CVScores(values=np.arange(J) / J, design=design_of(splits))
            again = s.CVScores.from_json(scores.to_json())
            with pytest.warns(s.AnticonservativeWarning, match=r"same rows|same split is repeated"):
                low, high = scores.confidence_interval()
            assert low < scores.mean() < high
            with pytest.raises(s.SplitDesignError, match="cannot use these splits"):
                correlation_sensitivity(again)
            for held in (again, again - s.CVScores(values=np.zeros(J), design=again.design)):
                with pytest.raises(s.SplitDesignError, match="cannot use these splits"):
                    s.CorrectedResampledTTest()(held)

    def test_some_of_the_splits(self):
        design = design_of(fixed_test_set())
        assert codes(design.take([0, 3])) == ["same test rows"]
        assert codes(design.take([3])) == []
        repeated = design_of(list(ms.KFold(5).split(X)) * 3)
        assert codes(repeated.take([0, 1, 2, 3, 9])) == []
        (note,) = repeated.take([0, 1, 5, 6]).notes
        assert "2 distinct of 4" in str(note)
        s.ConservativeZTest().require(design)


class TestNoted:
    def test_rows_that_are_never_tested(self):
        """Test sets from one half of the rows."""
        rng = np.random.default_rng(0)
        tests = [rng.permutation(N // 2)[:20] for _ in range(J)]
        splits = [(rest(test), test) for test in tests]
        design = design_of(splits)
        (note,) = design.notes
        assert note.code == "overlapping test sets"
        assert note.category is s.AnticonservativeWarning
        _, factor = brute_force([test for _, test in splits])
        assert f"{factor:.3g} times the sample variance; the correction takes 0.178" in str(note)
        with pytest.warns(s.AnticonservativeWarning, match="share more than random ones"):
            result = s.CorrectedResampledTTest()(s.CVScores(values=np.arange(J) / J, design=design))
        assert result.correction == pytest.approx(1 / 15 + 1 / 9)  # the formula is not switched

    def test_in_the_unit_of_the_design(self):
        groups = ROWS // 5
        cv = list(ms.GroupShuffleSplit(J, test_size=0.1, random_state=0).split(X, Y, groups))
        assert codes(design_of([*cv], y=None)) == []
        train, test = zip(*cv, strict=True)
        assert s.SplitDesign.from_indices(train, test, groups=groups).notes == ()
        rng = np.random.default_rng(0)
        tests = [np.isin(groups, rng.permutation(20)[:4]) for _ in range(J)]
        half = s.SplitDesign.from_indices([~mask for mask in tests], tests, groups=groups)
        assert codes(half) == ["overlapping test sets"]

    def test_nothing_for_random_splits_and_folds(self):
        for cv in (
            ms.ShuffleSplit(J, test_size=0.1, random_state=0),
            ms.ShuffleSplit(J, test_size=0.5, random_state=0),
            ms.StratifiedShuffleSplit(4, random_state=0),
            ms.RepeatedKFold(n_splits=10, n_repeats=10, random_state=0),
            ms.KFold(10),
            s.RepeatedSubsampleSplit(J, random_state=0),
        ):
            found = codes(design_of(cv.split(X, Y)))
            assert found == [], cv
        assert codes(s.SplitDesign.from_splitter(ms.LeavePOut(2), X[:6])) == []
        rng = np.random.default_rng(0)  # chance repeats are not refused
        tests = [rng.permutation(5)[:2] for _ in range(12)]
        design = s.SplitDesign.from_indices([rest(test, 5) for test in tests], tests)
        assert len(set(design.digests)) < 12
        assert "repeated splits" not in codes(design)


def test_bootstrap_samples_say_what_their_sizes_count():
    rng = np.random.default_rng(0)
    train = [rng.integers(N, size=N) for _ in range(J)]
    design = design_of([(rows, rest(rows)) for rows in train])
    (note,) = design.notes
    assert note.code == "repeated rows"
    assert design.n_train[0] == len(np.unique(train[0])) < N
    assert replace(design, notes=()) == design


# (rows, test rows)
SHARES = (0.05, 0.1, 0.2, 0.34, 0.5)
SETTINGS = [(n, round(n * share)) for n in (20, 50, 200, 1000) for share in SHARES]


def share_noted(n, n_test, n_splits, n_draws, *, n_pool=None):
    """How often random designs have a note, or are refused."""
    rng = np.random.default_rng([n, n_test, n_splits])
    design = s.SplitDesign.from_sizes(n - n_test, n_test, n_splits=n_splits)
    noted = 0
    for _ in range(n_draws):
        watch = SplitsWatch(None, None, None, None, n)
        for _ in range(n_splits):
            rows = rng.permutation(n_pool or n)
            watch.sums.add(rows[n_test:], rows[:n_test])
        found = find_notes(SplitsEvidence(design, watch))
        noted += "overlapping test sets" in [note.code for note in found]
    return noted / n_draws


@pytest.mark.parametrize("setting", SETTINGS[::4], ids=str)
@pytest.mark.parametrize("n_splits", [4, 15, pytest.param(50, marks=pytest.mark.calibration)])
def test_false_alarms_are_rare(setting, n_splits):
    assert share_noted(*setting, n_splits, 100) <= 5 / 100  # more have probability .0005 at 1 %


@pytest.mark.parametrize("n", [50, 200])
def test_rows_that_are_never_tested_are_found(n):
    assert share_noted(n, n // 10, J, 100, n_pool=n // 2) >= 0.95


BALANCED, RARE, THREE = (0.5, 0.5), (0.9, 0.1), (1 / 3, 1 / 3, 1 / 3)
TEN, SKEWED = (0.1,) * 10, (0.6, 0.3, 0.05, 0.03, 0.02)
CLASSES = (BALANCED, RARE, THREE, TEN, SKEWED)
# Number of rows, splitter.
RANDOM = {
    f"{name}, {n} rows": (n, make)
    for name, make in {
        "5 splits of .1": partial(ms.ShuffleSplit, 5, test_size=0.1),
        "15 splits of .1": partial(ms.ShuffleSplit, 15, test_size=0.1),
        "5 splits of .5": partial(ms.ShuffleSplit, 5, test_size=0.5),
        "15 splits of .5": partial(ms.ShuffleSplit, 15, test_size=0.5),
        "30 splits of 6": partial(ms.ShuffleSplit, 30, test_size=6),
        "5-fold": partial(ms.RepeatedKFold, n_splits=5, n_repeats=1),
        "10-fold": partial(ms.RepeatedKFold, n_splits=10, n_repeats=1),
        "20-fold": partial(ms.RepeatedKFold, n_splits=20, n_repeats=1),
        "5 x 2-fold": partial(ms.RepeatedKFold, n_splits=2, n_repeats=5),
        "10 x 10-fold": partial(ms.RepeatedKFold, n_splits=10, n_repeats=10),
    }.items()
    for n in (60, 200)
}


def false_alarms(n, make, n_splits, seed):
    """Count them with ten targets of each class law; given the splits, these are independent."""
    rng = np.random.default_rng(seed)
    rows = np.arange(n)
    n_found = np.zeros(len(CLASSES), dtype=int)
    for _ in range(n_splits):
        tests = [test for _, test in make(random_state=int(rng.integers(2**31))).split(rows)]
        for k, p in enumerate(CLASSES):
            targets = rng.choice(len(p), (10, n), p=p)
            n_found[k] += sum(are_stratified(tests, rows, y) for y in targets)
    return n_found


def test_false_alarms_over_all_settings():
    seeds = np.random.SeedSequence(0).generate_state(len(RANDOM))
    settings = zip(RANDOM.values(), seeds, strict=True)
    n_found = sum(false_alarms(*setting, 2, seed).sum() for setting, seed in settings)
    assert n_found <= stats.binom.ppf(0.9999, 20 * len(RANDOM) * len(CLASSES), LEVEL)


@pytest.mark.parametrize(
    ("make", "n", "p"),
    [
        (partial(ms.StratifiedKFold, 5, shuffle=True), 200, THREE),
        (partial(ms.StratifiedShuffleSplit, 15, test_size=0.1), 100, BALANCED),
        (partial(ms.StratifiedShuffleSplit, 15, test_size=0.1), 500, RARE),
        (partial(ms.StratifiedShuffleSplit, 15, test_size=0.1), 200, TEN),
        (partial(ms.RepeatedStratifiedKFold, n_splits=5, n_repeats=3), 200, BALANCED),
        (partial(s.RepeatedSubsampleSplit, 15, stratify=True), 200, BALANCED),
        (partial(s.RepeatedTwoFold, 5, stratify=True), 500, BALANCED),
    ],
)
def test_stratified_splits_are_found(make, n, p):
    rng = np.random.default_rng(0)
    n_found = 0
    for seed in range(20):
        y = rng.choice(len(p), n, p=p)
        tests = [test for _, test in make(random_state=seed).split(y, y)]
        n_found += are_stratified(tests, np.arange(n), y)
    assert n_found >= 19


@pytest.mark.parametrize(("n_stratified", "found"), [(40, False), (60, True)])
def test_counts_that_vary_a_little_less_are_no_stratification(n_stratified, found):
    """The smaller variation is significant in both; it must be half of a random one's too."""
    y = np.arange(1000) % 10
    cv = ms.StratifiedShuffleSplit(n_stratified, test_size=0.1, random_state=0)
    random = ms.ShuffleSplit(100 - n_stratified, test_size=0.1, random_state=0)
    tests = [test for kind in (cv, random) for _, test in kind.split(y, y)]
    assert stats.chi2(900).cdf(900 * 0.6) < LEVEL
    assert are_stratified(tests, np.arange(y.size), y) == found


@pytest.mark.parametrize("rows", [7 + np.arange(200), 3 * np.arange(200)], ids=["later", "gaps"])
def test_rows_that_no_split_holds_do_not_matter(rows):
    y = np.random.default_rng(0).integers(3, size=600)
    stratified = ms.StratifiedKFold(5, shuffle=True, random_state=0).split(rows, y[rows])
    assert are_stratified([rows[test] for _, test in stratified], rows, y)
    random = ms.KFold(5, shuffle=True, random_state=0).split(rows)
    assert not are_stratified([rows[test] for _, test in random], rows, y)


def test_a_row_counts_once_in_a_test_set_and_may_be_of_any_integer_type():
    y = np.arange(200) % 2
    tests = [test for _, test in ms.StratifiedKFold(5, shuffle=True, random_state=0).split(y, y)]
    again = [np.concatenate([test, test[y[test] == 1]]) for test in tests]
    assert are_stratified(again, np.arange(200), y)
    for dtype in ("uint8", "int16", "uint64"):
        assert are_stratified([test.astype(dtype) for test in tests], np.arange(200), y)


def test_nothing_is_recognised_of_few_splits_one_again_and_again_one_class_and_single_rows():
    rows, y = np.arange(300), np.arange(300) % 3
    cv = ms.StratifiedShuffleSplit(15, test_size=0.1, random_state=0)
    tests = [test for _, test in cv.split(y, y)]
    assert are_stratified(tests[:5], rows, y)
    assert not are_stratified(tests[:4], rows, y)
    assert not are_stratified(tests[:1] * 20, rows, y)
    assert not are_stratified(tests, rows, np.zeros(300, dtype=int))
    assert not are_stratified([np.array([k]) for k in range(60)], rows[:60], y[:60])
    # A continuous target: whole numbers, all distinct.
    y = np.argsort(np.random.default_rng(0).uniform(size=300))
    train, test = zip(*cv.split(y, np.argsort(np.argsort(y)) // 30), strict=True)
    assert s.SplitDesign.from_indices(train, test, y=y).notes == ()


@pytest.mark.parametrize(
    ("y", "has_classes"),
    [
        (["a", "b"] * 3, True), ([[0], [1]], True), ([True, False], True),
        ([1.0, 2.0], True), (None, False), (np.linspace(0, 1, 9), False),
        ([1.0, np.nan, 0.0], False), (np.tile([[0, 1], [1, 0]], (2, 1)), False),
        (np.array([1, "a", None], dtype=object), False),
        (np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]"), False),
    ],
)  # fmt: skip
def test_classes_of_any_kind_can_be_stratified(y, has_classes):
    """Each test set has as many copies of each row of y, so of each class."""
    copies = y
    if y is not None:
        copies = np.repeat(np.asarray(y), 50, axis=0)
    positions = np.repeat(np.arange(6 if y is None else len(y)), 50)
    splits = ms.StratifiedShuffleSplit(15, test_size=0.2, random_state=0)
    train, test = zip(*splits.split(positions, positions), strict=True)
    design = s.SplitDesign.from_indices(train, test, y=copies)
    assert (STRATIFIED.code in codes(design)) == has_classes


def test_every_fact_that_decides_is_noted():
    decided = {STRATIFIED.code, GROUPS_TORN.code, TIME_ORDER.code}
    decided |= {SAME_TEST_ROWS, TRAINED_ON, REPEATED, FIXED_SUBSET}  # these are refused
    assert decided <= {note.code for note in NOTES if note.looks_in is SplitsEvidence}


@pytest.mark.parametrize(("n_copies", "n_seen"), [(1, 0), (2, J)])
def test_splits_of_ours_are_made_only_where_rows_are_equal(n_copies, n_seen):
    data = np.tile(X[:100], (n_copies, 1))
    cv = s.RepeatedSubsampleSplit(J, random_state=0)
    watch = SplitsWatch(cv, data, None, None)
    plan_splits(cv, data, None, {}, observers=watch.observers)
    assert len(watch.shared_rows.counts) == n_seen
    assert watch.sums.n_splits == 0  # all that these sums tell is known of such splits


@pytest.mark.parametrize("is_grouped", [False, True])
def test_observers_see_the_splits_of_others_as_row_numbers(is_grouped):
    class Observer:
        def __init__(self):
            self.seen = []

        def is_needed(self, n_test):
            raise AssertionError("only splits of ours need not be made")

        def add(self, train, test):
            self.seen.append((train.tolist(), test.tolist()))

    groups = ROWS // 5 if is_grouped else None
    fold = ROWS % 5
    masks = [(fold != k, fold == k) for k in range(5)]
    observers = Observer(), Observer()
    plan_splits(ms.check_cv(masks), X, Y, {"groups": groups}, observers=observers)
    expected = [(ROWS[train].tolist(), ROWS[test].tolist()) for train, test in masks]
    assert [observer.seen for observer in observers] == [expected, expected]
