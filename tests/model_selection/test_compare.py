"""compare_estimators and cross_val_inference: what they draw, warn of and answer."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeavePGroupsOut,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcvstats import (
    AnticonservativeWarning,
    CorrectedResampledTTest,
    CVScores,
    RepeatedSubsampleSplit,
    SplitDesignError,
    SplitDesignWarning,
    compare_estimators,
    cross_val_inference,
    cross_val_score,
)
from skcvstats.stats import corrected_resampled_ttest
from tests.cheap import NearestMean

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :4]
PAIR = {"bayes": GaussianNB(), "nearest": NearestMean(4)}
NUMBERS_X, NUMBERS_Y = load_diabetes(return_X_y=True)


@cache
def compared():
    """Return the comparison of the pair by default."""
    return compare_estimators(PAIR, X, Y)


def messages(caught):
    return " ".join(str(one.message) for one in caught if one.category is SplitDesignWarning)


def test_end_to_end_against_scikit_learn_and_the_formula_by_hand():
    result = compare_estimators(PAIR, X, Y)
    cv = RepeatedSubsampleSplit(15, test_size=0.1, random_state=0)
    a, b = (
        cross_validate(one, X, Y, cv=cv, scoring="accuracy")["test_score"] for one in PAIR.values()
    )
    (test,) = result.tests
    difference = a - b
    n_test = int(np.ceil(0.1 * 569))
    error = np.sqrt((1 / 15 + n_test / (569 - n_test)) * difference.var(ddof=1))
    assert test.estimate == pytest.approx(difference.mean(), rel=1e-12)
    assert test.statistic == pytest.approx(difference.mean() / error, rel=1e-12)
    assert (test.n_train, test.n_test, test.n_samples, test.df) == (569 - n_test, n_test, 569, 14)
    np.testing.assert_array_equal(result.scores["nearest"].values, b)
    assert result.scores.design.source.startswith("RepeatedSubsampleSplit")
    assert result.scores.provenance["scoring"] == "accuracy"


def test_the_correction_follows_the_splits_not_a_ratio():
    # Drawn from all 569 rows, training on half: n_test / n_train would be .2 instead of 1/9.
    cv = ShuffleSplit(15, train_size=0.5, test_size=0.1, random_state=0)
    (test,) = compare_estimators(PAIR, X, Y, cv=cv).tests
    assert test.correction == pytest.approx(1 / 15 + 57 / (569 - 57))
    fixed = RepeatedSubsampleSplit(15, train_size=0.5, test_size=0.1, pool="fixed", random_state=0)
    (test,) = compare_estimators(PAIR, X, Y, cv=fixed).tests
    assert (test.n_train, test.n_samples) == (284, 341)
    assert test.correction == pytest.approx(1 / 15 + 57 / 284)


def test_random_state_seeds_only_the_splits_drawn_here():
    first, again = compared().scores, compare_estimators(PAIR, X, Y).scores
    np.testing.assert_array_equal(first.values, again.values)
    other = compare_estimators(PAIR, X, Y, random_state=1).scores
    assert first.design.digests != other.design.digests
    cv = RepeatedSubsampleSplit(15, random_state=3)
    given = [compare_estimators(PAIR, X, Y, cv=cv, random_state=seed).scores for seed in (0, 3)]
    assert given[0].design.digests == given[1].design.digests


def test_a_random_state_that_would_do_nothing_is_refused():
    for seed in (3, np.random.RandomState(0)):
        with pytest.raises(ValueError, match=r"ShuffleSplit\(\.\.\., random_state="):
            compare_estimators(PAIR, X, Y, cv=ShuffleSplit(15), random_state=seed)
        with pytest.raises(ValueError, match=r"KFold\(\.\.\., shuffle=True, random_state="):
            cross_val_inference(GaussianNB(), X, Y, cv=10, random_state=seed)
    # These draw auxiliary splits here, or say nothing.
    options = {"cv": ShuffleSplit(2, random_state=0), "method": "conservative_z"}
    compare_estimators(PAIR, X, Y, **options, random_state=3)
    cross_val_inference(GaussianNB(), X, Y, cv=ShuffleSplit(10, random_state=0), random_state=None)


def test_prefix_of_more_splits_is_fewer_splits():
    few, many = (
        compare_estimators(PAIR, X, Y, cv=RepeatedSubsampleSplit(n, random_state=0)).scores
        for n in (12, 20)
    )
    np.testing.assert_array_equal(few.values, many.values[:, :12])
    assert few.design.digests == many.design.digests[:12]


def test_several_metrics_and_their_views():
    result = compare_estimators(PAIR, X, Y, scoring=["accuracy", "roc_auc"])
    assert result.metrics == ("accuracy", "roc_auc")
    one = result["roc_auc"]
    assert type(one) is type(result)
    assert one.metrics == ("roc_auc",)
    assert [test.metric for test in result.tests] == ["accuracy", "roc_auc"]
    expected = compare_estimators(PAIR, X, Y, scoring="roc_auc")
    np.testing.assert_array_equal(one.scores.values, expected.scores.values)
    assert one.tests[0].pvalue == expected.tests[0].pvalue
    assert len(result) == len(list(result)) == 2
    assert not hasattr(result, "scores")
    with pytest.raises(AttributeError, match=r"result\['accuracy'\]\.scores"):
        _ = result.scores
    with pytest.raises(KeyError, match="not among the metrics"):
        result["f1"]


def test_pandas_strings_and_pipelines():
    frame, target = load_iris(return_X_y=True, as_frame=True)
    words = target.map({0: "setosa", 1: "versicolor", 2: "virginica"})
    shuffled = frame.sample(frac=1, random_state=0)
    words = words.loc[shuffled.index]
    models = [
        ("bayes", make_pipeline(StandardScaler(), GaussianNB())),
        ("majority", DummyClassifier()),
    ]
    result = compare_estimators(models, shuffled, words, scoring="f1_macro")
    assert result.tests[0].pvalue < 1e-6
    assert "bayes scores significantly higher than majority" in str(result)


def test_frames_in_different_orders_are_refused():
    frame, target = load_iris(return_X_y=True, as_frame=True)
    with pytest.raises(ValueError, match=r"pass y\.to_numpy\(\); if not, y\.loc\[X\.index\]"):
        compare_estimators(PAIR, frame, target.sample(frac=1, random_state=0))
    groups = pd.Series(np.arange(150) // 5, index=target.index[::-1])
    with pytest.raises(ValueError, match=r"if not, groups\.loc\[X\.index\]"):
        compare_estimators(PAIR, frame, target, groups=groups)
    # Another index altogether is no sign of another order.
    compare_estimators(PAIR, frame, target.set_axis(range(1000, 1150)))


def test_groups_are_drawn_whole_and_sizes_count_them():
    groups = np.arange(569) // 10
    (test,) = compare_estimators(PAIR, X, Y, groups=groups).tests
    assert (test.unit, test.n_samples, test.n_test, test.n_train) == ("groups", 57, 6, 51)
    assert test.correction == pytest.approx(1 / 15 + 6 / 51)
    with pytest.warns(SplitDesignWarning, match="single 12-fold"):
        (folds,) = compare_estimators(PAIR, X, Y, groups=groups, cv=GroupKFold(12)).tests
    assert (folds.unit, folds.n_samples) == ("groups", 57)


@pytest.mark.parametrize(
    "options", [{}, {"alternative": "greater"}, {"method": "corrected_resampled_t"}]
)
def test_methods_by_name_and_by_instance(options):
    by_name = (compare_estimators(PAIR, X, Y, **options) if options else compared()).tests[0]
    test = CorrectedResampledTTest(alternative=options.get("alternative", "two-sided"))
    by_instance = compare_estimators(PAIR, X, Y, method=test).tests[0]
    assert tuple(by_name) == tuple(by_instance)


def test_single_kfold_is_stratified_for_classifiers_and_said_to_be_weak():
    with pytest.warns(SplitDesignWarning) as caught:
        result = compare_estimators(PAIR, X, Y, cv=5)
    assert "A single 5-fold" in messages(caught)
    assert "Only 5 splits" in messages(caught)
    expected = [
        cross_validate(one, X, Y, cv=StratifiedKFold(5))["test_score"] for one in PAIR.values()
    ]
    np.testing.assert_array_equal(result.scores.values, expected)
    assert "single 5-fold" in result.to_frame()["note"][0]


def test_unshuffled_kfold_on_a_sorted_target():
    order = np.argsort(NUMBERS_Y)
    models = {"ols": LinearRegression(), "mean": DummyRegressor()}
    with pytest.warns(SplitDesignWarning) as caught:
        compare_estimators(models, NUMBERS_X[order], NUMBERS_Y[order], cv=10)
    assert "Folds of consecutive rows on a sorted target" in messages(caught)
    with pytest.warns(SplitDesignWarning) as caught:
        compare_estimators(models, NUMBERS_X, NUMBERS_Y, cv=10)
    assert "sorted" not in messages(caught)
    cv = KFold(10, shuffle=True, random_state=0)
    with pytest.warns(SplitDesignWarning) as caught:
        compare_estimators(models, NUMBERS_X[order], NUMBERS_Y[order], cv=cv)
    assert "sorted" not in messages(caught)


def test_unshuffled_kfold_on_classes_one_after_the_other():
    rows = np.concatenate([np.flatnonzero(Y == 1), np.flatnonzero(Y == 0)])
    words = np.array(["no", "yes"])[Y[rows]]
    with pytest.warns(SplitDesignWarning) as caught:
        compare_estimators(PAIR, X[rows], words, cv=KFold(10))
    assert "on a sorted target" in messages(caught)


def test_time_series_split():
    with (
        pytest.warns(AnticonservativeWarning, match="in time order"),
        pytest.warns(SplitDesignWarning, match="Very unequal training sizes"),
    ):
        result = compare_estimators(PAIR, X, Y, cv=TimeSeriesSplit(12))
    assert "not exchangeable" in result.to_frame()["note"][0]
    for text in (str(result), result._repr_html_()):
        assert text.count("No procedure here is valid for splits in time order.") == 1
        assert "no procedure here is valid for them" not in text  # the warning says it
    for text in (str(result), str(result.tests[0])):
        assert text.startswith("No procedure here is valid for splits in time order.")


def test_repeated_splits_add_nothing():
    cv = [(np.arange(400), np.arange(400, 569))] * 10 + [(np.arange(169, 569), np.arange(169))] * 2
    with pytest.raises(SplitDesignError, match="same split is repeated: 2 distinct of 12"):
        compare_estimators(PAIR, X, Y, cv=cv)


class TestCrossValInference:
    def test_against_the_function_on_the_scores(self):
        result = cross_val_inference(GaussianNB(), X, Y, null_value=0.9, alternative="greater")
        cv = RepeatedSubsampleSplit(15, random_state=0)
        x = cross_validate(GaussianNB(), X, Y, cv=cv)["test_score"]
        expected = corrected_resampled_ttest(
            x, n_train=512, n_test=57, null_value=0.9, alternative="greater"
        )
        assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
        assert (result.label, result.metric, result.n_train) == ("GaussianNB", "accuracy", 512)
        low, high = result.confidence_interval()
        assert low < result.estimate < high == np.inf

    def test_sentence_says_training_size_and_verdict(self):
        text = str(cross_val_inference(LinearRegression(), NUMBERS_X, NUMBERS_Y))
        cv = RepeatedSubsampleSplit(15, random_state=0)
        scores = cross_validate(LinearRegression(), NUMBERS_X, NUMBERS_Y, cv=cv)["test_score"]
        mean = f"{scores.mean():.3g}"
        assert text.startswith(f"The expected r2 of LinearRegression is estimated as {mean} (")
        assert "for models trained on 397 rows, by the corrected resampled t-test over" in text
        assert "95 % confidence interval" in text
        assert "against 0" not in text  # nobody asked
        text = str(cross_val_inference(LinearRegression(), NUMBERS_X, NUMBERS_Y, null_value=0.1))
        assert "p < 0.0001 (two-sided, against 0.1)" in text
        asked = str(cross_val_inference(LinearRegression(), NUMBERS_X, NUMBERS_Y, null_value=0))
        assert "p < 0.0001 (two-sided, against 0)" in asked

    def test_weak_designs_warn_and_are_noted(self):
        with pytest.warns(SplitDesignWarning, match="Only 3 splits"):
            result = cross_val_inference(GaussianNB(), X, Y, cv=ShuffleSplit(3, random_state=0))
        assert "only 3 splits" in " ".join(map(str, result.notes))
        assert "few splits" in str(result)

    def test_groups(self):
        result = cross_val_inference(GaussianNB(), X, Y, groups=np.arange(569) // 10)
        assert (result.unit, result.n_samples) == ("groups", 57)
        assert "51 groups" in str(result)


def test_cross_val_score_answers_an_interval():
    cv = RepeatedSubsampleSplit(15, random_state=0)
    scores = cross_val_score(GaussianNB(), X, Y, cv=cv)
    assert isinstance(scores, CVScores)
    expected = cross_val_inference(GaussianNB(), X, Y).confidence_interval(0.9)
    assert scores.confidence_interval(0.9) == expected


def test_saved_scores_compare_as_fresh_ones(tmp_path):
    cv = RepeatedSubsampleSplit(15, random_state=0)
    for name, one in PAIR.items():
        cross_val_score(one, X, Y, cv=cv).save(tmp_path / f"{name}.json")
    a, b = (CVScores.load(tmp_path / f"{name}.json") for name in PAIR)
    expected = compared().tests[0]
    result = CorrectedResampledTTest()(a, b)
    assert tuple(result) == tuple(expected)
    assert result.notes == ()


def test_groups_given_to_a_splitter_that_ignores_them():
    groups = np.arange(569) // 10
    with (
        pytest.warns(UserWarning, match="groups parameter is ignored"),
        pytest.warns(SplitDesignWarning, match="splits divide them"),
    ):
        result = compare_estimators(
            PAIR, X, Y, groups=groups, cv=ShuffleSplit(12, test_size=0.1, random_state=0)
        )
    assert "splits divide them" in result.to_frame()["note"][0]


def test_routed_groups_count_as_given_ones():
    groups = np.arange(569) // 10
    cv = GroupShuffleSplit(12, test_size=0.1, random_state=0)
    given = compare_estimators(PAIR, X, Y, groups=groups, cv=cv).tests[0]
    with config_context(enable_metadata_routing=True):
        routed = compare_estimators(PAIR, X, Y, params={"groups": groups}, cv=cv).tests[0]
    assert routed.unit == given.unit == "groups"
    assert tuple(routed) == tuple(given)


def test_splits_inside_a_subset_are_noted():
    rows = np.random.default_rng(0).permutation(569)[:300]
    cv = [
        (rows[train], rows[test])
        for train, test in ShuffleSplit(12, test_size=0.1, random_state=0).split(rows)
    ]
    with (
        pytest.warns(SplitDesignWarning, match="inside the same 300 of 569 rows"),
        pytest.warns(AnticonservativeWarning, match="share more than random ones"),
    ):
        result = compare_estimators(PAIR, X, Y, cv=cv)
    assert "inside the same 300 of 569 rows" in result.to_frame()["note"][0]


def test_chance_repeats_of_independent_draws_are_no_fault():
    # 30 rows, one tested: of 15 draws two coincide in nearly every design.
    cv = RepeatedSubsampleSplit(15, test_size=1, random_state=0)
    result = compare_estimators(PAIR, X[60:90], Y[60:90], cv=cv)
    assert len(set(result.scores.design.digests)) < 15
    assert result.to_frame()["note"][0] == ""


def test_interval_of_the_default_folds_warns_as_the_inference_does():
    scores = cross_val_score(GaussianNB(), X, Y)
    with pytest.warns(SplitDesignWarning) as caught:
        scores.confidence_interval()
    assert "A single 5-fold" in messages(caught)
    assert {one.filename for one in caught} == {__file__}


def test_every_split_there_is_is_no_sample_of_independent_draws():
    groups = np.arange(569) % 6
    with pytest.warns(SplitDesignWarning, match="These are all 15 splits there are"):
        result = compare_estimators(PAIR, X, Y, groups=groups, cv=LeavePGroupsOut(2))
    assert "14 degrees of freedom overstate" in result.to_frame()["note"][0]
