"""The note on repeats that are the same."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

import skcvstats as s
from skcvstats.stats import row_ttest
from tests.notes.reading import codes, text_of

MSE = "neg_mean_squared_error"


def in_folds(model, y, folds, X):
    made = np.empty(folds.shape)
    for repeat, of in zip(made, folds, strict=True):
        for k in range(5):
            repeat[of == k] = model.fit(X[of != k], y[of != k]).predict(X[of == k])
    return made


class TestSameRepeats:
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:120, :3], y[:120]
    folds = np.stack([np.random.default_rng(k).permutation(np.arange(120) % 5) for k in range(3)])
    line = in_folds(LinearRegression(), y, folds, X)
    tree = in_folds(DecisionTreeRegressor(max_depth=2, random_state=0), y, folds, X)

    def compare(self, made, y=None, scoring=MSE):
        y = self.y if y is None else y
        return s.compare_out_of_fold(y, made, folds=self.folds, scoring=scoring)

    def test_are_refused_where_all_models_have_them(self):
        again = {name: np.stack([of[0]] * 3) for name, of in (("l", self.line), ("t", self.tree))}
        for scoring in (MSE, "r2"):
            with pytest.raises(s.SplitDesignError, match=r"in some repeats.*pass them once"):
                self.compare(again, scoring=scoring)
        last = {"l": self.line[[0, 1, 1]], "t": self.tree[[0, 1, 1]]}
        with pytest.raises(s.SplitDesignError, match="in some repeats"):
            self.compare(last)
        assert codes(self.compare({"l": self.line, "t": self.tree})) == []

    def test_are_noted_for_some(self):
        """A rule beside a model that learns is fine; a constant says nothing."""
        rule = np.stack([self.X[:, 2] * 900 + 150] * 3)
        result = self.compare({"rule": rule, "tree": self.tree})
        assert codes(result) == ["same repeats"]
        assert "'rule': the predictions" in text_of(result, "same repeats")
        constant = np.full((3, 120), 150.0)
        assert codes(self.compare({"constant": constant, "tree": self.tree})) == []

    def test_of_labels_and_of_scores_are_noted_only(self):
        y = (self.y > 140).astype(int)
        labels = {"l": (self.line > 140).astype(int), "t": (self.tree > 140).astype(int)}
        assert codes(self.compare(labels, y, "accuracy")) == []
        again = {name: np.stack([of[0]] * 3) for name, of in labels.items()}
        assert codes(self.compare(again, y, "accuracy")) == ["same repeats"]
        rows = np.random.default_rng(0).normal(size=(3, 40))
        assert codes(row_ttest(rows, n_folds=5)) == []
        assert codes(row_ttest(rows[[0, 1, 0]], n_folds=5)) == ["same repeats"]
        assert codes(row_ttest(np.stack([rows, rows[[0, 1, 0]]]), n_folds=5)) == []

    def test_of_stated_folds(self):
        how = {"n_samples": 100, "levels": ("repeat", "fold"), "shape": (2, 5)}
        design = s.SplitDesign.from_sizes(80, 20, n_splits=10, **how)
        values = np.random.default_rng(0).normal(0.8, 0.05, size=(2, 10))
        scores = {"a": values[0], "b": values[1]}
        assert codes(s.compare_scores(scores, design=design, metric="accuracy")) == []
        scores = {name: np.tile(of[:5], 2) for name, of in scores.items()}
        found = s.compare_scores(scores, design=design, metric="accuracy")
        assert codes(found) == ["same repeats"]
        both = [s.CVScores(values=of, design=design, metric="accuracy") for of in scores.values()]
        assert codes(s.CorrectedResampledTTest()(*both)) == ["same repeats"]
