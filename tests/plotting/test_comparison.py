"""ComparisonDisplay: what is drawn against the result, row by row."""

import re

import numpy as np
import pandas as pd
import pytest

from skcvstats import CVScores, compare_scores
from skcvstats.plotting import ComparisonDisplay
from skcvstats.plotting._display import MARKS
from skcvstats.stats import KINDS, OUTCOMES

from ..conftest import every
from ..words.cases import DESIGN, scores_of
from .drawing import (
    METRICS,
    compared,
    heights_of,
    heights_of_pairs,
    legend_of,
    lines_at,
    matplotlib,
    plt,
    seen_texts,
    slow,
    texts_of,
)

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
            assert ax.get_title(loc="left") == f"difference in {comparison.metric}"
            # pairs are turned in each metric, the others stand beside each other
            heights = heights_of_pairs(display, panel if reference is None else 0)
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
            rows, words = heights_of_pairs(display), ("right name better", "left name better")
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
        names = [box for text, box in seen_texts(display.figure_) if MINUS in text]
        assert not any(box.overlaps(name) for name in names)
        equal = compared("ab", gap=0.0, alternative=alternative, reference="b")
        side = {"greater": "above", "less": "below"}[alternative]
        said = list(legend_of(ComparisonDisplay.from_result(equal).plot()))
        assert said == [f"not significantly {side} 0"]


def look_of(line):
    colours = map(matplotlib.colors.to_hex, (line.get_color(), line.get_markerfacecolor()))
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
        thin = "thin: the comparison by itself, not adjusted"
        legend = ["significantly below 0", "undetermined: does not vary", thin]
        assert list(legend_of(display.plot())) == legend

    def test_marks_are_at_the_level_of_the_intervals(self):
        result = compare_scores(scores_of("ab", gap=0.03))
        assert 0.01 < result.tests[0].pvalue < 0.05
        for percent, outcome in [(95, "higher"), (99, "not significant")]:
            display = ComparisonDisplay.from_result(result, confidence_level=percent / 100)
            assert display.frame()["outcome"].tolist() == [outcome]
            said = f"marks: {100 - percent} % level, intervals: {percent} % confidence"
            assert display.plot().legend_.get_title().get_text() == said
        told = ComparisonDisplay.from_result(result.with_confidence(0.99))
        pd.testing.assert_frame_equal(told.frame(), display.frame())

    @pytest.mark.parametrize("adjustment", every(2, ["holm", "none"]))
    def test_the_legend_says_what_is_adjusted(self, adjustment):
        result = compared("abc", adjustment=adjustment)
        said = ComparisonDisplay.from_result(result).plot().legend_.get_title().get_text()
        assert said.replace("\n", " ").endswith(result.adjusted())
        assert "intervals" in said.split("\n", 1)[1]
        pair = compared("ab", adjustment=adjustment)
        texts = texts_of(ComparisonDisplay.from_result(pair).plot().figure_)
        assert not any("adjusted" in text for text in texts)


def test_intervals_that_do_not_decide_are_thin_and_below():
    result = compared("abcd", gap=0.01, adjustment="max_t")
    display = ComparisonDisplay.from_result(result).plot()
    for k, row in result.to_frame().iterrows():
        decides, thin = display.intervals_[k], display.further_[k]["unadjusted"]
        assert decides.get_xdata().tolist() == [row["low"], row["high"]]
        ends = [row["low_unadjusted"], row["high_unadjusted"]]
        assert thin.get_xdata().tolist() == ends
        assert row["low"] < ends[0] < ends[1] < row["high"]
        assert thin.get_linewidth() < decides.get_linewidth()
        assert decides.get_ydata()[0] < thin.get_ydata()[0] < decides.get_ydata()[0] + 0.5
    assert "thin: the comparison by itself, not adjusted" in legend_of(display)
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
        row = result.to_frame().iloc[0]
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
    assert number.xy[1] == height
    display = ComparisonDisplay(comparisons=made_by_hand(high=[0.15, 50.0, 0.4])).plot()
    assert display.ax_.get_xlim()[1] < 1
    (arrow,) = [line for line in display.ax_.lines if line.get_marker() == ">"]
    assert arrow.get_ydata()[0] == display.marks_[1].get_ydata()[0]
    assert not display.ax_.texts


def test_the_first_of_many_are_those_of_the_table_and_the_same_in_all_metrics():
    result = compared("abcdefgh", METRICS, gap=0.001, alternative="greater")
    frame = ComparisonDisplay.from_result(result, top=5).frame()
    expected = result["accuracy"].to_frame()[:5]
    pairs = set(zip(expected["estimator"], expected["versus"], strict=True))
    for metric, part in frame.groupby("metric"):
        assert set(zip(part["estimator"], part["versus"], strict=True)) == pairs
        found = {(c.estimator, c.versus): c for c in result[metric]}
        lows = result[metric].to_frame().set_index(["estimator", "versus"])["low"]
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
        legend = {"higher": better, "equivalent": "not needed"}
        display = ComparisonDisplay(comparisons=made_by_hand(), legend=legend, null_value=0.05)
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
        assert list(heights_of_pairs(display)) == [f"a{MINUS}b", f"b{MINUS}c"]
        assert list(legend_of(display)) == ["significantly higher", "not significant"]
        said = display.legend_.get_title().get_text()
        assert said.endswith(f"not drawn, without an estimate: a{MINUS}c")
        frame = pd.concat([made_by_hand(difference=np.nan).assign(versus=f"m{k}") for k in "12"])
        frame = pd.concat([made_by_hand(), frame])  # rows of the same index
        display = ComparisonDisplay(comparisons=frame, reference="c").plot()
        assert [mark is None for mark in display.marks_] == [False] * 3 + [True] * 6
        assert display.legend_.get_title().get_text().endswith("without an estimate: a, b")
        display = ComparisonDisplay(comparisons=frame).plot()
        expected = f"a{MINUS}m1, b{MINUS}m1, a{MINUS}m2 and 1 more"
        assert display.legend_.get_title().get_text().endswith(expected)

    def test_nothing_to_draw(self):
        frame = made_by_hand(difference=np.nan, low=np.nan, high=np.nan)
        for reference, ax in ((None, None), ("b", plt.subplots()[1])):
            display = ComparisonDisplay(comparisons=frame, reference=reference, null_value=-1.0)
            display.plot(ax).figure_.canvas.draw()
            assert display.marks_ == display.intervals_ == [None] * 3
            low, high = display.ax_.get_xlim()
            assert low < -1 < high
