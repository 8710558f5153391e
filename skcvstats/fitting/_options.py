"""FitOptions: how to fit, shared by every entry point."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._utils._arrays import check_path
from .._utils._checks import check_option, is_integer, is_real

ON_ERROR = ("raise", "drop")
# More workers than any machine has.
_MANY = 10**6
_PRE_DISPATCH = re.compile(r" *(all|[1-9]\d*|([1-9]\d* *\* *)?n_jobs|n_jobs *\* *[1-9]\d*) *")


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """How to fit, checked once."""

    params: Mapping[str, Any] | None
    n_jobs: int | None
    verbose: int
    pre_dispatch: int | str
    error_score: Any
    on_error: str = "raise"
    store: Any = None

    def __post_init__(self) -> None:
        if self.params is not None and not isinstance(self.params, Mapping):
            raise TypeError(
                f"params is a {type(self.params).__name__}; pass a dict from names to values, such "
                "as {'sample_weight': weights}."
            )
        check_n_jobs(self.n_jobs)
        check_verbose(self.verbose)
        check_pre_dispatch(self.pre_dispatch)
        if not is_raise(self.error_score) and not is_real(self.error_score):
            raise ValueError(f"error_score={self.error_score!r} must be 'raise' or a number.")
        if self.store is not None:
            check_path("store", self.store)
        check_option("on_error", self.on_error, ON_ERROR)
        if self.drops and is_raise(self.error_score):
            raise ValueError(
                "error_score='raise' ends with the first failure, and on_error='drop' goes on "
                "without what failed; leave one of them out."
            )

    @property
    def drops(self) -> bool:
        """Whether a failed part is left out."""
        return self.on_error == "drop"

    def check_inference(self) -> None:
        """Raise ValueError if `error_score` could invent scores."""
        if not is_raise(self.error_score) and not math.isnan(self.error_score):
            raise ValueError(
                f"error_score={self.error_score!r} must be 'raise' or nan: any other number would "
                "enter the test as if it had been measured."
            )


def check_n_jobs(n_jobs: Any) -> None:
    """Raise ValueError for a number of jobs that joblib could not start."""
    if n_jobs is not None and not (is_integer(n_jobs) and n_jobs != 0 and abs(n_jobs) < _MANY):
        raise ValueError(
            f"n_jobs={n_jobs!r} must be None or an integer other than 0, of a size that a machine "
            "can have; -1 uses all cores."
        )


def check_verbose(verbose: Any) -> None:
    """Raise TypeError unless `verbose` is an integer, True or False."""
    if not is_integer(verbose) and not isinstance(verbose, (bool, np.bool_)):
        raise TypeError(
            f"verbose={verbose!r} must be an integer: 0 shows nothing, 1 a progress bar."
        )


def check_pre_dispatch(pre_dispatch: Any) -> None:
    """Raise ValueError unless `pre_dispatch` gives a positive number of tasks."""
    if is_integer(pre_dispatch) and pre_dispatch >= 1:
        return
    if isinstance(pre_dispatch, str) and _PRE_DISPATCH.fullmatch(pre_dispatch):
        return
    raise ValueError(
        f"pre_dispatch={pre_dispatch!r} must be an integer of at least 1, 'all', or a multiple of "
        "the jobs such as '2*n_jobs'."
    )


def is_raise(error_score: Any) -> bool:
    """Whether failing fits raise an error."""
    return isinstance(error_score, str) and error_score == "raise"
