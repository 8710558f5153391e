"""Fingerprint arrays, frames and sparse matrices, as far as an estimator can see them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .._utils._arrays import digest_of

Digest = Callable[[Any], bytes]
Members = Callable[[Iterable[Any]], bytes]

# Arrays that are not contiguous are copied in parts of this size.
_BLOCK = 2**24
_SPARSE_PARTS = ("data", "indices", "indptr", "row", "col", "coords", "offsets", "rows")


def digest_of_data(value: Any, digest: Digest, members: Members) -> bytes | None:
    """Return the fingerprint of an array, a frame or a sparse matrix, or None for anything else."""
    kind = type(value)
    if kind in (np.ndarray, np.memmap):
        return _array(value, members, _layout_of_copy(value))
    if kind is np.ma.MaskedArray:
        parts = [np.asarray(value.data), np.ma.getmaskarray(value), value.fill_value]
        return digest_of("masked", digest(parts))
    if hasattr(value, "tocsr") and hasattr(value, "nnz"):
        return _sparse(value, digest)
    pd = sys.modules.get("pandas")
    if pd is not None and isinstance(value, pd.DataFrame):
        columns = [_column(value.iloc[:, k], digest, members) for k in range(value.shape[1])]
        names = digest([value.columns, value.index, value.attrs])
        return digest_of("frame", kind.__qualname__, names, columns)
    if pd is not None and isinstance(value, pd.Series):
        content = _column(value, digest, members)
        return digest_of(
            "series", kind.__qualname__, content, digest([value.name, value.index, value.attrs])
        )
    if pd is not None and isinstance(value, pd.Index):
        return _index(value, digest, members)
    if pd is not None and isinstance(value, pd.api.extensions.ExtensionArray):
        return _column(value, digest, members)
    if kind.__module__.partition(".")[0] == "polars":
        return _polars(value, digest, members)
    return None


def _array(array: np.ndarray, members: Members, layout: str = "") -> bytes:
    dtype = array.dtype
    if dtype.hasobject or dtype.kind == "T":  # text of any length, stored elsewhere
        return digest_of("objects", str(dtype), str(array.shape), members(array.ravel().tolist()))
    return digest_of(
        "array", str(dtype.descr), str(array.shape), layout or _layout(array), _buffer(array)
    )


def _layout(array: np.ndarray) -> str:
    return "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else "strided"


def _layout_of_copy(array: np.ndarray) -> str:
    """Return the memory layout of the rows that a fit gets, which are always a copy of a part."""
    own = _layout(array)
    if own == "strided" and array[:2].copy(order="K").flags.c_contiguous:
        return "C"
    return own


def _buffer(array: np.ndarray) -> Iterator[memoryview | bytes]:
    """Yield the bytes of an array in C order, or in Fortran order if it is stored so."""
    if array.flags.f_contiguous and not array.flags.c_contiguous:
        array = array.T
    if array.flags.c_contiguous:
        yield array.reshape(-1).view(np.uint8).data if array.size else b""
        return
    n_rows = max(1, _BLOCK // max(1, array[:1].nbytes))
    for start in range(0, len(array), n_rows):
        yield np.ascontiguousarray(array[start : start + n_rows]).reshape(-1).view(np.uint8).data


def _sparse(matrix: Any, digest: Digest) -> bytes:
    parts = {name: getattr(matrix, name) for name in _SPARSE_PARTS if hasattr(matrix, name)}
    if "data" not in parts:
        matrix = matrix.tocsr()
        parts = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr}
    return digest_of("sparse", type(matrix).__qualname__, digest([tuple(matrix.shape), parts]))


def _column(values: Any, digest: Digest, members: Members) -> bytes:
    """Return the fingerprint of the values of a pandas series, index or array."""
    dtype = str(values.dtype)
    if dtype == "category":
        array = getattr(values, "array", values)
        parts = [np.asarray(array.codes), array.categories, array.ordered]
        return digest_of("category", digest(parts))
    if isinstance(values.dtype, np.dtype):
        return digest_of("column", dtype, _array(np.asarray(values), members))
    if values.dtype.kind in "mM":  # times with a time zone
        return digest_of("column", dtype, _array(np.asarray(values.astype("int64")), members))
    return digest_of("column", dtype, members(values.to_numpy(dtype=object).tolist()))


def _index(index: Any, digest: Digest, members: Members) -> bytes:
    kind, names = type(index).__qualname__, digest(list(index.names))
    if hasattr(index, "step"):
        place = digest([int(index.start), int(index.stop), int(index.step)])
        return digest_of("index", kind, names, place)
    if index.nlevels > 1:
        levels = [index.get_level_values(k) for k in range(index.nlevels)]
        return digest_of(
            "index", kind, names, *(_index(level, digest, members) for level in levels)
        )
    return digest_of("index", kind, names, _column(index, digest, members))


def _polars(value: Any, digest: Digest, members: Members) -> bytes | None:
    """Return the fingerprint of a polars frame or series; None for other polars objects."""
    if hasattr(value, "iter_columns"):
        columns = [_polars(column, digest, members) or b"" for column in value.iter_columns()]
        return digest_of("polars frame", columns)
    if not hasattr(value, "null_count") or not hasattr(value, "to_list"):
        return None
    about = (value.name, str(value.dtype))
    if value.dtype.is_numeric() and value.null_count() == 0:
        return digest_of("polars series", *about, digest(value.to_numpy()))
    return digest_of("polars series", *about, members(value.to_list()))
