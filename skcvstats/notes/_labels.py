"""The note on predictions that are labels, though a metric needs scores or probabilities."""

from collections.abc import Iterator

from .._utils._checks import listed
from ..scores import Note
from ._evidence import LabelsEvidence
from ._registry import note


@note(
    "two-valued predictions",
    title="Labels where scores are expected",
    looks_for="Predictions of two values in a metric of probabilities or decision values.",
    why="The metric then measures another thing: the AUC is the balanced accuracy.",
    remedy="Pass probabilities or decision values.",
    looks_in=LabelsEvidence,
)
def two_valued_predictions(evidence: LabelsEvidence) -> Iterator[Note]:
    metric = evidence.metric
    if not evidence.names:
        return
    consequence = "so the AUC is the balanced accuracy"
    if metric.name_of_function != "roc_auc_score" or metric.options:
        consequence = f"and {metric.called or metric.name_of_function} is made for more than labels"
    remedy = "pass probabilities or decision values if there are any"
    if metric.responses == ("predict",) and metric.is_scorer:
        remedy = "make the scorer with response_method='predict_proba' or 'decision_function'"
    text = (
        f"the predictions of {listed(evidence.names)} have two values only, as labels do, "
        f"{consequence}; {remedy}"
    )
    yield Note("two-valued predictions", text, None, about=tuple(evidence.names))
