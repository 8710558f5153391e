"""Run a splitter for the facts of its splits, and see whether it draws them again."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from .._utils import is_integer, n_rows, one_line
from ._diagnostics import kind_notes
from ._fingerprint import as_rows, split_digest, target_digest
from ._reader import SplitReader


def read_splitter(
    cv: Any, X: Any, y: Any = None, groups: Any = None
) -> tuple[dict[str, Any], bool]:
    """Return the fields of the SplitDesign of a splitter, and whether it draws the same again.

    Parameters
    ----------
    cv : splitter
        An object with ``split(X, y, groups)``.
    X, y, groups : array-like
        As for its ``split``.

    Returns
    -------
    facts : dict
        The fields.
    again : bool
        Whether a second draw makes the same splits.
    """
    if isinstance(cv, type) or not hasattr(cv, "split"):
        raise TypeError(
            f"cv={one_line(cv)} must be a splitter: an object with split(X, y, groups), such "
            f"as KFold(5) or RepeatedSubsampleSplit().{_meant_by(cv)}"
        )
    lazy = cv.lazy_split(X, y, groups) if hasattr(cv, "lazy_split") else None
    reader = SplitReader(n_rows(X), groups=groups, y=y, cv=cv)
    for train, test in cv.split(X, y, groups) if lazy is None else lazy:
        reader.add(train, test)
    facts = {**reader.facts(), "y_digest": target_digest(y), "source": one_line(cv)}
    if lazy is None:
        return facts, _draws_again(cv, X, y, groups, reader.digests)
    facts |= {**lazy.facts(), "notes": kind_notes(cv, len(lazy))}
    return facts, lazy.seed is not None and lazy.seed == cv.lazy_split(X, y, groups).seed


def _draws_again(cv: Any, X: Any, y: Any, groups: Any, digests: list[str]) -> bool:
    """Draw a second time, as far as the first difference."""
    for split, (digest, sides) in enumerate(zip_longest(digests, cv.split(X, y, groups))):
        if digest is None or sides is None:
            return False
        train, test = (
            as_rows(rows, split=split, side=side, n_rows=n_rows(X))
            for rows, side in zip(sides, ("train", "test"), strict=True)
        )
        if split_digest(train, test) != digest:
            return False
    return True


def _meant_by(cv: Any) -> str:
    """Say which splitter scikit-learn makes of what is none, as a sentence behind others."""
    if is_integer(cv) or cv is None:
        return (
            f" cross_validate(classifier, X, y, cv={cv}) means SplitDesign.from_splitter("
            f"check_cv({cv}, y, classifier=True), X, y); for a regressor it is classifier=False. "
            "check_cv is in sklearn.model_selection."
        )
    if isinstance(cv, (list, tuple)):
        return (
            " Of a list of splits: train, test = zip(*cv); SplitDesign.from_indices(train, test)."
        )
    return ""
