"""PowerCurveDisplay: the numbers without matplotlib, the drawing where it is installed."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from skcvstats import simulate
from skcvstats.model_selection import RepeatedSubsampleSplit
from skcvstats.plotting import PowerCurveDisplay
from skcvstats.simulation import StudiedProcedure
from tests.simulation.studies import Mean, line


@pytest.fixture(scope="module")
def result():
    cv = RepeatedSubsampleSplit(5, test_size=0.5)
    half = StudiedProcedure(test="corrected_resampled_t", cv=cv, label="half")
    models = {"A": Mean(), "B": LinearRegression()}
    return simulate(line, models, [*TWO[::-1], half], n_data_sets=20, random_state=1)


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
