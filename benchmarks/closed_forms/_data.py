"""The data as plain arrays, if scikit-learn would read them in the same way."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

_WHOLE_KINDS = "iu"
# With smaller numbers, or with their reciprocals, squares come close to the limits of doubles.
_LEAST_SIZE = 1e-100


class Labels(NamedTuple):
    """Classes, sorted, and for each row the number of its class."""

    classes: np.ndarray
    codes: np.ndarray


class Data:
    """X and y in the form that closed forms need; None if this is not possible."""

    def __init__(self, X: Any, y: Any) -> None:
        self._X, self._y = X, y

    @property
    def n_rows(self) -> int:
        """The number of rows of a given X."""
        return self._X.shape[0] if hasattr(self._X, "shape") else len(self._X)

    @cached_property
    def numbers(self) -> np.ndarray | None:
        """The finite numbers of X in double precision, in at least one column."""
        X: Any = _from_frame(self._X) if isinstance(self._X, pd.DataFrame) else self._X
        if type(X) not in (np.ndarray, np.memmap) or X.ndim != 2 or X.shape[1] == 0:
            return None
        numbers = _finite(X)
        if numbers is None:
            return None
        # No column is so small or so large that its squares lose digits.
        sizes = magnitudes(numbers)
        fit = (sizes == 0) | ((sizes > _LEAST_SIZE) & (sizes < 1 / _LEAST_SIZE))
        return numbers if fit.all() else None

    @property
    def has_clear_names(self) -> bool:
        """Whether scikit-learn would accept the column names of X: all are text, or none is."""
        if not isinstance(self._X, pd.DataFrame):
            return True
        return len({isinstance(name, str) for name in self._X.columns}) == 1

    @cached_property
    def raw_target(self) -> np.ndarray | None:
        """The numbers of y without conversion: one, or at least two, for each row."""
        y: Any = self._y
        if isinstance(y, pd.DataFrame):
            y = _from_frame(y)
        elif isinstance(y, pd.Series) and isinstance(y.dtype, np.dtype):
            y = y.to_numpy()
        if type(y) is not np.ndarray or y.ndim not in (1, 2) or (y.ndim == 2 and y.shape[1] < 2):
            return None
        return None if _finite(y) is None else y

    @cached_property
    def target(self) -> np.ndarray | None:
        """The numbers of y in double precision."""
        return None if self.raw_target is None else _finite(self.raw_target)

    @cached_property
    def labels(self) -> Labels | None:
        """The classes of y."""
        if not isinstance(self._y, (np.ndarray, pd.Series)):
            return None
        y = np.asarray(self._y)
        if y.ndim != 1 or not _are_labels(y):
            return None
        classes, codes = np.unique(y, return_inverse=True)
        return Labels(classes, codes)

    def true(self, classes: np.ndarray | None) -> np.ndarray:
        """Return the true values for predictions: numbers, or numbers of classes."""
        true = self.target if classes is None else self.labels and self.labels.codes
        assert true is not None  # a closed form exists for it
        return true


def _from_frame(frame: pd.DataFrame) -> np.ndarray | None:
    named = {isinstance(name, str) for name in frame.columns}
    if len(named) != 1 or not all(isinstance(dtype, np.dtype) for dtype in frame.dtypes):
        return None
    if any(dtype.kind not in "iuf" for dtype in frame.dtypes):
        return None
    return frame.to_numpy()


def _finite(array: np.ndarray) -> np.ndarray | None:
    # Most fits of scikit-learn keep single precision, and then round differently.
    if array.dtype.kind not in _WHOLE_KINDS and array.dtype != np.float64:
        return None
    array = np.ascontiguousarray(array, dtype=np.float64)
    return array if np.isfinite(array).all() else None


def magnitudes(X: np.ndarray) -> np.ndarray:
    """Return the largest absolute entry of each column, without a copy of X."""
    return np.maximum(X.max(axis=0), -X.min(axis=0))


def _are_labels(y: np.ndarray) -> bool:
    if y.dtype == np.float64:
        return bool(np.isfinite(y).all() and (y == np.rint(y)).all())
    if y.dtype == object:
        return all(type(label) is str for label in y)
    return y.dtype.kind in _WHOLE_KINDS + "bU"
