"""The second way through the list: what is to be noted on the scores of fits."""

from collections.abc import Mapping

from ..scores import CVScores
from ._evidence import Evidence
from ._registry import with_notes
from ._worse_than_constant import constant_of_fits

ByMetric = Mapping[str, CVScores]


def on_result(
    evidence: Evidence, scores: ByMetric, auxiliary: ByMetric
) -> tuple[dict[str, CVScores], dict[str, CVScores]]:
    """Return the main scores and the auxiliary ones with what is to be noted on them."""
    noted = {}
    for metric, found in scores.items():
        facts = constant_of_fits(evidence, found)
        noted[metric] = with_notes(evidence, found, of_rows=found.row_scores, **facts)
    noted_auxiliary = {}
    for metric, found in auxiliary.items():
        noted_auxiliary[metric] = with_notes(evidence, found, of_rows=found.row_scores)
    return noted, noted_auxiliary
