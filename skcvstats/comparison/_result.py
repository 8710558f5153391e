"""ComparisonResult: estimators compared pair by pair, best first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NoReturn

from .._utils import (
    alpha_of,
    check_level,
    counted,
    format_interval,
    format_number,
    format_percent,
    format_pvalue,
    listed,
    sentence,
    table_html,
)
from ..scores import CVScores
from ..stats import CVTestResult

if TYPE_CHECKING:
    import pandas as pd

# What a method of adjusting p-values is called in a sentence.
ADJUSTERS = {
    "holm": "Holm's method",
    "hochberg": "Hochberg's method",
    "bonferroni": "Bonferroni's method",
    "bh": "the method of Benjamini and Hochberg",
    "by": "the method of Benjamini and Yekutieli",
}
# Sentences printed before a reader is better served by the table alone.
_MOST_SENTENCES = 10


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """One estimator against another, in one metric.

    Parameters
    ----------
    estimator, versus : str
        Their names; the difference is `estimator` minus `versus`, so positive speaks for
        `estimator`.
    score, score_versus : float
        Their estimated expected scores: the means over the splits that make the procedure's
        estimate, which are all of them for most.
    test : CVTestResult
        The test of the difference.
    pvalue_adjusted : float
        The p-value adjusted for the number of comparisons in this metric; 1 if undetermined.
    adjusted : bool, default=False
        Whether there are several, and p-values are adjusted at all.
    notes : tuple of str, default=()
        What weakens this comparison.
    confidence_level : float, default=0.95
        Of the interval in the verdict; what has an adjusted p-value below 1 minus it is shown.
    """

    estimator: str
    versus: str
    score: float
    score_versus: float
    test: CVTestResult
    pvalue_adjusted: float
    adjusted: bool = False
    notes: tuple[str, ...] = ()
    confidence_level: float = 0.95

    @property
    def alpha(self) -> float:
        """The level of the test that the verdict is of, 0.05 for 95 % confidence."""
        return alpha_of(self.confidence_level)

    @property
    def metric(self) -> str:
        """What the scores measure."""
        return self.test.metric

    @property
    def outcome(self) -> str:
        """What is shown at the level `alpha`.

        ``"above"`` or ``"below"`` the null value, ``"not shown"``, or ``"undetermined"`` where the
        scores do not vary.
        """
        if self.test.undetermined:
            return "undetermined"
        if not self.pvalue_adjusted < self.alpha:
            return "not shown"
        return "above" if self.test.estimate > self.test.null_value else "below"

    def verdict(self) -> str:
        """Say in words what is shown, with its numbers.

        Returns
        -------
        str
            Without a full stop.
        """
        low, high = self.test.confidence_interval(self.confidence_level)
        numbers = (
            f"{self.estimator} - {self.versus} = {format_number(self.test.estimate)}, "
            f"{format_interval(low, high, self.confidence_level)}"
        )
        if self.outcome == "undetermined":
            return (
                f"Undetermined: the estimated variance of the difference in {self.metric} is 0, "
                f"which is no evidence ({self.estimator} - {self.versus} = "
                f"{format_number(self.test.estimate)})"
            )
        name = "adjusted p" if self.adjusted else "p"
        claim = self._not_shown() if self.outcome == "not shown" else self._shown()
        return f"{claim} ({numbers}, {name} {format_pvalue(self.pvalue_adjusted)})"

    def __str__(self) -> str:
        return f"{self.verdict()}."

    def _shown(self) -> str:
        above = self.outcome == "above"
        level = f"at the {format_percent(self.alpha)} level"
        if self.test.null_value == 0:
            direction = "higher" if above else "lower"
            return (
                f"{self.estimator} scores significantly {direction} than {self.versus} in "
                f"{self.metric} {level}"
            )
        side = "above" if above else "below"
        return f"{self._difference()} is significantly {side} {self._null()} {level}"

    def _not_shown(self) -> str:
        start = f"Not shown at the {format_percent(self.alpha)} level that"
        two_sided = self.test.alternative == "two-sided"
        if self.test.null_value != 0:
            relation = {"two-sided": "differs from", "greater": "is above", "less": "is below"}
            what = relation[self.test.alternative]
            return f"{start} {self._difference(lower=True)} {what} {self._null()}"
        if two_sided:
            return (
                f"{start} {self.estimator} and {self.versus} differ in {self.metric}, which is no "
                "proof that they are equal"
            )
        direction = "higher" if self.test.alternative == "greater" else "lower"
        return f"{start} {self.estimator} scores {direction} than {self.versus} in {self.metric}"

    def _difference(self, *, lower: bool = False) -> str:
        start = "the" if lower else "The"
        return f"{start} expected difference {self.estimator} - {self.versus} in {self.metric}"

    def _null(self) -> str:
        return format_number(self.test.null_value)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ComparisonResult:
    """The answer of `compare_estimators`, `compare_scores` and `compare_candidates`.

    ``print(result)`` gives the verdict and a short table, `to_frame` the whole one. With several
    metrics, ``result["roc_auc"]`` is the result of that metric, of this same type.

    Parameters
    ----------
    comparisons : tuple of Comparison
        Every comparison made, the best estimators first.
    scores_by_metric : dict of str to CVScores
        For each metric the scores, of shape (n_estimators, n_splits).
    auxiliary_by_metric : dict of str to CVScores
        The same on the further splits of a procedure that has them, else empty.
    reference : str or None
        What the estimators were compared with: the name of one, ``"best"``, or None for all pairs.
    adjustment : str
        How p-values were adjusted, within each metric.
    """

    comparisons: tuple[Comparison, ...]
    scores_by_metric: dict[str, CVScores]
    auxiliary_by_metric: dict[str, CVScores]
    reference: str | None
    adjustment: str

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order given."""
        return tuple(self.scores_by_metric)

    @property
    def scores(self) -> CVScores:
        """The scores of the one metric, of shape (n_estimators, n_splits)."""
        if len(self.metrics) > 1:
            raise AttributeError  # for which `__getattr__` has the words
        return self.scores_by_metric[self.metrics[0]]

    @property
    def tests(self) -> tuple[CVTestResult, ...]:
        """The test of each comparison."""
        return tuple(one.test for one in self.comparisons)

    @property
    def confidence_level(self) -> float:
        """Of the intervals and of the verdicts; see `with_confidence`."""
        return self.comparisons[0].confidence_level

    def with_confidence(self, confidence_level: float) -> ComparisonResult:
        """Return the same result, told at another level.

        Parameters
        ----------
        confidence_level : float
            Strictly between 0 and 1: of the intervals; verdicts are at the level 1 minus it.

        Returns
        -------
        ComparisonResult
            This one is not changed.
        """
        check_level(confidence_level)
        comparisons = (replace(one, confidence_level=confidence_level) for one in self.comparisons)
        return replace(self, comparisons=tuple(comparisons))

    @property
    def n_adjusted(self) -> int:
        """The number of comparisons in each metric, for which p-values are adjusted."""
        return len(self.comparisons) // len(self.metrics)

    def adjusted(self) -> str:
        """Say in words how p-values were adjusted for the number of comparisons.

        Returns
        -------
        str
            Without a full stop.
        """
        number = counted(self.n_adjusted, "comparison")
        if self.adjustment == "none":
            return f"neither p-values nor intervals are adjusted for {number}"
        return f"p-values are adjusted by {ADJUSTERS[self.adjustment]} for {number}, intervals not"

    if not TYPE_CHECKING:  # which would take it that any name may be asked for

        def __getattr__(self, name: str) -> NoReturn:
            # What is asked for is most often that of the only comparison.
            owner = next((one for one, names in _OWNERS.items() if name in names), None)
            hint = "" if owner is None else f". Each comparison has its own: {owner}.{name}."
            if name == "scores":
                hint = (
                    f", as there are several metrics: {listed(self.metrics)}. Choose one, for "
                    f"example result[{self.metrics[0]!r}].scores."
                )
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}{hint}",
                name=name,
                obj=self,
            )

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def __getitem__(self, metric: str) -> ComparisonResult:
        """Return the result of one metric."""
        if metric not in self.scores_by_metric:
            by_position = " By position there are result.comparisons[0] and result.tests[0]."
            hint = "" if isinstance(metric, str) else by_position
            raise KeyError(f"{metric!r} is not among the metrics {list(self.metrics)}.{hint}")
        return replace(
            self,
            comparisons=tuple(one for one in self.comparisons if one.metric == metric),
            scores_by_metric={metric: self.scores_by_metric[metric]},
            auxiliary_by_metric={
                name: one for name, one in self.auxiliary_by_metric.items() if name == metric
            },
        )

    def to_frame(self, confidence_level: float | None = None) -> pd.DataFrame:
        """Return one row for each comparison, the best estimators first.

        Parameters
        ----------
        confidence_level : float, default=None
            Of the intervals ``low`` to ``high``; each is for its own comparison, not adjusted.
            None is that of this result, 0.95 if it is not told otherwise.

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimator``, ``versus``, their estimated ``score`` and
            ``score_versus``, the ``difference`` (positive speaks for `estimator`) with its
            ``standard_error``, ``low`` and ``high``, the ``statistic``, ``df``, ``pvalue``,
            ``pvalue_adjusted`` and a ``note`` of what weakens the comparison.
        """
        import pandas as pd

        level = self.confidence_level if confidence_level is None else confidence_level
        return pd.DataFrame([_row(one, level) for one in self.comparisons])

    def _heading(self) -> str:
        test = self.tests[0]
        return sentence(f"{test.title} over {test.sizes()}")

    def _footing(self) -> list[str]:
        test = self.tests[0]
        lines = [f"Scores are those of {test.subject()}; greater is better."]
        if self.n_adjusted > 1:
            lines.append(sentence(self.adjusted()))
        notes = dict.fromkeys(note for one in self.comparisons for note in one.notes)
        return lines + [f"Note: {note}." for note in notes]

    def _short_table(self) -> pd.DataFrame:
        """Return what fits a terminal: no column that is the same in all rows or said above."""
        left_out = ["standard_error", "statistic", "df", "note"]
        left_out += ["metric"] if len(self.metrics) == 1 else []
        left_out += [] if self.comparisons[0].adjusted else ["pvalue_adjusted"]
        numbers = ["low", "high", "pvalue", "pvalue_adjusted"]
        frame = self.to_frame()
        frame.loc[[bool(test.undetermined) for test in self.tests], numbers] = float("nan")
        return frame.drop(columns=left_out)

    def sentences(self) -> list[str]:
        """Return the first comparisons as sentences, and how many more there are.

        Returns
        -------
        list of str
            With their full stops.
        """
        shown = [str(one) for one in self.comparisons[:_MOST_SENTENCES]]
        left = len(self.comparisons) - len(shown)
        return shown + ([f"{counted(left, 'more comparison')} in the table."] if left else [])

    def __str__(self) -> str:
        table = self._short_table().to_string(index=False, float_format=format_number, na_rep="-")
        return "\n".join([self._heading(), *self.sentences(), "", table, "", *self._footing()])

    def __repr__(self) -> str:
        names = next(iter(self.scores_by_metric.values())).labels
        return (
            f"ComparisonResult({counted(len(names), 'estimator')}, "
            f"{counted(len(self.comparisons), 'comparison')}, metrics={list(self.metrics)}, "
            f"reference={self.reference!r}, adjustment={self.adjustment!r})"
        )

    def _repr_html_(self) -> str:
        frame = self._short_table()
        heading = "\n".join([self._heading(), *self.sentences(), *self._footing()])
        return table_html(heading, list(frame.columns), frame.to_numpy().tolist())


def _public(cls: Any) -> set[str]:
    return {one.name for one in fields(cls)} | {name for name in dir(cls) if name[0] != "_"}


# Where a result has what it does not have itself.
_OWNERS = {
    "result.comparisons[0]": _public(Comparison),
    "result.tests[0]": _public(CVTestResult),
}


def _row(one: Comparison, confidence_level: float) -> Mapping[str, Any]:
    low, high = one.test.confidence_interval(confidence_level)
    return {
        "metric": one.metric,
        "estimator": one.estimator,
        "versus": one.versus,
        "score": one.score,
        "score_versus": one.score_versus,
        "difference": one.test.estimate,
        "standard_error": one.test.standard_error,
        "low": low,
        "high": high,
        "statistic": one.test.statistic,
        "df": one.test.df,
        "pvalue": one.test.pvalue,
        "pvalue_adjusted": one.pvalue_adjusted,
        "note": "; ".join(one.notes),
    }
