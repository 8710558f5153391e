"""``gate``: whether a challenger may replace a champion, as an exit status."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

from .._utils._checks import listed
from ._compare import fit_and_compare
from ._errors import InputError
from ._estimator_string import parse_estimator
from ._json import as_json, read_scores
from ._predictions import compare_columns
from ._preparation import how_prepared, prepare

if TYPE_CHECKING:
    import argparse

    from ..comparison import Comparison, ComparisonResult

HOLDS, CONTRARY, NEITHER = 0, 1, 3
_DECISIONS = {HOLDS: "holds", CONTRARY: "contrary", NEITHER: "not shown"}
# What each rule wants: bounds of challenger - champion, 0 or those of the margin, -1 and 1.
RULES = {"not-worse": (-1, math.inf), "better": (0, math.inf), "equivalent": (-1, 1)}
_NEED_MARGIN = ("not-worse", "equivalent")


def gate(options: argparse.Namespace) -> int:
    """Decide by a rule, and print why in one line."""
    given = [name for name in _SOURCES if getattr(options, name) is not None]
    if len(given) != 1:
        raise InputError("gate needs one of --data with --target, --scores and --predictions.")
    _check_used(given[0], options.given)
    result = _SOURCES[given[0]](options)
    comparison = result[0]
    status = decide(options.rule, comparison.outcome)
    why = f"{_said(status, options.rule)}: {comparison.verdict()}"
    print(_as_json(status, why, comparison, result, options.rule) if options.json else why)
    if not options.json:
        for line in how_prepared(result):
            print(f"data: {line}", file=sys.stderr)
        for note in result.notes:
            print(f"note: {note}", file=sys.stderr)
    return status


def decide(rule: str, outcome: str) -> int:
    """Return the exit status of a rule, given what is shown about challenger - champion."""
    from ..stats import KINDS

    (low, high), shown = RULES[rule], KINDS[outcome]
    if low <= shown.low and shown.high <= high:
        return HOLDS
    return CONTRARY if shown.high <= low or shown.low >= high else NEITHER


def _said(status: int, rule: str) -> str:
    words = rule.replace("-", " ")
    return {
        HOLDS: f"PASS, the challenger is shown to be {words}",
        CONTRARY: f"FAIL, the contrary of {words} is shown",
        NEITHER: f"UNDECIDED, neither {words} nor its contrary is shown",
    }[status]


def _from_data(options: argparse.Namespace) -> ComparisonResult:
    from ..stats import LocationTest, get_procedure

    _check_margin(options.rule, options.margin)
    if not isinstance(get_procedure(options.method), LocationTest):
        raise InputError(
            f"--method {options.method} has no direction, so it cannot decide; leave it out."
        )
    champion, challenger = map(parse_estimator, (options.champion, options.challenger))
    data = prepare(options)
    return fit_and_compare(
        [champion, challenger],
        data,
        options,
        scoring=options.scoring,
        reference=champion.name,
    )


def _check_margin(rule: str, margin: Any) -> None:
    if rule in _NEED_MARGIN and margin is None:
        raise InputError(
            f"--rule {rule} needs --margin, the largest difference that does not matter, in the "
            "metric's unit."
        )
    if rule not in _NEED_MARGIN and margin is not None:
        raise InputError(f"--rule {rule} takes no --margin; leave it out.")


def _from_scores(options: argparse.Namespace) -> ComparisonResult:
    """Compare only these two, with the procedure of the saved result."""
    from ..comparison import compare_scores

    saved = read_scores(options.scores)
    metric = _metric(saved, options.scoring)
    tests = saved.tests_by_metric[metric]
    for option in ("champion", "challenger"):
        name = getattr(options, option)
        if name not in tests.scores.labels:
            raise InputError(
                f"--{option} {name!r} is not in {options.scores}, which holds "
                f"{listed(tests.scores.labels, 20)}."
            )
    if options.champion == options.challenger:
        raise InputError(f"--champion and --challenger are both {options.champion!r}.")
    if not hasattr(tests.procedure, "pivot"):
        raise InputError(
            f"The scores were compared by the {tests.procedure.title}, which has no direction."
        )
    names = (options.champion, options.challenger)
    result = compare_scores(
        {name: tests.scores[name] for name in names},
        method=tests.procedure,
        reference=options.champion,
        auxiliary=tests.auxiliary and {name: tests.auxiliary[name] for name in names},
        confidence_level=options.confidence_level or saved.confidence_level,
        margin=saved.margin,
    )
    if options.margin is not None and options.rule == "better":
        _check_margin(options.rule, options.margin)
    if options.margin is not None and result.margin != (-options.margin, options.margin):
        result = result.with_margin(options.margin)
    if options.rule in _NEED_MARGIN:
        _check_margin(options.rule, result.margin)
    return result


def _from_predictions(options: argparse.Namespace) -> ComparisonResult:
    _check_margin(options.rule, options.margin)
    if options.target is None or options.scoring is None:
        raise InputError("gate --predictions needs --target and --scoring.")
    if options.champion == options.challenger:
        raise InputError(f"--champion and --challenger are both {options.champion!r}.")
    models = [options.champion, options.challenger]
    return compare_columns(options, models, reference=options.champion)


_SOURCES = {"data": _from_data, "scores": _from_scores, "predictions": _from_predictions}


# Options that apply only to data to fit on, or to a file.
_FITTING = ("keep", "method", "n_splits", "test_size", "seed", "n_jobs")
_UNUSED = {
    "data": (),
    "scores": ("target", "positive", "groups", "drop", "separator", "encoding", *_FITTING),
    "predictions": _FITTING,
}


def _check_used(source: str, given: set[str]) -> None:
    for name in _UNUSED[source]:
        if name in given:
            raise InputError(
                f"gate --{source} has no use for --{name.replace('_', '-')}; leave it out."
            )


def _metric(saved: ComparisonResult, wanted: str | None) -> str:
    if wanted is None and len(saved.metrics) == 1:
        return saved.metrics[0]
    if wanted not in saved.metrics:
        raise InputError(
            f"--scoring {wanted!r} must be one of the saved metrics, {listed(saved.metrics)}."
        )
    return str(wanted)


def _as_json(
    status: int, why: str, comparison: Comparison, result: ComparisonResult, rule: str
) -> str:
    within = None if comparison.margin is None else list(comparison.margin_interval())
    content = {
        "decision": _DECISIONS[status],
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
