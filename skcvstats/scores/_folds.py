"""Repeated k-fold, recognized from the rows that each split tests on, or refused."""

from typing import NamedTuple

import numpy as np

from .._utils._text import counted
from ._design import OF_FITTED_MODELS, SplitDesign
from ._split_notes import TIME_ORDER, TRAINED_ON

FEWEST_FOLDS = 3
# So many counts are listed one by one.
_MOST_COUNTS = 4
_TIMES = {0: "never", 1: "once", 2: "twice"}
_REMEDY = (
    "Such folds are those of RepeatedStratifiedKFold(n_splits=5, n_repeats=4) for classes, else of "
    "RepeatedKFold(n_splits=5, n_repeats=4); compare_estimators without cv= draws them."
)
_OR_OTHERS = f'{_REMEDY} For random splits there is method="corrected_resampled_t".'


class FoldedRows(NamedTuple):
    """Which fold tested each row, and where its score is among all, by repeat and row."""

    labels: np.ndarray
    positions: np.ndarray  # in the values of RowScores


def repeats_and_folds(design: SplitDesign) -> tuple[int, int]:
    """Return the numbers of repeats and of folds of a repeated k-fold, in any order."""
    n_repeats = max(1, round(sum(design.n_test) / design.n_samples))
    return n_repeats, design.n_splits // n_repeats


def not_all_others(design: SplitDesign, who: str) -> str | None:
    """Return why a split does not train on all rows that it does not test on, or None."""
    if design.on_test_set:
        return f"{who} {OF_FITTED_MODELS}"
    codes = {note.code for note in design.notes}
    if TIME_ORDER.code in codes:
        return (
            f"{who} needs repeated k-fold, and these splits are in time order, for which no test "
            'here is valid. method="corrected_resampled_t" shows their scores, without intervals '
            "and verdicts. For these, test on folds of groups, such as weeks: cv=GroupKFold(5)."
        )
    overlapping = TRAINED_ON in codes
    for k, (n_train, n_test) in enumerate(zip(design.n_train, design.n_test, strict=True)):
        if overlapping or n_train + n_test != design.n_samples:
            return (
                f"{who} needs repeated k-fold, where each model is trained on all {design.unit} "
                f"that it is not tested on, and on no others; split {k} trains on {n_train} and "
                f"tests on {n_test} of {design.n_samples}. {_REMEDY}"
            )
    return None


def find_folds(
    rows: np.ndarray, offsets: np.ndarray, n_rows: int, *, who: str, remedy: str = _OR_OTHERS
) -> FoldedRows | str:
    """Return which fold tested each row in each repeat, or why this is no repeated k-fold."""
    # Each test set goes to the first repeat that has none of its rows yet. If repeats can be parted
    # in several ways, any serves: no number depends on the order of a row's scores.
    counts = np.bincount(rows, minlength=n_rows)
    if counts.min() < counts.max():
        return (
            f"{who} needs repeated k-fold, where each row is tested once in each repeat. Of "
            f"{n_rows} rows, these splits test {_how_often(counts)}. {remedy}"
        )
    labels = np.full((counts[0], n_rows), -1)
    positions = np.empty_like(labels)
    sizes = np.zeros(counts[0], dtype=np.intp)
    for start, tested in zip(offsets, np.split(rows, offsets[1:-1]), strict=False):
        free = (labels[:, tested] < 0).all(axis=1)
        if not free.any():
            break
        repeat = free.argmax()
        labels[repeat, tested] = sizes[repeat]
        positions[repeat, tested] = start + np.arange(tested.size)
        sizes[repeat] += 1
    if (labels < 0).any():
        return (
            f"{who} needs repeated k-fold; the number of tests of each row is {counts[0]}, but "
            "these splits are not seen to be repeats that test each row once. If they are, pass "
            f"one repeat after another. {_REMEDY}"
        )
    return FoldedRows(labels, positions)


def folds_of_units(labels: np.ndarray, codes: np.ndarray | None, *, who: str) -> np.ndarray | str:
    """Return the fold of each row, or of each group in `codes`, by repeat, or what is wrong."""
    unit = "row"
    if codes is not None:
        unit, first = "group", np.unique(codes, return_index=True)[1]
        torn = np.unique(codes[(labels != labels[:, first[codes]]).any(axis=0)]).size
        if torn:
            return (
                f"{who} needs whole groups in each fold; {torn} of {counted(first.size, unit)} "
                "have rows in several folds, so models were trained on rows of groups that they "
                "were tested on. Use folds of whole groups, as of GroupKFold(5), or leave groups "
                "out if rows do not depend on each other."
            )
        labels = labels[:, first]
    sizes = [np.bincount(row) for row in labels]
    numbers, smallest = {size.size for size in sizes}, min(size.min() for size in sizes)
    if len(numbers) > 1 or min(numbers) < FEWEST_FOLDS or smallest < 2:
        return (
            f"{who} needs the same number of folds in each repeat, {FEWEST_FOLDS} or more, and two "
            f"{unit}s or more in each fold; here repeats have "
            f"{' and '.join(map(str, sorted(numbers)))} folds, and the smallest fold has "
            f"{counted(int(smallest), unit)}. Use 5 or 10 folds, or pass more data."
        )
    partitions = {np.unique(row, return_index=True)[1][row].tobytes() for row in labels}
    if again := len(labels) - len(partitions):
        return (
            f"{who} needs other folds in each repeat; {again} of {len(labels)} repeats "
            f"{'has' if again == 1 else 'have'} the same folds as one before. Draw each repeat "
            f"with another seed. {_REMEDY}"
        )
    return labels


def _how_often(counts: np.ndarray) -> str:
    """Say how many rows are tested never, once, twice and so on."""
    times, n_rows = np.unique(counts, return_counts=True)
    often = [_TIMES.get(k, f"{k} times") for k in times.tolist()]
    if times.size > _MOST_COUNTS:
        last = _MOST_COUNTS - 1
        often[last:] = [f"{times[last]} to {times[-1]} times"]
        n_rows[last] = n_rows[last:].sum()
    return ", ".join(f"{counted(int(n), 'row')} {k}" for n, k in zip(n_rows, often, strict=False))
