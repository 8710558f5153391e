"""What holds for every procedure with a direction, also where variances are zero up to rounding."""

import pickle
import warnings
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.dummy import DummyClassifier

import skcvstats as s
from skcvstats.stats import (
    UNDETERMINED,
    corrected_resampled_ttest,
    five_by_two_cv_ftest,
    samples_of,
)
from skcvstats.theory import conservative_variance
from tests.stats.recipes import ALTERNATIVES, RECIPES, every, moved

pytestmark = [pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")]

NUMBERS = ("statistic", "pvalue", "estimate", "standard_error")


def assert_same(one, other, rtol=1e-10):
    for name in NUMBERS:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=rtol)


def test_every_location_test_has_a_recipe():
    every_test = map(s.get_procedure, s.get_procedure_names())
    names = [test.name for test in every_test if isinstance(test, s.LocationTest)]
    assert sorted({recipe.name for recipe in RECIPES.values()}) == names


@every
class TestEquivariance:
    def test_under_shift_and_scale(self, recipe):
        rng = np.random.default_rng(0)
        scores = recipe.draw(rng, 20)
        null_value, scale, shift = rng.normal(), rng.uniform(0.01, 100), rng.normal()
        plain = recipe.run(*scores, null_value=null_value)
        other = recipe.run(*moved(scores, scale, shift), null_value=scale * null_value + shift)
        np.testing.assert_allclose(other.statistic, plain.statistic, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(other.pvalue, plain.pvalue, rtol=1e-7)
        np.testing.assert_allclose(other.estimate, scale * plain.estimate + shift, rtol=1e-9)
        np.testing.assert_allclose(other.standard_error, scale * plain.standard_error, rtol=1e-7)
        ends = (test.confidence_interval(0.9) for test in (plain, other))
        for one, two in zip(*ends, strict=True):
            np.testing.assert_allclose(two, scale * one + shift, rtol=1e-7, atol=1e-9)

    def test_tests_are_antisymmetric(self, recipe):
        scores = recipe.draw(np.random.default_rng(0), 20)
        turned = moved(scores, -1)
        opposites = ("two-sided", "greater", "less")
        for alternative, opposite in zip(ALTERNATIVES, opposites, strict=True):
            one = recipe.run(*scores, null_value=0.1, alternative=alternative)
            other = recipe.run(*turned, null_value=-0.1, alternative=opposite)
            np.testing.assert_array_equal(other.statistic, -one.statistic)
            np.testing.assert_array_equal(other.pvalue, one.pvalue)
            np.testing.assert_array_equal(other.estimate, -one.estimate)
            low, high = one.confidence_interval(0.9)
            np.testing.assert_array_equal(other.confidence_interval(0.9), (-high, -low))

    def test_a_minus_b_against_b_minus_a(self, recipe):
        rng = np.random.default_rng(0)
        a, b = (recipe.scores(*recipe.draw(rng)) for _ in range(2))
        both = (a[1], b[1]), (b[1], a[1])
        further = [{} if a[1] is None else {"auxiliary": pair} for pair in both]
        one = recipe.test(alternative="less")(a[0], b[0], **further[0])
        other = recipe.test(alternative="greater")(b[0], a[0], **further[1])
        assert other.statistic == -one.statistic
        assert other.pvalue == one.pvalue


@every
class TestPValuesAndIntervals:
    def test_pvalues_of_the_sides_add_to_one(self, recipe):
        scores = recipe.draw(np.random.default_rng(0), 200)
        p = {a: recipe.run(*scores, null_value=0.2, alternative=a).pvalue for a in ALTERNATIVES}
        np.testing.assert_allclose(p["less"] + p["greater"], 1, rtol=1e-12)
        smaller = np.minimum(p["less"], p["greater"])
        np.testing.assert_allclose(p["two-sided"], 2 * smaller, rtol=1e-12)

    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("level", [0.001, 0.95, 0.999])
    def test_the_interval_holds_what_the_test_does_not_reject(self, recipe, alternative, level):
        rng = np.random.default_rng(0)
        scores, nulls = recipe.draw(rng, 300), rng.normal(scale=0.5, size=300)
        result = recipe.run(*scores, null_value=nulls, alternative=alternative)
        low, high = result.confidence_interval(level)
        np.testing.assert_array_equal((low < nulls) & (nulls < high), result.pvalue > 1 - level)

    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    def test_the_ends_of_the_interval_have_the_level_as_p(self, recipe, alternative):
        level = 0.9
        scores = recipe.draw(np.random.default_rng(0), 20)
        low, high = recipe.run(*scores, alternative=alternative).confidence_interval(level)
        for end, infinite in ((low, "less"), (high, "greater")):
            if alternative == infinite:
                assert np.isinf(end).all()
                continue
            there = recipe.run(*scores, null_value=end, alternative=alternative)
            np.testing.assert_allclose(there.pvalue, 1 - level, rtol=1e-9)


@every
class TestVectorised:
    def test_vectorised_tests_equal_looped_ones(self, recipe):
        rng = np.random.default_rng(0)
        x, further = recipe.draw(rng, 3, 2)
        nulls = rng.normal(size=(3, 2))
        together = recipe.run(x, further, null_value=nulls, alternative="less")
        for i in np.ndindex(3, 2):
            rest = None if further is None else further[i]
            alone = recipe.run(x[i], rest, null_value=nulls[i], alternative="less")
            for name in NUMBERS:
                # Sums over a block may round in another order than sums of one row.
                expected = pytest.approx(getattr(alone, name), rel=1e-12)
                assert getattr(together, name)[i] == expected
                assert isinstance(getattr(alone, name), float)
            high = together.confidence_interval(0.9).high[i]
            assert high == pytest.approx(alone.confidence_interval(0.9).high, rel=1e-12)

    def test_large_batches_equal_small_ones(self, recipe):
        x, further = recipe.draw(np.random.default_rng(0), 20_000)
        together = recipe.run(x, further)
        part = slice(9_990, 10_010)
        alone = recipe.run(x[part], None if further is None else further[part])
        for name in NUMBERS:
            np.testing.assert_allclose(getattr(together, name)[part], getattr(alone, name), 1e-12)

    def test_class_and_function_agree(self, recipe):
        scores = recipe.draw(np.random.default_rng(0), 4)
        options = {"null_value": 0.1, "alternative": "greater"}
        result, function = recipe.judge(*scores, **options), recipe.run(*scores, **options)
        assert_same(result, function, 1e-13)
        for name in ("df", "n_train", "n_test", "n_samples", "n_splits", "method"):
            assert getattr(result, name) == pytest.approx(getattr(function, name), nan_ok=True)
        assert result.correction == pytest.approx(function.correction, rel=1e-15, nan_ok=True)
        assert result.df == recipe.df
        n_train = {"row_t": 8, "diebold_mariano": np.nan}  # unknown of a test set
        n_train = n_train.get(recipe.name) or recipe.sizes["n_train"]
        assert result.n_train == pytest.approx(n_train, nan_ok=True)
        assert result.method == recipe.name


@pytest.mark.parametrize("recipe", [one for one in RECIPES.values() if len(one.shape) == 1])
def test_the_axis_of_splits_does_not_matter(recipe):
    x, further = recipe.draw(np.random.default_rng(0), 4)
    assert_same(recipe.run(x.T, further, axis=0), recipe.run(x, further), 1e-12)


@every
def test_orders_that_do_and_do_not_matter(recipe):
    assert recipe.harmless
    for what, change in {**recipe.harmless, **recipe.harmful}.items():
        rng = np.random.default_rng(0)
        scores = recipe.draw(rng)
        changed = change(*scores, rng)
        assert not all(map(np.array_equal, scores, changed)), what
        one, other = recipe.run(*scores), recipe.run(*changed)
        if what in recipe.harmless:
            assert_same(other, one, 1e-11)
        else:
            assert abs(one.statistic - other.statistic) > 1e-3, what


@every
class TestValues:
    def test_tests_are_values_that_their_repr_makes_again(self, recipe):
        test = recipe.test(null_value=0.1, alternative="greater")
        assert eval(repr(test), {type(test).__name__: type(test)}) == test
        assert s.get_procedure(test) is test
        assert pickle.loads(pickle.dumps(test)) == test == clone(test, safe=False)
        assert hash(test) == hash(recipe.test(null_value=0.1, alternative="greater"))
        assert test != recipe.test()
        with pytest.raises(AttributeError, match="cannot assign"):
            test.null_value = 0

    def test_the_sentence_names_the_procedure_and_has_the_numbers(self, recipe):
        result = recipe.judge(*recipe.draw(np.random.default_rng(0)), null_value=0.1)
        law = "z = " if np.isinf(recipe.df) else f"t({recipe.df}) = "
        said = " ".join(str(result).splitlines())
        assert recipe.test().title in said
        assert f"{law}{result.statistic:.3g}, p " in said
        assert "(two-sided, against 0.1)" in said
        assert "  " not in said
        assert "<th>pvalue</th>" in result._repr_html_()
        result = replace(result, reporting=replace(result.reporting, asked=False))
        low, high = result.confidence_interval()
        said = " ".join(str(result).splitlines())
        assert f"(95 % confidence interval {low:.3g} to {high:.3g})" in said
        assert "against" not in said.split("Note:")[0]
        assert "<th>high</th>" in result._repr_html_()
        assert "pvalue" not in result._repr_html_()

    def test_scores_that_are_not_finite(self, recipe):
        x, further = recipe.draw(np.random.default_rng(0))
        for hole in (np.nan, np.inf, -np.inf):
            with pytest.raises(ValueError, match=r"(x|row_scores) contains"):
                recipe.run(np.full_like(x, hole), further)
            if further is not None:
                with pytest.raises(ValueError, match="auxiliary contains"):
                    recipe.run(x, np.full_like(further, hole))


@every
def test_the_root_gives_the_standard_errors_of_all_differences(recipe):
    """Of as many squares as there are degrees of freedom, also where the law is normal."""
    drawn = recipe.draw(np.random.default_rng(2), 3)  # where row_t is not guarded
    test, (scores, further) = recipe.test(), recipe.scores(*drawn)
    root = test.root(*samples_of(test, scores, further))
    normal = {"holdout_t": 24, "conservative_z": 6}
    assert root.n_squares == (recipe.df if np.isfinite(recipe.df) else normal[recipe.name])
    for a, b in combinations(range(3), 2):
        rest = None if further is None else further.row(a) - further.row(b)
        alone = test.run(scores.row(a) - scores.row(b), rest)
        length = np.linalg.norm(root.values[a] - root.values[b])
        assert length == pytest.approx(alone.standard_error, rel=1e-12)


EPS = np.finfo(float).eps
RNG = np.random.default_rng


def constant(recipe, value, *leading):
    return moved(recipe.draw(RNG(0), *leading), 0, value)


def degenerate(call, *args, **options):
    with pytest.warns(s.DegenerateScoresWarning, match="do not vary over the"):
        return call(*args, **options)


@every
class TestEveryProcedure:
    @pytest.mark.parametrize("value", [0.0, -0.3, 1e-90, 1e90])
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

    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    def test_constant_scores_off_the_null_value(self, recipe, alternative):
        for value, in_its_direction in ((0.3, "less"), (-0.3, "greater")):
            expected = alternative == in_its_direction
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
        assert f"2 of 3 tests are {UNDETERMINED}" in map(str, result.notes)
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
    def test_pairs_that_agree_leave_no_variance(self, variant):
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


@pytest.mark.parametrize("law", ["normal", "t"])
def test_few_rows_of_a_holdout_are_those_with_a_weight(law):
    def notes(n_rows, n_weighted):
        weights = (np.arange(n_rows) < n_weighted).astype(float)
        losses = np.random.default_rng(0).normal(size=n_rows)
        rows = s.RowScores(
            values=losses, rows=np.arange(n_rows), offsets=[0, n_rows], weights=weights
        )
        design = s.SplitDesign.from_sizes(100, [n_rows], n_samples=200)
        scores = s.CVScores(values=rows.means(), design=design, row_scores=rows)
        found = s.HoldoutTTest(law=law, hypotheses="fixed")(scores)
        return [str(note) for note in found.notes if note.code == "few rows"]

    (text,) = notes(90, 9)
    assert text.startswith("only 9 test rows")
    assert notes(90, 90) == []


class TestOneEstimator:
    """It is said once: by a warning of its own kind, and by a note."""

    def half(self, estimator, X, y):
        return 0.5

    def test_an_undetermined_score_is_warned_of_once(self):
        X, y = np.arange(100.0)[:, None], np.arange(100) % 2
        with warnings.catch_warnings(record=True, action="always") as caught:
            how = {"scoring": self.half, "method": "corrected_resampled_t"}
            result = s.cross_val_inference(DummyClassifier(), X, y, **how)
        assert [one.category for one in caught] == [s.DegenerateScoresWarning]
        assert result.notes == (UNDETERMINED,)
        assert str(result).count("no conclusion can be drawn") == 1

    def test_notes_of_an_interval_are_warned_of_by_their_category(self):
        design = s.SplitDesign.from_sizes(90, 10, n_splits=5)
        scores = s.CVScores(values=np.full(5, 0.5), design=design, notes=("a note",))
        with warnings.catch_warnings(record=True, action="always") as caught:
            assert scores.confidence_interval(method="resampled_t") == (0.5, 0.5)
        told = [(one.category, str(one.message)) for one in caught]
        # a note of the user's own is no warning
        kinds = [s.DegenerateScoresWarning, s.AnticonservativeWarning, s.SplitDesignWarning]
        assert [kind for kind, _ in told] == kinds
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
@pytest.mark.parametrize("exponent", [320, -320])
def test_the_unit_of_the_scores_does_not_matter(recipe, exponent):
    scores = recipe.draw(np.random.default_rng(0), 3)
    usual, scaled = recipe.run(*scores), recipe.run(*moved(scores, 2.0**exponent))
    np.testing.assert_array_equal(scaled.statistic, usual.statistic)
    np.testing.assert_array_equal(scaled.pvalue, usual.pvalue)
    np.testing.assert_array_equal(scaled.estimate, np.ldexp(usual.estimate, exponent))
    np.testing.assert_array_equal(scaled.standard_error, np.ldexp(usual.standard_error, exponent))
    f, scaled_f = five_by_two_cv_ftest(X), five_by_two_cv_ftest(X * 2.0**exponent)
    np.testing.assert_array_equal(scaled_f.statistic, f.statistic)


@every
@pytest.mark.parametrize("factor", [1e101, 1e-104])
def test_scores_whose_squares_leave_the_range_are_refused(recipe, factor):
    scores = recipe.draw(np.random.default_rng(0), 3)
    by = np.array([1.0, 1.0, factor])  # one row is enough
    mixed = [None if one is None else one * by.reshape(3, *[1] * (one.ndim - 1)) for one in scores]
    for call in (recipe.run, recipe.judge):
        with pytest.raises(ValueError, match="must be from 1e-100 to 1e\\+100, or exactly 0"):
            call(*mixed)
    with pytest.raises(ValueError, match="Multiply all of these numbers by a constant"):
        five_by_two_cv_ftest(X * factor)


def test_the_conservative_variance_neither_overflows_nor_underflows():
    d = np.array([[1.0, -3.0, 2.0], [1e-90, -3e-90, 2e-90], [1e90, -3e90, 2e90], [0, 0, 0]])
    expected = [14 / 6, 14 / 6 * 1e-180, 14 / 6 * 1e180, 0]
    np.testing.assert_allclose(conservative_variance(d), expected)


@pytest.mark.parametrize("level", [1 - 1e-9, 1 - 5e-13, 1 - 1e-13, 1 - 2**-53])
def test_levels_that_are_nearly_1(level):
    result = corrected_resampled_ttest(X[0], **SIZES)
    with warnings.catch_warnings(action="error"):
        low, high = result.confidence_interval(level)
    quantile = stats.t.isf((1 - level) / 2, 9)
    half_width = quantile * result.standard_error
    assert high - low == pytest.approx(2 * half_width, rel=1e-9)
    assert result.claim(1 - level).kind == "not shown"
