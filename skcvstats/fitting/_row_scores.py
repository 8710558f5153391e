"""The scores of rows: of metrics that are means over rows, of areas, and of any other of a fold.

Notes
-----
A metric that is not a mean is that of a fold, and that of its rows without those of each unit.
With T the metric of a fold's rows, of weight W, and T(-g) that without unit g, of weight W_g, a row
of unit g has the score T + d - c, where d = (W/W_g - 1)(T - T(-g)) and c is the weighted mean of d
over units. Of a mean over rows that is the row's own score.

A unit is a row, or all rows of a group; rows may have weights. Most metrics are functions of sums
over rows, as counts of labels and squared errors are, so what is left without a unit is the sum of
all rows less the unit's. Three need more.

*Areas.* W1 and W0 are the weights of the positives and of the negatives, s_i the weight of row i
times that of the rows of the other class that it is on the right side of, ties counting half. The
area is S/(W1 W0), where S is the sum of s over the positives. Without a unit S loses the sum of s
over the unit's rows, and gets back the pairs within the unit, which were then taken off twice.

*Average precision.* Leaving out a unit shortens the list of rows from its first row on: see
`_average_precision`.

*D2 of absolute errors.* The distances of numbers from their median add up to the upper half of
them less the lower half, so sums of the sorted targets give them without each row.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
import sklearn.metrics
from sklearn.utils import _safe_indexing

from .._utils._arrays import Floats, entries_of, normalised, placements, weights_or_ones
from .._utils._warn import FILTERS
from ._average_precision import average_precisions


def _table(values: Any) -> np.ndarray:
    """Return labels or numbers as a dense array of shape (n_rows, n_outputs)."""
    array = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
    return array.reshape(len(array), -1)


def _numbers(values: Any) -> Floats:
    return _table(values).astype(float)


def _classes_among(labels: Any, values: Any) -> np.ndarray:
    """Return the labels that are passed to a metric, or else those that there are."""
    if labels is None:
        return np.unique(values)
    return np.asarray(labels)


def _columns_of(labels: Any) -> Any:
    """Return which columns a metric of several labels takes: all, or those that it gets."""
    if labels is None:
        return slice(None)
    return labels


def _weights_of_outputs(multioutput: Any) -> np.ndarray | None:
    """Return the weights of outputs; None where a word says how they are averaged."""
    if isinstance(multioutput, str):
        return None
    return np.asarray(multioutput, dtype=float)


def with_weights(options: Mapping[str, Any], weights: Any) -> Mapping[str, Any]:
    """Return the options of a metric with the weights of rows, if they have some."""
    if weights is None:
        return options
    return {**options, "sample_weight": weights}


def _codes(y: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes, and the position of each row's own among them."""
    table = _table(y)
    if table.shape[1] > 1:
        raise ValueError(f"the target has {table.shape[1]} outputs; one label for each row has one")
    classes = np.unique(_classes_among(labels, table))
    return classes, np.searchsorted(classes, table[:, 0])


def _of_outputs(name: str) -> Callable[..., np.ndarray]:
    """Return the errors of rows: those of scikit-learn's function, with the rows as its outputs."""

    def row_errors(
        y: Any, p: Any, multioutput: Any = "uniform_average", **options: Any
    ) -> np.ndarray:
        options["sample_weight"] = _weights_of_outputs(multioutput)
        errors: Callable[..., np.ndarray] = getattr(sklearn.metrics, name)
        return errors(_numbers(y).T, _numbers(p).T, multioutput="raw_values", **options)

    return row_errors


def _tweedie(y: Any, p: Any, power: float = 0) -> np.ndarray:
    target = _numbers(y)[:, 0]
    predicted = _numbers(p)[:, 0]
    if power == 0:
        return np.square(target - predicted)
    if power == 1:
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(target > 0, target * np.log(target / predicted), 0.0)
            return 2 * (logs - target + predicted)
    if power == 2:
        return 2 * (np.log(predicted / target) + target / predicted - 1)
    of_target = np.maximum(target, 0) ** (2 - power) / (1 - power)
    ends = (of_target + predicted ** (2 - power)) / (2 - power)
    return 2 * (ends - target * predicted ** (1 - power) / (1 - power))


def _chances(p: Any) -> tuple[Floats, float]:
    """Return probabilities of each class in double precision, and how exact they are."""
    p = np.asarray(p)
    eps = float(np.finfo(p.dtype).eps) if p.dtype.kind == "f" else np.finfo(float).eps
    chances = p.astype(float).reshape(len(p), -1)
    if chances.shape[1] == 1:
        return np.hstack([1 - chances, chances]), eps
    return normalised(chances), eps


def _log_loss(y: Any, p: Any, labels: Any = None, normalize: bool = True) -> np.ndarray:
    codes = _codes(y, labels)[1]
    chances, eps = _chances(p)
    chances_of_class: Floats = chances[np.arange(len(codes)), codes]
    return -np.log(np.clip(chances_of_class, eps, 1 - eps))


def _brier(
    y: Any, p: Any, labels: Any = None, pos_label: Any = None, scale_by_half: Any = "auto"
) -> np.ndarray:
    if np.size(p) == len(y):  # the probability of one of two classes
        classes = _codes(y, None)[0]
        if pos_label is None:
            pos_label = 1 if set(classes.tolist()) <= {-1, 0, 1} else classes[-1]
        codes = (np.ravel(np.asarray(y)) == pos_label).astype(int)
    else:
        codes = _codes(y, labels)[1]
    errors = _chances(p)[0]
    errors[np.arange(len(codes)), codes] -= 1
    is_halved = errors.shape[1] < 3 if scale_by_half == "auto" else scale_by_half
    squares: Floats = np.einsum("ij,ij->i", errors, errors)
    return squares * (0.5 if is_halved else 1)


def _top_k(y: Any, p: Any, k: int = 2, labels: Any = None, normalize: bool = True) -> np.ndarray:
    codes = _codes(y, labels)[1]
    p = np.asarray(p)
    if p.size > len(p):
        best = np.argsort(p, axis=1, kind="stable")[:, ::-1][:, :k]
        return np.where((best == codes[:, np.newaxis]).any(axis=1), 1.0, 0.0)
    p = np.ravel(p)
    cut = 0.5 if np.array_equal(p, p.clip(0, 1)) else 0
    return np.where(((p > cut) == codes) | (k > 1), 1.0, 0.0)


def _of_labels(name: str) -> Callable[..., np.ndarray]:
    """Return the scores of rows with ``average="samples"``, those with the rows as labels."""

    def row_scores(
        y: Any, p: Any, labels: Any = None, average: str = "", pos_label: Any = None, **options: Any
    ) -> np.ndarray:
        columns = _columns_of(labels)
        y = _table(y)[:, columns]
        p = _table(p)[:, columns]
        # scikit-learn wants two labels at least, so the first row is given twice.
        y = np.vstack([y, y[:1]]).T
        p = np.vstack([p, p[:1]]).T
        with FILTERS, warnings.catch_warnings(action="ignore"):  # the metric itself gives them
            scores: Callable[..., np.ndarray] = getattr(sklearn.metrics, name)
            return scores(y, p, average=None, **options)[:-1]

    return row_scores


def _pseudo_areas(y: Any, p: Any, **_: Any) -> np.ndarray:
    """Return pseudo-values of the area under the ROC curve, whose mean it is."""
    # With m rows, m_c of the class of row i: A + (m-1)/(m_c - 1) (V_i - A), where A is the area and
    # V_i the placement of the row.
    classes, codes = _codes(y, None)
    if len(classes) != 2:
        return np.full(len(codes), np.nan)
    shares = placements(codes == 1, np.ravel(np.asarray(p)))
    area: float = shares[codes == 1].mean()
    class_sizes = np.bincount(codes)[codes]
    added: Floats = (len(codes) - 1) / np.maximum(class_sizes - 1, 1) * (shares - area)
    return area + added


# By the name in sklearn.metrics, what the function is the mean of.
_OF_OUTPUTS = (
    *("mean_absolute_error", "mean_absolute_percentage_error", "mean_pinball_loss"),
    *("mean_squared_error", "mean_squared_log_error"),
)
OF_LABELS = ("f1_score", "fbeta_score", "jaccard_score", "precision_score", "recall_score")
ROWS: dict[str, Callable[..., np.ndarray]] = {
    "accuracy_score": lambda y, p, **_: (_table(y) == _table(p)).all(axis=1).astype(float),
    "brier_score_loss": _brier,
    "hamming_loss": lambda y, p: (_table(y) != _table(p)).mean(axis=1),
    "log_loss": _log_loss,
    "mean_gamma_deviance": partial(_tweedie, power=2),
    "mean_poisson_deviance": partial(_tweedie, power=1),
    "mean_tweedie_deviance": _tweedie,
    "roc_auc_score": _pseudo_areas,
    "top_k_accuracy_score": _top_k,
    "zero_one_loss": lambda y, p, **_: (_table(y) != _table(p)).any(axis=1).astype(float),
    **{name: _of_outputs(name) for name in _OF_OUTPUTS},
    **{name: _of_labels(name) for name in OF_LABELS},
}


# Of metrics that are no means over rows.


class _Units(NamedTuple):
    """Which rows are left out together, and how rows weigh; None where each is one, alike."""

    unit_of_row: np.ndarray | None
    weights: np.ndarray | None
    n_units: int
    counts: np.ndarray | None = None  # of rows that are alike, and given once

    def sums_without_each(self, values: np.ndarray) -> np.ndarray:
        """Return sums over rows, of all first, then without each unit."""
        parts = values.astype(float, copy=self.weights is not None)
        if self.weights is not None:
            parts *= self.weights.reshape(-1, *[1] * (parts.ndim - 1))
        if self.unit_of_row is not None:
            columns = parts.reshape(len(parts), -1).T
            unit_sums = [np.bincount(self.unit_of_row, column, self.n_units) for column in columns]
            parts = np.stack(unit_sums, axis=-1).reshape(self.n_units, *parts.shape[1:])
        whole = parts.sum(axis=0) if self.counts is None else np.tensordot(self.counts, parts, 1)
        sums = np.empty((1 + len(parts), *whole.shape))
        sums[0] = whole
        np.subtract(whole, parts, out=sums[1:])
        return sums

    def weights_without_each(self) -> np.ndarray:
        """Return the weight of all rows first, then without each unit."""
        return self.sums_without_each(np.ones(len(self.numbers)))

    def among(self, kept: np.ndarray) -> "_Units":
        """Return the units of some rows; a unit may have none of them."""
        weights = entries_of(self.weights, kept)
        return _Units(self.numbers[kept], weights, self.n_units)

    @property
    def numbers(self) -> np.ndarray:
        """The number of each row's unit."""
        return np.arange(self.n_units) if self.unit_of_row is None else self.unit_of_row

    @property
    def are_alike(self) -> bool:
        """Whether each row is a unit, and all have the same weight."""
        return self.unit_of_row is None and self.weights is None


def rows_in_fold(
    function: Callable[..., Any],
    options: Mapping[str, Any],
    score: float,
    y: Any,
    p: Any,
    *,
    sign: int = 1,
    units: np.ndarray | None = None,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Return the fold's score and what the row's unit adds to it, for each row of a fold.

    `score` is `sign` times the function of all rows. Their weighted mean is the score.
    """
    n_rows = len(y)
    kept = np.flatnonzero(weights_or_ones(weights, n_rows))  # rows without weight add nothing
    y = _safe_indexing(y, kept)
    p = _safe_indexing(p, kept)
    weights = entries_of(weights, kept)
    units = entries_of(units, kept)
    sizes = weights_or_ones(weights, len(kept))
    total = sizes.sum()
    codes = None
    unit_of_row: Any = slice(None)  # each row is one
    if units is not None:
        codes = unit_of_row = np.unique(units, return_inverse=True)[1]
        sizes = np.bincount(codes, sizes)
    values = _with_and_without(function, options, y, p, codes, weights)
    scores = np.full(n_rows, float(score))
    added = sign * (total / sizes - 1) * (values[0] - values[1:])
    added -= (sizes @ added) / total
    scores[kept] += added[unit_of_row]
    return scores


def _with_and_without(
    function: Callable[..., Any],
    options: Mapping[str, Any],
    y: Any,
    p: Any,
    units: np.ndarray | None,
    weights: np.ndarray | None,
) -> np.ndarray:
    """Return a metric of all rows, then without each unit, or raise ValueError."""
    name = getattr(function, "__name__", "")
    values = None
    if getattr(sklearn.metrics, name, None) is function:
        values = without_each(name, options, y, p, units=units, weights=weights)
    if values is None:
        values = _by_leaving_out(function, y, p, units, weights, options)
    if not np.isfinite(values).all():
        raise ValueError(
            f"{name} of a fold without one of its rows or groups is not defined. Use larger test "
            "sets, by fewer folds, stratified ones for classes, or method='corrected_resampled_t', "
            "which needs no scores of rows"
        )
    return values


def _by_leaving_out(
    function: Callable[..., Any],
    y: Any,
    p: Any,
    units: np.ndarray | None,
    weights: np.ndarray | None,
    options: Mapping[str, Any],
) -> np.ndarray:
    """Return any metric of all rows, then without each unit; without rows that are alike once."""
    all_rows = np.arange(len(y))
    if units is None:
        kinds = kinds_of_rows((y, p, weights_or_ones(weights, len(y))), len(y))
        first_of_kind = np.unique(kinds, return_index=True)[1]
        left_in = (np.delete(all_rows, first) for first in first_of_kind)
    else:
        kinds = np.arange(int(units.max()) + 1)
        left_in = (np.flatnonzero(units != unit) for unit in kinds)
    values = []
    for rows in (all_rows, *left_in):
        more = with_weights(options, entries_of(weights, rows))
        with FILTERS, warnings.catch_warnings(action="ignore"):  # the metric itself gives them
            value = function(_safe_indexing(y, rows), _safe_indexing(p, rows), **more)
        values.append(float(value))
    return np.array([values[0], *np.array(values[1:])[kinds]])


def kinds_of_rows(parts: Iterable[Any], n_rows: int) -> np.ndarray:
    """Return a number for each row, the same for rows with the same values."""
    kinds = np.zeros(n_rows, dtype=np.intp)
    for part in parts:
        for column in _table(part).T:
            if column.dtype.kind == "O":  # perhaps of what has no order
                column = np.array([*map(repr, column)])
            codes = np.unique(column, return_inverse=True)[1].ravel()
            kinds = np.unique(kinds * n_rows + codes, return_inverse=True)[1]
    return kinds


def without_each(
    function: str,
    options: Mapping[str, Any],
    y: Any,
    p: Any,
    *,
    units: np.ndarray | None = None,
    weights: np.ndarray | None = None,
) -> np.ndarray | None:
    """Return a metric of all rows, then without each unit; None where there is no closed form.

    `function` is its name in `sklearn.metrics`, `options` are those of its call, and `units` has
    the number of each row's unit, from 0 on. What is not defined is not finite.
    """
    return without_each_of_runs(function, options, y, [p], units=units, weights=weights)[0]


def without_each_of_runs(
    function: str,
    options: Mapping[str, Any],
    y: Any,
    predictions: Sequence[Any],
    *,
    units: np.ndarray | None = None,
    weights: np.ndarray | None = None,
) -> list[np.ndarray | None]:
    """Return what `without_each` does for each of several predictions of the same targets."""
    n_units = len(y) if units is None else int(units.max()) + 1
    left_out = _Units(units, weights, n_units)
    how = {"grouped": units is not None, "weighted": weights is not None}
    form = closed_form(function, options, **how)
    if form is None:
        return [None] * len(predictions)
    with np.errstate(divide="ignore", invalid="ignore"):
        return form.without_each(y, predictions, left_out, options)


def closed_form(
    function: str, options: Mapping[str, Any], *, grouped: bool = False, weighted: bool = False
) -> "OfSums | OfOrder | None":
    """Return how a metric is computed without each unit; None if it is called for each.

    Units may be groups of rows, and rows may have weights.
    """
    form = CLOSED_FORMS.get(function)
    is_raw = str(options.get("multioutput")) == "raw_values"
    if form is None or is_raw or not options.keys() <= set(form.options):
        return None
    if (grouped and not form.takes_groups) or (weighted and not form.takes_weights):
        return None
    return form


@dataclass(frozen=True)
class OfSums:
    """A metric whose value is computed from sums of columns over rows."""

    columns: Callable[..., Iterator[np.ndarray]]  # of tables of targets and predictions
    value: Callable[..., np.ndarray]  # of the weight of the rows, and the sum of each column
    options: tuple[str, ...] = ()  # those that it knows
    of_labels: bool = False
    of_variation: bool = False  # whether the value is also one of the spread of the targets
    takes_groups: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True

    def without_each(
        self, y: Any, predictions: Sequence[Any], units: _Units, options: Mapping[str, Any]
    ) -> list[np.ndarray | None]:
        """Return the metric of all rows, then without each unit, for each of the predictions."""
        y = _table(y)
        of_targets = []
        if self.of_variation:
            of_targets = [_spread_of_targets(y, units)]
        return [self._of_run(y, _table(p), units, of_targets, options) for p in predictions]

    def _of_run(
        self,
        y: np.ndarray,
        p: np.ndarray,
        units: _Units,
        of_targets: Sequence[np.ndarray],
        options: Mapping[str, Any],
    ) -> np.ndarray:
        if self.of_labels and units.are_alike and y.shape[1] == 1:
            first, kinds, n_alike = _rows_alike(y, p)
            units = _Units(None, None, len(first), n_alike)
            values = self._values(y[first], p[first], units, of_targets, options)
            return np.concatenate([values[:1], values[1:][kinds]])
        return self._values(y, p, units, of_targets, options)

    def _values(
        self,
        y: np.ndarray,
        p: np.ndarray,
        units: _Units,
        of_targets: Sequence[np.ndarray],
        options: Mapping[str, Any],
    ) -> np.ndarray:
        sums = [units.sums_without_each(column) for column in self.columns(y, p, **options)]
        return self.value(units.weights_without_each(), *sums, *of_targets, **options)


@dataclass(frozen=True)
class OfOrder:
    """A metric that depends on the order of rows, with a closed form of its own."""

    form: Callable[..., np.ndarray | None]
    options: tuple[str, ...]
    takes_groups: bool = True
    takes_weights: bool = True

    def without_each(
        self, y: Any, predictions: Sequence[Any], units: _Units, options: Mapping[str, Any]
    ) -> list[np.ndarray | None]:
        """Return the metric of all rows, then without each unit; None if there is no form."""
        return [self.form(y, p, units, **options) for p in predictions]


# Metrics of labels. `counts`, of shape (..., 3, n_classes), has for each class the weight of the
# rows that are of it, of those that are predicted to be, and of those that are both.


def _columns_of_classes(
    y: np.ndarray,
    p: np.ndarray,
    average: Any = "",
    labels: Any = None,
    pos_label: Any = 1,
    **_: Any,
) -> Iterator[np.ndarray]:
    """Yield whether each row is of each class, is predicted to be of it, and both."""
    if average == "binary":
        labels = [pos_label]
    if y.shape[1] > 1:
        columns = _columns_of(labels)
        is_of_class = y[:, columns] > 0
        is_predicted = p[:, columns] > 0
    else:
        classes = _classes_among(labels, np.concatenate([y, p]))
        is_of_class = y == classes
        is_predicted = p == classes
    yield np.stack([is_of_class, is_predicted, is_of_class & is_predicted], axis=1)


def _rows_alike(y: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the first row of each two labels, the number of each row's two, and their counts."""
    labels, codes = np.unique(np.concatenate([y, p]), return_inverse=True)
    codes = codes.reshape(2, -1)
    return np.unique(
        codes[0] * len(labels) + codes[1],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )[1:]


def _ratio(
    numerator: np.ndarray,
    denominator: np.ndarray,
    filler: Any,
    average: Any,
    class_weights: np.ndarray,
) -> np.ndarray:
    """Return the mean over classes of a ratio; `filler` where it is 0/0, left out if it is nan."""
    empty = 0.0 if filler == "warn" else float(filler)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(denominator == 0, empty, numerator / denominator)
        weights = class_weights if average == "weighted" else 1.0
        weights = np.where(np.isnan(ratios), 0.0, weights)
        total = weights.sum(axis=-1)
        means = (np.nan_to_num(ratios) * weights).sum(axis=-1) / total
    return np.where(total == 0, empty, means)


def _counts_by_class(counts: np.ndarray, average: Any) -> np.ndarray:
    """Return the three counts first, added up over the classes for the micro average."""
    if average == "micro":
        counts = counts.sum(axis=-1, keepdims=True)
    return np.moveaxis(counts, -2, 0)


def _f_score(
    _weight: np.ndarray,
    counts: np.ndarray,
    average: Any = "binary",
    zero_division: Any = "warn",
    beta: float = 1.0,
    **_: Any,
) -> np.ndarray:
    of_class, predicted, both = _counts_by_class(counts, average)
    denominator = beta**2 * of_class + predicted
    return _ratio((beta**2 + 1) * both, denominator, zero_division, average, of_class)


def _recall(
    _weight: np.ndarray,
    counts: np.ndarray,
    average: Any = "binary",
    zero_division: Any = "warn",
    **_: Any,
) -> np.ndarray:
    of_class, _, both = _counts_by_class(counts, average)
    return _ratio(both, of_class, zero_division, average, of_class)


def _jaccard(
    _weight: np.ndarray,
    counts: np.ndarray,
    average: Any = "binary",
    zero_division: Any = "warn",
    **_: Any,
) -> np.ndarray:
    of_class, predicted, both = _counts_by_class(counts, average)
    return _ratio(both, of_class + predicted - both, zero_division, average, of_class)


def _balanced_accuracy(
    _weight: np.ndarray, counts: np.ndarray, adjusted: bool = False
) -> np.ndarray:
    of_class, _, both = np.moveaxis(counts, -2, 0)
    values = _ratio(both, of_class, np.nan, "macro", of_class)
    if adjusted:
        chance = 1 / (of_class > 0).sum(axis=-1)
        values = (values - chance) / (1 - chance)
    return values


def _matthews(_weight: np.ndarray, counts: np.ndarray) -> np.ndarray:
    of_class, predicted, both = np.moveaxis(counts, -2, 0)
    n_rows = of_class.sum(axis=-1)
    shared = both.sum(axis=-1) * n_rows - (of_class * predicted).sum(axis=-1)
    spread_of_class = np.square(n_rows) - np.square(of_class).sum(axis=-1)
    spread_of_predicted = np.square(n_rows) - np.square(predicted).sum(axis=-1)
    product = spread_of_class * spread_of_predicted
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(product == 0, 0.0, shared / np.sqrt(product))


def _kappa(_weight: np.ndarray, counts: np.ndarray) -> np.ndarray:
    of_class, predicted, both = np.moveaxis(counts, -2, 0)
    n_rows = of_class.sum(axis=-1)
    expected = (of_class * predicted).sum(axis=-1) / n_rows
    kappa: Floats = (both.sum(axis=-1) - expected) / (n_rows - expected)
    return kappa


# Areas under the ROC curve.


def _area(is_positive: np.ndarray, p: np.ndarray, units: _Units) -> np.ndarray:
    """Return the area of two classes; nan without a unit that is all there is of a class."""
    weights = weights_or_ones(units.weights, len(p))
    values, ranks = np.unique(p, return_inverse=True)
    of_class = np.stack([weights * ~is_positive, weights * is_positive])
    right = _on_the_right_side(of_class, ranks, np.zeros(len(p), int), len(values))
    pairs = np.where(is_positive, *right[::-1]) * weights
    alone = units._replace(weights=None)
    # Each pair is counted with both of its rows; a unit's own pairs are taken off twice.
    left = alone.sums_without_each(np.stack([pairs / 2, pairs], axis=1))
    concordant = left[0, 0] - (left[0, 1] - left[:, 1])
    if units.unit_of_row is not None:
        under = _on_the_right_side(of_class, ranks, units.unit_of_row, len(values))[1]
        concordant[1:] += np.bincount(units.unit_of_row, under * of_class[1], units.n_units)
    pairs = alone.sums_without_each(of_class.T).prod(axis=-1)
    return np.where(pairs > 0, concordant / pairs, np.nan)


def _on_the_right_side(
    of_class: np.ndarray, ranks: np.ndarray, group: np.ndarray, n_ranks: int
) -> np.ndarray:
    """Return the weights of the positives above each row of a group, and the negatives below."""
    keys, at = np.unique(group * n_ranks + ranks, return_inverse=True)
    negatives = np.bincount(at, of_class[0], len(keys))
    positives = np.bincount(at, of_class[1], len(keys))
    first = np.searchsorted(keys, (keys // n_ranks) * n_ranks)
    last = np.searchsorted(keys, (keys // n_ranks + 1) * n_ranks)
    below = np.concatenate([[0.0], np.cumsum(negatives)])
    above = np.concatenate([[0.0], np.cumsum(positives)])
    index = np.arange(len(keys))
    under = below[index] - below[first] + negatives / 2
    over = above[last] - above[index] - positives / 2
    return np.stack([over[at], under[at]])


def _roc_auc(
    y: Any,
    p: Any,
    units: _Units,
    average: Any = "macro",
    multi_class: str = "raise",
    labels: Any = None,
) -> np.ndarray | None:
    y = _table(y)
    p = np.asarray(p, dtype=float)
    if average not in ("macro", "weighted", "micro"):
        return None
    if y.shape[1] > 1:  # of several labels
        is_positive = y > 0
        multi_class = "ovr"
    else:
        classes = _classes_among(labels, y)
        p = p.reshape(len(y), -1)
        is_positive = y == classes
        if p.shape[1] < 3:
            return _area(is_positive[:, -1], p[:, -1], units)
    if p.shape != is_positive.shape or multi_class not in _WAYS_OF_AREAS:
        return None
    if average == "micro":
        return _micro_area(is_positive, p, units)
    areas, weights = _WAYS_OF_AREAS[multi_class](is_positive, p, units)
    return _mean_of_classes(areas, weights, average)


def _mean_of_classes(values: np.ndarray, weights: np.ndarray, average: str) -> Floats:
    """Return the mean of the values of classes, plain or weighted, of all rows and without each."""
    # A unit that is all there is of a class says nothing of the values of that class.
    values = np.where(np.isnan(values), values[:, :1], values)
    if average == "macro":
        weights = np.ones(values.shape)
    mean: Floats = (values * weights).sum(axis=0) / weights.sum(axis=0)
    return mean


def _micro_area(is_positive: np.ndarray, p: np.ndarray, units: _Units) -> np.ndarray:
    """Return the area of all pairs of a row and a class, which are positive if it is the row's."""
    n_classes = is_positive.shape[1]
    weights = np.repeat(weights_or_ones(units.weights, len(p)), n_classes)
    units_of_pairs = _Units(np.repeat(units.numbers, n_classes), weights, units.n_units)
    return _area(is_positive.ravel(), p.ravel(), units_of_pairs)


def _of_each_class(
    value: Callable[..., np.ndarray], is_positive: np.ndarray, p: np.ndarray, units: _Units
) -> tuple[np.ndarray, np.ndarray]:
    """Return the value of each class against the others, and the weight of its rows."""
    values = [value(*pair, units) for pair in zip(is_positive.T, p.T, strict=True)]
    weights = [units.sums_without_each(of_class) for of_class in is_positive.T]
    return np.stack(values), np.stack(weights)


def _areas_of_pairs(
    is_positive: np.ndarray, p: np.ndarray, units: _Units
) -> tuple[np.ndarray, np.ndarray]:
    """Return the area of each two classes, and the weight of their rows."""
    areas = []
    weights = []
    for a, b in combinations(range(is_positive.shape[1]), 2):
        kept = is_positive[:, a] | is_positive[:, b]
        units_of_pair = units.among(kept)
        first = _area(is_positive[kept, a], p[kept, a], units_of_pair)
        second = _area(is_positive[kept, b], p[kept, b], units_of_pair)
        areas.append(np.mean([first, second], axis=0))
        weights.append(units.sums_without_each(kept))
    return np.stack(areas), np.stack(weights)


_WAYS_OF_AREAS: dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]] = {
    "ovr": partial(_of_each_class, _area),
    "ovo": _areas_of_pairs,
}


def _average_precision(
    y: Any, p: Any, units: _Units, average: Any = "macro", pos_label: Any = 1
) -> np.ndarray | None:
    y = _table(y)
    p = _table(p)
    if len(np.unique(y)) > 2 or p.shape != y.shape:
        return None
    if y.shape[1] == 1:
        return _precision_of_class(y[:, 0] == pos_label, p[:, 0], units)
    if average not in ("macro", "weighted"):
        return None
    values, weights = _of_each_class(_precision_of_class, y > 0, p, units)
    return _mean_of_classes(values, weights, average)


def _precision_of_class(is_positive: np.ndarray, p: np.ndarray, units: _Units) -> np.ndarray:
    """Return the average precision of one class, then without each unit."""
    return average_precisions(is_positive, p, units.numbers, units.n_units)


# Metrics of numbers.


def _mean_of_outputs(values: np.ndarray, multioutput: Any) -> np.ndarray:
    if values.shape[-1] == 1:
        return values[..., 0]
    return np.average(values, axis=-1, weights=_weights_of_outputs(multioutput))


def _squared_errors(y: np.ndarray, p: np.ndarray, **_: Any) -> Iterator[np.ndarray]:
    errors = y.astype(float, copy=False) - p.astype(float, copy=False)
    yield np.square(errors, out=errors)


def _squared_errors_of_logs(y: np.ndarray, p: np.ndarray, **_: Any) -> Iterator[np.ndarray]:
    return _squared_errors(np.log1p(y.astype(float)), np.log1p(p.astype(float)))


def _errors_with_squares(y: np.ndarray, p: np.ndarray, **_: Any) -> Iterator[np.ndarray]:
    return _with_squares(y.astype(float, copy=False) - p.astype(float, copy=False))


def _with_squares(values: np.ndarray) -> Iterator[np.ndarray]:
    """Yield values less their mean, and the squares of these."""
    centred = values - values.mean(axis=0)
    yield centred
    yield np.square(centred, out=centred)


def _spread(weight: np.ndarray, sums: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Return the sums of squares about the means, in place of those about other numbers."""
    np.square(sums, out=sums)
    sums /= weight[:, np.newaxis]
    squares -= sums
    return squares


def _spread_of_targets(y: np.ndarray, units: _Units) -> np.ndarray:
    """Return the sums of squares of targets about their means; nan where they are one value."""
    sums = [
        units.sums_without_each(column) for column in _with_squares(y.astype(float, copy=False))
    ]
    spread = _spread(units.weights_without_each(), *sums)
    spread[constant_without(y, units.numbers, units.n_units)] = np.nan
    return spread


def _r2(
    _weight: np.ndarray,
    squared_errors: np.ndarray,
    spread: np.ndarray,
    multioutput: Any = "uniform_average",
    **_: Any,
) -> np.ndarray:
    if str(multioutput) == "variance_weighted":
        squared_errors = squared_errors.sum(axis=-1, keepdims=True)
        spread = spread.sum(axis=-1, keepdims=True)
    squared_errors /= spread
    return _mean_of_outputs(np.subtract(1, squared_errors, out=squared_errors), multioutput)


def _explained_variance(
    weight: np.ndarray,
    errors: np.ndarray,
    squared_errors: np.ndarray,
    spread: np.ndarray,
    **options: Any,
) -> np.ndarray:
    return _r2(weight, _spread(weight, errors, squared_errors), spread, **options)


def _root_mean_squared(
    weight: np.ndarray, squared_errors: np.ndarray, multioutput: Any = "uniform_average"
) -> np.ndarray:
    squared_errors /= weight[:, np.newaxis]
    np.maximum(squared_errors, 0, out=squared_errors)
    return _mean_of_outputs(np.sqrt(squared_errors, out=squared_errors), multioutput)


def constant_without(y: np.ndarray, numbers: np.ndarray, n_units: int) -> np.ndarray:
    """Return where an output has a single value: 0 for all rows, 1 + k for those without unit k.

    `numbers` has the number of each row's unit; each of these has a row.
    """
    places = [np.array([], dtype=np.intp)]
    for values in y.T:
        # Where each row is a unit, three values among a few rows are a quick answer.
        if n_units == len(y) and len(set(values[:4].tolist())) > 2:
            continue
        in_others = values[numbers != numbers[0]]
        for value in {values[0], *in_others[:1]}:  # one of them is left without any unit
            others = numbers[values != value]
            if len(others) == 0:
                return np.arange(1 + n_units)
            if (others == others[0]).all():
                places.append(1 + others[:1])
    return np.concatenate(places)


def _d2_absolute(
    y: Any, p: Any, units: _Units, multioutput: Any = "uniform_average"
) -> np.ndarray | None:
    y = _numbers(y)
    p = _numbers(p)
    n_rows = len(y)
    half = (n_rows - 1) // 2  # on each side of the median without a row
    order = np.argsort(y, axis=0, kind="stable")
    ranked = np.take_along_axis(y - np.median(y, axis=0), order, axis=0)
    rank = np.argsort(order, axis=0, kind="stable")
    sums = np.concatenate([np.zeros((1, y.shape[1])), np.cumsum(ranked, axis=0)])
    target = np.take_along_axis(ranked, rank, axis=0)
    low = np.where(rank < half, sums[half + 1] - target, sums[half])
    upper_without = sums[-1] - sums[-half - 2] - target
    high = np.where(rank >= n_rows - half, upper_without, sums[-1] - sums[-half - 1])
    spread = np.concatenate([np.abs(ranked).sum(axis=0)[np.newaxis], high - low])
    spread[constant_without(y, units.numbers, n_rows)] = np.nan
    return _mean_of_outputs(1 - units.sums_without_each(np.abs(y - p)) / spread, multioutput)


_OUTPUTS = ("multioutput", "force_finite")


_AVERAGE = ("average", "pos_label", "zero_division", "labels")
_BINARY = partial(_columns_of_classes, average="binary")
# Of each function its closed form; none with options that the form does not know.
CLOSED_FORMS: dict[str, OfSums | OfOrder] = {
    "average_precision_score": OfOrder(
        _average_precision, ("average", "pos_label"), takes_weights=False
    ),
    "balanced_accuracy_score": OfSums(
        _columns_of_classes, _balanced_accuracy, ("adjusted",), of_labels=True
    ),
    "cohen_kappa_score": OfSums(_columns_of_classes, _kappa, of_labels=True),
    "d2_absolute_error_score": OfOrder(
        _d2_absolute, ("multioutput",), takes_groups=False, takes_weights=False
    ),
    "explained_variance_score": OfSums(
        _errors_with_squares,
        _explained_variance,
        _OUTPUTS,
        of_variation=True,
    ),
    "f1_score": OfSums(_BINARY, _f_score, _AVERAGE, of_labels=True),
    "fbeta_score": OfSums(_BINARY, _f_score, (*_AVERAGE, "beta"), of_labels=True),
    "jaccard_score": OfSums(_BINARY, _jaccard, _AVERAGE, of_labels=True),
    "matthews_corrcoef": OfSums(_columns_of_classes, _matthews, of_labels=True),
    "precision_score": OfSums(_BINARY, partial(_f_score, beta=0.0), _AVERAGE, of_labels=True),
    "r2_score": OfSums(_squared_errors, _r2, _OUTPUTS, of_variation=True),
    "recall_score": OfSums(_BINARY, _recall, _AVERAGE, of_labels=True),
    "roc_auc_score": OfOrder(_roc_auc, ("average", "multi_class", "labels")),
    "root_mean_squared_error": OfSums(_squared_errors, _root_mean_squared, ("multioutput",)),
    "root_mean_squared_log_error": OfSums(
        _squared_errors_of_logs, _root_mean_squared, ("multioutput",)
    ),
}
