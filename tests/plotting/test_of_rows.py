"""Displays with a row for each: ComparisonDisplay, PairedScoresDisplay and RankingDisplay."""

import re
from dataclasses import replace
from typing import ClassVar

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from skcvstats import CVScores, SplitDesign, compare_scores
from skcvstats.plotting import ComparisonDisplay, PairedScoresDisplay, RankingDisplay
from skcvstats.plotting._display import MARKS
from skcvstats.stats import KINDS, OUTCOMES

from ..conftest import every, ignoring
from ..words.cases import DESIGN, quietly, scores_of
from . import drawing
from .drawing import METRICS, TITLES, compared, heights_of, legend_of, lines_at, slow

MINUS = " \N{MINUS SIGN} "


class TestNumbers:
    @pytest.mark.parametrize(("reference", "own"), [(None, True), ("b", False)])
    def test_each_row_is_drawn_at_its_numbers(self, reference, own):
        result = compared("abcd", METRICS, reference=reference, gap=0.002)
        orders = {tuple((c.estimator, c.versus) for c in result[name]) for name in METRICS}
        assert len(orders) > 1  # so that a row could be mistaken for another
        display = ComparisonDisplay.from_result(result, confidence_level=0.8)
        display.plot(None if own else plt.subplots(3)[1])
        for k, comparison in enumerate(result):
            panel = result.metrics.index(comparison.metric)
            ax = display.axes_[panel]
            assert ax.get_title(loc="left") == f"difference in {TITLES[comparison.metric]}"
            # pairs are turned in each metric, the others stand beside each other
            heights = heights_of(display.axes_[panel if reference is None else 0])
            pair = f"{comparison.estimator}{MINUS}{comparison.versus}"
            height = heights[comparison.estimator if reference else pair]
            low, high = comparison.test.confidence_interval(0.8)
            expected = [[low, high], [comparison.test.estimate]]
            assert sorted(lines_at(ax, height)) == sorted(expected)
            assert display.intervals_[k].get_xdata().tolist() == [low, high]
            assert display.marks_[k].get_ydata() == height
            assert display.marks_[k].axes is ax

    @pytest.mark.parametrize("null_value", every(2, [0.03, 0.0]))
    def test_null_line_and_reference(self, null_value):
        result = compared("abc", METRICS, reference="b", null_value=null_value)
        display = ComparisonDisplay.from_result(result).plot()
        for ax, line in zip(display.axes_, display.null_lines_, strict=True):
            assert line.axes is ax
            assert line.get_xdata() == [null_value, null_value]
            assert lines_at(ax, heights_of(display.ax_)["b (reference)"]) == [[0]]
        assert ("null value 0.03" in legend_of(display)) == (null_value != 0)


class TestDirection:
    @pytest.mark.parametrize(
        ("gap", "own", "reference"),
        [(-0.05, True, None), (0.05, True, "y"), *slow([(0.05, True, None), (0.05, False, None)])],
    )
    def test_the_better_one_has_its_side(self, gap, own, reference):
        result = compared("xyz", gap=gap, reference=reference)
        means = dict(zip("xyz", result.scores.values.mean(axis=1), strict=True))
        display = ComparisonDisplay.from_result(result).plot(None if own else plt.subplots()[1])
        sides = re.split("   |\n", display.ax_.get_xlabel())
        assert (sides[0][0], sides[1][-1]) == ("\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}")
        if reference is None:
            rows, words = heights_of(display.ax_), ("first better", "second better")
        else:
            rows, words = heights_of(display.ax_), ("better", "worse")
            rows = {f"{name}{MINUS}y": rows[name] for name in "xz"}
        for name, height in rows.items():
            (at,) = next(x for x in lines_at(display.ax_, height) if len(x) == 1)
            first, second = name.split(MINUS)
            said = [word in sides[int(at > 0)] for word in words]
            assert said == [means[first] > means[second], means[first] < means[second]]

    @pytest.mark.parametrize("alternative", ["less", "greater"])
    def test_one_sided_intervals_go_on_in_an_arrow_inside(self, alternative):
        how = {"alternative": alternative, "reference": "forest"}
        result = compared(["logistic", "forest"], **how)
        display = ComparisonDisplay.from_result(result)
        end, marker = ("low", "<") if alternative == "less" else ("high", ">")
        assert np.isinf(display.frame()[end]).all()
        ax = display.plot().ax_
        (arrow,) = [line for line in ax.lines if line.get_marker() in ("<", ">")]
        assert arrow.get_marker() == marker
        box = arrow.get_window_extent()
        assert ax.bbox.x0 < box.x0
        assert box.x1 < ax.bbox.x1
        names = [box for text, box in drawing.seen_texts(display.figure_) if MINUS in text]
        assert not any(box.overlaps(name) for name in names)
        equal = compared("ab", gap=0.0, alternative=alternative, reference="b")
        side = {"greater": "above", "less": "below"}[alternative]
        said = list(legend_of(ComparisonDisplay.from_result(equal).plot()))
        assert said == [f"not significantly {side} 0"]


def look_of(line):
    colours = map(mpl.colors.to_hex, (line.get_color(), line.get_markerfacecolor()))
    return [line.get_marker(), *colours]


class TestOutcomes:
    @pytest.mark.parametrize("null_value", every(2, [-0.01, 0.0]))
    def test_each_mark_looks_as_the_legend_says(self, null_value):
        result = compared("abcde", METRICS, reference="c", gap=0.02, null_value=null_value)
        display = ComparisonDisplay.from_result(result).plot()
        legend = {text: look_of(mark) for text, mark in legend_of(display).items()}
        seen = set()
        for k, (comparison, mark) in enumerate(zip(result, display.marks_, strict=True)):
            text = "not significantly different from -0.01" if null_value else "not significant"
            if comparison.pvalue_adjusted < 0.05:
                side = "above" if comparison.test.estimate > null_value else "below"
                text = f"significantly {side} {null_value:g}"
            seen.add(text)
            assert look_of(mark) == legend[text]
            assert display.intervals_[k].get_color() == mark.get_color()
        assert len(seen) == 3
        assert set(legend) - {"null value -0.01"} == seen
        assert len({tuple(look) for look in legend.values()}) == len(legend)

    def test_undetermined(self):
        good, bad = scores_of("ab").values
        values = np.stack([good, bad, bad, good + 0.001])
        scores = CVScores(values=values, design=DESIGN, labels=tuple("abcd"))
        with pytest.warns(match="do not vary"):
            result = compare_scores(scores, reference="a")
        display = ComparisonDisplay.from_result(result)
        expected = {"b": "lower", "c": "lower", "d": "undetermined"}
        assert display.frame().set_index("estimator")["outcome"].to_dict() == expected
        thin = "thin: not adjusted"
        legend = ["significantly below 0", "undetermined: does not vary", thin]
        assert list(legend_of(display.plot())) == legend

    def test_marks_are_at_the_level_of_the_intervals(self):
        result = compare_scores(scores_of("ab", gap=0.03))
        assert 0.01 < result.tests[0].pvalue < 0.05
        for percent, outcome in [(95, "higher"), (99, "not significant")]:
            display = ComparisonDisplay.from_result(result, confidence_level=percent / 100)
            assert display.frame()["outcome"].tolist() == [outcome]
            said = f"marks: {100 - percent} % level; intervals: {percent} % confidence"
            assert display.plot().legend_.get_title().get_text() == said
        told = ComparisonDisplay.from_result(result.with_confidence(0.99))
        pd.testing.assert_frame_equal(told.frame(), display.frame())

    @pytest.mark.parametrize("adjustment", every(2, ["holm", "none"]))
    def test_the_legend_says_what_is_adjusted(self, adjustment):
        result = compared("abc", adjustment=adjustment)
        said = (
            ComparisonDisplay.from_result(result).plot(legend="full").legend_.get_title().get_text()
        )
        assert said.replace("\n", " ").endswith(result.adjusted())
        assert "intervals" in said.split("\n", 1)[1]
        pair = compared("ab", adjustment=adjustment)
        texts = drawing.texts_of(ComparisonDisplay.from_result(pair).plot().figure_)
        assert not any("adjusted" in text for text in texts)


def test_intervals_that_do_not_decide_are_thin_and_below():
    result = compared("abcd", gap=0.01, adjustment="max_t")
    display = ComparisonDisplay.from_result(result).plot()
    for k, row in result.to_frame(full=True).iterrows():
        decides, thin = display.intervals_[k], display.further_[k]["unadjusted"]
        assert decides.get_xdata().tolist() == [row["low"], row["high"]]
        ends = [row["low_unadjusted"], row["high_unadjusted"]]
        assert thin.get_xdata().tolist() == ends
        assert row["low"] < ends[0] < ends[1] < row["high"]
        assert thin.get_linewidth() < decides.get_linewidth()
        assert decides.get_ydata()[0] < thin.get_ydata()[0] < decides.get_ydata()[0] + 0.5
    assert "thin: not adjusted" in legend_of(display)
    same = ComparisonDisplay.from_result(compared("abcd", gap=0.01)).plot()
    assert same.further_ == [{}] * 6
    assert not [text for text in legend_of(same) if "thin" in text]


class TestMargin:
    @pytest.mark.parametrize("margin", [[-0.3, 0.01], *slow([([-0.02, 0.02],)])])
    def test_is_shaded_in_view_and_explained(self, margin):
        result = compared("abc", METRICS, gap=0.01).with_margin(margin)
        display = ComparisonDisplay.from_result(result).plot()
        assert len(display.margins_) == 3
        for ax, shade in zip(display.axes_, display.margins_, strict=True):
            box = shade.get_extents().transformed(ax.transData.inverted())
            assert (box.x0, box.x1) == pytest.approx(margin)
            low, high = ax.get_xlim()
            assert low < margin[0] < margin[1] < high
        assert f"margin: {margin[0]:g} to {margin[1]:g}" in legend_of(display)
        bounded = ComparisonDisplay(comparisons=made_by_hand(), margin=(margin[0], np.inf)).plot()
        box = bounded.margins_[0].get_extents().transformed(bounded.ax_.transData.inverted())
        assert (box.x0, box.x1) == pytest.approx((margin[0], bounded.ax_.get_xlim()[1]))

    def test_bounds_are_turned_with_their_pairs(self):
        result = compared("abc", gap=-0.01).with_margin((-0.01, 0.03))  # all are turned
        display = ComparisonDisplay.from_result(result).plot()
        (shade,) = display.margins_
        box = shade.get_extents().transformed(display.ax_.transData.inverted())
        assert (box.x0, box.x1) == pytest.approx((-0.03, 0.01))
        assert "margin: -0.03 to 0.01" in legend_of(display)
        scores = {"b": 0.9, "a": 0.92, "c": 0.88}  # a - b is turned
        noise = np.random.default_rng(0).normal(0, 0.01, (3, 15))
        scores = {name: mean + row for (name, mean), row in zip(scores.items(), noise, strict=True)}
        result = compare_scores(scores, design=DESIGN, margin=(-0.01, 0.03))
        display = ComparisonDisplay.from_result(result).plot()
        (bars,) = display.margins_
        for pair, bar in zip(result, bars, strict=True):
            bounds = (-0.03, 0.01) if pair.versus == "b" else (-0.01, 0.03)
            assert (bar.get_x(), bar.get_x() + bar.get_width()) == pytest.approx(bounds)
            assert pair.margin == pytest.approx(bounds)
        assert "margin: -0.01 to 0.03, turned with its pair" in legend_of(display)

    def test_the_interval_that_decides_on_it_is_thick(self):
        result = compared("ab", gap=0.01).with_margin(0.05)
        display = ComparisonDisplay.from_result(result).plot()
        row = result.to_frame(full=True).iloc[0]
        thick = display.further_[0]["margin"]
        assert thick.get_xdata().tolist() == [row["low_margin"], row["high_margin"]]
        assert thick.get_xdata() == pytest.approx(list(result.tests[0].confidence_interval(0.9)))
        assert thick.get_linewidth() > display.intervals_[0].get_linewidth()
        said = ["equivalent", "thick: decides on the margin", "margin: -0.05 to 0.05"]
        assert list(legend_of(display)) == said


@pytest.mark.parametrize(("sign", "own"), [(1, True), (-1, False)])
def test_a_row_that_is_far_away_is_an_arrow_with_its_number(sign, own):
    """An end of a row that is in view is an arrow without a number."""
    low, high = sorted([sign * 4.0, sign * 6.0])
    far = made_by_hand()[:1].assign(estimator="e", difference=sign * 5.0, low=low, high=high)
    frame = pd.concat([made_by_hand(estimator=list("abc")), far], ignore_index=True)
    frame["versus"] = "d"
    display = ComparisonDisplay(comparisons=frame).plot(None if own else plt.subplots()[1])
    left, right = display.ax_.get_xlim()
    assert -0.1 < left < 0 < 0.4 < right < 0.5
    assert display.marks_[3].get_xdata()[0] == sign * 5
    assert display.intervals_[3].get_xdata().tolist() == [low, high]
    height = display.marks_[3].get_ydata()[0]
    arrows = [line for line in display.ax_.lines if line.get_marker() in ("<", ">")]
    assert {line.get_marker() for line in arrows} == {">" if sign > 0 else "<"}
    for arrow in arrows:
        assert arrow.get_ydata()[0] == height
        assert left < arrow.get_xdata()[0] < right
    (number,) = [text for text in display.ax_.texts if text.get_text() == f"{sign * 5}"]
    assert number.get_bbox_patch().get_alpha() is None  # no line shines through
    assert number.xy[1] == height
    display = ComparisonDisplay(comparisons=made_by_hand(high=[0.15, 50.0, 0.4])).plot()
    assert display.ax_.get_xlim()[1] < 1
    (arrow,) = [line for line in display.ax_.lines if line.get_marker() == ">"]
    assert arrow.get_ydata()[0] == display.marks_[1].get_ydata()[0]
    assert not display.ax_.texts


def test_the_first_of_many_are_those_of_the_table_and_the_same_in_all_metrics():
    result = compared("abcdefgh", METRICS, gap=0.001, alternative="greater")
    frame = ComparisonDisplay.from_result(result, top=5).frame()
    expected = result["accuracy"].to_frame(full=True)[:5]
    pairs = set(zip(expected["estimator"], expected["versus"], strict=True))
    for metric, part in frame.groupby("metric"):
        assert set(zip(part["estimator"], part["versus"], strict=True)) == pairs
        found = {(c.estimator, c.versus): c for c in result[metric]}
        lows = result[metric].to_frame(full=True).set_index(["estimator", "versus"])["low"]
        for row in part.itertuples():
            pair = row.estimator, row.versus
            assert (row.low, row.outcome) == (lows[pair], found[pair].outcome)


def made_by_hand(**columns):
    """A frame of three comparisons, with columns of its own."""
    frame = pd.DataFrame({"metric": "accuracy", "estimator": [*"aab"], "versus": [*"bcc"]})
    numbers = {"difference": [0.1, 0.2, 0.3], "low": [0.05, 0.1, 0.2], "high": [0.15, 0.3, 0.4]}
    outcomes = ["higher", "different", "not significant"]
    return frame.assign(**{**numbers, "outcome": outcomes, **columns})


class TestFramesMadeByHand:
    @pytest.mark.parametrize("own", every(2, [True, False]))
    def test_every_kind_of_claim_has_its_mark_and_its_words(self, own):
        assert list(MARKS) == [OUTCOMES[kind] for kind in KINDS]
        n, at = len(MARKS), np.linspace(-0.1, 0.1, len(MARKS))
        frame = pd.DataFrame({"estimator": [f"m{k}" for k in range(n)], "outcome": list(MARKS)})
        frame = frame.assign(metric="accuracy", versus="reference", difference=at)
        frame = frame.assign(low=at - 0.1, high=at + 0.1)
        display = ComparisonDisplay(comparisons=frame, reference="reference")
        legend = legend_of(display.plot(None if own else plt.subplots()[1]))
        assert [look_of(mark) for mark in legend.values()] == list(map(look_of, display.marks_))
        assert len({tuple(look_of(mark)) for mark in legend.values()}) == n
        assert len({mark[1:] for mark in MARKS.values()}) == n  # without colour
        assert not {"<", ">", "D"} & {marker for _, marker, _ in MARKS.values()}  # of other things

    def test_words_of_the_legend_are_data(self):
        better = "better by more than {0} points"
        words = {"higher": better, "equivalent": "not needed"}
        display = ComparisonDisplay(comparisons=made_by_hand(), words=words, null_value=0.05)
        said = [better, "significantly different", "not significant", "null value 0.05"]
        assert list(legend_of(display.plot())) == said
        display = ComparisonDisplay(comparisons=made_by_hand(outcome="high"))
        plt.close("all")
        with pytest.raises(ValueError, match=r"outcome='high' is not known.*Did you mean 'higher'"):
            display.plot()
        assert not plt.get_fignums()

    def test_all_or_some_without_intervals(self):
        display = ComparisonDisplay(comparisons=made_by_hand(low=np.nan, high=np.nan)).plot()
        assert display.intervals_ == [None] * 3
        assert [mark.get_xdata()[0] for mark in display.marks_] == [0.1, 0.2, 0.3]
        assert display.legend_.get_title().get_text() == "marks: 5 % level"
        low, high = display.ax_.get_xlim()
        assert -0.1 < low < 0 < 0.3 < high < 0.4
        display = ComparisonDisplay(comparisons=made_by_hand(low=[np.nan, -np.inf, 0.2])).plot()
        without, one_sided, both = display.intervals_
        assert without is None
        assert both.get_xdata().tolist() == [0.2, 0.4]
        assert display.ax_.get_xlim()[0] < one_sided.get_xdata()[0] < 0.1
        arrows = [line for line in display.ax_.lines if line.get_marker() == "<"]
        assert [arrow.get_ydata()[0] for arrow in arrows] == [one_sided.get_ydata()[0]]
        assert "intervals: 95 % confidence" in display.legend_.get_title().get_text()

    def test_what_has_no_estimate_is_named_in_the_legend_or_counted(self):
        frame = made_by_hand(difference=[0.1, np.nan, 0.3])
        display = ComparisonDisplay(comparisons=frame).plot()
        assert display.marks_[1] is display.intervals_[1] is None
        assert list(heights_of(display.ax_)) == [f"a{MINUS}b", f"b{MINUS}c"]
        assert list(legend_of(display)) == ["significantly higher", "not significant"]
        said = display.legend_.get_title().get_text()
        assert said.startswith("1 comparison without an estimate; ")
        said = display.plot(legend="full").legend_.get_title().get_text()
        assert said.endswith(f"without an estimate: a{MINUS}c")
        frame = pd.concat([made_by_hand(difference=np.nan).assign(versus=f"m{k}") for k in "12"])
        frame = pd.concat([made_by_hand(), frame])  # rows of the same index
        display = ComparisonDisplay(comparisons=frame, reference="c").plot(legend="full")
        assert [mark is None for mark in display.marks_] == [False] * 3 + [True] * 6
        assert display.legend_.get_title().get_text().endswith("without an estimate: a, b")
        display = ComparisonDisplay(comparisons=frame).plot(legend="full")
        expected = f"a{MINUS}m1, b{MINUS}m1, a{MINUS}m2 and 1 more"
        said = display.legend_.get_title().get_text().replace("\n", " ")
        assert said.endswith(expected)

    def test_nothing_to_draw(self):
        frame = made_by_hand(difference=np.nan, low=np.nan, high=np.nan)
        for reference, ax in ((None, None), ("b", plt.subplots()[1])):
            display = ComparisonDisplay(comparisons=frame, reference=reference, null_value=-1.0)
            display.plot(ax).figure_.canvas.draw()
            assert display.marks_ == display.intervals_ == [None] * 3
            low, high = display.ax_.get_xlim()
            assert low < -1 < high


FIVE_BY_TWO = SplitDesign.from_sizes(50, 50, n_splits=10, levels=("repeat", "fold"), shape=(5, 2))
OF_REPLICATES = {"levels": ("replicate", "split"), "shape": (4, 5)}
REPLICATES = SplitDesign.from_sizes(180, 20, n_splits=20, **OF_REPLICATES)


def random_scores(design, labels="ab"):
    values = np.random.default_rng(0).normal(size=(len(labels), design.n_splits))
    return CVScores(values=values, design=design, labels=tuple(labels))


def read_off(line, heights):
    """Return by estimator where a line or its marks are."""
    at = dict(zip(line.get_ydata(), line.get_xdata(), strict=True))
    return {name: at[height] for name, height in heights.items()}


class TestPaired:
    @pytest.mark.parametrize("own", every(2, [True, False]))
    def test_each_split_is_drawn_through_its_scores(self, own):
        result = compared("abcd", METRICS, gap=-0.002)
        display = PairedScoresDisplay.from_result(result)
        display.plot(None if own else plt.subplots(3)[1])
        heights = heights_of(display.ax_)
        lines = iter(display.lines_)
        for ax, mark, (metric, scores) in zip(
            display.axes_, display.marks_, result.scores_by_metric.items(), strict=True
        ):
            assert ax.get_title(loc="left") == TITLES[metric]
            # The best in the first metric is on top in all.
            assert own or list(heights_of(ax)) == result["accuracy"].ranking()["estimator"].tolist()
            assert ax.yaxis_inverted()
            for k in range(15):
                line = next(lines)
                assert line.axes is ax
                expected = dict(zip(scores.labels, scores.values[:, k], strict=True))
                assert read_off(line, heights) == expected
            means = dict(zip(scores.labels, scores.values.mean(axis=1), strict=True))
            assert mark.axes is ax
            assert read_off(mark, heights) == pytest.approx(means, rel=1e-12)
        assert next(lines, None) is None

    def test_the_axis_has_no_offset(self):
        values = -12344 + np.linspace(0, 0.05, 30).reshape(2, 15)
        scores = CVScores(values=values, design=DESIGN, labels=("a", "b"))
        with pytest.warns(match="do not vary"):
            result = compare_scores(scores)
        display = PairedScoresDisplay.from_result(result).plot()
        display.figure_.canvas.draw()
        assert display.ax_.xaxis.get_offset_text().get_text() == ""


def tied(labels=("a", "b"), levels=3, seed=0):
    """Scores of few distinct values."""
    values = np.random.default_rng(seed).integers(0, levels, (len(labels), 20)) / 20
    design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=20)
    return CVScores(values=values, design=design, labels=tuple(labels))


def test_equal_scores_are_set_apart_by_split_and_counted_and_differences_stay():
    scores = tied("abc")
    display = PairedScoresDisplay.from_result(compare_scores(scores)).plot()
    heights = heights_of(display.ax_)
    shifts = []
    for k, line in enumerate(display.lines_):
        at = read_off(line, heights)
        moved = [at[name] - scores[name].values[k] for name in "abc"]
        assert moved == pytest.approx([moved[0]] * 3, abs=1e-12)
        shifts.append(moved[0])
    assert len(set(np.round(shifts, 9))) == 20
    assert np.abs(shifts).max() < 0.5 * 0.05
    again = PairedScoresDisplay.from_result(compare_scores(scores)).plot()
    for one, other in zip(display.lines_, again.lines_, strict=True):
        assert one.get_xdata().tolist() == other.get_xdata().tolist()
    texts = [text for text in display.ax_.texts if text.xy[1] in heights.values()]
    written = sorted((text.xy[1], text.xy[0], int(text.get_text())) for text in texts)
    expected = sorted(
        (heights[name], value, count)
        for name in "abc"
        for value in np.unique(scores[name].values)
        if (count := np.count_nonzero(scores[name].values == value)) >= 3
    )
    np.testing.assert_allclose(written, expected, rtol=1e-9)
    assert "equal scores are set apart" in display.legend_.get_title().get_text()
    means = {name: scores[name].values.mean() for name in "abc"}
    assert read_off(display.marks_[0], heights) == pytest.approx(means)
    assert set(display.frame()["score"]) == set(np.unique(scores.values))


@ignoring("DegenerateScores")
@pytest.mark.parametrize("values", [np.full((2, 20), 0.5), np.arange(40.0).reshape(2, 20)])
def test_scores_of_one_value_or_without_equal_ones_are_drawn_where_they_are(values):
    design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=20)
    scores = CVScores(values=values, design=design, labels=("a", "b"))
    display = PairedScoresDisplay.from_result(compare_scores(scores)).plot()
    heights = heights_of(display.ax_)
    for k, line in enumerate(display.lines_):
        at = read_off(line, heights)
        assert [at["a"], at["b"]] == values[:, k].tolist()


def test_differences_of_two_are_drawn_below():
    scores = {name: tied(["x", "y"], 3, seed) for seed, name in enumerate(("accuracy", "f1"))}
    result = compare_scores({name: replace(found, metric=name) for name, found in scores.items()})
    display = PairedScoresDisplay.from_result(result).plot()
    both = display.difference_axes_, display.axes_
    for ax, above, (metric, found) in zip(*both, scores.items(), strict=True):
        assert ax.get_title(loc="left") == f"difference in {TITLES[metric]}"
        assert ax.get_position().y1 < above.get_position().y0
        dots = [line for line in ax.lines if line.get_marker() == "o"]
        drawn = np.sort(np.concatenate([line.get_xdata() for line in dots]))
        pair = result[metric].comparisons[0]
        x, y = (found.values[found.labels.index(name)] for name in (pair.estimator, pair.versus))
        assert drawn == pytest.approx(np.sort(x - y))
        (mark,) = [line for line in ax.lines if line.get_marker() == "D"]
        assert mark.get_xdata() == pytest.approx((x - y).mean())
        places = {tuple(point) for line in dots for point in np.round(line.get_xydata(), 9)}
        assert len(places) == 20
    # there are none in axes of a user or of several estimators
    for labels, ax in (("ab", plt.subplots()[1]), ("abc", None)):
        display = PairedScoresDisplay.from_result(compared(labels)).plot(ax)
        assert len(display.difference_axes_) == 0


class TestWhichSplitsMakeTheEstimates:
    NUMBERS: ClassVar = {"bootstrap_t": 5, "corrected_bootstrap_t": 5, "five_by_two_cv_t": 1}

    @pytest.mark.parametrize("method", every(2, [*NUMBERS, "corrected_resampled_t"]))
    def test_are_told_from_the_others(self, method):
        n_estimating = self.NUMBERS.get(method, 20)
        design = FIVE_BY_TWO if method == "five_by_two_cv_t" else REPLICATES
        result = quietly(compare_scores, random_scores(design), method=method)
        display = PairedScoresDisplay.from_result(result).plot()
        frame = display.frame()
        used = frame[frame["estimating"]]
        assert len(used) == 2 * n_estimating
        means = used.groupby("estimator")["score"].mean()
        estimates = frame.groupby("estimator")["estimate"].first()
        assert means.tolist() == pytest.approx(estimates.tolist(), rel=1e-9)
        styles = [line.get_linestyle() for line in display.lines_]
        n_further = design.n_splits - n_estimating
        assert styles == ["-"] * n_estimating + [":"] * n_further
        further = [text for text in legend_of(display) if "not in the estimate" in text]
        assert len(further) == (n_further > 0)

    def test_are_all_where_that_cannot_be_seen(self):
        scores = CVScores(values=np.full((2, 20), 0.5), design=REPLICATES, labels=("a", "b"))
        with pytest.warns(match="do not vary"):
            result = compare_scores(scores)
        assert PairedScoresDisplay.from_result(result).n_estimating is None
        result = compared("ab")  # with estimates that are no means
        (metric, tests), *_ = result.tests_by_metric.items()
        moved = replace(tests.compared, estimates=tests.estimates + 0.5)
        others = replace(tests, compared=moved, joint=moved)
        result = replace(result, tests_by_metric={metric: others})
        assert PairedScoresDisplay.from_result(result).n_estimating is None


@pytest.mark.parametrize("first_better", [True, False])
def test_the_better_one_of_two_has_its_side_and_its_colour(first_better):
    values = np.array([[0.9, 0.7, 0.8, 0.95], [0.8, 0.75, 0.8, 0.7]])
    values = values if first_better else values[::-1]
    design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=4)
    with pytest.warns(match="Only 4 splits"):
        result = compare_scores(CVScores(values=values, design=design, labels=("a", "b")))
    display = PairedScoresDisplay.from_result(result).plot()
    said = {
        colour_of(handle): text.removeprefix("a split with ")
        for text, handle in legend_of(display).items()
    }
    for line, (a, b) in zip(display.lines_, values.T, strict=True):
        text = said.get(colour_of(line), "neither")
        assert ("a better" in text, "b better" in text) == (a > b, a < b)
    (ax,) = display.difference_axes_
    sides = ax.get_xlabel().split("   ")
    for line in (line for line in ax.lines if line.get_marker() == "o"):
        for x in line.get_xdata()[line.get_xdata() != 0]:
            assert said[colour_of(line)] in sides[int(x > 0)]


def colour_of(line):
    return mpl.colors.to_hex(line.get_color())


class TestRanking:
    @pytest.mark.parametrize("level", every(2, [0.8, None]))
    def test_are_those_of_the_result(self, level):
        result = compared("abcd", METRICS, gap=0.01)
        frame = RankingDisplay.from_result(result, confidence_level=level).frame()
        for metric, part in frame.groupby("metric", sort=False):
            expected = result[metric].ranking(level)
            part = part.drop(columns="metric").reset_index(drop=True)
            pd.testing.assert_frame_equal(part, expected)

    @pytest.mark.parametrize("own", every(2, [True, False]))
    def test_each_row_is_drawn_at_its_numbers(self, own):
        result = compared("abcd", METRICS, gap=0.004)
        orders = {tuple(result[name].ranking()["estimator"]) for name in METRICS}
        assert len(orders) > 1
        axes = None if own else plt.subplots(3, figsize=(6.4, 8))[1]
        display = RankingDisplay.from_result(result, letters=True).plot(axes)
        heights = heights_of(display.ax_)
        assert list(heights) == list(result["accuracy"].ranking()["estimator"])
        for ax, metric in zip(display.axes_, METRICS, strict=True):
            assert ax.get_title(loc="left") == TITLES[metric]
            for row in result[metric].ranking().itertuples():
                expected = [[row.low, row.high], [row.score]]
                assert sorted(lines_at(ax, heights[row.estimator])) == sorted(expected)
        for k, row in display.frame().iterrows():
            assert display.marks_[k].get_xdata()[0] == row["score"]
            assert display.marks_[k].get_ydata()[0] == heights[row["estimator"]]
            assert display.letters_[k].get_position()[1] == heights[row["estimator"]]
            assert display.letters_[k].get_text() == row["letters"]
            assert display.intervals_[k].get_xdata().tolist() == [row["low"], row["high"]]

    @pytest.mark.parametrize("own", every(2, [True, False]))
    def test_letters_stand_beside_the_intervals(self, own):
        result = compared("abcdefghijkl", gap=0.02)
        display = RankingDisplay.from_result(result, letters=True)
        display.plot(None if own else plt.subplots()[1])
        assert max(len(text.get_text()) for text in display.letters_) > 2
        for letters, interval in zip(display.letters_, display.intervals_, strict=True):
            assert letters.get_window_extent().x0 > interval.get_window_extent().x1

    @pytest.mark.parametrize("level", every(2, [0.8, None]))
    def test_ranks_instead_of_scores(self, level):
        result = compared("abcdef", METRICS[:2], gap=0.02)
        display = RankingDisplay.from_result(result, ranks=True, confidence_level=level).plot()
        for ax, metric in zip(display.axes_, METRICS[:2], strict=True):
            assert "rank" in ax.get_xlabel()
            heights = heights_of(display.ax_)
            for place, row in enumerate(result[metric].ranking(level).itertuples()):
                found = sorted(lines_at(ax, heights[row.estimator]))
                assert found == sorted([[row.rank_low, row.rank_high], [place + 1]])
        assert {"rank", "rank_low", "rank_high", "score"} <= set(display.frame())
        assert "intervals of all ranks hold together" in display.legend_.get_title().get_text()


class TestBestSet:
    @pytest.mark.parametrize("level", every(2, [0.6, 0.95]))
    def test_filled_marks_could_be_the_best(self, level):
        result = compared("abcdef", gap=0.012).with_confidence(level)
        display = RankingDisplay.from_result(result).plot()
        ground = display.ax_.get_facecolor()
        filled = {
            row["estimator"]
            for mark, (_, row) in zip(display.marks_, display.frame().iterrows(), strict=True)
            if mark.get_markerfacecolor() != ground
        }
        assert filled == set(result.best_set())
        assert 0 < len(filled) < 6
        legend, outside = legend_of(display), "not in that set (one-sided tests)"
        assert list(legend) == [f"could be the best ({100 * level:g} %)", outside]
        for mark, inside in zip(legend.values(), [True, False], strict=True):
            assert (mark.get_markerfacecolor() != ground) == inside

    def test_a_procedure_without_direction(self):
        result = compare_scores(random_scores(FIVE_BY_TWO, "abc"), method="five_by_two_cv_f")
        display = RankingDisplay.from_result(result).plot()
        assert list(legend_of(display)) == ["score"]
        assert len(display.marks_) == 3


@pytest.mark.parametrize(
    ("labels", "adjusted", "letters"),
    [("abc", True, True), ("ab", False, True), ("abc", False, False)],
)
def test_letters_are_drawn_on_request_and_the_caption_says_what_they_are(labels, adjusted, letters):
    asked = {"letters": True} if letters else {}
    display = compared(labels).plot("ranking", legend="full", **asked)
    said = display.legend_.get_title().get_text().replace("\n", " ")
    assert "95 % intervals of scores, not differences" in said
    assert ("with a letter in common: no significant difference" in said) == letters
    assert ("adjusted by Holm's method" in said) == adjusted
    assert letters or display.letters_ == [None] * 3
    assert ("letters" in display.frame()) == letters


def test_top_takes_the_best_of_every_metric():
    scores = {"m": scores_of("abcdef", "m"), "l": scores_of("abcdef", "l", gap=-0.05)}
    display = RankingDisplay.from_result(compare_scores(scores, adjustment="holm"), top=4)
    frame = display.frame()
    for metric in "ml":
        assert set(frame.loc[frame["metric"] == metric, "estimator"]) == set("abef")
    assert display.n_more == 2


def test_metrics_with_estimators_of_their_own_are_stacked():
    frame = pd.DataFrame({"metric": list("mmll"), "estimator": list("abac")})
    frame = frame.assign(score=[0.9, 0.8, 0.7, 0.6], low=[0.8, 0.7, 0.6, np.nan])
    frame = frame.assign(high=[1.0, 0.9, 0.8, np.nan], letters=["a", "b", None, None])
    frame["could_be_best"] = [True, False, None, None]
    display = RankingDisplay(ranking=frame).plot()
    first, second = display.axes_
    assert first.get_position().y0 > second.get_position().y1
    assert list(heights_of(second)) == ["a", "c"]
    assert display.intervals_[3] is display.letters_[2] is None
    said = ["could be the best (95 %)", "not in that set (one-sided tests)", "score"]
    assert list(legend_of(display)) == said
