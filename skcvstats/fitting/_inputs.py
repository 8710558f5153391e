"""Check estimators and options from the user, once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags

from .._utils._arrays import check_path
from .._utils._checks import (
    brief,
    check_flag,
    check_n_jobs,
    check_option,
    check_verbose,
    is_finite,
    is_integer,
    is_real,
    listed,
)
from ..exceptions import FitError

ON_ERROR = ("raise", "drop")
_PRE_DISPATCH = re.compile(r" *(all|[1-9]\d*|([1-9]\d* *\* *)?n_jobs|n_jobs *\* *[1-9]\d*) *")


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """How to fit, checked once."""

    params: Mapping[str, Any] | None
    n_jobs: int | None
    verbose: int
    on_error: str = "raise"
    store: Any = None
    pre_dispatch: int | str = "2*n_jobs"
    error_score: Any = np.nan
    reseed: bool = False

    def __post_init__(self) -> None:
        if self.params is not None and not isinstance(self.params, Mapping):
            raise TypeError(
                f"params is a {type(self.params).__name__}; pass a dict from names to values, such "
                "as {'sample_weight': weights}."
            )
        check_n_jobs(self.n_jobs)
        check_verbose(self.verbose)
        if not _PRE_DISPATCH.fullmatch(str(self.pre_dispatch)):
            raise ValueError(
                f"pre_dispatch={self.pre_dispatch!r} must be an integer of at least 1, 'all', or a "
                "multiple of the jobs such as '2*n_jobs'."
            )
        score = self.error_score
        known = is_finite(score) or (is_real(score) and not is_integer(score))  # also nan
        if not is_raise(score) and not known:
            raise ValueError(f"error_score={brief(score)} must be 'raise' or a number.")
        if self.store is not None:
            check_path("store", self.store)
        check_option("on_error", self.on_error, ON_ERROR)
        check_flag("reseed", self.reseed)

    @property
    def drops(self) -> bool:
        """Whether a failed part is left out."""
        return self.on_error == "drop"

    def uncloned(self, estimators: Mapping[str, Any]) -> dict[str, str]:
        """Return the estimators that cannot be cloned, with the cause, or raise FitError."""
        failed: dict[str, Exception] = {}
        for name, estimator in estimators.items():
            try:
                clone(estimator)
            except Exception as error:
                failed[name] = error
        if not failed or self.drops:
            return {name: f"it cannot be cloned: {_one_line(why)}" for name, why in failed.items()}
        name, first = next(iter(failed.items()))
        several = len(estimators) > 2
        drop = f", or pass on_error='drop', which leaves {listed(failed)} out" if several else ""
        raise FitError(
            f"{listed(failed)} cannot be cloned, so no split could be fitted: {_one_line(first)}. "
            f"Let __init__ of {name!r} store its arguments as they are{drop}."
        ) from first


def is_raise(error_score: Any) -> bool:
    """Whether failing fits raise an error."""
    return isinstance(error_score, str) and error_score == "raise"


def check_target(estimators: Mapping[str, Any], y: Any, scoring: Any) -> None:
    """Raise ValueError if estimators need a target and there is none."""
    metrics = scoring.values() if isinstance(scoring, Mapping) else [scoring]
    if y is not None or any(map(callable, metrics)):
        return
    learning = [  # of a pipeline no tag says that it does
        name
        for name, model in estimators.items()
        if hasattr(model, "__sklearn_tags__")
        and (is_classifier(model) or is_regressor(model) or get_tags(model).target_tags.required)
    ]
    if learning:
        raise ValueError(
            f"y is None, but a target is needed by {listed(learning)}; pass y, one entry for each "
            "row of X."
        )


def _one_line(error: Exception) -> str:
    """Return the message of an exception in one line, without a full stop."""
    said = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
