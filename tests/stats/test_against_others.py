"""The procedures against other systems, by tests/golden, against mpmath and by hand."""

import math
from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import cross_validate
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import skcvstats as s
from skcvstats import stats
from tests.comparison.made import codes
from tests.conftest import golden_cases, ignoring
from tests.stats.oracles import check, check_intervals, student_tails

pytestmark = ignoring("Anticonservative", "SplitDesign")

RTOL = 1e-12
SIZES = {"n_train": 90, "n_test": 10}
HALVES = {"n_train": 50, "n_test": 50}


def differences(inputs):
    return np.subtract(inputs["scores_a"], inputs["scores_b"])


def case_id(case):
    return case.get("id", case.get("function"))


def design_of(splits, n):
    sides = ([one[side] for one in splits] for side in ("train", "test"))
    return s.SplitDesign.from_indices(*sides, n_samples=n)


def warned_if(degenerate, what="over the"):
    said = pytest.warns(s.DegenerateScoresWarning, match=f"do not vary {what}")
    return said if degenerate else nullcontext()


class TestResampledT:
    @pytest.mark.parametrize("case", golden_cases("baseR_paired_t"), ids=case_id)
    def test_against_base_r(self, case):
        inputs, outputs = case["inputs"], case["outputs"]
        alternative = inputs["alternative"].replace(".", "-")
        x = np.subtract(inputs["x"], inputs["y"])
        result = stats.resampled_ttest(x, **SIZES, alternative=alternative)
        names = {"pvalue": "p_value", "standard_error": "stderr"}
        numbers = ("statistic", "df", "pvalue", "estimate", "standard_error")
        check(result, **{name: outputs[names.get(name, name)] for name in numbers})
        # R's quantiles are good to about 1e-12, ours to 1e-13 (see test_location).
        expected = float(outputs["ci_lower"]), float(outputs["ci_upper"])
        interval = result.confidence_interval(inputs["conf_level"])
        assert interval == pytest.approx(expected, rel=1e-11)

    @pytest.mark.parametrize("name", ["mlxtend_resampled_ttest", "mlxtend_kfold_ttest"])
    def test_against_mlxtend(self, name):
        for case in golden_cases(name):
            outputs = case["outputs"]
            x = differences(case["inputs"])
            result = stats.resampled_ttest(x, **SIZES)
            check(result, statistic=outputs["t"], pvalue=outputs["p_two_sided"], df=outputs["df"])
            if "scipy_ttest_rel_t" not in outputs:
                continue
            for alternative in ("greater", "less"):
                one_sided = stats.resampled_ttest(x, **SIZES, alternative=alternative)
                check(one_sided, pvalue=outputs[f"scipy_{alternative}_p"])
            interval = outputs["scipy_ci95_low"], outputs["scipy_ci95_high"]
            assert result.confidence_interval(0.95) == pytest.approx(interval, rel=1e-11)

    @pytest.mark.parametrize("case", golden_cases("scmamp_bayesian_correlated_t"), ids=case_id)
    def test_against_the_bayesian_correlated_t(self, case):
        # With its flat prior the posterior's tails are the one-sided p-values.
        inputs, outputs = case["inputs"], case["outputs"]
        x = np.subtract(inputs["x"], inputs["y"])
        rho = Fraction(inputs["rho"]).limit_denominator(1000)

        def run(**options):
            if rho == 0:
                return stats.resampled_ttest(x, **SIZES, **options)
            n_test, n = rho.numerator, rho.denominator
            return stats.corrected_resampled_ttest(x, n_train=n - n_test, n_test=n_test, **options)

        low, high = inputs["rope"]
        numbers = {"df": "df", "estimate": "loc", "standard_error": "scale"}
        check(run(), **{ours: outputs[theirs] for ours, theirs in numbers.items()})
        check(run(null_value=low, alternative="greater"), pvalue=outputs["left"])
        # scmamp takes the right tail as 1 - P, which loses the digits of small ones.
        right = run(null_value=high, alternative="less").pvalue
        assert right == pytest.approx(outputs["right"], rel=RTOL, abs=1e-15)


def tail(greater, first):
    return "two-sided" if greater is None else "greater" if greater == first else "less"


class TestCorrectedResampledT:
    @pytest.mark.parametrize("case", golden_cases("correctR_resampled_ttest"), ids=case_id)
    def test_against_correctr(self, case):
        inputs, outputs = case["inputs"], case["outputs"]
        kind = case["id"].split("/")[0]
        x, y = np.array(inputs["x"]), np.array(inputs["y"])
        design = s.SplitDesign.from_sizes(inputs["n1"], inputs["n2"], n_splits=len(x))
        scores = [s.CVScores(values=values, design=design) for values in (x, y)]
        test = s.CorrectedResampledTTest(alternative=tail(inputs["greater"], "x"))
        with warned_if(kind in ("identical", "constant_nonzero_diff")):
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
    def test_repeated_kfold_against_correctr(self, case):
        inputs, outputs = case["inputs"], case["outputs"]
        differences = np.ravel(inputs["values_A"]) - np.ravel(inputs["values_B"])
        alternative = tail(inputs["greater"], "A")
        sizes = {"n_train": inputs["n1"], "n_test": inputs["n2"]}
        result = stats.corrected_resampled_ttest(differences, **sizes, alternative=alternative)
        sign = -1 if inputs["greater"] == "B" else 1
        check(result, statistic=sign * outputs["statistic"], pvalue=outputs["p_value"])

    @pytest.mark.parametrize("case", golden_cases("weka_paired_corrected"), ids=lambda c: c["id"])
    def test_against_weka(self, case):
        inputs, outputs = case["inputs"], case["outputs"]
        ratio = Fraction(inputs["test_train_ratio"]).limit_denominator(1000)
        if ratio == 0:
            # Without size columns Weka silently drops the correction; there is no way to ask us to.
            with pytest.raises(s.SplitDesignError, match="at least 1"):
                stats.corrected_resampled_ttest(inputs["x"], n_train=1, n_test=0)
            return
        differences = np.subtract(inputs["x"], inputs["y"])
        sizes = {"n_train": ratio.denominator, "n_test": ratio.numerator}
        with warned_if(outputs["sd_diff"] == 0):
            result = stats.corrected_resampled_ttest(differences, **sizes)
        check(result, pvalue=outputs["p_value"], estimate=outputs["mean_diff"])
        assert (result.pvalue <= inputs["significance_level"]) == bool(outputs["significance"])

    @pytest.mark.parametrize("case", golden_cases("hidimstat_moabb_corrected_t"), ids=case_id)
    def test_against_hidimstat_and_moabb(self, case):
        inputs, outputs = case["inputs"], case["outputs"]
        x = differences(inputs)
        sizes = {"n_train": inputs["n_train"], "n_test": inputs["n_test"]}
        for alternative, theirs in (("greater", "a_gt_b"), ("less", "b_gt_a")):
            how = sizes | {"alternative": alternative}
            one_sided = stats.corrected_resampled_ttest(x, **how)
            check(one_sided, pvalue=outputs[f"hidimstat_p_{alternative}"])
            check(one_sided, pvalue=outputs[f"moabb_p_{theirs}"])
        result = stats.corrected_resampled_ttest(x, **sizes)
        # hidimstat's two-sided p is 2 P(T > t), above 1 for negative t; the formula's is right.
        check(result, statistic=outputs["hidimstat_t"], pvalue=outputs["formula_p_two_sided"])
        check(result, estimate=outputs["formula_mean"], standard_error=outputs["formula_se"])
        assert result.confidence_interval(0.95) == pytest.approx(outputs["formula_ci95"], rel=RTOL)
        assert result.df == outputs["df"]

    @pytest.mark.parametrize("case", golden_cases("mlr3inferr_cor_t"), ids=lambda c: c["id"])
    def test_against_mlr3inferr(self, case):
        scores = case["scores"]
        if len(scores) == 1:
            with pytest.raises(s.SplitDesignError, match="at least 2 splits"):
                stats.corrected_resampled_ttest(scores, n_train=9, n_test=1)
            return
        n_train = round(case["ratio"] * case["n"])  # half to even, as in the peer
        design = s.SplitDesign.from_sizes(n_train, case["n"] - n_train, n_splits=len(scores))
        if case["splits"] is not None:
            design = design_of(case["splits"], case["n"])
        result = s.CorrectedResampledTTest()(s.CVScores(values=scores, design=design))
        check_intervals(result, case["ci"])

    @pytest.mark.parametrize(("n_splits", "shift"), [(2, 0.3), (3, 40.0), (15, 0.001), (100, 3.0)])
    def test_against_mpmath(self, n_splits, shift):
        x = np.random.default_rng(n_splits).normal(shift, 0.5, size=n_splits)
        result = stats.corrected_resampled_ttest(x, n_train=70, n_test=20, n_samples=100)
        mp.dps = 40
        exact = [mpf(float(one)) for one in x]
        mean = sum(exact) / n_splits
        variance = sum((one - mean) ** 2 for one in exact) / (n_splits - 1)
        error = mp.sqrt((mpf(1) / n_splits + mpf(20) / 80) * variance)
        assert result.statistic == pytest.approx(float(mean / error), rel=RTOL)
        # The p-value magnifies the statistic's rounding by up to df in the far tail.
        expected = float(student_tails(result.statistic, n_splits - 1))
        assert result.pvalue == pytest.approx(expected, rel=RTOL)


@pytest.mark.parametrize("case", golden_cases("mlr3inferr_holdout"), ids=case_id)
def test_holdout_against_mlr3inferr(case):
    losses = case["losses"]
    result = stats.holdout_ttest(losses, n_train=case["n"] - len(losses))
    assert np.isinf(result.df)
    check_intervals(result, case["ci"])


class TestConservativeZ:
    @pytest.mark.parametrize("case", golden_cases("mlr3inferr_con_z"), ids=case_id)
    def test_against_mlr3inferr(self, case):
        n_splits, n_pairs = case["shape"]
        scores, shape = np.array(case["scores"]), (n_pairs, 2, n_splits)
        if case["splits"] is None:
            n_train = round(case["ratio"] * case["n"])
            given = scores[:n_splits], scores[n_splits:].reshape(shape)
            sizes = {"n_train": n_train, "n_test": case["n"] - n_train}
            result = stats.conservative_ztest(*given, **sizes)
            check_intervals(result, case["ci"])
            return
        full, halves = (
            s.CVScores(values=scores[part], design=design_of(case["splits"][part], case["n"]))
            for part in (slice(n_splits), slice(n_splits, None))
        )
        assert full.design.levels == ("split",)
        assert halves.design.levels == ("pair", "half", "split")
        assert halves.design.shape == shape
        with warned_if(np.ptp(halves.values) == 0, "over the half-samples"):
            result = s.ConservativeZTest()(full, auxiliary=halves)
        check_intervals(result, case["ci"])


class TestFiveByTwo:
    @pytest.mark.parametrize("case", golden_cases("mlxtend_5x2cv_ttest"), ids=case_id)
    def test_t_against_mlxtend(self, case):
        outputs = case["outputs"]
        result = stats.five_by_two_cv_ttest(differences(case["inputs"]), **HALVES)
        check(result, statistic=outputs["t"], pvalue=outputs["p_two_sided"], df=outputs["df"])

    @pytest.mark.parametrize("case", golden_cases("mlxtend_5x2cv_combined_f"), ids=case_id)
    def test_f_against_mlxtend(self, case):
        result, outputs = stats.five_by_two_cv_ftest(differences(case["inputs"])), case["outputs"]
        check(result, statistic=outputs["F"], pvalue=outputs["p"])
        assert result.df == (outputs["df1"], outputs["df2"])

    @pytest.mark.parametrize("case", golden_cases("inferge_5x2cv"), ids=case_id)
    def test_t_against_inferge(self, case):
        losses = case["losses"]
        iterations, rows = np.array(losses["iteration"]), np.array(losses["loss"])
        values = [rows[iterations == k + 1].mean() for k in range(10)]
        design = design_of(case["splits"], case["n"])
        assert (design.levels, design.shape) == (("repeat", "fold"), (5, 2))
        result = s.FiveByTwoCVTTest()(s.CVScores(values=values, design=design))
        check_intervals(result, case["ci"])


CLASSIFIERS = [KNeighborsClassifier(n_neighbors=k) for k in (1, 15)]
REGRESSORS = [KNeighborsRegressor(), LinearRegression(), Ridge()]
MODELS = {repr(model): model for model in CLASSIFIERS + REGRESSORS}
DATA = {"load_iris": load_iris, "load_diabetes": load_diabetes}


class TestEndToEnd:
    @pytest.mark.parametrize("case", golden_cases("mlxtend_end_to_end"), ids=case_id)
    def test_against_mlxtend(self, case):
        inputs, outputs = case["inputs"], case["outputs"]
        X, y = DATA[inputs["data"]](return_X_y=True)
        tests = [np.array(rows) for rows in inputs["test_rows"]]
        halves = "5x2" in case["function"]
        # The order of the training rows decides ties between neighbours.
        cv = [
            (tests[k ^ 1] if halves else np.setdiff1d(np.arange(len(X)), test), test)
            for k, test in enumerate(tests)
        ]
        models = {side: MODELS[inputs[f"estimator_{side}"]] for side in "ab"}
        method = "five_by_two_cv_t" if halves else "resampled_t"
        result = s.compare_estimators(models, X, y, cv=cv, scoring=inputs["scoring"], method=method)
        for side in "ab":
            expected = outputs[f"scores_{side}"]
            np.testing.assert_allclose(result.scores[side].values, expected, rtol=1e-11)
        # Least squares differ in their last digits with the BLAS; differences magnify that.
        (test,) = result.tests
        check(test, 1e-9, statistic=outputs["t"], pvalue=outputs["p"])
        if "kfold" not in case["function"]:  # there the formula took the mean of n_test/n_train
            sizes = {"n_train": outputs["n_train"], "n_test": outputs["n_test"]}
            corrected = stats.corrected_resampled_ttest(test.scores.values, **sizes)
            check(corrected, 1e-9, statistic=outputs["nb_corrected_t_from_formula"])
            check(corrected, 1e-9, pvalue=outputs["nb_corrected_p_two_sided"])
        if "combined_F" in outputs:
            how = {"cv": cv, "scoring": inputs["scoring"], "return_indices": True}
            a, b = (cross_validate(one, X, y, **how) for one in models.values())
            found = stats.five_by_two_cv_ftest(a, b)
            check(found, 1e-9, statistic=outputs["combined_F"], pvalue=outputs["combined_F_p"])


class TestByHand:
    """Numbers small enough to be done on paper."""

    def test_the_reports_mcnemar_example(self):
        # n01 = 7, n10 = 19, n2 = 150: X = 12^2/26 = 5.53846, z^2 = 149 X/(150 - X) = 5.71246.
        fixed = stats.resampled_ttest([1, 2, 4], n_train=300, n_test=50, hypotheses="fixed")
        assert fixed.n_samples == 450  # fixed models are tested on other rows each
        x = np.repeat([-1, 1, 0], [7, 19, 124])
        result = stats.holdout_ttest(x, n_train=300)
        chi_square = Fraction(12**2, 26)
        assert float(chi_square) == pytest.approx(5.53846, abs=5e-6)
        expected = 149 * chi_square / (150 - chi_square)
        assert float(expected) == pytest.approx(5.71246, abs=5e-6)
        assert result.statistic**2 == pytest.approx(float(expected), rel=RTOL)

    def test_the_three_variants_of_5x2_by_hand(self):
        # d = 2, 1, 1, 1, 1: sum of squares 8, without the first pair 4.
        x = [3, 1, 1, 0, 2, 1, 0, -1, 1, 0]
        for variant, statistic, df in (
            ("dietterich", 3 / np.sqrt(8 / 10), 5),
            ("t4", 3 / np.sqrt(4 / 8), 4),
            ("t5", np.sqrt(2) * 2 / np.sqrt(8 / 10), 5),
        ):
            result = stats.five_by_two_cv_ttest(x, **HALVES, variant=variant)
            assert result.statistic == pytest.approx(statistic, rel=RTOL)
            assert result.df == df
        # Squares: 9 + 1 + 1 + 4 + 1 + 1 + 1 = 18.
        assert stats.five_by_two_cv_ftest(x).statistic == pytest.approx(18 / 8, rel=RTOL)

    def test_both_bootstraps_by_hand(self):
        # Means 2; then 1, 3, 5 with variance 4; corrected by 1 + 2 (10/40).
        x = [[1, 3], [0, 2], [3, 3], [4, 6]]
        design = s.SplitDesign.from_sizes(
            30, 10, n_splits=8, n_samples=50, levels=("replicate", "split"), shape=(4, 2)
        )
        with pytest.warns(s.AnticonservativeWarning, match="rejects true null hypotheses"):
            result = s.BootstrapTTest()(s.CVScores(values=np.ravel(x), design=design))
        assert (result.estimate, result.standard_error, result.df) == (2, 2, 2)
        corrected = s.CorrectedBootstrapTTest()(s.CVScores(values=np.ravel(x), design=design))
        assert corrected.standard_error == pytest.approx(np.sqrt(1.5 * 4), rel=RTOL)
        assert (corrected.estimate, corrected.df) == (2, 2)


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
    result = stats.corrected_resampled_ttest(np.arange(n_splits), **sizes)
    assert result.correction == pytest.approx(float(Fraction(1, n_splits) + ratio), rel=1e-15)
    assert result.df == n_splits - 1


def test_sizes_that_look_exchanged_are_noted():
    x = [0.1, 0.3, 0.2, 0.4] * 3
    result = stats.corrected_resampled_ttest(x, n_train=57, n_test=512)
    assert codes(result) == {"exchanged sizes"}
    assert result.notes[0].category is s.SplitDesignWarning
    assert "n_train=512 and n_test=57 are right" in str(result.notes[0])
    for sizes in ({"n_train": 512, "n_test": 57}, {"n_train": 284, "n_test": 285}):
        assert not codes(stats.corrected_resampled_ttest(x, **sizes))
    # Known splits that test on much are not taken for exchanged.
    rng = np.random.default_rng(0)
    rows = [rng.permutation(100) for _ in range(12)]
    design = s.SplitDesign.from_indices([r[:20] for r in rows], [r[20:] for r in rows])
    scores = s.CVScores(values=np.linspace(0, 1, 12), design=design)
    assert not codes(s.CorrectedResampledTTest()(scores))


def test_a_single_k_fold_says_in_which_direction_it_errs():
    """With losses of the test row only, 1/10 is the factor, and 1/10 + 10/90 is taken."""
    design = s.SplitDesign.from_sizes(90, 10, n_splits=10, levels=("fold",))
    scores = s.CVScores(values=np.linspace(0, 1, 10), design=design)
    (note,) = s.CorrectedResampledTTest()(scores).notes
    assert "conservative for stable learners" in str(note)
    assert "by 0.211; 0.1 would do if" in str(note)
