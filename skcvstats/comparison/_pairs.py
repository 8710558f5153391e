"""PairTests: all comparisons in one metric, tested in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._checks import alpha_of, listed
from ..exceptions import AnticonservativeWarning
from ..scores import CVScores, Note, union
from ..stats import (
    ADJUSTMENTS,
    MAX_T,
    Adjustment,
    CVTestResult,
    Inference,
    MarginPvalues,
    Procedure,
    margin_kinds,
    student_quantile,
    tail_probability,
)
from ._best_set import contest_of
from ._comparison import Comparison
from ._contest import Contest
from ._family import Bonferroni, Family, PvaluesOnly, Unadjusted
from ._margin import margin_notes

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTests:
    """All comparisons in one metric; those of the best estimators come first."""

    procedure: Procedure
    scores: CVScores
    auxiliary: CVScores | None
    estimates: np.ndarray
    first: np.ndarray
    second: np.ndarray
    inference: Inference
    adjustment: Adjustment
    pvalues_adjusted: np.ndarray
    family: Family
    contest: Contest
    notes: tuple[Note, ...] = ()
    margin: tuple[float, float] | None = None
    chosen_from: CVScores | None = None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def adjusted(self) -> bool:
        """Whether there are several comparisons with adjusted p-values."""
        return self.adjustment.name != "none" and len(self) > 1

    @property
    def names(self) -> np.ndarray:
        """The names of the two estimators of each comparison, of shape (n_comparisons, 2)."""
        labels = np.array(self.scores.labels, dtype=object)
        return np.column_stack([labels[self.first], labels[self.second]])

    @cached_property
    def all_notes(self) -> tuple[Note, ...]:
        """The limitations of any of the comparisons."""
        return union(self.inference.notes, self._shared_notes)

    @cached_property
    def _shared_notes(self) -> tuple[Note, ...]:
        """The limitations of all comparisons, besides the notes of `inference`."""
        if self.margin is None:
            return self.notes
        return union(self.notes, margin_notes(self.inference, self.margin))

    @cached_property
    def margin_pvalues(self) -> MarginPvalues | None:
        """The p-values for the margin, adjusted like the others."""
        if self.margin is None:
            return None
        return self.family.margin_pvalues(self.inference, self.margin)

    def comparison(self, k: int, confidence_level: float) -> Comparison:
        """Return one of the comparisons."""
        first, second = self.first[k], self.second[k]
        estimator, versus = self.scores.labels[first], self.scores.labels[second]
        test = self.inference.take(k, estimator=estimator, versus=versus)
        test = replace(test, confidence_level=confidence_level)
        return Comparison(
            estimator=estimator,
            versus=versus,
            score=float(self.estimates[first]),
            score_versus=float(self.estimates[second]),
            test=test,
            pvalue_adjusted=float(self.pvalues_adjusted[k]),
            adjusted=self.adjusted,
            notes=union(test.notes, self._shared_notes),
            confidence_level=confidence_level,
            family=self.family,
            position=k,
            margin=self.margin,
            margin_pvalues=None if self.margin_pvalues is None else self.margin_pvalues.row(k),
        )

    def intervals(self, confidence_level: float) -> tuple[Any, Any]:
        """Return the ends of the intervals that decide; nan without an interval."""
        if not self.inference.has_interval:
            return np.nan, np.nan
        return self.family.intervals(self.inference, confidence_level)

    def to_frame(self, confidence_level: float) -> pd.DataFrame:
        """Return one row for each comparison; see `ComparisonResult.to_frame`."""
        import pandas as pd

        found = self.inference
        low, high = self.intervals(confidence_level)
        alone = found.confidence_interval(confidence_level) if found.has_interval else (low, high)
        names = self.names
        columns = {
            "metric": found.metric,
            "estimator": names[:, 0],
            "versus": names[:, 1],
            "score": self.estimates[self.first],
            "score_versus": self.estimates[self.second],
            "difference": found.estimate,
            "standard_error": found.standard_error,
            "low": low,
            "high": high,
            "low_unadjusted": alone[0],
            "high_unadjusted": alone[1],
            "statistic": found.statistic,
            "df": [found.df] * len(self) if isinstance(found.df, tuple) else found.df,
            "pvalue": found.pvalue,
            "pvalue_adjusted": self.pvalues_adjusted,
            **self._margin_columns(confidence_level),
            "note": self._note_column(),
        }
        return pd.DataFrame(columns, index=pd.RangeIndex(len(self)))

    def _margin_columns(self, confidence_level: float) -> dict[str, Any]:
        """Return the columns that a margin adds to the table."""
        pvalues = self.margin_pvalues
        if pvalues is None:
            return {}
        low, high = self.family.margin_intervals(self.inference, confidence_level)
        alpha = alpha_of(confidence_level)
        return {
            "low_margin": low,
            "high_margin": high,
            "pvalue_not_worse": pvalues.not_worse,
            "pvalue_not_better": pvalues.not_better,
            "pvalue_equivalent": pvalues.equivalent,
            "outcome": margin_kinds(self.inference, self.pvalues_adjusted, pvalues, alpha),
        }

    def _note_column(self) -> list[str]:
        """Return the notes of each row; only undetermined rows have one of their own."""
        undetermined = np.broadcast_to(self.inference.undetermined, len(self))
        written = {
            kind: "; ".join(map(str, self.comparison(int(np.argmax(of_kind)), 0.95).notes))
            for kind, of_kind in ((True, undetermined), (False, ~undetermined))
            if of_kind.any()
        }
        return [written[kind] for kind in undetermined.tolist()]


def check_reference(reference: Any, labels: Sequence[str]) -> None:
    """Raise ValueError unless the reference is an estimator, "best" or None."""
    named = reference is None or isinstance(reference, str)
    if not named or reference not in (None, "best", *labels):
        raise ValueError(
            f"reference={reference!r} is not among the estimators {listed(labels)}; it may also be "
            "'best', or None for all pairs."
        )
    if reference == "best" and "best" in labels:
        raise ValueError(
            "reference='best' could mean the best estimator or the one named 'best'; give that one "
            "another name."
        )


def make_pair_tests(
    procedure: Procedure,
    scores: CVScores,
    auxiliary: CVScores | None,
    pairs: tuple[np.ndarray, np.ndarray],
    adjustment: Adjustment,
    notes: tuple[Note, ...],
    margin: tuple[float, float] | None = None,
    chosen_from: CVScores | None = None,
) -> PairTests:
    """Test the differences of many pairs of estimators in one call."""
    samples = procedure.samples(scores, auxiliary)
    estimates = np.asarray(procedure.estimates(*samples))
    first, second = _best_first(estimates, *pairs)
    inference = procedure.run(
        scores.differences(first, second),
        None if auxiliary is None else auxiliary.differences(first, second),
    )
    contest = Contest(procedure, scores, auxiliary, estimates)
    family = _family(adjustment, contest, inference, first, second)
    # p is 1 if p = 0 is only a convention and no evidence
    adjusted = np.where(inference.undetermined, 1.0, family.pvalues(inference))
    return PairTests(
        procedure=procedure,
        scores=scores,
        auxiliary=auxiliary,
        estimates=estimates,
        first=first,
        second=second,
        inference=inference,
        adjustment=adjustment,
        pvalues_adjusted=adjusted,
        family=family,
        contest=contest if chosen_from is None else contest_of(procedure, chosen_from),
        notes=union(notes, _normal_tails(contest, inference, adjustment, len(first))),
        margin=margin,
        chosen_from=chosen_from,
    )


def _family(
    adjustment: Adjustment,
    contest: Contest,
    inference: Inference,
    first: np.ndarray,
    second: np.ndarray,
) -> Family:
    """Return all comparisons as one family."""
    n_comparisons = len(first)
    if n_comparisons == 1 or adjustment is ADJUSTMENTS["none"]:
        return Unadjusted(n_comparisons)
    if not adjustment.has_intervals:
        evidence = np.where(inference.undetermined, 1.0, inference.pvalue)
        return PvaluesOnly(n_comparisons, adjustment.name, evidence)
    if adjustment is not MAX_T:
        return Bonferroni(n_comparisons)
    assert isinstance(inference, CVTestResult), "only these have a root"
    return contest.max_t(first, second, inference.alternative)


def _normal_tails(
    contest: Contest, inference: Inference, adjustment: Adjustment, n_comparisons: int
) -> tuple[Note, ...]:
    """Note that p-values of the normal distribution are too small in the tails a family needs.

    The standard error of such a statistic is estimated from few squares. At the level of one
    comparison a conservative variance compensates for this, but not far in the tails. The note is
    given if the distribution with this number of squares has over 1.5 times the normal probability
    beyond the normal quantile.
    """
    alone = n_comparisons == 1 or adjustment in (MAX_T, ADJUSTMENTS["none"])
    if alone or contest.root is None or not np.isinf(inference.df).all():
        return ()
    level = 0.05 / n_comparisons
    beyond = tail_probability(
        student_quantile(np.inf, level / 2), contest.root.n_squares, "two-sided"
    )
    if beyond < 1.5 * level:
        return ()
    text = (
        f"{adjustment.words} for {n_comparisons} comparisons needs p-values that are right far in "
        "the tails, and those of the normal distribution are too small there: the standard error "
        "is "
        f'estimated from {contest.root.n_squares} squares. Use adjustment="max_t"'
    )
    return (Note("normal tails", text, AnticonservativeWarning),)


def _best_first(
    estimates: np.ndarray, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Order pairs by the score of the better estimator, then by that of the other."""
    better = np.maximum(estimates[first], estimates[second])
    worse = np.minimum(estimates[first], estimates[second])
    order = np.lexsort((-worse, -better))
    return first[order], second[order]
