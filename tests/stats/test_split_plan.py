"""Plans and power: against statsmodels, R's pwr, SciPy's noncentral t, quadrature and search."""

import numpy as np
import pytest
from scipy.stats import chi2, nct, norm, t
from sklearn.datasets import load_iris
from sklearn.metrics import make_scorer
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB

import skcvstats as s
from skcvstats import stats
from skcvstats.stats._power import equivalence_probability, rejection_probability
from tests.cheap import NearestMean
from tests.conftest import golden_cases
from tests.stats import oracles
from tests.stats.oracles import critical_of, power_by_scipy

VALUES = np.array([0.90, 0.85, 0.95, 0.80, 0.90, 0.92, 0.88, 0.83, 0.91, 0.87])
DESIGN = s.SplitDesign.from_sizes(50, 10, n_splits=10, n_samples=100)
SCORES = s.CVScores(values=VALUES, design=DESIGN)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_corrected_t_of_other_numbers_of_splits_by_its_formula(level):
    given = {"n_splits": [40, 5, 40], "fits_per_split": 2, "seconds_per_fit": 0.5}
    plan = stats.plan_n_splits(SCORES, 0.3, confidence_level=level, **given)
    assert plan.n_splits.tolist() == [5, 10, 40]
    errors = np.sqrt(VALUES.var(ddof=1) * (1 / plan.n_splits + 0.3 / 0.7))
    np.testing.assert_allclose(plan.standard_error, errors, rtol=1e-13)
    quantiles = t.ppf((1 + level) / 2, plan.n_splits - 1)
    np.testing.assert_allclose(plan.half_width, quantiles * errors, rtol=1e-10)
    assert plan.n_fits.tolist() == [10, 20, 80]
    assert plan.seconds.tolist() == [5, 10, 40]


@pytest.mark.parametrize(
    ("share", "difference", "alternative"),
    [
        *((share, None, "two-sided") for share in (1.001, 2, 30)),
        *((None, 0.045, "two-sided"), (None, 0.06, "greater"), (None, 0.2, "two-sided")),
    ],
)
def test_fewest_splits_by_search(share, difference, alternative):
    """For a width, or for a power of 0.8."""
    plan = stats.plan_n_splits(SCORES)
    width = None if share is None else share * plan.smallest_half_width
    power = {} if share else {"difference": difference, "power": 0.8, "alternative": alternative}
    found = plan.n_splits_for(width, **power)

    def serves(n_splits):
        error = np.sqrt(VALUES.var(ddof=1) * (1 / n_splits + 1 / 9))
        if share is not None:
            return t.ppf(0.975, n_splits - 1) * error <= width
        return power_by_scipy(difference / error, n_splits - 1, 0.05, alternative) >= 0.8

    assert isinstance(found, int)
    assert serves(found)
    assert found == 2 or not serves(found - 1)


def test_what_no_number_of_splits_goes_below():
    plan = stats.plan_n_splits(SCORES)
    floor = np.sqrt(VALUES.var(ddof=1) / 9)
    assert plan.smallest_standard_error == pytest.approx(floor, rel=1e-13)
    assert plan.smallest_half_width == pytest.approx(norm.ppf(0.975) * floor, rel=1e-13)
    assert (np.diff(plan.half_width) < 0).all()
    assert (plan.half_width > plan.smallest_half_width).all()
    without_correlation = stats.plan_n_splits(SCORES, 0)
    assert without_correlation.smallest_half_width == 0
    assert without_correlation.n_splits_for(1e-3) > 1000
    large = stats.plan_n_splits(SCORES, n_splits=[10**6]).detectable_difference().estimate[-1]
    limit = norm.isf([0.025, 0.2]).sum() * plan.smallest_standard_error
    assert large == pytest.approx(limit, rel=1e-4)


def test_frame_texts_and_times():
    X, y = load_iris(return_X_y=True)
    folds = KFold(10, shuffle=True, random_state=0)
    plan = stats.plan_n_splits(cross_validate(GaussianNB(), X, y, cv=folds, return_indices=True))
    assert (plan.correlation, plan.seconds is not None) == (0.1, True)
    assert any("by convention" in str(note) for note in plan.notes)
    times = {"fit_times": np.linspace(1, 2, 10), "score_times": np.full(10, 0.5)}
    timed = s.CVScores(values=VALUES, design=DESIGN, **times)
    np.testing.assert_allclose(stats.plan_n_splits(timed, n_splits=[20]).seconds, [20, 40])
    timed = s.CVScores(values=VALUES, design=DESIGN, fit_times=times["fit_times"])
    np.testing.assert_allclose(stats.plan_n_splits(timed, n_splits=[20]).seconds, [15, 30])
    assert stats.plan_n_splits(SCORES).seconds is None
    plan = stats.plan_n_splits(SCORES, seconds_per_fit=1.0)
    columns = ["n_splits", "standard_error", "half_width", "n_fits", "seconds"]
    assert plan.to_frame().columns.tolist() == columns
    assert stats.plan_n_splits(SCORES).to_frame().columns.tolist() == columns[:-1]
    assert plan.to_frame()["n_splits"].tolist() == [10, 15, 25, 50, 100, 200]
    assert plan._repr_html_().count("<tr>") == 7
    assert "correlated by n_test/n_samples = 0.1" in str(plan)
    assert "Given: a correlation of 0.2" in str(stats.plan_n_splits(SCORES, 0.2))


def scores_of(variance, n_splits, rho):
    """Scores of this sample variance on splits of which a share rho is tested."""
    x = np.random.default_rng(1).normal(size=n_splits)
    x = (x - x.mean()) * np.sqrt(variance / x.var(ddof=1))
    n_test = round(100 * rho)
    design = s.SplitDesign.from_sizes(100 - n_test, n_test, n_splits=n_splits)
    return s.CVScores(values=x, design=design)


OF_DIFFERENCES = golden_cases("statsmodels_power_corrected_t")
OF_DIFFERENCES = [case for case in OF_DIFFERENCES if "difference" in case["inputs"]]


class TestPower:
    @pytest.mark.parametrize("case", OF_DIFFERENCES, ids=lambda case: case["id"])
    def test_against_statsmodels(self, case):
        inputs, outputs = case["inputs"], case["outputs"]
        rho, n_splits = inputs["correlation"], inputs["n_splits"]
        # A split's scores vary by sd^2; what is seen within one set of splits is less.
        scores = scores_of((1 - rho) * inputs["sd"] ** 2, 20, rho)
        for name, expected in outputs.items():
            _, side, alpha = name.split("_")
            alternative = {"larger": "greater", "smaller": "less"}.get(side, side)
            how = {"n_splits": [n_splits], "confidence_level": 1 - float(alpha)}
            plan = stats.plan_n_splits(scores, **how)
            power = plan.power(inputs["difference"], alternative=alternative).estimate
            assert power[plan.n_splits == n_splits] == pytest.approx(expected, abs=1e-9)

    def test_power_is_the_share_of_rejections_in_simulated_scores(self):
        rng = np.random.default_rng(0)
        rho, n_splits, n = 0.1, 12, 40_000
        common, own = rng.normal(size=(n, 1)), rng.normal(size=(n, n_splits))
        x = 1.1 + np.sqrt(rho) * common + np.sqrt(1 - rho) * own
        plan = stats.plan_n_splits(scores_of(1 - rho, n_splits, rho), n_splits=[n_splits])
        assert plan.n_splits.tolist() == [n_splits]
        error = 4 * np.sqrt(0.25 / n)
        test = stats.corrected_resampled_ttest(x, n_train=90, n_test=10)
        assert (test.pvalue <= 0.05).mean() == pytest.approx(plan.power(1.1).estimate[0], abs=error)
        low, high = test.confidence_interval(0.9)
        shown = ((low > -0.5) & (high < 2.4)).mean()
        power = plan.power(1.1, margin=(-0.5, 2.4)).estimate
        assert shown == pytest.approx(power[0], abs=error)

    def test_ends_are_those_of_the_variance(self):
        plan = stats.plan_n_splits(SCORES, n_splits=[30])
        for power in (plan.power(0.03), plan.power(0.0, margin=0.05)):
            assert (power.low < power.estimate).all()
            assert (power.estimate < power.high).all()
        spread = VALUES.var(ddof=1)
        quantiles = chi2.ppf([0.975, 0.025], 9)
        assert plan.variance_interval == pytest.approx(9 * spread / quantiles, rel=1e-12)
        for end, variance in zip(["high", "low"], plan.variance_interval, strict=True):
            error = np.sqrt(variance * (1 / 30 + 1 / 9))
            expected = power_by_scipy(0.03 / error, 29, 0.05, "two-sided")
            assert getattr(plan.power(0.03), end)[1] == pytest.approx(expected, abs=1e-9)

    def test_a_family_takes_its_share_of_the_level(self):
        plan = stats.plan_n_splits(SCORES)
        found = plan.power(0.03, n_comparisons=6)
        error = np.sqrt(VALUES.var(ddof=1) * (1 / plan.n_splits + 1 / 9))
        expected = power_by_scipy(0.03 / error, plan.n_splits - 1, 0.05 / 6, "two-sided")
        np.testing.assert_allclose(found.estimate, expected, atol=1e-9)
        # Equivalence in a family is read from the two-sided interval: with two comparisons each is
        # planned at 97.5 %, the interval that one comparison has for its 1.25 % tests.
        alone = stats.plan_n_splits(SCORES, confidence_level=1 - 0.0125).power(0, margin=0.08)
        family = plan.power(0, margin=0.08, n_comparisons=2)
        np.testing.assert_allclose(family.estimate, alone.estimate, rtol=1e-9)
        assert plan.n_splits_for(0.05, n_comparisons=3) > plan.n_splits_for(0.05)

    @pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
    def test_power_is_the_level_at_zero_and_mirrored_by_the_sign(self, alternative):
        plan = stats.plan_n_splits(SCORES)
        for part in plan.power(0, alternative=alternative):
            np.testing.assert_allclose(part, 0.05, atol=1e-12)
        opposite = {"greater": "less", "less": "greater"}.get(alternative, alternative)
        mirrored = plan.power(-0.03, alternative=opposite)
        np.testing.assert_array_equal(plan.power(0.03, alternative=alternative), mirrored)
        mirrored = plan.power(-0.01, margin=(-0.05, 0.03))
        np.testing.assert_allclose(plan.power(0.01, margin=(-0.03, 0.05)), mirrored, rtol=1e-12)

    @pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
    def test_a_detectable_difference_has_that_power(self, alternative):
        plan = stats.plan_n_splits(SCORES)
        found = plan.detectable_difference(0.9, alternative=alternative)
        variances = (plan.variance, *plan.variance_interval)
        for sizes, variance in zip(found, variances, strict=True):
            noncentrality = sizes / np.sqrt(variance * (1 / plan.n_splits + 1 / 9))
            signed = -noncentrality if alternative == "less" else noncentrality
            power = power_by_scipy(signed, plan.n_splits - 1, 0.05, alternative)
            np.testing.assert_allclose(power, 0.9, atol=1e-9)

    def test_fewest_for_equivalence(self):
        plan = stats.plan_n_splits(SCORES, n_splits=range(2, 200))
        found = plan.n_splits_for(difference=0.01, power=0.7, margin=0.06)
        power = plan.power(0.01, margin=0.06).estimate
        assert (power[plan.n_splits < found] < 0.7).all()
        assert (power[plan.n_splits >= found] >= 0.7).all()

    def test_the_number_of_splits_lies_in_its_interval(self):
        plan = stats.plan_n_splits(SCORES)
        found = plan.n_splits_interval(difference=0.06, power=0.8)
        assert found.estimate == plan.n_splits_for(difference=0.06, power=0.8)
        assert found.low < found.estimate
        assert found.high == np.inf  # with the largest variance no number suffices

    def test_what_no_number_of_splits_shows(self):
        plan = stats.plan_n_splits(SCORES)
        # 0.01 has a limit of power: that of the normal distribution at the smallest standard error.
        limit = norm.sf(1.96 - 0.01 / plan.smallest_standard_error)
        limit += norm.sf(1.96 + 0.01 / plan.smallest_standard_error)
        least = norm.isf([0.025, 0.2]).sum() * plan.smallest_standard_error
        one_sided = norm.isf([0.05, 0.2]).sum() * plan.smallest_standard_error
        message = rf"any number of splits: .* tends to {limit:.3g}\..* of more than {least:.3g} in"
        with pytest.raises(ValueError, match=message):
            plan.n_splits_for(difference=0.01, power=0.8)
        assert plan.n_splits_interval(difference=0.01, power=0.8).estimate == np.inf
        with pytest.raises(ValueError, match=rf"a difference below -{one_sided:.3g}\."):
            plan.n_splits_for(difference=0.01, power=0.8, alternative="less")
        with pytest.raises(ValueError, match=r"tends to 0\.05\."):
            stats.plan_n_splits(SCORES, 0).n_splits_for(difference=0, power=0.8)
        with pytest.raises(ValueError, match=r"Collect more rows, or take a wider margin\."):
            plan.n_splits_for(difference=0, power=0.8, margin=0.01)


RNG = np.random.default_rng(0)
LOSSES = RNG.normal(size=(2, 150))
SD = np.std(LOSSES[0] - LOSSES[1], ddof=1)


def compared(groups=None, **options):
    return s.compare_losses(LOSSES, groups=groups, **options).tests[0]


def power_of_t(n, difference, sd, alpha=0.05):
    """The power of the paired two-sided t-test."""
    return power_by_scipy(difference / sd * np.sqrt(n), n - 1, alpha)


@pytest.mark.parametrize(
    ("difference", "power", "n_comparisons"), [(0.3, 0.8, 1), (-0.1, 0.95, 6), (2.0, 0.5, 1)]
)
def test_a_difference_needs_the_rows_of_the_paired_t_test(difference, power, n_comparisons):
    test = compared()
    alpha = 0.05 / n_comparisons
    plan = stats.plan_n_rows(test, difference=difference, power=power, n_comparisons=n_comparisons)
    needed = int(plan.n_rows.estimate)
    assert power_of_t(needed, abs(difference), SD, alpha) >= power
    assert power_of_t(needed - 1, abs(difference), SD, alpha) < power
    assert plan.n_rows.low <= needed <= plan.n_rows.high
    assert plan.n_groups is None
    needed = stats.plan_n_rows(test, width=0.1).n_rows.estimate
    widths = [2 * t.ppf(0.975, n - 1) * SD / np.sqrt(n) for n in (needed, needed - 1)]
    assert widths[0] <= 0.1 < widths[1]


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_a_one_sided_test_needs_fewer_rows_in_its_own_direction(alternative):
    test = compared(alternative=alternative, reference="estimator 0")
    needed = [stats.plan_n_rows(test, difference=sign * 0.2).n_rows.estimate for sign in (-1, 1)]
    approximate = ((norm.ppf(0.95) + norm.ppf(0.8)) * SD / 0.2) ** 2
    assert needed[0] == needed[1] == pytest.approx(approximate, abs=3)


def test_rows_for_equivalence_follow_from_two_one_sided_tests():
    """Two one-sided t-tests of many rows, with the normal distribution for Student's."""
    plan = stats.plan_n_rows(compared(), margin=0.05, power=0.9)
    approximate = ((norm.ppf(0.95) + norm.ppf(0.95)) * SD / 0.05) ** 2
    assert plan.n_rows.estimate == pytest.approx(approximate, rel=2e-3)
    assert "show equivalence within 0.05 with power 0.9" in plan.text


def test_with_unequal_groups_the_upper_end_is_named_as_safe():
    groups = np.minimum(np.arange(150) // 3, 30)  # the last one has 60 rows
    test = compared(groups=groups)
    plan = s.stats.plan_n_rows(test, difference=0.05)
    safe = f"the upper end: {plan.n_rows.high:.0f} rows in {plan.n_groups.high:.0f} groups."
    said = (
        f"The groups are unequal, equivalent to {test.df + 1:.3g} equal ones, so the safe number is"
    )
    assert plan.text.endswith(f"{said} {safe}")


def test_groups_are_planned_and_their_rows_follow():
    groups = np.arange(150) // 5
    test = compared(groups=groups)
    plan = stats.plan_n_rows(test, difference=0.3)
    means = (LOSSES[1] - LOSSES[0]).reshape(30, 5).mean(axis=1)
    needed = int(plan.n_groups.estimate)
    sd = np.std(means, ddof=1)
    assert power_of_t(needed, 0.3, sd) >= 0.8 > power_of_t(needed - 1, 0.3, sd)
    assert plan.n_rows.estimate == 5 * needed
    assert f"{5 * needed} rows in {needed} groups" in plan.text
    assert "unequal" not in plan.text
    assert "there are 150" in plan.text


def test_a_pair_of_several_is_planned_as_alone():
    losses = {name: RNG.exponential(size=60) for name in "abc"}
    result = s.compare_losses(losses, adjustment="holm")
    for comparison in result:
        names = comparison.estimator, comparison.versus
        alone = s.compare_losses({name: losses[name] for name in names}).tests[0]
        both = comparison.test, alone
        plans = [stats.plan_n_rows(test, difference=0.1).n_rows for test in both]
        assert plans[0] == pytest.approx(plans[1])


def mean_recall(y, predicted):
    return (np.mean(predicted[y == 1]) + np.mean(1 - predicted[y == 0])) / 2


@pytest.mark.parametrize(
    ("scoring", "method", "groups"),
    [
        ("accuracy", "mcnemar", None),
        (make_scorer(mean_recall), "bootstrap", None),
        ("roc_auc", "delong", np.arange(200) // 4),
    ],
)
def test_other_methods_follow_from_their_standard_error(scoring, method, groups):
    y = np.arange(200) % 2
    if method == "delong":
        models = {name: (RNG.random(200) + y * w) / 2 for name, w in [("a", 0.4), ("b", 0.6)]}
    else:
        models = {"a": np.where(RNG.random(200) < 0.7, y, 1 - y)}
        models["b"] = np.where(RNG.random(200) < 0.8, y, 1 - y)
    test = s.compare_predictions(y, models, scoring=scoring, method=method, groups=groups).tests[0]
    plan = stats.plan_n_rows(test, difference=0.05)
    approximate = ((norm.ppf(0.975) + norm.ppf(0.8)) * test.standard_error / 0.05) ** 2 * 200
    assert plan.n_rows.estimate == pytest.approx(approximate, rel=0.02 if groups is None else 0.2)
    assert (plan.n_groups is None) == (groups is None)


def test_of_the_row_t_test_as_if_nothing_changed_with_the_training_size():
    X = RNG.normal(size=(120, 2))
    y = X[:, 0] + RNG.normal(size=120) > 0
    models = {"one column": NearestMean(), "two columns": NearestMean(2)}
    result = s.compare_estimators(models, X, y, method="row_t", random_state=0)
    plan = stats.plan_n_rows(result.tests[0], difference=0.05)
    sd = result.tests[0].standard_error * np.sqrt(120)
    needed = int(plan.n_rows.estimate)
    assert power_of_t(needed, 0.05, sd) >= 0.8 > power_of_t(needed - 1, 0.05, sd)
    said = "if the difference and the variances stayed as they are at this training size"
    assert said in plan.text
    grouped = s.compare_estimators(models, X, y, groups=np.arange(120) // 3, method="row_t")
    plan = stats.plan_n_rows(grouped.tests[0], difference=0.05)
    assert plan.n_rows.estimate == 3 * plan.n_groups.estimate
    # Rows without weight tell nothing, and are planned beside the others.
    y, apart, weights = *np.random.default_rng(0).normal(size=(2, 120)), np.arange(120) < 60
    made = {"near": y + 0.8 * apart, "far": y + np.roll(apart, 1)}

    def planned(n):
        cut = {name: values[:n] for name, values in made.items()}
        how = {"folds": np.arange(n) % 5, "sample_weight": weights[:n] * 1.0}
        result = s.compare_out_of_fold(y[:n], cut, scoring="neg_mean_squared_error", **how)
        return np.array(stats.plan_n_rows(result.tests[0], difference=0.5).n_rows)

    assert planned(120).tolist() == (2 * planned(60)).tolist()


@pytest.mark.calibration
@pytest.mark.parametrize("kind", ["normal", "rare", "skew"])
def test_the_interval_holds_the_number_of_rows_that_the_true_variance_needs(kind):
    """Also where two classifiers disagree on few rows, which carry the variance."""
    rng, n, n_sets = np.random.default_rng(1), 500, 100
    draw, variance = {
        "normal": (lambda: rng.normal(size=n), 1.0),
        "rare": (lambda: rng.choice([-1, 0, 1], size=n, p=[0.02, 0.95, 0.03]), 0.05 - 0.01**2),
        "skew": (lambda: rng.exponential(size=n), 1.0),
    }[kind]
    needed = ((norm.ppf(0.975) + norm.ppf(0.8)) ** 2) * variance / 0.01**2
    inside = 0
    for _ in range(n_sets):
        test = s.compare_losses({"a": np.zeros(n), "b": draw()}, reference="a").tests[0]
        plan = stats.plan_n_rows(test, difference=0.01)
        inside += plan.n_rows.low <= needed <= plan.n_rows.high
    assert inside >= 0.9 * n_sets


TOLERANCE = 1e-9
SIDES = {"two.sided": "two-sided", "larger": "greater", "smaller": "less"}


def golden(name, output):
    return [case for case in golden_cases(name) if any(output in key for key in case["outputs"])]


@pytest.mark.parametrize("case", golden("pwr_t", "power"), ids=lambda case: case["id"])
def test_power_against_pwr(case):
    inputs = case["inputs"]
    alternative = SIDES.get(inputs["alternative"], inputs["alternative"])
    df = inputs["n"] - 1
    critical = critical_of(inputs["alpha"], df, alternative)
    power = rejection_probability(inputs["noncentrality"], df, critical, alternative)
    assert power == pytest.approx(case["outputs"]["power"], abs=TOLERANCE)


@pytest.mark.parametrize(
    "case", golden("statsmodels_power_corrected_t", "minimal"), ids=lambda case: case["id"]
)
def test_detectable_difference_against_statsmodels(case):
    inputs, outputs = case["inputs"], case["outputs"]
    df, rho = inputs["n_splits"] - 1, inputs["correlation"]
    error = inputs["sd"] * np.sqrt(rho + (1 - rho) / inputs["n_splits"])
    for side, alternative in (("two", "two-sided"), ("one", "greater")):
        critical = critical_of(inputs["alpha"], df, alternative)
        found = stats.detectable_difference(error, df, critical, inputs["power"], alternative)
        # The peer's root is that rough; SciPy's law says that ours is exact.
        expected = outputs[f"minimal_detectable_difference_{side}_sided"]
        assert found == pytest.approx(expected, rel=1e-5)
        power = power_by_scipy(found / error, df, inputs["alpha"], alternative)
        assert power == pytest.approx(inputs["power"], abs=TOLERANCE)


@pytest.mark.parametrize("df", [1, 2, 14, 99, 1e6])
def test_power_against_scipy_far_out_and_close_by(df):
    critical, noncentrality = np.meshgrid([0.5, 2, 6, 60, 600], [-3.0, 0.5, 3, 50, 300])
    with np.errstate(divide="ignore"):  # far out in SciPy 1.13
        expected = nct.sf(critical, df, noncentrality)
    found = rejection_probability(noncentrality, df, critical, "greater")
    np.testing.assert_allclose(found, expected, atol=1e-10)


def test_power_under_the_normal_law():
    expected = norm.sf(1.96 - 2.5) + norm.cdf(-1.96 - 2.5)
    assert rejection_probability(2.5, np.inf, 1.96) == pytest.approx(expected, abs=1e-15)
    # A law of a thousand million degrees of freedom differs from it by less than they can tell.
    assert rejection_probability(2.5, 1e9, 1.96) == pytest.approx(expected, abs=1e-8)
    inside = norm.cdf(3 - 1.64) - norm.cdf(1.64 - 3)
    assert equivalence_probability(3.0, 3.0, np.inf, 1.64) == pytest.approx(inside, abs=1e-15)


@pytest.mark.parametrize("df", [1, 14, 60])
@pytest.mark.parametrize(("below", "above"), [(2, 2), (1.5, 6), (12, 4)])
def test_equivalence_by_another_quadrature(df, below, above):
    critical = t.isf(0.05, df)
    expected = oracles.equivalence_probability(below, above, df, critical)
    found = equivalence_probability(below, above, df, critical)
    assert found == pytest.approx(expected, abs=TOLERANCE)


class TestDetectableDifference:
    def test_arrays_are_single_ones(self):
        errors, df = np.array([[0.01], [0.02]]), np.array([4, 14, np.inf])
        critical = np.array([2.8, 2.1, 1.96])
        found = stats.detectable_difference(errors, df, critical)
        assert found.shape == (2, 3)
        for row, error in enumerate(errors[:, 0]):
            for column in range(3):
                single = stats.detectable_difference(error, df[column], critical[column])
                assert isinstance(single, float)
                assert found[row, column] == pytest.approx(single, rel=1e-13)

    def test_what_has_no_difference(self):
        assert np.isnan(stats.detectable_difference(0.0, 14, 2.1))  # undetermined
        assert np.isnan(stats.detectable_difference(np.nan, 14, 2.1))
        assert np.isnan(stats.detectable_difference(0.01, 14, np.nan))
        assert stats.detectable_difference(0.01, 14, np.inf) == np.inf
        # A test that rejects more often than wanted without any difference.
        assert stats.detectable_difference(1.0, 14, 0.1, power=0.3) == 0
