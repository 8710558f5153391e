"""What a metric needs of the labels of some rows, and what it lacks there.

Notes
-----
scikit-learn fills in 0.0 for f1 without a positive, and nan for roc_auc of a single class: these
are meaningless. `METRICS` has what each metric needs of a test set. Metrics that are computed again
without each unit of a test set, a row or a group, need two units of a class, or targets that differ
without any unit.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from .._utils._arrays import entries_of, not_finite_in, one_output, typed
from .._utils._checks import listed
from .._utils._metrics import FEWEST_ROWS, OF_VARIATION
from ._metrics import AREA, Metric
from ._row_scores import constant_without

# For each need of two labels: the reason where there are fewer, and whether scores are then refused
# even if the metric was passed as a scorer, whose user may want them.
_OF_TWO_LABELS = {
    "every class": ("one class", True),
    "two classes": ("one class", False),
    "two values": ("one value", True),
}
# What names of averages end with, where not "_macro".
_AVERAGES = {AREA: "_ovr", "average_precision": ""}
# What measures the same of other labels than 0 and 1, by the name of the metric.
_AVERAGE_OR_SCORER = (
    "an averaged metric such as scoring='{name}_macro', or make_scorer({function}, "
    "pos_label={label!r})"
)
_FOR_OTHER_LABELS = {
    "average_precision": (
        "make_scorer({function}, pos_label={label!r}, response_method='predict_proba')"
    )
}
# Functions whose scores of rows need two rows or groups of each class that they need.
_OF_TWO_UNITS = ("average_precision_score", "balanced_accuracy_score", "roc_auc_score")


class TargetLabels(NamedTuple):
    """The different values of a target, in order, and which of them each row has."""

    classes: np.ndarray
    codes: np.ndarray  # of each row the position of its class

    @classmethod
    def read(cls, y: Any) -> Self:
        """Return the labels of a target, none if they cannot be sorted."""
        return cls(*np.unique(sortable(y), return_inverse=True))

    @property
    def counts(self) -> np.ndarray:
        """The number of the rows of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))


class NeededLabels(NamedTuple):
    """The labels that a metric needs in a set of rows: at least some number of those here."""

    positions: np.ndarray
    least: int = 0
    reason: str = ""  # the code of the lack where there are fewer
    is_refused: bool = False  # even if the metric was passed as a scorer


class Lack(NamedTuple):
    """Why a metric is not defined, or means little, on some rows: a code, and values for words."""

    code: str
    values: Mapping[str, Any]
    is_refused: bool = True

    @property
    def is_of_labels(self) -> bool:
        """Whether labels are lacking, without which the metric is not defined."""
        return self.code != "few rows"


def needed_labels(metric: Metric, labels: TargetLabels) -> NeededLabels:
    """Return which labels of a target a metric needs in each set of rows that it scores."""
    n_classes = len(labels.classes)
    all_classes = np.arange(n_classes)
    if not metric.needs or not n_classes:
        return NeededLabels(all_classes)
    if metric.needs == "positive":
        if n_classes <= 2:
            positions = np.flatnonzero(labels.classes.astype(object) == metric.positive)
            # Where neither of two labels is the positive one, scikit-learn complains.
            least = max(len(positions), 2 - n_classes)
            return NeededLabels(positions, least, "no positive")
        if metric.function_name != "average_precision_score":
            return NeededLabels(all_classes)  # scikit-learn refuses more than two classes
    if metric.needs in ("every class", "positive") and n_classes > 2:
        return NeededLabels(all_classes, n_classes, "fewer classes", is_refused=True)
    reason, is_refused = _OF_TWO_LABELS[metric.needs]
    return NeededLabels(all_classes, 2, reason, is_refused)


def needs(metric: Metric, labels: TargetLabels, rows: np.ndarray) -> Lack | None:
    """Return what a metric lacks in some rows of a target, None if it is defined there."""
    needed = needed_labels(metric, labels)
    if needed.least:
        is_there = np.zeros(len(labels.classes), dtype=bool)
        is_there[labels.codes[rows]] = True
        if is_there[needed.positions].sum() < needed.least:
            values = {
                "positive": metric.positive,
                "n_classes": len(labels.classes),
                "lacking": labels.classes[~is_there].tolist(),
                "there": labels.classes[is_there].tolist(),
            }
            # Users who pass a scorer of one class may want it.
            is_refused = needed.is_refused or isinstance(metric.given, str)
            return Lack(needed.reason, values, is_refused)
    if metric.function_name in OF_VARIATION and len(rows) < FEWEST_ROWS:
        return Lack("few rows", {"n_rows": len(rows), "fewest": FEWEST_ROWS})
    return None


def needs_of_rows(
    metric: Metric, labels: TargetLabels, rows: np.ndarray, units: np.ndarray | None
) -> Lack | None:
    """Return what scores of rows, or of `units` of them, lack in a test set; None if nothing."""
    needed = needed_labels(metric, labels)
    if not needed.reason or not len(rows):
        return None
    codes = labels.codes[rows]
    units = entries_of(units, rows)
    if needed.reason == "one value":
        if _is_constant_without(codes, units):
            return Lack("one value without a unit", {})
    elif metric.function_name in _OF_TWO_UNITS and len(labels.classes) == 2:
        n_units = count_units(codes, units, 2)[needed.positions]
        if (n_units < 2).any():
            return Lack("single units", {})
    return None


class Complaint(NamedTuple):
    """A sentence that a metric does not know the labels of a target, and one on what to do."""

    fact: str
    remedy: str


def unknown_labels(metric: Metric, y: Any, target: str = "y") -> Complaint | None:
    """Return a complaint if a metric for two classes does not know the labels of a target."""
    if not metric.is_for_two_classes:
        return None
    labels = TargetLabels.read(y).classes
    if labels.dtype.kind == "f":  # scikit-learn refuses these itself
        return None
    classes = labels.tolist()
    average = _AVERAGES.get(metric.given, "_macro")
    if len(classes) > 2 and average:
        return Complaint(
            f"scoring={metric.given!r} is for two classes, and {target} has {len(classes)}: "
            f"{listed(classes)}",
            f"For more than two classes use an average, such as scoring='{metric.given}{average}'",
        )
    if 1 in classes or len(classes) < 2 or metric.given == AREA:
        return None
    remedy = _FOR_OTHER_LABELS.get(metric.given, _AVERAGE_OR_SCORER)
    named = {"name": metric.given, "function": metric.name_of_function, "label": classes[-1]}
    return Complaint(
        f"scoring={metric.given!r} takes 1 for the positive class, and {target} has the labels "
        f"{listed(classes)}: pos_label=1 is not a valid label",
        f"For labels other than 0 and 1 use {remedy.format_map(named)}",
    )


def count_units(codes: np.ndarray, units: np.ndarray | None, n_classes: int) -> np.ndarray:
    """Return the number of units, or of rows if there are none, that have each class."""
    if units is not None:
        # Each pair of a unit and a class is one number, and counts once.
        pairs = np.unique(units * n_classes + codes)
        codes = pairs % n_classes
    return np.bincount(codes, minlength=n_classes)


def _is_constant_without(codes: np.ndarray, units: np.ndarray | None) -> bool:
    """Return whether the targets are all one value, or are without one of the units."""
    numbers = np.arange(len(codes))
    if units is not None:
        numbers = np.unique(units, return_inverse=True)[1]
    n_units = int(numbers.max()) + 1
    return len(constant_without(codes[:, np.newaxis], numbers, n_units)) > 0


def sortable(y: Any) -> np.ndarray:
    """Return a target with one output as an array that can be sorted, else one of no numbers."""
    labels = typed(np.asarray(one_output(y)))  # None is an object
    if labels.dtype.kind not in "biufUS" or not_finite_in(labels).any():
        return np.array([])
    return labels
