"""What the target alone says before any fit: missing entries, and undefined metrics.

Notes
-----
On a test set without a positive, scikit-learn returns 0.0 for f1 as a filler. On a test set of a
single class roc_auc is nan, and the log loss an error. None of these is a measurement. The table
`METRICS` has what each metric needs of a test set, whatever the predictions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._utils._arrays import one_output
from .._utils._checks import listed
from .._utils._metrics import METRICS, metric_called
from ..exceptions import SplitDesignError
from ..scores import Note
from ._scoring import Metric, describe, metrics_of
from ._splits import PlannedSplits, plan_splits


def check_no_missing(y: Any, metrics: Mapping[str, Any]) -> None:
    """Raise ValueError if the target has missing entries."""
    own = any(callable(m) and not Metric(m).is_scorer for m in metrics.values())
    if y is None or own or hasattr(y, "toarray"):
        return
    missing = _missing_rows(y)
    if missing.size:
        raise ValueError(
            f"y is missing (nan, None) in {missing.size} of {len(y)} rows, the first of them row "
            f"{missing[0]}. Leave those rows out of X and y, or fill them: no score can be "
            "computed there."
        )


def _missing_rows(y: Any) -> np.ndarray:
    try:
        values = np.asarray(y)
    except ValueError:  # rows of different lengths
        return np.array([], dtype=int)
    if values.dtype.kind in "fc":
        missing = np.isnan(values)
    elif values.dtype.kind in "mM":
        missing = np.isnat(values)
    elif values.dtype.kind == "O":
        import pandas as pd  # recognizes nan, None, NaT and pandas' NA

        missing = np.asarray(pd.isna(values))
    else:
        return np.array([], dtype=int)
    return np.flatnonzero(missing.reshape(len(values), -1).any(axis=1))


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
            and _is_possible(rule, classes, counts, smallest)
        ]
        if open_rules:
            found += _judge(open_rules, classes, codes, plan, kind)
    return tuple(found)


def _rule_of(name: str, metric: Any) -> _Rule | None:
    """Return what a metric needs, known by its name or by its scorer's representation."""
    if isinstance(metric, str):
        needs = _needs(metric)
        return _Rule(name, needs, needs != "two values") if needs else None
    stated = re.match(r"make_scorer\((\w+)(.*)\)$", describe(metric)) if callable(metric) else None
    if stated is None or "zero_division=" in stated[2] or "labels=" in stated[2]:
        return None
    known = "f1" if stated[1] == "fbeta_score" else metric_called(stated[1])
    options = dict(re.findall(r"(\w+)=([^,()]+)", stated[2]))
    if options.get("average", "binary") != "binary" and f"{known}_macro" in METRICS:
        known = f"{known}_{options['average']}"
    needs = _needs(known)
    called = known if name in ("score", "_Scorer") else name
    return _Rule(name, needs, False, options.get("pos_label", "1"), called or "") if needs else None


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


def _is_possible(rule: _Rule, classes: np.ndarray, counts: np.ndarray, n_test: int) -> bool:
    """Whether a test set of this many rows, or groups, may lack what the rule needs."""
    if rule.needs in ("two classes", "two values"):
        return bool(counts.max() >= n_test)
    rarest = counts.min() if rule.needs == "every class" else counts[_position(rule, classes)]
    return bool(counts.sum() - rarest >= n_test)


def _position(rule: _Rule, classes: np.ndarray) -> int:
    return list(map(str, classes)).index(rule.positive)


def _judge(
    rules: Iterable[_Rule], classes: np.ndarray, codes: np.ndarray, plan: PlannedSplits, kind: str
) -> list[Undefined]:
    """Check every test set of one plan."""
    n_rows_of = [np.bincount(codes[test], minlength=len(classes)) for test in plan.tests()]
    n_found = np.array([np.count_nonzero(counts) for counts in n_rows_of])
    found = []
    for rule in rules:
        if rule.needs == "positive":
            at = _position(rule, classes)
            n_bad = sum(counts[at] == 0 for counts in n_rows_of)
            holds = f"no {classes[at].item()!r}"
        elif rule.needs == "every class" and len(classes) > 2:
            n_bad = int(np.sum(n_found < len(classes)))
            first = next((c for c in n_rows_of if (c == 0).any()), None)
            lacking = [] if first is None else [c.item() for c in classes[first == 0]]
            holds = f"not all {len(classes)} classes (the first lacks {listed(lacking)})"
        else:
            n_bad = int(np.sum(n_found < 2))
            holds = "one value of y only" if rule.needs == "two values" else "one class only"
        if n_bad:
            verb = "hold" if len(n_rows_of) > 1 else "holds"
            sets = f"{kind}test set{'s' * (len(n_rows_of) > 1)}"
            text = f"{n_bad} of {len(n_rows_of)} {sets} {verb} {holds}"
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
