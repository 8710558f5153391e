"""From the scores of estimators to a ComparisonResult: options checked, pairs tested, warnings."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np

from .._utils._checks import listed
from .._utils._metrics import check_null_in_range, known_of
from ..exceptions import FitError
from ..scores import CVScores, Note, find_notes, union
from ..stats import Procedure, check_complete, refuse_time_order
from ._comparison import Dropped, check_reference
from ._evidence import ComparedEvidence
from ._pairs import check_adjustment, check_margin, make_pair_tests
from ._result import ComparisonResult

ByMetric = Mapping[str, CVScores]
_NO_NUMBER = "the metric gave no finite number"


def check_comparison(
    test: Procedure,
    labels: Sequence[str],
    reference: str | None,
    adjustment: str,
    margin: Any,
    confidence_level: float,
    metrics: Iterable[str] = (),
) -> dict[str, Any]:
    """Return the options of `compare`, or raise an error, before anything is fitted."""
    check_adjustment(adjustment, test)
    if margin is not None:
        check_margin(margin, test, confidence_level, metrics)
    if len(labels) < 2:
        raise ValueError(
            "A comparison needs the labelled scores of at least two estimators, got labels "
            f"{list(labels)}. For one use cross_val_inference or .confidence_interval()."
        )
    if reference is None:
        _check_all_pairs(test, labels)
    else:
        check_reference(reference, labels)
    for metric in metrics:
        _, low, high = known_of(metric)
        check_null_in_range(test.null_value, f"differences in {metric}", low - high, high - low)
    return {
        "test": test,
        "reference": reference,
        "adjustment": adjustment,
        "margin": margin,
        "confidence_level": confidence_level,
    }


def _check_all_pairs(test: Procedure, labels: Sequence[str]) -> None:
    """Raise ValueError if a test asks for a direction, which the pairs of all do not have."""
    if test.alternative != "two-sided":
        raise ValueError(
            f"alternative={test.alternative!r} without a reference: which of two estimators is "
            f"expected to be better would depend on their order, {listed(labels)}. Pass reference= "
            "with the name of one; the alternative is then of each other estimator minus the "
            "reference. Or leave alternative out."
        )
    if test.null_value != 0:
        raise ValueError(
            f"null_value={test.null_value!r} needs a reference: if all pairs are compared, the "
            "sign of a difference is arbitrary. Pass reference= with the name of an estimator; the "
            "null value is then for the other estimator minus the reference. Or, to ask which "
            f"estimators are equivalent or not worse, pass margin={abs(test.null_value)!r} instead."
        )


def compare(
    scores: ByMetric,
    auxiliary: ByMetric = MappingProxyType({}),
    *,
    test: Procedure,
    reference: str | None,
    adjustment: str,
    margin: Any = None,
    confidence_level: float = 0.95,
    tests: Mapping[str, Procedure] = MappingProxyType({}),
    of_search: bool = False,
    notes: Mapping[str, Iterable[Note]] = MappingProxyType({}),
    said: Iterable[Note] = (),
    dropped: Iterable[tuple[str | None, str | None, str]] = (),
    on_error: str = "raise",
    chosen_from: ByMetric = MappingProxyType({}),
    verbose: int = 0,
) -> ComparisonResult:
    """Test the pairs of every metric, and warn once about their limitations."""
    # `tests` are those of metrics with one of their own, `said` the notes that were warned of
    # before. Of a search pairs are not tested, and its best candidate was hardly named before.
    everyone = next(iter(scores.values())).labels
    procedures = {**dict.fromkeys(scores, test), **tests}
    for metric, of_metric in scores.items():
        refuse_time_order(procedures[metric], of_metric)
    left_out = [Dropped(*entry) for entry in dropped]
    if on_error == "drop":
        scores, auxiliary, further = _leave_out(scores, auxiliary, reference)
        left_out += further
    check_complete(scores, auxiliary)
    adjusted_by = check_adjustment(adjustment, test)
    tests_by_metric = {}
    for metric, of_metric in scores.items():
        procedure = procedures[metric]
        _check_null_value(procedure, metric, of_metric)
        bounds = None
        if margin is not None:
            bounds = check_margin(margin, procedure, confidence_level, [metric])
        facts: dict[str, Any] = {
            "procedure": procedure,
            "labels": of_metric.labels,
            "scores": of_metric,
        }
        if reference == "best":  # which was warned of before, of all estimators
            facts = {"procedure": test, "labels": everyone}
        lost = [entry for entry in left_out if entry.is_of(metric)]
        evidence = ComparedEvidence(**facts, reference=reference, of_search=of_search, dropped=lost)
        tests_by_metric[metric] = make_pair_tests(
            procedure,
            of_metric,
            auxiliary.get(metric),
            _pairs_with(reference, of_metric, of_search),
            adjustment=adjusted_by,
            notes=union(notes.get(metric, ()), find_notes(evidence)),
            margin=bounds,
            chosen_from=chosen_from.get(metric),
            in_order=reference is not None,
            confidence_level=float(confidence_level),
            verbose=verbose,
        )
    result = ComparisonResult(
        tests_by_metric=tests_by_metric,
        reference=reference,
        adjustment=adjusted_by.name,
        confidence_level=float(confidence_level),
        dropped=tuple(left_out),
    )
    return result._warn(said)


def _check_null_value(procedure: Procedure, metric: str, scores: CVScores) -> None:
    """Raise ValueError if differences in the metric cannot be beyond the null value."""
    if procedure.null_value:
        low, high = scores._limits
        what = f"differences in {metric}"
        check_null_in_range(procedure.null_value, what, low - high, high - low)


def _pairs_with(
    reference: str | None, scores: CVScores, of_search: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the estimators of each pair: all pairs, or those with a reference."""
    n_estimators = len(scores.labels)
    if reference is None:
        first, second = np.triu_indices(0 if of_search else n_estimators, k=1)
        return first, second
    if reference == "best":
        position = int(np.argmax(scores.values.mean(axis=-1)))
    else:
        position = scores.labels.index(reference)
    others = np.delete(np.arange(n_estimators), position)
    return others, np.full(len(others), position)


def _leave_out(
    scores: ByMetric, auxiliary: ByMetric, reference: str | None
) -> tuple[dict[str, CVScores], dict[str, CVScores], tuple[Dropped, ...]]:
    """Leave estimators out of metrics in which they lack a score, and metrics if all do."""
    kept: dict[str, CVScores] = {}
    further: dict[str, CVScores] = {}
    dropped: list[Dropped] = []
    for metric, metric_scores in scores.items():
        causes = _lacking(metric, scores, auxiliary)
        labels = np.array(metric_scores.labels)
        positions = np.flatnonzero(~np.isin(labels, list(causes)))
        complete = labels[positions].tolist()
        if not complete and len(scores) > 1:
            dropped.append(Dropped(None, metric, next(iter(causes.values()))))
            continue
        if len(complete) < 2 or reference in causes:
            raise FitError(_too_few(metric, complete, causes, reference), scores, auxiliary)
        dropped += [Dropped(name, metric, why) for name, why in causes.items()]
        kept[metric] = metric_scores._take(positions)
        if metric in auxiliary:
            further[metric] = auxiliary[metric]._take(positions)
    if not kept:
        causes = {str(entry.metric): entry.cause for entry in dropped}
        raise FitError(_too_few("every metric", [], causes, None), scores, auxiliary)
    return kept, further, _joined(dropped, len(kept))


def _joined(dropped: Sequence[Dropped], n_metrics: int) -> tuple[Dropped, ...]:
    """Return each estimator once if it was left out of every metric."""
    by_estimator = defaultdict[str | None, list[Dropped]](list)
    for entry in dropped:
        by_estimator[entry.estimator].append(entry)
    for name, entries in by_estimator.items():
        if name is not None and len(entries) == n_metrics:
            by_estimator[name] = [entries[0]._replace(metric=None)]
    return tuple(chain.from_iterable(by_estimator.values()))


def _too_few(
    metric: str, complete: Sequence[str], causes: Mapping[str, str], reference: str | None
) -> str:
    """Return the message of an error: too few estimators have all their scores."""
    name = next(iter(causes))
    what = f"Of {len(complete) + len(causes)} estimators {len(complete)} have all their scores in"
    if reference in causes:
        name = str(reference)
        what = f"The reference {reference!r} has missing scores in"
    return (
        f"{what} {metric}. {name}: {causes[name].rstrip('.')}. Fix the cause, leave that metric "
        "out, or choose another reference. This error's .scores (and .auxiliary, where there are "
        "such splits) are the finished ones, by metric."
    )


def _lacking(metric: str, scores: ByMetric, auxiliary: ByMetric) -> dict[str, str]:
    """Return the estimators that lack a score of a metric, with the first cause."""
    causes: dict[str, str] = {}
    parts = {"splits": scores[metric]}
    if metric in auxiliary:
        parts["auxiliary splits"] = auxiliary[metric]
    for kind, part in parts.items():
        n_splits = part.design.n_splits
        first_causes = {row: why for row, _, why in reversed(part.failures)}
        n_missing = part._holes.sum(axis=1)
        for row in np.flatnonzero(n_missing).tolist():
            why = first_causes.get(row, _NO_NUMBER).removeprefix(f"{metric}: ").rstrip(".")
            where = f"{n_missing[row]} of {n_splits}"
            if n_missing[row] == n_splits:
                where = "all"
            causes.setdefault(part.labels[row], f"{why}; {where} {kind}")
    labels = scores[metric].labels
    return dict(sorted(causes.items(), key=lambda cause: labels.index(cause[0])))
