"""The corrected resampled t-test: against other systems, against theory, and its laws."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mpmath import mp, mpf
from sklearn.base import clone

from skcvstats import (
    CorrectedResampledTTest,
    CVScores,
    DegenerateScoresWarning,
    SplitDesign,
    SplitDesignError,
    corrected_resampled_ttest,
)
from tests.conftest import golden_cases

RTOL = 1e-12


def tail(greater, first):
    return "two-sided" if greater is None else "greater" if greater == first else "less"


@pytest.mark.parametrize("case", golden_cases("correctR_resampled_ttest"), ids=lambda c: c["id"])
def test_against_correctr(case):
    inputs, outputs = case["inputs"], case["outputs"]
    kind = case["id"].split("/")[0]
    x, y = np.array(inputs["x"]), np.array(inputs["y"])
    scores = [
        CVScores(
            values=values,
            design=SplitDesign.from_sizes(inputs["n1"], inputs["n2"], n_splits=len(values)),
        )
        for values in (x, y)
    ]
    test = CorrectedResampledTTest(alternative=tail(inputs["greater"], "x"))
    if kind in ("identical", "constant_nonzero_diff"):
        with pytest.warns(DegenerateScoresWarning, match="do not vary"):
            statistic, pvalue = test(*scores)
    else:
        statistic, pvalue = test(*scores)
    if kind == "identical":  # the peer says 0 for 0/0; the p-value is the same
        assert math.isnan(statistic)
        assert pvalue == outputs["p_value"] == 1
        return
    if kind == "zero_mean_nonzero_var":  # the peer's one-sided p is 1 at t = 0; .5 is right
        assert statistic == 0
        assert pvalue == 0.5
        return
    sign = -1 if inputs["greater"] == "y" else 1  # the peer turns the difference round
    assert statistic == pytest.approx(sign * float(outputs["statistic"]), rel=RTOL)
    assert pvalue == pytest.approx(outputs["p_value"], rel=RTOL)


@pytest.mark.parametrize("case", golden_cases("correctR_repkfold_ttest"), ids=lambda c: c["id"])
def test_repeated_kfold_against_correctr(case):
    inputs, outputs = case["inputs"], case["outputs"]
    differences = np.ravel(inputs["values_A"]) - np.ravel(inputs["values_B"])
    statistic, pvalue = corrected_resampled_ttest(
        differences,
        n_train=inputs["n1"],
        n_test=inputs["n2"],
        alternative=tail(inputs["greater"], "A"),
    )
    sign = -1 if inputs["greater"] == "B" else 1
    assert statistic == pytest.approx(sign * outputs["statistic"], rel=RTOL)
    assert pvalue == pytest.approx(outputs["p_value"], rel=RTOL)


@pytest.mark.parametrize("case", golden_cases("weka_paired_corrected"), ids=lambda c: c["id"])
def test_against_weka(case):
    inputs, outputs = case["inputs"], case["outputs"]
    ratio = Fraction(inputs["test_train_ratio"]).limit_denominator(1000)
    if ratio == 0:
        # Without size columns Weka silently drops the correction; there is no way to ask us to.
        with pytest.raises(SplitDesignError, match="at least 1"):
            corrected_resampled_ttest(inputs["x"], n_train=1, n_test=0)
        return
    differences = np.subtract(inputs["x"], inputs["y"])
    sizes = {"n_train": ratio.denominator, "n_test": ratio.numerator}
    if outputs["sd_diff"] == 0:
        with pytest.warns(DegenerateScoresWarning, match="do not vary"):
            result = corrected_resampled_ttest(differences, **sizes)
    else:
        result = corrected_resampled_ttest(differences, **sizes)
    assert result.pvalue == pytest.approx(outputs["p_value"], rel=RTOL)
    assert result.estimate == pytest.approx(outputs["mean_diff"], rel=RTOL)
    assert (result.pvalue <= inputs["significance_level"]) == bool(outputs["significance"])


@pytest.mark.parametrize(
    "case", golden_cases("hidimstat_moabb_corrected_t"), ids=lambda c: len(c["inputs"]["scores_a"])
)
def test_against_hidimstat_and_moabb(case):
    inputs, outputs = case["inputs"], case["outputs"]
    differences = np.subtract(inputs["scores_a"], inputs["scores_b"])
    sizes = {"n_train": inputs["n_train"], "n_test": inputs["n_test"]}
    pvalues = {
        alternative: corrected_resampled_ttest(differences, **sizes, alternative=alternative).pvalue
        for alternative in ("two-sided", "less", "greater")
    }
    result = corrected_resampled_ttest(differences, **sizes)
    assert result.statistic == pytest.approx(outputs["hidimstat_t"], rel=RTOL)
    assert pvalues["greater"] == pytest.approx(outputs["hidimstat_p_greater"], rel=RTOL)
    assert pvalues["less"] == pytest.approx(outputs["hidimstat_p_less"], rel=RTOL)
    assert pvalues["greater"] == pytest.approx(outputs["moabb_p_a_gt_b"], rel=RTOL)
    assert pvalues["less"] == pytest.approx(outputs["moabb_p_b_gt_a"], rel=RTOL)
    # hidimstat's two-sided p is 2 P(T > t), above 1 for negative t; the formula's is right.
    assert pvalues["two-sided"] == pytest.approx(outputs["formula_p_two_sided"], rel=RTOL)
    assert result.estimate == pytest.approx(outputs["formula_mean"], rel=RTOL)
    assert result.standard_error == pytest.approx(outputs["formula_se"], rel=RTOL)
    assert result.confidence_interval(0.95) == pytest.approx(outputs["formula_ci95"], rel=RTOL)
    assert result.df == outputs["df"]


@pytest.mark.parametrize("case", golden_cases("mlr3inferr_cor_t"), ids=lambda c: c["id"])
def test_against_mlr3inferr(case):
    scores = case["scores"]
    if len(scores) == 1:
        with pytest.raises(SplitDesignError, match="at least 2 splits"):
            corrected_resampled_ttest(scores, n_train=9, n_test=1)
        return
    n_train = round(case["ratio"] * case["n"])  # half to even, as in the peer
    design = SplitDesign.from_sizes(n_train, case["n"] - n_train, n_splits=len(scores))
    if case["splits"] is not None:
        design = SplitDesign.from_indices(
            [one["train"] for one in case["splits"]], [one["test"] for one in case["splits"]]
        )
        assert design.n_samples == case["n"]
    result = CorrectedResampledTTest()(CVScores(values=scores, design=design))
    for expected in case["ci"]:
        assert result.estimate == pytest.approx(expected["estimate"], rel=RTOL)
        low, high = result.confidence_interval(1 - expected["alpha"])
        assert low == pytest.approx(expected["lower"], rel=RTOL)
        assert high == pytest.approx(expected["upper"], rel=RTOL)


def test_against_the_scikit_learn_example():
    (case,) = golden_cases("sklearn_plot_grid_search_stats")
    inputs, outputs = case["inputs"], case["outputs"]
    sizes = {"n_train": inputs["n_train"], "n_test": inputs["n_test"]}
    for pair in outputs["pairwise"]:
        x = np.subtract(inputs["scores"][pair["a"]], inputs["scores"][pair["b"]])
        one_sided = corrected_resampled_ttest(x, **sizes, alternative="greater")
        assert one_sided.statistic == pytest.approx(pair["t"], rel=RTOL)
        # The example computes 1 - cdf(t), which loses the digits of small p-values.
        assert one_sided.pvalue == pytest.approx(pair["p_one_sided"], rel=1e-9)
        two_sided = corrected_resampled_ttest(x, **sizes)
        assert two_sided.pvalue == pytest.approx(pair["p_two_sided"], rel=1e-9)


def high_precision_pvalue(t, df):
    """Two-sided p of Student's law from the incomplete beta function in 40 digits."""
    mp.dps = 40
    t, df = mpf(t), mpf(df)
    return mp.betainc(df / 2, mpf(1) / 2, 0, df / (df + t**2), regularized=True)


@pytest.mark.parametrize("n_splits", [2, 3, 15, 100])
@pytest.mark.parametrize("shift", [0.001, 0.3, 3.0, 40.0])
def test_against_mpmath(n_splits, shift):
    x = np.random.default_rng(n_splits).normal(shift, 0.5, size=n_splits)
    result = corrected_resampled_ttest(x, n_train=70, n_test=20, n_samples=100)
    mp.dps = 40
    exact = [mpf(float(one)) for one in x]
    mean = sum(exact) / n_splits
    variance = sum((one - mean) ** 2 for one in exact) / (n_splits - 1)
    error = mp.sqrt((mpf(1) / n_splits + mpf(20) / 80) * variance)
    assert result.statistic == pytest.approx(float(mean / error), rel=RTOL)
    # The p-value magnifies the statistic's rounding by up to df in the far tail.
    expected = float(high_precision_pvalue(result.statistic, n_splits - 1))
    assert result.pvalue == pytest.approx(expected, rel=RTOL)


def test_the_standard_error_is_a_root_where_correctipy_lacks_it():
    # Ten differences .1 -+ .3: variance 10 (.09)/9 = .1, so t = .1/sqrt((1/10 + 1/9) .1) = .688.
    x = np.array([0.1 + d for d in (-0.3, 0.3) * 5])
    result = corrected_resampled_ttest(x, n_train=90, n_test=10)
    assert result.statistic == pytest.approx(0.1 / math.sqrt(0.19 / 9), rel=RTOL)


@pytest.mark.parametrize(
    ("sizes", "n_splits", "ratio"),
    [
        ({"n_train": 90, "n_test": 10}, 15, Fraction(10, 90)),
        ({"n_train": 50, "n_test": 50}, 15, Fraction(1)),
        ({"n_train": 50, "n_test": 10, "n_samples": 100}, 15, Fraction(10, 90)),
        ({"n_train": 50, "n_test": 10}, 15, Fraction(10, 50)),
        ({"n_train": [80, 60], "n_test": [20, 40], "n_samples": 100}, 2, Fraction(80, 220)),
    ],
)
def test_correction_is_rho0_over_one_minus_rho0_of_the_pool(sizes, n_splits, ratio):
    # The last case by hand: harmonic mean of 20 and 40 is 80/3; (80/3)/(100 - 80/3) = 80/220.
    result = corrected_resampled_ttest(np.arange(n_splits), **sizes)
    assert result.correction == pytest.approx(float(Fraction(1, n_splits) + ratio), rel=1e-15)
    assert result.df == n_splits - 1


@pytest.mark.parametrize("n_splits", [2, 4, 15, 100])
def test_df_is_one_less_than_the_splits(n_splits):
    x = np.random.default_rng(0).normal(size=n_splits)
    assert corrected_resampled_ttest(x, n_train=90, n_test=10).df == n_splits - 1


SCORES = arrays(float, st.integers(2, 30), elements=st.floats(-1, 1, width=32))
SIZES = {"n_train": 70, "n_test": 20, "n_samples": 100}


def varied(x):
    return np.ptp(x) > 1e-3


@given(SCORES.filter(varied), st.floats(-3, 3), st.floats(0.01, 100))
@settings(max_examples=50)
def test_equivariant_under_shift_and_scale(x, shift, scale):
    plain = corrected_resampled_ttest(x, **SIZES)
    moved = corrected_resampled_ttest(scale * x + shift, **SIZES, null_value=shift)
    assert moved.statistic == pytest.approx(plain.statistic, rel=1e-6, abs=1e-6)
    assert moved.standard_error == pytest.approx(scale * plain.standard_error, rel=1e-6)


@given(SCORES.filter(varied))
@settings(max_examples=50)
def test_antisymmetric_and_tails_add_to_one(x):
    one = {a: corrected_resampled_ttest(x, **SIZES, alternative=a) for a in ("less", "greater")}
    turned = corrected_resampled_ttest(-x, **SIZES, alternative="less")
    assert turned.statistic == -one["greater"].statistic
    assert turned.pvalue == one["greater"].pvalue
    assert one["less"].pvalue + one["greater"].pvalue == pytest.approx(1, abs=1e-12)


@given(SCORES.filter(varied), st.floats(0.001, 0.999), st.floats(-2, 2))
@settings(max_examples=50)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_interval_and_pvalue_agree(alternative, x, level, null_value):
    result = corrected_resampled_ttest(x, **SIZES, null_value=null_value, alternative=alternative)
    low, high = result.confidence_interval(level)
    if abs(result.pvalue - (1 - level)) < 1e-9:
        return
    assert (low < null_value < high) == (result.pvalue > 1 - level)


def test_vectorised_equals_looped():
    x = np.random.default_rng(0).normal(size=(3, 2, 15))
    nulls = np.array([[0.0, 0.1], [0.2, 0.3], [0.4, 0.5]])
    together = corrected_resampled_ttest(x, **SIZES, null_value=nulls, alternative="less")
    for i in np.ndindex(3, 2):
        alone = corrected_resampled_ttest(x[i], **SIZES, null_value=nulls[i], alternative="less")
        for name in ("statistic", "pvalue", "estimate", "standard_error"):
            assert getattr(together, name)[i] == getattr(alone, name)
        assert together.confidence_interval(0.9).high[i] == alone.confidence_interval(0.9).high
    moved = corrected_resampled_ttest(np.moveaxis(x, -1, 0), **SIZES, axis=0)
    np.testing.assert_array_equal(moved.estimate, together.estimate)


def test_the_order_of_the_splits_does_not_matter():
    rng = np.random.default_rng(0)
    x, n_test = rng.normal(size=15), rng.integers(5, 20, size=15)
    order = rng.permutation(15)
    sizes = {"n_train": 60, "n_samples": 100}
    plain = corrected_resampled_ttest(x, **sizes, n_test=n_test.tolist())
    permuted = corrected_resampled_ttest(x[order], **sizes, n_test=n_test[order].tolist())
    assert permuted.statistic == pytest.approx(plain.statistic, rel=1e-13)
    assert permuted.pvalue == pytest.approx(plain.pvalue, rel=1e-12)


@pytest.mark.parametrize("value", [0.1, 0.3, 1 / 3, 1e-8, 1e8])
def test_constant_scores_at_the_null_value(value):
    x = np.full(15, value)
    for alternative in ("two-sided", "less", "greater"):
        with pytest.warns(DegenerateScoresWarning, match="do not vary"):
            result = corrected_resampled_ttest(
                x, **SIZES, null_value=value, alternative=alternative
            )
        assert math.isnan(result.statistic)
        assert result.pvalue == 1
        assert result.undetermined


@pytest.mark.parametrize(
    ("alternative", "pvalues"), [("two-sided", (0, 0)), ("less", (1, 0)), ("greater", (0, 1))]
)
def test_constant_scores_off_the_null_value(alternative, pvalues):
    for value, expected in zip((0.3, -0.3), pvalues, strict=True):
        with pytest.warns(DegenerateScoresWarning, match="do not vary"):
            result = corrected_resampled_ttest(np.full(15, value), **SIZES, alternative=alternative)
        assert result.statistic == math.copysign(math.inf, value)
        assert result.pvalue == expected


def test_differences_that_are_rounding_are_constant():
    # .3 + .1 k and .1 k differ by .3 up to rounding: the standard error is not 1e-17.
    b = np.arange(15) / 10
    design = SplitDesign.from_sizes(90, 10, n_splits=15)
    a, b = (CVScores(values=values, design=design) for values in (b + 0.3, b))
    assert (a - b).values.var() > 0
    with pytest.warns(DegenerateScoresWarning, match="do not vary"):
        result = CorrectedResampledTTest()(a, b)
    assert result.statistic == math.inf
    assert result.standard_error == 0


def test_small_but_real_differences_are_not_constant():
    x = 0.5 + 1e-12 * np.random.default_rng(0).normal(size=15)
    result = corrected_resampled_ttest(x, **SIZES)
    assert result.standard_error > 0


def test_one_row_of_several_may_be_constant():
    x = np.stack([np.full(15, 0.2), np.random.default_rng(0).normal(size=15)])
    with pytest.warns(DegenerateScoresWarning, match="do not vary"):
        result = corrected_resampled_ttest(x, **SIZES)
    assert result.statistic[0] == math.inf
    assert result.pvalue[1] == corrected_resampled_ttest(x[1], **SIZES).pvalue


def test_class_and_function_agree_and_the_class_is_a_value():
    x = np.random.default_rng(0).normal(size=15)
    design = SplitDesign.from_sizes(70, 20, n_splits=15, n_samples=100)
    test = CorrectedResampledTTest(null_value=0.1, alternative="greater")
    result = test(CVScores(values=x, design=design))
    function = corrected_resampled_ttest(x, **SIZES, null_value=0.1, alternative="greater")
    assert (result.statistic, result.pvalue) == tuple(function)
    assert pickle.loads(pickle.dumps(test)) == test == clone(test, safe=False)
    again = pickle.loads(pickle.dumps(result))
    assert again.confidence_interval(0.9) == result.confidence_interval(0.9)
    assert again.pvalue == result.pvalue
