"""Inference: the result of a procedure of any kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from .._utils._checks import ConfidenceInterval, check_level
from .._utils._text import (
    SMALLEST_PVALUE,
    counted,
    cut,
    flat_dict,
    format_interval,
    format_number,
    format_pvalue,
    format_size,
    on_average,
    only_evidence,
    visible,
)
from ..scores import CVScores, Note, as_notes, codes, footnotes, union
from ._claim import Claim
from ._diagnostics import LIBERAL, UNDETERMINED, invalid_first, undetermined_notes

if TYPE_CHECKING:
    import pandas as pd


# The label of an estimate without a name.
UNNAMED_ESTIMATE = "estimate"
_WIDEST_LABEL = 203  # of a difference: two names
# Fields with an entry for each test, besides those with the metadata {"per_test": True}.
_PER_TEST = ("estimate", "pvalue", "statistic", "standard_error", "df", "null_value", "constant")


@dataclass(frozen=True, eq=False, kw_only=True)
class Inference(ABC):
    """What a procedure answers: an estimate, how sure it is, and what it was measured on.

    The answer of a `LocationTest` is a `CVTestResult`. A procedure of another form derives a class
    of its own from this one, with the numbers that it has and the claim that they allow. The other
    fields are filled by ``Procedure.facts``. Where the scores had leading axes, numbers are arrays
    of that shape; a further field with an entry for each test is marked by
    ``field(metadata={"per_test": True})``.

    Parameters
    ----------
    estimate : float or ndarray
        The estimated expected score (or difference of scores) at training size `n_train`.
    pvalue : float or ndarray, default=nan
        The p-value.
    statistic : float or ndarray, default=nan
        The test statistic.
    standard_error : float or ndarray, default=nan
        Of the estimate.
    df : float, tuple or ndarray, default=nan
        Degrees of freedom of the statistic's distribution.
    method : str, default=""
        The procedure's name.
    title : str, default=""
        The procedure's name in words.
    n_train, n_test : float, default=nan
        Training and test size of the splits (mean and harmonic mean where they differ).
    n_samples : int, default=0
        Size of the pool that the splits were drawn from.
    n_splits : int, default=0
        Number of splits.
    unit : {"rows", "groups"}, default="rows"
        What the sizes count.
    metric : str, default="score"
        What the scores measure.
    label : str, default="estimate"
        What was estimated.
    estimator, versus : str, default=""
        The names of the two estimators of a comparison.
    varies_over : str, default="splits"
        What the values vary over that the standard error is made from.
    notes : tuple of Note, default=()
        What a reader should know.
    asked : bool, default=True
        Whether the p-value answers a question: False for one estimator's score against 0 if no null
        value was given. Texts and reports then leave it out.
    fixed : bool, default=False
        Whether the answer is about the models as they were fitted, not about models trained again.
    basis : str, default=""
        What was measured besides the splits of these sizes.
    procedure : str, default=""
        The procedure with its options, as Python writes it.
    explanation : str, default=""
        How the standard error was made, in words.
    assumption : str, default=""
        When that is right, or what it does not know, in words.
    sources : tuple of str, default=()
        The publications that the procedure rests on, the procedure's own first.
    warned : tuple of Note, default=()
        The notes that were given as warnings when the answer was made: printed, it names them by
        their codes and does not repeat their sentences.
    scores, auxiliary : CVScores or None, default=None
        What was tested, the scores or their paired difference, and those on the auxiliary splits
        of procedures that have them; None where arrays were.
    confidence_level : float, default=0.95
        At which it is reported. See `with_confidence`.
    """

    estimate: Any
    pvalue: Any = np.nan
    statistic: Any = np.nan
    standard_error: Any = np.nan
    df: Any = np.nan
    method: str = ""
    title: str = field(default="", repr=False)
    n_train: float = np.nan
    n_test: float = np.nan
    n_samples: int = 0
    n_splits: int = 0
    unit: str = "rows"
    metric: str = "score"
    label: str = UNNAMED_ESTIMATE
    estimator: str = field(default="", repr=False)
    versus: str = field(default="", repr=False)
    varies_over: str = field(default="splits", repr=False)
    notes: tuple[Note, ...] = ()
    asked: bool = True
    fixed: bool = False
    basis: str = ""
    procedure: str = field(default="", repr=False)
    explanation: str = field(default="", repr=False)
    assumption: str = field(default="", repr=False)
    sources: tuple[str, ...] = field(default=(), repr=False)
    warned: tuple[Note, ...] = field(default=(), repr=False)
    scores: CVScores | None = field(default=None, repr=False)
    auxiliary: CVScores | None = field(default=None, repr=False)
    confidence_level: float = field(default=0.95, repr=False)

    has_interval: ClassVar[bool] = False

    @abstractmethod
    def claim(self, alpha: float, pvalue: float | None = None) -> Claim:
        """Return what is shown at a level; only the procedure knows what its numbers show.

        Parameters
        ----------
        alpha : float
            The level.
        pvalue : float, default=None
            An adjusted p-value to judge by; None is its own.

        Returns
        -------
        Claim
            For one test, not for arrays of them.
        """

    @property
    def undetermined(self) -> Any:
        """Whether the scores did not vary, so that the test has no evidence to go on."""
        zero = np.asarray(self.standard_error == 0)
        return zero if zero.ndim else bool(zero)

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the values that the test would not reject.

        Parameters
        ----------
        confidence_level : float, default=None
            Strictly between 0 and 1. None is that of this result, by default 0.95.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``.

        Raises
        ------
        TypeError
            If the procedure has no interval.
        """
        raise TypeError(
            f"The {self.title} has a p-value only and no confidence interval. Use another method, "
            'such as method="corrected_resampled_t".'
        )

    def take(self, row: int, *, estimator: str = "", versus: str = "") -> Self:
        """Return one test out of an array of them.

        Parameters
        ----------
        row : int
            Its position along the only leading axis.
        estimator, versus : str, default=""
            The names of the two estimators, if it is a comparison.

        Returns
        -------
        Inference
            Of the same type, with plain numbers.
        """
        numbers = {}
        for own in fields(self):
            value = getattr(self, own.name)
            per_test = own.name in _PER_TEST or own.metadata.get("per_test", False)
            if per_test and isinstance(value, np.ndarray) and value.ndim:
                numbers[own.name] = value[row].item() if value.ndim == 1 else value[row]
        scores = None if self.scores is None else self.scores.row(row)
        auxiliary = None if self.auxiliary is None else self.auxiliary.row(row)
        label = self.label if scores is None else scores.label
        taken = replace(
            self,
            **numbers,
            scores=scores,
            auxiliary=auxiliary,
            label=label,
            estimator=estimator,
            versus=versus,
        )
        undetermined = undetermined_notes(taken.undetermined)
        kept = (note for note in self.notes if note.code != UNDETERMINED.code)
        return replace(taken, notes=(*undetermined, *kept))

    def with_confidence(self, confidence_level: float) -> Self:
        """Return the same answer, reported at another level.

        Parameters
        ----------
        confidence_level : float
            Strictly between 0 and 1: of its interval, in texts and tables too.

        Returns
        -------
        Inference
            This one is not changed.
        """
        return replace(self, confidence_level=check_level(confidence_level))

    def with_notes(self, notes: Iterable[Note]) -> Self:
        """Return the same answer with more notes.

        Parameters
        ----------
        notes : iterable of Note
            What else a reader should know.

        Returns
        -------
        Inference
            This one is not changed.
        """
        more = union(self.notes, as_notes(notes))
        return self if len(more) == len(self.notes) else replace(self, notes=more)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.statistic, self.pvalue))

    @property
    def caveat(self) -> str:
        """Why the procedure rejects true null hypotheses too often, if it does."""
        return "; ".join(note.text for note in self.notes if note.code == LIBERAL)

    @property
    def smallest_pvalue(self) -> float:
        """Below which texts say of a p-value only that it is smaller."""
        return SMALLEST_PVALUE

    @property
    def law(self) -> str:
        """The statistic's distribution as tables name it, such as "t(14)"; empty if it has none."""
        return ""

    def reference_law(self) -> str:
        """Name the distribution that the statistic is referred to, in words.

        Returns
        -------
        str
            Empty if nothing is known of it.
        """
        return ""

    def hypothesis(self, what: str) -> str:
        """Say which null hypothesis the p-value is about.

        Parameters
        ----------
        what : str
            What is tested, such as "the expected difference".

        Returns
        -------
        str
            A phrase that continues "p-values are"; empty where the procedure does not say.
        """
        return ""

    def sizes(self) -> str:
        """Say in words which splits it was measured on.

        Returns
        -------
        str
            Without a full stop.
        """
        return (
            f"{counted(self.n_splits, 'split')} of {self.n_samples} {self.unit} "
            f"({format_size(self.n_train)} to train on, {format_size(self.n_test)} to test on"
            f"{on_average(self.n_train, self.n_test).replace(' ', ', ', 1)}){self.basis}"
        )

    def trained_on(self) -> str:
        """Say in words how many rows the models whose score is estimated are trained on.

        Returns
        -------
        str
            Such as "512 rows".
        """
        return f"{format_size(self.n_train)} {self.unit}{on_average(self.n_train)}"

    def subject(self) -> str:
        """Say in words which models the answer is about.

        Returns
        -------
        str
            Such as "models trained on 512 rows".
        """
        if self.fixed:
            return "the models as they were fitted"
        return f"models trained on {self.trained_on()}"

    @property
    def paired(self) -> bool:
        """Whether differences of two estimators were tested, where the scores tell."""
        return self.scores is not None and self.scores.paired

    def scope(self) -> str:
        """Say in words what the answer is about, and what it is not about.

        Returns
        -------
        str
            Without a full stop.
        """
        if self.fixed:
            return (
                "this is about the models as they were fitted, not about models trained again by "
                "the same algorithms"
            )
        return (
            f"this is about the expected score of {self.subject()} from the same source, not "
            f"about one fitted model, nor about models trained on all {self.n_samples} {self.unit}"
            f"{f'; but {self.caveat}' if self.caveat else ''}"
        )

    def sentence(self, confidence_level: float | None = None) -> str:
        """Say in a sentence what was estimated, how, and how sure it is.

        Parameters
        ----------
        confidence_level : float, default=None
            Of the interval. None is that of this result, by default 0.95.

        Returns
        -------
        str
            With its full stop; for the test of one set of scores.
        """
        sure = ""
        level = self.confidence_level if confidence_level is None else confidence_level
        if self.has_interval and not self.undetermined:
            ends = self.confidence_interval(level)
            sure = f" ({format_interval(*ends, level)})"
        label, metric = cut(self.label, _WIDEST_LABEL), visible(self.metric)
        of = "" if self.label == UNNAMED_ESTIMATE else f" of {label}"
        what = f"difference in {metric}, {label}," if self.paired else metric + of
        return (
            f"The expected {what} is estimated as {format_number(self.estimate)}{sure} for "
            f"{self.subject()}, by the {self.title} over {self.sizes()}{self._finding()}."
        )

    def to_frame(self, confidence_level: float | None = None) -> pd.DataFrame:
        """Return one row for each test.

        Parameters
        ----------
        confidence_level : float, default=None
            Of the interval ``low`` to ``high``. None is that of this result, by default 0.95.

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimate``, ``standard_error``, ``low``, ``high``,
            ``statistic``, ``df``, ``pvalue`` and the sizes; nan is what the procedure has not.
        """
        import pandas as pd

        found = columns_of(self, confidence_level)
        columns = {name: np.ravel(column) for name, column in found.items()}
        n_rows = max(column.size for column in columns.values())
        return pd.DataFrame(
            {name: np.broadcast_to(column, n_rows) for name, column in columns.items()}
        )

    def to_dict(self, confidence_level: float | None = None) -> dict[str, Any]:
        """Return the numbers of one test as a flat dict, for trackers of experiments.

        Parameters
        ----------
        confidence_level : float, default=None
            Of the interval ``low`` to ``high``. None is that of this result, by default 0.95.

        Returns
        -------
        dict
            Of strings, numbers and None, so that ``json.dumps(..., allow_nan=False)`` writes it:
            ``method``, ``label`` (what was estimated), the columns of `to_frame`, ``n_samples``,
            ``unit``, ``confidence_level`` and ``notes``, the codes of the notes. None is what the
            procedure does not have, an infinite end of an interval, and what is no evidence: the
            statistic and p-value if they were not requested, and with the interval those of scores
            that do not vary.

        Raises
        ------
        ValueError
            If this is an array of tests, which `to_frame` has a row for each of.
        """
        return inference_dict(self, self._level(confidence_level))

    def _level(self, confidence_level: float | None) -> float:
        return self.confidence_level if confidence_level is None else check_level(confidence_level)

    def _finding(self) -> str:
        if self.undetermined:
            return ": undetermined"  # a note says why
        return f": p {format_pvalue(self.pvalue)}" if self.asked else ""

    def __str__(self) -> str:
        notes = footnotes(self.notes, self.warned)
        return "\n".join([*invalid_first(self.notes), self.sentence(), *notes])


def columns_of(inference: Any, confidence_level: float | None) -> dict[str, Any]:
    """Return the columns of ``inference.to_frame``."""
    low, high = np.nan, np.nan
    if inference.has_interval:
        low, high = inference.confidence_interval(confidence_level)
    return {
        "metric": inference.metric,
        "estimate": inference.estimate,
        "standard_error": inference.standard_error,
        "low": low,
        "high": high,
        "statistic": inference.statistic,
        "df": np.nan if isinstance(inference.df, tuple) else inference.df,
        "pvalue": inference.pvalue,
        "n_train": inference.n_train,
        "n_test": inference.n_test,
        "n_splits": inference.n_splits,
    }


def inference_dict(inference: Any, confidence_level: float) -> dict[str, Any]:
    """Return one test as a flat dict; see ``Inference.to_dict``."""
    if np.size(inference.estimate) != 1 or np.ndim(inference.estimate):
        raise ValueError(
            f"to_dict() is of one test, and this is an array of {np.size(inference.estimate)}. Use "
            "to_frame(), or take(row).to_dict() for one of them."
        )
    numbers = only_evidence(columns_of(inference, confidence_level), inference.undetermined)
    if not inference.asked:
        numbers |= {"statistic": None, "df": None, "pvalue": None}
    facts = {
        "method": inference.method,
        "label": inference.label,
        **numbers,
        "n_samples": inference.n_samples,
        "unit": inference.unit,
        "confidence_level": confidence_level,
        "notes": codes(inference.notes),
    }
    return flat_dict([((), facts)])
