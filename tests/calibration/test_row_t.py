"""How often intervals of the row t-test miss, on real fits of many data sets.

Each learner is fitted to a batch of data sets on the same splits at once. Differences are those of
one learner on two exchangeable halves of the columns, so that the truth is 0; the truth of a single
score is its mean over all data sets. Beside it stands the corrected resampled t-test, on 15 random
tenths and on the same folds.
"""

import numpy as np
import pytest
from scipy import stats

from skcvstats.stats import corrected_resampled_ttest, row_ttest

from .settings import data_sets

pytestmark = pytest.mark.calibration

BATCH = 25  # data sets on the same splits
LEVEL = 0.05
N_COLUMNS = 3  # of each of the two halves


def least_squares(X, y, X_new):
    one = np.ones((*X.shape[:-1], 1))
    A = np.concatenate([one, X], axis=-1)
    transposed = np.swapaxes(A, -1, -2)
    solved = np.linalg.solve(transposed @ A, transposed @ y[..., np.newaxis])
    return (X_new @ solved[:, 1:])[..., 0] + solved[:, 0]


def neighbors(X, y, X_new, k=5):
    squares = ((X_new[..., :, np.newaxis, :] - X[..., np.newaxis, :, :]) ** 2).sum(-1)
    nearest = np.argpartition(squares, k, axis=-1)[..., :k]
    return np.take_along_axis(y[..., np.newaxis, :], nearest, axis=-1).mean(-1)


def stump(X, y, X_new):
    """Return the predictions of the best split of one column at one of its quantiles."""
    best, chosen = np.full(len(X), np.inf), np.zeros(X_new.shape[:2])
    for column in range(X.shape[-1]):
        for quantile in (0.2, 0.35, 0.5, 0.65, 0.8):
            at = np.quantile(X[..., column], quantile, axis=-1, keepdims=True)
            left, new = X[..., column] <= at, X_new[..., column] <= at
            means = [np.where(side, y, 0).sum(-1) / side.sum(-1) for side in (left, ~left)]
            fitted = np.where(left, means[0][:, None], means[1][:, None])
            error = ((y - fitted) ** 2).sum(-1)
            predicted = np.where(new, means[0][:, None], means[1][:, None])
            better = error < best
            best, chosen = (
                np.where(better, error, best),
                np.where(better[:, None], predicted, chosen),
            )
    return chosen


LEARNERS = {"least squares": least_squares, "5 neighbors": neighbors, "stump": stump}


def draw(rng, n_rows, classes):
    X = rng.normal(size=(BATCH, n_rows, 2 * N_COLUMNS))
    signal = X.sum(-1) / 2 + rng.normal(size=X.shape[:2])
    return X, np.sign(signal) if classes else signal


def folds_of(rng, n_rows, n_repeats, n_folds):
    return np.stack([rng.permutation(np.arange(n_rows) % n_folds) for _ in range(n_repeats)])


def losses_of(learner, X, y, test, classes):
    """Return the losses of the test rows by both halves of the columns, of shape (2, batch, m)."""
    halves = (X[..., :N_COLUMNS], X[..., N_COLUMNS:])
    fits = [learner(half[:, ~test], y[:, ~test], half[:, test]) for half in halves]
    if classes:
        return np.stack([np.sign(fit) != y[:, test] for fit in fits]).astype(float)
    return np.stack([(fit - y[:, test]) ** 2 for fit in fits])


def run(learner, n_rows, classes, n_data_sets, seed):
    """Return row scores, folds and scores on random tenths of each batch."""
    for child in np.random.default_rng(seed).spawn(n_data_sets // BATCH):
        X, y = draw(child, n_rows, classes)
        folds = folds_of(child, n_rows, 4, 5)
        rows = np.empty((2, BATCH, 4, n_rows))
        for r, labels in enumerate(folds):
            for h in range(5):
                rows[:, :, r, labels == h] = -losses_of(learner, X, y, labels == h, classes)
        tenths = np.empty((2, BATCH, 15))
        for j in range(15):
            test = np.isin(np.arange(n_rows), child.permutation(n_rows)[: n_rows // 10])
            tenths[..., j] = -losses_of(learner, X, y, test, classes).mean(-1)
        yield rows, folds, tenths


def misses(learner, n_rows, classes, n_data_sets, seed=0):
    """Return how often each test misses: differences, then single scores; and relative lengths."""
    estimates, errors = [], []
    for rows, folds, tenths in run(learner, n_rows, classes, n_data_sets, seed):
        rows = np.stack([rows[0] - rows[1], rows[0]])
        tenths = np.stack([tenths[0] - tenths[1], tenths[0]])
        n_test = n_rows // 5
        splits = np.stack(
            [rows[:, :, r, folds[r] == h].mean(-1) for r in range(4) for h in range(5)], axis=-1
        )
        found = [
            row_ttest(rows, n_folds=5, folds=folds),
            corrected_resampled_ttest(splits, n_train=n_rows - n_test, n_test=n_test),
            corrected_resampled_ttest(tenths, n_train=n_rows * 9 // 10, n_test=n_rows // 10),
        ]
        estimates.append([one.estimate for one in found])
        errors.append([one.standard_error * stats.t.isf(LEVEL / 2, one.df) for one in found])
    estimates, half = (np.concatenate(parts, axis=-1) for parts in (estimates, errors))
    truth = np.stack([np.zeros(3), estimates[:, 1].mean(-1)], axis=1)[..., np.newaxis]
    rates = (np.abs(estimates - truth) > half).mean(-1)
    return rates, half.mean(-1) / half[2].mean(-1)


def group_sizes(kind, n_groups, n_rows):
    """Return sizes of groups that add up to about n_rows, at least 1 each."""
    shares = {
        "equal": np.ones(n_groups),
        "Zipf": 1 / np.arange(1, n_groups + 1),
        "two of 45 %": np.r_[0.45, 0.45, np.full(n_groups - 2, 0.1 / (n_groups - 2))],
    }[kind]
    return np.maximum(1, np.round(n_rows * shares / shares.sum())).astype(int)


def misses_by_groups(kind, n_groups, n_data_sets, seed=0):
    """Return how often intervals miss for differences and single scores of least squares."""
    sizes = group_sizes(kind, n_groups, max(200, 5 * n_groups))
    codes = np.repeat(np.arange(n_groups), sizes)
    estimates, half = [], []
    for rng in np.random.default_rng(seed).spawn(n_data_sets // BATCH):
        X, y = draw(rng, len(codes), False)
        X += rng.normal(size=(BATCH, n_groups, 2 * N_COLUMNS))[:, codes]
        y += rng.normal(size=(BATCH, n_groups))[:, codes]
        rows = np.empty((2, BATCH, 4, len(codes)))
        folds = folds_of(rng, n_groups, 4, 5)[:, codes]
        for r, labels in enumerate(folds):
            for h in range(5):
                test = labels == h
                rows[:, :, r, test] = -losses_of(least_squares, X, y, test, False)
        rows = np.stack([rows[0] - rows[1], rows[0]])
        found = row_ttest(rows, n_folds=5, folds=folds, groups=codes)
        estimates.append(found.estimate)
        half.append(found.standard_error * stats.t.isf(LEVEL / 2, found.df))
    estimates, half = (np.concatenate(parts, axis=-1) for parts in (estimates, half))
    truth = np.array([0, estimates[1].mean()])[:, np.newaxis]
    return (np.abs(estimates - truth) > half).mean(-1)


def misses_of_broken(kind, n_rows, n_data_sets, seed=0):
    """Return how often intervals miss without and with the guard, where fits are not alike."""
    estimates, half = [], []
    for rng in np.random.default_rng(seed).spawn(n_data_sets // BATCH):
        folds = folds_of(rng, n_rows, 4, 5)
        rows = np.empty((2, BATCH, 4, n_rows))
        if kind == "70 columns":
            X = rng.normal(size=(BATCH, n_rows, 140))
            y = X.sum(-1) / 10 + rng.normal(size=X.shape[:2])
        else:
            X, y = draw(rng, n_rows, False)
        width = X.shape[-1] // 2
        for r, labels in enumerate(folds):
            for h in range(5):
                test = labels == h
                for k, part in enumerate((X[..., :width], X[..., width:])):
                    fitted = least_squares(part[:, ~test], y[:, ~test], part[:, test])
                    if kind == "divergence":
                        fitted += rng.random((BATCH, 1)) < 0.3  # of all rows of a fold
                    rows[k, :, r, test] = -((fitted - y[:, test]) ** 2).T
        rows = np.stack([rows[0] - rows[1], rows[0]])
        found = [row_ttest(rows, n_folds=5), row_ttest(rows, n_folds=5, folds=folds)]
        estimates.append(found[0].estimate)
        half.append([one.standard_error * stats.t.isf(LEVEL / 2, one.df) for one in found])
    estimates, half = (np.concatenate(parts, axis=-1) for parts in (estimates, half))
    truth = np.array([0, estimates[1].mean()])[:, np.newaxis]
    return (np.abs(estimates - truth) > half).mean(-1)


def most(n_data_sets, rate):
    """Return the highest rate that chance allows where the true one is this."""
    return stats.binom.ppf(0.9995, n_data_sets, rate) / n_data_sets


SETTINGS = [
    (name, n_rows, classes, 400 if n_rows == 100 else 200)
    for name in LEARNERS
    for n_rows, classes in ((100, False), (100, True), (300, True))
]


def test_it_misses_less_than_the_corrected_t_and_is_shorter():
    """Over all settings; in each setting the row t-test misses in at most a tenth."""
    rates, lengths = [], []
    for name, n_rows, classes, usual in SETTINGS:
        n_data_sets = data_sets(usual)
        missed, length = misses(LEARNERS[name], n_rows, classes, n_data_sets)
        assert missed[0].max() <= most(n_data_sets, 0.1), (name, n_rows, classes)
        rates.append(missed)
        lengths.append(length)
    rows, same_folds, tenths = np.mean(rates, axis=0)
    assert (rows <= tenths - 0.015).all()
    assert (rows <= 0.06).all()
    assert (same_folds <= tenths).all()
    assert (np.array(lengths)[:, 0] < 1).all()


@pytest.mark.parametrize("kind", ["equal", "Zipf", "two of 45 %"])
@pytest.mark.parametrize("n_groups", [10, 20, 40])
def test_groups(kind, n_groups):
    n_data_sets = data_sets(600)
    difference, _ = misses_by_groups(kind, n_groups, n_data_sets)
    assert difference <= most(n_data_sets, 0.075)


@pytest.mark.parametrize(("kind", "n_rows"), [("70 columns", 100), ("divergence", 1000)])
def test_guard_where_fits_are_not_alike(kind, n_rows):
    n_data_sets = data_sets(400)
    (without, _), (guarded, _) = misses_of_broken(kind, n_rows, n_data_sets)
    assert without > 0.1
    assert guarded <= most(n_data_sets, 0.1)
