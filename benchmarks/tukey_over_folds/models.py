"""Data sets and models that are equally good, so that every claim of a difference is false.

Five models see three columns each: one that all of them see, and two of their own. The target
depends on the own columns of all models in the same way. So no model is better than another,
whatever the learner.
"""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

N_MODELS = 5
N_ROWS = 200


def draw(random_state: np.random.RandomState) -> tuple[np.ndarray, np.ndarray]:
    """Draw 200 rows: a column that all models see, then two for each model."""
    X = random_state.normal(size=(N_ROWS, 1 + 2 * N_MODELS))
    y = 3 * X[:, 0] + sum(signal(X[:, columns(k)]) for k in range(N_MODELS))
    return X, y + random_state.normal(size=N_ROWS)


def columns(k: int) -> list[int]:
    """Return the columns of model k."""
    return [0, 1 + 2 * k, 2 + 2 * k]


def signal(seen: np.ndarray) -> np.ndarray:
    """Return what a model's own columns, the last two, add to the target."""
    return seen[:, 1] + np.sign(seen[:, 2])


class FinishedModel(RegressorMixin, BaseEstimator):
    """A model that was trained elsewhere: its loss depends on the row only."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return 3 * X[:, 0] + signal(X)


class OnColumns(RegressorMixin, BaseEstimator):
    """A learner that sees some of the columns."""

    def __init__(self, learner, seen):
        self.learner = learner
        self.seen = seen

    def fit(self, X, y):
        self.learner_ = clone(self.learner).fit(X[:, self.seen], y)
        return self

    def predict(self, X):
        return self.learner_.predict(X[:, self.seen])


LEARNERS = {
    "finished model": FinishedModel(),
    "linear regression": LinearRegression(),
    "5 nearest neighbours": KNeighborsRegressor(),
    "tree": DecisionTreeRegressor(random_state=0),
}


def models(learner: str) -> dict[str, OnColumns]:
    """Return five equally good models of one learner, by name."""
    return {f"model {k}": OnColumns(LEARNERS[learner], columns(k)) for k in range(N_MODELS)}
