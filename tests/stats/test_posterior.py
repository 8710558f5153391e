"""The posterior view: against baycomp, nestkit and scmamp, and who has it."""

import numpy as np
import pytest
from scipy import stats

from skcvstats import DegenerateScoresWarning
from skcvstats.stats import PosteriorProbabilities, corrected_resampled_ttest, holdout_ttest
from tests.conftest import golden_cases
from tests.stats.recipes import RECIPES

TOLERANCE = 1e-9
X = np.array([0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03])
SIZES = {"n_train": 180, "n_test": 20}


BAYCOMP = [  # which says 0 or 1 where differences are constant
    case
    for case in golden_cases("baycomp_rope_probabilities")
    if not case["id"].startswith("constant")
]


def baycomp_result(inputs):
    n_folds = inputs["n_splits"] // inputs["runs"]
    x = np.subtract(inputs["y"], inputs["x"])
    return corrected_resampled_ttest(x, n_train=n_folds - 1, n_test=1)


@pytest.mark.parametrize("case", BAYCOMP, ids=lambda case: case["id"])
def test_against_baycomp(case):
    inputs, outputs = case["inputs"], case["outputs"]
    result = baycomp_result(inputs)
    posterior = result.posterior()
    assert posterior.mean() == pytest.approx(outputs["posterior_mean"], abs=1e-14) or result.df == 1
    assert result.standard_error**2 == pytest.approx(outputs["posterior_variance"], rel=TOLERANCE)
    assert result.df == outputs["posterior_df"]
    worse, equivalent, better = result.probabilities(inputs["rope"])
    assert worse == pytest.approx(outputs["p_left"], abs=TOLERANCE)
    assert equivalent == pytest.approx(outputs.get("p_rope", 0), abs=TOLERANCE)
    assert better == pytest.approx(outputs["p_right"], abs=TOLERANCE)


@pytest.mark.parametrize("case", golden_cases("nestkit_corrected_t_rope"), ids=lambda c: c["id"])
def test_against_nestkit(case):
    inputs, expected = case["inputs"], case["outputs"]["bayes"]
    x = np.subtract(inputs["scores_a"], inputs["scores_b"])
    result = corrected_resampled_ttest(x, n_train=inputs["n_train"], n_test=inputs["n_test"])
    worse, equivalent, better = result.probabilities(inputs["rope"])
    assert worse == pytest.approx(expected["p_b_better"], abs=TOLERANCE)
    assert equivalent == pytest.approx(expected["p_equivalent"], abs=TOLERANCE)
    assert better == pytest.approx(expected["p_a_better"], abs=TOLERANCE)
    hdi = expected["hdi_lower"], expected["hdi_upper"]
    assert result.posterior().interval(0.95) == pytest.approx(hdi, abs=TOLERANCE)


def test_holdout_against_the_law_of_a_mean():
    # With a flat prior the mean of independent normals is Student's about the sample mean.
    result = holdout_ttest(X, n_train=90, hypotheses="fixed", law="t")
    law = stats.t(9, X.mean(), X.std(ddof=1) / np.sqrt(10))
    expected = law.cdf(-0.02), law.cdf(0.03) - law.cdf(-0.02), law.sf(0.03)
    np.testing.assert_allclose(result.probabilities((-0.02, 0.03)), expected, atol=TOLERANCE)


class TestLaws:
    def test_they_are_the_one_sided_p_values(self):
        worse, equivalent, better = corrected_resampled_ttest(X, **SIZES).probabilities((-0.01, 0))
        low = corrected_resampled_ttest(X, **SIZES, null_value=-0.01, alternative="greater").pvalue
        high = corrected_resampled_ttest(X, **SIZES, alternative="less").pvalue
        assert (worse, better) == pytest.approx((low, high), rel=1e-12)
        assert equivalent == pytest.approx(1 - low - high, rel=1e-12)

    def test_exchanging_the_estimators_mirrors_them(self):
        expected = corrected_resampled_ttest(X, **SIZES).probabilities((-0.01, 0.03))
        other = corrected_resampled_ttest(X, **SIZES, null_value=0.02, alternative="less")
        assert other.probabilities((-0.01, 0.03)) == expected  # these play no part
        mirrored = corrected_resampled_ttest(-X, **SIZES).probabilities((-0.03, 0.01))
        assert mirrored == pytest.approx(expected[::-1], rel=1e-13)
        worse, equivalent, better = corrected_resampled_ttest(X, **SIZES).probabilities(0)
        assert (worse + better, equivalent) == (pytest.approx(1, abs=1e-15), 0)

    def test_small_probabilities_keep_their_digits(self):
        near = corrected_resampled_ttest(X + 1, **SIZES).probabilities(1e-9)
        density = stats.t.pdf(0, 9, X.mean() + 1, X.std(ddof=1) * np.sqrt(1 / 10 + 1 / 9))
        assert near.equivalent == pytest.approx(2e-9 * density, rel=1e-6)

    def test_arrays(self):
        rows = np.stack([X, -X, 2 * X])
        result = corrected_resampled_ttest(rows, **SIZES)
        found = result.probabilities(0.01)
        assert isinstance(found, PosteriorProbabilities)
        for row, x in enumerate(rows):
            single = corrected_resampled_ttest(x, **SIZES).probabilities(0.01)
            assert {type(probability) for probability in single} == {float}
            assert [part[row] for part in found] == pytest.approx(single, rel=1e-14)
            assert found.worse[row] == pytest.approx(result.posterior().cdf(-0.01)[row], rel=1e-12)


def test_who_has_one():
    having = {name for name, recipe in RECIPES.items() if recipe.test().has_posterior}
    assert having == {"corrected_resampled_t", "holdout_t, t, fixed"}


def test_undetermined_rows_are_named():
    with pytest.warns(DegenerateScoresWarning):
        result = corrected_resampled_ttest(np.stack([X, np.full(10, 0.1), np.zeros(10)]), **SIZES)
    with pytest.raises(ValueError, match=r"undetermined: .*over the splits \(rows 1, 2\)"):
        result.probabilities(0.01)
    with pytest.raises(ValueError, match="undetermined"):
        result.posterior()
    assert result.take(0).probabilities(0.01).better > 0.9
