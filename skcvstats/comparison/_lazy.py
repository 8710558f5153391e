"""LazySequence: items that are made on access."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, overload

from .._utils._text import counted

T = TypeVar("T")


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
            return tuple(self[position] for position in range(*k.indices(self._length)))
        if not -self._length <= k < self._length:
            raise IndexError(f"{k} is none of {counted(self._length, 'item')}, numbered from 0.")
        position = k % self._length
        if position not in self._made:
            self._made[position] = self._make(position)
        return self._made[position]

    def __repr__(self) -> str:
        return f"<{counted(self._length, type(self[0]).__name__)}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a is b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]
