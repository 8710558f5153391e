"""Two one-sided tests of equivalence: an answer of another form than a location test's."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy import stats

from skcvstats import ConfidenceInterval, Procedure
from skcvstats.stats import Claim, Inference


@dataclass(frozen=True, eq=False, kw_only=True)
class EquivalenceResult(Inference):
    """The answer of `EquivalenceTest`.

    Parameters
    ----------
    margin : float
        Differences below this do not matter.
    """

    margin: float

    has_interval: ClassVar[bool] = True

    def confidence_interval(self, confidence_level=0.95):
        """Return the two-sided interval for the difference."""
        half_width = stats.t.isf((1 - confidence_level) / 2, self.df) * self.standard_error
        return ConfidenceInterval(self.estimate - half_width, self.estimate + half_width)

    def claim(self, alpha, pvalue=None):
        """Say whether the difference is shown to be within the margin."""
        who = f"{self.estimator} and {self.versus}" if self.versus else self.label
        within = f"equivalent in {self.metric} within {self.margin:g}"
        if self.undetermined:
            return Claim("undetermined", f"Undetermined: the scores of {who} do not vary")
        if (self.pvalue if pvalue is None else pvalue) < alpha:
            return Claim("equivalent", f"{who} are {within}", f"shown to be within {self.margin:g}")
        brief = f"not significantly within {self.margin:g}"
        return Claim("not shown", f"{who} are not significantly {within}", brief)

    def describe(self):
        """Say which hypothesis is tested."""
        tested = f"the expected difference is {self.margin:g} or more away from 0"
        return replace(super().describe(), hypothesis=f"of the hypothesis that {tested}")


@dataclass(frozen=True, kw_only=True)
class EquivalenceTest(Procedure):
    """Show that two estimators differ by less than a margin: two one-sided corrected t-tests.

    Parameters
    ----------
    margin : float
        In the unit of the metric; given before the scores are seen.
    """

    margin: float

    name = "equivalence"
    title = "two one-sided corrected resampled t-tests"
    only_differences = True

    def require(self, design):
        design.require(who="The test of equivalence", levels=[("split",)], min_splits=2)

    def infer(self, sample, auxiliary=None):
        design, values = sample.design, sample.values
        odds = design.test_size / (design.n_samples - design.test_size)
        estimate = values.mean(axis=-1)
        error = np.sqrt((1 / design.n_splits + odds) * values.var(axis=-1, ddof=1))
        df = design.n_splits - 1
        with np.errstate(divide="ignore"):
            nearest = (self.margin - np.abs(estimate)) / error  # the smaller of the two statistics
        return EquivalenceResult(
            estimate=estimate,
            standard_error=error,
            df=df,
            pvalue=np.where(error > 0, stats.t.sf(nearest, df), 1.0),
            margin=self.margin,
        )

    def describe(self, design, auxiliary=None):
        source = (
            'D. J. Schuirmann, "A Comparison of the Two One-Sided Tests Procedure and the Power '
            'Approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987'
        )
        made = "that of the corrected resampled t-test"
        return replace(super().describe(design), explanation=made, sources=(source,))
