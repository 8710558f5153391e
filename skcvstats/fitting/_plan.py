"""Plan the fits: inputs checked, metadata routed once, splits drawn and walked once."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from .._utils._arrays import one_output
from .._utils._checks import is_integer, n_rows, one_line
from .._utils._text import counted, cut
from ..exceptions import SplitDesignError
from ..scores import STRATIFIED, DesignRequest, Note, SplitDesign, as_notes, union
from ..splitters import (
    RepeatedGroupKFold,
    check_data,
    check_splits,
    encode_labels,
    generator_from,
    make_splitter,
    strata_of,
    to_splitter,
    too_few_for,
)
from ..stats import METHODS, Procedure, RowTTest
from ._doubts import hints, refitted_notes
from ._fit import FitOptions, Workload
from ._metrics import (
    WITH_ROWS,
    Metric,
    check_target,
    default_scoring,
    is_routing,
    read_metrics,
    resolve_metrics,
    scorer_of,
)
from ._row_scores import draw_blocks, is_quick
from ._splits import LabelWatch, PlannedSplits, Undefined, _sortable, plan_splits, refuse

_FEWEST_TESTED = {"rows": 10, "groups": 3}
_FEWEST_LEFT_OUT = 10  # fewer groups are left out one by one, which was measured
# Of a metric and an estimator, where each without a row or group is a call.
_MOST_CALLS = 20_000
# Functions of labels that miss most where the rarer of two classes has a smaller share of the rows.
_AT_A_THRESHOLD = ("balanced_accuracy_score", "f1_score", "recall_score")
_RARE = 0.35
# Metrics of which a function of a mean over rows is the usual relative.
_OF_SQUARES = ("r2", "neg_root_mean_squared_error")
_OTHER = "method='corrected_resampled_t'"
# A failure that was left out: the estimator (None: all), the metric (None: all), and the cause.
Lost = tuple[str | None, str | None, str]


class Routed(NamedTuple):
    """The parameters for each consumer, and the weights of rows for each metric that has some."""

    fit: Sequence[Mapping[str, Any]]  # for each estimator
    score: Mapping[str, Any]
    split: Mapping[str, Any]
    weights: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class FitPlan:
    """All that the fits and their scores need; nothing is fitted yet."""

    work: Workload
    X: Any
    y: Any
    groups: Any
    scoring: Any  # as it was given
    routed: Routed
    parts: Sequence[PlannedSplits]  # the main splits, then auxiliary ones
    options: FitOptions
    undefined: Sequence[Undefined]
    notes: tuple[Note, ...] = ()  # to warn of before the first fit
    lost: tuple[Lost, ...] = ()
    stops: bool = False  # where the first fit of an estimator fails
    chosen: Sequence[int] | None = None  # the numbers of the splits to fit on, if not all
    procedures: Mapping[str, Procedure] = field(default_factory=dict)  # of each metric
    against: Mapping[str, str] = field(default_factory=dict)  # why some have not the preferred one
    of_metrics: Mapping[str, Sequence[Note]] = field(default_factory=dict)  # on their scores
    times: Any = None  # the number of that of each row, for a procedure in time order


class _Inputs(NamedTuple):
    """What the user gave, checked and read, before there are splits."""

    asked: Procedure
    estimators: Mapping[str, Any]
    X: Any
    y: Any
    groups: Any
    scoring: Any
    read: Sequence[Metric]  # all metrics
    metrics: Sequence[Metric]  # those that the target allows
    lost: Mapping[str, str]  # why the others are not measured
    options: FitOptions
    random_state: Any
    routed: Routed
    splitter: Any  # None if the splits are those that a procedure asks for
    draw: Callable[..., Any]  # makes the splitter that is asked for
    frozen: tuple[Note, ...]  # on parts that are not fitted again


Folds = tuple[PlannedSplits, LabelWatch]


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
) -> FitPlan:
    """Check all; draw the splits of a procedure or a suitable preferred one, the last in time."""
    drops, frozen = options.on_error == "drop", tuple(refitted_notes(estimators))
    if scoring is None:
        scoring = default_scoring(estimators, asked)
    if options.fresh_seeds:
        stream, is_seed = generator_from(random_state), is_integer(random_state)
        random_state = int(random_state if is_seed else stream.randint(2**32, dtype=np.uint32))
    elif cv is None and not (is_integer(random_state) and 0 <= random_state < 2**32):
        generator_from(random_state)  # raises an error for what is none
    X, y, groups = check_data(X, y, groups, in_order=True)
    read = read_metrics(scoring)
    check_target(y, read, estimators)
    unknown = {it.name: said for it in read if it.of_two and (said := it.complaint(y))}
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
    lost = {name: fact for name, (fact, _) in unknown.items()}
    given = asked, estimators, X, y, groups, scoring, read, metrics, lost, options, random_state
    inputs = _Inputs(*given, routed, splitter, draw, frozen)
    return _plan_on(inputs, *_choose(inputs, preferred))


def _plan_on(
    inputs: _Inputs,
    procedures: Mapping[str, Procedure],
    against: Mapping[str, str],
    plan: PlannedSplits,
    labels: LabelWatch | None,
) -> FitPlan:
    """Plan the fits on the splits that were drawn, and on the auxiliary ones of a procedure."""
    metrics, options, routed = inputs.metrics, inputs.options, inputs.routed
    groups = routed.split.get("groups")
    used = list({id(procedure): procedure for procedure in procedures.values()}.values())
    parts, undefined = [plan], [] if labels is None else labels.undefined()
    request = used[0].auxiliary_request(plan.design)
    if request is not None:
        further, of_further = _plan_auxiliary(inputs, request, plan.design, undefined)
        parts, undefined = [plan, further], [*undefined, *of_further.undefined()]
        if inputs.asked.needs_rows:
            of_further.check_rows()
    elif inputs.splitter is not None and not options.fresh_seeds:
        _check_random_state_is_used(inputs.random_state, inputs.splitter)
    refused = {lacking.metric: lacking.fact for lacking in undefined if lacking.refused}
    kept, drops = [it for it in metrics if it.name not in refused], options.on_error == "drop"
    if refused and not (drops and kept):
        refuse(undefined, several=bool(kept), in_order=plan.in_order)
    if refused:
        routed = _route(inputs.estimators, kept, inputs.splitter, inputs.groups, options)
    undefined = [lacking for lacking in undefined if lacking.metric not in refused]
    designs, notes = [part.design for part in parts], list[Note]()
    of_metrics = dict[str, list[Note]]()
    for procedure in used:
        noted = procedure.notes(*designs)
        notes += noted if procedure._is_own else as_notes(noted, "notes")
    blocks = dict[str, np.ndarray]()
    for metric in kept:
        procedure, weights = procedures[metric.name], routed.weights.get(metric.name)
        own = [it.note for it in undefined if it.metric == metric.name]
        own += [] if not options.params else _unweighted(metric, options.params, routed)
        own += _notes_on(metric, procedure, inputs.y, plan.design)
        if metric.of_rows != "mean":
            found = _blocks_for(metric, procedure, plan.design, groups, weights, n_rows(inputs.X))
            if found is not None:
                blocks[metric.name], note = found
                own.append(note)
        of_metrics[metric.name] = own
    of_folds = any(it.of_rows != "mean" and procedures[it.name].needs_rows for it in kept)
    texts = _sortable(inputs.y) if of_folds else None
    of_splits = union(*(each.notes for each in designs))
    excused = frozenset.intersection(*(procedure._excused for procedure in used))
    return FitPlan(
        work=Workload.of(
            inputs.estimators,
            kept,
            of_rows=[name for name, procedure in procedures.items() if procedure.needs_rows],
            error_score=options.error_score,
            fit_params=routed.fit,
            score_params=routed.score,
            groups=None if groups is None else encode_labels("groups", groups),
            weights=routed.weights,
            blocks=blocks,
            classes=None if texts is None or texts.dtype.kind != "U" else np.unique(texts),
            may_lack_rows=any(procedure is not inputs.asked for procedure in used),
            seed=inputs.random_state if options.fresh_seeds else None,
            of_states=len(inputs.estimators) > 1 and not (options.fresh_seeds or used[0].fixed),
        ),
        X=inputs.X,
        y=inputs.y,
        groups=inputs.groups,
        scoring=inputs.scoring,
        routed=routed,
        parts=parts,
        options=options,
        undefined=undefined,
        notes=union(
            (note for note in of_splits if note not in excused),
            *of_metrics.values(),
            notes,
        ),
        lost=tuple((None, metric, fact) for metric, fact in {**inputs.lost, **refused}.items()),
        stops=not drops,
        procedures=procedures,
        against=against,
        of_metrics=of_metrics,
        times=next((plan.times(inputs.X) for it in used if it._in_order), None),
    )


def _choose(
    inputs: _Inputs, of_auto: Sequence[Procedure]
) -> tuple[dict[str, Procedure], dict[str, str], PlannedSplits, LabelWatch | None]:
    """Draw the splits, and take the procedure that is preferred for the metrics that it suits."""
    asked, X, y, routed = inputs.asked, inputs.X, inputs.y, inputs.routed
    own, groups = inputs.splitter is None, routed.split.get("groups")
    preferred = next(iter(of_auto), None)
    if preferred is None and asked.needs_rows:
        for metric in inputs.metrics:
            check_row_metric(asked, metric, cv=inputs.splitter, draw=inputs.draw)
    drawn, few, plan, labels = _draw(inputs, preferred)
    if preferred is None or few:
        against = {} if few is None else dict.fromkeys((it.name for it in inputs.metrics), few)
    else:
        preferred = of_auto[-1] if plan.in_order else preferred
        against = _against(preferred, inputs, plan, labels)
    procedures = {
        metric.name: asked if preferred is None or metric.name in against else preferred
        for metric in inputs.metrics
    }
    said = plan.design.notes
    if own:  # for classifiers they are stratified: only where they are not as usual is it said
        of_classes = all(map(is_classifier, inputs.estimators.values()))
        rare = of_classes and strata_of(drawn.request, X, y, groups)[1]
        rare_notes = [Note("rare class", rare, None)] if rare else []
        said = union([note for note in said if note != STRATIFIED], rare_notes)
    of_data = hints(inputs.estimators, X, y, plan, groups)
    notes = union(said, inputs.frozen, of_data)
    design = SplitDesign._made(**vars(plan.design) | {"notes": notes})
    plan = replace(plan, design=design)
    if any(procedure is asked for procedure in procedures.values()):
        _require(asked, plan.design, requested=own and drawn is asked)
        weighed = [it for it in inputs.metrics if it.of_rows in WITH_ROWS and asked.needs_rows]
        weights = [routed.weights[it.name] for it in weighed if it.name in routed.weights]
        for each in (None, *weights):
            known: Any = {"groups": groups, "tests": plan.tests()}
            known |= {"times": plan.times(X)} if asked._in_order else {}
            if reason := asked.unsuitable(**known, sample_weight=each, n_rows=n_rows(X)):
                raise SplitDesignError(reason)
        if asked.needs_rows and labels is not None:
            labels.check_rows()
    return procedures, against, plan, labels


def _draw(
    inputs: _Inputs, preferred: Procedure | None
) -> tuple[Procedure, str | None, PlannedSplits, LabelWatch | None]:
    """Draw the splits of a procedure, why of no preferred one, and walk and watch them once."""
    asked, X, y, groups = inputs.asked, inputs.X, inputs.y, inputs.routed.split.get("groups")
    by, few, splitter = preferred or asked, None, inputs.splitter
    if splitter is None and preferred is not None:
        few = too_few_for(preferred.request, X, groups)
        by = asked if few else preferred
        if few and groups is not None and encode_labels("groups", groups).max() > 0:
            few = f"{few.partition('. ')[0]}, so LeaveOneGroupOut() tests on each of them once"
            splitter = LeaveOneGroupOut()
    if splitter is None:
        splitter = inputs.draw(by.request)
    watched = [it for it in inputs.metrics if it.needs or it.is_of_classes or it.of_rows == "fold"]
    in_folds = [metric for metric in watched if by.needs_rows and metric.of_rows == "fold"]
    how: Any = {"of_rows": in_folds, "groups": groups, "weights": inputs.routed.weights}
    only_folds = not asked.needs_rows
    labels = LabelWatch(watched, y, **how, only_folds=only_folds) if watched else None
    with warnings.catch_warnings():
        if inputs.splitter is None:  # such folds are fine
            warnings.filterwarnings("ignore", "The (least populated class in y|groups parameter)")
        plan = plan_splits(splitter, X, y, inputs.routed.split, shares=True, labels=labels)
    return by, few, plan, labels


def _blocks_for(
    metric: Metric, procedure: Procedure, design: SplitDesign, groups: Any, weights: Any, n: int
) -> tuple[np.ndarray, Note] | None:
    """Return the block of each row, and a note, if leaving out single units takes too long."""
    reason = _too_often(metric, design, weights) if procedure.needs_rows else None
    if reason is None:
        return None
    if not isinstance(procedure, RowTTest):
        raise SplitDesignError(f"{reason}. Test on fewer {design.unit}, or use {_OTHER}.")
    blocks = draw_blocks(n, None if groups is None else encode_labels("groups", groups), weights)
    n_blocks = int(blocks.max()) + 1
    text = f"{reason}, so {n_blocks} random blocks of {design.unit} are the units of the test"
    return blocks, Note("blocks", text, None)


def _too_often(metric: Metric, design: SplitDesign, weights: Any) -> str | None:
    """Return that a metric without a closed form would be computed again for too many units."""
    of_rows, n_calls = design.unit == "rows" and weights is None, round(sum(design.n_test))
    if metric.of_rows not in WITH_ROWS[1:] or n_calls <= _MOST_CALLS:
        return None
    if is_quick(metric.function_name, metric.options, of_rows=of_rows):
        return None
    name = cut(metric.name)
    return f"without each of the {design.unit} in turn {name} would be computed {n_calls:,} times"


def _plan_auxiliary(
    inputs: _Inputs, request: DesignRequest, design: SplitDesign, known: Sequence[Undefined]
) -> Folds:
    """Draw the auxiliary splits, and watch for metrics that are not defined on these only."""
    bad = {lacking.metric for lacking in known}
    left = [metric for metric in inputs.metrics if metric.name not in bad]
    serving = [it for it in left if inputs.asked.needs_rows and it.of_rows == "fold"]
    known_groups = inputs.routed.split.get("groups")
    how: Any = {"of_rows": serving, "kind": "auxiliary ", "groups": known_groups}
    labels = LabelWatch(left, inputs.y, **how)
    params = inputs.routed.split if design.unit == "groups" else {}
    try:
        about = inputs.draw(request), inputs.X, inputs.y, params
        return plan_splits(*about, labels=labels), labels
    except SplitDesignError as error:
        raise SplitDesignError(
            f"The auxiliary splits that the method asks for cannot be drawn: {error}"
        ) from error


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
    routed: tuple[Mapping[str, Any], ...] | None = None,
    may_overlap: bool = True,
) -> FitPlan:
    """Plan scikit-learn's `cross_val_score`, or a race, which has `routed` its metadata."""
    frozen = list(refitted_notes(estimators))
    # It may need no target, and takes frames in one order only.
    X, y, groups = check_data(X, y, groups, in_order=routed is not None)
    splitter = to_splitter(cv, y, classifier=all(map(is_classifier, estimators.values())))
    if routed is None:
        if groups is not None and is_routing():
            raise ValueError(
                "`groups` can only be passed if metadata routing is not enabled via "
                "`sklearn.set_config(enable_metadata_routing=True)`. When routing is enabled, pass "
                "`groups` alongside other metadata via the `params` argument instead."
            )
        check_target(y, metrics, estimators, whole=False)
        if isinstance(metrics[0].given, str):  # else scikit-learn says what is wrong
            metrics = resolve_metrics(metrics, estimators)
        to = _route(estimators, metrics, splitter, groups, options)
    else:
        to = Routed((routed[0],) * len(estimators), routed[1], routed[2], {})
    labels = LabelWatch(metrics, y)
    how: Any = {"may_overlap": may_overlap, "shares": True, "labels": labels}
    plan = plan_splits(splitter, X, y, to.split, **how)
    undefined = labels.undefined()
    of_metrics = {metric.name: frozen for metric in metrics}
    of_metrics |= {it.metric: [it.note, *frozen] for it in undefined}
    return FitPlan(
        work=Workload.of(
            estimators,
            metrics,
            error_score=options.error_score,
            may_fail=True,
            of_training=options.return_train_score,
            fit_params=to.fit,
            score_params=to.score,
        ),
        X=X,
        y=y,
        groups=groups,
        scoring=metrics[0].given,
        routed=to,
        parts=[plan],
        options=options,
        undefined=undefined,
        of_metrics=of_metrics,
        chosen=None if splits is None else check_splits(splits, len(plan.splits)),
    )


def plan_study(
    estimators: Mapping[str, Any], scoring: Any, tests: Mapping[str, Procedure]
) -> Workload:
    """Plan the fits on any data set of a study, of rows too for procedures that work on them."""
    if scoring is None:
        scoring = default_scoring(estimators, METHODS["holdout_t"]())
    if not isinstance(scoring, str) and not callable(scoring):
        raise ValueError(f"scoring={scoring!r} must be one metric's name or a callable.")
    (metric,) = read_metrics(scoring)
    of_rows = {label: test for label, test in tests.items() if test.needs_rows}
    reasons = {
        label: test.unsuitable("the metric", of_rows=metric.of_rows)
        for label, test in of_rows.items()
    }
    mute = [label for label, reason in reasons.items() if reason]
    if mute:
        raise ValueError(
            f"{mute} work on the scores of the test rows, and {metric.describe()} is not "
            'their mean. Give a metric that is, such as scoring="neg_mean_squared_error".'
        )
    if metric.of_rows == "mean" and metric.is_scorer and metric.sign < 0:
        # by which it is known for a negated loss
        metric = replace(metric, name=f"neg_{metric.named}", alone=False)
    metrics = resolve_metrics([metric], estimators)
    names = [metric.name] if of_rows else []
    return Workload.of(estimators, metrics, of_rows=names, error_score="raise")


def _route(
    estimators: Mapping[str, Any],
    metrics: Sequence[Metric],
    splitter: Any,
    groups: Any,
    options: FitOptions,
) -> Routed:
    """Decide who gets which `params`, as scikit-learn does with metadata routing and without it."""
    params = dict(options.params or {})
    if not is_routing():
        return Routed((params,) * len(estimators), {}, {"groups": groups}, {})
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
    return Routed(of_fits, routed.scorer.score, routed.splitter.split, weights)


def _against(
    preferred: Procedure, inputs: _Inputs, plan: PlannedSplits, labels: LabelWatch | None
) -> dict[str, str]:
    """Return for each metric that the preferred procedure does not suit on these splits why."""
    found, of_weights = dict[str, str](), dict[int, str | None]()
    without = {} if labels is None else labels.without_rows()
    known: Any = {"n_rows": n_rows(inputs.X), "groups": inputs.routed.split.get("groups")}
    known |= {"times": plan.times(inputs.X)} if preferred._in_order else {}
    for metric in inputs.metrics:
        why = preferred.unsuitable(cut(metric.name), of_rows=metric.of_rows)
        if why is None and metric.of_rows == "not measured":
            known_not = f"the {preferred.title} was not measured with {cut(metric.name)}"
            why = f'{known_not}; method="{preferred.name}" takes it'
        if why is None:
            weights = inputs.routed.weights.get(metric.name)
            if id(weights) not in of_weights:
                known |= {"design": plan.design, "tests": plan.tests(), "sample_weight": weights}
                of_weights[id(weights)] = preferred.unsuitable(**known)
            why = of_weights[id(weights)] or without.get(metric.name)
            if why is None and not isinstance(preferred, RowTTest):  # which can take blocks of rows
                why = _too_often(metric, plan.design, weights)
        if why is not None:
            found[metric.name] = why
    return found


def check_row_metric(
    procedure: Procedure, metric: Metric, *, cv: Any = None, draw: Any = None
) -> None:
    """Raise ValueError for a metric that does not serve, and say which arguments to change."""
    given = metric.given
    shown = f"scoring={repr(given) if isinstance(given, str) else metric.describe()}"
    why = procedure.unsuitable(shown, of_rows=metric.of_rows)
    if why is None:
        return
    other = _OTHER if draw is None else _other_test(procedure, cv, draw)
    said = f"The {procedure.title} works on scores of rows, and {why}. Repeat the call with {other}"
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


def plan_folds(
    procedure: Procedure, metric: Metric, cv: Any, y: Any, groups: Any, weights: Any = None
) -> Folds:
    """Draw the splits that predictions are of, and watch for what the metric needs of them."""
    of_rows = [metric] if procedure.needs_rows and metric.of_rows == "fold" else []
    # Of predictions there is nothing to say about the training sets.
    known = {} if weights is None else {metric.name: weights}
    how: Any = {"of_rows": of_rows, "groups": groups, "weights": known, "trains": False}
    labels = LabelWatch([metric], y, **how)
    about = to_splitter(cv, y, classifier=False), np.arange(len(y)), y, {"groups": groups}
    plan = plan_splits(*about, labels=labels)
    if plan.unseeded or plan_splits(*about).identity != plan.identity:
        raise SplitDesignError(
            f"folds={one_line(cv)} draws other folds each time. Pass the list of pairs that was "
            "predicted with, or predict again with a seeded splitter, random_state=0."
        )
    return plan, labels


def check_folds(
    procedure: Procedure, metric: Metric, folds: Folds, y: Any, groups: Any, weights: Any
) -> tuple[list[Note], np.ndarray | None]:
    """Return notes and blocks of rows; raise an error for what does not suit a procedure."""
    plan, labels = folds
    procedure.require(plan.design)
    if reason := procedure.unsuitable(groups=groups, tests=plan.tests(), n_rows=len(y)):
        raise SplitDesignError(reason)
    if procedure.needs_rows:
        check_row_metric(procedure, metric)
    labels.check_rows()
    undefined = labels.undefined()
    refuse(undefined, several=False, in_order=plan.design.in_time_order)
    notes = [lacking.note for lacking in undefined]
    notes += _notes_on(metric, procedure, y, plan.design)
    found = _blocks_for(metric, procedure, plan.design, groups, weights, len(y))
    return (notes, None) if found is None else ([*notes, found[1]], found[0])


def undefined_metrics(
    metrics: Sequence[Metric], cv: Any, X: Any, y: Any, groups: Any
) -> dict[str, Undefined]:
    """Return the metrics that are not defined on some test sets of a splitter, if it is seeded."""
    if any(metric.given is None for metric in metrics):
        return {}
    labels, params = LabelWatch(metrics, y), {} if groups is None else {"groups": groups}
    if plan_splits(cv, X, y, params, labels=labels).unseeded:
        return {}
    return {undefined.metric: undefined for undefined in labels.undefined()}


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


def _unweighted(metric: Metric, params: Mapping[str, Any], routed: Routed) -> list[Note]:
    """Return a note if fits get weights of rows, and the scores of a metric do not."""
    weighing = [name for name in params if str(name).split("__")[-1] == "sample_weight"]
    if not weighing or metric.name in routed.weights:
        return []
    text = (
        f"scores are unweighted, though fits get {weighing[0]}; pass a scorer that requests "
        "weights, get_scorer(...).set_score_request(sample_weight=True) after "
        "set_config(enable_metadata_routing=True)"
    )
    return [Note("unweighted scores", text, None)]


def _notes_on(metric: Metric, procedure: Procedure, y: Any, design: SplitDesign) -> Iterator[Note]:
    """Yield what limits a metric, and its procedure, on these splits."""
    unit, smallest = design.unit, min(design.n_test)
    of_one_row = smallest == 1 and unit == "rows"  # which has a note of its own
    few_alone = design.levels == ("fold",) and design.n_splits == design.n_samples
    few_alone = few_alone and design.n_samples < _FEWEST_LEFT_OUT
    few_tested = smallest < _FEWEST_TESTED[unit] and not procedure.needs_rows
    if few_tested and not (of_one_row or few_alone):
        text = (
            f"test sets of {counted(smallest, unit[:-1])}: scores of so few are far from normal, "
            f"which the test assumes; test on at least {_FEWEST_TESTED[unit]} {unit}, by fewer "
            "folds or a larger test_size"
        )
        yield Note("small test sets", text, None)
    if procedure.needs_rows and metric.of_rows == "not measured":
        text = f"the {procedure.title} was not measured with {cut(metric.name)}"
        yield Note("metric not measured", text, None)
    labels = one_output(y) if metric.function_name in _AT_A_THRESHOLD else None
    if labels is None or metric.options.get("average", "binary") not in ("binary", "macro"):
        return
    counts = np.unique(labels, return_counts=True)[1]
    if len(counts) == 2 and counts.min() < _RARE * counts.sum():
        text = (
            f"{cut(metric.name)} depends on a threshold, which a fit moves for all rows together "
            "and no procedure sees from one data set: with so rare a class its intervals and "
            "tests miss more often than they should. roc_auc, average_precision and neg_log_loss "
            "need no threshold"
        )
        yield Note("threshold", text, None)
