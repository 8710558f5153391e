"""Comparisons and estimates as flat dicts, for experiment trackers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .._utils._text import flat_dict, only_evidence
from ..scores import codes
from ..stats import Inference

# The path of names, and the quantities.
_Part = tuple[Sequence[str], dict[str, Any]]

_OF_ESTIMATORS = ("score", "standard_error", "low", "high")
# Keys about a margin exist only if there is a margin.
_OF_COMPARISONS = (
    "difference",
    "standard_error",
    "low",
    "high",
    "low_margin",
    "high_margin",
    "pvalue",
    "pvalue_adjusted",
    "pvalue_not_worse",
    "pvalue_not_better",
    "pvalue_equivalent",
)


def comparison_dict(result: Any) -> dict[str, Any]:
    """Return a comparison as a flat dict; see `ComparisonResult.to_dict`."""
    low, high = result.margin or (None, None)
    facts = {
        "confidence_level": result.confidence_level,
        "reference": result.reference,
        "adjustment": result.adjustment,
        "margin_low": low,
        "margin_high": high,
        "notes": codes(result.notes),
    }
    parts: list[_Part] = [((), facts)]
    for metric in result.metrics:
        of_metric = result[metric]
        parts.append(((metric,), _facts(of_metric.tests[0])))
        wanted = (*_OF_ESTIMATORS, "p_best", "could_be_best")
        parts += _estimators(metric, of_metric.ranking(), wanted)
        parts += _comparisons(metric, of_metric)
    return flat_dict(parts)


def estimates_dict(result: Any) -> dict[str, Any]:
    """Return estimates as a flat dict; see `ScoreEstimates.to_dict`."""
    facts = {"confidence_level": result.confidence_level, "notes": codes(result.notes)}
    parts: list[_Part] = [((), facts)]
    for metric, found in result.inferences.items():
        parts.append(((metric,), _facts(found)))
        wanted = (*_OF_ESTIMATORS, "pvalue")
        parts += _estimators(metric, result[metric].to_frame(), wanted)
    return flat_dict(parts)


def _facts(test: Inference) -> dict[str, Any]:
    """Return the sizes behind the scores of a metric, and the procedure."""
    names = ("method", "n_splits", "n_train", "n_test", "n_samples", "unit")
    return {name: getattr(test, name) for name in names}


def _estimators(metric: str, frame: Any, wanted: Sequence[str]) -> Iterator[_Part]:
    """Return each row of a ranking, without the interval and p-value of constant scores."""
    for row in frame.to_dict("records"):
        numbers = {str(name): row[name] for name in wanted}
        yield (metric, row["estimator"]), only_evidence(numbers, row["standard_error"] == 0)


def _comparisons(metric: str, result: Any) -> Iterator[_Part]:
    """Return each difference, with what is shown of it."""
    rows = result.to_frame().to_dict("records")
    for row, comparison in zip(rows, result.comparisons, strict=True):
        numbers = {name: row[name] for name in _OF_COMPARISONS if name in row}
        numbers = only_evidence(numbers, comparison.test.undetermined)
        difference = f"{row['estimator']} - {row['versus']}"
        yield (metric, difference), {**numbers, "outcome": comparison.outcome}
