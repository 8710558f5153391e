"""Read the results of scikit-learn's `cross_validate` and searches."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._arrays import as_numbers
from .._utils._checks import listed
from .._utils._metrics import CALLED, METRICS, OF_FOLDS
from ..exceptions import SplitDesignError
from ._design import SplitDesign, check_design
from ._notes import Note
from ._reading import as_rows, split_digest

if TYPE_CHECKING:
    from ._scores import CVScores

FEWEST_FOLDS = 3  # of the row t-test
# With more splits in folds, the row t-test's intervals are not shorter than the corrected t-test's.
_FEW_SPLITS = 15
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
    metric, values = _values_of(results, metric)
    if design is None:
        design = _design_of(results, stated, shape)
    elif any(fact is not None for fact in stated.values()):
        raise ValueError("Pass either design=, or n_samples=, groups=, y= and levels=, not both.")
    elif "indices" in results:
        _check_indices(check_design(design), results["indices"])
    else:  # the user states these splits
        design = replace(check_design(design), digests=None, seed=None)
    fields = {"values": values, "design": design, "metric": metric}
    for ours, theirs in (("fit_times", "fit_time"), ("score_times", "score_time")):
        if theirs in results:
            fields[ours] = results[theirs]
    if "params" in results:
        fields["labels"] = tuple(str(params) for params in results["params"])
    return fields


def _values_of(results: Mapping[str, Any], metric: str | None) -> tuple[str, np.ndarray]:
    found = metrics_of(results)
    if not found:
        raise ValueError(
            f"No test scores among the keys {listed(results)}: expected 'test_score' or "
            "'test_<metric>' as of cross_validate, or 'split0_test_score' as in cv_results_."
        )
    if metric is None and len(found) > 1:
        raise ValueError(
            f"The results hold several metrics: {listed(found)}. Choose one, for example metric="
            f"{next(iter(found))!r} in CVScores.from_cv_results, or metric= in compare_scores."
        )
    name = next(iter(found)) if metric is None else metric
    if not isinstance(name, str):
        raise TypeError(f"metric={metric!r} must be the name of a metric, one of {listed(found)}.")
    if name not in found and list(found) != ["score"]:
        raise ValueError(f"metric={metric!r} is not in the results; they hold {listed(found)}.")
    # A single metric without a name is named by the caller.
    return name, found[name if name in found else "score"]


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


def means_of_folds(scores: "CVScores") -> tuple[Note, ...]:
    """Return a note if the scores of rows, which finished scores of folds lack, would tell more."""
    design = scores.design
    known = METRICS.get(scores.metric) or METRICS.get(CALLED.get(scores.metric, ""))
    has_rows = known is None or known.is_row_mean or known.function in OF_FOLDS
    whole = sum(design.n_train) + sum(design.n_test) == design.n_splits * design.n_samples
    few = design.shape[-1] < FEWEST_FOLDS or min(design.n_test) < 2
    if "fold" not in design.levels or few or not (whole and has_rows) or scores.row_scores:
        return ()
    length = "shorter intervals, which" if design.n_splits <= _FEW_SPLITS else "intervals that"
    text = (
        "only the means of folds are known; "
        f"{'' if known else 'if the metric is a mean over rows, '}the scores of the rows would "
        f"give {length} vary less from one data set to another: compare_estimators and "
        "cross_val_inference keep them"
    )
    return (Note("means of folds", text, None),)
