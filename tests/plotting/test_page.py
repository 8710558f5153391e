"""Pictures are bounded to a page, whatever the number of estimators and the length of names."""

import pytest

from skcvstats.plotting import ComparisonDisplay, PairedScoresDisplay, RankingDisplay

from .drawing import METRICS, check_room, compared, texts_of

LONG = "HistGradientBoostingClassifier(learning_rate=0.{:02d}, max_depth=3)"
PAGE = 11  # inches
ROWS = [RankingDisplay, ComparisonDisplay, PairedScoresDisplay]


# Each kind with each name, and each of these also in several metrics.
@pytest.mark.parametrize(
    ("kind", "n_metrics", "name"),
    [
        (kind, 3 if i == j else 1, name)
        for i, kind in enumerate(ROWS)
        for j, name in enumerate(["m{}", LONG, "Pipeline(" + "Step(), " * 20 + "{})"])
    ],
)
def test_no_higher_than_a_page(kind, n_metrics, name):
    labels = [name.format(k) for k in range(22)]  # more than are drawn
    result = compared(labels, METRICS[:n_metrics], gap=0.004)
    display = kind.from_result(result).plot()
    assert display.figure_.get_figheight() <= PAGE
    assert len(display.axes_) == n_metrics
    check_room(display.figure_)


def test_a_hundred_estimators():
    result = compared([f"m{k}" for k in range(100)], gap=0.001)
    display = ComparisonDisplay.from_result(result).plot()
    assert display.figure_.get_figheight() <= PAGE
    assert any(
        "and 4930 more comparisons in result.to_frame()" in t for t in texts_of(display.figure_)
    )


@pytest.mark.parametrize("kind", ROWS)
def test_top_is_how_many_rows_there_are(kind):
    result = compared("abcdefg", METRICS[:2], gap=0.002)
    display = kind.from_result(result, top=3).plot()
    for ax in display.axes_:
        assert len(ax.get_yticks()) == 3
    n_more = 2 * (21 - 3) if kind is ComparisonDisplay else 4
    noun = "comparisons" if kind is ComparisonDisplay else "estimators"
    assert f"and {n_more} more {noun}" in display.legend_.get_title().get_text()
    for few in (kind.from_result(result, top=21), kind.from_result(result, top=100)):
        assert few.n_more == 0
        assert " more " not in few.plot().legend_.get_title().get_text()


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("top", [0, -1, 2.5, "3", None, True])
def test_bad_top(kind, top):
    with pytest.raises(ValueError, match=rf"top={top!r} must be an integer, 1 or more"):
        kind.from_result(compared(), top=top)
