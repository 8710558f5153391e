"""Predictions that are labels are noted where a metric needs scores or probabilities."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from tests.comparison.made import codes
from tests.conftest import every, ignoring

X, Y = make_classification(120, 6, flip_y=0.2, random_state=0)
CV = s.RepeatedSubsampleSplit(3, test_size=40, random_state=0)
LOGISTIC = LogisticRegression()
pytestmark = ignoring("DegenerateScores", "SplitDesign")


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


def test_shares_that_have_two_values_in_some_test_sets_are_no_labels():
    X, y = make_classification(300, 5, weights=[0.95], random_state=0)
    models = {"knn": KNeighborsClassifier(), "tree": DecisionTreeClassifier(random_state=0)}
    splits = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    shares = [
        KNeighborsClassifier().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
        for train, test in splits.split(X, y)
    ]
    assert sorted({len(np.unique(each)) for each in shares})[:2] == [2, 3]
    notes = s.compare_estimators(models, X, y, scoring="roc_auc", cv=splits).notes
    (note,) = [note for note in notes if note.code == "two-valued predictions"]
    assert "the predictions of 'tree' have" in note.text
