"""Turn estimators and splits into scores; models are fitted only here."""

from ._content import ContentReader, UnknownContentError
from ._execution import FitRecord, Workload, fit_pairs, score_fitted
from ._gather import versions as versions
from ._inputs import FitOptions, check_estimators, uncloned, unseeded_parameters
from ._measure import measure, score_splits
from ._pool import as_they_finish, run_chunks, with_progress
from ._reuse import OpenStore, facts_of, key_of
from ._scoring import Metric, Scoring, resolve_scoring
from ._splits import HeldSplits, Split, Splits, plan_splits
from ._store import FitStore, StoredFit, store_remedy
from ._target import undefined_metrics
from ._workers import (
    ThreadWatch,
    Workers,
    as_it_travels,
    end_with_parent,
    find_workers,
    limited_blas,
)

__all__ = [
    "ContentReader",
    "FitOptions",
    "FitRecord",
    "FitStore",
    "HeldSplits",
    "Metric",
    "OpenStore",
    "Scoring",
    "Split",
    "Splits",
    "StoredFit",
    "ThreadWatch",
    "UnknownContentError",
    "Workers",
    "Workload",
    "as_it_travels",
    "as_they_finish",
    "check_estimators",
    "end_with_parent",
    "facts_of",
    "find_workers",
    "fit_pairs",
    "key_of",
    "limited_blas",
    "measure",
    "plan_splits",
    "resolve_scoring",
    "run_chunks",
    "score_fitted",
    "score_splits",
    "store_remedy",
    "uncloned",
    "undefined_metrics",
    "unseeded_parameters",
    "with_progress",
]
