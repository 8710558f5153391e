"""Metrics and row scores of closed forms, against cross_validate and refits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold, ShuffleSplit, cross_validate

from benchmarks.closed_forms import _metrics
from benchmarks.closed_forms.tests.refits import (
    BINARY,
    CLASSIFIERS,
    DESIGNS,
    OUTPUTS,
    REGRESSORS,
    SIGNAL,
    WORDS,
    N,
    X,
    make_batches,
    measure,
)
from skcvstats.model_selection import RepeatedSubsampleSplit

REGRESSION_METRICS = [*_metrics.REGRESSION, "neg_median_absolute_error", "explained_variance"]
CLASS_METRICS = ["accuracy", "f1_macro", "roc_auc_ovr", "neg_log_loss", "balanced_accuracy"]


# Metrics of labels and of probabilities; how they are computed does not depend on the model.
KINDS = ["prior", "naive Bayes", "neighbours by distance", "ridge"]
# Those of one neighbour are 0 and 1.
OF_METRIC = {"neg_log_loss": [*KINDS[:3], "nearest"], "roc_auc_ovr": KINDS[:3]}


def assert_scores(models, y, cv, scoring, tolerance=1e-9):
    found = measure(models, y, cv, scoring)
    names = [scoring] if isinstance(scoring, str) else list(scoring)
    for name, model in models.items():
        expected = cross_validate(model, X, y, cv=cv, scoring=scoring)
        for metric in names:
            theirs = expected["test_score" if isinstance(scoring, str) else f"test_{metric}"]
            ours = found.scores(name, metric)
            np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)
    return found


@pytest.mark.parametrize("metric", REGRESSION_METRICS)
@pytest.mark.parametrize("y", [SIGNAL, OUTPUTS])
def test_regression_scores_against_cross_validate(metric, y):
    models = {name: REGRESSORS[name] for name in ("mean", "ridge", "neighbours")}
    for design in ("subsample", "folds of two sizes"):
        assert assert_scores(models, y, DESIGNS[design], metric).counts == dict.fromkeys(models, 8)


@pytest.mark.parametrize("metric", CLASS_METRICS)
def test_class_scores_against_cross_validate(metric):
    models = {name: CLASSIFIERS[name] for name in OF_METRIC.get(metric, KINDS)}
    found = assert_scores(models, WORDS, DESIGNS["folds of two sizes"], metric)
    assert found.counts == dict.fromkeys(models, 8)


def test_roc_auc_takes_the_decision_function_against_cross_validate():
    models = {name: CLASSIFIERS[name] for name in ("ridge", "discriminants", "naive Bayes")}
    found = assert_scores(models, BINARY, ShuffleSplit(12, random_state=0), "roc_auc")
    assert found.counts == dict.fromkeys(models, 12)


def test_accuracy_is_exactly_that_of_cross_validate():
    assert_scores(CLASSIFIERS, WORDS, DESIGNS["subsample"], "accuracy", tolerance=0)


def test_several_metrics_against_cross_validate():
    models = {name: REGRESSORS[name] for name in ("mean", "ridge")}
    both = ["r2", "neg_mean_absolute_error"]
    assert_scores(models, SIGNAL, DESIGNS["subsample"], both)
    mine = metrics.make_scorer(metrics.mean_pinball_loss, greater_is_better=False, alpha=0.2)
    scorers = {"r2": "r2", "mine": mine}
    found = assert_scores(models, SIGNAL, DESIGNS["subsample"], scorers)
    assert found.counts == {"mean": 8, "ridge": 8}


def test_callables_see_fitted_models_only():
    def size(estimator, X, y):
        return float(np.abs(estimator.coef_).sum())

    models = {"ridge": Ridge(), "plain": LinearRegression()}
    assert measure(models, SIGNAL, DESIGNS["subsample"], size).counts == {}


@given(
    st.integers(0, 1000), st.sampled_from([1, 2, 3]), st.sampled_from(sorted(_metrics.REGRESSION))
)
@settings(max_examples=60, deadline=None)
def test_metrics_against_scikit_learn(seed, n_outputs, name):
    rng = np.random.RandomState(seed)
    y = rng.normal(size=(50, n_outputs)) * 10.0 ** rng.randint(-3, 4) + rng.randint(1000)
    cv = KFold(7) if seed % 2 else KFold(5)
    (batch,) = make_batches(cv, y, None)
    predicted = y[batch.test] + rng.normal(size=(50, n_outputs))
    (scores,) = _metrics.score_all(batch, y, predicted, {name: _metrics.REGRESSION[name]})
    function = metrics.get_scorer(name)._score_func
    for k, (_, test) in enumerate(cv.split(y)):
        theirs = function(y[test], predicted[slice(*batch.offsets[k : k + 2])])
        assert abs(scores[k]) == pytest.approx(abs(theirs), rel=1e-12)


def test_r2_without_spread_is_left_to_scikit_learn():
    y = np.where(np.arange(N) < 30, 5.0, SIGNAL)
    cv = KFold(12)
    models = {"mean": DummyRegressor(), "ridge": Ridge()}
    found = assert_scores(models, y, cv, "r2")
    assert (found.scores("mean", "r2")[:3] == 0).all()
    assert found.counts == {"mean": 9, "ridge": 9}


def test_r2_of_one_row_is_undefined_as_by_scikit_learn():
    cv = RepeatedSubsampleSplit(12, test_size=1, random_state=0)
    assert np.isnan(measure({"a": Ridge()}, SIGNAL, cv, "r2").scores("a", "r2")).all()


def test_metric_that_fails_is_told_as_by_refits():
    def fails(y_true, y_pred):
        raise ZeroDivisionError("never works")

    with pytest.raises(ZeroDivisionError, match="never works") as caught:
        measure({"a": Ridge()}, SIGNAL, DESIGNS["subsample"], metrics.make_scorer(fails))
    assert caught.value.__notes__ == ["skcvstats: estimator 'a', split 0"]


def test_row_scores_against_refits():
    models, metric = {"ridge": Ridge(), "mean": DummyRegressor()}, "neg_mean_squared_error"
    fast, slow = (
        measure(models, SIGNAL, DESIGNS["subsample"], metric, of_rows=True, closed=closed)
        for closed in (True, False)
    )
    assert fast.counts == {"ridge": 8, "mean": 8}
    for one, other in zip(fast.records, slow.records, strict=True):
        assert one.scores[metric] == pytest.approx(other.scores[metric], rel=1e-9)
        np.testing.assert_allclose(one.row_scores[metric], other.row_scores[metric], rtol=1e-7)
