"""Comparison: one estimator against another, in one metric."""

from __future__ import annotations

from dataclasses import dataclass

from .._utils import alpha_of, format_interval, format_number, format_pvalue
from ..scores import Note
from ..stats import Claim, Inference


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
        Of the interval in the verdict; what has an adjusted p-value below 1 minus it is shown.
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
                ends = self.test.confidence_interval(self.confidence_level)
                numbers += [format_interval(*ends, self.confidence_level)]
            name = "adjusted p" if self.adjusted else "p"
            numbers += [f"{name} {format_pvalue(self.pvalue_adjusted)}"]
        return f"{claim.words} ({', '.join(numbers)})"

    def __str__(self) -> str:
        return f"{self.verdict()}."
