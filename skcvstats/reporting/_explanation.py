"""How each number of a report was made, what weakens it, and how to repeat it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib.metadata import version

import numpy as np

from .._design import SplitDesign
from .._format import counted, format_law, format_number, format_percent, format_seconds
from .._results import CVTestResult
from .._scores import CVScores
from .._student import alpha_of
from ._document import Section
from ._evidence import Evidence
from ._references import ADJUSTMENTS
from ._verdict import interval_head

_UNKNOWN = "not known"
_NONE = "Neither the splits nor the scores gave rise to a warning."


def how_made(evidence: Evidence) -> Section:
    """Say how each number of the table was made.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    test, comparison = evidence.test, evidence.comparison
    quantity = "value" if comparison is None else "difference"
    facts = [("splits", test.sizes())]
    if comparison is not None:
        score = f"the estimated expected score of {test.subject()}; greater is better"
        facts += [("score, score versus", score)]
        made = "the score of the estimator minus that of the one it is held against, split by split"
        facts += [("difference", f"{made}; positive speaks for the estimator")]
    else:
        facts += [("estimate", f"the estimated expected value for {test.subject()}")]
    if test.explanation:
        facts += [("std. error", f"the standard error, {test.explanation}")]
    null = format_number(test.null_value)
    level = f"{format_percent(alpha_of(evidence.confidence_level))} level"
    several = comparison is not None and comparison.n_adjusted > 1
    facts += [
        (
            interval_head(evidence.confidence_level),
            f"the values that the test would not reject at the {level}"
            f"{', each for its own comparison and not adjusted' if several else ''}",
        ),
        (
            format_law(test.df),
            f"the estimated {quantity} minus {null}, divided by its standard error, referred to "
            f"{law(test)}",
        ),
        ("p", f"{test.sided()}, against an expected {quantity} of {null}"),
    ]
    if comparison is not None and several:
        facts += [("adjusted p", _adjusted(comparison.adjustment, comparison.n_adjusted))]
    return Section(title="How the numbers were made", facts=tuple(facts))


def law(test: CVTestResult) -> str:
    """Name the law that a statistic is referred to.

    Parameters
    ----------
    test : CVTestResult
        The test.
    """
    if math.isinf(test.df):
        return "the normal law"
    return f"Student's law with {counted(int(test.df), 'degree')} of freedom"


def _adjusted(adjustment: str, n_comparisons: int) -> str:
    number = f"{counted(n_comparisons, 'comparison')} in each metric"
    if adjustment == "none":
        return f"p as it is: it was not adjusted for {number}"
    return f"p adjusted by {ADJUSTMENTS[adjustment][0]} for {number}"


def warnings(evidence: Evidence) -> Section:
    """Gather what weakens the result.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    notes = tuple(evidence.notes())
    return Section(title="Warnings", points=notes, paragraphs=() if notes else (_NONE,))


def to_repeat(evidence: Evidence) -> Section:
    """Gather what somebody needs to repeat the experiment.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    scores = evidence.scores
    design = None if scores is None else scores.design
    facts = [("scoring", _scoring(scores))]
    facts += _splits("splits", design)
    if evidence.auxiliary is not None:
        facts += _splits("further splits", evidence.auxiliary.design)
    facts += [
        ("fingerprint of the target", (design and design.y_digest) or _UNKNOWN),
        ("time spent fitting", _fitting(scores, evidence.auxiliary)),
        ("versions at the fits", _versions(scores)),
        ("version of this report", f"skcvstats {version('skcvstats')}"),
    ]
    return Section(title="To repeat this", facts=tuple(facts))


def _scoring(scores: CVScores | None) -> str:
    return _UNKNOWN if scores is None else str(scores.provenance.get("scoring", _UNKNOWN))


def _splits(name: str, design: SplitDesign | None) -> Iterator[tuple[str, str]]:
    seed = None if design is None or design.seed is None else ", ".join(map(str, design.seed))
    yield name, (design and design.source) or _UNKNOWN
    yield f"seed of the {name}", seed or _UNKNOWN
    yield f"fingerprint of the {name}", (design and design.digest) or _UNKNOWN


def _fitting(*sets: CVScores | None) -> str:
    times = [one.fit_times for one in sets if one is not None and one.fit_times is not None]
    if not times or any(one is not None and one.fit_times is None for one in sets):
        return _UNKNOWN
    seconds = sum(float(np.sum(one)) for one in times)
    return f"{format_seconds(seconds)} in {counted(sum(one.size for one in times), 'fit')}"


def _versions(scores: CVScores | None) -> str:
    known = {} if scores is None else scores.provenance.get("versions", {})
    return ", ".join(f"{name} {number}" for name, number in known.items()) or _UNKNOWN
