"""Claim: what a test shows at a level, as one of a few kinds and in words."""

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from .._utils._text import visible


class Kind(NamedTuple):
    """What a kind of claim says of a difference, first minus second, and its words."""

    legend: str
    first_is: str  # of the first of two estimators: "3 worse" against a reference
    # Where the difference is shown to lie; 0 is the null value, -1 and 1 the bounds of the margin.
    low: float = -inf
    high: float = inf
    pvalue: str = ""  # the field of `MarginPvalues` that decides; empty: the test's own p-value
    sentence: str = ""  # with regard to a margin


# The kinds of claims, the strongest first: as in legends and counts.
KINDS = {
    "above by more": Kind(
        "shown to be above by more than the margin",
        "better by more than {high}",
        low=1,
        pvalue="better_by_more",
        sentence="{first} is better than {second} in {metric} by more than {high}",
    ),
    "below by more": Kind(
        "shown to be below by more than the margin",
        "worse by more than {low}",
        high=-1,
        pvalue="worse_by_more",
        sentence="{first} is worse than {second} in {metric} by more than {low}",
    ),
    "above by less": Kind(
        "shown to be above, by less than the margin",
        "better by less than {high}",
        low=0,
        high=1,
        sentence="{first} is better than {second} in {metric}, by less than {high}",
    ),
    "below by less": Kind(
        "shown to be below, by less than the margin",
        "worse by less than {low}",
        low=-1,
        high=0,
        sentence="{first} is worse than {second} in {metric}, by less than {low}",
    ),
    "above": Kind(
        "shown to be above",
        "better",
        low=0,
        sentence="{first} is better than {second} in {metric}, but not significantly by more than "
        "{high}",
    ),
    "below": Kind(
        "shown to be below",
        "worse",
        high=0,
        sentence="{first} is worse than {second} in {metric}, but not significantly by more than "
        "{low}",
    ),
    "different": Kind("shown to differ", "different"),
    "equivalent": Kind(
        "shown to be equivalent",
        "equivalent {within}",
        low=-1,
        high=1,
        pvalue="equivalent",
        sentence="{first} and {second} are equivalent in {metric} {within}",
    ),
    "not worse": Kind(
        "shown to be not worse",
        "not worse by more than {low}",
        low=-1,
        pvalue="not_worse",
        sentence="{first} is not worse than {second} in {metric} by more than {low}",
    ),
    "not better": Kind(
        "shown to be not better",
        "not better by more than {high}",
        high=1,
        pvalue="not_better",
        sentence="{first} is not better than {second} in {metric} by more than {high}",
    ),
    "not shown": Kind("not significant", "not significantly different"),
    "undetermined": Kind("undetermined: does not vary", "undetermined"),
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
    'shown to be equivalent'
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
