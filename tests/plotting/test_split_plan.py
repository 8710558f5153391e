"""SplitPlanDisplay: the curve against the formula."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from skcvstats import simulate
from skcvstats.model_selection import RepeatedSubsampleSplit
from skcvstats.plotting import PowerCurveDisplay
from skcvstats.simulation import StudiedProcedure
from skcvstats.stats import plan_n_splits, row_ttest
from tests.simulation.studies import Mean, line

from .drawing import difference, overlapping, plt, seen_texts, texts_of


def standard_error(values, n_splits, correlation):
    odds = correlation / (1 - correlation)
    return np.sqrt(np.var(values, ddof=1) * (1 / n_splits + odds))


@pytest.mark.parametrize(("rho", "cost"), [(None, "1 fit each"), (0.3, "2 fits each")])
def test_numbers_are_drawn_and_explained(rho, cost):
    scores = difference()
    plan = plan_n_splits(scores, rho, fits_per_split=int(cost[0]))
    display = PowerCurveDisplay.from_plan(plan).plot()
    pd.testing.assert_frame_equal(display.frame(), plan.to_frame())
    correlation = 0.1 if rho is None else rho
    n_splits, errors = display.line_.get_data()
    assert n_splits.tolist() == [15, 25, 50, 100, 200]
    assert errors == pytest.approx(standard_error(scores.values, n_splits, correlation), rel=1e-9)
    assert display.mark_.get_xdata().tolist() == [15]
    assert display.mark_.get_ydata() == errors[:1]
    limit = standard_error(scores.values, np.inf, correlation)
    assert display.limit_.get_ydata() == pytest.approx([limit, limit], rel=1e-9)
    said = " ".join(texts_of(display.figure_)).replace("\n", " ")
    assert f"goes below {limit:.3g} (assumed correlation {correlation})" in said
    assert display.ax_.get_xlabel() == f"number of splits, counted as {cost}"
    labels = [label.get_text() for label in display.ax_.get_xticklabels()]
    assert labels == [str(int(x)) for x in display.ax_.get_xticks()]
    assert display.ax_.get_ylabel() == "standard error, accuracy"
    assert "now: 15 splits" in texts_of(display.figure_)


def test_of_the_row_t_test_it_shows_repeats_of_the_folds():
    rng = np.random.default_rng(0)
    result = row_ttest(rng.normal(size=60) + 0.5 * rng.normal(size=(4, 60)), n_folds=5)
    display = PowerCurveDisplay.from_plan(plan_n_splits(result), power=0.8).plot()
    assert display.line_.get_xdata().tolist() == [10, 20, 50, 100, 200]
    assert display.mark_.get_ydata() == pytest.approx([result.standard_error], rel=1e-12)
    v, w = result.over_units - result.over_repeats / 4, result.over_repeats
    limit = np.sqrt(v + 0.5 * (v + w))
    assert display.limit_.get_ydata() == pytest.approx([limit, limit], rel=1e-12)
    said = " ".join(texts_of(display.figure_)).replace("\n", " ")
    assert f"goes below {limit:.3g} (assumed inflation 0.5)" in said
    assert "correlation" not in said


class TestPower:
    def test_panels_and_their_numbers(self):
        plan = plan_n_splits(difference())
        options = {"alternative": "greater", "n_comparisons": 3}
        display = PowerCurveDisplay.from_plan(plan, difference=0.01, power=0.7, **options).plot()
        assert len(display.axes_) == 3
        assert display.ax_ is display.axes_[0]
        power = plan.power(0.01, **options)
        detectable = plan.detectable_difference(0.7, **options)
        for curve, ax, expected in [
            (display.power_line_, display.axes_[1], power),
            (display.detectable_line_, display.axes_[2], detectable),
        ]:
            assert curve.axes is ax
            n_splits, numbers = curve.get_data()
            assert n_splits.tolist() == plan.n_splits.tolist()
            assert numbers.tolist() == expected.estimate.tolist()
            (band,) = ax.collections
            box = band.get_paths()[0].get_extents()
            assert (box.y0, box.y1) == pytest.approx((expected.low.min(), expected.high.max()))
            assert ax.get_ylim()[1] >= expected.high.max()
        frame = display.frame()
        assert frame["power_low"].tolist() == power.low.tolist()
        assert frame["detectable"].tolist() == detectable.estimate.tolist()
        titles = [ax.get_title(loc="left") for ax in display.axes_]
        assert titles[1:] == ["power for a difference of 0.01", "difference shown with power 0.7"]

    def test_one_of_them_and_equivalence(self):
        plan = plan_n_splits(difference())
        powers = PowerCurveDisplay.from_plan(plan, difference=0.0, margin=0.03).plot()
        expected = plan.power(0.0, margin=0.03).estimate
        assert powers.power_line_.get_ydata().tolist() == expected.tolist()
        detectable = PowerCurveDisplay.from_plan(plan, power=0.9).plot()
        assert powers.detectable_line_ is detectable.power_line_ is None
        assert detectable.detectable_line_ is not None
        for display, title in (
            (powers, "power to show equivalence (-0.03 to 0.03) at a difference of 0"),
            (detectable, "difference shown with power 0.9"),
        ):
            titles = [ax.get_title(loc="left").replace("\n", " ") for ax in display.axes_]
            assert titles == ["a - b", title]

    def test_mistakes(self):
        plan = plan_n_splits(difference())
        with pytest.raises(ValueError, match=r"margin=0.03 needs a true difference.*difference=0"):
            PowerCurveDisplay.from_plan(plan, margin=0.03)
        display = PowerCurveDisplay.from_plan(plan, difference=0.01)
        with pytest.raises(ValueError, match=r"needs 2 axes.*got 1"):
            display.plot(plt.subplots()[1])
        axes = plt.subplots(1, 2)[1]
        assert list(display.plot(axes).axes_) == list(axes)
        assert not overlapping(seen_texts(display.figure_))


@pytest.fixture(scope="module")
def result():
    cv = RepeatedSubsampleSplit(5, test_size=0.5)
    half = StudiedProcedure(test="corrected_resampled_t", cv=cv, label="half")
    models = {"A": Mean(), "B": LinearRegression()}
    return simulate(line, models, [*TWO[::-1], half], n_data_sets=8, random_state=1)


TWO = ["corrected_resampled_t", "resampled_t"]


class TestNumbers:
    def test_are_the_rejection_rates_and_are_drawn(self, result):
        result = result.as_losses()
        display = PowerCurveDisplay.from_result(result, procedures=TWO, alpha=0.05).plot()
        frame = display.frame()
        assert frame["procedure"].unique().tolist() == TWO
        rates = result.rejection_rates({"A-B": display.null_values}, alpha=0.05)
        texts = [text.get_text() for text in display.legend_.get_texts()]
        assert texts == [*TWO, "level 0.05", "truth"]
        assert display.level_.get_ydata() == [0.05, 0.05]
        for name, drawn, band in zip(TWO, display.lines_, display.bands_, strict=True):
            expected = rates[rates["procedure"] == name]
            found = frame[frame["procedure"] == name]
            for column in ("null_value", "rate", "low", "high"):
                np.testing.assert_array_equal(found[column], expected[column])
            np.testing.assert_array_equal(drawn.get_xdata(), display.null_values)
            np.testing.assert_array_equal(drawn.get_ydata(), expected["rate"])
            box = band.get_paths()[0].get_extents()
            assert (box.y0, box.y1) == (expected["low"].min(), expected["high"].max())
        assert display.ax_.get_xlabel() == "null value of the expected loss"
        assert display.ax_.get_title(loc="left") == display.hypothesis == "A-B"

    def test_the_grid_is_sorted_with_the_truth_in_the_middle(self, result):
        display = PowerCurveDisplay.from_result(result, procedures=TWO, hypothesis="A")
        assert display.truth == display.null_values[20]
        given = PowerCurveDisplay.from_result(result, procedures=TWO, hypothesis="A", truth=-1.0)
        assert given.truth == given.null_values[20] == -1.0
        display = PowerCurveDisplay.from_result(result, procedures=TWO, null_values=[2, 0, 1])
        assert display.null_values.tolist() == [0, 1, 2]
        # Of procedures that train on different numbers of rows there are two.
        assert PowerCurveDisplay.from_result(result, hypothesis="A").truth is None

    def test_without_intervals(self):
        display = PowerCurveDisplay(null_values=[0, 1], rates=[[0.1, 0.9]], labels="t", alpha=0.1)
        assert display.frame().columns.tolist() == ["procedure", "null_value", "rate"]


class TestPlot:
    def test_the_legend_says_what_the_bands_are(self, result):
        display = PowerCurveDisplay.from_result(result, procedures=TWO)
        for given, said in (
            ({}, "bands: 95 % confidence interval of each rate, pointwise"),
            ({"confidence_level": None}, "bands: confidence interval of each rate, pointwise"),
            ({"low": None}, ""),
        ):
            vars(display).update(given)
            assert display.plot().legend_.get_title().get_text() == said

    def test_curves_can_be_told_apart_without_colour(self):
        rates = np.linspace(0, 1, 24).reshape(12, 2)
        options = {"labels": list("abcdefghijkl"), "alpha": 0.1}
        display = PowerCurveDisplay(null_values=[0, 1], rates=rates, **options).plot()
        looks = {(line_.get_linestyle(), line_.get_marker()) for line_ in display.lines_}
        assert len(looks) == 12
        first = [line_.get_linestyle() for line_ in display.lines_[:4]]
        assert len(set(first)) == 4
        colours = [line_.get_color() for line_ in display.lines_]
        assert len(set(colours[:6])) == 6
