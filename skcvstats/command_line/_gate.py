"""``gate``: whether a challenger may replace a champion, as an exit status."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from typing import Any

from .._utils._checks import listed
from ..comparison import Comparison, ComparisonResult, compare_scores
from ..stats import KINDS, LocationTest, get_procedure
from ._compare import compare_columns, fit_and_compare
from ._estimators import parse_estimator
from ._output import as_json, how_prepared, read_scores
from ._parser import InputError
from ._preparation import prepare

HOLDS, CONTRARY, NEITHER = 0, 1, 3
_DECISIONS = {
    HOLDS: ("holds", "PASS, the challenger is shown to be {}"),
    CONTRARY: ("contrary", "FAIL, the contrary of {} is shown"),
    NEITHER: ("not shown", "UNDECIDED, neither {} nor its contrary is shown"),
}
# What each rule wants: bounds of challenger - champion, 0 or those of the margin, -1 and 1.
RULES = {"not-worse": (-1, math.inf), "better": (0, math.inf), "equivalent": (-1, 1)}
_NEED_MARGIN = ("not-worse", "equivalent")


def gate(options: argparse.Namespace) -> int:
    """Decide by a rule, and print why in one line."""
    given = [name for name in _SOURCES if getattr(options, name) is not None]
    if len(given) != 1:
        raise InputError("gate needs one of --data with --target, --scores and --predictions.")
    compared_by, unused = _SOURCES[given[0]]
    for name in unused:
        if name in options.given:
            raise InputError(
                f"gate --{given[0]} has no use for --{name.replace('_', '-')}; leave it out."
            )
    if options.champion == options.challenger:
        raise InputError(f"--champion and --challenger are both {options.champion!r}.")
    result = compared_by(options)
    comparison = result[0]
    status = decide(options.rule, comparison.outcome)
    said = _DECISIONS[status][1].format(options.rule.replace("-", " "))
    why = f"{said}: {comparison.verdict()}"
    print(_as_json(status, why, comparison, result, options.rule) if options.json else why)
    if not options.json:
        for line in how_prepared(result):
            print(f"data: {line}", file=sys.stderr)
        for note in result.notes:
            print(f"note: {note}", file=sys.stderr)
    return status


def decide(rule: str, outcome: str) -> int:
    """Return the exit status of a rule, given what is shown about challenger - champion."""
    (low, high), shown = RULES[rule], KINDS[outcome]
    if low <= shown.low and shown.high <= high:
        return HOLDS
    return CONTRARY if shown.high <= low or shown.low >= high else NEITHER


def _from_data(options: argparse.Namespace) -> ComparisonResult:
    _check_margin(options.rule, options.margin)
    if not isinstance(get_procedure(options.method), LocationTest):
        raise InputError(
            f"--method {options.method} has no direction, so it cannot decide; leave it out."
        )
    champion, challenger = map(parse_estimator, (options.champion, options.challenger))
    data = prepare(options)
    return fit_and_compare(
        [champion, challenger], data, options, options.scoring, reference=champion.name
    )


def _from_scores(options: argparse.Namespace) -> ComparisonResult:
    """Compare only these two, with the procedure of the saved result."""
    saved = read_scores(options.scores)
    metric = options.scoring
    if metric is None and len(saved.metrics) == 1:
        (metric,) = saved.metrics
    if metric not in saved.metrics:
        raise InputError(
            f"--scoring {metric!r} must be one of the saved metrics, {listed(saved.metrics)}."
        )
    tests = saved.tests_by_metric[metric]
    names = (options.champion, options.challenger)
    if unknown := [name for name in names if name not in tests.scores.labels]:
        raise InputError(
            f"{listed(unknown)}: not among the models of {options.scores}, which are "
            f"{listed(tests.scores.labels, 20)}."
        )
    if not hasattr(tests.procedure, "pivot"):
        raise InputError(
            f"The scores were compared by the {tests.procedure.title}, which has no direction."
        )
    margin = saved.margin if options.margin is None else options.margin
    _check_margin(options.rule, margin if options.rule in _NEED_MARGIN else options.margin)
    return compare_scores(
        {name: tests.scores[name] for name in names},
        method=tests.procedure,
        reference=options.champion,
        auxiliary=tests.auxiliary and {name: tests.auxiliary[name] for name in names},
        confidence_level=options.confidence_level or saved.confidence_level,
        margin=margin,
    )


def _from_predictions(options: argparse.Namespace) -> ComparisonResult:
    _check_margin(options.rule, options.margin)
    if options.target is None or options.scoring is None:
        raise InputError("gate --predictions needs --target and --scoring.")
    models = [options.champion, options.challenger]
    return compare_columns(options, models, reference=options.champion)


def _check_margin(rule: str, margin: Any) -> None:
    if rule in _NEED_MARGIN and margin is None:
        raise InputError(
            f"--rule {rule} needs --margin, the largest difference that does not matter, in the "
            "metric's unit."
        )
    if rule not in _NEED_MARGIN and margin is not None:
        raise InputError(f"--rule {rule} takes no --margin; leave it out.")


# Where the scores come from: what compares them, and the options that have no use then.
_FITTING = ("keep", "method", "n_splits", "test_size", "seed", "n_jobs")
_READING = ("target", "positive", "groups", "drop", "separator", "encoding")
_SOURCES: dict[str, tuple[Callable[[argparse.Namespace], ComparisonResult], tuple[str, ...]]] = {
    "data": (_from_data, ("threshold",)),
    "scores": (_from_scores, (*_READING, *_FITTING, "threshold")),
    "predictions": (_from_predictions, _FITTING),
}


def _as_json(
    status: int, why: str, comparison: Comparison, result: ComparisonResult, rule: str
) -> str:
    within = None if comparison.margin is None else list(comparison.margin_interval())
    content = {
        "decision": _DECISIONS[status][0],
        "exit_status": status,
        "why": why,
        "rule": rule,
        "metric": comparison.metric,
        "champion": comparison.versus,
        "challenger": comparison.estimator,
        "score_champion": comparison.score_versus,
        "score_challenger": comparison.score,
        "difference": comparison.test.estimate,
        "confidence_level": comparison.confidence_level,
        "interval": list(comparison.confidence_interval()),
        "margin": comparison.margin,
        "margin_interval": within,
        "pvalue": comparison.pvalue_adjusted,
        "outcome": comparison.outcome,
        "data": how_prepared(result),
        "notes": [str(note) for note in result.notes],
    }
    return as_json(content)
