"""The rules of a race: which candidates leave after a split, and what may be said at its end."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..scores import CVScores, SplitDesign, scores_of
from ..stats import CorrectedResampledTTest, Sample
from ._joint import JointInference


@dataclass(eq=False)
class Race:
    """A race by the rules in the Notes of RacingSearchCV; doc/derivations.rst has its level."""

    rule: str | None
    margin: float | None
    alpha: float
    min_splits: int
    n_candidates: int
    design: SplitDesign

    def __post_init__(self) -> None:
        self.test = CorrectedResampledTTest(alternative="less")
        self.dropped_after = np.zeros(self.n_candidates, dtype=int)
        self.stopped_after: int | None = None
        self._alpha = self.alpha / (self.design.n_splits - self.min_splits)
        self._each = self._alpha / (2 * max(1, self.n_candidates - 1))

    @property
    def in_race(self) -> np.ndarray:
        """Which candidates have not left."""
        return np.equal(self.dropped_after, 0)

    def rounds(self, scores: Callable[[int], np.ndarray]) -> Iterator[list[tuple[int, int]]]:
        """Yield the (split, candidate) pairs to fit next, by scores of the first splits, or nan."""
        n_splits, everyone = self.design.n_splits, range(self.n_candidates)
        first = n_splits if self.rule is None else self.min_splits
        yield [(k, e) for k in range(first) for e in everyone]
        for n_done in range(first, n_splits):
            if self.in_race.sum() > 1:
                self._look(scores(n_done))
            if self.stopped_after is not None:
                return
            yield [(n_done, e) for e in everyone if self.in_race[e]]

    def _look(self, values: np.ndarray) -> None:
        """End the race, or let candidates leave."""
        n_done, in_race = values.shape[1], self.in_race
        beyond = np.arange(n_done) >= np.where(in_race, n_done, self.dropped_after)[:, np.newaxis]
        whole = (np.isfinite(values) | beyond).all(axis=1)
        rivals = np.flatnonzero(in_race & whole)
        if not rivals.size:
            return
        self.dropped_after[in_race & ~whole] = n_done
        leader = int(rivals[values[rivals].mean(axis=1).argmax()])
        if self.margin is not None and rivals.size > 1 and self._is_shown(values, leader, whole):
            self.stopped_after = n_done
            return
        level = self._alpha if self.rule == "screen" else self._each
        worse = self._pvalues(values[rivals], values[leader]) < level
        self.dropped_after[rivals[worse]] = n_done

    def _is_shown(self, values: np.ndarray, leader: int, whole: np.ndarray) -> bool:
        """Whether no other candidate, as far as it was scored, is better by the margin."""
        others = whole & (np.arange(len(values)) != leader)
        n_own = np.where(self.in_race, values.shape[1], self.dropped_after)
        return all(
            (self._pvalues(values[rows, :n], values[leader, :n], self.margin) < self._each).all()
            for n in np.unique(n_own[others])
            for rows in [others & (n_own == n)]
        )

    def could_be_best(self, scores: CVScores) -> np.ndarray:
        """Return which of those at the end could be the best of all; not those with a nan."""
        inside: np.ndarray = np.isfinite(scores.values).all(axis=1)
        if inside.sum() < 2:
            return inside
        kept = scores_of(scores, [scores.labels[k] for k in np.flatnonzero(inside)])
        level = (self.alpha if self.margin is None else self._alpha) / 2
        joint = JointInference(self.test, kept)
        if len(kept.labels) == self.n_candidates:
            return joint.could_be_best(1 - level)
        errors, _, alone = joint.all_pairs
        pvalues = np.where(errors > 0, alone, 1.0).min(axis=1)
        inside[inside] = pvalues > level / (self.n_candidates - 1)
        return inside

    def _pvalues(self, values: np.ndarray, leader: np.ndarray, null_value: Any = 0.0) -> Any:
        """Return one-sided p-values against the leader; 1 where a difference does not vary."""
        magnitude = np.maximum(np.abs(values).max(axis=1), np.abs(leader).max())
        design = self.design.take(range(values.shape[1]))
        sample = Sample(values - leader, design, magnitude)
        found = self.test.infer(sample, null_value=null_value)
        return np.where(np.asarray(found.standard_error) > 0, found.pvalue, 1.0)
