"""`cross_val_score` in the place of scikit-learn's, and `cross_val_inference` of several.

Failing scorers, groups, answers of scorers; rankings that compare nothing.
"""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold
from sklearn.model_selection import cross_val_score as sklearn_cross_val_score
from sklearn.naive_bayes import GaussianNB

from skcvstats import RepeatedSubsampleSplit, ScoreEstimates, cross_val_inference, cross_val_score
from skcvstats.exceptions import SplitDesignError
from tests.cheap import NearestMean

X, Y = make_classification(n_samples=48, random_state=3)
CV = KFold(4)


def not_on_the_first_row(estimator, X_test, y):
    if X[0, 0] in X_test[:, 0]:
        raise OSError("the scale is broken")
    return float(np.mean(estimator.predict(X_test) == y))


@pytest.mark.parametrize("error_score", [np.nan, 0.5])
def test_failed_scorer_has_the_score_that_was_asked_for(error_score):
    options = {"scoring": not_on_the_first_row, "error_score": error_score, "cv": CV}
    with pytest.warns(UserWarning, match="Scoring failed") as theirs:
        expected = sklearn_cross_val_score(GaussianNB(), X, Y, **options)
    with pytest.warns(UserWarning, match="OSError: the scale is broken") as ours:
        np.testing.assert_array_equal(cross_val_score(GaussianNB(), X, Y, **options), expected)
    (message, *more), (other, *_) = ([str(w.message) for w in told] for told in (ours, theirs))
    assert more == []  # one for all splits
    assert message.partition("Details")[0] == other.partition("Details")[0]


ROWS = np.arange(len(X))


@pytest.mark.parametrize(
    ("cv", "n_shared"),
    [
        *(([(ROWS[:30], ROWS[20:40])], 1), ([(ROWS, ROWS)] * 2, 2)),
        ([(ROWS[:30], ROWS[-10:]), (ROWS[:30], ROWS[20:40])], 1),
    ],
)
def test_test_rows_that_were_trained_on_are_scored_and_noted(cv, n_shared):
    ours = cross_val_score(GaussianNB(), X, Y, cv=cv)
    np.testing.assert_array_equal(ours, sklearn_cross_val_score(GaussianNB(), X, Y, cv=cv))
    assert f"{n_shared} of {len(cv)} split" in str(ours.design.notes[0])
    with pytest.raises(SplitDesignError):
        ours.confidence_interval()
    with pytest.raises(SplitDesignError, match="also training rows"):
        cross_val_inference(GaussianNB(), X, Y, cv=cv)


def test_rows_counted_from_the_end():
    from_the_end = cross_val_score(GaussianNB(), X, Y, cv=[(ROWS[:30], np.arange(-10, 0))])
    from_the_start = cross_val_score(GaussianNB(), X, Y, cv=[(ROWS[:30], ROWS[-10:])])
    np.testing.assert_array_equal(from_the_end, from_the_start)
    assert from_the_end.design.digest == from_the_start.design.digest


LARGE = make_classification(200, 5, flip_y=0.2, random_state=0)
MODELS = {"nearest": NearestMean(5), "bayes": GaussianNB(), "one column": NearestMean()}
SPLITS = RepeatedSubsampleSplit(10, random_state=0)


@pytest.fixture(scope="module")
def several():
    return cross_val_inference(MODELS, *LARGE, scoring=["accuracy", "roc_auc"], cv=SPLITS)


def test_numbers_are_those_of_each_estimator_alone(several):
    for metric in ("accuracy", "roc_auc"):
        for name, model in MODELS.items():
            alone = cross_val_inference(model, *LARGE, scoring=metric, cv=SPLITS)
            found = several[metric][name]
            assert found.estimate == pytest.approx(alone.estimate, rel=1e-9)
            assert found.confidence_interval() == pytest.approx(alone.confidence_interval())
            assert found.label == name
            raw = sklearn_cross_val_score(model, *LARGE, scoring=metric, cv=SPLITS).mean()
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
    assert text.startswith("accuracy and roc_auc of 3 estimators: corrected resampled t-test, 10")
    assert text.count("95 % interval") == 2
    assert "compare_estimators compares models" in text
    assert "letters" not in text
    assert max(map(len, str(several).splitlines())) <= 100
    assert repr(several) == str(several)
    assert several._repr_html_().count("<tr>") == 8


def test_a_null_value_is_asked_of_each(several):
    result = cross_val_inference(MODELS, *LARGE, cv=SPLITS, null_value=0.5, alternative="greater")
    pvalues = result.to_frame().set_index("estimator")["pvalue"]
    for name in MODELS:
        asked = several["accuracy"][name].against(0.5, "greater")
        assert pvalues[name] == pytest.approx(asked.pvalue, rel=1e-6)
    assert "p-value" in str(result)


def test_one_estimator_in_several_metrics_has_a_row_for_each():
    result = cross_val_inference(GaussianNB(), *LARGE, scoring=["accuracy", "f1"], cv=SPLITS)
    assert isinstance(result, ScoreEstimates)
    starts = [line.split()[0] for line in str(result).splitlines() if line[:2] in ("ac", "f1")]
    assert starts[-2:] == ["accuracy", "f1"]


def test_many_estimators_are_bounded():
    models = {f"model {k}": NearestMean(1 + k % 5) for k in range(15)}
    result = cross_val_inference(models, *LARGE, cv=SPLITS, method="corrected_resampled_t")
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
        result = cross_val_inference(models, LARGE[0], y, scoring="roc_auc", cv=SPLITS)
    (line,) = [line for line in str(result).splitlines() if line.startswith("most")]
    assert line.split() == ["most", "0.500", "-"]
