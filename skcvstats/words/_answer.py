"""The answer: what was found, in one sentence of at most 40 words."""

from __future__ import annotations

from .._utils._checks import alpha_of
from .._utils._text import cut, format_interval, format_number, format_pvalue
from ..comparison import answer
from ..stats import UNNAMED_ESTIMATE, CVTestResult, Inference, invalid_first
from ._document import Section
from ._findings import Findings

MOST_WORDS = 40


def answer_of_several(findings: Findings) -> tuple[str, ...]:
    """Say what was found in a metric, with as many names as fit."""
    for most_names in (3, 2, 1, 0):
        said = answer(findings.result, findings.ranking, most_names)
        if len(said.split()) <= MOST_WORDS:
            break
    return (*invalid_first(findings.result.notes), said)


def answer_of_one(test: Inference, confidence_level: float) -> Section:
    """Say what was found about one estimator, or about one set of differences."""
    said = [*invalid_first(test.notes)]
    if not isinstance(test, CVTestResult):  # only such a procedure knows what its numbers show
        said.append(f"{test.claim(alpha_of(confidence_level)).words}.")
    said.append(_estimated(test, confidence_level))
    return Section(title="Answer", paragraphs=tuple(said), facts=precision(test), leads=True)


def precision(test: Inference) -> tuple[tuple[str, str], ...]:
    """Return the standard error and the statistic, if the procedure has them."""
    facts = []
    if test.has_interval:
        facts.append(("std. error", format_number(test.standard_error)))
    if test.asked and test.law and not test.undetermined:
        facts.append((test.law, format_number(test.statistic)))
    return tuple(facts)


def _estimated(test: Inference, level: float) -> str:
    label = cut(test.label)
    of = "" if test.label == UNNAMED_ESTIMATE else f" of {label}"
    what = f"difference in {test.metric}, {label}," if test.paired else f"{test.metric}{of}"
    sure = ""
    if test.undetermined:
        sure = ", which is undetermined"
    elif test.has_interval:
        sure = f" ({format_interval(*test.confidence_interval(level), level)})"
    asked = ""
    if test.asked and not test.undetermined:
        null = test.null_value if isinstance(test, CVTestResult) else None
        against = "" if null is None else f" against {format_number(null)}"
        asked = f", p {format_pvalue(test.pvalue, test.smallest_pvalue)}{against}"
    return f"The expected {what} is estimated as {format_number(test.estimate)}{sure}{asked}."
