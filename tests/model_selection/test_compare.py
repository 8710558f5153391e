"""compare_estimators and cross_val_inference: what they draw, warn of and answer."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GroupShuffleSplit,
    LeavePGroupsOut,
    RepeatedKFold,
    ShuffleSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcvstats import (
    CorrectedResampledTTest,
    CVScores,
    RepeatedSubsampleSplit,
    SplitDesign,
    SplitDesignError,
    SplitDesignWarning,
    compare_estimators,
    cross_val_inference,
    cross_val_score,
    stats,
)
from tests.cheap import NearestMean

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :4]
PAIR = {"bayes": GaussianNB(), "nearest": NearestMean(4)}


def test_the_correction_follows_the_splits_not_a_ratio():
    # Drawn from all 569 rows, training on half: n_test / n_train would be .2 instead of 1/9.
    cv = ShuffleSplit(15, train_size=0.5, test_size=0.1, random_state=0)
    (test,) = compare_estimators(PAIR, X, Y, cv=cv).tests
    assert test.correction == pytest.approx(1 / 15 + 57 / (569 - 57))
    fixed = RepeatedSubsampleSplit(15, train_size=0.5, test_size=0.1, pool="fixed", random_state=0)
    (test,) = compare_estimators(PAIR, X, Y, cv=fixed).tests
    assert (test.n_train, test.n_samples) == (284, 341)
    assert test.correction == pytest.approx(1 / 15 + 57 / 284)


def test_a_list_of_estimators_gets_the_names_of_a_pipeline():
    models = [NearestMean(4), GaussianNB(), NearestMean(3)]
    assert compare_estimators(models, X, Y, cv=3).names == tuple(make_pipeline(*models).named_steps)


def test_random_state_seeds_only_the_splits_drawn_here():
    first, again = (compare_estimators(PAIR, X, Y).scores for _ in range(2))
    np.testing.assert_array_equal(first.values, again.values)
    other = compare_estimators(PAIR, X, Y, random_state=1).scores
    assert first.design.digests != other.design.digests
    cv = RepeatedSubsampleSplit(15, random_state=3)
    given = [compare_estimators(PAIR, X, Y, cv=cv, random_state=seed).scores for seed in (0, 3)]
    assert given[0].design.digests == given[1].design.digests


def test_a_random_state_beside_splits_seeds_auxiliary_ones_or_says_nothing():
    options = {"cv": ShuffleSplit(2, random_state=0), "method": "conservative_z"}
    three, four = (compare_estimators(PAIR, X, Y, **options, random_state=k) for k in (3, 4))
    assert three.scores.values.tobytes() == four.scores.values.tobytes()
    (one,), (other,) = (each.auxiliary_by_metric.values() for each in (three, four))
    assert one.design.digests != other.design.digests
    cross_val_inference(GaussianNB(), X, Y, cv=ShuffleSplit(10, random_state=0), random_state=None)


def test_sentence_of_one_estimator_says_training_size_and_verdict():
    given = LinearRegression(), *load_diabetes(return_X_y=True)
    text = str(cross_val_inference(*given))
    cv = RepeatedKFold(n_splits=5, n_repeats=4, random_state=0)
    mean = f"{cross_validate(*given, cv=cv)['test_score'].mean():.3g}"
    assert text.startswith(f"The expected r2 of LinearRegression is estimated as {mean} (")
    assert "for models trained on 354 rows on average, by the row t-test, 4 x 5-fold" in text
    assert "95 % confidence interval" in text
    assert "against 0" not in text  # nobody asked
    for null in (0, 0.1):
        text = str(cross_val_inference(*given, null_value=null))
        assert f"p < 0.0001 (two-sided, against {null})" in text


def test_routed_groups_count_as_given_ones():
    groups = np.arange(569) // 10
    cv = GroupShuffleSplit(12, test_size=0.1, random_state=0)
    given = compare_estimators(PAIR, X, Y, groups=groups, cv=cv).tests[0]
    with config_context(enable_metadata_routing=True):
        routed = compare_estimators(PAIR, X, Y, params={"groups": groups}, cv=cv).tests[0]
    assert routed.unit == given.unit == "groups"
    assert tuple(routed) == tuple(given)


def test_the_interval_of_the_default_folds_is_not_called_weak():
    scores = cross_val_score(GaussianNB(), X, Y)
    low, high = scores.confidence_interval()  # a warning would be an error
    assert low < scores.mean() < high


def test_every_split_there_is_is_no_sample_of_independent_draws():
    groups = np.arange(569) % 6
    with pytest.warns(SplitDesignWarning, match="These are all 15 splits there are"):
        result = compare_estimators(PAIR, X, Y, groups=groups, cv=LeavePGroupsOut(2))
    assert "14 degrees of freedom overstate" in result.to_frame()["note"][0]


def test_a_level_that_is_asked_for():
    result = compare_estimators(PAIR, X, Y, confidence_level=0.9)
    assert result.confidence_level == 0.9
    later = compare_estimators(PAIR, X, Y).with_confidence(0.9)
    assert str(result) == str(later)
    assert result.to_frame().equals(later.to_frame())
    one = cross_val_inference(PAIR["bayes"], X, Y, confidence_level=0.8)
    default = cross_val_inference(PAIR["bayes"], X, Y)
    interval = default.confidence_interval(0.8)
    assert one.confidence_interval() == interval
    assert one.to_frame()[["low", "high"]].to_numpy().tolist() == [list(interval)]
    assert all("80 % confidence interval" in text for text in (str(one), one._repr_html_()))


@pytest.mark.parametrize("cv", [10, None])
@pytest.mark.parametrize("target", [Y, np.array(["no", "yes"])[Y], Y * 1.0, X[:, 0], None])
def test_a_number_of_folds_makes_the_splits_of_cross_validate(cv, target):
    is_score = target is None or len(np.unique(target)) > 2
    model = LinearRegression() if is_score else PAIR["bayes"]
    given = X[:, 0] if target is None else target
    results = cross_validate(model, X, given, cv=cv, return_indices=True)
    design = SplitDesign.from_splitter(cv, X, target)
    assert design.digests == CVScores.from_cv_results(results).design.digests


class Demanding(CorrectedResampledTTest):
    """Contradicts itself: it does not accept the splits that it asks for."""

    def require(self, design):
        design.require(who="The demanding test", min_splits=20)


def test_a_procedure_that_refuses_its_own_splits():
    """The advice to leave cv=None, or to score on more splits, would not help."""
    with pytest.raises(SplitDesignError, match=r"20 splits; there are 15\. But") as own:
        compare_estimators(PAIR, X, Y, method=Demanding())
    assert "Demanding itself asks for without cv=: correct its `request`" in str(own.value)
    assert "cv=RepeatedSubsampleSplit" not in str(own.value)
    with pytest.raises(SplitDesignError, match="for example with cv=RepeatedSubsampleSplit"):
        compare_estimators(PAIR, X, Y, method=Demanding(), cv=5)


ON_ARRAYS = [name for name in stats.__all__ if name.endswith(("_ttest", "_ztest"))]


@pytest.mark.parametrize("name", ON_ARRAYS)
def test_functions_on_arrays_point_two_arrays_to_their_difference(name):
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    further = (b,) if name == "conservative_ztest" else ()
    with pytest.raises(TypeError, match=rf"{name}\(a - b, "):
        getattr(stats, name)(a, b, *further, n_train=9, n_test=1)
    with pytest.raises(ValueError, match="a - b and half_a - half_b"):
        stats.conservative_ztest(a, b, n_train=9, n_test=1)
