"""Standard errors of fits that differ, against the formula of the guard written anew."""

from contextlib import nullcontext

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import RepeatedKFold
from sklearn.neighbors import KNeighborsRegressor

import skcvstats as s
from skcvstats.stats import plan_n_rows, plan_n_splits
from tests.stats.guard_by_formula import variances_by_formula

SEEDS = (0, 1, 2)


def out_of_fold(models, X, y, n_repeats, seed):
    """Return the predictions of each model and the folds, of shape (n_repeats, n_rows)."""
    folds = np.empty((n_repeats, len(y)), dtype=int)
    predictions = {name: np.empty(folds.shape) for name in models}
    cv = RepeatedKFold(n_splits=5, n_repeats=n_repeats, random_state=seed)
    for k, (train, test) in enumerate(cv.split(X)):
        folds[k // 5, test] = k % 5
        for name, model in models.items():
            predictions[name][k // 5, test] = model.fit(X[train], y[train]).predict(X[test])
    return predictions, folds


def row_scores(scoring, y, predicted, folds):
    """Return the score of each row; of R2 by computing it again without the row."""
    squared = (y - predicted) ** 2
    if scoring == "neg_mean_squared_error":
        return -squared
    scores = np.empty(predicted.shape)
    for r, labels in enumerate(folds):
        for label in range(5):
            test = np.flatnonzero(labels == label)
            size = len(test)
            r2 = 1 - squared[r, test].sum() / ((y[test] - y[test].mean()) ** 2).sum()
            without = np.empty(size)
            for k in range(size):
                rest = np.delete(test, k)
                total = ((y[rest] - y[rest].mean()) ** 2).sum()
                without[k] = 1 - squared[r, rest].sum() / total
            change = (size - 1) * (r2 - without)
            scores[r, test] = r2 + change - change.mean()
    return scores


def check_all(result, scores, folds):
    """Check all pairs and single scores of one metric; return V*/V of each."""
    ratios = {}
    for pair in result:
        names = (pair.estimator, pair.versus)
        ratios[names] = check(pair.test, scores[names[0]] - scores[names[1]], folds)
    (measured,) = result.scores_by_metric.values()
    single = s.RowTTest()(measured)
    for k, name in enumerate(measured.labels):
        ratios[name] = check(single.take(k), scores[name], folds)
    return ratios


def check(test, units, folds):
    v, w, unguarded, guarded = variances_by_formula(units, folds)
    assert test.over_units == pytest.approx(v, rel=1e-9)
    assert test.over_repeats == pytest.approx(w, rel=1e-9, abs=0)
    assert test.standard_error == pytest.approx(np.sqrt(guarded), rel=1e-9)
    is_guarded = guarded > 1.1 * unguarded
    assert test.is_guarded == is_guarded
    assert ("fits differ" in {note.code for note in test.notes}) == is_guarded
    return guarded / unguarded


@pytest.mark.parametrize("scoring", ["r2", "neg_mean_squared_error"])
@pytest.mark.parametrize("n_repeats", [1, 4])
def test_diabetes(scoring, n_repeats):
    X, y = load_diabetes(return_X_y=True)
    models = {"linear": LinearRegression(), "5-NN": KNeighborsRegressor()}
    raised = {}
    for seed in SEEDS:
        cv = RepeatedKFold(n_splits=5, n_repeats=n_repeats, random_state=seed)
        result = s.compare_estimators(models, X, y, cv=cv, scoring=scoring, method="row_t")
        predictions, folds = out_of_fold(models, X, y, n_repeats, seed)
        scores = {}
        for name, predicted in predictions.items():
            scores[name] = row_scores(scoring, y, predicted, folds)
        raised[seed] = check_all(result, scores, folds)["linear", "5-NN"]
    if (scoring, n_repeats) == ("r2", 4):
        assert 1 < raised[0] < 1.1
        assert raised[1] == raised[2] == 1


def test_the_default_call_finds_the_difference_on_diabetes():
    X, y = load_diabetes(return_X_y=True)
    models = {"linear": LinearRegression(), "5-NN": KNeighborsRegressor()}
    result = s.compare_estimators(models, X, y, random_state=0)
    assert list(result.metrics) == ["r2"]
    assert result.tests[0].pvalue < 0.01


def wide(rng):
    """Return the predictions of least squares on 126 columns of 160 rows, and on half of them."""
    X = rng.normal(size=(160, 126))
    y = X.sum(axis=1) / 10 + rng.normal(size=160)
    predictions, folds = {}, None
    for name, columns in {"all": 126, "most": 120, "half": 63}.items():
        one, folds = out_of_fold({name: LinearRegression()}, X[:, :columns], y, 4, 0)
        predictions |= one
    return y, predictions, folds


def many_diverging(rng):
    """Return the predictions of so many networks that pairs come from inner products."""
    return diverging(rng, 12)


def diverging(rng, n_models=3):
    """Return the predictions of networks of which three in ten fits are off by as much as y varies.

    Each fit is one fold of one repeat.
    """
    y = rng.normal(size=400)
    folds = np.stack([rng.permutation(np.arange(400) % 5) for _ in range(4)])
    predictions = {}
    for k in range(n_models):
        off = rng.random(size=(4, 5)) < 0.3
        near = y + rng.normal(scale=0.5, size=(4, 400))
        predictions[f"network {k}"] = near + np.take_along_axis(off, folds, axis=1)
    return y, predictions, folds


@pytest.mark.parametrize("made", [wide, diverging, many_diverging])
@pytest.mark.parametrize("n_repeats", [1, 2, 4])
def test_fits_that_are_not_alike(made, n_repeats):
    y, predictions, folds = made(np.random.default_rng(0))
    folds = folds[:n_repeats]
    predictions = {name: predicted[:n_repeats] for name, predicted in predictions.items()}
    scoring = "neg_mean_squared_error"
    result = s.compare_out_of_fold(y, predictions, folds=folds, scoring=scoring)
    scores = {name: -((y - predicted) ** 2) for name, predicted in predictions.items()}
    ratios = check_all(result, scores, folds)
    assert max(ratios.values()) > 1.1
    ends = np.array([pair.confidence_interval() for pair in result])
    in_errors = np.diff(ends)[:, 0] / [pair.test.standard_error for pair in result]
    np.testing.assert_allclose(in_errors, in_errors[0], rtol=1e-9)  # one critical value for all


def test_plans_are_refused_where_a_result_is_guarded_and_only_there():
    y, predictions, folds = diverging(np.random.default_rng(0))
    result = s.compare_out_of_fold(y, predictions, folds=folds, scoring="neg_mean_squared_error")
    X, y = load_diabetes(return_X_y=True)
    models = {"linear": LinearRegression(), "5-NN": KNeighborsRegressor()}
    slightly = s.compare_estimators(models, X, y, random_state=0)[0].test
    assert slightly.least_variance > 0
    for test in [*(pair.test for pair in result), slightly]:
        with pytest.raises(ValueError, match="between fits") if test.is_guarded else nullcontext():
            plan_n_splits(test)
        with pytest.raises(ValueError, match="between fits") if test.is_guarded else nullcontext():
            plan_n_rows(test, difference=1.0)
