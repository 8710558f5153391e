"""Plan the fits: inputs checked, metadata routed, splits drawn, a procedure for each metric."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut, LeaveOneOut
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from .._utils._checks import is_integer, one_line
from .._utils._warn import CaughtWarnings
from ..exceptions import SplitDesignError
from ..scores import DesignRequest, SplitDesign
from ..splitters import (
    check_data,
    check_splits,
    encode_labels,
    make_splitter,
    to_splitter,
    too_few_for,
)
from ..stats import Procedure, Reason
from ._choice import (
    Choice,
    DrawnSplits,
    Methods,
    SplitRows,
    check_general,
    check_row_metric,
    choose_procedures,
    drop_undefined,
    procedures_of,
    refuse_too_many_units,
    remedy_over_time,
    untested,
    with_row_times,
)
from ._fit import FailedFits, FitOptions, FreshSeeds, Routed, RowScoring, Workload, row_scoring_of
from ._gather import FitPlan
from ._labels import LabelCounts, Undefined, check_rows, find_undefined
from ._metrics import (
    Metric,
    check_target,
    check_whole_target,
    read_metrics,
    refuse_function_of_predictions,
    resolve_metrics,
    scorer_of,
)
from ._needs import unknown_labels
from ._refusals import (
    check_classes,
    check_classes_in_groups,
    check_clones,
    check_refitted,
    refuse_other_kinds,
)
from ._splits import PlannedSplits, plan_splits
from ._target_range import RELATIVE_TO_ZERO, outside_range, refuse_outside

# Makes of a splitter, X, y and groups what has `observers` of the walk over the splits.
Observe = Callable[[Any, Any, Any, Any], Any]


class SplitSource(NamedTuple):
    """Where the splits of a call come from."""

    splitter: Any  # the one that was given; None if procedures request splits
    make: Callable[[DesignRequest], Any]  # makes the splitter that a procedure requests
    rows: SplitRows
    y: Any
    params: Mapping[str, Any]  # that the splitter gets


def plan_fits(
    methods: Methods,
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    groups: Any,
    scoring: Any,
    cv: Any,
    random_state: Any,
    options: FitOptions,
    observe: Observe,
    not_over_time: str = "",
) -> FitPlan:
    """Check the inputs, draw the splits, choose a procedure for each metric, and plan the fits."""
    # `not_over_time` is the error of a caller that does not accept splits in time order.
    # Inputs.
    check_refitted(estimators)
    check_clones(estimators, options.on_error, can_drop=options.can_drop)
    seeds = None
    if options.fresh_seeds:
        seeds = _fresh_seeds(random_state)
        random_state = seeds.seed
    X, y, groups = check_data(X, y, groups)
    options.check_lengths(X)

    # Metrics.
    all_metrics = read_metrics(scoring, estimators, methods.general)
    check_target(y, all_metrics, estimators)
    check_whole_target(y, all_metrics)
    lost = _drop_unsuitable(all_metrics, y, options.on_error)
    metrics = [metric for metric in all_metrics if metric.name not in lost]
    metrics = resolve_metrics(metrics, estimators, y, may_be_mute=options.on_error == "drop")

    # Splits.
    check_classes(estimators, y)
    of_classes = all(map(is_classifier, estimators.values()))
    if not of_classes:
        refuse_other_kinds(estimators, metrics, y)
    splitter = None
    if cv is not None:
        splitter = to_splitter(cv, y, classifier=of_classes)
    routed = _route(estimators, metrics, splitter, groups, options)
    rows = SplitRows(X, routed.split.get("groups"), routed.weights)
    data = (X, y, rows.groups)
    make = partial(make_splitter, random_state=random_state, data=data, classifier=of_classes)
    source = SplitSource(splitter, make, rows, y, routed.split)
    drawn = _draw(source, methods, metrics, observe)

    # Choice.
    choices = choose_procedures(
        methods, metrics, drawn, rows, on_error=options.on_error, not_over_time=not_over_time
    )
    procedures = procedures_of(choices)
    drawn = drawn._replace(planned=with_row_times(drawn.planned, procedures, X))
    design = drawn.planned.design
    check_classes_in_groups(estimators, y, rows.groups, design.unit)
    check_general(methods, procedures, metrics, drawn, rows, splitter, not_over_time=not_over_time)

    # Auxiliary splits.
    parts = [drawn.planned]
    undefined = _undefined_on(drawn, choices)
    request = next(iter(procedures.values())).auxiliary_request(design)
    if request is None:
        _check_random_state_is_used(random_state, splitter, options)
    else:
        names = [lacking.metric for lacking in undefined]
        auxiliary, lacking = _draw_auxiliary(source, methods, metrics, names, make(request), design)
        parts.append(auxiliary)
        undefined += lacking

    # Fits.
    dropped: dict[str, Choice] = {}
    if undefined:
        remedy = remedy_over_time(drawn.planned, X)
        dropped = drop_undefined(undefined, len(metrics), options.on_error, remedy=remedy)
        metrics = [metric for metric in metrics if metric.name not in dropped]
        undefined = [lacking for lacking in undefined if lacking.metric not in dropped]
        choices = {metric.name: choices[metric.name] for metric in metrics}
        routed = _route(estimators, metrics, splitter, groups, options)
    refuse_too_many_units(metrics, procedures, design, routed.weights)
    work = Workload.of(
        estimators,
        metrics,
        rows=_row_scoring(methods, procedures, metrics, y, rows.groups, routed),
        routed=routed,
        failures=FailedFits(options.error_score),
        seeds=seeds,
    )
    return FitPlan(
        work=work,
        X=X,
        y=y,
        groups=groups,
        scoring=all_metrics[0].given if scoring is None else scoring,
        routed=routed,
        parts=parts,
        options=options,
        undefined=undefined,
        choices={**choices, **lost, **dropped},
    )


def plan_scores(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    metrics: Sequence[Metric],
    *,
    groups: Any,
    cv: Any,
    options: FitOptions,
    observe: Observe,
    splits: Any = None,
) -> FitPlan:
    """Plan the fits of scikit-learn's `cross_val_score`, on some of the splits or on all."""
    # Inputs: scikit-learn may need no target, and also takes frames whose rows are in other orders.
    check_refitted(estimators)
    X, y, groups = check_data(X, y, groups)
    options.check_lengths(X)

    # Splits.
    of_classes = all(map(is_classifier, estimators.values()))
    splitter = to_splitter(cv, y, classifier=of_classes)

    # Metrics.
    check_target(y, metrics, estimators)
    if isinstance(metrics[0].given, str):  # else scikit-learn says what is wrong
        metrics = resolve_metrics(metrics, estimators)
    else:
        refuse_function_of_predictions(metrics[0])
    routed = _route(estimators, metrics, splitter, groups, options)
    plan = _plan_as_sklearn(
        estimators,
        X,
        y,
        groups,
        metrics,
        splitter,
        routed,
        options,
        observe=observe,
        may_overlap=True,
    )
    if splits is None:
        return plan
    return replace(plan, numbers=check_splits(splits, len(plan.parts[0].splits)))


def plan_race(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    metrics: Sequence[Metric],
    *,
    cv: Any,
    request: DesignRequest,
    random_state: Any,
    routed: Routed,
    options: FitOptions,
    observe: Observe,
    may_overlap: bool,
) -> FitPlan:
    """Plan the fits of a race, on the splits of `cv` or those that are requested."""
    check_refitted(estimators)
    groups = routed.split.get("groups")
    X, y, groups = check_data(X, y, groups)
    options.check_lengths(X)
    of_classes = all(map(is_classifier, estimators.values()))
    if cv is not None:
        splitter = to_splitter(cv, y, classifier=of_classes)
    else:  # the splitter is made of the target
        check_target(y, metrics, estimators)
        check_whole_target(y, metrics)
        splitter = make_splitter(request, random_state, (X, y, groups), classifier=of_classes)
    return _plan_as_sklearn(
        estimators,
        X,
        y,
        groups,
        metrics,
        splitter,
        routed,
        options,
        observe=observe,
        may_overlap=may_overlap,
    )


def _plan_as_sklearn(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    groups: Any,
    metrics: Sequence[Metric],
    splitter: Any,
    routed: Routed,
    options: FitOptions,
    *,
    observe: Observe,
    may_overlap: bool,
) -> FitPlan:
    """Plan fits, which may fail, as in scikit-learn, without a procedure."""
    refuse_outside(metrics, y)
    refuse_other_kinds(estimators, metrics, y)
    labels = LabelCounts(metrics, y)
    watch = observe(splitter, X, y, routed.split.get("groups"))
    observers = [labels, *watch.observers]
    planned = plan_splits(
        splitter, X, y, routed.split, may_overlap=may_overlap, observers=observers
    )
    work = Workload.of(
        estimators,
        metrics,
        routed=routed,
        failures=FailedFits(options.error_score, as_sklearn=True),
        with_training_scores=options.return_train_score,
    )
    return FitPlan(
        work=work,
        X=X,
        y=y,
        groups=groups,
        scoring=metrics[0].given,
        routed=routed,
        parts=[replace(planned, watch=watch)],
        options=options,
        undefined=find_undefined(labels),
    )


def _fresh_seeds(random_state: Any) -> FreshSeeds:
    """Return the seeds of the fits, which follow from a random state."""
    seed = random_state
    if not is_integer(random_state):
        seed = check_random_state(random_state).randint(2**32, dtype=np.uint32)
    return FreshSeeds(int(seed))


def _drop_unsuitable(metrics: Sequence[Metric], y: Any, on_error: str) -> dict[str, Choice]:
    """Return why metrics are dropped that do not suit the labels or the numbers of the target."""
    unsuitable = []
    for metric in metrics:
        complaint = unknown_labels(metric, y)
        if metric.function_name in RELATIVE_TO_ZERO:
            complaint = outside_range(metric, y)
        if complaint is not None:
            unsuitable.append(Undefined(metric.name, *complaint))
    if not unsuitable:
        return {}
    return drop_undefined(
        unsuitable, len(metrics), on_error, code="unknown labels", error=ValueError
    )


def _route(
    estimators: Mapping[str, Any],
    metrics: Sequence[Metric],
    splitter: Any,
    groups: Any,
    options: FitOptions,
) -> Routed:
    """Decide who gets which `params`, as scikit-learn does with metadata routing and without it."""
    params = options.given
    if not get_config().get("enable_metadata_routing", True):
        return Routed((params,) * len(estimators), split={"groups": groups})
    of_rows = {} if groups is None else {"groups": groups}
    if params.keys() & of_rows.keys():
        raise ValueError("groups is given twice: as groups= and in params. Give it once.")

    def mapping_to(callee: str) -> MethodMapping:
        return MethodMapping().add(caller="fit", callee=callee)

    router = MetadataRouter(owner="skcvstats")
    models = {f"estimator_{k}": model for k, model in enumerate(estimators.values())}
    router.add(**models, method_mapping=mapping_to("fit"))
    router.add(splitter=splitter or GroupKFold(), method_mapping=mapping_to("split"))
    router.add(scorer=scorer_of(metrics, estimators), method_mapping=mapping_to("score"))
    params |= dict.fromkeys(router.consumes("fit", of_rows.keys()), groups)
    routed = process_routing(router, "fit", **params)
    fit_params = tuple(routed[name].fit for name in models)
    weights = {metric.name: metric.weights(routed.scorer.score) for metric in metrics}
    # They are units of the test also where the splits are a list, which requests nothing.
    split = {**of_rows, **routed.splitter.split}
    return Routed(fit_params, routed.scorer.score, split, weights)


def _draw(
    source: SplitSource, methods: Methods, metrics: Sequence[Metric], observe: Observe
) -> DrawnSplits:
    """Draw the splits of a splitter or of the preferred procedure, and walk and watch them once."""
    rows = source.rows
    y = source.y
    splitter, requested_by, too_few = _find_splitter(source, methods)
    watch = observe(splitter, rows.X, y, rows.groups)
    observers = list(watch.observers)
    in_folds = _computed_in_folds(methods.usual(over_time=False), metrics)
    labels = LabelCounts(metrics, y, of_rows=in_folds, groups=rows.groups, weights=rows.weights)
    observers.append(labels)
    request = None
    with CaughtWarnings():
        if requested_by is not None:  # such folds are fine
            request = requested_by.request
            warnings.filterwarnings("ignore", "The (least populated class in y|groups parameter)")
        planned = plan_splits(splitter, rows.X, y, source.params, observers=observers)
    planned = replace(planned, request=request, watch=watch)
    return DrawnSplits(planned, labels, requested_by, too_few)


def _find_splitter(
    source: SplitSource, methods: Methods
) -> tuple[Any, Procedure | None, Reason | None]:
    """Return the splitter, the procedure that requests it, and why the preferred one does not."""
    if source.splitter is not None:
        return source.splitter, None, None
    general = methods.general
    preferred = methods.preferred
    if preferred is None:
        return source.make(general.request), general, None
    groups = source.rows.groups
    too_few = too_few_for(preferred.request, source.rows.X, groups)
    if too_few is None:
        return source.make(preferred.request), preferred, None
    if groups is None:
        each_alone: Any = LeaveOneOut()
    elif encode_labels("groups", groups).max() > 0:
        each_alone = LeaveOneGroupOut()
    else:  # a single group
        return source.make(general.request), general, too_few
    values = {**too_few.values, "splitter": str(each_alone)}
    return each_alone, general, Reason("few units, each tested alone", values)


def _computed_in_folds(procedure: Procedure, metrics: Sequence[Metric]) -> list[Metric]:
    """Return the metrics that a procedure has computed again without each unit of a fold."""
    if not procedure.needs_rows:
        return []
    return [metric for metric in metrics if metric.of_rows == "fold"]


def _undefined_on(drawn: DrawnSplits, choices: Mapping[str, Choice]) -> list[Undefined]:
    """Return the metrics that are not defined on some splits, and those without a valid test."""
    undefined = find_undefined(drawn.labels)
    return undefined + [Undefined(name, fact) for name, fact in untested(choices).items()]


def _draw_auxiliary(
    source: SplitSource,
    methods: Methods,
    metrics: Sequence[Metric],
    undefined_names: Sequence[str],
    splitter: Any,
    design: SplitDesign,
) -> tuple[PlannedSplits, list[Undefined]]:
    """Draw the auxiliary splits, and return which metrics, beside known ones, are undefined."""
    others = [metric for metric in metrics if metric.name not in undefined_names]
    in_folds = _computed_in_folds(methods.general, others)
    groups = source.rows.groups
    labels = LabelCounts(others, source.y, of_rows=in_folds, kind="auxiliary ", groups=groups)
    params: Mapping[str, Any] = {}
    if design.unit == "groups":
        params = source.params
    try:
        planned = plan_splits(splitter, source.rows.X, source.y, params, observers=[labels])
    except SplitDesignError as error:
        raise SplitDesignError(
            f"The auxiliary splits that the method asks for cannot be drawn: {error}"
        ) from error
    check_rows(labels)
    return planned, find_undefined(labels)


def _row_scoring(
    methods: Methods,
    procedures: Mapping[str, Procedure],
    metrics: Sequence[Metric],
    y: Any,
    groups: Any,
    routed: Routed,
) -> RowScoring:
    """Return what the scores of rows need, for the metrics whose procedures need such scores."""
    names = [name for name, procedure in procedures.items() if procedure.needs_rows]
    if groups is not None:
        groups = encode_labels("groups", groups).astype(np.intp)
    return row_scoring_of(
        metrics,
        names,
        y,
        groups=groups,
        weights=routed.weights,
        may_be_missing=methods.preferred in procedures.values(),
    )


class PlannedFolds(NamedTuple):
    """The folds that predictions are of, watched for what a metric needs of them."""

    plan: PlannedSplits
    labels: LabelCounts
    procedure: Procedure
    metric: Metric
    y: Any
    routed: Routed  # the groups and the weights of rows

    def check(self) -> list[Undefined]:
        """Return what is doubtful; raise an error for what does not suit the procedure."""
        plan = self.plan
        procedure = self.procedure
        metric = self.metric
        procedure.require(plan.design)
        known: dict[str, Any] = {**self.routed.split, "tests": plan.tests()}
        reason = procedure.unsuitable(**known, n_rows=len(self.y))
        if reason is not None:
            raise SplitDesignError(reason)
        if procedure.needs_rows:
            check_row_metric(procedure, metric)
        check_rows(self.labels)
        undefined = find_undefined(self.labels)
        drop_undefined(undefined, 1, "raise")
        procedures = {metric.name: procedure}
        refuse_too_many_units([metric], procedures, plan.design, self.routed.weights)
        return undefined


def plan_folds(
    procedure: Procedure,
    metric: Metric,
    cv: Any,
    y: Any,
    groups: Any,
    weights: Any,
    observe: Observe,
) -> PlannedFolds:
    """Draw the splits that predictions are of, and watch for what the metric needs of them."""
    known = {metric.name: weights}
    in_folds = _computed_in_folds(procedure, [metric])
    labels = LabelCounts([metric], y, of_rows=in_folds, groups=groups, weights=known)
    # Predictions are there, whatever their models were trained on.
    labels.trained_metrics.clear()
    splitter = to_splitter(cv, y, classifier=False)
    rows = np.arange(len(y))
    about = splitter, rows, y, {"groups": groups}
    watch = observe(splitter, rows, y, groups)
    plan = replace(plan_splits(*about, observers=[labels, *watch.observers]), watch=watch)
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
    if metrics[0].given is None:  # of an estimator's own score nothing is known
        return {}
    labels = LabelCounts(metrics, y)
    if plan_splits(cv, X, y, {"groups": groups}, observers=[labels]).unseeded:
        return {}
    return {undefined.metric: undefined for undefined in find_undefined(labels)}


def _check_random_state_is_used(random_state: Any, cv: Any, options: FitOptions) -> None:
    """Raise ValueError if a seed is given with a splitter and would have no effect."""
    own_state = getattr(cv, "random_state", None)
    if cv is None or options.fresh_seeds or random_state in (None, 0, own_state):
        return
    raise ValueError(
        f"random_state={random_state!r} seeds only the splits that are drawn here, and with "
        f"{one_line(cv)} none are drawn. Seed the splitter itself if it draws at "
        f"random, as ShuffleSplit(..., random_state={random_state!r}) or KFold(..., shuffle=True, "
        f"random_state={random_state!r}), and leave random_state out."
    )
