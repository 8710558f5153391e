"""No loss is taken for a score, by any door; scores in percent, or out of range, are noted."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_iris, make_regression
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_validate

import skcvstats as s
from tests.comparison.made import codes

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
X, Y = make_regression(60, 3, noise=20, random_state=0)
MODELS = {"good": LinearRegression(), "bad": DummyRegressor()}
CV = KFold(5)
DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=10)
NOISE = np.random.default_rng(0).uniform(0, 0.02, (2, 10))
LOSSES = dict(zip(("good", "bad"), np.array([[0.1], [0.3]]) + NOISE, strict=True))
SCORES = {name: -losses for name, losses in LOSSES.items()}
RNG = np.random.default_rng(1)
PREDICTED = {"good": Y + RNG.normal(size=60), "bad": Y + RNG.normal(0, 9, size=60)}
ROW_LOSSES = {name: (Y - predicted) ** 2 for name, predicted in PREDICTED.items()}
ROW_SCORES = {name: -losses for name, losses in ROW_LOSSES.items()}


def searched(scoring, **options):
    return GridSearchCV(Ridge(), {"alpha": [1, 100]}, scoring=scoring, cv=CV, **options).fit(X, Y)


DOORS = {
    "compare_estimators": lambda it: s.compare_estimators(MODELS, X, Y, scoring=it, cv=CV),
    "several": lambda it: s.compare_estimators(MODELS, X, Y, scoring={"r2": "r2", "b": it}, cv=CV),
    "cross_val_inference": lambda it: s.cross_val_inference(Ridge(), X, Y, scoring=it, cv=CV),
    "cross_val_score": lambda it: s.cross_val_score(Ridge(), X, Y, scoring=it, cv=CV),
    "compare_candidates": lambda it: s.compare_candidates(searched(it), X, Y),
    "several of a search": lambda it: s.compare_candidates(searched({"a": it}, refit="a"), X, Y),
    "compare_predictions": lambda it: s.compare_predictions(Y, PREDICTED, scoring=it),
    "predictions_inference": lambda it: s.predictions_inference(Y, PREDICTED, scoring=it),
    "simulate": lambda it: s.simulate(
        lambda _: (X, Y), MODELS, ["corrected_resampled_t"], n_data_sets=2, scoring=it
    ),
}
WRONG = {
    "error": metrics.make_scorer(metrics.mean_squared_error),
    "option": metrics.make_scorer(metrics.mean_pinball_loss, alpha=0.2),
    "partial": metrics.make_scorer(partial(metrics.mean_pinball_loss, alpha=0.2)),
    "negated score": metrics.make_scorer(metrics.r2_score, greater_is_better=False),
}


@pytest.mark.parametrize(
    ("door", "wrong"),
    [*((door, "error") for door in DOORS), *(("compare_estimators", name) for name in WRONG)],
)
def test_a_scorer_of_the_wrong_sign_is_refused(door, wrong):
    try:
        repr(WRONG[wrong])
    except AttributeError:
        pytest.skip("this scikit-learn: a scorer of a partial function cannot be written down")
    message = r"is better in \w+, so the worst .*Pass greater_is_better="
    with pytest.raises(ValueError, match=message):
        DOORS[door](WRONG[wrong])


def test_a_loss_of_probabilities_is_told_alike():
    X, y = load_iris(return_X_y=True)
    models = {"good": LogisticRegression(max_iter=500), "bad": DummyClassifier()}
    loss = partial(metrics.make_scorer, metrics.log_loss, response_method="predict_proba")
    with pytest.raises(ValueError, match="smaller is better in log_loss"):
        s.compare_estimators(models, X, y, scoring=loss())
    right = loss(greater_is_better=False)
    assert s.compare_estimators(models, X, y, scoring=right).best_set() == ("good",)


@pytest.mark.parametrize(
    "name",
    [
        *("mean_squared_error", "error_rate", "mse", "RMSE", "Log Loss", "mean_poisson_deviance"),
        *("misclassification rate", "CategoricalCrossentropy", "cross_entropy", "perplexity"),
        *("wer", "crps", "expected regret"),
    ],
)
def test_compare_scores_asks_for_the_direction_of_losses(name):
    values = [*LOSSES.values()]
    measured = s.CVScores(values=values, labels=("a", "b"), design=DESIGN, metric=name)
    for scores, options in ((LOSSES, {"metric": name, "design": DESIGN}), (measured, {})):
        with pytest.raises(ValueError, match=f"greater_is_better=False.*'neg_{name}'"):
            s.compare_scores(scores, **options)
        result = s.compare_scores(scores, greater_is_better=False, **options)
        assert result.metrics == (f"neg_{name}",)
        assert result[0].test.estimate == pytest.approx(0.2, abs=0.02)
        said = f"The scores are minus {name}, so that greater is better."
        assert said in " ".join(str(result).split())
        again = s.ComparisonResult.from_json(result.to_json())
        assert str(again) == str(result)


def test_losses_among_the_metrics_of_cross_validate():
    scoring = {"r2": "r2", "mean_squared_error": metrics.make_scorer(metrics.mean_squared_error)}
    how = {"cv": CV, "scoring": scoring, "return_indices": True}
    done = {name: cross_validate(model, X, Y, **how) for name, model in MODELS.items()}
    with pytest.raises(ValueError, match="'mean_squared_error' is the name of a loss"):
        s.compare_scores(done)
    with pytest.raises(ValueError, match=r"greater is better in 'r2'.*metric="):
        s.compare_scores(done, greater_is_better=False)
    result = s.compare_scores(done, metric="mean_squared_error", greater_is_better=False)
    how = {"scoring": "neg_mean_squared_error", "method": "corrected_resampled_t"}
    other = s.compare_estimators(MODELS, X, Y, cv=CV, **how)
    assert result[0].test.pvalue == pytest.approx(other[0].test.pvalue, rel=1e-9)
    assert result[0].test.estimate == pytest.approx(other[0].test.estimate, rel=1e-9)


def test_auxiliary_losses_are_negated_too():
    cv = s.RepeatedSubsampleSplit(5, random_state=0)
    how = {"method": s.ConservativeZTest(n_pairs=5), "cv": cv}
    wanted = s.compare_estimators(MODELS, X, Y, scoring="neg_mean_squared_error", **how)
    both = (*wanted.scores_by_metric.values(), *wanted.auxiliary_by_metric.values())
    losses, more = (replace(scores, metric="mse", values=-scores.values) for scores in both)
    options = {"method": how["method"], "auxiliary": more, "greater_is_better": False}
    result = s.compare_scores(losses, **options)
    assert result[0].test.pvalue == wanted[0].test.pvalue
    assert result[0].test.estimate == wanted[0].test.estimate


def test_losses_are_negated_once_only():
    named = s.compare_scores(SCORES, metric="neg_mse", design=DESIGN)
    for name in ("mse", "neg_mse"):  # negated already
        result = s.compare_scores(SCORES, metric=name, design=DESIGN)
        assert (result.best_set(), codes(result)) == (("good",), {"pairing not verified"})
    rounded = {name: np.where(values < -0.3, 1e-17, values) for name, values in SCORES.items()}
    found = codes(s.compare_scores(rounded, metric="neg_mse", design=DESIGN))
    assert found - {"no errors"} == codes(named)
    for name, stated in (("neg_mean_squared_error", None), ("neg_error_rate", True)):
        with pytest.raises(ValueError, match=f"'{name}' is the name of a negated loss.*leave neg_"):
            s.compare_scores(LOSSES, metric=name, design=DESIGN, greater_is_better=stated)
    for name in ("neg_mse", "accuracy"):
        with pytest.raises(ValueError, match="greater is better in"):
            s.compare_scores(SCORES, metric=name, design=DESIGN, greater_is_better=False)
    with pytest.raises(ValueError, match="Negate them once"):
        s.compare_scores(SCORES, metric="mse", design=DESIGN, greater_is_better=False)
    with pytest.raises(TypeError, match="greater_is_better"):
        s.compare_scores(SCORES, metric="mse", design=DESIGN, greater_is_better="no")


def test_greater_is_better_may_be_stated_and_is_noted():
    result = s.compare_scores(LOSSES, metric="time_to_error", design=DESIGN, greater_is_better=True)
    assert result.best_set() == ("bad",)
    assert "loss as score" in codes(result)
    assert "loss as score" not in codes(s.compare_scores(LOSSES, metric="profit", design=DESIGN))


def rmse(estimator, X, y):
    return np.sqrt(np.mean((estimator.predict(X) - y) ** 2))


def test_own_functions_with_names_of_losses_are_refused_or_noted_in_finished_scores():
    class RMSEScorer:
        __call__ = staticmethod(rmse)

    for scoring in (RMSEScorer(), partial(rmse), {"quality": rmse}, rmse):
        with pytest.raises(ValueError, match=r"(?i)'rmse\w*' is the name of a loss.*minus"):
            s.compare_estimators(MODELS, X, Y, scoring=scoring, cv=CV)
    with pytest.raises(ValueError, match="'neg_rmse' is the name of a negated loss"):
        s.cross_val_inference(Ridge(), X, Y, scoring={"neg_rmse": rmse}, cv=CV)
    negated = s.compare_estimators(MODELS, X, Y, scoring={"mse": "neg_mean_squared_error"}, cv=CV)
    assert "loss as score" not in codes(negated)
    candidates = s.compare_candidates(searched({"rmse": rmse}, refit="rmse"), X, Y)
    assert "loss as score" in codes(candidates)
    assert "[loss as score]" in str(candidates)
    assert "loss as score" in codes(s.ComparisonResult.from_json(candidates.to_json()))
    with pytest.raises(ValueError, match="'rmse' is the name of a loss"):
        s.compare_scores(candidates.scores_by_metric)
    a, b = (s.cross_val_score(model, X, Y, scoring=rmse, cv=CV) for model in MODELS.values())
    assert "loss as score" in {note.code for note in (a - b).all_notes}


def test_a_search_that_maximizes_a_loss_chooses_nothing():
    refit = s.SignificanceRefit(CV, cost="alpha", scoring="rmse")
    with pytest.raises(ValueError, match=r"'rmse' is the name of a loss.*greater_is_better=False"):
        searched({"rmse": rmse}, refit=refit)


def my_loss(y_true, y_pred):
    return np.mean(np.abs(y_true - y_pred))


def test_own_losses_of_predictions_are_refused():
    with pytest.raises(ValueError, match=r"make_scorer\(my_loss, greater_is_better=False\)"):
        s.compare_predictions(Y, PREDICTED, scoring=my_loss)
    assert "loss as score" in codes(s.predictions_inference(Y, PREDICTED, scoring=my_loss))
    right = metrics.make_scorer(my_loss, greater_is_better=False)
    assert s.compare_predictions(Y, PREDICTED, scoring=right).best_set() == ("good",)


def test_negated_losses_of_rows():
    for name in ("squared_error", "zero_one", "mse"):
        with pytest.raises(ValueError, match=f"'{name}' is the name of a loss that is never below"):
            s.compare_losses(ROW_SCORES, metric=name)
    assert "loss as score" in codes(s.compare_losses(ROW_SCORES))  # by their sign only
    assert "loss as score" not in codes(s.compare_losses(ROW_LOSSES))
    signed = {name: losses - losses.mean() - 0.01 for name, losses in ROW_LOSSES.items()}
    assert "loss as score" not in codes(s.compare_losses(signed))
    densities = {name: losses - 5 for name, losses in ROW_LOSSES.items()}
    assert "loss as score" not in codes(s.compare_losses(densities, metric="nll"))
    assert "loss as score" not in codes(s.compare_losses(ROW_LOSSES, metric="neg_log_likelihood"))


@pytest.mark.parametrize(("loss", "name"), [("loss", "score"), ("utility", "utility")])
def test_a_table_of_scores(loss, name):
    result = s.compare_losses(ROW_SCORES, metric=loss, greater_is_better=True, margin=1)
    mirror = s.compare_losses(ROW_LOSSES, metric=loss, greater_is_better=False, margin=1)
    assert result.metrics == (name,)
    frame, other = result.to_frame(), mirror.to_frame()
    assert frame.drop(columns=["metric", "note"]).equals(other.drop(columns=["metric", "note"]))
    assert set(frame["metric"]) == {name}
    assert result.scores["good"].values == pytest.approx([ROW_SCORES["good"].mean()])
    assert result.best_set() == ("good",)
    texts = str(result), str(s.evaluation_report(result))
    for text in texts:
        assert "loss" not in text
        assert name in text
    assert "lower is better" not in texts[0].casefold()
    assert name in result.plot().ax_.get_title(loc="left")
    with pytest.raises(TypeError, match="greater_is_better"):
        s.compare_losses(ROW_SCORES, greater_is_better=1)


PERCENT = {"good": 88 + 100 * NOISE[0], "bad": 86 + 100 * NOISE[1]}
SHARES = {"good": 0.88 + NOISE[0], "bad": 0.86 + NOISE[1]}
MIXED = {"good": PERCENT["good"], "bad": SHARES["bad"]}
R2 = {"good": 0.5 + NOISE[0], "bad": -100 - NOISE[1]}


@pytest.mark.parametrize(
    ("scores", "metric", "code"),
    [
        (MIXED, "accuracy", "scores of two scales"),
        (MIXED, "my_metric", "scores of two scales"),
        (MIXED, "mutual_info_score", None),  # any factor is possible
        (PERCENT, "accuracy", "scores out of range"),
        (PERCENT, "score", None),
        (SHARES, "accuracy", None),
        (R2, "r2", None),
        ({"good": 1e4 + NOISE[0], "bad": 0.5 + NOISE[1]}, "score", None),
        ({"good": 4 + NOISE[0], "bad": 0.5 + NOISE[1]}, "score", None),
        ({"good": 0.9 + NOISE[0], "bad": 0.009 + NOISE[1] / 100}, "score", None),
        (SCORES | {"bad": 100 * SCORES["bad"]}, "neg_mean_squared_error", None),
        (SCORES | {"bad": 100 * SCORES["bad"]}, "neg_error_rate", "scores out of range"),
    ],
)
def test_scores_in_percent_are_noted_on_every_road(scores, metric, code):
    known = {"labels": tuple(scores), "design": DESIGN, "metric": metric}
    whole = s.CVScores(values=np.array([*scores.values()]), **known)
    result = s.compare_scores(whole)
    a, b = whole["good"], whole["bad"]
    for found in (
        codes(result),
        codes(s.ComparisonResult.from_json(result.to_json())),
        {note.code for note in (a - b).all_notes},
        {note.code for note in whole.all_notes},
    ):
        found &= {"scores of two scales", "scores out of range", "loss as score"}
        assert found == (set() if code is None else {code})
    assert ("percent" in str(result)) == (code is not None)
    assert ("percent" in str(s.evaluation_report(result))) == (code is not None)


def test_a_margin_is_refused_before_anything_is_fitted():
    class Unfit(DummyClassifier):
        def fit(self, X, y):
            raise AssertionError

    X, y = load_iris(return_X_y=True)
    models = {"a": Unfit(), "b": Unfit()}
    own = {"scoring": metrics.make_scorer(metrics.accuracy_score)}
    for options in ({}, {"scoring": {"mine": "accuracy"}}, own, {"method": "holdout_t"}):
        with pytest.raises(ValueError, match="ranges from 0 to 1"):
            s.compare_estimators(models, X, y, margin=1, **options)
    with pytest.raises(ValueError, match="neg_zero_one ranges from -1 to 0"):
        s.compare_losses({"a": [0, 1, 1], "b": [1, 1, 0]}, metric="zero_one", margin=1)
