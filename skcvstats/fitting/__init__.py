"""Turn estimators and splits into scores; models are fitted only here."""

from ._beforehand import unknown_labels
from ._content import fingerprint
from ._execution import FitRecord, Workload
from ._gather import versions as versions
from ._inputs import FitOptions, check_estimators
from ._measure import measure, score_splits
from ._pool import run_all
from ._responses import stated_responses as stated_responses
from ._reuse import KeptArrays, kept_arrays
from ._row_loss import PerRowLoss, resolve_loss
from ._scoring import (
    Scoring,
    check_names,
    default_scoring,
    describe,
    metric_name,
    metrics_of,
    resolve_scoring,
    score_name,
)
from ._scoring import hint_for as hint_for
from ._scoring import is_scorer as is_scorer
from ._splits import HeldSplits, Split, Splits, plan_splits
from ._store import FitStore
from ._undefined import RULES as RULES
from ._undefined import Undefined, find_undefined
from ._undefined import needed_classes as needed_classes
from ._workers import limited_blas

__all__ = [
    "FitOptions",
    "FitRecord",
    "FitStore",
    "HeldSplits",
    "KeptArrays",
    "PerRowLoss",
    "Scoring",
    "Split",
    "Splits",
    "Undefined",
    "Workload",
    "check_estimators",
    "check_names",
    "default_scoring",
    "describe",
    "find_undefined",
    "fingerprint",
    "kept_arrays",
    "limited_blas",
    "measure",
    "metric_name",
    "metrics_of",
    "plan_splits",
    "resolve_loss",
    "resolve_scoring",
    "run_all",
    "score_name",
    "score_splits",
    "unknown_labels",
]
