"""The design of the splits that a splitter draws, with what is to be noted on them."""

from typing import Any, TypeVar

import numpy as np

from .._utils._checks import is_integer, n_rows, one_line
from ..scores import SplitDesign, SplitReader, target_digest
from ..splitters import check_row_order, draw_splits, to_splitter
from ._split_evidence import SplitsEvidence, SplitsWatch
from ._splits import note_splits

Design = TypeVar("Design", bound=SplitDesign)


def draw_design(kind: type[Design], cv: Any, X: Any, y: Any, groups: Any) -> tuple[Design, bool]:
    """Return the design of a splitter's splits, and whether it draws them again."""
    facts, watch, is_repeated = _read_splitter(cv, X, y, groups)
    if not is_repeated:
        facts |= {"digests": None, "seed": None}
    evidence = SplitsEvidence(kind(**facts), watch, are_redrawn=is_repeated)
    return note_splits(evidence), is_repeated


def _checked_splitter(cv: Any, y: Any) -> Any:
    """Return a splitter, which of an integer is k-fold, or raise TypeError for what is none."""
    if cv is None or is_integer(cv):
        is_classes = y is not None and (np.asarray(y).dtype.kind != "f" or len(np.unique(y)) <= 2)
        cv = to_splitter(cv, y, classifier=is_classes)
    if isinstance(cv, (type, str, bytes)) or not hasattr(cv, "split"):
        meant = " Of a list of splits: train, test = zip(*cv); "
        meant += "SplitDesign.from_indices(train, test)."
        raise TypeError(
            f"cv={one_line(cv)} must be a splitter: an object with split(X, y, groups), such as "
            f"KFold(5) or RepeatedSubsampleSplit().{meant * isinstance(cv, (list, tuple))}"
        )
    return cv


def _read_splitter(
    cv: Any, X: Any, y: Any, groups: Any
) -> tuple[dict[str, Any], SplitsWatch, bool]:
    """Return the fields of a splitter's design, a watch, and whether it repeats its splits."""
    cv = _checked_splitter(cv, y)
    check_row_order(X, y, groups)
    reader = SplitReader(n_rows(X), groups=groups)
    watch = SplitsWatch(cv, X, y, groups)
    splits = draw_splits(cv, X, y, {"groups": groups})
    is_lazy = hasattr(splits, "facts")
    observers = watch.observers
    if is_lazy:
        observers = [each for each in observers if each.is_needed(splits.n_test)]
    for sides in splits:
        train, test = reader.add(*sides)
        for observer in observers:
            observer.add(train, test)
    facts = {**reader.facts(), "y_digest": target_digest(y), "source": one_line(cv)}
    if is_lazy:
        facts |= splits.facts()
    again = draw_splits(cv, X, y, {"groups": groups})
    if is_lazy:
        return facts, watch, splits.seed is not None and splits.seed == again.seed
    second = SplitReader(n_rows(X))
    for train, test in again:
        second.add(train, test)
    return facts, watch, second.digests == reader.digests
