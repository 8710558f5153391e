"""Turn estimators and splits into scores; models are fitted only here."""

from ._content import fingerprint
from ._execution import OF_TRAINING, FitRecord, Workload
from ._inputs import FitOptions
from ._measure import Prepared, fit_in_rounds, is_routing, prepare, score_splits
from ._pool import run_all
from ._reuse import KeptArrays, kept_arrays
from ._row_metrics import check_metric_on
from ._row_scores import SINGLE, RowScorer, for_classes, normalised
from ._scoring import (
    Metric,
    Scoring,
    check_names,
    default_scoring,
    measured_as,
    metrics_of,
    names_of,
)
from ._splits import HeldSplits, PlannedSplits, Split, Splits, plan_splits
from ._store import FitStore
from ._target import undefined_metrics

__all__ = [
    "OF_TRAINING",
    "SINGLE",
    "FitOptions",
    "FitRecord",
    "FitStore",
    "HeldSplits",
    "KeptArrays",
    "Metric",
    "PlannedSplits",
    "Prepared",
    "RowScorer",
    "Scoring",
    "Split",
    "Splits",
    "Workload",
    "check_metric_on",
    "check_names",
    "default_scoring",
    "fingerprint",
    "fit_in_rounds",
    "for_classes",
    "is_routing",
    "kept_arrays",
    "measured_as",
    "metrics_of",
    "names_of",
    "normalised",
    "plan_splits",
    "prepare",
    "run_all",
    "score_splits",
    "undefined_metrics",
]
