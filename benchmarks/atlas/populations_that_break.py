"""Populations of groups, and those on which procedures are known to break, apart from the lot."""

from functools import partial

import numpy as np
from scipy.special import expit

from .any_metric import EQUAL
from .populations import ALL, Population

_OF_GROUPS = 0.7  # standard deviation between groups, relative to that within


def _rare(rng, n):
    """Return two normal classes, of which one has three rows in a hundred."""
    y = (rng.random(n) < 0.03).astype(int)
    return rng.normal(size=(n, 5)) + np.outer(y, [1.5, 1.0, 0.5, 0, 0]), y


def _heavy(rng, n):
    """Return a plane with log-normal errors, whose squares hardly have a mean."""
    X = rng.normal(size=(n, 5))
    return X, X @ [0.5, 0.4, 0.25, 0.1, 0.0] + rng.lognormal(0, 1.5, size=n) / 4


def _twice(rng, n, n_fresh=200):
    """Return rows of which each stands there twice, and fresh ones behind."""
    X, y = ALL["rings"].make(rng, (n - n_fresh) // 2 + n_fresh)
    n_own = (n - n_fresh) // 2
    rows = np.r_[rng.permutation(np.tile(np.arange(n_own), 2)), n_own + np.arange(n_fresh)]
    return X[rows], y[rows]


def _wide(rng, n):
    """Return seventy columns, nearly as many as there are training rows."""
    X = rng.normal(size=(n, 70))
    return X, X.sum(axis=1) / 10 + rng.normal(size=n)


def _noise(rng, n):
    """Return a hundred columns of which three matter a little: which are selected is chance."""
    X = rng.normal(size=(n, 100))
    return X, 0.5 * X[:, :3].sum(axis=1) + rng.normal(size=n)


def _sizes(n_groups, is_equal, n_rows):
    """Return the group of each row; the sizes are equal or go down as 1, 1/2, 1/3 ..."""
    shares = np.ones(n_groups) if is_equal else 1 / np.arange(1, n_groups + 1)
    ends = np.round(np.cumsum(shares) / shares.sum() * (n_rows - n_groups)).astype(int)
    return np.repeat(np.arange(n_groups), np.diff(np.r_[0, ends]) + 1)


def _grouped(codes, is_classes, rng, n, n_fresh=200):
    """Return a plane whose columns and target vary between groups; fresh rows are of new ones."""
    of = codes(n - n_fresh)
    of = np.r_[of, of.max() + 1 + np.arange(n_fresh)]
    X = rng.normal(size=(n, 4)) + _OF_GROUPS * rng.normal(size=(of.max() + 1, 4))[of]
    shift = _OF_GROUPS * rng.normal(size=of.max() + 1)[of]
    y = X.sum(axis=1) / 2 + shift
    if is_classes:
        return X, (rng.random(n) < expit(1.5 * y)).astype(int)
    return X, y + rng.normal(size=n)


def _groups():
    for n_groups in (10, 20, 40):
        for is_equal in (True, False):
            codes = partial(_sizes, n_groups, is_equal)
            for is_classes in (True, False):
                what = "classes" if is_classes else "numbers"
                name = f"{n_groups} {'equal' if is_equal else 'unequal'} groups, {what}"
                make = partial(_grouped, codes, is_classes)
                yield Population(name, is_classes, make, groups=codes)


BREAKING = {
    one.name: one
    for one in (
        Population("3 % positives", True, _rare),
        Population("heavy tails", False, _heavy),
        Population("rows twice", True, _twice, has_copies=True),
        Population("wide", False, _wide),
        Population("selection", False, _noise),
    )
}
GROUPS = {one.name: one for one in _groups()}
EVERY = ALL | BREAKING | GROUPS | EQUAL
