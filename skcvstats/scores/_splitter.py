"""Run a splitter for the facts about its splits, and check whether it repeats them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from itertools import zip_longest
from typing import Any

from .._utils._checks import is_integer, n_rows, one_line
from ..exceptions import SplitDesignError
from ._diagnostics import kind_notes
from ._fingerprint import as_rows, split_digest, target_digest
from ._reader import SplitReader

# A splitter that draws this many, and does not state its number, is taken to be endless.
ENDLESS = 100_000


def read_splitter(
    cv: Any, X: Any, y: Any = None, groups: Any = None
) -> tuple[dict[str, Any], bool]:
    """Return the fields of the SplitDesign of a splitter, and whether it repeats its splits."""
    if isinstance(cv, (type, str, bytes)) or not hasattr(cv, "split"):
        raise TypeError(
            f"cv={one_line(cv)} must be a splitter: an object with split(X, y, groups), such "
            f"as KFold(5) or RepeatedSubsampleSplit().{_meant_by(cv)}"
        )
    make_lazy = lazy_split_of(cv)
    reader = SplitReader(n_rows(X), groups=groups, y=y, cv=cv)
    splits: Any = (
        drawn_splits(cv, X, y, {"groups": groups})
        if make_lazy is None
        else make_lazy(X, y, groups=groups)
    )
    for train, test in splits:
        reader.add(train, test)
    facts = {**reader.facts(), "y_digest": target_digest(y), "source": one_line(cv)}
    if make_lazy is None:
        return facts, _draws_again(cv, X, y, groups, reader.digests)
    facts |= {**splits.facts(), "notes": kind_notes(cv, len(splits))}
    return facts, splits.seed is not None and splits.seed == make_lazy(X, y, groups=groups).seed


def lazy_split_of(cv: Any) -> Callable[..., Any] | None:
    """Return a splitter's ``lazy_split``, where it makes the splits that ``split`` draws."""
    if "split" in getattr(cv, "__dict__", ()):
        return None
    split, lazy_split = (_where(cv, name) for name in ("split", "lazy_split"))
    ours = split is not None and lazy_split is not None and issubclass(lazy_split, split)
    return cv.lazy_split if ours else None


def _where(cv: Any, method: str) -> type | None:
    """Return the class that a method of an object comes from."""
    return next((kind for kind in type(cv).__mro__ if method in vars(kind)), None)


def drawn_splits(
    cv: Any, X: Any, y: Any, split_params: Mapping[str, Any]
) -> Iterator[tuple[Any, Any]]:
    """Yield the splits that a splitter draws, or say that these are none, or do not end."""
    drawn = cv.split(X, y, **split_params)
    wanted = "pairs of training and test row numbers, one for each split"
    if not isinstance(drawn, Iterable):
        raise TypeError(
            f"{one_line(cv)}.split returned {one_line(drawn)}; it must return or yield {wanted}."
        )
    stated = _stated_number(cv, X, y, split_params)
    for k, sides in enumerate(drawn):
        if k == (ENDLESS if stated is None else stated):
            end = "and does not end" if stated is None else f"where get_n_splits says {stated}"
            raise SplitDesignError(
                f"{one_line(cv)} has drawn more than {k} splits, {end}. Fix the splitter, or pass "
                "a list of the splits that are meant."
            )
        if not isinstance(sides, Sized) or isinstance(sides, str) or len(sides) != 2:
            raise TypeError(
                f"{one_line(cv)}.split yielded {textwrap.shorten(repr(sides), 60)} as split {k}; "
                f"it must yield {wanted}."
            )
        yield tuple(sides)  # type: ignore[misc, arg-type]


def _stated_number(cv: Any, X: Any, y: Any, split_params: Mapping[str, Any]) -> int | None:
    """Return how many splits a splitter says that it draws, if it says so."""
    try:
        stated = cv.get_n_splits(X, y, **split_params)
    except Exception:  # a splitter need not have it
        return None
    return int(stated) if is_integer(stated) and stated > 0 else None


def _draws_again(cv: Any, X: Any, y: Any, groups: Any, digests: list[str]) -> bool:
    """Draw a second time, as far as the first difference."""
    again = drawn_splits(cv, X, y, {"groups": groups})
    for split, (digest, sides) in enumerate(zip_longest(digests, again)):
        if digest is None or sides is None:
            return False
        train, test = (
            as_rows(rows, split=split, side=side, n_rows=n_rows(X))
            for rows, side in zip(sides, ("train", "test"), strict=True)
        )
        if split_digest(train, test) != digest:
            return False
    return True


def _meant_by(cv: Any) -> str:
    """Say which splitter scikit-learn makes of what is none, as a sentence behind others."""
    if is_integer(cv) or cv is None:
        return (
            f" cross_validate(classifier, X, y, cv={cv}) means SplitDesign.from_splitter("
            f"check_cv({cv}, y, classifier=True), X, y); for a regressor it is classifier=False. "
            "check_cv is in sklearn.model_selection."
        )
    if isinstance(cv, (list, tuple)):
        return (
            " Of a list of splits: train, test = zip(*cv); SplitDesign.from_indices(train, test)."
        )
    return ""
