"""What a report is about, read alike off a comparison and off a single test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .._utils import sentence
from ..comparison import ComparisonResult
from ..scores import CVScores, Note
from ..stats import UNNAMED_ESTIMATE, Inference


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """A result with what its report needs of it.

    Parameters
    ----------
    result : ComparisonResult or Inference
        The result.
    confidence_level : float
        Of the intervals; verdicts are at the level 1 minus it.
    test : Inference
        The first test: procedure, splits and sizes are the same in all.
    names : tuple of str
        The estimators.
    metrics : tuple of str
        The metrics.
    scores, auxiliary : CVScores or None
        Scores of the first metric, for what they know of the splits and of the fits.
    """

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

    def notes(self) -> list[str]:
        """Return what weakens the result, in sentences.

        What does not weaken all comparisons says which ones.
        """
        if self.comparison is None:
            return [sentence(str(note)) for note in self.test.notes]
        owners: dict[Note, list[str]] = {}
        for comparison in self.comparison:
            who = f"{comparison.estimator} - {comparison.versus}"
            who = who if len(self.metrics) == 1 else f"{who} in {comparison.metric}"
            for note in comparison.notes:
                owners.setdefault(note, []).append(who)
        n_all = len(self.comparison)
        return [
            sentence(str(note)) if len(who) == n_all else f"{', '.join(who)}: {note}."
            for note, who in owners.items()
        ]


def gather(result: ComparisonResult | Inference, confidence_level: float | None = None) -> Evidence:
    """Read what a report needs off a result.

    Parameters
    ----------
    result : ComparisonResult or Inference
        Of one or several metrics, or of a single test.
    confidence_level : float or None, default=None
        Of the intervals; None is that of the result.

    Raises
    ------
    TypeError
        If it is something else.
    ValueError
        If it holds arrays of tests.
    """
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
