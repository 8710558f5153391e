"""Check groups of test rows and weights, and count them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._utils._arrays import as_array, as_numbers
from .._utils._text import counted
from ..scores import Note

# With at least this many groups, a standard error by groups is reliable.
FEWEST_GROUPS = 10


@dataclass(frozen=True, eq=False)
class Groups:
    """The group of each test row."""

    codes: np.ndarray | None
    n_groups: int
    labels: Any = None

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sum over the rows of each group."""
        if self.codes is None:
            return values
        return np.bincount(self.codes, weights=values, minlength=self.n_groups)

    @cached_property
    def _order(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows in the order of their groups, and where each group starts."""
        codes = np.asarray(self.codes)
        ends = np.cumsum(np.bincount(codes, minlength=self.n_groups))
        return np.argsort(codes, kind="stable"), np.concatenate([[0], ends])

    def rows(self, groups: np.ndarray) -> np.ndarray:
        """Return the rows of some groups, which may be repeated, group after group."""
        if self.codes is None:
            return groups
        order, starts = self._order
        sizes = starts[groups + 1] - starts[groups]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return order[np.repeat(starts[groups], sizes) + within]

    def sizes(self, weights: np.ndarray | None, n_rows: int) -> np.ndarray:
        """Return the number of rows of each group, or the sum of their weights."""
        return self.sums(np.ones(n_rows) if weights is None else weights)


def read_groups(groups: Any, n_rows: int, weights: np.ndarray | None = None) -> Groups:
    """Return the numbered groups of the test rows."""
    found = Groups(None, n_rows) if groups is None else Groups(*_numbered(groups, n_rows))
    if weights is None:
        n_groups = found.n_groups
    else:
        n_groups = int(np.count_nonzero(found.sizes(weights, n_rows)))
    if n_groups < 2:
        what = "group" if groups is not None else "test row"
        raise ValueError(
            f"There is only 1 {what}{'' if weights is None else ' with a weight above 0'}, so it "
            f"cannot be seen how {what}s vary. Test on at least 2 {what}s, better 30."
        )
    return found


def _numbered(groups: Any, n_rows: int) -> tuple[np.ndarray, int, Any]:
    labels = as_array("groups", groups)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (n_rows,):
        raise ValueError(
            f"groups has shape {labels.shape}, but there are {n_rows} test rows; give one label "
            "for each."
        )
    import pandas as pd

    codes, distinct = pd.factorize(labels, sort=True)
    if (codes < 0).any():
        raise ValueError(
            f"groups is missing for {counted(int((codes < 0).sum()), 'row')} (the first: "
            f"{int(np.argmin(codes))}). Fill it, with a label of its own for a row that belongs "
            "to no group."
        )
    return codes, len(distinct), distinct


def read_weights(sample_weight: Any, n_rows: int) -> np.ndarray | None:
    """Return the weights of the test rows, checked."""
    if sample_weight is None:
        return None
    weights = as_numbers("sample_weight", sample_weight)
    if weights.ndim == 2 and weights.shape[1] == 1:
        weights = weights[:, 0]
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}, but there are {n_rows} test rows; give one "
            "weight for each."
        )
    wrong = ~(weights >= 0) | np.isinf(weights)
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(
            f"sample_weight must be finite and at least 0, but {int(wrong.sum())} are not (the "
            f"first: row {first}, {weights[first]}). Give a row that should not count weight 0."
        )
    largest = weights.max()
    if largest == 0:
        raise ValueError("All of sample_weight are 0, so nothing is measured. Weigh some rows.")
    return weights / largest


def few_groups(n_groups: int, held: str = "") -> tuple[Note, ...]:
    """Return a note on few groups, which show little."""
    if n_groups >= FEWEST_GROUPS:
        return ()
    text = (
        f"only {counted(n_groups, 'group')}{held}: the variance between groups is poorly estimated "
        f"and the test has little power; test on at least {FEWEST_GROUPS} groups, better 30"
    )
    return (Note("few groups", text),)
