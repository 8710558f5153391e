"""The corrected resampled t-test: against other systems and against theory."""

import math
from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf

from skcvstats import (
    CorrectedResampledTTest,
    CVScores,
    DegenerateScoresWarning,
    SplitDesign,
    SplitDesignError,
    SplitDesignWarning,
)
from skcvstats.stats import corrected_resampled_ttest
from tests.conftest import golden_cases
from tests.stats.oracles import check, check_intervals, student_tails

RTOL = 1e-12


def tail(greater, first):
    return "two-sided" if greater is None else "greater" if greater == first else "less"


@pytest.mark.parametrize("case", golden_cases("correctR_resampled_ttest"), ids=lambda c: c["id"])
def test_against_correctr(case):
    inputs, outputs = case["inputs"], case["outputs"]
    kind = case["id"].split("/")[0]
    x, y = np.array(inputs["x"]), np.array(inputs["y"])
    design = SplitDesign.from_sizes(inputs["n1"], inputs["n2"], n_splits=len(x))
    scores = [CVScores(values=values, design=design) for values in (x, y)]
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
    alternative = tail(inputs["greater"], "A")
    sizes = {"n_train": inputs["n1"], "n_test": inputs["n2"]}
    result = corrected_resampled_ttest(differences, **sizes, alternative=alternative)
    sign = -1 if inputs["greater"] == "B" else 1
    check(result, statistic=sign * outputs["statistic"], pvalue=outputs["p_value"])


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
    check(result, pvalue=outputs["p_value"], estimate=outputs["mean_diff"])
    assert (result.pvalue <= inputs["significance_level"]) == bool(outputs["significance"])


@pytest.mark.parametrize(
    "case", golden_cases("hidimstat_moabb_corrected_t"), ids=lambda c: len(c["inputs"]["scores_a"])
)
def test_against_hidimstat_and_moabb(case):
    inputs, outputs = case["inputs"], case["outputs"]
    differences = np.subtract(inputs["scores_a"], inputs["scores_b"])
    sizes = {"n_train": inputs["n_train"], "n_test": inputs["n_test"]}
    for alternative, theirs in (("greater", "a_gt_b"), ("less", "b_gt_a")):
        one_sided = corrected_resampled_ttest(differences, **sizes, alternative=alternative)
        check(one_sided, pvalue=outputs[f"hidimstat_p_{alternative}"])
        check(one_sided, pvalue=outputs[f"moabb_p_{theirs}"])
    result = corrected_resampled_ttest(differences, **sizes)
    # hidimstat's two-sided p is 2 P(T > t), above 1 for negative t; the formula's is right.
    check(result, statistic=outputs["hidimstat_t"], pvalue=outputs["formula_p_two_sided"])
    check(result, estimate=outputs["formula_mean"], standard_error=outputs["formula_se"])
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
    check_intervals(result, case["ci"])


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


@pytest.mark.parametrize(("n_splits", "shift"), [(2, 0.3), (3, 40.0), (15, 0.001), (100, 3.0)])
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
    expected = float(student_tails(result.statistic, n_splits - 1))
    assert result.pvalue == pytest.approx(expected, rel=RTOL)


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


def codes(result):
    return [note.code for note in result.notes]


def test_sizes_that_look_exchanged_are_noted():
    x = [0.1, 0.3, 0.2, 0.4] * 3
    result = corrected_resampled_ttest(x, n_train=57, n_test=512)
    assert codes(result) == ["exchanged sizes"]
    assert result.notes[0].category is SplitDesignWarning
    assert "n_train=512 and n_test=57 are right" in str(result.notes[0])
    for sizes in ({"n_train": 512, "n_test": 57}, {"n_train": 284, "n_test": 285}):
        assert codes(corrected_resampled_ttest(x, **sizes)) == []
    # Known splits that test on much are not taken for exchanged.
    rng = np.random.default_rng(0)
    rows = [rng.permutation(100) for _ in range(12)]
    design = SplitDesign.from_indices([r[:20] for r in rows], [r[20:] for r in rows])
    scores = CVScores(values=np.linspace(0, 1, 12), design=design)
    assert codes(CorrectedResampledTTest()(scores)) == []


def test_a_single_k_fold_says_in_which_direction_it_errs():
    """With losses of the test row only, 1/10 is the factor, and 1/10 + 10/90 is taken."""
    design = SplitDesign.from_sizes(90, 10, n_splits=10, levels=("fold",))
    scores = CVScores(values=np.linspace(0, 1, 10), design=design)
    (note,) = CorrectedResampledTTest()(scores).notes
    assert "conservative for stable learners" in str(note)
    assert "by 0.211; 0.1 would do if" in str(note)
