"""A t-test with a correlation of the splits that the user states."""

from dataclasses import dataclass, replace

import numpy as np

from skcvstats import DesignRequest, LocationTest, Pivot


@dataclass(frozen=True, kw_only=True)
class StatedCorrelationTTest(LocationTest):
    """Test an expected score or difference, taking splits to be correlated as stated.

    Parameters
    ----------
    null_value, alternative
        As in every `LocationTest`.
    correlation : float, default=0.1
        Of the scores of two splits, at least 0 and below 1.

    Notes
    -----
    With J scores of sample variance S2 and correlation rho the squared standard error of their
    mean is (1/J + rho/(1 - rho)) S2, referred to Student's t distribution with J - 1 degrees of
    freedom. It is unbiased if rho is the true correlation.
    """

    correlation: float = 0.1

    name = "stated_correlation_t"
    title = "resampled t-test with a stated correlation"
    request = DesignRequest(kind="subsample", n_splits=15, test_size=0.1)

    def require(self, design):
        design.require(who="This t-test", levels=[("split",)], min_splits=2)

    def pivot(self, sample, auxiliary=None):
        n_splits = sample.design.n_splits
        factor = 1 / n_splits + self.correlation / (1 - self.correlation)
        variance = sample.values.var(axis=-1, ddof=1)
        return Pivot(sample.values.mean(axis=-1), np.sqrt(factor * variance), n_splits - 1)

    def describe(self, design, auxiliary=None):
        made = "the root of the variance over the splits, increased by the stated correlation"
        right = f"right if the scores of two splits are correlated by {self.correlation:g}"
        said = super().describe(design, auxiliary)
        return replace(said, explanation=made, assumption=right, sources=("nadeau1999",))
