"""The note on errors that a few rows dominate: rarer, larger ones may be missing."""

import re
from collections.abc import Iterator

import numpy as np

from .._utils._arrays import Floats
from .._utils._metrics import shown_as
from .._utils._text import format_number
from ..scores import CVScores, Note
from ..stats import FEW_ROWS_TELL
from ._evidence import ScoresEvidence, means_of_units
from ._registry import note

_FEWEST = 5  # rows, of absolute errors
_FEWEST_UNITS = 50  # of 30 with normal errors a few make up much in 4 % of sets, of 50 in .3 %
_OF_VALUES = re.compile("(?i)squared|absolute|r?mse|mae")
_SQUARED = re.compile("(?i)squared|mse")


@note(
    FEW_ROWS_TELL,
    title="A few rows dominate",
    looks_for="A variance to which few rows contribute nearly all; or absolute or squared errors "
    "of a model that few rows dominate; it is reported for its differences, too.",
    why="The data may lack rarer, larger losses, so the interval may be too short. With lognormal "
    "targets, intervals of MAE and of differences miss in 24 to 29 % and more.",
    remedy="Use a bounded metric, such as a share of rows with a small error, or more rows.",
    looks_in=ScoresEvidence,
    on_sound_data="No model had such errors. Of 100 sets of 100 rows with normal "
    "errors none were, either, of 100 with lognormal targets 75 to 80; the variance of squared "
    "errors rested on few rows in 4 to 11, and in 95 to 97 of them.",
)
def few_rows_tell(evidence: ScoresEvidence) -> Iterator[Note]:
    scores = evidence.scores
    measured = scores.provenance.get("measured", scores.metric)
    if not _OF_VALUES.search(measured):
        return
    is_squared = bool(_SQUARED.search(measured))
    losses_of_models = _losses_of_units(scores)
    numbers = np.array([_effective_number(losses, is_squared) for losses in losses_of_models])
    is_few = (numbers > 0) & (numbers < _FEWEST)
    if not is_few.any():
        return
    about, models = evidence.name(is_few)
    text = (
        f"intervals of {shown_as(scores.metric).name}, and of differences in it, may be too "
        f"short: a few {scores.design.unit} dominate the errors of {models} (effective number "
        f"{format_number(numbers[is_few].min())}); these data may lack rarer, larger ones"
    )
    yield Note(FEW_ROWS_TELL, text, None, about=about)


def _effective_number(losses: Floats, is_squared: bool) -> float:
    """Return how many units make up the variance of errors; 0 if that is not known."""
    if len(losses) < _FEWEST_UNITS:
        return 0.0
    if is_squared:  # those of a fold are so but for a constant
        losses = np.sqrt(losses - losses.min())
    squares = np.square(losses - losses.mean())
    fourth = np.maximum(np.square(squares).sum(), np.finfo(float).tiny)
    return float(np.square(squares.sum()) / fourth)


def _losses_of_units(scores: CVScores) -> Iterator[Floats]:
    """Yield the losses of each model of rows, or groups, but for a constant, where there are any.

    One model at a time, so that they take little memory.
    """
    if scores.components is not None:
        arrays = scores.components.arrays
        gains = np.atleast_2d(arrays.get("sums", arrays.get("deviations", np.empty((0, 1)))))
        yield from map(np.negative, gains)
    elif scores.row_scores is not None:
        yield from map(np.negative, means_of_units(scores.row_scores))
