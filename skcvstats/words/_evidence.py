"""What a report is about, in the same form for a comparison and for a single test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._utils._text import cut, sentence
from ..comparison import ComparisonResult, ScoreEstimates
from ..scores import CVScores
from ..stats import UNDETERMINED as UNDETERMINED_NOTE
from ..stats import UNNAMED_ESTIMATE, Inference
from ._findings import UNDETERMINED, Findings

_MOST_NAMED = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """A result with what its report needs."""

    result: ComparisonResult | Inference
    confidence_level: float
    test: Inference
    names: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: CVScores | None
    auxiliary: CVScores | None

    @property
    def comparison(self) -> ComparisonResult | None:
        """The result, if it is a comparison."""
        return self.result if isinstance(self.result, ComparisonResult) else None

    @property
    def search(self) -> dict[str, str]:
        """Facts about the search whose candidates are compared; else empty."""
        provenance = {} if self.scores is None else self.scores.provenance
        return provenance.get("search") or {}

    @property
    def preparation(self) -> tuple[tuple[str, str], ...]:
        """What the command line did to the data before the fits, as a fact of the report."""
        done = [] if self.scores is None else self.scores.provenance.get("data") or []
        term = "data" if len(self.metrics) == 1 else "data, in all metrics"
        return ((term, "; ".join(map(str, done))),) if done else ()

    @property
    def several(self) -> bool:
        """Whether p-values are of several comparisons in a metric."""
        return self.comparison is not None and self.comparison.n_adjusted > 1

    @cached_property
    def findings(self) -> tuple[Findings, ...]:
        """What was found in each metric, if the result is a comparison."""
        if self.comparison is None:
            return ()
        return tuple(Findings(metric, self.comparison[metric]) for metric in self.metrics)

    def notes(self) -> list[str]:
        """Return the limitations of the result, each once, in sentences.

        A limitation of only some comparisons names them.
        """
        if self.comparison is None:
            return [sentence(str(note)) for note in self.test.notes]
        owners: dict[str, list[str]] = {}
        for findings in self.findings:
            for text in _notes(findings):
                owners.setdefault(text, []).append(findings.metric)
        return [
            text if len(metrics) == len(self.metrics) else f"{', '.join(metrics)}: {text}"
            for text, metrics in owners.items()
        ]


def _notes(findings: Findings) -> list[str]:
    """Return the notes of a metric as sentences; that on undetermined comparisons names them."""
    found = []
    for note in findings.result.notes:
        if note.code != UNDETERMINED_NOTE.code:
            found.append(sentence(str(note)))
            continue
        if findings.alone:  # the answer already says it
            continue
        comparisons = findings.result.comparisons
        which = [comparisons[int(k)] for k in findings.positions(UNDETERMINED)[:_MOST_NAMED]]
        names = [f"{cut(one.estimator)} - {cut(one.versus)}" for one in which]
        n_more = len(findings.positions(UNDETERMINED)) - len(names)
        names += [f"{n_more} more"] if n_more else []
        found.append(f"{', '.join(names)}: {UNDETERMINED_NOTE}.")
    return found


def gather(result: ComparisonResult | Inference, confidence_level: float | None = None) -> Evidence:
    """Gather what a report needs from a result."""
    if isinstance(result, ComparisonResult):
        if confidence_level is not None:
            result = result.with_confidence(confidence_level)
        scores = next(iter(result.scores_by_metric.values()))
        return Evidence(
            result=result,
            confidence_level=result.confidence_level,
            test=result.tests[0],
            names=result.names,
            metrics=result.metrics,
            scores=scores,
            auxiliary=_first(result.auxiliary_by_metric.values()),
        )
    if isinstance(result, ScoreEstimates):
        raise TypeError(
            "evaluation_report needs one estimator in one metric, or a comparison, got the scores "
            f"of {len(result.names)} estimators in {len(result.metrics)} metrics. Pass one, such "
            f"as result[{result.metrics[0]!r}][{result.names[0]!r}], or what compare_estimators "
            "returned."
        )
    if not isinstance(result, Inference):
        raise TypeError(
            "evaluation_report needs what compare_estimators, compare_scores or "
            f"cross_val_inference returned, or a test of scores, got {type(result).__name__}. "
            "Scores are tested first, as by CorrectedResampledTTest()(scores); other results say "
            "what they found when they are printed."
        )
    if confidence_level is not None:
        result = result.with_confidence(confidence_level)
    if np.ndim(result.pvalue):
        raise ValueError(
            f"This result holds tests of shape {np.shape(result.pvalue)}; a report is about "
            "one. For several estimators use compare_estimators or compare_scores."
        )
    return Evidence(
        result=result,
        confidence_level=result.confidence_level,
        test=result,
        names=() if result.label == UNNAMED_ESTIMATE else (result.label,),
        metrics=(result.metric,),
        scores=result.scores,
        auxiliary=result.auxiliary,
    )


def _first(scores: Iterable[CVScores]) -> CVScores | None:
    return next(iter(scores), None)
