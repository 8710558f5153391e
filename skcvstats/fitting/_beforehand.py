"""Checks before the first fit that need no model, of problems that make all fits useless.

X is not checked: pipelines and boosters accept text, dates and missing values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.base import clone

from .._utils._checks import listed
from ..exceptions import FitError


def why_not_cloned(estimators: Mapping[str, Any]) -> dict[str, Exception]:
    """Return the estimators that cannot be cloned, with the cause."""
    failed = {}
    for name, estimator in estimators.items():
        try:
            clone(estimator)
        except Exception as error:
            failed[name] = error
    return failed


def refuse_uncloned(failed: Mapping[str, Exception], *, several: bool) -> None:
    """Raise FitError for an estimator that cannot be cloned."""
    if not failed:
        return
    name, error = next(iter(failed.items()))
    drop = f", or pass on_error='drop', which leaves {listed(failed)} out" if several else ""
    raise FitError(
        f"{listed(failed)} cannot be cloned, so no split could be fitted: {cause_of(error)}. Let "
        f"__init__ of {name!r} store its arguments as they are{drop}."
    ) from error


def cause_of(error: Exception) -> str:
    """Return the message of an exception in one line, without a full stop."""
    said = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
