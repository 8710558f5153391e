"""The splits of a data set: designs that are parts of each other, so that fits serve all."""

import warnings
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, StratifiedShuffleSplit

N_FRESH = 200  # rows that no model trains on, for the truth; of each training size one model


@dataclass(eq=False)
class Splits:
    """Training sets and the test rows of each; tests of a design stand one after the other.

    `blocks` says by the name of a design where its tests are: the first split and pair, and the
    shape of its splits. `fresh` says where each training size predicts fresh rows.
    """

    n_units: int
    codes: np.ndarray  # the unit, a row or a group, of each row
    train: list = field(default_factory=list)
    tests: list = field(default_factory=list)
    blocks: dict = field(default_factory=dict)
    fresh: dict = field(default_factory=dict)

    def add(self, name, tests, shape, size):
        """Add a design, of tests as arrays of units; each trains on all other units."""
        trains = [np.setdiff1d(np.arange(self.n_units), test) for test in tests]
        self.add_pairs(name, trains, tests, shape, size)

    def add_pairs(self, name, trains, tests, shape, size):
        """Add a design whose training units are given too; `size` names the training size."""
        first = len(self.train)
        for train, test in zip(trains, tests, strict=True):
            self.train.append(np.isin(self.codes, train))
            self.tests.append(np.flatnonzero(np.isin(self.codes, test)))
        n_train, n_test = np.array([[len(a), len(b)] for a, b in zip(trains, tests, strict=True)]).T
        self.blocks[name] = (first, shape, size, n_train, n_test)
        self.fresh.setdefault(size, first)

    def only(self, name, n):
        """Return the first `n` of a design alone, without fresh rows."""
        first, shape, size, n_train, n_test = self.blocks[name]
        shape = (n, *shape[1:])
        part = slice(first, first + int(np.prod(shape)))
        block = (0, shape, size, *(sizes[: part.stop - first] for sizes in (n_train, n_test)))
        return Splits(self.n_units, self.codes, self.train[part], self.tests[part], {name: block})

    def pairs(self):
        """Return the split and the row of every pair, those with fresh rows last."""
        n = len(self.codes)
        fresh = [np.arange(n, n + N_FRESH)] * len(self.fresh)
        rows = [*self.tests, *fresh]
        splits = [*range(len(self.tests)), *self.fresh.values()]
        self.starts = np.cumsum([0, *map(len, rows)])
        self.row = np.concatenate(rows)
        return np.repeat(splits, [len(some) for some in rows]), self.row


def _folds(rng, n, n_repeats, n_folds):
    """Return the tests of repeats of folds of nearly equal sizes, none of them twice."""
    repeats = {}
    while len(repeats) < n_repeats:  # of ten groups two repeats may have the same folds
        folds = np.array_split(rng.permutation(n), n_folds)
        repeats.setdefault(frozenset(frozenset(fold.tolist()) for fold in folds), folds)
    return [fold for folds in repeats.values() for fold in folds]


def draw(rng, kind, codes, classes=None):
    """Return the splits of one data set.

    Parameters
    ----------
    rng : numpy.random.Generator
    kind : {"quick", "slow", "auxiliary", "groups", "stratified"}
        All nested designs; 20 tenths and 4x5; those of procedures with auxiliary splits; 20 tenths
        and 8x5 of groups; 20 tenths and 4x5 that are stratified by the classes.
    codes : ndarray of shape (n_rows,)
        The unit of each row.
    classes : ndarray of shape (n_rows,), default=None
        By which stratified splits are stratified, if it is a target of classes.
    """
    n = int(codes.max()) + 1
    splits = Splits(n, codes)
    n_tenths, n_repeats = {"quick": (50, 8), "groups": (40, 8)}.get(kind, (20, 4))
    tenth = max(1, n // 10)
    if kind == "stratified":
        return _add_stratified(splits, rng, classes, tenth)
    tenths = [rng.permutation(n)[:tenth] for _ in range(n_tenths)]
    splits.add("tenths", tenths, (n_tenths,), "9/10")
    splits.add("folds of 5", _folds(rng, n, n_repeats, 5), (n_repeats, 5), "4/5")
    if kind == "quick":
        splits.add("folds of 10", _folds(rng, n, 1, 10), (1, 10), "9/10")
        splits.add("halves", [*_halves(rng, n, 5)], (5, 2), "1/2")
        splits.add("holdout", [rng.permutation(n)[: -(-n // 3)]], (1,), "2/3")
    if kind == "auxiliary":
        _add_auxiliary(splits, rng, n, tenth)
    return splits


def _add_stratified(splits, rng, classes, tenth):
    """Add the splits that scikit-learn draws, stratified where there are classes."""
    folds, shuffled = (
        (KFold, ShuffleSplit) if classes is None else (StratifiedKFold, StratifiedShuffleSplit)
    )
    seeds, rows = rng.integers(2**31, size=5).tolist(), np.zeros(splits.n_units)
    drawn = shuffled(20, test_size=tenth, random_state=seeds.pop()).split(rows, classes)
    splits.add("tenths", [test for _, test in drawn], (20,), "9/10")
    repeats = [folds(5, shuffle=True, random_state=seed).split(rows, classes) for seed in seeds]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes of fewer rows than folds
        tests = [test for repeat in repeats for _, test in repeat]
    splits.add("folds of 5", tests, (4, 5), "4/5")
    return splits


def _halves(rng, n, n_pairs):
    for _ in range(n_pairs):
        order = rng.permutation(n)
        yield order[: n // 2]
        yield order[n // 2 : n // 2 * 2]


def _add_auxiliary(splits, rng, n, tenth, n_pairs=10, n_splits=15, n_replicates=15):
    """Add what the conservative Z, the bootstraps, 10x10 and nested cross-validation need."""
    splits.add("folds of 10", _folds(rng, n, 10, 10), (10, 10), "9/10")
    further = [rng.permutation(n)[:tenth] for _ in range(n_splits * n_replicates)]
    splits.add("replicates", further, (n_replicates, n_splits), "9/10")
    of_halves = [
        rng.permutation(half) for half in _halves(rng, n, n_pairs) for _ in range(n_splits)
    ]
    trains, tests = [half[tenth:] for half in of_halves], [half[:tenth] for half in of_halves]
    splits.add_pairs("half samples", trains, tests, (n_pairs, 2, n_splits), "2/5")
    # Nested: each two folds are out, and tested by models that trained on the other three.
    outer = [np.array_split(rng.permutation(n), 5) for _ in range(15)]
    splits.add("outer folds", [fold for folds in outer for fold in folds], (15, 5), "4/5")
    inner = [np.r_[f[i], f[j]] for f in outer for i, j in combinations(range(5), 2)]
    splits.add("pairs of folds", inner, (15, 10), "3/5")
    splits.add_pairs("all", [np.arange(n)], [np.arange(1)], (1,), "1")  # for fresh rows only
