"""Notes on data: rows in an order that matters, and copies."""

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .._utils._arrays import one_output
from .._utils._text import format_number
from ._notes import Note
from ._rows import RowScores
from ._split_notes import LEAST_SHARE, SharedRows, classes_of, columns_of, equal_rows, is_sorted

_EQUAL_ROWS = "equal rows"
# A lag-1 correlation is no chance from so many standard errors on, and matters from so much on.
_ERRORS, _MATTERS = 3.3, 0.2
_FEWEST_TELLING = 20  # rows that a correlation rests on
_ROUNDING = 1e-9  # of the largest score, below which what is left of others is none
_MOST_MODELS, _MOST_CLASSES = 10, 20
_NEAR = 41  # rows around each, of which the mean or median is taken off where y is not known
_MOST_ROWS = 20_000  # that are looked at then
_ENOUGH, _PARTS = 100_000, 10  # rows are looked at in all, in so many parts
_ONE_WAY = 0.6  # of the steps of a target that is sorted in parts
_FEW_VALUES = 20  # of predictions that are no more than labels or leaves
_NEAR_END = 1e-6  # of the range, within which predictions are equal by saturation


def order_notes(given: Any, y: Any, noted: Iterable[Note] = ()) -> tuple[Note, ...]:
    """Return a note if rows that follow each other score alike: of models, or of differences."""
    # `given` are scores of rows of folds, or those of each model on one test set.
    if any(note.code == _EQUAL_ROWS for note in noted):  # which says why they score alike
        return ()
    if isinstance(given, RowScores):
        tests = np.split(given.rows, given.offsets[1:-1])
        joined = sum(np.count_nonzero(np.diff(test) == 1) for test in tests)
        in_blocks = 2 * joined >= given.rows.size - len(tests)
        if in_blocks or given.groups is not None:
            return ()
        n_models = min(_MOST_MODELS, len(np.atleast_2d(given.values)))
        counts, *means = np.zeros((1 + n_models, given.rows.max() + 1))
        for test, start in zip(tests, given.offsets, strict=False):  # in little memory
            scores = given.block(values=given.values[..., start : start + test.size])
            counts[test] += 1
            for mean, of_model in zip(means, np.atleast_2d(scores), strict=False):
                mean[test] += of_model
        for mean in means:
            np.divide(mean, counts, out=mean, where=counts > 0)
        rows, given = np.flatnonzero(counts), means
        trained = "models are trained on the neighbours of their test rows, and "
    else:
        rows, trained = np.arange(len(given[0])), ""
    if len(rows) > _ENOUGH:
        rows = np.concatenate([part[: _ENOUGH // _PARTS] for part in np.array_split(rows, _PARTS)])
    y = one_output(y)
    y = None if y is None or not np.isscalar(y[0]) else y[rows]  # of lists, sets and the like
    by_neighbours = y is None and len(rows) > _NEAR  # rows may be sorted by what is not known
    rows = rows[:_MOST_ROWS] if by_neighbours else rows
    pairs = np.diff(rows) == 1
    if not pairs.any() or (y is not None and is_sorted(y)):
        return ()
    if y is not None and y.dtype.kind in "iuf":  # sorted in parts
        up, down = np.count_nonzero(y[1:] > y[:-1]), np.count_nonzero(y[1:] < y[:-1])
        if abs(up - down) > _ONE_WAY * (up + down):
            return ()
    classes = None if y is None else classes_of(y)
    if classes is not None and classes.max() >= min(_MOST_CLASSES, len(rows) / 10):
        classes = None
    left = [_left_of(scores[rows], classes, by_neighbours) for scores in given[:_MOST_MODELS]]
    strongest = _strongest(left, pairs)
    if not abs(strongest) > max(_MATTERS, _ERRORS / np.sqrt(np.count_nonzero(pairs))):
        return ()
    alike, short = ("alike", "too short") if strongest > 0 else ("unlike", "wrong")
    text = (
        f"rows that follow each other score {alike} (correlation {format_number(strongest)} in "
        f"{len(rows)} rows), so their order matters: {trained}intervals are {short}. Pass "
        "groups of neighbouring rows, groups=np.arange(len(y)) // 50 or longer blocks"
    )
    return (Note("order of rows", text, None),)


def _left_of(
    scores: np.ndarray, classes: np.ndarray | None, by_neighbours: bool
) -> tuple[np.ndarray, float]:
    """Return scores without the mean of their class or their neighbours, and their rounding."""
    if by_neighbours:
        # an even number, in which a row that differs from the next ones is no median
        near, around = np.ones(_NEAR), np.pad(scores, (_NEAR // 2 + 1, _NEAR // 2), mode="edge")
        means = np.convolve(scores, near, "same")
        means /= np.convolve(np.ones(len(scores)), near, "same")
        medians = np.median(sliding_window_view(around, _NEAR + 1), axis=1)  # jump where rows do
        left = min(scores - means, scores - medians, key=lambda of: np.square(of).sum())
    elif classes is None:
        left = scores - scores.mean()
    else:
        left = scores - (np.bincount(classes, scores) / np.bincount(classes))[classes]
    return left, _ROUNDING * np.abs(scores).max()


def _strongest(left: Sequence[tuple[np.ndarray, float]], pairs: np.ndarray) -> float:
    """Return the strongest correlation of rows that follow each other, of models or differences."""
    apart = ((a - b, max(of_a, of_b)) for (a, of_a), (b, of_b) in combinations(left, 2))
    strongest, n_pairs = 0.0, np.count_nonzero(pairs)
    for of_rows, rounding in chain(left, apart):
        squares = np.square(of_rows)
        squares[squares <= rounding**2] = 0.0
        total = squares.sum()
        if not total or _FEWEST_TELLING * np.square(squares / total).sum() > 1:
            continue  # few rows tell
        first, second = of_rows[:-1], of_rows[1:]
        products = first @ second if pairs.all() else first[pairs] @ second[pairs]
        found = float(products / n_pairs / (total / len(of_rows)))
        strongest = max(strongest, found, key=abs)
    return strongest


def copy_notes(y: Any, columns: Sequence[np.ndarray], X: Any = None) -> tuple[Note, ...]:
    """Return a note if many rows equal another one in all that is continuous, or in X and y."""
    n = len(columns[0])
    equal = _equal_rows(y, [column for part in columns for column in part.reshape(n, -1).T])
    where = "in y and in all predictions" if y is not None else "in all losses"
    if X is not None and equal < LEAST_SHARE * n:
        found = SharedRows(X, y)
        equal, where = found.n_equal if found.are_enough(n) else 0, "in X and y"
    if equal < max(2, LEAST_SHARE * n):
        return ()
    text = (
        f"{equal} of {n} rows equal another one {where}: if they are copies, they say less than so "
        "many rows, and intervals are too short; pass groups, one label for a row and its copies"
    )
    return (Note(_EQUAL_ROWS, text, None),)


def _equal_rows(y: Any, columns: Sequence[np.ndarray]) -> int:
    """Return how many rows equal another one in all of what is continuous."""
    columns = [column for column in columns if _is_fine(column)]
    if not columns:
        return 0
    labels = equal_rows(chain(columns, columns_of(y)), len(columns[0]))
    if labels is None:  # of which most test sets are
        return 0
    n_distinct = labels.max() + np.count_nonzero(labels == 0)
    # Leaves of trees are equal in one model, and not in y and the others.
    fine = [column for column in columns if len(np.unique(column)) >= 0.95 * n_distinct]
    apart = np.zeros(len(labels), dtype=bool)
    for column in fine:
        near = _NEAR_END * np.ptp(column)
        apart |= (column > column.min() + near) & (column < column.max() - near)
    return int(np.count_nonzero(apart & (labels > 0)))


def _is_fine(column: np.ndarray) -> bool:
    """Whether numbers are hardly ever equal by chance: more than some, and not rounded too far."""
    if column.dtype.kind != "f":
        return False
    some = column[:1000]  # which tell most columns
    if len(np.unique(some)) <= _FEW_VALUES and len(np.unique(column)) <= _FEW_VALUES:
        return False

    def is_rounded(values: np.ndarray) -> bool:
        return np.allclose(values, np.rint(values), rtol=0, atol=1e-6)

    for scale in 10.0 ** np.arange(7):
        if is_rounded(some * scale) and is_rounded(column * scale):
            return bool(10 * len(column) <= np.ptp(column * scale))
    return True
