"""Test rows that equal a training row in X and y are counted, and said from a share of 5 % on."""

import warnings
from collections import Counter
from fractions import Fraction
from itertools import cycle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, ShuffleSplit, check_cv

from skcvstats import RepeatedSubsampleSplit, SplitDesign, SplitDesignWarning
from skcvstats.notes._shared_rows import SharedRows

CODE = "rows in training and test"
CV = ShuffleSplit(5, test_size=0.2, random_state=0)
rng = np.random.default_rng(0)
NUMBERS = rng.normal(size=(60, 4)).round(1)
NUMBERS[::7, 1] = np.nan
NUMBERS[::5, 2] = 0.0
Y = rng.integers(0, 2, 60)
# The first 40 rows occur twice, and ten of their copies have another y.
ROWS = np.r_[0:60, 0:40]
NUMBERS_TWICE, Y_TWICE = NUMBERS[ROWS], Y[ROWS]
Y_TWICE[60:70] = 1 - Y_TWICE[60:70]


def noted(X, y, cv=CV, groups=None):
    notes = SplitDesign.from_splitter(cv, X, y, groups).notes
    found = [note for note in notes if note.code == CODE]
    assert all(note.category is SplitDesignWarning for note in found)
    return found[0].text if found else None


def counted_one_by_one(rows, cv=CV):
    """Count over hashable rows, without any of the code."""
    found = sizes = 0
    shares = []
    for train, test in cv.split(rows):
        trained = Counter(rows[k] for k in train)
        n = sum(trained[rows[k]] > 0 for k in test)
        found, sizes, shares = found + n, sizes + len(test), [*shares, Fraction(n, len(test))]
    return f"{found} of {sizes} test rows", float(sum(shares) / len(shares))


def plain(X, y):
    """Return rows as tuples, in which missing values are equal."""
    values = pd.DataFrame(X).astype(object)
    values = values.where(values.notna(), "missing")
    return [(*row, label) for row, label in zip(values.to_numpy().tolist(), y, strict=True)]


def signed(X):
    """Return the numbers with some zeros that are negative, and nan of another sign."""
    X = X.copy()
    half = np.arange(len(X)) % 2 == 0
    X[half] = np.where(X[half] == 0, -0.0, X[half])
    return np.where(np.isnan(X) & half[:, None], -np.nan, X)


def mixed(X):
    codes = np.nan_to_num(X * 10).astype(int)
    whole = [pd.NA if code % 3 == 0 else code for code in codes[:, 3]]
    columns = {
        "text": [None if code % 5 == 0 else f"t{code}" for code in codes[:, 0]],
        "number": X[:, 1],
        "category": pd.Categorical([f"c{code % 7}" for code in codes[:, 2]]),
        "integer": pd.array(whole, "Int64"),
        "flag": codes[:, 0] % 2 == 0,
        "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(codes[:, 3], "D"),
    }
    return pd.DataFrame(columns)


def unsorted(X):
    """Return a sparse matrix with explicit zeros, unsorted indices and entries in two parts."""
    X = np.nan_to_num(X)
    rows, columns = np.nonzero(np.ones_like(X))
    order = np.random.default_rng(0).permutation(rows.size)
    halves = np.r_[order, order]
    return sp.coo_array((X[rows, columns][halves] / 2, (rows[halves], columns[halves])), X.shape)


CONTAINERS = {
    "array": np.array, "Fortran": np.asfortranarray, "float32": lambda X: X.astype(np.float32),
    "integers": lambda X: np.nan_to_num(X * 10).astype(np.int16),
    "objects": lambda X: X.astype(object), "strings": lambda X: X.astype(str),
    "negative zeros": signed, "list": lambda X: X.tolist(), "frame": pd.DataFrame,
    "mixed frame": mixed, "same names": lambda X: pd.DataFrame(X, columns=list("aabb")),
    "csr": lambda X: sp.csr_array(np.nan_to_num(X)),
    "csc": lambda X: sp.csc_matrix(np.nan_to_num(X)), "coo in parts": unsorted,
}  # fmt: skip
KINDS = ["array", "text", "series", "two columns", "none"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [*zip(CONTAINERS, cycle(KINDS), strict=False), *(("mixed frame", kind) for kind in KINDS)],
)
def test_the_count(name, kind):
    X = CONTAINERS[name](NUMBERS_TWICE)
    labels = {
        "array": Y_TWICE, "text": np.where(Y_TWICE == 0, "no", "yes"),
        "series": pd.Series(Y_TWICE, index=np.arange(100) + 700),
        "two columns": np.c_[Y_TWICE, Y_TWICE], "none": None,
    }[kind]  # fmt: skip
    told = noted(X, labels)
    dense = X.toarray() if sp.issparse(X) else X
    count, share = counted_one_by_one(plain(dense, [0] * 100 if kind == "none" else Y_TWICE))
    assert f"copies: over 5 splits, {count} equal a training row" in told
    assert f"({100 * share:.3g} %)" in told


def test_no_rows_are_equal_by_a_collision():
    """All rows of a grid are different: whole numbers as floats have few bits that vary."""
    grid = np.stack(np.meshgrid(*[np.arange(10.0)] * 5), axis=-1).reshape(-1, 5)
    for X in (grid, grid * 3 - 7, grid.astype(int), grid / 10, sp.csr_array(grid)):
        assert SharedRows(X, None).labels is None
    pairs = np.stack(np.triu_indices(600, 1), axis=1)
    rows = np.repeat(np.arange(len(pairs)), 2)
    ones = sp.csr_array((np.ones(rows.size), (rows, pairs.ravel())))
    assert SharedRows(ones, None).labels is None


def test_random_tables_against_counting():
    rng = np.random.default_rng(1)
    for _ in range(30):
        n, p, levels = rng.integers(5, 200), rng.integers(1, 9), rng.integers(2, 40)
        X, y = rng.integers(0, levels, (n, p)), rng.integers(0, 2, n)
        if n == p:
            continue
        labels = SharedRows(X, y).labels
        _, inverse, counts = np.unique(np.c_[X, y], axis=0, return_inverse=True, return_counts=True)
        several = (counts > 1)[inverse.ravel()]
        if labels is None:
            assert not several.any()
            continue
        assert np.array_equal(labels > 0, several)
        same = inverse.ravel()[:, None] == inverse.ravel()
        assert np.array_equal((labels[:, None] == labels)[several], same[several])


@pytest.mark.parametrize(("n_copied", "is_noted"), [(4, False), (5, True)])
def test_from_five_percent_on(n_copied, is_noted):
    halves = check_cv([(np.arange(100), np.arange(100, 200))])
    X = np.random.default_rng(0).normal(size=(200, 3))
    X[100 : 100 + n_copied] = X[:n_copied]
    told = noted(X, np.zeros(200), halves)
    assert (told is not None) == is_noted
    if is_noted:
        assert "over 1 split, 5 of 100 test rows equal a training row in X and y (5 %)" in told


def test_one_row_of_a_small_test_set_is_not_enough():
    """One of the 15 test rows may have its twin in training: 6.7 %, in data that have 1.3 %."""
    X, y = load_iris(return_X_y=True)
    assert np.flatnonzero(SharedRows(X, y).labels).tolist() == [101, 142]
    n_one = 0
    for seed in range(40):
        for n_splits in (1, 2, 3):
            cv = ShuffleSplit(n_splits, test_size=15, random_state=seed)
            n_one += any(len({101, 142} & set(test)) == 1 for _, test in cv.split(X))
            assert noted(X, y, cv) is None
    assert n_one > 20
    # but so many copies are said, however few rows of the data they are
    X = np.random.default_rng(0).normal(size=(1000, 3))
    X[-10:] = X[:10]
    only_copies = [(np.arange(990), np.arange(990, 1000))]
    assert "10 of 10 test rows" in noted(X, np.zeros(1000), check_cv(only_copies))


@pytest.mark.parametrize(("n_values", "is_noted"), [(20, False), (21, True)])
@pytest.mark.parametrize("make", [np.array, pd.DataFrame, lambda X: pd.DataFrame(X).astype(str)])
def test_a_column_with_more_than_20_values(n_values, is_noted, make):
    # The values are not seen in the first thousand rows only.
    column = np.r_[np.zeros(2000), np.arange(n_values)]
    X = make(np.c_[column, column % 2])
    assert (noted(X, np.zeros(len(X))) is not None) == is_noted


def test_silent_on_five_columns_of_four_levels():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (3000, 5)), rng.integers(0, 2, 3000)
    text = pd.DataFrame(np.array(list("abcd"))[X])
    for table in (X, X.astype(float), text, text.astype("category"), sp.csr_array(X)):
        assert noted(table, y) is None
    one_hot = np.eye(40)[rng.integers(0, 40, 400)]
    for dense in (one_hot, one_hot * np.arange(1, 41)):  # 40 values in all, two in each column
        assert noted(dense, np.zeros(400)) is None
        assert noted(sp.csr_array(dense), np.zeros(400)) is None
    # another column with many values makes rows different, unless they were copied
    more = np.c_[X, rng.normal(size=3000)]
    assert noted(more, y) is None
    assert noted(np.r_[more, more], np.r_[y, y]) is not None


class Unhashable(list):
    """A value of an array of objects."""


def objects():
    X = np.empty((100, 2), dtype=object)
    for k in range(100):
        X[k, 0], X[k, 1] = Unhashable([k % 30]), k % 30
    return X


SIMILARITIES = NUMBERS_TWICE[:, [0, 3]] @ NUMBERS_TWICE[:, [0, 3]].T
Y_100 = np.arange(100) % 30
UNSUITABLE = {
    "pictures": np.tile(np.random.default_rng(0).normal(size=(50, 3, 3)), (2, 1, 1)),
    "kernel in a frame": pd.DataFrame(SIMILARITIES),
    "ragged": [[k] * (k % 3 + 1) for k in range(100)],
    "unhashable": objects(),
    "arrays in a column": pd.DataFrame({"a": [np.ones(k % 7) for k in range(100)], "b": Y_100}),
    "dicts": [{"a": k % 30} for k in range(100)],
}


@pytest.mark.parametrize("X", UNSUITABLE.values(), ids=UNSUITABLE)
def test_silent_on_what_is_no_table(X):
    with warnings.catch_warnings(action="error"):
        assert noted(X, np.zeros(100)) is None


@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame, sp.csr_array])
def test_square_tables_and_documents_are_looked_at(kind):
    texts = pd.Series([f"document {k % 30}" for k in range(100)])
    for X in (texts.tolist(), texts.to_numpy(dtype=str), texts):  # one column
        assert noted(X, np.zeros(100)) is not None
        assert noted(X, np.arange(100)) is None
    table = np.tile(np.random.default_rng(0).normal(size=(50, 100)), (2, 1))
    assert noted(kind(table), np.zeros(100)) is not None
    assert noted(kind(SIMILARITIES), np.zeros(100)) is None


def test_rows_that_a_splitter_repeats_do_not_count():
    class Bootstrap(KFold):
        def split(self, X, y=None, groups=None):
            rng = np.random.default_rng(0)
            for _ in range(5):
                train = rng.integers(0, len(X), len(X))
                test = np.setdiff1d(np.arange(len(X)), train)
                yield train, rng.choice(test, 2 * test.size)

    X, y = np.random.default_rng(0).normal(size=(100, 3)), np.zeros(100)
    assert noted(X, y, Bootstrap()) is None
    assert noted(np.r_[X, X], np.r_[y, y], Bootstrap()) is not None
    replicated = RepeatedSubsampleSplit(3, n_replicates=4, random_state=0)
    assert noted(X, y, replicated) is None


def test_copies_in_one_group_do_not_count():
    X, y, groups = np.tile(NUMBERS, (3, 1)), np.tile(Y, 3), np.tile(np.arange(60), 3)
    cv = RepeatedSubsampleSplit(15, random_state=0)
    assert "Pass groups=" in noted(X, y, cv)
    assert noted(X, y, cv, groups) is None
    # groups that are no reason for the copies do not hide them
    assert "ass groups=" not in noted(X, y, cv, np.arange(180) // 2)


def test_it_does_not_change_the_data():
    for X in (signed(NUMBERS_TWICE), mixed(NUMBERS_TWICE), unsorted(NUMBERS_TWICE)):
        before = X.copy()
        SharedRows(X, Y_TWICE)
        if sp.issparse(X):
            assert (X.data == before.data).all()
            assert X.nnz == before.nnz
        elif isinstance(X, pd.DataFrame):
            pd.testing.assert_frame_equal(X, before)
        else:
            np.testing.assert_array_equal(X.view(np.int64), before.view(np.int64))
    stored = sp.csr_array(([0.0, 1.0], [1, 0], [0, 2, 2]), shape=(2, 3))
    SharedRows(stored, None)
    assert stored.indices.tolist() == [1, 0]
    assert stored.nnz == 2
