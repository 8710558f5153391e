"""Contest: joint inference on all estimators of a metric, and which could be the best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..scores import CVScores
from ..stats import LocationTest, Procedure, Root, tail_probability, to_usual_magnitude
from ._family import MaxT, share_of_draws, single_step
from ._simultaneous import Draws, make_draws


@dataclass(frozen=True, eq=False)
class Contest:
    """All estimators of a metric, with the quantities for joint inference.

    Notes
    -----
    An estimator could be the best unless another is shown to be better, in one-sided comparisons of
    all others with it [1]_ [2]_. Each estimator is the control of its own family, so the truly best
    one is in the set with the stated confidence, even though the scores were seen.

    References
    ----------
    .. [1] S. S. Gupta, "On Some Multiple Decision (Selection and Ranking) Rules", Technometrics 7,
       1965.
    .. [2] J. C. Hsu, "Constrained Simultaneous Confidence Intervals for Multiple Comparisons with
       the Best", The Annals of Statistics 12, 1984.
    """

    procedure: Procedure
    scores: CVScores
    auxiliary: CVScores | None
    estimates: np.ndarray

    @cached_property
    def all_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The standard errors and degrees of freedom of all differences, of square shape."""
        n_estimators = len(self.estimates)
        first, second = np.triu_indices(n_estimators, k=1)
        found = self.procedure.run(
            self.scores.differences(first, second),
            None if self.auxiliary is None else self.auxiliary.differences(first, second),
        )
        errors, dfs = np.zeros((2, n_estimators, n_estimators))
        errors[first, second] = errors[second, first] = found.standard_error
        dfs[first, second] = dfs[second, first] = found.df
        return errors, dfs

    @cached_property
    def root(self) -> Root | None:
        """The root of the covariance of the estimates; None for a procedure without one."""
        samples = self.procedure.samples(self.scores, self.auxiliary)
        return self.procedure.root(*to_usual_magnitude(*samples))

    @cached_property
    def draws(self) -> Draws | None:
        """The simulated statistics; None for a procedure without a root."""
        if self.root is None:
            return None
        return make_draws(self.root, self.scores.labels, self.all_pairs[0] > 0)

    @cached_property
    def control_maxima(self) -> np.ndarray:
        """The simulated maxima over all others minus a control, one column for each control."""
        assert self.draws is not None, "asked with a root only"
        return self.draws.control_maxima()

    def max_t(self, first: np.ndarray, second: np.ndarray, alternative: str) -> MaxT:
        """Return comparisons as one family."""
        assert self.draws is not None, "asked with a root only"
        n_estimators = len(self.estimates)
        all_pairs = len(first) == n_estimators * (n_estimators - 1) // 2
        if all_pairs and alternative == "two-sided":
            maxima = self.control_maxima.max(axis=1)
        else:
            maxima = self.draws.maxima(first, second, alternative)
        return MaxT(len(first), np.sort(maxima), self.draws.n_squares)

    @property
    def has_best(self) -> bool:
        """Whether the procedure can say which estimators could be the best."""
        return isinstance(self.procedure, LocationTest)

    @cached_property
    def p_best(self) -> np.ndarray:
        """For each estimator the p-value of "this is the best"; nan if it has none."""
        errors, dfs = self.all_pairs
        with np.errstate(divide="ignore", invalid="ignore"):
            statistics = (self.estimates[None, :] - self.estimates[:, None]) / errors
        statistics = np.where(errors > 0, statistics, -np.inf)
        strongest = statistics.argmax(axis=1)
        rows = np.arange(len(strongest))
        largest, df = statistics[rows, strongest], dfs[rows, strongest]
        alone = tail_probability(largest, df, "greater")
        n_others = len(rows) - 1
        if self.draws is None or n_others == 1:
            found = np.minimum(1.0, n_others * alone)
        else:
            beyond = np.count_nonzero(self.control_maxima >= largest, axis=0)
            bound = tail_probability(largest, self.draws.n_squares, "greater")
            found = single_step(n_others, share_of_draws(beyond, self.draws.n_draws), alone, bound)
        return np.where(np.isneginf(largest), np.nan, found)

    def own_scores(self) -> Any:
        """Return the unadjusted inference on the score of each estimator."""
        procedure = self.procedure
        if isinstance(procedure, LocationTest):
            procedure = replace(procedure, null_value=0.0, alternative="two-sided")
        return procedure.run(self.scores, self.auxiliary)
