"""correlation_sensitivity against the tests that it generalises, and its own inverse."""

import numpy as np
import pytest

from skcvstats import CVScores, SplitDesign
from skcvstats.stats import corrected_resampled_ttest, resampled_ttest
from skcvstats.theory import correlation_sensitivity

DESIGN = SplitDesign.from_sizes(n_train=90, n_test=30, n_splits=12, n_samples=150)
X = np.random.default_rng(1).normal(0.03, 0.03, 12)
SCORES = CVScores(values=X, design=DESIGN, metric="accuracy")
SIZES = {"n_train": 90, "n_test": 30, "n_samples": 150}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_against_the_two_tests(alternative):
    result = correlation_sensitivity(SCORES, [0], null_value=0.01, alternative=alternative)
    assert result.correlation.tolist() == [0, 0.2]
    options = {"null_value": 0.01, "alternative": alternative}
    with pytest.warns(match="overlapping splits"):
        naive = resampled_ttest(X, **SIZES, **options)
    for k, test in enumerate((naive, corrected_resampled_ttest(X, **SIZES, **options))):
        low, high = test.confidence_interval()
        assert (result.low[k], result.high[k]) == pytest.approx((low, high), rel=1e-12)
        assert result.pvalue[k] == pytest.approx(test.pvalue, rel=1e-9)
        assert result.standard_error[k] == pytest.approx(test.standard_error, rel=1e-12)


@pytest.mark.parametrize(("alternative", "mean"), [("two-sided", 0), ("less", -1), ("greater", 1)])
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_at_the_tipping_correlation_p_is_the_level(alternative, mean, level):
    shift = 0 if mean >= 0 else -0.1
    scores = CVScores(values=X + shift, design=DESIGN)
    options = {"alternative": alternative, "confidence_level": level}
    tipping = correlation_sensitivity(scores, **options).tipping
    assert 0 < tipping < 1
    at = correlation_sensitivity(scores, [tipping], **options)
    k = at.correlation.tolist().index(tipping)
    assert at.pvalue[k] == pytest.approx(1 - level, rel=1e-9)
    ends = [end for end in (at.low[k], at.high[k]) if np.isfinite(end)]
    assert min(map(abs, ends)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("alternative", ["less", "greater", "two-sided"])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.95])
@pytest.mark.parametrize("shift", [-0.05, -0.01, 0.02, 0.3])
def test_verdict_and_tipping_agree_with_the_table(alternative, level, shift):
    scores = CVScores(values=X - X.mean() + shift, design=DESIGN)
    grid = np.linspace(0, 0.98, 99)
    options = {"alternative": alternative, "confidence_level": level}
    result = correlation_sensitivity(scores, grid, **options)
    left_out = (result.low > 0) | (result.high < 0)
    assert (left_out == (result.pvalue < 1 - level)).all()
    verdict = result.verdict()
    if np.isnan(result.tipping):
        assert left_out.all() or not left_out.any()
        assert ("excludes" if left_out.all() else "contains") in verdict
        assert "at every correlation" in verdict
        return
    below = result.correlation < result.tipping
    expected = below if alternative == "two-sided" or level > 0.5 else ~below
    np.testing.assert_array_equal(left_out, expected)
    assert ("up to a correlation" if expected is below else "from a correlation") in verdict


def test_widens_with_the_correlation_and_says_so():
    result = correlation_sensitivity(SCORES)
    assert (np.diff(result.high - result.low) > 0).all()
    assert (result.correlation[0], result.correlation[-1]) == pytest.approx((0, 0.6))
    result = correlation_sensitivity(SCORES, [0, 0.5])
    text = str(result)
    assert "cannot be estimated from one data set" in text
    assert f"up to a correlation of {result.tipping:.3g}" in text
    assert "the assumed 0.2" in text
    assert result.to_frame().shape == (3, 5)
    assert result._repr_html_().count("<tr>") == 4
