"""Rows of repeated folds, or groups of them, as the units of a variance.

doc/derivations.rst has the mathematics.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from .._utils._arrays import entries_of, weights_or_ones
from .._utils._text import counted, first_of, verb
from ..exceptions import SplitDesignError
from ..scores import RowScores, SplitDesign
from ._groups import GroupSizes

# More estimators are compared by inner products; of fewer, each pair by itself is as quick.
_FEW = 10
# The least share that a pair may have of the sums of its estimators. It leaves 11 correct digits;
# the fourth moment, which is reported with three digits, keeps 8.
_LEAST_SHARE = 1e-5
_LEAST_OF_FOURTH = 1e-8
_ROUNDING = 1e-12  # of scores: what varies by less is computed by itself
FEWEST_FOLDS = 3
WHO = "The row t-test"
REMEDY = (
    "Such folds are those of RepeatedStratifiedKFold(n_splits=5, n_repeats=4) for classes, else of "
    "RepeatedKFold(n_splits=5, n_repeats=4); compare_estimators without cv= draws them."
)
_OR_OTHERS = f'{REMEDY} For random splits there is method="corrected_resampled_t".'


class FoldedRows(NamedTuple):
    """Which fold tested each row, and where its score is among all, by repeat and row."""

    labels: np.ndarray
    positions: np.ndarray  # in the values of RowScores


def repeats_and_folds(design: SplitDesign) -> tuple[int, int]:
    """Return the numbers of repeats and of folds of a repeated k-fold, in any order."""
    n_repeats = max(1, round(sum(design.n_test) / design.n_samples))
    return n_repeats, design.n_splits // n_repeats


def find_folds(
    rows: np.ndarray, offsets: np.ndarray, n_rows: int, *, who: str, remedy: str = _OR_OTHERS
) -> FoldedRows:
    """Return which fold tested each row in each repeat; refuse other splits."""
    # Each test set goes to the first repeat that has none of its rows yet. If repeats can be parted
    # in several ways, any serves: no number depends on the order of a row's scores.
    counts = np.bincount(rows, minlength=n_rows)
    if counts.min() < counts.max():
        times = zip(*np.unique(counts, return_counts=True), strict=True)
        rows_tested = [f"{counted(n, 'row')} {counted(k, 'time')}" for k, n in times]
        raise SplitDesignError(
            f"{who} needs repeated k-fold, where each row is tested once in each repeat. Of "
            f"{n_rows} rows, these splits test {first_of(rows_tested, 6)}. {remedy}"
        )
    labels = np.full((counts[0], n_rows), -1, np.min_scalar_type(-len(offsets)))
    positions = np.empty_like(labels, np.min_scalar_type(-rows.size))
    n_folds = np.zeros(counts[0], dtype=np.intp)
    for start, end in pairwise(offsets):
        tested = rows[start:end]
        # One that no repeat can take is put over rows of the first, so that others stay at -1.
        repeat = (labels[:, tested] < 0).all(axis=1).argmax()
        labels[repeat, tested] = n_folds[repeat]
        positions[repeat, tested] = np.arange(start, end)
        n_folds[repeat] += 1
    if (labels < 0).any():
        raise SplitDesignError(
            f"{who} needs repeated k-fold; each row is tested {counts[0]} times, but no repeats "
            "that test each row once were found. If there are, pass one repeat after another. "
            f"{REMEDY}"
        )
    return FoldedRows(labels, positions)


def fold_sizes(labels: np.ndarray) -> np.ndarray:
    """Count the units of each fold of each repeat."""
    n_folds = labels.max() + 1
    return np.stack([np.bincount(row, minlength=n_folds) for row in labels])


def folds_of_units(labels: np.ndarray, codes: np.ndarray | None) -> np.ndarray:
    """Return the fold of each row, or of each group in `codes`, by repeat; refuse unfit ones."""
    unit = "row"
    remedy = "Use 5 or 10 folds, or pass more data"
    if codes is not None:
        unit = "group"
        remedy = "Use fewer folds, such as GroupKFold(3), or pass more groups"
        first = np.unique(codes, return_index=True)[1]
        torn = np.unique(codes[(labels != labels[:, first[codes]]).any(axis=0)]).size
        if torn:
            raise SplitDesignError(
                f"{WHO} needs whole groups in each fold; {torn} of {counted(first.size, unit)} "
                "have rows in several folds, so models were trained on rows of groups that they "
                "were tested on. Use folds of whole groups, as of GroupKFold(5), or leave groups "
                "out if rows do not depend on each other."
            )
        labels = labels[:, first]
    sizes = fold_sizes(labels)  # of a fold that only other repeats have 0
    if sizes.shape[1] < FEWEST_FOLDS or sizes.min() < 2:
        n_folds = labels.max(axis=1) + 1
        in_repeat = np.arange(sizes.shape[1]) < n_folds[:, np.newaxis]
        smallest = sizes[in_repeat].min()
        raise SplitDesignError(
            f"{WHO} needs the same number of folds in each repeat, {FEWEST_FOLDS} or more, and two "
            f"{unit}s or more in each fold; here repeats have "
            f"{' and '.join(map(str, np.unique(n_folds)))} folds, and the smallest fold has "
            f"{counted(int(smallest), unit)}. {remedy}."
        )
    # The first unit of each fold is its name, in whatever order a repeat numbers its folds.
    partitions = {np.unique(row, return_index=True)[1][row].tobytes() for row in labels}
    again = len(labels) - len(partitions)
    if again:
        raise SplitDesignError(
            f"{WHO} needs other folds in each repeat; {again} of {len(labels)} repeats "
            f"{verb(again, 'has', 'have')} the same folds as one before. Draw each repeat "
            f"with another seed. {REMEDY}"
        )
    return labels


class Spread(NamedTuple):
    """What rows say of each estimator or difference."""

    estimates: np.ndarray
    over_units: np.ndarray  # v
    over_repeats: np.ndarray  # w
    between_folds: np.ndarray  # the sample variance of the means of all folds
    from_rows: np.ndarray  # what it would be if only units differed
    n_telling: np.ndarray  # how many units the variance over them rests on


@dataclass(frozen=True, eq=False)
class Units:
    """Rows of repeated folds, or groups of them: where their scores are, and how they weigh."""

    # `positions` (n_repeats, n_rows) are those of the scores in `RowScores`, group after group.

    positions: np.ndarray
    n_units: int
    starts: np.ndarray | None = None
    weights: np.ndarray | None = None  # of the rows, in the same order
    factors: np.ndarray | None = None  # (G - 1)/(W - W_g) of each unit
    sizes: GroupSizes | None = None  # None where all units weigh alike
    # Of each repeat the units in the order of its folds, and how many units each fold has.
    order: Any = None
    fold_sizes: Any = None

    @property
    def n_repeats(self) -> int:
        return len(self.positions)

    def take(self, values: np.ndarray) -> np.ndarray:
        """Return the scores of the rows in each repeat, as a copy."""
        if len(values) > 1:
            return values[:, self.positions]
        # There may be many rows: going repeat by repeat needs less memory.
        scores = np.empty((1, *self.positions.shape))
        for repeat, positions in enumerate(self.positions):
            np.take(values, positions, axis=1, out=scores[:, repeat], mode="clip")
        return scores

    def means(self, scores: np.ndarray) -> np.ndarray:
        """Return the estimates: the means of the rows' scores."""
        if self.weights is None:
            return np.asarray(scores.mean(axis=(1, 2)))
        return np.asarray((scores @ self.weights).mean(1) / self.weights.sum())

    def centred(self, scores: np.ndarray, estimates: np.ndarray) -> np.ndarray:
        """Return the units' scores less the estimates; the rows' scores are overwritten."""
        scores -= estimates[:, np.newaxis, np.newaxis]
        if self.weights is None:
            return scores
        scores *= self.weights
        if self.starts is not None:
            scores = np.add.reduceat(scores, self.starts - self.starts[0], axis=-1)
        scores *= self.factors
        return scores

    def parts(self, n_rows: int) -> Iterator[Self]:
        """Yield parts of about so many rows, of whole units."""
        starts = np.arange(self.n_units) if self.starts is None else self.starts
        ends = np.append(starts, self.positions.shape[1])
        step = max(1, n_rows * self.n_units // self.positions.shape[1])
        for start in range(0, self.n_units, step):
            units = slice(start, min(start + step, self.n_units))
            rows = slice(ends[units.start], ends[units.stop])
            yield replace(
                self,
                positions=self.positions[:, rows],
                starts=entries_of(self.starts, units),
                weights=entries_of(self.weights, rows),
                factors=entries_of(self.factors, units),
            )


def find_units(
    positions: np.ndarray,
    labels: np.ndarray | None,
    codes: np.ndarray | None,
    weights: np.ndarray | None,
) -> Units:
    """Return the units of the rows that count; refuse folds or groups that cannot serve."""
    if weights is not None and not weights.all():
        kept = weights > 0
        weights = weights[kept]
        positions = positions[:, kept]
        codes = None if codes is None else np.unique(codes[kept], return_inverse=True)[1]
        labels = entries_of(labels, (slice(None), kept))
    parted: dict[str, Any] = {}
    if labels is not None:
        folds = folds_of_units(labels, codes)
        small = folds.astype(np.min_scalar_type(folds.max()))  # which are sorted faster
        parted["order"] = np.argsort(small, kind="stable").astype(positions.dtype)
        parted["fold_sizes"] = fold_sizes(folds)
    n_rows = positions.shape[1]
    if codes is None and weights is None:
        return Units(positions, n_rows, **parted)
    of_rows = weights_or_ones(weights, n_rows)
    starts = None
    totals = of_rows
    squares = np.square(of_rows)
    if codes is not None:
        totals = np.bincount(codes, totals)
        squares = np.bincount(codes, squares)
        by_group = np.argsort(codes, kind="stable")
        starts = np.searchsorted(codes[by_group], np.arange(len(totals)))
        positions = positions[:, by_group]
        of_rows = of_rows[by_group]
    sizes = GroupSizes.named(
        totals, squares, grouped=codes is not None, weighted=weights is not None
    )
    reason = sizes.too_few()
    if reason:
        raise SplitDesignError(reason)
    factors = (len(totals) - 1) / (totals.sum() - totals)
    return Units(positions, len(totals), starts, of_rows, factors, sizes, **parted)


def shared_variance(over_units: Any, over_repeats: Any, n_repeats: int, n_folds: int) -> Any:
    """Return what an inflation of 1 adds to v; of one repeat w is not seen, and taken for v/2."""
    return 1.5 * over_units if n_repeats == 1 else over_units + n_folds / 5 * over_repeats


def spread_of(rows: RowScores, units: Units) -> Spread:
    """Return how the scores of units vary."""
    n_estimators = len(rows.values)
    if rows.first is None or n_estimators <= _FEW or len(rows.first) <= 2 * n_estimators:
        return Spread(*_spread_of_each(rows, units))
    numbers, settled = _spread_of_pairs(rows, units)
    numbers[:, ~settled] = _spread_of_each(rows[np.flatnonzero(~settled)], units)
    return Spread(*numbers)


def _spread_of_each(rows: RowScores, units: Units) -> np.ndarray:
    """Return the numbers of `Spread` of estimators or pairs, each by itself."""
    n_units = units.n_units
    numbers = np.zeros((6, len(rows.magnitude)))
    spread = Spread(*numbers)  # its arrays are the rows of `numbers`
    for part in rows.blocks():
        # Large ones are not kept here longer than they are needed.
        scores = units.take(rows.block(part))
        estimates = units.means(scores)
        deviations = units.centred(scores, estimates)
        del scores
        spread.estimates[part] = estimates
        if units.order is not None:
            fold_means, spread.from_rows[part] = _moments_of_folds(deviations, units)
            spread.between_folds[part] = fold_means.var(axis=1, ddof=1)
        means = deviations.mean(axis=1)
        squares = np.square(means)
        total = squares.sum(axis=1)
        spread.over_units[part] = total / ((n_units - 1) * n_units)
        squares /= np.where(total > 0, total, 1.0)[:, np.newaxis]
        fourth = np.einsum("ki,ki->k", squares, squares)
        with np.errstate(divide="ignore"):  # inf of scores that do not vary
            spread.n_telling[part] = 1.0 / fourth
        del squares
        deviations -= means[:, np.newaxis]  # nothing is left of a single repeat
        squares = np.einsum("kri,kri->k", deviations, deviations)
        spread.over_repeats[part] = squares / (max(1, units.n_repeats - 1) * n_units**2)
        del deviations, means
    return numbers


def _moments_of_folds(deviations: np.ndarray, units: Units) -> tuple[np.ndarray, np.ndarray]:
    """Return the means of all folds, and the mean variance of these that units alone give them."""
    fold_means = []
    from_rows = np.zeros(len(deviations))
    for repeat, (order, sizes) in enumerate(zip(units.order, units.fold_sizes, strict=True)):
        sorted_ = deviations[:, repeat, order]
        starts = np.cumsum(sizes) - sizes
        fold_means.append(np.add.reduceat(sorted_, starts, axis=1) / sizes)
        sorted_ -= np.repeat(fold_means[-1], sizes, axis=1)
        np.square(sorted_, out=sorted_)
        within = np.add.reduceat(sorted_, starts, axis=1)
        from_rows += (within / ((sizes - 1) * sizes)).sum(axis=1)
    return np.concatenate(fold_means, axis=1), from_rows / units.fold_sizes.size


def variance_of_fits(rows: RowScores, units: Units) -> np.ndarray:
    """Return the variance between fits of what a fit adds to the scores of all of its test rows."""
    n_repeats, n_folds = units.fold_sizes.shape
    variances = np.zeros(len(rows.magnitude))
    for part in rows.blocks():
        scores = units.take(rows.block(part))
        deviations = units.centred(scores, units.means(scores))
        # The level of a unit itself, which is the same in all repeats, cancels.
        deviations -= deviations.mean(axis=1, keepdims=True)
        fold_means, from_rows = _moments_of_folds(deviations, units)
        squares = np.square(fold_means).sum(axis=1)
        variances[part] = squares / (fold_means.shape[1] - 1) - from_rows
    kept = (1 - 1 / n_repeats) ** 2 + (n_repeats - 1) / (n_repeats**2 * n_folds)
    return np.asarray(variances / kept)


def guarded_variance(variance: Any, least: Any, most_added: Any) -> Any:
    """Return the variance V, raised to `least` but by no more than `most_added`."""
    return np.maximum(variance, np.minimum(variance + most_added, least))


def _spread_of_pairs(rows: RowScores, units: Units) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of `Spread` of many pairs, and which of these have all their digits."""
    values = rows.values
    first = np.asarray(rows.first)
    second = np.asarray(rows.second)
    n_units = units.n_units
    n_repeats = len(units.positions)
    middle = np.argsort(values.mean(axis=1))[len(values) // 2]
    from_middle = (units.means(units.take(row - values[[middle]])) for row in values)
    estimates = np.concatenate(list(from_middle))
    unit = rows.magnitude.max() or 1.0  # so that fourth powers are in range
    products, fold_means = _products(values, units, estimates, int(middle), unit)
    means, repeats, within, fourth, thirds = products

    def of_members(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sums of the first and of the second estimator of each pair."""
        return np.diag(sums)[first], np.diag(sums)[second]

    powers = np.add(*of_members(fourth)) + 6 * fourth[first, second]
    powers -= 4 * (thirds[first, second] + thirds[second, first])
    settled = powers >= _LEAST_OF_FOURTH * np.maximum(*of_members(fourth))
    sums = []
    for squares in (means, repeats, within):
        pair_sums = np.add(*of_members(squares)) - 2 * squares[first, second]
        settled &= pair_sums >= _LEAST_SHARE * np.maximum(*of_members(squares))
        sums.append(pair_sums)
    settled &= (sums[0] > n_units * np.square(_ROUNDING * rows.magnitude)) & (powers > 0)
    numbers = np.zeros((6, len(first)))
    spread = Spread(*numbers)  # its arrays are the rows of `numbers`
    spread.estimates[:] = estimates[first] - estimates[second]
    spread.over_units[:] = sums[0] / ((n_units - 1) * n_units)
    spread.over_repeats[:] = sums[1] / (max(1, n_repeats - 1) * n_units**2)
    if fold_means.size:
        spread.between_folds[:] = (fold_means[first] - fold_means[second]).var(axis=1, ddof=1)
        spread.from_rows[:] = sums[2] / fold_means.shape[1]
    spread.n_telling[settled] = (sums[0][settled] / unit**2) ** 2 / powers[settled]
    return numbers, settled


def _products(
    values: np.ndarray, units: Units, estimates: np.ndarray, middle: int, unit: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return G, E, that within folds, F and T of the derivation, and the means of each fold."""
    # all of the scores less those of the middle estimator
    n_estimators = len(values)
    n_repeats = len(units.positions)

    def blocks() -> Iterator[tuple[slice, np.ndarray]]:
        start = 0
        for part in units.parts(max(n_estimators, 2**20 // (n_estimators * (n_repeats + 1)))):
            at = part.positions
            from_middle = (values[:, at] - values[middle, at]).reshape(n_estimators, -1)
            part = replace(part, positions=np.arange(at.size).reshape(at.shape))
            deviations = part.centred(part.take(from_middle), estimates)
            end = start + deviations.shape[-1]
            yield slice(start, end), deviations
            start = end

    folds = np.zeros((n_repeats, 0), dtype=np.intp)
    scale = np.ones(0)
    fold_means = np.zeros((0, 0))
    if units.order is not None:
        sizes = units.fold_sizes
        folds = np.empty_like(units.order)
        for repeat, order in enumerate(units.order):  # folds are numbered on over the repeats
            numbers = np.arange(sizes.shape[1]) + repeat * sizes.shape[1]
            folds[repeat, order] = np.repeat(numbers, sizes[repeat])
        fold_means = np.zeros((n_estimators, sizes.size))
        scale = np.sqrt((sizes - 1) * sizes).ravel()
        for at, deviations in blocks():
            for repeat, labels in enumerate(folds[:, at]):
                fold_means += deviations[:, repeat] @ np.eye(sizes.size)[labels]
        fold_means /= sizes.ravel()
    means, repeats, within, fourth, thirds = sums = np.zeros((5, n_estimators, n_estimators))
    for at, deviations in blocks():
        if fold_means.size:
            inside = (deviations - fold_means[:, folds[:, at]]) / scale[folds[:, at]]
            inside = inside.reshape(n_estimators, -1)
            within += inside @ inside.T
        mean = deviations.mean(axis=1)
        means += mean @ mean.T
        relative = mean / unit
        square = np.square(relative)
        fourth += square @ square.T
        thirds += (square * relative) @ relative.T
        inside = (deviations - mean[:, np.newaxis]).reshape(n_estimators, -1)
        repeats += inside @ inside.T
    return sums, fold_means


def row_root(
    rows: RowScores, units: Units, inflation: float, n_folds: int, block_size: int = 2**20
) -> np.ndarray:
    """Return a root of the covariance of the estimates."""
    # Reduced by QR block after block: its Gram matrix would lose half of the digits.
    n_estimators = len(rows.values)
    n_units = units.n_units
    n_repeats = units.n_repeats
    factor = 1 + inflation * shared_variance(1.0, 0.0, n_repeats, n_folds)
    of_repeats = inflation * shared_variance(0.0, 1.0, n_repeats, n_folds)
    within = np.sqrt(of_repeats / max(1, n_repeats - 1)) / n_units
    between = np.sqrt(factor / (n_units * (n_units - 1)))
    means = [units.means(units.take(rows.values[[k]])) for k in range(n_estimators)]
    estimates = np.concatenate(means)
    root = np.zeros((0, n_estimators))
    for part in units.parts(max(n_estimators, block_size // (n_estimators * (n_repeats + 1)))):
        deviations = part.centred(part.take(rows.values), estimates)
        means = deviations.mean(axis=1, keepdims=True)
        columns = [between * means[:, 0]]
        if within:
            columns.append((within * (deviations - means)).reshape(n_estimators, -1))
        block = np.concatenate([root, np.concatenate(columns, axis=1).T])
        root = np.asarray(np.linalg.qr(block, mode="r"))
    return root.T
