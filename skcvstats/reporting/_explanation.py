"""How each number of a report was made, and what weakens it."""

from __future__ import annotations

from .._utils import alpha_of, format_number, format_percent
from ..comparison import ADJUSTMENTS, ComparisonResult
from ..stats import CVTestResult, Inference, TestSetResult
from ._document import Section
from ._evidence import Evidence
from ._verdict import interval_head

ROW_BY_ROW = "row by row"
_NONE = "Neither the {} nor the scores gave rise to a warning."


def how_made(evidence: Evidence) -> Section:
    """Say how each number of the table was made.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    test, comparison = evidence.test, evidence.comparison
    of_two = comparison is not None or test.paired
    quantity = "difference" if of_two else "value"
    facts = [(_measured_on(test), test.sizes())]
    if comparison is not None:
        score = f"the estimated expected score of {test.subject()}; greater is better"
        facts += [("score, score versus", score)]
        made = "the score of the estimator minus that of the one it is held against"
        speaks = "positive speaks for the estimator"
        facts += [("difference", f"{made}, {unit_by_unit(test)}; {speaks}")]
    else:
        facts += [("estimate", f"the estimated expected {quantity} for {test.subject()}")]
    if test.explanation:
        when = f"; {test.assumption}" if test.assumption else ""
        facts += [("std. error", f"the standard error, {test.explanation}{when}")]
    level = f"{format_percent(alpha_of(evidence.confidence_level))} level"
    several = comparison is not None and comparison.n_adjusted > 1
    if test.has_interval:
        facts += [
            (
                interval_head(evidence),
                f"the values that the test would not reject at the {level}"
                f"{_of_all(comparison) if several and comparison else ''}",
            )
        ]
    if test.asked:
        facts += [*_statistic(test, quantity), ("p", hypothesis(evidence) or "the p-value")]
    if comparison is not None and comparison.comparisons[0].adjusted:
        facts += [("adjusted p", _adjusted(comparison))]
    return Section(title="How the numbers were made", facts=tuple(facts))


def _measured_on(test: Inference) -> str:
    return "test set" if isinstance(test, TestSetResult) else "splits"


def _of_all(comparison: ComparisonResult) -> str:
    """Say whether intervals are adjusted for the number of comparisons."""
    adjustment = ADJUSTMENTS[comparison.adjustment]
    if not adjustment.has_intervals:
        return ", each for its own comparison and not adjusted"
    return f", adjusted by {adjustment.words} so that all cover at once"


def _statistic(test: Inference, quantity: str) -> list[tuple[str, str]]:
    """Say how the statistic is made, if there is one."""
    if not test.law:
        return []
    made = "the test statistic"
    if isinstance(test, CVTestResult):
        null = format_number(test.null_value)
        made = f"the estimated {quantity} minus {null}, divided by its standard error"
    return [(test.law, f"{made}, referred to {test.reference_law()}")]


def unit_by_unit(test: Inference) -> str:
    """Say what the differences are taken of.

    Parameters
    ----------
    test : Inference
        The test.
    """
    return ROW_BY_ROW if test.varies_over == "test rows" else "split by split"


def hypothesis(evidence: Evidence) -> str:
    """Say which null hypothesis the p-values are about.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    test, result = evidence.test, evidence.comparison
    which = ""
    if result is not None:
        pairs = {(comparison.estimator, comparison.versus) for comparison in result}
        versus = {name for _, name in pairs}
        if len(pairs) == 1:
            which = ", {} minus {},".format(*pairs.pop())
        elif len(versus) == 1:
            which = f", each estimator minus {versus.pop()},"
        else:
            which = ", estimator minus versus,"
    what = "difference" if result is not None or test.paired else "score"
    return test.hypothesis(f"the expected {what}{which}")


def _adjusted(comparison: ComparisonResult) -> str:
    within = comparison.counted_comparisons()
    return f"p adjusted by {ADJUSTMENTS[comparison.adjustment].words} for {within}"


def warnings(evidence: Evidence) -> Section:
    """Gather what weakens the result.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    notes = tuple(evidence.notes())
    return Section(
        title="Warnings",
        points=notes,
        paragraphs=() if notes else (_NONE.format(_measured_on(evidence.test)),),
    )
