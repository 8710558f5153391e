"""Plans of repeats, and the inflation on trial: formulas by hand, other tests, simulation."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    ComparisonResult,
    CorrectedResampledTTest,
    HoldoutTTest,
    RepeatedSubsampleSplit,
    RowTTest,
    compare_estimators,
    compare_scores,
    cross_val_inference,
)
from skcvstats.exceptions import SplitDesignError
from skcvstats.stats import RowTTestResult, plan_n_splits, row_ttest
from skcvstats.theory import correlation_sensitivity
from tests.stats.oracles import power_by_scipy

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "row_t.json").read_text())["cases"]
GUARDED = [case["inputs"] for case in GOLDEN if case["outputs"].get("guarded")]


def drawn(n_repeats=4, n_rows=60, shift=0.3, own=0.8, seed=0):
    """Scores of rows: each row its own, and what the repeats add."""
    rng = np.random.default_rng(seed)
    return shift + rng.normal(size=n_rows) + own * rng.normal(size=(n_repeats, n_rows))


def parts_of(scores):
    """v and w, from their definitions."""
    n_repeats, n_rows = scores.shape
    means = scores.mean(axis=0)
    v = ((means - means.mean()) ** 2).sum() / ((n_rows - 1) * n_rows)
    return v, ((scores - means) ** 2).sum() / ((n_repeats - 1) * n_rows**2)


def planned(scores, n_folds, inflation, n_repeats):
    """V' from the formula."""
    v, w = parts_of(scores)
    v = max(0.0, v + w * (1 / n_repeats - 1 / len(scores)))
    return v + inflation * (v + n_folds / 5 * w)


@pytest.mark.filterwarnings("ignore:With an inflation of")
@pytest.mark.parametrize(("n_folds", "inflation"), [(5, 0.5), (10, 0.5), (4, 1.2), (5, 0.001)])
class TestPlan:
    def test_against_the_formula(self, n_folds, inflation):
        scores = drawn()
        result = row_ttest(scores, n_folds=n_folds, inflation=inflation)
        assert (result.over_units, result.over_repeats) == pytest.approx(parts_of(scores))
        n_splits = [n_folds * k for k in (1, 2, 7, 100)]
        plan = plan_n_splits(result, n_splits=n_splits, confidence_level=0.9)
        repeats = [1, 2, 4, 7, 100]
        assert plan.n_splits.tolist() == [n_folds * k for k in repeats]
        assert plan.to_frame()["n_repeats"].tolist() == repeats
        variances = np.array([planned(scores, n_folds, inflation, k) for k in repeats])
        np.testing.assert_allclose(plan.standard_error, np.sqrt(variances), rtol=1e-12)
        quantile = stats.t.ppf(0.95, 59)
        np.testing.assert_allclose(plan.half_width, quantile * np.sqrt(variances), rtol=1e-10)
        limit = np.sqrt(planned(scores, n_folds, inflation, np.inf))
        assert plan.smallest_standard_error == pytest.approx(limit, rel=1e-12)
        assert plan.smallest_half_width == pytest.approx(quantile * limit, rel=1e-10)
        now = repeats.index(4)
        assert plan.standard_error[now] == pytest.approx(result.standard_error, rel=1e-12)
        low, high = result.confidence_interval(0.9)
        assert plan.half_width[now] == pytest.approx((high - low) / 2, rel=1e-10)

    def test_power_and_its_interval(self, n_folds, inflation):
        scores = drawn()
        plan = plan_n_splits(row_ttest(scores, n_folds=n_folds, inflation=inflation))
        assert (plan.n_splits / n_folds).tolist() == [2, 4, 10, 20, 40]
        now = planned(scores, n_folds, inflation, 4)
        interval = 59 * now / stats.chi2.ppf([0.975, 0.025], 59)
        assert plan.variance_interval == pytest.approx(interval, rel=1e-10)
        errors = np.sqrt([planned(scores, n_folds, inflation, k) for k in (2, 4, 10, 20, 40)])
        found, sizes = plan.power(0.4), plan.detectable_difference(0.9)
        for end, variance in zip(("estimate", "high", "low"), (now, *interval), strict=True):
            scaled = errors * np.sqrt(variance / now)
            expected = power_by_scipy(0.4 / scaled, 59, 0.05, "two-sided")
            np.testing.assert_allclose(getattr(found, end), expected, atol=1e-9)
            end = {"high": "low", "low": "high"}.get(end, end)
            back = power_by_scipy(getattr(sizes, end) / scaled, 59, 0.05, "two-sided")
            np.testing.assert_allclose(back, 0.9, atol=1e-9)

    def test_fewest_by_search(self, n_folds, inflation):
        scores = drawn()
        plan = plan_n_splits(row_ttest(scores, n_folds=n_folds, inflation=inflation))
        quantile = stats.t.ppf(0.975, 59)
        for share in (1.0001, 1.01, 1.05, 3):
            width = share * plan.smallest_half_width
            found = plan.n_splits_for(width)
            reached = [
                k
                for k in range(2, 6_000)
                if quantile * np.sqrt(planned(scores, n_folds, inflation, k)) <= width
            ]
            assert found == n_folds * reached[0]
        interval = plan.n_splits_interval(1.05 * plan.smallest_half_width)
        assert interval.low <= interval.estimate < interval.high == np.inf
        with pytest.raises(ValueError, match=f"tends to {plan.smallest_half_width:.3g}"):
            plan.n_splits_for(0.999 * plan.smallest_half_width)
        least = plan.smallest_standard_error / 10
        most = power_by_scipy(0.1, 59, 0.05, "two-sided")
        with pytest.raises(ValueError, match=f"tends to {most:.3g}"):
            plan.n_splits_for(difference=least, power=0.8)


def test_variance_over_units_does_not_fall_below_zero():
    x = np.random.default_rng(0).normal(size=30)
    scores = np.stack([x, -x])  # the means over both repeats are equal
    plan = plan_n_splits(row_ttest(scores, n_folds=5), n_splits=[5, 50, 500])
    w = parts_of(scores)[1]
    floor = np.sqrt(0.5 * w)
    np.testing.assert_allclose(plan.standard_error[[1, 2, 3]], floor, rtol=1e-12)
    assert plan.standard_error[0] == pytest.approx(np.sqrt(0.75 * w + 0.5 * w), rel=1e-12)
    assert plan.smallest_standard_error == pytest.approx(floor, rel=1e-12)


def test_more_repeats_vary_as_planned():
    """On average V as planned for 2 and 8 repeats is V as measured on 2 and on 8."""
    n, at = 400, (2, 8)
    found, measured = np.zeros((2, n, 2))
    for k in range(n):
        scores = drawn(12, 30, own=1.5, seed=k)
        plan = plan_n_splits(row_ttest(scores[:4], n_folds=5), n_splits=[10, 40])
        found[k] = plan.standard_error[[0, 2]] ** 2
        measured[k] = [row_ttest(scores[-r:], n_folds=5).standard_error ** 2 for r in at]
    errors = (found - measured).std(axis=0) / np.sqrt(n)
    assert (np.abs((found - measured).mean(axis=0)) < 4 * errors).all()
    assert (errors < 0.02 * measured.mean(axis=0)).all()


def test_power_by_simulation():
    """Rows and a shift of all of them by what training rows share, of the variance assumed."""
    rng = np.random.default_rng(0)
    n, n_rows, difference, inflation = 20_000, 20, 0.8, 0.5
    rows = rng.normal(size=(n, n_rows))
    shared = np.sqrt(inflation / n_rows) * rng.normal(size=(n, 1))
    x = np.repeat((difference + rows + shared)[:, np.newaxis], 2, axis=1)
    at = row_ttest(np.repeat(stats.zscore(rows[:1], axis=1, ddof=1), 2, axis=0), n_folds=5)
    assert at.over_units == pytest.approx(1 / n_rows)
    for alternative in ("two-sided", "greater"):
        shown = row_ttest(x, n_folds=5, alternative=alternative).pvalue <= 0.05
        power = plan_n_splits(at).power(difference, alternative=alternative).estimate
        np.testing.assert_allclose(power, shown.mean(), atol=4 * np.sqrt(0.25 / n))


def test_groups_are_the_units_of_a_plan():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 25, 200)
    scores = drawn(3, 200) + rng.normal(size=25)[codes]
    weights = rng.uniform(0.5, 2, 200)
    result = row_ttest(scores, n_folds=5, groups=codes, sample_weight=weights)
    plan = plan_n_splits(result)
    assert result.df < 24
    low, high = result.confidence_interval()
    assert plan.half_width[plan.n_splits == 15] == pytest.approx((high - low) / 2, rel=1e-10)
    assert (np.diff(plan.half_width) < 0).all()
    alone = plan.n_splits == 10
    v, w = result.over_units + result.over_repeats * (1 / 2 - 1 / 3), result.over_repeats
    assert plan.standard_error[alone] == pytest.approx(np.sqrt(v + 0.5 * (v + w)), rel=1e-12)


def test_one_of_several():
    scores = np.stack([drawn(seed=k) for k in range(3)])
    together = row_ttest(scores, n_folds=5)
    with pytest.raises(ValueError, match=r"result\.take\(0\)"):
        plan_n_splits(together)
    for k in range(3):
        taken, alone = together.take(k), row_ttest(scores[k], n_folds=5)
        assert isinstance(taken, RowTTestResult)
        for name in ("over_units", "over_repeats", "least_variance"):
            assert getattr(taken, name) == pytest.approx(getattr(alone, name), rel=1e-12)
        errors = plan_n_splits(taken).standard_error
        np.testing.assert_allclose(errors, plan_n_splits(alone).standard_error, rtol=1e-12)


def test_what_cannot_be_planned():
    with pytest.raises(SplitDesignError, match="n_repeats=2 first"):
        plan_n_splits(row_ttest(drawn(1), n_folds=5))
    result = row_ttest(drawn(), n_folds=5)
    with pytest.raises(SplitDesignError, match=r"multiples of 5, for whole repeats"):
        plan_n_splits(result, n_splits=[20, 22])
    with pytest.raises(ValueError, match=r"rho=0\.1, but the row t-test has no correlation"):
        plan_n_splits(result, 0.1)
    with pytest.warns(match="do not vary"):
        constant = row_ttest(np.ones((2, 20)), n_folds=5)
    with pytest.raises(ValueError, match="of scores that vary"):
        plan_n_splits(constant)
    with pytest.raises(ValueError, match="squares are in range"):
        plan_n_splits(row_ttest(drawn() * 1e200, n_folds=5))


def on_golden(given, **options):
    names = {"weights": "sample_weight", "null": "null_value"}
    given = {names.get(name, name): value for name, value in given.items() if name != "level"}
    return row_ttest(**given | options)


@pytest.mark.parametrize("given", GUARDED, ids=str)
def test_guarded_results_are_not_planned(given):
    result = on_golden(given)
    assert result.least_variance > 0
    if result.n_repeats > 1:
        with pytest.raises(ValueError, match="differ by more than their test rows explain"):
            plan_n_splits(result)


class TestInflation:
    GRID = (0.0, 0.2, 0.5, 1.0, 1.5)

    @pytest.mark.parametrize("n_repeats", [1, 4])
    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    @pytest.mark.filterwarnings("ignore:With an inflation of")
    def test_against_the_tests(self, n_repeats, alternative):
        options = {"null_value": 0.1, "alternative": alternative, "n_folds": 10}
        scores = drawn(n_repeats)
        found = correlation_sensitivity(
            row_ttest(scores, **options), self.GRID, confidence_level=0.9
        )
        self.compare(found, lambda a: row_ttest(scores, inflation=a, **options), 0.9)
        assert (found.null_value, found.alternative) == (0.1, alternative)
        assert (found.assumption, found.assumed) == ("inflation", 0.5)

    @pytest.mark.parametrize("given", GUARDED, ids=str)
    @pytest.mark.filterwarnings("ignore:With an inflation of")
    def test_with_the_guard(self, given):
        found = correlation_sensitivity(on_golden(given), self.GRID)
        self.compare(found, lambda a: on_golden(given, inflation=a), 0.95)

    def compare(self, found, test_at, level):
        assert set(self.GRID) <= set(found.correlation)
        for k, inflation in enumerate(found.correlation):
            test = test_at(inflation)
            assert found.standard_error[k] == pytest.approx(test.standard_error, rel=1e-10)
            assert found.pvalue[k] == pytest.approx(test.pvalue, rel=1e-8)
            ends = (found.low[k], found.high[k])
            assert ends == pytest.approx(tuple(test.confidence_interval(level)), rel=1e-10)

    @pytest.mark.parametrize("n_repeats", [1, 3])
    @pytest.mark.parametrize("level", [0.9, 0.99])
    def test_at_the_tipping_inflation_p_is_the_level(self, n_repeats, level):
        result = row_ttest(drawn(n_repeats, shift=0.55, own=0.3), n_folds=5)
        tipping = correlation_sensitivity(result, confidence_level=level).tipping
        assert tipping > 0
        at = correlation_sensitivity(result, [tipping], confidence_level=level)
        k = at.correlation.tolist().index(tipping)
        assert at.pvalue[k] == pytest.approx(1 - level, rel=1e-9)

    @pytest.mark.parametrize("shift", [-0.9, -0.45, 0.0, 0.2, 0.3, 0.38, 0.45, 0.9])
    @pytest.mark.parametrize("least", [0.0, 0.03, 0.06])
    def test_verdict_and_tipping_agree_with_the_table(self, shift, least):
        scores = drawn(2, own=0.2)
        result = row_ttest(scores - scores.mean() + shift, n_folds=5)
        object.__setattr__(result, "least_variance", least)
        found = correlation_sensitivity(result, np.linspace(0, 10, 101))
        left_out = (found.low > 0) | (found.high < 0)
        verdict = found.verdict()
        if np.isnan(found.tipping):
            assert left_out.all() or not left_out.any()
            assert ("excludes" if left_out.all() else "contains") in verdict
            assert "at every inflation" in verdict
            return
        np.testing.assert_array_equal(left_out, found.correlation <= found.tipping)
        assert f"up to an inflation of {found.tipping:.3g}" in verdict

    def test_says_inflation(self):
        result = row_ttest(drawn(shift=0.4, own=0.2), n_folds=5)
        found = correlation_sensitivity(result)
        assert (found.correlation[0], found.correlation[-1]) == (0, 1.5)
        assert found.to_frame().columns[0] == "inflation"
        assert "the assumed 0.5. The true inflation cannot be estimated" in str(found)
        with pytest.raises(ValueError, match=r"rho=-0\.1 must hold inflations of the row t"):
            correlation_sensitivity(result, -0.1)
        with pytest.raises(ValueError, match=r"result\.take\(0\)"):
            correlation_sensitivity(row_ttest(np.stack([drawn()] * 2), n_folds=5))


@pytest.fixture(scope="module")
def data():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :5] / X[:, :5].std(axis=0), y


MODELS = {
    "logistic": LogisticRegression(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
}


class TestResults:
    """Of estimators: what a comparison and an estimate tell of their power."""

    def test_two_models(self, data):
        two = {name: MODELS[name] for name in ("logistic", "bayes")}
        result = compare_estimators(two, *data, method="row_t", random_state=0)
        plan = plan_n_splits(result.tests[0], fits_per_split=2)
        assert plan.label == result.tests[0].label
        assert plan.n_fits.tolist() == (2 * plan.n_splits).tolist()
        now = plan.n_splits == 20
        # of a single comparison the critical value is that of the plan
        at = result[0].detectable_difference(0.9)
        assert plan.detectable_difference(0.9).estimate[now] == pytest.approx(at, rel=1e-9)
        other = result.with_confidence(0.8)
        at = plan_n_splits(other.tests[0], confidence_level=0.8).half_width[now]
        low, high = other[0].confidence_interval()
        assert at == pytest.approx((high - low) / 2, rel=1e-10)
        assert "an inflation of 0.5" in str(plan)
        again = ComparisonResult.from_json(result.to_json()).tests[0]
        np.testing.assert_array_equal(plan_n_splits(again).half_width, plan.half_width)
        assert str(correlation_sensitivity(again)) == str(correlation_sensitivity(result.tests[0]))

    def test_three_models(self, data):
        method = RowTTest(n_repeats=2, n_folds=10)
        result = compare_estimators(MODELS, *data, method=method, random_state=0)
        for comparison, test in zip(result, result.tests, strict=True):
            plan = plan_n_splits(test)
            alone = plan.detectable_difference().estimate[plan.n_splits == 20]
            assert comparison.detectable_difference() > alone  # adjusted for three comparisons
            family = plan.detectable_difference(n_comparisons=3).estimate[plan.n_splits == 20]
            assert comparison.detectable_difference() < 1.01 * family  # max-t is not above it
            assert plan.test is test
            low, high = comparison.confidence_interval(0.9)
            assert high - low < np.diff(comparison.confidence_interval())
        with pytest.raises(TypeError, match=r"result\.tests\[0\]"):
            plan_n_splits(result)

    def test_one_model_and_its_times(self, data):
        result = cross_val_inference(MODELS["tree"], *data, method="row_t", random_state=0)
        plan = plan_n_splits(result)
        assert (plan.seconds > 0).all()
        assert "n_repeats" in plan._repr_html_()
        assert plan_n_splits(result, seconds_per_fit=2).seconds.tolist() == [20, 40, 100, 200, 400]


class TestSecondProcedure:
    """A result says if its scores were made for another procedure."""

    CODE = "second procedure"

    def codes(self, result):
        return [note.code for note in result.notes]

    def test_is_noted(self, data):
        first = compare_estimators(MODELS, *data, method="row_t", random_state=0)
        assert self.CODE not in self.codes(first)
        with pytest.warns(match="stratified"):
            second = compare_scores(first.scores)
        assert self.CODE in self.codes(second)
        assert "report the one chosen beforehand" in " ".join(str(second).split())
        assert self.CODE in self.codes(CorrectedResampledTTest()(first.tests[0].scores))
        assert self.CODE not in self.codes(compare_scores(first.scores, method="row_t"))
        again = ComparisonResult.from_json(second.to_json())
        assert self.CODE in self.codes(again)

    def test_is_not_noted_elsewhere(self, data):
        cv = RepeatedSubsampleSplit(10, random_state=0)
        for options in ({"cv": cv}, {"method": HoldoutTTest(hypotheses="fixed")}):
            result = compare_estimators(MODELS, *data, random_state=0, **options)
            assert self.CODE not in self.codes(result)
