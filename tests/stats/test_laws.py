"""What holds for every procedure with a direction, whatever `get_procedure_names()` lists."""

import pickle
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from sklearn.base import clone

from skcvstats import LocationTest, get_procedure, get_procedure_names
from skcvstats.stats import samples_of
from tests.stats.recipes import ALTERNATIVES, RECIPES, every, moved

pytestmark = [pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")]

NUMBERS = ("statistic", "pvalue", "estimate", "standard_error")


def assert_same(one, other, rtol=1e-10):
    for name in NUMBERS:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=rtol)


def test_every_location_test_has_a_recipe():
    names = [
        name for name in get_procedure_names() if isinstance(get_procedure(name), LocationTest)
    ]
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
        for one, two in zip(
            plain.confidence_interval(0.9), other.confidence_interval(0.9), strict=True
        ):
            np.testing.assert_allclose(two, scale * one + shift, rtol=1e-7, atol=1e-9)

    def test_antisymmetric(self, recipe):
        scores = recipe.draw(np.random.default_rng(0), 20)
        turned = moved(scores, -1)
        for alternative, opposite in zip(
            ALTERNATIVES, ("two-sided", "greater", "less"), strict=True
        ):
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
        further = [
            {} if a[1] is None else {"auxiliary": pair} for pair in ((a[1], b[1]), (b[1], a[1]))
        ]
        one = recipe.test(alternative="less")(a[0], b[0], **further[0])
        other = recipe.test(alternative="greater")(b[0], a[0], **further[1])
        assert other.statistic == -one.statistic
        assert other.pvalue == one.pvalue


@every
class TestPValuesAndIntervals:
    def test_tails(self, recipe):
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
    def test_equals_looped(self, recipe):
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


@pytest.mark.parametrize(
    "recipe", [recipe for recipe in RECIPES.values() if len(recipe.shape) == 1]
)
def test_axis(recipe):
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
        assert get_procedure(test) is test
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
        result = replace(result, asked=False)
        low, high = result.confidence_interval()
        said = " ".join(str(result).splitlines())
        assert f"(95 % confidence interval {low:.3g} to {high:.3g})" in said
        assert "against" not in said.split("Note:")[0]
        assert "<th>high</th>" in result._repr_html_()
        assert "pvalue" not in result._repr_html_()

    def test_scores_that_are_not_finite(self, recipe):
        x, further = recipe.draw(np.random.default_rng(0))
        for hole in (np.nan, np.inf, -np.inf):
            with pytest.raises(ValueError, match=r"(x|row_scores) holds"):
                recipe.run(np.full_like(x, hole), further)
            if further is not None:
                with pytest.raises(ValueError, match="auxiliary holds"):
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
