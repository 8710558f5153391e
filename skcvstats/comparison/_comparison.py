"""Comparison: one estimator against another in a metric, in its family of several; and all."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, overload

import numpy as np

from .._utils._arrays import Floats
from .._utils._checks import ConfidenceInterval, explain_arguments, listed
from .._utils._shared_arguments import alpha_of, check_level_with_margin, check_power, tails_of
from .._utils._text import counted
from ..scores import CVScores, Note, union
from ..stats import (
    OUTCOMES,
    Claim,
    CVTestResult,
    FiveByTwoCVFTest,
    Inference,
    LocationTest,
    MarginPvalues,
    Printed,
    Procedure,
    adjust_pvalues,
    claim_of,
    deciding_level,
    extremeness,
    margin_kinds,
    plain,
    student_quantile,
    tail_probability,
    variance_interval,
)
from ..stats import detectable_difference as detectable
from ._verdict import numbers_of

if TYPE_CHECKING:
    from ._pairs import PairTests

T = TypeVar("T")
# The probability with which the standard error is between the ends of `detectable_range`.
_RANGE = 0.8


class Dropped(NamedTuple):
    """An estimator or a metric that is left out of a comparison."""

    estimator: str | None
    metric: str | None
    cause: str

    def is_of(self, metric: str) -> bool:
        """Return whether something is left out of a metric."""
        return self.estimator is None or self.metric in (None, metric)


def check_reference(reference: Any, labels: Sequence[str]) -> None:
    """Raise ValueError unless the reference is an estimator, "best" or None."""
    known = [None, "best", *labels]
    if not isinstance(reference, (str, type(None))) or reference not in known:
        raise ValueError(
            f"reference={reference!r} is not among the estimators {listed(labels)}; it may also be "
            "'best', or None for all pairs."
        )
    if reference == "best" and "best" in labels:
        raise ValueError(
            "reference='best' could be the best or the one called 'best'; give it another name."
        )


class Uncached:
    """Base of dataclasses whose cached properties are computed again in copies."""

    def __getstate__(self: Any) -> dict[str, Any]:
        """Return the fields only, so that what was looked at changes neither pickle nor hash."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, eq=False)
class Family(Uncached, ABC):
    """Comparisons in one metric, with p-values and intervals that allow for their number."""

    n_comparisons: int

    # Whether intervals are adjusted too, so that they agree with the p-values.
    joint: ClassVar[bool] = True

    @abstractmethod
    def pvalues(self, inference: Inference) -> np.ndarray:
        """Return the adjusted p-value of each comparison."""

    def error_of(self, pvalues: Any) -> Any:
        """Return the standard error that simulated maxima give to p-values."""
        return 0.0 * pvalues

    def errors(self, inference: Any, pvalues: np.ndarray) -> np.ndarray:
        """Return the error of the p-values that were read from simulated maxima."""
        return np.zeros(pvalues.shape)

    @abstractmethod
    def intervals(self, inference: Inference, confidence_level: float) -> ConfidenceInterval:
        """Return the intervals that decide."""

    def critical(self, inference: Any, alpha: float, position: int) -> Any:
        """Return the critical value of the statistic of a comparison."""
        return _at_level(inference, self.own_level(alpha, position))

    def own_level(self, alpha: float, position: int) -> float:
        """Return the level at which a comparison is tested."""
        return alpha

    def margin_intervals(self, inference: Any, confidence_level: float) -> ConfidenceInterval:
        """Return the intervals that decide whether differences are within a margin."""
        return self.intervals(inference, confidence_level)

    def margin_pvalues(self, inference: Any, bounds: tuple[float, float]) -> MarginPvalues:
        """Return the adjusted p-values for a margin; nan if undetermined."""
        low, high = bounds
        return MarginPvalues(
            better_by_more=self._beyond(inference, high, "greater"),
            worse_by_more=self._beyond(inference, low, "less"),
            not_worse=self._beyond(inference, low, "greater"),
            not_better=self._beyond(inference, high, "less"),
        )

    def _beyond(self, inference: Any, bound: float, direction: str) -> np.ndarray:
        """Return the p-values of differences beyond a bound, from the intervals that decide."""
        if inference.alternative not in ("two-sided", direction):  # one-sided the other way
            return np.full(np.shape(inference.estimate), np.nan)
        moved = inference.against(bound, inference.alternative)
        statistic = np.asarray(moved.statistic)
        right = extremeness(statistic, direction) > 0
        one_sided = inference.alternative != "two-sided"
        pvalues = np.where(right | one_sided, self.pvalues(moved), 1.0)
        return np.where(np.isnan(statistic), np.nan, pvalues)


def _at_level(inference: Any, level: float) -> Any:
    """Return the critical value of each comparison by itself."""
    tails = tails_of(inference.alternative)
    return -student_quantile(inference.df, level / tails)


@dataclass(frozen=True, eq=False)
class Unadjusted(Family):
    """One comparison, or several that are not adjusted."""

    joint = False

    def pvalues(self, inference: Inference) -> np.ndarray:
        return np.asarray(inference.pvalue)

    def intervals(self, inference: Inference, confidence_level: float) -> ConfidenceInterval:
        return inference.confidence_interval(confidence_level)

    def margin_intervals(self, inference: Any, confidence_level: float) -> ConfidenceInterval:
        """Return intervals with confidence 1 - 2 alpha, which decide on equivalence."""
        check_level_with_margin(confidence_level)
        # These ends are those of one-sided intervals at the level itself.
        tails = tails_of(inference.alternative)
        return self.intervals(inference, 1 - tails * alpha_of(confidence_level))

    def margin_pvalues(self, inference: Any, bounds: tuple[float, float]) -> MarginPvalues:
        below, above = _one_sided(inference, bounds)
        return super().margin_pvalues(inference, bounds)._replace(not_worse=below, not_better=above)


@dataclass(frozen=True, eq=False)
class PvaluesOnly(Unadjusted):
    """Comparisons whose p-values are adjusted one by one, and whose intervals are not."""

    adjustment: str
    evidence: np.ndarray  # the p-values

    def pvalues(self, inference: Inference) -> np.ndarray:
        return adjust_pvalues(self.evidence, self.adjustment)

    def own_level(self, alpha: float, position: int) -> float:
        return deciding_level(self.evidence, self.adjustment, position, alpha)

    def margin_pvalues(self, inference: Any, bounds: tuple[float, float]) -> MarginPvalues:
        """Adjust p of equivalence, or one-sided of "not worse" or "not better", as a family."""
        below, above = _one_sided(inference, bounds)
        asked = {"two-sided": np.maximum(below, above), "greater": below, "less": above}
        pvalues = asked[inference.alternative]
        nothing = np.full(pvalues.shape, np.nan)
        adjusted = adjust_pvalues(np.where(np.isnan(pvalues), 1.0, pvalues), self.adjustment)
        adjusted = np.where(np.isnan(pvalues), np.nan, adjusted)
        return MarginPvalues(
            better_by_more=nothing,
            worse_by_more=nothing,
            not_worse=nothing if inference.alternative == "less" else adjusted,
            not_better=nothing if inference.alternative == "greater" else adjusted,
        )


def _one_sided(inference: Any, bounds: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Return unadjusted p-values of "not worse" and "not better"; nan in the other direction."""
    pvalues_of_sides = []
    for bound, direction in zip(bounds, ("greater", "less"), strict=True):
        pvalues = np.asarray(inference.against(bound, direction).pvalue)
        asked = inference.alternative in ("two-sided", direction)
        pvalues_of_sides.append(pvalues if asked else np.full(pvalues.shape, np.nan))
    return pvalues_of_sides[0], pvalues_of_sides[1]


@dataclass(frozen=True, eq=False)
class Bonferroni(Family):
    """Each comparison at the level alpha divided by the number of comparisons."""

    def pvalues(self, inference: Inference) -> np.ndarray:
        return np.asarray(np.minimum(1.0, self.n_comparisons * np.asarray(inference.pvalue)))

    def intervals(self, inference: Inference, confidence_level: float) -> ConfidenceInterval:
        level = self.own_level(alpha_of(confidence_level))
        usual = type(inference).confidence_interval is CVTestResult.confidence_interval
        if usual and isinstance(inference, CVTestResult):  # 1 - level would lose digits
            return inference.interval_at(_at_level(inference, level))
        return inference.confidence_interval(1 - level)

    def own_level(self, alpha: float, position: int = 0) -> float:
        return alpha / self.n_comparisons


@dataclass(frozen=True, eq=False)
class MaxT(Family):
    """The largest statistic of all against the simulated one; never less strict than each alone."""

    maxima: np.ndarray  # in the order of the draws
    n_squares: int
    n_shared: int = 1  # draws with one covariance

    @cached_property
    def _ascending(self) -> np.ndarray:
        return np.sort(self.maxima)

    def pvalues(self, inference: Any) -> np.ndarray:
        statistic = np.asarray(inference.statistic)
        bound = tail_probability(statistic, self.n_squares, inference.alternative)
        alone = tail_probability(statistic, inference.df, inference.alternative)
        return single_step(self.n_comparisons, self.tail(_extreme(inference)), alone, bound)

    def error_of(self, pvalues: Any) -> Any:
        n_draws = len(self.maxima)
        errors = np.sqrt(pvalues * (1 - pvalues) / (n_draws + 1))  # of shares of so many
        if self.n_shared == 1:
            return errors
        n_beyond = np.rint(np.nan_to_num(pvalues) * (n_draws + 1)).astype(int) - 1
        return errors * np.sqrt(self._shared[np.clip(n_beyond, 0, n_draws)])

    @cached_property
    def _shared(self) -> np.ndarray:
        """Return how many times as variable a share of 0, 1, ... maxima is as of separate draws."""
        n_draws = len(self.maxima)
        k = np.arange(1, n_draws)
        blocks = np.argsort(-self.maxima, kind="stable") // self.n_shared
        by_block = np.argsort(blocks, kind="stable")
        earlier = np.empty(n_draws)  # how many in its block are larger
        earlier[by_block] = np.arange(n_draws) - self.n_shared * blocks[by_block]
        squares = np.cumsum(2 * earlier + 1)[:-1]  # of the numbers in the blocks
        n_blocks = n_draws / self.n_shared
        ratios = (squares - k**2 / n_blocks) / (k * (1 - k / n_draws)) * n_blocks / (n_blocks - 1)
        return np.concatenate([[1.0], np.maximum(ratios, 1.0), [1.0]])

    def errors(self, inference: Any, pvalues: np.ndarray) -> np.ndarray:
        drawn = pvalues == self.tail(_extreme(inference))
        return np.where(drawn, self.error_of(pvalues), 0.0)

    def tail(self, extreme: np.ndarray) -> np.ndarray:
        """Return the share of maxima that are at least as large, the observed one included."""
        n_draws = len(self.maxima)
        beyond = n_draws - np.searchsorted(self._ascending, extreme, side="left")
        return np.asarray((1 + beyond) / (n_draws + 1))

    def quantile(self, alpha: float) -> float:
        """Return the simulated maximum whose `tail` is at most `alpha`."""
        # a product that is an integer up to rounding is that integer
        k = int(np.floor(alpha * (len(self.maxima) + 1) + 1e-9))
        return np.inf if k == 0 else float(self._ascending[-k])

    def critical(self, inference: Any, alpha: float, position: int = 0) -> Any:
        """Return the critical value of the statistics at the level of all comparisons together."""
        tails = tails_of(inference.alternative)
        single = _at_level(inference, alpha)
        bound = -student_quantile(self.n_squares, alpha / self.n_comparisons / tails)
        return np.minimum(bound, np.maximum(self.quantile(alpha), single))

    def intervals(self, inference: Any, confidence_level: float) -> ConfidenceInterval:
        together = inference.interval_at(self.critical(inference, alpha_of(confidence_level)))
        lows, highs = zip(together, inference.confidence_interval(confidence_level), strict=True)
        return ConfidenceInterval(plain(np.minimum(*lows)), plain(np.maximum(*highs)))


def _extreme(inference: Any) -> np.ndarray:
    """Return the statistics in the direction of the alternative."""
    return extremeness(np.asarray(inference.statistic), inference.alternative)


def is_symmetric(procedure: Procedure) -> bool:
    """Return whether the answer for b against a follows from that for a against b."""
    if not isinstance(procedure, LocationTest | FiveByTwoCVFTest):
        return False
    return procedure.alternative == "two-sided" and procedure.null_value == 0


def single_step(n_comparisons: int, simulated: Floats, single: Floats, bound: Floats) -> Floats:
    """Return max-t p-values, bounded by the unadjusted p-values and Bonferroni's."""
    return np.minimum(1.0, np.minimum(n_comparisons * bound, np.maximum(simulated, single)))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparison(Printed):
    """One estimator against another, in one metric.

    Parameters
    ----------
    estimator, versus : str
        Their names; the difference is `estimator` minus `versus`: positive speaks for the first.
    score, score_versus : float
        Their estimated expected scores: the means over the splits that make the procedure's
        estimate, which are all of them for most.
    test : Inference
        The test of the difference; a `CVTestResult` for most procedures.
    pvalue_adjusted : float
        The p-value adjusted for the number of comparisons in this metric; 1 if undetermined.
    family : Family
        All comparisons of the metric, and how they are adjusted for their number.
    pvalue_error : float, default=0.0
        The Monte-Carlo standard error of `pvalue_adjusted`; 0 if nothing was drawn to compute it.
    adjusted : bool, default=False
        Whether there are several, and p-values are adjusted at all.
    {shared: notes}
    confidence_level : float, default=0.95
        Of the interval in the verdict; an adjusted p-value is significant if at most 1 minus it.
    position : int, default=0
        Which of them this is.
    margin : tuple of float or None, default=None
        The differences that do not matter, low < 0 < high.
    margin_pvalues : MarginPvalues or None, default=None
        The p-values of what the margin asks, adjusted as the others are.
    """

    estimator: str
    versus: str
    score: float
    score_versus: float
    test: Inference
    pvalue_adjusted: float
    family: Family
    pvalue_error: float = 0.0
    adjusted: bool = False
    notes: tuple[Note, ...] = ()
    confidence_level: float = 0.95
    position: int = 0
    margin: tuple[float, float] | None = None
    margin_pvalues: MarginPvalues | None = None

    @explain_arguments()
    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the interval that decides: adjusted for the number of comparisons if p-values are.

        Parameters
        ----------
        confidence_level : float, default=None
            None is that of the comparison. With ``adjustment="max_t"`` and ``"bonferroni"`` it is
            the confidence that all intervals of the metric cover at once; otherwise, as in
            ``test.confidence_interval()``, that of this interval by itself.

        {Returns: interval}
        """
        level = self._level(confidence_level)
        return self.family.intervals(self.test, level)

    @property
    def alpha(self) -> float:
        """The level of the test that the verdict is of, 0.05 for 95 % confidence."""
        return alpha_of(self.confidence_level)

    @property
    def metric(self) -> str:
        """What the scores measure."""
        return self.test.metric

    @property
    def claim(self) -> Claim:
        """What is shown at the level `alpha`, by the adjusted p-values."""
        alpha = self.alpha
        pvalue = self.pvalue_adjusted
        if self.margin_pvalues is not None:
            kind = margin_kinds(self.test, pvalue, self.margin_pvalues, alpha)
            return claim_of(self.test, kind, alpha, self.margin)
        return self.test.claim(alpha, pvalue)

    @property
    def outcome(self) -> str:
        """The outcome, in the words of the tables; the `claim` has it as a sentence.

        For most procedures ``"higher"`` or ``"lower"`` than the null value, ``"not significant"``,
        or ``"undetermined"`` where the scores do not vary. With a margin also ``"equivalent"``,
        ``"not worse"``, ``"not better"``, and ``"higher by more"`` than it or ``"higher by less"``.
        """
        return OUTCOMES[self.claim.kind]

    def margin_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the interval that decides whether the difference is within the margin.

        Parameters
        ----------
        confidence_level : float, default=None
            Of `confidence_interval`. None is that of the comparison.

        Returns
        -------
        ConfidenceInterval
            For one comparison it has the confidence 1 - 2 alpha, 90 % for verdicts at the 5 %
            level; in a family of adjusted intervals it is the same as `confidence_interval`.
        """
        level = self._level(confidence_level)
        return self.family.margin_intervals(self.test, level)

    def detectable_difference(self, power: float = 0.8) -> float:
        """Return about the true difference that this comparison shows with a wanted power.

        Parameters
        ----------
        power : float, default=0.8
            How often the difference is to be shown, at the level `alpha`.

        Returns
        -------
        float
            The size of the difference, in the metric's unit; nan where the scores do not vary. A
            smaller difference may well be there although none was found.

        Raises
        ------
        TypeError
            If the procedure has no standard error of the difference, or is for rows in time order.

        See Also
        --------
        Comparison.detectable_range : Where it lies, as the standard error is an estimate.
        SplitPlan.detectable_difference : The same for other numbers of splits.

        Notes
        -----
        The estimated standard error is taken for the true one, so the number is only about right;
        `detectable_range` says how much so. The critical value is the one that decided this
        comparison: with ``"max_t"`` and ``"bonferroni"`` that of the family, with other adjustments
        Student's quantile at the level that this p-value had to reach, given the p-values of the
        others. It does not depend on the estimated difference: the power at that ("observed power")
        only restates the p-value.
        """
        check_power(power)
        if not self.test._has_power:
            raise TypeError(
                f"The {self.test.title} has no detectable difference, as it has no standard error "
                'or one that is too rough. Use another method, such as "corrected_resampled_t", or '
                "read the interval."
            )
        critical = self.family.critical(self.test, self.alpha, self.position)
        test = self.test
        return float(detectable(test.standard_error, test.df, critical, power, test.alternative))

    def detectable_range(self, power: float = 0.8) -> ConfidenceInterval:
        """Return the 80 % range of `detectable_difference`.

        Parameters
        ----------
        power : float, default=0.8
            How often the difference is to be shown, at the level `alpha`.

        Returns
        -------
        ConfidenceInterval
            The differences at the ends of the 80 % interval of the standard error, which is an
            estimate; nan for tests that refer to the normal distribution, where it is not known.

        Raises
        ------
        TypeError
            Where `detectable_difference` does.

        See Also
        --------
        Comparison.detectable_difference : The number itself, and what it assumes.
        """
        size = self.detectable_difference(power)
        low, high = np.sqrt(variance_interval(1.0, self.test.df, _RANGE))
        return ConfidenceInterval(float(size * low), float(size * high))

    def verdict(self) -> str:
        """Say in words what is shown, with its numbers.

        {Returns: words}
        """
        return str(self).removesuffix(".")

    def __str__(self) -> str:
        from ..words import sentence

        return f"{sentence(self, numbers=numbers_of(self))}."

    __repr__ = __str__


def choose_metric(metrics: Sequence[str], then: str) -> str:
    """Return the message of an error: what is asked for needs one metric."""
    example = f"result[{metrics[0]!r}].{then}"
    return f"There are several metrics: {listed(metrics)}. Choose one, for example {example}."


class LazySequence(Sequence[T], Generic[T]):
    """A sequence whose items are made on access, and kept."""

    def __init__(self, length: int, make: Callable[[int], T]) -> None:
        self._length = length
        self._make = make
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, k: int) -> T: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[T, ...]: ...
    def __getitem__(self, k: int | slice) -> T | tuple[T, ...]:
        if isinstance(k, slice):
            return tuple(map(self.__getitem__, range(self._length)[k]))
        try:
            position = range(self._length)[k]
        except (IndexError, TypeError) as error:
            raise type(error)(
                f"There is no comparison at {k!r}: there are {self._length}, numbered from 0. "
                "Where no pairs were compared, result.pairs() compares them."
            ) from None
        if position not in self._made:
            self._made[position] = self._make(position)
        return self._made[position]

    def __repr__(self) -> str:
        kind = type(self[0]).__name__ if self._length else "Comparison"
        return f"<{counted(self._length, kind)}>"


# What is looked for in a result, and where it is.
_ELSEWHERE = {
    "pvalue": "Each comparison has its own: result[0].test.pvalue; result.to_frame() has all.",
    "summary": "print(result) is the summary; evaluation_report(result) has all that is known.",
    "to_html": "evaluation_report(result).to_html() is a page, result.to_frame() the table.",
}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparisons(Uncached, Printed):
    """All comparisons that were made, metric by metric."""

    tests_by_metric: "dict[str, PairTests]"

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order given."""
        return tuple(self.tests_by_metric)

    @property
    def _first(self) -> "PairTests":
        return next(iter(self.tests_by_metric.values()))

    @cached_property
    def comparisons(self) -> Sequence[Comparison]:
        """Every comparison made, metric by metric, the best estimators first."""
        return LazySequence(len(self), self._comparison)

    def _comparison(self, k: int) -> Comparison:
        for tests in self.tests_by_metric.values():
            if k < len(tests):
                break
            k -= len(tests)
        return tests.comparison(k)

    @cached_property
    def tests(self) -> Sequence[Inference]:
        """The test of each comparison."""
        return LazySequence(len(self.comparisons), self._test)

    def _test(self, k: int) -> Inference:
        return self.comparisons[k].test

    @property
    def scores_by_metric(self) -> dict[str, CVScores]:
        """For each metric the scores, of shape (n_estimators, n_splits)."""
        return {metric: tests.scores for metric, tests in self.tests_by_metric.items()}

    @property
    def auxiliary_by_metric(self) -> dict[str, CVScores]:
        """The same on the auxiliary splits; empty if the procedure has none."""
        return {
            metric: tests.auxiliary
            for metric, tests in self.tests_by_metric.items()
            if tests.auxiliary is not None
        }

    @property
    def scores(self) -> CVScores:
        """The scores of the only metric, of shape (n_estimators, n_splits)."""
        if len(self.metrics) > 1:
            raise AttributeError(choose_metric(self.metrics, "scores"))
        return self._first.scores

    def to_latex(self) -> str:
        r"""Return the table of the comparisons for a paper: a tabular with the rules of booktabs.

        Returns
        -------
        str
            The decimals of a column are aligned: all of its numbers have the same number of them,
            two digits of the smallest standard error. It needs ``\usepackage{booktabs}``.

        See Also
        --------
        skcvstats.evaluation_report : The whole report, in LaTeX too.
        """
        from ..words import latex_of

        return latex_of(self)

    def to_markdown(self) -> str:
        """Return the table of the comparisons for a page, in GitHub's markdown.

        Returns
        -------
        str
            With the same columns and decimals as `to_latex`.

        See Also
        --------
        skcvstats.evaluation_report : The whole report, in markdown too.
        """
        from ..words import markdown_of

        return markdown_of(self)

    if not TYPE_CHECKING:  # whose attributes are those that there are

        def __getattr__(self, name):
            if name not in _ELSEWHERE:
                return object.__getattribute__(self, name)  # raises the usual error
            what = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(f"{what}. {_ELSEWHERE[name]}", name=name, obj=self)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The limitations of any of the comparisons."""
        return union(*(tests.all_notes for tests in self.tests_by_metric.values()))

    @property
    def margin(self) -> tuple[float, float] | None:
        """The differences that do not matter, low < 0 < high; None without a margin."""
        return self._first.margin

    @property
    def names(self) -> tuple[str, ...]:
        """The estimators that are compared in any of the metrics."""
        labels = chain.from_iterable(scores.labels for scores in self.scores_by_metric.values())
        return tuple(dict.fromkeys(labels))

    @property
    def n_adjusted(self) -> int:
        """The number of comparisons for which p-values are adjusted, in each metric.

        If estimators were left out of some metrics, it is the largest of these numbers.
        """
        return max(tests.decided.family.n_comparisons for tests in self.tests_by_metric.values())

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __contains__(self, key: object) -> bool:
        """Return whether this is a metric of the result, or one of its comparisons."""
        return key in self.metrics or key in self.comparisons

    def __len__(self) -> int:
        return sum(map(len, self.tests_by_metric.values()))
