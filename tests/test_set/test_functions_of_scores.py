"""Functions of targets and scores, such as a sensitivity at a specificity."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.naive_bayes import GaussianNB

import skcvstats as s
from tests.cheap import NearestMean

RNG = np.random.default_rng(0)
Y = np.arange(120) % 2
X = (Y + RNG.normal(size=120))[:, np.newaxis]
SCORES = {"good": Y + RNG.normal(size=120), "bad": RNG.normal(size=120)}
FOLDS = np.arange(120) // 24
MODELS = {"one": NearestMean(), "two": NearestMean(n_columns=2)}


def sensitivity(y_true, y_score):
    """Return the sensitivity at a specificity of 0.8."""
    is_sick = np.asarray(y_true == np.unique(y_true)[-1])
    return np.mean(y_score[is_sick] > np.quantile(y_score[~is_sick], 0.8))


def at_level(y, score, level=0.8):
    return np.mean(score[y == 1] > np.quantile(score[y == 0], level))


def area(y_test, probabilities):
    is_last = np.asarray(y_test == np.unique(y_test)[-1])
    return np.mean(probabilities[is_last][:, np.newaxis] > probabilities[~is_last])


FUNCTIONS = [sensitivity, at_level, area]
FITTED = {
    "compare_estimators": lambda f: s.compare_estimators(MODELS, X, Y, scoring=f, cv=5),
    "several metrics": lambda f: s.compare_estimators(
        MODELS, X, Y, scoring={"a": "accuracy", "f": f}, cv=5
    ),
    "cross_val_inference": lambda f: s.cross_val_inference(NearestMean(), X, Y, scoring=f, cv=5),
    "cross_val_score": lambda f: s.cross_val_score(NearestMean(), X, Y, scoring=f, cv=5),
    "learning curve": lambda f: s.learning_curve_inference(NearestMean(), X, Y, scoring=f),
}
PREDICTED = {
    "compare_predictions": lambda f: s.compare_predictions(Y, SCORES, scoring=f),
    "predictions_inference": lambda f: s.predictions_inference(Y, SCORES["good"], scoring=f),
    "compare_out_of_fold": lambda f: s.compare_out_of_fold(Y, SCORES, folds=FOLDS, scoring=f),
}


@pytest.mark.parametrize(
    ("door", "function"),
    [
        *((door, sensitivity) for door in [*FITTED, *PREDICTED]),
        *(("compare_estimators", f) for f in FUNCTIONS[1:]),
        ("compare_predictions", at_level),
    ],
)
def test_the_error_names_make_scorer(door, function):
    with pytest.raises(ValueError, match=r"make_scorer\(\w+, response_method=") as error:
        (FITTED | PREDICTED)[door](function)
    if door in PREDICTED:
        assert "response='scores' to compare_predictions" in str(error.value)


def test_points_are_scores_too():
    points = {name: np.rint(10 * values).astype(int) for name, values in SCORES.items()}
    with pytest.raises(ValueError, match=r"only has 0, 1.*response='scores'"):
        s.compare_predictions(Y, points, scoring=sensitivity)
    found = s.compare_predictions(Y, points, scoring=sensitivity, response="scores")
    expected = [sensitivity(Y, values) for values in points.values()]
    assert np.ravel(found.scores.values) == pytest.approx(expected)
    with pytest.raises(ValueError, match="contain 2, and y_true only has 0, 1"):
        s.compare_predictions(Y, {"a": Y, "b": 2 * Y}, scoring=sensitivity)


@pytest.mark.parametrize("names", [(0, 1), ("no", "yes")])
def test_the_response_is_that_of_a_scorer(names):
    y = np.array(names)[Y[:24]]
    scores = {name: values[:24] for name, values in SCORES.items()}
    result = s.compare_predictions(y, scores, scoring=area, response="scores")
    expected = [area(y, values) for values in scores.values()]
    assert np.ravel(result.scores.values) == pytest.approx(expected)
    scorer = make_scorer(area, response_method=("decision_function", "predict_proba"))
    assert result.tests[0].pvalue == pytest.approx(
        s.compare_predictions(y, scores, scoring=scorer).tests[0].pvalue
    )


def test_a_sensitivity_of_one_model():
    how = {"scoring": sensitivity, "response": "scores", "method": "jackknife_t"}
    with pytest.warns(s.AnticonservativeWarning, match="does not change smoothly"):
        single = s.predictions_inference(Y, SCORES["good"], **how)
    assert single.estimate == pytest.approx(sensitivity(Y, SCORES["good"]))


@pytest.mark.parametrize("model", [LogisticRegression(), GaussianNB()])
def test_a_fitted_model_gives_its_scores(model):
    how = {"scoring": area, "response": "scores", "method": "jackknife_t"}
    result = s.predictions_inference(Y[:40], model.fit(X, Y), X=X[:40], **how)
    assert result.estimate == pytest.approx(
        roc_auc_score(Y[:40], model.predict_proba(X[:40])[:, 1])
    )


def test_labels_are_taken_as_they_were():
    labels = {name: (scores > 0.5).astype(int) for name, scores in SCORES.items()}
    result = s.compare_predictions(Y, labels, scoring=lambda y, predicted: np.mean(y == predicted))
    assert result.scores["good"].values == pytest.approx([np.mean(labels["good"] == Y)])
    scorer = make_scorer(lambda y, predicted: np.mean(y == predicted))
    s.cross_val_score(NearestMean(), X, Y, scoring=scorer)
    s.cross_val_score(NearestMean(), X, Y, scoring=lambda estimator, X, y: estimator.score(X, y))


@pytest.mark.parametrize("scoring", ["roc_auc", make_scorer(area, response_method="predict_proba")])
def test_other_metrics_take_no_response(scoring):
    shares = {name: 1 / (1 + np.exp(-values)) for name, values in SCORES.items()}
    with pytest.raises(ValueError, match="Leave response= out"):
        s.compare_predictions(Y, shares, scoring=scoring, response="scores")
    with pytest.raises(ValueError, match="response='labels'"):
        s.compare_predictions(Y, shares, scoring=scoring, response="labels")
