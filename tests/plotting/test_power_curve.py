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
    procedures = [
        "resampled_t",
        "corrected_resampled_t",
        StudiedProcedure(
            test="corrected_resampled_t", cv=RepeatedSubsampleSplit(5, test_size=0.5), label="half"
        ),
    ]
    models = {"A": Mean(), "B": LinearRegression()}
    return simulate(line, models, procedures, n_data_sets=40, random_state=1)


TWO = ["corrected_resampled_t", "resampled_t"]


class TestNumbers:
    def test_are_the_rejection_rates(self, result):
        display = PowerCurveDisplay.from_result(result, procedures=TWO, alpha=0.05)
        assert display.hypothesis == "A-B"
        frame = display.frame()
        assert frame["procedure"].unique().tolist() == TWO
        rates = result.rejection_rates({"A-B": display.null_values}, alpha=0.05)
        for k, name in enumerate(TWO):
            expected = rates[rates["procedure"] == name]
            np.testing.assert_array_equal(display.rates[k], expected["rate"])
            found = frame[frame["procedure"] == name]
            for column in ("null_value", "rate", "low", "high"):
                np.testing.assert_array_equal(found[column], expected[column])

    def test_truth_in_the_middle_of_the_grid(self, result):
        display = PowerCurveDisplay.from_result(result, procedures=TWO, hypothesis="A")
        assert display.truth == display.null_values[20]
        given = PowerCurveDisplay.from_result(result, procedures=TWO, hypothesis="A", truth=-1.0)
        assert given.truth == given.null_values[20] == -1.0

    def test_no_truth_is_marked_where_there_are_two(self, result):
        assert PowerCurveDisplay.from_result(result, hypothesis="A").truth is None

    def test_a_grid_of_ones_own_is_sorted(self, result):
        display = PowerCurveDisplay.from_result(result, procedures=TWO, null_values=[2, 0, 1])
        assert display.null_values.tolist() == [0, 1, 2]

    def test_without_intervals(self):
        display = PowerCurveDisplay(null_values=[0, 1], rates=[[0.1, 0.9]], labels="t", alpha=0.1)
        assert display.frame().columns.tolist() == ["procedure", "null_value", "rate"]

    def test_bad_input(self, result):
        with pytest.raises(ValueError, match="hypothesis='C' is not known"):
            PowerCurveDisplay.from_result(result, hypothesis="C")
        with pytest.raises(ValueError, match="Did you mean 'half'"):
            PowerCurveDisplay.from_result(result, procedures=["halv"])


class TestPlot:
    def test_is_what_scikit_learn_calls_a_display(self, result):
        display = PowerCurveDisplay.from_result(result.as_losses(), procedures=TWO)
        assert display.plot() is display
        assert display.ax_.figure is display.figure_
        assert len(display.lines_) == 2
        rates = result.as_losses().rejection_rates({"A-B": display.null_values}, alpha=0.1)
        texts = display.legend_.get_texts()
        assert [text.get_text() for text in texts[2:]] == ["level 0.1", "truth"]
        named = zip(display.lines_, display.bands_, texts[:2], strict=True)
        for (line_, band, text), label in zip(named, TWO, strict=True):
            expected = rates[rates["procedure"] == label]
            assert text.get_text() == label
            np.testing.assert_array_equal(line_.get_xdata(), display.null_values)
            np.testing.assert_array_equal(line_.get_ydata(), expected["rate"])
            box = band.get_paths()[0].get_extents()
            assert (box.y0, box.y1) == (expected["low"].min(), expected["high"].max())
        assert display.level_.get_ydata() == [0.1, 0.1]
        assert display.ax_.get_xlabel() == "null value of the expected loss"
        assert display.ax_.get_title(loc="left") == "A-B"

    def test_the_legend_says_what_the_bands_are(self, result):
        display = PowerCurveDisplay.from_result(result, procedures=TWO).plot()
        said = "bands: 95 % confidence interval of each rate, pointwise"
        assert display.legend_.get_title().get_text() == said
        display.confidence_level = None
        title = display.plot().legend_.get_title().get_text()
        assert title == "bands: confidence interval of each rate, pointwise"
        display.low = None
        assert display.plot().legend_.get_title().get_text() == ""

    def test_curves_can_be_told_apart_without_colour(self):
        rates = np.linspace(0, 1, 24).reshape(12, 2)
        display = PowerCurveDisplay(
            null_values=[0, 1], rates=rates, labels=list("abcdefghijkl"), alpha=0.1
        ).plot()
        looks = {(line_.get_linestyle(), line_.get_marker()) for line_ in display.lines_}
        assert len(looks) == 12
        first = [line_.get_linestyle() for line_ in display.lines_[:4]]
        assert len(set(first)) == 4
        colours = [line_.get_color() for line_ in display.lines_]
        assert len(set(colours[:6])) == 6
