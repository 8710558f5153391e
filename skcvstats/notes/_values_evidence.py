"""What the values of scores tell, for the functions that look for notes."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from .._utils._checks import listed
from .._utils._metrics import known_of
from .._utils._text import called
from ..scores import CVScores, Note, are_losses

_UNNAMED = "the scores"
# How many times as large a score in percent is, if no score is twice another.
_LEAST_PERCENT = 50
_MOST_PERCENT = 200


class ValuesEvidence:
    """Scores in one metric, with what its name says of it."""

    def __init__(self, parts: Sequence[CVScores]) -> None:
        first = parts[0]
        self.parts = parts
        self.metric = first.metric
        self.design = first.design
        self.provenance = first.provenance
        # The metric by its own name, where the user has named it.
        self.measured = first.provenance.get("measured", first.metric)
        self.known = known_of(self.measured)
        # Of shape (n_rows, n_splits).
        self.values = np.concatenate([part.values.reshape(-1, part.shape[-1]) for part in parts])

    @property
    def constant(self) -> float | None:
        """The score of a constant prediction, None if it is not known."""
        return self.provenance.get("score of a constant")

    @cached_property
    def labels(self) -> list[str]:
        """The name of the estimator of each row of the values."""
        labels: list[str] = []
        for part in self.parts:
            names = list(part.labels) or [_UNNAMED]
            n_rows = part.size // part.shape[-1]
            labels += np.repeat(np.array(names, dtype=object), n_rows // len(names)).tolist()
        return labels

    @property
    def directed_by(self) -> str:
        """The name of the metric that tells whether greater is better."""
        return self.metric if known_of(self.metric).sign else self.measured

    def doubt_scale(self) -> "ScaleEvidence | None":
        """Return what is wrong with the scale of the scores, None where nothing is amiss."""
        if are_losses(self.directed_by, self.values):
            return LossesAsScores(self)
        means = np.ma.masked_invalid(self.values).mean(axis=-1).filled(np.nan)
        sign, low, high = known_of(self.metric)
        if _are_of_two_scales(means) and (high <= 1 or np.isinf([low, high]).all()):
            return ScoresOfTwoScales(self)
        if sign >= 0 and _are_outside(means, low, high):
            return ScoresOutOfRange(self)
        return None


def notes_on_rows(evidence: ValuesEvidence, code: str, where: Any, text: str) -> Iterator[Note]:
    """Yield a note on the estimators of marked rows of scores, if there are some."""
    names = tuple(dict.fromkeys(compress(evidence.labels, where)))
    if names:
        said = f"{listed(map(called, names))} in {evidence.metric}: {text}"
        yield Note(code, said, None, about=tuple(name for name in names if name != _UNNAMED))


class ScaleEvidence(NamedTuple):
    """Scores whose scale is doubtful."""

    values: ValuesEvidence


class LossesAsScores(ScaleEvidence):
    """Scores that seem to be losses."""


class ScoresOfTwoScales(ScaleEvidence):
    """Shares beside scores that seem to be in percent."""


class ScoresOutOfRange(ScaleEvidence):
    """Scores that the metric cannot have."""


def _are_of_two_scales(means: np.ndarray) -> bool:
    """Return whether some scores are in percent and others are shares."""
    percents = means[means > 1]
    if not percents.size or percents.max() > 100:
        return False
    shares = means[(means > 0) & (means <= 1)]
    if not shares.size:
        return False
    ratio = np.median(percents) / np.median(shares)
    return bool(_LEAST_PERCENT <= ratio <= _MOST_PERCENT)


def _are_outside(means: np.ndarray, low: float, high: float) -> bool:
    """Return whether some scores are outside of a range by more than rounding."""
    excess = np.maximum(means - high, low - means)
    rounding = 1e-9 * np.fmax.reduce(np.abs(means)) + 1e-12
    return bool((excess > rounding).any())
