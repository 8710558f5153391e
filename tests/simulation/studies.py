"""Generators, estimators and procedures of the tests, importable by worker processes."""

import os
import sqlite3
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from skcvstats import HalfSplitPairs, RepeatedSubsampleSplit
from skcvstats.fitting import FitRecord
from skcvstats.simulation import StudiedProcedure

N_ROWS = 30


def line(random_state):
    """A straight line with noise."""
    X = random_state.normal(size=(N_ROWS, 1))
    return X, X[:, 0] + random_state.normal(size=N_ROWS)


def slow_line(random_state):
    """The same; in a process that is to be killed only so many come at once, if any are named."""
    # Not counted in a global variable, by whose value a store would know another generator.
    if quick := os.environ.get("QUICK"):
        os.environ["QUICK"] = str(int(quick) - 1)
        if int(quick) <= 0:
            time.sleep(600)
    return line(random_state)


def classes(random_state):
    """Two classes that overlap."""
    y = np.arange(40) % 2
    return random_state.normal(size=(40, 2)) + y[:, None], y


class Faulty:
    """A generator that goes wrong: at once, or for one data set in fifteen or so.

    Which, only the random numbers can tell, as workers share no memory.
    """

    def __init__(self, kind, later=False):
        self.kind = kind
        self.later = later

    def __call__(self, random_state):
        X, y = line(random_state)
        if self.later and X[0, 0] > -1.5:
            return X, y
        return {
            "shorter": lambda: (X[:-1], y[:-1]),
            "raises": lambda: 1 / 0,
            "nan in X": lambda: (np.where(X > 0, X, np.nan), y),
            "inf in y": lambda: (X, np.where(y > 0, y, np.inf)),
            "no tuple": lambda: X,
            "no y": lambda: (X, None),
            "unequal": lambda: (X, y[:-1]),
        }[self.kind]()


class BySign:
    """Tests on the rows with a negative target, twice."""

    def split(self, X, y=None, groups=None):
        negative, others = np.flatnonzero(y < 0), np.flatnonzero(y >= 0)
        yield others, negative
        yield others[1:], negative

    def get_n_splits(self, X=None, y=None, groups=None):
        return 2


class OneForEachSign(BySign):
    """One split less where most targets are negative."""

    def split(self, X, y=None, groups=None):
        rows = np.arange(len(y))
        for k in range(3 - int(np.mean(y < 0) > 0.5)):
            yield np.roll(rows, k)[5:], np.roll(rows, k)[:5]

    def get_n_splits(self, X=None, y=None, groups=None):
        return 3


class Unseeded(OneForEachSign):
    """Draws other splits at each call, and knows nothing of seeds."""

    generator = np.random.default_rng(0)

    def split(self, X, y=None, groups=None):
        for _ in range(3):
            rows = self.generator.permutation(len(y))
            yield rows[5:], rows[:5]


class DeafToSeeds(Unseeded):
    """Also has a random_state, which it does not use."""

    random_state = None


class Mean(RegressorMixin, BaseEstimator):
    """Predicts the mean of the training targets."""

    def fit(self, X, y):
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


class Line(Mean):
    """Predicts by least squares on one column, without the checks of scikit-learn's."""

    def fit(self, X, y):
        x = X[:, 0] - X[:, 0].mean()
        self.slope_ = x @ y / (x @ x)
        self.mean_ = y.mean() - self.slope_ * X[:, 0].mean()
        return self

    def predict(self, X):
        return self.mean_ + self.slope_ * X[:, 0]


def means(work, X, y, splits):
    """The records of `Mean` without fits."""
    for e, model in enumerate(work.estimators):
        if type(model) is Mean:
            for k, split in enumerate(splits.take(range(len(splits)))):
                rows = -((y[split.test] - y[split.train].mean()) ** 2)
                metric = work.metrics[0].name
                yield FitRecord(e, k, {metric: rows.mean()}, {metric: rows})


def crooked(work, X, y, splits):
    """Records with too few scores of rows."""
    for record in means(work, X, y, splits):
        yield record._replace(row_scores={m: s[1:] for m, s in record.row_scores.items()})


def twice(*arguments):
    """Each record two times."""
    yield from (record for record in means(*arguments) for _ in range(2))


class Guess(RegressorMixin, BaseEstimator):
    """Predicts noise."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.guess_ = np.random.RandomState(self.random_state).normal()
        return self

    def predict(self, X):
        return np.full(len(X), self.guess_)


class Hopeless(Mean):
    """Predicts nan."""

    def predict(self, X):
        return np.full(len(X), np.nan)


def n_kept(path):
    """How many entries a store has."""
    if path.exists():
        with closing(sqlite3.connect(path)) as database, suppress(sqlite3.OperationalError):
            return database.execute("SELECT count(*) FROM fits").fetchone()[0]
    return 0  # its tables are not there yet


class Ending(Mean):
    """Ends its process in the third data set of 15 fits, once one is kept."""

    n_fits = 0

    def fit(self, X, y):
        Ending.n_fits += 1
        if Ending.n_fits > 40:
            while not n_kept(Path("studies.db")):
                time.sleep(0.01)
            os._exit(1)
        return super().fit(X, y)


def procedures():
    """All seven procedures, some twice with fewer splits."""
    subsample, pairs = RepeatedSubsampleSplit, partial(HalfSplitPairs, test_size=0.2)
    part = subsample(4, train_size=0.5, test_size=0.1, pool="fixed")
    asked = [
        ("holdout_t", subsample(1, test_size=0.2), None),
        ("resampled_t", subsample(5, test_size=0.2), None),
        ("corrected_resampled_t", subsample(8, test_size=6), None),
        ("five_by_two_cv_t", None, None),
        ("conservative_z", subsample(5, test_size=0.2), pairs(3, 5)),
        ("conservative_z", part, pairs(4, 2)),
        ("bootstrap_t", subsample(2, n_replicates=5, test_size=0.2), None),
        ("corrected_bootstrap_t", subsample(3, n_replicates=4, test_size=0.2), None),
    ]
    return [
        StudiedProcedure(
            test=test, cv=cv, auxiliary=auxiliary, label=f"{test} of a part" if cv is part else test
        )
        for test, cv, auxiliary in asked
    ]
