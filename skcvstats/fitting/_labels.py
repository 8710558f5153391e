"""Whether metrics are defined on the test sets of splits, and what to do where they are not.

Each split is looked at once: `needs` tells what each metric lacks in its test set. Metrics that
depend on the probability of each class need all of them in training.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from .._utils._checks import listed
from .._utils._metrics import OF_VARIATION
from .._utils._text import counted, verb
from ..exceptions import SplitDesignError
from ..splitters import encode_labels
from ._metrics import Metric
from ._needs import Lack, TargetLabels, needed_labels, needs, needs_of_rows

# On fewer rows of a test set metrics of the variation of y are still far from those of many rows.
_MANY_ROWS = 20
_LARGER = "(fewer folds, or a larger test_size=)"
_OF_CLASSES = (
    f"Use larger test sets {_LARGER}, stratified ones "
    "(cv=RepeatedSubsampleSplit(stratify=True)) or, with groups, splits that are stratified "
    "within groups (such as StratifiedGroupKFold)"
)
_OF_TRAINING = (
    "Use stratified folds, such as cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4, "
    "random_state=0), or leave out rows of classes that have so few"
)
_OF_NUMBERS = f"Use larger test sets {_LARGER}, or squared errors, scoring='neg_mean_squared_error'"
# What test sets contain that lack something, by the code of the reason.
_CONTENTS = {
    "no positive": "no {positive!r}",
    "fewer classes": "fewer than {n_classes} classes (the first lacks {listed_lacking})",
    "one class": "only one class",
    "one value": "only one value of y",
}
# What test sets contain where there are no scores of rows, and what to do.
_CONTENTS_FOR_ROWS = {
    "single units": (
        "fewer than two {unit}s of a class",
        "Use stratified folds, at most half as many as the rarer class has {unit}s, as of "
        "RepeatedStratifiedKFold or, with groups, StratifiedGroupKFold, or "
        "scoring='neg_log_loss'.",
    ),
    "one value without a unit": ("a single value of y without one {unit}", f"{_OF_NUMBERS}."),
}


@dataclass(frozen=True)
class Undefined:
    """A metric that is not defined on some test sets, or is nearly meaningless there."""

    metric: str
    fact: str
    remedy: str = _OF_CLASSES
    refused: bool = True
    is_few: bool = False  # whether there is little to say but that its test sets are small


@dataclass
class MetricLacks:
    """What one metric lacks, in each test set in which it lacks something."""

    metric: Metric
    scores_rows: bool  # whether it scores the rows of a fold too
    has_weight: np.ndarray | None  # of each row; rows without weight do not count
    lacks: list[Lack] = field(default_factory=list)
    lacks_of_rows: list[Lack] = field(default_factory=list)
    fewest_rows: float = inf

    @property
    def called(self) -> str:
        """The metric in sentences about what it needs."""
        return self.metric.called or self.metric.name

    @property
    def counted_rows(self) -> str:
        """The rows that count, in words; nothing if all do."""
        return "" if self.has_weight is None else " in rows with a weight"

    @property
    def of_labels(self) -> list[Lack]:
        """Of the test sets on which the metric is not defined."""
        return [lack for lack in self.lacks if lack.is_of_labels]

    def add(self, labels: TargetLabels, test: np.ndarray, units: np.ndarray | None) -> None:
        """Look at the next test set."""
        if self.has_weight is not None:
            test = test[self.has_weight[test]]
        self.fewest_rows = min(self.fewest_rows, len(test))
        lack = needs(self.metric, labels, test)
        if lack is not None:
            self.lacks.append(lack)
        if self.scores_rows:
            lack_of_rows = needs_of_rows(self.metric, labels, test, units)
            if lack_of_rows is not None:
                self.lacks_of_rows.append(lack_of_rows)


class LabelCounts:
    """Looks at each split for what metrics lack in it, also for the scores of rows, `of_rows`."""

    def __init__(
        self,
        metrics: Iterable[Metric],
        y: Any,
        *,
        of_rows: Collection[Metric] = (),
        kind: str = "",
        groups: Any = None,
        weights: Mapping[str, Any] = {},
    ) -> None:
        self.kind = kind
        self.n_splits = 0
        self.fewest_tested = inf
        self.has_weight = _rows_with_weight(weights, np.shape(y)[:1])
        self.by_metric: list[MetricLacks] = []
        self.trained_metrics: list[Metric] = []
        for metric in metrics:
            if metric.needs:
                has_weight = self.has_weight.get(metric.name)
                self.by_metric.append(MetricLacks(metric, metric in of_rows, has_weight))
            if metric.is_of_classes:
                self.trained_metrics.append(metric)
        self.labels = TargetLabels.read(y if self.is_needed(0) else [])
        if not len(self.labels.classes):
            self.trained_metrics = []
        self.untrained: list[np.ndarray] = []  # the classes that each such training set lacks
        self.units: np.ndarray | None = None
        if groups is not None:
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
        """Tell whether there is anything to look for."""
        return bool(self.by_metric or self.trained_metrics)

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """Look at the next split."""
        self.n_splits += 1
        self.fewest_tested = min(self.fewest_tested, len(test))
        for lacks in self.by_metric:
            lacks.add(self.labels, test, self.units)
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


def find_undefined(counts: LabelCounts) -> list[Undefined]:
    """Return the metrics that are not defined on some test sets, or on few rows only."""
    undefined = []
    for metric_lacks in counts.by_metric:
        if metric_lacks.of_labels:
            undefined.append(_undefined_in_tests(counts, metric_lacks))
        elif metric_lacks.metric.function_name in OF_VARIATION:
            undefined += _undefined_on_few(counts, metric_lacks)
    if counts.untrained:
        undefined += _undefined_by_training(counts)
    if counts.units is None or counts.n_splits <= counts.units.max():
        return undefined
    # Each group is left out once, so that fewer folds are those of several groups.
    of_groups = "(of several groups, as of GroupKFold)"
    return [replace(each, remedy=each.remedy.replace(_LARGER, of_groups)) for each in undefined]


def _undefined_in_tests(counts: LabelCounts, metric_lacks: MetricLacks) -> Undefined:
    """Return that a metric is not defined on test sets without some of the labels."""
    metric = metric_lacks.metric
    lacks = metric_lacks.of_labels
    lack = lacks[0]
    contents = _CONTENTS[lack.code].format_map(
        {**lack.values, "listed_lacking": listed(lack.values["lacking"])}
    )
    if len(counts.labels.classes) == 1:
        remedy = "y is the same in all rows, so there is nothing to predict"
    elif lack.code == "one value":
        remedy = _OF_NUMBERS
    else:
        n_tests = len(counts.labels.codes) / counts.fewest_tested
        remedy = _remedy_for_rare(counts, metric, n_tests) or _OF_CLASSES
    contain = verb(counts.n_splits, "contains", "contain")
    where = f"{len(lacks)} of {counts.tests} {contain} {contents}{metric_lacks.counted_rows}"
    fact = f"{where}, for which {metric_lacks.called} is undefined"
    return Undefined(metric.name, fact, remedy, lack.is_refused)


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


def _undefined_on_few(counts: LabelCounts, metric_lacks: MetricLacks) -> list[Undefined]:
    """Return that a metric of variation is meaningless on test sets this small, or differs much."""
    metric_name = metric_lacks.metric.name
    called = metric_lacks.called
    if metric_lacks.lacks:
        fewest = metric_lacks.lacks[0].values["fewest"]
        have = verb(counts.n_splits, "has", "have")
        where = f"{len(metric_lacks.lacks)} of {counts.tests} {have} fewer than {fewest} rows"
        fact = f"{where}: {called} is nearly meaningless there"
        return [Undefined(metric_name, fact, _OF_NUMBERS)]
    if metric_lacks.fewest_rows >= _MANY_ROWS:
        return []
    n_rows = counted(int(metric_lacks.fewest_rows), "row")
    where = f"the smallest {counts.kind}test set has {n_rows}"
    fact = f"{where}: {called} of so few rows differs much from {called} of many"
    remedy = f"{_OF_NUMBERS[0].lower()}{_OF_NUMBERS[1:]}"
    return [Undefined(metric_name, fact, remedy, refused=False, is_few=True)]


def _remedy_for_rare(counts: LabelCounts, metric: Metric, fewest: float) -> str:
    """Return what to do about a class with fewer rows than stratified splits must have."""
    labels = counts.labels
    if counts.units is not None:
        return ""
    positions = needed_labels(metric, labels).positions
    rare = int(positions[labels.counts[positions].argmin()])
    n_rows = int(labels.counts[rare])
    if n_rows >= fewest:
        return ""
    return (
        f"Class {labels.classes[rare].item()!r} has {counted(n_rows, 'row')}, and each set needs "
        "one: pass more rows of it, use fewer folds that are stratified, such as "
        "cv=RepeatedStratifiedKFold(n_splits=2, n_repeats=10, random_state=0), or, of several "
        "classes, merge it with another one or leave it out"
    )


def find_without_rows(counts: LabelCounts, *, remedy: str = "") -> dict[str, str]:
    """Return why metrics have no scores of rows on these splits, with the remedy or with theirs."""
    reasons: dict[str, str] = {}
    for metric_lacks in counts.by_metric:
        lacks = metric_lacks.lacks_of_rows
        if not lacks:
            continue
        code = lacks[0].code
        if code == "one value without a unit" and metric_lacks.of_labels:  # which is reported
            continue
        unit = counts.unit
        contents, own_remedy = _CONTENTS_FOR_ROWS[code]
        what = f"{contents.format(unit=unit)}{metric_lacks.counted_rows}"
        contain = verb(len(lacks), "contains", "contain")
        sets = f"{len(lacks)} of {counts.n_splits} test sets {contain} {what}"
        fact = f"{sets}, so {metric_lacks.called} has no scores of {unit}s there"
        advice = remedy or own_remedy.format(unit=unit)
        reasons[metric_lacks.metric.name] = f"{fact}. {advice}"
    return reasons


def check_rows(counts: LabelCounts) -> None:
    """Raise SplitDesignError if a set lacks what the scores of rows need."""
    for reason in find_without_rows(counts).values():
        raise SplitDesignError(reason)
