"""Checks of the arguments that many calls share, each called first, whatever the call computes.

These are alternatives, levels, counts, seeds and numbers of jobs.
"""

import math
from collections.abc import Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, TypeVar

from ._checks import brief, check_flag, check_option, is_integer, is_real

T = TypeVar("T")

ALTERNATIVES = ("two-sided", "less", "greater")
# More workers than any machine has.
_MOST_JOBS = 10**6


def check_alternative(alternative: Any) -> None:
    """Raise ValueError for an alternative that does not exist."""
    check_option("alternative", alternative, ALTERNATIVES)


def check_optional_alternative(alternative: Any) -> None:
    """Raise ValueError for an alternative that is neither None nor exists."""
    if alternative is not None:
        check_alternative(alternative)


def tails_of(alternative: str) -> int:
    """Return the number of tails of a test."""
    if alternative == "two-sided":
        return 2
    return 1


def check_level(confidence_level: Any) -> float:
    """Return a confidence level as a float strictly between 0 and 1."""
    level = check_share("confidence_level", confidence_level, 0.95)
    if 1 - level == 1:
        raise ValueError(
            f"confidence_level={confidence_level!r} is 0 up to rounding, and no test has that "
            "level. Give a number such as 0.95."
        )
    return level


def check_share(name: str, share: Any, example: float) -> float:
    """Return a number strictly between 0 and 1 as a float."""
    is_number = isinstance(share, Real)
    if not is_number or not 0 < share < 1:  # True and False are 1 and 0
        raise ValueError(
            f"{name}={brief(share)} must be a number strictly between 0 and 1, such as {example}."
        )
    return float(share)


def check_optional_level(confidence_level: Any) -> None:
    """Raise ValueError for a confidence level that is neither None nor valid."""
    if confidence_level is not None:
        check_level(confidence_level)


def check_alpha(alpha: Any) -> float:
    """Return the level of a test as a float strictly between 0 and 1."""
    return check_share("alpha", alpha, 0.1)


def check_power(power: Any) -> float:
    """Return the power of a test as a float strictly between 0 and 1."""
    return check_share("power", power, 0.8)


def select_columns(frame: T, columns: Sequence[str], full: Any) -> T:
    """Return a table with those of some columns that it has, or with all where it is `full`."""
    shown: Any = frame
    if not check_flag("full", full):
        shown = shown.loc[:, shown.columns.isin(columns)]
    selected: T = shown
    return selected


def check_level_with_margin(level: Any) -> None:
    """Raise ValueError for a confidence level at which no margin can be tested."""
    if check_level(level) <= 0.5:
        raise ValueError(
            f"confidence_level={level!r} must be above 0.5 with a margin: equivalence is read from "
            "the interval of the confidence 1 - 2 alpha."
        )


def alpha_of(confidence_level: float) -> float:
    """Return 1 minus the confidence level without rounding error: 0.05, not 0.05 + 4e-17."""
    return float(1 - Decimal(repr(float(confidence_level))))


def check_integer(name: str, value: Any, least: int, most: float = math.inf, why: str = "") -> int:
    """Return an integer from `least` to `most`; otherwise say `why` it must be one."""
    if not is_integer(value) or not least <= value <= most:
        bounds = f"of at least {least}" if most == math.inf else f"from {least} to {most}"
        raise ValueError(f"{name}={brief(value)} must be an integer {bounds}{why and f': {why}'}.")
    return int(value)


def check_optional_integer(
    name: str, value: Any, least: int, why: str = "", most: float = math.inf
) -> None:
    """Raise ValueError for a value that is neither None nor an integer from `least` to `most`."""
    if value is not None:
        check_integer(name, value, least, most, why)


def check_size(name: str, value: Any) -> None:
    """Raise an error for a size that is neither a fraction nor a count."""
    wanted = "a fraction strictly between 0 and 1, or a count of 1 or more as an integer"
    if not is_real(value):
        raise TypeError(f"{name}={value!r} must be {wanted}.")
    is_valid = 0 < value < 1
    if is_integer(value):
        is_valid = value >= 1
    if not is_valid:
        raise ValueError(f"{name}={value!r} must be {wanted}.")


def check_seed(random_state: Any) -> None:
    """Raise ValueError for a `random_state` from which nothing can be drawn."""
    if is_integer(random_state) and 0 <= random_state < 2**32:
        return
    import numpy as np  # here, so that --help of the command line need not wait for it

    # None and the module are scikit-learn's two names of the global generator.
    is_generator = isinstance(random_state, (np.random.RandomState, type(None)))
    if not is_generator and random_state is not np.random:
        raise ValueError(
            f"random_state={brief(random_state)} must be None, an integer from 0 to 2**32 - 1 or "
            "a numpy.random.RandomState."
        )


def check_n_jobs(n_jobs: Any) -> None:
    """Raise ValueError for a number of jobs that joblib could not start."""
    if n_jobs is not None and not (is_integer(n_jobs) and 0 < abs(n_jobs) < _MOST_JOBS):
        raise ValueError(
            f"n_jobs={brief(n_jobs)} must be None or an integer other than 0, of a size that a "
            "machine can have; -1 uses all cores."
        )
