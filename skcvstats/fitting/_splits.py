"""The splits to fit on: recipes of ours, or another splitter's, held or drawn again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from .._utils import n_rows, one_line
from ..exceptions import SplitDesignError
from ..scores import (
    SplitDesign,
    SplitReader,
    as_rows,
    kind_notes,
    split_digest,
    target_digest,
)
from ..splitters import LazySplits

# Row numbers of all splits together beyond which they are drawn again instead of being held.
_MOST_HELD = 2**25


class Split(NamedTuple):
    """One split, with its fingerprint."""

    train: np.ndarray
    test: np.ndarray
    digest: str


class Splits(Protocol):
    """What fits need: split k by its number."""

    @property
    def at_will(self) -> bool:
        """Whether they can be had in any order, and more than once."""
        ...

    def __getitem__(self, k: int, /) -> Split: ...


@dataclass(frozen=True)
class PlannedSplits:
    """The splits of one call and the facts of their design.

    Parameters
    ----------
    splits : Recipes, HeldSplits or ReplayedSplits
        ``splits[k]`` is split k, ``splits.part(numbers)`` what a worker needs to make some.
    facts : mapping
        The fields of their SplitDesign; without digests where only fitting makes the splits.
    """

    splits: Recipes | HeldSplits | ReplayedSplits
    facts: Mapping[str, Any]

    def design(self, digests: Sequence[str] | None = None) -> SplitDesign:
        """Return the design, with the digests of the splits as they were fitted if given.

        Parameters
        ----------
        digests : sequence of str, default=None
            One for each split.
        """
        known = {} if digests is None else {"digests": tuple(digests)}
        return SplitDesign(**{**self.facts, **known})


@dataclass(frozen=True)
class Recipes:
    """Splits of our own splitters: a worker makes them from their numbers."""

    lazy: LazySplits

    at_will: ClassVar[bool] = True

    def __len__(self) -> int:
        return len(self.lazy)

    def __getitem__(self, k: int) -> Split:
        train, test = self.lazy[k]
        return Split(train, test, split_digest(train, test))

    def part(self, numbers: Sequence[int]) -> Recipes:
        """Return what a worker needs for these splits: all of the little there is."""
        return self


@dataclass(frozen=True)
class HeldSplits:
    """Splits whose row numbers are held, and sent to the workers that need them."""

    held: Mapping[int, Split]

    at_will: ClassVar[bool] = True

    def __len__(self) -> int:
        return len(self.held)

    def __getitem__(self, k: int) -> Split:
        return self.held[k]

    def part(self, numbers: Sequence[int]) -> HeldSplits:
        """Return what a worker needs for these splits."""
        return HeldSplits({k: self[k] for k in numbers})


@dataclass(frozen=True)
class JoinedSplits:
    """The splits of two plans, the second numbered on from the first.

    Parameters
    ----------
    first, second : Recipes, HeldSplits or ReplayedSplits
        The splits.
    n_first : int
        How many the first has.
    """

    first: Recipes | HeldSplits | ReplayedSplits
    second: Recipes | HeldSplits | ReplayedSplits
    n_first: int

    @property
    def at_will(self) -> bool:
        """Whether they can be had in any order, and more than once."""
        return self.first.at_will and self.second.at_will

    def __len__(self) -> int:
        return self.n_first + len(self.second)

    def __getitem__(self, k: int) -> Split:
        return self.first[k] if k < self.n_first else self.second[k - self.n_first]

    def part(self, numbers: Sequence[int]) -> JoinedSplits:
        """Return what a worker needs for these splits."""
        first = self.first.part([k for k in numbers if k < self.n_first])
        second = self.second.part([k - self.n_first for k in numbers if k >= self.n_first])
        return JoinedSplits(first, second, self.n_first)


def join_splits(parts: Sequence[Any]) -> Any:
    """Return the splits of one plan, or of two as one sequence.

    Parameters
    ----------
    parts : sequence of one or two of Recipes, HeldSplits and ReplayedSplits
        The splits.
    """
    return parts[0] if len(parts) == 1 else JoinedSplits(parts[0], parts[1], len(parts[0]))


class ReplayedSplits:
    """Splits that were too large to hold, drawn a second time in their order, and only once.

    Parameters
    ----------
    splits : iterable of (train, test)
        The second drawing.
    digests : sequence of str
        The fingerprints of the first.
    stream : GlobalStream
        NumPy's global random state as the first drawing found it.
    """

    at_will: ClassVar[bool] = False

    def __init__(
        self, splits: Iterator[tuple[Any, Any]], digests: Sequence[str], stream: GlobalStream
    ) -> None:
        self._splits = splits
        self._digests = digests
        self._stream = stream
        self._at = -1
        self._current: Split | None = None

    def __len__(self) -> int:
        return len(self._digests)

    def __getitem__(self, k: int) -> Split:
        while self._at < k or self._current is None:
            self._at += 1
            with self._stream.active():
                sides = next(self._splits)
            train, test = (
                as_rows(rows, split=self._at, side=side)
                for rows, side in zip(sides, ("train", "test"), strict=True)
            )
            self._current = Split(train, test, split_digest(train, test))
            if self._current.digest != self._digests[self._at]:
                raise SplitDesignError(
                    f"split {self._at} came out otherwise when it was drawn again. Pass a cv with "
                    "an integer random_state."
                )
        return self._current

    def part(self, numbers: Sequence[int]) -> HeldSplits:
        """Return what a worker needs for these splits; numbers may only grow."""
        return HeldSplits({k: self[k] for k in numbers})


class GlobalStream:
    """NumPy's global random state, kept to be gone through a second time.

    Splitters with ``random_state=None`` draw from it.
    """

    def __init__(self) -> None:
        self._state = np.random.get_state()  # noqa: NPY002 it is what they draw from

    @contextmanager
    def active(self) -> Iterator[None]:
        """Draw from the kept state, and leave the global one as it was."""
        outside = np.random.get_state()  # noqa: NPY002
        np.random.set_state(self._state)  # noqa: NPY002
        try:
            yield
        finally:
            self._state = np.random.get_state()  # noqa: NPY002
            np.random.set_state(outside)  # noqa: NPY002


def plan_splits(cv: Any, X: Any, y: Any, split_params: Mapping[str, Any]) -> PlannedSplits:
    """Draw the splits: ours stay recipes, another splitter's are read and checked.

    Parameters
    ----------
    cv : splitter
        What draws them.
    X, y : indexable
        The data.
    split_params : mapping
        What ``cv.split`` gets besides X and y: its groups.
    """
    about: dict[str, Any] = {"y_digest": target_digest(y), "source": one_line(cv)}
    if hasattr(cv, "lazy_split"):
        lazy = cv.lazy_split(X, y, **split_params)
        about["notes"] = kind_notes(cv, len(lazy))
        return PlannedSplits(Recipes(lazy), {**lazy.facts(), **about})
    try:
        splits, reader = _read(cv, X, y, split_params)
    except ValueError as error:
        if split_params.get("groups") is None and "'groups' parameter should not be None" in str(
            error
        ):
            raise ValueError(
                f"{one_line(cv)} needs groups; pass groups=, one entry for each row."
            ) from error
        raise
    return PlannedSplits(splits, {**reader.facts(), **about})


def _read(
    cv: Any, X: Any, y: Any, split_params: Mapping[str, Any]
) -> tuple[HeldSplits | ReplayedSplits, SplitReader]:
    reader = SplitReader(n_rows(X), groups=split_params.get("groups"), y=y, cv=cv)
    if _is_replayable(cv, X, y, split_params):
        stream = GlobalStream()
        for train, test in deepcopy(cv).split(X, y, **split_params):
            reader.add(train, test)
        again = iter(cv.split(X, y, **split_params))
        return ReplayedSplits(again, reader.digests, stream), reader
    held = {}
    for k, (train, test) in enumerate(cv.split(X, y, **split_params)):
        held[k] = Split(*reader.add(train, test), reader.digests[-1])
    return HeldSplits(held), reader


def _is_replayable(cv: Any, X: Any, y: Any, split_params: Mapping[str, Any]) -> bool:
    """Whether the splits are many row numbers in all and come out the same when drawn again."""
    if cv.get_n_splits(X, y, **split_params) * n_rows(X) <= _MOST_HELD:
        return False
    if isinstance(getattr(cv, "cv", None), list):  # scikit-learn's wrapper of a list of splits
        return False
    trials = []
    for _ in range(2):
        with GlobalStream().active():
            trials.append(next(iter(deepcopy(cv).split(X, y, **split_params))))
    first, again = trials
    return all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
