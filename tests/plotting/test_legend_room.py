"""A legend covers nothing and is covered by nothing, measured in pixels at three sizes."""

import warnings

import numpy as np
import pytest

from .drawing import (
    DISPLAYS,
    METRICS,
    check_room,
    compared,
    crossed,
    matplotlib,
    plt,
    power_curves,
    three_displays,
)

SIZES = {"column": (3.4, 2.0), "half": (5.0, 3.2), "usual": (6.4, 4.8)}
CASES = DISPLAYS | {
    f"{kind} of {n}": lambda kind=kind, n=n: result_display(kind, "abcdefgh"[:n])
    for kind in ("RankingDisplay", "ComparisonDisplay", "PairedScoresDisplay")
    for n in (2, 5)
}
CASES["against one"] = lambda: result_display("ComparisonDisplay", "abcde", reference="a")


def result_display(kind, labels, **options):
    display = {name: type(make()) for name, make in DISPLAYS.items()}[kind]
    return display.from_result(compared(labels, gap=0.02, **options))


def check_legend(display):
    """Check that the legend is in view, and overlaps neither axes, nor marks, nor texts."""
    figure = display.ax_.figure
    figure.draw_without_rendering()
    box = display.legend_.get_window_extent()
    assert box.x0 >= -1
    assert box.y0 >= -1
    assert box.x1 <= figure.bbox.width + 1
    own = set(display.legend_.findobj())
    for ax in figure.axes:
        assert not box.overlaps(ax.get_window_extent())
        for artist in [*ax.lines, *ax.collections, *ax.patches]:
            drawn = artist.get_window_extent()
            # Nothing is drawn of an empty area.
            assert not np.isfinite(drawn.extents).all() or not box.overlaps(drawn)
    for text in set(figure.findobj(matplotlib.text.Text)) - own:
        if text.get_visible() and text.get_text().strip():
            assert not box.overlaps(text.get_window_extent()), text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "layout"),
    [("column", None), ("column", "constrained"), ("half", "tight"), ("usual", "constrained")],
)
@pytest.mark.parametrize("name", CASES)
def test_the_legend_and_what_is_drawn_are_apart(name, size, layout):
    figure, ax = plt.subplots(figsize=SIZES[size], layout=layout)
    display = CASES[name]().plot(ax)
    check_legend(display)
    check_room(figure)
    assert figure.get_size_inches().tolist() == list(SIZES[size])
    assert ax.bbox.height >= 0.35 * figure.dpi


@three_displays
def test_a_later_layout_makes_room_too(name):
    figure, ax = plt.subplots(figsize=SIZES["half"])
    display = DISPLAYS[name]().plot(ax)
    figure.tight_layout()
    check_legend(display)
    figure.set_layout_engine("constrained")
    check_legend(display)


@pytest.mark.parametrize(
    ("kind", "layout"), crossed(["ranking", "differences", "scores"], [("constrained",), (None,)])
)
def test_panels_beside_each_other_stay_alike(kind, layout):
    _, axes = plt.subplots(1, 3, figsize=(6.8, 2.4), layout=layout)
    display = compared("abc", METRICS, gap=0.01).plot(kind, axes)
    check_legend(display)
    assert len({tuple(ax.get_window_extent().intervaly) for ax in axes}) == 1
    assert display.legend_.get_window_extent().y1 < axes[0].get_window_extent().y0


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_a_legend_without_room_is_left_out_and_said_so(layout):
    _, ax = plt.subplots(figsize=SIZES["column"], layout=layout)
    display = power_curves([f"corrected_resampled_t_{k}" for k in range(12)])
    with pytest.warns(UserWarning, match=r"no room for the legend in axes of \d.\d x \d.\d inches"):
        assert display.plot(ax).legend_ is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        display.plot(ax, legend=False)


def test_notes_go_before_marks():
    result = compared("abc", gap=0.012)
    said = {}
    for size in SIZES:
        _, ax = plt.subplots(figsize=SIZES[size], layout="constrained")
        said[size] = result.plot("differences", ax).legend_
    assert said["column"].get_title().get_text() == ""
    assert "5 % level" in said["usual"].get_title().get_text()
    marks = {size: [text.get_text() for text in said[size].get_texts()] for size in SIZES}
    assert marks["column"] == marks["half"] == marks["usual"]
