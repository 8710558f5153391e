"""One data set: its rows, splits, fits, row scores, and the procedures' answers."""

import warnings
from dataclasses import replace
from functools import cache
from zlib import crc32

import numpy as np

from . import any_metric, designs, procedures
from .learners import Batch
from .populations_that_break import EVERY

_SEED = 29
_ROUNDING = np.finfo(float).eps


def row_scores(metric, y, predicted):
    """Return the score of each row, greater is better; areas are of whole test sets."""
    if metric == "accuracy":
        return ((predicted > 0.5) == y).astype(float)
    if metric == "log loss":
        return np.log(np.clip(np.where(y == 1, predicted, 1 - predicted), _ROUNDING, 1 - _ROUNDING))
    return -(np.abs(predicted - y) ** {"squared error": 2, "absolute error": 1}[metric])


def area_rows(y, predicted, starts):
    """Return pseudo-values of the area under the ROC curve in each test set; nan without both.

    With m rows, m_c of them of the class of row i, these are A + (m-1)/(m_c - 1) (V_i - A), where A
    is the area and V_i the share of the other class that row i is on the right side of.
    """
    found, sizes = np.empty(len(y)), np.diff(starts)
    for size in np.unique(sizes):
        at = starts[:-1][sizes == size][:, None] + np.arange(size)
        p, up = predicted[at], y[at] == 1
        above = (p[:, :, None] > p[:, None]) + 0.5 * (p[:, :, None] == p[:, None])
        n_up = up.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            of_up = np.einsum("bij,bj->bi", above, ~up) / (size - n_up)
            of_down = 1 - np.einsum("bij,bj->bi", above, up) / n_up
            placed = np.where(up, of_up, of_down)
            area = np.where(up, placed, 0).sum(axis=1, keepdims=True) / n_up
        area[(n_up == 0) | (n_up == size)] = np.nan
        own = np.where(up, n_up, size - n_up)
        found[at] = area + (size - 1) / np.maximum(own - 1, 1) * (placed - area)
    return found


def draw(setting, number):
    """Return X, y of the rows and the fresh rows, their units, splits, and a generator for fits."""
    name = f"{setting.tier} {setting.population} {setting.n_rows}"
    of_data, of_splits, of_fits = np.random.default_rng(
        [_SEED, crc32(name.encode()), number]
    ).spawn(3)
    n, population = setting.n_rows, EVERY[setting.population]
    X, y = population.draw(of_data, n + designs.N_FRESH)
    classes = y[:n] if population.is_classes else None
    return X, y, designs.draw(of_splits, setting.design, population.codes(n), classes), of_fits


def scores_of(setting, number, design=None):
    """Yield the targets of means over rows, then those of areas, each with their `Rows`.

    With the name of a `design` and how many of its splits or repeats, these are fitted alone.
    """
    X, y, splits, rng = draw(setting, number)
    if design is not None:
        splits = splits.only(*design)
    split, row = splits.pairs()
    is_classes, n = EVERY[setting.population].is_classes, setting.n_rows
    batch = Batch(X, y[:n], is_classes, np.array(splits.train), split, row, rng)
    predicted = batch.predict(setting.learners)

    @cache
    def scores(metric, name):
        if setting.design == any_metric.DESIGN:
            return any_metric.pseudo_values(metric, y[row], predicted[name], splits.starts)
        if metric == "AUC":
            return area_rows(y[row], predicted[name], splits.starts)
        return row_scores(metric, y[row], predicted[name])

    for is_area in (False, True):
        targets = [t for t in setting.targets if _is_area(setting, t) == is_area]
        if targets:
            values = [
                scores(t.metric, t.a) - (scores(t.metric, t.b) if t.b else 0) for t in targets
            ]
            yield targets, procedures.Rows(np.stack(values), splits, is_area), y[:n]


def answer(setting, number):
    """Return the answers of all procedures on one data set, and what tells the truth.

    Returns
    -------
    answers : ndarray of shape (n_procedures, 6, n_targets)
        The estimate, its standard error, half of the intervals at 95 and 90 %; on further splits
        the estimate and half of the interval at 95 %.
    truths : ndarray of shape (n_sizes, 2, n_targets)
        By the training size, the mean of the data set's own tests, and that of fresh rows.
    """
    entries = procedures.BY_DESIGN[setting.design]
    found, truths = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _, rows, y in scores_of(setting, number):
            found.append(_answers(rows, entries, y))
            truths.append(_own_and_fresh(rows))
    return np.concatenate(found, axis=-1), np.concatenate(truths, axis=-1)


def answer_of_folds(setting, number, names):
    """Return what `answer` does of procedures on 4x5 folds, for which no other splits are fitted.

    Rows and splits are those of `answer`. So are the fits, but for the seeds of learners that draw.
    """
    entries = {
        name: replace(procedures.BY_DESIGN[setting.design][name], again=False) for name in names
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = scores_of(setting, number, ("folds of 5", 4))
        return np.concatenate([_answers(rows, entries, y) for _, rows, y in parts], axis=-1)


def _answers(rows, entries, y):
    """Return the procedures' answers, nan where a metric is not defined for all rows."""
    defined = np.isfinite(rows.values).all(axis=1) | rows.is_area
    rows.values[~defined] = 0.0  # a metric that some test set, or one less a row, lacks
    both = procedures.answers(rows, entries, y)
    both[..., ~defined] = np.nan
    return np.concatenate([both[:, 0], both[:, 1, [0, 2]]], axis=1)


def _own_and_fresh(rows):
    """Return the means over all tests of the first design of a training size, and fresh rows."""
    own = {}
    for name, (_, _, size, *_) in rows.splits.blocks.items():
        if size not in own:
            means = rows.means(name)
            own[size] = np.nanmean(means.reshape(len(means), -1), axis=1)
    return np.stack([[own[size], rows.fresh(size)] for size in rows.splits.fresh])


def sizes_of(setting):
    """Return the names of the training sizes, in the order of `answer`."""
    return list(draw(setting, 0)[2].fresh)


def ordered_targets(setting):
    """Return the targets in the order of `answer`: means over rows, then areas."""
    return sorted(setting.targets, key=lambda t: _is_area(setting, t))


def _is_area(setting, target):
    """Whether a target wants the splits that areas want; of stratified ones all do."""
    return target.metric == "AUC" and setting.design != any_metric.DESIGN
