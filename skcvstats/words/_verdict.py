"""The sentence of a verdict: what is shown of two models, with the numbers that decide."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .._utils._metrics import shown_as
from .._utils._text import (
    WIDEST_NAME,
    called,
    format_interval,
    format_number,
    format_pvalue,
    shortened,
)
from ..comparison import Comparison, Numbers
from ..scores import shown_ends
from ..stats import EquivalenceResult, margin_question, words_of


def sentence(
    comparison: Comparison,
    *,
    numbers: Numbers | None = None,
    names: Mapping[str, str] | None = None,
    kind: str = "",
    shown: bool = True,
) -> str:
    """Say what is shown of two models, without a full stop.

    Parameters
    ----------
    comparison : Comparison
        The two models.
    numbers : Numbers, default=None
        The numbers to show in brackets; None is none.
    names : mapping of str to str, default=None
        What the two are called; None shortens long names so that they stay distinct.
    kind : str, default=""
        The kind of claim that a rule asks for; empty is the strongest that is shown, at its level.
    shown : bool, default=True
        Whether that kind of claim is shown.
    """
    test = comparison.test
    names = names or shortened([comparison.estimator, comparison.versus], WIDEST_NAME)
    both = names[comparison.estimator], names[comparison.versus]
    difference = f"difference {format_number(test.estimate)}"
    if kind:
        words = words_of(kind, both, comparison.metric, comparison.margin, shown=shown).long
    else:
        origin = replace(test.origin, estimator=both[0], versus=both[1])
        words = replace(comparison, test=replace(test, origin=origin)).claim.words
        pair = shown_as(comparison.metric).difference(*both)
        difference = f"{pair} = {format_number(test.estimate)}"
    if numbers is None:
        return words
    p = "adjusted p" if comparison.adjusted else "p"
    return _with_numbers(words, difference, numbers, p, test.undetermined)


def sentence_of_equivalence(result: EquivalenceResult) -> str:
    """Say what a test of equivalence shows at the 5 % level, with its numbers."""
    claim = result.claim()
    test = result.not_worse
    smallest = test.describe().smallest_pvalue
    two_sided = test.against(0.0, "two-sided").pvalue
    what, pvalue = margin_question(claim.kind, result.pvalues, result.margin, "two-sided")
    pvalues = [("a difference", two_sided), (what, pvalue)]
    numbers = Numbers(
        [(shown_ends(test.scores, *result.confidence_interval()), 0.9)],
        [(what, format_pvalue(p, smallest), p) for what, p in pvalues],
        apart=(),
        unadjusted="",
    )
    difference = f"difference {format_number(test.estimate)}"
    return _with_numbers(claim.words, difference, numbers, "p", test.undetermined)


def _with_numbers(
    words: str, difference: str, numbers: Numbers, head_of_p: str, undetermined: bool
) -> str:
    """Return words and the numbers that decide, in brackets."""
    if undetermined:  # then its other numbers are no evidence
        return f"{words} ({difference})"
    intervals = [
        f"{numbers.unadjusted}{format_interval(*ends, level, apart=numbers.apart)}"
        for ends, level in numbers.intervals
    ]
    asked = [f"{written} for {what}".removesuffix(" for ") for what, written, _ in numbers.pvalues]
    pvalues = f"{head_of_p} {', '.join(asked)}".replace(", = ", ", ")
    return f"{words} ({', '.join([difference, *intervals, pvalues])})"


def names_in_sentences(names: Sequence[str], width: int = WIDEST_NAME) -> dict[str, str]:
    """Return a short text for each name, of candidates of a search the number; others differ."""
    said = list(map(called, names))
    if len(set(said)) < len(set(names)):  # as a user called them
        said = list(names)
    short = shortened(said, width)
    return dict(zip(names, map(short.__getitem__, said), strict=True))
