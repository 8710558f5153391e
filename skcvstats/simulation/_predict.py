"""Score estimators on the splits of one data set: by refits, or for many splits at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from sklearn.base import clone

from .._utils._arrays import as_array, as_numbers
from ..fitting import FitRecord, HeldSplits, Split, Workload, fit_pairs, run_fits
from ._families import Family
from ._spec import Study

_Rows = tuple[np.ndarray, np.ndarray]


@runtime_checkable
class PredictsSplits(Protocol):
    """An estimator that can do what a loop of fits over splits does, faster."""

    def predict_splits(self, X: Any, y: Any, train: np.ndarray, test: np.ndarray) -> np.ndarray:
        """Fit on each training set and predict its test set.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
            The data.
        y : ndarray of shape (n_samples,)
            The target.
        train : ndarray of int of shape (n_splits, n_train)
            Row numbers.
        test : ndarray of int of shape (n_splits, n_test)
            Row numbers.

        Returns
        -------
        ndarray of shape (n_splits, n_test)
            Row j is what ``clone(self).fit(X[train[j]], y[train[j]]).predict(X[test[j]])`` is.
        """
        ...


@dataclass(frozen=True)
class FamilyScores:
    """The scores of the estimators on the splits of a family."""

    scores: np.ndarray
    losses: list[np.ndarray]


def score_family(study: Study, family: Family, X: Any, y: Any, number: int) -> FamilyScores:
    """Score every estimator on the needed splits of a family."""
    splits = family.splits(X, y, study.split_seed(number))
    names = list(study.estimators)
    scores = np.empty((len(names), len(splits)))
    losses = [np.empty((len(names), len(splits[k][1]))) for k in range(family.n_loss_splits)]
    at_once = _as_arrays(splits, X, y) if study.loss is not None else None
    for e, name in enumerate(names):
        estimator = study.estimators[name]
        key = (e, family.word)
        if at_once is not None and isinstance(estimator, PredictsSplits):
            seeded = _seeded(estimator, study.estimator_seed(number, *key))
            rows = _losses_at_once(study.loss, seeded, X, y, *at_once)
            scores[e] = -rows.mean(axis=1)
            for k, kept in enumerate(losses):
                kept[e] = rows[k]
        else:
            for k, score, row in _refits(study, name, X, y, splits, (number, *key)):
                scores[e, k] = score
                if k < len(losses):
                    losses[k][e] = row
        if not np.isfinite(scores[e]).all():
            k = int(np.flatnonzero(~np.isfinite(scores[e]))[0])
            raise ValueError(
                f"Estimator {name!r} scored {scores[e, k]} on split {k} of {family.cv!r}. Fix its "
                "predictions, or the loss or metric."
            )
    return FamilyScores(scores, losses)


def _as_arrays(splits: Sequence[_Rows], X: Any, y: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the splits as two arrays if their sizes and the data allow it."""
    sizes = {(len(train), len(test)) for train, test in splits}
    if len(sizes) != 1 or type(X) is not np.ndarray or type(y) is not np.ndarray or y.ndim != 1:
        return None
    return np.array([train for train, _ in splits]), np.array([test for _, test in splits])


def _losses_at_once(
    loss: Any, estimator: Any, X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray
) -> np.ndarray:
    predicted = as_array("predict_splits", estimator.predict_splits(X, y, train, test))
    if predicted.shape != test.shape:
        raise ValueError(
            f"predict_splits of {type(estimator).__name__} gave shape {predicted.shape}; it must "
            f"give one prediction for each test row of each split, {test.shape}."
        )
    # A loss is about single rows, so the splits can be concatenated.
    rows = _as_losses(loss(y[test].ravel(), predicted.ravel()), test.size)
    return rows.reshape(test.shape)


def _as_losses(losses: Any, n_rows: int) -> np.ndarray:
    rows = as_numbers("loss", losses)
    if rows.shape != (n_rows,):
        raise ValueError(
            f"The loss gave shape {rows.shape} for {n_rows} test rows; it must give one number for "
            "each row."
        )
    return rows


def _refits(
    study: Study, name: str, X: Any, y: Any, splits: Sequence[_Rows], key: tuple[int, ...]
) -> Iterator[tuple[int, float, np.ndarray | None]]:
    """Yield the number of each split, its score, and the losses of its rows if there are any."""
    estimator = study.estimators[name]
    work = Workload(
        names=(name,),
        estimators=(estimator,),
        scoring=study.scoring,
        fit_params=({},),
        score_params={},
        error_score="raise",
    )
    held = {k: Split(train, test, "") for k, (train, test) in enumerate(splits)}
    if names := _open_seeds(estimator):
        records = _reseeded_fits(study, work, names, X, y, held, key)
    else:
        fits = run_fits(work, X, y, HeldSplits(held), fast_paths=True)
        records = ((record.split, record) for record in fits)
    for k, record in records:
        if study.loss is None:
            yield k, _only(record.scores), None
        else:
            rows = _as_losses(record.losses, len(held[k].test))
            yield k, -rows.mean(), rows


def _reseeded_fits(
    study: Study,
    work: Workload,
    names: list[str],
    X: Any,
    y: Any,
    held: dict[int, Split],
    key: tuple[int, ...],
) -> Iterator[tuple[int, FitRecord]]:
    """Fit with different random numbers on each split, the same in every run of the data set."""
    seeded = clone(work.estimators[0])
    reseeded, splits = replace(work, estimators=(seeded,)), HeldSplits(held)
    for k in held:
        seeded.set_params(**dict.fromkeys(names, study.estimator_seed(*key, k)))
        for record in fit_pairs(X, y, reseeded, splits, [(k, 0)]):
            yield k, record


def _only(scores: Mapping[str, float]) -> float:
    if len(scores) != 1:
        raise ValueError(f"scoring gave {len(scores)} metrics, {list(scores)}; pass one.")
    return next(iter(scores.values()))


def _open_seeds(estimator: Any) -> list[str]:
    """Return the parameters that need new random numbers in every fit."""
    return [
        name
        for name, value in estimator.get_params(deep=True).items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    ]


def _seeded(estimator: Any, seed: int) -> Any:
    names = _open_seeds(estimator)
    return clone(estimator).set_params(**dict.fromkeys(names, seed)) if names else estimator
