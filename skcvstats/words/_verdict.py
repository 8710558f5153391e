"""The sentence of a verdict: what is shown of two models, with the numbers that decide."""

from collections.abc import Mapping
from dataclasses import replace

from .._utils._metrics import shown_as
from .._utils._text import WIDEST_NAME, format_interval, format_number, shortened
from ..comparison import Comparison, Numbers
from ..stats import words_of


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
    if test.undetermined:  # then its other numbers are no evidence
        return f"{words} ({difference})"
    intervals = [
        f"{numbers.unadjusted}{format_interval(*ends, level, apart=numbers.apart)}"
        for ends, level in numbers.intervals
    ]
    asked = [f"{written} for {what}".removesuffix(" for ") for what, written, _ in numbers.pvalues]
    pvalues = ", ".join(asked).replace(", = ", ", ")
    p = "adjusted p" if comparison.adjusted else "p"
    return f"{words} ({', '.join([difference, *intervals])}, {p} {pvalues})"
