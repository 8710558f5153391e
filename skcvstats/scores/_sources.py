"""Scores that come from elsewhere: results of scikit-learn, and parts of a design."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._arrays import as_numbers, split_digest
from .._utils._checks import brief, is_integer, listed
from ..exceptions import PairingError, SplitDesignError
from ._design import SplitDesign, check_design
from ._notes import Note, union
from ._pairing import of_all
from ._reading import as_rows

if TYPE_CHECKING:
    from ._scores import CVScores

# The results of `cross_validate` and of searches.

# The name of the scores of a split in a search: the number of the split, and the metric.
_SPLIT_KEY = re.compile(r"split(\d+)_test_(.+)")


def read_cv_results(
    results: Mapping[str, Any],
    metric: str | None,
    design: SplitDesign | None,
    stated: Mapping[str, Any],
    shape: tuple[int, ...],
) -> dict[str, Any]:
    """Return the fields of the CVScores in `results`."""
    if not hasattr(results, "keys") or isinstance(results, type):
        raise TypeError(
            f"Expected the dict that cross_validate returns, got {type(results).__name__}. An "
            "array of scores has lost its splits: use cross_validate(..., return_indices=True)."
        )
    found = metrics_of(results)
    if not found:
        raise ValueError(
            f"No test scores among the keys {listed(results)}: expected 'test_score' or "
            "'test_<metric>' as of cross_validate, or 'split0_test_score' as in cv_results_."
        )
    name = metric
    if metric is None:
        name = next(iter(found))
        if len(found) > 1:
            raise ValueError(
                f"The results hold several metrics: {listed(found)}. Choose one, for example "
                f"metric={name!r} in CVScores.from_cv_results, or metric= in compare_scores."
            )
    if not isinstance(name, str):
        raise TypeError(f"metric={metric!r} must be the name of a metric, one of {listed(found)}.")
    values = found.get(name)
    if values is None:
        if list(found) != ["score"]:
            raise ValueError(f"metric={metric!r} is not in the results; they hold {listed(found)}.")
        values = found["score"]  # one without a name is named by the caller
    if design is None:
        design = _design_of(results, stated, shape)
    elif any(fact is not None for fact in stated.values()):
        raise ValueError("Pass either design=, or n_samples=, groups=, y= and levels=, not both.")
    elif "indices" in results:
        _check_indices(check_design(design), results["indices"])
    else:  # the user states these splits
        design = replace(check_design(design), digests=None, seed=None)
    fields = {"values": values, "design": design, "metric": name}
    fields |= {"fit_times": results.get("fit_time"), "score_times": results.get("score_time")}
    if "params" in results:
        fields["labels"] = tuple(str(params) for params in results["params"])
    return fields


def metrics_of(results: Mapping[str, Any], alone: str | None = None) -> dict[str, np.ndarray]:
    """Return the test scores of each metric, with the splits last; name one without a name."""
    found = _test_scores(results)
    if alone is not None and list(found) == ["score"]:
        return {alone: found["score"]}
    return found


def _test_scores(results: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return the test scores by the names in the results, with the splits last."""
    if "params" in results or "n_features" in results:  # the latter of RFECV
        columns: dict[str, dict[int, np.ndarray]] = {}
        for key in results:
            if match := _SPLIT_KEY.fullmatch(key):
                columns.setdefault(match[2], {})[int(match[1])] = np.asarray(results[key])
        return {
            name: np.stack([parts[k] for k in sorted(parts)], axis=-1)
            for name, parts in columns.items()
        }
    return {
        key.removeprefix("test_"): as_numbers(key, results[key])
        for key in results
        if isinstance(key, str) and key.startswith("test_")
    }


def _check_indices(design: SplitDesign, indices: Mapping[str, Any]) -> None:
    """Raise an error if a stated design contradicts the indices in the results."""
    sides = [indices[side] for side in ("train", "test")]
    if design.digests is not None:
        held = tuple(
            split_digest(as_rows(train, split=k, side="train"), as_rows(test, split=k, side="test"))
            for k, (train, test) in enumerate(zip(*sides, strict=True))
        )
        if held != design.digests:
            raise SplitDesignError(
                "The results hold their own indices, and these are other splits than those of "
                "design=; leave design out."
            )
    elif design.unit == "rows":
        n_train, n_test = (tuple(len(np.unique(rows)) for rows in parts) for parts in sides)
        if (design.n_train, design.n_test) != (n_train, n_test):
            raise SplitDesignError(
                f"The results hold their own indices, {n_train[0]} rows to train and {n_test[0]} "
                f"to test on first, which contradict design={design!r}; leave design out."
            )


def _design_of(
    results: Mapping[str, Any], stated: Mapping[str, Any], shape: tuple[int, ...]
) -> SplitDesign:
    if "indices" not in results:
        raise SplitDesignError(
            "The sizes of the splits are not in these results (no 'indices'), and the correction "
            "depends on them. Run cross_validate(..., return_indices=True), or state the splits in "
            "CVScores.from_cv_results or compare_scores: design=SplitDesign.from_splitter(cv, X, y)"
            " or design=SplitDesign.from_sizes(n_train=..., n_test=..., n_splits=...)."
        )
    indices = results["indices"]
    if not isinstance(indices, Mapping) or not {"train", "test"} <= indices.keys():
        raise TypeError(
            f"results['indices'] is of type {type(indices).__name__}; it must be the dict of "
            "'train' and 'test' rows that cross_validate(..., return_indices=True) makes."
        )
    return SplitDesign.from_indices(indices["train"], indices["test"], **stated, shape=shape)


# Parts of a design.

# The key of the provenance of a part that describes the whole.
PART = "part"
_WANTED = "Pass what cross_val_score(..., splits=...) returned, or CVScores.load(...) of it"
_SAME_DATA = "Score all parts on the same X, y and groups"
_DRAWN_ANEW = (
    "If the splitter has no seed, each call draws other splits: give it an integer random_state"
)
# What to do where designs differ in this, and not in what draws them.
_REMEDIES = {"n_samples": _SAME_DATA, "y_digest": _SAME_DATA, "seed": _DRAWN_ANEW}


def join_parts(parts: "Sequence[CVScores]") -> "CVScores":
    """Return the scores on the whole design, given all its parts."""
    if not parts:
        raise ValueError(f"There are no parts to concatenate. {_WANTED}.")
    facts = [_facts_of(part, k) for k, part in enumerate(parts)]
    whole = _whole_design(parts, facts)
    numbers = [part["splits"] for part in facts]
    _check_cover(numbers, whole.n_splits)
    order = np.argsort(np.concatenate(numbers))

    def in_order(arrays: Sequence[np.ndarray]) -> np.ndarray:
        return np.take(np.concatenate(arrays, axis=-1), order, axis=-1)

    def digests_in_order(digests: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        joined = list(chain(*digests))
        return tuple(joined[place] for place in order)

    failures = [
        (row, own_numbers[split], why)
        for part, own_numbers in zip(parts, numbers, strict=True)
        for row, split, why in part.failures
    ]
    provenance = dict(parts[0].provenance)
    del provenance[PART]
    digests = of_all([part.design.digests for part in parts], digests_in_order)
    return replace(
        parts[0],
        values=in_order([part.values for part in parts]),
        design=replace(whole, digests=digests),
        fit_times=of_all([part.fit_times for part in parts], in_order),
        score_times=of_all([part.score_times for part in parts], in_order),
        failures=tuple(sorted(failures)),
        row_scores=None,  # no call for parts collects them
        magnitude=None,  # type: ignore[arg-type]  # made from values
        notes=union(*(part.notes for part in parts), _notes_on_versions(parts)),
        provenance=provenance,
    )


def _whole_design(parts: "Sequence[CVScores]", facts: Sequence[Mapping[str, Any]]) -> SplitDesign:
    """Return the design that all parts are of, or raise an error."""
    try:
        designs = [SplitDesign._from_plain(part["design"]) for part in facts]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"The parts are damaged: their design cannot be read ({type(error).__name__}: {error})."
        ) from error
    described = [{**vars(design), **part} for design, part in zip(designs, facts, strict=True)]
    for k in range(1, len(parts)):
        for what, one, two, remedy in _to_compare(parts[0], described[0], parts[k], described[k]):
            if one != two:
                raise PairingError(
                    f"Part 0 and part {k} cannot be concatenated: {what} ({brief(one)} and "
                    f"{brief(two)}). {remedy}."
                )
    return designs[0]


def _notes_on_versions(parts: "Sequence[CVScores]") -> list[Note]:
    """Return a note on parts that were scored with different versions."""
    versions = [part.provenance.get("versions") for part in parts]
    if all(of_part == versions[0] for of_part in versions):
        return []
    different = "; ".join(sorted({str(of_part) for of_part in versions}))
    text = f"the parts were scored with different versions: {different}"
    return [Note("versions of parts differ", text, None)]


def _facts_of(part: "CVScores", k: int) -> Mapping[str, Any]:
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
    first: "CVScores", its: Mapping[str, Any], other: "CVScores", theirs: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any, str]]:
    """Yield what must be equal: the words for a difference, the two, and what to do about it."""
    names = (first.metric, list(first.labels)), (other.metric, list(other.labels))
    yield "their metrics or estimators differ", *names, "Concatenate each on its own"
    for name in sorted(field.name for field in fields(SplitDesign)):
        what = "their targets differ" if name == "y_digest" else f"their designs differ in {name}"
        remedy = _REMEDIES.get(name, "Score all parts with the same cv")
        yield what, its[name], theirs[name], remedy
    yield "their splits differ", its.get("identity"), theirs.get("identity"), _DRAWN_ANEW
    yield "their data differ", its.get("data"), theirs.get("data"), _SAME_DATA
    known = first.provenance, other.provenance
    for name in ("scoring", "estimators"):
        one, two = known[0].get(name), known[1].get(name)
        yield f"their {name} differ", one, two, "Score all parts alike"
    if known[0].get("versions") == known[1].get("versions"):
        what = "their estimators or metrics have the same names but different contents"
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
