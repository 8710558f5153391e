"""CumulatedDifferenceDisplay: the sum over time, and the band of which the test is the end."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from skcvstats import compare_losses
from skcvstats.plotting import CumulatedDifferenceDisplay
from skcvstats.stats import diebold_mariano_test

from .drawing import compared, legend_of

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
    low, high = diebold_mariano_test(D).confidence_interval(level)
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


def test_rows_of_one_time_count_once():
    times = np.arange(60) // 2
    result = compare_losses(LOSSES[["a", "b"]], time=times, reference="b")
    means = D.reshape(-1, 2).mean(axis=1)
    np.testing.assert_allclose(result.plot().frame()["cumulated"], np.cumsum(means))


@pytest.mark.parametrize(
    ("draw", "error", "said"),
    [
        (lambda: compare_losses(LOSSES, time=DATES).plot("time"), ValueError, "3 comparisons"),
        (lambda: compared("ab").plot("time"), TypeError, "knows no time"),
        (lambda: compare_losses(LOSSES[["a", "b"]], time=DATES).plot(times=DATES[1:]),
         ValueError, "59 entries for 60 tested times"),
        (lambda: diebold_mariano_test(D).plot(), ValueError, r"from_series\(x\)"),
        (lambda: CumulatedDifferenceDisplay.from_series([D]), ValueError, "give one series"),
    ],
)  # fmt: skip
def test_bad_input(draw, error, said):
    with pytest.raises(error, match=said):
        draw()
