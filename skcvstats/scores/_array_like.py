"""ArrayLike: makes CVScores usable in place of an array of scores."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ._pairing import difference


def _of_values(name: str) -> Callable[..., Any]:
    """Return a method that is NumPy's of this name, of the values."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.values, name)(*args, **kwargs)

    method.__name__, method.__qualname__ = name, f"ArrayLike.{name}"
    method.__doc__ = f"As ``numpy.ndarray.{name}``."
    return method


class ArrayLike(NDArrayOperatorsMixin):
    """NumPy's interface to ``self.values``; every operation returns a plain array."""

    values: np.ndarray
    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(isinstance(out, ArrayLike) for out in kwargs.get("out", ())):
            kwargs.pop("out")  # scores are read-only: `scores *= 2` assigns a plain array
        paired = ufunc is np.subtract and method == "__call__" and not kwargs
        if paired and all(isinstance(operand, ArrayLike) for operand in inputs):
            return difference(*inputs)
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

    argmax = _of_values("argmax")
    argmin = _of_values("argmin")
    argsort = _of_values("argsort")
    astype: Callable[..., np.ndarray] = _of_values("astype")
    copy: Callable[..., np.ndarray] = _of_values("copy")
    cumsum = _of_values("cumsum")
    flatten: Callable[..., np.ndarray] = _of_values("flatten")
    item = _of_values("item")
    max = _of_values("max")
    mean = _of_values("mean")
    min = _of_values("min")
    prod = _of_values("prod")
    ravel: Callable[..., np.ndarray] = _of_values("ravel")
    reshape: Callable[..., np.ndarray] = _of_values("reshape")
    round = _of_values("round")
    sum = _of_values("sum")
    tolist = _of_values("tolist")
    var = _of_values("var")

    def std(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.std``: the spread of the scores, not the error of their mean.

        For the error of the mean, ask for ``confidence_interval()``.
        """
        return self.values.std(axis, dtype, out, **kwargs)
