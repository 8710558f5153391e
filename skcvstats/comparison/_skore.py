"""Read scores from skore's reports, which are recognised by their attributes without imports.

Notes
-----
A ``CrossValidationReport`` has ``split_indices``, ``y`` and ``metrics.summarize().summary``, a
frame with a row for each metric and split. A ``ComparisonReport`` has ``reports_``, by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from .._utils._checks import one_line
from ..scores import CVScores, SplitDesign

# Rows of a summary that are not used: durations, and a metric that also has its own name.
_NO_METRICS = ("fit_time", "predict_time")
_REPEATED = "default_score"


class ReportsByName(Protocol):
    """The attributes of a ``ComparisonReport``."""

    @property
    def reports_(self) -> Any: ...


def is_report(given: Any) -> bool:
    """Whether something is a report of one estimator on several splits."""
    return hasattr(given, "split_indices") and hasattr(given, "metrics")


def reports_by_name(given: Any) -> Mapping[str, Any] | None:
    """Return the reports of a comparison by estimator; None for any other object."""
    reports = getattr(given, "reports_", None)
    if not isinstance(reports, Mapping):
        return None
    single = [name for name, report in reports.items() if not is_report(report)]
    if single:
        raise TypeError(
            f"The report of {single[0]!r} is a {type(reports[single[0]]).__name__}, of a single "
            "test set. Compare cross-validation reports: ComparisonReport of "
            "CrossValidationReport(estimator, X, y, splitter=RepeatedSubsampleSplit())."
        )
    return reports


def read_report(name: str, report: Any) -> dict[str, CVScores]:
    """Return the scores of a report by metric, greater is better."""
    train, test = zip(*report.split_indices, strict=True)
    y = getattr(report, "y", None)
    design = SplitDesign.from_indices(
        train,
        test,
        n_samples=None if y is None else len(y),
        y=y,
        source=one_line(getattr(report, "splitter", None)),
    )
    return {
        metric: CVScores(values=values, design=design, labels=(name,), metric=metric)
        for metric, values in _values_by_metric(report, design.n_splits).items()
    }


def _values_by_metric(report: Any, n_splits: int) -> dict[str, np.ndarray]:
    """Return one score for each split by metric; nan if a report has none."""
    found: dict[str, np.ndarray] = {}
    for row in _summary(report):
        if row["name"] in _NO_METRICS or row["data_source"] != "test":
            continue
        metric = _name_of(row)
        values = found.setdefault(metric, np.full(n_splits, np.nan))
        sign = 1.0 if row["greater_is_better"] else -1.0
        values[int(row["split"])] = sign * float(row["score"])
    if len(found) > 1:
        found.pop(_REPEATED, None)
    return found


def _summary(report: Any) -> list[dict[str, Any]]:
    """Return the rows of a report's summary of its test scores."""
    display = report.metrics.summarize(data_source="test")
    if not hasattr(display, "summary"):
        raise TypeError(
            f"metrics.summarize() of {type(report).__name__} has no summary: reports of skore 0.28 "
            "and later have. Use such a skore, or pass cross_validate's results."
        )
    rows: list[dict[str, Any]] = display.summary.to_dict("records")
    return rows


def _name_of(row: Mapping[str, Any]) -> str:
    """Name the metric of a row, with its class, average or output."""
    metric = row["name"] if row["greater_is_better"] else f"neg_{row['name']}"
    parts = [f"{part} {row[part]}" for part in ("label", "output") if _is_given(row.get(part))]
    return f"{metric} ({', '.join(parts)})" if parts else metric


def _is_given(value: Any) -> bool:
    """Whether an entry of a frame is neither None, nan nor pandas' NA."""
    return value is not None and str(value) not in ("<NA>", "nan")
