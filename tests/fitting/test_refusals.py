"""Models that are not refitted are refused or noted, with a remedy; others are not."""

import numpy as np
import pytest
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.feature_selection import SelectFromModel, SelectKBest, VarianceThreshold
from sklearn.frozen import FrozenEstimator
from sklearn.impute import IterativeImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler, TargetEncoder
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from tests.comparison.made import codes
from tests.conftest import ignoring
from tests.data import iris

X, Y = make_classification(120, 6, flip_y=0.2, random_state=0)
CV = s.RepeatedSubsampleSplit(3, test_size=40, random_state=0)
LOGISTIC = LogisticRegression()
TREE = FrozenEstimator(DecisionTreeClassifier(random_state=0).fit(X, Y))
pytestmark = ignoring("DegenerateScores", "SplitDesign")


class Own(ClassifierMixin, BaseEstimator):
    """A model that a clone shares."""

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.ones(len(X))


FROZEN = {
    "alone": TREE,
    "calibrated": CalibratedClassifierCV(TREE),
    "in a vote": VotingClassifier([("a", TREE), ("b", LOGISTIC)]),
    "in a pipeline": make_pipeline(StandardScaler(), TREE),
    "with a threshold": ms.TunedThresholdClassifierCV(TREE),
    "in a grid": ms.GridSearchCV(make_pipeline(LOGISTIC), {"logisticregression": [LOGISTIC, TREE]}),
    "a selector": make_pipeline(FrozenEstimator(SelectKBest(k=2).fit(X, Y)), LOGISTIC),
    "a model's selector": make_pipeline(FrozenEstimator(SelectFromModel(LOGISTIC)), LOGISTIC),
    "an encoder": make_pipeline(FrozenEstimator(TargetEncoder()), LOGISTIC),
    "a pipeline": make_pipeline(FrozenEstimator(make_pipeline(SelectKBest())), LOGISTIC),
    "a shared clone": Own(),
    "prefit": StackingClassifier([("a", LOGISTIC)], cv="prefit"),
    "a method of a fitted model": make_pipeline(FunctionTransformer(TREE.predict_proba), LOGISTIC),
    "prefit selector": make_pipeline(SelectFromModel(LOGISTIC, prefit=True), LOGISTIC),
}


@pytest.mark.parametrize("name", FROZEN)
def test_models_that_are_not_refitted_are_refused(name):
    model = FROZEN[name]
    with pytest.raises(ValueError, match=r"'f' contains .*stays as.*use compare_predictions"):
        s.compare_estimators({"f": model, "l": LOGISTIC}, X, Y, cv=CV)
    for door in (s.cross_val_inference, s.cross_val_score) if name in ("alone", "prefit") else ():
        with pytest.raises(ValueError, match="use compare_predictions"):
            door(model, X, Y, cv=CV)


def test_searches_of_frozen_models_are_refused():
    grid = {"method": ["sigmoid", "isotonic"]}
    search = ms.GridSearchCV(FROZEN["calibrated"], grid, cv=CV).fit(X, Y)
    with pytest.raises(ValueError, match=r"FrozenEstimator\(estimator=DecisionTreeClassifier\("):
        s.compare_candidates(search, X, Y)
    with pytest.raises(ValueError, match="use compare_predictions"):
        s.RacingSearchCV(FROZEN["calibrated"], grid, cv=CV).fit(X, Y)


def test_frozen_transformers_are_noted_and_others_are_not():
    imputer = IterativeImputer(Ridge())
    for part in (StandardScaler(), VarianceThreshold(), imputer):
        model = make_pipeline(FrozenEstimator(part.fit(X)), LOGISTIC)
        with pytest.warns(s.SplitDesignWarning, match="valid only if it was fitted on other rows"):
            result = s.compare_estimators({"f": model, "l": LOGISTIC}, X, Y, cv=CV)
        assert "frozen transformer" in codes(result)
        assert "frozen transformer" in codes(s.cross_val_score(model, X, Y, cv=CV))
    for part in (FrozenEstimator(FunctionTransformer()), StandardScaler(), SelectKBest(k=2)):
        models = {"f": make_pipeline(part, LOGISTIC), "l": LOGISTIC}
        result = s.compare_estimators(models, X, Y, cv=CV)
        assert "frozen transformer" not in codes(result)
    fitted = {"tree": TREE, "l": LOGISTIC.fit(X[:60], Y[:60])}  # where frozen models belong
    assert s.compare_predictions(Y[60:], fitted, X=X[60:], scoring="accuracy").names


def test_the_same_model_twice():
    twins = {"bayes": GaussianNB(), "near": NearestCentroid(), "again": GaussianNB()}
    (note,) = (n for n in s.compare_estimators(twins, *iris()).notes if n.code == "same scores")
    assert "on every split bayes and again have the same score: the same model?" in str(note)
