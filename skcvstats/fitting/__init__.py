"""Turn estimators and splits into scores; models are fitted only here."""

from ._beforehand import unknown_labels
from ._content import ContentReader, UnknownContentError
from ._execution import FitRecord, Workload, fit_pairs, score_fitted
from ._gather import versions as versions
from ._inputs import FitOptions, check_estimators, uncloned, unseeded_parameters
from ._measure import measure, score_splits
from ._pool import as_they_finish, run_chunks, with_progress
from ._responses import check_responses
from ._responses import stated_responses as stated_responses
from ._reuse import OpenStore, facts_of, key_of
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
from ._store import FitStore, StoredFit, store_remedy
from ._undefined import RULES as RULES
from ._undefined import Undefined, find_undefined
from ._undefined import needed_classes as needed_classes
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
    "OpenStore",
    "PerRowLoss",
    "Scoring",
    "Split",
    "Splits",
    "StoredFit",
    "ThreadWatch",
    "Undefined",
    "UnknownContentError",
    "Workers",
    "Workload",
    "as_it_travels",
    "as_they_finish",
    "check_estimators",
    "check_names",
    "check_responses",
    "default_scoring",
    "describe",
    "end_with_parent",
    "facts_of",
    "find_undefined",
    "find_workers",
    "fit_pairs",
    "key_of",
    "limited_blas",
    "measure",
    "metric_name",
    "metrics_of",
    "plan_splits",
    "resolve_loss",
    "resolve_scoring",
    "run_chunks",
    "score_fitted",
    "score_name",
    "score_splits",
    "store_remedy",
    "uncloned",
    "unknown_labels",
    "unseeded_parameters",
    "with_progress",
]
