"""Arrays and frames of scores: their orientation and their splits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._utils._arrays import as_numbers
from ..exceptions import SplitDesignError
from ..scores import SplitDesign


def is_array(given: Any) -> bool:
    """Whether something is an array or a sequence, but not text."""
    if isinstance(given, (str, bytes)):
        return False
    return isinstance(given, Sequence) or (hasattr(given, "__array__") and np.ndim(given) > 0)


def check_stated(design: Any, what: str) -> SplitDesign:
    """Return the design of bare scores, or raise an error that says how to state it."""
    if design is None:
        raise SplitDesignError(
            f"The sizes of the splits are not in {what}, and the correction depends on them. State "
            "them: design=SplitDesign.from_splitter(cv, X, y) or "
            "design=SplitDesign.from_sizes(n_train=..., n_test=..., n_splits=...); or pass "
            "CVScores(values=..., design=...)."
        )
    if not isinstance(design, SplitDesign):
        raise TypeError(
            f"design={design!r} must be a SplitDesign, for example "
            "SplitDesign.from_splitter(cv, X, y)."
        )
    return design


def columns_of(frame: Any, design: SplitDesign | None) -> dict[str, Any]:
    """Return the columns of a frame; each has the scores of one estimator."""
    design = check_stated(design, "a frame of scores")
    names = [str(name) for name in frame.columns]
    n_rows, n_columns = frame.shape
    if n_rows != design.n_splits:
        turned = n_columns == design.n_splits
        raise ValueError(
            f"The frame has {n_rows} rows and {n_columns} columns, and design= {design.n_splits} "
            "splits; its rows must be the splits and its columns the estimators. "
            f"{'Pass frame.T.' if turned else 'Pass one row for each split.'}"
        )
    if n_columns == n_rows and not _only_columns_are_named(frame):
        raise ValueError(
            f"A frame of {n_rows} rows and {n_columns} columns with {design.n_splits} splits may "
            "be either way round. Name the columns after the estimators and number the rows, or "
            'pass a dict such as {"tree": frame["tree"], "forest": frame["forest"]}.'
        )
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(
            f"The columns of the frame must be unique names of estimators, but {repeated} occur "
            "more than once; rename them."
        )
    return dict(zip(names, np.asarray(frame).T, strict=True))


def _only_columns_are_named(frame: Any) -> bool:
    """Whether the columns have names, and the rows have none, but perhaps numbers."""
    rows = list(getattr(frame, "index", ()))
    named = all(isinstance(name, str) for name in frame.columns)
    return named and not any(isinstance(label, str) for label in rows)


def rows_of(array: Any, design: SplitDesign | None) -> dict[str, np.ndarray]:
    """Return the rows of an array, each the scores of one estimator, "estimator 0" ..."""
    design = check_stated(design, "an array of scores")
    try:
        scores = as_numbers("they", array)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "The scores must be an array of real numbers of shape (n_estimators, n_splits): "
            f"{error}. Pass a dict from names to scores otherwise."
        ) from error
    fits = [size == design.n_splits for size in scores.shape]
    if scores.ndim != 2 or not any(fits):
        raise ValueError(
            f"The scores have shape {scores.shape}, and design= has {design.n_splits} splits; "
            "expected shape (n_estimators, n_splits)."
        )
    if all(fits):
        raise ValueError(
            f"Scores of shape {scores.shape} with {design.n_splits} splits may be either way "
            'round. Say which by a dict: {"tree": scores[0], "forest": scores[1], ...} if rows '
            "are estimators, else with scores[:, 0]."
        )
    if fits[0]:
        raise ValueError(
            f"The scores have shape {scores.shape}, and design= has {design.n_splits} splits; the "
            "splits must be along the last axis. Pass scores.T."
        )
    return {f"estimator {k}": row for k, row in enumerate(scores)}
