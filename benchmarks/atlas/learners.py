"""Learners that predict for all splits of a data set at once, and those that scikit-learn refits.

`ESTIMATORS` says which estimator each is; tests compare them prediction by prediction. A name such
as "tree~1" is the learner on the first of two noisy copies of the columns: "tree~1" and "tree~2"
are equally good, whatever the population. "tree~columns 2" is the learner on the second four
columns. "forest~again" is the forest with seeds of its own.
Predictions are the probability of class 1, or for a regression the target.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from scipy.special import expit
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.linear_model import (
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    Ridge,
    RidgeCV,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from . import trees

_NETWORK = {"hidden_layer_sizes": (16,), "solver": "lbfgs", "max_iter": 60, "alpha": 0.1}
_COLUMNS = 4  # that each of several equal learners sees
_COPY_NOISE = 0.5  # standard deviation of what is added to the columns of the two copies
# By name: the classifier and the regressor, None where there is none.
ESTIMATORS = {
    "dummy": (DummyClassifier(strategy="prior"), DummyRegressor()),
    "linear": (None, LinearRegression()),
    "ridge": (None, Ridge(alpha=10.0)),
    "lasso": (None, Lasso(alpha=0.05)),
    "lasso, stronger": (None, Lasso(alpha=0.1)),
    "tuned ridge": (None, RidgeCV(np.logspace(-1, 3, 13))),
    "tuned lasso": (None, LassoCV(alphas=20, cv=5)),
    "selection": (None, make_pipeline(SelectKBest(f_regression, k=5), LinearRegression())),
    "diverging": (None, None),  # least squares of which one fit in fifty is far off
    "logistic": (LogisticRegression(), None),
    "LDA": (LinearDiscriminantAnalysis(), None),
    "naive Bayes": (GaussianNB(), None),
    "1-NN": (KNeighborsClassifier(1), KNeighborsRegressor(1)),
    "5-NN": (KNeighborsClassifier(5), KNeighborsRegressor(5)),
    "9-NN": (KNeighborsClassifier(9), KNeighborsRegressor(9)),
    "10-NN": (KNeighborsClassifier(10), KNeighborsRegressor(10)),
    "tree": (DecisionTreeClassifier(), DecisionTreeRegressor()),
    "tree, depth 3": (DecisionTreeClassifier(max_depth=3), DecisionTreeRegressor(max_depth=3)),
    "forest": (RandomForestClassifier(30), RandomForestRegressor(30)),
    "boosting": (
        GradientBoostingClassifier(n_estimators=30),
        GradientBoostingRegressor(n_estimators=30),
    ),
    "SVM": (SVC(), SVR()),
    "network": (MLPClassifier(**_NETWORK), MLPRegressor(**_NETWORK)),
}
KINDS = {  # the classes of learners that are judged together
    "linear": ("linear", "ridge", "lasso", "lasso, stronger", "logistic", "LDA"),
    "tuned": ("tuned ridge", "tuned lasso"),
    "naive Bayes": ("naive Bayes",),
    "neighbours": ("1-NN", "5-NN", "9-NN", "10-NN"),
    "tree": ("tree", "tree, depth 3"),
    **{name: (name,) for name in ("forest", "boosting", "SVM", "network", "dummy")},
    **{name: (name,) for name in ("selection", "diverging")},
}
# Metrics besides accuracy, or the squared error, for which the predictions of a learner serve:
# not log loss where probabilities may be 0, no areas where there are only two values.
PROBABILITIES = {
    **dict.fromkeys(("logistic", "LDA", "naive Bayes"), ("log loss", "squared error", "AUC")),
    **dict.fromkeys(("5-NN", "9-NN", "10-NN", "tree, depth 3", "forest"), ("squared error", "AUC")),
    **dict.fromkeys(("boosting", "network"), ("log loss", "squared error", "AUC")),
    "dummy": ("log loss", "squared error"),
    "SVM": ("AUC",),
}


@dataclass(frozen=True, eq=False)
class Batch:
    """One data set and all its splits: `row[t]` is a test row under the model of `split[t]`.

    The first len(y) rows of `X` can be trained on, as `train` of shape (n_splits, len(y)) says;
    further ones are fresh rows, which are only predicted.
    """

    X: np.ndarray
    y: np.ndarray
    is_classes: bool
    train: np.ndarray
    split: np.ndarray
    row: np.ndarray
    rng: np.random.Generator
    is_deep: bool = True  # whether trees are grown in full, else to depth three

    def predict(self, names):
        """Return the predictions of each learner at all pairs of a split and a row, by name."""
        shape, found, copies = self.X.shape, {}, {"": self, "again": replace(self)}
        further = {name.partition("~")[2] for name in names} - {"", "again", "1", "2"}
        for copy in sorted(name for name in further if name.startswith("columns ")):
            further.remove(copy)
            last = _COLUMNS * int(copy.removeprefix("columns "))
            copies[copy] = replace(self, X=self.X[:, last - _COLUMNS : last])
        for copy in ("1", "2", *sorted(further, key=int)):
            noisy = self.X + _COPY_NOISE * self.rng.normal(size=shape)
            copies[copy] = replace(self, X=noisy)
        deep = {name.partition("~")[2] for name in names if name.partition("~")[0] == "tree"}
        copies = {copy: replace(one, is_deep=copy in deep) for copy, one in copies.items()}
        for name in names:
            learner, _, copy = name.partition("~")
            found[name] = _QUICK.get(learner, _refit(learner))(copies[copy])
        return found

    @cached_property
    def marks(self):
        """The training rows as numbers."""
        return self.train.astype(float)

    @cached_property
    def n_train(self):
        """How many training rows each split has."""
        return self.marks.sum(axis=1)

    @cached_property
    def products(self):
        """The product of each two columns in each row, the first of which is 1."""
        Z = np.column_stack([np.ones(len(self.y)), self.X[: len(self.y)]])
        return Z, (Z[:, :, None] * Z[:, None]).reshape(len(Z), -1)

    @cached_property
    def moments(self):
        """The means of the columns and of the target, and sums of products of deviations."""
        Z, products = self.products
        q, n = Z.shape[1], self.n_train
        sums = (self.marks @ products).reshape(-1, q, q)[:, 1:, 1:]
        means = self.marks @ Z[:, 1:] / n[:, None]
        y_mean = self.marks @ self.y / n
        sides = self.marks @ (Z[:, 1:] * self.y[:, None]) - (n * y_mean)[:, None] * means
        return means, y_mean, sums - n[:, None, None] * means[:, :, None] * means[:, None], sides

    def affine(self, coefficients, constants):
        """Return at all pairs the values of one affine function for each split."""
        values = coefficients @ self.X.T + constants[:, None]
        return values[self.split, self.row]

    @cached_property
    def one_class(self):
        """The class where all training rows of a split are of one, else -1."""
        share = self.marks @ self.y / self.n_train
        return np.where((share == 0) | (share == 1), share, -1)

    def classify(self, decision):
        """Return probabilities of log-odds; the only class where a split trains on only one."""
        only = self.one_class[self.split]
        return np.where(only < 0, expit(decision), only)

    @cached_property
    def neighbours(self):
        """The targets of the ten nearest training rows, at all pairs."""
        n = len(self.y)
        lengths = np.square(self.X).sum(axis=1)
        distances = lengths[:n] - 2 * self.X @ self.X[:n].T  # up to the row's own length
        return self._nearest(distances, min(n, 70))

    def _nearest(self, distances, n_listed, k=10):
        near = np.argpartition(distances, n_listed - 1, axis=1)[:, :n_listed]
        order = np.argsort(np.take_along_axis(distances, near, axis=1), axis=1, kind="stable")
        near = np.take_along_axis(near, order, axis=1)[self.row]
        counts = np.cumsum(self.train[self.split[:, None], near], axis=1, dtype=np.int16)
        if n_listed < len(self.y) and counts[:, -1].min() < k:
            return self._nearest(distances, len(self.y), k)
        places = np.stack([(counts < j).sum(axis=1) for j in range(1, k + 1)], axis=1)
        return self.y[np.take_along_axis(near, places, axis=1)]

    @cached_property
    def trees(self):
        """The predictions of a full tree, and of the same tree cut at depth three."""
        found, X = np.empty((2, len(self.row))), self.X.astype(np.float32)
        own, y = X[: len(self.y)], self.y.astype(float)[:, None]
        depth = trees.FULL if self.is_deep else 3
        for train, at in zip(self.train, self.pairs_of_splits, strict=True):
            random = trees.seeded(int(self.rng.integers(2**31)))
            nodes = trees.grow(own[train], y[train], random, X.shape[1], depth)
            rows, node = X[self.row[at]], np.zeros(len(at), dtype=int)
            for _ in range(3):
                column = np.maximum(nodes.feature[node], 0)  # -2 in leaves
                left = rows[np.arange(len(at)), column] <= nodes.threshold[node]
                child = np.where(left, nodes.children_left[node], nodes.children_right[node])
                node = np.where(child >= 0, child, node)
            found[:, at] = nodes.predict(rows)[:, 0], nodes.value[node, 0, 0]
        return found

    @cached_property
    def pairs_of_splits(self):
        """The places of the pairs of each split."""
        order = np.argsort(self.split, kind="stable")
        ends = np.searchsorted(self.split[order], np.arange(1, len(self.train)))
        return np.split(order, ends)


def _mean(batch):
    return (batch.marks @ batch.y / batch.n_train)[batch.split]


def _penalised(penalty):
    def predict(batch):
        means, y_mean, squares, sides = batch.moments
        penalties = penalty * np.eye(squares.shape[-1])
        slopes = np.linalg.solve(squares + penalties, sides[..., None])[..., 0]
        return batch.affine(slopes, y_mean - (slopes * means).sum(axis=1))

    return predict


def _lasso(batch, alpha=0.05, n_sweeps=10):
    """Descend along one coordinate at a time in all splits, until each is solved exactly."""
    means, y_mean, squares, sides = batch.moments
    squares, sides = (a / batch.n_train.reshape(-1, *[1] * (a.ndim - 1)) for a in (squares, sides))
    found, left = np.zeros_like(sides), np.arange(len(sides))
    slopes, residual = np.zeros_like(sides), sides.copy()  # sides - squares @ slopes
    for _ in range(1000):
        for j in np.tile(np.arange(sides.shape[1]), n_sweeps):
            diagonal = np.maximum(squares[:, j, j], 1e-300)
            pull = residual[:, j] + diagonal * slopes[:, j]
            change = np.copysign(np.maximum(np.abs(pull) - alpha, 0) / diagonal, pull)
            change -= slopes[:, j]
            slopes[:, j] += change
            residual -= squares[:, j] * change[:, None]
        exact, is_solved = _lasso_of_signs(np.sign(slopes), squares, sides, alpha)
        found[left] = np.where(is_solved[:, None], exact, slopes)
        left, squares, sides = left[~is_solved], squares[~is_solved], sides[~is_solved]
        slopes, residual = slopes[~is_solved], residual[~is_solved]
        if not len(left):
            break
    return batch.affine(found, y_mean - (found * means).sum(axis=1))


def _lasso_of_signs(signs, squares, sides, alpha, rounding=1e-9):
    """Return the solutions if these are the signs of their slopes, and whether they are."""
    inside = np.abs(signs)
    system = squares * inside[:, :, None] * inside[:, None]
    system += (1 - inside + 1e-13)[..., None] * np.eye(signs.shape[1])
    exact = np.linalg.solve(system, (inside * sides - alpha * signs)[..., None])[..., 0]
    pull = sides - np.einsum("bij,bj->bi", squares, exact)
    is_solved = (exact * signs >= 0) & (np.abs(pull) <= alpha + rounding)
    return exact, is_solved.all(axis=1)


def _diverging(batch, share=0.02, far=2.0):
    """Predict by least squares, in one fit of fifty far off."""
    is_off = batch.rng.random(len(batch.train)) < share
    return _penalised(0.0)(batch) + far * is_off[batch.split]


def _logistic(batch):
    """Take Newton's steps in all splits together, from the solution on all rows."""
    Z, products = batch.products
    weights = _newton(np.zeros((1, Z.shape[1])), np.ones((1, len(Z))), Z, products, batch.y)
    weights = _newton(np.repeat(weights, len(batch.train), 0), batch.marks, Z, products, batch.y)
    return batch.classify(batch.affine(weights[:, 1:], weights[:, 0]))


def _newton(weights, marks, Z, products, y, tolerance=1e-8):
    penalties = np.r_[0.0, np.ones(Z.shape[1] - 1)]  # C = 1

    def value(weights):
        decision = weights @ Z.T
        losses = np.logaddexp(0, decision) - decision * y
        return (marks * losses).sum(axis=1) + (penalties * np.square(weights)).sum(axis=1) / 2

    for _ in range(50):
        chance = expit(weights @ Z.T)
        gradient = (marks * (chance - y)) @ Z + penalties * weights
        if np.abs(gradient).max() < tolerance:
            break
        curved = ((marks * chance * (1 - chance)) @ products).reshape(-1, *[Z.shape[1]] * 2)
        curved += np.diag(penalties + 1e-12)
        step = np.linalg.solve(curved, gradient[..., None])[..., 0]
        size, before = np.ones((len(weights), 1)), value(weights)
        while size.min() > 1e-6 and (worse := value(weights - size * step) > before + 1e-10).any():
            size[worse] /= 2
        weights = weights - size * step
    return weights


def _by_class(batch):
    """Return the counts of both classes, and the means of the columns in them."""
    Z = batch.products[0][:, 1:]
    marks = np.stack([batch.marks * (batch.y == c) for c in (0, 1)])
    counts = marks.sum(axis=2)
    return Z, marks, counts, marks @ Z / np.maximum(counts, 1)[..., None]


def _discriminant(batch):
    _, _, counts, means = _by_class(batch)
    overall, _, squares, _ = batch.moments
    off = means - overall
    within = squares - np.einsum("kb,kbi,kbj->bij", counts, off, off)
    within /= batch.n_train[:, None, None]  # as scikit-learn from 1.8 on; before by n - 2
    gap = means[1] - means[0]
    slopes = (np.linalg.pinv(within, rcond=1e-10, hermitian=True) @ gap[..., None])[..., 0]
    with np.errstate(divide="ignore"):
        odds = np.log(counts[1]) - np.log(counts[0])
    constants = odds - (slopes * (means[0] + means[1])).sum(axis=1) / 2
    return batch.classify(batch.affine(slopes, np.where(np.isfinite(odds), constants, 0.0)))


def _naive_bayes(batch):
    Z, marks, counts, means = _by_class(batch)
    every = np.maximum(counts, 1)[..., None]
    overall = (batch.marks @ Z) / batch.n_train[:, None]
    spread = (batch.marks @ np.square(Z)) / batch.n_train[:, None] - np.square(overall)
    variances = np.maximum(marks @ np.square(Z) / every - np.square(means), 0)
    variances += 1e-9 * spread.max(axis=1)[:, None]
    # Differences of the two classes' log densities: a quadratic function of each column.
    squares, slopes = -0.5 / variances, means / variances
    constants = np.log(every[..., 0]) - 0.5 * np.log(variances).sum(axis=2)
    constants = constants - 0.5 * (np.square(means) / variances).sum(axis=2)
    squares, slopes, constants = (part[1] - part[0] for part in (squares, slopes, constants))
    values = squares @ np.square(batch.X.T) + slopes @ batch.X.T + constants[:, None]
    return batch.classify(values[batch.split, batch.row])


def _forest(batch, n_trees=30):
    found, X = np.empty(len(batch.row)), batch.X.astype(np.float32)
    own, y = X[: len(batch.y)], batch.y.astype(float)[:, None]
    n_features = int(np.sqrt(X.shape[1])) if batch.is_classes else X.shape[1]
    for train, at in zip(batch.train, batch.pairs_of_splits, strict=True):
        seed, rows = int(batch.rng.integers(2**31)), X[batch.row[at]]
        found[at] = trees.forest(seed, n_trees, n_features, own[train], y[train], rows)
    return found


def _boosting(batch, n_stages=30):
    found, X = np.empty(len(batch.row)), batch.X.astype(np.float32)
    own, y = X[: len(batch.y)], batch.y.astype(float)
    for k, (train, at) in enumerate(zip(batch.train, batch.pairs_of_splits, strict=True)):
        if batch.is_classes and batch.one_class[k] >= 0:
            found[at] = batch.one_class[k]
            continue
        seed, rows = int(batch.rng.integers(2**31)), X[batch.row[at]]
        found[at] = trees.boosted(seed, n_stages, batch.is_classes, own[train], y[train], rows)
    return found


def _refit(name):
    """Return what refits every split by scikit-learn, with a fresh seed in every fit."""

    def predict(batch):
        estimator, found = ESTIMATORS[name][0 if batch.is_classes else 1], np.empty(len(batch.row))
        own = batch.X[: len(batch.y)]
        for k, (train, at) in enumerate(zip(batch.train, batch.pairs_of_splits, strict=True)):
            if batch.is_classes and batch.one_class[k] >= 0:
                found[at] = batch.one_class[k]
                continue
            model = clone(estimator)
            if "random_state" in model.get_params():
                model.set_params(random_state=int(batch.rng.integers(2**31)))
            model.fit(own[train], batch.y[train])
            rows = batch.X[batch.row[at]]
            if not batch.is_classes:
                found[at] = model.predict(rows)
            elif hasattr(model, "predict_proba"):
                found[at] = model.predict_proba(rows)[:, 1]
            else:  # half where the decision is 0
                found[at] = expit(model.decision_function(rows))
        return found

    return predict


_QUICK = {
    "dummy": _mean,
    "linear": _penalised(0.0),
    "ridge": _penalised(10.0),
    "lasso": _lasso,
    "lasso, stronger": partial(_lasso, alpha=0.1),
    "diverging": _diverging,
    "logistic": _logistic,
    "LDA": _discriminant,
    "naive Bayes": _naive_bayes,
    "1-NN": lambda batch: batch.neighbours[:, 0],
    "5-NN": lambda batch: batch.neighbours[:, :5].mean(axis=1),
    "9-NN": lambda batch: batch.neighbours[:, :9].mean(axis=1),
    "10-NN": lambda batch: batch.neighbours.mean(axis=1),
    "forest": _forest,
    "boosting": _boosting,
    "tree": lambda batch: batch.trees[0],
    "tree, depth 3": lambda batch: batch.trees[1],
}
