"""Rows that a difference, a width or a margin needs: closed forms, and simulated intervals."""

import numpy as np
import pytest
from scipy.stats import nct, norm, t

from skcvstats import compare_estimators, compare_losses, compare_predictions
from skcvstats.stats import plan_n_rows
from tests.cheap import NearestMean

RNG = np.random.default_rng(0)
LOSSES = RNG.normal(size=(2, 150))


def compared(groups=None, **options):
    return compare_losses(LOSSES, groups=groups, **options).tests[0]


def power_of_t(n, difference, sd, alpha=0.05):
    """The power of the paired two-sided t-test, from SciPy's noncentral t."""
    df, ncp = n - 1, difference / sd * np.sqrt(n)
    critical = t.ppf(1 - alpha / 2, df)
    with np.errstate(divide="ignore"):  # SciPy 1.13
        return nct.sf(critical, df, ncp) + nct.cdf(-critical, df, ncp)


@pytest.mark.parametrize(
    ("difference", "power", "n_comparisons"), [(0.3, 0.8, 1), (-0.1, 0.95, 6), (2.0, 0.5, 1)]
)
def test_a_difference_needs_the_rows_of_the_paired_t_test(difference, power, n_comparisons):
    test = compared()
    sd, alpha = np.std(LOSSES[0] - LOSSES[1], ddof=1), 0.05 / n_comparisons
    plan = plan_n_rows(test, difference=difference, power=power, n_comparisons=n_comparisons)
    needed = int(plan.n_rows.estimate)
    assert power_of_t(needed, abs(difference), sd, alpha) >= power
    assert power_of_t(needed - 1, abs(difference), sd, alpha) < power
    assert plan.n_rows.low <= needed <= plan.n_rows.high
    assert plan.n_groups is None
    needed = plan_n_rows(test, width=0.1).n_rows.estimate
    widths = [2 * t.ppf(0.975, n - 1) * sd / np.sqrt(n) for n in (needed, needed - 1)]
    assert widths[0] <= 0.1 < widths[1]


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_a_one_sided_test_needs_fewer_rows_in_its_own_direction(alternative):
    test = compared(alternative=alternative)
    sd = np.std(LOSSES[0] - LOSSES[1], ddof=1)
    needed = [plan_n_rows(test, difference=sign * 0.2).n_rows.estimate for sign in (-1, 1)]
    approximate = ((norm.ppf(0.95) + norm.ppf(0.8)) * sd / 0.2) ** 2
    assert needed[0] == needed[1] == pytest.approx(approximate, abs=3)


def test_a_margin_of_equal_models():
    """Two one-sided t-tests of many rows, with the normal distribution for Student's."""
    sd = np.std(LOSSES[0] - LOSSES[1], ddof=1)
    plan = plan_n_rows(compared(), margin=0.05, power=0.9)
    approximate = ((norm.ppf(0.95) + norm.ppf(0.95)) * sd / 0.05) ** 2
    assert plan.n_rows.estimate == pytest.approx(approximate, rel=2e-3)
    assert "show equivalence within 0.05 with power 0.9" in str(plan)
    more = plan_n_rows(compared(), margin=0.05, difference=0.03, power=0.9)
    assert more.n_rows.estimate > 4 * plan.n_rows.estimate


def test_groups_are_planned_and_their_rows_follow():
    groups = np.arange(150) // 5
    test = compared(groups=groups)
    plan = plan_n_rows(test, difference=0.3)
    means = (LOSSES[1] - LOSSES[0]).reshape(30, 5).mean(axis=1)
    needed = int(plan.n_groups.estimate)
    sd = np.std(means, ddof=1)
    assert power_of_t(needed, 0.3, sd) >= 0.8 > power_of_t(needed - 1, 0.3, sd)
    assert plan.n_rows.estimate == 5 * needed
    assert f"{5 * needed} rows in {needed} groups" in str(plan)
    assert "there are 150" in str(plan)


def test_a_pair_of_several_is_planned_as_alone():
    losses = {name: RNG.exponential(size=60) for name in "abc"}
    result = compare_losses(losses, adjustment="holm")
    for comparison in result:
        names = comparison.estimator, comparison.versus
        alone = compare_losses({name: losses[name] for name in names}).tests[0]
        plans = [plan_n_rows(test, difference=0.1).n_rows for test in (comparison.test, alone)]
        assert plans[0] == pytest.approx(plans[1])


@pytest.mark.parametrize("groups", [None, np.arange(200) // 4])
def test_areas_follow_from_their_standard_error(groups):
    y = np.arange(200) % 2
    rates = {name: (RNG.random(200) + y * share) / 2 for name, share in [("a", 0.4), ("b", 0.6)]}
    test = compare_predictions(y, rates, scoring="roc_auc", groups=groups).tests[0]
    plan = plan_n_rows(test, difference=0.02)
    approximate = ((norm.ppf(0.975) + norm.ppf(0.8)) * test.standard_error / 0.02) ** 2 * 200
    assert plan.n_rows.estimate == pytest.approx(approximate, rel=1e-2 if groups is None else 0.05)
    assert plan.n_rows.low < plan.n_rows.estimate < plan.n_rows.high
    assert (plan.n_groups is None) == (groups is None)


@pytest.mark.parametrize(
    ("scoring", "method"), [("accuracy", "mcnemar"), ("balanced_accuracy", "cluster_bootstrap")]
)
def test_other_methods(scoring, method):
    y = np.arange(200) % 2
    models = {
        k: np.where(RNG.random(200) < share, y, 1 - y) for k, share in [("a", 0.7), ("b", 0.8)]
    }
    test = compare_predictions(y, models, scoring=scoring, method=method).tests[0]
    plan = plan_n_rows(test, difference=0.05)
    approximate = ((norm.ppf(0.975) + norm.ppf(0.8)) * test.standard_error / 0.05) ** 2 * 200
    assert plan.n_rows.estimate == pytest.approx(approximate, rel=0.02)


def test_of_the_row_t_test_as_if_nothing_changed_with_the_training_size():
    X = RNG.normal(size=(120, 2))
    y = X[:, 0] + RNG.normal(size=120) > 0
    models = {"one column": NearestMean(), "two columns": NearestMean(2)}
    result = compare_estimators(models, X, y, method="row_t", random_state=0)
    plan = plan_n_rows(result.tests[0], difference=0.05)
    sd = result.tests[0].standard_error * np.sqrt(120)
    needed = int(plan.n_rows.estimate)
    assert power_of_t(needed, 0.05, sd) >= 0.8 > power_of_t(needed - 1, 0.05, sd)
    assert "if the difference and the variances stayed as they are at this training size" in str(
        plan
    )
    grouped = compare_estimators(
        models, X, y, groups=np.arange(120) // 3, method="row_t", random_state=0
    )
    plan = plan_n_rows(grouped.tests[0], difference=0.05)
    assert plan.n_rows.estimate == 3 * plan.n_groups.estimate


@pytest.mark.calibration
@pytest.mark.parametrize("kind", ["normal", "rare", "skew"])
def test_the_interval_holds_the_number_of_rows_that_the_true_variance_needs(kind):
    """Also where two classifiers disagree on few rows, which carry the variance."""
    rng, n, n_sets = np.random.default_rng(1), 500, 250
    draw, variance = {
        "normal": (lambda: rng.normal(size=n), 1.0),
        "rare": (lambda: rng.choice([-1, 0, 1], size=n, p=[0.02, 0.95, 0.03]), 0.05 - 0.01**2),
        "skew": (lambda: rng.exponential(size=n), 1.0),
    }[kind]
    needed = ((norm.ppf(0.975) + norm.ppf(0.8)) ** 2) * variance / 0.01**2
    inside = 0
    for _ in range(n_sets):
        test = compare_losses({"a": np.zeros(n), "b": draw()}, reference="a").tests[0]
        plan = plan_n_rows(test, difference=0.01)
        inside += plan.n_rows.low <= needed <= plan.n_rows.high
    assert inside >= 0.9 * n_sets
