"""The metric without each unit of a test set, and whether it is smooth.

Notes
-----
With T the metric of all rows, T(-g) that without unit g, a row or a group, and G units, the
pseudo-values are theta_g = G T - (G - 1) T(-g). Where the metric has no closed form, it is called
once for each unit; more than 2,000 units are put into 2,000 random blocks, which are then the
units.

A metric is smooth if leaving out a block of units changes it by about the sum of what leaving out
each of them does. That is examined on 40 random blocks of about sqrt(G) units: the squared
correlation of the two over the blocks is .96 to 1 for smooth metrics, and 0 to .9 for medians,
quantiles and what depends on the top k rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, sqrt
from typing import Any

import numpy as np

from .._utils._arrays import weights_or_ones
from .._utils._checks import listed
from .._utils._metrics import NOT_SMOOTH
from .._utils._warn import FILTERS
from ..fitting import OF_LABELS, closed_form, kinds_of_rows, without_each_of_runs
from ..stats import Groups
from ._predictions import TestSet
from ._units import (
    UnitScorer,
    blocks_of,
    generator_of,
    parts_of,
    run_tasks,
    unit_scorer,
    without_each_block,
)

_N_BLOCKS = 40
_LEAST_OF_SMOOTH = 0.95
_FEWEST_BLOCKS = 3  # for which there is a correlation
# Scores of perfect models, and differences of models that are alike, vary by less, as a share of
# the metric.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class LeftOut:
    """The metric of each model without each unit, and without each of some random blocks."""

    units: Groups
    of_runs: np.ndarray  # that of each run, of shape (n_runs, n_units)
    without_units: np.ndarray  # of shape (n_models, n_units)
    blocks: Sequence[np.ndarray]  # none where it is known that the metric is smooth
    without_blocks: np.ndarray  # of shape (n_models, n_blocks)

    @property
    def is_smooth(self) -> bool:
        """Whether the metric and its differences are, as far as it was examined."""
        is_defined = np.isfinite(self.without_blocks).all(axis=0)
        if np.count_nonzero(is_defined) < _FEWEST_BLOCKS:
            return True
        sums = [self.without_units[:, block].sum(axis=1) for block in self.blocks]
        added = np.stack(sums, axis=1)[:, is_defined]
        changes = self.without_blocks[:, is_defined]
        first, second = np.triu_indices(len(changes), 1)
        added = np.concatenate([added, added[first] - added[second]])
        changes = np.concatenate([changes, changes[first] - changes[second]])
        rounding = _ROUNDING * np.abs(self.without_units).max()
        varies = np.ptp(added, axis=1) + np.ptp(changes, axis=1) > rounding
        return bool(varies.any() and _agree(added[varies], changes[varies]).all())


def _agree(added: np.ndarray, changes: np.ndarray) -> np.ndarray:
    """Return whether the squared correlations of rows are as high as those of smooth metrics."""
    added = added - added.mean(axis=1, keepdims=True)
    changes = changes - changes.mean(axis=1, keepdims=True)
    products = np.square((added * changes).sum(axis=1))
    squares = np.square(added).sum(axis=1) * np.square(changes).sum(axis=1)
    return np.asarray((squares > 0) & (products >= _LEAST_OF_SMOOTH * squares))


def leave_out_units(
    test_set: TestSet, groups: Groups, seed: int, n_jobs: int | None, verbose: int
) -> LeftOut:
    """Return the metric without each unit, or raise ValueError where it is not defined."""
    without_units = _closed_forms(test_set, groups)
    if without_units is not None:
        without_units[:, _lacks_class(unit_scorer(test_set, groups))] = np.nan
        _check_defined(test_set, groups, without_units)
        averaged = test_set.averaged(without_units)
        return LeftOut(groups, without_units, averaged, (), averaged[:, :0])
    units = _in_blocks(groups, test_set.n_rows, seed)
    first, kinds = _kinds_of_units(test_set, units)
    blocks: list[np.ndarray] = []
    if is_examined(test_set):
        blocks = _random_blocks(units.n_groups, seed)
    sets = [*first[:, np.newaxis], *blocks]
    scorer = unit_scorer(test_set, units)
    tasks = [partial(without_each_block, scorer, part) for part in parts_of(sets)]
    answers = run_tasks(tasks, n_jobs, verbose, doing="leaving out rows")
    values = np.concatenate(answers).T
    without_units = values[:, : len(first)][:, kinds]
    _check_defined(test_set, units, without_units)
    averaged = test_set.averaged(without_units)
    without_blocks = test_set.averaged(values[:, len(first) :])
    return LeftOut(units, without_units, averaged, blocks, without_blocks)


def _random_blocks(n_units: int, seed: int) -> list[np.ndarray]:
    """Return random blocks of units."""
    generator = generator_of(seed, 1)
    size = ceil(sqrt(n_units))
    return [generator.choice(n_units, size, replace=False) for _ in range(_N_BLOCKS)]


def is_examined(test_set: TestSet) -> bool:
    """Return whether it is not known of the metric whether it is smooth."""
    return test_set.metric.of_rows not in ("mean", "fold")


def is_known_not_smooth(test_set: TestSet) -> bool:
    """Return whether the metric is known not to be smooth."""
    return test_set.metric.function_name in NOT_SMOOTH


def _closed_forms(test_set: TestSet, groups: Groups) -> np.ndarray | None:
    """Return the metric of each run without each unit, None where it has no closed form."""
    function = test_set.metric.function
    if closed_form(function.name, function.options) is None:
        return None
    with FILTERS:  # which scikit-learn changes there
        compared = [function.reader(run, test_set.all_rows, test_set.y) for run in test_set.runs]
    targets, predictions = zip(*compared, strict=True)
    arrays: Any = (targets[0], predictions)
    of_rows: Any = {"units": groups.codes, "weights": test_set.weights}
    closed: Any = without_each_of_runs(function.name, function.options, *arrays, **of_rows)
    if any(values is None for values in closed):
        return None
    without_units = _signed(closed, function.sign)
    if function.name in OF_LABELS and "zero_division" not in function.options:
        # What is 0/0 is as undefined without a row as it is of all rows.
        options = {**function.options, "zero_division": 1.0}
        closed = without_each_of_runs(function.name, options, *arrays, **of_rows)
        are_defined = _signed(closed, function.sign) == without_units
        without_units = np.where(are_defined, without_units, np.nan)
    return without_units


def _signed(closed: Sequence[np.ndarray], sign: int) -> np.ndarray:
    """Return `sign` times the metric of each run without each unit, without that of all rows."""
    signed = np.empty((len(closed), len(closed[0]) - 1))
    for row, values in zip(signed, closed, strict=True):
        np.multiply(values[1:], sign, out=row)  # in one pass, as there may be many
    return signed


def _lacks_class(scorer: UnitScorer) -> np.ndarray:
    """Return the units without which there are fewer classes than the metric needs."""
    has_class = scorer.has_class
    classes_of_one_unit = has_class[np.count_nonzero(has_class, axis=1) == 1]
    units, n_lost = np.unique(np.nonzero(classes_of_one_unit)[1], return_counts=True)
    return units[len(has_class) - n_lost < scorer.n_needed]


def _in_blocks(groups: Groups, n_rows: int, seed: int) -> Groups:
    """Return the units: rows or groups, or random blocks of them where there are many."""
    blocks = blocks_of(groups.n_groups, seed)
    if len(blocks) == groups.n_groups:
        return groups
    block_of_unit = np.empty(groups.n_groups, dtype=np.intp)
    block_of_unit[np.concatenate(blocks)] = np.repeat(np.arange(len(blocks)), [*map(len, blocks)])
    codes = np.arange(n_rows) if groups.codes is None else groups.codes
    return Groups(block_of_unit[codes], len(blocks))


def _kinds_of_units(test_set: TestSet, units: Groups) -> tuple[np.ndarray, np.ndarray]:
    """Return the first unit of each kind, and the kind of each unit; rows may be alike."""
    params = test_set.row_labels.params.values()
    weights = weights_or_ones(test_set.weights, test_set.n_rows)
    parts = [test_set.y, weights, *(run.values for run in test_set.runs), *params]
    numbers = np.arange(units.n_groups)
    if units.codes is not None or any(part.dtype.kind in "OV" for part in parts):
        return numbers, numbers
    kinds = kinds_of_rows(parts, len(numbers))
    return np.unique(kinds, return_index=True)[1], kinds


def defined_metric(test_set: TestSet) -> str:
    """Return a metric to use where that of the test set is not defined."""
    name = test_set.metric.function_name
    if name not in OF_LABELS:
        return "another metric"
    options = {**test_set.metric.function.options, "zero_division": 0.0}
    text = ", ".join(f"{option}={value!r}" for option, value in options.items())
    return f"make_scorer({name}, {text})"


def _check_defined(test_set: TestSet, units: Groups, without_units: np.ndarray) -> None:
    """Raise ValueError if the metric is not defined without one of the units."""
    is_defined = np.isfinite(without_units)
    if is_defined.all():
        return
    run, unit = np.argwhere(~is_defined)[0].tolist()
    left_out = units.rows(np.array([unit]))
    place = f"row {listed(left_out.tolist(), 3)}"
    if units.labels is not None:
        place = f"group {units.labels.tolist()[unit]!r}"
    name = test_set.labels[test_set.owners[run]]
    fact = f"{test_set.metric_name} is not defined for {name!r} without {place}"
    reason = _error_of_function(test_set, run, np.delete(test_set.all_rows, left_out))
    if reason:
        raise ValueError(
            f"{fact}: {reason}. A function of your own is called with some of the rows: it must "
            "be defined on them, and use its arguments only, no array of all rows."
        )
    raise ValueError(
        f"{fact}, so its standard error cannot be computed. Test on more rows, or use "
        f"{defined_metric(test_set)}."
    )


def _error_of_function(test_set: TestSet, run: int, rows: np.ndarray) -> str:
    """Return what a function of the user's says against some rows, nothing where it has a value."""
    if test_set.metric.function_name:
        return ""
    try:
        test_set.score(run, rows)
    except (ValueError, ZeroDivisionError) as error:
        return str(error).rstrip(".")
    return ""
