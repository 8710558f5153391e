"""The procedures, as skcvstats has them, on the row scores of one data set.

Each gives for all targets an estimate, its standard error, and half of its 95 % and 90 % intervals;
where there are further splits of its design, the same on these, to see whether verdicts last.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product

import numpy as np
from scipy import stats as laws

from skcvstats import stats

LEVELS = (0.95, 0.90)
COMPARATOR, TENTHS = "corrected t, 20 tenths", "corrected t, 15 tenths"
SAME_FOLDS = "corrected t, 4x5"
ROW_T = "row t, 4x5"
CAREFUL = "row t, 4x5, inflation 1"


@dataclass(frozen=True, eq=False)
class Rows:
    """Row scores of all targets, of shape (n_targets, n_pairs), greater is better."""

    values: np.ndarray
    splits: object
    is_area: bool = False  # pseudo-values, whose mean over a test set is the area

    def means(self, name, part=slice(None)):
        """Return the scores of some splits of a design, of shape (n_targets, ...)."""
        first, shape, *_ = self.splits.blocks[name]
        starts = self.splits.starts[first : first + np.prod(shape) + 1]
        sums = np.add.reduceat(self.values[:, : starts[-1]], starts[:-1], axis=1)
        means = sums / np.diff(starts)
        return means.reshape(len(means), *shape)[:, part]

    def sizes(self, name, part=slice(None)):
        """Return the sizes that the functions on arrays want, in rows or groups."""
        _, shape, _, *sizes = self.splits.blocks[name]
        n_train, n_test = (size.reshape(shape)[part].ravel().tolist() for size in sizes)
        if len({*n_train}) == len({*n_test}) == 1:
            n_train, n_test = n_train[0], n_test[0]
        return {"n_train": n_train, "n_test": n_test, "n_samples": self.splits.n_units}

    def by_rows(self, name, part):
        """Return scores of shape (n_targets, n_repeats, n_rows), and the folds' labels."""
        first, (n_repeats, n_folds), *_ = self.splits.blocks[name]
        starts = self.splits.starts[first : first + n_repeats * n_folds + 1]
        rows = self.splits.row[starts[0] : starts[-1]].reshape(n_repeats, -1)
        order = np.argsort(rows, axis=1)
        fold = np.repeat(np.tile(np.arange(n_folds), n_repeats), np.diff(starts))
        labels = np.take_along_axis(fold.reshape(rows.shape), order, axis=1)
        flat = order + starts[0] + np.arange(n_repeats)[:, None] * rows.shape[1]
        return self.values[:, flat[part]], labels[part]

    def fresh(self, size):
        """Return the mean scores of fresh rows, of a training size."""
        at = len(self.splits.tests) + [*self.splits.fresh].index(size)
        return self.values[:, self.splits.starts[at] : self.splits.starts[at + 1]].mean(axis=1)


def _answer(result):
    """Return an array of the numbers of a result; 0 for the standard error if undetermined."""
    error = np.where(np.isfinite(result.statistic), result.standard_error, 0.0)
    halves = [error * laws.t.isf((1 - level) / 2, result.df) for level in LEVELS]
    return np.stack([result.estimate, error, *halves])


def _of_splits(test, rows, block, part):
    x = rows.means(block, part).reshape(len(rows.values), -1)
    return _answer(test(x, **rows.sizes(block, part)))


_corrected = partial(_of_splits, stats.corrected_resampled_ttest)
_usual = partial(_of_splits, stats.resampled_ttest)


def _row_t(rows, block, part, guarded=True, inflation=0.5):
    values, labels = rows.by_rows(block, part)
    groups = rows.splits.codes if rows.splits.n_units < values.shape[2] else None
    folds = labels if guarded else None
    n_folds, options = rows.splits.blocks[block][1][1], {"inflation": inflation, "groups": groups}
    return _answer(stats.row_ttest(values, n_folds=n_folds, folds=folds, **options))


def _five_by_two(variant, rows, block, part):
    x = rows.means(block).reshape(len(rows.values), 10)
    sizes = rows.sizes(block)
    del sizes["n_samples"]
    return _answer(stats.five_by_two_cv_ttest(x, variant=variant, **sizes))


def _five_by_two_f(rows, block, part):
    """Return the values that the F test does not reject.

    With x_jk the ten scores, m their mean and S = sum_j (x_j1 - x_j2)^2 / 2, its statistic at the
    null value d is sum (x_jk - d)^2 / (2 S), so that |m - d| <= h with
    10 h^2 = 2 S f - sum (x_jk - m)^2. It may reject every value: h is -inf then.
    """
    x = rows.means(block).reshape(len(rows.values), 10)
    spread = np.square(np.diff(x.reshape(-1, 5, 2), axis=2)).sum(axis=(1, 2)) / 2
    off = np.square(x - x.mean(axis=1, keepdims=True)).sum(axis=1)
    left = np.stack([2 * spread * laws.f.isf(1 - level, 10, 5) - off for level in LEVELS])
    halves = np.where(left >= 0, np.sqrt(np.maximum(left, 0) / 10), -np.inf)
    return np.stack([x.mean(axis=1), np.where(spread > 0, np.nan, 0.0), *halves])


def _holdout(rows, block, part):
    first, *_ = rows.splits.blocks[block]
    test = rows.values[:, rows.splits.starts[first] : rows.splits.starts[first + 1]]
    return _answer(stats.holdout_ttest(test, n_train=rows.splits.n_units - test.shape[1]))


def _conservative_z(rows, block, part):
    halves = rows.means("half samples")
    return _answer(
        stats.conservative_ztest(rows.means(block, part), halves, **rows.sizes(block, part))
    )


def _bootstrap(test, rows, block, part):
    x = np.concatenate([rows.means(block, part)[:, None], rows.means("replicates")], axis=1)
    return _answer(test(x, **rows.sizes(block, part)))


def _nested(rows, block, part):
    """Give scores and folds to `nested_interval`."""
    outer, labels = rows.by_rows(block, part)
    first, (n_repeats, _), *_ = rows.splits.blocks["pairs of folds"]
    inner = np.full((n_repeats, 5, outer.shape[0], outer.shape[2]), np.nan)
    for r, (k, pair) in product(range(n_repeats), enumerate(combinations(range(5), 2))):
        start, end = rows.splits.starts[first + 10 * r + k :][:2]
        test, values = rows.splits.row[start:end], rows.values[:, start:end]
        for out in pair:
            kept = labels[r, test] != out
            inner[r, out][:, test[kept]] = values[:, kept]
    return nested_interval(inner, outer.swapaxes(0, 1), labels, outer.mean(axis=(1, 2)))


def nested_interval(inner, outer, labels, usual):
    """Return the interval of Bates, Hastie and Tibshirani's nested cross-validation.

    Parameters
    ----------
    inner : ndarray of shape (n_repeats, n_folds, n_targets, n_rows)
        By the fold that is out, the scores of the rows of the other folds by models without both;
        nan for rows of the fold itself.
    outer : ndarray of shape (n_repeats, n_targets, n_rows)
        Scores by models without the row's fold.
    labels : ndarray of shape (n_repeats, n_rows)
        The folds.
    usual : ndarray of shape (n_targets,)
        The estimate of ordinary cross-validation, for the correction of the bias.

    Returns
    -------
    ndarray of shape (4, n_targets)
        The estimate, its standard error, half of the intervals.
    """
    n_folds, n = inner.shape[1], inner.shape[3]
    means, excess = np.nanmean(inner, axis=3), []
    for k in range(n_folds):
        own = labels == k
        part = np.where(own[:, None], outer, np.nan)
        apart = np.square(means[:, k] - np.nanmean(part, axis=2))
        excess.append(apart - np.nanvar(part, axis=2, ddof=1) / own.sum(axis=1)[:, None])
    every = np.moveaxis(inner, 2, 0).reshape(inner.shape[2], -1)
    raw, spread = np.nanmean(every, axis=1), np.nanstd(every, axis=1, ddof=1)
    root = np.sqrt(np.maximum(0, np.mean(excess, axis=(0, 1))))
    plain = spread / np.sqrt(n * (n_folds - 1) // n_folds)
    inflation = np.clip(root / np.where(plain > 0, plain, 1), 1, np.sqrt(n_folds))
    bias = (raw - usual) * (1 + ((n_folds - 2) / n_folds) ** 1.5)
    error = spread / np.sqrt(n) * inflation
    return np.stack([raw - bias, error, *(error * laws.norm.isf((1 - p) / 2) for p in LEVELS)])


@dataclass(frozen=True)
class Entry:
    """A procedure: its fits, its training size, how it is computed, and of which splits.

    They are the first `n` of the design, None is all; `again` says that as many further ones are
    for a second answer. It `needs_rows` if it is for means over rows only, and `two_of_each` class
    in each test if areas are to have scores of rows.
    """

    fits: int
    size: str
    function: Callable
    block: str = "tenths"
    n: int | None = None
    again: bool = False
    needs_rows: bool = False
    two_of_each: bool = False


def _corrected_tenths(n, again=True, function=_corrected):
    return Entry(n, "9/10", function, "tenths", n, again)


def _of_folds(function, n_repeats, n_folds, again=False, rows=True):
    size, block = {5: "4/5", 10: "9/10"}[n_folds], f"folds of {n_folds}"
    fits = n_repeats * n_folds
    return Entry(fits, size, function, block, n_repeats, again, two_of_each=rows)


def _halves(function):
    return Entry(10, "1/2", function, "halves")


_bare, _plain = partial(_row_t, guarded=False), partial(_row_t, inflation=0.0)
_careful = partial(_row_t, inflation=1.0)
_FEW = {  # what the slow learners and groups are for
    TENTHS: _corrected_tenths(15),
    COMPARATOR: _corrected_tenths(20),
    "corrected t, 2x5": _of_folds(_corrected, 2, 5, again=True, rows=False),
    SAME_FOLDS: _of_folds(_corrected, 4, 5, again=True, rows=False),
    ROW_T: _of_folds(_row_t, 4, 5, again=True),
    CAREFUL: _of_folds(_careful, 4, 5, again=True),
    "row t, 4x5, no guard": _of_folds(_bare, 4, 5, again=True),
    "row t, 1x5": _of_folds(_row_t, 1, 5, again=True),
    "row t, 2x5": _of_folds(_row_t, 2, 5, again=True),
    "usual t, 20 tenths": _corrected_tenths(20, function=_usual),
}
_AUXILIARY = {
    **{name: _FEW[name] for name in (TENTHS, COMPARATOR, ROW_T, CAREFUL)},
    "corrected t, 10x10": _of_folds(_corrected, 10, 10, rows=False),
    "row t, 10x10": _of_folds(_row_t, 10, 10),
    "conservative Z": Entry(315, "9/10", _conservative_z, n=15),
    "bootstrap t": Entry(240, "9/10", partial(_bootstrap, stats.bootstrap_ttest), n=15),
    "corrected bootstrap t": Entry(
        240, "9/10", partial(_bootstrap, stats.corrected_bootstrap_ttest), n=15
    ),
    "nested CV": Entry(225, "1", _nested, "outer folds", needs_rows=True),
}
BY_DESIGN = {
    "slow": _FEW,
    "groups": _FEW,
    "auxiliary": _AUXILIARY,
    "stratified": {
        TENTHS: _corrected_tenths(15, again=False),
        COMPARATOR: _corrected_tenths(20, again=False),
        SAME_FOLDS: _of_folds(_corrected, 4, 5, rows=False),
        ROW_T: _of_folds(_row_t, 4, 5),
        CAREFUL: _of_folds(_careful, 4, 5),
    },
    "quick": {
        **_FEW,
        "corrected t, 50 tenths": _corrected_tenths(50, again=False),
        "corrected t, 5x5": _of_folds(_corrected, 5, 5, rows=False),
        "corrected t, 1x10": _of_folds(_corrected, 1, 10, rows=False),
        "row t, 5x5": _of_folds(_row_t, 5, 5),
        "row t, 1x10": _of_folds(_row_t, 1, 10),
        "plain interval, 1x10": _of_folds(_plain, 1, 10),
        "usual t, 1x10": _of_folds(_usual, 1, 10, rows=False),
        **{f"5x2 t, {v}": _halves(partial(_five_by_two, v)) for v in ("dietterich", "t4", "t5")},
        "5x2 F": _halves(_five_by_two_f),
        "holdout": Entry(1, "2/3", _holdout, "holdout", needs_rows=True),
    },
}


def answers(rows, entries, y):
    """Return the answers of the procedures, of shape (n_procedures, 2, 4, n_targets).

    Along the axes: the splits, and further ones; the estimate, its standard error, half of the
    intervals at 95 and 90 %. What is not defined is nan.

    Parameters
    ----------
    rows : Rows
    entries : dict of str to Entry
    y : ndarray of shape (n_rows,)
        The target, of which the classes count for areas.
    """
    found = np.full((len(entries), 2, 4, len(rows.values)), np.nan)
    for k, entry in enumerate(entries.values()):
        parts = [slice(entry.n), slice(entry.n, 2 * entry.n)] if entry.again else [slice(entry.n)]
        for again, part in enumerate(parts):
            if _is_defined(entry, part, rows, y):
                found[k, again] = entry.function(rows, entry.block, part)
    return found


def _is_defined(entry, part, rows, y):
    """Whether the splits are there, and their tests have the classes that areas need."""
    first, shape, *_ = rows.splits.blocks[entry.block]
    if part.stop is not None and part.stop > shape[0]:
        return False
    if not rows.is_area:
        return True
    splits = np.arange(first, first + np.prod(shape)).reshape(shape)[part].ravel()
    positive = np.array([y[rows.splits.tests[j]].sum() for j in splits])
    n_test = np.array([len(rows.splits.tests[j]) for j in splits])
    fewest = np.minimum(positive, n_test - positive).min()
    return not entry.needs_rows and fewest >= 1 + entry.two_of_each
