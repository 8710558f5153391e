"""Placements: the rank of each positive among the negatives, and vice versa."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Classes:
    """The rows of each class."""

    positive: np.ndarray
    rows: tuple[np.ndarray, np.ndarray]

    @classmethod
    def of(cls, positive: np.ndarray) -> Classes:
        """Return the classes with the rows of each."""
        return cls(positive, (np.flatnonzero(positive), np.flatnonzero(~positive)))


def placements(classes: Classes, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of negatives below each positive, and vice versa."""
    order = np.argsort(scores)
    ascending, is_positive = scores[order], classes.positive[order]
    new = np.empty(len(scores), dtype=bool)
    new[:1] = True
    np.not_equal(ascending[1:], ascending[:-1], out=new[1:])
    m, n = map(len, classes.rows)
    shares = np.empty(len(scores))
    if new.all():
        places = np.flatnonzero(is_positive)
        shares[order[places]] = (places - np.arange(m)) / n
        places = np.flatnonzero(~is_positive)
        shares[order[places]] = 1 - (places - np.arange(n)) / m
    else:
        shares[order] = _shares_with_ties(new, is_positive, m, n)
    return shares[classes.rows[0]], shares[classes.rows[1]]


def _shares_with_ties(new: np.ndarray, is_positive: np.ndarray, m: int, n: int) -> np.ndarray:
    """Return the placements in ascending order of scores, some of which are equal."""
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(new))
    below = np.concatenate([[0], np.cumsum(is_positive)])  # positives before each position
    # for each value, twice the positives, and negatives, before it with ties one half
    positives = below[starts] + below[ends]
    negatives = starts + ends - positives
    of_value = np.column_stack([1 - positives / (2 * m), negatives / (2 * n)]).ravel()
    value = np.cumsum(new)
    value *= 2
    value += is_positive
    return of_value[value - 2]
