"""Whether test sets have the shares of the classes more evenly than random ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from ..splitters import LazySplitter

# At most so many false alarms are wanted, and so much variation counts as far less than random.
LEVEL = 1e-3
_FAR_LESS = 0.5
FEWEST_SPLITS = 5
# Rarer classes say little one by one.
_FEWEST_EXPECTED = 1.0
# More splits are not looked at: these tell enough.
_MOST_SPLITS = 100
_MOST_CELLS = 2**26
_STRATIFYING = (
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)
# Of scikit-learn; what these two draw is up to their user.
_GIVEN_SPLITS = ("PredefinedSplit", "_CVIterableWrapper")


def n_needed(n_rows: int) -> int:
    """Return of how many splits the test rows are looked at."""
    return min(_MOST_SPLITS, _MOST_CELLS // max(n_rows, 1))


def are_stratified(tests: Sequence[np.ndarray], rows: np.ndarray, classes: np.ndarray) -> bool:
    """Return whether the class counts of test sets vary far less than random ones would."""
    # doc/derivations.rst has the statistic and its bound. What is recognized makes a note and never
    # selects a formula.
    tests = tests[: n_needed(rows.size)]
    n_splits = len(tests)
    n = rows.size
    if n_splits < FEWEST_SPLITS:
        return False
    member = np.zeros((n_splits, rows[-1] + 1), dtype=bool)
    for marks, test in zip(member, tests, strict=True):
        marks[test] = True
    member = member[:, rows]
    places = [np.flatnonzero(marks) for marks in member]
    sizes = np.count_nonzero(member, axis=1)
    codes = _frequent(classes[rows], smallest=int(sizes.min()))
    counts = np.bincount(codes)
    if counts.size < 2 or sizes.max() == n:
        return False
    found = np.array([np.bincount(codes[place], minlength=counts.size) for place in places])
    p = counts / n
    spread = sizes * (1 - sizes / n)
    scale = (n - 1) / (n * spread)
    pearson = scale * ((found - np.outer(sizes, p)) ** 2 / p).sum(axis=1)
    n_free = counts.size - 1
    if pearson.sum() > _FAR_LESS * n_splits * n_free:
        return False
    most = p.max()
    rounding = scale * ((1 / p).sum() - 1 / most + n_free / most) / 12
    shared = np.array([np.count_nonzero(member[:, place], axis=1) for place in places])
    correlations = (shared - np.outer(sizes, sizes) / n) / np.sqrt(np.outer(spread, spread))
    weights = np.linalg.eigvalsh(correlations).clip(min=0)
    # A bound of the probability that a weighted sum of chi-squared variables is at most this.
    least = pearson.sum() + rounding.sum()
    u = np.geomspace(1e-3, 1e6, 200)
    logs = u * least - n_free / 2 * np.log1p(2 * u[:, None] * weights).sum(axis=1)
    return bool(np.exp(min(logs.min(), 0.0)) <= LEVEL)


def _frequent(classes: np.ndarray, smallest: int) -> np.ndarray:
    """Return the classes, with those of few rows in the smallest test set taken as one."""
    counts = np.bincount(classes)
    there = counts > 0
    codes: NDArray[np.intp] = (np.cumsum(there) - 1)[classes]
    counts = counts[there]
    order = np.argsort(counts, kind="stable")
    enough = counts * smallest / classes.size >= _FEWEST_EXPECTED
    # The rare ones in order, joined until they are enough together.
    new = np.cumsum(enough[order])
    together = counts[~enough].sum() * smallest / classes.size
    if 0 < together < _FEWEST_EXPECTED and enough.any():
        new = np.maximum(new, 1) - 1
    renumbered = np.empty(counts.size, dtype=np.intp)
    renumbered[order] = new - new.min()
    return renumbered[codes]


def stratifies(cv: Any) -> bool | None:
    """Return whether a splitter stratifies, None where its kind does not show it."""
    if isinstance(cv, LazySplitter):
        return bool(cv.stratify)
    if isinstance(cv, _STRATIFYING):
        return True
    kinds = type(cv).__mro__
    of_sklearn = {kind.__name__ for kind in kinds if kind.__module__.startswith("sklearn.")}
    if type(cv).__name__ in of_sklearn.difference(_GIVEN_SPLITS):
        return False
    return None
