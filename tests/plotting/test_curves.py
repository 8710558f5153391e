"""Displays of curves: over correlations, training sizes, time, null values; posteriors."""

import re
from dataclasses import replace
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from sklearn.linear_model import LinearRegression

from skcvstats import CorrectedResampledTTest, CVScores, compare_losses, compare_scores, stats
from skcvstats.model_selection import RepeatedSubsampleSplit
from skcvstats.plotting import (
    CorrelationSensitivityDisplay,
    CumulatedDifferenceDisplay,
    LearningCurveDisplay,
    PosteriorDisplay,
    PowerCurveDisplay,
)
from skcvstats.simulation import StudiedProcedure, simulate
from tests.simulation.studies import Mean, line

from ..words.cases import DESIGN, scores_of
from .drawing import compared, curves, difference, legend_of, texts_of

BETTER = "better \N{RIGHTWARDS ARROW}"  # upwards, as the label is turned


def half_widths(values, correlation, level):
    """From the formula, with two-sided quantiles of SciPy's own Student's t distribution."""
    n = len(values)
    errors = np.sqrt(np.var(values, ddof=1) * (1 / n + correlation / (1 - correlation)))
    return t.ppf((1 + level) / 2, n - 1) * errors


class TestCorrelation:
    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    def test_are_those_of_the_test_at_the_assumed_correlation(self, alternative):
        result = compared(["a", "b"], alternative=alternative, reference="b").tests[0]
        display = CorrelationSensitivityDisplay.from_result(result, confidence_level=0.8).plot()
        row = display.frame().set_index("correlation").loc[0.1]
        assert row["pvalue"] == pytest.approx(result.pvalue, rel=1e-9)
        ends = result.confidence_interval(0.8)
        at = display.lines_[0].get_xdata().tolist().index(0.1)
        drawn = [line.get_ydata()[at] for line in display.lines_]
        assert drawn == pytest.approx([end for end in ends if np.isfinite(end)], rel=1e-12)
        assert [row["low"], row["high"]] == pytest.approx(list(ends), rel=1e-12)
        assert np.isfinite(display.ax_.get_ylim()).all()
        kind = "interval" if alternative == "two-sided" else "bound"
        assert next(iter(legend_of(display))) == f"80 % {kind}, unadjusted"

    @pytest.mark.parametrize(("percent", "null_value"), [(95, 0.0), (80, 0.02)])
    def test_are_drawn(self, percent, null_value):
        scores = difference()
        level, values = percent / 100, scores.values
        options = {"confidence_level": level, "null_value": null_value}
        display = CorrelationSensitivityDisplay.from_scores(scores, **options).plot()
        correlation = display.lines_[0].get_xdata()
        assert (correlation.min(), correlation.max()) == (0, 0.5)
        expected = half_widths(values, correlation, level)
        low, high = (line.get_ydata() for line in display.lines_)
        np.testing.assert_allclose(low, values.mean() - expected, rtol=1e-9)
        np.testing.assert_allclose(high, values.mean() + expected, rtol=1e-9)
        band = display.band_.get_paths()[0].get_extents()
        assert (band.y0, band.y1) == pytest.approx((low.min(), high.max()), rel=1e-9)
        assert display.estimate_.get_ydata() == pytest.approx([values.mean()] * 2)
        assert display.null_line_.get_ydata() == [null_value, null_value]
        assert display.assumed_.get_xdata() == [0.1, 0.1]
        legend = list(legend_of(display))
        assert legend[0] == f"{percent} % interval, unadjusted"
        assert "assumed: 0.1" in legend
        assert f"null value {null_value:g}" in legend

    def test_where_the_null_value_is_reached(self):
        values = np.linspace(-0.02, 0.05, 15)
        display = CorrelationSensitivityDisplay.from_scores(CVScores(values=values, design=DESIGN))
        (at, same) = display.plot().tipping_.get_xdata()
        assert at == same
        assert values.mean() - half_widths(values, at, 0.95) == pytest.approx(0, abs=1e-9)
        assert f"reaches 0 at {at:.3g}" in legend_of(display)
        sure = CorrelationSensitivityDisplay.from_scores(CVScores(values=values + 9, design=DESIGN))
        assert sure.plot().tipping_ is None


def test_of_the_row_t_test_it_shows_the_inflation():
    rows = np.random.default_rng(0).normal(0.5, 1, size=(2, 60))
    result = stats.row_ttest(rows, n_folds=5, null_value=0.1)
    display = result.plot()  # it has no posterior
    assert isinstance(display, CorrelationSensitivityDisplay)
    assert display.ax_.get_xlabel() == "inflation (unknown)"
    frame = display.frame().set_index("inflation")
    assert (frame.index[0], frame.index[-1]) == (0, 1.5)
    row = frame.iloc[frame.index.get_indexer([0.5], "nearest")[0]]
    assert (row["low"], row["high"]) == pytest.approx(result.confidence_interval(), rel=1e-10)
    legend = legend_of(display)
    assert "assumed: 0.5" in legend
    assert display.assumed_.get_xdata() == [0.5, 0.5]
    tipping = display.sensitivity.tipping
    assert (f"reaches 0.1 at {tipping:.3g}" in legend) == (tipping <= 1.5)
    with pytest.raises(TypeError, match=r"row t-test has no posterior.*corrected_resampled_t"):
        result.plot(margin=0.1)
    display = replace(
        result, reporting=replace(result.reporting, asked=False)
    ).plot()  # no null value
    assert display.null_line_ is display.tipping_ is None
    low, _ = display.ax_.get_ylim()
    assert low > display.frame()["low"].min() - np.ptp(display.frame()[["low", "high"]])


def label_of(scores):
    display = CorrelationSensitivityDisplay.from_scores(scores).plot()
    return display.ax_.get_ylabel().replace("\n", " ")


def test_it_says_who_is_better_where_it_is_greater():
    scores = scores_of(["good", "bad"], gap=0.2)
    display = CorrelationSensitivityDisplay.from_scores(scores["good"] - scores["bad"]).plot()
    assert display.ax_.get_title(loc="left") == "good - bad"
    assert display.estimate_.get_ydata()[0] > 0
    label = display.ax_.get_ylabel().replace("\n", " ")
    assert label == f"difference in accuracy, good {BETTER}"
    assert label_of(scores["bad"] - scores["good"]) == f"difference in accuracy, bad {BETTER}"
    told = CorrelationSensitivityDisplay.from_result(compare_scores(scores).tests[0]).plot()
    assert told.ax_.get_ylabel().replace("\n", " ") == label
    for name in ("a", "a - b"):  # of one estimator, even if its name is like a difference
        assert label_of(scores_of([name, "c"])[name]) == f"expected accuracy, {BETTER}"
    values = scores_of("ab").values
    for labels in ((), ("a - b", "c")):  # of a difference without clear names
        both = zip(values, (labels[:1], labels[1:]), strict=True)
        first, second = (CVScores(values=x, design=DESIGN, labels=names) for x, names in both)
        assert label_of(first - second) == f"difference in score, first {BETTER}"


def test_lines_and_bands():
    result = curves()
    display, frame = result.plot(), result.to_frame()
    assert isinstance(display, LearningCurveDisplay)
    for k, name in enumerate("ab"):
        own = frame[frame["estimator"] == name]
        x, y = display.lines_[k].get_data()
        assert x.tolist() == own["n_train"].tolist() == [32, 80]
        np.testing.assert_allclose(y, own["score"])
        corners = display.bands_[k].get_paths()[0].vertices
        for at, (low, high) in zip(x, own[["low", "high"]].to_numpy(), strict=True):
            reach = corners[corners[:, 0] == at, 1]
            assert (reach.min(), reach.max()) == pytest.approx((low, high))
    assert list(legend_of(display)) == ["a", "b"]
    assert "at once" in display.legend_.get_title().get_text()
    drawn = display.frame()
    assert drawn["score"].tolist() == frame["score"].tolist()
    assert display.ax_.get_xlabel() == "training rows"


RNG = np.random.default_rng(3)
LOSSES = pd.DataFrame(RNG.chisquare(1, size=(60, 3)), columns=list("abc"))
DATES = pd.date_range("2024-01-01", periods=60, freq="D")
D = (LOSSES["b"] - LOSSES["a"]).to_numpy()


def drawn(display):
    x, y = display.plot().line_.get_data()
    band = display.band_.get_paths()[0].vertices
    return x, y, [(band[band[:, 0] == at, 1].min(), band[band[:, 0] == at, 1].max()) for at in x]


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_line_and_band(level):
    result = compare_losses(LOSSES[["a", "b"]], time=DATES, reference="b")
    x, y, ends = drawn(CumulatedDifferenceDisplay.from_result(result, confidence_level=level))
    np.testing.assert_allclose(x, np.arange(1, 61))
    np.testing.assert_allclose(y, [sum(D[:k]) for k in range(1, 61)])
    low, high = stats.diebold_mariano_test(D).confidence_interval(level)
    np.testing.assert_allclose(ends[-1], [60 * low, 60 * high])
    # Of the first 15 times the half-width is half of that of all 60.
    assert np.ptp(ends[14]) == pytest.approx(30 * (high - low))
    assert np.mean(ends[14]) == pytest.approx(sum(D[:15]))


def test_one_pair_is_drawn_over_time_by_itself():
    result = compare_losses(LOSSES[["a", "b"]], time=DATES)
    display = result.plot(times=DATES)
    assert isinstance(display, CumulatedDifferenceDisplay)
    assert display.frame()["time"].tolist() == DATES.tolist()
    assert list(legend_of(display)) == ["95 % band, for each time by itself"]
    assert "better" in display.ax_.get_ylabel()
    display.figure_.draw_without_rendering()
    boxes = [label.get_window_extent() for label in display.ax_.get_xticklabels()]
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))
    of_test = result.tests[0].plot()
    assert of_test.frame().drop(columns="time").equals(display.frame().drop(columns="time"))
    of_series = CumulatedDifferenceDisplay.from_series(result.tests[0].scores.row_scores.block())
    pd.testing.assert_frame_equal(of_series.frame(), of_test.frame())


@pytest.mark.parametrize("kind", ["dates", "periods", "texts"])
def test_times_of_any_kind_can_be_read_off(kind):
    days = pd.date_range("2024-01-01", periods=60)
    times = {"dates": days, "periods": days.to_period("D"), "texts": days.strftime("%Y-%m-%d")}
    display = CumulatedDifferenceDisplay.from_series(D, times=times[kind]).plot()
    x = display.line_.get_xdata(orig=False)
    np.testing.assert_allclose(np.diff(x), 1)
    display.figure_.draw_without_rendering()
    labels = [text for text in display.ax_.get_xticklabels() if text.get_text()]
    assert len(labels) > 1
    assert all(a.get_window_extent().x1 < b.get_window_extent().x0 for a, b in pairwise(labels))
    if kind == "texts":
        assert all(
            times[kind][int(label.get_position()[0])] == label.get_text() for label in labels
        )


def test_rows_of_one_time_count_once():
    times = np.arange(60) // 2
    result = compare_losses(LOSSES[["a", "b"]], time=times, reference="b")
    means = D.reshape(-1, 2).mean(axis=1)
    np.testing.assert_allclose(result.plot().frame()["cumulated"], np.cumsum(means))


MARGINS = [None, 0.0, 0.01, (-0.002, 0.02), 0.5]


def area_of(area):
    """Return what an area drawn measures: the shoelace formula."""
    x, y = area.get_paths()[0].vertices.T
    return 0.5 * abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


@pytest.mark.parametrize("gap", [0.01, -0.03])
@pytest.mark.parametrize("margin", MARGINS)
def test_curve_and_areas(gap, margin):
    scores = scores_of("ab", gap=gap)
    test = compare_scores(scores, reference="b").tests[0]
    display = PosteriorDisplay.from_result(test, margin=margin).plot()
    difference = scores.values[0] - scores.values[1]
    error = np.sqrt(difference.var(ddof=1) * (1 / 15 + 20 / 180))
    law = t(14, difference.mean(), error)
    x, y = display.line_.get_data()
    np.testing.assert_allclose(y, law.pdf(x), rtol=1e-9)
    low, high = margin if isinstance(margin, tuple) else (-(margin or 0), margin or 0)
    expected = [law.cdf(low), law.cdf(high) - law.cdf(low), law.sf(high)]
    assert list(display.probabilities) == pytest.approx(expected, abs=1e-9)
    shown = [p for p, there in zip(expected, [True, low < high, True], strict=True) if there]
    assert [area_of(area) for area in display.areas_] == pytest.approx(shown, abs=2e-3)
    said = list(legend_of(display))[: len(shown)]
    assert [float(text.split(":")[0]) for text in said] == pytest.approx(shown, rel=6e-3)


@pytest.mark.parametrize("gap", [0.02, -0.02])
def test_the_better_one_has_the_larger_probability_and_its_side(gap):
    test = compared("xy", gap=gap, reference="y").tests[0]
    display = PosteriorDisplay.from_result(test, margin=0.001).plot()
    below, _, above, _ = legend_of(display)
    worse, better = (float(text.split(":")[0]) for text in (below, above))
    assert (better > worse) == (gap > 0)
    assert below.endswith("y better by more")
    assert above.endswith("x better by more")
    _, left, right = re.split("   |\n", display.ax_.get_xlabel())
    assert "y better" in left
    assert "x better" in right
    assert len({mpl.colors.to_hex(area.get_facecolor()[0]) for area in display.areas_}) == 3
    areas = [area.get_paths()[0].get_extents() for area in display.areas_]
    assert areas[0].x1 == pytest.approx(-0.001)
    assert areas[2].x0 == pytest.approx(0.001)

    # the frame has the regions, and the figure says that it is not adjusted
    display = PosteriorDisplay.from_result(compared().tests[0], margin=0.01).plot()
    for row in display.frame().itertuples():
        region = "worse" if row.value < -0.01 else "better" if row.value > 0.01 else "equivalent"
        assert row.region == region
    assert display.ax_.get_ylabel().replace("\n", " ") == "density, not adjusted"
    said = " ".join(texts_of(display.plot(legend="full").figure_))
    assert "not adjusted for several comparisons" in said


def test_a_score_that_is_tested_against_nothing_has_its_interval():
    result = CorrectedResampledTTest()(scores_of("ab")["a"])
    result = replace(result, reporting=replace(result.reporting, asked=False))
    display = PosteriorDisplay.from_result(result).plot()
    assert display.margin == pytest.approx(tuple(result.confidence_interval()))
    assert tuple(display.probabilities) == pytest.approx((0.025, 0.95, 0.025))
    assert display.ax_.get_xlim()[0] > 0.5


def test_without_a_margin_the_null_value_divides():
    scores = scores_of("ab")
    for about in (scores["a"], scores["a"] - scores["b"]):
        result = CorrectedResampledTTest(null_value=0.04)(about)
        display = PosteriorDisplay.from_result(result).plot()
        assert display.margin == (0.04, 0.04)
        expected = result.posterior().cdf(0.04)
        assert tuple(display.probabilities) == pytest.approx((expected, 0, 1 - expected))
        below, above, _ = legend_of(display)
        assert below.endswith("below 0.04")
        assert above.endswith("above 0.04")


def test_bounds_are_in_view_unless_they_are_far():
    test = compared("ab", gap=0.02).tests[0]
    near = PosteriorDisplay.from_result(test, margin=0.06).plot()
    assert near.ax_.get_xlim() == (-0.06, 0.06)
    law = test.posterior()
    ends = PosteriorDisplay.from_result(test, margin=0.9).plot().ax_.get_xlim()
    assert ends == pytest.approx((law.ppf(5e-4), law.isf(5e-4)))


@pytest.fixture(scope="module")
def result():
    cv = RepeatedSubsampleSplit(5, test_size=0.5)
    half = StudiedProcedure(test="corrected_resampled_t", cv=cv, label="half")
    models = {"A": Mean(), "B": LinearRegression()}
    return simulate(line, models, [*TWO[::-1], half], n_data_sets=8, random_state=1)


TWO = ["corrected_resampled_t", "resampled_t"]


class TestRates:
    def test_are_the_rejection_rates_and_are_drawn(self, result):
        result = result.as_losses()
        display = PowerCurveDisplay.from_result(result.take(TWO), alpha=0.05).plot()
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
        display = PowerCurveDisplay.from_result(result.take(TWO), hypothesis="A")
        assert display.truth == display.null_values[20]
        given = PowerCurveDisplay.from_result(result.take(TWO), hypothesis="A", truth=-1.0)
        assert given.truth == given.null_values[20] == -1.0
        display = PowerCurveDisplay.from_result(result.take(TWO), null_values=[2, 0, 1])
        assert display.null_values.tolist() == [0, 1, 2]
        # Of procedures that train on different numbers of rows there are two.
        assert PowerCurveDisplay.from_result(result, hypothesis="A").truth is None

    def test_without_intervals(self):
        display = PowerCurveDisplay(null_values=[0, 1], rates=[[0.1, 0.9]], labels="t", alpha=0.1)
        assert display.frame().columns.tolist() == ["procedure", "null_value", "rate"]

    def test_the_legend_says_what_the_bands_are(self, result):
        display = PowerCurveDisplay.from_result(result.take(TWO))
        for given, said in (
            ({}, "bands: 95 % confidence of each rate, pointwise"),
            ({"low": None}, ""),
        ):
            vars(display).update(given)
            assert display.plot().legend_.get_title().get_text() == said

    def test_curves_can_be_told_apart_without_colour(self):
        rates = np.linspace(0, 1, 24).reshape(12, 2)
        options = {"labels": list("abcdefghijkl"), "alpha": 0.1}
        display = PowerCurveDisplay(null_values=[0, 1], rates=rates, **options)
        display.plot(mpl.pyplot.subplots()[1])
        looks = {(line_.get_linestyle(), line_.get_marker()) for line_ in display.lines_}
        assert len(looks) == 12
        pairs = {(line_.get_color(), line_.get_marker()) for line_ in display.lines_}
        assert len(pairs) == 12
        colours = [line_.get_color() for line_ in display.lines_]
        assert len(set(colours[:6])) == 6


NUMBERS = [0.1, 0.2, 0.4]


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")
@pytest.mark.parametrize(
    ("draw", "error", "said"),
    [
        (lambda: compare_losses(LOSSES, time=DATES).plot("time"), ValueError, "3 comparisons"),
        (lambda: compared("ab").plot("time"), TypeError, "knows no time"),
        (lambda: compare_losses(LOSSES[["a", "b"]], time=DATES).plot(times=DATES[1:]),
         ValueError, "59 entries for 60 tested times"),
        (lambda: stats.diebold_mariano_test(D).plot(), ValueError, r"from_series\(x\)"),
        (lambda: CumulatedDifferenceDisplay.from_series([D]), ValueError, "give one series"),
        (lambda: LearningCurveDisplay.from_result(compared("ab")), TypeError,
         "must be a LearningCurveResult"),
        (lambda: CorrelationSensitivityDisplay.from_result(
            stats.corrected_resampled_ttest(NUMBERS, n_train=90, n_test=10)),
         ValueError, "from_scores"),
        (lambda: CorrelationSensitivityDisplay.from_result(
            stats.holdout_ttest(NUMBERS, n_train=90, hypotheses="fixed")),
         ValueError, "assumes no correlation"),
        (lambda: PosteriorDisplay.from_result(
            stats.corrected_resampled_ttest([NUMBERS] * 3, n_train=180, n_test=20)),
         TypeError, "Expected one test, got 3"),
        (lambda: PosteriorDisplay.from_result(
            compare_scores(scores_of("ab"), method="resampled_t").tests[0]),
         TypeError, "has no posterior"),
    ],
)  # fmt: skip
def test_bad_input(draw, error, said):
    with pytest.raises(error, match=said):
        draw()
