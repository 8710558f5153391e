"""Turn estimators and splits into scores; models are fitted only here."""

from ._beforehand import cause_of, refuse_uncloned, why_not_cloned
from ._execution import FitRecord, Workload, fit_pairs, score_fitted
from ._gather import versions as versions
from ._inputs import (
    auxiliary_splitter,
    check_data,
    check_estimator,
    check_estimators,
    check_target,
    make_splitter,
    to_splitter,
    unseeded_parameters,
)
from ._measure import Measured, measure, measure_for_inference
from ._options import FitOptions, check_n_jobs, check_verbose
from ._pool import as_they_finish, run_fits
from ._processes import as_it_travels, end_with_parent, limited_blas
from ._progress import with_progress
from ._routing import is_routing
from ._row_loss import PerRowLoss, resolve_loss
from ._scoring import (
    Metric,
    Scoring,
    check_names,
    check_responses,
    default_scoring,
    describe,
    resolve_scoring,
)
from ._splits import HeldSplits, Split, Splits, plan_splits
from ._store import FitStore, store_remedy
from ._target import undefined_metrics
from ._threads import ThreadWatch
from ._workers import Workers, find_workers

__all__ = [
    "FitOptions",
    "FitRecord",
    "FitStore",
    "HeldSplits",
    "Measured",
    "Metric",
    "PerRowLoss",
    "Scoring",
    "Split",
    "Splits",
    "ThreadWatch",
    "Workers",
    "Workload",
    "as_it_travels",
    "as_they_finish",
    "auxiliary_splitter",
    "cause_of",
    "check_data",
    "check_estimator",
    "check_estimators",
    "check_n_jobs",
    "check_names",
    "check_responses",
    "check_target",
    "check_verbose",
    "default_scoring",
    "describe",
    "end_with_parent",
    "find_workers",
    "fit_pairs",
    "is_routing",
    "limited_blas",
    "make_splitter",
    "measure",
    "measure_for_inference",
    "plan_splits",
    "refuse_uncloned",
    "resolve_loss",
    "resolve_scoring",
    "run_fits",
    "score_fitted",
    "store_remedy",
    "to_splitter",
    "undefined_metrics",
    "unseeded_parameters",
    "why_not_cloned",
    "with_progress",
]
