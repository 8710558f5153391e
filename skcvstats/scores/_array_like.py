"""ArrayLike: makes CVScores usable in place of an array of scores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin


class ArrayLike(NDArrayOperatorsMixin):
    """NumPy's interface to ``self.values``; every operation returns a plain array.

    The only exception is the difference of two objects of this kind, which `_difference` computes.
    There are the methods, with NumPy's signatures, that code for arrays of scores usually calls.
    All functions of NumPy take these objects too.
    """

    values: np.ndarray
    __hash__ = None  # type: ignore[assignment]

    @abstractmethod
    def _difference(self, other: Any) -> Any:
        """Return the paired difference of two objects of this kind."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(isinstance(out, ArrayLike) for out in kwargs.get("out", ())):
            kwargs.pop("out")  # scores are read-only: `scores *= 2` assigns a plain array
        paired = ufunc is np.subtract and method == "__call__" and not kwargs
        if paired and all(isinstance(operand, ArrayLike) for operand in inputs):
            return inputs[0]._difference(inputs[1])
        arrays = [x.values if isinstance(x, ArrayLike) else x for x in inputs]
        return getattr(ufunc, method)(*arrays, **kwargs)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __contains__(self, value: Any) -> bool:
        return value in self.values

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the values."""
        return self.values.shape

    @property
    def ndim(self) -> int:
        """Number of axes of the values."""
        return self.values.ndim

    @property
    def size(self) -> int:
        """Number of values."""
        return self.values.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the values, always float64."""
        return self.values.dtype

    @property
    def T(self) -> np.ndarray:  # noqa: N802 NumPy's name
        """The values transposed."""
        return self.values.T

    def min(self, axis: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.min``."""
        return self.values.min(axis, out, **kwargs)

    def max(self, axis: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.max``."""
        return self.values.max(axis, out, **kwargs)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.sum``."""
        return self.values.sum(axis, dtype, out, **kwargs)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.mean``."""
        return self.values.mean(axis, dtype, out, **kwargs)

    def std(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.std``: the spread of the scores, not the error of their mean.

        For the error of the mean, ask for ``confidence_interval()``.
        """
        return self.values.std(axis, dtype, out, **kwargs)

    def var(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.var``."""
        return self.values.var(axis, dtype, out, **kwargs)

    def argmin(self, axis: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.argmin``."""
        return self.values.argmin(axis, out, **kwargs)

    def argmax(self, axis: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.argmax``."""
        return self.values.argmax(axis, out, **kwargs)

    def prod(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.prod``."""
        return self.values.prod(axis, dtype, out, **kwargs)

    def cumsum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """As ``numpy.ndarray.cumsum``."""
        return self.values.cumsum(axis, dtype, out)

    def argsort(self, axis: Any = -1, kind: Any = None, order: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.argsort``."""
        return self.values.argsort(axis, kind, order, **kwargs)

    def ravel(self, order: Any = "C") -> np.ndarray:
        """As ``numpy.ndarray.ravel``."""
        return self.values.ravel(order)

    def flatten(self, order: Any = "C") -> np.ndarray:
        """As ``numpy.ndarray.flatten``: a copy, writeable."""
        return self.values.flatten(order)

    def reshape(self, *shape: Any, **kwargs: Any) -> np.ndarray:
        """As ``numpy.ndarray.reshape``."""
        return self.values.reshape(*shape, **kwargs)

    def item(self, *args: Any) -> Any:
        """As ``numpy.ndarray.item``."""
        return self.values.item(*args)

    def round(self, decimals: int = 0, out: Any = None) -> Any:
        """As ``numpy.ndarray.round``."""
        return self.values.round(decimals, out)

    def tolist(self) -> Any:
        """As ``numpy.ndarray.tolist``."""
        return self.values.tolist()

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> np.ndarray:
        """As ``numpy.ndarray.astype``."""
        return self.values.astype(dtype, *args, **kwargs)

    def copy(self, order: Any = "C") -> np.ndarray:
        """As ``numpy.ndarray.copy``: a plain array, writeable."""
        return self.values.copy(order)
