"""Choose the procedure of each metric from the splits and the metric, and refuse what has none."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from .._utils._arrays import order_of
from .._utils._checks import n_rows
from .._utils._date_columns import WHOLE_DATES, TimeColumn, has_dates_in_index, time_column
from .._utils._metrics import shown_as
from .._utils._text import cut
from ..exceptions import SplitDesignError
from ..scores import SplitDesign
from ..stats import METHODS, DieboldMarianoTest, Procedure, Reason
from ._hints import or_drop
from ._labels import LabelCounts, Undefined, check_rows, find_without_rows
from ._metrics import Metric
from ._splits import PlannedSplits, Splits

# Of a metric and an estimator, where each without a row or group is a call.
_MOST_CALLS = 20_000
# Metrics with a usual relative that is a function of a mean over rows.
_OF_SQUARES = ("r2", "neg_root_mean_squared_error")
_OTHER = "method='corrected_resampled_t'"
_LONGER_PERIODS = "Use longer test periods: fewer splits, or test_size= of TimeSeriesSplit"


class Methods(NamedTuple):
    """The procedures that a call may take: the one it asks for, or those of method="auto"."""

    general: Procedure  # the one it asks for, or the one for any metric and splits
    preferred: Procedure | None = None  # where it suits the metric and the splits
    over_time: Procedure | None = None  # for splits in time order, where it is the only one

    def usual(self, *, over_time: bool) -> Procedure:
        """Return the procedure that is taken unless there is a reason against it."""
        if over_time and self.over_time is not None:
            return self.over_time
        return self.preferred or self.general


class Choice(NamedTuple):
    """The procedure for one metric, None if there is none, and why it is not the usual one."""

    procedure: Procedure | None
    reason: Reason | None = None


def choose_procedure(methods: Methods, over_time: bool, reason: Reason | None) -> Choice:
    """Return the choice for one metric, given the reason against its usual procedure, or None."""
    usual = methods.usual(over_time=over_time)
    if reason is None:
        if usual is methods.over_time:
            return Choice(usual, Reason("time order"))
        return Choice(usual)
    if usual is methods.preferred:
        return Choice(methods.general, reason)
    return Choice(None, reason)


def procedures_of(choices: Mapping[str, Choice]) -> dict[str, Procedure]:
    """Return the procedure of each metric that has one."""
    return {
        name: choice.procedure for name, choice in choices.items() if choice.procedure is not None
    }


def untested(choices: Mapping[str, Choice]) -> dict[str, str]:
    """Return why each metric without a procedure has none."""
    return {
        name: choice.reason.fact  # type: ignore[union-attr]  # each has one
        for name, choice in choices.items()
        if choice.procedure is None
    }


class DrawnSplits(NamedTuple):
    """The main splits of a call, walked once, and what was found on the way."""

    planned: PlannedSplits
    labels: LabelCounts
    requested_by: Procedure | None  # None for those of a splitter that was given
    too_few: Reason | None  # why the folds of the preferred procedure cannot be drawn


class SplitRows(NamedTuple):
    """The rows of the data that splits are of, as procedures are asked about them."""

    X: Any
    groups: Any
    weights: Mapping[str, Any]  # of the rows in each metric, None where it has none


def choose_procedures(
    methods: Methods,
    metrics: Sequence[Metric],
    drawn: DrawnSplits,
    rows: SplitRows,
    *,
    on_error: str,
    not_over_time: str,
) -> dict[str, Choice]:
    """Choose the procedure of each metric; SplitDesignError if no procedure is for such splits."""
    # `not_over_time` is the error of a caller that does not accept splits in time order.
    planned = drawn.planned
    design = planned.design
    over_time = design.in_time_order
    if design.n_splits == 1 and methods.over_time is not None:  # only dates show it
        over_time = isinstance(row_times(planned.splits, rows.X), np.ndarray)
    usual = methods.usual(over_time=over_time)
    if not_over_time and over_time:
        raise SplitDesignError(not_over_time)
    asked_for = usual is methods.general
    names = [metric.name for metric in metrics]
    reasons: dict[str, Reason] = {}
    if drawn.too_few is not None:
        reasons = dict.fromkeys(names, drawn.too_few)
    elif usual._in_order or not asked_for:
        reasons = reasons_against(usual, metrics, drawn, rows, asked_for=asked_for)
    elif over_time:
        _refuse_time_order(usual, metrics, drawn, rows)
    if usual._in_order and reasons:
        is_some_left = len(reasons) < len(metrics)
        if not (is_some_left and on_error == "drop"):
            _refuse_untested(methods.general, reasons, design, is_some_left=is_some_left)
    return {name: choose_procedure(methods, over_time, reasons.get(name)) for name in names}


def reasons_against(
    procedure: Procedure,
    metrics: Sequence[Metric],
    drawn: DrawnSplits,
    rows: SplitRows,
    *,
    asked_for: bool,
) -> dict[str, Reason]:
    """Return why a procedure does not suit metrics on these splits, for those that it does not."""
    design = drawn.planned.design
    remedy = ""
    facts: dict[str, Any] = {"n_rows": n_rows(rows.X), "groups": rows.groups, "design": design}
    if procedure._in_order:
        remedy = f"{_LONGER_PERIODS}."
        facts["times"] = row_times(drawn.planned.splits, rows.X)
    without_rows = find_without_rows(drawn.labels, remedy=remedy)
    # Most metrics have the same weights, for which the splits are looked at once.
    by_weights: dict[int, str | None] = {}
    reasons = {}
    for metric in metrics:
        name = metric.name
        shown = cut(shown_as(name).name)
        weights = rows.weights.get(name)
        against_metric = procedure.unsuitable(shown, of_rows=metric.of_rows)
        if against_metric:
            reasons[name] = Reason("unsuitable metric", {"words": against_metric})
            continue
        too_many = too_many_units(metric, design, weights)
        if metric.of_rows == "not measured" and not asked_for:
            values = {"title": procedure.title, "metric": shown, "name": procedure.name}
            reasons[name] = too_many or Reason("not measured", values)
            continue
        if id(weights) not in by_weights:
            tests = drawn.planned.tests()
            answer = procedure.unsuitable(**facts, tests=tests, sample_weight=weights)
            by_weights[id(weights)] = answer
        against_splits = by_weights[id(weights)]
        if against_splits:
            reasons[name] = Reason("unsuitable splits", {"words": against_splits})
        elif name in without_rows:
            reasons[name] = Reason("unsuitable test sets", {"words": without_rows[name]})
        elif too_many is not None:
            reasons[name] = too_many
    return reasons


def too_many_units(metric: Metric, design: SplitDesign, weights: Any) -> Reason | None:
    """Return that a metric without a closed form would be computed again for too many units."""
    if metric.of_rows not in ("fold", "not measured"):
        return None
    n_calls = round(sum(design.n_test))
    how = {"grouped": design.unit != "rows", "weighted": weights is not None}
    if n_calls <= _MOST_CALLS or metric.function.is_quick(**how):
        return None
    values = {"unit": design.unit, "metric": cut(metric.name), "n_calls": n_calls}
    return Reason("too many units", values)


def are_over_time(design: SplitDesign, splits: Splits, X: Any) -> bool:
    """Tell whether splits are in time order, which of a single one only its rows show."""
    if design.n_splits > 1:
        return design.in_time_order
    return not isinstance(row_times(splits, X), str)


def with_row_times(
    planned: PlannedSplits, procedures: Mapping[str, Procedure], X: Any
) -> PlannedSplits:
    """Return splits with the times of the rows, if a procedure is over time."""
    if not any(procedure._in_order for procedure in procedures.values()):
        return planned
    return replace(planned, row_times=row_times(planned.splits, X))


def row_times(splits: Splits, X: Any) -> Any:
    """Return the number of each row's time, None for their order, or why they have none."""
    ends = [(train.max(), test.min()) for train, test, _ in splits.take(splits.held)]
    last_trained, first_tested = np.reshape(ends, (-1, 2)).T
    if not ends or (last_trained >= first_tested).any():
        return (
            "These splits train on rows that come after their test rows, so they do not "
            "forecast. Use cv=TimeSeriesSplit()."
        )
    try:
        column = time_column(X)
        if has_dates_in_index(X):
            column = TimeColumn("X.index", X.index, order_of("The index of X", X.index))
    except ValueError as error:
        return str(error)
    if column is None:
        return None
    times = column.times
    if (np.diff(times) < 0).any():
        return (
            "The dates in the index of X do not ascend, and these splits are in the order of "
            "rows. Sort X, and y with it: X = X.sort_index()."
        )
    shared_dates = np.flatnonzero(times[last_trained] == times[first_tested])
    if shared_dates.size:
        k = shared_dates[0]
        date = next(islice(column.values, first_tested[k], None))
        return (
            f"Split {k} tests on rows of {date}, on which it trains too. {WHOLE_DATES}, with dates "
            f"= {column.code}."
        )
    return times


def _refuse_untested(
    asked: Procedure, reasons: Mapping[str, Reason], design: SplitDesign, *, is_some_left: bool
) -> None:
    """Raise SplitDesignError for metrics that the test over time does not take."""
    metric, reason = next(iter(reasons.items()))
    if asked._in_order:
        fact = f"The {asked.title} works on scores of rows"
        sentences = str(reason)
    else:
        design.require(who=f"The {asked.title}", distinct=True)
        fact = f"On splits in time order only the {DieboldMarianoTest.title} is valid"
        sentences = f"{fact}. {reason}"
    if reason.has_remedy:
        raise SplitDesignError(sentences)
    drop = or_drop("it", is_some_left)
    raise SplitDesignError(
        f"{fact}, and {reason}. Use another metric in place of {cut(metric)}, such as "
        f"neg_mean_absolute_error or neg_log_loss{drop}."
    )


def _refuse_time_order(
    asked: Procedure, metrics: Sequence[Metric], drawn: DrawnSplits, rows: SplitRows
) -> None:
    """Raise SplitDesignError for a test that is not valid on splits in time order."""
    reasons = reasons_against(DieboldMarianoTest(), metrics, drawn, rows, asked_for=False)
    if len(reasons) == len(metrics):
        _refuse_untested(asked, reasons, drawn.planned.design, is_some_left=False)
    not_all = "".join(
        f" It does not take {cut(metric)}: {reason.fact}." for metric, reason in reasons.items()
    )
    raise SplitDesignError(
        f"The {asked.title} is not valid for splits in time order. Use "
        f'method="diebold_mariano".{not_all}'
    )


def check_general(
    methods: Methods,
    procedures: Mapping[str, Procedure],
    metrics: Sequence[Metric],
    drawn: DrawnSplits,
    rows: SplitRows,
    cv: Any,
    *,
    not_over_time: str,
) -> None:
    """Raise an error unless the general procedure, if it is taken, suits metrics and splits."""
    procedure = methods.general
    is_taken = procedure in procedures.values()
    if not is_taken or procedure._in_order:  # by which it was chosen
        return
    planned = drawn.planned
    weights = [None]
    if procedure.needs_rows:
        for metric in metrics:
            check_row_metric(procedure, metric, cv)
            if rows.weights.get(metric.name) is not None:
                weights.append(rows.weights[metric.name])
    try:
        procedure.require(planned.design)
    except SplitDesignError as error:
        advice = ""
        if not not_over_time:
            advice = _advice_on_single_splits(methods, metrics, drawn, rows)
        _raise_unsuitable(procedure, error, advice, is_requested=drawn.requested_by is procedure)
    for sample_weight in weights:
        reason = procedure.unsuitable(
            groups=rows.groups,
            tests=planned.tests(),
            sample_weight=sample_weight,
            n_rows=n_rows(rows.X),
        )
        if reason:
            raise SplitDesignError(reason)
    if procedure.needs_rows:
        check_rows(drawn.labels)


def _advice_on_single_splits(
    methods: Methods, metrics: Sequence[Metric], drawn: DrawnSplits, rows: SplitRows
) -> str:
    """Return what to do if a single split is in time order, where all metrics have such a test."""
    if methods.over_time is None:
        return ""
    if reasons_against(methods.over_time, metrics, drawn, rows, asked_for=False):
        return ""
    return 'If the rows are in time order, use method="diebold_mariano".'


def _raise_unsuitable(
    procedure: Procedure, error: SplitDesignError, advice: str, *, is_requested: bool
) -> None:
    """Raise SplitDesignError for splits that a procedure refused; it may have requested them."""
    if advice:
        raise SplitDesignError(f"{error} {advice}") from None
    # Ours say what to do about the data; the advice of others may have just been followed.
    if not is_requested or type(procedure) is METHODS.get(procedure.name):
        raise error
    fact = str(error).partition(". ")[0].rstrip(".")
    raise SplitDesignError(
        f"{fact}. But these are the splits that {type(procedure).__name__} itself asks for "
        "without cv=: correct its `request` or its `require`, or pass cv=."
    ) from error


def check_row_metric(procedure: Procedure, metric: Metric, cv: Any = None) -> None:
    """Raise ValueError for a metric that does not serve, and say which arguments to change."""
    given = metric.given
    argument = metric.describe()
    if isinstance(given, str):
        argument = repr(given)
    reason = procedure.unsuitable(f"scoring={argument}", of_rows=metric.of_rows)
    if reason is None:
        return
    sentence = (
        f"The {procedure.title} works on scores of rows, and {reason}. Repeat the call with "
        f"{_OTHER}"
    )
    if cv is not None and procedure.request.n_splits == 1:  # which does for no other test
        sentence += " and without cv="
    if given in _OF_SQUARES:
        sentence += ", or with scoring='neg_mean_squared_error'"
    raise ValueError(f"{sentence}.")


def refuse_too_many_units(
    metrics: Sequence[Metric],
    procedures: Mapping[str, Procedure],
    design: SplitDesign,
    weights: Mapping[str, Any],
) -> None:
    """Raise SplitDesignError if a metric would be computed again for too many units."""
    for metric in metrics:
        procedure = procedures[metric.name]
        if not procedure.needs_rows:
            continue
        reason = too_many_units(metric, design, weights.get(metric.name))
        if reason is not None:
            raise SplitDesignError(
                f"The {procedure.title} works on scores of rows, and {reason}. Test on fewer "
                f"{design.unit}, or use {_OTHER}."
            )


def drop_undefined(
    undefined: Sequence[Undefined],
    n_metrics: int,
    on_error: str,
    *,
    code: str = "undefined metric",
    remedy: str = "",
    error: type[ValueError] = SplitDesignError,
) -> dict[str, Choice]:
    """Return why metrics that are not defined are dropped, or raise an error, with a remedy."""
    refused = [lacking for lacking in undefined if lacking.refused]
    facts = {lacking.metric: lacking.fact for lacking in refused}
    is_some_left = len(facts) < n_metrics
    if refused and not (is_some_left and on_error == "drop"):
        drop = or_drop(" and ".join(facts), is_some_left)
        raise error(f"{'. '.join(facts.values())}. {remedy or refused[0].remedy}{drop}.")
    return {name: Choice(None, Reason(code, {"words": fact})) for name, fact in facts.items()}


def remedy_over_time(planned: PlannedSplits, X: Any) -> str:
    """Return what to do about test sets that lack something, if splits are in time order."""
    if are_over_time(planned.design, planned.splits, X):
        return _LONGER_PERIODS
    return ""
