"""Claim: what a test shows at a level, as one of a few kinds and in words."""

from __future__ import annotations

from dataclasses import dataclass

from .._utils._text import visible

# The kinds of claims, the strongest first, with their words in a legend or a count.
KINDS = {
    "above by more": "shown to be above by more than the margin",
    "below by more": "shown to be below by more than the margin",
    "above by less": "shown to be above, by less than the margin",
    "below by less": "shown to be below, by less than the margin",
    "above": "shown to be above",
    "below": "shown to be below",
    "different": "shown to differ",
    "equivalent": "shown to be equivalent",
    "not worse": "shown to be not worse",
    "not better": "shown to be not better",
    "not shown": "not shown",
    "undetermined": "undetermined: does not vary",
}


@dataclass(frozen=True)
class Claim:
    """What a test shows, or does not show, at a level.

    Parameters
    ----------
    kind : str
        A key of `KINDS`: "above" or "below" the null value, "different" from it without a
        direction, "equivalent", "not worse", "not better", "not shown", or "undetermined" where
        the scores do not vary.
    words : str
        The same as a sentence without a full stop, with the names of the estimators.
    brief : str, default=""
        The same in few words, for a legend or a count; empty takes those of `KINDS`.

    Raises
    ------
    ValueError
        If `kind` is not one of `KINDS`.

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
            object.__setattr__(self, "brief", KINDS[self.kind])
