"""PairTests: all comparisons in one metric, tested in one call, with or without a margin."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from .._utils._checks import check_option
from .._utils._shared_arguments import alpha_of, check_level_with_margin
from .._utils._text import without_conventions
from ..scores import CVScores, Note, codes_of, find_notes, notes_about, union
from ..stats import (
    ADJUSTMENTS,
    MAX_T,
    OUTCOMES,
    Adjustment,
    CVTestResult,
    Inference,
    LocationTest,
    MarginPvalues,
    Procedure,
    check_bounds,
    margin_kinds,
)
from ._comparison import (
    Bonferroni,
    Comparison,
    Family,
    PvaluesOnly,
    Unadjusted,
    Uncached,
    is_symmetric,
)
from ._evidence import ComparisonEvidence
from ._joint import JointInference, letters

if TYPE_CHECKING:
    import pandas as pd


_OF_SCORES = ("estimator", "score", "standard_error", "low", "high", "pvalue")
# Codes of notes.
SMALL_MARGIN = "small margin"
MARGIN_AFTERWARDS = "margin afterwards"


def check_adjustment(name: Any, procedure: Procedure) -> Adjustment:
    """Return the adjustment with this name, or raise an error that lists the names."""
    joint = type(procedure).root is not Procedure.root
    if name is None:
        raise TypeError('adjustment=None is ambiguous: pass "auto", or "none" to adjust nothing.')
    check_option("adjustment", name, ["auto", *ADJUSTMENTS])
    if name == "auto":
        return MAX_T if joint else ADJUSTMENTS["holm"]
    if name == "max_t" and not joint:
        raise ValueError(
            'adjustment="max_t" needs the covariance of the estimates, which this method does not '
            'give. Pass adjustment="auto", which takes Holm\'s method here.'
        )
    return ADJUSTMENTS[name]


def check_margin(
    margin: Any, procedure: Procedure, confidence_level: float, metrics: Iterable[str] = ()
) -> tuple[float, float]:
    """Return the bounds of a margin that the procedure can use."""
    bounds = check_bounds(margin, metrics=metrics)
    if not isinstance(procedure, LocationTest):
        raise ValueError(
            f"margin={margin!r} needs a standard error, which the {procedure.title} does not give. "
            'Leave it out, or use another method, such as method="corrected_resampled_t".'
        )
    if procedure.null_value != 0:
        raise ValueError(
            f"margin={margin!r} and null_value={procedure.null_value!r} cannot be combined: the "
            "margin already sets the null values. Leave one of them out."
        )
    check_level_with_margin(confidence_level)
    return bounds


class Decided(NamedTuple):
    """What decides about comparisons: their family, and adjusted p-values with their errors."""

    family: Family
    pvalues: np.ndarray
    errors: np.ndarray
    margin: MarginPvalues | None


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTests(Uncached):
    """All comparisons in one metric; those of the best estimators come first."""

    scores: CVScores
    first: np.ndarray
    second: np.ndarray
    inference: Inference
    adjustment: Adjustment
    compared: JointInference
    joint: JointInference  # also of estimators that were not chosen to be compared
    notes: tuple[Note, ...] = ()  # on how they were made
    margin: tuple[float, float] | None = None
    margin_afterwards: bool = False  # whether it was given when the scores were known
    confidence_level: float = 0.95
    better_first: bool = False  # else in the order that was asked for

    @property
    def family(self) -> Family:
        """The comparisons together."""
        return self.decided.family

    @property
    def n_adjusted(self) -> int:
        """Their number."""
        return self.decided.family.n_comparisons

    @property
    def pvalues_adjusted(self) -> np.ndarray:
        """The adjusted p-values; 1 if undetermined."""
        return self.decided.pvalues

    @property
    def pvalue_errors(self) -> np.ndarray:
        """Their Monte-Carlo standard errors."""
        return self.decided.errors

    @property
    def margin_pvalues(self) -> MarginPvalues | None:
        """Those for the margin, adjusted alike."""
        return self.decided.margin

    def __len__(self) -> int:
        return len(self.first)

    @property
    def bounds(self) -> Any:
        """The margin of each comparison, turned along with the better estimator first."""
        assert self.margin is not None, "asked with a margin only"
        low, high = self.margin
        turned = self.better_first & (self.first > self.second)
        return np.where(turned, -high, low), np.where(turned, -low, high)

    @property
    def each_bounds(self) -> np.ndarray:
        """The margin of each comparison, of shape (n_comparisons, 2)."""
        return np.broadcast_to(np.transpose(self.bounds), (len(self), 2))

    @cached_property
    def example(self) -> Inference:
        """A test, for what all have in common; of a score where no pairs were compared."""
        if len(self):
            return self.comparison(0).test
        test = self.joint.own_scores.take(0)
        return replace(test, reporting=replace(test.reporting, asked=False))

    @cached_property
    def decided(self) -> Decided:
        """The adjusted p-values, and what they are adjusted by."""
        inference = self.inference
        n_comparisons = len(self.first)
        undetermined = inference.undetermined
        if n_comparisons <= 1 or self.adjustment == ADJUSTMENTS["none"]:
            family: Family = Unadjusted(n_comparisons)
        elif not self.adjustment.has_intervals:
            evidence = np.where(undetermined, 1.0, inference.pvalue)
            family = PvaluesOnly(n_comparisons, self.adjustment.name, evidence)
        elif self.adjustment != MAX_T:
            family = Bonferroni(n_comparisons)
        else:
            assert isinstance(inference, CVTestResult), "only these have a root"
            family = self.compared.max_t(self.first, self.second, inference.alternative)
        # p is 1 if p = 0 is only a convention and no evidence
        pvalues = np.asarray(np.where(undetermined, 1.0, family.pvalues(inference)))
        margin = None
        if self.margin is not None:
            margin = family.margin_pvalues(inference, self.bounds)
        errors = np.where(undetermined, 0.0, family.errors(inference, pvalues))
        return Decided(family, pvalues, errors, margin)

    @property
    def names(self) -> np.ndarray:
        """The names of the two estimators of each comparison, of shape (n_comparisons, 2)."""
        labels = np.array(self.scores.labels, dtype=object)
        return np.column_stack([labels[self.first], labels[self.second]])

    @property
    def procedure(self) -> Procedure:
        return self.compared.procedure

    @property
    def auxiliary(self) -> CVScores | None:
        """The scores on auxiliary splits, if there are such."""
        return self.compared.auxiliary

    @property
    def estimates(self) -> np.ndarray:
        """The estimated expected score of each estimator."""
        return self.compared.estimates

    @property
    def chosen_from(self) -> CVScores | None:
        """The scores of all estimators, if only some of them were chosen to be compared."""
        return None if self.joint is self.compared else self.joint.scores

    @property
    def alone(self) -> bool:
        """Whether there are two estimators only; then there is no ranking."""
        return len(self) == 1 and len(self.joint.scores.labels) == 2

    @cached_property
    def found_notes(self) -> tuple[Note, ...]:
        """What the comparisons show; also about single pairs, where there are several."""
        return find_notes(ComparisonEvidence(self))

    @cached_property
    def all_notes(self) -> tuple[Note, ...]:
        """The limitations of any of the comparisons."""
        return union(self.inference.notes, self._notes_on_all)

    @cached_property
    def _notes_on_all(self) -> tuple[Note, ...]:
        """Return the notes about all comparisons, but those of the procedure."""
        return (*self.notes, *(note for note in self.found_notes if not note.about))

    @cached_property
    def _notes_on_each(self) -> dict[str, dict[Any, Note]]:
        """Return the notes about single pairs, by their code and by the names of the pair."""
        by_code: dict[str, dict[Any, Note]] = {}
        for note in self.found_notes:
            if note.about:
                by_code.setdefault(note.code, {})[note.about] = note
        return by_code

    def names_at(self, k: int) -> tuple[str, str]:
        """Return the names of the two estimators of a comparison."""
        return self.scores.labels[self.first[k]], self.scores.labels[self.second[k]]

    def notes_at(self, k: int) -> tuple[Note, ...]:
        """Return the notes on one of the comparisons."""
        names = self.names_at(k)
        inference = self.inference
        of_test = notes_about(inference.notes, names, inference.origin.notes_on_each, k)
        of_pair = notes_about(self._notes_on_all, names, self._notes_on_each, names)
        return union(of_test, of_pair)

    @cached_property
    def kinds(self) -> np.ndarray:
        """The `outcome` of each comparison."""
        alpha = alpha_of(self.confidence_level)
        pvalues = self.pvalues_adjusted
        if self.margin_pvalues is None:
            return np.asarray(self.inference.kinds(alpha, pvalues))
        return np.asarray(margin_kinds(self.inference, pvalues, self.margin_pvalues, alpha))

    @property
    def undetermined(self) -> np.ndarray:
        """Whether each difference does not vary, which is no evidence."""
        return np.broadcast_to(self.inference.undetermined, len(self))

    def at(self, confidence_level: float) -> Self:
        """Return the same tests at another level."""
        if confidence_level == self.confidence_level:
            return self
        return replace(self, confidence_level=confidence_level)

    def comparison(self, k: int) -> Comparison:
        first = self.first[k]
        second = self.second[k]
        estimator, versus = self.names_at(k)
        test = self.inference.take(k, estimator=estimator, versus=versus)
        test = test.with_confidence(self.confidence_level)
        decided = self.decided
        bounds = None
        if self.margin is not None:
            low, high = self.each_bounds[k].tolist()
            bounds = low, high
        return Comparison(
            estimator=estimator,
            versus=versus,
            score=float(self.estimates[first]),
            score_versus=float(self.estimates[second]),
            test=test,
            pvalue_adjusted=float(decided.pvalues[k]),
            pvalue_error=float(decided.errors[k]),
            adjusted=type(decided.family) is not Unadjusted,
            notes=self.notes_at(k),
            confidence_level=self.confidence_level,
            family=decided.family,
            position=k,
            margin=bounds,
            margin_pvalues=None if decided.margin is None else decided.margin.row(k),
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return one row for each comparison; see `ComparisonResult.to_frame`."""
        import pandas as pd

        inference = self.inference
        low = np.nan
        high = np.nan
        unadjusted = (np.nan, np.nan)
        if inference.has_interval:
            low, high = self.family.intervals(inference, self.confidence_level)
            unadjusted = inference.confidence_interval(self.confidence_level)
        names = self.names
        columns: dict[str, Any] = {
            "metric": inference.metric,
            "estimator": names[:, 0],
            "versus": names[:, 1],
            "score": self.estimates[self.first],
            "score_versus": self.estimates[self.second],
            "difference": inference.estimate,
            "standard_error": inference.standard_error,
            "low": low,
            "high": high,
            "low_unadjusted": unadjusted[0],
            "high_unadjusted": unadjusted[1],
            "statistic": inference.statistic,
            "df": [inference.df] * len(self) if isinstance(inference.df, tuple) else inference.df,
            "pvalue": inference.pvalue,
            "pvalue_adjusted": self.pvalues_adjusted,
            "pvalue_error": self.pvalue_errors,
            "adjusted_over": "nothing" if type(self.family) is Unadjusted else "pairs",
        }
        over_folds = inference.pvalue_over_folds
        if over_folds is not None:
            columns["pvalue_over_folds_low"], columns["pvalue_over_folds_high"] = over_folds
        columns |= inference.beside
        margin = self.margin_pvalues
        if margin is not None:
            ends = self.family.margin_intervals(inference, self.confidence_level)
            columns["margin_low"], columns["margin_high"] = self.each_bounds.T
            columns |= {
                "low_margin": ends.low,
                "high_margin": ends.high,
                "pvalue_not_worse": margin.not_worse,
                "pvalue_not_better": margin.not_better,
                "pvalue_equivalent": margin.equivalent,
            }
        columns["outcome"] = [OUTCOMES[kind] for kind in self.kinds.tolist()]
        columns["note"] = [codes_of(self.notes_at(k)) for k in range(len(self))]
        frame = pd.DataFrame(columns, index=pd.RangeIndex(len(self)))
        shown: pd.DataFrame = without_conventions(frame, self.undetermined)
        return shown

    def ranking(self) -> "pd.DataFrame":
        """Return one row for each estimator, also for those that were not chosen to be compared."""
        joint = self.joint
        order = self.joint.best_first
        confidence_level = self.confidence_level
        frame = score_frame(
            joint.own_scores, joint.scores.labels, joint.estimates, confidence_level
        )
        pvalue_best = np.nan
        inside = None
        if joint.has_best and confidence_level > 0.5:
            pvalue_best = joint.pvalue_best[order]
            inside = joint.could_be_best(confidence_level)[order]
        best = {"pvalue_best": pvalue_best, "could_be_best": inside}
        return frame[[*_OF_SCORES]].drop(columns="pvalue").assign(**best, **self._ranks())

    def _shown(self) -> np.ndarray:
        """Return which estimators differ significantly, both in their order, best first."""
        shown = self.pvalues_adjusted <= alpha_of(self.confidence_level)
        place = np.argsort(self.joint.best_first)
        first = place[self.first[shown]]
        second = place[self.second[shown]]
        different = np.zeros((len(place), len(place)), dtype=bool)
        different[first, second] = different[second, first] = True
        return different

    @property
    def _is_of_all(self) -> bool:
        """Whether all pairs are compared, in either direction."""
        n = len(self.joint.estimates)
        return len(self) == n * (n - 1) // 2 and self.inference.alternative == "two-sided"

    def _ranks(self) -> dict[str, np.ndarray]:
        """Return the first and the last rank that each could have, best first, where known."""
        n = len(self.joint.estimates)
        unbounded = len(self) > 1 and self.adjustment.name in ("bh", "by", "none")
        has_ranks = isinstance(self.procedure, LocationTest) and is_symmetric(self.procedure)
        if not self._is_of_all or unbounded or not has_ranks:
            return {}
        better = np.triu(self._shown())  # than the column's, as they are in order
        return {"rank_low": 1 + better.sum(axis=0), "rank_high": n - better.sum(axis=1)}

    def letters(self) -> "pd.DataFrame | None":
        """Return the letters of the estimators, best first; None if there are none."""
        import pandas as pd

        alpha = alpha_of(self.confidence_level)
        shown = self.pvalues_adjusted <= alpha
        claims = set(self.inference.kinds(alpha, self.pvalues_adjusted)[shown])
        # Procedures from outside this package may show other claims.
        if not self._is_of_all or not claims <= {"above", "below", "different"}:
            return None
        texts = letters(self._shown())
        if texts is None:
            return None
        names = np.array(self.scores.labels, dtype=object)
        return pd.DataFrame({"estimator": names[self.joint.best_first], "letters": texts})


def score_frame(
    inference: Inference, names: Sequence[str], estimates: Any, level: float
) -> "pd.DataFrame":
    """Return a row for each estimator, best first, with its interval and p, and all else."""
    frame = inference.to_frame(level, full=True).assign(estimator=list(names), score=estimates)
    others = frame.columns.difference(["metric", "estimate", *_OF_SCORES], sort=False)
    return frame[[*_OF_SCORES, *others]].sort_values(
        "score", ascending=False, kind="stable", ignore_index=True
    )


def make_pair_tests(
    procedure: Procedure,
    scores: CVScores,
    auxiliary: CVScores | None,
    pairs: tuple[np.ndarray, np.ndarray],
    *,
    adjustment: Adjustment,
    in_order: bool,
    notes: tuple[Note, ...] = (),
    chosen_from: CVScores | None = None,
    verbose: int = 0,
    **options: Any,
) -> PairTests:
    """Test the differences of many pairs of estimators in one call, in their order or any."""
    shown: Any = {"verbose": verbose}
    joint = JointInference(procedure, scores, auxiliary, **shown)
    positions = np.array(pairs)
    either = joint.estimates[positions]  # by the better of two, then by the other
    positions = positions[:, np.lexsort((-either.min(axis=0), -either.max(axis=0)))]
    better_first = is_symmetric(procedure) and not in_order
    if better_first:
        worse = np.less(*joint.estimates[positions])
        positions = np.where(worse, positions[::-1], positions)
    first, second = positions
    inference = joint.test(first, second)
    joint = replace(joint, tested=(first, second, inference))
    joint_of_all = joint if chosen_from is None else JointInference(procedure, chosen_from, **shown)
    return PairTests(
        scores=scores,
        first=first,
        second=second,
        inference=inference,
        adjustment=adjustment,
        compared=joint,
        joint=joint_of_all,
        notes=notes,
        better_first=better_first,
        **options,
    )
