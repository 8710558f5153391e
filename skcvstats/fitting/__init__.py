"""Turn estimators and splits into scores; models are fitted only here."""

from ._content import fingerprint
from ._execution import FitRecord, Workload
from ._gather import versions as versions
from ._inputs import FitOptions, check_estimators
from ._measure import measure, score_splits
from ._pool import run_all
from ._reuse import KeptArrays
from ._scoring import Metric, Scoring, resolve_scoring
from ._splits import HeldSplits, Split, Splits, plan_splits
from ._store import FitStore
from ._target import undefined_metrics
from ._workers import limited_blas

__all__ = [
    "FitOptions",
    "FitRecord",
    "FitStore",
    "HeldSplits",
    "KeptArrays",
    "Metric",
    "Scoring",
    "Split",
    "Splits",
    "Workload",
    "check_estimators",
    "fingerprint",
    "limited_blas",
    "measure",
    "plan_splits",
    "resolve_scoring",
    "run_all",
    "score_splits",
    "undefined_metrics",
]
