"""Notes on data: dates, rows in an order that matters, copies, subjects without groups, repeats."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import Any

import numpy as np

from .._utils._arrays import as_array, one_output
from .._utils._text import cut, format_number
from ._notes import Note
from ._rows import RowScores
from ._split_notes import LEAST_SHARE, SharedRows, classes_of, is_sorted, row_hashes

SAME_REPEATS = "same repeats"
_OF_DATES = ("DatetimeIndex", "PeriodIndex")
# Names of columns that say which rows belong to one person or thing.
_WHO = "patient|subject|participant|respondent|person|individual|user|customer|client|student|pupil"
_WHO += "|animal|household|family|speaker|donor"
_IDENTIFIER = re.compile(
    rf"(?i:(.*[_\W])?(id|ids|uuid|guid)|({_WHO})s?[_\W]?(id|no|nr|number|code|key)?)|.*[a-z]I[dD]"
)
_FEWEST_SUBJECTS = 10  # of a column; with fewer it is rather a category
# A lag-1 correlation is no chance from so many standard errors on, and matters from so much on.
_ERRORS, _MATTERS = 3.3, 0.2
_FEWEST_TELLING = 20  # rows that a correlation rests on
_MOST_MODELS, _MOST_CLASSES = 10, 20
_NEAR = 41  # rows around each, of which the mean is taken off where y is not known
_ONE_WAY = 0.6  # of the steps of a target that is sorted in parts
_FEW_VALUES = 20  # of predictions that are no more than labels or leaves
_NEAR_END = 1e-6  # of the range, within which predictions are equal by saturation


def dates_in(X: Any) -> str:
    """Say where in X there are dates; empty if nowhere."""
    index = getattr(X, "index", None)
    levels = getattr(index, "levels", [index])
    if any(type(level).__name__ in _OF_DATES for level in levels):
        return "an index of dates"
    columns = getattr(X, "columns", None)
    for name, dtype in () if columns is None else zip(columns, X.dtypes, strict=True):
        kind, dated = str(dtype).lower(), False
        if kind in ("object", "o"):  # the first one tells
            first = next((value for value in X[name] if value is not None), None)
            dated = hasattr(first, "year") and hasattr(first, "month")
        if dated or kind.startswith(("date", "timestamp", "period")):
            return f"dates in the column {str(name)!r}"
    return ""


def table_notes(X: Any, y: Any, groups: Any, *, in_time_order: bool) -> tuple[Note, ...]:
    """Return notes of dates and of subjects that the splits do not look at."""
    if in_time_order:
        return ()
    if groups is None and not (hasattr(X, "iloc") or hasattr(y, "iloc") or hasattr(X, "columns")):
        kind = getattr(X, "dtype", None)  # of arrays
        return (dates_note("dates in it"),) if getattr(kind, "kind", "") == "M" else ()
    where = "" if groups is not None else dates_in(X)
    return (*([dates_note(where)] if where else []), *subject_notes(groups, X=X, y=y))


def dates_note(where: str) -> Note:
    """Return the note on dates that are not looked at."""
    text = (
        f"X has {where}, and models are trained on rows from after their test rows: if rows near "
        "in time are alike, scores are too high. Pass groups, such as the week of each row; or "
        "cv=TimeSeriesSplit(), whose scores are those of forecasts and are tested by the "
        "Diebold-Mariano test"
    )
    return Note("dates", text, None)


def subject_notes(groups: Any, /, **tables: Any) -> tuple[Note, ...]:
    """Return a note of an index or column that repeats as subjects do, or of groups of one row."""
    if groups is not None:
        labels = as_array("groups", groups)
        if labels.ndim != 1 or len(labels) < 2 or len(set(labels.tolist())) < len(labels):
            return ()
        text = (
            "each group has one row, so groups= changes nothing; give the label of what rows "
            "belong to, such as a patient, or leave it out"
        )
        return (Note("groups of one row", text, None),)
    for what, values, code in _labelled(tables):
        n, (_, counts) = len(values), np.unique(values, return_counts=True)
        fewest = 2 if code.endswith("index") else _FEWEST_SUBJECTS
        shared = int(counts[counts > 1].sum())
        if len(counts) >= fewest and shared >= LEAST_SHARE * n:
            text = (
                f"{what} has {len(counts)} values in {n} rows: if rows with the same one belong "
                "together, as those of a patient do, scores are too good and intervals too short; "
                f"pass groups={code}"
            )
            return (Note("repeated subjects", text, None),)
    return ()


def _labelled(tables: dict[str, Any]) -> Iterator[tuple[str, np.ndarray, str]]:
    """Yield the indexes that repeat, but for dates, and the columns that are named as subjects."""
    for name, table in tables.items():
        index = getattr(table, "index", None) if hasattr(table, "iloc") else None
        if index is not None and not (index.is_unique and index.nlevels == 1):
            for level in range(index.nlevels):
                values = index.get_level_values(level)
                if type(values).__name__ not in _OF_DATES:
                    of = "" if index.nlevels == 1 else f".get_level_values({level})"
                    yield f"the index of {name}", values.astype(str).to_numpy(), f"{name}.index{of}"
        for column in getattr(table, "columns", ()) if hasattr(table, "dtypes") else ():
            if isinstance(column, str) and _IDENTIFIER.fullmatch(column):
                values = np.asarray(table[column]).astype(str)
                yield f"the column {cut(column)!r}", values, f"{name}[{column!r}]"


def order_notes_of(rows: RowScores, y: Any) -> tuple[Note, ...]:
    """Return a note if rows score like their neighbours, which models are trained on."""
    if rows.repeats is not None:  # scores without blocks of rows, no scores of rows
        return ()
    tests = np.split(rows.rows, rows.offsets[1:-1])
    joined = sum(np.count_nonzero(np.diff(test) == 1) for test in tests)
    if rows.groups is not None or 2 * joined >= rows.rows.size - len(tests):  # blocks of rows
        return ()
    n_models = min(_MOST_MODELS, len(np.atleast_2d(rows.values)))
    counts, *sums = np.zeros((1 + n_models, rows.rows.max() + 1))
    for k in range(len(tests)):  # split by split, in little memory
        of_split, scores = rows.split(k)
        counts[of_split] += 1
        for sum_, of_model in zip(sums, np.atleast_2d(scores), strict=False):
            sum_[of_split] += of_model
    tested = np.flatnonzero(counts)
    means = (sums.pop(0)[tested] / counts[tested] for _ in range(n_models))
    known = one_output(y)
    known = None if known is None else known[tested]
    return order_notes(means, tested, known, shuffled=True)


def order_notes(
    scores: Iterable[np.ndarray], rows: np.ndarray, y: Any, *, shuffled: bool = False
) -> tuple[Note, ...]:
    """Return a note if rows that follow each other score alike: of models, or of differences."""
    # `scores` are those of each model, `rows` their ascending numbers.
    pairs, numbers = np.diff(rows) == 1, one_output(y)
    if not pairs.any() or (numbers is not None and is_sorted(numbers)):
        return ()
    if numbers is not None and numbers.dtype.kind in "iuf":  # sorted in parts
        steps = np.sign(np.diff(numbers.astype(float)))
        if abs(steps.sum()) > _ONE_WAY * np.abs(steps).sum():
            return ()
    classes = None if y is None else classes_of(y)
    if classes is None or classes.max() >= min(_MOST_CLASSES, len(rows) / 10):
        classes = np.zeros(len(rows), dtype=int)
    near, sizes = np.ones(_NEAR), np.bincount(classes)

    def centred(scores: np.ndarray) -> np.ndarray:
        if y is None and len(rows) > _NEAR:  # rows may be sorted by what is not known
            n_near = np.convolve(np.ones(len(rows)), near, "same")
            return np.asarray(scores - np.convolve(scores, near, "same") / n_near)
        return np.asarray(scores - (np.bincount(classes, scores) / np.maximum(sizes, 1))[classes])

    of_models = [centred(one) for one in islice(scores, _MOST_MODELS)]
    series = chain(of_models, (a - b for a, b in combinations(of_models, 2)))
    strongest = max((_correlation(one, pairs) for one in series), key=abs)
    if abs(strongest) <= max(_MATTERS, _ERRORS / np.sqrt(np.count_nonzero(pairs))):
        return ()
    trained = "models are trained on the neighbours of their test rows, and " if shuffled else ""
    text = (
        f"rows that follow each other score alike (correlation {format_number(strongest)} in "
        f"{len(rows)} rows), so their order matters: {trained}intervals are too short. Pass groups "
        "of neighbouring rows, groups=np.arange(len(y)) // 50 or longer blocks"
    )
    return (Note("order of rows", text, None),)


def _correlation(series: np.ndarray, pairs: np.ndarray) -> float:
    """Return the correlation of neighbours; 0 where few rows tell."""
    squares = np.square(series)
    total = squares.sum()
    if not np.isfinite(total) or total**2 < _FEWEST_TELLING * np.square(squares).sum() or not total:
        return 0.0
    return float((series[:-1] * series[1:])[pairs].mean() / squares.mean())


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
    return (Note("equal rows", text, None),)


def _equal_rows(y: Any, columns: Sequence[np.ndarray]) -> int:
    """Return how many rows equal another one in all of what is continuous."""
    columns = [column for column in columns if _is_fine(column)]
    if not columns:
        return 0
    _, inverse, counts = np.unique(
        row_hashes([*columns, *([] if y is None else np.asarray(y).reshape(len(y), -1).T)]),
        return_inverse=True,
        return_counts=True,
    )
    # Leaves of trees are equal in one model, and not in y and the others.
    fine = [column for column in columns if len(np.unique(column)) >= 0.95 * len(counts)]
    apart = np.zeros(len(inverse), dtype=bool)
    for column in fine:
        near = _NEAR_END * np.ptp(column)
        apart |= (column > column.min() + near) & (column < column.max() - near)
    return int(np.count_nonzero(apart & (counts > 1)[inverse]))


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


def repeat_notes_of(repeats: Any, of: str = "rows") -> tuple[Note, ...]:
    """Return a note if two repeats, of shape (n_repeats, ...), have the same scores that vary."""
    for one, other in combinations(range(len(repeats)), 2):
        if np.array_equal(repeats[one], repeats[other]) and np.ptp(repeats[one]) > 0:
            text = (
                f"repeats {one} and {other} have the same scores in all {of}: if one was passed "
                "twice, the variance is too small; pass each repeat once"
            )
            return (Note(SAME_REPEATS, text, None),)
    return ()
