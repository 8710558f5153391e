"""Rows of repeated folds, or groups of them, as the units of a variance.

Notes
-----
Each of R repeats splits n units into K folds; L(r, i) is the score of unit i under the model of
repeat r that was not trained on it. With Lbar_i its mean over the repeats, the estimate is the mean
of Lbar_i, and

    v = sum_i (Lbar_i - estimate)^2 / ((n - 1) n),
    w = sum_ri (L(r, i) - Lbar_i)^2 / ((R - 1) n^2)

are the variance of a mean over n independent units, and R/n times that of a unit's score over its
repeats. Groups of rows are units whose score is a jackknife pseudo-value: with weights W_g of the
groups, W in all,

    u(r, g) = estimate + (G - 1)/(W - W_g) sum_{i in g} w_i (L(r, i) - estimate)

takes the place of L(r, i), so that v is the variance of leaving one group out. All are quadratic
forms in u - estimate, which is linear in the scores: that of a difference of two estimators is the
difference of theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..scores import Components

KIND = "row units"


class Spread(NamedTuple):
    """How the scores of units vary, for each estimator or difference."""

    over_units: np.ndarray  # v
    over_repeats: np.ndarray  # w
    between_folds: np.ndarray  # the sample variance of the means of all folds
    from_rows: np.ndarray  # what it would be if only units differed
    n_telling: np.ndarray  # how many units the variance over them rests on


@dataclass(frozen=True, eq=False)
class Folds:
    """Which units each fold of each repeat tested, as labels of shape (n_repeats, n_units)."""

    labels: np.ndarray

    @cached_property
    def _order(self) -> np.ndarray:
        return np.argsort(self.labels, axis=1, kind="stable")

    @cached_property
    def sizes(self) -> np.ndarray:
        """The number of units of each fold, of shape (n_repeats, n_folds)."""
        n_folds = int(self.labels.max()) + 1
        return np.stack([np.bincount(row, minlength=n_folds) for row in self.labels])

    def spread(self, deviations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the variance of the folds' means, and what the units alone would make it."""
        means, expected = [], np.zeros(len(deviations))
        for r, (order, sizes) in enumerate(zip(self._order, self.sizes, strict=True)):
            sorted_ = deviations[:, r, order]
            starts = np.cumsum(sizes) - sizes
            of_folds = np.add.reduceat(sorted_, starts, axis=1) / sizes
            sorted_ -= np.repeat(of_folds, sizes, axis=1)
            np.square(sorted_, out=sorted_)
            squares = np.add.reduceat(sorted_, starts, axis=1)
            expected += (squares / ((sizes - 1) * sizes)).sum(axis=1)
            means.append(of_folds)
        return np.concatenate(means, axis=1).var(axis=1, ddof=1), expected / self.sizes.size


def unit_scores(
    values: np.ndarray, codes: np.ndarray | None, weights: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return estimates, and the deviations of the units' scores from them.

    `values` has the shape (n_estimators, n_repeats, n_rows), the deviations (n_estimators,
    n_repeats, n_units). `codes` number the groups from 0; weights are above 0.
    """
    if codes is None and weights is None:
        estimates = values.mean(axis=(1, 2))
        return estimates, values - estimates[:, np.newaxis, np.newaxis]
    n_rows = values.shape[-1]
    weights = np.ones(n_rows) if weights is None else weights
    total = weights.sum()
    estimates = (values @ weights).mean(axis=1) / total
    deviations = values - estimates[:, np.newaxis, np.newaxis]
    deviations *= weights
    if codes is None:
        of_units = weights
    else:
        order = np.argsort(codes, kind="stable")
        starts = np.searchsorted(codes[order], np.arange(codes.max() + 1))
        deviations = np.add.reduceat(deviations[..., order], starts, axis=-1)
        of_units = np.bincount(codes, weights=weights)
    return estimates, deviations * ((len(of_units) - 1) / (total - of_units))


def spread_of(components: Components, folds: Folds | None) -> Spread:
    """Return how the scores of units vary, block by block."""
    found = np.zeros((5, len(components)))
    for part in components.blocks():
        deviations = components.rows("deviations", part)
        n_repeats, n_units = deviations.shape[1:]
        means = deviations.mean(axis=1)
        squares = np.square(means)
        total = squares.sum(axis=1)
        found[0, part] = total / ((n_units - 1) * n_units)
        fourth = np.einsum("ki,ki->k", squares, squares)
        found[4, part] = np.divide(
            total**2, fourth, out=np.full(len(total), np.inf), where=fourth > 0
        )
        if folds is not None:
            found[2, part], found[3, part] = folds.spread(deviations)
        if n_repeats > 1:
            deviations = deviations - means[:, np.newaxis]
            squares = np.einsum("kri,kri->k", deviations, deviations)
            found[1, part] = squares / ((n_repeats - 1) * n_units**2)
    return Spread(*found)


def row_root(components: Components, inflation: float, n_folds: int) -> np.ndarray:
    """Return a root of the covariance of the estimates, with a column for each estimator.

    The whole root has a column for each unit, and one for each unit and repeat. Its transpose is
    reduced by QR block after block: its Gram matrix would lose half of the digits.
    """
    deviations = components.rows("deviations", slice(None))
    n_estimators, n_repeats, n_units = deviations.shape
    several = n_repeats > 1
    factor = 1 + (inflation if several else 1.5 * inflation)
    own = np.sqrt(factor / (n_units * (n_units - 1)))
    within = np.sqrt(inflation * n_folds / (5 * (n_repeats - 1))) / n_units if several else 0.0
    root = np.zeros((0, n_estimators))
    step = max(n_estimators, _BLOCK // (n_estimators * (n_repeats + 1)))
    for start in range(0, n_units, step):
        part = deviations[:, :, start : start + step]
        means = part.mean(axis=1, keepdims=True)
        columns = [own * means[:, 0]]
        if within:
            columns.append((within * (part - means)).reshape(n_estimators, -1))
        block = np.concatenate([root, np.concatenate(columns, axis=1).T])
        root = np.asarray(np.linalg.qr(block, mode="r"))
    return root.T


_BLOCK = 2**20
