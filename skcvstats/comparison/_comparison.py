"""Comparison: one estimator against another, in one metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._utils._checks import ConfidenceInterval, alpha_of
from .._utils._registry import Printed, ask
from ..scores import Note
from ..stats import Claim, CVTestResult, Inference, MarginPvalues, margin_claim, margin_kinds
from ..stats import detectable_difference as detectable
from ._family import Family


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparison(Printed):
    """One estimator against another, in one metric.

    Parameters
    ----------
    estimator, versus : str
        Their names; the difference is `estimator` minus `versus`: positive speaks for the first.
    score, score_versus : float
        Their estimated expected scores: the means over the splits that make the procedure's
        estimate, which are all of them for most.
    test : Inference
        The test of the difference; a `CVTestResult` for most procedures.
    pvalue_adjusted : float
        The p-value adjusted for the number of comparisons in this metric; 1 if undetermined.
    family : Family
        All comparisons of the metric, and how they are adjusted for their number.
    pvalue_error : float, default=0.0
        The Monte-Carlo standard error of `pvalue_adjusted`; 0 if nothing was drawn to compute it.
    adjusted : bool, default=False
        Whether there are several, and p-values are adjusted at all.
    notes : tuple of Note, default=()
        The limitations of this comparison.
    confidence_level : float, default=0.95
        Of the interval in the verdict; an adjusted p-value is significant if at most 1 minus it.
    position : int, default=0
        Which of them this is.
    margin : tuple of float or None, default=None
        The differences that do not matter, low < 0 < high.
    margin_pvalues : MarginPvalues or None, default=None
        The p-values of what the margin asks, adjusted as the others are.
    """

    estimator: str
    versus: str
    score: float
    score_versus: float
    test: Inference
    pvalue_adjusted: float
    family: Family
    pvalue_error: float = 0.0
    adjusted: bool = False
    notes: tuple[Note, ...] = ()
    confidence_level: float = 0.95
    position: int = 0
    margin: tuple[float, float] | None = None
    margin_pvalues: MarginPvalues | None = None

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
        return self.family.intervals(self.test, self._level(confidence_level))

    @property
    def has_own_interval(self) -> bool:
        """Whether the interval is not adjusted although the p-value is, so it does not decide."""
        return self.adjusted and self.test.has_interval and not self.family.joint

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
        """What is shown at the level `alpha`, by the adjusted p-values."""
        if self.margin is None or self.margin_pvalues is None:
            return self.test.claim(self.alpha, self.pvalue_adjusted)
        pvalue = self.pvalue_adjusted
        kind = str(margin_kinds(self.test, pvalue, self.margin_pvalues, self.alpha))
        return margin_claim(self.test, self.margin, kind, self.alpha, pvalue)

    @property
    def outcome(self) -> str:
        """The kind of the `claim`.

        For most procedures ``"above"`` or ``"below"`` the null value, ``"not shown"``, or
        ``"undetermined"`` where the scores do not vary. With a margin also ``"equivalent"``,
        ``"not worse"``, ``"not better"``, and ``"above by more"`` than it or ``"above by less"``.
        """
        return self.claim.kind

    def margin_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the interval that decides whether the difference is within the margin.

        Parameters
        ----------
        confidence_level : float, default=None
            Of `confidence_interval`. None is that of the comparison.

        Returns
        -------
        ConfidenceInterval
            For one comparison it has the confidence 1 - 2 alpha, 90 % for verdicts at the 5 %
            level; in a family of adjusted intervals it is the same as `confidence_interval`.
        """
        return self.family.margin_intervals(self.test, self._level(confidence_level))

    def detectable_difference(self, power: float = 0.8) -> Any:
        """Return the true difference that this comparison shows with a wanted power.

        Parameters
        ----------
        power : float, default=0.8
            How often the difference is to be shown, at the level `alpha`.

        Returns
        -------
        float
            The size of the difference, in the metric's unit; nan where the scores do not vary. A
            smaller difference may well be there although none was found.

        Raises
        ------
        TypeError
            If the procedure has no standard error of the difference.

        See Also
        --------
        SplitPlan.detectable_difference : The same for other numbers of splits.

        Notes
        -----
        The estimated standard error is taken for the true one, and the critical value is the one
        that decided this comparison: with ``"max_t"`` and ``"bonferroni"`` that of the family, with
        other adjustments Student's quantile at the level that this p-value had to reach, given the
        p-values of the others. It does not depend on the estimated difference: the power at that
        ("observed power") only restates the p-value.
        """
        if not isinstance(self.test, CVTestResult):
            raise TypeError(
                f"The {self.test.title} has no standard error to tell which difference it could "
                'have shown. Use another method, such as method="corrected_resampled_t".'
            )
        critical = self.family.critical(self.test, self.alpha, self.position)
        test = self.test
        return detectable(test.standard_error, test.df, critical, power, test.alternative)

    def verdict(self) -> str:
        """Say in words what is shown, with its numbers.

        Returns
        -------
        str
            Without a full stop.
        """
        return str(ask("verdict_of")(self))
