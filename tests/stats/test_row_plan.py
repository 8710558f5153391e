"""What more rows, or more runs, would bring, against formulas and against taking them."""

import warnings

import numpy as np
import pytest
from scipy.stats import nct, t
from sklearn.model_selection import LeaveOneGroupOut, LeaveOneOut, LeavePOut, ShuffleSplit

import skcvstats as s
from skcvstats.exceptions import SplitDesignError
from skcvstats.stats import expected_precision, plan_n_rows, plan_n_splits
from tests.cheap import NearestMean

RNG = np.random.default_rng(0)
N, R = 150, 4
LOSSES = {
    name: RNG.normal(size=N) + shift + RNG.normal(size=(R, N))
    for name, shift in [("a", 0), ("b", 0.1)]
}


def half_width(error, df):
    return t.ppf(0.975, df) * error


def power_of_t(difference, error, df):
    critical = t.ppf(0.975, df)
    ncp = difference / error
    return nct.sf(critical, df, ncp) + nct.cdf(-critical, df, ncp)


@pytest.mark.parametrize("groups", [None, np.arange(N) // 5, np.minimum(np.arange(N) // 3, 30)])
@pytest.mark.parametrize("runs", [1, R])
def test_as_many_rows_and_runs_are_what_there_is(groups, runs):
    losses = {name: list(part[:runs]) for name, part in LOSSES.items()}
    test = s.compare_losses(losses, groups=groups).tests[0]
    n_units = N if groups is None else len(np.unique(groups))
    low, high = test.confidence_interval()
    for how in ({}, {"n_rows": n_units}, {"n_runs": runs}, {"n_rows": n_units, "n_runs": runs}):
        if runs == 1:
            how.pop("n_runs", None)
        found = expected_precision(test, **how)
        assert found.half_width == pytest.approx((high - low) / 2, rel=1e-12)
        assert (found.n_rows, found.n_runs) == (n_units, None if runs == 1 else runs)
        assert power_of_t(found.detectable_difference, test.standard_error, test.df) == (
            pytest.approx(0.8, abs=1e-6)
        )
    unit = "rows" if groups is None else "groups"
    assert f"with {n_units} {unit}" in found.text


def test_other_numbers_follow_from_the_variance_components():
    test = s.compare_losses(LOSSES).tests[0]
    table = LOSSES["a"] - LOSSES["b"]
    mean = table.mean()
    of_rows = R * ((table.mean(axis=0) - mean) ** 2).sum() / (N - 1)
    rest = ((table - table.mean(axis=0) - table.mean(axis=1)[:, None] + mean) ** 2).sum()
    rest /= (N - 1) * (R - 1)
    component = max(0.0, (of_rows - rest) / R)
    for n_rows, n_runs in [(2 * N, R), (N, 2 * R), (40, 1), (3, 100)]:
        found = expected_precision(test, n_rows=n_rows, n_runs=n_runs)
        error = np.sqrt((component + rest / n_runs) / n_rows)
        assert found.half_width == pytest.approx(half_width(error, n_rows - 1), rel=1e-9)
        assert found.n_rows == n_rows
        assert found.n_runs == n_runs
        assert f"with {n_rows} rows and {n_runs} runs of each model" in found.text


def test_rows_that_differ_by_chance_only_count_as_much_as_runs():
    """MSA is below MSE: the interval shortens with the root of n R."""
    rng = np.random.default_rng(1)
    tables = (rng.normal(size=(R, N)) for _ in range(50))
    tests = [s.compare_losses({"a": np.zeros((R, N)), "b": table}).tests[0] for table in tables]
    error = [table_error(test) for test in tests]
    k = int(np.argmin(error))
    assert error[k] < 0
    now = expected_precision(tests[k])
    then = expected_precision(tests[k], n_runs=4 * R)
    assert then.half_width == pytest.approx(now.half_width / 2, rel=1e-9)


def table_error(test):
    spread = s.stats.spread_of_test(test)
    return spread.units - spread.rest


def test_a_plan_of_rows_gives_the_width_it_was_made_for():
    for groups in (None, np.arange(N) // 5):
        test = s.compare_losses(LOSSES, groups=groups).tests[0]
        plan = plan_n_rows(test, width=0.1)
        needed = int((plan.n_groups or plan.n_rows).estimate)
        assert expected_precision(test, n_rows=needed).half_width <= 0.05
        assert expected_precision(test, n_rows=needed - 1).half_width > 0.05


X = RNG.normal(size=(120, 2))
Y = X[:, 0] + RNG.normal(size=120) > 0
MODELS = {"one column": NearestMean(), "two columns": NearestMean(2)}
AT_THIS_SIZE = "the difference and the variances stayed as they are at this training size"


def test_of_a_row_t_test_the_units_are_rows_or_groups():
    for groups, unit in [(None, "rows"), (np.arange(120) // 3, "groups")]:
        test = s.compare_estimators(MODELS, X, Y, groups=groups, method="row_t").tests[0]
        n_units = int(test.df) + 1
        found = expected_precision(test, n_rows=4 * n_units)
        error = test.standard_error / 2
        assert found.half_width == pytest.approx(half_width(error, 4 * n_units - 1))
        assert f"with {4 * n_units} {unit} the 95 % interval" in found.text
        assert AT_THIS_SIZE in found.text
        with pytest.raises(ValueError, match=r"n_runs=3.*Leave n_runs= out"):
            expected_precision(test, n_rows=80, n_runs=3)


@pytest.mark.parametrize("n_groups", [6, 9])
def test_groups_that_are_left_out_once_are_planned(n_groups):
    groups = np.arange(120) % n_groups
    test = s.compare_estimators(MODELS, X, Y, groups=groups).tests[0]
    assert test.method == "corrected_resampled_t"
    squared = np.var(test.scores.values, ddof=1)

    def error(n):
        return np.sqrt(squared * (1 / n + 1 / (n - 1)))

    low, high = test.confidence_interval()
    now = expected_precision(test)
    assert now.half_width == pytest.approx((high - low) / 2)
    for n in (n_groups, 12, 100):
        found = expected_precision(test, n_rows=n)
        assert found.half_width == pytest.approx(half_width(error(n), n - 1), rel=1e-9)
        assert power_of_t(found.detectable_difference, error(n), n - 1) == pytest.approx(0.8)
    reached = f"{found.half_width:.3g}"
    assert f"with 100 groups the 95 % interval would reach about {reached} " in found.text
    assert AT_THIS_SIZE in found.text
    plan = plan_n_rows(test, difference=0.05)
    needed = int(plan.n_groups.estimate)
    assert power_of_t(0.05, error(needed), needed - 1) >= 0.8
    assert power_of_t(0.05, error(needed - 1), needed - 2) < 0.8
    assert plan.n_rows == plan.n_groups
    assert f"{needed} groups (95 % interval" in plan.text
    assert f"there are {n_groups})" in plan.text


def test_no_more_splits_are_planned_than_there_are():
    groups = np.arange(120) % 6
    few = {"X": X[:9], "y": X[:9, 1]}
    designs = {
        "6 groups": {"X": X, "y": X[:, 1], "groups": groups, "cv": LeaveOneGroupOut()},
        "9 rows": {**few, "cv": LeaveOneOut()},
        "36 splits of these sizes": {**few, "cv": LeavePOut(2)},
    }
    model = NearestMean()
    for said, how in designs.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = s.cross_val_score(model, scoring="neg_mean_squared_error", **how)
        with pytest.raises(SplitDesignError, match=said) as refused:
            plan_n_splits(scores)
        assert "plan_n_rows" not in str(refused.value)
        assert "expected_precision" in str(refused.value)
    random = s.cross_val_score(
        NearestMean(), X, Y, cv=ShuffleSplit(12, test_size=0.1, random_state=0)
    )
    assert plan_n_splits(random).n_splits.max() == 200
    test = s.compare_estimators(MODELS, X, Y, method="corrected_resampled_t").tests[0]
    with pytest.raises(TypeError) as refused:
        expected_precision(test, n_rows=200)
    assert "plan_n_splits" not in str(refused.value)


@pytest.mark.calibration
def test_against_taking_more_rows_and_runs():
    """The mean width of the interval with other numbers of rows, groups and runs."""
    rng = np.random.default_rng(2)

    def draw(n_groups, n_runs):
        def losses(weight):
            level = weight * rng.normal(size=n_groups)[:, np.newaxis]
            level = level + 0.5 * rng.normal(size=(n_groups, 4))
            return (level + rng.normal(size=(n_runs, n_groups, 4))).reshape(n_runs, -1)

        groups = np.repeat(np.arange(n_groups), 4)
        return s.compare_losses({"a": losses(0.5), "b": losses(0.3)}, groups=groups).tests[0]

    for n_groups, n_runs in [(80, 2), (40, 4), (20, 2), (60, 6)]:
        today = [draw(40, 2) for _ in range(300)]
        taken = [draw(n_groups, n_runs) for _ in range(300)]
        expected = [expected_precision(test, n_rows=n_groups, n_runs=n_runs) for test in today]
        widths = [np.diff(test.confidence_interval())[0] / 2 for test in taken]
        mean = np.mean([found.half_width for found in expected])
        assert np.mean(widths) == pytest.approx(mean, rel=0.03)
