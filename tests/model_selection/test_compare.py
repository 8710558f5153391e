"""compare_estimators, cross_val_inference, cross_val_score: what they draw, warn of and answer."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeavePGroupsOut, ShuffleSplit, cross_validate
from sklearn.model_selection import cross_val_score as sklearn_cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import skcvstats as s
from tests.cheap import NearestMean

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :4]
PAIR = {"bayes": GaussianNB(), "nearest": NearestMean(4)}


def test_the_correction_follows_the_splits_not_a_ratio():
    # Drawn from all 569 rows, training on half: n_test / n_train would be .2 instead of 1/9.
    sizes = {"train_size": 0.5, "test_size": 0.1, "random_state": 0}
    cv = ShuffleSplit(15, **sizes)
    (test,) = s.compare_estimators(PAIR, X, Y, cv=cv).tests
    assert test.correction == pytest.approx(1 / 15 + 57 / (569 - 57))
    fixed = s.RepeatedSubsampleSplit(15, **sizes, pool="fixed")
    (test,) = s.compare_estimators(PAIR, X, Y, cv=fixed).tests
    assert (test.n_train, test.n_samples) == (284, 341)
    assert test.correction == pytest.approx(1 / 15 + 57 / 284)


def test_a_list_of_estimators_gets_the_names_of_a_pipeline():
    models = [NearestMean(4), GaussianNB(), NearestMean(3)]
    expected = tuple(make_pipeline(*models).named_steps)
    assert s.compare_estimators(models, X, Y, cv=3).names == expected


def test_random_state_seeds_only_the_splits_drawn_here():
    first, again = (s.compare_estimators(PAIR, X, Y).scores for _ in range(2))
    np.testing.assert_array_equal(first.values, again.values)
    other = s.compare_estimators(PAIR, X, Y, random_state=1).scores
    assert first.design.digests != other.design.digests
    cv = s.RepeatedSubsampleSplit(15, random_state=3)
    given = [s.compare_estimators(PAIR, X, Y, cv=cv, random_state=seed).scores for seed in (0, 3)]
    assert given[0].design.digests == given[1].design.digests


def test_a_random_state_beside_splits_seeds_auxiliary_ones_or_says_nothing():
    options = {"cv": ShuffleSplit(2, random_state=0), "method": "conservative_z"}
    three, four = (s.compare_estimators(PAIR, X, Y, **options, random_state=k) for k in (3, 4))
    assert three.scores.values.tobytes() == four.scores.values.tobytes()
    (one,), (other,) = (each.auxiliary_by_metric.values() for each in (three, four))
    assert one.design.digests != other.design.digests
    cv = ShuffleSplit(10, random_state=0)
    s.cross_val_inference(GaussianNB(), X, Y, cv=cv, random_state=None)


def test_the_interval_of_the_default_folds_is_not_called_weak():
    scores = s.cross_val_score(GaussianNB(), X, Y)
    low, high = scores.confidence_interval()  # a warning would be an error
    assert low < scores.mean() < high


def test_every_split_there_is_is_no_sample_of_independent_draws():
    groups = np.arange(569) % 6
    with pytest.warns(s.SplitDesignWarning, match="These are all 15 splits there are"):
        result = s.compare_estimators(PAIR, X, Y, groups=groups, cv=LeavePGroupsOut(2))
    (code,) = {note.code for note in result.notes if "14 degrees of freedom overstate" in str(note)}
    assert code in result.to_frame()["note"][0].split("; ")


def test_a_level_that_is_asked_for():
    result = s.compare_estimators(PAIR, X, Y, confidence_level=0.9)
    assert result.confidence_level == 0.9
    later = s.compare_estimators(PAIR, X, Y).with_confidence(0.9)
    assert str(result) == str(later)
    assert result.to_frame(full=True).equals(later.to_frame(full=True))
    one = s.cross_val_inference(PAIR["bayes"], X, Y, confidence_level=0.8)
    default = s.cross_val_inference(PAIR["bayes"], X, Y)
    interval = default.confidence_interval(0.8)
    assert one.confidence_interval() == interval
    assert one.to_frame(full=True)[["low", "high"]].to_numpy().tolist() == [list(interval)]
    assert all("80 % confidence interval" in text for text in (str(one), one._repr_html_()))


@pytest.mark.parametrize("cv", [10, None])
@pytest.mark.parametrize("target", [Y, np.array(["no", "yes"])[Y], Y * 1.0, X[:, 0], None])
def test_a_number_of_folds_makes_the_splits_of_cross_validate(cv, target):
    is_score = target is None or len(np.unique(target)) > 2
    model = LinearRegression() if is_score else PAIR["bayes"]
    given = X[:, 0] if target is None else target
    results = cross_validate(model, X, given, cv=cv, return_indices=True)
    design = s.SplitDesign.from_splitter(cv, X, target)
    assert design.digests == s.CVScores.from_cv_results(results).design.digests


class Demanding(s.CorrectedResampledTTest):
    """Contradicts itself: it does not accept the splits that it asks for."""

    def require(self, design):
        design.require(who="The demanding test", min_splits=20)


def test_a_procedure_that_refuses_its_own_splits():
    """The advice to leave cv=None, or to score on more splits, would not help."""
    with pytest.raises(s.SplitDesignError, match=r"20 splits; there are 15\. But") as own:
        s.compare_estimators(PAIR, X, Y, method=Demanding())
    assert "Demanding itself asks for without cv=: correct its `request`" in str(own.value)
    assert "cv=RepeatedSubsampleSplit" not in str(own.value)
    with pytest.raises(s.SplitDesignError, match="for example with cv=RepeatedSubsampleSplit"):
        s.compare_estimators(PAIR, X, Y, method=Demanding(), cv=5)


ON_ARRAYS = [name for name in s.stats.__all__ if name.endswith(("_ttest", "_ztest"))]


@pytest.mark.parametrize("name", ON_ARRAYS)
def test_functions_on_arrays_point_two_arrays_to_their_difference(name):
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    further = (b,) if name == "conservative_ztest" else ()
    with pytest.raises(TypeError, match=rf"{name}\(a - b, "):
        getattr(s.stats, name)(a, b, *further, n_train=9, n_test=1)
    with pytest.raises(ValueError, match="a - b and half_a - half_b"):
        s.stats.conservative_ztest(a, b, n_train=9, n_test=1)


SMALL = make_classification(n_samples=48, random_state=3)
ROWS = np.arange(len(SMALL[0]))


@pytest.mark.parametrize(("cv", "n_shared"), [
    *(([(ROWS[:30], ROWS[20:40])], 1), ([(ROWS, ROWS)] * 2, 2)),
    ([(ROWS[:30], ROWS[-10:]), (ROWS[:30], ROWS[20:40])], 1),
])  # fmt: skip
def test_test_rows_that_were_trained_on_are_scored_and_noted(cv, n_shared):
    ours = s.cross_val_score(GaussianNB(), *SMALL, cv=cv)
    np.testing.assert_array_equal(ours, sklearn_cross_val_score(GaussianNB(), *SMALL, cv=cv))
    assert f"{n_shared} of {len(cv)} split" in str(ours.design.notes[0])
    with pytest.raises(s.SplitDesignError):
        ours.confidence_interval()
    with pytest.raises(s.SplitDesignError, match="also training rows"):
        s.cross_val_inference(GaussianNB(), *SMALL, cv=cv)


def test_rows_counted_from_the_end():
    tests = np.arange(-10, 0), ROWS[-10:]
    one, other = (s.cross_val_score(GaussianNB(), *SMALL, cv=[(ROWS[:30], test)]) for test in tests)
    np.testing.assert_array_equal(one, other)
    assert one.design.digest == other.design.digest


LARGE = make_classification(200, 5, flip_y=0.2, random_state=0)
MODELS = {"nearest": NearestMean(5), "bayes": GaussianNB(), "one column": NearestMean()}
SPLITS = s.RepeatedSubsampleSplit(10, random_state=0)


@pytest.fixture(scope="module")
def several():
    return s.cross_val_inference(MODELS, *LARGE, scoring=["accuracy", "roc_auc"], cv=SPLITS)


def test_numbers_are_those_of_each_estimator_alone(several):
    for metric in ("accuracy", "roc_auc"):
        for name, model in MODELS.items():
            alone = s.cross_val_inference(model, *LARGE, scoring=metric, cv=SPLITS)
            found = several[metric][name]
            assert found.estimate == pytest.approx(alone.estimate, rel=1e-9)
            assert found.confidence_interval() == pytest.approx(alone.confidence_interval())
            assert found.label == name
            raw = sklearn_cross_val_score(model, *LARGE, scoring=metric, cv=SPLITS).mean()
            assert found.estimate == pytest.approx(raw)


def test_the_frame_has_the_best_first(several):
    frame = several.to_frame(full=True)
    assert len(frame) == 6
    for _, rows in frame.groupby("metric"):
        assert rows["score"].is_monotonic_decreasing
    assert frame["pvalue"].isna().all()  # nobody asked
    ranking = several["accuracy"].ranking()
    assert (
        ranking["estimator"].tolist()
        == several["accuracy"].to_frame(full=True)["estimator"].tolist()
    )
    assert ranking["could_be_best"].isna().all()
    narrow = several.to_frame(0.5)
    assert (narrow["high"] - narrow["low"] < frame["high"] - frame["low"]).all()
    assert several.with_confidence(0.5).to_frame().equals(narrow)


def test_text_and_html_are_rankings_without_differences(several):
    text = " ".join(str(several).split())
    assert text.startswith("accuracy and ROC AUC of 3 estimators: corrected resampled t-test, 10")
    assert text.count("95 % interval") == 2
    assert "compare_estimators compares models" in text
    assert "letters" not in text
    assert max(map(len, str(several).splitlines())) <= 88
    assert repr(several) == str(several)
    assert several._repr_html_().count("<tr>") == 8


def test_a_null_value_is_asked_of_each(several):
    result = s.cross_val_inference(MODELS, *LARGE, cv=SPLITS, null_value=0.5, alternative="greater")
    said = "one-sided, of the hypothesis that the expected score is at most 0.5; they are not adj"
    assert f"p-values are {said}" in " ".join(str(result).split())
    pvalues = result.to_frame(full=True).set_index("estimator")["pvalue"]
    for name in MODELS:
        asked = several["accuracy"][name].against(0.5, "greater")
        assert pvalues[name] == pytest.approx(asked.pvalue, rel=1e-6)
    assert "p-value" in str(result)


def test_one_estimator_in_several_metrics_has_a_row_for_each():
    result = s.cross_val_inference(GaussianNB(), *LARGE, scoring=["accuracy", "f1"], cv=SPLITS)
    assert isinstance(result, s.ScoreEstimates)
    starts = [line.split()[0] for line in str(result).splitlines() if line[:2] in ("ac", "F1")]
    assert starts[-2:] == ["accuracy", "F1"]


def test_many_estimators_are_bounded():
    models = {f"model {k}": NearestMean(1 + k % 5) for k in range(15)}
    result = s.cross_val_inference(models, *LARGE, cv=SPLITS, method="corrected_resampled_t")
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
        result = s.cross_val_inference(models, LARGE[0], y, scoring="roc_auc", cv=SPLITS)
    (line,) = [line for line in str(result).splitlines() if line.startswith("most")]
    assert line.split() == ["most", "0.500", "-"]
