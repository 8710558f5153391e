"""Outlier detectors, clusterers and others that predict labels which the target has not."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.covariance import EllipticEnvelope
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM

import skcvstats as s
from skcvstats.test_set import mcnemar_exact_test
from tests.comparison.made import codes

RNG = np.random.default_rng(0)
Y = (np.arange(120) % 4 == 0).astype(int)  # 1 is an outlier
X = RNG.normal(size=(120, 2)) * (1 + 5 * Y[:, np.newaxis])
INLIERS = np.where(Y == 1, -1, 1)
CV = StratifiedKFold(5)
DETECTOR = OneClassSVM(nu=0.25)
DETECTORS = [
    DETECTOR,
    EllipticEnvelope(support_fraction=1, random_state=0),
    make_pipeline(StandardScaler(), OneClassSVM()),
    LocalOutlierFactor(novelty=True),
    make_pipeline(StandardScaler(), LocalOutlierFactor(novelty=True)),
]


def doors(model, y, scoring):
    """Return what fits a model, or takes it as it is fitted, by its name."""
    models = {"detector": model, "guess": DummyClassifier()}
    fitted = {name: model.fit(X, y) for name, model in models.items()}
    race = s.RacingSearchCV(model, {"nu": [0.1, 0.25]}, scoring=scoring, cv=CV)
    return {
        "compare_estimators": lambda: s.compare_estimators(models, X, y, scoring=scoring, cv=CV),
        "inference": lambda: s.cross_val_inference(model, X, y, scoring=scoring, cv=CV),
        "cross_val_score": lambda: s.cross_val_score(model, X, y, scoring=scoring, cv=CV),
        "learning curve": lambda: s.learning_curve_inference(model, X, y, scoring=scoring),
        "race": lambda: race.fit(X, y),
        "predictions": lambda: s.compare_predictions(y, fitted, X=X, scoring=scoring),
        "one model": lambda: s.predictions_inference(y, model, X=X, scoring=scoring),
    }


NAMES = [*doors(DETECTOR, Y, "roc_auc")]


@pytest.mark.parametrize("door", NAMES)
def test_an_outlier_detector_of_other_labels(door):
    with pytest.raises(ValueError, match=r"lower for outliers\. .* has the labels 0, 1"):
        doors(DETECTOR, Y, "roc_auc")[door]()


@pytest.mark.parametrize("model", DETECTORS)
@pytest.mark.parametrize("scoring", ["accuracy", "average_precision", make_scorer(roc_auc_score)])
def test_all_detectors(model, scoring):
    for y in (Y, np.array(["fine", "outlier"])[Y]):
        if scoring == "average_precision" and y is not Y:  # which needs a positive class
            continue
        with pytest.raises(ValueError, match="is an outlier detector"):
            s.cross_val_inference(model, X, y, scoring=scoring, cv=CV)


def test_the_right_labels_have_the_right_order():
    result = s.cross_val_inference(DETECTOR, X, INLIERS, scoring="roc_auc", cv=CV)
    turned = []
    for train, test in CV.split(X, Y):
        scores = DETECTOR.fit(X[train]).score_samples(X[test])
        turned.append(roc_auc_score(Y[test], scores))
    assert result.estimate == pytest.approx(1 - np.mean(turned), abs=0.01)
    assert result.estimate > 0.9 > 0.1 > np.mean(turned)
    s.cross_val_score(
        DETECTOR, X, Y, scoring=lambda model, X, y: roc_auc_score(y, -model.score_samples(X))
    )


def test_scores_whose_order_is_turned_are_worse_than_a_constant():
    detector = DETECTOR.fit(X)
    scores = {"detector": detector.score_samples(X), "guess": RNG.normal(size=120)}
    result = s.compare_predictions(Y, scores, scoring="roc_auc")
    (note,) = [note.text for note in result.notes if note.code == "worse than a constant"]
    assert "detector" in note
    assert "lower for outliers" in note


@pytest.mark.parametrize(
    "model", [KMeans(2, n_init=1, random_state=0), GaussianMixture(2, random_state=0)]
)
def test_clusterers(model):
    for scoring in ("accuracy", "f1"):
        with pytest.raises(ValueError, match=r"is a clusterer.*adjusted_rand_score"):
            s.cross_val_inference(model, X, Y, scoring=scoring, cv=CV)
    with pytest.raises(ValueError, match="is a clusterer"):
        s.predictions_inference(Y, model.fit(X), X=X, scoring="accuracy")
    s.cross_val_inference(model, X, Y, scoring="adjusted_rand_score", cv=CV)


class Coded(BaseEstimator):
    """Predicts the labels that it is told."""

    def __init__(self, labels=(0, 1)):
        self.labels = labels

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.array(self.labels)[(np.abs(X).max(axis=1) > 3).astype(int)]


@pytest.mark.parametrize("labels", [(-1, 1), ("no", "yes"), (0, 2), (1, 2)])
@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "matthews_corrcoef"])
def test_fitted_models_that_predict_other_labels(labels, scoring):
    with pytest.raises(s.FitError, match=r"it predicts .*, and y has the labels 0, 1"):
        s.cross_val_inference(Coded(labels), X, Y, scoring=scoring, cv=CV)


def test_models_that_predict_labels_of_the_target():
    good = s.cross_val_inference(Coded(), X, Y, scoring="accuracy", cv=CV)
    assert good.estimate > 0.8
    # Neither a classifier nor a regressor, and worse than always 0.
    bad = s.cross_val_inference(Coded((1, 0)), X, Y, scoring="accuracy", cv=CV)
    assert "worse than a constant" in codes(bad)
    assert "worse than a constant" not in codes(good)
    mixed = {"bad": Coded((1, 0)), "line": LogisticRegression()}
    assert "worse than a constant" in codes(s.compare_estimators(mixed, X, Y, scoring="accuracy"))


THREE = np.arange(120) % 3


def test_a_third_label_on_a_test_set_of_two_classes():
    predicted = {"a": np.where(np.arange(120) < 5, -1, Y), "b": Y}
    for call in (
        lambda: s.compare_predictions(Y, predicted, scoring="accuracy"),
        lambda: s.predictions_inference(Y, predicted["a"], scoring="accuracy"),
        lambda: s.compare_out_of_fold(
            Y, predicted, folds=np.arange(120) // 24, scoring="balanced_accuracy"
        ),
        lambda: mcnemar_exact_test(Y, predicted["a"], predicted["b"]),
    ):
        with pytest.raises(ValueError, match="contain -1, and y_true only has"):
            call()


def test_a_fourth_label_is_counted():
    predicted = {"a": np.where(np.arange(120) < 5, 7, THREE), "b": THREE[::-1]}
    result = s.compare_predictions(THREE, predicted, scoring="accuracy")
    (note,) = [note for note in result.notes if note.code == "unseen labels"]
    assert "a in 5 rows" in note.text
    assert note.about == ("a",)
    assert result.scores["a"].values == pytest.approx([115 / 120])
    folds = np.arange(120) // 24
    out_of_fold = s.compare_out_of_fold(THREE, predicted, folds=folds, scoring="accuracy")
    assert "unseen labels" in codes(out_of_fold)
    known = {name: np.where(values == 7, 0, values) for name, values in predicted.items()}
    assert "unseen labels" not in codes(s.compare_predictions(THREE, known, scoring="accuracy"))
