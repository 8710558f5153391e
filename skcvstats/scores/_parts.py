"""Scores on some of the splits: those without missing scores, and parts of a design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._checks import brief, is_integer, listed
from ..exceptions import PairingError, SplitDesignError
from ._design import SplitDesign, design_from_dict, design_to_dict
from ._notes import Note, union
from ._pairing import of_all

if TYPE_CHECKING:
    from ._scores import CVScores

# The key of the provenance of a part that describes the whole.
PART = "part"
_WANTED = "Pass what cross_val_score(..., splits=...) returned, or CVScores.load(...) of it"
_SAME_DATA = "Score all parts on the same X, y and groups"
_DRAWN_ANEW = (
    "If the splitter has no seed, each call draws other splits: give it an integer random_state"
)
# What to do where designs differ in this, and not in what draws them.
_REMEDIES = {"n_samples": _SAME_DATA, "y_digest": _SAME_DATA, "seed": _DRAWN_ANEW}


def check_splits(splits: Any, n_splits: int) -> list[int]:
    """Return the numbers of the splits of a part, in ascending order."""
    wanted = (
        f"it must be numbers of splits from 0 to {n_splits - 1}, each once, such as "
        f"range(0, {max(1, n_splits // 2)})"
    )
    try:
        numbers = list(splits)
    except TypeError:
        numbers = [None]
    if isinstance(splits, Iterator):  # so that errors show them
        splits = numbers
    if isinstance(splits, (bytes, Mapping)) or not all(map(is_integer, numbers)):
        raise TypeError(f"splits={splits!r}: {wanted}.")
    numbers = sorted(map(int, numbers))
    if not numbers or len(set(numbers)) < len(numbers):
        raise SplitDesignError(f"splits={splits!r}: {wanted}.")
    if numbers[0] < 0 or numbers[-1] >= n_splits:
        raise SplitDesignError(f"splits={splits!r}: there are {n_splits} splits, so {wanted}.")
    return numbers


def part_of(
    design: SplitDesign, splits: Sequence[int], digests: Sequence[str], **more: Any
) -> tuple[SplitDesign, dict[str, Any]]:
    """Return the design of a part, and the entry of its provenance that describes the whole."""
    taken = replace(design.take(splits), digests=tuple(digests))
    facts = design_to_dict(replace(design, digests=None))
    return taken, {PART: {"splits": list(splits), "design": facts, **more}}


def join_parts(parts: Sequence[CVScores]) -> CVScores:
    """Return the scores on the whole design, given all its parts."""
    if not parts:
        raise ValueError(f"There are no parts to concatenate. {_WANTED}.")
    facts = [_facts_of(part, k) for k, part in enumerate(parts)]
    for k in range(1, len(parts)):
        for what, one, two, remedy in _to_compare(parts[0], facts[0], parts[k], facts[k]):
            if one != two:
                raise PairingError(
                    f"Part 0 and part {k} cannot be concatenated: {what} ({brief(one)} and "
                    f"{brief(two)}). {remedy}."
                )
    try:
        whole = design_from_dict(facts[0]["design"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"The parts are damaged: their design cannot be read ({type(error).__name__}: {error})."
        ) from error
    _check_cover([part["splits"] for part in facts], whole.n_splits)
    places = [(k, at) for k, part in enumerate(facts) for at in range(len(part["splits"]))]
    places.sort(key=lambda place: facts[place[0]]["splits"][place[1]])
    first = parts[0]

    def joined(arrays: Sequence[np.ndarray]) -> np.ndarray:
        return np.stack([arrays[k][..., at] for k, at in places], axis=-1)

    known = [part.design.digests for part in parts]
    digests = of_all(known, lambda d: tuple(d[k][at] for k, at in places))
    failures = [
        (row, facts[k]["splits"][at], why)
        for k, part in enumerate(parts)
        for row, at, why in part.failures
    ]
    return replace(
        first,
        values=joined([part.values for part in parts]),
        design=replace(whole, digests=digests),
        fit_times=of_all([part.fit_times for part in parts], joined),
        score_times=of_all([part.score_times for part in parts], joined),
        failures=tuple(sorted(failures)),
        row_scores=None,  # no call for parts collects them
        magnitude=None,  # type: ignore[arg-type]  # made from values
        notes=union(*(part.notes for part in parts), _version_notes(parts)),
        provenance={name: v for name, v in first.provenance.items() if name != PART},
    )


def _facts_of(part: CVScores, k: int) -> Mapping[str, Any]:
    """Return the description in a part, or raise an error if the scores are not a part."""
    provenance = getattr(part, "provenance", None)
    if provenance is None:
        raise TypeError(f"Part {k} is a {type(part).__name__}, not CVScores. {_WANTED}.")
    facts: Mapping[str, Any] | None = provenance.get(PART)
    if facts is None:
        raise ValueError(
            f"Part {k} holds all {part.design.n_splits} splits of its design, so it is already "
            f"complete. {_WANTED}."
        )
    splits = facts.get("splits") if isinstance(facts, Mapping) else None
    if (
        not isinstance(splits, list)
        or len(splits) != part.design.n_splits
        or not all(map(is_integer, splits))
        or len(set(splits)) < len(splits)
        or not isinstance(facts.get("design"), Mapping)
    ):
        raise ValueError(f"Part {k} is damaged: it does not say which splits it holds.")
    return facts


def _to_compare(
    first: CVScores, its: Mapping[str, Any], other: CVScores, theirs: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any, str]]:
    """Yield what must be equal: the words for a difference, the two, and what to do about it."""
    names = (first.metric, list(first.labels)), (other.metric, list(other.labels))
    yield "their metrics or estimators differ", *names, "Concatenate each on its own"
    designs = its["design"], theirs["design"]
    for name in sorted(designs[0].keys() | designs[1].keys()):
        what = "their targets differ" if name == "y_digest" else f"their designs differ in {name}"
        remedy = _REMEDIES.get(name, "Score all parts with the same cv")
        yield what, designs[0].get(name), designs[1].get(name), remedy
    yield "their splits differ", its.get("identity"), theirs.get("identity"), _DRAWN_ANEW
    yield "their data differ", its.get("data"), theirs.get("data"), _SAME_DATA
    known = first.provenance, other.provenance
    for name in ("scoring", "estimators"):
        one, two = known[0].get(name), known[1].get(name)
        yield f"their {name} differ", one, two, "Score all parts alike"
    if known[0].get("versions") == known[1].get("versions"):
        what = "their estimators or metrics have the same names and other contents"
        yield what, its.get("estimators"), theirs.get("estimators"), "Score all parts alike"


def _check_cover(splits: Sequence[Sequence[int]], n_splits: int) -> None:
    """Raise SplitDesignError unless each split is in exactly one part."""
    owner: dict[int, int] = {}
    for k, numbers in enumerate(splits):
        for number in numbers:
            if not 0 <= number < n_splits:
                raise SplitDesignError(
                    f"Part {k} is damaged: it has split {number} of {n_splits} splits."
                )
            if number in owner:
                raise SplitDesignError(
                    f"The parts overlap: split {number} is in part {owner[number]} and in part "
                    f"{k}. Pass each split once."
                )
            owner[number] = k
    missing = [number for number in range(n_splits) if number not in owner]
    if missing:
        raise SplitDesignError(
            f"{len(missing)} of the {n_splits} splits are in no part: {listed(missing, 10)}. Score "
            f"them with splits={missing[:10]}{'...' if len(missing) > 10 else ''} and pass all."
        )


def _version_notes(parts: Sequence[CVScores]) -> tuple[Note, ...]:
    found = [part.provenance.get("versions") for part in parts]
    if all(versions == found[0] for versions in found):
        return ()
    others = sorted({str(versions) for versions in found})
    text = f"the parts were scored with different versions: {'; '.join(others)}"
    return (Note("versions of parts differ", text, None),)
