"""``gate``: whether a challenger may replace a champion, as an exit status."""

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

from .._utils._checks import listed
from .._utils._text import cut, format_interval, format_number, format_pvalue
from ..comparison import SMALL_MARGIN, Comparison, ComparisonResult, compare_scores
from ..model_selection import procedure_of
from ..scores import shown_ends
from ..stats import KINDS, LocationTest, words_of
from ..words import said_of_slices
from ._compare import compare_columns, fit_and_compare
from ._errors import InputError, complain
from ._estimators import parse_estimator
from ._output import as_json, how_prepared, read_scores, tell
from ._table import prepare

HOLDS, CONTRARY, NEITHER = 0, 1, 3
_DECISIONS = {
    HOLDS: ("holds", "PASS"),
    CONTRARY: ("contrary", "FAIL"),
    NEITHER: ("not shown", "UNDECIDED"),
}
# The claim that each rule wants, of challenger - champion.
RULES = {"not-worse": "not worse", "better": "above", "equivalent": "equivalent"}
_NEED_MARGIN = {"not-worse": "not worse", "equivalent": "equivalence"}  # and what p is of


def gate(options: argparse.Namespace) -> int:
    """Decide by a rule, and print why in one line."""
    given = [name for name in _SOURCES if getattr(options, name) is not None]
    if len(given) != 1:
        raise InputError("gate needs one of --data with --target, --scores and --predictions.")
    compared_by, unused = _SOURCES[given[0]]
    for name in unused:
        if name in options.given:
            raise InputError(
                f"gate --{given[0]} does not accept --{name.replace('_', '-')}; leave it out."
            )
    if options.champion == options.challenger:
        raise InputError(f"--champion and --challenger are both {options.champion!r}.")
    return tell(lambda: compared_by(options), options, partial(_decided, options))


def _decided(options: argparse.Namespace, result: ComparisonResult) -> tuple[str, int, str]:
    """Return the decision as a line or JSON, the exit status, and what a report says of it."""
    comparison, rule = result[0], options.rule
    status = decide(rule, comparison.claim.kind)
    lines = [f"{_DECISIONS[status][1]}: {_why(comparison, rule, status)}"]
    if result.slices:
        (claim,) = result.no_slice_worse().to_dict("records")
        contrary = claim["pvalue_contrary"] <= comparison.alpha
        of_slices = HOLDS if claim["shown"] else CONTRARY if contrary else NEITHER
        lines.append(f"{_DECISIONS[of_slices][1]}: {said_of_slices(claim, result)}")
        status = next(each for each in (CONTRARY, NEITHER, HOLDS) if each in (status, of_slices))
    why = "\n".join(lines)
    said = f"{'. '.join(lines)}. This was decided by the rule {rule}."
    if options.json:
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
            "margin_interval": comparison.margin and list(comparison.margin_interval()),
            "pvalue": comparison.pvalue_adjusted,
            "outcome": comparison.outcome,
        }
        return as_json(content, result), status, said
    for line in how_prepared(result):
        complain(f"data: {line}")
    for note in result.notes:
        if note.code != SMALL_MARGIN or (rule, status) == ("equivalent", NEITHER):
            complain(f"note: {note}")
    return why, status, said


def _why(comparison: Comparison, rule: str, status: int) -> str:
    """Say what is shown of the challenger with regard to a rule, and the numbers that decide."""
    test, level = comparison.test, comparison.confidence_level
    low, high = comparison.margin or (0.0, 0.0)
    said, margin = comparison.claim.kind, comparison.margin
    if status != CONTRARY and not test.undetermined:  # of what the rule wants
        said, margin = RULES[rule], margin if rule in _NEED_MARGIN else None
    names = cut(comparison.estimator), cut(comparison.versus)
    is_shown = status != NEITHER or test.undetermined
    words = words_of(said, names, test.metric, margin, shown=is_shown)
    numbers = [f"difference {format_number(test.estimate)}"]
    if not test.undetermined:
        ends, pvalue, what = comparison.confidence_interval(), comparison.pvalue_adjusted, ""
        if comparison.margin_pvalues is not None and rule in _NEED_MARGIN:
            field = KINDS[comparison.claim.kind].pvalue
            if status != CONTRARY:
                ends, level = comparison.margin_interval(), 1 - 2 * comparison.alpha
                field, what = rule.replace("-", "_"), f" for {_NEED_MARGIN[rule]}"
            pvalue = getattr(comparison.margin_pvalues, field)
        shown = shown_ends(test.scores, *ends)
        numbers.append(format_interval(*shown, level, apart=(0.0, low, high)))
        numbers.append(f"p {format_pvalue(pvalue, test.describe().smallest_pvalue)}{what}")
    return f"{words.long} ({', '.join(numbers)})"


def decide(rule: str, kind: str) -> int:
    """Return the exit status of a rule, given what is shown about challenger - champion."""
    wanted, shown = KINDS[RULES[rule]], KINDS[kind]
    if wanted.low <= shown.low and shown.high <= wanted.high:
        return HOLDS
    return CONTRARY if shown.high <= wanted.low or shown.low >= wanted.high else NEITHER


def _from_data(options: argparse.Namespace) -> ComparisonResult:
    _check_margin(options.rule, options.margin)
    if not isinstance(procedure_of(options.method), LocationTest):
        raise InputError(
            f"--method {options.method} has no direction, so it cannot decide; leave it out."
        )
    for flag in ("champion", "challenger"):
        parse_estimator(getattr(options, flag), f"--{flag}")
    result: ComparisonResult = options.fits.result()
    return result


def fit_both(options: argparse.Namespace) -> ComparisonResult:
    """Find, fit and compare the champion and the challenger; runs in the child process."""
    flags = ("champion", "challenger")
    both = [parse_estimator(getattr(options, flag), f"--{flag}") for flag in flags]
    data = prepare(options)
    return fit_and_compare(both, data, options, options.scoring, reference=both[0].name)


def _from_scores(options: argparse.Namespace) -> ComparisonResult:
    """Compare only these two, with the procedure of the saved result."""
    saved = read_scores(options.scores)
    metric = options.scoring or saved.metrics[0]
    if metric not in saved.metrics:
        known = listed(saved.metrics)
        raise InputError(f"--scoring {metric!r} must be one of the saved metrics, {known}.")
    if options.scoring is None and len(saved.metrics) > 1:
        complain(f"note: {metric} decides, the first of the saved metrics {listed(saved.metrics)}")
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
    if options.by is None:
        _check_margin(options.rule, options.margin)
    elif options.margin is None:
        raise InputError(
            "--by needs --margin, the most by which the challenger may be worse in any slice."
        )
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
_FITTING = (
    *("task", "keep", "method", "n_splits", "test_size", "seed", "fresh_seeds", "n_jobs", "store"),
)
_READING = ("target", "positive", "groups", "drop", "separator", "encoding")
_PREDICTED = ("threshold", "by", "time", "missing_rows")
_SOURCES: dict[str, tuple[Callable[[argparse.Namespace], ComparisonResult], tuple[str, ...]]] = {
    "data": (_from_data, _PREDICTED),
    "scores": (_from_scores, (*_READING, *_FITTING, *_PREDICTED)),
    "predictions": (_from_predictions, _FITTING),
}
