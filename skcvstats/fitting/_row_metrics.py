"""Which metrics a procedure that works on rows can use, and what to run for the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._arrays import one_output
from .._utils._checks import one_line
from ..exceptions import SplitDesignError
from ..stats import Procedure
from ._row_scores import AREA
from ._scoring import Metric, Scoring
from ._splits import PlannedSplits

if TYPE_CHECKING:
    from ._measure import Call

# Metrics of which a function of a mean over rows is the usual relative.
_OF_SQUARES = ("r2", "neg_root_mean_squared_error")


def check_row_metrics(procedure: Procedure, scoring: Scoring, call: Call) -> None:
    """Raise ValueError for a metric of which the procedure cannot use the scores of rows."""
    routed, labels = call.route(scoring), one_output(call.y)
    has_two = labels is not None and len(np.unique(labels)) == 2
    plain = has_two and routed.split.get("groups") is None
    for name, given in scoring.given.items():
        rows, metric = scoring.rows.get(name), Metric(given)
        why = "is not a mean of scores of the rows"
        if callable(given) and not metric.is_scorer:
            why = "gives one number for a test set, not one for each row"
        elif rows is not None and rows.suits(procedure):
            if not rows.is_area or (plain and weights_for(given, routed.score) is None):
                continue
            why = "has scores of rows only for two classes, without groups and weights"
        raise ValueError(_refusal(procedure, metric, why, call))


def _refusal(procedure: Procedure, metric: Metric, why: str, call: Call) -> str:
    """Say why a metric does not serve, and show the lines that do."""
    several = len(call.estimators) > 1
    door = "compare_estimators(estimators" if several else "cross_val_inference(estimator"
    groups = "" if call.groups is None else ", groups=groups"
    held = type(call.cv).__name__ == "_CVIterableWrapper"  # its representation shows every row
    same = f", cv={'cv' if held else one_line(call.cv)}"
    splits = "" if procedure.request.n_splits == 1 else same  # one split does for no other test

    def line(scoring: str, cv: str, method: str) -> str:
        return f"{door}, X, y{groups}, scoring={scoring}{cv}, method={method!r})"

    shown = repr(metric.given) if isinstance(metric.given, str) else metric.describe()
    on = "On the same splits run" if splits else "Run"
    said = f"scoring={shown} {why}, which the {procedure.title} works on. {on} "
    said += line(shown, splits, "corrected_resampled_t")
    if metric.given in _OF_SQUARES:
        said += f", or {line(repr('neg_mean_squared_error'), same, procedure.name)}"
    return f"{said}."


def weights_for(metric: Any, params: Mapping[str, Any]) -> Any:
    """Return the weights of rows that a metric requests; None if it takes all rows alike."""
    if not params or not Metric(metric).is_scorer:
        return None
    name = metric.get_metadata_routing().score.requests.get("sample_weight")
    return params.get("sample_weight" if name is True else name)


def check_two_of_each(y: Any, plans: Sequence[PlannedSplits]) -> None:
    """Raise SplitDesignError if a test set lacks two rows of a class, on which areas depend."""
    codes = np.unique(np.ravel(y), return_inverse=True)[1]
    fewest = [np.bincount(codes[rows], minlength=2).min() for p in plans for rows in p.tests()]
    if n := sum(count < 2 for count in fewest):
        raise SplitDesignError(
            f"{n} of {len(fewest)} test sets {'holds' if n == 1 else 'hold'} fewer than two rows "
            f"of a class, so {AREA} has no scores of rows there. Use fewer folds, or stratified "
            "ones, such as cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)."
        )
