"""Rows that are as near to others as synthetic ones: between two rows, or beside one."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from .._utils._arrays import Floats
from .._utils._text import counted, cut, format_percent
from ..scores import Note
from ._registry import note
from ._shared_rows import LEAST_SHARE, columns_of
from ._target import classes_of

# What is looked at.
_MOST_COPIED = 1000  # rows, for near-copies
_MOST_ROWS = 2000  # of all classes together
_MANY = 100_000
_MOST_COLUMNS = 50
_MOST_CLASSES = 20
_FEWEST_ROWS = 20
_FEW_VALUES = 50  # of a column that is a grid or a count
_NEIGHBOURS = 10
_STRAIGHT = -1 + 1e-6  # the cosine of two directions that are opposite
_NEARLY_STRAIGHT = -1 + 1e-4  # up to the rounding of distances
_NONE = 0.01  # the share of rows between two others in a class that was not interpolated
_AS_LARGE = 0.5  # of the largest class, the size of one that interpolation would have filled up to
_COPIES = 4  # of a row
_NONE_COPIED = (np.empty(0, dtype=np.intp), np.empty((0, _COPIES), dtype=np.intp))
_TORN = 0.25  # of rows with near-copies; two random halves tear a half of the pairs
_NEARER = 4  # times as near as the next row are copies


class NearRows:
    """Looks for interpolated rows and for near-copies among the numbers of a table.

    Of many rows some are looked at that lie close together, so that most have their neighbours
    among them. Near-copies are counted in the test sets of splits; without splits all rows are
    those of a test set.
    """

    def __init__(self, X: Any, y: Any) -> None:
        self.y = y
        self.counts: list[tuple[int, int]] = []  # near-copies of training rows, and rows seen
        self.columns: list[np.ndarray] = []
        try:
            columns = [column for column in columns_of(X) if _are_numbers(column)]
            self.columns = columns[:: -(-len(columns) // _MOST_COLUMNS) or 1]
        except Exception:  # no table
            return

    @cached_property
    def n_fine(self) -> int:
        """How many columns have so many values that they are no grid."""
        return sum(len(np.unique(column[:_MOST_ROWS])) > _FEW_VALUES for column in self.columns)

    @cached_property
    def copies(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows with near-copies, and these; none unless more than half of the rows have some."""
        if self.n_fine == 0:
            return _NONE_COPIED
        rows, points = _points(self.columns, np.arange(len(self.columns[0])), _MOST_COPIED)
        if len(points) < _FEWEST_ROWS:
            return _NONE_COPIED
        neighbours, distances = _nearest(points, _COPIES + 1)
        is_gap = _NEARER**2 * distances[:, :-1] < distances[:, 1:]
        has_copies = is_gap.any(axis=1)
        if 2 * np.count_nonzero(has_copies) <= len(points):
            return _NONE_COPIED
        last = is_gap.argmax(axis=1)
        copies = np.where(
            np.arange(_COPIES) <= last[:, None], neighbours[:, :-1], neighbours[:, :1]
        )
        return rows[has_copies], rows[copies[has_copies]]

    def is_needed(self, n_test: int) -> bool:
        """Return whether splits of ours are made to look for near-copies."""
        return self.copies[0].size > 0

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """Add the next split, as row numbers."""
        rows, copies = self.copies
        if rows.size:
            is_tested = np.isin(rows, test)
            is_shared = is_tested & np.isin(copies, train).any(axis=1)
            self.counts.append((int(is_shared.sum()), int(is_tested.sum())))


def _are_numbers(column: np.ndarray) -> bool:
    return column.ndim == 1 and column.dtype.kind in "iuf"


def _points(columns: list[np.ndarray], rows: np.ndarray, n_most: int) -> tuple[np.ndarray, Floats]:
    """Return some distinct rows that lie close together, and their standardized numbers."""
    if len(rows) > _MANY:  # first those that are near in one column, which takes less time
        n_values = [len(np.unique(column[:_MOST_ROWS])) for column in columns]
        values = columns[int(np.argmax(n_values))][rows].astype(float)
        distances = np.abs(values - values[len(values) // 2])
        rows = rows[np.argpartition(distances, _MANY)[:_MANY]]
    if len(rows) > n_most:
        distances = np.zeros(len(rows))
        for column in columns[:: -(-len(columns) // 8)]:  # a few tell what is near
            values = column[rows].astype(float)
            middle = values[len(values) // 2]
            distances += np.nan_to_num(((values - middle) / (values.std() or 1)) ** 2)
        rows = rows[np.argpartition(distances, n_most)[:n_most]]
    numbers = np.stack([column[rows] for column in columns], axis=1).astype(float)
    points, first = np.unique(numbers, axis=0, return_index=True)
    present = np.ma.masked_invalid(points)  # missing numbers are taken for the mean of the others
    spreads = present.std(axis=0).filled(0)
    points = (present - present.mean(axis=0)) / np.where(spreads > 0, spreads, 1)
    return rows[first], points.filled(0)


def _nearest(points: Floats, n_neighbours: int) -> tuple[np.ndarray, Floats]:
    """Return the neighbours of each point, nearest first, and the squares of their distances."""
    squares = _squared_distances(points)
    nearest = np.argpartition(squares, n_neighbours, axis=1)[:, :n_neighbours]
    distances = np.take_along_axis(squares, nearest, axis=1)
    order = np.argsort(distances, axis=1)
    return np.take_along_axis(nearest, order, axis=1), np.take_along_axis(distances, order, axis=1)


def _squared_distances(points: Floats) -> Floats:
    """Return the squared distance of each two points, infinity of a point from itself."""
    norms = np.square(points).sum(axis=1)
    squares: Floats = np.maximum(norms[:, None] + norms - 2 * points @ points.T, 0.0)
    np.fill_diagonal(squares, np.inf)
    return squares


def _share_between(columns: list[np.ndarray], rows: np.ndarray, n_most: int) -> float:
    """Return the share of rows that lie on the segment between two of their neighbours."""
    rows, points = _points(columns, rows, n_most)
    n_distinct = [len(np.unique(values)) for values in points.T]
    points = points[:, 2 * np.array(n_distinct) > len(points)]
    variances = np.linalg.eigvalsh(points.T @ points / len(points))
    if len(points) < _FEWEST_ROWS or np.count_nonzero(variances > 1e-10) < 3:
        return 0.0
    squares = _squared_distances(points)
    nearest = np.argpartition(squares, _NEIGHBOURS, axis=1)[:, :_NEIGHBOURS]
    distances = np.take_along_axis(squares, nearest, axis=1)
    apart = squares[nearest[:, :, None], nearest[:, None, :]]
    apart[:, np.arange(_NEIGHBOURS), np.arange(_NEIGHBOURS)] = 0.0
    products = np.sqrt(distances[:, :, None] * distances[:, None, :])
    with np.errstate(all="ignore"):
        cosines = (distances[:, :, None] + distances[:, None, :] - apart) / (2 * products)
    pairs = np.nan_to_num(cosines, nan=1.0).reshape(len(points), -1)
    best = pairs.argmin(axis=1)
    candidates = np.flatnonzero(pairs.min(axis=1) < _NEARLY_STRAIGHT)
    ends = nearest[candidates[:, None], np.stack(np.divmod(best[candidates], _NEIGHBOURS), axis=1)]
    first, second = (points[ends] - points[candidates, None]).transpose(1, 0, 2)
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    is_between = (first * second).sum(axis=1) < _STRAIGHT * lengths
    is_between &= np.count_nonzero(first, axis=1) >= 3  # else along an axis
    return np.count_nonzero(is_between) / len(points)


@note(
    "synthetic rows",
    title="Synthetic rows",
    looks_for="A class in which at least 5 % of the rows lie between two neighbours, as rows of "
    "SMOTE do, while a class of like size has none.",
    why="A synthetic row in a test set is made of training rows, so the scores are too good, also "
    "where there is nothing to learn.",
    remedy="Oversample inside the pipeline, such as imblearn.pipeline.Pipeline, which does it on "
    "training rows only.",
    looks_in=NearRows,
    on_sound_data="Found in 0 of 34 data sets; no row of theirs lies between two others. Of six "
    "columns of noise with a tenth, a half, and twice as many synthetic rows .09, .32 and .54 do.",
)
def synthetic_rows(rows: NearRows) -> Iterator[Note]:
    if rows.n_fine < 3:
        return
    classes = classes_of(rows.y)
    if classes is None:
        return
    with np.errstate(invalid="ignore"):  # of infinity
        step = 1 + len(classes) // _MOST_ROWS
        columns = [column for column in rows.columns if (column[::step] % 1 > 0).any()]
    if not columns:
        return
    sizes = np.bincount(classes)
    looked_at = np.argsort(-sizes, kind="stable")[:_MOST_CLASSES]
    n_most = _MOST_ROWS // len(looked_at)
    shares = {}
    for label in looked_at.tolist():
        shares[label] = _share_between(columns, np.flatnonzero(classes == label), n_most)
    is_natural = any(
        share < _NONE and sizes[label] >= _AS_LARGE * sizes.max() for label, share in shares.items()
    )
    highest = max(shares, key=shares.__getitem__)
    if not is_natural or shares[highest] < LEAST_SHARE:
        return
    label = np.unique(np.asarray(rows.y)).tolist()[highest]
    text = (
        f"scores are too good if rows are synthetic (SMOTE?): {format_percent(shares[highest])} of "
        f"the rows looked at in class {cut(repr(label))} lie on a straight line between two "
        "others; if they were made before the splits, test rows are made of training rows: "
        "oversample inside the pipeline"
    )
    yield Note("synthetic rows", text)


@note(
    "near-copies",
    title="Near-copies",
    looks_for="More than half of the rows with one to four others that are much nearer than all "
    "the rest, on both sides of splits.",
    why="Rows that are nearly equal belong together: scores reward memorization, and intervals are "
    "too short.",
    remedy="Pass groups, one label for a row and its near-copies.",
    looks_in=NearRows,
    on_sound_data="Found in 0 of 34 data sets, where the highest share was .11; a column of "
    "noise has .31, and rows twice with noise of a twentieth of their spread .75.",
)
def near_copies(rows: NearRows) -> Iterator[Note]:
    n_near = rows.copies[0].size
    if not n_near:
        return
    together = "pass groups=, one label for a row and its near-copies"
    if not rows.counts:
        text = (
            f"intervals are too short: {counted(n_near, 'row')} that were looked at have "
            f"near-copies, much nearer than any other row; {together}"
        )
        yield Note("near-copies", text, None)
        return
    n_shared, n_seen = np.sum(rows.counts, axis=0)
    if n_shared >= _TORN * n_seen:
        text = (
            f"scores are too good and intervals too short: {n_shared} of {n_seen} test rows that "
            "were looked at have a near-copy in training; it is much nearer than any other row, "
            f"so {together}"
        )
        yield Note("near-copies", text)
