"""A sign test over the splits: a p-value and nothing else."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from skcvstats import AnticonservativeWarning, Procedure
from skcvstats.stats import Claim, Inference

LIBERAL = AnticonservativeWarning(
    "the sign test assumes independent splits, so it rejects true null hypotheses too often"
)


class SignResult(Inference):
    """The answer of `SignTest`: on how many of the splits the first was better, and p."""

    def claim(self, alpha, pvalue=None):
        """Say whether the two differ significantly."""
        who = f"{self.estimator} and {self.versus}"
        if (self.pvalue if pvalue is None else pvalue) < alpha:
            return Claim("different", f"{who} differ in {self.metric}")
        words = f"No significant difference between {who} in {self.metric}"
        return Claim("not shown", words, "not significant")


@dataclass(frozen=True)
class SignTest(Procedure):
    """Count the splits on which the first estimator scored higher."""

    name = "signs"
    title = "sign test"
    only_differences = True

    def require(self, design):
        design.require(who="The sign test", min_splits=5)

    def notes(self, design, auxiliary=None):
        return (LIBERAL, *super().notes(design, auxiliary))

    def infer(self, sample, auxiliary=None):
        better = np.count_nonzero(sample.values > 0, axis=-1)
        n_splits = np.count_nonzero(sample.values, axis=-1)  # ties tell nothing
        tail = stats.binom.cdf(np.minimum(better, n_splits - better), n_splits, 0.5)
        return SignResult(
            estimate=sample.values.mean(axis=-1),
            pvalue=np.minimum(2 * tail, 1.0),
        )
