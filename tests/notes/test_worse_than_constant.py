"""The note on models that a constant prediction beats."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn import model_selection as ms
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeRegressor

import skcvstats as s
from tests.comparison.made import codes
from tests.conftest import ignoring

X, Y = make_classification(120, 6, flip_y=0.2, random_state=0)
CV = s.RepeatedSubsampleSplit(3, test_size=40, random_state=0)
pytestmark = ignoring("DegenerateScores", "SplitDesign")
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
    notes = s.compare_predictions(letters, given, scoring="accuracy").notes
    (text,) = (n.text for n in notes if n.code == "worse than a constant")
    assert text.startswith("'shifted': worse in accuracy than a constant prediction")


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
        results.append(s.compare_predictions(y, given, scoring=scoring))
    if measure is not None:
        results.append(s.predictions_inference(y, given, scoring=scoring))
    for result in results:
        (text,) = (n.text for n in result.notes if n.code == "worse than a constant")
        assert text.startswith("'bad': worse in")
        assert "predictions in another order of rows, columns exchanged, or on another" in text
        if measure is not None:  # the class shares
            assert f"({measure(y, np.full(120, y.mean())):.3g})" in text  # as losses are read


def test_scores_keep_that_of_a_constant():
    """It is saved with them, and what reads scores asks for it."""
    scores = s.cross_val_score(DummyClassifier(), X, Y, cv=CV)
    expected = pytest.approx(max(Y.mean(), 1 - Y.mean()))
    assert scores.provenance["score of a constant"] == expected
    again = s.CVScores.from_json(scores.to_json())
    assert again.provenance["score of a constant"] == expected


def calibration_error(y_true, p):
    """The mean distance of shares and probabilities in five bins, weighted by rows."""
    bins = np.minimum((5 * p).astype(int), 4)
    return sum(abs((y_true - p)[bins == k].sum()) for k in range(5)) / len(p)


@pytest.mark.parametrize(
    ("name", "noted"),
    [("ece", False), ("expected_calibration_error", False), ("mce_5", False), ("distance", True)],
)
def test_a_constant_has_no_error_of_calibration(name, noted):
    """By construction, so other models are no worse than it."""
    rng = np.random.default_rng(0)
    logits = 2 * rng.normal(size=600)
    y = (rng.random(600) < 1 / (1 + np.exp(-logits))).astype(int)
    chances = {scale: 1 / (1 + np.exp(-scale * logits)) for scale in (2.0, 3.0)}
    metric = replaced_name(calibration_error, name)
    scorer = make_scorer(metric, greater_is_better=False, response_method="predict_proba")
    found = s.compare_predictions(y, chances, scoring=scorer)
    assert ("worse than a constant" in codes(found)) == noted


def replaced_name(function, name):
    """Return a function under another name."""

    def renamed(*arguments):
        return function(*arguments)

    renamed.__name__ = name
    return renamed
