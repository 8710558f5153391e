"""Scores that come from elsewhere: results of scikit-learn, and parts of a design."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._arrays import as_numbers, split_digest
from .._utils._checks import brief, is_list_of, listed
from ..exceptions import PairingError, SplitDesignError
from ._design import SplitDesign, check_design
from ._notes import Note, union
from ._rows import joined

if TYPE_CHECKING:
    from ._scores import CVScores

# The results of `cross_validate` and of searches.

# The name of the scores of a split in a search: the number of the split, and the metric.
_SPLIT_KEY = re.compile(r"split(\d+)_test_(.+)")
# What scikit-learn calls a single metric, whatever it measures.
_WITHOUT_NAME = "score"


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
    by_metric = metrics_of(results)
    if metric is None:
        if len(by_metric) != 1:
            raise ValueError(
                f"The test scores among the keys {listed(results)} are in the metrics "
                f"[{listed(by_metric)}], and not in one. Choose one, metric= in "
                "CVScores.from_cv_results or compare_scores. The keys must be 'test_score' or "
                "'test_<metric>' as of cross_validate, or 'split0_test_score' as in cv_results_."
            )
        (metric,) = by_metric
    if not isinstance(metric, str):
        raise TypeError(
            f"metric={metric!r} must be the name of a metric, one of {listed(by_metric)}."
        )
    values = metrics_of(results, metric).get(metric)
    if values is None:
        raise ValueError(
            f"metric={metric!r} is not in the results; they contain [{listed(by_metric)}]."
        )
    if design is None:
        design = _design_of(results, stated, shape)
    elif any(fact is not None for fact in stated.values()):
        raise ValueError("Pass either design=, or n_samples=, groups=, y= and levels=, not both.")
    elif "indices" in results:
        _check_indices(check_design(design), results["indices"])
    else:  # the user states these splits
        design = check_design(design).as_stated()
    fields = {
        "values": values,
        "design": design,
        "metric": metric,
        "fit_times": results.get("fit_time"),
        "score_times": results.get("score_time"),
    }
    if "params" in results:
        fields["labels"] = tuple(str(params) for params in results["params"])
    return fields


def metrics_of(results: Mapping[str, Any], alone: str | None = None) -> dict[str, np.ndarray]:
    """Return the test scores of each metric, with the splits last; name one without a name."""
    by_metric = _test_scores(results)
    if list(by_metric) == [_WITHOUT_NAME]:
        return {alone or _WITHOUT_NAME: by_metric[_WITHOUT_NAME]}
    return by_metric


def _test_scores(results: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return the test scores by the names in the results, with the splits last."""
    of_splits: dict[str, dict[int, np.ndarray]] = {}  # of searches, by metric and split
    by_metric = {}
    for key in map(str, results):
        if match := _SPLIT_KEY.fullmatch(key):
            of_splits.setdefault(match[2], {})[int(match[1])] = np.asarray(results[key])
        elif key.startswith("test_"):
            by_metric[key.removeprefix("test_")] = as_numbers(key, results[key])
    for name, parts in of_splits.items():
        by_metric[name] = np.stack([*dict(sorted(parts.items())).values()], axis=-1)
    return by_metric


def _check_indices(design: SplitDesign, indices: Mapping[str, Any]) -> None:
    """Raise an error if a stated design contradicts the indices in the results."""
    train = indices["train"]
    test = indices["test"]
    if design.digests is not None:
        digests = tuple(map(split_digest, map(np.asarray, train), map(np.asarray, test)))
        if digests != design.digests:
            raise SplitDesignError(
                "The results contain their own indices, and these are other splits than those of "
                "design=; leave design out."
            )
    elif design.unit == "rows":
        n_train = _count_rows(train)
        n_test = _count_rows(test)
        if (design.n_train, design.n_test) != (n_train, n_test):
            raise SplitDesignError(
                f"The results contain their own indices, {n_train[0]} rows to train and "
                f"{n_test[0]} to test on first, which contradict design={design!r}; leave design "
                "out."
            )


def _count_rows(parts: Sequence[Any]) -> tuple[int, ...]:
    """Return the number of distinct rows of each training set, or of each test set."""
    return tuple(len(np.unique(rows)) for rows in parts)


def _design_of(
    results: Mapping[str, Any], stated: Mapping[str, Any], shape: tuple[int, ...]
) -> SplitDesign:
    """Return the design of the splits whose row numbers are in the results."""
    indices = results.get("indices")
    if not isinstance(indices, Mapping) or not {"train", "test"} <= indices.keys():
        raise SplitDesignError(
            "The sizes of the splits are not in these results, and the correction depends on them: "
            f"'indices' must be a dict of 'train' and 'test' rows, and is {brief(indices)}. Run "
            "cross_validate(..., return_indices=True), or state the splits in "
            "CVScores.from_cv_results or compare_scores: design=SplitDesign.from_splitter(cv, X, y)"
            " or design=SplitDesign.from_sizes(n_train=..., n_test=..., n_splits=...)."
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
# By the field in which designs differ, the difference in words and what to do.
_DIFFERENCES = {
    "n_samples": ("their designs differ in n_samples", _SAME_DATA),
    "y_digest": ("their targets differ", _SAME_DATA),
    "seed": ("their designs differ in seed", _DRAWN_ANEW),
}


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

    def digests_in_order(digests: Sequence[Any]) -> tuple[str, ...]:
        return tuple(in_order(digests).tolist())

    failures = [
        (row, numbers_of_part[split], cause)
        for part, numbers_of_part in zip(parts, numbers, strict=True)
        for row, split, cause in part.failures
    ]
    provenance = dict(parts[0].provenance)
    del provenance[PART]
    digests = joined([part.design for part in parts], "digests", digests_in_order)
    return replace(
        parts[0],
        values=joined(parts, "values", in_order),
        design=replace(whole, digests=digests),
        fit_times=joined(parts, "fit_times", in_order),
        score_times=joined(parts, "score_times", in_order),
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
    first_facts = {**vars(designs[0]), **facts[0]}
    for k in range(1, len(parts)):
        facts_of_part = {**vars(designs[k]), **facts[k]}
        for difference, first, second, remedy in _to_compare(
            parts[0], first_facts, parts[k], facts_of_part
        ):
            if first != second:
                raise PairingError(
                    f"Part 0 and part {k} cannot be concatenated: {difference} ({brief(first)} and "
                    f"{brief(second)}). {remedy}."
                )
    return designs[0]


def _notes_on_versions(parts: "Sequence[CVScores]") -> list[Note]:
    """Return a note on parts that were scored with different versions."""
    versions = sorted({str(part.provenance.get("versions")) for part in parts})
    if len(versions) == 1:
        return []
    text = f"the parts were scored with different versions; {'; '.join(versions)}"
    return [Note("versions of parts differ", text, None)]


def _facts_of(part: "CVScores", k: int) -> Mapping[str, Any]:
    """Return the description in a part, or raise an error if the scores are not a part."""
    facts: Mapping[str, Any] | None = getattr(part, "provenance", {}).get(PART)
    if facts is None:
        raise ValueError(
            f"Part {k}, of type {type(part).__name__}, is already complete, or no part of scores. "
            f"{_WANTED}; a complete one is used as it is."
        )
    splits: Any = facts.get("splits")
    if not is_list_of(splits, int) or not len(set(splits)) == len(splits) == part.design.n_splits:
        raise ValueError(f"Part {k} is damaged: it does not say which splits it contains.")
    return facts


def _to_compare(
    first: "CVScores",
    first_facts: Mapping[str, Any],
    second: "CVScores",
    second_facts: Mapping[str, Any],
) -> Iterator[tuple[str, Any, Any, str]]:
    """Yield what must be equal: the words for a difference, the two, and what to do about it."""
    first_names = (first.metric, list(first.labels))
    second_names = (second.metric, list(second.labels))
    yield (
        "their metrics or estimators differ",
        first_names,
        second_names,
        "Concatenate each on its own",
    )
    for name in sorted(SplitDesign.__annotations__):
        by_default = (f"their designs differ in {name}", "Score all parts with the same cv")
        difference, remedy = _DIFFERENCES.get(name, by_default)
        yield difference, first_facts[name], second_facts[name], remedy
    first_identity = first_facts.get("identity")
    second_identity = second_facts.get("identity")
    yield "their splits differ", first_identity, second_identity, _DRAWN_ANEW
    yield "their data differ", first_facts.get("data"), second_facts.get("data"), _SAME_DATA
    for name in ("scoring", "estimators"):
        first_value = first.provenance.get(name)
        second_value = second.provenance.get(name)
        yield f"their {name} differ", first_value, second_value, "Score all parts alike"
    if first.provenance.get("versions") == second.provenance.get("versions"):
        yield (
            "their estimators or metrics have the same names but different contents",
            first_facts.get("estimators"),
            second_facts.get("estimators"),
            "Score all parts alike",
        )


def _check_cover(splits: Sequence[Sequence[int]], n_splits: int) -> None:
    """Raise SplitDesignError unless each split is in exactly one part."""
    part_of_split: dict[int, int] = {}
    for k, numbers in enumerate(splits):
        for number in numbers:
            if not 0 <= number < n_splits:
                raise SplitDesignError(
                    f"Part {k} is damaged: it has split {number} of {n_splits} splits."
                )
            if number in part_of_split:
                raise SplitDesignError(
                    f"The parts overlap: split {number} is in part {part_of_split[number]} and in "
                    f"part {k}. Pass each split once."
                )
            part_of_split[number] = k
    missing = sorted(set(range(n_splits)) - part_of_split.keys())
    if missing:
        raise SplitDesignError(
            f"{len(missing)} of the {n_splits} splits are in no part: {listed(missing, 10)}. Score "
            f"them with splits={missing[:10]}{'...' if len(missing) > 10 else ''} and pass all."
        )
