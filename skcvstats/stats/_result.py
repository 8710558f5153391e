"""CVTestResult: what a test answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils import (
    ConfidenceInterval,
    check_level,
    counted,
    format_interval,
    format_law,
    format_number,
    format_pvalue,
    format_size,
    on_average,
    table_html,
)
from ._student import interval

if TYPE_CHECKING:
    import pandas as pd

    from ..scores import CVScores


# What was estimated, where nobody named it.
UNNAMED_ESTIMATE = "estimate"


@dataclass(frozen=True, eq=False, kw_only=True)
class CVTestResult:
    """The answer of a test: an estimate, how sure it is, and what it was measured on.

    It unpacks as ``statistic, pvalue``, as SciPy's results do. Where the scores had leading axes,
    the numbers are arrays of that shape.

    Parameters
    ----------
    statistic, pvalue : float or ndarray
        The test statistic and its p-value.
    df : float
        Degrees of freedom of Student's law; inf for the normal law.
    estimate, standard_error : float or ndarray
        The estimated expected score (or difference of scores) at training size `n_train`, and its
        standard error.
    null_value : float or ndarray
        The value under test.
    alternative : {"two-sided", "less", "greater"}
        Where the true value lies if not at the null value.
    n_train, n_test : float
        Training and test size of the splits (mean and harmonic mean where they differ).
    n_samples : int
        Size of the pool that the splits were drawn from.
    n_splits : int
        Number of splits.
    correction : float
        What the procedure's sample variance (see its Notes) was multiplied by to get the squared
        standard error.
    method : str
        The procedure's name.
    title : str
        The procedure's name in words.
    varies_over : str, default="splits"
        What the values vary over that the standard error is made from.
    label : str, default="estimate"
        What was estimated.
    metric : str, default="score"
        What the scores measure.
    unit : {"rows", "groups"}, default="rows"
        What the sizes count.
    notes : tuple of str, default=()
        What a reader should know.
    asked : bool, default=True
        Whether the p-value answers a question: False for one estimator's score against 0 where
        nobody gave a null value. Texts and reports leave it out then.
    fixed : bool, default=False
        Whether the answer is about the models as they were fitted, not about models trained anew.
    basis : str, default=""
        What was measured besides the splits that the sizes tell of.
    procedure : str, default=""
        The procedure with its options, as Python writes it.
    caveat : str, default=""
        Why the procedure rejects true null hypotheses too often, if it does; also among the notes.
    explanation : str, default=""
        How the standard error was made, in words.
    assumption : str, default=""
        When that is right, or what it does not know, in words.
    sources : tuple of str, default=()
        Keys of the publications that the procedure rests on, the procedure's own first.
    scores, auxiliary : CVScores or None, default=None
        What was tested, the scores or their paired difference, and those on the further splits of
        procedures that have them; None where arrays were.
    """

    statistic: Any
    pvalue: Any
    df: float
    estimate: Any
    standard_error: Any
    null_value: Any
    alternative: str
    n_train: float
    n_test: float
    n_samples: int
    n_splits: int
    correction: float
    method: str
    title: str = field(repr=False)
    varies_over: str = field(default="splits", repr=False)
    label: str = UNNAMED_ESTIMATE
    metric: str = "score"
    unit: str = "rows"
    notes: tuple[str, ...] = ()
    asked: bool = True
    fixed: bool = False
    basis: str = ""
    procedure: str = field(default="", repr=False)
    caveat: str = field(default="", repr=False)
    explanation: str = field(default="", repr=False)
    assumption: str = field(default="", repr=False)
    sources: tuple[str, ...] = field(default=(), repr=False)
    scores: CVScores | None = field(default=None, repr=False)
    auxiliary: CVScores | None = field(default=None, repr=False)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.statistic, self.pvalue))

    @property
    def undetermined(self) -> Any:
        """Whether the scores did not vary, so that the test has no evidence to go on."""
        return self.standard_error == 0

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the values that the test would not reject.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; one-sided where the alternative is.
        """
        return interval(
            check_level(confidence_level),
            estimate=self.estimate,
            standard_error=self.standard_error,
            df=self.df,
            alternative=self.alternative,
        )

    def to_frame(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """Return one row for each test.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the interval ``low`` to ``high``.

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimate``, ``standard_error``, ``low``, ``high``,
            ``statistic``, ``df``, ``pvalue`` and the sizes.
        """
        import pandas as pd

        low, high = self.confidence_interval(confidence_level)
        columns = {
            "metric": self.metric,
            "estimate": self.estimate,
            "standard_error": self.standard_error,
            "low": low,
            "high": high,
            "statistic": self.statistic,
            "df": self.df,
            "pvalue": self.pvalue,
            "n_train": self.n_train,
            "n_test": self.n_test,
            "n_splits": self.n_splits,
        }
        columns = {name: np.ravel(column) for name, column in columns.items()}
        n_rows = max(column.size for column in columns.values())
        return pd.DataFrame(
            {name: np.broadcast_to(column, n_rows) for name, column in columns.items()}
        )

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
                "this is about the models as they were fitted, not about models trained anew by "
                "the same algorithms"
            )
        return (
            f"this is about the expected score of {self.subject()} from the same source, not "
            f"about one fitted model, nor about models trained on all {self.n_samples} {self.unit}"
            f"{f'; but {self.caveat}' if self.caveat else ''}"
        )

    def sided(self) -> str:
        """Say in words which alternative the p-value is for.

        Returns
        -------
        str
            Such as "two-sided".
        """
        two_sided = self.alternative == "two-sided"
        return self.alternative if two_sided else f"one-sided (alternative: {self.alternative})"

    def sentence(self, confidence_level: float = 0.95) -> str:
        """Say in a sentence what was estimated, how, and how sure it is.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the interval.

        Returns
        -------
        str
            With its full stop; for the test of one set of scores.
        """
        ends = format_interval(*self.confidence_interval(confidence_level), confidence_level)
        sure = "" if self.undetermined else f" ({ends})"
        of = "" if self.label == UNNAMED_ESTIMATE else f" of {self.label}"
        what = f"difference in {self.metric}, {self.label}," if self.paired else self.metric + of
        return (
            f"The expected {what} is estimated as {format_number(self.estimate)}{sure} for "
            f"{self.subject()}, by the {self.title} over {self.sizes()}{self._finding()}."
        )

    def _finding(self) -> str:
        if self.undetermined:
            return ": undetermined"  # a note says why
        if not self.asked:
            return ""
        return (
            f": {format_law(self.df)} = {format_number(self.statistic)}, "
            f"p {format_pvalue(self.pvalue)} "
            f"({self.alternative}, against {format_number(self.null_value)})"
        )

    def __str__(self) -> str:
        if np.ndim(self.statistic):
            table = self._short_table().to_string(index=False, na_rep="-")
            return f"{self.title}, {self.sizes()}\n{table}"
        return self.sentence() + "".join(f"\nNote: {note}." for note in self.notes)

    def _short_table(self) -> pd.DataFrame:
        """Return the table without what no reader should take for evidence."""
        frame = self.to_frame().astype({"df": float})
        numbers = ["low", "high", "statistic", "pvalue"]
        frame.loc[np.ravel(self.undetermined), numbers] = np.nan
        return frame if self.asked else frame.drop(columns=["statistic", "df", "pvalue"])

    def _repr_html_(self) -> str:
        frame = self._short_table()
        heading = str(self) if not np.ndim(self.statistic) else f"{self.title}, {self.sizes()}"
        return table_html(heading, list(frame.columns), frame.to_numpy().tolist())
