"""The slices of a test set: which rows belong to each, and which are too small."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from .._utils._text import counted, cut, first_of
from ..comparison import ComparisonResult
from ..scores import Note, union

_FEWEST_ROWS, _MOST_NAMED = 10, 10
_SMALL = ("few groups", "few of a class", "small bootstrap")


def read_slices(by: np.ndarray | None) -> tuple[list[str], np.ndarray]:
    """Return the names of slices, and the number of the slice of each row."""
    if by is None:
        return [], np.array([], dtype=int)
    names, codes = np.unique(by.astype(str), return_inverse=True)
    if not 2 <= len(names) <= max(2, len(by) / 2):
        raise ValueError(
            f"by has {counted(len(names), 'value')} on {counted(len(by), 'row')}. Give the slice "
            "of each row, at least two in all and with two rows each on average; cut a column of "
            "numbers into ranges first, such as by pandas.cut."
        )
    return names.tolist(), codes


def with_slices(
    whole: ComparisonResult, names: Sequence[str], of_slice: Callable[[int], ComparisonResult]
) -> ComparisonResult:
    """Return a result with those of slices, and a note that names the small ones."""
    slices: dict[str, ComparisonResult | None] = dict.fromkeys(names)
    small = []
    for k, name in enumerate(names):
        try:
            with warnings.catch_warnings():  # its notes stay with it
                warnings.simplefilter("ignore")
                slices[name] = part = of_slice(k)
        except ValueError as error:  # the whole was compared with the same arguments
            why = str(error).split(". ")[0].rstrip(".")
            small.append(f"{cut(name)} (not compared: {why})")
            continue
        n_rows = max(of.design.test_size for of in part.scores_by_metric.values())
        if n_rows < _FEWEST_ROWS or any(note.code in _SMALL for note in part.notes):
            small.append(f"{cut(name)} ({counted(int(n_rows), 'row')})")
    if all(part is None for part in slices.values()):
        remedy = "Choose wider slices, or another metric."
        raise ValueError(f"by: no slice can be compared: {small[0]}. {remedy}")
    text = f"slices too small to say anything: {first_of(small, _MOST_NAMED)}"
    note = [Note("small slices", text, None)] if small else []
    tests = {
        metric: replace(of, notes=union(of.notes, note))
        for metric, of in whole.tests_by_metric.items()
    }
    return replace(whole, tests_by_metric=tests, slices=slices)
