"""Score estimators on the splits of one data set: by refits, or from a study's own records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from .._utils._arrays import as_numbers
from ..fitting import FitRecord, HeldSplits, Split, Workload, fit_pairs
from ._families import Family
from ._spec import Study


@dataclass(frozen=True)
class FamilyScores:
    """The scores of the estimators on the splits of a family."""

    scores: np.ndarray
    losses: list[np.ndarray]


def score_family(study: Study, family: Family, X: Any, y: Any, number: int) -> FamilyScores:
    """Score every estimator on the needed splits of a family."""
    splits = {
        k: Split(train, test, "")
        for k, (train, test) in enumerate(family.splits(X, y, study.split_seed(number)))
    }
    names = list(study.estimators)
    scores = np.full((len(names), len(splits)), np.nan)
    losses = [np.empty((len(names), len(splits[k].test))) for k in range(family.n_loss_splits)]
    for record in _records(study, X, y, HeldSplits(splits), (number, family.word)):
        e, k = record.estimator, record.split
        if study.loss is None:
            scores[e, k] = _only(record.scores)
            continue
        rows = _as_losses(record.losses, len(splits[k].test))
        scores[e, k] = -rows.mean()
        if k < len(losses):
            losses[k][e] = rows
    for e, k in np.argwhere(~np.isfinite(scores)).tolist():
        raise ValueError(
            f"Estimator {names[e]!r} scored {scores[e, k]} on split {k} of {family.cv!r}. Fix its "
            "predictions, or the loss or metric."
        )
    return FamilyScores(scores, losses)


def _records(
    study: Study, X: Any, y: Any, splits: HeldSplits, key: tuple[int, int]
) -> Iterator[FitRecord]:
    """Yield the record of each estimator on each split: those that `records` has, then refits."""
    number, word = key
    open_seeds = [_open_seeds(model) for model in study.estimators.values()]
    models = [
        clone(model) if names else model
        for model, names in zip(study.estimators.values(), open_seeds, strict=True)
    ]

    def seed(e: int, *of_fit: int) -> None:
        names = open_seeds[e]
        models[e].set_params(**dict.fromkeys(names, study.estimator_seed(number, e, word, *of_fit)))

    work = Workload(
        names=tuple(study.estimators),
        estimators=tuple(models),
        scoring=study.scoring,
        fit_params=({},) * len(models),
        score_params={},
        error_score="raise",
    )
    done = set()
    if study.records is not None:
        for e, names in enumerate(open_seeds):
            if names:
                seed(e)
        for record in study.records(work, X, y, splits):
            done.add((record.split, record.estimator))
            yield record
    for e, names in enumerate(open_seeds):
        left = [(k, e) for k in range(len(splits)) if (k, e) not in done]
        if not names:
            yield from fit_pairs(X, y, work, splits, left)
            continue
        for pair in left:  # other random numbers on each split, the same in every run
            seed(e, pair[0])
            yield from fit_pairs(X, y, work, splits, [pair])


def _as_losses(losses: Any, n_rows: int) -> np.ndarray:
    rows = as_numbers("loss", losses)
    if rows.shape != (n_rows,):
        raise ValueError(
            f"The loss gave shape {rows.shape} for {n_rows} test rows; it must give one number for "
            "each row."
        )
    return rows


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
