"""Missing scores: leave out estimators and metrics, or say how to continue without them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .._utils._text import cut, visible
from ..exceptions import FitError
from ..scores import CVScores, Note, at_rows, holes_of

ByMetric = Mapping[str, CVScores]
_NO_NUMBER = "the metric gave no finite number"


class Dropped(NamedTuple):
    """An estimator or a metric that is left out of a comparison."""

    estimator: str | None
    metric: str | None
    cause: str

    @property
    def note(self) -> Note:
        """The same as a note that is not a warning."""
        if self.estimator is None:
            what = f"metric {cut(str(self.metric))} was left out, for all estimators"
        else:
            where = "" if self.metric is None else f" of {cut(self.metric)}"
            what = f"estimator {cut(self.estimator)} was left out{where}"
        return Note("left out", f"the {what} ({visible(self.cause)})", None)


def leave_out(
    scores: ByMetric, auxiliary: ByMetric, reference: str | None
) -> tuple[dict[str, CVScores], dict[str, CVScores], tuple[Dropped, ...]]:
    """Leave estimators out of metrics in which they lack a score, and metrics if all do."""
    kept: dict[str, CVScores] = {}
    further: dict[str, CVScores] = {}
    dropped: list[Dropped] = []
    for metric, of_metric in scores.items():
        causes = _lacking(metric, scores, auxiliary)
        whole = [name for name in of_metric.labels if name not in causes]
        if not whole and len(scores) > 1:
            dropped.append(Dropped(None, metric, next(iter(causes.values()))))
            continue
        lacking = reference if reference in causes else None
        if len(whole) < 2 or lacking:
            raise FitError(_too_few(metric, whole, causes, lacking), scores, auxiliary)
        dropped += [Dropped(name, metric, why) for name, why in causes.items()]
        kept[metric] = scores_of(of_metric, whole)
        if metric in auxiliary:
            further[metric] = scores_of(auxiliary[metric], whole)
    if not kept:
        causes = {entry.metric or "": entry.cause for entry in dropped}
        raise FitError(_too_few("every metric", [], causes, None), scores, auxiliary)
    return kept, further, _joined(dropped, list(kept))


def _too_few(
    metric: str, whole: Sequence[str], causes: Mapping[str, str], reference: str | None
) -> str:
    name = reference or next(iter(causes))
    if reference:
        what = f"The reference {reference!r} has missing scores in {metric}"
        remedy = "choose another reference"
    else:
        left = f"only {whole[0]!r} is" if whole else "no estimator is"
        what = f"Of {len(whole) + len(causes)} estimators {left} left in {metric}"
        what += "" if whole else ": none has all its scores"
        remedy = "leave that metric out"
    return (
        f"{what}. {name}: {causes[name].rstrip('.')}. Fix the cause, or {remedy}. This error's "
        ".scores (and .auxiliary, where there are such splits) are the finished ones, by metric."
    )


def _joined(dropped: Sequence[Dropped], metrics: Sequence[str]) -> tuple[Dropped, ...]:
    """Return what was left out, each estimator once if it was left out of every metric."""
    joined: list[Dropped] = []
    for name in dict.fromkeys(entry.estimator for entry in dropped):
        entries = [entry for entry in dropped if entry.estimator == name]
        everywhere = name is not None and {entry.metric for entry in entries} == set(metrics)
        joined += [entries[0]._replace(metric=None)] if everywhere else entries
    return tuple(joined)


def _lacking(metric: str, scores: ByMetric, auxiliary: ByMetric) -> dict[str, str]:
    """Return the estimators that lack a score of a metric, with the first cause."""
    causes: dict[str, str] = {}
    parts = {"splits": scores[metric]}
    parts |= {"auxiliary splits": auxiliary[metric]} if metric in auxiliary else {}
    for kind, part in parts.items():
        n_splits = part.design.n_splits
        for row, n_holes in enumerate(holes_of(part).sum(axis=1).tolist()):
            if n_holes:
                given = (why for at, _, why in part.failures if at == row)
                why = next(given, _NO_NUMBER).removeprefix(f"{metric}: ").rstrip(".")
                where = "all" if n_holes == n_splits else f"{n_holes} of {n_splits}"
                causes.setdefault(part.labels[row], f"{why}; {where} {kind}")
    return {name: causes[name] for name in scores[metric].labels if name in causes}


def scores_of(scores: CVScores, names: Sequence[str]) -> CVScores:
    """Return the complete scores of some of the estimators."""
    rows = np.array([scores.labels.index(name) for name in names])
    if len(rows) == len(scores.labels):
        return scores
    return at_rows(scores, rows, labels=tuple(names), failures=())


def next_line(
    scores: ByMetric,
    auxiliary: ByMetric,
    reference: str | None,
    options: str,
    of_some: str,
    title: str,
) -> str:
    """Return the line of code that continues with the scores of a `FitError`; empty without one."""
    usable = {}
    for metric, part in scores.items():
        lacking = _lacking(metric, scores, auxiliary)
        names = [name for name in part.labels if name not in lacking]
        if len(names) > 1 and reference in (None, "best", *names):
            usable[metric] = names
    if usable:
        line = _without(usable, scores, auxiliary, options)
        return f"The line below continues without what failed.\n  {line}"
    metric, of_metric = next(iter(scores.items()))
    kept = np.asarray(~holes_of(of_metric).any(axis=0))
    if auxiliary or len(scores) > 1 or of_metric.design.whole(kept).sum() < 2:
        return ""
    return (
        f"The line below continues with the splits that all estimators have, by the {title}.\n  "
        f"compare_scores(error.scores[{metric!r}].dropna(){of_some})"
    )


def _without(
    usable: Mapping[str, Sequence[str]], scores: ByMetric, auxiliary: ByMetric, options: str
) -> str:
    metric, names = next(iter(usable.items()))
    metrics = [name for name, some in usable.items() if list(some) == list(names)]
    one_metric = len(scores) == 1
    key = repr(metric) if one_metric else "metric"

    def part(attribute: str) -> str:
        return f"{{name: error.{attribute}[{key}][name] for name in {list(names)!r}}}"

    further = f", auxiliary={part('auxiliary')}" if auxiliary else ""
    call = f"compare_scores({part('scores')}{further}{options})"
    return call if one_metric else f"{{metric: {call} for metric in {metrics!r}}}"
