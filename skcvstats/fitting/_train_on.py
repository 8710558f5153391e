"""TrainOn: an estimator that is fitted on a part of its training set, for learning curves."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import get_routing_for_object

from .._utils._arrays import classes_in, digest_of, one_output
from .._utils._metrics import RESPONSES
from ..splitters import stream_of
from ._fit import take_rows

# Methods that get rows of X.
_OF_ROWS = (*RESPONSES, "predict_log_proba", "score")


class TrainOn(BaseEstimator):
    """Fit an estimator on a part of its training set; in all else it is the fitted estimator.

    Parameters
    ----------
    estimator : estimator
        Cloned, never fitted.
    train_size : float or int
        A share of the units of the training set, or a number of them. Units are rows or groups.
    seed : int, default=0
        From which parts are drawn.
    stratify : bool, default=False
        Whether y has classes, so that each part has all of them.

    Notes
    -----
    The units of a training set are put into an order, and a part has the first of them. So parts of
    one training set are nested, and the same for all estimators. The order is drawn from the seed
    and the numbers of the units, anew for each training set: if the same positions were drawn in
    all of them, sorted rows would give all fits nearly the same part, and the standard error would
    not include that it was drawn.

    With classes, each row has the share of its class that comes before it, and a unit that of its
    first row. Units are ordered by this share, then as they were drawn. So those with the first row
    of a class come first, and the classes keep their proportions as far as the units allow it.

    The rows of a part keep their order, so that a part with all units is the training set itself.
    """

    def __init__(
        self, estimator: Any, train_size: float, *, seed: int = 0, stratify: bool = False
    ) -> None:
        self.estimator = estimator
        self.train_size = train_size
        self.seed = seed
        self.stratify = stratify

    def fit(self, X: Any, y: Any = None, *, part_units: np.ndarray, **params: Any) -> Self:
        """Fit the estimator on its part, with the rows of the part in `params`.

        Parameters
        ----------
        X, y : array-like
            The training set.
        part_units : ndarray of shape (n_samples,)
            The number of each row's group in the data, or of the row itself.
        **params : dict
            For the estimator.
        """
        labels = one_output(y) if self.stratify else None
        classes = np.zeros_like(part_units) if labels is None else classes_in("y", labels)[1]
        rows = draw_part(part_units, classes, self.train_size, self.seed)
        data, params = take_rows(X, y, params, rows, rows, self._is_pairwise)
        model = clone(self.estimator)
        model.fit(*data, **params)
        self.rows_ = rows
        self.model_ = model
        return self

    def __getattr__(self, name: str) -> Any:
        """Return what the fitted estimator has, and its methods for predictions before that too."""
        if name in _OF_ROWS:
            method = getattr(vars(self).get("model_", self.estimator), name)
            return self._on_part(method) if self._is_pairwise else method
        if name.startswith("__") or "model_" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.model_, name)

    def __getitem__(self, step: Any) -> Any:
        """Return a step of a fitted pipeline."""
        return self.model_[step]

    def _on_part(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return a method that gets the columns of the part from a matrix of kernels."""

        @wraps(method)
        def on_part(X: Any, *args: Any, **kwargs: Any) -> Any:
            return method(X[:, self.rows_], *args, **kwargs)

        return on_part

    @property
    def _is_pairwise(self) -> bool:
        return bool(get_tags(self).input_tags.pairwise)

    def __sklearn_tags__(self) -> Any:
        """Return the tags of the estimator."""
        return get_tags(self.estimator)

    def get_metadata_routing(self) -> Any:
        """Return what the estimator requests, as it gets all parameters as they come."""
        return get_routing_for_object(self.estimator)


def part_size(train_size: float, n_units: int) -> int:
    """Return the number of units in a part of a training set of so many."""
    if isinstance(train_size, float):
        return max(1, int(train_size * n_units + 1e-9))
    return train_size


def draw_part(units: np.ndarray, classes: np.ndarray, train_size: float, seed: int) -> np.ndarray:
    """Return the rows of a part, ascending, from the number of the unit and class of each row."""
    numbers, unit = np.unique(units, return_inverse=True)
    n_units = len(numbers)
    training_set = int.from_bytes(digest_of(numbers.astype("<i8").tobytes()), "little")
    drawn = stream_of((seed, training_set), ()).permutation(n_units)

    counts = np.bincount(classes)
    class_starts = np.cumsum(counts) - counts
    by_class = np.lexsort((drawn[unit], classes))
    before = np.arange(len(units)) - np.repeat(class_starts, counts)
    share_of_unit = np.ones(n_units)
    np.minimum.at(share_of_unit, unit[by_class], before / np.repeat(counts, counts))

    n_kept = part_size(train_size, n_units)
    n_needed = np.count_nonzero(share_of_unit == 0)
    if n_kept < n_needed:
        share = np.ceil(1e3 * n_needed / n_units) / 1e3
        raise ValueError(
            f"{n_kept} of the {n_units} rows or groups of a training set cannot include every "
            f"class of y, which takes {n_needed}. Pass train_sizes that begin at {n_needed}, or at "
            f"a share of {share:g}."
        )
    is_kept = np.zeros(n_units, dtype=bool)
    is_kept[np.lexsort((drawn, share_of_unit))[:n_kept]] = True
    return np.flatnonzero(is_kept[unit])
