"""From a ``random_state`` to a generator, or to what is wrong with it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from .._utils._checks import brief


def generator_from(random_state: Any) -> np.random.RandomState:
    """Return scikit-learn's generator for a ``random_state``."""
    try:
        return check_random_state(random_state)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"random_state={brief(random_state)} must be None, an integer from 0 to 2**32 - 1 or "
            "a numpy.random.RandomState."
        ) from error
