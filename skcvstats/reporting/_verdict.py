"""The opening of a report: the verdict in a sentence, the single claims, the table."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .._comparison import Comparison, ComparisonResult
from .._format import (
    counted,
    format_ends,
    format_law,
    format_number,
    format_percent,
    format_pvalue,
    sentence,
)
from .._results import CVTestResult
from ._document import Section, Table
from ._evidence import Evidence


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
        paragraph = f"{test.sentence(evidence.confidence_level)} {sentence(test.scope())}"
        paragraphs = (paragraph, *_caution(evidence))
        return (Section(title="Verdict", paragraphs=paragraphs, table=_table(evidence)),)
    return tuple(
        Section(
            title="Verdict" if len(result.metrics) == 1 else f"Verdict: {metric}",
            paragraphs=(_verdict(result[metric]), *_caution(evidence)),
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


def _caution(evidence: Evidence) -> tuple[str, ...]:
    """Send a reader of the verdict on to what weakens it."""
    n_notes = len(evidence.notes())
    if n_notes == 0:
        return ()
    weaken = "weakens" if n_notes == 1 else "weaken"
    return (f"{counted(n_notes, 'warning')} below {weaken} this.",)


def _verdict(result: ComparisonResult) -> str:
    test = result.tests[0]
    one, *more = result
    claim = one.verdict() if not more else _summary(result)
    adjusted = f"; {result.adjusted()}" if more else ""
    return f"{claim}, by the {test.title} over {test.sizes()}{adjusted}; {test.scope()}."


def _summary(result: ComparisonResult) -> str:
    """Count the outcomes of several comparisons."""
    counts = Counter(one.outcome for one in result)
    null = format_number(result.tests[0].null_value)
    relation = {"two-sided": "to differ from", "greater": "to be above", "less": "to be below"}
    outcomes = {
        "above": f"shown to be above {null}",
        "below": f"shown to be below {null}",
        "not shown": f"not shown {relation[result.tests[0].alternative]} {null}, which is no proof "
        "of equality",
        "undetermined": "undetermined, as the estimated variance is 0",
    }
    found = [
        f"{counts[name]} {'is' if counts[name] == 1 else 'are'} {text}"
        for name, text in outcomes.items()
        if counts[name]
    ]
    versus = {one.versus for one in result}
    each = f"each estimator minus {versus.pop()}" if len(versus) == 1 else "pair by pair"
    return (
        f"Of {counted(len(result), 'expected difference')} in {result.metrics[0]}, {each}, at the "
        f"{format_percent(result.comparisons[0].alpha)} level {'; '.join(found)}"
    )


def _comparison_table(metric: str, result: ComparisonResult) -> Table:
    test = result.tests[0]
    head = interval_head(result.confidence_level)
    numbers = ("score", "score versus", "difference", "std. error", head)
    adjusted = ("adjusted p",) if result.n_adjusted > 1 else ()
    columns = ("estimator", "versus", *numbers, format_law(test.df), "p", *adjusted)
    return Table(
        columns=columns,
        rows=tuple(_row(one)[: len(columns)] for one in result),
        n_names=2,
        caption=f"{metric} of {test.subject()}, {test.title}",
    )


def _row(one: Comparison) -> tuple[str, ...]:
    scores = format_number(one.score), format_number(one.score_versus)
    adjusted = _plain(one.pvalue_adjusted)
    return (one.estimator, one.versus, *scores, *_numbers(one.test, one.confidence_level), adjusted)


def _table(evidence: Evidence) -> Table:
    test, level = evidence.test, evidence.confidence_level
    head = interval_head(level)
    columns = ("of", "estimate", "std. error", head, format_law(test.df), "p")
    return Table(
        columns=columns,
        rows=((test.label, *_numbers(test, level)),),
        n_names=1,
        caption=f"{test.metric} of {test.subject()}, {test.title}",
    )


def _numbers(test: CVTestResult, confidence_level: float) -> tuple[str, ...]:
    return (
        format_number(test.estimate),
        format_number(test.standard_error),
        format_ends(*test.confidence_interval(confidence_level)),
        format_number(test.statistic),
        _plain(test.pvalue),
    )


def _plain(pvalue: Any) -> str:
    return format_pvalue(pvalue).removeprefix("= ")
