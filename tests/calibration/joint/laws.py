"""Laws of the scores of several estimators, with the part of them that tests do not see.

Scores are normal. The estimates of a procedure are the sum of a part that its variance estimates
depend on and of a part that is independent of them. `draw` makes scores without the second part,
and `fresh` makes many of it: every row of `fresh`, added to the estimates, completes one data set.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

from skcvstats import CVScores, SplitDesign

N_ROWS, N_TEST = 100, 10
NUMBERS = (3, 5, 10, 20)  # of estimators
SPLITS = (5, 15, 30)
SHARE = N_TEST / N_ROWS  # the correlation of two splits, as the corrected t-test assumes


def independent(n_estimators):
    return np.eye(n_estimators)


def unequal(n_estimators):
    """Return a correlation of .9 throughout and standard deviations from 1 to 4."""
    deviations = np.geomspace(1, 4, n_estimators)
    return np.outer(deviations, deviations) * (0.1 * np.eye(n_estimators) + 0.9)


def outlier(n_estimators):
    """Return estimators that are nearly the same, but for the first, which is independent."""
    covariance = 1 + 0.01 * np.eye(n_estimators)
    covariance[0, 1:] = covariance[1:, 0] = 0
    return covariance


COVARIANCES = {"independent": independent, "unequal": unequal, "outlier": outlier}


@dataclass(frozen=True)
class Law(ABC):
    """A procedure, and scores of several estimators that it tests.

    Parameters
    ----------
    n_estimators : int
    covariance : {"independent", "unequal", "outlier"}
        Of the estimators' scores on one split.
    """

    n_estimators: int
    covariance: str

    method = ""

    @property
    def matrix(self):
        return COVARIANCES[self.covariance](self.n_estimators)

    @property
    @abstractmethod
    def variance(self):
        """Of the fresh part of an estimate, in units of the covariance."""

    @property
    @abstractmethod
    def df(self):
        """The number of squares in the variance estimate."""

    @property
    def ratio(self):
        """The variance of an estimate over the mean of its variance estimate."""
        return 1.0

    def tail(self, bound):
        """Return how often one statistic is above a bound where there is no difference."""
        return stats.t.sf(bound / np.sqrt(self.ratio), self.df)

    @abstractmethod
    def draw(self, rng):
        """Return the scores and those on the auxiliary splits, or None."""

    def normal(self, rng, n):
        """Draw n scores of each estimator, of shape (n_estimators, n)."""
        return np.linalg.cholesky(self.matrix) @ rng.normal(size=(self.n_estimators, n))

    def fresh(self, rng, n):
        """Draw the rest of the estimates, of shape (n, n_estimators)."""
        return np.sqrt(self.variance) * self.normal(rng, n).T

    def scores(self, values, design):
        names = tuple(f"estimator {k:02}" for k in range(self.n_estimators))
        return CVScores(values=values, design=design, labels=names, metric="score")


@dataclass(frozen=True)
class Resampled(Law):
    """The corrected resampled t-test where its premise holds.

    Parameters
    ----------
    n_splits : int
    """

    n_splits: int = 15

    method = "corrected_resampled_t"

    @property
    def df(self):
        return self.n_splits - 1

    @property
    def variance(self):
        return SHARE + (1 - SHARE) / self.n_splits

    def draw(self, rng):
        values = np.sqrt(1 - SHARE) * self.normal(rng, self.n_splits)
        values -= values.mean(axis=1, keepdims=True)
        design = SplitDesign.from_sizes(N_ROWS - N_TEST, N_TEST, n_splits=self.n_splits)
        return self.scores(values, design), None


@dataclass(frozen=True)
class Conservative(Law):
    """The conservative Z test.

    Parameters
    ----------
    variance_ratio : float
        The variance of an estimate over the mean of its variance estimate; at most 1 is meant.
    n_pairs : int
    """

    variance_ratio: float = 1.0
    n_pairs: int = 10

    method = "conservative_z"
    n_splits = 15

    @property
    def df(self):
        return self.n_pairs

    @property
    def ratio(self):
        return self.variance_ratio

    @property
    def variance(self):
        return SHARE + (1 - SHARE) / self.n_splits

    def draw(self, rng):
        design = SplitDesign.from_sizes(N_ROWS - N_TEST, N_TEST, n_splits=self.n_splits)
        n_halves = 2 * self.n_pairs
        halves = SplitDesign.from_sizes(
            N_ROWS // 2 - N_TEST,
            N_TEST,
            n_splits=n_halves,
            n_samples=N_ROWS,
            levels=("pair", "half", "split"),
            shape=(self.n_pairs, 2, 1),
        )
        further = np.sqrt(self.variance / self.ratio) * self.normal(rng, n_halves)
        nothing = np.zeros((self.n_estimators, self.n_splits))
        return self.scores(nothing, design), self.scores(further, halves)


@cache
def _five_pairs():
    """Draw standard normal halves of differences of five pairs: the first, and all their error."""
    half = np.random.default_rng(0).normal(size=(5, 400_000))
    return half[0], np.sqrt(2 * np.mean(half**2, axis=0))


@dataclass(frozen=True)
class FiveByTwo(Law):
    """Dietterich's 5x2cv t-test; its estimate is the first score.

    Parameters
    ----------
    correlation : float
        Of the two scores of a pair; pairs are independent.
    """

    correlation: float = 0.0

    method = "five_by_two_cv_t"
    n_splits = 10
    df = 5

    @property
    def variance(self):
        return (1 + self.correlation) / 2

    def tail(self, bound):
        """Return the same by simulation, as the estimate depends on the variance estimate."""
        first, errors = (np.sqrt((1 - self.correlation) / 2) * part for part in _five_pairs())
        return stats.norm.sf((bound * errors - first) / np.sqrt(self.variance)).mean()

    def draw(self, rng):
        half = np.sqrt((1 - self.correlation) / 2) * self.normal(rng, 5)
        values = np.stack([half, -half], axis=2).reshape(self.n_estimators, 10)
        design = SplitDesign.from_sizes(
            N_ROWS // 2, N_ROWS // 2, n_splits=10, levels=("repeat", "fold"), shape=(5, 2)
        )
        return self.scores(values, design), None
