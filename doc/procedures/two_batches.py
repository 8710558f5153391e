"""A Welch test of two batches of splits, with degrees of freedom of its own for each row."""

from dataclasses import dataclass

import numpy as np

from skcvstats import LocationTest, Pivot


@dataclass(frozen=True, kw_only=True)
class TwoBatchesTest(LocationTest):
    """Test a mean over two batches of splits whose scores vary differently.

    The first half of the splits was scored in one way (on one machine, by one annotator), the
    second half in another. The variances of the two means are estimated apart and added.

    Notes
    -----
    With S1 and S2 the variances over J1 and J2 splits, and rho0 the share of rows tested on, the
    mean of the two means has the estimated variance V1 + V2, where

        Vi = (1/(4 Ji) + rho0/(1 - rho0)/2) Si,

    as what the splits have in common does not average out. It is referred to Student's t
    distribution with Welch's and Satterthwaite's (V1 + V2)^2 / (V1^2/(J1 - 1) + V2^2/(J2 - 1))
    degrees of freedom.
    """

    name = "two_batches_t"
    title = "Welch test of two batches"

    def require(self, design):
        design.require(who="The Welch test of two batches", levels=[("split",)], min_splits=4)

    def pivot(self, sample, auxiliary=None):
        halves = np.array_split(sample.values, 2, axis=-1)
        odds = sample.design.test_size / (sample.design.n_samples - sample.design.test_size)
        first, second = (half.mean(axis=-1) for half in halves)
        parts = [
            (1 / (4 * half.shape[-1]) + odds / 2) * half.var(axis=-1, ddof=1) for half in halves
        ]
        total = parts[0] + parts[1]
        squares = [part**2 / (half.shape[-1] - 1) for part, half in zip(parts, halves, strict=True)]
        # Where nothing varies the test is undetermined, and the degrees of freedom do not matter.
        df = np.divide(total**2, sum(squares), out=np.ones_like(total), where=total > 0)
        return Pivot((first + second) / 2, np.sqrt(total), df)
