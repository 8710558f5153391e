"""Keyword arguments of the artists, as scikit-learn's displays have them."""

import inspect
from functools import cache

import pytest

from skcvstats.plotting import ComparisonDisplay, CorrelationSensitivityDisplay

from .drawing import DISPLAYS, compared, difference, legend_of, matplotlib, plt, power_curves

# By display and argument, where the artists are.
ARTISTS = {
    ("ComparisonDisplay", "interval_kwargs"): "intervals_",
    ("ComparisonDisplay", "mark_kwargs"): "marks_",
    ("ComparisonDisplay", "line_kwargs"): "null_lines_",
    ("PairedScoresDisplay", "mark_kwargs"): "marks_",
    ("PairedScoresDisplay", "line_kwargs"): "lines_",
    ("RankingDisplay", "interval_kwargs"): "intervals_",
    ("RankingDisplay", "mark_kwargs"): "marks_",
    ("PosteriorDisplay", "line_kwargs"): "line_",
    ("CorrelationSensitivityDisplay", "interval_kwargs"): "lines_",
    ("CorrelationSensitivityDisplay", "line_kwargs"): "null_line_",
    ("SplitPlanDisplay", "mark_kwargs"): "mark_",
    ("SplitPlanDisplay", "line_kwargs"): "line_",
    ("PowerCurveDisplay", "interval_kwargs"): "bands_",
    ("PowerCurveDisplay", "line_kwargs"): "lines_",
}
COLOURS = ["red", "lime", "blue"]


@cache
def usual(name):
    return DISPLAYS[name]().plot()


def artists_of(display, argument):
    """Return the artists that an argument is about."""
    artists = getattr(display, ARTISTS[type(display).__name__, argument])
    return artists if isinstance(artists, list) else [artists]


def arguments_of(name):
    return [argument for display, argument in ARTISTS if display == name]


def test_each_argument_is_tested():
    found = {
        (name, argument)
        for name, make in DISPLAYS.items()
        for argument in inspect.signature(make().plot).parameters
        if argument != "ax"
    }
    assert found == set(ARTISTS)


@pytest.mark.parametrize("name", DISPLAYS)
@pytest.mark.parametrize(
    ("colour", "kwargs"),
    [
        ("color", {"linewidth": 3, "marker": "X", "markersize": 11, "linestyle": "--"}),
        ("c", {"lw": 3, "marker": "X", "ms": 11, "ls": "--"}),
    ],
    ids=["names", "aliases"],
)
def test_a_users_win(name, colour, kwargs):
    lines = [one for one in arguments_of(name) if ARTISTS[name, one] != "bands_"]
    colours = dict(zip(lines, COLOURS, strict=False))  # each another one
    given = {argument: {colour: one, **kwargs} for argument, one in colours.items()}
    display = DISPLAYS[name]().plot(**given)
    for argument, expected in colours.items():
        assert artists_of(display, argument)
        for line in artists_of(display, argument):
            assert line.get_color() == expected
            assert line.get_linewidth() == 3
            assert line.get_marker() == "X"
            assert line.get_markersize() == 11
            assert line.get_linestyle() == "--"


@pytest.mark.parametrize(("name", "argument"), ARTISTS)
def test_the_others_stay_ours(name, argument):
    display, ours = DISPLAYS[name]().plot(**{argument: {"zorder": 7}}), usual(name)
    assert {artist.get_zorder() for artist in artists_of(display, argument)} == {7}
    colours = [[str(line.get_color()) for line in drawn.ax_.lines] for drawn in (display, ours)]
    assert colours[0] == colours[1]


@pytest.mark.parametrize("colour", [{"color": "red"}, {"facecolor": "red"}, {"fc": "red"}])
def test_bands(colour):
    display = power_curves().plot(interval_kwargs={**colour, "alpha": 0.5})
    assert len(display.bands_) == 2
    for band in display.bands_:
        assert matplotlib.colors.to_hex(band.get_facecolor()[0]) == "#ff0000"
        assert band.get_alpha() == 0.5
    lime = power_curves().plot(line_kwargs={"c": "lime"})
    assert matplotlib.colors.to_hex(lime.bands_[0].get_facecolor()[0]) == "#00ff00"


def test_the_band_of_an_interval_takes_its_colour():
    display = CorrelationSensitivityDisplay.from_scores(difference())
    band = display.plot(interval_kwargs={"c": "red"}).band_
    assert matplotlib.colors.to_hex(band.get_facecolor()[0]) == "#ff0000"


def test_the_legend_shows_what_is_drawn():
    result = compared("abc", reference="b", null_value=0.01, gap=0.02)
    display = ComparisonDisplay.from_result(result)
    display.plot(mark_kwargs={"ms": 12, "label": "mine"}, line_kwargs={"c": "red"})
    legend = legend_of(display)
    assert legend.pop("null value 0.01").get_color() == "red"
    assert {mark.get_markersize() for mark in legend.values()} == {12}
    assert "mine" not in legend


def test_arrows_take_the_colour_of_their_intervals():
    display = ComparisonDisplay.from_result(compared("ab", alternative="greater"))
    display.plot(interval_kwargs={"c": "red"})
    (arrow,) = [line for line in display.ax_.lines if line.get_marker() == ">"]
    assert arrow.get_color() == "red"


def test_a_users_dict_is_left_as_it_is():
    given = {"c": "red"}
    ComparisonDisplay.from_result(compared()).plot(mark_kwargs=given)
    assert given == {"c": "red"}


@pytest.mark.parametrize(("name", "argument"), ARTISTS)
def test_mistakes(name, argument):
    display = DISPLAYS[name]()
    for bad, kind in (("red", "str"), (3, "int"), ([("c", "red")], "list")):
        with pytest.raises(TypeError, match=rf"^{name}\.plot needs a dict.*{argument}=.*{kind}\."):
            display.plot(**{argument: bad})
    assert not plt.get_fignums()  # nothing was begun
    with pytest.raises(TypeError, match="aliases of one another"):
        display.plot(**{argument: {"lw": 1, "linewidth": 2}})
    with pytest.raises(AttributeError, match="colr"):
        display.plot(**{argument: {"colr": "red"}})
