"""Comparison: one estimator against another, in one metric."""

from __future__ import annotations

from dataclasses import dataclass

from .._utils import (
    ConfidenceInterval,
    alpha_of,
    check_level,
    format_interval,
    format_number,
    format_pvalue,
)
from ..scores import Note
from ..stats import Claim, Inference
from ._family import Family


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """One estimator against another, in one metric.

    Parameters
    ----------
    estimator, versus : str
        Their names; the difference is `estimator` minus `versus`, so positive speaks for
        `estimator`.
    score, score_versus : float
        Their estimated expected scores: the means over the splits that make the procedure's
        estimate, which are all of them for most.
    test : Inference
        The test of the difference; a `CVTestResult` for most procedures.
    pvalue_adjusted : float
        The p-value adjusted for the number of comparisons in this metric; 1 if undetermined.
    adjusted : bool, default=False
        Whether there are several, and p-values are adjusted at all.
    notes : tuple of Note, default=()
        What weakens this comparison.
    confidence_level : float, default=0.95
        Of the interval in the verdict; what has an adjusted p-value of at most 1 minus it is shown.
    family : Family or None, default=None
        All comparisons together, where intervals are adjusted for their number too.
    """

    estimator: str
    versus: str
    score: float
    score_versus: float
    test: Inference
    pvalue_adjusted: float
    adjusted: bool = False
    notes: tuple[Note, ...] = ()
    confidence_level: float = 0.95
    family: Family | None = None

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the interval that decides: adjusted for the number of comparisons if p-values are.

        Parameters
        ----------
        confidence_level : float, default=None
            None is that of the comparison. With ``adjustment="max_t"`` and ``"bonferroni"`` it is
            the confidence that all intervals of the metric cover at once; otherwise, as in
            ``test.confidence_interval()``, that of this interval by itself.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; one-sided where the alternative is.
        """
        level = self.confidence_level if confidence_level is None else check_level(confidence_level)
        if self.family is None:
            return self.test.confidence_interval(level)
        return self.family.intervals(self.test, level)

    @property
    def alpha(self) -> float:
        """The level of the test that the verdict is of, 0.05 for 95 % confidence."""
        return alpha_of(self.confidence_level)

    @property
    def metric(self) -> str:
        """What the scores measure."""
        return self.test.metric

    @property
    def claim(self) -> Claim:
        """What is shown at the level `alpha`, by the adjusted p-value."""
        return self.test.claim(self.alpha, self.pvalue_adjusted)

    @property
    def outcome(self) -> str:
        """The kind of the `claim`.

        For most procedures ``"above"`` or ``"below"`` the null value, ``"not shown"``, or
        ``"undetermined"`` where the scores do not vary.
        """
        return self.claim.kind

    def verdict(self) -> str:
        """Say in words what is shown, with its numbers.

        Returns
        -------
        str
            Without a full stop.
        """
        claim = self.claim
        numbers = [f"{self.estimator} - {self.versus} = {format_number(self.test.estimate)}"]
        if claim.kind != "undetermined":
            if self.test.has_interval:
                ends = self.confidence_interval()
                numbers += [format_interval(*ends, self.confidence_level)]
            name = "adjusted p" if self.adjusted else "p"
            numbers += [f"{name} {format_pvalue(self.pvalue_adjusted)}"]
        return f"{claim.words} ({', '.join(numbers)})"

    def __str__(self) -> str:
        return f"{self.verdict()}."
