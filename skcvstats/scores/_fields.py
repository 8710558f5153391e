"""Check the fields of a CVScores, and convert them to the form in which they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._utils._arrays import as_numbers
from .._utils._checks import check_flag, is_integer
from .._utils._text import check_names
from ._design import SplitDesign
from ._json import check_json
from ._losses import RowLosses, check_magnitude, read_only
from ._notes import as_notes
from ._scored import n_rows_of


def checked_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a CVScores as they are stored, or raise an error about one of them."""
    values = _values(given["values"], given["design"])
    found: dict[str, Any] = {"values": values}
    found["labels"] = _labels(
        given["labels"], n_rows_of(values), paired=check_flag("paired", given["paired"])
    )
    if not isinstance(given["metric"], str):
        raise TypeError(f"metric={given['metric']!r} must be a string, what the scores measure.")
    found["magnitude"] = _magnitude(given["magnitude"], values)
    found |= {name: _times(name, given[name], values) for name in ("fit_times", "score_times")}
    if given["losses"] is not None:
        _check_losses(given["losses"], values)
    check_json("provenance", given["provenance"])
    found["notes"] = as_notes(given["notes"])
    found["failures"] = _failures(given["failures"], n_rows_of(values), values.shape[-1])
    return found


def _values(given: Any, design: Any) -> np.ndarray:
    if not isinstance(design, SplitDesign):
        raise TypeError(
            f"design={design!r} must be a SplitDesign, for example "
            "SplitDesign.from_sizes(n_train=90, n_test=10, n_splits=15)."
        )
    values = read_only(as_numbers("values", given))
    if values.ndim == 0 or values.shape[-1] != design.n_splits:
        raise ValueError(
            f"values has shape {values.shape}; its last axis must have one score for each of "
            f"the {design.n_splits} splits of the design."
        )
    return values


def _labels(labels: Any, n_labels: int, *, paired: bool) -> tuple[str, ...]:
    if not isinstance(labels, (tuple, list)) or not all(isinstance(x, str) for x in labels):
        raise TypeError(
            f"labels={labels!r} must be a tuple of strings, the name of each estimator; "
            "leave it out where they have none."
        )
    labels = tuple(labels)
    if len(labels) not in (0, n_labels):
        raise ValueError(
            f"labels={labels!r} are {len(labels)} labels for {n_labels} rows of "
            "scores; give one for each row."
        )
    if not paired:
        check_names(labels, "estimators")
    return labels


def _magnitude(given: Any, values: np.ndarray) -> np.ndarray:
    if given is not None:
        return read_only(check_magnitude(given, values.shape[:-1]))
    return read_only(np.abs(values).max(axis=-1, where=np.isfinite(values), initial=0.0))


def _times(name: str, given: Any, values: np.ndarray) -> np.ndarray | None:
    if given is None:
        return None
    times = as_numbers(name, given)
    if times.shape != values.shape:
        raise ValueError(
            f"{name} has shape {times.shape}; it needs that of values, {values.shape}."
        )
    return read_only(times)


def _check_losses(losses: Any, values: np.ndarray) -> None:
    if not isinstance(losses, RowLosses):
        raise TypeError(
            f"losses is of type {type(losses).__name__}; it must be RowLosses, the losses of "
            "the test rows of every split: RowLosses.from_splits(losses, rows)."
        )
    means = losses.means()
    same = means.shape == values.shape and np.allclose(
        -means, values, rtol=1e-9, atol=1e-12 * max(losses.magnitude.max(), 1.0), equal_nan=True
    )
    if not same:
        raise ValueError(
            f"losses has means of shape {means.shape} over {len(losses.offsets) - 1} splits; "
            f"values, of shape {values.shape}, must be minus these means."
        )


def _failures(given: Any, n_rows: int, n_splits: int) -> tuple[tuple[int, int, str], ...]:
    wanted = (
        "must be (estimator, split, cause) for each failed fit, two positions and a text, such "
        'as [(0, 3, "RuntimeError: ...")]'
    )
    if not isinstance(given, (tuple, list)):
        raise TypeError(f"failures={given!r} {wanted}.")
    failures = []
    for failure in given:
        if not isinstance(failure, (tuple, list)) or len(failure) != 3:
            raise TypeError(f"failures holds {failure!r}; it {wanted}.")
        *at, why = failure
        limits = (n_rows, n_splits)
        if not all(is_integer(k) and 0 <= k < n for k, n in zip(at, limits, strict=True)):
            raise ValueError(
                f"failures holds {failure!r} for {n_rows} rows of {n_splits} splits; it "
                f"{wanted}, numbered from 0."
            )
        failures.append((int(at[0]), int(at[1]), str(why)))
    return tuple(failures)
