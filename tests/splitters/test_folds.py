"""Repeated folds as a procedure requests them: of rows, of classes, or of whole groups."""

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection as ms

from skcvstats import DesignRequest
from skcvstats.exceptions import SplitDesignError
from skcvstats.notes import Evidence
from skcvstats.scores import find_notes
from skcvstats.splitters import make_splitter
from skcvstats.stats import find_folds

X = np.zeros((60, 1))
Y = np.array(["rare", "often", "often", "often", "often"] * 12)
NUMBERS = np.linspace(0, 1, 60)
NAMES = np.array([f"patient {k % 23}" for k in range(60)])
FOUR = DesignRequest(kind="folds")
TENTHS = DesignRequest(kind="subsample", stratify=True)


def make(y=Y, groups=None, *, request=FOUR, classifier=True, seed=0):
    data = X if y is None else X[: len(y)]
    return make_splitter(request, seed, (data, y, groups), classifier=classifier)


def drawn(cv, y=Y, groups=None):
    return [test.tolist() for _, test in cv.split(X, y, groups)]


@pytest.mark.parametrize(
    ("y", "classifier", "kind"),
    [
        (Y, True, ms.RepeatedStratifiedKFold),
        (pd.Series(Y, index=np.arange(60)[::-1]), True, ms.RepeatedStratifiedKFold),
        (Y == "rare", True, ms.RepeatedStratifiedKFold),
        (Y, False, ms.RepeatedKFold),
        (np.arange(60) % 4, False, ms.RepeatedKFold),  # counts, for a regressor
        (NUMBERS, True, ms.RepeatedKFold),
        (None, True, ms.RepeatedKFold),
        (np.stack([Y == "rare", Y == "often"], axis=1).astype(int), True, ms.RepeatedKFold),
        (np.arange(60) // 3, True, ms.RepeatedKFold),  # all classes have fewer members than folds
    ],
)
def test_the_folds_are_scikit_learns(y, classifier, kind):
    cv = make(y, classifier=classifier)
    assert type(cv) is kind
    assert drawn(cv, y) == drawn(kind(n_splits=5, n_repeats=4, random_state=0), y)
    assert repr(cv) == f"{kind.__name__}(n_repeats=4, n_splits=5, random_state=0)"


@pytest.mark.parametrize("n", [60, 57, 103, 200])
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.93, 0.07), (0.6, 0.3, 0.1)])
def test_tenths_have_the_class_counts_of_scikit_learns(n, shares):
    y = np.random.default_rng(n).choice(len(shares), size=n, p=shares)
    data = np.zeros((n, 1)), y, None
    ours = make_splitter(TENTHS, 0, data, classifier=True)
    theirs = ms.StratifiedShuffleSplit(15, test_size=0.1, random_state=0)
    counts, expected = (
        np.array([[np.bincount(y[side], minlength=len(shares)) for side in split] for split in cv])
        for cv in (ours.split(*data), theirs.split(data[0], y))
    )
    assert (counts.sum(axis=2) == expected.sum(axis=2)).all()
    # which class has the row that is left over is drawn where classes are equally large
    exact = np.bincount(y) * -(-n // 10) / n
    for found in (counts, expected):
        assert (np.abs(found[:, 1] - exact) < 1).all()
    same = np.unique(np.bincount(y)).size == len(shares)
    assert not same or (counts == expected).all()


@pytest.mark.parametrize(
    ("y", "options", "match"),
    [
        (Y, {"groups": NAMES}, None), (Y, {"classifier": False}, None), (NUMBERS, {}, None),
        (None, {}, None),
        (np.arange(60) // 3, {}, "there are 20 classes for 6 test rows in each split"),
        (np.where(np.arange(60) == 7, "one", Y), {}, "class 'one' has 1 row, and"),
    ],
)  # fmt: skip
def test_tenths_that_cannot_be_stratified_are_random(y, options, match):
    cv = make(y, request=TENTHS, **options)
    assert not cv.stratify
    if match:  # scikit-learn's refuse them too
        with pytest.raises(ValueError, match=r"least populated|number of classes"):
            list(ms.StratifiedShuffleSplit(15, test_size=0.1).split(X, y))
    evidence = Evidence(request=TENTHS, estimators={}, y=y, groups=options.get("groups"))
    found = [note.text for note in find_notes(evidence) if note.code == "rare class"]
    assert len(found) == (match is not None)
    assert all(match in text for text in found)


@pytest.mark.parametrize("groups", [NAMES, list(NAMES), pd.Series(NAMES), np.arange(60) % 23])
def test_whole_groups_as_many_in_each_fold(groups):
    cv = make(groups=groups)
    assert repr(cv) == "RepeatedGroupKFold(n_repeats=4, n_splits=5, random_state=0)"
    assert cv.get_n_splits() == 20
    tests = drawn(cv, groups=groups)
    rows, offsets = np.concatenate(tests), np.cumsum([0, *map(len, tests)])
    labels = find_folds(rows, offsets, 60, who="It").labels
    first_rows = np.unique(np.asarray(groups), return_index=True)[1]
    units = labels[:, first_rows]
    np.testing.assert_array_equal(units[:, np.unique(groups, return_inverse=True)[1]], labels)
    assert units.shape == (4, 23)
    for row in units:
        assert sorted(np.bincount(row)) == [4, 4, 5, 5, 5]
    again = make(groups=groups)
    assert drawn(again, groups=groups) == drawn(again, groups=groups) == tests
    first = ms.GroupKFold(5, shuffle=True, random_state=0).split(X, Y, groups)
    assert [test.tolist() for _, test in first] == tests[:5]


@pytest.mark.parametrize("groups", [None, NAMES])
def test_the_first_repeats_do_not_depend_on_their_number(groups):
    six = make(groups=groups, request=DesignRequest(kind="folds", n_repeats=6))
    four = drawn(make(groups=groups), groups=groups)
    assert drawn(six, groups=groups)[:20] == four
    assert drawn(make(groups=groups, seed=1), groups=groups) != four
    partitions = {frozenset(map(tuple, four[5 * r : 5 * r + 5])) for r in range(4)}
    assert len(partitions) == 4


@pytest.mark.parametrize(
    ("n", "groups", "match"),
    [
        (9, None, "5 folds of at least two rows need 10; the data have 9. Pass more data, or"),
        (3, None, "the data have 3"),
        (60, NAMES[np.arange(60) % 9], "5 folds of at least two groups need 10; .* have 9"),
    ],
)
def test_too_few_for_folds_of_two(n, groups, match):
    with pytest.raises(SplitDesignError, match=match):
        make(Y[:n], groups=groups)


def test_a_number_of_splits_is_not_its_own():
    for name in ("n_splits", "test_size"):
        with pytest.raises(ValueError, match=rf"{name}=3: The .* 4 repeats of 5 folds .*n_folds="):
            FOUR.with_sizes("The row t-test", **{name: 3})
    assert FOUR.with_sizes("The row t-test") == FOUR
