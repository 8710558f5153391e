"""The opening of a report: the verdict in a sentence, the single claims, the table."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .._utils import (
    counted,
    format_ends,
    format_law,
    format_number,
    format_percent,
    format_pvalue,
    sentence,
)
from ..comparison import Comparison, ComparisonResult
from ..stats import CVTestResult
from ._document import Section, Table
from ._evidence import Evidence

_NONE = "\N{EN DASH}"


def opening(evidence: Evidence) -> tuple[Section, ...]:
    """Return a section for each metric.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    result = evidence.comparison
    if result is None:
        test = evidence.test
        made = f" Its standard error is {test.explanation}." if test.explanation else ""
        found = test.sentence(evidence.confidence_level)
        paragraph = f"{found}{made} {sentence(test.scope())}"
        paragraphs = (paragraph, *_caution(len(test.notes)))
        return (Section(title="Verdict", paragraphs=paragraphs, table=_table(evidence)),)
    return tuple(
        Section(
            title="Verdict" if len(result.metrics) == 1 else f"Verdict: {metric}",
            paragraphs=(_verdict(result[metric]), *_caution(_count_notes(result[metric]))),
            points=tuple(result[metric].sentences()) if result.n_adjusted > 1 else (),
            table=_comparison_table(metric, result[metric]),
        )
        for metric in result.metrics
    )


def interval_head(confidence_level: float) -> str:
    """Name the column of the intervals.

    Parameters
    ----------
    confidence_level : float
        Of the intervals.
    """
    return f"{format_percent(confidence_level)} interval"


def _count_notes(result: ComparisonResult) -> int:
    return len({note for one in result for note in one.notes})


def _caution(n_notes: int) -> tuple[str, ...]:
    """Send a reader of the verdict on to what weakens it."""
    if n_notes == 0:
        return ()
    weaken = "weakens" if n_notes == 1 else "weaken"
    return (f"{counted(n_notes, 'warning')} below {weaken} this.",)


def _verdict(result: ComparisonResult) -> str:
    test = result.tests[0]
    one, *more = result
    how = f"{test.title} over {test.sizes()}"
    if test.explanation:
        how += f", the standard error being {test.explanation}"
    if not more:
        return f"{one.verdict()}, by the {how}; {test.scope()}."
    return f"By the {how}, {_summary(result)}; {result.adjusted()}; {test.scope()}."


def _summary(result: ComparisonResult) -> str:
    """Count the outcomes of several comparisons."""
    counts = Counter(one.outcome for one in result)
    null = format_number(result.tests[0].null_value)
    alternative = result.tests[0].alternative
    two_sided = alternative == "two-sided"
    contrary = "that it is not" if not two_sided else "that it does not"
    if two_sided and result.tests[0].null_value == 0:
        contrary = "of equality"
    relation = {"two-sided": "to differ from", "greater": "to be above", "less": "to be below"}
    outcomes = {
        "above": f"shown to be above {null}",
        "below": f"shown to be below {null}",
        "not shown": f"not shown {relation[alternative]} {null}, which is no proof {contrary}",
        "undetermined": "undetermined, as the estimated variance is 0",
    }
    found = [
        f"{counts[name]} {'is' if counts[name] == 1 else 'are'} {text}"
        for name, text in outcomes.items()
        if counts[name]
    ]
    versus = {one.versus for one in result}
    each = f"each estimator minus {versus.pop()}" if len(versus) == 1 else "pair by pair"
    level = format_percent(result.comparisons[0].alpha)
    return (
        f"of {counted(len(result), 'expected difference')} in {result.metrics[0]} ({each}), at the "
        f"{level} level, {'; '.join(found)}"
    )


def _comparison_table(metric: str, result: ComparisonResult) -> Table:
    test = result.tests[0]
    versus = {one.versus for one in result}
    common = len(result) > 1 and len(versus) == 1  # said once, above the table
    head = interval_head(result.confidence_level)
    numbers = ("score", "score versus", "difference", "std. error", head, format_law(test.df), "p")
    adjusted = ("adjusted p",) if result.comparisons[0].adjusted else ()
    names = ("estimator",) if common else ("estimator", "versus")
    rows = [((one.estimator, one.versus)[: len(names)], _row(one)) for one in result]
    n_numbers = len(numbers) + len(adjusted)
    return Table(
        columns=(*names, *numbers, *adjusted),
        rows=tuple((*who, *cells[:n_numbers]) for who, cells in rows),
        n_names=len(names),
        caption=f"{metric} of {test.subject()}{f', versus {versus.pop()}' if common else ''}, "
        f"{test.title}",
    )


def _row(one: Comparison) -> tuple[str, ...]:
    scores = (format_number(score, padded=True) for score in (one.score, one.score_versus))
    adjusted = _NONE if one.test.undetermined else _plain(one.pvalue_adjusted)
    return (*scores, *_numbers(one.test, one.confidence_level), adjusted)


def _table(evidence: Evidence) -> Table:
    test, level = evidence.test, evidence.confidence_level
    law = (format_law(test.df), "p") if test.asked else ()
    columns = ("of", "estimate", "std. error", interval_head(level), *law)
    cells = (test.label, *_numbers(test, level))
    return Table(
        columns=columns,
        rows=(cells[: len(columns)],),
        n_names=1,
        caption=f"{test.metric} of {test.subject()}, {test.title}",
    )


def _numbers(test: CVTestResult, confidence_level: float) -> tuple[str, ...]:
    estimate, error = (format_number(x, padded=True) for x in (test.estimate, test.standard_error))
    if test.undetermined:  # the limits that p and the interval have by definition are no evidence
        return (estimate, "0", _NONE, _NONE, _NONE)
    return (
        estimate,
        error,
        format_ends(*test.confidence_interval(confidence_level), padded=True),
        format_number(test.statistic, padded=True),
        _plain(test.pvalue),
    )


def _plain(pvalue: Any) -> str:
    return format_pvalue(pvalue).removeprefix("= ")
