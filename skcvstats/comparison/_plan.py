"""ComparisonPlan: what is compared with what, and how; checked before anything is fitted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from .._utils import check_level, listed
from ..scores import CVScores, Note, union, warn_of
from ..stats import CHOSEN_REFERENCE, Procedure, check_complete
from ._adjustment import Adjustment, check_adjustment
from ._pairs import PairTests, make_pair_tests
from ._result import ComparisonResult


@dataclass(frozen=True)
class ComparisonPlan:
    """What to compare with what, and how; checked before anything is fitted.

    Parameters
    ----------
    test : Procedure
        The procedure.
    reference : str or None
        As in `compare_scores`.
    adjustment : str
        As in `compare_scores`.
    labels : tuple of str
        The estimators.
    confidence_level : float, default=0.95
        At which the result is reported.
    """

    test: Procedure
    reference: str | None
    adjustment: str
    labels: tuple[str, ...]
    confidence_level: float = 0.95

    def __post_init__(self) -> None:
        self.checked_adjustment()
        check_level(self.confidence_level)
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
        notes_by_metric: Mapping[str, Iterable[Note]] | None = None,
    ) -> ComparisonResult:
        """Run the tests of every metric, and warn once of what weakens them.

        Parameters
        ----------
        scores_by_metric : mapping of str to CVScores of shape (n_estimators, n_splits)
            The scores.
        auxiliary_by_metric : mapping of str to CVScores, default=None
            Those on the auxiliary splits of a procedure that has them.
        said : iterable of Note, default=()
            Of which notes the caller has warned.
        notes_by_metric : mapping of str to iterable of Note, default=None
            By metric, what weakens its comparisons besides what splits, scores and procedure say.
        """
        auxiliary = dict(auxiliary_by_metric or {})
        check_complete(scores_by_metric, auxiliary)
        chosen = (CHOSEN_REFERENCE,) if self.reference == "best" and self.favours_the_best else ()
        tests = {}
        for metric, scores in scores_by_metric.items():
            of_metric = (notes_by_metric or {}).get(metric, ())
            tests[metric] = make_pair_tests(
                self.test,
                scores,
                auxiliary.get(metric),
                self._pairs(scores),
                self.checked_adjustment(),
                union(chosen, of_metric),
            )
        self._warn(tests.values(), set(said))
        return ComparisonResult(
            tests_by_metric=tests,
            reference=self.reference,
            adjustment=self.checked_adjustment().name,
            confidence_level=float(self.confidence_level),
        )

    def checked_adjustment(self) -> Adjustment:
        """Return the adjustment, that of the procedure for "auto"."""
        joint = type(self.test).root is not Procedure.root
        return check_adjustment(self.adjustment, joint=joint)

    @property
    def favours_the_best(self) -> bool:
        """Whether it matters that the reference was chosen by these scores.

        The only difference of two, tested two-sidedly, is the same with either as the reference.
        """
        return len(self.labels) > 2 or not self.test.symmetric

    def _warn(self, tests: Iterable[PairTests], said: set[Note]) -> None:
        for of_metric in tests:
            self.test.warn_undetermined(of_metric.inference)
        found = union(*(of_metric.all_notes for of_metric in tests))
        warn_of(note for note in found if note not in said)

    def _pairs(self, scores: CVScores) -> tuple[np.ndarray, np.ndarray]:
        """Return the two estimators of each comparison, by position."""
        n_estimators = len(scores.labels)
        if self.reference is None:
            first, second = np.triu_indices(n_estimators, k=1)
            return first, second
        if self.reference == "best":
            reference = int(np.argmax(scores.values.mean(axis=-1)))
        else:
            reference = scores.labels.index(self.reference)
        others = np.delete(np.arange(n_estimators), reference)
        return others, np.full(len(others), reference)
