"""Tiers 8 to 10: metrics that are no means over rows, on stratified splits; equal learners.

The scores of rows are pseudo-values: with m rows in a test set, T its metric and T(-i) that without
row i, T + (m - 1)(T - T(-i)), less what makes their mean T. So means over a test set are its
metric, and every procedure of means over rows takes them.
"""

from itertools import combinations, pairwise, product

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from skcvstats.fitting._row_scores import without_each

from .learners import PROBABILITIES
from .populations import ALL, Population

DESIGN = "stratified"
_BOTH = {"labels": [0, 1], "average": "macro"}
# By its name here: the function in sklearn.metrics, its options, the sign of the score, and whether
# it is of probabilities.
_OF_CLASSES = {
    "F1": ("f1_score", {}, 1, False),
    "macro F1": ("f1_score", _BOTH, 1, False),
    "balanced accuracy": ("balanced_accuracy_score", {}, 1, False),
    "Matthews correlation": ("matthews_corrcoef", {}, 1, False),
    "AUC": ("roc_auc_score", {}, 1, True),
    "average precision": ("average_precision_score", {}, 1, True),
}
_OF_NUMBERS = {
    "R2": ("r2_score", {}, 1, True),
    "RMSE": ("root_mean_squared_error", {}, -1, True),
}
FUNCTIONS = _OF_CLASSES | _OF_NUMBERS
METRICS = tuple(FUNCTIONS)
_EQUAL = {True: ("LDA", "5-NN", "1-NN", "tree"), False: ("linear", "5-NN", "1-NN", "tree")}
COLUMNS = 4  # that each of three equal learners sees, of twelve


def pseudo_values(metric, y, predicted, starts):
    """Return the scores of rows of each test set, greater is better; nan where not defined."""
    function, options, sign, is_of_chances = FUNCTIONS[metric]
    p = predicted if is_of_chances else (predicted > 0.5).astype(int)
    found = np.empty(len(y))
    for start, end in pairwise(starts):
        part = slice(start, end)
        whole, *without = without_each(function, options, y[part], p[part])
        off = (end - start - 1) * (whole - np.array(without))
        found[part] = sign * (whole + off - off.mean())
    return found


def metrics_of(learner, is_classes):
    """Return the metrics that a learner is measured by; areas want more than two values."""
    if not is_classes:
        return tuple(_OF_NUMBERS)
    has_chances = "AUC" in PROBABILITIES.get(learner, ())
    return tuple(
        name for name, (*_, of_chances) in _OF_CLASSES.items() if has_chances or not of_chances
    )


def cells_of_any_metric(learners, target):
    """Yield the settings of tiers 8 to 10 as `further_cells` does.

    Parameters
    ----------
    learners : callable
        Given a population and a number of rows, it yields tiers with their learners and pairs.
    target : callable
        Makes a target of a metric, two learners and a kind.
    """
    for population, n_rows in product(ALL.values(), (100, 300)):
        for tier, names, pairs in learners(population, n_rows):
            targets = [
                target(metric, a, b, "different" if b else "single")
                for a, b in [*((name, "") for name in names), *pairs]
                for metric in metrics_of(a, population.is_classes)
                if not b or metric in metrics_of(b, population.is_classes)
            ]
            yield tier, population, n_rows, DESIGN, 200, targets
    for population in EQUAL.values():
        targets = [
            target(metric, f"{name}~columns {a}", f"{name}~columns {b}", "null")
            for name in _EQUAL[population.is_classes]
            for a, b in combinations((1, 2, 3), 2)
            for metric in metrics_of(name, population.is_classes)
        ]
        yield 10, population, 200, DESIGN, 1000, targets


def _intercept(share, spread=2.0):
    """Return what makes this share of a logistic model's rows positive."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights /= weights.sum()
    return brentq(lambda c: weights @ expit(spread * nodes + c) - share, -20, 20)


def _equal(share, rng, n):
    """Return twelve columns that are alike, three times four, and classes or numbers."""
    X = rng.normal(size=(n, 3 * COLUMNS))
    value = 2 * X.sum(axis=1) / np.sqrt(X.shape[1])
    if share is None:
        return X, (value + rng.normal(size=n)) / np.sqrt(5)
    return X, (rng.random(n) < expit(value + _intercept(share))).astype(int)


EQUAL = {
    one.name: one
    for one in (
        Population("equal columns, 20 %", True, lambda rng, n: _equal(0.2, rng, n)),
        Population("equal columns, 50 %", True, lambda rng, n: _equal(0.5, rng, n)),
        Population("equal columns, numbers", False, lambda rng, n: _equal(None, rng, n)),
    )
}
