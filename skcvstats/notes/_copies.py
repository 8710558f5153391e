"""The note on copies of rows."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ..scores import Note
from ._evidence import ScoresEvidence
from ._registry import note
from ._shared_rows import LEAST_SHARE, SharedRows, columns_of, equal_rows

EQUAL_ROWS = "equal rows"
_FEW_VALUES = 20  # of predictions that are no more than labels or leaves
_ENOUGH_SEEN = 100  # repeats: at least half are seen, but for a chance of 1e-7
_NEAR_END = 1e-6  # of the range, within which predictions are equal by saturation


@note(
    EQUAL_ROWS,
    title="Equal rows",
    looks_for="Many rows that equal another one in all that is continuous, or in X and y.",
    why="Copies say less than so many rows, so intervals are too short.",
    remedy="Pass groups, one label for a row and its copies.",
    looks_in=ScoresEvidence,
)
def many_equal_rows(evidence: ScoresEvidence) -> Iterator[Note]:
    columns, X, y = evidence.predicted, evidence.table, evidence.y
    n = len(columns[0])
    equal = _equal_rows(y, [column for part in columns for column in part.reshape(n, -1).T])
    where = "in y and in all predictions" if y is not None else "in all losses"
    if X is not None and equal < LEAST_SHARE * n:
        found = SharedRows(X, y)
        equal, where = found.n_equal if found.are_enough(n) else 0, "in X and y"
    if equal < max(2, LEAST_SHARE * n):
        return
    text = (
        f"intervals are too short if rows are copies: {equal} of {n} rows equal another one "
        f"{where}; pass groups, one label for a row and its copies"
    )
    yield Note(EQUAL_ROWS, text, None)


def _equal_rows(y: Any, columns: Sequence[np.ndarray]) -> int:
    """Return how many rows equal another one in all of what is continuous, 0 if they are few."""
    columns = [column for column in columns if _is_fine(column)]
    if not columns or any(_has_few_repeats(column) for column in columns):
        return 0
    labels = equal_rows(chain(columns, columns_of(y)), len(columns[0]))
    if labels is None:  # as most test sets are
        return 0
    n_distinct = labels.max() + np.count_nonzero(labels == 0)
    # Leaves of trees are equal in one model, and not in y and the others.
    fine = [column for column in columns if len(np.unique(column)) >= 0.95 * n_distinct]
    apart = np.zeros(len(labels), dtype=bool)
    for column in fine:
        near = _NEAR_END * np.ptp(column)
        apart |= (column > column.min() + near) & (column < column.max() - near)
    return int(np.count_nonzero(apart & (labels > 0)))


def _has_few_repeats(column: np.ndarray) -> bool:
    """Whether so few rows equal another one in this column that no note is due."""
    n_rows = len(column)
    fewest = LEAST_SHARE * n_rows / 2  # repeats, if each row that is repeated is so once
    rows = np.sort(np.random.default_rng(0).integers(n_rows, size=n_rows // 10))
    rows = rows[np.diff(rows, prepend=-1) > 0]
    # A random tenth has both of some copies of a row, however far apart these are.
    expected = fewest * (len(rows) / n_rows) ** 2
    if expected > _ENOUGH_SEEN and _n_repeats(column[rows]) < expected / 2:
        return True
    return _n_repeats(column) < fewest


def _n_repeats(column: np.ndarray) -> int:
    """Return how many numbers equal another one, of each value one less than there are."""
    ascending = np.sort(column)
    return int(np.count_nonzero(ascending[1:] == ascending[:-1]))


def _is_fine(column: np.ndarray) -> bool:
    """Whether numbers are hardly ever equal by chance: more than some, and not rounded too far."""
    if column.dtype.kind != "f":
        return False
    some = column[:1000]  # which tell most columns
    if len(np.unique(some)) <= _FEW_VALUES and len(np.unique(column)) <= _FEW_VALUES:
        return False

    def is_rounded(values: np.ndarray) -> bool:
        return np.allclose(values, np.rint(values), rtol=0, atol=1e-6)

    with np.errstate(over="ignore", invalid="ignore"):
        for scale in 10.0 ** np.arange(7):
            if is_rounded(some * scale) and is_rounded(column * scale):
                return bool(10 * len(column) <= np.ptp(column * scale))
    return True
