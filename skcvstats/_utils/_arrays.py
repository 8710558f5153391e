"""Arrays that users pass, and fingerprints of bytes."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._checks import is_real
from ._text import counted

Floats = NDArray[np.float64]
Piece = str | bytes | memoryview


def digest_of(*pieces: Piece | Iterable[bytes | memoryview]) -> bytes:
    """Return 16 bytes that differ if the pieces differ."""
    digest = hashlib.blake2b(digest_size=16)
    for piece in pieces:
        if isinstance(piece, str):
            piece = piece.encode("utf-8", "surrogatepass")
        if isinstance(piece, (bytes, memoryview)):
            digest.update(b"p" + memoryview(piece).nbytes.to_bytes(8, "little"))
            digest.update(piece)
            continue
        size = 0
        for block in piece:
            digest.update(block)
            size += len(block)
        digest.update(b"j" + size.to_bytes(8, "little"))
    return digest.digest()


def split_digest(train: np.ndarray, test: np.ndarray) -> str:
    """Fingerprint a split by the sets of its training and its test rows, in any order."""
    digest = hashlib.blake2b(digest_size=16)
    for rows in (train, test):
        # Not rows.max(), which goes through Python and takes three times as long for few rows.
        mask = np.zeros(int(rows[rows.argmax()]) + 1, dtype=bool)
        mask[rows] = True
        if np.count_nonzero(mask) == rows.size:
            payload = np.packbits(mask).tobytes()
        else:  # rows drawn with replacement: their frequency matters too
            payload = b"multiset" + np.sort(rows).astype("<i8").tobytes()
        digest.update(len(payload).to_bytes(8, "little"))
        digest.update(payload)
    return digest.hexdigest()


def target_digest(y: Any) -> str | None:
    """Fingerprint the target, so that scores against different targets are never paired."""
    if y is None:
        return None
    if hasattr(y, "toarray"):
        y = y.toarray()
    array = np.asarray(y)
    if array.dtype.kind in "biuf":
        payload: Any = np.ascontiguousarray(array, dtype="<f8")
    else:
        payload = "\x1f".join(map(str, array.ravel().tolist())).encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(repr(array.shape).encode(), digest_size=16)
    digest.update(payload)
    return digest.hexdigest()


def as_array(name: str, value: Any) -> np.ndarray:
    """Return `value` as an array, or raise an error that says why it is not one."""
    if isinstance(value, (Set, Mapping, Iterator)):
        raise TypeError(
            f"{name} is a {type(value).__name__}, which is not an array; pass a list or an array."
        )
    check_unmasked(name, value)
    if hasattr(value, "toarray"):
        raise TypeError(f"{name} is sparse; pass {name}.toarray().")
    try:
        array = np.asarray(value)
        if array.dtype.names:
            raise TypeError(
                f"{name} contains records; pass one of the fields, such as "
                f"{array.dtype.names[0]!r}."
            )
        return array
    except ValueError as error:
        reason = str(error).rstrip(".")
        raise ValueError(
            f"{name} has parts of different lengths, so it cannot be made into an array "
            f"({reason}). Pass parts of one length."
        ) from error


def check_unmasked(name: str, value: Any) -> None:
    """Raise ValueError for masked entries, which NumPy and scikit-learn would take as values."""
    if not isinstance(value, np.ma.MaskedArray):
        return
    masked = np.ma.getmask(value)
    if np.any(masked):
        raise ValueError(
            f"There are masked entries in {name} ({np.count_nonzero(masked)}). Fill them, or leave "
            "those rows out everywhere."
        )


def as_labels(name: str, value: Any) -> np.ndarray:
    """Return `value` as an array with one label for each row, or raise an error."""
    array = as_array(name, value)
    if array.ndim != 1:
        raise ValueError(
            f"{name} has shape {array.shape}; pass one label for each row, in one dimension."
        )
    return array


def classes_in(name: str, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels in order and which each is, or raise an error if they have no order."""
    try:
        return np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise TypeError(
            f"{name} has values that cannot be sorted together ({error}); make them all text or "
            "all numbers."
        ) from error


# The indexes of pandas of times.
OF_DATES = ("DatetimeIndex", "PeriodIndex")


def order_of(name: str, times: Any) -> np.ndarray:
    """Return the number of each row's time in the order of time, or raise an error."""
    array = as_labels(name, times)
    wrong = not_finite_in(array)
    if wrong.any():
        raise ValueError(
            f"{name} has missing or infinite entries; leave those rows out everywhere."
        )
    if array.dtype.kind in "iufmM":
        return classes_in(name, array)[1]
    for time in array.tolist():
        if not hasattr(time, "year") and not is_real(time):
            raise TypeError(
                f"{name} contains {time!r}; give dates or numbers, which have an order in time, "
                "such as pandas.to_datetime(...)."
            )
    return classes_in(name, array)[1]


def one_output(y: Any) -> np.ndarray | None:
    """Return a target with one output as a one-dimensional array, else None."""
    labels = np.asarray(y)  # None and a sparse matrix become arrays without dimensions
    if labels.ndim == 0 or labels.shape[1:] not in ((), (1,)):
        return None
    return labels.reshape(len(labels))


def typed(values: np.ndarray) -> np.ndarray:
    """Return objects that are all text, or all numbers, as an array of these."""
    if values.dtype.kind != "O":
        return values
    for kind in (str, Real):
        if all(isinstance(x, kind) for x in values.flat):
            return np.array(values.tolist())
    return values


def decimals_in(values: np.ndarray) -> np.ndarray:
    """Return the numbers with decimals, which are shares or quantities and no labels."""
    if values.dtype.kind != "f":
        return values[:0]
    decimals: np.ndarray = values[values % 1 != 0]
    return decimals


def missing_in(values: np.ndarray) -> np.ndarray:
    """Mark missing values: nan, None, or pandas' NA."""
    if values.dtype.kind != "O":
        return np.asarray(values != values)  # only nan and NaT differ from themselves
    flags = (bool, np.bool_)  # comparing pandas' NA with itself gives none
    missing = [x is None or not isinstance(x == x, flags) or x != x for x in values.flat]
    return np.array(missing, dtype=bool).reshape(values.shape)


def not_finite_in(values: np.ndarray) -> np.ndarray:
    """Mark missing and infinite values."""
    if values.dtype.kind in "fc":
        return np.asarray(~np.isfinite(values))
    return missing_in(values)


_FILL = {"groups": "Fill them, with a label of its own for a row without a group"}


def check_labelled(name: str, labels: np.ndarray) -> None:
    """Raise ValueError if the labels of some rows are missing."""
    missing = missing_in(labels)
    if missing.any():
        remedy = _FILL.get(name, "Fill them")
        raise ValueError(
            f"{name} has missing labels (nan, None) in {counted(int(missing.sum()), 'row')} (the "
            f"first: row {np.argwhere(missing)[0][0]}). {remedy}, or leave those rows out."
        )


def as_given(values: Any) -> np.ndarray:
    """Return an array; of a list one of objects, as NumPy turns the nan of ["a", nan] into text."""
    if hasattr(values, "__array__"):
        return np.asarray(values)
    return np.asarray(values, dtype=object)


def as_numbers(name: str, value: Any) -> np.ndarray:
    """Return `value` as an array of floats, or raise an error that says why it is not one."""
    array = as_array(name, value)
    if array.dtype.kind in "biuf":
        return array.astype(float, copy=False)
    if array.dtype.kind == "O" and not any(isinstance(x, (str, bytes)) for x in array.flat):
        with suppress(TypeError, ValueError):
            # Uses the value, not the array: pandas turns its missing values into nan.
            return np.asarray(value, dtype=float)
    description = f" of dtype {array.dtype}" if array.ndim else f"={value!r}"
    raise ValueError(f"{name}{description} must contain real numbers; convert it to float64.")


def check_path(name: str, path: Any) -> None:
    """Raise TypeError unless `path` is one."""
    if not isinstance(path, (str, os.PathLike)) or path == "":
        raise TypeError(f"{name}={path!r} must be a path: a non-empty string or a pathlib.Path.")


# The probabilities of a row miss 1 by less than the first in double precision, and by up to the
# second in single precision.
_DOUBLE = 1e-12
SINGLE = 1e-5


def entries_of(part: Any, at: Any) -> Any:
    """Return entries of an array, or of something that is indexed like one, if it is there."""
    if part is None:
        return None
    return part[at]


def weights_or_ones(weights: np.ndarray | None, n_rows: int) -> np.ndarray:
    """Return the weights of rows, which are 1 where there are none."""
    if weights is None:
        return np.ones(n_rows)
    return weights


def normalised(chances: np.ndarray) -> np.ndarray:
    """Return probabilities whose rows add to 1 if they did before they were rounded to float32."""
    sums = chances.sum(axis=1, keepdims=True)
    apart = np.abs(sums - 1)
    return chances / np.where((apart > _DOUBLE) & (apart <= SINGLE), sums, 1.0)


def placements(positive: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the share of the other class that each row is on the right side of."""
    order = np.argsort(scores)
    ascending = scores[order]
    is_positive = positive[order]
    new = np.append(True, ascending[1:] != ascending[:-1])
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(new))
    below = np.concatenate([[0], np.cumsum(is_positive)])  # positives before each position
    # Each value has these numbers of positives and of negatives before it, doubled, as ties count
    # one half.
    positives = below[starts] + below[ends]
    negatives = starts + ends - positives
    m = below[-1]
    n = len(scores) - m
    shares_by_value = np.column_stack([1 - positives / (2 * m), negatives / (2 * n)]).ravel()
    shares = np.empty(len(scores))
    shares[order] = shares_by_value[2 * np.cumsum(new) - 2 + is_positive]
    return shares
