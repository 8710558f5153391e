"""The sizes of splits of which only the splitter is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from .._utils._checks import one_line
from ..exceptions import SplitDesignError
from ..scores import SplitDesign
from ..splitters import check_data, to_splitter
from ..stats import Procedure

# Relative difference that fractions may have between two numbers of rows: they are rounded by less
# than a row, which is half of two rows. Fixed numbers of rows differ by a factor of 3.
_ROUNDING = 0.5
_SIZES = (
    "SplitDesign.from_sizes(n_train=..., n_test=..., n_splits=..., n_samples=...), the sizes of "
    "the splits."
)


def replay(cv: Any, estimator: Any, X: Any, y: Any, groups: Any, *, n_splits: int) -> SplitDesign:
    """Run a splitter over the data again, for the sizes of its splits."""
    if isinstance(cv, Iterator):
        raise SplitDesignError(
            f"cv was a {type(cv).__name__}, which has been used up, so the sizes of the splits are "
            f"not known. Pass design={_SIZES}"
        )
    X, y, groups = check_data(X, y, groups)
    splitter = to_splitter(cv, y, classifier=is_classifier(estimator))
    try:
        design = SplitDesign.from_any_draw(splitter, X, y, groups)
    except Exception as error:
        raise SplitDesignError(
            f"{one_line(splitter)} could not be run over the data again: {error} Pass the data "
            "that the search was fitted on (and groups=, if it needs them), or else "
            f"design={_SIZES}"
        ) from error
    remedy = f"Pass design={_SIZES}"
    _check_count(design, n_splits, what=one_line(splitter), remedy=remedy)
    return replace(design, digests=None, seed=None)


def follow(cv: Any, *, n_splits: int) -> SplitDesign:
    """Return a design with the proportions that a splitter gives data of any size.

    Notes
    -----
    The corrections depend on the sizes through n2/(n - n2) alone. A splitter is run over two
    nominal numbers of rows. If both give the same ratio, so does any number of rows, up to the
    rounding of sizes. Leave-one-out has as many rows as splits.
    """
    remedy = f"Pass as cv= what the search splits with, or {_SIZES}"
    if isinstance(cv, SplitDesign):
        _check_count(cv, n_splits, what="The design given as cv=", remedy=remedy)
        return cv
    splitter = to_splitter(cv, None, classifier=False)
    if isinstance(getattr(splitter, "cv", None), list):  # scikit-learn's wrapper of a list
        raise SplitDesignError(
            "A list of splits cannot be applied to other data. Pass as cv= an integer, a splitter "
            "whose sizes are fractions, or the SplitDesign of the splits."
        )
    # Multiples of the number of splits, so that folds are of equal size.
    sizes = [100 * n_splits, 300 * n_splits]
    if _count(splitter, sizes[0]) != _count(splitter, sizes[1]):
        sizes = [n_splits]  # one split for each row or group
    designs = [_nominal(splitter, size) for size in sizes]
    _check_count(designs[0], n_splits, what=one_line(splitter), remedy=remedy)
    small, large = designs[0].rho0_odds, designs[-1].rho0_odds
    if abs(small - large) > _ROUNDING * large:
        raise SplitDesignError(
            f"{one_line(splitter)} sets a fixed number of rows aside, so the correction depends on "
            "the number of rows, which a search does not store. Give it sizes as fractions, or "
            "pass cv=SplitDesign.from_sizes(...) if all searches are over data of one size."
        )
    return designs[-1]


def require_no_more(test: Procedure, design: SplitDesign, *, who: str) -> None:
    """Raise ValueError for a procedure that needs more than the scores of a search."""
    if test.needs_losses or test.fixed or test.auxiliary_request(design) is not None:
        raise ValueError(
            f"{who} has the scores of a search only, and {test!r} needs more: losses of rows, "
            'models that were fitted once, or auxiliary splits. Use method="corrected_resampled_t".'
        )


def _count(splitter: Any, n_rows: int) -> int:
    rows = np.arange(n_rows)
    return splitter.get_n_splits(rows, np.zeros(n_rows, dtype=int), rows)


def _nominal(splitter: Any, n_rows: int) -> SplitDesign:
    rows, y = np.arange(n_rows), np.zeros(n_rows, dtype=int)
    try:
        return SplitDesign.from_any_draw(splitter, rows, y)
    except Exception:  # perhaps because groups are missing
        return _nominal_in_groups(splitter, rows, y)


def _nominal_in_groups(splitter: Any, rows: np.ndarray, y: np.ndarray) -> SplitDesign:
    try:
        return SplitDesign.from_any_draw(splitter, rows, y, rows)
    except Exception as error:
        raise SplitDesignError(
            f"{one_line(splitter)} cannot be run without the data: {error} Pass "
            "cv=SplitDesign.from_sizes(...) instead, the sizes of the splits."
        ) from error


def _check_count(design: SplitDesign, n_splits: int, *, what: str, remedy: str) -> None:
    if design.n_splits != n_splits:
        raise SplitDesignError(
            f"{what} has {design.n_splits} splits, but the results are of {n_splits}, so they came "
            f"from others. {remedy}"
        )
