"""The benchmark behind "Coming from Polaris": its Tukey test, its models, its results."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.model_selection import RepeatedKFold, ShuffleSplit

from benchmarks.tukey_over_folds import __main__ as study
from benchmarks.tukey_over_folds.models import LEARNERS, N_MODELS, draw, models
from benchmarks.tukey_over_folds.tukey import repeated_measures_tukey
from skcvstats import CVScores, ResampledTTest, SplitDesign, compare_scores

GOLDEN = Path(__file__).parents[3] / "tests" / "golden" / "polaris_rm_tukey.json"


@pytest.mark.parametrize("case", json.loads(GOLDEN.read_text())["cases"], ids=lambda c: c["id"])
def test_against_polaris(case):
    expected = case["outputs"]
    found = repeated_measures_tukey(case["inputs"]["scores"])
    first, second = np.transpose(expected["pairs"])
    assert found.df == expected["df_residual"]
    assert found.half_width() == pytest.approx(expected["half_width"], rel=1e-9)
    assert found.pvalues[first, second] == pytest.approx(expected["pvalue_adjusted"], rel=1e-6)
    differences = found.differences[first, second]
    assert differences == pytest.approx(expected["difference"], abs=1e-12)
    assert found.claims() == (min(expected["pvalue_adjusted"]) < 0.05)


def test_two_models_are_the_usual_paired_t_test():
    scores = np.random.default_rng(0).normal(size=(25, 2))
    found = repeated_measures_tukey(scores)
    assert found.pvalues[0, 1] == pytest.approx(stats.ttest_rel(*scores.T).pvalue, rel=1e-9)
    np.testing.assert_array_equal(found.pvalues, found.pvalues.T)
    assert np.diag(found.pvalues).tolist() == [1, 1]
    design = SplitDesign.from_sizes(160, 40, n_splits=25)
    difference = CVScores(values=scores[:, 0] - scores[:, 1], design=design)
    test = ResampledTTest().run(difference)
    assert found.pvalues[0, 1] == pytest.approx(test.pvalue, rel=1e-9)


def test_many_data_sets_at_once_as_one_by_one():
    scores = np.random.default_rng(0).normal(size=(2, 25, 3))
    found = repeated_measures_tukey(scores)
    for k, one in enumerate(scores):
        alone = repeated_measures_tukey(one)
        assert found.pvalues[k] == pytest.approx(alone.pvalues)
        assert found.claims()[k] == alone.claims() == (alone.pvalues.min() < 0.05)


def test_its_level_is_right_where_folds_are_independent_and_not_where_they_share_rows():
    random_state = np.random.default_rng(0)
    independent = random_state.normal(size=(4000, 25, 3))
    assert 0.04 < repeated_measures_tukey(independent).claims().mean() < 0.06
    losses = random_state.normal(size=(1000, 100, 3))
    cv = RepeatedKFold(n_splits=5, n_repeats=5, random_state=0)
    folds = np.stack([losses[:, test].mean(axis=1) for _, test in cv.split(losses[0])], axis=1)
    assert 0.53 < repeated_measures_tukey(folds).claims().mean() < 0.63


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_model_is_better_than_another(learner):
    # Exchanging two models' columns exchanges their scores and leaves the target's law as it is.
    X, y = draw(np.random.RandomState(0))
    (train, test), *_ = ShuffleSplit(1, random_state=0).split(X)
    first, last = models(learner)["model 0"], models(learner)[f"model {N_MODELS - 1}"]
    exchanged = X.copy()
    exchanged[:, first.seen], exchanged[:, last.seen] = X[:, last.seen], X[:, first.seen]
    predicted = first.fit(X[train], y[train]).predict(X[test])
    again = last.fit(exchanged[train], y[train]).predict(exchanged[test])
    np.testing.assert_array_equal(predicted, again)


def test_false_claims_are_those_of_tukey_and_of_us():
    scores = study.compared("linear regression", 0)
    assert scores.values.shape == (N_MODELS, 25)
    tukey, ours = study.false_claims(scores, 3)
    assert tukey == repeated_measures_tukey(scores.values[:3].T).claims()
    result = compare_scores(scores.values[:3], design=scores.design)
    assert ours == any(pair.pvalue_adjusted <= 0.05 for pair in result)


def test_the_results_are_of_what_the_page_says():
    table = pd.read_csv(study.RESULTS)
    assert set(table["learner"]) == set(LEARNERS)
    assert set(table["models"]) == set(study.NUMBERS_OF_MODELS)
    assert set(table["method"]) == set(study.METHODS)
    assert table["low"].le(table["rate"]).all()
    assert table["rate"].le(table["high"]).all()
