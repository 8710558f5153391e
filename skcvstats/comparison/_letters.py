"""Letters: a compact display of which estimators are not shown to differ."""

from __future__ import annotations

from string import ascii_letters

import numpy as np

# With more columns than letters, also in between, there is no display.
_MOST_COLUMNS = len(ascii_letters)
_MOST_ON_THE_WAY = 2000


def letters(different: np.ndarray) -> list[str] | None:
    """Return the letters of each estimator; estimators that share one are not shown to differ.

    Notes
    -----
    The columns are all maximal sets without a shown difference. They are found by inserting and
    absorbing [1]_: starting from one set of all, each shown difference splits every set that
    contains both, and sets within others are dropped.

    References
    ----------
    .. [1] H.-P. Piepho, "An Algorithm for a Letter-Based Representation of All-Pairwise
       Comparisons", Journal of Computational and Graphical Statistics 13, 2004.
    """
    n_estimators = len(different)
    columns = {(1 << n_estimators) - 1}
    for first, second in np.argwhere(np.triu(different, k=1)).tolist():
        a, b = 1 << first, 1 << second
        torn = {column for column in columns if column & a and column & b}
        if not torn:
            continue
        columns -= torn
        for one, other in ((a, b), (b, a)):
            # As no column is within another, a half can be within one that was not torn only.
            rest = [column for column in columns if column & other]
            columns |= {half for column in torn if not _is_inside(half := column & ~one, rest)}
        if len(columns) > _MOST_ON_THE_WAY:
            return None
    if len(columns) > _MOST_COLUMNS:
        return None
    members = sorted([k for k in range(n_estimators) if column >> k & 1] for column in columns)
    return [
        "".join(
            letter for letter, column in zip(ascii_letters, members, strict=False) if k in column
        )
        for k in range(n_estimators)
    ]


def _is_inside(column: int, others: list[int]) -> bool:
    return any(column & ~other == 0 for other in others)
