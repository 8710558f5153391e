"""Scores that come from elsewhere: results of scikit-learn, parts of a design, JSON text."""

import math
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._arrays import as_numbers, split_digest
from .._utils._checks import brief, is_integer, listed
from .._utils._documents import Format
from ..exceptions import PairingError, SplitDesignError
from ._design import SplitDesign, check_design
from ._notes import Note, union
from ._pairing import of_all
from ._reading import as_rows
from ._rows import Components, RowScores

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
    for ours, theirs in (("fit_times", "fit_time"), ("score_times", "score_time")):
        if theirs in results:
            fields[ours] = results[theirs]
    if "params" in results:
        fields["labels"] = tuple(str(params) for params in results["params"])
    return fields


def metrics_of(results: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return the test scores of each metric, with the splits last."""
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
    for k in range(1, len(parts)):
        for what, one, two, remedy in _to_compare(parts[0], facts[0], parts[k], facts[k]):
            if one != two:
                raise PairingError(
                    f"Part 0 and part {k} cannot be concatenated: {what} ({brief(one)} and "
                    f"{brief(two)}). {remedy}."
                )
    try:
        return SplitDesign._from_dict(facts[0]["design"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"The parts are damaged: their design cannot be read ({type(error).__name__}: {error})."
        ) from error


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


# JSON text: exact, versioned, and refused when damaged.

FORMAT = Format(
    "skcvstats.CVScores",
    3,
    holds="CVScores. Pass a file that CVScores.save wrote",
    remedy="score again",
)
_ARRAYS = ("values", "fit_times", "score_times", "magnitude")
# Compressed, as there is a number for each test row; text of 256 MB can hold no more as numbers.
_OF_ROWS = ("values", "rows", "offsets", "magnitude", "groups", "weights", "first", "second")
_MOST_BYTES = 2**32
_NOT_FINITE = {"nan", "inf", "-inf"}
# Integers up to this are exact as floats; no data set is larger.
_LARGEST = 2**53


def encoded(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a CVScores as plain data from which `decoded` restores all exactly."""
    content = {**fields, **{name: _encode(fields[name]) for name in _ARRAYS}}
    content["design"] = fields["design"]._to_dict()
    content["notes"] = [note.to_dict() for note in fields["notes"]]
    content["provenance"] = dict(fields["provenance"])
    row_scores, components = fields["row_scores"], content.pop("components")
    if row_scores is not None:
        if np.ndim(row_scores.first) == 0:  # a single difference
            own = {"values": row_scores.block(), "first": None, "second": None}
            row_scores = row_scores._made(**vars(row_scores) | own)
        names = _OF_ROWS if row_scores.times is None else (*_OF_ROWS, "times")
        content["row_scores"] = {name: _pack(getattr(row_scores, name)) for name in names}
    if components is not None:
        content["components"] = {
            "kind": components.kind,
            "arrays": {name: _encode(array) for name, array in components.arrays.items()},
            "shared": {name: _encode(array) for name, array in components.shared.items()},
            "facts": dict(components.facts),
            "first": None if components.first is None else components.first.tolist(),
            "second": None if components.second is None else components.second.tolist(),
        }
    return content


def decoded(content: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a CVScores from what `encoded` returned, or raise an error."""
    fields = {**content, **{name: _decode(content[name]) for name in _ARRAYS}}
    design = SplitDesign._from_dict(content["design"])
    if max(design.n_samples, *design.n_train, *design.n_test) > _LARGEST:
        raise ValueError("sizes that no data set has")
    fields["design"] = design
    fields["notes"] = tuple(map(Note.from_dict, content["notes"]))
    if content["row_scores"] is not None:
        rows: dict[str, Any] = {k: _unpack(data) for k, data in content["row_scores"].items()}
        fields["row_scores"] = RowScores(**rows)
    if (data := content.get("components")) is None:
        return fields
    for name, fact in data["facts"].items():  # flags and counts
        if name.startswith(("n_", "with_")):
            # A variance needs at least two groups, and two of each class.
            right = is_integer(fact) and 2 <= fact <= _LARGEST
        else:
            right = isinstance(fact, bool)
        if not right:
            raise ValueError(f"{name} of a test set is {fact!r}")
    arrays, shared = (
        {name: _decode(array) for name, array in data[key].items()} for key in ("arrays", "shared")
    )
    pairs = (None if data[key] is None else np.array(data[key]) for key in ("first", "second"))
    fields["components"] = Components(data["kind"], arrays, shared, data["facts"], *pairs)
    return fields


def _encode(array: np.ndarray | None) -> dict[str, Any] | None:
    """Encode an array as its shape and its numbers; nan and inf are text, as JSON lacks them."""
    if array is None:
        return None
    numbers = [x if math.isfinite(x) else str(x) for x in array.ravel().tolist()]
    encoded = {"shape": list(array.shape), "numbers": numbers}
    return encoded if array.dtype == np.float64 else {**encoded, "dtype": str(array.dtype)}


def _decode(data: dict[str, Any] | None) -> Any:
    if data is None:
        return None
    dtype = np.dtype(data.get("dtype", "float64"))
    if dtype.kind not in "biuf":  # else a text of a chosen length could fill the memory
        raise TypeError(f"an array of dtype {data['dtype']!r}")
    shape, numbers = data["shape"], data["numbers"]
    if not set(map(type, numbers)) <= {int, str, bool if dtype.kind == "b" else float}:
        raise TypeError("an array of something other than numbers")
    words = {x for x in numbers if isinstance(x, str)}
    if not words <= _NOT_FINITE:
        raise ValueError(f"{min(words - _NOT_FINITE)!r} in place of a number")
    known = all(is_integer(size) and size >= 0 for size in shape)
    if not known or math.prod(shape) != len(numbers):
        raise ValueError(f"shape {shape!r} for {len(numbers)} numbers")
    floats = np.array([float(x) for x in numbers]).reshape(shape)
    with np.errstate(invalid="ignore", over="ignore"):
        array = floats.astype(dtype)
    if not np.array_equal(array, floats, equal_nan=dtype.kind == "f"):
        raise ValueError(f"numbers that are not of type {dtype}")
    return array


def _pack(array: np.ndarray | None) -> dict[str, Any] | None:
    """Encode an array as compressed bytes; integers as steps from one to the next."""
    if array is None:
        return None
    kind = "<f8" if array.dtype == np.float64 else "<i8"
    numbers = array if kind == "<f8" else np.diff(array, prepend=0)
    content = zlib.compress(numbers.astype(kind, copy=False).tobytes())
    return {"shape": list(array.shape), "dtype": kind, "zlib": b64encode(content).decode()}


def _unpack(data: dict[str, Any] | None) -> np.ndarray | None:
    if data is None:
        return None
    shape = data["shape"]
    n_bytes = 8 * math.prod(shape)
    if n_bytes > _MOST_BYTES:
        raise ValueError(f"shape {shape!r}, which is more than {_MOST_BYTES} bytes")
    # One byte more than there are, so that text that expands without end is noticed.
    decompressor = zlib.decompressobj()
    content = decompressor.decompress(b64decode(data["zlib"], validate=True), n_bytes + 1)
    if len(content) != n_bytes or not decompressor.eof or decompressor.unused_data:
        raise ValueError(f"packed numbers that are not of shape {shape!r}")
    numbers = np.frombuffer(content, dtype=data["dtype"]).reshape(shape)
    return numbers if numbers.dtype == np.float64 else np.cumsum(numbers)
