"""Which metrics a procedure can use, on which splits, and what to run for the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._arrays import one_output
from .._utils._checks import is_integer, one_line
from .._utils._text import cut
from ..exceptions import SplitDesignError
from ..splitters import RepeatedGroupKFold, encode_labels
from ..stats import Procedure
from ._row_scores import AREA, RowScorer
from ._scoring import Metric, Scoring
from ._splits import PlannedSplits
from ._target import find_undefined, refuse

if TYPE_CHECKING:
    from ._measure import Call

# Metrics of which a function of a mean over rows is the usual relative.
_OF_SQUARES = ("r2", "neg_root_mean_squared_error")
_OTHER = "method='corrected_resampled_t'"


def check_row_metrics(procedure: Procedure, scoring: Scoring, call: Call, drawn: bool) -> None:
    """Raise ValueError for a metric of which the procedure cannot use the scores of rows."""
    routed, change = call.route(scoring), _other_test(procedure, call, drawn)
    for name, given in scoring.given.items():
        plain = routed.split.get("groups") is None and weights_for(given, routed.score) is None
        y = call.y if plain else None
        check_row_metric(procedure, given, scoring.rows.get(name), y, change)


def _other_test(procedure: Procedure, call: Call, drawn: bool) -> str:
    """Return the arguments that run a test of splits, on the same ones where there are several."""
    if procedure.request.n_splits == 1:  # one split does for no other test
        return _OTHER if drawn else f"{_OTHER} and without cv="
    if not drawn:
        return _OTHER
    cv, seed = copy(call.cv), call.cv.random_state
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


def check_row_metric(
    procedure: Procedure, given: Any, rows: RowScorer | None, y: Any, change: str = _OTHER
) -> None:
    """Raise ValueError for a metric that does not serve, and say which arguments to change.

    There is no y where rows have groups or weights.
    """
    metric, labels = Metric(given), one_output(y)
    shown = f"scoring={repr(given) if isinstance(given, str) else metric.describe()}"
    why = procedure.unsuitable(shown, of_rows=_scores_of_rows(metric, rows))
    if why is None:
        if rows is None or not rows.is_area or (labels is not None and len(np.unique(labels)) == 2):
            return
        why = f"{shown} has scores of rows only for two classes, without groups and weights"
        if given == AREA and labels is not None:  # itself for two classes
            change = f"scoring='roc_auc_ovr', {change}"
    said = (
        f"The {procedure.title} works on scores of rows, and {why}. Repeat the call with {change}"
    )
    if given in _OF_SQUARES:
        said += ", or with scoring='neg_mean_squared_error'"
    raise ValueError(f"{said}.")


def _scores_of_rows(metric: Metric, rows: RowScorer | None) -> str | None:
    """Return what the scores of rows are, as `Procedure.unsuitable` is told."""
    if rows is not None:
        return AREA if rows.is_area else "mean"
    is_known = isinstance(metric.given, str) or metric.is_of_sklearn
    return "none" if is_known else None


def unsuited_metrics(procedure: Procedure, metrics: Mapping[str, Any]) -> dict[str, str]:
    """Return the metrics that are no means over rows, though a procedure needs these, and why."""
    reasons = {}
    for name, given in metrics.items():
        rows = RowScorer.of(given)
        kind = _scores_of_rows(Metric(given), rows)
        why = procedure.unsuitable(cut(name), of_rows="none" if kind == AREA else kind)
        if why is not None:
            why += ", neg_mean_squared_error is" if given in _OF_SQUARES else ""
            why += "; pass scikit-learn's own metric, if it has it" if kind is None else ""
            reasons[name] = why
    return reasons


def check_metric_on(
    procedure: Procedure, plan: PlannedSplits, given: Any, rows: Any, y: Any, plain: bool
) -> None:
    """Raise an error for a metric that the procedure cannot use, or a test set does not define."""
    if procedure.needs_rows:
        check_row_metric(procedure, given, rows, y if plain else None)
        if rows.is_area:
            _check_two_of_each(y, [plan])
    if rows is None or rows.is_area:
        refuse(find_undefined({Metric(given).name: given}, y, [plan]), several=False)


def weights_for(metric: Any, params: Mapping[str, Any]) -> Any:
    """Return the weights of rows that a metric requests; None if it takes all rows alike."""
    if not params or not Metric(metric).is_scorer:
        return None
    name = metric.get_metadata_routing().score.requests.get("sample_weight")
    return params.get("sample_weight" if name is True else name)


def check_classes_of_folds(
    rows: Mapping[str, RowScorer], y: Any, plans: Sequence[PlannedSplits]
) -> None:
    """Raise SplitDesignError if a training or a test set lacks a class that a metric needs."""
    if any(found.is_area for found in rows.values()):
        _check_two_of_each(y, plans)
    for reason in lacking_classes(rows, y, plans).values():
        raise SplitDesignError(reason)


def lacking_classes(
    rows: Mapping[str, RowScorer | None], y: Any, plans: Sequence[PlannedSplits], groups: Any = None
) -> dict[str, str]:
    """Return the metrics that need each class in training, and why a training set lacks one.

    Without plans that is known of a class in a single row or group only.
    """
    metrics = [name for name, found in rows.items() if found is not None and found.is_of_classes]
    if not metrics or (labels := one_output(y)) is None:
        return {}
    classes, codes = np.unique(labels, return_inverse=True)
    if plans:
        trains = (train for plan in plans for train, _ in plan.pairs())
        held = [np.bincount(codes[train], minlength=len(classes)) for train in trains]
        lacked = [counts == 0 for counts in held if not counts.all()]
        n = len(lacked)
        where = f"{n} of {len(held)} training sets {'lacks' if n == 1 else 'lack'} a class"
    else:
        units = np.arange(len(codes)) if groups is None else encode_labels("groups", groups)
        of_pairs = np.unique(np.stack([codes, units]), axis=1)[0]
        lone = np.bincount(of_pairs) == 1
        lacked = [lone] if lone.any() else []
        where = "in each repeat a training set lacks a class"
    if not lacked:
        return {}
    said = f"{where} (the first {classes[lacked[0]].tolist()[0]!r}), so models have no probability"
    remedy = (
        "Use stratified folds, such as cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4, "
        "random_state=0), or leave out rows of classes that have so few."
    )
    return {metric: f"{said} of it, which {metric} needs. {remedy}" for metric in metrics}


def _check_two_of_each(y: Any, plans: Sequence[PlannedSplits]) -> None:
    """Raise SplitDesignError if a test set lacks two rows of a class, on which areas depend."""
    codes = np.unique(np.ravel(y), return_inverse=True)[1]
    fewest = [np.bincount(codes[rows], minlength=2).min() for p in plans for rows in p.tests()]
    if n := sum(count < 2 for count in fewest):
        most = min(5, int(np.bincount(codes).min()) // 2)
        remedy = (
            f"Use stratified folds, {most} at most: RepeatedStratifiedKFold(n_splits={most}, "
            "n_repeats=4, random_state=0)."
        )
        if most < 3:
            remedy = "The rarer class has too few rows for that; use scoring='neg_log_loss'."
        raise SplitDesignError(
            f"{n} of {len(fewest)} test sets {'holds' if n == 1 else 'hold'} fewer than two rows "
            f"of a class, so {AREA} has no scores of rows there. {remedy}"
        )
