"""``--positive``: a target of two classes as 1 and 0, as metrics such as f1 want it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._utils._checks import listed
from ..fitting import Metric
from ._errors import InputError

if TYPE_CHECKING:
    import pandas as pd


class Coding(NamedTuple):
    """Which label of a target of two classes counts as 1, and which as 0."""

    target: str
    positive: Any
    negative: Any

    @property
    def done(self) -> str:
        """In words, what was done."""
        return f"labels as numbers, {self.positive!r} as 1, {self.negative!r} as 0: {self.target!r}"

    def of(self, labels: pd.Series) -> pd.Series:
        """Return labels as 1 and 0."""
        known = labels.isin([self.positive, self.negative])
        if known.all():
            return (labels == self.positive).astype(int)
        if labels.dtype == object:
            raise InputError(
                f"The column {labels.name!r} holds {labels[~known].iloc[0]!r}; the labels of "
                f"{self.target!r} are {listed([self.negative, self.positive])}."
            )
        return labels


def read_coding(column: pd.Series, positive: str) -> Coding:
    """Return the coding that ``--positive`` asks for."""
    classes = np.unique(column).tolist()
    if len(classes) != 2:
        raise InputError(
            f"--positive is for a target of two classes; {column.name!r} has {len(classes)}: "
            f"{listed(classes)}."
        )
    meant = [label for label in classes if positive in _ways_to_write(label)]
    if not meant:
        raise InputError(
            f"--positive {positive!r} must be one of the labels of {column.name!r}, "
            f"{listed(classes)}."
        )
    (negative,) = (label for label in classes if label != meant[0])
    return Coding(str(column.name), meant[0], negative)


def _ways_to_write(label: Any) -> set[str]:
    short = {f"{label:g}"} if isinstance(label, float) else set()
    return {str(label), *short}


def check_positive_is_known(scoring: str | Sequence[str] | None, y: Any) -> None:
    """Raise InputError where a metric needs to know which label is the positive one."""
    named = [scoring] if isinstance(scoring, str) else scoring or []
    labels = np.unique(y).tolist()
    if len(labels) == 2:
        for complaint in filter(None, (Metric(name).complaint(y) for name in named)):
            raise InputError(
                f"{complaint[0]}. Pass --positive with the label that counts as positive."
            )
