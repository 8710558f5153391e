"""No interval is shown beyond the range of its metric; of differences frames and JSON are uncut."""

import re

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

import skcvstats as s
from skcvstats import stats
from skcvstats.plotting import ComparisonDisplay, RankingDisplay
from skcvstats.scores import CVScores
from tests.conftest import ignoring

pytestmark = ignoring("Anticonservative", "DegenerateScores", "SplitDesign")
DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=10)
SAID = "Intervals are cut where the metric ends"
NEAR_ONE = [1, 0.9, 1, 1, 1, 0.9, 1, 1, 0.9, 1]
FAR = [0.1, 0.9, 0.0, 1.0, 0.2, 0.0, 0.9, 0.0, 0.1, 0.2]


def compared(scores, metric="accuracy", **options):
    return s.compare_scores(scores, design=DESIGN, metric=metric, **options)


def numbers_of(text):
    """The numbers of a printed text."""
    return [float(found) for found in re.findall(r"-?\d+\.\d+", text)]


@pytest.mark.parametrize("names", ["ab", "abc"])
def test_printed_and_drawn_ends(names):
    scores = dict(zip(names, (NEAR_ONE, FAR, [0.1, 0.0] * 5), strict=False))
    result = compared(scores)
    table = result.to_frame()
    assert table["high"].max() > 1  # differences are not cut
    assert result.ranking()["high"].max() == result.to_dict()["accuracy/a/high"] == 1
    for text in (str(result), result._repr_html_(), s.evaluation_report(result).to_markdown()):
        assert " ".join(re.sub("<[^>]*>", "", text).split()).count(SAID) == 1
    assert max(map(abs, numbers_of(str(result)))) <= 1
    for display in (RankingDisplay, ComparisonDisplay):
        drawn = display.from_result(result).frame()
        assert drawn.filter(regex="^high").max().max() <= 1
        assert drawn.filter(like="low").min().min() >= -1
    p = result[0].pvalue_adjusted
    assert compared(scores, margin=0.1)[0].pvalue_adjusted == p


def test_a_single_score():
    one = single(NEAR_ONE)
    scores = CVScores(values=NEAR_ONE, design=DESIGN, metric="accuracy")
    uncut = stats.corrected_resampled_ttest(NEAR_ONE, n_train=90, n_test=10)  # functions on arrays
    (low, high), ends = uncut.confidence_interval(), one.confidence_interval()
    assert high > 1
    assert ends == scores.confidence_interval() == (pytest.approx(low, rel=1e-12), 1)
    assert one.to_dict()["high"] == one.to_frame()["high"][0] == 1
    assert "to 1)" in str(one)
    assert SAID not in str(one)
    assert one.pvalue == uncut.pvalue
    both = CVScores(values=[NEAR_ONE, FAR], design=DESIGN, metric="accuracy", labels=("a", "b"))
    assert max(numbers_of(str(stats.CorrectedResampledTTest()(both)))[:4]) <= 1


def single(values, metric="accuracy", **options):
    scores = CVScores(values=values, design=DESIGN, metric=metric)
    return stats.CorrectedResampledTTest(**options)(scores)


@pytest.mark.parametrize(("metric", "values", "high", "said"), [
    ("r2", NEAR_ONE, 1.0, "to 1)"),
    ("neg_mean_squared_error", [-0.1, 0, 0, -0.3, 0] * 2, 0.0, "interval 0 to"),
])  # fmt: skip
def test_other_ranges(metric, values, high, said):
    one = single(values, metric)
    assert one.confidence_interval().high == high
    assert said in str(one)


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        ("accuracy", [97, 99, 100, 98, 99, 100, 99, 100, 100, 99]),  # percent
        ("my score", NEAR_ONE),
        ("neg_log_loss", [0.1, 0.3, 0.2, 0.1, 0.0, 0.4, 0.1, 0.2, 0.1, 0.3]),  # of the other sign
    ],
)
def test_scores_on_another_scale_are_not_cut(metric, values):
    one = single(values, metric)
    low, high = one.confidence_interval()
    ends = (low, high) if metric != "neg_log_loss" else (-high, -low)  # as losses are read
    assert "{:.3g} to {:.3g}".format(*ends) in " ".join(str(one).split())
    assert SAID not in str(one)


def test_one_sided_bounds_and_error_rates():
    assert "bound: at most 1)" in " ".join(str(single(NEAR_ONE, alternative="less")).split())
    assert stats.error_rate_interval(1, 40, "normal").low < 0
    assert "interval 0 to " in str(stats.error_rate_interval(1, 40, "normal"))
    assert np.max(numbers_of(str(stats.error_rate_difference(39, 40, 1, 2)).split(")")[0])) <= 1


@pytest.mark.parametrize("metric", ["auc", "acc", "roc_auc_score", "ROC AUC", "accuracy (test)"])
def test_the_range_is_known_by_any_name_of_the_metric(metric):
    result = compared({"a": NEAR_ONE, "b": FAR}, metric)
    assert max(map(abs, numbers_of(str(result)))) <= 1
    assert result.ranking()["high"].max() == 1


X, Y = (part[:150] for part in load_breast_cancer(return_X_y=True))
CV = s.RepeatedSubsampleSplit(8, random_state=0)
OF_PROBABILITIES = {"response_method": "predict_proba"}
PRECISION = make_scorer(metrics.average_precision_score, **OF_PROBABILITIES)
SCORERS = {
    "scorer": (make_scorer(metrics.roc_auc_score, **OF_PROBABILITIES), 1.0),
    "named as another": ({"mine": PRECISION}, 1.0),
    "a name for a name": ({"mine": "roc_auc"}, 1.0),
}
BRIER = make_scorer(metrics.brier_score_loss, greater_is_better=False, **OF_PROBABILITIES)
SCORERS["loss"] = {"r2": BRIER}, 0.0


@pytest.mark.parametrize(("scoring", "end"), SCORERS.values(), ids=SCORERS)
def test_the_range_is_that_of_the_scorers_function(scoring, end):
    model, sizes = KNeighborsClassifier(), [5, 9, 15]
    models = {f"{k} neighbors": KNeighborsClassifier(k) for k in sizes}
    grid = {"n_neighbors": sizes}
    search = GridSearchCV(model, grid, scoring=scoring, cv=CV, refit=False).fit(X, Y)
    options = {"scoring": scoring, "cv": CV, "confidence_level": 0.9999}
    searched = s.compare_candidates(search, X, Y, confidence_level=0.9999)
    for result in (s.compare_estimators(models, X, Y, **options), searched):
        assert result.ranking()["high"].max() == end
        assert type(result).from_json(result.to_json()).ranking()["high"].max() == end
    found = s.cross_val_inference(model, X, Y, **options)
    assert found.to_frame()["high"][0] == end


def test_scorers_of_scikit_learns_functions_take_the_road_of_their_names():
    y = np.repeat([0, 1], 50)
    given = {"a": np.where(np.arange(100) < 1, 1, y), "b": np.where(np.arange(100) < 2, 1, y)}
    for door in (s.compare_predictions, s.predictions_inference):
        by_name = door(y, given, scoring="accuracy")
        assert str(door(y, given, scoring=make_scorer(metrics.accuracy_score))) == str(by_name)
    for function in (metrics.mean_squared_error, metrics.brier_score_loss):
        scorer = make_scorer(function, greater_is_better=False)
        result = s.predictions_inference(y, given, scoring=scorer)
        assert result.metrics == (f"neg_{function.__name__}",)
        assert result.to_frame()["high"].max() == 0


class Contrary(KNeighborsClassifier):
    def predict(self, X):
        return 1 - super().predict(X)


def test_options_that_change_the_range():
    """An adjusted balanced accuracy reaches from -1 to 1, so its differences from -2 to 2."""
    scorer = make_scorer(metrics.balanced_accuracy_score, adjusted=True)
    models = {"a": KNeighborsClassifier(), "b": Contrary()}
    result = s.compare_estimators(models, X, Y, scoring=scorer, cv=CV)
    assert result[0].test.estimate > 1
    assert max(numbers_of(str(result))) > 1
