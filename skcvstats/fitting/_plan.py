"""Plan the fits: inputs checked, metadata routed once, splits drawn and walked once."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut, LeaveOneOut
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from .._utils._checks import is_integer, n_rows, one_line
from .._utils._metrics import shown_as
from .._utils._text import cut
from ..exceptions import SplitDesignError
from ..scores import STRATIFIED, DesignRequest, Note, SplitDesign, as_notes, union
from ..splitters import (
    check_data,
    check_splits,
    encode_labels,
    generator_from,
    make_splitter,
    to_splitter,
    too_few_for,
)
from ..stats import METHODS, DieboldMarianoTest, Procedure, is_own
from ._doubts import check_classes, check_refitted
from ._fit import FitOptions, Routed, Workload
from ._gather import FitPlan
from ._labels import LabelCounts, Undefined, check_rows, find_undefined, find_without_rows, refuse
from ._metrics import WITH_ROWS, Metric, check_target, read_metrics, resolve_metrics, scorer_of
from ._splits import PlannedSplits, plan_splits

# Of a metric and an estimator, where each without a row or group is a call.
_MOST_CALLS = 20_000
# Metrics of which a function of a mean over rows is the usual relative.
_OF_SQUARES = ("r2", "neg_root_mean_squared_error")
_OTHER = "method='corrected_resampled_t'"


class _Inputs(NamedTuple):
    """What the user gave, checked and read, before there are splits."""

    asked: Procedure
    estimators: Mapping[str, Any]
    X: Any
    y: Any
    groups: Any
    scoring: Any
    metrics: Sequence[Metric]  # those that the target allows
    lost: Mapping[str, str]  # why the others are not measured
    options: FitOptions
    random_state: Any
    routed: Routed
    splitter: Any  # None if the splits are those that a procedure asks for
    draw: Callable[..., Any]  # makes the splitter that is asked for


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
    preferred: Sequence[Procedure] = (),
    why_not_in_time: str = "",
) -> FitPlan:
    """Check all; draw the splits of a procedure or a suitable preferred one, the last in time."""
    # `why_not_in_time` is the error of a caller that does not accept splits in time order.
    check_refitted(estimators)
    if options.fresh_seeds:
        stream, is_seed = generator_from(random_state), is_integer(random_state)
        random_state = int(random_state if is_seed else stream.randint(2**32, dtype=np.uint32))
    elif cv is None and not (is_integer(random_state) and 0 <= random_state < 2**32):
        generator_from(random_state)  # raises an error for what is none
    X, y, groups = check_data(X, y, groups, in_order=True)
    if options.params:
        options.check_lengths(X)
    read = read_metrics(scoring, estimators, asked)
    check_target(y, read, estimators)
    unknown = {it.name: said for it in read if it.of_two and (said := it.complaint(y))}
    metrics = [metric for metric in read if metric.name not in unknown]
    drops = options.on_error == "drop"
    if unknown and not (drops and metrics):
        fact, remedy = next(iter(unknown.values()))
        drop = " on_error='drop' continues without it." if metrics else ""
        raise ValueError(f"{fact}. {remedy}{drop}")
    metrics = resolve_metrics(metrics, estimators, y, may_be_mute=drops)
    of_classes = all(map(is_classifier, estimators.values()))
    splitter = None if cv is None else to_splitter(cv, y, classifier=of_classes)
    routed = _route(estimators, metrics, splitter, groups, options)
    data = X, y, routed.split.get("groups")
    inputs = _Inputs(
        asked=asked,
        estimators=estimators,
        X=X,
        y=y,
        groups=groups,
        scoring=read[0].given if scoring is None else scoring,
        metrics=metrics,
        lost={name: fact for name, (fact, _) in unknown.items()},
        options=options,
        random_state=random_state,
        routed=routed,
        splitter=splitter,
        draw=partial(make_splitter, random_state=random_state, data=data, classifier=of_classes),
    )
    return _plan_on(inputs, *_choose(inputs, preferred, why_not_in_time))


def _choose(
    inputs: _Inputs, of_auto: Sequence[Procedure], why_not_in_time: str
) -> tuple[dict[str, Procedure], dict[str, str], list[PlannedSplits], list[Undefined]]:
    """Draw all splits, and take the procedure that is preferred for the metrics that it suits."""
    asked, X, y, routed = inputs.asked, inputs.X, inputs.y, inputs.routed
    groups = routed.split.get("groups")
    own = inputs.splitter is None
    preferred = next(iter(of_auto), None)
    drawn, few, plan, labels = _draw(inputs, preferred)
    # A single split may be of rows in any order, unless there are dates.
    dated = plan.design.n_splits > 1 or isinstance(plan.times(X), np.ndarray)
    if preferred is not None and plan.in_order and dated:
        preferred = of_auto[-1]
    chosen = preferred or asked
    if why_not_in_time and (chosen._in_order or plan.design.in_time_order):
        raise SplitDesignError(why_not_in_time)
    against = {}
    if few:
        against = {metric.name: few for metric in inputs.metrics}
    elif preferred is not None or asked._in_order:
        against = _against(chosen, inputs, plan, labels)
    undefined = [] if labels is None else find_undefined(labels)
    untested = dict[str, str]()
    if chosen._in_order:
        untested = against
        _check_untested(inputs, untested, plan.design)
        undefined += [Undefined(name, why.removesuffix(".")) for name, why in untested.items()]
        plan = replace(plan, row_times=plan.times(X))
    elif plan.design.in_time_order:
        _refuse_other_tests(inputs, plan, labels)
    procedures = {
        metric.name: asked if metric.name in against else chosen
        for metric in inputs.metrics
        if metric.name not in untested
    }
    if own:  # for classifiers they are stratified: only where they are not as usual is it said
        notes = tuple(note for note in plan.design.notes if note != STRATIFIED)
        design = SplitDesign._made(**vars(plan.design) | {"notes": notes})
        plan = replace(plan, design=design, request=drawn.request)
    check_classes(inputs.estimators, y, groups, plan.design.unit)
    if not chosen._in_order and any(procedure is asked for procedure in procedures.values()):
        for metric in inputs.metrics if asked.needs_rows else ():
            check_row_metric(asked, metric, inputs.splitter)
        in_time = preferred is not None and plan.in_order and plan.design.n_splits == 1
        # A test over time is named only where the caller and all metrics are for it.
        in_time = in_time and not why_not_in_time
        in_time = in_time and not _against(of_auto[-1], inputs, plan, labels)
        _require(asked, plan.design, requested=own and drawn is asked, in_time=in_time)
        weighed = [it for it in inputs.metrics if it.of_rows in WITH_ROWS and asked.needs_rows]
        weights = [routed.weights[it.name] for it in weighed if it.name in routed.weights]
        for each in (None, *weights):
            known: Any = {"groups": groups, "tests": plan.tests(), "sample_weight": each}
            if reason := asked.unsuitable(**known, n_rows=n_rows(X)):
                raise SplitDesignError(reason)
        if asked.needs_rows and labels is not None:
            check_rows(labels)
    request = next(iter(procedures.values())).auxiliary_request(plan.design)
    if request is not None:
        further, lacking = _plan_auxiliary(inputs, request, plan.design, undefined)
        return procedures, against, [plan, further], [*undefined, *lacking]
    if not own and not inputs.options.fresh_seeds:
        _check_random_state_is_used(inputs.random_state, inputs.splitter)
    return procedures, against, [plan], undefined


def _plan_on(
    inputs: _Inputs,
    procedures: Mapping[str, Procedure],
    against: Mapping[str, str],
    parts: Sequence[PlannedSplits],
    undefined: Sequence[Undefined],
) -> FitPlan:
    """Plan the fits on the splits that were drawn, without metrics that are not defined there."""
    options, routed, design = inputs.options, inputs.routed, parts[0].design
    groups = routed.split.get("groups")
    refused = {lacking.metric: lacking.fact for lacking in undefined if lacking.refused}
    metrics = [metric for metric in inputs.metrics if metric.name not in refused]
    if refused:
        if not metrics or options.on_error != "drop":
            refuse(undefined, several=bool(metrics), in_order=parts[0].in_order)
        routed = _route(inputs.estimators, metrics, inputs.splitter, inputs.groups, options)
        undefined = [lacking for lacking in undefined if lacking.metric not in refused]
    for metric in metrics:
        _refuse_too_often(metric, procedures[metric.name], design, routed)
    used = list({id(procedure): procedure for procedure in procedures.values()}.values())
    excused = frozenset.intersection(*(procedure._excused for procedure in used))
    designs, of_tests = [part.design for part in parts], list[Note]()
    for test in used:
        found = test.notes(*designs)
        of_tests += found if is_own(test) else as_notes(found, "notes")
    of_splits = [it for it in union(*(each.notes for each in designs)) if it not in excused]
    return FitPlan(
        work=Workload.of(
            inputs.estimators,
            metrics,
            inputs.y,
            of_rows=[name for name, procedure in procedures.items() if procedure.needs_rows],
            routed=routed,
            error_score=options.error_score,
            groups=None if groups is None else encode_labels("groups", groups),
            may_lack_rows=any(
                procedure is not inputs.asked and not procedure._in_order for procedure in used
            ),
            seed=inputs.random_state if options.fresh_seeds else None,
        ),
        X=inputs.X,
        y=inputs.y,
        groups=inputs.groups,
        scoring=inputs.scoring,
        routed=routed,
        parts=parts,
        options=options,
        undefined=undefined,
        notes=union(of_splits, (lacking.note for lacking in undefined), of_tests),
        lost=tuple((None, metric, fact) for metric, fact in {**inputs.lost, **refused}.items()),
        procedures=procedures,
        against=against,
    )


def _draw(
    inputs: _Inputs, preferred: Procedure | None
) -> tuple[Procedure, str | None, PlannedSplits, LabelCounts | None]:
    """Draw the splits of a procedure, why of no preferred one, and walk and watch them once."""
    asked, X, y, groups = inputs.asked, inputs.X, inputs.y, inputs.routed.split.get("groups")
    by = preferred or asked
    few = None
    splitter = inputs.splitter
    if splitter is None and preferred is not None:
        few = too_few_for(preferred.request, X, groups)
        by = asked if few else preferred
        if few and (groups is None or encode_labels("groups", groups).max() > 0):
            splitter = LeaveOneOut() if groups is None else LeaveOneGroupOut()
            few = f"{few.partition('. ')[0]}, so {splitter} tests on each of them once"
    if splitter is None:
        splitter = inputs.draw(by.request)
    watched = [it for it in inputs.metrics if it.needs or it.is_of_classes or it.of_rows == "fold"]
    in_folds = [metric for metric in watched if by.needs_rows and metric.of_rows == "fold"]
    how: Any = {"of_rows": in_folds, "groups": groups, "weights": inputs.routed.weights}
    labels = LabelCounts(watched, y, **how) if watched else None
    with warnings.catch_warnings():
        if inputs.splitter is None:  # such folds are fine
            warnings.filterwarnings("ignore", "The (least populated class in y|groups parameter)")
        plan = plan_splits(splitter, X, y, inputs.routed.split, shares=True, labels=labels)
    return by, few, plan, labels


def _too_often(metric: Metric, design: SplitDesign, weights: Any) -> str | None:
    """Return that a metric without a closed form would be computed again for too many units."""
    n_calls = round(sum(design.n_test))
    if metric.of_rows not in WITH_ROWS[1:] or n_calls <= _MOST_CALLS:
        return None
    if metric.is_quick(of_rows=design.unit == "rows" and weights is None):
        return None
    name = cut(metric.name)
    return f"without each of the {design.unit} in turn {name} would be computed {n_calls:,} times"


def _plan_auxiliary(
    inputs: _Inputs, request: DesignRequest, design: SplitDesign, known: Sequence[Undefined]
) -> tuple[PlannedSplits, list[Undefined]]:
    """Draw the auxiliary splits, and return the metrics that are not defined on these only."""
    bad = {lacking.metric for lacking in known}
    left = [metric for metric in inputs.metrics if metric.name not in bad]
    groups = inputs.routed.split.get("groups")
    serving = [it for it in left if inputs.asked.needs_rows and it.of_rows == "fold"]
    labels = LabelCounts(left, inputs.y, of_rows=serving, kind="auxiliary ", groups=groups)
    params = inputs.routed.split if design.unit == "groups" else {}
    try:
        plan = plan_splits(inputs.draw(request), inputs.X, inputs.y, params, labels=labels)
    except SplitDesignError as error:
        raise SplitDesignError(
            f"The auxiliary splits that the method asks for cannot be drawn: {error}"
        ) from error
    if inputs.asked.needs_rows:
        check_rows(labels)
    return plan, find_undefined(labels)


def plan_scores(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    metrics: Sequence[Metric],
    *,
    groups: Any,
    cv: Any,
    options: FitOptions,
    splits: Any = None,
    draw: Callable[..., Any] | None = None,
    routed: tuple[Mapping[str, Any], ...] | None = None,
    may_overlap: bool = True,
) -> FitPlan:
    """Plan scikit-learn's `cross_val_score`, or a race, which has `routed` and may `draw`."""
    check_refitted(estimators)
    # It may need no target, and takes frames in one order only.
    X, y, groups = check_data(X, y, groups, in_order=routed is not None)
    options.check_lengths(X)
    of_classes = all(map(is_classifier, estimators.values()))
    if draw is None:
        splitter = to_splitter(cv, y, classifier=of_classes)
    else:  # the splitter is made of the target
        check_target(y, metrics, estimators)
        splitter = draw((X, y, groups), classifier=of_classes)
    if routed is None:
        check_target(y, metrics, estimators, whole=False)
        if isinstance(metrics[0].given, str):  # else scikit-learn says what is wrong
            metrics = resolve_metrics(metrics, estimators)
        to = _route(estimators, metrics, splitter, groups, options)
    else:
        fit, score, split = routed
        to = Routed((fit,) * len(estimators), score, split)
    labels = LabelCounts(metrics, y)
    how: Any = {"may_overlap": may_overlap, "shares": True, "labels": labels}
    plan = plan_splits(splitter, X, y, to.split, **how)
    return FitPlan(
        work=Workload.of(
            estimators,
            metrics,
            routed=to,
            error_score=options.error_score,
            may_fail=True,
            of_training=options.return_train_score,
        ),
        X=X,
        y=y,
        groups=groups,
        scoring=metrics[0].given,
        routed=to,
        parts=[plan],
        options=options,
        undefined=find_undefined(labels),
        chosen=None if splits is None else check_splits(splits, len(plan.splits)),
    )


def _route(
    estimators: Mapping[str, Any],
    metrics: Sequence[Metric],
    splitter: Any,
    groups: Any,
    options: FitOptions,
) -> Routed:
    """Decide who gets which `params`, as scikit-learn does with metadata routing and without it."""
    params = dict(options.params or {})
    if not get_config().get("enable_metadata_routing", True):
        return Routed((params,) * len(estimators), split={"groups": groups})
    if groups is not None and "groups" in params:
        raise ValueError("groups is given twice: as groups= and in params. Give it once.")

    def on(callee: str) -> MethodMapping:
        return MethodMapping().add(caller="fit", callee=callee)

    router = MetadataRouter(owner="skcvstats")
    models = {f"estimator_{k}": model for k, model in enumerate(estimators.values())}
    router.add(**models, method_mapping=on("fit"))
    router.add(splitter=splitter or GroupKFold(), method_mapping=on("split"))
    router.add(scorer=scorer_of(metrics, estimators), method_mapping=on("score"))
    if groups is not None and router.consumes("fit", {"groups"}):
        params["groups"] = groups
    routed = process_routing(router, "fit", **params)
    of_fits = tuple(routed[name].fit for name in models)
    found = {metric.name: metric.weights(routed.scorer.score) for metric in metrics}
    weights = {name: it for name, it in found.items() if it is not None}
    # They are units of the test also where the splits are a list, which requests nothing.
    split = ({} if groups is None else {"groups": groups}) | routed.splitter.split
    return Routed(of_fits, routed.scorer.score, split, weights)


def _against(
    preferred: Procedure, inputs: _Inputs, plan: PlannedSplits, labels: LabelCounts | None
) -> dict[str, str]:
    """Return for each metric that the preferred procedure does not suit on these splits why."""
    found, of_weights = dict[str, str](), dict[int, str | None]()
    without = {} if labels is None else find_without_rows(labels, in_order=preferred._in_order)
    known: Any = {"n_rows": n_rows(inputs.X), "groups": inputs.routed.split.get("groups")}
    known |= {"times": plan.times(inputs.X)} if preferred._in_order else {}
    for metric in inputs.metrics:
        shown = cut(shown_as(metric.name).name)
        weights = inputs.routed.weights.get(metric.name)
        too_often = _too_often(metric, plan.design, weights)
        why = preferred.unsuitable(shown, of_rows=metric.of_rows)
        if why is None and metric.of_rows == "not measured" and preferred is not inputs.asked:
            known_not = f"the {preferred.title} was not measured with {shown}"
            why = too_often or f'{known_not}; method="{preferred.name}" takes it'
        if why is None:
            if id(weights) not in of_weights:
                known |= {"design": plan.design, "tests": plan.tests(), "sample_weight": weights}
                of_weights[id(weights)] = preferred.unsuitable(**known)
            why = of_weights[id(weights)] or without.get(metric.name) or too_often
        if why is not None:
            found[metric.name] = why
    return found


def _check_untested(inputs: _Inputs, untested: Mapping[str, str], design: SplitDesign) -> None:
    """Raise SplitDesignError for metrics that the test over time does not take, unless dropped."""
    some_left = len(untested) < len(inputs.metrics)
    if not untested or (some_left and inputs.options.on_error == "drop"):
        return
    asked = inputs.asked
    metric, reason = next(iter(untested.items()))
    if asked._in_order:
        found = f"The {asked.title} works on scores of rows"
    else:
        design.require(who=f"The {asked.title}", distinct=True)
        found = f"On splits in time order only the {DieboldMarianoTest.title} is valid"
    if reason.endswith("."):  # of the splits or the rows, with a remedy
        raise SplitDesignError(reason if asked._in_order else f"{found}. {reason}")
    drop = "; compare_estimators(..., on_error='drop') leaves it out" if some_left else ""
    raise SplitDesignError(
        f"{found}, and {reason}. Use another metric in place of {cut(metric)}, such as "
        f"neg_mean_absolute_error or neg_log_loss{drop}."
    )


def _refuse_other_tests(inputs: _Inputs, plan: PlannedSplits, labels: LabelCounts | None) -> None:
    """Raise SplitDesignError for a test that is not valid on splits in time order."""
    untested = _against(DieboldMarianoTest(), inputs, plan, labels)
    if len(untested) == len(inputs.metrics):
        _check_untested(inputs, untested, plan.design)
    not_all = "".join(
        f" It does not take {cut(metric)}: {reason.removesuffix('.')}."
        for metric, reason in untested.items()
    )
    raise SplitDesignError(
        f"The {inputs.asked.title} is not valid for splits in time order. Use "
        f'method="diebold_mariano".{not_all}'
    )


def check_row_metric(procedure: Procedure, metric: Metric, cv: Any = None) -> None:
    """Raise ValueError for a metric that does not serve, and say which arguments to change."""
    given = metric.given
    shown = f"scoring={repr(given) if isinstance(given, str) else metric.describe()}"
    why = procedure.unsuitable(shown, of_rows=metric.of_rows)
    if why is None:
        return
    said = (
        f"The {procedure.title} works on scores of rows, and {why}. Repeat the call with {_OTHER}"
    )
    if cv is not None and procedure.request.n_splits == 1:  # which does for no other test
        said += " and without cv="
    if given in _OF_SQUARES:
        said += ", or with scoring='neg_mean_squared_error'"
    raise ValueError(f"{said}.")


class PlannedFolds(NamedTuple):
    """The folds that predictions are of, watched for what a metric needs of them."""

    plan: PlannedSplits
    labels: LabelCounts
    procedure: Procedure
    metric: Metric
    y: Any
    routed: Routed  # the groups and the weights of rows

    def check(self) -> list[Note]:
        """Return notes; raise an error for what does not suit the procedure."""
        plan, procedure, metric = self.plan, self.procedure, self.metric
        procedure.require(plan.design)
        known: dict[str, Any] = {**self.routed.split, "tests": plan.tests()}
        if reason := procedure.unsuitable(**known, n_rows=len(self.y)):
            raise SplitDesignError(reason)
        if procedure.needs_rows:
            check_row_metric(procedure, metric)
        check_rows(self.labels)
        undefined = find_undefined(self.labels)
        refuse(undefined, several=False)
        _refuse_too_often(metric, procedure, plan.design, self.routed)
        return [lacking.note for lacking in undefined]


def plan_folds(
    procedure: Procedure, metric: Metric, cv: Any, y: Any, groups: Any, weights: Any
) -> PlannedFolds:
    """Draw the splits that predictions are of, and watch for what the metric needs of them."""
    known = {} if weights is None else {metric.name: weights}
    # Of predictions there is nothing to say about the training sets.
    labels = LabelCounts(
        [metric],
        y,
        of_rows=[metric] if procedure.needs_rows and metric.of_rows == "fold" else [],
        groups=groups,
        weights=known,
        trains=False,
    )
    about = to_splitter(cv, y, classifier=False), np.arange(len(y)), y, {"groups": groups}
    plan = plan_splits(*about, labels=labels)
    if plan.unseeded or plan_splits(*about).identity != plan.identity:
        raise SplitDesignError(
            f"folds={one_line(cv)} draws other folds each time. Pass the list of pairs that was "
            "predicted with, or predict again with a seeded splitter, random_state=0."
        )
    routed = Routed((), split={"groups": groups}, weights=known)
    return PlannedFolds(plan, labels, procedure, metric, y, routed)


def undefined_metrics(
    metrics: Sequence[Metric], cv: Any, X: Any, y: Any, groups: Any
) -> dict[str, Undefined]:
    """Return the metrics that are not defined on some test sets of a splitter, if it is seeded."""
    if any(metric.given is None for metric in metrics):
        return {}
    labels, params = LabelCounts(metrics, y), {} if groups is None else {"groups": groups}
    if plan_splits(cv, X, y, params, labels=labels).unseeded:
        return {}
    return {undefined.metric: undefined for undefined in find_undefined(labels)}


def _require(procedure: Procedure, design: SplitDesign, *, requested: bool, in_time: bool) -> None:
    """Raise SplitDesignError unless the splits suit the procedure; it may have requested them."""
    try:
        procedure.require(design)
    except SplitDesignError as error:
        if in_time:  # a single split, perhaps
            other = 'If the rows are in time order, use method="diebold_mariano".'
            raise SplitDesignError(f"{error} {other}") from None
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


def _refuse_too_often(
    metric: Metric, procedure: Procedure, design: SplitDesign, routed: Routed
) -> None:
    """Raise SplitDesignError if a metric would be computed again for too many units."""
    reason = _too_often(metric, design, routed.weights.get(metric.name))
    if procedure.needs_rows and reason is not None:
        raise SplitDesignError(
            f"The {procedure.title} works on scores of rows, and {reason}. Test on fewer "
            f"{design.unit}, or use {_OTHER}."
        )
