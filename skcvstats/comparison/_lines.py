"""A comparison in one line: which estimator is better, by how much, and the uncertainty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .._utils._text import counted, cut, format_ends, format_number, format_pvalue
from ..stats import KINDS, CVTestResult, within
from ._comparison import Comparison

# Outcomes without a line of their own, because nothing is shown.
SILENT = ("not shown", "undetermined")
_MOST_NAMES = 3
WIDEST_NAME = 40


def difference_line(comparison: Comparison) -> str:
    """Return a line about what is shown of a difference, with the better estimator first."""
    test, kind = comparison.test, comparison.outcome
    if not isinstance(test, CVTestResult) or test.null_value != 0:
        return comparison.verdict()
    better, other = cut(comparison.estimator, WIDEST_NAME), cut(comparison.versus, WIDEST_NAME)
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
    difference = f"{better} - {other} = {format_number(test.estimate, padded=True)} {sure}"
    what = {
        "equivalent": f"{better} and {other} are equivalent {within((low, high))}",
        "not worse": f"{better} is not worse than {other} by more than {format_number(-low)}",
        "not better": f"{better} is not better than {other} by more than {format_number(high)}",
    }[kind]
    return f"{what}: {difference}"


def _sure(comparison: Comparison, *, turned: bool) -> str:
    """Return the interval that decides, and the p-value of what is shown."""
    kind, pvalue = comparison.outcome, comparison.pvalue_adjusted
    low, high = comparison.confidence_interval()
    if comparison.margin_pvalues is not None:
        asked = comparison.margin_pvalues
        if kind in ("equivalent", "not worse", "not better"):
            low, high = comparison.margin_interval()
        if KINDS[kind].pvalue:
            pvalue = getattr(asked, KINDS[kind].pvalue)
    apart = comparison.asked_of_ends
    if turned:
        low, high, apart = -high, -low, tuple(-value for value in apart)
    ends = format_ends(low, high, padded=True, apart=apart)
    unadjusted = "unadjusted " if comparison.has_own_interval else ""
    name = "adjusted p" if comparison.adjusted else "p"
    return f"{unadjusted}{ends}, {name} {format_pvalue(pvalue, comparison.smallest_pvalue)}"


def counted_outcomes(comparisons: Sequence[Comparison], reference: str) -> str:
    """Count the outcomes of all estimators against the reference."""
    counts = Counter(comparison.outcome for comparison in comparisons)
    words = {comparison.outcome: _in_a_count(comparison) for comparison in comparisons}
    parts = [f"{counts[kind]} {words[kind]}" for kind in KINDS if counts[kind]]
    return f"against {cut(reference, WIDEST_NAME)}: {', '.join(parts)}"


def _null_value(comparison: Comparison) -> float:
    return float(getattr(comparison.test, "null_value", 0.0))


def _in_a_count(comparison: Comparison) -> str:
    """Return the words for an outcome against the reference, which follow a count."""
    kind, sides = comparison.outcome, getattr(comparison.test, "alternative", "two-sided")
    if _null_value(comparison) != 0:
        return "undetermined" if kind == "undetermined" else comparison.claim.brief
    if kind == "not shown" and sides != "two-sided":
        return f"not shown to be {'better' if sides == 'greater' else 'worse'}"
    return KINDS[kind].first_is


def some(names: Iterable[str], call: str, most: int = _MOST_NAMES, width: int = WIDEST_NAME) -> str:
    """List the first names, and how many more there are."""
    names = [cut(name, width) for name in names]
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more, see {call}"
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def not_shown_line(comparisons: Sequence[Comparison], n_more: int) -> str:
    """Say how many differences were not named, and how many are not shown."""
    sentences = []
    with_margin = comparisons[0].margin is not None
    if n_more and with_margin:
        sentences.append(f"{counted(n_more, 'more verdict')}, see to_frame().")
    elif n_more:
        verb = "is" if n_more == 1 else "are"
        sentences.append(f"{counted(n_more, 'more difference')} {verb} shown, see to_frame().")
    silent = [c for c in comparisons if c.outcome == "not shown"]
    if silent and with_margin:
        sentences.append(_nothing_by_margin(silent[0], len(silent), len(comparisons)))
    elif silent:
        sentences.append(_not_shown(silent[0], len(silent), len(comparisons)))
    undetermined = [
        f"{cut(c.estimator, WIDEST_NAME)} - {cut(c.versus, WIDEST_NAME)}"
        for c in comparisons
        if c.test.undetermined
    ]
    if undetermined:
        what = some(undetermined, "to_frame()", width=len(" - ") + 2 * WIDEST_NAME)
        sentences.append(f"Undetermined, as the difference does not vary: {what}.")
    return " ".join(sentences)


def _not_shown(comparison: Comparison, n_silent: int, n_comparisons: int) -> str:
    """Say how many differences are not shown; one of them is passed."""
    null = _null_value(comparison) != 0
    shown = comparison.claim.brief.removeprefix("not shown ") if null else ""
    end = f"shown {shown}." if null else "shown, which is no proof of equality."
    if n_silent == n_comparisons:
        return f"None of {counted(n_comparisons, 'difference')} is {end}"
    verb = "is" if n_silent == 1 else "are"
    return f"{n_silent} of {counted(n_comparisons, 'difference')} {verb} not {end}"


def _nothing_by_margin(comparison: Comparison, n_silent: int, n_comparisons: int) -> str:
    """Say for how many pairs nothing is shown although there is a margin."""
    of = f"{n_silent} of {counted(n_comparisons, 'pair')}"
    if getattr(comparison.test, "alternative", "two-sided") != "two-sided":
        return f"Nothing is shown of {of}."
    equivalence = f"equivalence {within(comparison.margin or (0.0, 0.0))}"
    return f"For {of} neither a difference nor {equivalence} is shown."
