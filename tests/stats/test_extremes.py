"""Scores whose squares overflow or underflow, and levels that are nearly 1."""

import warnings

import numpy as np
import pytest
from scipy import stats

from skcvstats import CVScores, SplitDesign
from skcvstats._utils._checks import alpha_of
from skcvstats.stats import (
    bootstrap_ttest,
    conservative_ztest,
    corrected_bootstrap_ttest,
    corrected_resampled_ttest,
    five_by_two_cv_ftest,
    five_by_two_cv_ttest,
    holdout_ttest,
    resampled_ttest,
)
from skcvstats.theory import conservative_variance, correlation_sensitivity, exchangeable_moments

RNG = np.random.default_rng(0)
X = RNG.normal(0.5, 1, size=(3, 10))
HALVES = RNG.normal(0, 1, size=(3, 4, 2, 10))
REPLICATES = RNG.normal(0, 1, size=(3, 6, 5))
SIZES = {"n_train": 90, "n_test": 10}
HALF = {"n_train": 50, "n_test": 50}

# Each takes what its scores are multiplied by.
PROCEDURES = {
    "corrected": lambda by: corrected_resampled_ttest(by * X, **SIZES),
    "resampled": lambda by: resampled_ttest(by * X, **SIZES),
    "bootstrap": lambda by: bootstrap_ttest(by * REPLICATES, **SIZES),
    "corrected bootstrap": lambda by: corrected_bootstrap_ttest(by * REPLICATES, **SIZES),
    "holdout": lambda by: holdout_ttest(by * X, n_train=90),
    "conservative": lambda by: conservative_ztest(by * X, by * HALVES, **SIZES),
    "dietterich": lambda by: five_by_two_cv_ttest(by * X, **HALF),
    "t4": lambda by: five_by_two_cv_ttest(by * X, **HALF, variant="t4"),
    "t5": lambda by: five_by_two_cv_ttest(by * X, **HALF, variant="t5"),
    "F": lambda by: five_by_two_cv_ftest(by * X),
}
pytestmark = pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")


@pytest.mark.parametrize("run", PROCEDURES.values(), ids=PROCEDURES)
@pytest.mark.parametrize("exponent", [1000, 600, 400, -400, -600, -1000])
def test_the_unit_of_the_scores_does_not_matter(run, exponent):
    usual, extreme = run(1.0), run(2.0**exponent)
    np.testing.assert_array_equal(extreme.statistic, usual.statistic)
    np.testing.assert_array_equal(extreme.pvalue, usual.pvalue)
    np.testing.assert_array_equal(extreme.estimate, np.ldexp(usual.estimate, exponent))
    np.testing.assert_array_equal(extreme.standard_error, np.ldexp(usual.standard_error, exponent))


@pytest.mark.parametrize("run", PROCEDURES.values(), ids=PROCEDURES)
def test_only_the_extreme_rows_are_brought_near_1(run):
    by = np.array([1.0, 2.0**600, 2.0**-600])
    usual = run(1.0)
    shape = (3,) + (1,) * (2 if usual.method in ("bootstrap_t", "corrected_bootstrap_t") else 1)
    if usual.method == "conservative_z":
        mixed = conservative_ztest(by[:, None] * X, by[:, None, None, None] * HALVES, **SIZES)
    else:
        mixed = run(by.reshape(shape))
    np.testing.assert_array_equal(mixed.statistic, usual.statistic)


def test_constant_scores_stay_undetermined():
    with pytest.warns(match="do not vary"):
        result = corrected_resampled_ttest(np.full((3, 4), [[1e200], [1e-200], [0.0]]), **SIZES)
    assert result.undetermined.all()
    assert result.pvalue.tolist() == [0, 0, 1]


def test_a_null_value_of_that_size():
    x = np.array([1.0, 2.0, 3.0])
    usual = corrected_resampled_ttest(x, **SIZES, null_value=1.0)
    large = corrected_resampled_ttest(x * 1e200, **SIZES, null_value=1e200)
    assert large.statistic == pytest.approx(usual.statistic, rel=1e-12)


def test_conservative_variance():
    d = np.array([[1.0, -3.0, 2.0], [1e-160, -3e-160, 2e-160], [1e153, -3e153, 2e153]])
    expected = [14 / 6, 14 / 6 * 1e-320, 14 / 6 * 1e306]
    np.testing.assert_allclose(conservative_variance(d), expected, rtol=1e-3)
    np.testing.assert_allclose(conservative_variance(d)[[0, 2]], np.array(expected)[[0, 2]])


def test_variances_that_no_float_holds_are_refused():
    design = SplitDesign.from_sizes(**SIZES, n_splits=10)
    for by in (1e200, 1e-200):
        with pytest.raises(ValueError, match="Multiply them by a constant"):
            correlation_sensitivity(CVScores(values=X[0] * by, design=design))
        with pytest.raises(ValueError, match="Multiply them by a constant"):
            exchangeable_moments(X * by)


@pytest.mark.parametrize("level", [1 - 1e-9, 1 - 5e-13, 1 - 1e-13, 1 - 2**-53])
def test_levels_that_are_nearly_1(level):
    result = corrected_resampled_ttest(X[0], **SIZES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = result.confidence_interval(level)
    quantile = stats.t.isf((1 - level) / 2, 9)
    half_width = quantile * result.standard_error
    assert high - low == pytest.approx(2 * half_width, rel=1e-9)
    assert 0 < alpha_of(level) == pytest.approx(1 - level, rel=1e-3)
    assert result.claim(alpha_of(level)).kind == "not shown"


def test_levels_of_tests_are_as_they_are_written():
    assert [alpha_of(level) for level in (0.9, 0.95, 0.99, 0.999, 0.99999)] == [
        0.1, 0.05, 0.01, 0.001, 0.00001
    ]  # fmt: skip
    assert alpha_of(np.float64(0.7)) == 0.3
