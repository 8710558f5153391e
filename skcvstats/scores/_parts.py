"""Parts of a design: scores on some of its splits, and their concatenation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from .._utils._checks import is_integer, listed
from ..exceptions import PairingError, SplitDesignError
from ._design import SplitDesign
from ._losses import RowLosses
from ._notes import Note, as_notes, union

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
        raise TypeError(f"splits={splits!r}: {wanted}.") from None
    if isinstance(splits, Iterator):  # so that errors show them
        splits = numbers
    if isinstance(splits, (bytes, Mapping)) or not all(map(is_integer, numbers)):
        raise TypeError(f"splits={splits!r}: {wanted}.")
    numbers = sorted(int(number) for number in numbers)
    if not numbers or len(set(numbers)) < len(numbers):
        raise SplitDesignError(f"splits={splits!r}: {wanted}.")
    if numbers[0] < 0 or numbers[-1] >= n_splits:
        raise SplitDesignError(f"splits={splits!r}: there are {n_splits} splits, so {wanted}.")
    return numbers


def part_of(
    design: SplitDesign, splits: Sequence[int], digests: Sequence[str]
) -> tuple[SplitDesign, dict[str, Any]]:
    """Return the design of a part, and the description of the whole for its provenance."""
    facts: dict[str, Any] = asdict(replace(design, digests=None))
    facts["notes"] = [note.to_dict() for note in design.notes]
    facts = {name: list(v) if isinstance(v, tuple) else v for name, v in facts.items()}
    taken = replace(design.take(splits), digests=tuple(digests))
    return taken, {"splits": list(splits), "design": facts}


def join_parts(parts: Sequence[Any]) -> dict[str, Any]:
    """Return the fields of the whole CVScores, given all its parts."""
    if not parts:
        raise ValueError(f"There are no parts to concatenate. {_WANTED}.")
    facts = [_facts_of(part, k) for k, part in enumerate(parts)]
    for k in range(1, len(parts)):
        _check_same(parts[0], facts[0], parts[k], facts[k], k)
    whole = _whole_design(facts[0]["design"])
    _check_cover([part["splits"] for part in facts], whole.n_splits)
    places = [(k, at) for k, part in enumerate(facts) for at in range(len(part["splits"]))]
    places.sort(key=lambda place: facts[place[0]]["splits"][place[1]])
    digests = [parts[k].design.digests for k, _ in places]
    known = all(of_part is not None for of_part in digests)
    first = parts[0]
    return {
        "values": _joined([part.values for part in parts], places),
        "design": replace(
            whole,
            digests=tuple(d[at] for d, (_, at) in zip(digests, places, strict=True))
            if known
            else None,
        ),
        "labels": first.labels,
        "metric": first.metric,
        "fit_times": _joined([part.fit_times for part in parts], places),
        "score_times": _joined([part.score_times for part in parts], places),
        "failures": tuple(
            sorted(
                (row, facts[k]["splits"][at], why)
                for k, part in enumerate(parts)
                for row, at, why in part.failures
            )
        ),
        "losses": _joined_losses([part.losses for part in parts], places),
        "notes": union(*(part.notes for part in parts), _version_notes(parts)),
        "provenance": {name: v for name, v in first.provenance.items() if name != PART},
    }


def _facts_of(part: Any, k: int) -> Mapping[str, Any]:
    """Return the description in a part, or raise an error if the scores are not a part."""
    provenance = getattr(part, "provenance", None)
    if provenance is None:
        raise TypeError(f"Part {k} is a {type(part).__name__}, not CVScores. {_WANTED}.")
    facts = provenance.get(PART)
    if facts is None:
        raise ValueError(
            f"Part {k} holds all {part.design.n_splits} splits of its design, so it is no part. "
            f"{_WANTED}."
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


def _check_same(
    first: Any,
    its: Mapping[str, Any],
    other: Any,
    theirs: Mapping[str, Any],
    k: int,
) -> None:
    def refuse(what: str, one: Any, two: Any, remedy: str) -> None:
        raise PairingError(
            f"Part 0 and part {k} cannot be concatenated: {what} ({one} and {two}). {remedy}."
        )

    if first.metric != other.metric or first.labels != other.labels:
        refuse(
            "their metrics or estimators differ",
            (first.metric, list(first.labels)),
            (other.metric, list(other.labels)),
            "Concatenate each on its own",
        )
    designs = its["design"], theirs["design"]
    for name in sorted(designs[0].keys() | designs[1].keys()):
        one, two = (design.get(name) for design in designs)
        if one != two:
            what = (
                "their targets differ" if name == "y_digest" else f"their designs differ in {name}"
            )
            remedy = _REMEDIES.get(name, "Score all parts with the same cv")
            refuse(what, _short(one), _short(two), remedy)
    if its.get("identity") != theirs.get("identity"):
        refuse("their splits differ", its.get("identity"), theirs.get("identity"), _DRAWN_ANEW)
    if its.get("data") != theirs.get("data"):
        refuse("their data differ", its.get("data"), theirs.get("data"), _SAME_DATA)
    for name in ("scoring", "estimators"):
        one, two = (part.provenance.get(name) for part in (first, other))
        if one != two:
            refuse(f"their {name} differ", one, two, "Score all parts alike")
    same_versions = first.provenance.get("versions") == other.provenance.get("versions")
    if same_versions and its.get("estimators") != theirs.get("estimators"):
        refuse(
            "their estimators or metrics have the same names and other contents",
            its.get("estimators"),
            theirs.get("estimators"),
            "Score all parts alike",
        )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _whole_design(facts: Mapping[str, Any]) -> SplitDesign:
    try:
        fields: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in facts.items()
        }
        notes = tuple(Note.from_dict(note) for note in facts.get("notes", ()))
        return SplitDesign(**{**fields, "notes": as_notes(notes)})
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"The parts are damaged: their design cannot be read ({type(error).__name__}: {error})."
        ) from error


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
            f"them with splits={missing[:10]}{'...' if len(missing) > 10 else ''} and pass all "
            "parts."
        )


def _joined(arrays: Sequence[Any], places: Sequence[tuple[int, int]]) -> np.ndarray | None:
    """Join the columns of the parts in the order of the splits."""
    if any(array is None for array in arrays):
        return None
    return np.stack([arrays[k][..., at] for k, at in places], axis=-1)


def _joined_losses(losses: Sequence[Any], places: Sequence[tuple[int, int]]) -> RowLosses | None:
    if any(of_part is None for of_part in losses):
        return None
    by_split = [losses[k].split(at) for k, at in places]
    return RowLosses.from_splits([values for _, values in by_split], [rows for rows, _ in by_split])


def _version_notes(parts: Sequence[Any]) -> tuple[Note, ...]:
    found = [part.provenance.get("versions") for part in parts]
    if all(versions == found[0] for versions in found):
        return ()
    others = sorted({str(versions) for versions in found})
    text = f"the parts were scored with different versions: {'; '.join(others)}"
    return (Note("versions of parts differ", text, None),)
