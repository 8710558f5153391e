"""Error rates: the textbook's numbers, SciPy's intervals, exact coverage, and mlxtend's z."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import betainc, findroot, mp, mpf
from scipy import stats

from skcvstats import AnticonservativeWarning, DegenerateScoresWarning
from skcvstats.stats import error_rate_difference, error_rate_interval
from tests.conftest import golden_cases

ALTERNATIVES = ("two-sided", "less", "greater")


class TestInterval:
    def test_of_the_textbook(self):
        found = error_rate_interval(12, 40, "normal")
        assert found.estimate == 0.3
        assert found.interval == pytest.approx((0.158, 0.442), abs=5e-4)
        half_width = stats.norm.ppf(0.975) * math.sqrt(0.3 * 0.7 / 40)
        assert found.interval == pytest.approx((0.3 - half_width, 0.3 + half_width), rel=1e-13)

    @pytest.mark.parametrize("method", ["wilson", "exact"])
    @pytest.mark.parametrize(("errors", "n"), [(0, 7), (12, 40), (7, 7), (3, 10_000)])
    @pytest.mark.parametrize("level", [0.8, 0.999])
    def test_against_scipy(self, method, errors, n, level):
        found = error_rate_interval(errors, n, method, confidence_level=level)
        theirs = stats.binomtest(errors, n).proportion_ci(level, method)
        # SciPy's root finder is good to 5e-9 of its exact ends here; ours are checked below.
        rtol = 1e-8 if method == "exact" else 1e-12
        np.testing.assert_allclose(found.interval, tuple(theirs), rtol=rtol, atol=1e-15)

    @pytest.mark.parametrize(("errors", "n"), [(1, 7), (12, 40), (39, 40), (3, 10_000)])
    def test_exact_ends_against_mpmath(self, errors, n):
        mp.dps = 40
        low, high = error_rate_interval(errors, n, "exact").interval
        tail = (1 - mpf(0.95)) / 2
        # P(R >= r) at the lower end and P(R <= r) at the upper one are half of what is left.
        ends = [(errors, n - errors + 1, tail, low), (errors + 1, n - errors, 1 - tail, high)]
        for a, b, share, end in ends:
            exact = findroot(
                lambda p, a=a, b=b, share=share: betainc(a, b, 0, p, regularized=True) - share,
                mpf(float(end)),
            )
            assert end == pytest.approx(float(exact), rel=1e-13)

    @pytest.mark.parametrize("method", ["wilson", "exact", "normal"])
    def test_arrays_are_loops_and_errors_mirror_hits(self, method):
        errors, n = np.array([3, 17, 31]), np.array([34, 40, 50])
        found = error_rate_interval(errors, n, method)
        for k in range(3):
            one = error_rate_interval(int(errors[k]), int(n[k]), method)
            assert one.interval == pytest.approx((found.low[k], found.high[k]), rel=1e-15)
        same_n = error_rate_interval([3, 17], 40, method)
        assert same_n.estimate.tolist() == [3 / 40, 17 / 40]
        assert len(str(same_n).splitlines()) == 2
        mirror = error_rate_interval(n - errors, n, method)
        np.testing.assert_allclose(mirror.low, 1 - found.high, rtol=1e-12, atol=1e-15)

    def test_normal_warns_where_it_is_bad(self):
        with pytest.warns(AnticonservativeWarning, match="30 or more test rows, not 29"):
            error_rate_interval(9, 29, "normal")
        error_rate_interval(9, 30, "normal")
        for errors in (0, 40):
            with pytest.warns(DegenerateScoresWarning, match="'wilson' or method='exact'"):
                found = error_rate_interval(errors, 40, "normal")
            assert found.low == found.high == errors / 40
        assert error_rate_interval(0, 5).interval == pytest.approx((0, 0.4345), abs=1e-4)
        assert error_rate_interval(1, 40, "normal").low < 0  # not cut


class TestDifference:
    @pytest.mark.parametrize("case", golden_cases("mlxtend_proportion_difference"))
    def test_against_mlxtend(self, case):
        inputs, outputs = case["inputs"], case["outputs"]
        n_1 = inputs["n1"]
        n_2 = inputs["n2"] or n_1
        counts = round(inputs["p1"] * n_1), n_1, round(inputs["p2"] * n_2), n_2
        statistic, pvalue = error_rate_difference(*counts)
        assert statistic == pytest.approx(outputs["z"], rel=1e-12)
        assert pvalue == pytest.approx(outputs["p_two_sided_correct"], rel=1e-12)
        # What mlxtend returns as its p is the lower tail.
        less = error_rate_difference(*counts, alternative="less").pvalue
        assert less == pytest.approx(outputs["p_returned_is_norm_cdf_z"], rel=1e-12)

    def test_of_the_textbook(self):
        with pytest.warns(AnticonservativeWarning, match="not 20"):
            error_rate_difference(3, 40, 5, 20)
        found = error_rate_difference(30, 100, 20, 100)
        error = math.sqrt(0.3 * 0.7 / 100 + 0.2 * 0.8 / 100)
        assert found.standard_error == pytest.approx(error, rel=1e-14)
        assert found.statistic == pytest.approx(0.1 / error, rel=1e-14)
        assert (found.error_rate_1, found.error_rate_2) == (0.3, 0.2)

    @given(st.integers(1, 39), st.integers(1, 59), st.floats(-0.5, 0.5), st.floats(0.8, 0.99))
    def test_pvalues_of_the_sides_add_to_one_and_agree_with_intervals(
        self, errors_1, errors_2, null, level
    ):
        counts = errors_1, 40, errors_2, 60
        test = partial(error_rate_difference, *counts, null_value=null)
        tests = {alternative: test(alternative=alternative) for alternative in ALTERNATIVES}
        p = {alternative: test.pvalue for alternative, test in tests.items()}
        assert p["less"] + p["greater"] == pytest.approx(1, rel=1e-12)
        assert p["two-sided"] == pytest.approx(2 * min(p["less"], p["greater"]), rel=1e-12)
        for alternative, test in tests.items():
            low, high = test.confidence_interval(level)
            if abs(p[alternative] - (1 - level)) > 1e-9:
                assert (low < null < high) == (p[alternative] > 1 - level)
        swapped = error_rate_difference(errors_2, 60, errors_1, 40, null_value=-null)
        assert swapped.statistic == pytest.approx(-tests["two-sided"].statistic, rel=1e-12)

    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    def test_equal_shares_without_variance_are_undetermined(self, alternative):
        with pytest.warns(DegenerateScoresWarning, match="no conclusion can be drawn"):
            same = error_rate_difference(0, 40, 0, 60, alternative=alternative)
        assert math.isnan(same.statistic)
        assert same.pvalue == 1
        assert "undetermined" in str(same)
        with pytest.warns(DegenerateScoresWarning, match="no conclusion can be drawn"):
            worse = error_rate_difference(40, 40, 0, 60, alternative=alternative)
        assert worse.statistic == np.inf
        assert worse.pvalue == (1 if alternative == "less" else 0)
        assert worse.undetermined

    def test_arrays_are_single_tests_row_by_row(self):
        found = error_rate_difference([5, 9], 40, 7, 60, alternative="less")
        one = error_rate_difference(9, 40, 7, 60, alternative="less")
        assert found.pvalue[1] == one.pvalue
        assert found.confidence_interval().high[1] == one.confidence_interval().high
        assert found.confidence_interval().low.tolist() == [-np.inf, -np.inf]
        assert len(str(found).splitlines()) == 2
        assert "confidence bound: at most" in str(one)
        assert "at least" in str(error_rate_difference(9, 40, 7, 60, alternative="greater"))
