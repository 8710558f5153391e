"""The answer: what was found in a metric, in one sentence of at most 40 words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .._utils import (
    counted,
    format_interval,
    format_number,
    format_percent,
    format_pvalue,
)
from ..comparison import Comparison
from ..stats import UNNAMED_ESTIMATE, CVTestResult, Inference, within
from ._findings import NOT_SHOWN, UNDETERMINED, Findings

MOST_WORDS = 40
_MOST_NAMES = 8
# What a margin decides on by the interval of its own.
_INSIDE = ("equivalent", "not worse", "not better")


def answer(findings: Findings) -> str:
    """Say what was found in a metric.

    Parameters
    ----------
    findings : Findings
        Of the metric.
    """
    if findings.alone:
        return _of_two(findings.first)
    if findings.versus():
        return shortened(lambda most: _against_one(findings, most))
    if findings.ranking["could_be_best"].isna().all():
        return shortened(lambda most: _counted(findings, most))
    return shortened(lambda most: _best(findings, most))


def answer_of_one(test: Inference, confidence_level: float) -> str:
    """Say what was found of one estimator, or of one set of differences.

    Parameters
    ----------
    test : Inference
        Of it.
    confidence_level : float
        Of the interval.
    """
    of = "" if test.label == UNNAMED_ESTIMATE else f" of {test.label}"
    what = f"difference in {test.metric}, {test.label}," if test.paired else f"{test.metric}{of}"
    sure = ""
    if test.undetermined:
        sure = ", which is undetermined"
    elif test.has_interval:
        sure = (
            f" ({format_interval(*test.confidence_interval(confidence_level), confidence_level)})"
        )
    asked = ""
    if test.asked and not test.undetermined:
        against = f" against {format_number(test.null_value)}" if _has_null(test) else ""
        asked = f", p {format_pvalue(test.pvalue)}{against}"
    return f"The expected {what} is estimated as {format_number(test.estimate)}{sure}{asked}."


def interval_in_answer(comparison: Comparison) -> str:
    """Name the interval that the answer on two estimators gives.

    Parameters
    ----------
    comparison : Comparison
        Of the two.

    Returns
    -------
    str
        "margin" for that which decides on a margin, "difference" for the other; else empty.
    """
    if not comparison.test.has_interval or comparison.outcome == UNDETERMINED:
        return ""
    return "margin" if comparison.outcome in _INSIDE and comparison.margin else "difference"


def shortened(write: Callable[[int], str]) -> str:
    """Return a sentence of at most 40 words, with as many names as that allows.

    Parameters
    ----------
    write : callable
        From the largest number of names in a row to the sentence.
    """
    for most in range(_MOST_NAMES, 0, -1):
        sentence = write(most)
        if len(sentence.split()) <= MOST_WORDS:
            return sentence
    return write(0)


def joined(names: Sequence[str], most: int) -> str:
    """Join names, the first ones if there are too many.

    Parameters
    ----------
    names : sequence of str
        At least one.
    most : int
        How many names at most; with 0 they are counted.
    """
    if most == 0:
        return str(len(names))
    rest = [f"{len(names) - most} more"] if len(names) > most else []
    *first, last = [*names[:most], *rest]
    return f"{', '.join(first)} and {last}" if first else last


def _has_null(test: Inference) -> bool:
    return isinstance(test, CVTestResult)


def _of_two(comparison: Comparison) -> str:
    test = comparison.test
    numbers = [f"{comparison.estimator} - {comparison.versus} = {format_number(test.estimate)}"]
    which = interval_in_answer(comparison)
    if which == "margin":
        twice = 1 - 2 * comparison.alpha
        numbers.append(format_interval(*comparison.margin_interval(), twice))
    elif which:
        ends = comparison.confidence_interval()
        numbers.append(format_interval(*ends, comparison.confidence_level))
    return f"{comparison.claim.words} ({', '.join(numbers)})."


def _best(findings: Findings, most: int) -> str:
    ranking = findings.ranking
    best = ranking["estimator"][ranking["could_be_best"].astype(bool)].tolist()
    n_all, metric = len(ranking), findings.metric
    if len(best) == n_all:
        said = f"All {n_all} estimators could be the best in {metric}"
    else:
        named = f": {joined(best, most)}" if most else ""
        said = f"{len(best)} of {n_all} estimators could be the best in {metric}{named}"
    return f"{said}; {_tally(findings)} at the {_level(findings)} level."


def _tally(findings: Findings) -> str:
    """Count what is shown, by groups of kinds."""
    n_all = len(findings.result)
    margin = findings.result.margin
    equivalent = "equivalent" if margin is None else f"equivalent {within(margin)}"
    inside = len(findings.positions(*_INSIDE))
    n_equivalent = len(findings.positions("equivalent"))
    undetermined = len(findings.positions(UNDETERMINED))
    counts = {
        "shown": findings.n_shown - inside,
        equivalent: n_equivalent,
        "not worse or not better": inside - n_equivalent,
        UNDETERMINED: undetermined,
    }
    if not counts["shown"]:
        counts = {"shown": 0} | {what: n for what, n in counts.items() if n}
    found = [
        f"{'none' if n == 0 else n} {'is' if n <= 1 else 'are'} {what}"
        for what, n in counts.items()
        if n or what == "shown"
    ]
    *first, last = found
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"of {counted(n_all, 'difference')} {listed}"


def _against_one(findings: Findings, most: int) -> str:
    test = findings.first.test
    if not isinstance(test, CVTestResult) or test.null_value != 0:
        return _counted(findings, most)
    groups = _by_kind(findings, lambda comparison: comparison.estimator)
    predicates = _predicates(findings)
    clauses = [
        f"{joined(names, most)} {'is' if len(names) == 1 else 'are'} {predicates[kind]}"
        for kind, names in groups.items()
    ]
    said = joined(clauses, len(clauses))
    level = _level(findings)
    return f"Compared with {findings.versus()} in {findings.metric}, {said} at the {level} level."


def _predicates(findings: Findings) -> dict[str, str]:
    """Say of each kind what an estimator is compared with another."""
    low, high = findings.result.margin or (0.0, 0.0)
    by_low, by_high = format_number(-low), format_number(high)
    test = findings.first.test
    assert isinstance(test, CVTestResult)
    asked = {"two-sided": "different", "greater": "better", "less": "worse"}[test.alternative]
    return {
        "above by more": f"better by more than {by_high}",
        "below by more": f"worse by more than {by_low}",
        "above by less": f"better by less than {by_high}",
        "below by less": f"worse by less than {by_low}",
        "above": "better",
        "below": "worse",
        "equivalent": f"equivalent {within((low, high))}",
        "not worse": f"not worse by more than {by_low}",
        "not better": f"not better by more than {by_high}",
        NOT_SHOWN: f"not shown to be {asked}",
        UNDETERMINED: UNDETERMINED,
    }


def _counted(findings: Findings, most: int) -> str:
    """Count the claims in the words of the procedure."""
    versus = findings.versus()
    groups = _by_kind(
        findings,
        lambda comparison: (
            comparison.estimator if versus else f"{comparison.estimator} - {comparison.versus}"
        ),
    )
    clauses = []
    for kind, names in groups.items():
        brief = findings.result.comparisons[int(findings.positions(kind)[0])].claim.brief
        named = f" ({joined(names, most)})" if most else ""
        clauses.append(f"{len(names)} {'is' if len(names) == 1 else 'are'} {brief}{named}")
    source = f" from {versus}" if versus else ""
    return (
        f"Of {counted(len(findings.result), 'difference')}{source} in {findings.metric}, at the "
        f"{_level(findings)} level, {joined(clauses, len(clauses))}."
    )


def _by_kind(findings: Findings, name: Callable[[Comparison], str]) -> dict[str, list[str]]:
    """Return the names of comparisons by the kind of their claim, what is shown first."""
    kinds = list(dict.fromkeys(findings.kinds.tolist()))
    kinds.sort(key=lambda kind: (kind == UNDETERMINED, kind == NOT_SHOWN))
    return {
        kind: [name(findings.result.comparisons[int(k)]) for k in findings.positions(kind)]
        for kind in kinds
    }


def _level(findings: Findings) -> str:
    return format_percent(findings.first.alpha)
