"""Null values that no score has, and margins that all models meet."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression

import skcvstats as s
from tests.cheap import NearestMean
from tests.conftest import ignoring

pytestmark = ignoring("Anticonservative", "DegenerateScores", "SplitDesign")
RNG = np.random.default_rng(0)
DESIGN = s.SplitDesign.from_sizes(n_train=100, n_test=20, n_splits=10, n_samples=120)
SHARES = RNG.integers(14, 19, 10) / 20
FAILED = np.where(np.arange(10) % 4 == 2, 0.0, SHARES)
ERRORS = RNG.normal(3000, 200, 10)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
TARGET = X @ [3.0, 2.0, 1.0] + RNG.normal(size=60)
CV = s.RepeatedSubsampleSplit(3, test_size=20, random_state=0)


OUT = {
    "percent": (50, "accuracy", "from 0 to 1"), "an area": (-0.1, "roc_auc", "from 0 to 1"),
    "a loss": (50, "neg_mean_squared_error", "from -inf to 0"), "r2": (1.5, "r2", "from -inf to 1"),
    "a function without a name": (2, "fbeta_score", "from 0 to 1"),
    "agreement": (-2, "cohen_kappa_score", "from -1 to 1"),
}  # fmt: skip
FUNCTIONS = {"fbeta_score": metrics.make_scorer(metrics.fbeta_score, beta=2)}
FUNCTIONS["cohen_kappa_score"] = metrics.make_scorer(metrics.cohen_kappa_score)


@pytest.mark.parametrize("name", OUT)
def test_null_values_that_no_score_has_are_refused(name):
    null, metric, said = OUT[name]
    said = f"null_value={float(null)} is not a possible value of {metric}, which ranges {said}"
    is_loss, scoring = "neg" in metric, FUNCTIONS.get(metric, metric)
    remedy = "the score is minus the loss" if is_loss else "divide percentages by 100"
    model = LinearRegression() if metric == "r2" or is_loss else DummyClassifier()
    y = Y if isinstance(model, DummyClassifier) else TARGET
    with pytest.raises(ValueError, match=f"{said}.*{remedy}"):
        s.cross_val_inference(model, X, y, scoring=scoring, null_value=null)
    if metric == "fbeta_score":  # which is resampled
        return
    given = y + RNG.normal(size=60) if metric in ("roc_auc", "r2") or is_loss else y
    with pytest.raises(ValueError, match=said.replace(f"={float(null)}", f"={null}")):
        s.predictions_inference(y, given, scoring=scoring, null_value=null)
    values = -ERRORS if "neg" in metric else SHARES
    scores = s.CVScores(values=values, design=DESIGN, metric=metric)
    with pytest.raises(ValueError, match=said):
        s.CorrectedResampledTTest(null_value=null)(scores)


def test_null_values_of_differences_and_those_that_scores_have():
    models = {"a": NearestMean(), "b": DummyClassifier()}
    test = s.CorrectedResampledTTest(null_value=5)
    with pytest.raises(ValueError, match="of differences in accuracy, which ranges from -1 to 1"):
        s.compare_estimators(models, X, Y, method=test, reference="b", scoring="accuracy")
    given = {"a": SHARES, "b": FAILED}
    with pytest.raises(ValueError, match="of differences in accuracy, which ranges from -1 to 1"):
        s.compare_scores(given, metric="accuracy", design=DESIGN, method=test, reference="b")
    assert s.compare_scores(given, metric="any", design=DESIGN, method=test, reference="b")
    percent = {name: 100 * values for name, values in given.items()}
    assert s.compare_scores(percent, metric="accuracy", design=DESIGN, method=test, reference="b")
    counted = metrics.make_scorer(metrics.accuracy_score, normalize=False)
    how = {"method": "corrected_resampled_t", "cv": CV}
    assert s.cross_val_inference(models["a"], X, Y, scoring=counted, null_value=15, **how).n_splits
    assert s.cross_val_inference(models["a"], X, Y, null_value=1, **how).n_splits


def is_wide(result):
    return "wide margin" in [note.code for note in result.notes]


def test_margins_that_every_model_meets_are_noted():
    models = {"a": NearestMean(), "b": DummyClassifier()}
    given = {"a": Y, "b": np.where(np.arange(60) < 6, 1 - Y, Y)}
    share = max(Y.mean(), 1 - Y.mean())  # of the most frequent class
    without = s.compare_estimators(models, X, Y, scoring="accuracy", cv=CV)
    for margin, noted in ((1 - share + 0.01, True), (1 - share - 0.01, False), (0.9, True)):
        how = {"scoring": "accuracy", "margin": margin}
        assert is_wide(s.compare_estimators(models, X, Y, cv=CV, **how)) == noted
        assert is_wide(without.with_margin(margin)) == noted
        assert is_wide(s.compare_predictions(Y, given, **how)) == noted
    predicted = {"a": TARGET + 0.1, "b": TARGET - 0.2}
    for factor in (0.9, 1.1):
        how = {"scoring": "neg_mean_squared_error", "margin": factor * TARGET.var()}
        assert is_wide(s.compare_predictions(TARGET, predicted, **how)) == (factor > 1)
    losses = {name: (np.arange(60) % k == 0) * 1.0 for name, k in (("a", 5), ("b", 4))}
    for margin in (0.4, 0.6):  # half of the rows right is no better than guessing
        result = s.compare_losses(losses, metric="zero_one", margin=margin)
        assert is_wide(result) == (margin > 0.5)
    scores = {"a": SHARES, "b": SHARES[::-1]}
    for metric, margin, noted in (("accuracy", 0.9, 1), ("roc_auc", 0.4, 0), ("r2", 1.1, 1)):
        result = s.compare_scores(scores, metric=metric, design=DESIGN, margin=margin)
        assert is_wide(result) == noted
