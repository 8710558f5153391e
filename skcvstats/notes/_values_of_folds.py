"""Notes on scores of folds: what those of rows would add, and repeats that are the same."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from .._utils._metrics import CALLED, METRICS, OF_FOLDS
from ..scores import FinishedScores, Note, RepeatedScores, SplitDesign
from ._registry import note

_FEWEST_FOLDS = 3  # of the row t-test


@note(
    "means of folds",
    title="Means of folds",
    looks_for="Finished scores of whole folds, in a metric that has scores of rows.",
    why="The scores of rows tell more of the same splits, and intervals from them vary less.",
    remedy="Use compare_estimators or cross_val_inference, which keep the scores of rows.",
    looks_in=FinishedScores,
    on_sound_data="Reported for all such scores, as a fact.",
)
def means_of_folds(evidence: FinishedScores) -> Iterator[Note]:
    scores = evidence.scores
    design = scores.design
    if scores.row_scores or not _suits_row_t(design):
        return
    facts = METRICS.get(CALLED.get(scores.metric, scores.metric))
    if facts is not None and not facts.is_row_mean and facts.function not in OF_FOLDS:
        return
    condition = ""
    if facts is None:
        condition = "if the metric is a mean over rows, "
    text = (
        f"only the means of folds are known; {condition}the scores of the rows would give "
        "intervals that vary less from one data set to another: compare_estimators and "
        "cross_val_inference keep them"
    )
    yield Note("means of folds", text, None)


def _suits_row_t(design: SplitDesign) -> bool:
    """Return whether the row t-test could be used, if the scores of rows were there."""
    if "fold" not in design.levels or design.shape[-1] < _FEWEST_FOLDS:
        return False
    are_whole = sum(design.n_train) + sum(design.n_test) == design.n_splits * design.n_samples
    return are_whole and min(design.n_test) >= 2


@note(
    "same repeats",
    title="Same repeats",
    looks_for="Two repeats that have the same scores everywhere.",
    why="If one was passed twice, the variance is too small.",
    remedy="Pass each repeat once.",
    looks_in=RepeatedScores,
)
def same_repeats(evidence: RepeatedScores) -> Iterator[Note]:
    repeats = evidence.values
    for first, second in combinations(range(len(repeats)), 2):
        if np.array_equal(repeats[first], repeats[second]) and np.ptp(repeats[first]) > 0:
            text = (
                f"repeats {first} and {second} have the same scores in all {evidence.units}: if "
                "one was passed twice, the variance is too small; pass each repeat once"
            )
            yield Note("same repeats", text, None)
            return
