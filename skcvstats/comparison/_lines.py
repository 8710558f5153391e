"""A comparison in a line: who is better than whom, by how much, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .._utils import counted, format_ends, format_number, format_pvalue
from ..stats import KINDS, CVTestResult, within
from ._comparison import Comparison

# What is not shown, and so needs no line of its own.
SILENT = ("not shown", "undetermined")
# How a count says what is shown of differences from a reference.
_OF_REFERENCE = {
    "above by more": "better by more than the margin",
    "below by more": "worse by more than the margin",
    "above by less": "better by less than the margin",
    "below by less": "worse by less than the margin",
    "above": "better",
    "below": "worse",
    "different": "different",
    "equivalent": "equivalent",
    "not worse": "not worse",
    "not better": "not better",
    "not shown": "not shown to differ",
    "undetermined": "undetermined",
}
_MOST_NAMES = 3
_WIDEST_NAME = 40


def difference_line(comparison: Comparison) -> str:
    """Say in a line what is shown of a difference, the better estimator first.

    Parameters
    ----------
    comparison : Comparison
        One of which something is shown.

    Returns
    -------
    str
        Such as "a is better than b by 0.0538 (0.0126 to 0.0950, adjusted p = 0.012)", without the
        metric, the level and a full stop.
    """
    test, kind = comparison.test, comparison.outcome
    if not isinstance(test, CVTestResult) or test.null_value != 0:
        return comparison.verdict()
    better, other = cut(comparison.estimator), cut(comparison.versus)
    turned = kind.startswith("below")
    if turned:
        better, other = other, better
    size = format_number(abs(test.estimate), padded=True)
    sure = f"({_sure(comparison, turned=turned)})"
    if kind in ("above", "below"):
        return f"{better} is better than {other} by {size} {sure}"
    low, high = comparison.margin or (0.0, 0.0)
    limit = format_number(-low if turned else high)
    if kind.endswith("by more"):
        return f"{better} is better than {other} by more than {limit}: by {size} {sure}"
    if kind.endswith("by less"):
        return f"{better} is better than {other}, by less than {limit}: by {size} {sure}"
    difference = f"{better} - {other} = {format_number(test.estimate)} {sure}"
    what = {
        "equivalent": f"{better} and {other} are equivalent {within((low, high))}",
        "not worse": f"{better} is not worse than {other} by more than {format_number(-low)}",
        "not better": f"{better} is not better than {other} by more than {format_number(high)}",
    }[kind]
    return f"{what}: {difference}"


def _sure(comparison: Comparison, *, turned: bool) -> str:
    """Return the interval that decides and the p-value of what is shown."""
    kind, pvalue = comparison.outcome, comparison.pvalue_adjusted
    low, high = comparison.confidence_interval()
    if comparison.margin_pvalues is not None:
        asked = comparison.margin_pvalues
        if kind in ("equivalent", "not worse", "not better"):
            low, high = comparison.margin_interval()
        pvalue = {
            "above by more": asked.better_by_more,
            "below by more": asked.worse_by_more,
            "equivalent": asked.equivalent,
            "not worse": asked.not_worse,
            "not better": asked.not_better,
        }.get(kind, pvalue)
    ends = format_ends(*((-high, -low) if turned else (low, high)), padded=True)
    unadjusted = "unadjusted " if comparison.has_own_interval else ""
    name = "adjusted p" if comparison.adjusted else "p"
    return f"{unadjusted}{ends}, {name} {format_pvalue(pvalue, comparison.smallest_pvalue)}"


def counted_outcomes(comparisons: Sequence[Comparison], reference: str) -> str:
    """Count what is shown of each estimator against the reference.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Each estimator against the reference.
    reference : str
        Its name.

    Returns
    -------
    str
        Such as "against old: 1 better, 2 not shown to differ", without a full stop.
    """
    counts = Counter(comparison.outcome for comparison in comparisons)
    parts = [f"{counts[kind]} {_OF_REFERENCE[kind]}" for kind in KINDS if counts[kind]]
    return f"against {cut(reference)}: {', '.join(parts)}"


def cut(name: str, width: int = _WIDEST_NAME) -> str:
    """Return a name that fits a line.

    Parameters
    ----------
    name : str
        Of an estimator.
    width : int, default=40
        Of the room it has.
    """
    return name if len(name) <= width else f"{name[: width - 3]}..."


def some(names: Iterable[str], call: str, most: int = _MOST_NAMES) -> str:
    """List the first names, and how many more there are.

    Parameters
    ----------
    names : iterable of str
        At least one.
    call : str
        What lists all of them.
    most : int, default=3
        How many are named.

    Returns
    -------
    str
        Such as "a, b and c", or "a, b, c and 9 more, see best_set()".
    """
    names = [cut(name) for name in names]
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more, see {call}"
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def not_shown_line(comparisons: Sequence[Comparison], n_more: int) -> str:
    """Say how many differences were not named, and how many are not shown.

    Parameters
    ----------
    comparisons : sequence of Comparison
        All of a metric.
    n_more : int
        How many more are shown than those named.

    Returns
    -------
    str
        With full stops; empty if there is nothing to say.
    """
    sentences = []
    if n_more:
        verb = "is" if n_more == 1 else "are"
        sentences.append(f"{counted(n_more, 'more difference')} {verb} shown, see to_frame().")
    silent = [c for c in comparisons if c.outcome == "not shown"]
    if silent:
        share = f"{len(silent)} of {counted(len(comparisons), 'difference')}"
        if len(silent) == len(comparisons):
            share = f"None of {counted(len(comparisons), 'difference')}"
            sentences.append(f"{share} is shown, which is no proof of equality.")
        else:
            verb = "is" if len(silent) == 1 else "are"
            sentences.append(f"{share} {verb} not shown, which is no proof of equality.")
    undetermined = [f"{c.estimator} - {c.versus}" for c in comparisons if c.test.undetermined]
    if undetermined:
        what = some(undetermined, "to_frame()")
        sentences.append(f"Undetermined, as the difference does not vary: {what}.")
    return " ".join(sentences)
