"""FitOptions: how to fit, shared by every entry point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from .._utils import check_option, is_integer, is_real

ON_ERROR = ("raise", "drop")


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """How to fit, checked once.

    Parameters
    ----------
    params : mapping or None
        For every ``fit``, or routed.
    n_jobs : int or None
        As joblib's, over all fits. With more than one thread the estimators have no jobs of their
        own.
    verbose : int
        Whether to show a progress bar.
    pre_dispatch : int or str
        As joblib's.
    error_score : "raise" or float
        What stands for a failed fit.
    fast_paths : bool, default=False
        Whether closed forms may take the place of fits.
    on_error : {"raise", "drop"}, default="raise"
        Whether a failure ends a comparison, or leaves out what failed.
    store : path-like or None, default=None
        The file that keeps finished fits.
    """

    params: Mapping[str, Any] | None
    n_jobs: int | None
    verbose: int
    pre_dispatch: int | str
    error_score: Any
    fast_paths: bool = False
    on_error: str = "raise"
    store: Any = None

    def __post_init__(self) -> None:
        if self.params is not None and not isinstance(self.params, Mapping):
            raise TypeError(
                f"params={self.params!r} must be a dict from names to values, such as "
                "{'sample_weight': weights}."
            )
        if self.n_jobs is not None and (not is_integer(self.n_jobs) or self.n_jobs == 0):
            raise ValueError(
                f"n_jobs={self.n_jobs!r} must be None or an integer other than 0; -1 uses all "
                "cores."
            )
        if not is_raise(self.error_score) and not is_real(self.error_score):
            raise ValueError(f"error_score={self.error_score!r} must be 'raise' or a number.")

        if not isinstance(self.fast_paths, bool | np.bool_):
            raise TypeError(f"fast_paths={self.fast_paths!r} must be True or False.")
        if self.store is not None and not isinstance(self.store, (str, PathLike)):
            raise TypeError(f"store={self.store!r} must be None or the path of a file.")
        check_option("on_error", self.on_error, ON_ERROR)
        if self.drops and is_raise(self.error_score):
            raise ValueError(
                "error_score='raise' ends with the first failure, and on_error='drop' goes on "
                "without what failed; leave one of them out."
            )

    @property
    def drops(self) -> bool:
        """Whether what failed is left out."""
        return self.on_error == "drop"

    def check_inference(self) -> None:
        """Raise ValueError if `error_score` could make scores up."""
        if not is_raise(self.error_score) and not np.isnan(self.error_score):
            raise ValueError(
                f"error_score={self.error_score!r} must be 'raise' or nan: any other number would "
                "enter the test as if it had been measured."
            )


def is_raise(error_score: Any) -> bool:
    """Whether failing fits are to raise."""
    return isinstance(error_score, str) and error_score == "raise"
