"""What the values of scores tell, for the functions that look for notes."""

from collections.abc import Sequence
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from .._utils._checks import listed
from .._utils._metrics import Known, known_of
from ..scores import CVScores, SplitDesign, are_losses

LOSS_AS_SCORE = "loss as score"
TWO_SCALES = "scores of two scales"
OUT_OF_RANGE = "scores out of range"
# How many times as large a score in percent is, if no model is twice as good as another.
_LEAST_PERCENT = 50
_MOST_PERCENT = 200


class ScaleEvidence:
    """The values of scores, with the name of their metric, which may be one of another scale."""

    def __init__(self, metric: str, measured: str, values: np.ndarray) -> None:
        self.metric = metric
        self.measured = measured  # the metric by its own name, where the user has named it
        self.values = values  # of shape (n_rows, n_splits)

    @cached_property
    def doubt(self) -> str | None:
        """The code of the note on the scale of the scores, None where it is as it should be."""
        if self.are_losses:
            return LOSS_AS_SCORE
        if self._are_of_two_scales():
            return TWO_SCALES
        if self._are_out_of_range():
            return OUT_OF_RANGE
        return None

    @cached_property
    def are_losses(self) -> bool:
        return are_losses(self.named_by, self.values)

    @property
    def named_by(self) -> str:
        """The name that tells whether greater is better."""
        return self.metric if known_of(self.metric).sign else self.measured

    @cached_property
    def means(self) -> np.ndarray:
        """The mean of each row over the splits that have a score."""
        means: np.ndarray = np.ma.masked_invalid(self.values).mean(axis=-1).filled(np.nan)
        return means

    def _are_of_two_scales(self) -> bool:
        percents = self.means[self.means > 1]
        if not percents.size or percents.max() > 100:
            return False
        shares = self.means[(self.means > 0) & (self.means <= 1)]
        if not shares.size:
            return False
        _, low, high = known_of(self.metric)
        ratio = np.median(percents) / np.median(shares)
        are_apart = _LEAST_PERCENT <= ratio <= _MOST_PERCENT
        return bool(are_apart and (high <= 1 or np.isinf([low, high]).all()))

    def _are_out_of_range(self) -> bool:
        sign, low, high = known_of(self.metric)
        excess = np.maximum(self.means - high, low - self.means)
        if sign < 0 or not (excess > 0).any():
            return False
        rounding = 1e-9 * np.fmax.reduce(np.abs(self.means)) + 1e-12
        return bool((excess > rounding).any())


class ValuesEvidence:
    """Scores in one metric, on a scale that is not doubtful."""

    def __init__(self, parts: Sequence[CVScores], scale: ScaleEvidence) -> None:
        self.parts = parts
        self.metric = scale.metric
        self.measured = scale.measured
        self.values = scale.values

    @property
    def design(self) -> SplitDesign:
        return self.parts[0].design

    @property
    def provenance(self) -> Any:
        return self.parts[0].provenance

    @cached_property
    def known(self) -> Known:
        """What the name of the metric says of it."""
        return known_of(self.measured)

    @cached_property
    def labels(self) -> list[str]:
        """The name of the estimator of each row of the values."""
        labels: list[str] = []
        for part in self.parts:
            names = list(part.labels) or ["the scores"]
            n_rows = part.size // part.shape[-1]
            labels += np.repeat(np.array(names, dtype=object), n_rows // len(names)).tolist()
        return labels

    def name(self, where: Any) -> str:
        """Return the names of the estimators of marked rows, with their metric."""
        return f"{listed(dict.fromkeys(compress(self.labels, where)))} in {self.metric}"
