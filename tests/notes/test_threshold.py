"""Metrics of labels: where the signal is weak, they move with the share of the classes."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import fbeta_score, make_scorer, matthews_corrcoef
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict

import skcvstats as s
from tests.cheap import NearestMean
from tests.comparison.made import codes

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(0)
N = 300
Y = (RNG.uniform(size=N) < 0.45).astype(int)
NOISE = RNG.normal(size=(N, 2))
SIGNALS = {"none": 0.0, "weak": 0.8, "strong": 2.0}
DATA = {name: NOISE + shift * Y[:, np.newaxis] for name, shift in SIGNALS.items()}
MODELS = {"one": NearestMean(), "two": NearestMean(n_columns=2), "prior": DummyClassifier()}
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)
F2 = make_scorer(fbeta_score, beta=2)


def noted(result):
    return [note for note in result.notes if note.code == "threshold"]


def correlation(X):
    return matthews_corrcoef(Y, cross_val_predict(NearestMean(), X, Y, cv=FOLDS))


@pytest.mark.parametrize("scoring", ["f1", F2, "recall", "f1_macro"])
@pytest.mark.parametrize("signal", SIGNALS)
def test_weak_signals(signal, scoring):
    X = DATA[signal]
    result = s.compare_estimators(MODELS, X, Y, scoring=scoring, cv=FOLDS)
    is_weak = correlation(X) < 0.35
    assert is_weak == (signal != "strong")
    assert len(noted(result)) == is_weak
    for note in noted(result):
        assert "takes the share of the classes as it is in these data" in note.text
        assert "prior" not in note.about  # which has no threshold
        assert "one" in note.about


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "matthews_corrcoef"])
@pytest.mark.parametrize("signal", SIGNALS)
def test_no_signal(signal, scoring):
    result = s.cross_val_inference(NearestMean(), DATA[signal], Y, scoring=scoring, cv=FOLDS)
    is_chance = abs(np.arctanh(correlation(DATA[signal]))) < 1.96 / np.sqrt(N - 3)
    assert is_chance == (signal == "none")
    assert len(noted(result)) == is_chance
    for note in noted(result):
        assert "test AUC or log loss" in note.text


def test_names_of_classes_and_repeats():
    X = DATA["weak"]
    expected = f"(MCC {correlation(X):.3g})"
    for labels in (Y, Y == 1, np.array(["no", "yes"])[Y], Y + 1):
        result = s.cross_val_inference(NearestMean(), X, labels, scoring="f1_macro", cv=FOLDS)
        (note,) = noted(result)
        assert expected in note.text


ROADS = {
    "learning curve": lambda X: s.learning_curve_inference(NearestMean(), X, Y, scoring="f1"),
    "out of fold": lambda X: s.compare_out_of_fold(
        Y,
        {name: cross_val_predict(MODELS[name], X, Y, cv=FOLDS) for name in ("one", "two")},
        folds=FOLDS,
        scoring="f1",
    ),
}


@pytest.mark.parametrize("road", ROADS)
def test_each_road(road):
    assert "threshold" in codes(ROADS[road](DATA["weak"]))
    assert "threshold" not in codes(ROADS[road](DATA["strong"]))


def test_a_rare_class():
    rare = np.r_[np.flatnonzero(Y == 0), np.flatnonzero(Y == 1)[:60]]
    X, y = DATA["strong"][rare], Y[rare]
    search = GridSearchCV(NearestMean(), {"n_columns": [1, 2]}, scoring="f1", cv=FOLDS).fit(X, y)
    scores = s.cross_val_score(MODELS, X, y, scoring="f1", cv=FOLDS)
    found = [codes(s.compare_candidates(search, X, y)), {note.code for note in scores.all_notes}]
    assert all("threshold" in each for each in found)
    assert "threshold" not in codes(s.cross_val_inference(NearestMean(), X, y, scoring="roc_auc"))
