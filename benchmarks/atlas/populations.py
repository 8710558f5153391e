"""Where data sets come from: pools of real rows, and generators whose supply never ends.

Columns are scaled by the means and standard deviations of the whole population, which are
constants; so is the target of a regression. Classes are 0 and 1.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit
from sklearn.datasets import fetch_openml

_MOST_OF_A_POOL = 0.05  # above this share of it, variances are corrected for the finite pool


@dataclass(frozen=True)
class Population:
    """Rows to draw data sets from.

    Parameters
    ----------
    name : str
    is_classes : bool
        Whether the target is a class, else a number.
    make : callable
        For a real population it returns the pool, X and y; for a generated one it is called with a
        generator of random numbers and a number of rows.
    pool : tuple of int, default=()
        The rows and columns of the pool of a real population, so that settings need no file.
    groups : callable, default=None
        Given a number of rows, it returns the group of each; None are rows that are alone.
    has_copies : bool, default=False
        Whether rows stand in a data set twice, so that only fresh rows tell the truth.
    """

    name: str
    is_classes: bool
    make: Callable
    pool: tuple = ()
    groups: Callable | None = None
    has_copies: bool = False

    @property
    def is_real(self):
        """Whether rows come from a pool."""
        return bool(self.pool)

    def draw(self, rng, n_rows):
        """Return X and y of rows that are drawn without replacement."""
        if not self.is_real:
            return self.make(rng, n_rows)
        X, y = self.make()
        rows = rng.choice(len(y), n_rows, replace=False)
        return X[rows], y[rows]

    def codes(self, n_rows):
        """Return the unit of each row: its group, or itself."""
        return np.arange(n_rows) if self.groups is None else self.groups(n_rows)

    def finite_factor(self, n_rows):
        """Return what the pool leaves of the variance: 1 - n/N above 5 % of it, else 1."""
        share = n_rows / self.pool[0] if self.is_real else 0.0
        return 1 - share if share > _MOST_OF_A_POOL else 1.0

    @property
    def n_columns(self):
        """The number of columns of X."""
        return self.pool[1] if self.is_real else self.make(np.random.default_rng(0), 2)[0].shape[1]


def _folder():
    given = os.environ.get("SKCVSTATS_DATA")
    return Path(given) if given else None


def has_files():
    """Whether the files of the real populations are there, in the folder SKCVSTATS_DATA."""
    return bool(_folder()) and (_folder() / "spam.csv.gz").is_file()


@lru_cache
def _table(name):
    """Return a table of the folder, or the same from OpenML; the target is the last column."""
    folder = _folder()
    if folder is None:
        openml = {"satellite": "satimage", "spam": "spambase"}.get(name, name)
        data = fetch_openml(openml, version=1, as_frame=True).frame
    elif name == "letter":
        data = pd.read_csv(folder / "letter-recognition.data", header=None)
        data = data[[*data.columns[1:], 0]]
    else:
        data = pd.read_csv(folder / f"{name}.csv.gz")
    return data if name != "diamonds" else data[[*data.columns.drop("price"), "price"]]


def _scaled(X):
    X = np.asarray(X, dtype=float)
    return (X - X.mean(axis=0)) / X.std(axis=0)


@lru_cache
def _letters(positive):
    table = _table("letter")
    return _scaled(table.iloc[:, :-1]), table.iloc[:, -1].isin(list(positive)).to_numpy(int)


@lru_cache
def _spam():
    """Return the twenty words and signs that occur most often, as they are: heavy-tailed."""
    table = _table("spam")
    X = table.iloc[:, :-1].to_numpy(float)
    used = np.argsort(-(X > 0).sum(axis=0), kind="stable")[:20]
    return _scaled(X[:, used]), (table.iloc[:, -1].astype(str).isin(["spam", "1"])).to_numpy(int)


@lru_cache
def _satellite():
    """Return the middle column of three pixels in four bands; damp soil against all else."""
    table = _table("satellite")
    bands = [start + band for start in (4, 16, 28) for band in range(4)]
    damp = table.iloc[:, -1].astype(str).isin(["damp grey soil", "very damp grey soil", "4", "7"])
    damp |= table.iloc[:, -1].astype(str).isin(["4.", "7.", "4.0", "7.0"])
    return _scaled(table.iloc[:, bands]), damp.to_numpy(int)


@lru_cache
def _shuttle():
    table = _table("shuttle")
    usual = table.iloc[:, -1].astype(str).isin(["Rad.Flow", "1"])
    return _scaled(table.iloc[:, :-1]), (~usual).to_numpy(int)


_GRADES = {
    "cut": ["Fair", "Good", "Very Good", "Premium", "Ideal"],
    "color": list("JIHGFED"),
    "clarity": ["I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF"],
}


@lru_cache
def _diamonds(logarithm):
    table = _table("diamonds").copy()
    for column, grades in _GRADES.items():
        table[column] = table[column].astype(str).map(grades.index)
    y = table["price"].to_numpy(float)
    y = np.log(y) if logarithm else y
    return _scaled(table.drop(columns="price")), (y - y.mean()) / y.std()


def _gauss(rng, n):
    """Return two normal classes of the same covariance: discriminant analysis is right."""
    y = (rng.random(n) < 0.5).astype(int)
    X = rng.normal(size=(n, 5)) + 0.7 * rng.normal(size=(n, 1))
    return (X + np.outer(y - 0.5, [1.2, 0.8, 0.4, 0.0, 0.0])) / 1.3, y


def _rings(rng, n):
    """Return one class around the other; a tenth of the labels is wrong."""
    X = rng.normal(size=(n, 4))
    y = (np.square(X).sum(axis=1) > 3.357) ^ (rng.random(n) < 0.1)
    return X, y.astype(int)


def _sparse(rng, n):
    """Return twenty columns of which three matter, in a logistic model."""
    X = rng.normal(size=(n, 20))
    return X, (rng.random(n) < expit(1.5 * X[:, 0] - X[:, 1] + 0.7 * X[:, 2])).astype(int)


_CENTRES = np.random.default_rng(29).normal(size=(2, 3, 6)) * 1.2


def _mixture(rng, n):
    """Return classes of three clusters each, one class in three rows."""
    y = (rng.random(n) < 1 / 3).astype(int)
    X = _CENTRES[y, rng.integers(3, size=n)] + rng.normal(size=(n, 6))
    return X / 1.5, y


def _plane(rng, n):
    """Return a linear model with normal errors that are half of the variance."""
    X = rng.normal(size=(n, 5))
    return X, (X @ [0.5, 0.4, 0.25, 0.1, 0.0] + np.sqrt(0.5) * rng.normal(size=n)) / 0.982


def _friedman(rng, n):
    """Return Friedman's first function of five of ten uniform columns, with normal errors."""
    U = rng.random(size=(n, 10))
    y = 10 * np.sin(np.pi * U[:, 0] * U[:, 1]) + 20 * (U[:, 2] - 0.5) ** 2 + 10 * U[:, 3]
    y += 5 * U[:, 4] + 2 * rng.normal(size=n)
    return (U - 0.5) * np.sqrt(12), (y - 14.4) / 5.3


def _steps(rng, n):
    """Return steps and their product in eight columns, with errors of Student's t, 5 df."""
    X = rng.normal(size=(n, 8))
    up = X[:, :3] > [0, 0.5, -0.5]
    y = up[:, 0] + up[:, 1] + 2.0 * (up[:, 0] & up[:, 2]) + 0.6 * rng.standard_t(5, size=n)
    return X, (y - 1.5) / 1.5


def _skewed(rng, n):
    """Return a bent plane in six columns with skewed errors that grow with it."""
    X = rng.normal(size=(n, 6))
    mean = X[:, 0] + 0.5 * X[:, 1] + 0.3 * np.square(X[:, 2])
    errors = (rng.lognormal(0, 0.6, size=n) - np.exp(0.18)) * np.exp(0.3 * X[:, 0])
    return X, (mean + errors) / 1.5


def _real(name, is_classes, pool, make, *arguments):
    return Population(name, is_classes, partial(make, *arguments), pool)


ALL = {
    one.name: one
    for one in (
        _real("letters, halves", True, (20_000, 16), _letters, "NOPQRSTUVWXYZ"),
        _real("letters, vowels", True, (20_000, 16), _letters, "AEIOU"),
        _real("spam", True, (4_601, 20), _spam),
        _real("satellite", True, (6_435, 12), _satellite),
        _real("shuttle", True, (58_000, 9), _shuttle),
        _real("diamonds", False, (53_940, 9), _diamonds, False),
        _real("diamonds, log", False, (53_940, 9), _diamonds, True),
        Population("gauss", True, _gauss),
        Population("rings", True, _rings),
        Population("sparse", True, _sparse),
        Population("mixture", True, _mixture),
        Population("plane", False, _plane),
        Population("friedman", False, _friedman),
        Population("steps", False, _steps),
        Population("skewed", False, _skewed),
    )
}
