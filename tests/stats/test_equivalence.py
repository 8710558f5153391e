"""Two one-sided tests against statsmodels."""

import numpy as np
import pytest
from scipy import stats

from skcvstats.stats import EquivalenceResult, corrected_resampled_ttest, resampled_ttest, within
from tests.conftest import golden_cases


@pytest.mark.parametrize("case", golden_cases("statsmodels_tost_paired"), ids=lambda c: c["id"])
def test_against_statsmodels(case):
    inputs, outputs = case["inputs"], case["outputs"]
    x = np.subtract(inputs["y"], inputs["x"])
    sizes = {"n_train": inputs["n_train"], "n_test": inputs["n_test"]}
    with pytest.warns(match="overlapping splits"):  # the usual test is liberal
        usual = resampled_ttest(x, **sizes)
    tests = {"uncorrected": usual, "corrected": corrected_resampled_ttest(x, **sizes)}
    for name, test in tests.items():
        found, expected = test.equivalence((inputs["low"], inputs["upp"])), outputs[name]
        assert found.pvalue == pytest.approx(expected["pvalue"], rel=1e-9)
        assert found.not_worse.statistic == pytest.approx(expected["t_lower"], rel=1e-9)
        assert found.not_worse.pvalue == pytest.approx(expected["p_lower"], rel=1e-9)
        assert found.not_better.statistic == pytest.approx(expected["t_upper"], rel=1e-9)
        assert found.not_better.pvalue == pytest.approx(expected["p_upper"], rel=1e-9)
        assert found.not_better.df == expected["df"]
    low, high = found.confidence_interval(0.95)
    assert (low, high) == pytest.approx(outputs["corrected"]["interval_90"], rel=1e-9)


@pytest.mark.parametrize("bounds", [(-0.01, 0.02), (-0.03, 0.005)])
def test_p_of_differences_beyond_the_margin_is_two_sided(bounds):
    x = np.array([0.02, 0.05, 0.03, 0.0, 0.04])
    test = corrected_resampled_ttest(x, n_train=90, n_test=10)
    low, high = test.confidence_interval(0.9)
    equivalence = test.equivalence(bounds)
    assert f"90 % confidence interval {low:.3g} to {high:.3g}" in str(equivalence)
    assert (within((-0.02, 0.02)), within((-0.01, 2))) == ("within 0.02", "between -0.01 and 2")
    found = equivalence.pvalues
    error = np.sqrt((1 / 5 + 1 / 9) * x.var(ddof=1))
    above, below = (x.mean() - np.array(bounds[::-1])) / error
    assert found.better_by_more == pytest.approx(min(1, 2 * stats.t.sf(above, 4)), rel=1e-9)
    assert found.worse_by_more == pytest.approx(min(1, 2 * stats.t.cdf(below, 4)), rel=1e-9)


D = np.random.default_rng(0).normal(0.002, 0.01, 15)
SIZES = {"n_train": 90, "n_test": 10}


@pytest.mark.parametrize("margin", [0.001, 0.004, 0.0077, 0.01, 0.05])
def test_shown_exactly_where_the_interval_is_inside(margin):
    found = corrected_resampled_ttest(D, **SIZES).equivalence(margin)
    assert isinstance(found, EquivalenceResult)
    assert ("are equivalent in score within" in str(found)) == (found.pvalue <= 0.05)
    for level in (0.6, 0.9, 0.95, 0.99):
        low, high = found.confidence_interval(level)
        assert (found.pvalue <= 1 - level) == (-margin < low and high < margin)


@pytest.mark.filterwarnings("ignore:The scores do not vary")
def test_arrays():
    one = corrected_resampled_ttest(D, **SIZES).equivalence(0.02)
    several = corrected_resampled_ttest([D, D + 0.01, 0 * D], **SIZES).equivalence(0.02)
    assert several.pvalue[0] == pytest.approx(one.pvalue)
    assert np.isnan(several.pvalue[2])
    assert "shape (3,)" in str(several)
    with pytest.raises(ValueError, match="claim\\(\\) is of one test, and these are 3"):
        several.claim()
    for alpha in (0.7, 0.5, 0, "0.05"):
        with pytest.raises(ValueError, match="must be a number between 0 and 0"):
            one.claim(alpha)
