"""What the tables of bad input share: data, estimators, and short names for calls."""

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB

from skcvstats import (
    CorrectedResampledTTest,
    CVScores,
    SplitDesign,
    compare_estimators,
    cross_val_score,
)
from skcvstats.stats import corrected_resampled_ttest

NAN, INF = np.nan, np.inf
N = 60
ROWS = np.arange(N)
X = np.random.RandomState(0).normal(size=(N, 3))
Y = (X[:, 0] + np.random.RandomState(1).normal(size=N) > 0).astype(int)
WORDS = np.where(Y == 1, "yes", "no")
GROUPS = ROWS % 12
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])

BAYES = GaussianNB()
PAIR = {"dummy": DummyClassifier(), "bayes": BAYES}
SPLITS = list(ShuffleSplit(4, test_size=10, random_state=0).split(X))
DESIGN = SplitDesign.from_sizes(50, 10, n_splits=4)
BOTH = ("tree", "bayes")
TWO = [[0.1, 0.2, 0.3, 0.4], [0.2, 0.2, 0.2, 0.3]]


def used_up(cv):
    """Return splits that were drawn already."""
    drawn = cv.split(X)
    list(drawn)
    return drawn


class Fails(ClassifierMixin, BaseEstimator):
    """Fails unless row `needs` is a training row; always fails if it is None."""

    def __init__(self, needs=None):
        self.needs = needs

    def fit(self, X_train, y):
        if self.needs is None or X[self.needs, 0] not in X_train[:, 0]:
            raise RuntimeError("the disk is full")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X_test):
        return np.zeros(len(X_test), dtype=int)


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
