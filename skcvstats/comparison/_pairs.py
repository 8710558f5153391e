"""PairTests: all comparisons in one metric, tested in one call, with or without a margin."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from .._utils._checks import alpha_of, check_level_with_margin, check_option
from .._utils._metrics import shown_as
from .._utils._text import counted, cut, format_number, without_conventions
from ..exceptions import AnticonservativeWarning
from ..scores import CVScores, Note, note_on_some, union
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
    student_quantile,
    tail_probability,
    within,
)
from ._comparison import Bonferroni, Comparison, Family, MaxT, PvaluesOnly, Unadjusted, is_symmetric
from ._joint import JointInference, letters, near_a_level

if TYPE_CHECKING:
    import pandas as pd


# A margin of fewer standard errors can hardly be shown to hold: with 14 degrees of freedom equal
# models are shown to be equivalent with power .23 at two, and not to be worse with .24 at one.
_FEWEST_ERRORS = {"two-sided": (2, "two standard errors"), "one-sided": (1, "one standard error")}
SMALL_MARGIN = "small margin"  # the code of a note
AFTERWARDS = Note(
    "margin afterwards",
    "the margin was given after the comparison was made; verdicts by a margin hold their level "
    "only if it was chosen without looking at the scores",
    None,
)


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


def margin_notes(
    inference: Any, margin: tuple[float, float], bounds: np.ndarray, kinds: np.ndarray
) -> tuple[Note, ...]:
    """Return a note on undecided differences for which their bounds can hardly be shown to hold."""
    low, high = bounds.T
    what, undecided, room = {
        "two-sided": ("equivalence", ("not shown", "not worse", "not better"), (high - low) / 2),
        "greater": ('"not worse"', "not shown", -low),
        "less": ('"not better"', "not shown", high),
    }[inference.alternative]
    n_fewest, fewest = _FEWEST_ERRORS["two-sided" if what == "equivalence" else "one-sided"]
    metric = shown_as(inference.metric).name
    needed = n_fewest * np.atleast_1d(inference.standard_error)
    narrow = (room < needed) & np.isin(kinds, undecided)
    remedy = inference._more_evidence

    def say(size: str, ends: Any, where: str = "") -> str:
        return (
            f"the margin, {within(ends)}, is less than {fewest} of the difference in "
            f"{metric}{where} ({size}), so {what} could hardly be shown; {remedy}"
        )

    sizes = [*map(format_number, needed)]
    most = format_number(needed.max(where=narrow, initial=0))
    where = f" in {np.count_nonzero(narrow)} of {counted(len(narrow), 'comparison')}"
    text = say(f"{most} at most", margin, where)
    return note_on_some(SMALL_MARGIN, narrow, lambda k: say(sizes[k], bounds[k]), text)


def wide_margin_notes(scores: CVScores, margin: tuple[float, float]) -> list[Note]:
    """Return a note on a margin that every model meets that is no worse than a constant."""
    low, high = scores._limits
    middle = (low + high) / 2 if high - low == 1 else 0.0 if high else high
    guess = scores.provenance.get("score of a constant", middle)
    if not np.isfinite(high) or max(margin[1], -margin[0]) <= high - guess or guess == high:
        return []
    read = shown_as(scores.metric)
    text = (
        f"the margin, {within(margin)}, is larger than the distance from guessing "
        f"({format_number(read.number(guess))}) to {high:g} in {read.name}, so every model that is "
        "no worse than guessing meets it; give a smaller one"
    )
    return [Note("wide margin", text, None)]


class Decided(NamedTuple):
    """What decides about comparisons: their family, and adjusted p-values with their errors."""

    family: Family
    pvalues: np.ndarray
    errors: np.ndarray
    margin: MarginPvalues | None


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
    compared: JointInference
    joint: JointInference  # also of estimators that were not chosen to be compared
    notes: tuple[Note, ...] = ()
    margin: tuple[float, float] | None = None
    chosen_from: CVScores | None = None
    confidence_level: float = 0.95
    better_first: bool = False  # else in the order that was asked for
    alone: bool = False  # two estimators only; then there is no ranking

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
        if not self.better_first or low == -high:
            return self.margin
        turned = self.first > self.second
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
        """The adjusted p-values; drawn longer if one is too close to a level to tell."""
        inference = self.inference
        joint = self.compared
        n_comparisons = len(self.first)
        undetermined = inference.undetermined
        while True:
            if n_comparisons <= 1 or self.adjustment == ADJUSTMENTS["none"]:
                family: Family = Unadjusted(n_comparisons)
            elif not self.adjustment.has_intervals:
                evidence = np.where(undetermined, 1.0, inference.pvalue)
                family = PvaluesOnly(n_comparisons, self.adjustment.name, evidence)
            elif self.adjustment != MAX_T:
                family = Bonferroni(n_comparisons)
            else:
                assert isinstance(inference, CVTestResult), "only these have a root"
                family = joint.max_t(self.first, self.second, inference.alternative)
            # p is 1 if p = 0 is only a convention and no evidence
            pvalues = np.asarray(np.where(undetermined, 1.0, family.pvalues(inference)))
            margin = None if self.margin is None else family.margin_pvalues(inference, self.bounds)
            drawn = np.array([pvalues, *(margin or ())])
            if not isinstance(family, MaxT) or joint.longer is joint:
                break
            if not near_a_level(drawn, family, alpha_of(self.confidence_level)):
                break
            joint = joint.longer
        if isinstance(family, MaxT):
            errors = family.errors(inference, pvalues)
        else:  # that of a bootstrap, multiplied as its p-value is
            alone = np.asarray(inference.pvalue)
            factor = pvalues / np.where(alone > 0, alone, 1.0)
            errors = np.asarray(factor * getattr(inference, "pvalue_error", 0.0))
        return Decided(family, pvalues, np.where(undetermined, 0.0, errors), margin)

    @property
    def names(self) -> np.ndarray:
        """The names of the two estimators of each comparison, of shape (n_comparisons, 2)."""
        labels = np.array(self.scores.labels, dtype=object)
        return np.column_stack([labels[self.first], labels[self.second]])

    @cached_property
    def all_notes(self) -> tuple[Note, ...]:
        """The limitations of any of the comparisons."""
        notes = union(self.inference.notes, self.notes)
        if self.margin is None or not len(self.first):
            return notes
        bounds = self.each_bounds
        wide = wide_margin_notes(self.scores, self.margin)
        return union(notes, wide, margin_notes(self.inference, self.margin, bounds, self.kinds))

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
        estimator = self.scores.labels[first]
        versus = self.scores.labels[second]
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
            notes=union(self.all_notes, of=k),
            confidence_level=self.confidence_level,
            family=decided.family,
            position=k,
            margin=bounds,
            margin_pvalues=None if decided.margin is None else decided.margin.row(k),
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return one row for each comparison; see `ComparisonResult.to_frame`."""
        import pandas as pd

        found = self.inference
        low, high = alone = np.nan, np.nan
        if found.has_interval:
            low, high = self.family.intervals(found, self.confidence_level)
            alone = found.confidence_interval(self.confidence_level)
        names = self.names
        columns: dict[str, Any] = {
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
            "pvalue_error": self.pvalue_errors,
            "adjusted_over": "nothing" if type(self.family) is Unadjusted else "pairs",
        }
        if (margin := self.margin_pvalues) is not None:
            ends = self.family.margin_intervals(found, self.confidence_level)
            columns["margin_low"], columns["margin_high"] = self.each_bounds.T
            columns |= {
                "low_margin": ends.low,
                "high_margin": ends.high,
                "pvalue_not_worse": margin.not_worse,
                "pvalue_not_better": margin.not_better,
                "pvalue_equivalent": margin.equivalent,
                "outcome": [OUTCOMES[kind] for kind in self.kinds.tolist()],
            }
        every = range(len(self))
        columns["note"] = ["; ".join(map(str, union(self.all_notes, of=k))) for k in every]
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
            pvalue_best = joint.pvalue_best(alpha_of(confidence_level))[order]
            inside = joint.could_be_best(confidence_level)[order]
        best = {"pvalue_best": pvalue_best, "could_be_best": inside}
        return frame.drop(columns="pvalue").assign(**best, **self._ranks())

    def _shown(self) -> np.ndarray:
        """Return which estimators differ significantly, both in their order, best first."""
        shown = self.pvalues_adjusted <= alpha_of(self.confidence_level)
        place = np.argsort(self.joint.best_first)
        first = place[self.first[shown]]
        second = place[self.second[shown]]
        different = np.zeros((len(place), len(place)), dtype=bool)
        different[first, second] = different[second, first] = True
        return different

    def _ranks(self) -> dict[str, np.ndarray]:
        """Return the first and the last rank that each could have, best first, where known."""
        n = len(self.joint.estimates)
        procedure = self.procedure
        of_all = len(self) == n * (n - 1) // 2 and is_symmetric(procedure)
        unbounded = len(self) > 1 and self.adjustment.name in ("bh", "by", "none")
        if not of_all or unbounded or not isinstance(procedure, LocationTest):
            return {}
        better = np.triu(self._shown())  # than the column's, as they are in order
        return {"rank_low": 1 + better.sum(axis=0), "rank_high": n - better.sum(axis=1)}

    def letters(self) -> "pd.DataFrame | None":
        """Return the letters of the estimators, best first; None if there are none."""
        import pandas as pd

        different = self._shown()
        if not isinstance(self.inference, CVTestResult):  # may show other claims
            shown = self.pvalues_adjusted <= alpha_of(self.confidence_level)
            if not set(self.kinds[shown]) <= {"above", "below", "different"}:
                return None
        found = letters(different)
        names = np.array(self.scores.labels, dtype=object)
        if found is None:
            return None
        return pd.DataFrame({"estimator": names[self.joint.best_first], "letters": found})


def score_frame(
    found: Inference, names: Sequence[str], estimates: Any, level: float
) -> "pd.DataFrame":
    """Return a row for each estimator, best first, with its interval and p."""
    frame = found.to_frame(level).assign(estimator=list(names), score=estimates)
    frame = frame[["estimator", "score", "standard_error", "low", "high", "pvalue"]]
    return frame.sort_values("score", ascending=False, kind="stable", ignore_index=True)


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
    of_all = joint if chosen_from is None else JointInference(procedure, chosen_from, **shown)
    either = joint.estimates[np.array(pairs)]  # by the better of two, then by the other
    order = np.lexsort((-either.min(axis=0), -either.max(axis=0)))
    first, second = (positions[order] for positions in pairs)
    better_first = is_symmetric(procedure) and not in_order
    if better_first:
        worse = joint.estimates[first] < joint.estimates[second]
        first, second = np.where(worse, second, first), np.where(worse, first, second)
    further = None if auxiliary is None else auxiliary.differences(first, second)
    inference = procedure.run(scores.differences(first, second), further)
    found = list[Note]()
    # With the same score on every split, of which there are several.
    same = (scores.values[first] == scores.values[second]).all(axis=-1)
    noted = {note.code for note in (*scores.notes, *scores.design.notes)}
    if scores.design.n_splits > 1 and same.any() and "constant target" not in noted:
        names = list(map(cut, scores.labels))
        more = int(np.count_nonzero(same)) - 1
        finer = ", such as neg_log_loss" if scores.metric == "accuracy" else ""
        text = (
            "{} and {} have the same score on every split{}: the same model? If not, use a finer "
            f"metric{finer}"
        )
        k = int(same.argmax())
        and_more = f", and {counted(more, 'more pair')}" if more > 0 else ""
        whole = text.format(names[first[k]], names[second[k]], and_more)
        found += note_on_some(
            "same scores", same, lambda k: text.format(names[first[k]], names[second[k]], ""), whole
        )
    # The standard error is estimated from few squares. A conservative variance compensates for this
    # at the level of one comparison, but not far in the tails.
    level = 0.05 / max(1, len(first))
    by_each = len(first) > 1 and adjustment not in (MAX_T, ADJUSTMENTS["none"])
    if by_each and joint.root is not None and np.isinf(inference.df).all():
        quantile = student_quantile(np.inf, level / 2)
        n_squares = joint.root.n_squares
        if tail_probability(quantile, n_squares, "two-sided") >= 1.5 * level:
            text = (
                f"{adjustment.words} for {len(first)} comparisons needs p-values that are accurate "
                "far in the tails, and those of the normal distribution are too small there: the "
                f'standard error is estimated from {n_squares} squares. Use adjustment="max_t"'
            )
            found.append(Note("normal tails", text, AnticonservativeWarning))
    return PairTests(
        procedure=procedure,
        scores=scores,
        auxiliary=auxiliary,
        estimates=joint.estimates,
        first=first,
        second=second,
        inference=inference,
        adjustment=adjustment,
        compared=joint,
        joint=of_all,
        notes=union(notes, found),
        chosen_from=chosen_from,
        better_first=better_first,
        alone=len(first) == 1 and len(scores.labels) == 2 and chosen_from is None,
        **options,
    )
