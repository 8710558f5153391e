"""The rules of a race: which candidates leave after a split, and what may be said at its end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._utils._checks import alpha_of
from ..scores import CVScores, SplitDesign
from ..stats import CorrectedResampledTTest, Sample
from ._joint import JointInference


@dataclass(frozen=True, eq=False)
class RaceRules:
    """The tests of a race, at levels that are fixed before its start.

    Notes
    -----
    There are L looks, after each split from `min_splits` on but the last, and C candidates start.
    At a look the leader has the highest mean so far of those in the race. By the rule "screen" a
    candidate leaves if its one-sided p-value against the leader is below alpha/L; by "evidence", if
    it is below a = alpha/(2 L (C - 1)).

    Coverage of the set of the best under "evidence": the truly best candidate b leaves at a look
    only if one of C - 1 others has p < a against it, which has probability at most alpha/(2L), so
    alpha/2 over all looks. At the end it is left out with probability at most alpha/2. A race that
    ends at a look by its margin uses alpha/(2L) there: this error and that of leaving at the same
    look are one event, so the sum is again at most alpha.

    The margin is shown if each other candidate j has p < a in the test of theta_j - theta_leader >=
    margin. For C - 1 possible leaders and L looks the probability that this is wrong for the truly
    best candidate is at most alpha/2.
    """

    rule: str | None
    margin: float | None
    confidence_level: float
    min_splits: int
    n_candidates: int
    design: SplitDesign

    @cached_property
    def test(self) -> CorrectedResampledTTest:
        """The test of whether a candidate is worse."""
        return CorrectedResampledTTest(alternative="less")

    @property
    def n_looks(self) -> int:
        """The number of looks."""
        return self.design.n_splits - self.min_splits

    @property
    def _alpha(self) -> float:
        return alpha_of(self.confidence_level) / self.n_looks

    @property
    def _each(self) -> float:
        """The level of each test that shows something."""
        return self._alpha / (2 * max(1, self.n_candidates - 1))

    def leaving(self, values: np.ndarray, in_race: np.ndarray) -> np.ndarray:
        """Return which candidates leave, given their scores so far; those with a missing one do."""
        finite = np.isfinite(values).all(axis=1)
        rivals = np.flatnonzero(in_race & finite)
        leaves = in_race & ~finite
        if not rivals.size or self.rule is None:
            return np.zeros_like(leaves)
        alpha = self._alpha if self.rule == "screen" else self._each
        leaves[rivals] = self._pvalues(values[rivals], values[leader_of(values, in_race)]) < alpha
        return leaves

    def is_over(self, values: np.ndarray, in_race: np.ndarray, n_done: np.ndarray) -> bool:
        """Whether it is shown that no candidate with all its scores exceeds the leader too far."""
        n_splits = values.shape[1]
        leader = leader_of(values, in_race)
        if self.margin is None or leader is None:
            return False
        finite = (np.isfinite(values) | (np.arange(n_splits) >= n_done[:, np.newaxis])).all(axis=1)
        others = finite & (np.arange(len(values)) != leader)
        return all(
            (self._pvalues(values[rows, :n], values[leader, :n], self.margin) < self._each).all()
            for n in np.unique(n_done[others])
            for rows in [others & (n_done == n)]
        )

    def could_be_best(self, scores: CVScores) -> np.ndarray:
        """Return which of the candidates that are left could be the best of all that started."""
        if len(scores.values) == 1:
            return np.ones(1, dtype=bool)
        alpha = self.n_looks * self._alpha / 2 if self.margin is None else self._alpha / 2
        joint = JointInference(self.test, scores)
        if len(scores.values) == self.n_candidates:
            return joint.could_be_best(1 - alpha)
        errors, _, alone = joint.all_pairs
        pvalues = np.where(errors > 0, alone, 1.0).min(axis=1)
        return np.asarray(pvalues > alpha / (self.n_candidates - 1))

    def _pvalues(self, values: np.ndarray, leader: np.ndarray, null_value: float = 0.0) -> Any:
        """Return one-sided p-values against the leader; 1 where a difference does not vary."""
        magnitude = np.maximum(np.abs(values).max(axis=1), np.abs(leader).max())
        design = self.design.take(range(values.shape[1]))
        sample = Sample(values - leader, design, magnitude)
        found = self.test.infer(sample, null_value=null_value)
        return np.where(np.asarray(found.standard_error) > 0, found.pvalue, 1.0)


def leader_of(values: np.ndarray, in_race: np.ndarray) -> int | None:
    """Return the candidate with the highest mean of those in the race; of several the first."""
    eligible = np.flatnonzero(in_race & np.isfinite(values).all(axis=1))
    if not eligible.size:
        return None
    return int(eligible[values[eligible].mean(axis=1).argmax()])
