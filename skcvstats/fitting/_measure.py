"""Estimators, data and a splitter to the CVScores of each metric."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from operator import attrgetter
from typing import Any

import numpy as np
import sklearn
from sklearn.exceptions import FitFailedWarning

from .._utils import one_line, warn_user
from ..exceptions import FitError, SplitDesignError
from ..scores import CVScores, Note, RowLosses, SplitDesign, warn_of
from ..stats import Procedure
from ._execution import FitRecord, Workload
from ._fast_paths import why_no_fast_paths
from ._inputs import (
    auxiliary_splitter,
    check_aligned,
    check_data,
    check_random_state_is_used,
    check_target,
    resolve_cv,
    sized_request,
    unseeded_parameters,
)
from ._options import FitOptions, is_raise
from ._pool import run_fits
from ._progress import with_progress
from ._routing import route
from ._row_loss import resolve_loss
from ._scoring import Scoring, default_scoring, hint_for, resolve_scoring
from ._splits import PlannedSplits, join_splits, plan_splits
from ._threads import ThreadWatch
from ._workers import find_workers

_CAUSE_END = 400


@dataclass(frozen=True)
class Measured:
    """What was measured.

    Parameters
    ----------
    scores : dict of str to CVScores
        By metric, of shape (n_estimators, n_splits). With a loss, one of them is minus its means
        and carries the losses.
    auxiliary : dict of str to CVScores
        The same on the auxiliary splits of a procedure that has them, else empty.
    """

    scores: dict[str, CVScores]
    auxiliary: dict[str, CVScores]

    @property
    def said(self) -> tuple[Note, ...]:
        """What `measure_for_inference` has warned of before the fits: the notes on the splits."""
        return next(iter(self.scores.values())).design.notes


def measure_for_inference(
    test: Procedure,
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    groups: Any,
    scoring: Any,
    loss: Any,
    cv: Any,
    random_state: Any,
    options: FitOptions,
    n_splits: int | None = None,
    test_size: float | None = None,
) -> Measured:
    """Score every estimator on all splits that a procedure needs, in one call.

    Parameters
    ----------
    test : Procedure
        Says which splits it wants where `cv` is None, and refuses those that cannot serve it.
    estimators : mapping of str to estimator
        By name.
    X, y, groups, scoring, loss, cv, random_state
        As in `compare_estimators`.
    options : FitOptions
        How to fit.
    n_splits, test_size : int, float or None, default=None
        Sizes of the procedure's own splits.

    Warns
    -----
    SplitDesignWarning, AnticonservativeWarning
        For each note on the splits, before the first fit.
    """
    options.check_inference()
    request = sized_request(test, cv, n_splits, test_size)
    if test.needs_losses and scoring is not None:
        raise ValueError(
            f"method={test.name!r} works on the loss of each test row, so scoring={scoring!r} has "
            "no place in it. Leave scoring out; loss= chooses another loss than zero-one for "
            "classifiers and squared error for regressors."
        )
    loss = resolve_loss(loss, estimators, needed=test.needs_losses)
    if scoring is None and loss is None:
        scoring = default_scoring(estimators)
    check_target(estimators, y, scoring)
    check_aligned(X, y, groups)
    X, y, groups = check_data(X, y, groups)
    given, cv = cv, resolve_cv(cv, y, estimators, request, random_state)

    def auxiliary(design: SplitDesign) -> Any:
        asked = test.auxiliary_request(design)
        if given is not None and asked is None:
            check_random_state_is_used(random_state, cv)
        return auxiliary_splitter(asked, random_state)

    return measure(
        estimators,
        X,
        y,
        groups=groups,
        scoring=resolve_scoring(estimators, scoring, error_score=options.error_score, loss=loss),
        cv=cv,
        options=options,
        require=test.require,
        auxiliary=auxiliary,
        foretell=lambda design: warn_of(design.notes),
    )


def measure(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    groups: Any,
    scoring: Scoring,
    cv: Any,
    options: FitOptions,
    require: Callable[[SplitDesign], None] = lambda design: None,
    auxiliary: Callable[[SplitDesign], Any] = lambda design: None,
    foretell: Callable[[SplitDesign], None] = lambda design: None,
) -> Measured:
    """Fit and score every estimator on every split.

    Parameters
    ----------
    estimators : mapping of str to estimator
        By name; they are cloned, never fitted.
    X, y, groups : indexable
        Data of equal length.
    scoring : Scoring
        What to measure.
    cv : splitter
        What draws the splits.
    options : FitOptions
        How to fit.
    require : callable, default=lambda design: None
        Raises for a design that cannot serve, before anything is fitted.
    auxiliary : callable, default=lambda design: None
        Returns what draws the auxiliary splits that go with a design, or None.
    foretell : callable, default=lambda design: None
        Warns of what is known of a design, once all splits are drawn, before anything is fitted.

    Raises
    ------
    FitError
        If every fit failed.
    """
    models = tuple(estimators.values())
    routed = route(models, cv, scoring.scorer, groups=groups, params=options.params)
    plans = [plan_splits(cv, X, y, routed.split)]
    require(plans[0].design())
    splitter = auxiliary(plans[0].design())
    if splitter is not None:
        kept = routed.split if plans[0].facts["unit"] == "groups" else {}
        try:
            plans.append(plan_splits(splitter, X, y, kept))
        except SplitDesignError as error:
            raise SplitDesignError(
                f"The further splits that the method asks for cannot be drawn: {error}"
            ) from error
    foretell(plans[0].design())
    work = Workload(
        names=tuple(estimators),
        estimators=models,
        scoring=scoring,
        fit_params=routed.fit,
        score_params=routed.score,
        error_score=options.error_score,
    )
    splits = join_splits([plan.splits for plan in plans])
    watch = ThreadWatch()
    fits = run_fits(
        work,
        X,
        y,
        splits,
        workers=find_workers(options.n_jobs),
        pre_dispatch=options.pre_dispatch,
        fast_paths=options.fast_paths,
        watch=watch,
    )
    records = _collect(fits, work.names, len(models) * len(splits), options.verbose, watch)
    _report_failures(records, work, len(plans[0].splits))
    measured = [
        _gather(part, work, plan, options)
        for plan, part in zip(plans, _by_plan(records, plans), strict=True)
    ]
    return Measured(measured[0], measured[1] if splitter is not None else {})


def _by_plan(
    records: Sequence[FitRecord], plans: Sequence[PlannedSplits]
) -> Iterator[list[FitRecord]]:
    """Part the records of joined splits, the splits of each plan numbered from 0."""
    start = 0
    for plan in plans:
        stop = start + len(plan.splits)
        yield [
            record if start == 0 else record._replace(split=record.split - start)
            for record in records
            if start <= record.split < stop
        ]
        start = stop


def _collect(
    fits: Generator[FitRecord, None, None],
    names: Sequence[str],
    total: int,
    verbose: int,
    watch: ThreadWatch,
) -> list[FitRecord]:
    """Return the records in the order of estimators and splits; say how far an interrupt let it."""
    records: list[FitRecord] = []
    try:
        with closing(fits):
            for record in with_progress(fits, total, verbose=verbose):
                records.append(record)
    except (KeyboardInterrupt, FitError) as interrupt:
        done = Counter(names[record.estimator] for record in records)
        each = ", ".join(f"{name} {done[name]}" for name in names)
        interrupt.add_note(
            f"skcvstats: {len(records)} of {total} fits were finished ({each}){watch.note}"
        )
        raise
    return sorted(records, key=attrgetter("estimator", "split"))


def _report_failures(records: Sequence[FitRecord], work: Workload, n_splits: int) -> None:
    failed = [record for record in records if record.error is not None]
    if work.scoring.may_fail:
        failed = _warn_of_failed_scoring(failed, work, n_splits)
    if not failed:
        return
    details = _by_cause(failed, work, n_splits)
    count = f"{len(failed)} of {len(records)} fits or their scoring failed"
    if len(failed) == len(records) and not any(record.scores for record in failed):
        raise FitError(
            f"{count}. Use error_score='raise' for the whole traceback of the first.\n{details}"
        )
    warn_user(f"{count}; their scores are {work.error_score}.\n{details}", FitFailedWarning)


def _warn_of_failed_scoring(
    failed: Sequence[FitRecord], work: Workload, n_splits: int
) -> list[FitRecord]:
    """Warn of scores that failed, in scikit-learn's words; return the fits that failed."""
    scored = [record for record in failed if record.is_fitted]
    if scored:
        warn_user(
            "Scoring failed. The score on this train-test partition for these parameters will be "
            f"set to {work.error_score}. Details: \n{_by_cause(scored, work, n_splits)}",
            UserWarning,
        )
    return [record for record in failed if not record.is_fitted]


def _by_cause(failed: Sequence[FitRecord], work: Workload, n_splits: int) -> str:
    """List what failed, a line for each estimator and cause."""
    causes: dict[str, list[FitRecord]] = {}
    for record in failed:
        causes.setdefault(f"{work.names[record.estimator]!r}: {_cause(record)}", []).append(record)
    return "\n".join(
        f"  {cause} (splits {', '.join(_number(record.split, n_splits) for record in group)})"
        for cause, group in causes.items()
    )


def _number(split: int, n_splits: int) -> str:
    return str(split) if split < n_splits else f"auxiliary {split - n_splits}"


def _cause(record: FitRecord) -> str:
    error = " ".join(str(record.error).split())
    if len(error) > 3 * _CAUSE_END:  # arrays in the middle help nobody; the remedy is at the end
        error = f"{error[:_CAUSE_END]} [...] {error[-_CAUSE_END:]}"
    hint = hint_for(str(record.error))
    return f"{error.rstrip('.')}. {hint}" if hint else error


def _gather(
    records: Sequence[FitRecord], work: Workload, plan: PlannedSplits, options: FitOptions
) -> dict[str, CVScores]:
    """Arrange sorted records as one CVScores for each metric."""
    design = plan.design([record.digest for record in records[: len(plan.splits)]])
    shape = (len(work.names), design.n_splits)
    missing = np.nan if is_raise(work.error_score) else float(work.error_score)
    common: dict[str, Any] = {
        "design": design,
        "labels": work.names,
        "fit_times": np.reshape([record.fit_time for record in records], shape),
        "score_times": np.reshape([record.score_time for record in records], shape),
        "provenance": _provenance(records, work, options) | {"unseeded_splits": plan.unseeded},
    }
    found = {}
    measured = [name for record in records for name in record.scores]
    known = (*work.scoring.metrics, *measured)
    nameless = () if work.scoring.loss else (work.scoring.metric,)  # where all scoring failed
    for metric in dict.fromkeys(known or nameless):
        values = [record.scores.get(metric, missing) for record in records]
        failures = tuple(
            (record.estimator, record.split, _cause(record))
            for record in records
            if metric not in record.scores
        )
        found[metric] = CVScores(
            values=np.reshape(values, shape), metric=metric, failures=failures, **common
        )
    if work.scoring.loss is not None:
        losses = _row_losses(records, shape)
        failures = tuple(
            (record.estimator, record.split, _cause(record))
            for record in records
            if record.losses is None
        )
        found[work.scoring.loss] = CVScores(
            values=-losses.means(),
            metric=work.scoring.loss,
            losses=losses,
            failures=failures,
            **common,
        )
    return found


def _row_losses(records: Sequence[FitRecord], shape: tuple[int, int]) -> RowLosses:
    """Arrange the losses by split, nan where a fit failed."""
    n_estimators, n_splits = shape
    by_split = []
    for k in range(n_splits):
        parts = [records[e * n_splits + k] for e in range(n_estimators)]
        missing = np.full(len(parts[0].rows), np.nan)  # type: ignore[arg-type]
        by_split.append(np.stack([missing if r.losses is None else r.losses for r in parts]))
    return RowLosses.from_splits(by_split, [r.rows for r in records[:n_splits]])  # type: ignore[misc]


def _provenance(
    records: Sequence[FitRecord], work: Workload, options: FitOptions
) -> dict[str, Any]:
    fast = Counter(work.names[record.estimator] for record in records if record.is_fast)
    unused = why_no_fast_paths() if options.fast_paths else None
    return {
        "scoring": work.scoring.description,
        "estimators": {
            name: _represented(model)
            for name, model in zip(work.names, work.estimators, strict=True)
        },
        "unseeded": {
            name: unseeded
            for name, model in zip(work.names, work.estimators, strict=True)
            if (unseeded := unseeded_parameters(model))
        },
        "fast_paths": dict(fast),
        **({} if unused is None else {"fast_paths_unused": unused}),
        "versions": dict(_versions()),
    }


@cache
def _versions() -> dict[str, str]:
    # Kept, as reading a package's metadata takes milliseconds.
    return {
        "python": platform.python_version(),
        "skcvstats": version("skcvstats"),
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "scipy": version("scipy"),
    }


def _represented(estimator: Any) -> str:
    try:
        return one_line(estimator)
    except Exception:  # one with a scorer of a partial for a parameter, in scikit-learn 1.6.0
        return type(estimator).__name__
