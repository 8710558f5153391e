"""Alpaydin's F test: its law, degenerate scores, and as a method of comparisons."""

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier

import skcvstats as s
from skcvstats.stats import five_by_two_cv_ftest

DESIGN = s.SplitDesign.from_sizes(50, 50, n_splits=10, levels=("repeat", "fold"), shape=(5, 2))


@pytest.mark.parametrize("f", [0.5, 0.7, 4.74, 100.0, 1e8])
def test_pvalue_against_scipy(f):
    """Of pairs (u + v, u - v) the statistic is (u^2 + v^2) / (2 v^2)."""
    v = 0.01
    u = v * np.sqrt(2 * f - 1)
    result = five_by_two_cv_ftest(np.tile([u + v, u - v], 5))
    assert result.statistic == pytest.approx(f, rel=1e-9)
    assert result.pvalue == pytest.approx(stats.f.sf(result.statistic, 10, 5), rel=1e-12)


def test_f_is_invariant_under_sign_scale_shift_and_order():
    x = np.random.default_rng(0).normal(size=(4, 10))
    plain = five_by_two_cv_ftest(x, null_value=0.1)
    turned = five_by_two_cv_ftest(-x, null_value=-0.1)
    np.testing.assert_array_equal(turned.statistic, plain.statistic)
    shifted = five_by_two_cv_ftest(3 * x + 2, null_value=2.3)
    np.testing.assert_allclose(shifted.statistic, plain.statistic, rtol=1e-12)
    orders = x.reshape(4, 5, 2)[:, ::-1, ::-1].reshape(4, 10)
    shuffled = five_by_two_cv_ftest(orders, null_value=0.1)
    np.testing.assert_allclose(shuffled.statistic, plain.statistic, rtol=1e-13)
    columns = five_by_two_cv_ftest(x.T, axis=0, null_value=0.1)
    np.testing.assert_array_equal(columns.pvalue, plain.pvalue)
    # Across pairs the differences change, so the answer must.
    torn = five_by_two_cv_ftest(np.roll(x, 1, axis=-1), null_value=0.1)
    assert (abs(torn.statistic - plain.statistic) > 1e-3).all()


class TestDegenerate:
    """The F test is even: there is no direction, and infinity has one sign."""

    def degenerate(self, *args, **options):
        with pytest.warns(s.DegenerateScoresWarning, match="do not vary over the halves.*so no"):
            return five_by_two_cv_ftest(*args, **options)

    @pytest.mark.parametrize(
        ("x", "null_value", "expected"),
        [
            *((np.full(10, value), value, (np.nan, 1)) for value in (0, 0.1, 1e8)),
            *((np.full(10, value), 0, (np.inf, 0)) for value in (0.1, -0.1)),
            (np.repeat(np.arange(5.0), 2), 0, (np.inf, 0)),
        ],
    )
    def test_at_the_null_value_and_off_it(self, x, null_value, expected):
        np.testing.assert_equal(tuple(self.degenerate(x, null_value=null_value)), expected)

    def test_rounding_before_the_subtraction(self):
        b = 1000 * np.random.default_rng(0).normal(size=10)
        a, b = (s.CVScores(values=values, design=DESIGN) for values in (b + 300, b))
        assert np.ptp((a - b).values) > 0
        for null_value, expected in ((0, 0), (300, 1)):
            assert self.degenerate(a, b, null_value=null_value).pvalue == expected

    def test_one_row_of_several(self):
        x = np.random.default_rng(0).normal(size=(2, 10))
        x[0] = 0
        assert self.degenerate(x).pvalue.tolist() == [1, five_by_two_cv_ftest(x[1]).pvalue]


class TestAsAMethod:
    """`FiveByTwoCVFTest` on comparisons: no direction and no interval."""

    values = np.random.default_rng(0).normal([[0.9], [0.9], [0.6]], 0.02, size=(3, 10))
    scores = s.CVScores(values=values, design=DESIGN, labels=("a", "b", "c"), metric="f1")

    def test_numbers_are_those_of_the_formula_and_claims_have_no_direction(self):
        result = s.compare_scores(self.scores, method="five_by_two_cv_f", adjustment="none")
        for comparison in result:
            x = (self.scores[comparison.estimator] - self.scores[comparison.versus]).values
            f = np.sum(x**2) / np.sum((x[::2] - x[1::2]) ** 2)
            assert comparison.test.statistic == pytest.approx(f, rel=1e-12)
            assert comparison.test.pvalue == pytest.approx(stats.f.sf(f, 10, 5), rel=1e-12)
        assert result.to_frame(full=True)["df"].tolist() == [(10.0, 5.0)] * 3
        claims = {(one.estimator, one.versus): one.claim for one in result}
        assert claims["a", "c"].kind == claims["b", "c"].kind == "different"
        assert claims["a", "c"].words == "a and c differ significantly in F1 at the 5 % level"
        assert claims["a", "b"].kind == "not shown"
        shifted = s.FiveByTwoCVFTest(null_value=0.3)
        test = s.compare_scores(self.scores, method=shifted, reference="a").tests[0]
        assert test.claim(0.05).words.startswith("The expected difference")

    def test_neither_direction_nor_interval_can_be_asked_for(self):
        with pytest.raises(ValueError, match="F test has no alternative: leave it out"):
            s.compare_scores(self.scores, method="five_by_two_cv_f", alternative="greater")
        test = s.compare_scores(self.scores, method="five_by_two_cv_f").tests[0]
        with pytest.raises(TypeError, match="F test has a p-value only and no confidence interval"):
            test.confidence_interval()
        with pytest.raises(TypeError, match="no confidence interval"):
            self.scores["a"].confidence_interval(method="five_by_two_cv_f")
        X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
        with pytest.raises(ValueError, match="F test is for the difference of two estimators"):
            s.cross_val_inference(DummyClassifier(), X, y, method="five_by_two_cv_f")
