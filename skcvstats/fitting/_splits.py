"""The splits to fit on: recipes of our splitters, or row numbers from other splitters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from .._utils._arrays import digest_of
from .._utils._checks import is_integer, n_rows, one_line
from ..scores import (
    Note,
    SharedRows,
    SplitDesign,
    SplitReader,
    drawn_splits,
    lazy_split_of,
    split_digest,
    target_digest,
    union,
)
from ..splitters import LazySplits


class Split(NamedTuple):
    """One split, with its fingerprint."""

    train: np.ndarray
    test: np.ndarray
    digest: str


@dataclass(frozen=True)
class PlannedSplits:
    """The splits of one call and the facts of their design."""

    splits: Splits
    facts: Mapping[str, Any]
    unseeded: bool = False

    def design(self, digests: Sequence[str] | None = None) -> SplitDesign:
        """Return the design, with the digests of the fitted splits if given."""
        known = {} if digests is None else {"digests": tuple(digests)}
        return SplitDesign(**{**self.facts, **known})

    def noting_shared_rows(self, X: Any, y: Any) -> PlannedSplits:
        """Return the plan with a note if many test rows equal training rows."""
        shared = SharedRows(X, y)
        if not shared.are_enough(min(self.facts["n_test"])):
            return self
        for train, test in self.pairs():
            shared.add(train, test)
        return self.noting(shared.notes())

    def noting(self, notes: Iterable[Note]) -> PlannedSplits:
        notes = union(self.facts.get("notes", ()), notes)
        return replace(self, facts={**self.facts, "notes": notes})

    @property
    def identity(self) -> str:
        """What identifies these splits among others of the same sizes, without making them."""
        if isinstance(self.splits, Recipes):
            return digest_of(repr(self.splits.lazy.root)).hex()
        return str(self.design().digest)

    def pairs(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Make or take the training and the test rows of each split, without its fingerprint."""
        if isinstance(self.splits, Recipes):
            return iter(self.splits.lazy)
        return (split[:2] for split in self.splits.take(range(len(self.splits))))

    def tests(self) -> Iterator[np.ndarray]:
        """Make or take the test rows of each split."""
        return (test for _, test in self.pairs())


@dataclass(frozen=True)
class Recipes:
    """Splits of our own splitters; a worker makes them from their numbers."""

    lazy: LazySplits

    def __len__(self) -> int:
        return len(self.lazy)

    def take(self, numbers: Iterable[int]) -> Iterator[Split]:
        """Make these splits."""
        for train, test in self.lazy.take(numbers):
            yield Split(train, test, split_digest(train, test))

    def part(self, numbers: Sequence[int]) -> Recipes:
        """Return what a worker needs for these splits: this whole small object."""
        return self


@dataclass(frozen=True)
class HeldSplits:
    """Splits whose row numbers are in memory and are sent to the workers that need them."""

    held: Mapping[int, Split]

    @classmethod
    def of(cls, pairs: Iterable[tuple[np.ndarray, np.ndarray]]) -> HeldSplits:
        """Hold pairs of training and test rows, which need no fingerprint."""
        return cls({k: Split(train, test, "") for k, (train, test) in enumerate(pairs)})

    def __len__(self) -> int:
        return len(self.held)

    def take(self, numbers: Iterable[int]) -> Iterator[Split]:
        """Return these splits, with row numbers of NumPy's index type."""
        for k in numbers:
            train, test, digest = self.held[k]
            yield Split(train.astype(np.intp, copy=False), test.astype(np.intp, copy=False), digest)

    def part(self, numbers: Sequence[int]) -> HeldSplits:
        return HeldSplits({k: self.held[k] for k in numbers})


@dataclass(frozen=True)
class JoinedSplits:
    """The splits of two plans; the numbers of the second continue those of the first."""

    first: Splits
    second: Splits
    n_first: int

    def __len__(self) -> int:
        return self.n_first + len(self.second)

    def take(self, numbers: Iterable[int]) -> Iterator[Split]:
        for in_first, group in groupby(numbers, key=lambda k: k < self.n_first):
            if in_first:
                yield from self.first.take(group)
            else:
                yield from self.second.take(k - self.n_first for k in group)

    def part(self, numbers: Sequence[int]) -> JoinedSplits:
        first = self.first.part([k for k in numbers if k < self.n_first])
        second = self.second.part([k - self.n_first for k in numbers if k >= self.n_first])
        if first is self.first and second is self.second:
            return self
        return JoinedSplits(first, second, self.n_first)


# The splits of a call, by number, in any order and as often as needed; in a part numbers stay.
Splits = Recipes | HeldSplits | JoinedSplits


def plan_splits(
    cv: Any, X: Any, y: Any, split_params: Mapping[str, Any], *, may_overlap: bool = False
) -> PlannedSplits:
    """Draw the splits: ours stay recipes, those of other splitters are read and checked."""
    about: dict[str, Any] = {"y_digest": target_digest(y), "source": one_line(cv)}
    make_lazy = lazy_split_of(cv)
    if make_lazy is not None:
        lazy = make_lazy(X, y, **split_params)
        return PlannedSplits(Recipes(lazy), {**lazy.facts(), **about}, lazy.seed is None)
    try:
        splits, reader = _read(cv, X, y, split_params, may_overlap)
    except ValueError as error:
        asked = "'groups' parameter should not be None" in str(error)
        if asked and split_params.get("groups") is None:
            raise ValueError(
                f"The 'groups' parameter should not be None. {one_line(cv)} needs groups; pass "
                "groups=, one entry for each row."
            ) from error
        raise
    # Whether it draws others each time, as far as its parameters show.
    draws = hasattr(cv, "random_state") and getattr(cv, "shuffle", True)
    is_unseeded = bool(draws) and not is_integer(cv.random_state)
    return PlannedSplits(splits, {**reader.facts(), **about}, is_unseeded)


def _read(
    cv: Any, X: Any, y: Any, split_params: Mapping[str, Any], may_overlap: bool
) -> tuple[HeldSplits, SplitReader]:
    """Draw the splits of another splitter once, as a second draw may differ, and keep them."""
    # In the smallest type that fits 1000 splits of 100,000 rows take 400 MB, half of the original.
    dtype = np.min_scalar_type(n_rows(X))
    groups = split_params.get("groups")
    reader = SplitReader(n_rows(X), groups=groups, y=y, cv=cv, may_overlap=may_overlap)
    held = {}
    for k, sides in enumerate(_drawn(cv, X, y, split_params)):
        train, test = (rows.astype(dtype) for rows in reader.add(*sides))
        held[k] = Split(train, test, reader.digests[-1])
    return HeldSplits(held), reader


def _drawn(
    cv: Any, X: Any, y: Any, split_params: Mapping[str, Any]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the splits; an error says at which split it was raised."""
    n_drawn = 0
    try:
        for sides in drawn_splits(cv, X, y, split_params):
            n_drawn += 1
            yield sides
    except Exception as error:
        if n_drawn:
            error.add_note(
                f"skcvstats: {one_line(cv)} raised this at split {n_drawn}, before the first fit"
            )
        raise
