"""Whether metrics are defined on the test sets: the labels that they need, counted in each split.

Notes
-----
scikit-learn fills in 0.0 for f1 without a positive, and nan for roc_auc of a single class: these
are meaningless. `METRICS` has what each metric needs of a test set. Metrics that depend on the
probability of each class need all of them in training. Those that are computed again without each
unit of a test set, a row or a group, need two units of a class, or targets that differ without any
unit.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np

from .._utils._arrays import one_output
from .._utils._checks import listed
from .._utils._metrics import FEWEST_ROWS, OF_VARIATION
from .._utils._text import counted, verb
from ..exceptions import SplitDesignError
from ..splitters import encode_labels
from ._metrics import Metric
from ._row_scores import constant_without

# On fewer rows of a test set metrics of the variation of y are still far from those of many rows.
_MANY_ROWS = 20
# Functions for which both of two classes need two rows or groups in a test set.
_OF_BOTH = ("balanced_accuracy_score", "roc_auc_score")
_OF_CLASSES = (
    "Use larger test sets (fewer folds, or test_size=), stratified ones "
    "(cv=RepeatedSubsampleSplit(stratify=True)) or, with groups, splits that are stratified "
    "within groups (such as StratifiedGroupKFold)"
)
_OF_TRAINING = (
    "Use stratified folds, such as cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4, "
    "random_state=0), or leave out rows of classes that have so few"
)
_OF_NUMBERS = (
    "Use larger test sets, by fewer folds or a larger test_size, or squared errors, "
    "scoring='neg_mean_squared_error'"
)


@dataclass(frozen=True)
class Undefined:
    """A metric that is not defined on some test sets, or is nearly meaningless there."""

    metric: str
    fact: str
    remedy: str = _OF_CLASSES
    refused: bool = True
    is_few: bool = False  # whether there is little to say but that its test sets are small


class TargetLabels(NamedTuple):
    """The different values of a target, in order, and which of them each row has."""

    classes: np.ndarray
    codes: np.ndarray  # of each row the position of its class
    counts: np.ndarray  # of the rows of each class
    names: list[str]

    @classmethod
    def read(cls, y: Any) -> Self:
        """Return the labels of a target, none if they cannot be sorted."""
        labels = sortable(y)
        if labels is None:
            labels = np.array([])
        classes, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
        return cls(classes, codes, counts, list(map(str, classes)))

    def position(self, metric: Metric) -> int:
        """Return the position of the class that is positive in a metric."""
        return self.names.index(metric.positive)


@dataclass
class MetricCounts:
    """In how many test sets one metric lacks the labels that it needs."""

    metric: Metric
    needs: str  # as in `MetricFacts`, with "every class" for a positive among several classes
    # The classes of which scores of rows need two units; none if the targets must differ.
    doubled: Sequence[int] | None
    has_weight: np.ndarray | None  # of each row; rows without weight are as good as not there
    sizes: list[int] = field(default_factory=list)  # of the test sets
    n_undefined: int = 0
    n_without_rows: int = 0
    first_lacking: np.ndarray | None = None  # the classes that the first such test set lacks

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self.needs) or self.doubled is not None or self.is_of_variation

    @property
    def is_of_variation(self) -> bool:
        """Whether the metric is the share of the variation of y, which few rows do not measure."""
        return self.metric.function_name in OF_VARIATION

    @property
    def called(self) -> str:
        """The metric in sentences about what it needs."""
        return self.metric.called or self.metric.name

    def counted(self, test: np.ndarray) -> np.ndarray:
        """Return the rows of a test set that count in the metric."""
        return test if self.has_weight is None else test[self.has_weight[test]]


class LabelCounts:
    """Counts the sets on which metrics are not defined, or have no scores of rows.

    Rows are scored in the metrics `of_rows`.
    """

    def __init__(
        self,
        metrics: Iterable[Metric],
        y: Any,
        *,
        of_rows: Collection[Metric] = (),
        kind: str = "",
        groups: Any = None,
        weights: Mapping[str, Any] = {},
        trains: bool = True,
    ) -> None:
        metrics = list(metrics)
        self.kind = kind
        self.is_grouped = groups is not None
        self.n_splits = 0
        self.fewest_tested = np.inf
        uses_labels = of_rows or any(metric.needs or metric.is_of_classes for metric in metrics)
        self.labels = TargetLabels.read(y if uses_labels else None)
        self.has_weight = _rows_with_weight(weights, np.shape(y)[:1])
        self.trained_metrics: list[Metric] = []
        if trains and self.labels.names:
            self.trained_metrics = [metric for metric in metrics if metric.is_of_classes]
        self.untrained: list[np.ndarray] = []  # the classes that each such training set lacks
        self.by_metric: list[MetricCounts] = []
        for metric in metrics:
            needs = _needed(metric, self.labels)
            doubled = _doubled(metric, self.labels) if metric in of_rows else None
            counts = MetricCounts(metric, needs, doubled, self.has_weight.get(metric.name))
            if counts.is_needed:
                self.by_metric.append(counts)
        self.units: np.ndarray | None = None
        if groups is not None and of_rows:
            self.units = encode_labels("groups", groups).astype(np.intp)

    @property
    def unit(self) -> str:
        """What scores of rows are computed without."""
        return "row" if self.units is None else "group"

    @property
    def tests(self) -> str:
        """The number of the test sets, in words."""
        return counted(self.n_splits, f"{self.kind}test set")

    def is_needed(self, n_test: int) -> bool:
        """Whether there is anything to look for."""
        return bool(self.by_metric or self.trained_metrics)

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """Count in the next split."""
        self.n_splits += 1
        self.fewest_tested = min(self.fewest_tested, len(test))
        for counts in self.by_metric:
            rows = counts.counted(test)
            counts.sizes.append(len(rows))
            if counts.needs:
                _count_undefined(counts, self.labels, self.labels.codes[rows])
            if counts.doubled is not None:
                units = None if self.units is None else self.units[rows]
                _count_without_rows(counts, self.labels, self.labels.codes[rows], units)
        if self.trained_metrics:
            trained = np.bincount(self.labels.codes[train], minlength=len(self.labels.classes))
            if not trained.all():
                self.untrained.append(self.labels.classes[trained == 0])


def _rows_with_weight(weights: Mapping[str, Any], shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Return whether each row has a weight, for each metric for which some have none."""
    has_weight = {}
    for metric_name, values in weights.items():
        array = np.asarray(values)
        # others are refused where they are used
        if array.dtype.kind in "biuf" and array.shape == shape and not array.all():
            has_weight[metric_name] = array > 0
    return has_weight


def _needed(metric: Metric, labels: TargetLabels) -> str:
    """Return what a metric needs of a test set, which for a positive depends on the classes."""
    if not labels.names:
        return ""
    if metric.needs != "positive":
        return metric.needs
    if metric.positive not in labels.names:  # another problem: it knows no such label
        return ""
    return "every class" if len(labels.names) > 2 else "positive"


def _doubled(metric: Metric, labels: TargetLabels) -> Sequence[int] | None:
    """Return the classes of which the scores of rows need two units, none for targets, or None."""
    if labels.names and metric.of_rows == "fold" and metric.needs == "two values":
        return ()
    if len(labels.names) != 2:
        return None
    if metric.function_name in _OF_BOTH:
        return (0, 1)
    if metric.function_name != "average_precision_score":
        return None
    return (labels.position(metric),) if metric.positive in labels.names else (1,)


def _count_undefined(counts: MetricCounts, labels: TargetLabels, codes: np.ndarray) -> None:
    """Count a test set, of rows with some labels, if it lacks what the metric needs."""
    n_classes = len(labels.classes)
    is_there = np.bincount(codes, minlength=n_classes) > 0
    if counts.needs == "positive":
        is_defined = is_there[labels.position(counts.metric)]
    else:
        n_needed = n_classes if counts.needs == "every class" else 2
        is_defined = is_there.sum() >= max(2, n_needed)
    if not is_defined:
        counts.n_undefined += 1
        if counts.first_lacking is None:
            counts.first_lacking = labels.classes[~is_there]


def _count_without_rows(
    counts: MetricCounts, labels: TargetLabels, codes: np.ndarray, units: np.ndarray | None
) -> None:
    """Count a test set, of rows with some labels, if it lacks what their scores need."""
    if counts.doubled:
        n_units = _count_units(codes, units, len(labels.classes))
        counts.n_without_rows += bool(n_units[list(counts.doubled)].min() < 2)
    elif len(codes):
        counts.n_without_rows += _is_constant_without(codes, units)


def _count_units(codes: np.ndarray, units: np.ndarray | None, n_classes: int) -> np.ndarray:
    """Return in how many units, rows if there are none, each class is."""
    if units is not None:
        codes = np.unique(units * n_classes + codes) % n_classes
    return np.bincount(codes, minlength=n_classes)


def _is_constant_without(codes: np.ndarray, units: np.ndarray | None) -> bool:
    """Return whether the targets are all one value, or are without one of the units."""
    n_units = len(codes)
    if units is not None:
        different, units = np.unique(units, return_inverse=True)
        n_units = len(different)
    return bool(constant_without(codes[:, np.newaxis], units, n_units).any())


def find_undefined(counts: LabelCounts) -> list[Undefined]:
    """Return the metrics that are not defined on some test sets, or on few rows only."""
    undefined = [
        _undefined_in_tests(counts, metric_counts)
        for metric_counts in counts.by_metric
        if metric_counts.n_undefined
    ]
    if counts.untrained:
        undefined += _undefined_by_training(counts)
    names = {found.metric for found in undefined}
    for metric_counts in counts.by_metric:
        if metric_counts.is_of_variation and metric_counts.metric.name not in names:
            undefined += _undefined_on_few(counts, metric_counts)
    return undefined


def _undefined_in_tests(counts: LabelCounts, of_metric: MetricCounts) -> Undefined:
    """Return that a metric is not defined on test sets without some of the labels."""
    labels = counts.labels
    metric = of_metric.metric
    needs = of_metric.needs
    n_classes = len(labels.classes)
    remedy = _remedy_for_rare(counts, metric) or _OF_CLASSES
    contents = "one class only"
    if needs == "two values":
        contents = "one value of y only"
        remedy = _OF_NUMBERS
    elif needs == "positive":
        contents = f"no {labels.classes[labels.position(metric)].item()!r}"
    elif needs == "every class" and n_classes > 2 and of_metric.first_lacking is not None:
        lacking = listed(of_metric.first_lacking.tolist())
        contents = f"fewer than {n_classes} classes (the first lacks {lacking})"
    if of_metric.has_weight is not None:
        contents += " in rows with a weight"
    if n_classes == 1:
        remedy = "y is the same in all rows, so there is nothing to predict"
    holds = verb(counts.n_splits, "holds", "hold")
    where = f"{of_metric.n_undefined} of {counts.tests} {holds} {contents}"
    # A scorer of one class is the user's own.
    refused = isinstance(metric.given, str) or needs in ("every class", "two values")
    fact = f"{where}: {of_metric.called} is not defined there"
    return Undefined(metric.name, fact, remedy, refused)


def _undefined_by_training(counts: LabelCounts) -> list[Undefined]:
    """Return the metrics of probabilities of classes that some training sets lack."""
    n_lacking = len(counts.untrained)
    lack = verb(n_lacking, "lacks", "lack")
    first = counts.untrained[0].tolist()[0]
    sets = f"{n_lacking} of {counts.n_splits} training sets {lack} a class (the first {first!r})"
    return [
        Undefined(
            metric.name,
            f"{sets}, so models have no probability of it, which {metric.name} needs",
            _remedy_for_rare(counts, metric, 2) or _OF_TRAINING,
        )
        for metric in counts.trained_metrics
    ]


def _undefined_on_few(counts: LabelCounts, of_metric: MetricCounts) -> list[Undefined]:
    """Return that a metric of variation is meaningless on test sets this small, or differs much."""
    metric_name = of_metric.metric.name
    called = of_metric.called
    fewest = min(of_metric.sizes)
    if fewest >= _MANY_ROWS:
        return []
    n_few = sum(size < FEWEST_ROWS for size in of_metric.sizes)
    if n_few:
        have = verb(counts.n_splits, "has", "have")
        where = f"{n_few} of {counts.tests} {have} fewer than {FEWEST_ROWS} rows"
        fact = f"{where}: {called} is nearly meaningless there"
        return [Undefined(metric_name, fact, _OF_NUMBERS)]
    where = f"the smallest {counts.kind}test set has {counted(fewest, 'row')}"
    fact = f"{where}: {called} of so few rows differs much from {called} of many"
    remedy = f"{_OF_NUMBERS[0].lower()}{_OF_NUMBERS[1:]}"
    return [Undefined(metric_name, fact, remedy, refused=False, is_few=True)]


def _remedy_for_rare(counts: LabelCounts, metric: Metric, least: int = 0) -> str:
    """Return what to do about a class that even stratified test sets of this size can lack."""
    labels = counts.labels
    if counts.is_grouped or counts.has_weight:
        return ""
    if metric.needs == "positive" and metric.positive in labels.names:
        rare = labels.position(metric)
    else:
        rare = int(labels.counts.argmin())
    n_rows = int(labels.counts[rare])
    if n_rows >= (least or len(labels.codes) / counts.fewest_tested):
        return ""
    has = f"Class {labels.classes[rare].item()!r} has {counted(n_rows, 'row')}"
    if n_rows > 1:
        return (
            f"{has}, too few for so small test sets: pass more rows of it, or cv="
            f"RepeatedStratifiedKFold(n_splits={n_rows}, n_repeats=4, random_state=0)"
        )
    others = ""
    if len(labels.classes) > 2:
        others = ", merge it with another class, or leave it out"
    return f"{has}: pass more rows of it{others}"


def find_without_rows(counts: LabelCounts, *, remedy: str = "") -> dict[str, str]:
    """Return why metrics have no scores of rows on these splits, with the remedy or with theirs."""
    reasons: dict[str, str] = {}
    for of_metric in counts.by_metric:
        if not of_metric.n_without_rows:
            continue
        if of_metric.doubled:
            own_remedy = remedy or _remedy_for_single(counts, of_metric)
            reason = f"{_without_rows(counts, of_metric)}. {own_remedy}"
        elif of_metric.n_undefined:  # which is reported
            continue
        else:
            reason = f"{_without_rows(counts, of_metric)}. {_OF_NUMBERS}."
        reasons[of_metric.metric.name] = reason
    return reasons


def _without_rows(counts: LabelCounts, of_metric: MetricCounts) -> str:
    """Return in how many test sets a metric has no scores of rows, and what they contain."""
    unit = counts.unit
    contents = f"a single value of y without one {unit}"
    if of_metric.doubled:
        weighted = "" if of_metric.has_weight is None else " with a weight"
        contents = f"fewer than two {unit}s of a class{weighted}"
    holds = verb(of_metric.n_without_rows, "holds", "hold")
    sets = f"{of_metric.n_without_rows} of {counts.n_splits} test sets {holds} {contents}"
    return f"{sets}, so {of_metric.called} has no scores of {unit}s there"


def _remedy_for_single(counts: LabelCounts, of_metric: MetricCounts) -> str:
    """Return what to do so that each test set has two units of the classes of a metric."""
    if of_metric.has_weight is not None:
        return "Leave the rows without weight out."
    labels = counts.labels
    classes = list(of_metric.doubled or ())
    n_units = _count_units(labels.codes, counts.units, len(labels.classes))
    most = min(5, int(n_units[classes].min()) // 2)
    if most < 3:
        rarer = "rarer" if len(classes) == 2 else "positive"
        return f"The {rarer} class has too few {counts.unit}s for that; use scoring='neg_log_loss'."
    if counts.units is not None:
        return f"Use stratified folds, {most} at most, as of StratifiedGroupKFold({most})."
    return (
        f"Use stratified folds, {most} at most: RepeatedStratifiedKFold(n_splits={most}, "
        "n_repeats=4, random_state=0)."
    )


def check_rows(counts: LabelCounts) -> None:
    """Raise SplitDesignError if a set lacks what the scores of rows need."""
    for reason in find_without_rows(counts).values():
        raise SplitDesignError(reason)


def sortable(y: Any) -> np.ndarray | None:
    """Return a target with one output as an array that can be sorted, else None."""
    labels = one_output(y)
    if labels is None or labels.dtype.kind not in "biufUSO":
        return None
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        return None
    if labels.dtype.kind != "O":
        return labels
    return labels.astype(str) if all(isinstance(label, str) for label in labels) else None


def refuse(undefined: Sequence[Undefined], *, several: bool, remedy: str = "") -> None:
    """Raise SplitDesignError for metrics that are not defined, with the remedy or with theirs."""
    refused = [metric for metric in undefined if metric.refused]
    if not refused:
        return
    facts = ". ".join(metric.fact for metric in refused)
    which = " and ".join(metric.metric for metric in refused)
    drop = f"; on_error='drop' leaves {which} out" if several else ""
    raise SplitDesignError(f"{facts}. {remedy or refused[0].remedy}{drop}.")
