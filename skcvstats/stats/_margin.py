"""Margins: whether a difference is shown to matter, not to matter, or neither.

Notes
-----
With bounds low < 0 < high, chosen beforehand, there are four one-sided questions about the
difference: is it above high, below low (it matters), above low (not worse), below high (not
better)? Equivalence is shown if the last two are shown: Schuirmann's two one-sided tests [1]_.
Their p-value is the larger of the two, and they show equivalence at the level alpha exactly if the
1 - 2 alpha interval lies between the bounds. For one comparison, the probability that any of the
verdicts is false is at most alpha, at every true difference [2]_.

References
----------
.. [1] D. J. Schuirmann, "A Comparison of the Two One-Sided Tests Procedure and the Power Approach
   for Assessing the Equivalence of Average Bioavailability", Journal of Pharmacokinetics and
   Biopharmaceutics 15, 1987.
.. [2] J. J. Goeman, A. Solari and T. Stijnen, "Three-Sided Hypothesis Testing: Simultaneous Testing
   of Superiority, Equivalence and Inferiority", Statistics in Medicine 29, 2010.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._utils._text import cut, format_number, format_percent
from ._claim import Claim
from ._student import plain


class MarginPvalues(NamedTuple):
    """The p-values for a margin; nan if they do not apply or are undetermined."""

    better_by_more: Any
    worse_by_more: Any
    not_worse: Any
    not_better: Any

    @property
    def equivalent(self) -> Any:
        """The p-value of equivalence: the larger of the last two."""
        return plain(np.maximum(self.not_worse, self.not_better))

    def row(self, k: int) -> MarginPvalues:
        """Return the p-values of one comparison."""
        return MarginPvalues(*(float(pvalues[k]) for pvalues in self))


def referred(test: Any, null_value: float, alternative: str) -> Any:
    """Return a test of the same estimate against another null value."""
    return test.against(null_value, alternative)


def margin_kinds(test: Any, pvalue: Any, margin: MarginPvalues, alpha: float) -> Any:
    """Return the kind of claim: the first that is shown."""
    shown = np.asarray(pvalue) <= alpha
    above, below = shown & (np.asarray(test.estimate) > 0), shown & (np.asarray(test.estimate) < 0)
    more, less, not_worse, not_better = (np.asarray(p) <= alpha for p in margin)
    kinds = {
        "undetermined": np.asarray(test.undetermined),
        "above by more": more,
        "below by more": less,
        "above by less": above & not_better,
        "above": above,
        "below by less": below & not_worse,
        "below": below,
        "equivalent": not_worse & not_better,
        "not worse": not_worse,
        "not better": not_better,
    }
    return np.select(list(kinds.values()), list(kinds), default="not shown")


def margin_claim(
    test: Any, bounds: tuple[float, float], kind: str, alpha: float, pvalue: float
) -> Claim:
    """Return the claim about one difference, in words."""
    if kind in ("undetermined", "above", "below"):
        return test.claim(alpha, pvalue)
    low, high = bounds
    first, second = cut(test.estimator) or "the first", cut(test.versus) or "the second"
    metric = test.metric
    by_low, by_high = format_number(-low), format_number(high)
    level = f"at the {format_percent(alpha)} level"
    if kind == "not shown":
        what = {
            "two-sided": f"whether {first} and {second} differ in {metric}, or are equivalent "
            f"{within(bounds)}",
            "greater": f"that {first} is not worse than {second} in {metric} by more than {by_low}",
            "less": f"that {first} is not better than {second} in {metric} by more than {by_high}",
        }[test.alternative]
        return Claim(kind, f"Not shown {level} {what}")
    words = {
        "above by more": f"{first} is better than {second} in {metric} by more than {by_high}",
        "below by more": f"{first} is worse than {second} in {metric} by more than {by_low}",
        "above by less": f"{first} is better than {second} in {metric}, by less than {by_high}",
        "below by less": f"{first} is worse than {second} in {metric}, by less than {by_low}",
        "equivalent": f"{first} and {second} are equivalent in {metric} {within(bounds)}",
        "not worse": f"{first} is not worse than {second} in {metric} by more than {by_low}",
        "not better": f"{first} is not better than {second} in {metric} by more than {by_high}",
    }[kind]
    capital = words if test.estimator else f"{words[0].upper()}{words[1:]}"
    return Claim(kind, f"{capital} {level}")


def within(bounds: tuple[float, float]) -> str:
    """Say where an equivalent difference lies."""
    low, high = bounds
    if low == -high:
        return f"within {format_number(high)}"
    return f"between {format_number(low)} and {format_number(high)}"
