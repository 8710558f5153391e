"""The opening of a report: the verdict in a sentence, the single claims, the table."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .._utils import (
    counted,
    format_ends,
    format_number,
    format_percent,
    format_pvalue,
    sentence,
)
from ..comparison import Comparison, ComparisonResult
from ..stats import KINDS, CVTestResult, Inference, invalid_first
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
        paragraphs = (*invalid_first(test.notes), paragraph, *_caution(len(test.notes)))
        return (Section(title="Verdict", paragraphs=paragraphs, table=_table(evidence)),)
    return tuple(
        Section(
            title="Verdict" if len(result.metrics) == 1 else f"Verdict: {metric}",
            paragraphs=(
                *invalid_first(result[metric].notes),
                _verdict(result[metric]),
                *_caution(_count_notes(result[metric])),
            ),
            points=tuple(result[metric].sentences()) if result.n_adjusted > 1 else (),
            table=_comparison_table(metric, result[metric]),
        )
        for metric in result.metrics
    )


def interval_head(evidence: Evidence) -> str:
    """Name the column of the intervals.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    return _interval_head(evidence.confidence_level, evidence.comparison)


def _interval_head(confidence_level: float, result: ComparisonResult | None) -> str:
    own = result is not None and result.comparisons[0].has_own_interval
    return f"{'unadjusted ' if own else ''}{format_percent(confidence_level)} interval"


def _count_notes(result: ComparisonResult) -> int:
    return len(result.notes)


def _caution(n_notes: int) -> tuple[str, ...]:
    """Send a reader of the verdict on to what weakens it."""
    if n_notes == 0:
        return ()
    weaken = "weakens" if n_notes == 1 else "weaken"
    return (f"{counted(n_notes, 'warning')} below {weaken} this.",)


def _verdict(result: ComparisonResult) -> str:
    test = result.tests[0]
    comparison, *more = result
    how = f"{test.title} over {test.sizes()}"
    if test.explanation:
        how += f", the standard error being {test.explanation}"
    if not more:
        return f"{comparison.verdict()}, by the {how}; {test.scope()}."
    return f"By the {how}, {_summary(result)}; {result.adjusted()}; {test.scope()}."


def _summary(result: ComparisonResult) -> str:
    """Count the claims of several comparisons."""
    counts = Counter(comparison.claim.brief for comparison in result)
    kinds = {comparison.claim.brief: comparison.claim.kind for comparison in result}
    found = [
        f"{counts[brief]} {'is' if counts[brief] == 1 else 'are'} {_of_many(result, kind, brief)}"
        for brief, kind in sorted(kinds.items(), key=lambda item: list(KINDS).index(item[1]))
    ]
    versus = {comparison.versus for comparison in result}
    each = f"each estimator minus {versus.pop()}" if len(versus) == 1 else "pair by pair"
    level = format_percent(result.comparisons[0].alpha)
    return (
        f"of {counted(len(result), 'expected difference')} in {result.metrics[0]} ({each}), at the "
        f"{level} level, {'; '.join(found)}"
    )


def _of_many(result: ComparisonResult, kind: str, brief: str) -> str:
    """Say what a claim means and what it does not."""
    if kind == "undetermined":
        return "undetermined, as the estimated variance is 0"
    test = result.tests[0]
    if kind != "not shown" or not hasattr(test, "null_value"):
        return brief
    contrary = "of equality" if test.null_value == 0 else "that it does not"
    if isinstance(test, CVTestResult) and test.alternative != "two-sided":
        contrary = "that it is not"
    return f"{brief}, which is no proof {contrary}"


def _comparison_table(metric: str, result: ComparisonResult) -> Table:
    test = result.tests[0]
    versus = {comparison.versus for comparison in result}
    common = len(result) > 1 and len(versus) == 1  # said once, above the table
    heads = ("score", "score versus", "difference", *_heads(result))
    adjusted = ("adjusted p",) if result.comparisons[0].adjusted else ()
    names = ("estimator",) if common else ("estimator", "versus")
    columns = (*names, *heads, *adjusted)
    rows = []
    for comparison in result:
        who = (comparison.estimator, comparison.versus)[: len(names)]
        rows.append((*who, *_row(comparison, _heads(result)))[: len(columns)])
    return Table(
        columns=columns,
        rows=tuple(rows),
        n_names=len(names),
        caption=f"{metric} of {test.subject()}{f', versus {versus.pop()}' if common else ''}, "
        f"{test.title}",
    )


def _heads(result: ComparisonResult) -> tuple[str, ...]:
    """Return the heads of the numbers that the procedure has."""
    test = result.tests[0]
    laws = {each.law for each in result.tests}
    law = laws.pop() if len(laws) == 1 else test.law.split("(")[0]
    own_df = ("df",) if laws else ()
    error = ("std. error",) if test.has_interval else ()
    interval = (_interval_head(result.confidence_level, result),) if test.has_interval else ()
    return (*error, *interval, *((law,) if law else ()), *own_df, "p")


def _row(comparison: Comparison, heads: tuple[str, ...]) -> tuple[str, ...]:
    test = comparison.test
    scores = (comparison.score, comparison.score_versus, test.estimate)
    adjusted = _NONE if test.undetermined else _plain(comparison.pvalue_adjusted)
    own_df = (format_number(test.df),) if "df" in heads else ()
    ends = comparison.confidence_interval() if test.has_interval else None
    *numbers, pvalue = _numbers(test, ends)
    cells = (format_number(score, padded=True) for score in scores)
    return (*cells, *numbers, *own_df, pvalue, adjusted)


def _table(evidence: Evidence) -> Table:
    test, level = evidence.test, evidence.confidence_level
    error = ("std. error", interval_head(evidence)) if test.has_interval else ()
    law = ((test.law,) if test.law else ()) + ("p",) if test.asked else ()
    ends = test.confidence_interval(level) if test.has_interval else None
    columns = ("of", "estimate", *error, *law)
    cells = (test.label, format_number(test.estimate, padded=True), *_numbers(test, ends))
    return Table(
        columns=columns,
        rows=(cells[: len(columns)],),
        n_names=1,
        caption=f"{test.metric} of {test.subject()}, {test.title}",
    )


def _numbers(test: Inference, ends: tuple[Any, Any] | None) -> tuple[str, ...]:
    """Write the numbers that a procedure has besides its estimate."""
    undetermined = test.undetermined  # the limits that p and the interval have are no evidence
    numbers: tuple[str, ...] = ()
    if ends is not None and undetermined:
        numbers = ("0", _NONE)
    elif ends is not None:
        numbers = (format_number(test.standard_error, padded=True), format_ends(*ends, padded=True))
    if test.law:
        numbers += (_NONE if undetermined else format_number(test.statistic, padded=True),)
    return (*numbers, _NONE if undetermined else _plain(test.pvalue))


def _plain(pvalue: Any) -> str:
    return format_pvalue(pvalue).removeprefix("= ")
