"""Parts of the tables of bad input: short names for the calls."""

import numpy as np
from sklearn.model_selection import cross_validate

from skcvstats import CorrectedResampledTTest, CVScores, compare_estimators, cross_val_score
from skcvstats.stats import corrected_resampled_ttest

from .given import BAYES, DESIGN, PAIR, SPLITS, X, Y

ttest = CorrectedResampledTTest()


def compare(estimators=PAIR, X=X, y=Y, **options):
    return compare_estimators(estimators, X, y, **{"cv": 3, **options})


def add(estimator, **options):
    return compare({**PAIR, "c": estimator}, **options)


def score(estimator=BAYES, X=X, y=Y, **options):
    return cross_val_score(estimator, X, y, **{"cv": 3, **options})


def use(scoring, estimators=PAIR, **options):
    return compare(estimators, scoring=scoring, **options)


def cross(cv=SPLITS, **options):
    return cross_validate(BAYES, X, Y, cv=cv, return_indices=True, **options)


def scored(*values, labels=("tree",), design=DESIGN, **fields):
    return CVScores(values=np.squeeze(values), design=design, labels=labels, **fields)


def array(x=(0.1, 0.2, 0.3, 0.1, 0.2), *, n_train=90, n_test=10, **options):
    return corrected_resampled_ttest(x, n_train=n_train, n_test=n_test, **options)


FOUR = scored(0.125, 0.25, 0.5, 0.75)
