"""Comparison of finished scores: pairs, tests, adjustment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from .._utils import listed, sentence, warn_user
from ..exceptions import AnticonservativeWarning, SplitDesignWarning
from ..scores import (
    CVScores,
    Note,
    RowLosses,
    SplitDesign,
    check_same_metric,
    merged_provenance,
    pair_designs,
    provenance_of,
    union,
    warn_of,
)
from ..stats import (
    CHOSEN_REFERENCE,
    CVTestResult,
    LocationTest,
    as_scores,
    check_complete,
    get_test,
    where_scores_are,
)
from ._adjustment import adjust_pvalues, check_adjustment
from ._result import Comparison, ComparisonResult


def compare_scores(
    scores: CVScores | Mapping[str, Any],
    *,
    metric: str | None = None,
    design: SplitDesign | None = None,
    method: str | LocationTest = "corrected_resampled_t",
    reference: str | None = None,
    alternative: str | None = None,
    adjustment: str = "holm",
    auxiliary: CVScores | Mapping[str, Any] | None = None,
) -> ComparisonResult:
    """Compare estimators whose scores are there already; nothing is fitted.

    Parameters
    ----------
    scores : CVScores or mapping of str to CVScores or dict
        The scores of at least two estimators on the same splits: one `CVScores` of shape
        (n_estimators, n_splits), or by name what `cross_validate(..., return_indices=True)`
        returned for each.
    metric : str, default=None
        Which of several metrics in `cross_validate` dicts; names the only one, which they call
        "score".
    design : SplitDesign, default=None
        The splits of `cross_validate` dicts that do not hold their indices, which the result then
        notes as not verified; a dict that holds other indices is refused. With the data it also
        tells of `groups` and of the target: ``SplitDesign.from_splitter(cv, X, y, groups)``.
    method : str or LocationTest, default="corrected_resampled_t"
        One of `get_test_names()`, or a procedure with its options.
    reference : str, default=None
        The name of the estimator to compare the others with, ``"best"`` for the one with the
        highest mean score, or None for all pairs.
    alternative : {"two-sided", "less", "greater"}, default=None
        Of the difference: of all pairs the earlier minus the later, else each minus the reference.
        None is two-sided, or that of a procedure given as `method`.
    adjustment : {"holm", "hochberg", "bonferroni", "bh", "by", "none"}, default="holm"
        How to adjust the p-values for the number of comparisons. An undetermined comparison, whose
        difference does not vary, counts as one with p = 1, so its adjusted p is 1 in any case.
    auxiliary : CVScores or mapping of str to CVScores or dict, default=None
        For a `method` that takes its variance from further splits, the scores of the same
        estimators on them, in the form of `scores`; `design` is not of these.

    Returns
    -------
    ComparisonResult
        The verdicts and the table.

    Raises
    ------
    PairingError
        If the scores were not measured on the same splits.
    SplitDesignError
        If the sizes of the splits cannot be known, or contradict `design`.

    See Also
    --------
    CVScores.from_cv_results : One result at a time, each with its own facts.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import RepeatedSubsampleSplit, SplitDesign, compare_scores
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    >>> cv = RepeatedSubsampleSplit(15, random_state=0)
    >>> done = {
    ...     name: cross_validate(model, X, y, cv=cv, return_indices=True)
    ...     for name, model in models.items()
    ... }
    >>> result = compare_scores(done, metric="accuracy")
    >>> result.tests[0].estimate > 0.3, result.tests[0].pvalue < 0.001
    (True, True)

    Results that were saved without their indices need the splits from elsewhere:

    >>> saved = {name: {"test_score": one["test_score"]} for name, one in done.items()}
    >>> design = SplitDesign.from_splitter(cv, X, y)
    >>> again = compare_scores(saved, metric="accuracy", design=design)
    >>> again.tests[0].pvalue == result.tests[0].pvalue
    True
    """
    sample = _as_stack(scores, metric, design)
    test = get_test(method, alternative=alternative)
    further = {} if auxiliary is None else {sample.metric: _as_stack(auxiliary, metric)}
    plan = ComparisonPlan(test, reference, adjustment, sample.labels)
    return plan.run({sample.metric: sample}, further)


def _as_stack(
    scores: CVScores | Mapping[str, Any], metric: str | None, design: SplitDesign | None = None
) -> CVScores:
    """Return the scores of two or more estimators as one CVScores."""
    if isinstance(scores, CVScores):
        sample = scores
        _check_metric(sample, metric)
        _check_design_is_wanted(design, [])
    elif isinstance(scores, Mapping):
        sample = stack_scores({name: _named(one, metric, design) for name, one in scores.items()})
        read = [one for one in scores.values() if not isinstance(one, CVScores)]
        _check_design_is_wanted(design, read)
    else:
        raise TypeError(
            "Expected CVScores of several estimators or a mapping from names to their scores, "
            f'such as {{"tree": a, "forest": b}}, got {type(scores).__name__}.'
            f"{where_scores_are(scores)}"
        )
    if sample.ndim != 2:
        raise ValueError(
            f"A comparison needs the scores of at least two estimators, got shape {sample.shape}."
            " For one, use CVScores.confidence_interval."
        )
    return sample


def _check_design_is_wanted(design: SplitDesign | None, read: Sequence[Any]) -> None:
    if design is not None and not read:
        raise ValueError(
            "design= states the splits of cross_validate's results, but these scores are CVScores, "
            "which know their splits; leave design out."
        )


def _named(scores: Any, metric: str | None, design: SplitDesign | None) -> CVScores:
    if isinstance(scores, Mapping) and not isinstance(scores, CVScores):
        return CVScores.from_cv_results(scores, metric=metric, design=design)
    sample = as_scores(scores)
    _check_metric(sample, metric)
    return sample


def _check_metric(scores: CVScores, metric: str | None) -> None:
    if metric not in (None, scores.metric):
        raise ValueError(f"metric={metric!r}, but these are scores of {scores.metric!r}.")


def stack_scores(scores: Mapping[str, CVScores]) -> CVScores:
    """Join the scores of estimators on the same splits into one CVScores.

    Parameters
    ----------
    scores : mapping of str to CVScores of shape (n_splits,)
        By name.

    Returns
    -------
    CVScores
        Of shape (n_estimators, n_splits).

    Raises
    ------
    PairingError
        If they were not measured on the same splits, or measure different things.
    """
    if not scores:
        raise ValueError("No scores given; give those of at least two estimators.")
    several = {name: one.shape for name, one in scores.items() if one.ndim != 1}
    if several:
        raise ValueError(f"Expected the scores of one estimator each, got shapes {several}.")
    parts = list(scores.values())
    design, notes = parts[0].design, parts[0].notes
    for one in parts[1:]:
        check_same_metric(parts[0], one)
        design, more = pair_designs(design, one.design)
        notes = union(notes, one.notes, more)
    return CVScores(
        values=np.stack([one.values for one in parts]),
        design=design,
        labels=tuple(map(str, scores)),
        metric=parts[0].metric,
        fit_times=_stack([one.fit_times for one in parts]),
        score_times=_stack([one.score_times for one in parts]),
        losses=_stack_losses([one.losses for one in parts]),
        magnitude=np.stack([one.magnitude for one in parts]),
        failures=tuple((k, s, why) for k, one in enumerate(parts) for _, s, why in one.failures),
        notes=notes,
        provenance=merged_provenance(provenance_of(one, str(name)) for name, one in scores.items()),
    )


def _stack(times: Sequence[np.ndarray | None]) -> np.ndarray | None:
    known = [one for one in times if one is not None]
    return np.stack(known) if len(known) == len(times) else None


def _stack_losses(losses: Sequence[RowLosses | None]) -> RowLosses | None:
    known = [one for one in losses if one is not None]
    if len(known) < len(losses):
        return None
    for one in known:
        one.check_same_rows(known[0])
    values = np.stack([one.values for one in known])
    magnitude = np.stack([one.magnitude for one in known])
    return RowLosses(values, known[0].rows, known[0].offsets, magnitude)


@dataclass(frozen=True)
class ComparisonPlan:
    """What to compare with what, and how; checked before anything is fitted.

    Parameters
    ----------
    test : LocationTest
        The procedure.
    reference : str or None
        As in `compare_scores`.
    adjustment : str
        As in `compare_scores`.
    labels : tuple of str
        The estimators.
    """

    test: LocationTest
    reference: str | None
    adjustment: str
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        check_adjustment(self.adjustment)
        if len(self.labels) < 2:
            raise ValueError(
                "A comparison needs the labelled scores of at least two estimators, got labels "
                f"{list(self.labels)}. For one, use cross_val_inference or "
                "CVScores.confidence_interval."
            )
        if self.reference == "best" and "best" in self.labels:
            raise ValueError(
                "reference='best' could mean the best estimator or the one named 'best'; give "
                "that one another name."
            )
        if self.reference not in (None, "best", *self.labels):
            raise ValueError(
                f"reference={self.reference!r} is not among the estimators {listed(self.labels)}; "
                "it may also be 'best', or None for all pairs."
            )

    def run(
        self,
        scores_by_metric: Mapping[str, CVScores],
        auxiliary_by_metric: Mapping[str, CVScores] | None = None,
        said: Iterable[Note] = (),
        liberal: Mapping[str, Iterable[str]] | None = None,
    ) -> ComparisonResult:
        """Run the tests of every metric and gather them, best estimators first.

        Parameters
        ----------
        scores_by_metric : mapping of str to CVScores of shape (n_estimators, n_splits)
            The scores.
        auxiliary_by_metric : mapping of str to CVScores, default=None
            Those on the further splits of a procedure that has them.
        said : iterable of Note, default=()
            Of which notes on the scores and their splits the caller has warned.
        liberal : mapping of str to iterable of str, default=None
            By metric, what makes its p-values too small besides the procedure and the choice of
            the best as the reference.
        """
        further = dict(auxiliary_by_metric or {})
        check_complete(scores_by_metric, further)
        comparisons: list[Comparison] = []
        for metric, scores in scores_by_metric.items():
            comparisons += self._compare(scores, further.get(metric))
        chosen = {metric: tuple(why) for metric, why in (liberal or {}).items()}
        measured = (*scores_by_metric.values(), *further.values())
        known = union(*(scores.all_notes for scores in measured))
        warn_of(note for note in known if note not in set(said))
        found = self._warn(comparisons[0].test, chosen)
        return ComparisonResult(
            comparisons=tuple(
                replace(
                    one,
                    notes=tuple(dict.fromkeys((*one.notes, *found, *chosen.get(one.metric, ())))),
                )
                for one in comparisons
            ),
            scores_by_metric=dict(scores_by_metric),
            auxiliary_by_metric=further,
            reference=self.reference,
            adjustment=self.adjustment,
        )

    @property
    def favours_the_best(self) -> bool:
        """Whether it matters that the reference was chosen by these scores.

        The only difference of two, tested two-sidedly, is the same with either as the reference.
        """
        return len(self.labels) > 2 or self.test.alternative != "two-sided"

    def _warn(
        self,
        result: CVTestResult,
        chosen: Mapping[str, tuple[str, ...]],
    ) -> tuple[str, ...]:
        """Warn once, for all comparisons, and return the notes of every metric."""
        assert result.scores is not None, "tested on CVScores"
        designs = (
            result.scores.design,
            None if result.auxiliary is None else result.auxiliary.design,
        )
        weak = self.test.notes(*designs)
        caveat = self.test.caveat(*designs)
        liberal = () if caveat is None else (caveat,)
        if self.reference == "best" and self.favours_the_best:
            liberal = (*liberal, CHOSEN_REFERENCE)
        for note in weak:
            warn_user(sentence(note), SplitDesignWarning)
        for note in dict.fromkeys((*liberal, *(why for one in chosen.values() for why in one))):
            warn_user(sentence(note), AnticonservativeWarning)
        return (*weak, *liberal)

    def _pairs(self, scores: CVScores) -> Iterable[tuple[str, str]]:
        if self.reference is None:
            return combinations(scores.labels, 2)
        reference = self.reference
        if reference == "best":
            reference = scores.labels[int(np.argmax(scores.values.mean(axis=-1)))]
        return [(label, reference) for label in scores.labels if label != reference]

    def _compare(self, scores: CVScores, auxiliary: CVScores | None) -> list[Comparison]:
        estimates = self.test.estimates(scores, auxiliary)
        means = dict(zip(scores.labels, estimates.tolist(), strict=True))
        results = {
            (a, b): self.test.run(
                scores[a] - scores[b], None if auxiliary is None else auxiliary[a] - auxiliary[b]
            )
            for a, b in self._pairs(scores)
        }
        for result in results.values():
            self.test.warn_undetermined(result)
        evidence = [_evidence_of(one) for one in results.values()]
        adjusted = adjust_pvalues(evidence, self.adjustment)
        comparisons = [
            Comparison(
                estimator=a,
                versus=b,
                score=means[a],
                score_versus=means[b],
                test=result,
                pvalue_adjusted=float(p),
                adjusted=self.adjustment != "none" and len(results) > 1,
                notes=result.notes,
            )
            for ((a, b), result), p in zip(results.items(), adjusted, strict=True)
        ]
        return sorted(comparisons, key=_best_first)


def _evidence_of(result: CVTestResult) -> float:
    """Return the p-value, but 1 where p = 0 is a convention and no evidence."""
    return 1.0 if result.undetermined else float(result.pvalue)


def _best_first(one: Comparison) -> tuple[float, float]:
    return -max(one.score, one.score_versus), -min(one.score, one.score_versus)
