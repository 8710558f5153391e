"""What the target alone says before any fit: missing entries, and undefined metrics.

Notes
-----
On a test set without a positive, scikit-learn returns 0.0 for f1 as a filler. On a test set of a
single class roc_auc is nan, and the log loss an error. None of these is a measurement. The table
`METRICS` has what each metric needs of a test set, whatever the predictions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._utils._arrays import missing_in, one_output
from .._utils._checks import listed
from .._utils._metrics import METRICS, metric_called
from ..exceptions import SplitDesignError
from ..scores import Note
from ._scoring import Metric, metrics_of
from ._splits import PlannedSplits, plan_splits


def check_no_missing(y: Any, metrics: Mapping[str, Any]) -> None:
    """Raise ValueError if the target has missing entries."""
    own = any(callable(m) and not Metric(m).is_scorer for m in metrics.values())
    if y is None or own or hasattr(y, "toarray"):
        return
    try:
        values = np.asarray(y)
    except ValueError:  # rows of different lengths
        return
    missing = np.flatnonzero(missing_in(values).reshape(len(values), -1).any(axis=1))
    if missing.size:
        raise ValueError(
            f"y is missing (nan, None) in {missing.size} of {len(y)} rows, the first of them row "
            f"{missing[0]}. Leave those rows out of X and y, or fill them: no score can be "
            "computed there."
        )


@dataclass(frozen=True)
class Undefined:
    """A metric that is not defined on some test sets."""

    metric: str
    fact: str
    named: bool

    @property
    def note(self) -> Note:
        """The fact as a note on the scores of this metric."""
        return Note("undefined metric", f"{self.fact}; those scores are no measurements")


@dataclass(frozen=True)
class _Rule:
    metric: str
    needs: str
    named: bool
    positive: str = "1"
    called: str = ""


def undefined_metrics(scoring: Any, cv: Any, X: Any, y: Any, groups: Any) -> dict[str, Undefined]:
    """Return the metrics that are not defined on some test sets of a splitter, if it is seeded."""
    metrics = metrics_of(scoring)
    plan = plan_splits(cv, X, y, {} if groups is None else {"groups": groups}) if metrics else None
    found = () if plan is None or plan.unseeded else find_undefined(metrics, y, [plan])
    return {undefined.metric: undefined for undefined in found}


def find_undefined(
    metrics: Mapping[str, Any], y: Any, plans: Sequence[PlannedSplits]
) -> tuple[Undefined, ...]:
    """Return the metrics that are not defined on some test sets.

    The splits are drawn only if a requested metric may be undefined on a test set of their size.
    """
    rules = [rule for name, metric in metrics.items() if (rule := _rule_of(name, metric))]
    labels = _sortable(y) if rules else None
    if labels is None:
        return ()
    classes, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    rules = [rule for rule in (_adapted(rule, classes) for rule in rules) if rule]
    found: list[Undefined] = []
    for plan, kind in zip(plans, ("", "auxiliary "), strict=False):
        smallest = min(plan.facts["n_test"])
        open_rules = [
            rule
            for rule in rules
            if rule.metric not in {undefined.metric for undefined in found}
            and smallest <= _most_without(rule, counts)
        ]
        if open_rules:
            found += _judge(open_rules, classes, codes, plan, kind)
    return tuple(found)


def _rule_of(name: str, metric: Any) -> _Rule | None:
    """Return what a metric needs, known by its name or by its scorer's function and options."""
    if isinstance(metric, str):
        needs = _needs(metric)
        return _Rule(name, needs, needs != "two values") if needs else None
    if not Metric(metric).is_scorer:
        return None
    function, options = getattr(metric._score_func, "__name__", ""), metric._kwargs
    if options.keys() & {"labels", "zero_division"}:
        return None
    known = "f1" if function == "fbeta_score" else metric_called(function)
    if options.get("average", "binary") != "binary" and f"{known}_macro" in METRICS:
        known = f"{known}_{options['average']}"
    needs, positive = _needs(known), str(options.get("pos_label", 1))
    called = known if name in ("score", "_Scorer") else name
    return _Rule(name, needs, False, positive, called or "") if needs else None


def _needs(metric: str | None) -> str:
    return METRICS[metric].needs if metric in METRICS else ""


def _sortable(y: Any) -> np.ndarray | None:
    """Return a target with one output as an array that can be sorted, else None."""
    labels = one_output(y)
    if labels is None or labels.dtype.kind not in "biufUSO":
        return None
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        return None
    if labels.dtype.kind != "O":
        return labels
    return labels.astype(str) if all(isinstance(label, str) for label in labels) else None


def _adapted(rule: _Rule, classes: np.ndarray) -> _Rule | None:
    """Return the rule for these classes, or None if there is none."""
    if rule.needs == "positive" and rule.positive not in map(str, classes):
        return None  # another problem: the metric does not know the labels
    if rule.needs == "positive" and len(classes) > 2:
        return replace(rule, needs="every class")
    return rule


def _most_without(rule: _Rule, counts: np.ndarray) -> int:
    """Return how many rows a test set that lacks what the rule needs can have at most."""
    needs_two = rule.needs in ("two classes", "two values")
    return int(counts.max() if needs_two else counts.sum() - counts.min())


def _judge(
    rules: Iterable[_Rule], classes: np.ndarray, codes: np.ndarray, plan: PlannedSplits, kind: str
) -> list[Undefined]:
    """Check every test set of one plan."""
    n = len(classes)
    lacks = np.array([np.bincount(codes[test], minlength=n) == 0 for test in plan.tests()])
    found = []
    for rule in rules:
        is_bad = lacks.sum(axis=1) > n - 2
        holds = "one value of y only" if rule.needs == "two values" else "one class only"
        if rule.needs == "positive":
            at = list(map(str, classes)).index(rule.positive)
            is_bad, holds = lacks[:, at], f"no {classes[at].item()!r}"
        elif rule.needs == "every class" and n > 2:
            is_bad = lacks.any(axis=1)
            lacking = classes[lacks[is_bad.argmax()]].tolist()
            holds = f"not all {n} classes (the first lacks {listed(lacking)})"
        if is_bad.any():
            verb = "hold" if len(lacks) > 1 else "holds"
            sets = f"{kind}test set{'s' * (len(lacks) > 1)}"
            text = f"{is_bad.sum()} of {len(lacks)} {sets} {verb} {holds}"
            fact = f"{text}: {rule.called or rule.metric} is not defined there"
            found.append(Undefined(rule.metric, fact, rule.named))
    return found


def refuse(undefined: Sequence[Undefined], *, several: bool) -> None:
    """Raise SplitDesignError for metrics that were given by name."""
    named = [metric for metric in undefined if metric.named]
    if not named:
        return
    facts = ". ".join(metric.fact for metric in named)
    which = " and ".join(metric.metric for metric in named)
    remedy = (
        "Use larger test sets (test_size=), stratified ones "
        "(cv=RepeatedSubsampleSplit(stratify=True)) or, with groups, splits that are stratified "
        "within groups (such as StratifiedGroupKFold)"
    )
    drop = f"; on_error='drop' leaves {which} out" if several else ""
    raise SplitDesignError(f"{facts}. {remedy}{drop}.")
