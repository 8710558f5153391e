"""Slices of rows, with ``by=``: each is measured by itself, and tested against the others."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from .._utils._arrays import as_array
from .._utils._text import counted, cut, first_of
from .._utils._warn import quiet
from ..scores import CVScores, find_notes
from ..stats import NOT_TESTED, Inference, RowTTest, check_present, one_each, welch_test
from ._evidence import SlicesEvidence
from ._pairs import PairTests

_FEWEST_ROWS = 10
_FEWEST_UNITS = 5  # of a slice in the test of whether slices differ
_MOST_NAMED = 5
_INFLATION = 0.5
_SMALL = {"few groups", "few of a class", "small bootstrap"}
Whole = TypeVar("Whole")
Measure = Callable[[np.ndarray], Mapping[str, CVScores]]


@dataclass(frozen=True, eq=False)
class Slices:
    """The rows of each slice, by its name."""

    rows: Mapping[str, np.ndarray]
    groups_are_shared: bool

    def each(
        self, test: Callable[[np.ndarray], Any], others: bool = False
    ) -> tuple[dict[str, Any], dict[str, str]]:
        """Return the result of each slice, or of all other rows: None, and why, where none."""
        parts = dict[str, Any]()
        causes = dict[str, str]()
        for name, own in self.rows.items():
            try:
                with quiet():  # its notes stay with it
                    parts[name] = test(own ^ others)
            except ValueError as error:  # all rows were tested with the same arguments
                parts[name] = None
                causes[name] = str(error).split(". ")[0].rstrip(".")
        return parts, causes


def read_slices(by: Any, groups: Any, n: int) -> Slices:
    """Read the slice of each of n rows, if there are any."""
    if by is None:
        return Slices({}, groups_are_shared=False)
    slices = one_each("by", as_array("by", by), n)
    check_present("by", slices)
    names, codes = np.unique(slices.astype(str), return_inverse=True)
    if not 2 <= len(names) <= max(2, n / 2):
        raise ValueError(
            f"by has {counted(len(names), 'value')} on {counted(n, 'row')}. Give the slice "
            "of each row, at least two in all and with two rows each on average; cut a column of "
            "numbers into ranges first, such as by pandas.cut."
        )
    rows = {name: codes == k for k, name in enumerate(names.tolist())}
    groups = np.arange(n) if groups is None else np.unique(groups, return_inverse=True)[1]
    n_pairs = len(np.unique(np.column_stack([groups, codes]), axis=0))
    return Slices(rows, groups_are_shared=n_pairs > groups.max() + 1)


def sliced(whole: Whole, slices: Slices, measure: Measure) -> Whole:
    """Return a result with those of its slices, and notes on these."""
    result: Any = whole
    parts, causes = slices.each(lambda own: result._slice(measure(own)))
    if 0 < len(parts) == len(causes):
        name, why = next(iter(causes.items()))
        raise ValueError(
            f"by: no slice can be compared: {cut(name)} (not compared: {why}). Choose wider "
            "slices, or another metric."
        )
    small = []
    for name, part in parts.items():
        size = slices.rows[name].sum()
        if part is None:
            small.append(f"{cut(name)} (not compared: {causes[name]})")
        elif size < _FEWEST_ROWS or not _SMALL.isdisjoint(note.code for note in part.notes):
            small.append(f"{cut(name)} ({counted(size, 'row')})")
    noted: Any = result._noted(find_notes(SlicesEvidence(small=small)))
    found: Whole = replace(noted, slices=parts, groups_are_shared=slices.groups_are_shared)
    return found


def sliced_estimates(whole: Whole, slices: Slices, measure: Measure) -> Whole:
    """Return estimates with those of slices, and of all other rows."""
    if not slices.rows:
        return whole
    found: Any = sliced(whole, slices, measure)
    rests, _ = slices.each(lambda rows: found._slice(measure(rows)), others=True)
    with_rests: Whole = replace(found, rests=rests)
    return with_rests


def compared_slices(slices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the slices that could be compared, or raise ValueError if there are none."""
    if not slices:
        raise ValueError(
            "This result has no slices. Pass by= to the function that made it: the slice of each "
            "row."
        )
    return {name: part for name, part in slices.items() if part is not None}


def ends_of(inference: Inference, level: float) -> tuple[Any, Any]:
    """Return intervals, which are missing where scores do not vary and where there are none."""
    varies = np.where(inference.undetermined, np.nan, np.zeros_like(inference.estimate))
    if not inference.has_interval:
        return varies + np.nan, varies + np.nan
    low, high = inference.confidence_interval(level)
    return low + varies, high + varies


def against_rest(
    own: Inference, rest: Inference, level: float, join: Callable[[Any, Any], Any]
) -> dict[str, Any]:
    """Return the differences of slices and all other rows; `join` adds distances, or squares."""
    low, high = ends_of(own, level)
    rest_low, rest_high = ends_of(rest, level)
    difference = own.estimate - rest.estimate
    return {
        "rest": rest.estimate,
        "difference": difference,
        "difference_low": difference - join(own.estimate - low, rest_high - rest.estimate),
        "difference_high": difference + join(high - own.estimate, rest.estimate - rest_low),
    }


def n_rows_of(scores: CVScores) -> int:
    """Return the number of rows that were scored, each counted once."""
    if scores.row_scores is None:
        return scores.design.n_samples
    return len(np.unique(scores.row_scores.rows))


def _n_units_of(scores: CVScores) -> int:
    """Return the number of independent units that were scored: rows, or whole groups."""
    facts = getattr(scores.components, "facts", {})
    return int(facts.get("n_groups", scores.design.n_samples))


def tests_of_pairs(
    whole: PairTests, parts: Mapping[str, PairTests], slices: Iterable[str], dependent: bool
) -> Iterator[dict[str, Any]]:
    """Yield Welch's test of each pair, with the slices that are left out of it."""
    applies = {
        "rows in time order depend on those near in time, also of other slices": (
            whole.procedure._in_order
        ),
        "there are groups that lie in several slices": dependent,
    }
    why = next(filter(applies.get, applies), "")
    names = np.array([*parts])
    all_estimates, all_errors, all_dfs = np.stack([*map(_numbers_of, parts.values())], axis=1)
    all_errors *= not why
    places = np.argsort(_order_of(whole))
    for pair, place in zip(whole.names.tolist(), places, strict=True):
        errors = all_errors[:, place]
        kept = errors > 0
        left_out = first_of([cut(name) for name in slices if name not in names[kept]], _MOST_NAMED)
        note = left_out and f"left out, with fewer than five units or no variance: {left_out}"
        found = NOT_TESTED
        if kept.sum() > 1:
            found = welch_test(all_estimates[kept, place], errors[kept], all_dfs[kept, place])
        facts = {"estimator": pair[0], "versus": pair[1], "n_slices": kept.sum()}
        yield {"metric": whole.scores.metric, **found._asdict(), **facts, "note": why or note}


def _order_of(tests: PairTests) -> np.ndarray:
    """Return an order of pairs that is the same in all slices."""
    return np.lexsort((tests.second, tests.first))


def _numbers_of(tests: PairTests) -> np.ndarray:
    """Return the estimates, errors (0 of too few units) and degrees of freedom of all pairs."""
    procedure = tests.procedure
    inference = tests.inference
    if getattr(procedure, "inflation", _INFLATION) == 0:  # whose errors are too small
        differences = tests.scores.differences(tests.first, tests.second)
        inference = RowTTest(inflation=_INFLATION).run(differences)
    numbers = inference.estimate, inference._error_at_estimate, inference.df
    arrays = np.stack(np.broadcast_arrays(*numbers)).astype(float)
    arrays[1] *= _n_units_of(tests.scores) >= _FEWEST_UNITS
    return np.asarray(arrays[:, _order_of(tests)])
