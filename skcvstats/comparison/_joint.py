"""Joint inference on all estimators of a metric: max-t, the set of the best, letters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from string import ascii_letters
from typing import Any

import numpy as np

from .._utils._checks import alpha_of
from ..scores import CVScores, Note
from ..stats import LocationTest, Procedure, Root, tail_probability, to_usual_magnitude
from ._family import MaxT, share_of_draws, single_step
from ._simultaneous import Draws, make_draws


@dataclass(frozen=True, eq=False)
class JointInference:
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
    auxiliary: CVScores | None = None

    @cached_property
    def estimates(self) -> np.ndarray:
        """The estimated expected score of each estimator."""
        samples = self.procedure.samples(self.scores, self.auxiliary)
        return np.asarray(self.procedure.estimates(*samples))

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

    def could_be_best(self, confidence_level: float) -> np.ndarray:
        """Return for each estimator whether it could be the best."""
        if confidence_level <= 0.5:
            raise ValueError(
                f"confidence_level={confidence_level!r} must be above 0.5 for the set of the best."
            )
        return np.isnan(self.p_best) | (self.p_best > alpha_of(confidence_level))

    @property
    def best_first(self) -> np.ndarray:
        """The positions of the estimators, the highest estimate first."""
        return np.argsort(-self.estimates, kind="stable")

    def best_set(self, confidence_level: float) -> tuple[str, ...]:
        """Return the names of the estimators that could be the best, the highest estimate first."""
        inside = self.could_be_best(confidence_level)
        return tuple(self.scores.labels[k] for k in self.best_first if inside[k])

    def own_scores(self) -> Any:
        """Return the unadjusted inference on the score of each estimator."""
        procedure = self.procedure
        if isinstance(procedure, LocationTest):
            procedure = replace(procedure, null_value=0.0, alternative="two-sided")
        return procedure.run(self.scores, self.auxiliary)


def best_set_of(
    procedure: LocationTest, scores: CVScores, confidence_level: float
) -> tuple[str, ...]:
    """Return the names of the estimators that could be the best, from their scores."""
    if len(scores.labels) == 1:
        return scores.labels
    return JointInference(procedure, scores).best_set(confidence_level)


def pointing_to_best_set(note: Note, procedure: Procedure) -> Note:
    """Return the note on a reference that is favoured by chance, with advice on what to use."""
    if not isinstance(procedure, LocationTest):
        return note
    instead = "result.best_set() names the estimators that could be the best, and is valid although"
    return replace(note, text=f"{note.text}; {instead} the scores were seen")


# With more columns than letters, also in between, there is no display.
_MOST_COLUMNS = len(ascii_letters)
_MOST_ON_THE_WAY = 2000


def letters(different: np.ndarray) -> list[str] | None:
    """Return the letters of each estimator; estimators that share one are not shown to differ.

    Notes
    -----
    The columns are all maximal sets without a shown difference. They are found by inserting and
    absorbing [1]_: starting from one set of all, each shown difference splits every set that
    contains both, and sets within others are dropped.

    References
    ----------
    .. [1] H.-P. Piepho, "An Algorithm for a Letter-Based Representation of All-Pairwise
       Comparisons", Journal of Computational and Graphical Statistics 13, 2004.
    """
    n_estimators = len(different)
    columns = {(1 << n_estimators) - 1}
    for first, second in np.argwhere(np.triu(different, k=1)).tolist():
        a, b = 1 << first, 1 << second
        torn = {column for column in columns if column & a and column & b}
        if not torn:
            continue
        columns -= torn
        for one, other in ((a, b), (b, a)):
            # As no column is within another, a half can be within one that was not torn only.
            rest = [column for column in columns if column & other]
            columns |= {half for column in torn if not _is_inside(half := column & ~one, rest)}
        if len(columns) > _MOST_ON_THE_WAY:
            return None
    if len(columns) > _MOST_COLUMNS:
        return None
    members = sorted([k for k in range(n_estimators) if column >> k & 1] for column in columns)
    return [
        "".join(
            letter for letter, column in zip(ascii_letters, members, strict=False) if k in column
        )
        for k in range(n_estimators)
    ]


def _is_inside(column: int, others: list[int]) -> bool:
    return any(column & ~other == 0 for other in others)
