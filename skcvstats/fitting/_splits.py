"""The splits to fit on, walked once: drawn, checked, and shown to observers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from .._utils._arrays import digest_of, split_digest, target_digest
from .._utils._checks import is_integer, n_rows, one_line
from ..scores import DesignRequest, SplitDesign, SplitReader
from ..splitters import LazySplits, draw_splits


class Split(NamedTuple):
    """One split, with its fingerprint."""

    train: np.ndarray
    test: np.ndarray
    digest: str


class Bits(NamedTuple):
    """Many row numbers in ascending order, as a bit for each row of the data."""

    packed: np.ndarray


@dataclass(frozen=True)
class Splits:
    """The splits of a call, by number, in any order and as often as needed; in a part numbers stay.

    Those of our splitters are recipes, from which a worker makes them. The row numbers of others
    are held, and sent to the workers that need them.
    """

    held: Mapping[int, Any]  # Split, whose training rows may be Bits
    recipes: tuple[tuple[range, LazySplits], ...] = ()  # each with its numbers

    @classmethod
    def of(cls, pairs: Iterable[tuple[np.ndarray, np.ndarray]]) -> Self:
        """Hold pairs of training and test rows, whose number serves as their fingerprint."""
        return cls({k: Split(train, test, str(k)) for k, (train, test) in enumerate(pairs)})

    def __len__(self) -> int:
        return len(self.held) + sum(len(numbers) for numbers, _ in self.recipes)

    def then(self, other: "Splits") -> "Splits":
        """Return these splits and others, whose numbers continue those of these."""
        n = len(self)
        held = {**self.held, **{n + k: split for k, split in other.held.items()}}
        recipes = list(self.recipes)
        for numbers, lazy in other.recipes:
            recipes.append((range(n + numbers.start, n + numbers.stop), lazy))
        return Splits(held, tuple(recipes))

    def part(self, numbers: Sequence[int]) -> "Splits":
        """Return what a worker needs for these splits."""
        held = self.held.keys() & set(numbers)
        return Splits({k: self.held[k] for k in held}, self.recipes)

    def take(self, numbers: Iterable[int]) -> Iterator[Split]:
        """Make or return these splits, with row numbers of NumPy's index type."""
        for recipe, group in groupby(numbers, self._recipe_of):
            if recipe is None:
                yield from map(self._unpack, group)
            else:
                own_numbers, lazy = recipe
                for train, test in lazy.take(k - own_numbers.start for k in group):
                    yield Split(train, test, split_digest(train, test))

    def _recipe_of(self, number: int) -> tuple[range, LazySplits] | None:
        """Return the recipe of a split, None if its row numbers are held."""
        for recipe in self.recipes:
            if number in recipe[0]:
                return recipe
        return None

    def _unpack(self, number: int) -> Split:
        """Return a split that is held, with all its row numbers."""
        train, test, digest = self.held[number]
        if isinstance(train, Bits):
            train = np.flatnonzero(np.unpackbits(train.packed))
        return Split(train.astype(np.intp, copy=False), test.astype(np.intp, copy=False), digest)


class SplitObserver(Protocol):
    """Sees all splits, as row numbers, in the one walk over them."""

    def is_needed(self, n_test: int) -> bool:
        """Tell whether our splits, with test sets of at least this size, are made to be seen."""

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """See the next split."""


@dataclass(frozen=True)
class PlannedSplits:
    """The splits of one splitter and their design, which has no digests of splits not made yet."""

    splits: Splits
    design: SplitDesign
    unseeded: bool = False
    row_times: Any = None  # the number of each row's time, where the test is over time
    request: DesignRequest | None = None  # by which they were drawn, if no splitter was given
    watch: Any = None  # who has seen them, for notes

    @property
    def identity(self) -> str:
        """What identifies these splits among others of the same sizes, without making them."""
        if self.splits.recipes:
            _, lazy = self.splits.recipes[0]
            return digest_of(repr(lazy.root)).hex()
        return str(self.design.digest)

    def tests(self) -> Iterator[np.ndarray]:
        """Take or make the test rows of each split, in any type of integers."""
        for split in self.splits.held.values():
            yield split.test
        for _, lazy in self.splits.recipes:
            for _, test in lazy:
                yield test


def plan_splits(
    cv: Any,
    X: Any,
    y: Any,
    split_params: Mapping[str, Any],
    *,
    may_overlap: bool = False,
    observers: Sequence[SplitObserver] = (),
) -> PlannedSplits:
    """Draw the splits and walk them once: ours stay recipes, those of other splitters are held."""
    about: dict[str, Any] = {"y_digest": target_digest(y), "source": one_line(cv)}
    drawn = draw_splits(cv, X, y, split_params)
    if isinstance(drawn, LazySplits):
        facts = drawn.facts()
        splits = Splits({}, ((range(len(drawn)), drawn),))
        unseeded = drawn.seed is None
        # Recipes are made only for observers that have something to look for.
        observers = [observer for observer in observers if observer.is_needed(drawn.n_test)]
        if observers:
            _show(drawn, observers)
    else:
        n = n_rows(X)
        groups = split_params.get("groups")
        reader = SplitReader(n, groups=groups, may_overlap=may_overlap)
        splits = _hold(drawn, reader, observers)
        # Whether it draws others each time, as far as its parameters show.
        is_seeded = is_integer(getattr(cv, "random_state", 0))
        unseeded = getattr(cv, "shuffle", True) and not is_seeded
        facts = reader.facts()
    return PlannedSplits(splits, SplitDesign._made(**facts | about), unseeded)


def _show(
    splits: Iterable[tuple[np.ndarray, np.ndarray]], observers: Iterable[SplitObserver]
) -> None:
    """Show each split to all observers."""
    for train, test in splits:
        for observer in observers:
            observer.add(train, test)


def _hold(
    pairs: Iterable[tuple[Any, Any]], reader: SplitReader, observers: Sequence[SplitObserver]
) -> Splits:
    """Check splits and keep their row numbers, while the reader and the observers see each."""
    # They are drawn once, as a second draw may differ, and kept in little memory: 1000 shuffled
    # splits of 100,000 rows take 400 MB, half of the original; ten-fold ones take 50 MB.
    n = reader.n_rows
    dtype = np.min_scalar_type(n)  # the smallest that fits
    held = dict[int, Split]()
    for sides in pairs:
        train, test = reader.add(*sides)
        _show([(train, test)], observers)
        small: Any = train.astype(dtype)
        if 8 * small.nbytes > n and (train[1:] > train[:-1]).all():
            marks = np.bincount(train, minlength=n).astype(bool)
            small = Bits(np.packbits(marks))
        held[len(held)] = Split(small, test.astype(dtype), reader.digests[-1])
    return Splits(held)
