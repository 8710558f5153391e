"""Claim: what a test shows at a level, also with regard to a margin, in words for each kind."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple, Self

import numpy as np

from .._utils._checks import ConfidenceInterval, brief, is_array, is_finite
from .._utils._metrics import known_of, shown_as
from .._utils._shared_arguments import check_alpha, check_level_with_margin
from .._utils._text import cut, format_number, format_percent, visible
from ._sample import plain


class Words(NamedTuple):
    """Words about two estimators: short ones about the first, as in "3 lower", and a sentence."""

    short: str
    long: str
    of_loss: str = ""  # the sentence about a loss, if it is another


class Kind(NamedTuple):
    """A kind of claim: its words, and where it puts the difference, first minus second."""

    legend: str
    short: str  # about the first of two estimators: "3 lower" against a reference
    long: str  # a sentence about both
    # Where the difference is shown to lie; 0 is the null value, -1 and 1 the bounds of the margin.
    low: float = -inf
    high: float = inf
    pvalue: str = ""  # the field of `MarginPvalues` that decides; empty: the test's own p-value
    question: str = ""  # what that p-value is for
    of_loss: str = ""  # the sentence about a loss, if it is another


# The kinds of claims, the strongest first: as in legends and counts.
KINDS = {
    "above by more": Kind(
        "higher by more than the margin",
        "higher by more than {high}",
        "{first} is better than {second} in {metric} by more than {high}",
        low=1,
        pvalue="better_by_more",
        question="more than {high}",
    ),
    "below by more": Kind(
        "lower by more than the margin",
        "lower by more than {low}",
        "{first} is worse than {second} in {metric} by more than {low}",
        high=-1,
        pvalue="worse_by_more",
        question="more than {low}",
    ),
    "above by less": Kind(
        "higher, by less than the margin",
        "higher by less than {high}",
        "{first} is better than {second} in {metric}, by less than {high}",
        low=0,
        high=1,
    ),
    "below by less": Kind(
        "lower, by less than the margin",
        "lower by less than {low}",
        "{first} is worse than {second} in {metric}, by less than {low}",
        low=-1,
        high=0,
    ),
    "above": Kind(
        "significantly higher",
        "higher",
        "{first} scores significantly higher than {second} in {metric}",
        low=0,
        of_loss="{first} has a significantly lower {metric} than {second}",
    ),
    "below": Kind(
        "significantly lower",
        "lower",
        "{first} scores significantly lower than {second} in {metric}",
        high=0,
        of_loss="{first} has a significantly higher {metric} than {second}",
    ),
    "different": Kind(
        "significantly different",
        "different",
        "{first} and {second} differ significantly in {metric}",
    ),
    "equivalent": Kind(
        "equivalent",
        "equivalent {within}",
        "{first} and {second} are equivalent in {metric} {within}",
        low=-1,
        high=1,
        pvalue="equivalent",
        question="equivalence",
    ),
    "not worse": Kind(
        "not worse",
        "not worse by more than {low}",
        "{first} is not worse than {second} in {metric} by more than {low}",
        low=-1,
        pvalue="not_worse",
        question="not worse",
    ),
    "not better": Kind(
        "not better",
        "not better by more than {high}",
        "{first} is not better than {second} in {metric} by more than {high}",
        high=1,
        pvalue="not_better",
        question="not better",
    ),
    "not shown": Kind(
        "not significant",
        "neither different nor equivalent {within}",
        "neither a significant difference between {first} and {second} in {metric} nor "
        "equivalence {within} was found",
    ),
    "undetermined": Kind(
        "undetermined: does not vary",
        "undetermined",
        "the estimated variance of {what} is 0, so no conclusion can be drawn",
    ),
}
# The outcome of a comparison is its kind of claim, in the words of the tables.
OUTCOMES = {kind: kind.replace("above", "higher").replace("below", "lower") for kind in KINDS}
OUTCOMES["not shown"] = "not significant"
# The words where a kind of claim is wanted and is not made.
OPEN = {
    "different": Words(
        "not significantly different",
        "no significant difference between {first} and {second} in {metric} was found",
    ),
    "above": Words(
        "not significantly higher",
        "{first} does not score significantly higher than {second} in {metric}",
        "{first} does not have a significantly lower {metric} than {second}",
    ),
    "below": Words(
        "not significantly lower",
        "{first} does not score significantly lower than {second} in {metric}",
        "{first} does not have a significantly higher {metric} than {second}",
    ),
    "equivalent": Words(
        "possibly not equivalent {within}",
        "equivalence of {first} and {second} in {metric} {within} was not shown",
    ),
    "not worse": Words(
        "possibly worse by more than {low}",
        "{first} could be worse than {second} in {metric} by more than {low}",
    ),
    "not better": Words(
        "possibly better by more than {high}",
        "{first} could be better than {second} in {metric} by more than {high}",
    ),
}
# What a margin adds to a direction.
_NOT_BY_MORE = {
    "above": ", but not significantly by more than {high}",
    "below": ", but not significantly by more than {low}",
}
BESIDE = {"two-sided": "different from", "greater": "above", "less": "below"}
_ASKED_OF_MARGIN = {"two-sided": "equivalent", "greater": "not worse", "less": "not better"}
# The words where nothing is significant, by whether there is a margin, and by the alternative.
_NOT_SHOWN: dict[tuple[bool, str], Kind | Words] = {
    (False, "two-sided"): OPEN["different"],
    (False, "greater"): OPEN["above"],
    (False, "less"): OPEN["below"],
    (True, "two-sided"): KINDS["not shown"],
    (True, "greater"): OPEN["not worse"],
    (True, "less"): OPEN["not better"],
}


@dataclass(frozen=True)
class Claim:
    """What a test shows, or does not show, at a level.

    Parameters
    ----------
    kind : str
        "above" or "below" the null value, "different" from it without a direction, "not shown", or
        "undetermined" where the scores do not vary. With regard to a margin also "equivalent",
        "not worse", "not better", and "above by more", "below by more", "above by less" or "below
        by less" than the margin.
    words : str
        The same as a sentence without a full stop, with the names of the estimators.
    brief : str, default=""
        The same in few words, for a legend or a count; empty takes those of the kind.

    Raises
    ------
    ValueError
        If `kind` is not one of these.

    Examples
    --------
    >>> from skcvstats.stats import Claim
    >>> Claim("equivalent", "tree and forest are equivalent in accuracy").brief
    'equivalent'
    """

    kind: str
    words: str
    brief: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind={self.kind!r} is not known; choose one of {list(KINDS)}.")
        object.__setattr__(self, "words", visible(self.words))
        if not self.brief:
            object.__setattr__(self, "brief", KINDS[self.kind].legend)


def words_of(
    kind: str,
    names: tuple[str, str],
    metric: str,
    margin: tuple[float, float] | None = None,
    sides: str = "two-sided",
    *,
    shown: bool = True,
) -> Words:
    """Return the words for a kind of claim about two estimators, also where it is not made."""
    template: Kind | Words = KINDS[kind] if shown else OPEN[kind]
    if kind == "not shown":
        template = _NOT_SHOWN[margin is not None, sides]
    short = template.short
    long = template.long
    read = shown_as(metric)
    if read.is_loss:
        short = better(short)
        long = template.of_loss or long
    values = {
        "first": names[0],
        "second": names[1],
        "metric": read.name,
        "what": f"the difference in {read.name}",
    }
    if margin is not None:
        more = _NOT_BY_MORE.get(kind, "")
        short += more
        long += more
        values["low"] = format_number(-margin[0])
        values["high"] = format_number(margin[1])
        values["within"] = within(margin)
    return Words(short.format(**values), long.format(**values))


def better(words: str) -> str:
    """Return words about a score as words about a loss, for which lower is better."""
    return words.replace("higher", "better").replace("lower", "worse")


def claim_of(
    test: Any, kind: Any, alpha: float, margin: tuple[float, float] | None = None
) -> Claim:
    """Return the claim about an expected score, or the difference of two estimators, at a level."""
    if np.ndim(kind):
        raise ValueError(
            f"claim() is of one test, and these are {np.size(kind)}. Test each difference by "
            "itself, as result.take(0), or compare .pvalue with the level."
        )
    kind = str(kind)
    level = f"at the {format_percent(alpha)} level"
    if kind == "undetermined":
        metric = shown_as(test.metric).name
        what = f"the difference in {metric}" if test.versus else metric
        return Claim(kind, f"Undetermined: {KINDS[kind].long.format(what=what)}")
    if margin is not None:
        return _claim_about_pair(test, kind, level, margin, "")
    brief = _brief_claim(test, kind)
    if test.versus and test.null_value == 0:
        is_plain = kind == "not shown" and test.alternative == "two-sided"
        return _claim_about_pair(test, kind, level, None, "" if is_plain else brief)
    return _claim_about_value(test, kind, level, brief)


def _brief_claim(test: Any, kind: str) -> str:
    """Return the side of the null value in few words."""
    read = shown_as(test.metric, bool(test.versus))
    side = kind if kind in ("above", "below") else BESIDE[test.alternative]
    significantly = "not significantly" if kind == "not shown" else "significantly"
    return f"{significantly} {read.side(side)} {format_number(read.number(test.null_value))}"


def _claim_about_value(test: Any, kind: str, level: str, brief: str) -> Claim:
    """Return the claim about a score, or about a difference and a null value other than 0."""
    read = shown_as(test.metric)
    what = f"{read.name} of {cut(test.label)}"
    if test.versus:
        pair = read.difference(cut(test.estimator), cut(test.versus))
        what = f"difference {pair} in {read.name}"
    verdict = f"is {brief}"
    if kind == "different":
        null = shown_as(test.metric, bool(test.versus)).number(test.null_value)
        verdict = f"differs significantly from {format_number(null)}"
    return Claim(kind, f"The expected {what} {verdict} {level}", brief)


def _claim_about_pair(
    test: Any, kind: str, level: str, margin: tuple[float, float] | None, brief: str
) -> Claim:
    """Return the claim about the difference of two estimators and 0, or a margin."""
    is_open = kind == "not shown"
    names = (cut(test.estimator) or "the first", cut(test.versus) or "the second")
    words = words_of(kind, names, test.metric, margin, test.alternative).long
    capitalised = f"{words[0].upper()}{words[1:]}"
    if is_open and test.alternative == "two-sided":
        words = capitalised
        if margin is None:
            level += "; that is not evidence of equality"
    elif is_open and margin is not None:
        return Claim(kind, f"Undecided {level}: {words}", brief)
    elif not test.estimator:
        words = capitalised
    return Claim(kind, f"{words} {level}", brief)


def within(bounds: tuple[float, float]) -> str:
    """Return where an equivalent difference lies, in words."""
    low, high = bounds
    if low == -high:
        return f"within {format_number(high)}"
    return f"between {format_number(low)} and {format_number(high)}"


class MarginPvalues(NamedTuple):
    """The p-values for a margin; nan if they do not apply or are undetermined."""

    better_by_more: Any
    worse_by_more: Any
    not_worse: Any
    not_better: Any

    @property
    def equivalent(self) -> Any:
        """The p-value of equivalence: the larger of the last two."""
        return plain(np.maximum(self.not_worse, self.not_better))

    def row(self, k: int) -> Self:
        """Return the p-values of one comparison."""
        return type(self)(*(float(pvalues[k]) for pvalues in self))


def margin_kinds(test: Any, pvalue: Any, margin: MarginPvalues, alpha: float) -> Any:
    """Return the kind of claim: the first that is shown."""
    shown = np.asarray(pvalue) <= alpha
    above = shown & (np.asarray(test.estimate) > 0)
    below = shown & (np.asarray(test.estimate) < 0)
    more, less, not_worse, not_better = np.asarray(margin) <= alpha
    kinds = {
        "undetermined": np.asarray(test.undetermined),
        "above by more": more,
        "below by more": less,
        "above by less": above & not_better,
        "above": above,
        "below by less": below & not_worse,
        "below": below,
        "equivalent": not_worse & not_better,
        "not worse": not_worse,
        "not better": not_better,
    }
    return np.select(list(kinds.values()), list(kinds), default="not shown")


def margin_question(
    kind: str, pvalues: MarginPvalues, bounds: tuple[float, float], alternative: str
) -> tuple[str, float]:
    """Return the question of the verdict, or else of the margin, and its p-value."""
    # A verdict with a direction also says whether the difference is more than the margin.
    asked = KINDS.get(f"{kind} by more", KINDS[kind])
    if not asked.pvalue or np.isnan(getattr(pvalues, asked.pvalue)):
        asked = KINDS[_ASKED_OF_MARGIN[alternative]]
    low = format_number(abs(bounds[0]))
    high = format_number(abs(bounds[1]))
    return asked.question.format(low=low, high=high), getattr(pvalues, asked.pvalue)


_LEAST = float(np.nextafter(0.0, 1.0))  # the least number above 0


def check_bounds(
    margin: Any, *, least: float = _LEAST, metrics: Iterable[str] = ()
) -> tuple[float, float]:
    """Return the bounds of a margin, `least` or more to each side and within the metrics."""
    is_pair = is_array(margin)
    bounds = list(margin) if is_pair else [margin, margin]
    if len(bounds) != 2 or not all(map(is_finite, bounds)):
        raise ValueError(
            f"margin={brief(margin)} must be a finite number such as 0.01, or a pair of them such "
            "as (-0.01, 0.02), in the unit of the metric. Metrics of other units need calls of "
            "their own."
        )
    low, high = bounds
    if not is_pair:
        low = -high
    if not low <= -least <= least <= high:
        raise ValueError(
            f"margin={margin!r} does not reach to both sides of 0; give a number above 0, or a "
            "lower bound below 0 and then an upper bound above it."
        )
    for metric in metrics:
        _, lowest, highest = known_of(metric)
        if max(-low, high) >= highest - lowest:
            raise ValueError(
                f"margin={margin!r} covers every difference: {metric} ranges from {lowest:g} to "
                f"{highest:g}. Give a smaller one, such as 0.01; divide percentage points by 100."
            )
    return float(low), float(high)


@dataclass(frozen=True, eq=False, kw_only=True)
class EquivalenceResult:
    """Whether a difference is within a margin, by two one-sided tests.

    Parameters
    ----------
    margin : tuple of float
        The bounds, low < 0 < high, in the metric's unit.
    not_worse : CVTestResult
        The test that the difference is above the lower bound.
    not_better : CVTestResult
        The test that it is below the upper bound.

    See Also
    --------
    CVTestResult.equivalence : Makes it.

    Notes
    -----
    Equivalence is shown at the level alpha where both tests reject at that level, which is exactly
    where the 1 - 2 alpha interval lies within the margin [1]_.

    References
    ----------
    .. [1] D. J. Schuirmann, "A Comparison of the Two One-Sided Tests Procedure and the Power
       Approach for Assessing the Equivalence of Average Bioavailability", Journal of
       Pharmacokinetics and Biopharmaceutics 15, 1987.
    """

    margin: tuple[float, float]
    not_worse: Any
    not_better: Any

    @property
    def pvalue(self) -> Any:
        """The p-value of equivalence, the larger of the two; nan if undetermined."""
        return self.pvalues.equivalent

    @property
    def pvalues(self) -> MarginPvalues:
        """The p-values of the four questions that a margin asks, for one comparison.

        Those of "better by more" and "worse by more" are two-sided, as the test of a difference.
        """
        low, high = self.margin
        up = self.not_worse.against(high, "greater")
        down = self.not_worse.against(low, "less")
        return MarginPvalues(
            better_by_more=plain(np.minimum(1.0, 2 * np.asarray(up.pvalue))),
            worse_by_more=plain(np.minimum(1.0, 2 * np.asarray(down.pvalue))),
            not_worse=self.not_worse.pvalue,
            not_better=self.not_better.pvalue,
        )

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval that decides: equivalence is shown where it is within the margin.

        Parameters
        ----------
        confidence_level : float, default=0.95
            One minus the level alpha of the test, above 0.5. The interval itself has the confidence
            1 - 2 alpha: 90 % for the test at the 5 % level.

        {Returns: interval}
        """
        check_level_with_margin(confidence_level)
        low = self.not_worse.confidence_interval(confidence_level).low
        high = self.not_better.confidence_interval(confidence_level).high
        return ConfidenceInterval(low, high)

    def claim(self, alpha: float = 0.05) -> Claim:
        """Return what is shown at a level: whether the difference matters, or does not.

        Parameters
        ----------
        alpha : float, default=0.05
            The level, below 0.5. Any verdict is false with at most this probability.

        Returns
        -------
        Claim
            For one test, not for arrays of them.

        Raises
        ------
        ValueError
            If the level is not between 0 and 0.5, or these are several tests.
        """
        if check_alpha(alpha) >= 0.5:
            raise ValueError(
                f"alpha={alpha!r} must be below 0.5: equivalence is read from the interval of the "
                "confidence 1 - 2 alpha."
            )
        test = self.not_worse.against(0.0, "two-sided")
        kind = margin_kinds(test, test.pvalue, self.pvalues, alpha)
        return claim_of(test, kind, alpha, self.margin)

    def __str__(self) -> str:
        if np.ndim(self.pvalue):
            return f"Equivalence tests of shape {np.shape(self.pvalue)}; p-values in .pvalue."
        from ..words import sentence_of_equivalence

        return f"{sentence_of_equivalence(self)}."
