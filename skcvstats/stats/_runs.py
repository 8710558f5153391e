"""Rows or runs: what each brings to the variance of a score, or of a difference, on a test set.

Notes
-----
With s(r, i) the score of unit i, a row or a group, in run r of R runs on n units, MSA, MSB and MSE
are the mean squares of units, of runs, and of the rest in the two-way table without replicates. The
scores of a test set keep small arrays from which these follow for each model and each difference.
"""

from typing import Any, NamedTuple, Self

import numpy as np
from scipy.special import fdtrc

from .._utils._metrics import shown_as
from .._utils._text import counted, format_number
from ..scores import NoteOnTests, note_on_tests
from ._sample import student_quantile

# Runs differ in their means if they would differ by so much with this probability by chance.
_LEVEL = 0.01
_ROUNDING = 1e-20  # of variances
_TINY = np.finfo(float).tiny
# The code of the note on that.
RUNS_DIFFER = "runs differ"


class RunSpread(NamedTuple):
    """How the scores of repeated runs vary: the mean squares of units, of runs, and of the rest.

    Each is divided by the number of scores, n R. They are numbers, or arrays of several tests; nan
    where two models have not the same number of runs.
    """

    units: Any
    runs: Any
    rest: Any
    n_units: int
    n_runs: int

    @property
    def share_of_runs(self) -> Any:
        """The share of the variance of the mean that runs bring; the others bring the units."""
        of_units = np.maximum(0.0, self.units - self.rest)
        of_runs = np.maximum(0.0, self.runs - self.rest) + self.rest
        return of_runs / (of_units + of_runs)

    def relative_variance(self, n_runs: int) -> Any:
        """Return the variance about these runs with another number of runs, relative to that."""
        of_units = np.maximum(0.0, self.units - self.rest)
        return (of_units + self.rest * self.n_runs / n_runs) / (of_units + self.rest)

    @property
    def pvalue(self) -> Any:
        """The p-value of the F test of whether runs differ in their means."""
        df = self.n_runs - 1
        ratio = np.divide(self.runs, self.rest + _ROUNDING * self.units + _TINY)
        return fdtrc(df, df * (self.n_units - 1), ratio)

    @property
    def moves(self) -> Any:
        """By how much other runs would move the mean: half of a 95 % interval."""
        return -student_quantile(self.n_runs - 1, 0.025) * np.sqrt(self.runs)

    def take(self, k: int) -> Self:
        """Return that of one test."""
        return self._replace(units=self.units[k], runs=self.runs[k], rest=self.rest[k])


def spread_of_runs(scores: Any) -> RunSpread | None:
    """Return how scores on a test set vary with the runs; None if no models were run repeatedly."""
    components: Any = getattr(scores, "components", None)
    if "run_means" not in getattr(components, "arrays", ()):
        return None
    means = components.rows("run_means")
    n_runs = means.shape[1]
    units = np.square(components.rows("run_units")).sum(axis=1)
    rest = np.square(components.rows("run_rest")).sum(axis=1)
    runs = means.var(axis=1, ddof=1) / n_runs
    return RunSpread(units, runs, rest, components.facts["n_groups"], n_runs)


def spread_of_test(test: Any) -> RunSpread | None:
    """Return how the score or difference of one test varies with the runs, if that is known."""
    spread = spread_of_runs(getattr(test, "scores", None))
    if spread is None or test.undetermined or np.isnan(spread.rest[0]):
        return None
    return spread.take(0)


def units_on_test_set(test: Any) -> str:
    """Return what the units of a test set are, in the plural."""
    facts = test.scores.components.facts
    return "groups" if facts.get("grouped", False) else str(test.unit)


def estimated_by(test: Any) -> str:
    """Return what a test estimates, in a word."""
    return "difference" if test.paired else "score"


def notes_on_runs(answer: Any) -> tuple[NoteOnTests, ...]:
    """Return a note on the tests whose runs differ in their means."""
    spread = spread_of_runs(answer.scores)
    if spread is None:
        return ()
    # Of several tests by Bonferroni's method, so that it is rare where runs do not differ.
    differ = (spread.pvalue < _LEVEL / len(spread.rest)) & ~np.ravel(answer.undetermined)
    what = f"{estimated_by(answer)} in {shown_as(answer.metric).name}"

    def text_of(k: int) -> str:
        moved = format_number(spread.moves[k])
        return (
            f"the runs differ in their means, and the interval is about these runs: others would "
            f"move the {what} by up to about {moved} (95 %), and more rows do not shorten that"
        )

    n_noted = f"in {np.count_nonzero(differ)} of {counted(len(differ), 'test')}"
    most = int(np.argmax(np.where(differ, spread.moves, 0.0)))
    return note_on_tests(RUNS_DIFFER, differ, text_of, f"{n_noted}, {text_of(most)}")
