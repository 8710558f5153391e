"""Fits with their notes: those before the first fit, those on the fits, those on the scores."""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from .._utils._warn import carry
from ..fitting import NUMBERS_AS_CLASSES, FitPlan, Fits, Measured, Rounds, report_failures
from ..scores import CVScores, Note, as_notes, union, warn_of
from ..stats import is_own
from ._evidence import Evidence, FitsEvidence, LabelsEvidence
from ._fits import give_warnings
from ._heard import models_of_labels
from ._on_result import on_result
from ._registry import before_fits, find_notes

NotesByMetric = Mapping[str | None, tuple[Note, ...]]


def measure(plan: FitPlan, evidence: Evidence, further: Iterable[Note] = ()) -> Measured:
    """Fit and score every estimator on the splits; first warn of all notes, `further` ones too."""
    before = before_fits(evidence)
    said = union(
        _notes_on_splits(plan),
        *(find_notes(undefined) for undefined in plan.undefined),
        _notes_of_procedures(plan),
        *before.values(),
        further,
    )
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


def _notes_on_splits(plan: FitPlan) -> list[Note]:
    """Return the notes on the splits, but those that no procedure minds."""
    notes = union(*(part.design.notes for part in plan.parts))
    excused = frozenset.intersection(*(each._excused for each in plan.procedures.values()))
    return [note for note in notes if note not in excused]


def _notes_of_procedures(plan: FitPlan) -> Iterator[Note]:
    """Yield what the procedures know of their numbers on the planned splits."""
    designs = [part.design for part in plan.parts]
    used_procedures = {id(procedure): procedure for procedure in plan.procedures.values()}
    for procedure in used_procedures.values():
        found = procedure.notes(*designs)
        yield from found if is_own(procedure) else as_notes(found, "notes")


def _measure(
    plan: FitPlan, evidence: Evidence, before: NotesByMetric, said: tuple[Note, ...]
) -> Measured:
    """Fit, report failures with the scores that are there, and note on the scores."""
    with warnings.catch_warnings():
        if any(note.code == NUMBERS_AS_CLASSES for note in said):  # which says it once
            warnings.filterwarnings("ignore", "The number of unique classes is greater")
        fits = plan.fit()
        of_fits = FitsEvidence(evidence, fits)
        give_warnings(of_fits)
        measured = plan.gather(fits)
        shared_notes = union(before.get(None, ()), find_notes(of_fits))
        scores = {}
        auxiliary = {}
        for metric, found in measured.scores.items():
            metric_notes = union(_notes_on_metric(plan, metric), before.get(metric, ()))
            label_notes = _notes_on_labels(plan, fits, found)
            scores[metric] = found.with_notes([*shared_notes, *metric_notes, *label_notes])
        for metric, found in measured.auxiliary.items():
            metric_notes = union(_notes_on_metric(plan, metric), before.get(metric, ()))
            auxiliary[metric] = found.with_notes([*shared_notes, *metric_notes])
        try:
            report_failures(plan, fits)
        except Warning as warning:
            carry(warning, scores=scores, auxiliary=auxiliary)
            raise
    noted = replace(measured, scores=scores, auxiliary=auxiliary, said=said)
    return on_result(evidence, noted)


def _notes_on_metric(plan: FitPlan, metric: str) -> Iterator[Note]:
    """Yield the notes on a metric that is not defined on some splits."""
    for undefined in plan.undefined:
        if undefined.metric == metric:
            yield from find_notes(undefined)


def _notes_on_labels(plan: FitPlan, fits: Fits, scores: CVScores) -> tuple[Note, ...]:
    """Return a note on models whose predictions are labels, where all splits have a score."""
    name = scores.metric
    undefined = [lacking for lacking in plan.undefined if lacking.metric == name]
    if scores.failures or not all(lacking.is_few for lacking in undefined):
        return ()
    names = models_of_labels(fits.records, plan.work.names, name)
    if not names:
        return ()
    metric = next(metric for metric in plan.work.metrics if metric.name == name)
    return find_notes(LabelsEvidence(metric, names))
