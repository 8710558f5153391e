"""Notes on what is often a mistake: each with a remedy, none where all is well.

Models that are not refitted, labels in place of scores, models that a constant beats.
"""

import numpy as np
import pytest
from sklearn import metrics
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.feature_selection import SelectFromModel, SelectKBest, VarianceThreshold
from sklearn.frozen import FrozenEstimator
from sklearn.impute import IterativeImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler, TargetEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats as s
from tests.comparison.made import codes
from tests.conftest import every, ignoring
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
    said = "whose parts would not be fitted" if "prefit" in name else "stays as"
    model = FROZEN[name]
    with pytest.raises(ValueError, match=f"'f' holds .*{said}.*use compare_predictions"):
        s.compare_estimators({"f": model, "l": LOGISTIC}, X, Y, cv=CV)
    for door in (s.cross_val_inference, s.cross_val_score) if name in ("alone", "prefit") else ():
        with pytest.raises(ValueError, match="use compare_predictions"):
            door(model, X, Y, cv=CV)


def test_searches_of_frozen_models_are_refused():
    grid = {"method": ["sigmoid", "isotonic"]}
    search = ms.GridSearchCV(FROZEN["calibrated"], grid, cv=CV).fit(X, Y)
    with pytest.raises(ValueError, match=r"holds FrozenEstimator\(DecisionTreeClassifier\(\)\)"):
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


class Hard(ClassifierMixin, BaseEstimator):
    """Decision values that are labels."""

    def fit(self, X, y):
        self.model_ = GaussianNB().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def decision_function(self, X):
        return 2.0 * self.predict(X) - 1

    def predict_proba(self, X):
        return np.eye(2)[self.predict(X)]


OF_LABELS = {
    "roc_auc": make_scorer(metrics.roc_auc_score),
    "average_precision": make_scorer(metrics.average_precision_score),
    "neg_log_loss": make_scorer(metrics.log_loss, greater_is_better=False),
    "neg_brier_score": make_scorer(metrics.brier_score_loss, greater_is_better=False),
}


@pytest.mark.parametrize("name", every(4, OF_LABELS))
def test_scores_of_labels_are_noted(name, tmp_path):
    folds = ms.StratifiedKFold(3, shuffle=True, random_state=0)
    models = {"l": LOGISTIC, "bayes": GaussianNB()}
    for cv in (CV, folds):  # with scores of rows and without
        result = s.compare_estimators(models, X, Y, cv=cv, scoring=OF_LABELS[name])
        (text,) = (n.text for n in result.notes if n.code == "two-valued predictions")
        assert text.startswith("the predictions of 'l', 'bayes' have two values only")
        hard = models | {"hard": Hard()}
        for _ in range(2):  # fitted, then from the store
            result = s.compare_estimators(hard, X, Y, cv=cv, scoring=name, store=tmp_path / "s")
            (text,) = (n.text for n in result.notes if n.code == "two-valued predictions")
            assert text.startswith("the predictions of 'hard' have")
        fine = s.compare_estimators(models | {"d": DummyClassifier()}, X, Y, cv=cv, scoring=name)
        assert "two-valued predictions" not in codes(fine)
    p = np.clip(Y * 0.5 + np.linspace(0, 0.5, len(Y)), 0, 1)
    given = {"p": np.column_stack([1 - p, p]), "labels": np.eye(2)[Y]}
    if name != "average_precision":  # which is resampled
        result = s.compare_predictions(Y, given, scoring=name)
        assert any("the predictions of 'labels' have" in note.text for note in result.notes)
    result = s.compare_out_of_fold(Y, given, folds=folds, scoring=name)
    assert any("the predictions of 'labels' have" in note.text for note in result.notes)


RNG = np.random.default_rng(0)
FOLDS = ms.KFold(5, shuffle=True, random_state=0)
TARGET = X @ RNG.normal(size=6) + RNG.normal(size=120)
SHUFFLED = RNG.permutation(120)


def test_models_that_a_constant_beats_are_noted():
    models = {"tree": DecisionTreeRegressor(random_state=0), "mean": DummyRegressor()}
    for scoring in ("r2", make_scorer(metrics.mean_squared_error, greater_is_better=False)):
        result = s.compare_estimators(models, X, TARGET[SHUFFLED], scoring=scoring, cv=FOLDS)
        (text,) = (n.text for n in result.notes if n.code == "worse than a constant")
        assert text.startswith("'tree': worse in")
        fine = s.compare_estimators(models, X, TARGET, scoring=scoring, cv=FOLDS)
        assert "worse than a constant" not in codes(fine)
    one = s.cross_val_inference(models["tree"], X, TARGET[SHUFFLED], cv=FOLDS)
    assert "worse than a constant" in codes(one)
    cv, data = s.RepeatedSubsampleSplit(15, random_state=0), RNG.normal(size=(400, 2))
    for y, noted in ((RNG.normal(size=400), True), (data.sum(axis=1), False)):
        search = ms.GridSearchCV(models["tree"], {"max_depth": [None, 12]}, cv=cv).fit(data, y)
        assert ("worse than a constant" in codes(s.compare_candidates(search, data, y))) == noted


def test_models_that_no_constant_beats_by_more_than_chance_are_silent():
    """All positive has the best recall; means are constants too, as is a class by chance rare."""
    pair = {"b": GaussianNB(), "d": GaussianNB()}
    found = s.compare_estimators(pair, X, Y, cv=CV, scoring="recall")
    assert "worse than a constant" not in codes(found)
    assert found.scores.mean() < 0.95
    models, skewed = {"mean": DummyRegressor(), "t": Ridge()}, np.exp(2 * TARGET)
    found = s.compare_estimators(models, X, skewed, scoring="neg_mean_absolute_error", cv=FOLDS)
    assert "worse than a constant" not in codes(found)
    letters = np.random.default_rng(0).integers(0, 26, 2000)
    rare = np.bincount(letters).argmin()
    given = {"constant": np.full(2000, rare), "shifted": (letters + 1) % 26}
    (text,) = (n.text for n in s.compare_predictions(letters, given, scoring="accuracy").notes)
    assert text.startswith("'shifted': worse in accuracy than a constant prediction")


def own_auc(y, p):
    return metrics.roc_auc_score(y, p)


def test_what_is_said_of_labels():
    """Of a function that is called so, of a part of the area, of a finished search."""
    models = {"l": LOGISTIC, "b": GaussianNB()}
    part = make_scorer(metrics.roc_auc_score, max_fpr=0.5)
    hinge = make_scorer(metrics.hinge_loss, greater_is_better=False)
    for scoring, said in (
        (make_scorer(own_auc), "and own_auc is made for more than labels"),
        (part, "and roc_auc is made for more than labels"),
        (make_scorer(metrics.roc_auc_score), "so the AUC is the balanced accuracy"),
        (hinge, "is made for more than labels"),
    ):
        result = s.compare_estimators(models, X, Y, cv=CV, scoring=scoring)
        (text,) = (n.text for n in result.notes if n.code == "two-valued predictions")
        assert said in text
        assert text.endswith("with response_method='predict_proba' or 'decision_function'")
    for scoring, noted in ((make_scorer(metrics.roc_auc_score), True), ("roc_auc", False)):
        search = ms.GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1]}, scoring=scoring, cv=CV)
        result = s.compare_candidates(search.fit(X, Y), X, Y)
        assert ("two-valued predictions" in codes(result)) == noted


def test_the_constant_is_made_on_the_training_rows():
    """Left out one by one, the more frequent class is the other one, so that none is right."""
    even = np.arange(20) % 2
    models = {"d": DummyClassifier(), "l": GaussianNB()}
    result = s.compare_estimators(models, X[:20] + even[:, np.newaxis], even, cv=ms.LeaveOneOut())
    assert result.scores["d"].mean() == 0
    assert "worse than a constant" not in codes(result)


GOOD = np.clip(0.5 + (Y - 0.5) * 0.6 + RNG.normal(0, 0.1, 120), 0.01, 0.99)
BOTH = np.column_stack([1 - GOOD, GOOD])
VALUES = TARGET + RNG.normal(size=120) / 2


def negated_error(y, p):
    return -np.abs(y - p).mean()


WRONG = {
    "exchanged, log loss": (Y, BOTH, BOTH[:, ::-1], "neg_log_loss", metrics.log_loss),
    "exchanged, Brier": (Y, BOTH, BOTH[:, ::-1], "neg_brier_score", None),
    "exchanged, labels": (Y, GOOD > 0.45, GOOD < 0.45, "balanced_accuracy", None),
    "other order": (TARGET, VALUES, VALUES[SHUFFLED], "neg_mean_absolute_error", None),
    "other scale": (TARGET, VALUES, 100 * VALUES, "r2", None),
    "one's own": (TARGET, VALUES, VALUES[SHUFFLED], negated_error, None),
}


@pytest.mark.parametrize("name", WRONG)
def test_predictions_that_a_constant_beats_are_noted(name):
    y, good, bad, scoring, measure = WRONG[name]
    folds = ms.StratifiedKFold(4, shuffle=True, random_state=0) if y is Y else np.arange(120) % 4
    given = {"good": good, "bad": bad}
    results = [s.compare_out_of_fold(y, given, folds=folds, scoring=scoring)]
    if scoring is not negated_error:
        results.append(s.compare_predictions(y, given, scoring=scoring, n_resamples=2000))
    if measure is not None:
        results.append(s.predictions_inference(y, given, scoring=scoring))
    for result in results:
        (text,) = (n.text for n in result.notes if n.code == "worse than a constant")
        assert text.startswith("'bad': worse in")
        assert "predictions in another order of rows, columns exchanged, or on another" in text
        if measure is not None:  # the class shares
            assert f"({measure(y, np.full(120, y.mean())):.3g})" in text  # as losses are read


def test_the_same_model_twice():
    twins = {"bayes": GaussianNB(), "near": NearestCentroid(), "again": GaussianNB()}
    (note,) = (n for n in s.compare_estimators(twins, *iris()).notes if n.code == "same scores")
    assert "bayes and again have the same score on every split: the same model?" in str(note)
