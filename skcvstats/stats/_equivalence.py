"""EquivalenceResult: two one-sided tests of whether a difference is within a margin."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from .._utils._checks import ConfidenceInterval, brief, check_level, is_finite, is_real
from .._utils._metrics import known_of
from .._utils._text import format_interval, format_number, format_pvalue
from ..scores import shown_ends
from ._claim import KINDS, Claim, claim_of
from ._sample import plain


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

    def row(self, k: int) -> Self:
        """Return the p-values of one comparison."""
        return type(self)(*(float(pvalues[k]) for pvalues in self))


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


# What each p-value of a margin is for; the fields of `MarginPvalues`.
_QUESTIONS = {
    "better_by_more": "more than {high}",
    "worse_by_more": "more than {low}",
    "equivalent": "equivalence",
    "not_worse": "not worse",
    "not_better": "not better",
}
_NOT_SHOWN = {"above": "better_by_more", "below": "worse_by_more"}  # but said to be open
_USUAL = {"two-sided": "equivalent", "greater": "not_worse", "less": "not_better"}


def margin_question(
    kind: str, pvalues: MarginPvalues, bounds: tuple[float, float], alternative: str
) -> tuple[str, float]:
    """Return what the margin asks, as far as there is a p for it what the verdict says, and p."""
    field = KINDS[kind].pvalue or _NOT_SHOWN.get(kind, "")
    if not field or np.isnan(getattr(pvalues, field)):
        field = _USUAL[alternative]
    low, high = bounds
    what = _QUESTIONS[field].format(low=format_number(-low), high=format_number(high))
    return what, getattr(pvalues, field)


def check_bounds(
    margin: Any, *, zero: bool = False, metrics: Iterable[str] = ()
) -> tuple[float, float]:
    """Return the lower and the upper bound of a margin, less wide than the metrics can be."""
    is_pair = isinstance(margin, (tuple, list)) or getattr(margin, "ndim", 0) == 1
    bounds = list(margin) if is_pair else [margin, margin]
    if len(bounds) != 2 or not all(map(is_finite, bounds)):
        raise ValueError(
            f"margin={brief(margin)} must be a finite number such as 0.01, or a pair of them such "
            "as (-0.01, 0.02), in the unit of the metric."
        )
    low, high = bounds if is_pair else (-margin, margin)
    if is_pair and low > high:
        raise ValueError(f"margin={margin!r} is in the wrong order; give the lower one first.")
    if not (low <= 0 <= high if zero else low < 0 < high):
        least = "at least 0" if zero else "above 0"
        wanted = "give a lower bound below 0 and an upper bound above it"
        raise ValueError(
            f"margin={margin!r} does not reach to both sides of 0; "
            f"{wanted if is_pair else f'give a number {least}'}."
        )
    for metric in metrics:
        _, lowest, highest = known_of(metric)
        if max(-low, high) >= highest - lowest:
            raise ValueError(
                f"margin={margin!r} covers every difference: {metric} ranges from {lowest:g} to "
                f"{highest:g}. Give a smaller one, such as 0.01; divide percentage points by 100."
            )
    return float(low), float(high)


@dataclass(frozen=True, eq=False, kw_only=True)
class EquivalenceResult:
    """Whether a difference is within a margin, by two one-sided tests.

    Parameters
    ----------
    margin : tuple of float
        The bounds, low < 0 < high, in the metric's unit.
    not_worse : CVTestResult
        The test that the difference is above the lower bound.
    not_better : CVTestResult
        The test that it is below the upper bound.

    See Also
    --------
    CVTestResult.equivalence : Makes it.

    Notes
    -----
    Equivalence is shown at the level alpha where both tests reject at that level, which is exactly
    where the 1 - 2 alpha interval lies within the margin [1]_.

    References
    ----------
    .. [1] D. J. Schuirmann, "A Comparison of the Two One-Sided Tests Procedure and the Power
       Approach for Assessing the Equivalence of Average Bioavailability", Journal of
       Pharmacokinetics and Biopharmaceutics 15, 1987.
    """

    margin: tuple[float, float]
    not_worse: Any
    not_better: Any

    @property
    def pvalue(self) -> Any:
        """The p-value of equivalence, the larger of the two; nan if undetermined."""
        return self.pvalues.equivalent

    @property
    def pvalues(self) -> MarginPvalues:
        """The p-values of the four questions that a margin asks, for one comparison.

        Those of "better by more" and "worse by more" are two-sided, as the test of a difference.
        """
        low, high = self.margin
        up, down = self.not_worse.against(high, "greater"), self.not_worse.against(low, "less")
        return MarginPvalues(
            better_by_more=plain(np.minimum(1.0, 2 * np.asarray(up.pvalue))),
            worse_by_more=plain(np.minimum(1.0, 2 * np.asarray(down.pvalue))),
            not_worse=self.not_worse.pvalue,
            not_better=self.not_better.pvalue,
        )

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval that decides: equivalence is shown where it is within the margin.

        Parameters
        ----------
        confidence_level : float, default=0.95
            One minus the level alpha of the test, above 0.5. The interval itself has the confidence
            1 - 2 alpha: 90 % for the test at the 5 % level.

        {Returns: interval}
        """
        if check_level(confidence_level) <= 0.5:
            raise ValueError(
                f"confidence_level={confidence_level!r} must be above 0.5: the interval that "
                "decides on equivalence has the confidence 1 - 2 alpha."
            )
        low = self.not_worse.confidence_interval(confidence_level).low
        high = self.not_better.confidence_interval(confidence_level).high
        return ConfidenceInterval(low, high)

    def claim(self, alpha: float = 0.05) -> Claim:
        """Return what is shown at a level: whether the difference matters, or does not.

        Parameters
        ----------
        alpha : float, default=0.05
            The level, below 0.5. Any verdict is false with at most this probability.

        Returns
        -------
        Claim
            For one test, not for arrays of them.

        Raises
        ------
        ValueError
            If the level is not between 0 and 0.5, or these are several tests.
        """
        if not is_real(alpha) or not 0 < alpha < 0.5:
            raise ValueError(
                f"alpha={alpha!r} must be a number between 0 and 0.5, such as 0.05: equivalence is "
                "read from the interval of the confidence 1 - 2 alpha."
            )
        if np.ndim(self.pvalue):
            raise ValueError(
                f"claim() is of one test, and these are {np.size(self.pvalue)}. Test each "
                "difference by itself, or compare .pvalue with the level."
            )
        test = self.not_worse.against(0.0, "two-sided")
        kind = str(margin_kinds(test, test.pvalue, self.pvalues, alpha))
        return claim_of(test, kind, alpha, self.margin)

    def __str__(self) -> str:
        if np.ndim(self.pvalue):
            return f"Equivalence tests of shape {np.shape(self.pvalue)}; p-values in .pvalue."
        claim = self.claim()
        test = self.not_worse
        numbers = [f"difference {format_number(test.estimate)}"]
        if claim.kind != "undetermined":
            ends = shown_ends(test.scores, *self.confidence_interval())
            numbers += [format_interval(*ends, 0.9)]
            smallest = test.describe().smallest_pvalue
            own = format_pvalue(test.against(0.0, "two-sided").pvalue, smallest)
            what, pvalue = margin_question(claim.kind, self.pvalues, self.margin, "two-sided")
            written = format_pvalue(pvalue, smallest).removeprefix("= ")
            numbers += [f"p {own} for a difference, {written} for {what}"]
        return f"{claim.words} ({', '.join(numbers)})."
