"""LocationTest: what all procedures share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from .._utils import ALTERNATIVES, check_finite_number, check_option, sentence, warn_user
from ..exceptions import AnticonservativeWarning, DegenerateScoresWarning, SplitDesignError
from ..scores import CVScores, DesignRequest, SplitDesign
from ._arguments import (
    Scores,
    auxiliary_difference,
    check_auxiliary,
    check_finite,
    complete_difference,
)
from ._diagnostics import design_notes, undetermined_notes
from ._location import Pivot, Sample, is_rounding, refer
from ._result import CVTestResult
from ._student import plain

# The technical report and the article that grew out of it.
REPORT = ("nadeau1999", "nadeau2003")


@dataclass(frozen=True, kw_only=True)
class LocationTest(ABC):
    """Base of the procedures: a test of an expected score, or of a difference of two.

    A procedure is a file with a subclass, whose `_pivot` turns scores into an estimate, its
    standard error and its degrees of freedom, and a function on arrays.

    Parameters
    ----------
    null_value : float, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the true value lies if not at the null value.
    """

    null_value: float = 0.0
    alternative: str = "two-sided"

    name: ClassVar[str]
    title: ClassVar[str]
    request: ClassVar[DesignRequest]
    needs_losses: ClassVar[bool] = False
    varies_over: ClassVar[str] = "splits"

    def __post_init__(self) -> None:
        check_option("alternative", self.alternative, ALTERNATIVES)
        object.__setattr__(self, "null_value", check_finite_number("null_value", self.null_value))

    @abstractmethod
    def require(self, design: SplitDesign) -> None:
        """Raise SplitDesignError unless the splits can serve this procedure.

        Parameters
        ----------
        design : SplitDesign
            The splits.
        """

    @abstractmethod
    def _pivot(self, sample: Sample, auxiliary: Sample | None) -> Pivot:
        """Reduce complete scores to the pivot."""

    def auxiliary_request(self, design: SplitDesign) -> DesignRequest | None:
        """Return which further splits the procedure wants, besides those of the estimate.

        Parameters
        ----------
        design : SplitDesign
            The splits that the estimate is made from.

        Returns
        -------
        DesignRequest or None
            None for most procedures.
        """
        return None

    def _require_auxiliary(self, design: SplitDesign, auxiliary: SplitDesign | None) -> None:
        """Raise SplitDesignError unless the further splits are there exactly if wanted."""
        if auxiliary is not None:
            raise SplitDesignError(
                f"The {self.title} makes everything from one set of splits; leave auxiliary out."
            )

    def caveat(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> str | None:
        """Return why the test rejects true nulls more often than it says, or None.

        Parameters
        ----------
        design : SplitDesign
            The splits.
        auxiliary : SplitDesign, default=None
            The further splits.

        Returns
        -------
        str or None
            Without a full stop; it names what to use instead.
        """
        return None

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[str, ...]:
        """Return a note for each weakness of the splits.

        Parameters
        ----------
        design : SplitDesign
            The splits.
        auxiliary : SplitDesign, default=None
            The further splits.

        Returns
        -------
        tuple of str
            Without a full stop; empty where nothing is amiss.
        """
        return design_notes(design)

    @property
    def fixed(self) -> bool:
        """Whether the answer is about the models as they were fitted, not about algorithms."""
        return False

    def _basis(self, design: SplitDesign, auxiliary: SplitDesign | None) -> str:
        """Say what a reader of the result should know of its splits besides their sizes."""
        return ""

    def _explanation(self, design: SplitDesign, auxiliary: SplitDesign | None) -> str:
        """Say how the standard error is made, for the report."""
        return ""

    def _assumption(self, design: SplitDesign) -> str:
        """Say when that standard error is right, or what it does not know, for the report."""
        return ""

    def _sources(self, design: SplitDesign) -> tuple[str, ...]:
        """Return the keys of the publications that a report cites for this procedure."""
        return REPORT

    def __call__(
        self, scores: Scores, other: Scores | None = None, *, auxiliary: Any = None
    ) -> CVTestResult:
        """Test the expected score, or the expected difference ``scores - other``.

        Parameters
        ----------
        scores : CVScores or dict
            The scores, or what `cross_validate(..., return_indices=True)` returned.
        other : CVScores or dict, default=None
            The scores to compare with, on the same splits.
        auxiliary : CVScores, dict or pair of these, default=None
            For a procedure that takes its variance from further splits, the scores on them: of
            the difference, or a pair (those of `scores`, those of `other`).

        Returns
        -------
        CVTestResult
            The test and its interval.

        Raises
        ------
        PairingError
            If the two were measured on different splits or metrics.
        SplitDesignError
            If the splits cannot serve the procedure.
        FitError
            If a score is missing or not finite.

        Warns
        -----
        AnticonservativeWarning
            If the procedure is one that rejects true nulls too often.
        DegenerateScoresWarning
            If the scores do not vary.
        """
        sample = complete_difference(scores, other)
        further = auxiliary_difference(auxiliary, paired=other is not None)
        result = self.run(sample, further)
        self.warn_undetermined(result)
        self._warn(sample.design, None if further is None else further.design)
        return result

    def run(self, scores: CVScores, auxiliary: CVScores | None = None) -> CVTestResult:
        """Test scores, or differences, without any warning.

        Parameters
        ----------
        scores : CVScores
            The scores, or the paired differences.
        auxiliary : CVScores, default=None
            Those on the further splits.

        Returns
        -------
        CVTestResult
            The test and its interval.
        """
        pivot, unsure = self._pivot_of(scores, auxiliary)
        designs = (scores.design, None if auxiliary is None else auxiliary.design)
        result = self._result(pivot, *designs, self.null_value, scores)
        notes = tuple(dict.fromkeys((*result.notes, *unsure)))
        return replace(result, auxiliary=auxiliary, notes=notes)

    def estimates(self, scores: CVScores, auxiliary: CVScores | None = None) -> np.ndarray:
        """Return the estimated expected score of each estimator.

        Parameters
        ----------
        scores : CVScores of shape (..., n_splits)
            The scores.
        auxiliary : CVScores, default=None
            Those on the further splits.

        Returns
        -------
        ndarray of shape (...)
            Greater is better.
        """
        return self._pivot_of(scores, auxiliary)[0].estimate

    def _pivot_of(
        self, scores: CVScores, auxiliary: CVScores | None
    ) -> tuple[Pivot, tuple[str, ...]]:
        """Return the pivot, and what is not sure of the further splits."""
        self.require(scores.design)
        self._require_auxiliary(scores.design, None if auxiliary is None else auxiliary.design)
        if auxiliary is None:
            return self._pivot(self._sample(scores), None), ()
        unsure = check_auxiliary(scores, auxiliary)
        return self._pivot(self._sample(scores), self._sample(auxiliary)), unsure

    def _sample(self, scores: CVScores) -> Sample:
        """Return what of the scores the procedure works on."""
        return Sample(scores.values, scores.design, scores.magnitude)

    def _on_arrays(
        self, sample: Sample, null_value: Any, auxiliary: Sample | None = None
    ) -> CVTestResult:
        """Test arrays of scores; `null_value` may have their leading shape."""
        designs = (sample.design, None if auxiliary is None else auxiliary.design)
        self.require(sample.design)
        self._require_auxiliary(*designs)
        null_value = np.asarray(null_value, dtype=float)[()]
        shape = sample.values.shape[:-1]
        if np.ndim(null_value) and np.shape(null_value) != shape:
            raise ValueError(
                f"null_value has shape {np.shape(null_value)}; pass a number, or an array of the "
                f"shape of x without its splits, {shape}."
            )
        if not np.isfinite(null_value).all():
            raise ValueError(
                f"null_value={null_value} is under test, so it must be a finite number."
            )
        with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is found below
            pivot = self._pivot(sample, auxiliary)
        if not (np.isfinite(pivot.estimate).all() and np.isfinite(pivot.standard_error).all()):
            check_finite("x", sample)
            if auxiliary is not None:
                check_finite("auxiliary", auxiliary)
        self._warn(*designs)
        result = self._result(pivot, *designs, null_value, None)
        self.warn_undetermined(result)
        return result

    def warn_undetermined(self, result: CVTestResult) -> None:
        """Warn if the scores behind a result do not vary.

        Parameters
        ----------
        result : CVTestResult
            Of this procedure.
        """
        if np.any(result.undetermined):
            what = "The scores" if result.scores is None else f"{result.label}: the scores"
            warn_user(
                f"{what} do not vary over the {self.varies_over}: p is 1 if the estimate equals "
                "the null value and 0 otherwise by definition, and neither is evidence. Use more "
                "test rows or a finer metric.",
                DegenerateScoresWarning,
            )

    def _warn(self, design: SplitDesign, auxiliary: SplitDesign | None) -> None:
        caveat = self.caveat(design, auxiliary)
        if caveat is not None:
            warn_user(sentence(caveat), AnticonservativeWarning)

    def _result(
        self,
        pivot: Pivot,
        design: SplitDesign,
        auxiliary: SplitDesign | None,
        null_value: Any,
        scores: CVScores | None,
    ) -> CVTestResult:
        # What is below the rounding of the scores is no difference.
        rounding = is_rounding(np.abs(pivot.estimate), pivot.scale)
        pivot = replace(pivot, estimate=np.where(rounding, 0.0, pivot.estimate))
        statistic, pvalue = refer(pivot, null_value, self.alternative)
        caveat = self.caveat(design, auxiliary)
        weak = (*(() if caveat is None else (caveat,)), *self.notes(design, auxiliary))
        notes = undetermined_notes(pivot.standard_error == 0)
        facts: dict[str, Any] = {}
        if scores is not None:
            notes = (*notes, *map(str, scores.all_notes))
            facts = {"metric": scores.metric, "label": scores.label}
        return CVTestResult(
            statistic=plain(statistic),
            pvalue=plain(pvalue),
            df=float(pivot.df),
            estimate=plain(pivot.estimate),
            standard_error=plain(pivot.standard_error),
            null_value=null_value,
            alternative=self.alternative,
            n_train=design.train_size,
            n_test=design.test_size,
            n_samples=design.n_samples,
            n_splits=design.n_splits,
            correction=pivot.correction,
            method=self.name,
            title=self.title,
            varies_over=self.varies_over,
            unit=design.unit,
            fixed=self.fixed,
            basis=self._basis(design, auxiliary),
            procedure=repr(self),
            caveat=caveat or "",
            explanation=self._explanation(design, auxiliary),
            assumption=self._assumption(design),
            sources=self._sources(design),
            scores=scores,
            notes=tuple(dict.fromkeys((*notes, *weak))),
            **facts,
        )
