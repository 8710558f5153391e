"""Compute the CVScores of each metric from estimators, data and a splitter."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from .._utils._checks import is_integer, listed, n_rows, one_line, random_states
from .._utils._estimators import check_estimators
from .._utils._warn import carrying
from ..exceptions import FitError, SplitDesignError
from ..scores import CVScores, Note, SplitDesign, as_notes, check_splits, union, warn_of
from ..splitters import (
    check_aligned,
    check_data,
    generator_from,
    make_splitter,
    to_splitter,
    too_few_for,
)
from ..stats import METHODS, Procedure, concerning
from ._execution import FitRecord, Workload
from ._gather import RowTable, by_plan, gather, report_failures, stop_at_first
from ._hints import hints
from ._inputs import FitOptions, check_target
from ._pool import run_fits, with_progress
from ._reuse import contents_of, kept_fits
from ._row_metrics import (
    check_classes_of_folds,
    check_row_metrics,
    lacking_classes,
    unsuited_metrics,
    weights_for,
)
from ._row_scores import RowScorer
from ._scoring import Metric, Scoring, check_names, default_scoring, describe, metrics_of
from ._splits import JoinedSplits, PlannedSplits, Splits, plan_splits
from ._target import Undefined, check_no_missing, find_undefined, refuse
from ._workers import ThreadWatch, find_workers

T = TypeVar("T")
# A failure that was left out: the estimator (None: all), the metric (None: all), and the cause.
Lost = tuple[str | None, str | None, str]


@dataclass(frozen=True)
class Measured:
    """The scores that were measured."""

    scores: dict[str, CVScores]
    auxiliary: dict[str, CVScores]
    said: tuple[Note, ...] = ()
    lost: tuple[Lost, ...] = ()
    exception: Exception | None = None

    def only(self) -> CVScores:
        """Return the scores in the only metric, or say that there are several."""
        if len(self.scores) > 1:
            raise ValueError(
                f"scoring gave several metrics: {listed(self.scores)}. Pass one, and call once for "
                "each."
            )
        return next(iter(self.scores.values()))

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Give a FitError about missing scores the exception of the first fit that failed."""
        try:
            yield
        except FitError as error:
            raise error from self.exception


class Against(NamedTuple):
    """Why a procedure that was preferred is not used: the metrics that decided, and the others."""

    of_metrics: Mapping[str, str]
    of_splits: Mapping[str, str]


@dataclass(frozen=True)
class Prepared:
    """What is fitted on which splits, all of which suits the procedure; nothing is fitted yet."""

    procedure: Procedure
    call: Call
    scoring: Scoring
    plans: Sequence[PlannedSplits]
    undefined: tuple[Undefined, ...]
    said: tuple[Note, ...]
    lost: tuple[Lost, ...]
    against: Against

    def measure(self, known: Iterable[Note] = ()) -> Measured:
        """Score every estimator on all splits, in one call; first warn, also of what is known."""
        said, stop = union(self.said, known), not self.call.options.drops
        warn_of(said)
        with warnings.catch_warnings():
            if any(note.code == "numbers as classes" for note in said):  # which says it once
                warnings.filterwarnings("ignore", "The number of unique classes is greater")
            measured = self.call.measure(self.scoring, self.plans, self.undefined, stop=stop)
        return replace(measured, said=said, lost=self.lost)


def prepare(
    procedure: Procedure,
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    groups: Any,
    scoring: Any,
    cv: Any,
    random_state: Any,
    options: FitOptions,
    preferred: Procedure | None = None,
) -> Prepared:
    """Check everything, and draw the splits of a procedure, or of `preferred` if that is suitable.

    It is preferred for means over rows only.
    """
    if scoring is None:
        scoring = default_scoring(estimators, of_rows=procedure.needs_rows)
    if options.reseed:
        random_state = _as_integer(random_state)
    elif cv is None:
        generator_from(random_state)  # raises an error for what is none
    check_target(estimators, y, scoring)
    check_aligned(X, y, groups)
    X, y, groups = check_data(X, y, groups)
    classifier = all(map(is_classifier, estimators.values()))
    whole = (options.params or {}).get("groups") if groups is None and is_routing() else groups
    draw = partial(
        make_splitter, data=(X, y, whole), random_state=random_state, classifier=classifier
    )
    seed = random_state if options.reseed else None

    def draft(procedure: Procedure, splitter: Any = None) -> _Draft:
        resolver = _Resolver(estimators, scoring, options, of_rows=procedure.needs_rows)
        resolved, lost = resolver.for_target(y)
        if cv is None:
            splitter = draw(procedure.request)
        elif splitter is None:
            splitter = to_splitter(cv, y, classifier=classifier)
        of_states = len(estimators) > 1 and not (options.reseed or procedure.fixed)
        call = Call(estimators, X, y, groups, splitter, options, seed, of_states)
        return _Draft(procedure, resolver, resolved, lost, call, call.route(resolved), cv is None)

    chosen, against = draft(procedure), Against({}, {})
    if preferred is not None:
        chosen, plan, against = _choose(preferred, chosen, draft)
    else:
        if procedure.needs_rows:
            check_row_metrics(procedure, chosen.scoring, chosen.call, drawn=cv is None)
        plan = chosen.plan()
    procedure, resolve, resolved, lost, call, routed, _ = chosen
    plan = plan.noting_shared_rows(X, y)
    plans = [plan.noting(hints(procedure, estimators, X, y, plan.facts))]
    design = plans[0].design()
    if procedure is not preferred:  # which was asked
        _require(procedure, design, requested=cv is None)
        weights = [weights_for(resolved.given[name], routed.score) for name in resolved.rows]
        for given in [{}, *({"sample_weight": each} for each in weights if each is not None)]:
            known: dict[str, Any] = {
                "groups": routed.split.get("groups"),
                "tests": plans[0].tests(),
            }
            if reason := procedure.unsuitable(**known, n_rows=n_rows(X), **given):
                raise SplitDesignError(reason)
    asked = procedure.auxiliary_request(design)
    if cv is not None and asked is None and not options.reseed:
        _check_random_state_is_used(random_state, call.cv)
    if asked is not None:
        try:
            further = routed.split if design.unit == "groups" else {}
            plans.append(plan_splits(draw(asked), X, y, further))
        except SplitDesignError as error:
            raise SplitDesignError(
                f"The auxiliary splits that the method asks for cannot be drawn: {error}"
            ) from error
    if procedure is not preferred:  # which was asked
        check_classes_of_folds(resolved.rows, y, plans)
    undefined = find_undefined(resolved.needing_more_than_rows, y, plans)
    kept = resolve.for_splits(undefined, resolved, y)
    left_out = [each for each in undefined if each.metric not in kept.given]
    undefined = tuple(each for each in undefined if each.metric in kept.given)
    designs = [plan.design() for plan in plans]
    said = union(
        *(concerning(procedure, each.notes) for each in designs),
        [each.note for each in undefined],
        as_notes(procedure.notes(*designs), "notes"),
    )
    lost = (*lost, *((None, each.metric, each.fact) for each in left_out))
    return Prepared(procedure, call, kept, plans, undefined, said, lost, against)


class _Draft(NamedTuple):
    """A call as it would be by one procedure, without its splits."""

    procedure: Procedure
    resolver: _Resolver
    scoring: Scoring
    lost: tuple[Lost, ...]
    call: Call
    routed: _Routed
    is_drawn: bool  # whether the splits are those that the procedure asks for

    def plan(self) -> PlannedSplits:
        """Draw the splits."""
        with warnings.catch_warnings():
            if self.is_drawn:  # such folds are fine
                warnings.filterwarnings("ignore", "The least populated class in y")
            return plan_splits(self.call.cv, self.call.X, self.call.y, self.routed.split)

    def against(
        self, procedure: Procedure, plan: PlannedSplits | None, of_metrics: Mapping[str, str]
    ) -> Against:
        """Return what speaks against a procedure on these splits, or before its own are drawn."""
        X, y, groups = self.call.X, self.call.y, self.routed.split.get("groups")
        left = {name: one for name, one in self.scoring.given.items() if name not in of_metrics}
        if not left:
            return Against(of_metrics, {})
        known: dict[str, Any] = {"n_rows": n_rows(X), "groups": groups}
        few = too_few_for(procedure.request, X, groups) if plan is None else None
        if plan is not None:
            known |= {"design": plan.design(), "tests": list(plan.tests())}
        weights = {name: weights_for(one, self.routed.score) for name, one in left.items()}
        reasons = {
            key: few or procedure.unsuitable(**known, sample_weight=each)
            for key, each in {id(each): each for each in weights.values()}.items()
        }
        of_splits = {name: why for name in left if (why := reasons[id(weights[name])])}
        rows = {name: RowScorer.of(one) for name, one in left.items() if name not in of_splits}
        lacking = lacking_classes(rows, y, [] if plan is None else [plan], groups)
        return Against({**of_metrics, **lacking}, of_splits)


def _choose(
    preferred: Procedure, other: _Draft, draft: Callable[..., _Draft]
) -> tuple[_Draft, PlannedSplits, Against]:
    """Return the call by the preferred procedure where it is suitable, else by the other."""
    metrics = unsuited_metrics(preferred, metrics_of(other.resolver.scoring))
    plan = None if other.is_drawn else other.plan()
    against = other.against(preferred, plan, metrics)
    if any(against):
        return other, plan or other.plan(), against
    chosen = draft(preferred, other.call.cv)
    if plan is None:
        plan = chosen.plan()
        against = chosen.against(preferred, plan, {})
        if any(against):  # by chance
            return other, other.plan(), against
    return chosen, plan, against


def score_splits(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    groups: Any,
    scoring: Any,
    cv: Any,
    options: FitOptions,
    splits: Any = None,
) -> CVScores:
    """Score an estimator, or several by name, on splits of any kind in one metric."""
    estimators = check_estimators(estimator, at_least=1)
    several = isinstance(estimator, Mapping)
    if groups is not None and is_routing():
        raise ValueError(
            "`groups` can only be passed if metadata routing is not enabled via "
            "`sklearn.set_config(enable_metadata_routing=True)`. When routing is enabled, pass "
            "`groups` alongside other metadata via the `params` argument instead."
        )
    if scoring is not None:
        Metric(scoring).check()
    if several and scoring is None:
        scoring = default_scoring(estimators)
    check_target(estimators, y, scoring)
    X, y, groups = check_data(X, y, groups)
    if isinstance(scoring, str):
        Metric(scoring).check_responses(estimators)
    first = next(iter(estimators.values()))
    resolved = Scoring.as_sklearn(first, scoring)
    splitter = to_splitter(cv, y, classifier=all(map(is_classifier, estimators.values())))
    call = Call(estimators, X, y, groups, splitter, options)
    plan = plan_splits(splitter, X, y, call.route(resolved).split, may_overlap=True)
    plan = plan.noting_shared_rows(X, y)
    chosen = None if splits is None else check_splits(splits, len(plan.splits))
    undefined = find_undefined(resolved.given, y, [plan])
    scores = call.measure(resolved, [plan], undefined, chosen=chosen).only()
    return scores if several else scores.row(0)


def _require(procedure: Procedure, design: SplitDesign, *, requested: bool) -> None:
    """Raise SplitDesignError unless the splits suit the procedure; it may have requested them."""
    try:
        procedure.require(design)
    except SplitDesignError as error:
        # Ours say what to do about the data; the advice of others may be what has just been done.
        if not requested or type(procedure) is METHODS.get(procedure.name):
            raise
        said = str(error).partition(". ")[0].rstrip(".")
        raise SplitDesignError(
            f"{said}. But these are the splits that {type(procedure).__name__} itself asks for "
            "without cv=: correct its `request` or its `require`, or pass cv=."
        ) from error


def _as_integer(random_state: Any) -> int:
    """Return an integer for any random_state, so that all that is drawn can be drawn again."""
    stream = generator_from(random_state)
    return int(random_state if is_integer(random_state) else stream.randint(2**32, dtype=np.uint32))


def _check_random_state_is_used(random_state: Any, cv: Any) -> None:
    """Raise ValueError if a seed is given with a splitter and would have no effect."""
    own = getattr(cv, "random_state", None)
    same = random_state is own or (is_integer(random_state) and random_state in (0, own))
    if random_state is None or same:
        return
    seed = random_state if is_integer(random_state) else "..."
    shuffled = "shuffle=True, " if hasattr(cv, "shuffle") else ""
    remedy = f"Seed the splitter itself, cv={type(cv).__name__}(..., {shuffled}random_state={seed})"
    if not hasattr(cv, "random_state"):
        remedy = "Leave random_state out"
    raise ValueError(
        f"random_state={random_state!r} seeds only the splits that are drawn here, and with "
        f"{one_line(cv)} none are drawn. {remedy}."
    )


@dataclass(frozen=True)
class _Resolver:
    """The metrics of an inference: refused or left out if the target does not allow them."""

    estimators: Mapping[str, Any]
    scoring: Any
    options: FitOptions
    of_rows: bool

    def _resolve(self, scoring: Any, y: Any) -> Scoring:
        resolved = Scoring.of(
            self.estimators,
            scoring,
            y,
            error_score=self.options.error_score,
            of_rows=self.of_rows,
            may_be_mute=self.options.drops,
        )
        return replace(resolved, description=describe(self.scoring))

    def for_target(self, y: Any) -> tuple[Scoring, tuple[Lost, ...]]:
        """Return the metrics that can be computed for this target, and the others."""
        check_names(self.scoring)
        metrics = metrics_of(self.scoring)
        check_no_missing(y, metrics)
        complaints = {name: Metric(metric).complaint(y) for name, metric in metrics.items()}
        unknown = {name: complaint for name, complaint in complaints.items() if complaint}
        left = {name: metric for name, metric in metrics.items() if name not in unknown}
        if unknown and not (self.options.drops and left):
            drop = " on_error='drop' continues without it." if left else ""
            fact, remedy = next(iter(unknown.values()))
            raise ValueError(f"{fact}. {remedy}{drop}")
        lost = ((None, name, fact) for name, (fact, _) in unknown.items())
        return self._resolve(left if unknown else self.scoring, y), tuple(lost)

    def for_splits(self, undefined: Sequence[Undefined], scoring: Scoring, y: Any) -> Scoring:
        """Return the metrics that can be computed on these test sets."""
        named = {lacking.metric for lacking in undefined if lacking.named}
        left = {name: metric for name, metric in scoring.given.items() if name not in named}
        if named and not (self.options.drops and left):
            refuse(undefined, several=bool(left))
        return self._resolve(left, y) if named else scoring


class _Routed(NamedTuple):
    """The parameters for each consumer."""

    fit: tuple[Mapping[str, Any], ...]
    score: Mapping[str, Any]
    split: Mapping[str, Any]


@dataclass(frozen=True)
class Call:
    """The estimators, the data and the splitter of a call, checked."""

    estimators: Mapping[str, Any]
    X: Any
    y: Any
    groups: Any
    cv: Any
    options: FitOptions
    seed: int | None = None
    of_states: bool = False

    def route(self, scoring: Scoring) -> _Routed:
        """Decide who gets which `params`.

        Without metadata routing, every ``fit`` gets all of `params`, and the splitter gets
        `groups`, as in scikit-learn. With ``enable_metadata_routing`` each consumer gets what it
        has requested, and scikit-learn raises for what no consumer requested.
        """
        params = dict(self.options.params or {})
        if not is_routing():
            return _Routed((params,) * len(self.estimators), {}, {"groups": self.groups})
        if self.groups is not None:
            if "groups" in params:
                raise ValueError("groups is given twice: as groups= and in params. Give it once.")
            params["groups"] = self.groups
        router = MetadataRouter(owner="skcvstats")
        models = {f"estimator_{k}": model for k, model in enumerate(self.estimators.values())}
        router.add(**models, method_mapping=_on("fit"))
        router.add(splitter=self.cv, method_mapping=_on("split"))
        router.add(scorer=scoring.scorer, method_mapping=_on("score"))
        routed = process_routing(router, "fit", **params)
        of_fits = tuple(routed[name].fit for name in models)
        return _Routed(of_fits, routed.scorer.score, routed.splitter.split)

    def measure(
        self,
        scoring: Scoring,
        plans: Sequence[PlannedSplits],
        undefined: Sequence[Undefined] = (),
        *,
        stop: bool = False,
        chosen: Sequence[int] | None = None,
    ) -> Measured:
        """Fit and score every estimator on every split, or on those that were chosen."""
        X, y, groups, options = self.X, self.y, self.groups, self.options
        routed = self.route(scoring)
        work = Workload(
            names=tuple(self.estimators),
            estimators=tuple(self.estimators.values()),
            scoring=scoring,
            fit_params=routed.fit,
            score_params=routed.score,
            error_score=options.error_score,
            seed=self.seed,
            of_states=self.of_states,
        )
        splits, *auxiliary = (plan.splits for plan in plans)
        if auxiliary:
            splits = JoinedSplits(splits, auxiliary[0], len(splits))
        numbers = range(len(splits)) if chosen is None else chosen
        pairs = [(k, e) for k in numbers for e in range(len(work.names))]
        tables = [RowTable(plan.tests(), work) for plan in plans if scoring.rows]
        collector = _Collector(work, X, len(pairs), stop, tables)
        records, notes = _fit_rounds((X, y, groups), splits, [pairs], collector, options)
        notes = (*_of_seeds(work, records, len(plans[0].splits)), *notes)
        contents = {} if chosen is None else contents_of(work, X, y, groups)
        of_rows = [table.row_scores(scoring, routed) for table in tables]
        found = [
            gather(part, work, plan, undefined, notes, contents, row_scores)
            for plan, part, row_scores in zip_longest(plans, by_plan(records, plans), of_rows)
        ]
        scores, further = found[0], found[1] if len(found) > 1 else {}
        n_splits = len(plans[0].splits)
        exception = collector.exception(n_splits)
        with carrying(scores=scores, auxiliary=further):
            report_failures(records, work, X, n_splits, exception)
        return Measured(scores, further, exception=exception)


def _of_seeds(work: Workload, records: Sequence[FitRecord], n_splits: int) -> Iterator[Note]:
    """Yield a note if fits have random states of their own, or if their fixed ones may matter."""
    unseen = "one split shows nothing of the luck of seeds, so it is not in the variance"
    first = [record for record in records if work.tries_states(record.split, record.estimator)]
    depend = [work.names[record.estimator] for record in first if record.depends]
    untried = [each.estimator for each in first if each.depends is None and not each.error]
    said = []
    if depend:
        which = {1: "this state", 2: "these two states"}.get(len(depend), "two of these states")
        said.append(
            f"predictions of {listed(depend)} depend on random_state: the difference may be that "
            f"of {which}"
        )
    if untried:
        states = {
            str(state) for e in untried for state in random_states(work.estimators[e]).values()
        }
        state = f"={states.pop()}" if len(states) == 1 else ""
        said.append(
            f"random_state{state} of {listed([work.names[e] for e in untried])} was not varied, as "
            "a fit takes more than 10 ms: the difference may be that of seeds"
        )
    if said:
        remedy = "reseed=True puts the luck of seeds into the variance"
        said.append(remedy if n_splits > 1 else unseen)
        yield Note("fixed seeds", "; ".join(said), None)
    if work.seed is None:
        return
    names = [name for name, m in zip(work.names, work.estimators, strict=True) if random_states(m)]
    what = "any luck of seeds is in the variance, like that of rows" if n_splits > 1 else unseen
    text = f"fresh seeds in every fit of {listed(names)}, from random_state={work.seed}: {what}"
    if not names:
        text = "no estimator has a parameter random_state, so reseed=True changed nothing"
    yield Note("fresh seeds", text, None)


def _fit_rounds(
    data: tuple[Any, Any, Any],
    splits: Splits,
    rounds: Iterable[Sequence[tuple[int, int]]],
    collector: _Collector,
    options: FitOptions,
) -> tuple[list[FitRecord], tuple[Note, ...]]:
    """Fit the pairs of each round, and return the records and what to know of stored ones."""
    work, (X, y, groups) = collector.work, data
    params = (value for given in (*work.fit_params, work.score_params) for value in given.values())
    files = mapped_files((X, y, *params))
    with kept_fits(options.store, work, X, y, groups, splits, options.verbose) as kept:

        def fits() -> Generator[FitRecord, None, None]:
            for pairs in rounds:
                found = run_fits(
                    work,
                    X,
                    y,
                    splits,
                    workers=find_workers(options.n_jobs),
                    pre_dispatch=options.pre_dispatch,
                    watch=collector.watch,
                    pairs=pairs,
                    find=None if kept is None else kept.find,
                )
                found = while_unchanged(found, files)
                yield from found if kept is None else kept.through(found)

        try:
            records = collector.collect(fits(), options.verbose)
        except BaseException as error:
            if kept is not None:
                error.add_note(kept.store.note)
            raise
        return records, () if kept is None else kept.notes


def fit_in_rounds(
    work: Workload,
    data: tuple[Any, Any, Any],
    splits: Splits,
    plan: Callable[[Sequence[FitRecord]], Iterable[Sequence[tuple[int, int]]]],
    options: FitOptions,
) -> list[FitRecord]:
    """Fit (split, estimator) pairs in rounds, each planned from all records before it."""
    collector = _Collector(work, data[0], len(work.names) * len(splits), stop=False)
    rounds = plan(collector.records)
    records, _ = _fit_rounds(data, splits, rounds, collector, options)
    report_failures(records, work, data[0], len(splits), collector.exception(len(splits)))
    return records


def is_routing(config: Mapping[str, Any] | None = None) -> bool:
    """Whether metadata routing is enabled, also in a scikit-learn that has no setting for it."""
    config = get_config() if config is None else config
    return bool(config.get("enable_metadata_routing", True))


def _on(callee: str) -> MethodMapping:
    return MethodMapping().add(caller="fit", callee=callee)


@dataclass(frozen=True)
class _Collector:
    """Collects the records of a call, and what failed."""

    work: Workload
    X: Any
    total: int
    stop: bool
    tables: Sequence[RowTable] = ()
    watch: ThreadWatch = field(default_factory=ThreadWatch)
    failed: dict[int, FitRecord] = field(default_factory=dict)
    records: list[FitRecord] = field(default_factory=list)

    def collect(self, fits: Generator[FitRecord, None, None], verbose: int) -> list[FitRecord]:
        """Return the records in the order of estimators and splits; an interrupt says how many."""
        records, names = self.records, self.work.names
        try:
            with closing(fits):
                for record in with_progress(fits, self.total, verbose=verbose):
                    split = record.split
                    for table in self.tables:
                        if 0 <= split < len(table):
                            table.add(record, split)
                        split -= len(table)
                    records.append(record._replace(exception=None, row_scores={}))
                    first = self.failed.get(record.estimator, record)
                    if record.exception is not None and record.split <= first.split:
                        self.failed[record.estimator] = record  # the estimator's first failure
                    if self.stop:
                        stop_at_first(record, self.work, self.X, self.total)
        except (KeyboardInterrupt, FitError) as interrupt:
            done = Counter(names[record.estimator] for record in records)
            each = ", ".join(f"{name} {done[name]}" for name in names)
            interrupt.add_note(
                f"skcvstats: {len(records)} of {self.total} fits were finished "
                f"({each}){self.watch.note}"
            )
            raise
        return sorted(records, key=attrgetter("estimator", "split"))

    def exception(self, n_splits: int) -> Exception | None:
        """Return the exception of the first failure: those on auxiliary splits come last."""
        first = sorted(self.failed.values(), key=lambda r: (r.split >= n_splits, r.estimator))
        return first[0].exception if first else None


FileState = tuple[int, int, int]  # inode, size and time, of which one changes with the file


def mapped_files(data: Iterable[Any]) -> dict[str, FileState]:
    """Return the files from which arrays are mapped, and their state."""
    maps = [array for value in data for array in _maps_of(value)]
    for array in maps:
        array.flush()  # else an earlier write might look like a change later
    paths = [os.fspath(array.filename) for array in maps if array.filename is not None]
    return {path: _state(path) for path in paths}


def while_unchanged(
    records: Generator[T, None, None], files: dict[str, FileState]
) -> Generator[T, None, None]:
    """Yield what is computed from files, until one of them changes."""
    with closing(records):
        try:
            for record in records:
                _check(files)
                yield record
        except FitError:  # for example of a worker that died because of the change
            _check(files)
            raise


def _maps_of(value: Any) -> list[np.memmap]:
    if not isinstance(value, np.ndarray):
        parts = [getattr(value, name, None) for name in ("data", "indices", "indptr")]
        return [array for part in parts if isinstance(part, np.ndarray) for array in _maps_of(part)]
    while value is not None and not (isinstance(value, np.memmap) and value.filename is not None):
        value = getattr(value, "base", None)
    return [] if value is None else [value]


def _state(path: str) -> FileState:
    try:
        found = os.stat(path)
    except FileNotFoundError:  # a removed file stays readable for processes that have mapped it
        return -1, -1, -1
    return found.st_ino, found.st_size, found.st_mtime_ns


def _check(files: dict[str, FileState]) -> None:
    changed = [path for path, state in files.items() if _state(path) != state]
    if changed:
        raise FitError(
            f"The data are mapped from {changed[0]}, which was changed or removed while the fits "
            "ran, so the scores would be of different data. Run it again on a file that nobody "
            "writes to, or load the data into memory, such as by np.array(X)."
        )
