"""Check the row numbers of splits, and fingerprint them so that pairing can be verified."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from ..exceptions import SplitDesignError


def as_rows(part: Any, *, split: int, side: str, n_rows: int | None = None) -> np.ndarray:
    """Return one side of a split as non-negative row numbers, or raise an error about them.

    Boolean masks are accepted, as scikit-learn accepts them.
    """
    rows = np.asarray(part)
    where = f"split {split}, {side} rows"
    if rows.ndim != 1:
        raise SplitDesignError(f"{where}: expected a 1-d array of row numbers, got {rows.ndim}-d.")
    if rows.dtype == bool:
        if n_rows is not None and rows.size != n_rows:
            raise SplitDesignError(
                f"{where}: a mask of {rows.size} entries for {n_rows} rows; it needs one for each."
            )
        rows = np.flatnonzero(rows)
    if rows.size == 0:
        raise SplitDesignError(f"{where}: empty. Every split needs at least one row on each side.")
    if rows.dtype.kind not in "iu":
        raise SplitDesignError(f"{where}: expected integer row numbers, got dtype {rows.dtype}.")
    low, high = int(rows.min()), int(rows.max())
    if low < 0 or (n_rows is not None and high >= n_rows):
        limit = "" if n_rows is None else f" and below {n_rows}, the number of rows"
        if high >= (n_rows or high + 1):
            limit += " (y and groups need one entry for each row)"
        raise SplitDesignError(
            f"{where}: row numbers from {low} to {high}; they must be at least 0{limit}."
        )
    return rows


def from_the_start(rows: Any, n_rows: int) -> Any:
    """Return row numbers counted from the start; negative ones count from the end."""
    rows = np.asarray(rows)
    if rows.dtype.kind != "i" or not rows.size or rows.min() >= 0 or rows.min() < -n_rows:
        return rows
    return np.where(rows < 0, rows + n_rows, rows)


def row_mask(rows: np.ndarray, n_rows: int) -> np.ndarray:
    """Mark the rows that occur, in a boolean array over all rows."""
    mask = np.zeros(n_rows, dtype=bool)
    mask[rows] = True
    return mask


def raise_overlap(shared: np.ndarray, test: np.ndarray, *, split: int) -> NoReturn:
    """Raise an error that names rows, marked in `shared`, in both the training and the test set."""
    rows = np.flatnonzero(shared)
    raise SplitDesignError(
        f"split {split}: {rows.size} of the {test.size} test rows are also training rows "
        f"(row {rows[0]} is the first), so the scores would measure memorization. Pass a cv "
        "whose training and test rows do not overlap."
    )


def split_digest(train: np.ndarray, test: np.ndarray) -> str:
    """Fingerprint a split by the sets of its training and its test rows, in any order."""
    digest = hashlib.blake2b(digest_size=16)
    for rows in (train, test):
        # Not rows.max(), which goes through Python and takes three times as long for few rows.
        mask = row_mask(rows, int(rows[rows.argmax()]) + 1)
        if np.count_nonzero(mask) == rows.size:
            payload = np.packbits(mask).tobytes()
        else:  # rows drawn with replacement: their frequency matters too
            payload = b"multiset" + np.sort(rows).astype("<i8").tobytes()
        digest.update(len(payload).to_bytes(8, "little"))
        digest.update(payload)
    return digest.hexdigest()


def joint_digest(digests: Sequence[str]) -> str:
    """Fingerprint a sequence of fingerprints."""
    return hashlib.blake2b("".join(digests).encode(), digest_size=16).hexdigest()


def target_digest(y: Any) -> str | None:
    """Fingerprint the target, so that scores against different targets are never paired."""
    if y is None:
        return None
    array = y.toarray() if hasattr(y, "toarray") else np.asarray(y)
    if array.dtype.kind in "biuf":
        payload = np.ascontiguousarray(array, dtype="<f8").tobytes()
    else:
        payload = "\x1f".join(map(str, array.ravel().tolist())).encode()
    digest = hashlib.blake2b(repr(array.shape).encode(), digest_size=16)
    digest.update(payload)
    return digest.hexdigest()
