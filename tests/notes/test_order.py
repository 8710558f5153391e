"""The note on rows in an order that matters."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

import skcvstats as s
from tests.notes.reading import codes, text_of

N = 300
WALK = np.cumsum(np.random.default_rng(0).normal(size=(N, 4)), axis=0)
REGRESSORS = {"knn": KNeighborsRegressor(), "least squares": LinearRegression()}
FOLDS = KFold(5, shuffle=True, random_state=0)
MSE = "neg_mean_squared_error"


class TestOrder:
    def test_a_random_walk(self):
        X, y = WALK[:, :3], WALK[:, 3]
        for scoring in (MSE, "r2"):
            result = s.compare_estimators(REGRESSORS, X, y, scoring=scoring, cv=FOLDS)
            assert codes(result) == ["order of rows"]
        found = s.compare_estimators(REGRESSORS, X, y, scoring=MSE, cv=FOLDS)
        text = text_of(found, "order of rows")
        # the largest correlation of neighbours among both models' scores and their difference
        rows = found.scores.row_scores
        scores = np.empty((2, N))
        scores[:, rows.rows] = rows.values
        series = [*scores, scores[0] - scores[1]]
        expected = max((np.corrcoef(a[1:], a[:-1])[0, 1] for a in series), key=abs)
        number = float(text.partition("correlated (")[2].split(",")[0])
        assert number == pytest.approx(expected, abs=0.03)
        assert "groups=" in text
        one = s.cross_val_inference(REGRESSORS["least squares"], X, y, scoring=MSE, cv=FOLDS)
        assert codes(one) == ["order of rows"]

    def test_on_a_test_set_and_out_of_fold(self):
        y = WALK[:, 3]
        made = {"a": y + WALK[:, 0], "b": y + WALK[:, 1]}
        folds = np.random.default_rng(1).permutation(np.arange(N) % 5)
        losses = {name: np.abs(values - y) for name, values in made.items()}
        label, decision = (y > np.median(y)).astype(int), {"a": WALK[:, 0], "b": WALK[:, 1]}
        for result in (
            s.compare_predictions(y, made, scoring=MSE),
            s.compare_predictions(y, made, scoring="r2"),
            s.predictions_inference(y, made["a"], scoring=MSE),
            s.compare_predictions(label, decision, scoring="roc_auc"),
            s.compare_out_of_fold(y, made, folds=folds, scoring=MSE),
            s.compare_losses(losses),
        ):
            assert codes(result) == ["order of rows"]
        blocks = np.arange(N) // 10
        for result in (
            s.compare_predictions(y, made, scoring=MSE, groups=blocks),
            s.compare_predictions(y, made, scoring=MSE, time=np.arange(N)),  # which allows for it
            s.compare_losses(losses, groups=blocks),
            s.compare_out_of_fold(y, made, folds=blocks % 5, scoring=MSE, groups=blocks),
        ):
            assert codes(result) == []

    def test_not_with_blocks_of_rows_or_groups(self):
        X, y = WALK[:, :3], WALK[:, 3]
        assert codes(s.compare_estimators(REGRESSORS, X, y, scoring=MSE, cv=KFold(5))) == []
        blocks = {"groups": np.arange(N) // 10, "cv": GroupKFold(5)}
        assert codes(s.compare_estimators(REGRESSORS, X, y, scoring=MSE, **blocks)) == []

    @pytest.mark.slow
    def test_few_false_alarms_on_noise(self):
        """Of three series, each at about one in a thousand."""
        found = 0
        for seed in range(300):
            rng = np.random.default_rng(seed)
            losses = {"a": rng.exponential(size=100), "b": rng.standard_t(3, size=100)}
            found += "order of rows" in codes(s.compare_losses(losses, metric="own"))
        assert found <= 4  # 0.9 expected

    def test_constants_and_losses_in_the_order_of_classes_are_silent(self):
        """What is left of a constant's scores is rounding; losses may jump where classes do."""
        rng = np.random.default_rng(1)
        y = rng.integers(0, 3, N)
        models = {"dummy": DummyClassifier(), "bayes": GaussianNB()}
        metrics = ["balanced_accuracy", "neg_log_loss", "f1_macro"]
        found = s.compare_estimators(models, WALK[rng.permutation(N)], y, cv=FOLDS, scoring=metrics)
        assert "order of rows" not in codes(found)
        data = rng.normal(size=(N, 2)) + y[:, np.newaxis]
        fitted = {name: model.fit(data, y) for name, model in models.items()}
        assert codes(s.compare_predictions(y, fitted, X=data, scoring="neg_log_loss")) == []
        sorted_by = np.sort(y) == 1
        wrong = {"dummy": sorted_by, "b": rng.random(N) < 0.1 + 0.4 * sorted_by}
        assert codes(s.compare_losses({name: of * 1.0 for name, of in wrong.items()})) == []

    def test_rows_that_score_in_turns(self):
        rng = np.random.default_rng(0)
        losses = {"a": np.tile([0.0, 1.0], 50) + rng.normal(size=100) / 9, "b": np.ones(100)}
        text = text_of(s.compare_losses(losses), "order of rows")
        assert "scores of adjacent rows are correlated (-0.9" in text
        assert "intervals are wrong" in text

    def test_few_wrong_rows_tell_nothing(self):
        """Two neighbours of four wrong rows are no correlation."""
        y = np.tile([0, 1], 500)
        a, b = y.copy(), y.copy()
        a[[10, 11, 500, 700]] = 1 - a[[10, 11, 500, 700]]
        assert codes(s.compare_predictions(y, {"a": a, "b": b}, scoring="accuracy")) == []
