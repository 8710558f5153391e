"""The methods paragraph, with its citations."""

from __future__ import annotations

from importlib.metadata import version

from .._utils import format_percent, sentence
from ..comparison import ADJUSTMENTS, Adjustment, ComparisonResult
from ..scores import UNVERIFIED_PAIRING
from ._document import Citation, Section
from ._evidence import Evidence
from ._explanation import ROW_BY_ROW, hypothesis, unit_by_unit

_PROPOSITION = "nadeau1999"


def methods(evidence: Evidence) -> Section:
    """Write the paragraph that a paper needs, in the past tense.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    parts = (
        *_measured(evidence),
        *_tested(evidence),
        *_inferred(evidence),
        *_limits(evidence),
        f" The computations were made with skcvstats {version('skcvstats')} and scikit-learn",
        Citation(("pedregosa2011",)),
        ".",
    )
    return Section(title="Methods", paragraphs=(parts,))


def _measured(evidence: Evidence) -> tuple[str]:
    test, names = evidence.test, evidence.names
    sets = [scores for scores in (evidence.scores, evidence.auxiliary) if scores is not None]
    sources = dict.fromkeys(
        scores.design.source.split("(")[0] for scores in sets if scores.design.source
    )
    drawn = f" The splits were drawn by {' and '.join(sources)}." if sources else ""
    several = len(names) > 1
    who = f"{len(names)} estimators ({', '.join(names)})" if several else ", ".join(names)
    verified = test.scores is None or UNVERIFIED_PAIRING not in test.scores.notes
    same = f", {'' if verified else 'taken to be '}the same for all" if several else ""
    was = "were" if len(evidence.metrics) > 1 else "was"
    return (
        f"The expected {_joined(evidence.metrics)} of {test.subject()} {was} estimated"
        f"{f' for {who}' if who else ''} on {test.sizes()}{same}.{drawn}",
    )


def _joined(names: tuple[str, ...]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _tested(evidence: Evidence) -> tuple[str | Citation, ...]:
    test, result = evidence.test, evidence.comparison
    made = f"; its standard error is {test.explanation}" if test.explanation else ""
    when = f" {sentence(test.assumption)}" if test.assumption else ""
    if not test.asked:
        what, referred = "Its interval was computed", "The interval rests on"
    else:
        what = "It was tested" if result is None else _compared(result)
        referred = "The statistic was referred to"
    cited = (Citation(test.sources),) if test.sources else ()
    law = test.reference_law()
    return (
        f" {what} by the {test.title}",
        *cited,
        f"{made}.{when}{f' {referred} {law}.' if law else ''}",
    )


def _compared(result: ComparisonResult) -> str:
    by = unit_by_unit(result.tests[0])
    if len(result) == len(result.metrics):
        return f"The difference, {by}, was tested"
    if result.reference is None:
        return f"The differences, {by}, were tested pair by pair"
    versus = {comparison.versus for comparison in result}
    if len(versus) > 1:
        name = "the one with the highest score in each metric"
    else:
        best = ", which has the highest score," if result.reference == "best" else ""
        name = f"{versus.pop()}{best}"
    return f"The differences, {by}, from {name} were tested"


def _inferred(evidence: Evidence) -> tuple[str | Citation, ...]:
    result = evidence.comparison
    ends, level = _intervals(evidence)
    null = hypothesis(evidence) if evidence.test.asked else ""
    start = f" p-values are {null}" if null else ""
    if result is None or result.n_adjusted == 1:
        return ("".join(f"{said}." for said in (start, level) if said),)
    within = result.counted_comparisons()
    if result.adjustment == "none":
        not_adjusted = f"neither they nor the {ends} were" if ends else "they were not"
        stop = "." if level else ""
        return (f"{start}; {not_adjusted} adjusted for {within}.{level}{stop}",)
    adjustment = ADJUSTMENTS[result.adjustment]
    return (
        f"{start}; they were adjusted by {adjustment.words}",
        Citation((adjustment.source,)),
        f" for {within}.{f'{level} and {_with_them(adjustment)}.' if level else ''}",
    )


def _with_them(adjustment: Adjustment) -> str:
    if adjustment.has_intervals:
        return "were adjusted by the same method, so that all cover at once"
    return "were not adjusted"


def _intervals(evidence: Evidence) -> tuple[str, str]:
    """Return what the ends of intervals are called, and a clause on their level."""
    test = evidence.test
    if not test.has_interval:
        return "", ""
    one_sided = getattr(test, "alternative", "two-sided") != "two-sided"
    ends = "bounds" if one_sided else "intervals"
    level = format_percent(evidence.confidence_level)
    return ends, f" {ends.capitalize()} are {level} confidence {ends}"


def _limits(evidence: Evidence) -> tuple[str | Citation, ...]:
    test = evidence.test
    over_splits = not test.fixed and unit_by_unit(test) != ROW_BY_ROW
    if not over_splits or not test.sources:  # whose author cites nobody
        return ()
    return (
        " The variance of a mean over splits of one data set has no unbiased estimate",
        Citation((_PROPOSITION,)),
        ", so every test of it rests on an assumption.",
    )
