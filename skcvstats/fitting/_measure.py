"""Compute the CVScores of each metric from estimators, data and a splitter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from .._utils._warn import carrying
from ..exceptions import FitError, SplitDesignError
from ..scores import CVScores, Note, SplitDesign, as_notes, check_splits, union, warn_of
from ..stats import Procedure
from ._execution import FitRecord, Workload
from ._failures import report_failures, stop_at_first
from ._gather import by_plan, gather
from ._inputs import (
    auxiliary_splitter,
    check_aligned,
    check_data,
    check_random_state_is_used,
    check_target,
    resolve_cv,
    sized_request,
)
from ._kept import kept_fits
from ._key import contents_of
from ._mapped import mapped_files, while_unchanged
from ._options import FitOptions, is_raise
from ._pool import run_fits
from ._progress import with_progress
from ._routing import Routed, route
from ._row_loss import PerRowLoss, resolve_loss
from ._scoring import (
    Scoring,
    check_names,
    default_scoring,
    describe,
    metrics_of,
    resolve_scoring,
    unknown_labels,
)
from ._splits import PlannedSplits, join_splits, plan_splits
from ._target import Undefined, check_no_missing, find_undefined, refuse
from ._threads import ThreadWatch
from ._workers import find_workers

# A failure that was left out: the estimator (None: all), the metric (None: all), and the cause.
Lost = tuple[str | None, str | None, str]


@dataclass(frozen=True)
class Measured:
    """The scores that were measured."""

    scores: dict[str, CVScores]
    auxiliary: dict[str, CVScores]
    said: tuple[Note, ...] = ()
    lost: tuple[Lost, ...] = ()


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
    known: Iterable[Note] = (),
) -> Measured:
    """Score every estimator on all splits that a procedure needs, in one call."""
    options.check_inference()
    request = sized_request(test, cv, n_splits, test_size)
    if test.needs_losses and scoring is not None:
        raise ValueError(
            f"method={test.name!r} uses the loss of each test row, so it cannot use "
            f"scoring={scoring!r}. Leave scoring out. The loss is zero-one for classifiers and "
            "squared error for regressors; loss= chooses another."
        )
    loss = resolve_loss(loss, estimators, needed=test.needs_losses)
    if scoring is None and loss is None:
        scoring = default_scoring(estimators)
    check_target(estimators, y, scoring)
    check_aligned(X, y, groups)
    X, y, groups = check_data(X, y, groups)
    resolve = _Resolver(estimators, scoring, loss, options)
    scoring, lost = resolve.for_target(y)
    given, cv = cv, resolve_cv(cv, y, estimators, request, random_state)

    def auxiliary(design: SplitDesign) -> Any:
        asked = test.auxiliary_request(design)
        if given is not None and asked is None:
            check_random_state_is_used(random_state, cv)
        return auxiliary_splitter(asked, random_state)

    def foretell(designs: Sequence[SplitDesign], notes: Iterable[Note]) -> tuple[Note, ...]:
        of_splits = [design.notes for design in designs]
        told = union(*of_splits, notes, as_notes(test.notes(*designs), "notes"), known)
        warn_of(told)
        return told

    measured = measure(
        estimators,
        X,
        y,
        groups=groups,
        scoring=scoring,
        cv=cv,
        options=options,
        require=test.require,
        auxiliary=auxiliary,
        judge=resolve.for_splits,
        foretell=foretell,
        stop=not options.drops and not is_raise(options.error_score),
    )
    return replace(measured, lost=(*lost, *measured.lost))


@dataclass(frozen=True)
class _Resolver:
    """The metrics of an inference: refused or left out if the target does not allow them."""

    estimators: Mapping[str, Any]
    scoring: Any
    loss: PerRowLoss | None
    options: FitOptions

    def _resolve(self, scoring: Any) -> Scoring:
        resolved = resolve_scoring(
            self.estimators,
            scoring,
            error_score=self.options.error_score,
            loss=self.loss,
            may_be_mute=self.options.drops,
        )
        given = describe(self.loss if self.scoring is None else self.scoring)
        return replace(resolved, description=given)

    def _goes_on(self, left: Mapping[str, Any]) -> bool:
        return self.options.drops and bool(left or self.loss is not None)

    def for_target(self, y: Any) -> tuple[Scoring, tuple[Lost, ...]]:
        """Return the metrics that can be computed for this target, and the others."""
        if self.scoring is not None:
            check_names(self.scoring)
        metrics = metrics_of(self.scoring)
        check_no_missing(y, metrics)
        unknown = unknown_labels(metrics, y)
        if not unknown:
            return self._resolve(self.scoring), ()
        left = {name: metric for name, metric in metrics.items() if name not in unknown}
        if not self._goes_on(left):
            drop = " on_error='drop' continues without it." if left else ""
            fact, remedy = next(iter(unknown.values()))
            raise ValueError(f"{fact}. {remedy}{drop}")
        lost = ((None, name, fact) for name, (fact, _) in unknown.items())
        return self._resolve(left or None), tuple(lost)

    def for_splits(self, undefined: Sequence[Undefined], scoring: Scoring) -> Scoring:
        """Return the metrics that can be computed on these test sets."""
        named = {lacking.metric for lacking in undefined if lacking.named}
        if not named:
            return scoring
        left = {name: metric for name, metric in scoring.given.items() if name not in named}
        if not self._goes_on(left):
            refuse(undefined, several=bool(left) or self.loss is not None)
        return self._resolve(left or None)


def _as_it_is(undefined: Sequence[Undefined], scoring: Scoring) -> Scoring:
    return scoring


def _without_a_word(designs: Sequence[SplitDesign], notes: Iterable[Note]) -> tuple[Note, ...]:
    return ()


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
    judge: Callable[[Sequence[Undefined], Scoring], Scoring] = _as_it_is,
    foretell: Callable[[Sequence[SplitDesign], Iterable[Note]], tuple[Note, ...]] = _without_a_word,
    stop: bool = False,
    may_overlap: bool = False,
    splits: Any = None,
) -> Measured:
    """Fit and score every estimator on every split."""
    models = tuple(estimators.values())
    routed = route(models, cv, scoring.scorer, groups=groups, params=options.params)
    plans = [plan_splits(cv, X, y, routed.split, may_overlap=may_overlap)]
    require(plans[0].design())
    chosen = None if splits is None else check_splits(splits, len(plans[0].splits))
    plans += _auxiliary_plans(auxiliary(plans[0].design()), X, y, routed.split, plans[0])
    undefined = find_undefined(scoring.given, y, plans)
    kept = judge(undefined, scoring)
    if kept is not scoring:
        routed = route(models, cv, kept.scorer, groups=groups, params=options.params)
    lost = tuple(
        (None, lacking.metric, lacking.fact)
        for lacking in undefined
        if lacking.metric not in kept.given
    )
    undefined = tuple(lacking for lacking in undefined if lacking.metric in kept.given)
    said = foretell([plan.design() for plan in plans], [lacking.note for lacking in undefined])
    work = _workload(estimators, kept, routed, options)
    records, notes = _fit(X, y, groups, work, plans, options, stop, chosen)
    contents = {} if chosen is None else contents_of(work, X, y, groups)
    measured = [
        gather(part, work, plan, undefined, notes, contents)
        for plan, part in zip(plans, by_plan(records, plans), strict=True)
    ]
    scores, further = measured[0], measured[1] if len(measured) > 1 else {}
    with carrying(scores=scores, auxiliary=further):
        report_failures(records, work, X, len(plans[0].splits))
    return Measured(scores, further, said, lost)


def _auxiliary_plans(
    splitter: Any, X: Any, y: Any, split_params: Mapping[str, Any], plan: PlannedSplits
) -> list[PlannedSplits]:
    """Draw the auxiliary splits, if there are any."""
    if splitter is None:
        return []
    kept = split_params if plan.facts["unit"] == "groups" else {}
    try:
        return [plan_splits(splitter, X, y, kept)]
    except SplitDesignError as error:
        raise SplitDesignError(
            f"The auxiliary splits that the method asks for cannot be drawn: {error}"
        ) from error


def _workload(
    estimators: Mapping[str, Any], scoring: Scoring, routed: Routed, options: FitOptions
) -> Workload:
    return Workload(
        names=tuple(estimators),
        estimators=tuple(estimators.values()),
        scoring=scoring,
        fit_params=routed.fit,
        score_params=routed.score,
        error_score=options.error_score,
    )


def _fit(
    X: Any,
    y: Any,
    groups: Any,
    work: Workload,
    plans: Sequence[PlannedSplits],
    options: FitOptions,
    stop: bool,
    chosen: Sequence[int] | None,
) -> tuple[list[FitRecord], tuple[Note, ...]]:
    """Return the records of all fits in the order of estimators and splits, and notes on them."""
    splits = join_splits([plan.splits for plan in plans])
    watch = ThreadWatch()
    numbers = range(len(splits)) if chosen is None else chosen
    pairs = [(k, e) for k in numbers for e in range(len(work.names))]
    total = len(pairs)
    check = stop_at_first(work, X, total) if stop else None
    params = (value for given in (*work.fit_params, work.score_params) for value in given.values())
    with kept_fits(options.store, work, X, y, groups, splits, options.verbose) as kept:
        fits = run_fits(
            work,
            X,
            y,
            splits,
            workers=find_workers(options.n_jobs),
            pre_dispatch=options.pre_dispatch,
            watch=watch,
            pairs=pairs,
            find=None if kept is None else kept.find,
        )
        fits = while_unchanged(fits, mapped_files((X, y, *params)))
        if kept is not None:
            fits = kept.through(fits)
        try:
            records = _collect(fits, work.names, total, options.verbose, watch, check)
        except BaseException as error:
            if kept is not None:
                error.add_note(kept.note)
            raise
        return records, () if kept is None else kept.notes


def _collect(
    fits: Generator[FitRecord, None, None],
    names: Sequence[str],
    total: int,
    verbose: int,
    watch: ThreadWatch,
    check: Callable[[FitRecord], None] | None = None,
) -> list[FitRecord]:
    """Return the records in the order of estimators and splits; an interrupt says how many."""
    records: list[FitRecord] = []
    try:
        with closing(fits):
            for record in with_progress(fits, total, verbose=verbose):
                records.append(record)
                if check is not None:
                    check(record)
    except (KeyboardInterrupt, FitError) as interrupt:
        done = Counter(names[record.estimator] for record in records)
        each = ", ".join(f"{name} {done[name]}" for name in names)
        interrupt.add_note(
            f"skcvstats: {len(records)} of {total} fits were finished ({each}){watch.note}"
        )
        raise
    return sorted(records, key=attrgetter("estimator", "split"))
