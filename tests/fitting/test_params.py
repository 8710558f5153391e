"""Parameters of fits and scorers, with and without metadata routing, against cross_validate."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import GroupKFold
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    DegenerateScoresWarning,
    compare_estimators,
    cross_val_inference,
    cross_val_score,
    evaluation_report,
    learning_curve_inference,
)
from skcvstats.model_selection import RepeatedSubsampleSplit
from tests.fitting.against_sklearn import (
    CLASSIFIERS,
    CV,
    CV12,
    GROUPS,
    INDEX,
    WEIGHTS,
    X,
    Y,
    assert_like_sklearn,
    fit_all,
    sklearn_scores,
)
from tests.processes import JOBS

CUTS = np.array([0.1, 0.2])


class TakesOptions(ClassifierMixin, BaseEstimator):
    """Fitted with options that do not belong to rows, and with some that do."""

    def fit(self, X, y, cuts, name, weights):
        self.classes_ = np.unique(y)
        self.cut_ = cuts.sum() * len(name) * np.average(X[:, 0], weights=weights)
        return self

    def predict(self, X):
        return (X[:, 0] > self.cut_).astype(int)


@pytest.mark.parametrize(
    ("model", "metric", "params"),
    [
        (CLASSIFIERS["logistic"], "neg_log_loss", {"sample_weight": WEIGHTS.tolist()}),
        (CLASSIFIERS["logistic"], "neg_log_loss", {"sample_weight": pd.Series(WEIGHTS, INDEX)}),
        (CLASSIFIERS["scaled"], "neg_log_loss", {"logisticregression__sample_weight": WEIGHTS}),
        (TakesOptions(), "accuracy", {"cuts": CUTS, "name": "above", "weights": WEIGHTS}),
    ],
    ids=["list", "series", "of a step", "not of rows"],
)
def test_params_against_cross_validate(model, metric, params):
    assert_like_sklearn(model, X, Y, metric, CV, params=params)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def weighing(wanted=True):
    """Return a model that does or does not request the weights of the rows."""
    return LogisticRegression(max_iter=1000).set_fit_request(sample_weight=wanted)


def weighted_scorer():
    return make_scorer(accuracy_score).set_score_request(sample_weight=True)


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize(
    ("model", "is_weighted", "cv", "params"),
    [
        # scikit-learn 1.6.0 does not take params=None here.
        (CLASSIFIERS["logistic"], False, CV, {}),
        (CLASSIFIERS["tree"], False, RepeatedSubsampleSplit(4, random_state=0), {"groups": GROUPS}),
        (None, True, CV, {"sample_weight": WEIGHTS}),
        (None, True, GroupKFold(3), {"sample_weight": WEIGHTS, "groups": GROUPS}),
    ],
)
def test_routing_against_cross_validate(model, is_weighted, cv, params):
    scoring = weighted_scorer() if is_weighted else "accuracy"
    assert_like_sklearn(model or weighing(), X, Y, scoring, cv, params=params)


@pytest.mark.usefixtures("routing")
def test_groups_beside_routed_params_against_cross_validate():
    models, cv, weights = {"a": weighing()}, GroupKFold(3), {"sample_weight": WEIGHTS}
    params = weights | {"groups": GROUPS}
    expected = sklearn_scores(models["a"], X, Y, weighted_scorer(), cv, params=params)["score"]
    found = fit_all(models, X, Y, weighted_scorer(), cv, groups=GROUPS, params=weights)
    np.testing.assert_array_equal(found["score"]["a"].values, expected)
    with pytest.raises(ValueError, match="groups is given twice"):
        cross_val_inference(models["a"], X, Y, groups=GROUPS, cv=cv, params={"groups": GROUPS})


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("n_jobs", JOBS)
def test_routed_weights_of_one_of_two_against_cross_validate(n_jobs):
    models = {"with": weighing(True), "without": weighing(False)}
    plain = get_scorer("neg_log_loss").set_score_request(sample_weight=False)
    scoring = {"weighted": weighted_scorer(), "plain": plain}
    params = {"sample_weight": WEIGHTS}
    scores = fit_all(models, X, Y, scoring, CV, params=params, n_jobs=n_jobs)
    for name, model in models.items():
        expected = sklearn_scores(model, X, Y, scoring, CV, params=params)
        for metric in scoring:
            np.testing.assert_array_equal(scores[metric][name].values, expected[metric])
    assert not np.array_equal(scores["plain"]["with"], scores["plain"]["without"])


@pytest.mark.usefixtures("routing")
def test_params_that_nobody_requested():
    models = {"logistic": LogisticRegression(), "tree": DecisionTreeClassifier()}
    params = {"sample_weight": WEIGHTS}
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        compare_estimators(models, X, Y, cv=CV12, params=params)
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        cross_val_score(LogisticRegression(), X, Y, cv=CV, params=params)


class Told(ClassifierMixin, BaseEstimator):
    """Be told a text in fit, which must come whole."""

    def fit(self, X, y, text=None):
        assert text in ("x" * len(Y), b"x" * len(Y))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("text", ["x" * len(Y), b"x" * len(Y)], ids=["str", "bytes"])
def test_a_text_as_long_as_the_data_is_not_split(text):
    scores = cross_val_score(Told(), X, Y, cv=CV, params={"text": text}, error_score="raise")
    assert np.isfinite(scores.values).all()


class TestUnweightedScores:
    """Fits get weights, and scores do not unless their scorer asks for them."""

    def test_are_noted_and_params_are_in_the_report(self):
        for model, params in (
            ("logistic", {"sample_weight": WEIGHTS}),
            ("scaled", {"logisticregression__sample_weight": WEIGHTS.tolist()}),
        ):
            models = {"a": CLASSIFIERS[model], "b": CLASSIFIERS[model]}
            how = {"cv": CV, "params": params, "scoring": ["accuracy", "neg_log_loss"]}
            with pytest.warns(DegenerateScoresWarning):
                result = compare_estimators(models, X, Y, **how)
            assert [n.code for n in result.notes].count("unweighted scores") == 1
            (name,) = params
            said = f"params: {name}=array of shape ({len(Y)},)"
            assert said in " ".join(str(evaluation_report(result)).split())
            one = cross_val_inference(models["a"], X, Y, cv=CV, params=params)
            assert "unweighted scores" in [note.code for note in one.notes]
        plain = cross_val_inference(CLASSIFIERS["logistic"], X, Y, cv=CV)
        assert "unweighted scores" not in [note.code for note in plain.notes]
        assert "params:" not in str(evaluation_report(plain))

    def test_scorers_that_request_weights(self):
        for requests in (True, False):
            with sklearn.config_context(enable_metadata_routing=True):
                scorer = get_scorer("accuracy").set_score_request(sample_weight=requests)
                params = {"sample_weight": WEIGHTS}
                how = {"cv": CV, "scoring": scorer, "params": params}
                result = cross_val_inference(weighing(), X, Y, **how)
            codes = [note.code for note in result.notes]
            assert ("unweighted scores" in codes) == (not requests)

    @pytest.mark.parametrize(
        "door", [compare_estimators, cross_val_inference, cross_val_score, learning_curve_inference]
    )
    def test_weights_as_an_argument_are_refused_with_the_way_on(self, door):
        given = {"a": DecisionTreeClassifier(), "b": LogisticRegression()}
        with pytest.raises(ValueError, match=r"has no sample_weight=.*params=\{.sample_weight"):
            door(given, X, Y, sample_weight=WEIGHTS)
