"""Metrics of labels: where the signal is weak, they move with the share of the classes."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.metrics import fbeta_score, make_scorer, matthews_corrcoef
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)

import skcvstats as s
from tests.cheap import NearestMean
from tests.comparison.made import codes

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(0)
N = 300
Y = (RNG.uniform(size=N) < 0.45).astype(int)
NOISE = RNG.normal(size=(N, 2))
SIGNALS = {"none": 0.0, "weak": 0.8, "strong": 2.0}
WEAKER = NOISE + 0.4 * Y[:, np.newaxis]
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


class Frozen(ClassifierMixin, BaseEstimator):
    """Predicts what the first column says."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, 0]


# Doors that keep no predictions: of a model that predicts each class as often as it occurs, the
# score tells the MCC.
NAMED = {"one": NearestMean(), "two": NearestMean(n_columns=2)}


def by_search(X, scoring):
    search = GridSearchCV(NearestMean(), {"n_columns": [1, 2]}, scoring=scoring, cv=FOLDS)
    return s.compare_candidates(search.fit(X, Y), X, Y)


def by_race(X, scoring):
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    race = s.RacingSearchCV(NearestMean(), {"n_columns": [1, 2]}, scoring=scoring, cv=cv, rule=None)
    return s.compare_candidates(race.fit(X, Y), X, Y)


def by_scores(X, scoring):
    results = {
        name: cross_validate(model, X, Y, scoring=scoring, cv=FOLDS, return_indices=True)
        for name, model in NAMED.items()
    }
    return s.compare_scores(results, metric=scoring)


WITHOUT_PREDICTIONS = {
    "scores": lambda X, scoring: s.cross_val_score(NAMED, X, Y, scoring=scoring, cv=FOLDS),
    "scores of one": lambda X, scoring: s.cross_val_score(
        NearestMean(), X, Y, scoring=scoring, cv=FOLDS
    ),
    "other procedure": lambda X, scoring: s.compare_estimators(
        NAMED, X, Y, scoring=scoring, cv=FOLDS, method="corrected_resampled_t"
    ),
    "search": by_search,
    "race": by_race,
}


def texts(found):
    notes = found.all_notes if hasattr(found, "all_notes") else found.notes
    return [note.text for note in notes if note.code == "threshold"]


@pytest.mark.parametrize(
    ("door", "scoring"),
    [*((door, "f1") for door in WITHOUT_PREDICTIONS), ("scores of one", "f1_macro")],
)
def test_doors_that_keep_no_predictions(door, scoring):
    (text,) = texts(WITHOUT_PREDICTIONS[door](WEAKER, scoring))
    assert "(MCC about 0." in text
    assert "takes the share of the classes as it is in these data" in text
    assert not texts(WITHOUT_PREDICTIONS[door](DATA["strong"], scoring))


@pytest.mark.parametrize("scoring", ["balanced_accuracy", "matthews_corrcoef"])
def test_no_signal_without_predictions(scoring):
    score = WITHOUT_PREDICTIONS["scores of one"]
    assert "test AUC or log loss" in texts(score(DATA["none"], scoring))[0]
    assert not texts(score(DATA["weak"], scoring))


@pytest.mark.parametrize("scoring", ["f1", "recall", "accuracy", "balanced_accuracy", "f1_macro"])
@pytest.mark.parametrize(("share", "strength"), [(0.36, 0.1), (0.5, 0.3), (0.6, 0.5)])
def test_the_score_tells_the_correlation(scoring, share, strength):
    # Predictions in which each class is as frequent as in y.
    n = 1000
    n_positive = round(share * n)
    right = round(n_positive * (share + strength * (1 - share)))
    y = np.r_[np.ones(n_positive, int), np.zeros(n - n_positive, int)]
    predicted = np.roll(y, n_positive - right)
    expected = matthews_corrcoef(y, predicted)
    frozen = Frozen()
    X = predicted[:, np.newaxis]
    found = s.cross_val_score(frozen, X, y, scoring=scoring, cv=StratifiedKFold(2, shuffle=True))
    is_due = expected < 0.35 if scoring not in ("accuracy", "balanced_accuracy") else False
    assert bool(texts(found)) == is_due
    for text in texts(found):
        said = float(text.partition("(MCC about ")[2].partition(")")[0])
        assert said == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("labels", [(0, 1), ("no", "yes")])
def test_an_accuracy_at_chance_is_noted_whatever_the_labels_are(labels):
    number = np.arange(200)
    y = np.array(labels)[number % 2]
    X = np.array(labels)[number // 2 % 2][:, np.newaxis]  # right in every second row
    found = s.cross_val_score(Frozen(), X, y, scoring="accuracy", cv=StratifiedKFold(2))
    assert "no better than chance" in texts(found)[0]


def test_finished_scores_of_one_class():
    (text,) = texts(by_scores(WEAKER, "f1"))
    assert "scores below 0.58 are mostly of a rare class or a weak signal" in text
    assert not texts(by_scores(DATA["strong"], "f1"))
    assert not texts(by_scores(WEAKER, "roc_auc"))
    # Scores that were made here know the target, and are noted by it.
    made = {
        name: s.cross_val_score(m, WEAKER, Y, scoring="f1", cv=FOLDS) for name, m in NAMED.items()
    }
    assert all("MCC about" in text for text in texts(s.compare_scores(made)))
