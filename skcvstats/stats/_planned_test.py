"""PlannedTest: the test of a plan, and its power."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .._utils._checks import ALTERNATIVES, alpha_of, check_finite_number, check_option, is_integer
from .._utils._text import format_number
from ._bounds import check_bounds
from ._power import (
    check_power,
    detectable_difference,
    equivalence_probability,
    rejection_probability,
)
from ._student import student_quantile


@dataclass(frozen=True)
class PlannedTest:
    """A test of one difference, alone or in a family adjusted by Bonferroni's method."""

    alpha: float
    alternative: str
    bounds: tuple[float, float] | None
    single: bool

    @classmethod
    def of(
        cls, confidence_level: float, alternative: str, margin: Any, n_comparisons: int
    ) -> PlannedTest:
        """Check the options of the user."""
        check_option("alternative", alternative, ALTERNATIVES)
        if not is_integer(n_comparisons) or n_comparisons < 1:
            raise ValueError(f"n_comparisons={n_comparisons!r} must be an integer, 1 or more.")
        if margin is not None and alternative != "two-sided":
            raise ValueError(
                f"alternative={alternative!r} and margin={margin!r} cannot be combined, as "
                "equivalence has no direction; leave one of them out."
            )
        bounds = None if margin is None else check_bounds(margin)
        alpha = alpha_of(confidence_level) / n_comparisons
        return cls(alpha, alternative, bounds, n_comparisons == 1)

    def critical(self, df: Any) -> Any:
        """Return the critical value of the statistic."""
        # In a family, the two-sided simultaneous interval decides on equivalence.
        one_tail = self.alternative != "two-sided" or (self.bounds is not None and self.single)
        return -student_quantile(df, self.alpha if one_tail else self.alpha / 2)

    def power(self, difference: float, standard_error: Any, df: Any) -> Any:
        """Return the probability that the test shows a true claim."""
        if self.bounds is None:
            return rejection_probability(
                difference / standard_error, df, self.critical(df), self.alternative
            )
        below, above = difference - self.bounds[0], self.bounds[1] - difference
        return equivalence_probability(
            below / standard_error, above / standard_error, df, self.critical(df)
        )

    def detectable_difference(self, power: float, standard_error: Any, df: Any) -> Any:
        """Return the size of the difference that the test shows with this power."""
        return detectable_difference(standard_error, df, self.critical(df), power, self.alternative)

    def check_difference(self, difference: Any) -> float:
        """Return the difference as a float that the test could show to be what it is."""
        wanted = check_finite_number("difference", difference)
        if self.bounds is not None and not self.bounds[0] < wanted < self.bounds[1]:
            low, high = (format_number(bound) for bound in self.bounds)
            raise ValueError(
                f"difference={difference!r} is not within the margin, {low} to {high}, so that "
                "equivalence would be false; give a true difference inside, such as 0."
            )
        return wanted

    def check_power(self, power: Any) -> float:
        """Return the power as a float that is more than what a true null hypothesis has."""
        wanted = check_power(power)
        if self.bounds is None and wanted <= self.alpha:
            raise ValueError(
                f"power={power!r} is no more than the level, {format_number(self.alpha)}, at "
                "which a difference of 0 is rejected; ask for more, such as 0.8."
            )
        return wanted


@dataclass(frozen=True)
class WidthGoal:
    """The goal of an interval of a wanted half-width."""

    half_width: float
    alpha: float

    def reached(self, standard_error: float, df: float) -> bool:
        """Whether a standard error with its degrees of freedom will do."""
        return self._half_width(standard_error, df) <= self.half_width

    def out_of_reach(self, standard_error: float) -> str:
        """Say that no number of splits reaches it."""
        return (
            f"half_width={self.half_width!r} cannot be reached: with ever more splits it tends to "
            f"{format_number(self._half_width(standard_error, math.inf))}. Collect more rows, "
            "lower the confidence level, or ask for a wider interval."
        )

    def _half_width(self, standard_error: float, df: float) -> float:
        return -student_quantile(df, self.alpha / 2) * standard_error


@dataclass(frozen=True)
class PowerGoal:
    """The goal of showing a difference, or equivalence, with a wanted power."""

    test: PlannedTest
    difference: float
    power: float

    def reached(self, standard_error: float, df: float) -> bool:
        """Whether a standard error with its degrees of freedom will do."""
        return self.test.power(self.difference, standard_error, df) >= self.power

    def out_of_reach(self, standard_error: float) -> str:
        """Say that no number of splits reaches it."""
        limit = format_number(self.test.power(self.difference, standard_error, math.inf))
        if self.test.bounds is not None:
            remedy = "Collect more rows, or take a wider margin."
        else:
            size = self.test.detectable_difference(self.power, standard_error, math.inf)
            beyond = {
                "two-sided": f"of more than {format_number(size)} in either direction",
                "greater": f"above {format_number(size)}",
                "less": f"below {format_number(-size)}",
            }[self.test.alternative]
            remedy = f"Collect more rows, or plan for a difference {beyond}."
        return (
            f"power={self.power!r} at difference={self.difference!r} cannot be reached by any "
            f"number of splits: with ever more of them it tends to {limit}. {remedy}"
        )
