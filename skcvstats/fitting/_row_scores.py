"""The scores of single rows whose mean a metric of scikit-learn is, and pseudo-values of AUC."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import sklearn.metrics

from .._utils._arrays import Floats, normalised


def _table(values: Any) -> np.ndarray:
    """Return labels or numbers as a dense array of shape (n_rows, n_outputs)."""
    array = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
    return array.reshape(len(array), -1)


def _numbers(values: Any) -> Floats:
    return _table(values).astype(float)


def _codes(y: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes, and the position of each row's own among them."""
    table = _table(y)
    if table.shape[1] > 1:
        raise ValueError(f"the target has {table.shape[1]} outputs; one label for each row has one")
    classes = np.unique(table if labels is None else labels)
    return classes, np.searchsorted(classes, table[:, 0])


def _right(y: Any, p: Any, normalize: bool = True) -> np.ndarray:
    return np.where((_table(y) == _table(p)).all(axis=1), 1.0, 0.0)


def _of_outputs(name: str) -> Callable[..., np.ndarray]:
    """Return the errors of rows: those of scikit-learn's function, with the rows as its outputs."""

    def of_rows(y: Any, p: Any, multioutput: Any = "uniform_average", **options: Any) -> np.ndarray:
        y, p = (_numbers(values).T for values in (y, p))
        options["sample_weight"] = None if isinstance(multioutput, str) else multioutput
        errors: Callable[..., np.ndarray] = getattr(sklearn.metrics, name)
        return errors(y, p, multioutput="raw_values", **options)

    return of_rows


def _tweedie(y: Any, p: Any, power: float = 0) -> np.ndarray:
    own, told = (_numbers(values)[:, 0] for values in (y, p))
    if power == 0:
        return np.square(own - told)
    if power == 1:
        with np.errstate(divide="ignore", invalid="ignore"):
            return 2 * (np.where(own > 0, own * np.log(own / told), 0.0) - own + told)
    if power == 2:
        return 2 * (np.log(told / own) + own / told - 1)
    ends = (np.maximum(own, 0) ** (2 - power) / (1 - power) + told ** (2 - power)) / (2 - power)
    return 2 * (ends - own * told ** (1 - power) / (1 - power))


def _chances(p: Any) -> tuple[Floats, float]:
    """Return probabilities of each class in double precision, and how exact they are."""
    p = np.asarray(p)
    eps = float(np.finfo(p.dtype).eps) if p.dtype.kind == "f" else np.finfo(float).eps
    chances = p.astype(float).reshape(len(p), -1)
    if chances.shape[1] == 1:
        return np.hstack([1 - chances, chances]), eps
    return normalised(chances), eps


def _log_loss(y: Any, p: Any, labels: Any = None, normalize: bool = True) -> np.ndarray:
    codes, (chances, eps) = _codes(y, labels)[1], _chances(p)
    of_own: Floats = chances[np.arange(len(codes)), codes]
    return -np.log(np.clip(of_own, eps, 1 - eps))


def _brier(
    y: Any, p: Any, labels: Any = None, pos_label: Any = None, scale_by_half: Any = "auto"
) -> np.ndarray:
    is_binary = np.ndim(p) == 1 or np.shape(p)[1] == 1
    classes, codes = _codes(y, None if is_binary else labels)
    if is_binary:
        usual = set(classes.tolist()) <= {-1, 1} or set(classes.tolist()) <= {0, 1}
        positive = pos_label if pos_label is not None else 1 if usual else classes[-1]
        codes = (np.ravel(np.asarray(y)) == positive).astype(int)
    apart = _chances(p)[0]
    apart[np.arange(len(codes)), codes] -= 1
    halved = apart.shape[1] < 3 if scale_by_half == "auto" else scale_by_half
    squares: Floats = np.einsum("ij,ij->i", apart, apart)
    return squares * (0.5 if halved else 1)


def _top_k(y: Any, p: Any, k: int = 2, labels: Any = None, normalize: bool = True) -> np.ndarray:
    codes, p = _codes(y, labels)[1], np.asarray(p)
    if p.ndim == 2 and p.shape[1] > 1:
        best = np.argsort(p, axis=1, kind="stable")[:, ::-1][:, :k]
        return np.where((best == codes[:, np.newaxis]).any(axis=1), 1.0, 0.0)
    p = np.ravel(p)
    cut = 0.5 if p.min() >= 0 and p.max() <= 1 else 0
    return ((p > cut) == codes).astype(float) if k == 1 else np.ones(len(p))


def _of_labels(name: str) -> Callable[..., np.ndarray]:
    """Return the scores of rows with ``average="samples"``, those with the rows as labels."""

    def of_rows(
        y: Any, p: Any, labels: Any = None, average: str = "", pos_label: Any = None, **options: Any
    ) -> np.ndarray:
        y, p = (_table(values)[:, slice(None) if labels is None else labels] for values in (y, p))
        turned = (np.vstack([values, values[:1]]).T for values in (y, p))  # two labels at least
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the metric itself gives them
            scores: Callable[..., np.ndarray] = getattr(sklearn.metrics, name)
            return scores(*turned, average=None, **options)[:-1]

    return of_rows


def _area(y: Any, p: Any, **_: Any) -> np.ndarray:
    """Return pseudo-values of the area under the ROC curve, whose mean it is."""
    # With m rows, m_c of the class of row i: A + (m-1)/(m_c - 1) (V_i - A), where A is the area and
    # V_i the share of the other class that the row is on the right side of.
    p = np.ravel(np.asarray(p))
    classes, codes = _codes(y, None)
    if len(classes) != 2:
        return np.full(len(p), np.nan)
    placements = np.empty(len(p))
    for own in (0, 1):
        others = np.sort(p[codes != own])
        at = p[codes == own]
        below, above = (np.searchsorted(others, at, side) for side in ("left", "right"))
        share = (below + above) / (2 * len(others))
        placements[codes == own] = share if own else 1 - share
    area: float = placements[codes == 1].mean()
    sizes = np.bincount(codes)[codes]
    apart: Floats = (len(p) - 1) / np.maximum(sizes - 1, 1) * (placements - area)
    return area + apart


# By the name in sklearn.metrics, what the function is the mean of.
_OF_OUTPUTS = (
    *("mean_absolute_error", "mean_absolute_percentage_error", "mean_pinball_loss"),
    *("mean_squared_error", "mean_squared_log_error"),
)
OF_LABELS = ("f1_score", "fbeta_score", "jaccard_score", "precision_score", "recall_score")
ROWS: dict[str, Callable[..., np.ndarray]] = {
    "accuracy_score": _right,
    "brier_score_loss": _brier,
    "hamming_loss": lambda y, p: (_table(y) != _table(p)).mean(axis=1),
    "log_loss": _log_loss,
    "mean_gamma_deviance": partial(_tweedie, power=2),
    "mean_poisson_deviance": partial(_tweedie, power=1),
    "mean_tweedie_deviance": _tweedie,
    "roc_auc_score": _area,
    "top_k_accuracy_score": _top_k,
    "zero_one_loss": lambda y, p, normalize=True: 1 - _right(y, p),
    **{name: _of_outputs(name) for name in _OF_OUTPUTS},
    **{name: _of_labels(name) for name in OF_LABELS},
}
