"""compare_estimators and cross_val_inference: what they draw, warn of and answer."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GroupShuffleSplit,
    LeavePGroupsOut,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

from skcvstats import (
    AnticonservativeWarning,
    CorrectedResampledTTest,
    CVScores,
    RepeatedSubsampleSplit,
    SplitDesignWarning,
    compare_estimators,
    cross_val_inference,
    cross_val_score,
)
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
    with pytest.raises(ValueError, match=r"KFold\(\.\.\., shuffle=True, random_state="):
        cross_val_inference(GaussianNB(), X, Y, cv=10, random_state=np.random.RandomState(0))
    # These draw auxiliary splits here, or say nothing.
    options = {"cv": ShuffleSplit(2, random_state=0), "method": "conservative_z"}
    compare_estimators(PAIR, X, Y, **options, random_state=3)
    cross_val_inference(GaussianNB(), X, Y, cv=ShuffleSplit(10, random_state=0), random_state=None)


def test_frames_in_different_orders_are_refused():
    frame, target = load_iris(return_X_y=True, as_frame=True)
    with pytest.raises(ValueError, match=r"pass y\.to_numpy\(\); if not, y\.loc\[X\.index\]"):
        compare_estimators(PAIR, frame, target.sample(frac=1, random_state=0))
    groups = pd.Series(np.arange(150) // 5, index=target.index[::-1])
    with pytest.raises(ValueError, match=r"if not, groups\.loc\[X\.index\]"):
        compare_estimators(PAIR, frame, target, groups=groups)
    # Another index altogether is no sign of another order.
    compare_estimators(PAIR, frame, target.set_axis(range(1000, 1150)))


def test_time_series_split():
    with (
        pytest.warns(AnticonservativeWarning, match="in time order"),
        pytest.warns(SplitDesignWarning, match="Very unequal training sizes"),
    ):
        result = compare_estimators(PAIR, X, Y, cv=TimeSeriesSplit(12))
    assert "not exchangeable" in result.to_frame()["note"][0]
    warned = "No procedure here is valid for splits in time order"
    for text in (str(result), result._repr_html_()):
        assert text.count(warned) == 1
        assert "no procedure here is valid for them" not in text  # the warning says it
    assert str(result).startswith(warned)


class TestCrossValInference:
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

    def test_groups(self):
        options = {"groups": np.arange(569) // 10}
        by_rows = cross_val_inference(GaussianNB(), X, Y, **options)
        by_splits = cross_val_inference(
            GaussianNB(), X, Y, method="corrected_resampled_t", **options
        )
        for result in (by_rows, by_splits):
            assert (result.unit, result.n_samples) == ("groups", 57)
        assert "51 groups" in str(by_splits)  # without a tenth
        assert by_rows.method == "row_t"
        assert by_rows.n_train == pytest.approx(57 * 4 / 5)


def test_saved_scores_compare_as_fresh_ones(tmp_path):
    cv = RepeatedSubsampleSplit(15, random_state=0)
    for name, one in PAIR.items():
        cross_val_score(one, X, Y, cv=cv).save(tmp_path / f"{name}.json")
    a, b = (CVScores.load(tmp_path / f"{name}.json") for name in PAIR)
    by_splits = {"method": "corrected_resampled_t"}
    expected = compare_estimators(PAIR, X, Y, **by_splits).tests[0]
    alone = cross_val_inference(PAIR["bayes"], X, Y, **by_splits)
    assert a.confidence_interval(0.9) == alone.confidence_interval(0.9)
    result = CorrectedResampledTTest()(a, b)
    assert tuple(result) == tuple(expected)
    assert result.notes == ()


def test_routed_groups_count_as_given_ones():
    groups = np.arange(569) // 10
    cv = GroupShuffleSplit(12, test_size=0.1, random_state=0)
    given = compare_estimators(PAIR, X, Y, groups=groups, cv=cv).tests[0]
    with config_context(enable_metadata_routing=True):
        routed = compare_estimators(PAIR, X, Y, params={"groups": groups}, cv=cv).tests[0]
    assert routed.unit == given.unit == "groups"
    assert tuple(routed) == tuple(given)


def test_chance_repeats_of_independent_draws_are_no_fault():
    # 30 rows, one tested: of 15 draws two coincide in nearly every design.
    cv = RepeatedSubsampleSplit(15, test_size=1, random_state=0)
    with pytest.warns(SplitDesignWarning, match="tests on a single row"):
        result = compare_estimators(PAIR, X[60:90], Y[60:90], cv=cv)
    assert len(set(result.scores.design.digests)) < 15
    assert result.to_frame()["note"][0].startswith("each split tests on a single row")


def test_interval_of_the_default_folds_warns_as_the_inference_does():
    scores = cross_val_score(GaussianNB(), X, Y)
    with pytest.warns(SplitDesignWarning) as caught:
        scores.confidence_interval()
    assert "weak (stratified, single k-fold, few splits)" in messages(caught)
    assert {one.filename for one in caught} == {__file__}


def test_every_split_there_is_is_no_sample_of_independent_draws():
    groups = np.arange(569) % 6
    with pytest.warns(SplitDesignWarning, match="These are all 15 splits there are"):
        result = compare_estimators(PAIR, X, Y, groups=groups, cv=LeavePGroupsOut(2))
    assert "14 degrees of freedom overstate" in result.to_frame()["note"][0]
