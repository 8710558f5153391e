"""Errors for two arrays: functions on arrays test two estimators by a - b."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def of_differences(*positional: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Raise an error for a second positional array that suggests the difference of the two."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__name__
        call = f"{name}({', '.join(positional)}, ...)"

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if len(args) > len(positional):
                raise TypeError(
                    f"{name} tests the scores of one estimator or the differences of two on the "
                    f"same splits, got {len(args)} positional arguments. For two estimators pass "
                    f"{call}, a and b as NumPy arrays; all other arguments go by name."
                )
            return function(*args, **kwargs)

        return checked

    return decorate
