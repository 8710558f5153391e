"""The scores of constant predictions."""

import warnings
from contextlib import suppress
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer

from ..fitting import Metric


class _ClassShares(DummyClassifier):
    """The most frequent class or the class shares, also for metrics of decision values."""

    def decision_function(self, X: Any) -> Any:
        shares = self.predict_proba(X)
        return shares[:, 1] if shares.shape[1] == 2 else shares


def constants_of(
    metric: Metric,
    known: Any,
    tested: Any,
    of_classes: bool | None,
    sample_weight: Any = None,
) -> tuple[float, float]:
    """Return the lowest and the highest score of constants made of known targets, or nan."""
    constants: list[Any] = []
    if of_classes is not False:
        constants.append(_ClassShares())
    if not of_classes:
        constants += [DummyRegressor(strategy="mean"), DummyRegressor(strategy="median")]
    weighing = {}
    if sample_weight is not None:
        weighing["sample_weight"] = sample_weight
    scores = [np.nan]
    with warnings.catch_warnings(action="ignore"):
        for constant in constants:
            with suppress(Exception):  # it has no such score
                scorer = metric.scorer or get_scorer(metric.named)  # of a model's own score
                constant.fit(np.zeros((len(known), 1)), known)
                score = scorer(constant, np.zeros((len(tested), 1)), tested, **weighing)
                scores.append(float(score))
    best = np.fmax.reduce(scores)
    if of_classes is None:  # of both kinds, as either may be meant
        return best, best
    return np.fmin.reduce(scores), best
