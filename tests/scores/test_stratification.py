"""Stratified splits are recognised from row numbers and classes, random ones are not."""

from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from skcvstats import RepeatedSubsampleSplit, RepeatedTwoFold, SplitDesign
from skcvstats.scores._split_notes import LEVEL, are_stratified, classes_of

BALANCED, RARE, THREE = (0.5, 0.5), (0.9, 0.1), (1 / 3, 1 / 3, 1 / 3)
TEN, SKEWED = (0.1,) * 10, (0.6, 0.3, 0.05, 0.03, 0.02)


CLASSES = (BALANCED, RARE, THREE, TEN, SKEWED)
# Number of rows, splitter.
RANDOM = {
    f"{name}, {n} rows": (n, make)
    for name, make in {
        "5 splits of .1": partial(ShuffleSplit, 5, test_size=0.1),
        "15 splits of .1": partial(ShuffleSplit, 15, test_size=0.1),
        "5 splits of .5": partial(ShuffleSplit, 5, test_size=0.5),
        "15 splits of .5": partial(ShuffleSplit, 15, test_size=0.5),
        "30 splits of 6": partial(ShuffleSplit, 30, test_size=6),
        "5-fold": partial(RepeatedKFold, n_splits=5, n_repeats=1),
        "10-fold": partial(RepeatedKFold, n_splits=10, n_repeats=1),
        "20-fold": partial(RepeatedKFold, n_splits=20, n_repeats=1),
        "5 x 2-fold": partial(RepeatedKFold, n_splits=2, n_repeats=5),
        "10 x 10-fold": partial(RepeatedKFold, n_splits=10, n_repeats=10),
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


@pytest.mark.calibration
@pytest.mark.parametrize("setting", RANDOM.values(), ids=RANDOM)
def test_false_alarms(setting):
    n_data_sets = 100
    n_found = false_alarms(*setting, n_data_sets // 10, seed=0)
    # There are many settings, so the bound is far out in each.
    rare = 1e-4 / len(RANDOM)
    assert n_found.max() <= stats.binom.ppf(1 - rare / len(CLASSES), n_data_sets, LEVEL)
    assert n_found.sum() <= stats.binom.ppf(1 - rare, n_data_sets * len(CLASSES), LEVEL)


@pytest.mark.parametrize("homogeneous", [False, True])
@pytest.mark.parametrize(
    "make", [lambda random_state: GroupKFold(5), partial(GroupShuffleSplit, 15, test_size=0.2)]
)
def test_groups_that_nobody_told_of(make, homogeneous):
    rng = np.random.default_rng(0)
    n_found = 0
    for seed in range(100):
        groups = np.sort(rng.integers(30, size=200))
        y = rng.integers(2, size=30)[groups] if homogeneous else rng.integers(2, size=200)
        tests = [test for _, test in make(random_state=seed).split(y, y, groups)]
        n_found += are_stratified(tests, np.arange(200), y)
    assert n_found <= stats.binom.ppf(0.9999, 100, LEVEL)


@pytest.mark.parametrize(
    ("make", "n", "p"),
    [
        (partial(StratifiedKFold, 5, shuffle=True), 200, THREE),
        (partial(StratifiedShuffleSplit, 15, test_size=0.1), 100, BALANCED),
        (partial(StratifiedShuffleSplit, 15, test_size=0.1), 500, RARE),
        (partial(StratifiedShuffleSplit, 15, test_size=0.1), 200, TEN),
        (partial(RepeatedStratifiedKFold, n_splits=5, n_repeats=3), 200, BALANCED),
        (partial(RepeatedSubsampleSplit, 15, stratify=True), 200, BALANCED),
        (partial(RepeatedTwoFold, 5, stratify=True), 500, BALANCED),
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
    cv = StratifiedShuffleSplit(n_stratified, test_size=0.1, random_state=0)
    random = ShuffleSplit(100 - n_stratified, test_size=0.1, random_state=0)
    tests = [test for kind in (cv, random) for _, test in kind.split(y, y)]
    assert stats.chi2(900).cdf(900 * 0.6) < LEVEL
    assert are_stratified(tests, np.arange(y.size), y) == found


@pytest.mark.parametrize("rows", [7 + np.arange(200), 3 * np.arange(200)], ids=["later", "gaps"])
def test_rows_that_no_split_holds_do_not_matter(rows):
    y = np.random.default_rng(0).integers(3, size=600)
    stratified = StratifiedKFold(5, shuffle=True, random_state=0).split(rows, y[rows])
    assert are_stratified([rows[test] for _, test in stratified], rows, y)
    random = KFold(5, shuffle=True, random_state=0).split(rows)
    assert not are_stratified([rows[test] for _, test in random], rows, y)


def test_a_row_counts_once_in_a_test_set_and_may_be_of_any_integer_type():
    y = np.arange(200) % 2
    tests = [test for _, test in StratifiedKFold(5, shuffle=True, random_state=0).split(y, y)]
    again = [np.concatenate([test, test[y[test] == 1]]) for test in tests]
    assert are_stratified(again, np.arange(200), y)
    for dtype in ("uint8", "int16", "uint64"):
        assert are_stratified([test.astype(dtype) for test in tests], np.arange(200), y)


class TestNothingIsRecognised:
    def test_of_few_splits_of_one_again_and_again_of_one_class_and_of_single_rows(self):
        rows, y = np.arange(300), np.arange(300) % 3
        cv = StratifiedShuffleSplit(15, test_size=0.1, random_state=0)
        tests = [test for _, test in cv.split(y, y)]
        assert are_stratified(tests[:5], rows, y)
        assert not are_stratified(tests[:4], rows, y)
        assert not are_stratified(tests[:1] * 20, rows, y)
        assert not are_stratified(tests, rows, np.zeros(300, dtype=int))
        assert not are_stratified([np.array([k]) for k in range(60)], rows[:60], y[:60])
        # A continuous target: whole numbers, all distinct.
        y = np.argsort(np.random.default_rng(0).uniform(size=300))
        train, test = zip(*cv.split(y, np.argsort(np.argsort(y)) // 30), strict=True)
        assert SplitDesign.from_indices(train, test, y=y).notes == ()


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        (["a", "b"] * 3, {0, 1}),
        ([[0], [1]], {0, 1}),
        ([True, False], {0, 1}),
        ([1.0, 2.0], {0, 1}),
        (None, None),
        (np.linspace(0, 1, 9), None),
        ([1.0, np.nan, 0.0], None),
        (np.zeros((4, 2)), None),
        (np.array([1, "a", None], dtype=object), None),
        (np.array(["2020-01-01"] * 3, dtype="datetime64[D]"), None),
    ],
)
def test_classes_of_any_kind(y, expected):
    found = classes_of(y)
    assert found is expected is None or set(found) == expected
