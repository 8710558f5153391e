"""Errors of which few rows make up nearly all, of single models and of differences."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

import skcvstats as s
from skcvstats.stats import row_ttest
from tests.comparison.made import codes

CODE = "few rows tell"
MODELS = {"line": LinearRegression(), "mean": DummyRegressor()}
CV = KFold(5, shuffle=True, random_state=0)
FOLDS = np.arange(200) // 40
ERRORS = ["neg_mean_absolute_error", "neg_mean_squared_error", "neg_root_mean_squared_error"]


def drawn(seed, is_lognormal, n=200):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = X[:, 0] + rng.normal(size=n)
    return X, np.exp(1.5 * y) if is_lognormal else y


def roads(X, y, scoring):
    """Return the results of each road."""
    half = len(y) // 2
    predicted = {name: model.fit(X[:half], y[:half]).predict(X) for name, model in MODELS.items()}
    yield s.compare_estimators(MODELS, X, y, scoring=scoring, cv=CV)
    yield s.cross_val_inference(MODELS["line"], X, y, scoring=scoring, cv=CV)
    yield s.compare_predictions(y, predicted, scoring=scoring)
    yield s.predictions_inference(y, predicted["line"], scoring=scoring)
    yield s.compare_out_of_fold(y, predicted, folds=FOLDS, scoring=scoring)
    losses = {name: (y - values) ** 2 for name, values in predicted.items()}
    yield s.compare_losses(losses, metric="squared_error")


@pytest.mark.parametrize("scoring", ERRORS)
@pytest.mark.parametrize("is_lognormal", [True, False])
def test_each_road(scoring, is_lognormal):
    for result in roads(*drawn(0, is_lognormal), scoring):
        assert (CODE in codes(result)) == is_lognormal
        assert len([note for note in result.notes if note.code == CODE]) == is_lognormal


@pytest.mark.parametrize("scoring", ERRORS)
def test_differences_have_the_note_of_their_models(scoring):
    result = s.compare_estimators(MODELS, *drawn(0, is_lognormal=True), scoring=scoring, cv=CV)
    assert CODE in codes(result[0])


def test_other_metrics_are_silent():
    X, y = drawn(0, is_lognormal=True)
    result = s.cross_val_inference(MODELS["line"], X, y, scoring="neg_median_absolute_error", cv=CV)
    assert CODE not in codes(result)
    result = s.cross_val_inference(MODELS["line"], X, y, scoring="r2", cv=CV)
    assert "dominate the errors" not in " ".join(note.text for note in result.notes)


@pytest.mark.calibration
@pytest.mark.parametrize("scoring", ERRORS[:2])
def test_how_often_it_fires(scoring):
    """On 40 data sets each: hardly ever with normal errors, mostly with lognormal targets."""
    counts = {False: 0, True: 0}
    for is_lognormal in counts:
        for seed in range(40):
            X, y = drawn(seed, is_lognormal, n=100)
            predicted = {"a": np.full(100, y.mean()), "b": X[:, 0]}
            counts[is_lognormal] += CODE in codes(
                s.compare_predictions(y, predicted, scoring=scoring)
            )
    assert counts[False] <= 4
    assert counts[True] >= 32


@pytest.mark.calibration
def test_what_it_warns_of():
    """Intervals of MAE and its differences miss more where targets are lognormal."""
    rng = np.random.default_rng(0)
    misses = {}
    for is_lognormal in (False, True):
        fresh = drawn(10**6, is_lognormal, n=100_000)
        results = []
        for seed in range(300):
            X, y = drawn(seed, is_lognormal, n=100)
            rows = np.empty((2, 4, 100))
            folds = np.empty((4, 100), dtype=int)
            for repeat in range(4):
                folds[repeat] = rng.permutation(100) % 5
                for fold in range(5):
                    test = folds[repeat] == fold
                    for k, model in enumerate(MODELS.values()):
                        model.fit(X[~test], y[~test])
                        rows[k, repeat, test] = -np.abs(y[test] - model.predict(X[test]))
            truth = [-np.abs(fresh[1] - m.predict(fresh[0])).mean() for m in MODELS.values()]
            low, high = row_ttest(rows[0] - rows[1], n_folds=5, folds=folds).confidence_interval()
            results.append((low, high, truth[0] - truth[1]))
        lows, highs, truths = np.transpose(results)
        misses[is_lognormal] = np.mean((truths.mean() < lows) | (truths.mean() > highs))
    assert misses[False] < 0.08
    assert misses[True] > misses[False]


def test_few_rows_of_30_are_no_sign():
    """The effective number of absolute normal errors is below 5 in 4 % of sets of 30."""
    errors = np.abs(np.random.default_rng(1).normal(size=(2, 30)))
    errors[:, 0] = 8.0
    result = s.compare_losses({"a": errors[0], "b": errors[1]}, metric="absolute_error")
    assert not any("dominate the errors" in note.text for note in result.notes)
