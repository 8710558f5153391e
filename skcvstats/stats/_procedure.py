"""Procedure: the base of all tests of scores on splits; the procedures by their names."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from inspect import signature
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from .._utils._checks import brief, check_option
from .._utils._metrics import check_null_in_range
from ..exceptions import AnticonservativeWarning, FitError, SplitDesignError
from ..scores import CVScores, DesignRequest, Note, SplitDesign, as_notes, union
from ._arguments import (
    SECOND_PROCEDURE,
    Scores,
    auxiliary_difference,
    check_auxiliary,
    complete_difference,
    design_notes,
)
from ._inference import Description, Inference, Origin, checked_inference, warn_once
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
    only_differences : bool
        Whether it makes sense for the difference of two estimators only.
    null_value, alternative : float, str
        The value under test, and the alternative; 0 and "two-sided" where it has no such option.
    {shared: fixed}

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
    only_differences: ClassVar[bool] = False
    fixed: ClassVar[bool] = False
    null_value: float = 0.0
    alternative: str = "two-sided"
    # The notes on splits that do not concern it.
    _excused: ClassVar[frozenset[Note]] = frozenset()
    # Whether it is for splits in time order, for which no other is valid; `unsuitable` is then also
    # given ``times``: the number of that of each row, None for the order of rows, or why they have
    # none.
    _in_order: ClassVar[bool] = False

    @abstractmethod
    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        """Raise SplitDesignError unless the splits suit this procedure.

        Parameters
        ----------
        design : SplitDesign
            The splits; ``design.require(...)`` has the words.
        {shared: auxiliary splits}
        """
        reason = self.unsuitable(design=design)
        if reason:
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
        """Return why this procedure cannot be used here, or None; the reasons known before a fit.

        By default this is about the metric. A subclass that also tells about the splits raises the
        same sentences in `require`, which calls this method in the base class.

        Parameters
        ----------
        metric : str, default=None
            The metric, as the sentence calls it. None, here and below, is what is not known yet.
        design : SplitDesign, default=None
            The splits.
        groups : array-like of shape (n_rows,), default=None
            The groups of the rows, if they have some.
        of_rows : {"mean", "fold", "not measured", "metadata", "none"}, default=None
            What scores of single rows the metric has: "mean", if it is their mean; those of a
            "fold" without each row, of a metric for which that was measured or "not measured"; or
            none. None is a metric that is known for whole test sets only.
        tests : iterable of ndarray of int, default=None
            The row numbers that each split tests on; they are made while they are taken.
        n_rows : int, default=None
            The number of rows of the data, which goes with `groups`, `tests` and `sample_weight`.
        sample_weight : array-like of shape (n_rows,), default=None
            The weights that the metric takes, if it takes some.

        Returns
        -------
        str or None
            The reason and the remedy, in whole sentences; of a metric a clause without full stop.
        """
        if metric is None or not self.needs_rows or of_rows == "mean":
            return None
        return f"{metric} is not a known per-row average"

    @abstractmethod
    def infer(self, sample: Sample, auxiliary: Sample | None = None) -> Inference:
        """Answer for scores, or paired differences; never warn.

        {Parameters: sample, auxiliary sample}

        Returns
        -------
        Inference
            Its numbers have the leading shape of the scores; `run` adds the scores and splits.
        """

    def auxiliary_request(self, design: SplitDesign) -> DesignRequest | None:
        """Return which auxiliary splits are wanted, besides those of the estimate.

        {Parameters: splits}

        Returns
        -------
        DesignRequest or None
            None for most procedures.
        """
        return None

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        """Return a note for each weakness of this procedure on these splits.

        {Parameters: splits, auxiliary splits}

        Returns
        -------
        tuple of Note
            Empty where nothing is amiss. A subclass may give warnings instead: an
            ``AnticonservativeWarning("...")`` says, without a full stop, why the procedure rejects
            true null hypotheses too often, and what to use instead.
        """
        return design_notes(design)

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        """Return what texts and reports say of this procedure on these splits.

        {Parameters: splits, auxiliary splits}

        Returns
        -------
        Description
            ``dataclasses.replace(super().describe(design, auxiliary), ...)`` with phrases without a
            full stop, which may all be left out: ``explanation``, how the standard error is
            made; ``assumption``, when that is right, or what it does not know; ``sources``, a tuple
            of publications, keys of the package's own references or whole ones in words;
            ``basis``, which continues the line about the sizes of the splits; ``varies_over``, what
            does not vary where a test is undetermined, such as "splits"; and ``has_posterior``,
            True if the statistic's distribution is also the posterior of the true value, as of
            normal scores of a known correlation.
        """
        return Description(varies_over="test rows" if self.needs_rows else "splits")

    def sample(self, scores: CVScores) -> Sample:
        """Return the part of the scores that the procedure works on.

        Parameters
        ----------
        scores : CVScores
            The scores, or paired differences; with ``row_scores`` for a procedure that needs rows.

        Returns
        -------
        Sample
            The scores of the splits; those of the rows for a procedure that needs these.
        """
        return Sample(scores.values, scores.design, scores.magnitude, scores)

    def _estimates(self, sample: Sample, auxiliary: Sample | None = None) -> np.ndarray:
        """Return the estimated expected score of each estimator, without its standard error."""
        return np.asarray(sample.values.mean(axis=-1))

    def root(self, sample: Sample, auxiliary: Sample | None = None) -> Root | None:
        """Return a root of the covariance of the estimates, which joint inference needs.

        {Parameters: sample, auxiliary sample}

        Returns
        -------
        Root or None
            None by default: p-values of several comparisons are then adjusted one by one.
        """
        return None

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

        Raises
        ------
        TypeError, ValueError
            If `infer` returned what cannot be put into tables.
        """
        samples = samples_of(self, scores, auxiliary)
        inference = self.infer(*samples)
        if not is_own(self):
            inference = checked_inference(self, inference, samples[0])
            if inference.origin is None:
                context = made_from(self, *samples)
                context["notes"] = union(context["notes"], inference.notes)
                inference = replace(inference, **context)
        if auxiliary is None:
            return inference
        return inference.with_notes(check_auxiliary(scores, auxiliary))

    def __call__(
        self, scores: Scores, other: Scores | None = None, *, auxiliary: Scores | None = None
    ) -> Inference:
        """Test the expected score, or the expected difference ``scores - other``."""
        tested = complete_difference(scores, other)
        auxiliary_scores = auxiliary_difference(auxiliary, paired=other is not None)
        what = f"differences in {tested.metric}" if tested.paired else tested.metric
        check_null_in_range(self.null_value, what, *tested._limits)
        refuse_time_order(self, tested)
        inference = self.run(tested, auxiliary_scores)
        warned = warn(inference)
        return replace(inference, reporting=replace(inference.reporting, warned=warned))


def is_own(procedure: Procedure) -> bool:
    """Return whether a procedure is from this package, so that what it returns is right."""
    return type(procedure).__module__.startswith("skcvstats.")


def check_complete(
    scores: Mapping[str, CVScores], auxiliary: Mapping[str, CVScores] = MappingProxyType({})
) -> None:
    """Raise FitError at the first score that inference cannot use, with all finished scores."""
    auxiliary = dict(auxiliary)
    for where, parts in (("", scores), ("On the auxiliary splits: ", auxiliary)):
        for measured in parts.values():
            try:
                measured.check_complete()
            except FitError as error:
                raise FitError(f"{where}{error}", scores, auxiliary) from None


def is_for_order_of(procedure: Procedure, design: SplitDesign) -> bool:
    """Tell whether a procedure is valid on splits that may be in time order."""
    return procedure._in_order or not design.in_time_order


def refuse_time_order(procedure: Procedure, scores: CVScores) -> None:
    """Raise SplitDesignError for splits in time order and a procedure that is not for them."""
    design = scores.design
    if not design.in_time_order:
        return
    if scores.row_scores is None:
        design.require(who=f"The {procedure.title}", distinct=True)
        raise SplitDesignError(
            f"The scores of {scores.metric!r} are of splits in time order, and known for whole "
            "test sets only, so no test of them is valid. Score again on the data: "
            "cross_val_inference and compare_estimators with the same cv keep the scores of rows."
        )
    if not is_for_order_of(procedure, design):
        raise SplitDesignError(
            f"The {procedure.title} is not valid for splits in time order. Use "
            'method="diebold_mariano".'
        )


def samples_of(
    procedure: Procedure, scores: CVScores, auxiliary: CVScores | None = None
) -> tuple[Sample, Sample | None]:
    """Return the samples that a procedure works on, or raise an error if it cannot use them."""
    _check_named(procedure)
    procedure.require(scores.design)
    scores.check_range()
    require_auxiliary(procedure, scores.design, getattr(auxiliary, "design", None))
    if procedure.needs_rows and scores.row_scores is None:
        raise ValueError(
            f"The {procedure.title} works on the score of each test row, and these scores of "
            f"{scores.metric!r} are known for whole test sets only, as from cross_validate. "
            f"Use compare_estimators or cross_val_inference with method={procedure.name!r}, which "
            'keep the scores of rows, or method="corrected_resampled_t" for these scores.'
        )
    if auxiliary is None:
        return procedure.sample(scores), None
    check_auxiliary(scores, auxiliary)
    auxiliary.check_range()
    return procedure.sample(scores), procedure.sample(auxiliary)


def require_auxiliary(
    procedure: Procedure, design: SplitDesign, auxiliary: SplitDesign | None
) -> None:
    """Raise SplitDesignError unless suitable auxiliary splits are there exactly if wanted."""
    request = procedure.auxiliary_request(design)
    if auxiliary is None:
        if request is None:
            return
        raise SplitDesignError(
            f"The {procedure.title} needs auxiliary splits too: pass auxiliary=, the scores on "
            "them (the conservative Z test takes its variance from those of cv=HalfSplitPairs()), "
            f"or use compare_estimators(method={procedure.name!r}), which draws them."
        )
    if request is None:
        raise SplitDesignError(
            f"The {procedure.title} uses one set of splits only; leave auxiliary out."
        )
    procedure.require(design, auxiliary)


def made_from(
    procedure: Procedure,
    sample: Sample,
    auxiliary: Sample | None = None,
) -> dict[str, Any]:
    """Return the fields of an answer with its origin and its limitations."""
    scores = sample.scores
    auxiliary_design = getattr(auxiliary, "design", None)
    auxiliary_scores = getattr(auxiliary, "scores", None)
    notes = [*_notes_about(procedure, scores)]
    notes += as_notes(procedure.notes(sample.design, auxiliary_design))
    rows = getattr(scores, "row_scores", None)
    # Rows that are tested equally often, as in repeated k-fold, were scored for a test on rows.
    if rows is not None and not procedure.needs_rows and np.ptp(np.bincount(rows.rows)) == 0:
        notes.append(SECOND_PROCEDURE)
    notes += _notes_about(procedure, auxiliary_scores)
    origin = Origin(procedure, sample.design, auxiliary_design, scores, auxiliary_scores)
    return {"origin": origin, "notes": union(notes)}


def _notes_about(procedure: Procedure, scores: CVScores | None) -> Iterable[Note]:
    """Return the notes on scores that concern a procedure."""
    notes = getattr(scores, "all_notes", ())
    return [note for note in notes if note not in procedure._excused]


def warn(inference: Inference) -> tuple[Note, ...]:
    """Warn of what makes an answer wrong, and return the notes that were given."""
    notes = [note for note in inference.notes if note.category is AnticonservativeWarning]
    return warn_once([inference], notes)


# The procedures on splits: name -> class.
METHODS: dict[str, type[Procedure]] = {}


def procedures_among(exports: Iterable[Any]) -> dict[str, type[Procedure]]:
    """Return the procedures among the exports of a room, by their names."""
    return {
        export.name: export
        for export in exports
        if hasattr(export, "infer") and hasattr(export, "name")
    }


def get_procedure_names() -> list[str]:
    """Return the names of the procedures, for ``method=``.

    ``"auto"``, which chooses one of three of them, is not among them.

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
    asked = {name: value for name, value in options.items() if value is not None}
    if isinstance(method, Procedure):
        _check_named(method)
        _check_options(type(method), method.title, asked)
        for name, value in asked.items():
            if getattr(method, name) != value:
                raise ValueError(f"{name}={value!r}, but {method!r} has one; give it only there.")
        return method
    if not isinstance(method, str):
        raise TypeError(
            f"method={brief(method)} must be the name of a procedure, one of {sorted(METHODS)}, or "
            "a procedure such as CorrectedResampledTTest()."
        )
    also = ' "auto" is for compare_estimators and cross_val_inference only.'
    kind = METHODS[check_option("method", method, sorted(METHODS), also)]
    _check_options(kind, kind.title, asked)
    return kind(**asked)


def _check_options(kind: type, title: str, names: Iterable[str]) -> None:
    """Raise ValueError for an option that a class of procedures does not have."""
    for name in names:
        if name not in _options_of(kind):
            raise ValueError(
                f"The {title} has no {name}: leave it out, or use a method that has, "
                'such as method="corrected_resampled_t".'
            )


@cache
def _options_of(kind: type) -> frozenset[str]:
    """Return the names of the options that a class of procedures is made with."""
    return frozenset(signature(kind).parameters)


def _check_named(procedure: Procedure) -> None:
    for name in ("name", "title"):
        if not isinstance(getattr(procedure, name, None), str):
            raise TypeError(
                f"{type(procedure).__name__} has no {name}: give the class one, a string, such as "
                'name = "sign" and title = "sign test".'
            )
