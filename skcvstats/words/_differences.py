"""The differences of a report: what was shown, what could not be, and what could have been."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._text import (
    SMALLEST_PVALUE,
    counted,
    cut,
    format_ends,
    format_number,
    format_percent,
    format_pvalue,
)
from ..comparison import Comparison
from ..stats import KINDS, CVTestResult
from ._answer import precision
from ._document import Citation, Paragraph, Picture, Section, Table
from ._findings import NOT_SHOWN, UNDETERMINED, Findings

NONE = "-"
_POWER = 0.8


def differences(findings: Findings, level: int, most_rows: int) -> Section:
    """Write the differences of a metric, the shown ones first."""
    comparisons = findings.shown_first(most_rows)
    columns = _columns(findings)
    names = columns.values()
    rows = tuple(tuple(_cell(one, name) for name in names) for one in comparisons)
    numbers = tuple(tuple(_numbers(one, name) for name in names) for one in comparisons)
    n_more = len(findings.result) - len(comparisons)
    paragraphs: list[Paragraph] = []
    if n_more:
        paragraphs.append(f"And {n_more} more, in to_frame().")
    paragraphs += _posterior(findings)
    picture = None
    if findings.alone:
        words = f"The difference in {findings.metric} with its interval."
        picture = Picture("differences", findings.metric, words)
    return Section(
        title="Difference" if len(findings.result) == 1 else "Differences",
        level=level,
        table=Table(columns=tuple(columns), rows=rows, n_names=2, numbers=numbers),
        picture=picture,
        paragraphs=tuple(paragraphs),
        points=_own_words(findings, comparisons),
        facts=precision(findings.first.test) if findings.alone else (),
    )


def _columns(findings: Findings) -> dict[str, str]:
    """Return the heads of the columns, and the names of their contents in `_cell`."""
    first = findings.first
    test = first.test
    columns = {"estimator": "estimator", "versus": "versus"}
    if findings.alone:
        columns |= {"score": "score", "score versus": "score_versus"}
    columns |= {"difference": "difference"}
    if test.has_interval:
        columns |= _intervals(first)
    columns |= {"adjusted p" if first.adjusted else "p-value": "pvalue"}
    columns |= _margin_pvalue(first, alone=findings.alone)
    if not findings.alone and isinstance(test, CVTestResult):
        columns |= {"shown": "shown"}
    return columns


def _intervals(first: Comparison) -> dict[str, str]:
    """Return the columns of the intervals that decide."""
    own = "unadjusted " if first.has_own_interval else ""
    found = {f"{own}{format_percent(first.confidence_level)} interval": "interval"}
    if first.margin is None or own:  # p-values decide if intervals are not adjusted
        return found
    if first.margin_interval() != first.confidence_interval():
        found |= {f"{format_percent(1 - 2 * first.alpha)} interval": "margin_interval"}
    return found


def _margin_pvalue(first: Comparison, *, alone: bool) -> dict[str, str]:
    """Return the column of the p-values about the margin, next to those of the difference.

    For a single difference it is the p-value of what is shown.
    """
    pvalues = first.margin_pvalues
    if pvalues is None:
        return {}
    test = first.test
    assert isinstance(test, CVTestResult)
    asked = {"two-sided": "equivalent", "greater": "not worse", "less": "not better"}
    what = asked[test.alternative]
    if alone and first.outcome in asked.values():
        what = first.outcome
    return {f"p {what}": what.replace(" ", "_")}


def _cell(comparison: Comparison, name: str) -> str:
    test = comparison.test
    if name in ("estimator", "versus"):
        return cut(getattr(comparison, name))
    if name == "shown":
        return _shown(comparison)
    if name == "difference":
        return format_number(test.estimate, padded=True)
    if name in ("score", "score_versus"):
        return format_number(getattr(comparison, name), padded=True)
    if comparison.outcome == UNDETERMINED:  # limits of p and the interval are no evidence
        return NONE
    if name == "interval":
        return format_ends(*comparison.confidence_interval(), padded=True)
    if name == "margin_interval":
        return format_ends(*comparison.margin_interval(), padded=True)
    if name == "pvalue":
        return _plain(comparison.pvalue_adjusted, comparison.smallest_pvalue)
    return _plain(getattr(comparison.margin_pvalues, name), comparison.smallest_pvalue)


def _numbers(comparison: Comparison, name: str) -> tuple[float, ...] | None:
    """Return the numbers of a cell with all digits; empty if one is missing, None for words."""
    if name in ("estimator", "versus"):
        return None
    if _cell(comparison, name) == NONE:
        return ()
    if name == "shown":
        return None
    if name == "difference":
        return (float(comparison.test.estimate),)
    if name in ("score", "score_versus"):
        return (float(getattr(comparison, name)),)
    if name == "interval":
        return comparison.confidence_interval()
    if name == "margin_interval":
        return comparison.margin_interval()
    if name == "pvalue":
        return (float(comparison.pvalue_adjusted),)
    return (float(getattr(comparison.margin_pvalues, name)),)


def _shown(comparison: Comparison) -> str:
    null = getattr(comparison.test, "null_value", 0)
    if null != 0 and comparison.outcome in ("above", "below"):  # above it is not yet better
        return f"{comparison.outcome} {format_number(null)}"
    if comparison.outcome == NOT_SHOWN:
        return NONE
    return KINDS[comparison.outcome].first_is.removesuffix(" than the margin")


def _plain(pvalue: Any, smallest: float = SMALLEST_PVALUE) -> str:
    return NONE if np.isnan(pvalue) else format_pvalue(pvalue, smallest).removeprefix("= ")


def _own_words(findings: Findings, comparisons: list[Comparison]) -> tuple[str, ...]:
    """Return what is shown in the words of the procedure, if it has words of its own."""
    if findings.alone or isinstance(findings.first.test, CVTestResult):
        return ()
    silent = (NOT_SHOWN, UNDETERMINED)
    return tuple(f"{one.claim.words}." for one in comparisons if one.outcome not in silent)


def _posterior(findings: Findings) -> list[Paragraph]:
    """Return the posterior probabilities with regard to the margin, for two estimators."""
    test, margin = findings.first.test, findings.result.margin
    if not findings.alone or margin is None or not isinstance(test, CVTestResult):
        return []
    if not test.has_posterior or test.undetermined:
        return []
    worse, equivalent, better = map(_plain, test.probabilities(margin))
    return [
        (
            f"Posterior probabilities, which are not a test: worse {worse}, equivalent "
            f"{equivalent}, better {better}",
            Citation(("corani2015",)),
            ".",
        )
    ]


def not_shown(findings: Findings, level: int) -> tuple[Section, ...]:
    """Say what could not be shown, and which difference could have been."""
    left = findings.positions(NOT_SHOWN)
    if not len(left):
        return ()
    said = []
    if len(findings.result) > 1:
        are = "is" if len(left) == 1 else "are"
        number = counted(len(left), "difference")
        own = not isinstance(findings.first.test, CVTestResult)
        said.append(
            f"Nothing is shown of {number}, which is no proof of equality."
            if own
            else f"{number} {are} not shown, which is no proof of equality."
        )
    said += _detectable(findings, left)
    if not said:
        return ()
    return (Section(title="What could not be shown", level=level, paragraphs=(" ".join(said),)),)


def _detectable(findings: Findings, left: np.ndarray) -> list[str]:
    """Say which true differences would have been shown: the smallest and the largest of them."""
    if not isinstance(findings.first.test, CVTestResult):
        return []
    errors = findings.result.to_frame()["standard_error"].to_numpy()[left]
    ends = [findings.result.comparisons[int(left[k])] for k in (errors.argmin(), errors.argmax())]
    found = [
        f"{format_number(one.detectable_difference(_POWER))}"
        + (f" ({cut(one.estimator)} - {cut(one.versus)})" if len(left) > 1 else "")
        for one in ends
    ]
    size = " to ".join(dict.fromkeys(found))
    null = findings.first.test.null_value
    what = f"of {size}" if null == 0 else f"that is {size} away from {format_number(null)}"
    return [
        f"A true difference {what} would have been shown with a power of {format_percent(_POWER)}."
    ]
