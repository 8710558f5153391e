"""Access to the closed forms: imported when first used, and only for tested versions.

Notes
-----
A closed form repeats the computation of a fit by scikit-learn, so it is valid for the versions of
scikit-learn that it was tested with. With a newer version scikit-learn does every fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import sklearn

from ._execution import FitRecord, Workload
from ._splits import Splits

# Raised when the tests of the closed forms pass with a newer minor version.
NEWEST_TESTED = (1, 9)


def why_no_fast_paths() -> str | None:
    """Return why closed forms are not used with this scikit-learn, or None if they are.

    Development versions and release candidates count as the minor version that they precede.
    """
    number = re.match(r"(\d+)\.(\d+)", sklearn.__version__)
    if number is not None and (int(number[1]), int(number[2])) <= NEWEST_TESTED:
        return None
    newest = ".".join(map(str, NEWEST_TESTED))
    return f"scikit-learn {sklearn.__version__}: closed forms are tested up to {newest}"


def fast_records(
    X: Any, y: Any, work: Workload, splits: Splits, n_splits: int
) -> Iterator[FitRecord]:
    """Yield the records of those fits that a closed form makes unnecessary."""
    if why_no_fast_paths() is None:
        from . import closed_forms

        yield from closed_forms.fast_records(X, y, work, splits, n_splits)
