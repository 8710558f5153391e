"""Fits with their notes: those before the first fit, those on the fits, those on the scores."""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace

from .._utils._warn import CaughtWarnings, carry
from ..fitting import FitPlan, Measured, Rounds, report_failures
from ..scores import CVScores, Note, as_notes, union, warn_of
from ._before_fits import NUMBERS_AS_CLASSES
from ._evidence import Evidence, FitsEvidence, LabelsEvidence
from ._fits import give_warnings
from ._registry import before_fits, find_notes, with_notes
from ._seasons import stamps_of
from ._worse_than_constant import constant_of_fits

NotesByMetric = Mapping[str | None, tuple[Note, ...]]


def measure(plan: FitPlan, evidence: Evidence, further: Iterable[Note] = ()) -> Measured:
    """Fit and score every estimator on the splits; first warn of all notes, `further` ones too."""
    designs = [part.design for part in plan.parts]
    procedures = {id(procedure): procedure for procedure in plan.procedures.values()}.values()
    notes: list[Note] = []
    for note in union(*(design.notes for design in designs)):
        if not all(note in procedure._excused for procedure in procedures):
            notes.append(note)
    for undefined in plan.undefined:
        notes += find_notes(undefined)
    for procedure in procedures:  # what they know of their numbers on these splits
        notes += as_notes(procedure.notes(*designs), "notes")
    before = before_fits(evidence)
    said = union(notes, *before.values(), further)
    warn_of(said)
    return _measure(plan, evidence, before, said)


def measure_unwarned(plan: FitPlan, evidence: Evidence) -> Measured:
    """Fit and score every estimator on the splits; what is known before stays unsaid."""
    return _measure(plan, evidence, {}, ())


def fit_in_rounds(plan: FitPlan, rounds: Rounds) -> None:
    """Fit in rounds, each planned from all records before it; warn of what failed."""
    fits = plan.fit_in_rounds(rounds)
    give_warnings(FitsEvidence(Evidence.of_fits(plan), fits))
    report_failures(plan, fits)


def _measure(
    plan: FitPlan, evidence: Evidence, before: NotesByMetric, said: tuple[Note, ...]
) -> Measured:
    """Fit, report failures with the scores that are there, and note on the scores."""
    with CaughtWarnings():
        if NUMBERS_AS_CLASSES in (note.code for note in said):  # which says it once
            warnings.filterwarnings("ignore", "The number of unique classes is greater")
        fits = plan.fit()
        of_fits = FitsEvidence(evidence, fits)
        give_warnings(of_fits)
        measured = plan.gather(fits)
        shared_notes = union(before.get(None, ()), find_notes(of_fits))
        scores = _with_first_notes(measured.scores, plan, shared_notes, before)
        auxiliary = _with_first_notes(measured.auxiliary, plan, shared_notes, before)
        metrics = {metric.name: metric for metric in plan.work.metrics}
        for name, models in of_fits.models_of_labels.items():
            if _is_whole(scores[name], plan):
                label_notes = find_notes(LabelsEvidence(metrics[name], models))
                scores[name] = scores[name].with_notes(label_notes)
        try:
            report_failures(plan, fits)
        except Warning as warning:
            carry(warning, scores=scores, auxiliary=auxiliary)
            raise
    for name, found in scores.items():
        facts = constant_of_fits(evidence, found, metrics.get(name))
        facts["stamps"] = stamps_of(plan.X)
        facts["predicted_of"] = fits.rows.predicted_of
        if name in metrics:
            facts["judged"] = metrics[name]
        scores[name] = with_notes(evidence, found, of_rows=found.row_scores, **facts)
    for name, found in auxiliary.items():
        auxiliary[name] = with_notes(evidence, found, of_rows=found.row_scores)
    return replace(measured, scores=scores, auxiliary=auxiliary, said=said)


def _with_first_notes(
    scores: Mapping[str, CVScores],
    plan: FitPlan,
    shared_notes: Iterable[Note],
    before: NotesByMetric,
) -> dict[str, CVScores]:
    """Return scores with the notes on all metrics, and with those on each from before the fits."""
    noted = {}
    for name, found in scores.items():
        undefined = [find_notes(each) for each in plan.undefined if each.metric == name]
        noted[name] = found.with_notes(union(shared_notes, *undefined, before.get(name, ())))
    return noted


def _is_whole(scores: CVScores, plan: FitPlan) -> bool:
    """Return whether there is a meaningful score on every split."""
    are_few = [each.is_few for each in plan.undefined if each.metric == scores.metric]
    return not scores.failures and all(are_few)
