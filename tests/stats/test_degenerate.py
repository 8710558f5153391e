"""Variance estimates of zero up to rounding of the scores: one defined result, and a warning."""

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier

import skcvstats as s
from skcvstats._utils._checks import alpha_of
from skcvstats.stats import corrected_resampled_ttest, five_by_two_cv_ftest
from skcvstats.stats._arguments import UNDETERMINED
from skcvstats.theory import conservative_variance
from tests.stats.recipes import ALTERNATIVES, RECIPES, every, moved

pytestmark = [pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")]

EPS = np.finfo(float).eps
RNG = np.random.default_rng


def constant(recipe, value, *leading):
    return moved(recipe.draw(RNG(0), *leading), 0, value)


def degenerate(call, *args, **options):
    with pytest.warns(s.DegenerateScoresWarning, match="do not vary over the"):
        return call(*args, **options)


@every
class TestEveryProcedure:
    @pytest.mark.parametrize("value", [0.0, -0.3, 1e-200, 1e200])
    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    def test_constant_scores_at_the_null_value(self, recipe, value, alternative):
        options = {"null_value": value, "alternative": alternative}
        for call in (recipe.run, recipe.judge):
            result = degenerate(call, *constant(recipe, value), **options)
            assert np.isnan(result.statistic)
            assert result.pvalue == 1
            assert result.undetermined
            assert result.standard_error == 0
            assert "undetermined" in str(result)
            assert result.notes.count(UNDETERMINED) == 1

    @pytest.mark.parametrize(
        ("alternative", "above", "below"), [("two-sided", 0, 0), ("less", 1, 0), ("greater", 0, 1)]
    )
    def test_constant_scores_off_the_null_value(self, recipe, alternative, above, below):
        for value, expected in ((0.3, above), (-0.3, below)):
            for call in (recipe.run, recipe.judge):
                result = degenerate(call, *constant(recipe, value), alternative=alternative)
                assert result.statistic == np.copysign(np.inf, value)
                assert result.pvalue == expected
                assert result.undetermined
                if alternative == "two-sided":
                    low, high = result.confidence_interval(0.9)
                    assert low == high == pytest.approx(value, rel=1e-14)

    @pytest.mark.parametrize(("ulps", "equal"), [(0, True), (8, True), (12, False), (40, False)])
    def test_class_and_function_know_the_same_null_values(self, recipe, ulps, equal):
        # Not so near 10 ulps that the rounding of the mean decides.
        for call in (recipe.run, recipe.judge):
            result = degenerate(call, *constant(recipe, 1.0), null_value=1 + ulps * EPS)
            assert result.pvalue == equal

    def test_differences_before_and_after_subtraction(self, recipe):
        # a - b is .3 only up to rounding of numbers in the thousands.
        b, further_b = moved(recipe.draw(RNG(0)), 1000)
        a, further_a = moved((b, further_b), 1, 0.3)
        assert np.ptp(a - b) > 100 * EPS
        mains, halves = zip(recipe.scores(a, further_a), recipe.scores(b, further_b), strict=True)
        auxiliary = None if halves[0] is None else halves
        result = degenerate(recipe.test(), *mains, auxiliary=auxiliary)
        assert result.statistic == np.inf
        assert result.standard_error == 0
        result = degenerate(recipe.test(null_value=0.3), *mains, auxiliary=auxiliary)
        assert np.isnan(result.statistic)
        assert result.pvalue == 1
        # The same numbers with nothing behind them are small but real differences.
        rest = None if further_a is None else further_a - further_b
        if recipe.name != "row_t":  # to which variances of eps times the square are rounding
            assert recipe.run(a - b, rest).standard_error > 0

    def test_small_but_real_variation_is_none_of_it(self, recipe):
        smallest = 1e-7 if recipe.name == "row_t" else 1e-12
        scores = moved(recipe.draw(RNG(0)), smallest, 0.5)
        for result in (recipe.run(*scores), recipe.judge(*scores)):
            assert result.standard_error > 0
            assert np.isfinite(result.statistic)

    def test_one_row_of_several(self, recipe):
        x, further = recipe.draw(RNG(0), 3)
        x[0], x[2] = 0.2, 0.0
        if further is not None:
            further[0], further[2] = 0.2, 0.0
        result = degenerate(recipe.run, x, further)
        assert result.undetermined.tolist() == [True, False, True]
        assert str(result.notes[0]) == f"2 of 3 tests are {UNDETERMINED}"
        assert result.statistic[0] == np.inf
        assert np.isnan(result.statistic[2])
        assert result.pvalue[2] == 1
        alone = recipe.run(x[1], None if further is None else further[1])
        assert not any("undetermined" in str(note) for note in alone.notes)
        assert result.pvalue[1] == pytest.approx(alone.pvalue, rel=1e-12)
        nulls, options = np.array([0.1, 0.2, 0.3]), {"alternative": "less"}
        several = degenerate(recipe.run, *constant(recipe, 0.2, 3), null_value=nulls, **options)
        np.testing.assert_array_equal(several.statistic, [np.inf, np.nan, -np.inf])
        np.testing.assert_array_equal(several.pvalue, [1, 1, 0])


class TestWhatMakesAVariance:
    """The variance estimate of some procedures sees less than all scores."""

    def run(self, name, x, further=None):
        return RECIPES[name].run(np.asarray(x, dtype=float), further)

    @pytest.mark.parametrize("variant", ["five_by_two_cv_t", "five_by_two_cv_t, t5"])
    def test_pairs_that_agree(self, variant):
        x = np.repeat([0.1, 0.2, 0.3, 0.4, 0.5], 2)
        result = degenerate(self.run, variant, x)
        assert (result.statistic, result.estimate) == (np.inf, 0.1)
        differ_first = [1, 2, *np.repeat([3, 4, 5, 6], 2)]  # t4 does not look at the first pair
        result = degenerate(self.run, "five_by_two_cv_t, t4", differ_first)
        assert (result.estimate, result.statistic) == (1, np.inf)
        assert self.run(variant, differ_first).statistic < np.inf

    def test_the_conservative_z_looks_at_the_half_samples_only(self):
        recipe = RECIPES["conservative_z"]
        x, further = recipe.draw(RNG(0))
        assert degenerate(recipe.run, x, np.ones_like(further)).statistic in (np.inf, -np.inf)
        assert np.isfinite(recipe.run(np.ones_like(x), further).statistic)
        x, further = constant(recipe, 0.0)  # rounding is known by the scores of the estimate too
        x[0], x[1] = 1, -1 + EPS
        assert x.mean() != 0
        assert np.isnan(degenerate(recipe.run, x, further).statistic)

    @pytest.mark.parametrize("name", ["bootstrap_t", "corrected_bootstrap_t"])
    def test_the_bootstraps_look_at_the_further_replicates_only(self, name):
        x, _ = RECIPES[name].draw(RNG(0))
        first_alone, further_alone = x.copy(), x.copy()
        first_alone[1:] = further_alone[0] = 0.25
        assert degenerate(self.run, name, first_alone).estimate == x[0].mean()
        assert np.isfinite(self.run(name, further_alone).statistic)


class TestOneEstimator:
    """It is said once: by a warning of its own kind, and by a note."""

    def half(self, estimator, X, y):
        return 0.5

    def test_cross_val_inference(self):
        X, y = np.arange(100.0)[:, None], np.arange(100) % 2
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            how = {"scoring": self.half, "method": "corrected_resampled_t"}
            result = s.cross_val_inference(DummyClassifier(), X, y, **how)
        assert [one.category for one in caught] == [s.DegenerateScoresWarning]
        assert result.notes == (UNDETERMINED,)
        assert str(result).count("not evidence") == 1

    def test_confidence_interval(self):
        design = s.SplitDesign.from_sizes(90, 10, n_splits=5)
        scores = s.CVScores(values=np.full(5, 0.5), design=design, notes=("a note",))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert scores.confidence_interval(method="resampled_t") == (0.5, 0.5)
        told = [(one.category, str(one.message)) for one in caught]
        assert [kind for kind, _ in told] == [
            s.DegenerateScoresWarning,
            s.AnticonservativeWarning,
            s.SplitDesignWarning,
        ]  # a note of the user's own is no warning
        assert told[2][1].startswith("Only 5 splits")


@pytest.mark.parametrize("seed", range(2))
def test_a_difference_below_the_rounding_of_the_scores_is_none(seed):
    values = np.arange(1, 16) / 10
    other = RNG(seed).permutation(values)  # of the same mean, but for the rounding of the sum
    assert 0 < abs((values - other).mean()) < EPS
    design = s.SplitDesign.from_sizes(n_train=90, n_test=10, n_splits=15)
    first, second = (s.CVScores(values=one, design=design) for one in (values, other))
    result = s.CorrectedResampledTTest()(first, second)
    assert result.estimate == result.statistic == 0
    assert result.pvalue == 1
    assert result.standard_error > 0.1  # it is no degenerate case else
    shifted = s.CorrectedResampledTTest(null_value=0.25)(first, second)
    assert shifted.statistic == -0.25 / shifted.standard_error


X = np.random.default_rng(0).normal(0.5, 1, size=(3, 10))
SIZES = {"n_train": 90, "n_test": 10}


@every
@pytest.mark.parametrize("exponent", [1000, -400, -1000])
def test_the_unit_of_the_scores_does_not_matter(recipe, exponent):
    scores = recipe.draw(np.random.default_rng(0), 3)
    usual, extreme = recipe.run(*scores), recipe.run(*moved(scores, 2.0**exponent))
    np.testing.assert_array_equal(extreme.statistic, usual.statistic)
    np.testing.assert_array_equal(extreme.pvalue, usual.pvalue)
    np.testing.assert_array_equal(extreme.estimate, np.ldexp(usual.estimate, exponent))
    np.testing.assert_array_equal(extreme.standard_error, np.ldexp(usual.standard_error, exponent))
    f, extreme_f = five_by_two_cv_ftest(X), five_by_two_cv_ftest(X * 2.0**exponent)
    np.testing.assert_array_equal(extreme_f.statistic, f.statistic)


@every
def test_only_the_extreme_rows_are_brought_near_1(recipe):
    scores = recipe.draw(np.random.default_rng(0), 3)
    by = np.array([1.0, 2.0**600, 2.0**-600])
    mixed = [None if one is None else one * by.reshape(3, *[1] * (one.ndim - 1)) for one in scores]
    np.testing.assert_array_equal(recipe.run(*mixed).statistic, recipe.run(*scores).statistic)


def test_conservative_variance():
    d = np.array([[1.0, -3.0, 2.0], [1e-160, -3e-160, 2e-160], [1e153, -3e153, 2e153]])
    expected = [14 / 6, 14 / 6 * 1e-320, 14 / 6 * 1e306]
    np.testing.assert_allclose(conservative_variance(d), expected, rtol=1e-3)
    np.testing.assert_allclose(conservative_variance(d)[[0, 2]], np.array(expected)[[0, 2]])


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
    assert [alpha_of(level) for level in (0.9, 0.95, 0.99, 0.999, 0.99999)] == [
        0.1, 0.05, 0.01, 0.001, 0.00001
    ]  # fmt: skip
    assert alpha_of(np.float64(0.7)) == 0.3
