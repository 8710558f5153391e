"""The report's three problems: data sets without end, two learners, and a loss.

A problem is called with a random state and returns X and y of one data set. `learners` are its
scikit-learn estimators A and B; each also has ``predict_splits(X, y, train, test)``, which does
many splits at once.
"""

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from sklearn.datasets import fetch_openml
from sklearn.utils import check_random_state

from .linear import LeastSquaresClassifier, LeastSquaresRegression, SampleMean
from .neighbors import NearestNeighbor, letter_weights
from .trees import DevianceTree, LeastSquaresTree


@dataclass(frozen=True)
class Regression:
    """Simple normal linear regression: the sample mean (A) and least squares (B), squared loss.

    Parameters
    ----------
    n_samples : int
    x_mean, x_variance : float
        X is normal.
    intercept, slope, y_variance : float
        So is Y given X, with mean intercept + slope X.
    """

    n_samples: int
    x_mean: float
    intercept: float
    slope: float
    x_variance: float
    y_variance: float
    name: ClassVar[str] = "regression"
    scoring: ClassVar[str] = "neg_mean_squared_error"

    def __call__(self, random_state):
        rng = generator(random_state)
        x = rng.normal(self.x_mean, np.sqrt(self.x_variance), size=self.n_samples)
        noise = rng.normal(0.0, np.sqrt(self.y_variance), size=self.n_samples)
        return x[:, None], self.intercept + self.slope * x + noise

    @property
    def learners(self):
        """The estimators by name."""
        return {"A": SampleMean(), "B": LeastSquaresRegression()}

    @staticmethod
    def loss(y_true, y_predicted):
        """Return the squared error of each row."""
        return np.square(y_predicted - y_true)


class _Classification:
    scoring: ClassVar[str] = "accuracy"

    @staticmethod
    def loss(y_true, y_predicted):
        """Return 1 for each row whose class is not the predicted one, and 0 for the others."""
        return (y_predicted != y_true).astype(float)


@dataclass(frozen=True)
class Gaussians(_Classification):
    """Two classes of equal probability, normal in the plane: a regression tree (A), OLS (B).

    Parameters
    ----------
    n_samples : int
    variance : float
        Of each coordinate of class 1, whose mean is (1, 1); class 0 is standard normal.
    """

    n_samples: int
    variance: float
    name: ClassVar[str] = "gaussians"

    def __call__(self, random_state):
        rng = generator(random_state)
        y = (rng.random(self.n_samples) < 0.5).astype(int)
        X = rng.normal(size=(self.n_samples, 2))
        scale = np.where(y, np.sqrt(self.variance), 1.0)
        return y[:, None] + scale[:, None] * X, y

    @property
    def learners(self):
        """The estimators by name."""
        return {"A": LeastSquaresTree(), "B": LeastSquaresClassifier()}


@dataclass(frozen=True)
class Letters(_Classification):
    """Letter recognition: a classification tree (A) and a distorted nearest neighbour (B).

    Parameters
    ----------
    weight : float
        The report's w. The data sets do not depend on it: they are the same for the same random
        state.
    path : path-like, default=None
        The file letter-recognition.data of the UCI repository; see `load_letters`.
    n_samples : int, default=300
        Rows of a data set, drawn from all without replacement.
    """

    weight: float
    path: Any = None
    n_samples: int = 300
    name: ClassVar[str] = "letters"

    def __call__(self, random_state):
        X, y = load_letters(self.path)
        if self.n_samples > len(y):
            raise ValueError(
                f"n_samples={self.n_samples} is more than the {len(y)} rows there are."
            )
        rows = generator(random_state).permutation(len(y))[: self.n_samples]
        return X[rows], y[rows]

    @property
    def learners(self):
        """The estimators by name."""
        neighbor = NearestNeighbor(letter_weights(self.weight), random_state=0)
        return {"A": DevianceTree(), "B": neighbor}


def load_letters(path=None, fetch=fetch_openml):
    """Return the features and the classes of the 20,000 letters.

    Parameters
    ----------
    path : path-like, default=None
        The file letter-recognition.data of the UCI repository: the letter, then 16 whole numbers,
        separated by commas. None takes it from the environment variable SKCVSTATS_LETTER_DATA, and
        where that is not set, the same data from OpenML.
    fetch : callable, default=fetch_openml
        What fetches them from OpenML.

    Returns
    -------
    X : ndarray of shape (20000, 16)
    y : ndarray of str of shape (20000,)
    """
    path = path or os.environ.get("SKCVSTATS_LETTER_DATA")
    return _read(Path(path)) if path else _fetch(fetch)


@lru_cache(maxsize=4)
def _read(path):
    try:
        table = np.loadtxt(path, dtype=str, delimiter=",", ndmin=2)
    except OSError as error:
        raise FileNotFoundError(
            f"No letter data at {path}: pass the path of the UCI repository's "
            "letter-recognition.data, or set SKCVSTATS_LETTER_DATA to it."
        ) from error
    if table.shape[1] != 17:
        raise ValueError(
            f"{path} has {table.shape[1]} columns: expected the letter and its 16 features."
        )
    return _read_only(table[:, 1:].astype(float), table[:, 0])


@lru_cache(maxsize=1)
def _fetch(fetch):
    try:
        data = fetch("letter", version=1, as_frame=False, parser="liac-arff")
    except OSError as error:
        raise OSError(
            "The letter data could not be fetched from OpenML: set SKCVSTATS_LETTER_DATA to the "
            "path of the UCI repository's letter-recognition.data."
        ) from error
    return _read_only(np.asarray(data.data, dtype=float), np.asarray(data.target, dtype=str))


def _read_only(*arrays):
    for array in arrays:
        array.flags.writeable = False
    return arrays


def generator(random_state):
    """Return a NumPy Generator as it is, and a RandomState for an int, a RandomState or None."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    return check_random_state(random_state)


REGRESSION = {
    1: Regression(200, x_mean=10, intercept=100, slope=1, x_variance=1, y_variance=97),
    2: Regression(200, x_mean=10, intercept=100, slope=2, x_variance=2, y_variance=64),
    3: Regression(2000, x_mean=10, intercept=100, slope=0.1, x_variance=1, y_variance=9.97),
    4: Regression(2000, x_mean=10, intercept=100, slope=0.1, x_variance=5, y_variance=9),
}
GAUSSIANS = {
    1: Gaussians(200, variance=1 / 2),
    2: Gaussians(200, variance=1 / 6),
    3: Gaussians(2000, variance=1 / 2),
    4: Gaussians(2000, variance=0.173),
}
LETTERS = {i: Letters(weight) for i, weight in enumerate((1, 5, 10, 17.25, 25, 2048), start=1)}

# By name, then by the number of the simulation in the report's tables 2, 3 and 4.
PROBLEMS = {"regression": REGRESSION, "gaussians": GAUSSIANS, "letters": LETTERS}
