"""Procedure: the base of all tests of scores on splits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from ..exceptions import SplitDesignError
from ..scores import CVScores, DesignRequest, Note, SplitDesign, as_notes, union, warn_of
from ._arguments import Scores, auxiliary_difference, check_auxiliary, complete_difference
from ._checked import checked_inference
from ._diagnostics import design_notes
from ._inference import Inference
from ._sample import Root, Sample
from ._warnings import liberal_notes, warn_undetermined

# The technical report and the article based on it: the sources of the procedures here.
REPORT = ("nadeau1999", "nadeau2003")


class Procedure(ABC):
    """Base class of all procedures (``method=``): from scores to an `Inference`.

    A procedure has a ``name``, a ``title`` and two methods, `require` and `infer`; all the others
    have a default. Pass an instance of it as ``method=``. If its answer is an estimate with a
    standard error referred to Student's t distribution, derive it from `LocationTest`, which makes
    the rest.

    Attributes
    ----------
    name : str
        The ``method=`` string.
    title : str
        The name in words, such as "corrected resampled t-test".
    request : DesignRequest
        Which splits it needs if ``cv=`` is not passed; by default 15 random ones.
    needs_losses : bool
        Whether it uses the loss of each test row.
    only_differences : bool
        Whether it makes sense for the difference of two estimators only.
    varies_over : str
        What the values vary over that it works on: "splits".

    See Also
    --------
    LocationTest : A procedure that is a pivot referred to Student's t distribution.

    Examples
    --------
    The guide "Adding a procedure" has whole ones.

    >>> from skcvstats import CorrectedResampledTTest, Procedure
    >>> isinstance(CorrectedResampledTTest(), Procedure)
    True
    """

    name: ClassVar[str]
    title: ClassVar[str]
    request: ClassVar[DesignRequest] = DesignRequest(kind="subsample")
    needs_losses: ClassVar[bool] = False
    only_differences: ClassVar[bool] = False
    varies_over: ClassVar[str] = "splits"
    # The p-value if scores do not vary, for the warning.
    _convention: ClassVar[str] = ", which is no evidence"

    @abstractmethod
    def require(self, design: SplitDesign) -> None:
        """Raise SplitDesignError unless the splits suit this procedure.

        Parameters
        ----------
        design : SplitDesign
            The splits; ``design.require(...)`` has the words.
        """

    @abstractmethod
    def infer(self, sample: Sample, auxiliary: Sample | None = None) -> Inference:
        """Answer for scores, or paired differences; never warn.

        Parameters
        ----------
        sample : Sample
            Complete scores of shape (..., n_splits) on splits that `require` has let pass.
        auxiliary : Sample, default=None
            Those on the auxiliary splits.

        Returns
        -------
        Inference
            Its numbers have the leading shape of the scores; `facts` has the other fields.
        """

    def auxiliary_request(self, design: SplitDesign) -> DesignRequest | None:
        """Return which auxiliary splits are wanted, besides those of the estimate.

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

    def require_auxiliary(self, design: SplitDesign, auxiliary: SplitDesign | None) -> None:
        """Raise SplitDesignError unless the auxiliary splits are there exactly if wanted.

        Parameters
        ----------
        design : SplitDesign
            The splits that the estimate is made from.
        auxiliary : SplitDesign or None
            The auxiliary splits.
        """
        wanted = self.auxiliary_request(design) is not None
        if auxiliary is not None and not wanted:
            raise SplitDesignError(
                f"The {self.title} makes everything from one set of splits; leave auxiliary out."
            )
        if auxiliary is None and wanted:
            raise SplitDesignError(
                f"The {self.title} needs auxiliary splits too: pass auxiliary=, the scores on "
                "them, or use compare_estimators, which draws them."
            )

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        """Return a note for each weakness of this procedure on these splits.

        Parameters
        ----------
        design : SplitDesign
            The splits.
        auxiliary : SplitDesign, default=None
            The auxiliary splits.

        Returns
        -------
        tuple of Note
            Empty where nothing is amiss. A subclass may give warnings instead: an
            ``AnticonservativeWarning("...")`` says, without a full stop, why the procedure rejects
            true null hypotheses too often, and what to use instead.
        """
        return design_notes(design)

    @property
    def symmetric(self) -> bool:
        """Whether the answer for b against a follows from that for a against b."""
        return False

    @property
    def fixed(self) -> bool:
        """Whether the answer is about the models as they were fitted, not about algorithms."""
        return False

    def sources(self, design: SplitDesign) -> tuple[str, ...]:
        """Return the publications that a report cites for this procedure.

        Parameters
        ----------
        design : SplitDesign
            The splits.

        Returns
        -------
        tuple of str
            Keys of the package's own references, or whole references in words; none by default.
        """
        return ()

    def basis(self, design: SplitDesign, auxiliary: SplitDesign | None) -> str:
        """Return what a reader should know of the splits besides their sizes.

        Parameters
        ----------
        design, auxiliary : SplitDesign
            The splits, and the auxiliary ones.

        Returns
        -------
        str
            It continues the line about the sizes.
        """
        return ""

    def explanation(self, design: SplitDesign, auxiliary: SplitDesign | None) -> str:
        """Return how the standard error is made, for the report.

        Parameters
        ----------
        design, auxiliary : SplitDesign
            The splits, and the auxiliary ones.

        Returns
        -------
        str
            Without a full stop.
        """
        return ""

    def assumption(self, design: SplitDesign) -> str:
        """Return when that standard error is right, or what it does not know, for the report.

        Parameters
        ----------
        design : SplitDesign
            The splits.

        Returns
        -------
        str
            Without a full stop.
        """
        return ""

    def sample(self, scores: CVScores) -> Sample:
        """Return what of the scores the procedure works on.

        Parameters
        ----------
        scores : CVScores
            The scores, or paired differences.

        Returns
        -------
        Sample
            The scores of the splits; the losses of rows for a procedure that needs those.
        """
        return Sample(scores.values, scores.design, scores.magnitude, scores)

    def estimates(self, sample: Sample, auxiliary: Sample | None = None) -> np.ndarray:
        """Return the estimated expected score of each estimator.

        Parameters
        ----------
        sample : Sample
            The scores, of shape (..., n_splits).
        auxiliary : Sample, default=None
            Those on the auxiliary splits.

        Returns
        -------
        ndarray of shape (...)
            Greater is better; by default the mean over the splits.
        """
        return sample.values.mean(axis=-1)

    def root(self, sample: Sample, auxiliary: Sample | None = None) -> Root | None:
        """Return a root of the covariance of the estimates, which joint inference needs.

        Parameters
        ----------
        sample : Sample
            The scores of several estimators, of shape (n_estimators, n_splits).
        auxiliary : Sample, default=None
            Those on the auxiliary splits.

        Returns
        -------
        Root or None
            None by default: p-values of several comparisons are then adjusted one by one.
        """
        return None

    def facts(self, sample: Sample, auxiliary: Sample | None = None) -> dict[str, Any]:
        """Return the fields of an `Inference` that say what it was measured on, and how.

        Parameters
        ----------
        sample : Sample
            The scores.
        auxiliary : Sample, default=None
            Those on the auxiliary splits.

        Returns
        -------
        dict
            For ``Inference(estimate=..., pvalue=..., **self.facts(sample, auxiliary))``.
        """
        design, scores = sample.design, sample.scores
        other = None if auxiliary is None else auxiliary.design
        facts: dict[str, Any] = {
            "method": self.name,
            "title": self.title,
            "n_train": design.train_size,
            "n_test": design.test_size,
            "n_samples": design.n_samples,
            "n_splits": design.n_splits,
            "unit": design.unit,
            "varies_over": self.varies_over,
            "fixed": self.fixed,
            "basis": self.basis(design, other),
            "procedure": repr(self),
            "explanation": self.explanation(design, other),
            "assumption": self.assumption(design),
            "sources": self.sources(design),
            "notes": union(
                () if scores is None else scores.all_notes,
                as_notes(self.notes(design, other), "notes"),
            ),
        }
        if scores is not None:
            facts |= {"metric": scores.metric, "label": scores.label, "scores": scores}
        if auxiliary is not None and auxiliary.scores is not None:
            facts["auxiliary"] = auxiliary.scores
            facts["notes"] = union(facts["notes"], auxiliary.scores.all_notes)
        return facts

    def run(self, scores: CVScores, auxiliary: CVScores | None = None) -> Inference:
        """Check that splits and scores can serve, and answer without any warning.

        Parameters
        ----------
        scores : CVScores
            Complete scores, or paired differences.
        auxiliary : CVScores, default=None
            Those on the auxiliary splits.

        Returns
        -------
        Inference
            With a note for each of its limitations.
        """
        inference = self.answer(*self.samples(scores, auxiliary))
        if auxiliary is None:
            return inference
        return inference.with_notes(check_auxiliary(scores, auxiliary))

    def answer(self, sample: Sample, auxiliary: Sample | None = None) -> Inference:
        """Call `infer`, and check what it returned.

        Parameters
        ----------
        sample : Sample
            Complete scores.
        auxiliary : Sample, default=None
            Those on the auxiliary splits.

        Returns
        -------
        Inference
            Its numbers have the leading shape of the scores.

        Raises
        ------
        TypeError, ValueError
            If the answer is none that tables could hold.
        """
        return checked_inference(self, self.infer(sample, auxiliary), sample)

    def samples(
        self, scores: CVScores, auxiliary: CVScores | None = None
    ) -> tuple[Sample, Sample | None]:
        """Return what the procedure works on, of splits that can serve it.

        Parameters
        ----------
        scores : CVScores
            The scores.
        auxiliary : CVScores, default=None
            Those on the auxiliary splits.

        Returns
        -------
        tuple of Sample
            Of the scores, and of the auxiliary ones: None without auxiliary splits.
        """
        self.require(scores.design)
        self.require_auxiliary(scores.design, None if auxiliary is None else auxiliary.design)
        if auxiliary is None:
            return self.sample(scores), None
        check_auxiliary(scores, auxiliary)
        return self.sample(scores), self.sample(auxiliary)

    def __call__(
        self, scores: Scores, other: Scores | None = None, *, auxiliary: Any = None
    ) -> Any:
        """Test the expected score, or the expected difference ``scores - other``."""
        sample = complete_difference(scores, other)
        beside = auxiliary_difference(auxiliary, paired=other is not None)
        inference = self.run(sample, beside)
        self.warn(inference)
        return replace(inference, warned=liberal_notes(inference))

    def warn(self, inference: Inference) -> None:
        """Warn of what makes an answer wrong: scores that do not vary, a liberal procedure.

        Parameters
        ----------
        inference : Inference
            Of this procedure.
        """
        self.warn_undetermined(inference)
        warn_of(liberal_notes(inference))

    def warn_undetermined(self, inference: Inference) -> None:
        """Warn if the scores behind an answer do not vary.

        Parameters
        ----------
        inference : Inference
            Of this procedure.
        """
        warn_undetermined(inference, self.varies_over, self._convention)
