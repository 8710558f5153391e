"""Metrics and losses of closed forms, against cross_validate and refits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold, ShuffleSplit, cross_validate

from skcvstats import FitError, compare_estimators, cross_val_inference
from skcvstats.fitting._measure import measure
from skcvstats.fitting._options import FitOptions
from skcvstats.fitting._scoring import PerRowLoss, resolve_scoring
from skcvstats.fitting.closed_forms import _metrics
from skcvstats.model_selection import RepeatedSubsampleSplit
from tests.fitting.closed_forms.refits import (
    BINARY,
    CLASSIFIERS,
    DESIGNS,
    OUTPUTS,
    REGRESSORS,
    SIGNAL,
    WORDS,
    N,
    X,
    compare,
    make_batches,
)

pytestmark = pytest.mark.filterwarnings("ignore:Only 8 splits")

REGRESSION_METRICS = [*_metrics.REGRESSION, "neg_median_absolute_error", "explained_variance"]
CLASS_METRICS = ["accuracy", "f1_macro", "roc_auc_ovr", "neg_log_loss", "balanced_accuracy"]


# Metrics of labels and of probabilities; how they are computed does not depend on the model.
KINDS = ["prior", "naive Bayes", "neighbours by distance", "ridge"]
# Those of one neighbour are 0 and 1.
OF_METRIC = {"neg_log_loss": [*KINDS[:3], "nearest"], "roc_auc_ovr": KINDS[:3]}


def assert_scores(models, y, cv, scoring, tolerance=1e-9):
    result = compare(models, y, cv, scoring)
    names = [scoring] if isinstance(scoring, str) else list(scoring)
    for name, model in models.items():
        expected = cross_validate(model, X, y, cv=cv, scoring=scoring)
        for metric in names:
            theirs = expected["test_score" if isinstance(scoring, str) else f"test_{metric}"]
            ours = result[metric].scores[name]
            np.testing.assert_allclose(ours.values, theirs, rtol=tolerance, atol=tolerance)
    return result


@pytest.mark.parametrize("metric", REGRESSION_METRICS)
@pytest.mark.parametrize("y", [SIGNAL, OUTPUTS])
def test_regression_scores_against_cross_validate(metric, y):
    models = {name: REGRESSORS[name] for name in ("mean", "ridge", "neighbours")}
    for design in ("subsample", "folds of two sizes"):
        result = assert_scores(models, y, DESIGNS[design], metric)
        counts = result[metric].scores.provenance["fast_paths"]
        assert counts == dict.fromkeys(models, 8)


@pytest.mark.parametrize("metric", CLASS_METRICS)
def test_class_scores_against_cross_validate(metric):
    models = {name: CLASSIFIERS[name] for name in OF_METRIC.get(metric, KINDS)}
    result = assert_scores(models, WORDS, DESIGNS["folds of two sizes"], metric)
    counts = result[metric].scores.provenance["fast_paths"]
    assert counts == dict.fromkeys(models, 8)


def test_roc_auc_takes_the_decision_function_against_cross_validate():
    models = {name: CLASSIFIERS[name] for name in ("ridge", "discriminants", "naive Bayes")}
    result = assert_scores(models, BINARY, ShuffleSplit(12, random_state=0), "roc_auc")
    assert result.scores.provenance["fast_paths"] == dict.fromkeys(models, 12)


def test_accuracy_is_exactly_that_of_cross_validate():
    assert_scores(CLASSIFIERS, WORDS, DESIGNS["subsample"], "accuracy", tolerance=0)


def test_several_metrics_against_cross_validate():
    models = {name: REGRESSORS[name] for name in ("mean", "ridge")}
    both = ["r2", "neg_mean_absolute_error"]
    assert_scores(models, SIGNAL, DESIGNS["subsample"], both)
    scorers = {"r2": "r2", "mine": metrics.make_scorer(metrics.mean_pinball_loss, alpha=0.2)}
    result = assert_scores(models, SIGNAL, DESIGNS["subsample"], scorers)
    assert result["mine"].scores.provenance["fast_paths"] == {"mean": 8, "ridge": 8}


def test_callables_see_fitted_models_only():
    def size(estimator, X, y):
        return float(np.abs(estimator.coef_).sum())

    models = {"ridge": Ridge(), "plain": LinearRegression()}
    result = compare(models, SIGNAL, DESIGNS["subsample"], size)
    assert result.scores.provenance["fast_paths"] == {}


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


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_r2_without_spread_is_left_to_scikit_learn():
    y = np.where(np.arange(N) < 30, 5.0, SIGNAL)
    cv = KFold(12)
    models = {"mean": DummyRegressor(), "ridge": Ridge()}
    result = assert_scores(models, y, cv, "r2")
    assert (result.scores.values[:, :3] == 0).all()
    assert result.scores.provenance["fast_paths"] == {"mean": 9, "ridge": 9}


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_r2_of_one_row_warns_as_scikit_learn_does():
    cv = RepeatedSubsampleSplit(12, test_size=1, random_state=0)
    with (
        pytest.warns(UndefinedMetricWarning),
        pytest.raises(Exception, match="missing or not finite"),
    ):
        compare_estimators({"a": Ridge(), "b": DummyRegressor()}, X, SIGNAL, cv=cv)


def test_metric_that_fails_is_told_as_by_refits():
    def fails(y_true, y_pred):
        raise ZeroDivisionError("never works")

    with pytest.raises(ZeroDivisionError, match="never works") as caught:
        cross_val_inference(
            Ridge(),
            X,
            SIGNAL,
            cv=DESIGNS["subsample"],
            scoring=metrics.make_scorer(fails),
            error_score="raise",
        )
    assert caught.value.__notes__ == ["skcvstats: estimator 'Ridge', split 0"]
    scoring = {"good": "r2", "bad": metrics.make_scorer(fails)}
    with pytest.raises(FitError, match=r"first fit of 'a' or its scoring.*bad: ZeroDivisionError"):
        compare_estimators(
            {"a": Ridge(), "b": DummyRegressor()},
            X,
            SIGNAL,
            cv=DESIGNS["subsample"],
            scoring=scoring,
        )


def squared_error(y_true, y_pred):
    return (y_true - y_pred) ** 2


def test_losses_against_refits():
    models = {"ridge": Ridge(), "mean": DummyRegressor()}
    found = {}
    for fast_paths in (True, False):
        options = FitOptions(
            params=None,
            n_jobs=None,
            verbose=0,
            pre_dispatch="2*n_jobs",
            error_score=np.nan,
            fast_paths=fast_paths,
        )
        scoring = resolve_scoring(
            models, "r2", error_score=np.nan, loss=PerRowLoss(squared_error, "squared_error")
        )
        cv = DESIGNS["subsample"]
        found[fast_paths] = measure(
            models, X, SIGNAL, groups=None, scoring=scoring, cv=cv, options=options
        ).scores
    for metric in ("r2", "neg_squared_error"):
        np.testing.assert_allclose(
            found[True][metric].values, found[False][metric].values, rtol=1e-9
        )
    fast, slow = (found[one]["neg_squared_error"] for one in (True, False))
    np.testing.assert_array_equal(fast.losses.rows, slow.losses.rows)
    np.testing.assert_allclose(fast.losses.values, slow.losses.values, rtol=1e-7)
    assert fast.provenance["fast_paths"] == {"ridge": 8, "mean": 8}
