"""The rate of data sets with a false claim, from few data sets.

The variance estimates take most of the time. For each of them the estimates are drawn a thousand
times, so that each data set gives a rate instead of a yes or no. The rates vary mainly with the
size of the variance estimates. A control variate with a known mean removes this variation: the
number of false claims, given the variance estimates, of t-tests at the level divided by the number
of comparisons.
"""

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import stats

from skcvstats import compare_scores

from .laws import Law

LEVEL = 0.05
N_FRESH = 1000


@dataclass(frozen=True)
class Family:
    """Comparisons of the estimators of a law.

    Parameters
    ----------
    law : Law
    control : int or None
        None compares all pairs, two-sidedly. A number is the estimator that all others are
        compared with, one-sidedly: a claim is that another is better.
    gaps : tuple of float
        By how many of its `unit` each estimator is worse than the best; empty for none.
    """

    law: Law
    control: int | None = None
    gaps: tuple = ()

    @property
    def one_sided(self):
        return self.control is not None

    @property
    def comparisons(self):
        if self.control is None:
            return "all pairs"
        return f"others above {'first' if self.control == 0 else 'last'}"

    def compare(self, scores, auxiliary):
        """Return the tests of all comparisons, by the package."""
        options = {}
        if self.one_sided:
            options = {"reference": scores.labels[self.control], "alternative": "greater"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = compare_scores(
                scores,
                auxiliary=auxiliary,
                method=self.law.method,
                adjustment="max_t",
                **options,
            )
        return result.tests_by_metric["score"]

    @cached_property
    def unit(self):
        """The true standard error of a difference of two independent estimators as they are."""
        return np.sqrt(2 * self.law.variance * np.median(np.diag(self.law.matrix)))

    @cached_property
    def true_scores(self):
        """The estimators' expected scores."""
        return -self.unit * np.array(self.gaps or (0,) * self.law.n_estimators)

    @cached_property
    def bound(self):
        """The critical value of each comparison by Bonferroni's method and Student's law."""
        n_comparisons = self.law.n_estimators - 1
        if not self.one_sided:
            n_comparisons *= self.law.n_estimators  # of both signs
        return stats.t.isf(LEVEL / n_comparisons, self.law.df)

    @cached_property
    def tail(self):
        """How often one statistic is above it."""
        return self.law.tail(self.bound)

    def control_variate(self, tests):
        """Return the number of statistics beyond the bound that is expected, less its mean."""
        contrasts = np.eye(self.law.n_estimators)
        contrasts = contrasts[tests.first] - contrasts[tests.second]
        variances = np.einsum("ci,ij,cj->c", contrasts, self.law.matrix, contrasts)
        signs = (1,) if self.one_sided else (1, -1)
        found = tests.inference
        bounds = [self.bound * found.standard_error - sign * found.estimate for sign in signs]
        given = stats.norm.sf(bounds / np.sqrt(variances * self.law.variance))
        return given.sum() - given.size * self.tail


def false_claims(family, n_data_sets, seed):
    """Return how often there is a false claim by max-t, and the standard error of that.

    Parameters
    ----------
    family : Family
    n_data_sets : int
    seed : int
    """
    rng = np.random.default_rng(seed)
    rates = np.empty(n_data_sets)
    controls = np.empty(n_data_sets)
    for k in range(n_data_sets):
        tests = family.compare(*family.law.draw(rng))
        first, second = tests.first, tests.second
        controls[k] = family.control_variate(tests)
        rest = family.law.fresh(rng, N_FRESH)
        expected = family.true_scores
        truth = expected[first] - expected[second]
        moved = rest[:, first] - rest[:, second] + truth
        low, high = tests.family.intervals(tests.inference, 1 - LEVEL)
        # A claim that the worse of two is worse is not false.
        false = (low + moved > 0) & (truth <= 0) | (high + moved < 0) & (truth >= 0)
        rates[k] = false.any(axis=1).mean()
    # The mean at a control variate of 0, which is the mean of that.
    slope = np.cov(rates, controls)[0, 1] / np.var(controls, ddof=1)
    rates = rates - slope * controls
    return float(rates.mean()), float(rates.std(ddof=2) / np.sqrt(len(rates)))
