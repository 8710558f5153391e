"""RankingDisplay: what is drawn against the ranking of the result."""

import numpy as np
import pandas as pd
import pytest

from skcvstats import compare_scores
from skcvstats.plotting import RankingDisplay

from ..conftest import every
from .drawing import METRICS, compared, heights_of, legend_of, lines_at, plt, scores_of
from .test_paired_scores import FIVE_BY_TWO, random_scores


def letters_in(text):
    return text.get_text().replace("\N{NO-BREAK SPACE}", "")


class TestNumbers:
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
