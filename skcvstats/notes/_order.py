"""The note on rows in an order that matters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .._utils._arrays import one_output
from .._utils._text import format_number
from ..scores import Note, RowScores
from ._copies import EQUAL_ROWS
from ._evidence import ScoresEvidence
from ._registry import note
from ._target import classes_of, is_sorted

# A lag-1 correlation is no chance from so many standard errors on, and matters from so much on.
_ERRORS = 3.3
_MATTERS = 0.2
_FEWEST_TELLING = 20  # rows that a correlation rests on
_ROUNDING = 1e-9  # of the largest score, below which what is left of others is none
_MOST_MODELS = 10
_MOST_CLASSES = 20
_NEAR = 41  # rows around each, whose mean or median is subtracted where y is not known
_MOST_ROWS = 20_000  # that are looked at then
_ENOUGH = 100_000  # rows are looked at in all
_PARTS = 10  # in so many parts
_ONE_WAY = 0.6  # of the steps of a target that is sorted in parts


@dataclass(frozen=True, eq=False)
class SomeRows:
    """The scores of some rows of a test set, of shape (n_models, n_rows), in ascending order."""

    rows: np.ndarray
    scores: np.ndarray


@note(
    "order of rows",
    title="Order of rows",
    looks_for="Correlated scores of adjacent rows: of models, or of differences.",
    why="Rows are then not independent: intervals are too short, and models are trained on "
    "the neighbours of their test rows.",
    remedy="Pass groups of neighbouring rows.",
    looks_in=ScoresEvidence,
)
def order_of_rows(evidence: ScoresEvidence) -> Iterator[Note]:
    given = evidence.of_rows
    # Of equal rows another note says why their scores are alike.
    if given is None or any(note.code == EQUAL_ROWS for note in evidence.noted):
        return
    y = _one_target(evidence.y)
    rows, training = _rows_of(given)
    if y is not None:
        y = y[rows]
        if is_sorted(y) or _is_sorted_in_parts(y):
            return
    by_neighbours = y is None and len(rows) > _NEAR  # rows may be sorted by what is not known
    if by_neighbours:
        rows = rows[:_MOST_ROWS]
    pairs = np.diff(rows) == 1
    if not pairs.any():
        return
    classes = _few_classes(y)
    left = [_left_of(scores, classes, by_neighbours) for scores in _mean_scores(given, rows)]
    strongest = _strongest(left, pairs)
    if not abs(strongest) > max(_MATTERS, _ERRORS / np.sqrt(np.count_nonzero(pairs))):
        return
    fault = "wrong" if strongest < 0 else "too short"
    text = (
        f"intervals are {fault}{training}: scores of adjacent rows are correlated "
        f"({format_number(strongest)}, {len(rows)} rows). Pass groups of neighbouring rows, "
        "groups=np.arange(len(y)) // 50 or longer blocks"
    )
    yield Note("order of rows", text, None)


def _are_in_blocks(scores: RowScores) -> bool:
    """Return whether most test rows follow the one before them in their test set."""
    follows = np.diff(scores.rows) == 1
    starts = scores.offsets[1:-1]
    follows[starts - 1] = False
    n_pairs = scores.rows.size - starts.size - 1
    return bool(2 * np.count_nonzero(follows) >= n_pairs)


def _rows_of(given: RowScores | SomeRows) -> tuple[np.ndarray, str]:
    """Return the rows to look at in ascending order, and a text on their models' training."""
    if isinstance(given, SomeRows):
        return given.rows, ""
    if given.groups is not None or _are_in_blocks(given):
        return np.array([], dtype=int), ""
    rows = np.flatnonzero(np.bincount(given.rows))
    return _some_of(rows), " and models are trained on neighbours of their test rows"


def rows_looked_at(n_rows: int) -> np.ndarray:
    """Return the numbers of the rows of a test set in whose order the note looks."""
    return _some_of(np.arange(n_rows))


def _some_of(rows: np.ndarray) -> np.ndarray:
    """Return some parts of many rows, and all of few."""
    if len(rows) <= _ENOUGH:
        return rows
    return np.concatenate([part[: _ENOUGH // _PARTS] for part in np.array_split(rows, _PARTS)])


def _one_target(y: Any) -> np.ndarray | None:
    """Return a target with one output, None of lists, sets and the like."""
    y = one_output(y)
    return None if y is None or not np.isscalar(y[0]) else y


def _mean_scores(given: RowScores | SomeRows, rows: np.ndarray) -> np.ndarray:
    """Return the mean scores of some rows of the data, of some models, in little memory."""
    if isinstance(given, SomeRows):
        return given.scores[:_MOST_MODELS, : len(rows)]
    n_models = min(_MOST_MODELS, len(np.atleast_2d(given.values)))
    counts = np.zeros(given.rows.max() + 1)
    means = np.zeros((n_models, len(counts)))
    tests = np.split(given.rows, given.offsets[1:-1])
    for test, start in zip(tests, given.offsets, strict=False):
        scores = given.block(values=given.values[..., start : start + test.size])
        counts[test] += 1
        means[:, test] += np.atleast_2d(scores)[:n_models]
    np.divide(means, counts, out=means, where=counts > 0)
    return means[:, rows]


def _is_sorted_in_parts(y: np.ndarray) -> bool:
    if y.dtype.kind not in "iuf":
        return False
    up = np.count_nonzero(y[1:] > y[:-1])
    down = np.count_nonzero(y[1:] < y[:-1])
    return bool(abs(up - down) > _ONE_WAY * (up + down))


def _few_classes(y: np.ndarray | None) -> np.ndarray | None:
    """Return the number of each row's class, or None if there are many."""
    classes = classes_of(y)
    if classes is None or classes.max() >= min(_MOST_CLASSES, len(classes) / 10):
        return None
    return classes


def _left_of(
    scores: np.ndarray, classes: np.ndarray | None, by_neighbours: bool
) -> tuple[np.ndarray, float]:
    """Return scores without the mean of their class or their neighbours, and their rounding."""
    if by_neighbours:
        near = np.ones(_NEAR)
        means = np.convolve(scores, near, "same")
        means /= np.convolve(np.ones(len(scores)), near, "same")
        # an even number, in which a row that differs from the next ones is no median
        around = np.pad(scores, (_NEAR // 2 + 1, _NEAR // 2), mode="edge")
        medians = np.median(sliding_window_view(around, _NEAR + 1), axis=1)  # jump where rows do
        left = min(scores - means, scores - medians, key=_sum_of_squares)
    elif classes is None:
        left = scores - scores.mean()
    else:
        left = scores - (np.bincount(classes, scores) / np.bincount(classes))[classes]
    return left, _ROUNDING * np.abs(scores).max()


def _sum_of_squares(numbers: np.ndarray) -> float:
    return float(np.square(numbers).sum())


def _strongest(left: Sequence[tuple[np.ndarray, float]], pairs: np.ndarray) -> float:
    """Return the strongest correlation of rows that follow each other, of models or differences."""
    apart = ((a - b, max(of_a, of_b)) for (a, of_a), (b, of_b) in combinations(left, 2))
    found = [_correlation(of_rows, rounding, pairs) for of_rows, rounding in chain(left, apart)]
    return max(found, key=abs)


def _correlation(of_rows: np.ndarray, rounding: float, pairs: np.ndarray) -> float:
    """Return the correlation of rows that follow each other, 0 if few rows tell."""
    squares = np.square(of_rows)
    squares[squares <= rounding**2] = 0.0
    total = squares.sum()
    if not total or _FEWEST_TELLING * np.square(squares / total).sum() > 1:
        return 0.0
    products = (of_rows[:-1] * of_rows[1:])[pairs]
    return float(products.mean() / (total / len(of_rows)))
