"""Keyword arguments of the artists, as scikit-learn's displays have them."""

import inspect

import pytest

from skcvstats.plotting import ComparisonDisplay

from .drawing import (
    DISPLAYS,
    a_display,
    compared,
    legend_of,
    matplotlib,
    plt,
    power_curves,
    three_displays,
)

# By display and argument, where the artists are.
ARTISTS = {
    "ComparisonDisplay": {"interval": "intervals_", "mark": "marks_", "line": "null_lines_"},
    "PairedScoresDisplay": {"mark": "marks_", "line": "lines_"},
    "RaceDisplay": {"line": "lines_"},
    "RankingDisplay": {"interval": "intervals_", "mark": "marks_"},
    "CumulatedDifferenceDisplay": {"line": "line_"},
    "LearningCurveDisplay": {"line": "lines_"},
    "PosteriorDisplay": {"line": "line_"},
    "CorrelationSensitivityDisplay": {"interval": "lines_", "line": "null_line_"},
    "SplitPlanDisplay": {"mark": "mark_", "line": "line_"},
    "PowerCurveDisplay": {"interval": "bands_", "line": "lines_"},
}


def artists_of(display, kind):
    """Return the artists that an argument is about."""
    artists = getattr(display, ARTISTS[type(display).__name__][kind])
    return artists if isinstance(artists, list) else [artists]


@pytest.mark.parametrize("name", DISPLAYS)
def test_plot_has_the_arguments_that_it_uses(name):
    display = DISPLAYS[name]()
    found = set(inspect.signature(display.plot).parameters) - {"ax", "legend"}
    assert found == {f"{kind}_kwargs" for kind in ARTISTS[name]}
    assert all(f"``{argument}``" in (type(display).__doc__ or "") for argument in found)


@three_displays
def test_a_users_win_and_the_others_stay_ours(name):
    lines = [kind for kind, at in ARTISTS[name].items() if at != "bands_"]
    colours = dict(zip(lines, ["red", "lime", "blue"], strict=False))  # each another one
    for kwargs in (
        {"color": "", "linewidth": 3, "marker": "X", "markersize": 11, "linestyle": "--"},
        {"c": "", "lw": 3, "marker": "X", "ms": 11, "ls": "--"},
    ):
        given = {}
        for kind, colour in colours.items():
            given[f"{kind}_kwargs"] = {**kwargs, next(iter(kwargs)): colour}
        display = DISPLAYS[name]().plot(**given)
        for kind, expected in colours.items():
            assert artists_of(display, kind)
            for line in artists_of(display, kind):
                assert line.get_color() == expected
                assert (line.get_linewidth(), line.get_markersize()) == (3, 11)
                assert (line.get_marker(), line.get_linestyle()) == ("X", "--")
    ours = DISPLAYS[name]().plot()
    display = DISPLAYS[name]().plot(**{f"{kind}_kwargs": {"zorder": 7} for kind in ARTISTS[name]})
    for kind in ARTISTS[name]:
        assert {artist.get_zorder() for artist in artists_of(display, kind)} == {7}
    colours = [[str(line.get_color()) for line in drawn.ax_.lines] for drawn in (display, ours)]
    assert colours[0] == colours[1]


def test_bands():
    bands = []
    for name in ("color", "facecolor", "fc"):
        display = power_curves().plot(interval_kwargs={name: "red", "alpha": 0.5})
        assert [band.get_alpha() for band in display.bands_] == [0.5] * 2
        bands += display.bands_
    one = DISPLAYS["CorrelationSensitivityDisplay"]()
    lime = power_curves().plot(line_kwargs={"c": "lime"})
    bands += [one.plot(interval_kwargs={"c": "red"}).band_, lime.bands_[0]]
    found = [matplotlib.colors.to_hex(band.get_facecolor()[0]) for band in bands]
    assert found == ["#ff0000"] * 7 + ["#00ff00"]


def test_the_legend_shows_what_is_drawn():
    result = compared("abc", reference="b", null_value=0.01, gap=0.02)
    display = ComparisonDisplay.from_result(result)
    given = {"ms": 12, "label": "mine"}
    display.plot(mark_kwargs=given, line_kwargs={"c": "red"})
    assert given == {"ms": 12, "label": "mine"}  # a user's dict is left as it is
    legend = legend_of(display)
    assert legend.pop("null value 0.01").get_color() == "red"
    assert {mark.get_markersize() for mark in legend.values()} == {12}
    assert "mine" not in legend

    one_sided = ComparisonDisplay.from_result(compared("ab", alternative="greater", reference="b"))
    one_sided.plot(interval_kwargs={"c": "red"})
    (arrow,) = [line for line in one_sided.ax_.lines if line.get_marker() == ">"]
    assert arrow.get_color() == "red"


@a_display
def test_mistakes(name):
    display = DISPLAYS[name]()
    for argument in (f"{kind}_kwargs" for kind in ARTISTS[name]):
        plt.close("all")
        for bad, kind in (("red", "str"), (3, "int"), ([("c", "red")], "list")):
            said = rf"^{name}\.plot needs a dict.*{argument}=.*{kind}\."
            with pytest.raises(TypeError, match=said):
                display.plot(**{argument: bad})
        assert not plt.get_fignums()  # nothing was begun
        with pytest.raises(TypeError, match="aliases of one another"):
            display.plot(**{argument: {"lw": 1, "linewidth": 2}})
        with pytest.raises(AttributeError, match="colr"):
            display.plot(**{argument: {"colr": "red"}})
