"""PairedScoresDisplay and RankingDisplay: every split, and every row of the ranking."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from skcvstats import CVScores, SplitDesign, compare_scores
from skcvstats.plotting import PairedScoresDisplay, RankingDisplay
from skcvstats.plotting._paired_scores import _shifts

from ..conftest import every
from ..words.cases import DESIGN, quietly
from .drawing import METRICS, compared, heights_of, legend_of, lines_at, matplotlib, plt, scores_of

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
            assert ax.get_title(loc="left") == metric
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
    for values in (np.full((2, 20), 0.5), np.arange(40.0).reshape(2, 20)):
        assert not _shifts(values).any()  # with one score only, and without equal ones


def test_differences_of_two_are_drawn_below():
    scores = {name: tied(["x", "y"], 3, seed) for seed, name in enumerate(("accuracy", "f1"))}
    result = compare_scores({name: replace(found, metric=name) for name, found in scores.items()})
    display = PairedScoresDisplay.from_result(result).plot()
    for ax, above, (metric, found) in zip(
        display.difference_axes_, display.axes_, scores.items(), strict=True
    ):
        assert ax.get_title(loc="left") == f"difference in {metric}"
        assert ax.get_position().y1 < above.get_position().y0
        dots = [line for line in ax.lines if line.get_marker() == "o"]
        drawn = np.sort(np.concatenate([line.get_xdata() for line in dots]))
        x, y = found.values
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
    @pytest.mark.parametrize(
        ("method", "n_estimating"),
        every(
            2,
            [
                *[("bootstrap_t", 5), ("corrected_bootstrap_t", 5)],
                *[("five_by_two_cv_t", 1), ("corrected_resampled_t", 20)],
            ],
        ),
    )
    def test_are_told_from_the_others(self, method, n_estimating):
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
        others = replace(tests, estimates=tests.estimates + 0.5)
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
    return matplotlib.colors.to_hex(line.get_color())


def letters_in(text):
    return text.get_text().replace("\N{NO-BREAK SPACE}", "")


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
            assert ax.get_title(loc="left") == metric
            for row in result[metric].ranking().itertuples():
                expected = [[row.low, row.high], [row.score]]
                assert sorted(lines_at(ax, heights[row.estimator])) == sorted(expected)
        for k, row in display.frame().iterrows():
            assert display.marks_[k].get_xdata()[0] == row["score"]
            assert display.marks_[k].get_ydata()[0] == heights[row["estimator"]]
            assert display.letters_[k].get_position()[1] == heights[row["estimator"]]
            assert letters_in(display.letters_[k]) == row["letters"]
            assert display.intervals_[k].get_xdata().tolist() == [row["low"], row["high"]]

    @pytest.mark.parametrize("own", every(2, [True, False]))
    def test_letters_stand_in_columns_beside_the_intervals(self, own):
        result = compared("abcdefghijkl", gap=0.02)
        display = RankingDisplay.from_result(result, letters=True)
        display.plot(None if own else plt.subplots()[1])
        texts = [text.get_text() for text in display.letters_]
        every = sorted(set("".join(texts)) - {"\N{NO-BREAK SPACE}"})
        assert max(len(letters_in(text)) for text in display.letters_) > 2
        for letters, interval in zip(display.letters_, display.intervals_, strict=True):
            assert letters.get_window_extent().x0 > interval.get_window_extent().x1
            for place, letter in zip(letters.get_text(), every, strict=True):
                assert place in (letter, "\N{NO-BREAK SPACE}")

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
    display = compared(labels).plot("ranking", **asked)
    said = display.legend_.get_title().get_text().replace("\n", " ")
    assert "intervals (95 %) are for single scores, not for differences" in said
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
