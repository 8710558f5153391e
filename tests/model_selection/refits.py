"""Searches, rules and scores that the tests of SignificanceRefit share."""

from functools import cache

import numpy as np
from scipy import stats
from sklearn import config_context
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV

from skcvstats import RepeatedSubsampleSplit, SignificanceRefit
from tests.cheap import QuicklyScored

X, Y = make_classification(200, 8, n_informative=4, flip_y=0.1, random_state=37)
MODEL = QuicklyScored()
GRID = {"n_columns": [1, 2, 3, 4, 6, 8]}
FEW = {"n_columns": [1, 3, 8]}
CV = RepeatedSubsampleSplit(15, test_size=0.2, random_state=0)


def scores_of(results):
    return np.stack([results[f"split{k}_test_score"] for k in range(15)], axis=1)


def first_as_good(scores, best, ratio, alpha):
    """Return the first candidate that is not significantly worse; the grid is in order of cost."""
    for k, candidate in enumerate(scores):
        x = candidate - best
        n_splits = len(x)
        error = np.sqrt((1 / n_splits + ratio) * x.var(ddof=1))
        if error == 0 or stats.t.cdf(x.mean() / error, n_splits - 1) >= alpha:
            return k
    raise AssertionError("the best is as good as itself")


def searched(refit, cv=CV, grid=GRID, **options):
    with config_context(assume_finite=True, skip_parameter_validation=True):  # 90 fits
        return GridSearchCV(MODEL, grid, cv=cv, refit=refit, **options).fit(X, Y)


@cache
def found():
    """Return the results of a search that no test changes."""
    return searched(False).cv_results_


def by_test(cv=CV, cost="n_columns", **options):
    return SignificanceRefit(cv, cost, rule="test", **options)


def by_margin(margin, cv=CV, cost="n_columns", **options):
    return SignificanceRefit(cv, cost, rule="margin", margin=margin, **options)


def by_best_set(cv=CV, cost="n_columns", **options):
    return SignificanceRefit(cv, cost, rule="best_set", **options)


def results_of(*rows):
    """Return what a search over the numbers 1, 2, ... with these scores leaves behind."""
    columns = {f"split{k}_test_score": column for k, column in enumerate(np.transpose(rows))}
    return {**columns, "params": [{"n_columns": 1 + k} for k in range(len(rows))]}


# Sixteenths, so that differences are exact.
BEST = np.array([14, 12, 15, 11, 13, 14, 12, 13, 15, 11, 12, 14, 13, 12, 15]) / 16


def noisy(seed, distance, spread):
    """Return scores on 15 splits around a distance below the best."""
    noise = np.random.default_rng(seed).normal(size=15)
    return BEST - distance + spread * (noise - noise.mean())
