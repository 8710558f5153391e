"""Procedure: the base of all tests of scores on splits; the procedures by their names."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from .._utils._checks import brief, check_option
from .._utils._registry import enter
from .._utils._text import first_of
from .._utils._warn import warn_user
from ..exceptions import DegenerateScoresWarning, SplitDesignError
from ..scores import CVScores, DesignRequest, Note, RowScores, SplitDesign, as_notes, union, warn_of
from ._arguments import Scores, auxiliary_difference, check_auxiliary, complete_difference
from ._diagnostics import SECOND_PROCEDURE, design_notes
from ._inference import Inference, checked_inference, liberal_notes
from ._sample import Root, Sample

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
    needs_rows : bool
        Whether it works on the scores of the single test rows.
    row_metrics : tuple of str
        With `needs_rows`, which metrics it can use besides means over rows: "roc_auc", whose rows'
        scores are pseudo-values, or none.
    only_differences : bool
        Whether it makes sense for the difference of two estimators only.
    excused : frozenset of str
        The codes of notes on splits that do not concern it, such as "stratified".
    varies_over : str
        What its standard error is made from, the variation over these: by default "splits", or
        with `needs_rows` "test rows".

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
    needs_rows: ClassVar[bool] = False
    row_metrics: ClassVar[tuple[str, ...]] = ()
    only_differences: ClassVar[bool] = False
    excused: ClassVar[frozenset[str]] = frozenset()
    varies_over: ClassVar[str] = "splits"
    _sources: ClassVar[tuple[str, ...]] = ()  # what `sources` returns for any splits
    # The p-value if scores do not vary, for the warning.
    _convention: ClassVar[str] = ", which is no evidence"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.needs_rows and cls.varies_over == "splits":
            cls.varies_over = "test rows"

    @abstractmethod
    def require(self, design: SplitDesign) -> None:
        """Raise SplitDesignError unless the splits suit this procedure.

        Parameters
        ----------
        design : SplitDesign
            The splits; ``design.require(...)`` has the words.
        """
        if reason := self.unsuitable(design=design):
            raise SplitDesignError(reason)

    def unsuitable(
        self,
        metric: str | None = None,
        design: SplitDesign | None = None,
        groups: Any = None,
        *,
        of_rows: str | None = None,
        tests: Any = None,
        n_rows: int | None = None,
        sample_weight: Any = None,
    ) -> str | None:
        """Return why this procedure cannot be used here, or None, for those who choose one.

        By default this is about the metric. A subclass that also tells about the splits raises the
        same sentences in `require` and `require_tests`, which call this method in the base class.

        Parameters
        ----------
        metric : str, default=None
            The metric, as the sentence calls it. None, here and below, is what is not known yet.
        design : SplitDesign, default=None
            The splits.
        groups : array-like of shape (n_rows,), default=None
            The groups of the rows, if they have some.
        of_rows : {"mean", "roc_auc", "none"}, default=None
            What scores of single rows the metric has: those of which it is the mean, pseudo-values
            of an area, or none. None is not known.
        tests : iterable of ndarray of int, default=None
            The row numbers that each split tests on.
        n_rows : int, default=None
            The number of rows of the data, which goes with `groups`, `tests` and `sample_weight`.
        sample_weight : array-like of shape (n_rows,), default=None
            The weights that the metric takes, if it takes some.

        Returns
        -------
        str or None
            The reason and the remedy, in whole sentences; of a metric a clause without full stop.
        """
        if metric is None or not self.needs_rows or of_rows in ("mean", *self.row_metrics):
            return None
        return f"{metric} is not {'known to be ' if of_rows is None else ''}a mean over rows"

    def require_tests(
        self, tests: Any, n_rows: int, groups: Any = None, sample_weight: Any = None
    ) -> None:
        """Raise SplitDesignError unless the test rows suit this procedure, before the first fit.

        Parameters
        ----------
        tests : iterable of ndarray of int
            The row numbers that each split tests on; they are made while they are taken.
        n_rows : int
            The number of rows of the data.
        groups : array-like of shape (n_rows,), default=None
            The groups that the splitter was given.
        sample_weight : array-like of shape (n_rows,), default=None
            The weights that a metric takes; not passed where none does.
        """
        known = {"tests": tests, "n_rows": n_rows, "sample_weight": sample_weight}
        if reason := self.unsuitable(groups=groups, **known):
            raise SplitDesignError(reason)

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

    def concerning(self, notes: Iterable[Note]) -> tuple[Note, ...]:
        """Return the notes on splits and scores that concern this procedure.

        Parameters
        ----------
        notes : iterable of Note
            All of them.

        Returns
        -------
        tuple of Note
            Without those that `excused` names.
        """
        return tuple(note for note in notes if note.code not in self.excused)

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
        return self._sources

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
            The scores of the splits; those of the rows for a procedure that needs these.
        """
        return Sample(scores.values, scores.design, scores.magnitude, scores)

    def rows_of(self, scores: CVScores) -> RowScores:
        """Return the scores of the single test rows, which this procedure works on.

        Parameters
        ----------
        scores : CVScores
            The scores, or paired differences.

        Returns
        -------
        RowScores
            Greater is better.

        Raises
        ------
        ValueError
            If there are none, as in results of `cross_validate`.
        """
        if scores.row_scores is None:
            raise ValueError(
                f"The {self.title} works on the score of each test row, and these scores of "
                f"{scores.metric!r} are known for whole test sets only, as from cross_validate. "
                f"Use compare_estimators or cross_val_inference with method={self.name!r}, which "
                'keep the scores of rows, or method="corrected_resampled_t" for these scores.'
            )
        return scores.row_scores

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
                () if scores is None else self.concerning(scores.all_notes),
                as_notes(self.notes(design, other), "notes"),
            ),
        }
        if scores is not None:
            facts |= {"metric": scores.metric, "label": scores.label, "scores": scores}
            rows = None if self.needs_rows else scores.row_scores
            if rows is not None and np.ptp(np.bincount(rows.rows)) == 0:  # repeated k-fold
                facts["notes"] = union(facts["notes"], [SECOND_PROCEDURE])
        if auxiliary is not None and auxiliary.scores is not None:
            facts["auxiliary"] = auxiliary.scores
            facts["notes"] = union(facts["notes"], self.concerning(auxiliary.scores.all_notes))
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
        return inference.with_notes(() if auxiliary is None else check_auxiliary(scores, auxiliary))

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
            If the answer cannot be put into tables.
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
        _check_named(self)
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
        if np.any(inference.undetermined):
            warn_user(
                f"{_whose_scores(inference)} do not vary over the {self.varies_over}"
                f"{self._convention}. Use more test rows or a finer metric.",
                DegenerateScoresWarning,
            )


def _whose_scores(inference: Inference) -> str:
    """Name those of the tested scores that do not vary."""
    if inference.scores is None:
        return "The scores"
    labels = inference.scores.labels
    if not np.ndim(inference.undetermined) or not labels:
        return f"{inference.label}: the scores"
    names = [labels[row] for row in np.flatnonzero(inference.undetermined)]
    return f"{first_of(names, 3)}: the scores"


# The procedures on splits: name -> class.
METHODS: dict[str, type[Procedure]] = {}


def procedures_among(exports: Iterable[Any]) -> dict[str, type[Procedure]]:
    """Return the procedures among the exports of a room, by their names."""
    return {
        export.name: export
        for export in exports
        if isinstance(export, type) and issubclass(export, Procedure) and hasattr(export, "name")
    }


def get_procedure_names() -> list[str]:
    """Return the names of the procedures, each of which is a ``method=``.

    ``"auto"``, which chooses between two of them, is not among them.

    Returns
    -------
    list of str
        In alphabetical order.

    Examples
    --------
    >>> from skcvstats import get_procedure_names
    >>> "corrected_resampled_t" in get_procedure_names()
    True
    """
    return sorted(METHODS)


def get_procedure(method: str | Procedure, **options: Any) -> Procedure:
    """Return the procedure of that name.

    Parameters
    ----------
    method : str or Procedure
        One of `get_procedure_names()`; a procedure is returned as it is.
    **options : object
        Its options, such as ``alternative="greater"``; None leaves the default. A procedure that
        is given must have the same.

    Returns
    -------
    Procedure
        To be called on scores.

    Raises
    ------
    TypeError
        If `method` is neither a name nor a procedure, such as a class.
    ValueError
        If there is no such name or option, or a given procedure has another value of it.

    Examples
    --------
    >>> from skcvstats import get_procedure
    >>> get_procedure("corrected_resampled_t", alternative="greater")
    CorrectedResampledTTest(null_value=0.0, alternative='greater')
    """
    if isinstance(method, type):
        raise TypeError(f"method={method.__name__} is a class: pass {method.__name__}().")
    asked = {name: value for name, value in options.items() if value is not None}
    if isinstance(method, Procedure):
        _check_named(method)
        for name, value in asked.items():
            if _option(method, name) != value:
                raise ValueError(f"{name}={value!r}, but {method!r} has one; give it only there.")
        return method
    if not isinstance(method, str):
        raise TypeError(
            f"method={brief(method)} must be the name of a procedure, one of {sorted(METHODS)}, or "
            "a procedure such as CorrectedResampledTTest()."
        )
    if method == "auto":
        raise ValueError(
            'method="auto" chooses with the splits, so it is for compare_estimators and '
            "cross_val_inference. Elsewhere leave method out, or give one of "
            f"{sorted(METHODS)}."
        )
    procedure = METHODS[check_option("method", method, sorted(METHODS))]
    for name in asked:
        _option(procedure(), name)
    return procedure(**asked)


def _check_named(procedure: Procedure) -> None:
    for name in ("name", "title"):
        if not isinstance(getattr(procedure, name, None), str):
            raise TypeError(
                f"{type(procedure).__name__} has no {name}: give the class one, a string, such as "
                'name = "sign" and title = "sign test".'
            )


def _option(procedure: Procedure, name: str) -> Any:
    """Return an option of a procedure, or raise an error if it does not exist."""
    if hasattr(procedure, name):
        return getattr(procedure, name)
    raise ValueError(
        f"The {procedure.title} has no {name}: leave it out, or use a method that has, such as "
        'method="corrected_resampled_t".'
    )


enter(get_procedure=get_procedure)
