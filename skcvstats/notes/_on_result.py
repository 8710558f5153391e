"""The second way through the list: what is to be noted on the scores of fits."""

from dataclasses import replace

from ..fitting import Measured
from ._evidence import Evidence
from ._registry import with_notes
from ._worse_than_constant import constant_of_fits


def on_result(evidence: Evidence, measured: Measured) -> Measured:
    """Return what was measured, with what is to be noted on it."""
    scores = {}
    for metric, found in measured.scores.items():
        facts = constant_of_fits(evidence, found)
        scores[metric] = with_notes(evidence, found, of_rows=found.row_scores, **facts)
    auxiliary = {}
    for metric, found in measured.auxiliary.items():
        auxiliary[metric] = with_notes(evidence, found, of_rows=found.row_scores)
    return replace(measured, scores=scores, auxiliary=auxiliary)
