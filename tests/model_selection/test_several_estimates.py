"""cross_val_inference of several estimators or metrics: a ranking that compares nothing."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

from skcvstats import RepeatedSubsampleSplit, ScoreEstimates, cross_val_inference
from tests.cheap import NearestMean

X, Y = make_classification(200, 5, flip_y=0.2, random_state=0)
MODELS = {"nearest": NearestMean(5), "bayes": GaussianNB(), "one column": NearestMean()}
CV = RepeatedSubsampleSplit(10, random_state=0)


@pytest.fixture(scope="module")
def several():
    return cross_val_inference(MODELS, X, Y, scoring=["accuracy", "roc_auc"], cv=CV)


def test_numbers_are_those_of_each_estimator_alone(several):
    for metric in ("accuracy", "roc_auc"):
        for name, model in MODELS.items():
            alone = cross_val_inference(model, X, Y, scoring=metric, cv=CV)
            found = several[metric][name]
            assert found.estimate == pytest.approx(alone.estimate, rel=1e-9)
            assert found.confidence_interval() == pytest.approx(alone.confidence_interval())
            assert found.label == name
            raw = cross_val_score(model, X, Y, scoring=metric, cv=CV).mean()
            assert found.estimate == pytest.approx(raw)


def test_the_frame_has_the_best_first(several):
    frame = several.to_frame()
    assert len(frame) == 6
    for _, rows in frame.groupby("metric"):
        assert rows["score"].is_monotonic_decreasing
    assert frame["pvalue"].isna().all()  # nobody asked
    ranking = several["accuracy"].ranking()
    assert ranking["estimator"].tolist() == several["accuracy"].to_frame()["estimator"].tolist()
    assert ranking["could_be_best"].isna().all()
    narrow = several.to_frame(0.5)
    assert (narrow["high"] - narrow["low"] < frame["high"] - frame["low"]).all()
    assert several.with_confidence(0.5).to_frame().equals(narrow)


def test_text_and_html_are_rankings_without_differences(several):
    text = " ".join(str(several).split())
    assert text.startswith("accuracy and roc_auc of 3 estimators: corrected resampled t-test over")
    assert text.count("95 % interval") == 2
    assert "compare_estimators compares models" in text
    assert "letters" not in text
    assert max(map(len, str(several).splitlines())) <= 100
    assert repr(several) == str(several)
    assert several._repr_html_().count("<tr>") == 8


def test_a_null_value_is_asked_of_each(several):
    result = cross_val_inference(MODELS, X, Y, cv=CV, null_value=0.5, alternative="greater")
    pvalues = result.to_frame().set_index("estimator")["pvalue"]
    for name in MODELS:
        asked = several["accuracy"][name].against(0.5, "greater")
        assert pvalues[name] == pytest.approx(asked.pvalue, rel=1e-6)
    assert "p-value" in str(result)


def test_one_estimator_in_several_metrics_has_a_row_for_each():
    result = cross_val_inference(GaussianNB(), X, Y, scoring=["accuracy", "f1"], cv=CV)
    assert isinstance(result, ScoreEstimates)
    starts = [line.split()[0] for line in str(result).splitlines() if line[:2] in ("ac", "f1")]
    assert starts[-2:] == ["accuracy", "f1"]


def test_many_estimators_are_bounded():
    models = {f"model {k}": NearestMean(1 + k % 5) for k in range(15)}
    result = cross_val_inference(models, X, Y, cv=CV, method="corrected_resampled_t")
    assert "and 5 more, see to_frame()" in str(result)
    assert len(str(result).splitlines()) < 20


@pytest.mark.parametrize("key", ["r2", "forest"])
def test_what_is_not_there(several, key):
    with pytest.raises(KeyError, match="is not among 'accuracy', 'roc_auc'"):
        several[key]
    with pytest.raises(KeyError, match="Choose a metric first"):
        several["nearest"]
    with pytest.raises(ValueError, match="Choose one"):
        several.ranking()


def test_undetermined_estimates_have_no_interval():
    models = {"most": DummyClassifier(), "nearest": MODELS["nearest"]}
    y = np.r_[np.zeros(150, int), np.ones(50, int)]
    with pytest.warns(match="do not vary"):
        result = cross_val_inference(models, X, y, scoring="roc_auc", cv=CV)
    (line,) = [line for line in str(result).splitlines() if line.startswith("most")]
    assert line.split() == ["most", "0.500", "-"]
