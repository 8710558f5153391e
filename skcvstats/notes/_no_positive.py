"""The note on models that predict no positive."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from .._utils._metrics import shown_as
from ..scores import MissingEvidenceError, Note
from ._evidence import ScoresEvidence
from ._registry import note

_OF_POSITIVES = ("f1_score", "fbeta_score", "jaccard_score", "precision_score", "recall_score")


@note(
    "no predicted positive",
    title="No predicted positive",
    looks_for="Models whose F1, F-beta, precision, recall or Jaccard score is 0 on every split.",
    why="No model predicted a positive that is one, so this metric cannot tell the models apart.",
    remedy="Use average precision or AUC, or choose a lower threshold.",
    looks_in=ScoresEvidence,
    on_sound_data="Reported for all such scores, as a fact.",
)
def no_predicted_positive(evidence: ScoresEvidence) -> Iterator[Note]:
    if evidence.scores.values.any():
        return
    metric = evidence.judged
    is_binary = metric.options.get("average", "binary") == "binary"
    if metric.function_name not in _OF_POSITIVES or not is_binary:
        return
    wrongly = " that is one"
    positives = np.ravel(evidence.y) == metric.positive
    with suppress(MissingEvidenceError):
        _, predicted = evidence.predicted_of(metric, evidence.scores, positives.astype(int))
        if np.ptp(predicted) == 0:  # a constant, which is not the positive class
            wrongly = ""
    name = shown_as(evidence.scores.metric).name
    text = f"no model predicted a positive{wrongly}, so its {name} is 0 on every split"
    yield Note("no predicted positive", text, None)
