"""Families of splits: procedures that need splits of the same sizes share them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from .._utils._checks import one_line
from ..exceptions import SplitDesignError
from ..fitting import plan_splits
from ..model_selection import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold
from ..scores import SplitDesign
from ._describe import describe, fingerprint

# By splitter, the names of the arguments that are numbers of splits, one for each level.
_COUNTS = {
    RepeatedSubsampleSplit: ("n_splits",),
    HalfSplitPairs: ("n_pairs", "n_splits"),
    RepeatedTwoFold: ("n_repeats",),
}


@dataclass(frozen=True)
class Request:
    """The splits that one splitter requests."""

    cv: Any
    design: SplitDesign
    key: str
    shape: tuple[int, ...]


def make_request(cv: Any, X: Any, y: Any) -> Request:
    """Return the request of a splitter for data of this size."""
    if not _is_ours(cv):
        design = _without_target(SplitDesign.from_any_draw(cv, X, y))
        return Request(cv, design, fingerprint(describe(cv)), (design.n_splits,))
    lazy = cv.lazy_split(X, y)
    design = SplitDesign(**lazy.facts() | {"seed": None}, source=one_line(cv))
    shape = (len(lazy),) if type(cv) is RepeatedSubsampleSplit else lazy.shape
    sizes = (lazy.n_samples, lazy.n_train, lazy.n_test, cv.stratify)
    return Request(cv, design, f"{type(cv).__name__}{sizes}", shape)


def _is_ours(cv: Any) -> bool:
    """Whether a splitter is one of ours that draws as its class does."""
    return type(cv) in _COUNTS and not {"split", "lazy_split"} & vars(cv).keys()


def _without_target(design: SplitDesign) -> SplitDesign:
    """Return the design without what is specific to the first data set."""
    facts = {name: getattr(design, name) for name in ("n_samples", "n_train", "n_test", "levels")}
    return SplitDesign(**facts, shape=design.shape, source=design.source)


@dataclass(frozen=True)
class Family:
    """Splits that several requests share, and which of them are needed."""

    key: str
    cv: Any
    shape: tuple[int, ...]
    wanted: np.ndarray
    design: SplitDesign
    is_ours: bool
    n_loss_splits: int

    @property
    def word(self) -> int:
        """A number made from the key, for seeds."""
        return crc32(self.key.encode())

    def positions(self, shape: tuple[int, ...]) -> np.ndarray:
        """Return the positions of the splits of a request among the needed ones."""
        numbers = np.arange(np.prod(self.shape)).reshape(self.shape)
        asked = numbers[tuple(slice(count) for count in shape)].ravel()
        return np.searchsorted(self.wanted, asked)

    def splits(self, X: Any, y: Any, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Draw the needed splits of one data set."""
        cv = copy.copy(self.cv)
        if hasattr(cv, "random_state"):
            cv.random_state = seed
        if self.is_ours:
            return list(cv.lazy_split(X, y).take(self.wanted.tolist()))
        plan = plan_splits(cv, X, y, {})
        design = plan.design()
        if (design.levels, design.shape) != (self.design.levels, self.design.shape):
            raise SplitDesignError(
                f"{one_line(cv)} gives splits arranged as {design.levels} {design.shape} here and "
                f"as {self.design.levels} {self.design.shape} on the first data set; a study "
                "needs the same on all."
            )
        if (design.n_train, design.n_test) != (self.design.n_train, self.design.n_test):
            raise SplitDesignError(
                f"{one_line(cv)} gives splits of other sizes here than on the first data set; a "
                "study needs the same sizes on all, as those of RepeatedSubsampleSplit are."
            )
        wanted = self.wanted.tolist()
        return [(split.train, split.test) for split in plan.splits.take(wanted)]


def make_families(requests: Sequence[Request], losses_of: Sequence[int]) -> list[Family]:
    """Join requests that can share their splits."""
    families = []
    for key in dict.fromkeys(request.key for request in requests):
        members = [request for request in requests if request.key == key]
        shape = tuple(
            max(sizes) for sizes in zip(*(request.shape for request in members), strict=True)
        )
        is_wanted = np.zeros(shape, dtype=bool)
        for request in members:
            is_wanted[tuple(slice(count) for count in request.shape)] = True
        needed = [n for request, n in zip(requests, losses_of, strict=True) if request.key == key]
        cv = members[0].cv
        families.append(
            Family(
                key=key,
                cv=_with_counts(cv, shape),
                shape=shape,
                wanted=np.flatnonzero(is_wanted),
                design=members[0].design,
                is_ours=_is_ours(cv),
                n_loss_splits=max(needed),
            )
        )
    return families


def _with_counts(cv: Any, shape: tuple[int, ...]) -> Any:
    """Return a splitter like this one that draws as many splits."""
    if not _is_ours(cv):
        return cv
    cv = copy.copy(cv)
    if isinstance(cv, RepeatedSubsampleSplit):
        cv.n_replicates = None
    names = _COUNTS[type(cv)]
    counts = (shape[0], shape[-1])[: len(names)]
    for name, count in zip(names, counts, strict=True):
        setattr(cv, name, int(count))
    return cv
