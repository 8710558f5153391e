"""Scored: the interface of CVScores for the functions that CVScores itself calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ._components import Components
from ._design import SplitDesign
from ._losses import RowLosses
from ._notes import Note


class Scored(Protocol):
    """The fields of a CVScores."""

    @property
    def values(self) -> np.ndarray: ...
    @property
    def design(self) -> SplitDesign: ...
    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def metric(self) -> str: ...
    @property
    def fit_times(self) -> np.ndarray | None: ...
    @property
    def score_times(self) -> np.ndarray | None: ...
    @property
    def failures(self) -> tuple[tuple[int, int, str], ...]: ...
    @property
    def losses(self) -> RowLosses | None: ...
    @property
    def components(self) -> Components | None: ...
    @property
    def magnitude(self) -> np.ndarray: ...
    @property
    def notes(self) -> tuple[Note, ...]: ...
    @property
    def provenance(self) -> Mapping[str, Any]: ...


def n_rows_of(values: np.ndarray) -> int:
    """Return the number of estimators: 1 if the scores have no axis for estimators."""
    return values.shape[0] if values.ndim > 1 else 1
