"""Plan the fits: inputs checked, metadata routed once, splits drawn and walked once."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import comb
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import GroupKFold
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from .._utils._arrays import check_path, one_output
from .._utils._checks import (
    brief,
    check_estimators,
    check_flag,
    check_n_jobs,
    check_option,
    check_verbose,
    is_finite,
    is_integer,
    listed,
    n_rows,
    one_line,
)
from .._utils._text import counted, cut
from ..exceptions import AnticonservativeWarning, FitError, SplitDesignError
from ..scores import FEW_DISTINCT, DesignRequest, Note, SplitDesign, as_notes, check_splits, union
from ..splitters import (
    RepeatedGroupKFold,
    check_aligned,
    check_data,
    encode_labels,
    generator_from,
    make_splitter,
    to_splitter,
    too_few_for,
)
from ..stats import METHODS, Procedure
from ._fit import Workload
from ._metrics import (
    AREA,
    Metric,
    check_no_missing,
    default_scoring,
    is_routing,
    read_metrics,
    resolve_metrics,
    scorer_of,
)
from ._splits import (
    ClassesWatch,
    PlannedSplits,
    Undefined,
    UndefinedWatch,
    lacking_reasons,
    plan_splits,
    refuse,
)

ON_ERROR = ("raise", "drop")
_PRE_DISPATCH = re.compile(r" *(all|[1-9]\d*|([1-9]\d* *\* *)?n_jobs|n_jobs *\* *[1-9]\d*) *")
_FEWEST_TESTED = {"rows": 10, "groups": 3}
_OF_DATES = ("DatetimeIndex", "PeriodIndex")
# With more distinct numbers, and more than a tenth of the rows, a target is hardly one of classes.
_MOST_CLASSES = 20
# Metrics of which a function of a mean over rows is the usual relative.
_OF_SQUARES = ("r2", "neg_root_mean_squared_error")
_OTHER = "method='corrected_resampled_t'"
# A failure that was left out: the estimator (None: all), the metric (None: all), and the cause.
Lost = tuple[str | None, str | None, str]


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """How to fit, checked once."""

    params: Mapping[str, Any] | None
    n_jobs: int | None
    verbose: int
    on_error: str = "raise"
    store: Any = None
    pre_dispatch: int | str = "2*n_jobs"
    error_score: Any = np.nan
    reseed: bool = False

    def __post_init__(self) -> None:
        if self.params is not None and not isinstance(self.params, Mapping):
            raise TypeError(
                f"params is a {type(self.params).__name__}; pass a dict from names to values, such "
                "as {'sample_weight': weights}."
            )
        check_n_jobs(self.n_jobs)
        check_verbose(self.verbose)
        if not _PRE_DISPATCH.fullmatch(str(self.pre_dispatch)):
            raise ValueError(
                f"pre_dispatch={self.pre_dispatch!r} must be an integer of at least 1, 'all', or a "
                "multiple of the jobs such as '2*n_jobs'."
            )
        score = self.error_score
        known = isinstance(score, float | np.floating) or (
            isinstance(score, str) and score == "raise"
        )
        if not known and not is_finite(score):
            raise ValueError(f"error_score={brief(score)} must be 'raise' or a number.")
        if self.store is not None:
            check_path("store", self.store)
        check_option("on_error", self.on_error, ON_ERROR)
        check_flag("reseed", self.reseed)

    def uncloned(self, estimators: Mapping[str, Any]) -> dict[str, str]:
        """Return the estimators that cannot be cloned, with the cause, or raise FitError."""
        failed: dict[str, Exception] = {}
        for name, estimator in estimators.items():
            try:
                clone(estimator)
            except Exception as error:
                failed[name] = error
        if not failed or self.on_error == "drop":
            return {name: f"it cannot be cloned: {_one_line(why)}" for name, why in failed.items()}
        name, first = next(iter(failed.items()))
        several = len(estimators) > 2
        drop = f", or pass on_error='drop', which leaves {listed(failed)} out" if several else ""
        raise FitError(
            f"{listed(failed)} cannot be cloned, so no split could be fitted: {_one_line(first)}. "
            f"Let __init__ of {name!r} store its arguments as they are{drop}."
        ) from first


class Against(NamedTuple):
    """Why a procedure that was preferred is not used: the metrics that decided, and the others."""

    of_metrics: Mapping[str, str]
    of_splits: Mapping[str, str]


_NOTHING_AGAINST = Against({}, {})


@dataclass(frozen=True, kw_only=True)
class FitPlan:
    """All that the fits and their scores need; nothing is fitted yet."""

    work: Workload
    X: Any
    y: Any
    groups: Any
    scoring: Any  # as it was given
    split_params: Mapping[str, Any]
    weights: Mapping[str, Any]  # of rows, for each metric that has some
    parts: Sequence[PlannedSplits]  # the main splits, then auxiliary ones
    options: FitOptions
    undefined: Sequence[Undefined]
    notes: tuple[Note, ...] = ()  # to warn of before the first fit
    lost: tuple[Lost, ...] = ()
    stops: bool = False  # where the first fit of an estimator fails
    chosen: Sequence[int] | None = None  # the numbers of the splits to fit on, if not all
    procedure: Any = None
    against: Against = _NOTHING_AGAINST


class _Routed(NamedTuple):
    """The parameters for each consumer, and the weights of rows for each metric that has some."""

    fit: tuple[Mapping[str, Any], ...]
    score: Mapping[str, Any]
    split: Mapping[str, Any]
    weights: Mapping[str, Any]


class _Inputs(NamedTuple):
    """What the user gave, checked and read."""

    estimators: Mapping[str, Any]
    X: Any
    y: Any
    groups: Any
    scoring: Any
    read: Sequence[Metric]  # all metrics
    metrics: Sequence[Metric]  # those that the target allows
    lost: tuple[Lost, ...]  # the others
    splitter: Any  # None if the splits are those that a procedure asks for
    routed: _Routed
    random_state: Any
    draw: Callable[..., Any]  # makes the splitter that is asked for


class _Walk(NamedTuple):
    """Splits that were drawn, and what was watched for meanwhile, where there is a need."""

    plan: PlannedSplits
    undefined: UndefinedWatch | None
    classes: ClassesWatch | None


def plan_fits(
    asked: Procedure,
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
) -> FitPlan:
    """Check everything, and draw the splits of a procedure, or of a suitable `preferred` one."""
    given = {"groups": groups, "scoring": scoring, "cv": cv, "random_state": random_state}
    inputs = _read_inputs(asked, estimators, X, y, **given, options=options)
    X, y, routed, metrics = inputs.X, inputs.y, inputs.routed, inputs.metrics
    chosen, against, walked = asked, _NOTHING_AGAINST, None
    if preferred is not None:
        walked = None if cv is None else _walk(inputs, asked, preferred)
        against = _against(preferred, inputs, walked)
        if walked is None and not any(against):
            walked = _walk(inputs, asked, preferred)
            against = _against(preferred, inputs, walked)
        chosen = asked if any(against) else preferred
        walked = None if any(against) and cv is None else walked
    elif asked.needs_rows:
        for metric in metrics:
            plain = routed.split.get("groups") is None and metric.name not in routed.weights
            how = {"cv": inputs.splitter, "draw": inputs.draw}
            check_row_metric(asked, metric, y if plain else None, **how)
    plan, watch, classes = walked or _walk(inputs, asked, chosen)
    noted = union(plan.facts["notes"], hints(chosen, estimators, X, y, plan.facts))
    plan = replace(plan, facts={**plan.facts, "notes": noted})
    design = plan.design()
    if chosen is asked:
        _require(asked, design, requested=cv is None)
        weighed = [it.name for it in metrics if it.row_function and it.name in routed.weights]
        weights = [{"sample_weight": routed.weights[name]} for name in weighed if asked.needs_rows]
        for each in [{}, *weights]:
            known = {"groups": routed.split.get("groups"), "tests": plan.tests(), **each}
            if reason := asked.unsuitable(**known, n_rows=n_rows(X)):
                raise SplitDesignError(reason)
    parts, undefined = [plan], [] if watch is None else watch.found()
    request = chosen.auxiliary_request(design)
    if request is not None:
        further, found = _plan_auxiliary(inputs, request, design, undefined, classes)
        parts, undefined = [plan, further], [*undefined, *found]
    elif cv is not None and not options.reseed:
        _check_random_state_is_used(random_state, inputs.splitter)
    if chosen is asked and asked.needs_rows and classes is not None:
        classes.check()
    # Means over rows are defined on any test set.
    means = [it.name for it in metrics if chosen.needs_rows and it.row_function and not it.is_area]
    undefined = [lacking for lacking in undefined if lacking.metric not in means]
    refused = {lacking.metric for lacking in undefined if lacking.named}
    kept, drops = [it for it in metrics if it.name not in refused], options.on_error == "drop"
    if refused and not (drops and kept):
        refuse(undefined, several=bool(kept))
    if refused:
        routed = _route(estimators, kept, inputs.splitter, inputs.groups, options)
    left = [lacking for lacking in undefined if lacking.metric not in refused]
    lost = [(None, each.metric, each.fact) for each in undefined if each.metric in refused]
    designs = [design, *(part.design() for part in parts[1:])]
    noted = chosen.notes(*designs)
    work = Workload.of(
        estimators,
        kept,
        of_rows=chosen.needs_rows,
        error_score=options.error_score,
        may_be_mute=drops,
        fit_params=routed.fit,
        score_params=routed.score,
        seed=inputs.random_state if options.reseed else None,
        of_states=len(estimators) > 1 and not (options.reseed or chosen.fixed),
    )
    return FitPlan(
        work=work,
        X=X,
        y=y,
        groups=inputs.groups,
        scoring=inputs.scoring,
        split_params=routed.split,
        weights=routed.weights,
        parts=parts,
        options=options,
        undefined=left,
        notes=union(
            (note for each in designs for note in each.notes if note not in chosen._excused),
            [lacking.note for lacking in left],
            noted if chosen._is_own else as_notes(noted, "notes"),
        ),
        lost=(*inputs.lost, *lost),
        stops=not drops,
        procedure=chosen,
        against=against,
    )


def _read_inputs(
    asked: Procedure,
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    groups: Any,
    scoring: Any,
    cv: Any,
    random_state: Any,
    options: FitOptions,
) -> _Inputs:
    """Check the data, read the metrics, and route the metadata, once."""
    drops = options.on_error == "drop"
    if scoring is None:
        scoring = default_scoring(estimators, of_rows=asked.needs_rows)
    if options.reseed:
        stream, is_seed = generator_from(random_state), is_integer(random_state)
        random_state = int(random_state if is_seed else stream.randint(2**32, dtype=np.uint32))
    elif cv is None and not (is_integer(random_state) and 0 <= random_state < 2**32):
        generator_from(random_state)  # raises an error for what is none
    check_target(estimators, y, scoring)
    check_aligned(X, y, groups)
    X, y, groups = check_data(X, y, groups)
    read = read_metrics(scoring)
    check_no_missing(y, read)
    unknown = {}
    for metric in read:
        if metric.needs == "positive" and (said := metric.complaint(y)):
            unknown[metric.name] = said
    metrics = [metric for metric in read if metric.name not in unknown]
    if unknown and not (drops and metrics):
        fact, remedy = next(iter(unknown.values()))
        drop = " on_error='drop' continues without it." if metrics else ""
        raise ValueError(f"{fact}. {remedy}{drop}")
    metrics = resolve_metrics(metrics, estimators, y, may_be_mute=drops)
    of_classes = all(map(is_classifier, estimators.values()))
    splitter = None if cv is None else to_splitter(cv, y, classifier=of_classes)
    routed = _route(estimators, metrics, splitter, groups, options)
    data = X, y, routed.split.get("groups")
    draw = partial(make_splitter, random_state=random_state, data=data, classifier=of_classes)
    lost = tuple((None, name, fact) for name, (fact, _) in unknown.items())
    about = scoring, read, metrics, lost, splitter, routed, random_state, draw
    return _Inputs(estimators, X, y, groups, *about)


def _walk(inputs: _Inputs, asked: Procedure, by: Procedure) -> _Walk:
    """Draw the splits that one procedure works on, and walk them once."""
    metrics, y = inputs.metrics, inputs.y
    serving = [it for it in metrics if it.is_of_classes or (it.is_area and asked.needs_rows)]
    of_rows = serving and by.needs_rows
    classes = ClassesWatch(serving, y, only_folds=not asked.needs_rows) if of_rows else None
    undefined = UndefinedWatch(metrics, y) if any(it.needs for it in metrics) else None
    watches: list[Any] = [watch for watch in (undefined, classes) if watch is not None]
    splitter = inputs.draw(by.request) if inputs.splitter is None else inputs.splitter
    with warnings.catch_warnings():
        if inputs.splitter is None:  # such folds are fine
            warnings.filterwarnings("ignore", "The least populated class in y")
        about = inputs.X, y, inputs.routed.split
        plan = plan_splits(splitter, *about, shares=True, watches=watches)
    return _Walk(plan, undefined, classes)


def _plan_auxiliary(
    inputs: _Inputs,
    request: DesignRequest,
    design: SplitDesign,
    known: Sequence[Undefined],
    classes: ClassesWatch | None,
) -> tuple[PlannedSplits, list[Undefined]]:
    """Draw the auxiliary splits; return the metrics, too, that are not defined on these only."""
    bad = {lacking.metric for lacking in known}
    left = (metric for metric in inputs.metrics if metric.name not in bad)
    watch = UndefinedWatch(left, inputs.y, "auxiliary ")
    watches: list[Any] = [watch] if classes is None else [watch, classes]
    params = inputs.routed.split if design.unit == "groups" else {}
    try:
        about = inputs.draw(request), inputs.X, inputs.y, params
        return plan_splits(*about, watches=watches), watch.found()
    except SplitDesignError as error:
        raise SplitDesignError(
            f"The auxiliary splits that the method asks for cannot be drawn: {error}"
        ) from error


def plan_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    groups: Any,
    scoring: Any,
    cv: Any,
    options: FitOptions,
    splits: Any = None,
) -> FitPlan:
    """Plan scikit-learn's `cross_val_score` of an estimator, or of several by name."""
    estimators = check_estimators(estimator, at_least=1)
    if groups is not None and is_routing():
        raise ValueError(
            "`groups` can only be passed if metadata routing is not enabled via "
            "`sklearn.set_config(enable_metadata_routing=True)`. When routing is enabled, pass "
            "`groups` alongside other metadata via the `params` argument instead."
        )
    if isinstance(estimator, Mapping) and scoring is None:
        scoring = default_scoring(estimators)
    first = next(iter(estimators.values()))
    metrics = read_metrics(scoring, first)
    check_target(estimators, y, scoring)
    X, y, groups = check_data(X, y, groups)
    if isinstance(scoring, str) and (mute := metrics[0].mute(estimators)):
        metrics[0].refuse(mute, estimators)
    work = Workload.of(estimators, metrics, error_score=options.error_score, may_fail=True)
    splitter = to_splitter(cv, y, classifier=all(map(is_classifier, estimators.values())))
    routed = _route(estimators, metrics, splitter, groups, options)
    watch = UndefinedWatch(metrics, y)
    how: Any = {"may_overlap": True, "shares": True, "watches": [watch]}
    plan = plan_splits(splitter, X, y, routed.split, **how)
    return FitPlan(
        work=replace(work, fit_params=routed.fit, score_params=routed.score),
        X=X,
        y=y,
        groups=groups,
        scoring=scoring,
        split_params=routed.split,
        weights=routed.weights,
        parts=[plan],
        options=options,
        undefined=watch.found(),
        chosen=None if splits is None else check_splits(splits, len(plan.splits)),
    )


def _route(
    estimators: Mapping[str, Any],
    metrics: Sequence[Metric],
    splitter: Any,
    groups: Any,
    options: FitOptions,
) -> _Routed:
    """Decide who gets which `params`, as scikit-learn does with metadata routing and without it."""
    params = dict(options.params or {})
    if not is_routing():
        return _Routed((params,) * len(estimators), {}, {"groups": groups}, {})
    if groups is not None:
        if "groups" in params:
            raise ValueError("groups is given twice: as groups= and in params. Give it once.")
        params["groups"] = groups

    def on(callee: str) -> MethodMapping:
        return MethodMapping().add(caller="fit", callee=callee)

    router = MetadataRouter(owner="skcvstats")
    models = {f"estimator_{k}": model for k, model in enumerate(estimators.values())}
    router.add(**models, method_mapping=on("fit"))
    router.add(splitter=splitter or GroupKFold(), method_mapping=on("split"))
    router.add(scorer=scorer_of(metrics, estimators), method_mapping=on("score"))
    routed = process_routing(router, "fit", **params)
    of_fits = tuple(routed[name].fit for name in models)
    found = {metric.name: metric.weights(routed.scorer.score) for metric in metrics}
    weights = {name: it for name, it in found.items() if it is not None}
    return _Routed(of_fits, routed.scorer.score, routed.splitter.split, weights)


def _against(procedure: Procedure, inputs: _Inputs, walked: _Walk | None) -> Against:
    """Return what speaks against a procedure of means over rows on splits, or before its own."""
    X, y, routed = inputs.X, inputs.y, inputs.routed
    of_metrics: dict[str, str] = {}
    for metric in inputs.read:
        kind = "none" if metric.is_area else metric.of_rows
        why = procedure.unsuitable(cut(metric.name), of_rows=kind)
        if why is not None:
            why += ", neg_mean_squared_error is" if metric.given in _OF_SQUARES else ""
            why += "; pass scikit-learn's own metric, if it has it" if kind is None else ""
            of_metrics[metric.name] = why
    left = [metric for metric in inputs.metrics if metric.name not in of_metrics]
    if not left:
        return Against(of_metrics, {})
    groups = routed.split.get("groups")
    few = too_few_for(procedure.request, X, groups) if walked is None else None
    design = None if walked is None else walked.plan.design()
    reasons: dict[int, str | None] = {}
    for metric in left:
        weights = routed.weights.get(metric.name)
        if id(weights) not in reasons:
            tests = None if walked is None else walked.plan.tests()
            known: Any = {"design": design, "tests": tests, "sample_weight": weights}
            reason = few or procedure.unsuitable(n_rows=n_rows(X), groups=groups, **known)
            reasons[id(weights)] = reason
    of_left = {metric.name: reasons[id(routed.weights.get(metric.name))] for metric in left}
    of_splits = {name: why for name, why in of_left.items() if why}
    serving = [it for it in left if it.name not in of_splits and it.is_of_classes]
    if serving and walked is not None and walked.classes is not None:
        names = [metric.name for metric in serving]
        lacking = walked.classes.lacking()
        of_metrics |= {name: why for name, why in lacking.items() if name in names}
    elif serving and (labels := one_output(y)) is not None:
        # Of a class in a single row or group that much is known before the folds are drawn.
        classes, codes = np.unique(labels, return_inverse=True)
        units = np.arange(len(codes)) if groups is None else encode_labels("groups", groups)
        lone = np.bincount(np.unique(np.stack([codes, units]), axis=1)[0]) == 1
        where = "in each repeat a training set lacks a class"
        of_metrics |= lacking_reasons(serving, where, classes[lone] if lone.any() else None)
    return Against(of_metrics, of_splits)


def check_row_metric(
    procedure: Procedure, metric: Metric, y: Any, *, cv: Any = None, draw: Any = None
) -> None:
    """Raise ValueError for a metric that does not serve, and say which arguments to change."""
    given, labels = metric.given, one_output(y)
    shown = f"scoring={repr(given) if isinstance(given, str) else metric.describe()}"
    why = procedure.unsuitable(shown, of_rows=metric.of_rows)
    change = None
    if why is None:
        is_two = labels is not None and len(np.unique(labels)) == 2
        if not metric.row_function or not metric.is_area or is_two:
            return
        why = f"{shown} has scores of rows only for two classes, without groups and weights"
        if given == AREA and labels is not None:  # itself for two classes
            change = "scoring='roc_auc_ovr', "
    other = _OTHER if draw is None else _other_test(procedure, cv, draw)
    said = (
        f"The {procedure.title} works on scores of rows, and {why}. Repeat the call with "
        f"{change or ''}{other}"
    )
    if given in _OF_SQUARES:
        said += ", or with scoring='neg_mean_squared_error'"
    raise ValueError(f"{said}.")


def _other_test(procedure: Procedure, cv: Any, draw: Any) -> str:
    """Return the arguments that run a test of splits, on the same ones where there are several."""
    if procedure.request.n_splits == 1:  # one split does for no other test
        return _OTHER if cv is None else f"{_OTHER} and without cv="
    if cv is not None:
        return _OTHER
    cv = draw(procedure.request)
    seed = cv.random_state
    cv.random_state = seed if is_integer(seed) else 0
    shown, unused = one_line(cv), seed is not None and not is_integer(seed)
    if isinstance(cv, RepeatedGroupKFold):  # which users do not have
        unused = seed is not None
        shown = (
            f"[pair for rng in [np.random.RandomState({cv.random_state})] for _ in "
            f"range({cv.n_repeats}) for pair in GroupKFold({cv.n_splits}, shuffle=True, "
            "random_state=rng).split(X, y, groups)]"
        )
    return f"{'random_state=None, ' if unused else ''}cv={shown}, {_OTHER}"


def check_metric_on(
    procedure: Procedure, plan: PlannedSplits, metric: Metric, y: Any, plain: bool
) -> None:
    """Raise an error for a metric that the procedure cannot use, or a test set does not define."""
    watches: list[Any] = []
    if procedure.needs_rows:
        check_row_metric(procedure, metric, y if plain else None)
        watches.append(ClassesWatch([metric] if metric.is_area else [], y, only_folds=False))
    if not metric.row_function or metric.is_area:
        watches.append(UndefinedWatch([metric], y))
    for split in plan.splits.take(range(len(plan.splits))) if watches else ():
        for watch in watches:
            watch.add(split.train, split.test)
    for watch in watches:
        watch.check() if isinstance(watch, ClassesWatch) else refuse(watch.found(), several=False)


def undefined_metrics(
    metrics: Sequence[Metric], cv: Any, X: Any, y: Any, groups: Any
) -> dict[str, Undefined]:
    """Return the metrics that are not defined on some test sets of a splitter, if it is seeded."""
    if any(metric.given is None for metric in metrics):
        return {}
    watch = UndefinedWatch(metrics, y)
    params = {} if groups is None else {"groups": groups}
    is_unseeded = plan_splits(cv, X, y, params, watches=[watch]).unseeded
    return {} if is_unseeded else {undefined.metric: undefined for undefined in watch.found()}


def check_target(estimators: Mapping[str, Any], y: Any, scoring: Any) -> None:
    """Raise ValueError if estimators need a target and there is none."""
    metrics = scoring.values() if isinstance(scoring, Mapping) else [scoring]
    if y is not None or any(map(callable, metrics)):
        return
    learning = [  # of a pipeline no tag says that it does
        name
        for name, model in estimators.items()
        if hasattr(model, "__sklearn_tags__")
        and (is_classifier(model) or is_regressor(model) or get_tags(model).target_tags.required)
    ]
    if learning:
        raise ValueError(
            f"y is None, but a target is needed by {listed(learning)}; pass y, one entry for each "
            "row of X."
        )


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


def hints(
    procedure: Procedure, estimators: Mapping[str, Any], X: Any, y: Any, facts: Mapping[str, Any]
) -> Iterator[Note]:
    """Yield a note with a remedy for each, given the facts of the splits."""
    unit, smallest = facts.get("unit", "rows"), min(facts["n_test"])
    in_order = any(note.code == "time order" for note in facts.get("notes", ()))
    if type(getattr(X, "index", None)).__name__ in _OF_DATES and unit == "rows" and not in_order:
        text = (
            "X has an index of dates, and models are trained on rows from after their test rows: "
            "if rows near in time are alike, scores are too high. Pass groups, such as the week of "
            "each row. In time order, cv=TimeSeriesSplit(), scores are those of forecasts, but no "
            "test here is valid for them"
        )
        yield Note("dates", text, None)
    of_one_row = smallest == 1 and unit == "rows"  # which has a note of its own
    if smallest < _FEWEST_TESTED[unit] and not procedure.needs_rows and not of_one_row:
        text = (
            f"test sets of {counted(smallest, unit[:-1])}: scores of so few are far from normal, "
            f"which the test assumes; test on at least {_FEWEST_TESTED[unit]} {unit}, by fewer "
            "folds or a larger test_size"
        )
        yield Note("small test sets", text, None)
    n_splits, most = len(facts["n_test"]), comb(facts["n_samples"], smallest)
    is_known = any(note.code == FEW_DISTINCT for note in facts.get("notes", ()))
    if facts["levels"] == ("split",) and 1 < most < n_splits and not (is_known or of_one_row):
        text = (
            f"there are only {most} test sets of {counted(smallest, unit[:-1])}, which random "
            f"splits repeat: the test counts {n_splits - 1} degrees of freedom for {most - 1}, and "
            "rejects true null hypotheses too often"
        )
        yield Note(FEW_DISTINCT, text, AnticonservativeWarning)
    labels = one_output(y)
    if labels is None or labels.dtype.kind not in "iuf":
        return
    names = [name for name, estimator in estimators.items() if is_classifier(estimator)]
    n_values = len(np.unique(labels))
    if not names or n_values <= max(_MOST_CLASSES, len(labels) / 10):
        return
    text = (
        f"the target has {n_values} different numbers in {counted(len(labels), 'row')}, and to a "
        f"classifier, as {names[0]} is, each is a class: compare regressors if it is a quantity"
    )
    if (labels % 1 != 0).any():  # scikit-learn's classifiers would refuse it, in the first fit
        raise ValueError(f"{text[0].upper()}{text[1:]}, or make classes of it with pandas.cut.")
    yield Note("numbers as classes", text, None)


def _one_line(error: Exception) -> str:
    """Return the message of an exception in one line, without a full stop."""
    said = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
