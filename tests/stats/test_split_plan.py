"""Plans of the number of splits: against the corrected t-test's intervals, and by search."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from skcvstats import (
    CVScores,
    RepeatedSubsampleSplit,
    SplitDesign,
    corrected_resampled_ttest,
    plan_n_splits,
)

VALUES = np.array([0.90, 0.85, 0.95, 0.80, 0.90, 0.92, 0.88, 0.83, 0.91, 0.87])
DESIGN = SplitDesign.from_sizes(50, 10, n_splits=10, n_samples=100)
SCORES = CVScores(values=VALUES, design=DESIGN)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_now_is_the_interval_of_the_corrected_t(level):
    plan = plan_n_splits(SCORES, confidence_level=level)
    now = plan.n_splits.tolist().index(10)
    test = corrected_resampled_ttest(VALUES, n_train=50, n_test=10, n_samples=100)
    low, high = test.confidence_interval(level)
    assert plan.standard_error[now] == pytest.approx(test.standard_error, rel=1e-13)
    assert plan.half_width[now] == pytest.approx((high - low) / 2, rel=1e-12)


def test_other_numbers_against_the_formula():
    plan = plan_n_splits(SCORES, 0.3, n_splits=[40, 5, 40], fits_per_split=2, seconds_per_fit=0.5)
    assert plan.n_splits.tolist() == [5, 10, 40]
    errors = np.sqrt(VALUES.var(ddof=1) * (1 / plan.n_splits + 0.3 / 0.7))
    np.testing.assert_allclose(plan.standard_error, errors, rtol=1e-13)
    quantiles = stats.t.ppf(0.975, plan.n_splits - 1)
    np.testing.assert_allclose(plan.half_width, quantiles * errors, rtol=1e-10)
    assert plan.n_fits.tolist() == [10, 20, 80]
    assert plan.seconds.tolist() == [5, 10, 40]


def test_standard_error_is_what_more_splits_really_have():
    # S2 does not depend on the number of splits, so the plan's variance is that of the mean.
    rng = np.random.default_rng(0)
    rho, n_splits = 0.1, 40
    common, own = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, n_splits))
    x = np.sqrt(rho) * common + np.sqrt(1 - rho) * own
    few = x[:, :10].var(axis=1, ddof=1).mean() * (1 / n_splits + rho / (1 - rho))
    assert few == pytest.approx(x.mean(axis=1).var(), rel=0.03)


@pytest.mark.parametrize("share", [1.001, 1.1, 2, 30])
def test_fewest_splits_for_a_width_by_search(share):
    plan = plan_n_splits(SCORES)
    wanted = share * plan.smallest_half_width
    found = plan.n_splits_for(wanted)
    spread = VALUES.var(ddof=1)

    def half_width(n_splits):
        error = np.sqrt(spread * (1 / n_splits + 10 / 90))
        return stats.t.ppf(0.975, n_splits - 1) * error

    assert half_width(found) <= wanted
    assert found == 2 or half_width(found - 1) > wanted


def test_what_no_number_of_splits_goes_below():
    plan = plan_n_splits(SCORES)
    floor = np.sqrt(VALUES.var(ddof=1) / 9)
    assert plan.smallest_standard_error == pytest.approx(floor, rel=1e-13)
    assert plan.smallest_half_width == pytest.approx(stats.norm.ppf(0.975) * floor, rel=1e-13)
    assert (np.diff(plan.half_width) < 0).all()
    assert (plan.half_width > plan.smallest_half_width).all()
    with pytest.raises(ValueError, match=r"cannot be reached.*Collect more rows"):
        plan.n_splits_for(plan.smallest_half_width)


def test_without_correlation_there_is_no_floor():
    plan = plan_n_splits(SCORES, 0)
    assert plan.smallest_half_width == 0
    assert plan.n_splits_for(1e-3) > 1000


def test_text_says_what_is_assumed():
    text = str(plan_n_splits(SCORES))
    assert "correlated by n_test/n_samples = 0.1" in text
    assert "Given: a correlation of 0.2" in str(plan_n_splits(SCORES, 0.2))
    assert "ever more splits would bring it to 0.02929" in text


def test_times_are_taken_from_the_scores():
    times = np.linspace(1, 2, 10)
    timed = CVScores(values=VALUES, design=DESIGN, fit_times=times, score_times=np.full(10, 0.5))
    plan = plan_n_splits(timed, n_splits=[20])
    np.testing.assert_allclose(plan.seconds, [20, 40])
    assert plan_n_splits(SCORES).seconds is None
    fitted = CVScores(values=VALUES, design=DESIGN, fit_times=times)
    np.testing.assert_allclose(plan_n_splits(fitted, n_splits=[20]).seconds, [15, 30])


def test_frame_and_html():
    plan = plan_n_splits(SCORES, seconds_per_fit=1.0)
    frame = plan.to_frame()
    assert frame.columns.tolist() == [
        "n_splits",
        "standard_error",
        "half_width",
        "n_fits",
        "seconds",
    ]
    assert frame["n_splits"].tolist() == [10, 15, 25, 50, 100, 200]
    assert "seconds" not in plan_n_splits(SCORES).to_frame()
    assert plan._repr_html_().count("<tr>") == 7


def test_from_cross_validate_and_from_folds():
    X, y = load_iris(return_X_y=True)
    cv = RepeatedSubsampleSplit(10, random_state=0)
    plan = plan_n_splits(cross_validate(GaussianNB(), X, y, cv=cv, return_indices=True))
    assert plan.correlation == 0.1
    assert plan.seconds is not None
    folds = KFold(10, shuffle=True, random_state=0)
    plan = plan_n_splits(cross_validate(GaussianNB(), X, y, cv=folds, return_indices=True))
    assert any("by convention" in str(note) for note in plan.notes)
