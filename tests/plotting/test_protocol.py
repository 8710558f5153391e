"""What holds of every display."""

import inspect
import re
import sys

import numpy as np
import pandas as pd
import pytest

import skcvstats.plotting

from ..words.cases import HOSTILE
from .drawing import DISPLAYS, compared, matplotlib, plt, power_curves, texts_of, three_displays


def test_every_display_is_tested():
    assert set(DISPLAYS) == set(skcvstats.plotting.__all__)


@pytest.mark.parametrize("name", DISPLAYS)
def test_protocol_and_attributes_that_are_documented(name):
    display = DISPLAYS[name]()
    assert [method for method in vars(type(display)) if method.startswith("from_")]
    before = set(vars(display))
    ax, *others = inspect.signature(display.plot).parameters.values()
    assert ax.name == "ax"
    kwargs = {"interval_kwargs", "mark_kwargs", "line_kwargs"}
    assert {other.name for other in others} - {"legend"} <= kwargs
    assert {other.kind for other in others} == {inspect.Parameter.KEYWORD_ONLY}
    assert display.plot() is display
    assert display.ax_.figure is display.figure_
    first, made = display.figure_, set(vars(display)) - before
    documented = inspect.getdoc(type(display)).split("Attributes\n----------")[1]
    documented = re.findall(r"^([\w, ]+) : ", documented.split("See Also")[0], flags=re.MULTILINE)
    assert made == {name for line in documented for name in line.split(", ")}
    assert "ax_" in made
    assert all(name.endswith("_") for name in made)
    ax = plt.figure().subplots()
    assert display.plot(ax=ax).ax_ is ax
    assert display.figure_ is ax.figure is not first
    assert ax.get_xlabel()
    frame = display.frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) > 0
    display.figure_.canvas.draw()


@three_displays
def test_a_display_can_be_without_a_legend(name):
    display = DISPLAYS[name]()
    for made in [method for method in vars(type(display)) if method.startswith("from_")]:
        assert "legend" in inspect.signature(getattr(display, made)).parameters
    assert display.plot().legend_ is not None
    height = display.figure_.get_figheight()
    ax = plt.subplots()[1]
    place = ax.get_position().bounds
    assert display.plot(ax, legend=False).legend_ is None
    assert ax.get_legend() is None
    assert not ax.figure.legends
    assert ax.get_position().bounds == place
    display.legend = False
    assert display.plot().legend_ is None
    assert display.figure_.get_figheight() < height
    assert display.plot(legend=True).legend_ is not None
    with pytest.raises(TypeError, match="legend='upper left' must be True or False"):
        display.plot(legend="upper left")


def test_a_result_is_drawn_without_a_legend():
    for kind in ("ranking", "differences", "scores"):
        assert compared().plot(kind, legend=False).legend_ is None
        with pytest.raises(TypeError, match="legend='best' must be True or False"):
            compared().plot(kind, legend="best")


@pytest.mark.parametrize("name", DISPLAYS)
def test_without_matplotlib_the_error_names_the_extra(name, monkeypatch):
    display = DISPLAYS[name]()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=rf"{name}\.plot needs matplotlib.*skcvstats\[plots\]"):
        display.plot()


@three_displays
def test_bad_axes(name):
    display = DISPLAYS[name]()
    for bad, kind in (("ax", "str"), (plt.figure(), "Figure"), (3, "int"), ([None], "NoneType")):
        with pytest.raises(TypeError, match=rf"^{name}\.plot needs matplotlib Axes.*type {kind}\."):
            display.plot(bad)
    several = plt.figure(figsize=(6, 9)).subplots(3)
    with pytest.raises(ValueError, match=r"needs 1 axes.*got 3\. Pass an array of as many"):
        display.plot(several)
    assert display.plot(several[:1]).ax_ is several[0]


def test_as_many_axes_as_metrics():
    for kind in (skcvstats.plotting.ComparisonDisplay, skcvstats.plotting.PairedScoresDisplay):
        display = kind.from_result(compared(metrics=("accuracy", "roc_auc")))
        axes = plt.figure().subplots(2)
        assert list(display.plot(axes).axes_) == list(axes)
        with pytest.raises(ValueError, match=r"needs 2 axes.*roc_auc'.*got 1.*metric="):
            display.plot(axes[0])


def test_hostile_names_are_drawn_as_they_are():
    for kind in ("differences", "scores"):
        display = compared([HOSTILE, "$x$"], [r"$\frac{$"]).plot(kind)
        display.figure_.canvas.draw()  # mathematics that cannot be read would raise
        assert any(r"\$" in text for text in texts_of(display.figure_))
    display = power_curves([r"a$\frac{$", "_hidden", HOSTILE]).plot()
    display.figure_.canvas.draw()
    names = [text.get_text().strip() for text in display.legend_.get_texts()]
    assert names[:3] == [r"a\$\frac{\$", "_hidden", HOSTILE.replace("$", r"\$")]


def contrast(colour, ground):
    """Return how far two colours are apart, as the W3C's guidelines for readable pages do."""
    lights = []
    for shade in (colour, ground):
        rgb = np.array(matplotlib.colors.to_rgb(shade))
        linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        lights.append(linear @ [0.2126, 0.7152, 0.0722] + 0.05)
    return max(lights) / min(lights)


@pytest.mark.parametrize("style", ["default", "dark_background"])
@three_displays
def test_all_is_seen_on_light_and_on_dark_ground(name, style):
    with plt.style.context(style):
        display = DISPLAYS[name]().plot()
        ground = display.ax_.get_facecolor()
        assert display.ax_.lines
        for line in display.ax_.lines:
            assert contrast(line.get_color(), ground) > 2
        faces = {(line.get_markerfacecolor(), line.get_color()) for line in display.ax_.lines}
        hollow = {face for face, colour in faces if face != colour}
        assert hollow == ({ground} if name == "ComparisonDisplay" else set())
        for text in display.figure_.findobj(matplotlib.text.Text):
            assert contrast(text.get_color(), ground) > 3
        if name != "PowerCurveDisplay":
            grid = display.ax_.xaxis.get_gridlines()[0]
            assert grid.get_color() == plt.rcParams["grid.color"]
            assert grid.get_alpha() < 0.5
