"""Inference: the result of a procedure of any kind."""

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import compress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from .._utils._checks import ConfidenceInterval, explain_arguments
from .._utils._metrics import shown_as
from .._utils._shared_arguments import check_alpha, check_level, select_columns
from .._utils._text import (
    SMALLEST_PVALUE,
    counted,
    first_of,
    flat_dict,
    format_number,
    format_pvalue,
    format_size,
    only_evidence,
    verb,
)
from .._utils._warn import carry, warn_user
from ..exceptions import DegenerateScoresWarning
from ..scores import (
    CVScores,
    Note,
    NoteOnTests,
    NotesOnEach,
    SplitDesign,
    as_notes,
    codes_of,
    notes_about,
    union,
    warn_of,
)
from ._claim import Claim
from ._sample import Sample, plain, plain_flags

if TYPE_CHECKING:
    import pandas as pd


# The label of an estimate without a name.
UNNAMED_ESTIMATE = "estimate"
_COLUMNS = (
    *("metric", "estimate", "standard_error", "low", "high", "statistic", "df", "pvalue"),
    *("n_train", "n_test", "n_splits"),
)
# The metadata of a field that has an entry for each test.
PER_TEST = MappingProxyType({"per_test": True})


class PValueRange(NamedTuple):
    """Where a p-value would mostly (80 %) lie with other folds.

    Parameters
    ----------
    low, high : float or ndarray
        The ends.
    """

    low: Any
    high: Any


class Noted:
    """Results that have `notes`."""

    def notes_frame(self: Any) -> "pd.DataFrame":
        """Return one row for each note.

        Returns
        -------
        DataFrame
            Columns ``code``, which :doc:`/notes` explains, ``"note"`` for a user's own note;
            ``text``; ``about``, a tuple of the estimators that the text names, if it is about these
            only; and ``category``, the name of the note's class of warnings, None where it is no
            warning.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcvstats import cross_val_inference
        >>> result = cross_val_inference(GaussianNB(), *load_iris(return_X_y=True))
        >>> result.notes_frame()[["code", "category"]]
             code category
        0  method     None
        """
        import pandas as pd

        rows = [(note.code, note.text, note.about, note.category_name) for note in self.notes]
        return pd.DataFrame(rows, columns=["code", "text", "about", "category"], dtype=object)


class Printed(Noted):
    """Results whose words are written by the room above."""

    def __str__(self) -> str:
        from ..words import text_of

        return text_of(self)

    __repr__ = __str__  # because a prompt shows it

    def _repr_html_(self) -> str:
        from ..words import html_of

        return html_of(self)

    def _level(self: Any, confidence_level: float | None) -> float:
        """Return the level asked for, else that of the result."""
        if isinstance(confidence_level, str) and confidence_level in getattr(self, "metrics", ()):
            raise ValueError(
                f"{confidence_level!r} is a metric, where a confidence level is expected. Choose "
                f"the metric first: result[{confidence_level!r}] has the same methods."
            )
        return self.confidence_level if confidence_level is None else check_level(confidence_level)

    @property
    def _codes(self: Any) -> str:
        """The codes of the notes, each once; a user's own note is listed by its text."""
        return codes_of(self.notes)


@dataclass(frozen=True)
class Description:
    """What texts say of a procedure, in phrases without a full stop: see `Procedure.describe`."""

    splits: str = ""
    basis: str = ""
    explanation: str = ""
    assumption: str = ""
    sources: tuple[str, ...] = ()
    varies_over: str = "splits"
    has_posterior: bool = False
    title: str = ""  # where it depends on the test set; else the procedure has it


@dataclass(frozen=True)
class ResultDescription:
    """What texts say of an answer, in phrases without a full stop: see `Inference.describe`."""

    procedure: Description
    splits: str = ""
    sizes: str = ""
    subject: str = ""
    scope: str = ""
    finding: str = ""
    law: str = ""
    reference_law: str = ""
    hypothesis: str = ""
    smallest_pvalue: float = SMALLEST_PVALUE
    joined: str = ", "  # what stands between the title of the procedure and the sizes

    @property
    def basis(self) -> str:
        """What was measured besides the splits of these sizes."""
        return self.procedure.basis

    @property
    def explanation(self) -> str:
        """How the standard error is made."""
        return self.procedure.explanation

    @property
    def assumption(self) -> str:
        """When the standard error is right, or what it does not know."""
        return self.procedure.assumption

    @property
    def sources(self) -> tuple[str, ...]:
        """The publications that the procedure comes from."""
        return self.procedure.sources

    @property
    def varies_over(self) -> str:
        """What does not vary where a test is undetermined."""
        return self.procedure.varies_over

    @property
    def has_posterior(self) -> bool:
        """Whether the statistic's distribution is also the posterior of the true value."""
        return self.procedure.has_posterior


@dataclass(frozen=True)
class Reporting:
    """How an answer is shown, which changes none of its numbers."""

    asked: bool = True
    confidence_level: float = 0.95
    warned: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class Origin:
    """What an answer was made from: the procedure, the splits, and the scores if they are known."""

    procedure: Any
    design: SplitDesign
    halves: SplitDesign | None = None  # the auxiliary splits
    scores: CVScores | None = None
    auxiliary: CVScores | None = None  # those on the auxiliary splits
    estimator: str = ""
    versus: str = ""
    notes_on_each: NotesOnEach = field(default_factory=dict)  # of several tests

    @property
    def metric(self) -> str:
        """What the scores measure."""
        return "score" if self.scores is None else self.scores.metric

    @property
    def label(self) -> str:
        """What was estimated."""
        return UNNAMED_ESTIMATE if self.scores is None else self.scores.label

    @property
    def paired(self) -> bool:
        """Whether the scores are differences, if that is known."""
        return False if self.scores is None else bool(self.scores.paired)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Inference(Printed, ABC):
    """What a procedure answers: an estimate, how sure it is, and what it was measured on.

    The answer of a `LocationTest` is a `CVTestResult`. A procedure of another form derives a class
    of its own from this one, with the numbers that it has and the claim that they allow;
    ``Procedure.run`` adds what it was measured on. Where the scores had leading axes, numbers are
    arrays of that shape; a further field with an entry for each test is marked by
    ``field(metadata={"per_test": True})``.

    {Parameters: estimate}
    pvalue, statistic, standard_error : float or ndarray, default=nan
        What the procedure has of them.
    df : float, tuple or ndarray, default=nan
        Degrees of freedom of the statistic's distribution.
    {shared: notes, origin, reporting}

    Attributes
    ----------
    method, title, n_train, n_test, n_samples, n_splits, unit, metric, label : object
        As in `CVTestResult`, which explains these and all others.
    """

    estimate: Any = field(metadata=PER_TEST)
    pvalue: Any = field(default=np.nan, metadata=PER_TEST)
    statistic: Any = field(default=np.nan, metadata=PER_TEST)
    standard_error: Any = field(default=np.nan, metadata=PER_TEST)
    df: Any = field(default=np.nan, metadata=PER_TEST)
    notes: tuple[Note, ...] = ()
    origin: Origin = field(default=None, repr=False)  # type: ignore[assignment]
    reporting: Reporting = field(default=Reporting(), repr=False)

    has_interval: ClassVar[bool] = False
    # Whether the statistic has Student's, the normal or the F distribution under a null value.
    _of_null_value: ClassVar[bool] = False
    _fixed_models: ClassVar[tuple[str, ...]] = (  # one, or several
        "the model as it was fitted",
        "the models as they were fitted",
    )
    # Whether its standard error tells which differences would have been shown.
    _has_power: ClassVar[bool] = False
    # The p-value if scores do not vary, for the warning.
    _convention: ClassVar[str] = ", so no conclusion can be drawn"
    # What its repr shows.
    _shown: ClassVar[tuple[str, ...]] = (
        *("estimate", "pvalue", "statistic", "standard_error", "df", "method", "n_train", "n_test"),
        *("n_samples", "n_splits", "unit", "metric", "label", "notes", "asked", "fixed", "basis"),
    )

    @property
    def asked(self) -> bool:
        """Whether the p-value answers a question."""
        return self.reporting.asked

    @property
    def confidence_level(self) -> float:
        """The level of the intervals; verdicts are at the level 1 minus it."""
        return self.reporting.confidence_level

    @property
    def warned(self) -> tuple[Note, ...]:
        """The notes that were given as warnings."""
        return self.reporting.warned

    @property
    def method(self) -> str:
        """The procedure's name."""
        return str(self.origin.procedure.name)

    @property
    def title(self) -> str:
        """The procedure's name in words."""
        return str(self.origin.procedure.title)

    @property
    def fixed(self) -> bool:
        """Whether it is about the models as they were fitted."""
        return bool(self.origin.procedure.fixed)

    @property
    def null_value(self) -> Any:
        """The value under test, that of the procedure."""
        return self.origin.procedure.null_value

    @property
    def alternative(self) -> str:
        """The alternative, that of the procedure."""
        return str(self.origin.procedure.alternative)

    @property
    def n_train(self) -> int | float:
        """Training size of the splits."""
        return self.origin.design.train_size

    @property
    def n_test(self) -> int | float:
        """Test size of the splits."""
        return self.origin.design.test_size

    @property
    def n_samples(self) -> int:
        """Size of the pool of the splits."""
        return self.origin.design.n_samples

    @property
    def n_splits(self) -> int:
        """Number of splits."""
        return self.origin.design.n_splits

    @property
    def unit(self) -> str:
        """What the sizes count."""
        return self.origin.design.unit

    @property
    def metric(self) -> str:
        """What the scores measure."""
        return self.origin.metric

    @property
    def label(self) -> str:
        """What was estimated."""
        return self.origin.label

    @property
    def estimator(self) -> str:
        """The first estimator of a comparison."""
        return self.origin.estimator

    @property
    def versus(self) -> str:
        """The second estimator of a comparison."""
        return self.origin.versus

    @property
    def scores(self) -> Any:
        """The scores that were tested."""
        return self.origin.scores

    @property
    def auxiliary(self) -> Any:
        """The auxiliary scores."""
        return self.origin.auxiliary

    @property
    def paired(self) -> bool:
        """Whether differences were tested, if known."""
        return self.origin.paired

    @property
    def procedure(self) -> str:
        """The procedure with its options, as Python writes it."""
        return repr(self.origin.procedure)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "claim" in vars(cls) and "kinds" not in vars(cls):  # those of another claim
            cls.kinds = Inference.kinds  # type: ignore[method-assign]

    @abstractmethod
    def claim(self, alpha: float, pvalue: float | None = None) -> Claim:
        """Return what is shown at a level; only the procedure knows what its numbers show.

        {Parameters: alpha}
        pvalue : float, default=None
            An adjusted p-value to judge by; None is its own.

        Returns
        -------
        Claim
            For one test, not for arrays of them: "above" or "below" the null value, "different"
            where the procedure has no direction, "not shown" or "undetermined".
        """

    def kinds(self, alpha: float, pvalues: Any) -> Any:
        """Return the kind of the `claim` of each test of an array.

        {Parameters: alpha}
        pvalues : ndarray of shape (n_tests,)
            The adjusted p-values to judge by.

        Returns
        -------
        ndarray of str
            By default each test is taken and claims by itself.
        """
        check_alpha(alpha)
        kinds = [self.take(k).claim(alpha, p).kind for k, p in enumerate(pvalues.tolist())]
        return np.array(kinds, dtype=str)

    @property
    def undetermined(self) -> Any:
        """Whether the scores did not vary, so that the test has no evidence to go on."""
        return plain_flags(self.standard_error == 0)

    @property
    def _error_at_estimate(self) -> Any:
        """The standard error where the estimate is the truth, and not the null value."""
        return self.standard_error

    @explain_arguments()
    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the values that the test would not reject.

        The interval of a single score is cut at the ends of the metric's range, beyond which no
        true score is: that does not change its coverage. Where the scores do not vary it has no
        width, which is no evidence: `undetermined` is true, and tables and files leave it out.

        {Parameters: own level}
        {Returns: interval}

        Raises
        ------
        TypeError
            If the procedure has no interval.
        """
        self._level(confidence_level)
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
        numbers: dict[str, Any] = {}
        for one_field in fields(self):
            value = getattr(self, one_field.name)
            if hasattr(value, "_fields"):  # a named tuple of numbers of each test
                numbers[one_field.name] = value._make(_number_of(part, row) for part in value)
            elif one_field.metadata.get("per_test", False):
                numbers[one_field.name] = _number_of(value, row)
        origin = replace(
            self.origin,
            scores=_scores_of(self.scores, row),
            auxiliary=_scores_of(self.auxiliary, row),
            estimator=estimator,
            versus=versus,
            notes_on_each={},
        )
        names: Sequence[str] | None = [estimator, versus]
        if not estimator:
            names = self._names_at(row)
        notes = notes_about(self.notes, names, self.origin.notes_on_each, row)
        return replace(self, **numbers, origin=origin, notes=notes)

    def _names_at(self, row: int) -> Sequence[str] | None:
        """Return the name of the estimator that a test is about, None if that is not known."""
        scores: CVScores | None = self.scores
        if scores is None or scores.paired or not scores.labels:
            return None
        return scores.labels[row : row + 1]

    def with_confidence(self, confidence_level: float) -> Self:
        """Return the same answer, reported at another level.

        {Parameters: new level}
        {Returns: same type}
        """
        level = check_level(confidence_level)
        return replace(self, reporting=replace(self.reporting, confidence_level=level))

    def with_notes(self, notes: Iterable[Note]) -> Self:
        """Return the same answer with more notes.

        Parameters
        ----------
        notes : iterable of Note
            What else a reader should know.

        {Returns: same type}
        """
        return replace(self, notes=union(self.notes, as_notes(notes)))

    def _with_notes_on_tests(self, notes_on_tests: Collection[NoteOnTests]) -> Self:
        """Return the same answer with more notes on some of its tests."""
        if not notes_on_tests:
            return self
        notes = list(self.notes)
        on_each = dict(self.origin.notes_on_each)
        for note in notes_on_tests:
            notes.append(note.together)
            on_each[note.together.code] = note.on_each
        origin = replace(self.origin, notes_on_each=on_each)
        return replace(self, notes=union(notes), origin=origin)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.statistic, self.pvalue))

    @property
    def pvalue_error(self) -> Any:
        """The Monte-Carlo standard error of the p-value; 0 where nothing is drawn."""
        return 0.0

    @property
    def pvalue_over_folds(self) -> PValueRange | None:
        """Where p would mostly (80 %) lie with other folds; None if that is not known."""
        return None

    @property
    def beside(self) -> dict[str, Any]:
        """Further numbers of each test for frames of comparisons, by the name of their column."""
        return {}

    @property
    def varies_over(self) -> str:
        """What the standard error is made from, the variation over these."""
        return self.describe().varies_over

    @property
    def _more_evidence(self) -> str:
        """What to do where too little could be shown."""
        if self.fixed:
            return "more test rows would help"
        return "more data would help, and up to a point more splits"

    @property
    def basis(self) -> str:
        """What was measured besides the splits of these sizes."""
        return self.describe().basis

    def describe(self) -> ResultDescription:
        """Return what texts and reports say of the answer.

        Returns
        -------
        ResultDescription
            Phrases without a full stop: ``sizes``, the splits, such as "15 splits (n = 100, train
            90, test 10)", and ``splits``, the same without sizes; ``subject``, which models it is
            about; ``scope``, what it is about and what not; ``finding``, the statistic and the
            p-value; ``law``, the statistic's distribution as tables name it, such as "t(14)";
            ``reference_law``, the same in words; ``hypothesis``, which continues "p-values are".
            What is not known is empty. And ``smallest_pvalue``, below which texts say only that a
            p-value is smaller, and ``procedure``, what ``Procedure.describe`` returned, whose
            phrases are attributes here too. An answer with words of its own returns
            ``dataclasses.replace(super().describe(), ...)``.
        """
        procedure = self._describe_procedure()
        splits = procedure.splits or counted(self.n_splits, "split")
        subject, scope = self._models()
        description = ResultDescription(
            procedure=procedure,
            splits=splits,
            sizes=f"{splits} ({self._sizes()}){procedure.basis}",
            subject=subject,
            scope=scope,
        )
        if np.ndim(self.estimate):
            return description
        finding = f"p {format_pvalue(self.pvalue)}" if self.asked else ""
        if self._of_null_value:
            short, law = _laws(self.df)
            description = replace(
                description, law=short, reference_law=law, hypothesis=self._hypothesis()
            )
            if finding and not isinstance(self.df, tuple):  # F has no direction
                read = shown_as(self.metric, self.paired)
                statistic = f"{short} = {format_number(read.number(self.statistic))}"
                null = format_number(read.number(self.null_value))
                finding = f"{statistic}, {finding} ({read.side(self.alternative)}, against {null})"
        if self.undetermined:
            finding = "undetermined"  # a note says why
        return replace(description, finding=finding)

    def _describe_procedure(self) -> Description:
        """Describe the procedure on what was measured."""
        description: Description = self.origin.procedure.describe(
            self.origin.design, self.origin.halves
        )
        return description

    def _sizes(self) -> str:
        """Return the sizes of the pool and of the splits."""
        unit = "" if self.unit == "rows" else f" {self.unit}"
        tested = format_size(float(np.mean(self.origin.design.n_test)))  # not the harmonic mean
        return f"n = {self.n_samples}{unit}, train {format_size(self.n_train)}, test {tested}"

    def _models(self) -> tuple[str, str]:
        """Return which models it is about, and what it is about and what not."""
        if self.fixed:
            several = bool(self.paired or np.ndim(self.estimate))
            subject = self._fixed_models[several]
            others = f"the same algorithm{'s' * several}"
            return subject, f"this is about {subject}, not about models trained again by {others}"
        if isinstance(self.n_train, int):
            rows = counted(self.n_train, self.unit[:-1])
        else:
            rows = f"{format_size(self.n_train)} {self.unit} on average"
        subject = f"models trained on {rows}"
        scope = (
            f"this is about the expected score of {subject} from the same source, not about one "
            f"fitted model, nor about models trained on all {self.n_samples} {self.unit}"
        )
        return subject, scope

    def _hypothesis(self) -> str:
        """Return the hypothesis that was tested, which continues "p-values are"."""
        read = shown_as(self.metric, self.paired)
        what = "difference" if self.paired else "score"
        null = format_number(read.number(self.null_value))
        kind, bound = {
            "two-sided": ("two-sided", null),
            "greater": ("one-sided", f"at most {null}"),
            "less": ("one-sided", f"at least {null}"),
        }[read.side(self.alternative)]
        return f"{kind}, of the hypothesis that the expected {what} is {bound}"

    def to_frame(
        self, confidence_level: float | None = None, *, full: bool = False
    ) -> "pd.DataFrame":
        """Return one row for each test.

        {Parameters: own level, full}

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimate``, ``standard_error``, ``low``, ``high``,
            ``statistic``, ``df``, ``pvalue`` and the sizes; nan is what the procedure has not.
            With ``full=True`` also ``n_samples``, ``unit``, ``method`` and ``note``, the codes of
            the notes.
        """
        import pandas as pd

        columns = self._columns(confidence_level)
        columns |= {"n_samples": self.n_samples, "unit": self.unit}
        columns |= {"method": self.method, "note": self._codes}
        arrays = np.broadcast_arrays(*map(np.ravel, columns.values()))
        frame = pd.DataFrame(dict(zip(columns, arrays, strict=True)))
        return select_columns(frame, _COLUMNS, full)

    def to_dict(self, confidence_level: float | None = None) -> dict[str, Any]:
        """Return the numbers of one test as a flat dict, for trackers of experiments.

        {Parameters: own level}

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
        level = self._level(confidence_level)
        if np.ndim(self.estimate):
            raise ValueError(
                f"to_dict() is of one test, and this is an array of {np.size(self.estimate)}. Use "
                "to_frame(), or take(row).to_dict() for one of them."
            )
        numbers = only_evidence(self._columns(level), self.undetermined)
        if not self.asked:
            numbers |= {"statistic": None, "df": None, "pvalue": None}
        facts = {
            "method": self.method,
            "label": self.label,
            **numbers,
            "n_samples": self.n_samples,
            "unit": self.unit,
            "confidence_level": level,
            "notes": self._codes,
        }
        return flat_dict([((), facts)])

    def _columns(self, confidence_level: float | None) -> dict[str, Any]:
        """Return the columns of `to_frame`."""
        low = np.nan
        high = np.nan
        if self.has_interval:
            low, high = self.confidence_interval(confidence_level)
        columns = {name: getattr(self, name, np.nan) for name in _COLUMNS}
        columns |= {"low": low, "high": high}
        if isinstance(self.df, tuple):
            columns["df"] = np.nan
        return columns

    _repr_html_ = None  # type: ignore[assignment]  # a notebook shows the repr

    def __repr__(self) -> str:
        names = self._shown
        if self.origin is None:
            names = tuple(field.name for field in fields(self))
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"


def _number_of(numbers: Any, row: int) -> Any:
    """Return the number of one test; a single number is that of all."""
    if not isinstance(numbers, np.ndarray):
        return numbers
    number = numbers[row]
    return number if np.ndim(number) else number.item()


def _scores_of(scores: CVScores | None, row: int) -> CVScores | None:
    """Return the scores of one test; a single row is that of all."""
    return scores if scores is None or scores.values.ndim == 1 else scores._take(row)


def _laws(df: Any) -> tuple[str, str]:
    """Return the distribution of a statistic as tables name it, and in words."""
    if isinstance(df, tuple):
        degrees = "{:g} and {:g}".format(*df)
        return "F({:g}, {:g})".format(*df), f"the F distribution with {degrees} degrees of freedom"
    if not math.isfinite(df):
        return "z", "the normal distribution"
    degrees = f"{df:.0f}" if float(df).is_integer() else format_number(df)
    noun = verb(df, "degree", "degrees")
    return f"t({df:g})", f"Student's t distribution with {degrees} {noun} of freedom"


def warn_once(
    inferences: Collection[Inference],
    notes: Iterable[Note],
    warned_before: Iterable[Note] = (),
    **measured: Any,
) -> tuple[Note, ...]:
    """Warn of scores that do not vary, and of new notes; return the notes that warn."""
    notes = tuple(notes)
    known_notes = set(warned_before)
    try:
        for inference in inferences:
            if np.any(inference.undetermined):
                where = f" in {inference.metric}" if len(inferences) > 1 else ""
                warn_user(
                    f"{_who_is_constant(inference, where)} do not vary over the "
                    f"{inference.varies_over}{inference._convention}. Use more test rows or a "
                    "finer metric.",
                    DegenerateScoresWarning,
                )
        warn_of(note for note in notes if note not in known_notes)
    except Warning as warning:
        if measured:
            carry(warning, **measured)
        raise
    return tuple(note for note in notes if note.category)


def _who_is_constant(inference: Inference, where: str) -> str:
    """Name the scores that do not vary."""
    if inference.scores is None:
        return "The scores"
    undetermined = np.asarray(inference.undetermined)
    if undetermined.ndim == 0 or not inference.scores.labels:
        return f"{inference.label}: the scores{where}"
    names = list(compress(inference.scores.labels, undetermined))
    return f"{first_of(names, 3)}: the scores{where}"


def checked_inference(procedure: Any, inference: Any, sample: Sample) -> Any:
    """Return the answer of a procedure with arrays of the right shape, or say what is wrong."""
    who = f"{type(procedure).__name__}.infer"
    if not isinstance(inference, Inference):
        raise TypeError(
            f"{who} returned {type(inference).__name__}; it must return an object of a class that "
            "is derived from skcvstats.stats.Inference."
        )
    shape = sample.values.shape[:-1]
    numbers: dict[str, Any] = {
        "estimate": checked_number(f"{who}: estimate", inference.estimate, shape),
        "pvalue": checked_number(f"{who}: pvalue", inference.pvalue, shape, 0, 1),
    }
    for name, low in {"statistic": -np.inf, "standard_error": 0.0, "df": 0.0}.items():
        value = getattr(inference, name)
        if not isinstance(value, tuple):  # two degrees of freedom
            numbers[name] = checked_number(f"{who}: {name}", value, shape, low, missing=True)
    return replace(inference, **numbers, notes=as_notes(inference.notes, f"{who}: notes"))


def checked_number(
    what: str,
    value: Any,
    shape: tuple[int, ...],
    low: float = -np.inf,
    high: float = np.inf,
    *,
    missing: bool = False,
) -> Any:
    """Return a number, or an array with one for each test, after checking it."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{what} is {value!r} of dtype {array.dtype}; it must be a number.")
    array = array.astype(float)
    if array.shape != shape and not (missing and array.ndim == 0):
        raise ValueError(
            f"{what} has shape {array.shape} for scores of shape {(*shape, 'n_splits')}; give one "
            "for each row of sample.values: work along the last axis only."
        )
    wrong = ~((array >= low) & (array <= high) | (missing & np.isnan(array)))
    if wrong.any():
        raise ValueError(
            f"{what} is {array[wrong][0]}; it must be a number from {low:g} to {high:g}."
        )
    return plain(array)
