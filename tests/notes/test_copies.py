"""The note on copies of rows."""

from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from tests.cheap import NearestMean
from tests.notes.reading import codes, text_of

FOLDS = KFold(5, shuffle=True, random_state=0)


def rates(n=100, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    signal = y + rng.normal(size=n)
    made = {name: 1 / (1 + np.exp(-signal - rng.normal(size=n))) for name in "ab"}
    return y, made


class TestCopies:
    @pytest.mark.parametrize("times", [pytest.param(2, marks=pytest.mark.slow), 5])
    def test_repeated_rows_of_predictions_and_losses(self, times):
        y, made = rates()
        rows = np.random.default_rng(1).permutation(np.repeat(np.arange(100), times))
        copied = {name: of[rows] for name, of in made.items()}
        losses = {name: -np.log(np.where(y, of, 1 - of)) for name, of in made.items()}
        many = {name: of[rows] for name, of in losses.items()}
        folds = np.random.default_rng(2).permutation(np.arange(len(rows)) % 5)
        labels = [("f1", {"threshold": 0.5})] * (times == 2)
        for scoring, more in [("neg_log_loss", {}), ("roc_auc", {}), *labels]:
            assert codes(s.compare_predictions(y, made, scoring=scoring, **more)) == []
            found = s.compare_predictions(y[rows], copied, scoring=scoring, **more)
            assert codes(found) == ["equal rows"]
            grouped = s.compare_predictions(y[rows], copied, scoring="neg_log_loss", groups=rows)
            assert codes(grouped) == []
        n = len(rows)
        assert f"{n} of {n} rows equal another one in y " in text_of(found, "equal rows")
        assert codes(s.compare_losses(losses)) == []
        assert codes(s.compare_losses(many)) == ["equal rows"]
        beside = {name: np.repeat(of, times) for name, of in losses.items()}
        assert codes(s.compare_losses(beside)) == ["equal rows"]  # which says why they score alike
        assert codes(s.compare_losses(many, groups=rows)) == []
        found = s.compare_out_of_fold(y[rows], copied, folds=folds, scoring="neg_log_loss")
        assert codes(found) == ["equal rows"]

    def test_from_five_percent_on(self):
        y, made = rates(200)
        for n, noted in ((4, []), (8, ["equal rows"])):  # 4 and 7.7 % of rows
            rows = np.r_[np.arange(200), np.arange(n)]
            copied = {name: of[rows] for name, of in made.items()}
            assert codes(s.compare_predictions(y[rows], copied, scoring="neg_log_loss")) == noted

    @pytest.mark.parametrize(("share", "noted"), [(0.049, False), (0.051, True)])
    @pytest.mark.parametrize("copies", ["side by side", "far apart", "of one row"])
    def test_from_five_percent_on_of_many_rows_wherever_the_copies_are(self, share, noted, copies):
        n_rows = 500_000
        n_equal = int(share * n_rows)
        sources = np.arange(n_rows)
        if copies == "side by side":
            sources[1:n_equal:2] = sources[0:n_equal:2]
        elif copies == "far apart":
            sources[n_rows - n_equal // 2 :] = sources[: n_equal // 2]
        else:
            sources[:n_equal] = 0
        losses = np.random.default_rng(0).gamma(2.0, size=(2, n_rows))
        losses[:, 0] = 2.0
        a, b = losses[:, sources]
        result = s.compare_losses({"a": a, "b": b}, metric="log_loss")
        assert ("equal rows" in codes(result)) == noted

    def test_silent_on_what_is_equal_by_chance(self):
        """Leaves, saturated and rounded probabilities, labels, 0/1 losses."""
        X, y = load_breast_cancer(return_X_y=True)
        tree = partial(DecisionTreeClassifier, min_samples_leaf=2, random_state=0)
        models = {"tree": tree(max_depth=6), "bayes": GaussianNB(), "root": tree(max_depth=5)}
        fits = {name: model.fit(X[::2], y[::2]) for name, model in models.items()}
        made = {name: fitted.predict_proba(X[1::2])[:, 1] for name, fitted in fits.items()}
        y = y[1::2]
        for names in (("tree", "root"), ("tree", "bayes"), ("bayes", "root")):
            some = {name: made[name] for name in names}
            assert codes(s.compare_predictions(y, some, scoring="neg_brier_score")) == []
        y, made = rates(1000)
        rounded = {name: of.round(3) for name, of in made.items()}
        assert codes(s.compare_predictions(y, rounded, scoring="neg_brier_score")) == []
        labels = {name: (of > 0.5).astype(int) for name, of in made.items()}
        assert codes(s.compare_predictions(y, labels, scoring="accuracy")) == []
        wrong = {name: (of != y) * 1.0 for name, of in labels.items()}
        assert codes(s.compare_losses(wrong, metric="zero_one")) == []

    @pytest.mark.parametrize("noise", [0, 1e-6])
    def test_rows_of_a_table_with_a_little_noise(self, noise):
        X, y = make_classification(150, 4, n_informative=3, n_redundant=0, random_state=0)
        rows = np.tile(np.arange(150), 2)
        near = X[rows] + noise * np.random.default_rng(0).normal(size=(300, 4))
        models = {"a": NearestMean(1), "b": NearestMean(2)}
        with pytest.warns(match="test rows equal a training row") as caught:
            result = s.compare_estimators(models, near, y[rows], cv=FOLDS)
        said = "equal a training row in X and y to four digits"
        assert (said in str(caught[0].message)) == bool(noise)
        assert codes(result) == ["rows in training and test"]
        assert codes(s.compare_estimators(models, near, y[rows], groups=rows)) == []
        fitted = {name: model.fit(X, y) for name, model in models.items()}
        found = s.compare_predictions(y[rows], fitted, X=near, scoring="accuracy")
        assert codes(found) == ["equal rows"]
        assert codes(s.compare_predictions(y, fitted, X=X, scoring="accuracy")) == []

    def test_silent_where_columns_are_close_by_chance(self):
        """Offsets with little spread, columns of a long tail, the same column twice."""
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 3000)
        for X in (
            293.15 + 1e-3 * rng.normal(size=(3000, 3)),
            np.exp(5 * rng.normal(size=(3000, 3))),
            np.repeat(rng.normal(size=(3000, 1)), 3, axis=1) * [1.0, 1.8, -3.0],
        ):
            result = s.cross_val_inference(NearestMean(1), X, y, cv=FOLDS)
            assert codes(result) == []
