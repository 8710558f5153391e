"""What holds of every display: its methods, keyword arguments, and `result.plot()`."""

import inspect
import re
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcvstats.plotting
from skcvstats import (
    ComparisonResult,
    CVTestResult,
    ScoreEstimates,
    compare_predictions,
    compare_scores,
    cross_val_inference,
    plotting,
    predictions_inference,
)
from skcvstats.exceptions import AnticonservativeWarning
from skcvstats.model_selection import LearningCurveResult
from skcvstats.plotting import ComparisonDisplay, picture_file
from skcvstats.plotting._display import wrapped
from skcvstats.plotting._rows import shown_limits
from tests.conftest import every
from tests.processes import run

from ..words.cases import HOSTILE, scores_of
from . import drawing
from .drawing import DISPLAYS, METRICS, a_display, compared, legend_of, power_curves, three_displays


def test_every_display_is_tested():
    assert set(DISPLAYS) == set(skcvstats.plotting.__all__)


@pytest.mark.parametrize("name", DISPLAYS)
def test_protocol_and_attributes_that_are_documented(name):
    display = DISPLAYS[name]()
    made_by = [method for method in vars(type(display)) if method.startswith("from_")]
    assert made_by
    before = set(vars(display))
    ax, *others = inspect.signature(display.plot).parameters.values()
    assert ax.name == "ax"
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


@a_display
def test_a_display_can_be_without_a_legend(name):
    display = DISPLAYS[name]()
    for made in [method for method in vars(type(display)) if method.startswith("from_")]:
        assert "legend" in inspect.signature(getattr(display, made)).parameters
    assert display.plot().legend_ is not None
    height = display.figure_.get_figheight()
    ax = plt.subplots()[1]
    assert display.plot(ax, legend=False).legend_ is None
    assert ax.get_legend() is None
    assert not ax.figure.legends
    display.legend = False
    assert display.plot().legend_ is None
    assert display.figure_.get_figheight() < height
    assert display.plot(legend=True).legend_ is not None
    with pytest.raises(TypeError, match="legend='upper left' must be True, False or 'full'"):
        display.plot(legend="upper left")


@three_displays
def test_without_matplotlib_the_error_names_the_extra(name, monkeypatch):
    display = DISPLAYS[name]()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=rf"{name}\.plot needs matplotlib.*skcvstats\[plots\]"):
        display.plot()


@a_display
def test_bad_axes(name):
    display = DISPLAYS[name]()
    for bad, kind in (("ax", "str"), (plt.figure(), "Figure"), (3, "int"), ([None], "NoneType")):
        with pytest.raises(TypeError, match=rf"^{name}\.plot needs matplotlib Axes.*type {kind}\."):
            display.plot(bad)
    several = plt.figure(figsize=(6, 9)).subplots(3)
    with pytest.raises(ValueError, match=r"needs 1 axes.*got 3\. Pass an array of as many"):
        display.plot(several)
    assert display.plot(several[:1]).ax_ is several[0]
    two = DISPLAYS["PairedScoresDisplay"]().from_result(compared(metrics=("accuracy", "roc_auc")))
    several = plt.figure().subplots(2)
    assert list(two.plot(several).axes_) == list(several)
    with pytest.raises(ValueError, match=r"needs 2 axes.*ROC AUC'.*got 1.*metric="):
        two.plot(several[0])


def test_hostile_names_are_drawn_as_they_are():
    for kind in ("differences", "scores"):
        display = compared([HOSTILE, "$x$"], [r"$\frac{$"]).plot(kind)
        display.figure_.canvas.draw()  # mathematics that cannot be read would raise
        assert any(r"\$" in text for text in drawing.texts_of(display.figure_))
    display = power_curves([r"a$\frac{$", "_hidden", HOSTILE]).plot()
    display.figure_.canvas.draw()
    names = [text.get_text().strip() for text in display.legend_.get_texts()]
    assert names[:3] == [r"a\$\frac{\$", "_hidden", HOSTILE.replace("$", r"\$")]


def contrast(colour, ground):
    """Return how far two colours are apart, as the W3C's guidelines for readable pages do."""
    lights = []
    for shade in (colour, ground):
        rgb = np.array(mpl.colors.to_rgb(shade))
        linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        lights.append(linear @ [0.2126, 0.7152, 0.0722] + 0.05)
    return max(lights) / min(lights)


@pytest.mark.parametrize("style", every(2, ["dark_background", "default"]))
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
        for text in display.figure_.findobj(mpl.text.Text):
            assert contrast(text.get_color(), ground) > 3
        grid = display.ax_.xaxis.get_gridlines()[0]
        assert grid.get_color() == plt.rcParams["grid.color"]
        assert grid.get_alpha() < 0.5


NARROW = [[0.01, -0.01, 0.03], [0.02, 0.00, 0.04], [-0.01, -0.03, 0.01]]
UNKNOWN = [[0.01, -np.inf, 0.03], [0.02, *[np.nan] * 2], [np.nan] * 3, [-0.01, -0.03, np.inf]]


@pytest.mark.parametrize(
    ("rows", "anchor", "expected"),
    [
        (NARROW, 0.0, (-0.037, 0.047)),
        ([[2.0, 2.0, 2.0]], 2.0, (1.9, 2.1)),
        # Rows that are far, or very wide, are cut off.
        ([*NARROW, [3.0, 2.98, 3.02]], 0.0, (-0.037, 0.047)),
        ([*NARROW, [-3.0, -3.02, -2.98], [-400, -401, -399]], 0.0, (-0.037, 0.047)),
        ([*NARROW, [0.01, -9, 9]], 0.0, (-0.037, 0.047)),
        # What is not finite is left out.
        (UNKNOWN, 0.0, (-0.036, 0.036)),
    ],
)
def test_what_is_in_view(rows, anchor, expected):
    assert shown_limits(rows, [anchor], pairs=True) == pytest.approx(expected)


@pytest.mark.parametrize("n_rows", [2, 3, 10, 50])
def test_evenly_spread_rows_are_all_in_view(n_rows):
    at = np.arange(1, n_rows + 1) / n_rows
    low, high = shown_limits(np.column_stack([at, at - 0.005, at + 0.005]), [0.0], pairs=True)
    assert low < 0.0
    assert high > 1.005


@pytest.mark.parametrize(
    ("n_near", "n_far", "of_pairs", "of_single"),
    [(1, 1, False, False), (1, 2, True, False), (2, 1, True, True), (2, 2, True, False),
     (2, 3, True, False), (3, 2, True, True), (2, 4, False, False)],
)  # fmt: skip
def test_how_many_rows_are_cut_off_at_most(n_near, n_far, of_pairs, of_single):
    rows = [[0.01 * (k + 1)] for k in range(n_near)] + [[5 + 0.1 * k] for k in range(n_far)]
    for pairs, cut in ((True, of_pairs), (False, of_single)):
        low, high = shown_limits(rows, [0.0], pairs=pairs)
        assert low < 0 < 0.01 * n_near < high
        assert (high < 1) == cut
        assert (high > 5) == (not cut)


def test_anchors_are_in_view():
    low, high = shown_limits([*NARROW, [3.0] * 3], [0.0, -0.2, 0.2], pairs=True)
    assert low < -0.2 < 0.2 < high < 1
    low, high = shown_limits(np.empty((0, 3)), [1.0], pairs=True)
    assert low < 1 < high
    for null_value in (-0.5, 0.5):
        low, high = shown_limits(NARROW, [null_value], pairs=True)
        assert low < min(null_value, -0.03)
        assert high > max(null_value, 0.04)


@pytest.mark.parametrize(
    ("name", "width", "lines"),
    [
        ("short", 12, ["short"]),
        ("c (reference)", 12, ["c", "(reference)"]),
        ("two words and more", 9, ["two words", "and more"]),
        ("StandardScaler(with_mean=0.25)", 17, ["StandardScaler(", "with_mean=0.25)"]),
        ("x" * 25, 10, ["x" * 10, "x" * 10, "x" * 5]),
        *((" ", 10, [" "]), ("", 10, [""])),
        *(("two\nlines", 10, [r"two\nlines"]), ("$x$", 10, [r"\$x\$"])),
    ],
)
def test_where_names_are_broken(name, width, lines):
    assert wrapped(name, width).split("\n") == lines


def test_nothing_but_white_space_is_lost():
    name = "Pipeline(StandardScaler, PCA(n_components=0.95), SVC(C=1e-5, gamma=1.5))" + "_x" * 40
    for width in range(2, 80):
        broken = wrapped(name, width)
        assert "".join(broken.split()) == "".join(name.split())
        assert max(map(len, broken.split("\n"))) <= width


# By display and argument, where the artists are.
ARTISTS = {
    "ComparisonDisplay": {"interval": "intervals_", "mark": "marks_", "line": "null_lines_"},
    "PairedScoresDisplay": {"mark": "marks_", "line": "lines_"},
    "RankingDisplay": {"interval": "intervals_", "mark": "marks_"},
    "MatrixDisplay": {"mark": "marks_"},
    "CumulatedDifferenceDisplay": {"line": "line_"},
    "LearningCurveDisplay": {"line": "lines_"},
    "PosteriorDisplay": {"line": "line_"},
    "CorrelationSensitivityDisplay": {"interval": "lines_", "line": "null_line_"},
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
    found = [mpl.colors.to_hex(band.get_facecolor()[0]) for band in bands]
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
def test_mistakes_in_keyword_arguments(name):
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


@pytest.mark.parametrize(("labels", "reference"), [("abc", None), ("abc", "b"), ("ab", None)])
def test_the_usual_picture_of_a_comparison(labels, reference):
    kind = ComparisonDisplay if reference or labels == "ab" else plotting.RankingDisplay
    result = compared(labels, METRICS[:2], reference=reference)
    display = result.plot()
    assert type(display) is kind
    assert len(display.axes_) == 2
    assert display.frame().equals(kind.from_result(result).frame())


@pytest.mark.parametrize(("n", "kind"), [(7, "Ranking"), (8, "Matrix"), (61, "Ranking")])
def test_the_usual_picture_of_many_is_who_beats_whom(n, kind):
    result = compared([f"m{k}" for k in range(n)], gap=0.01)
    assert type(result.plot()).__name__ == f"{kind}Display"


def test_kinds_of_a_comparison():
    kinds = {"ranking": plotting.RankingDisplay, "differences": plotting.ComparisonDisplay}
    kinds |= {"scores": plotting.PairedScoresDisplay, "matrix": plotting.MatrixDisplay}
    for name, kind in kinds.items():
        ax = plt.subplots()[1]
        options = {"metric": "roc_auc", "top": 3, "mark_kwargs": {"color": "red"}}
        display = compared("abcd", METRICS).plot(name, ax, **options)
        assert type(display) is kind
        assert display.ax_ is ax
        assert set(display.frame()["metric"]) == {"roc_auc"}
        assert len(ax.get_yticks()) == 3
        assert {mark.get_color() for mark in display.marks_} == {"red"}


def test_a_test():
    test = compared("ab").tests[0]
    display = test.plot(margin=0.01, line_kwargs={"color": "red"})
    assert type(display) is plotting.PosteriorDisplay
    assert display.margin == (-0.01, 0.01)
    assert display.line_.get_color() == "red"
    assert type(test.plot("correlation")) is plotting.CorrelationSensitivityDisplay
    with pytest.warns(AnticonservativeWarning):
        usual = compare_scores(scores_of("ab"), method="resampled_t").tests[0]
    assert type(usual.plot()) is plotting.CorrelationSensitivityDisplay
    y, rng = np.arange(60) % 2, np.random.default_rng(0)
    given = {name: rng.uniform(size=60) + 0.3 * y for name in "ab"}
    result = compare_predictions(y, given, scoring="roc_auc")
    assert type(result.plot()) is plotting.ComparisonDisplay
    with pytest.raises(ValueError, match=r"Draw the whole comparison: result\.plot\(\)"):
        result[0].test.plot()  # it has neither


def test_all_results_are_drawn_by_kind_first():
    for kind in (ScoreEstimates, LearningCurveResult, ComparisonResult, CVTestResult):
        assert list(inspect.signature(kind.plot).parameters)[:3] == ["self", "kind", "ax"]
    scores = {"a": [0.8, 0.9, 0.7] * 20, "b": [0.7, 0.8, 0.9] * 20}
    y = np.arange(60) / 60
    estimates = predictions_inference(y, scores, scoring="neg_mean_absolute_error")
    ax = plt.subplots()[1]
    assert estimates.plot("ranking", ax).ax_ is ax
    with pytest.raises(ValueError, match=r"kind='matrix' is not known; choose .*'ranking'"):
        estimates.plot("matrix")
    with pytest.raises(ValueError, match=r"kind=<Axes.* is not known; choose .*'ranking'"):
        estimates.plot(ax)


def test_kinds_that_are_not_known():
    result = compared()
    with pytest.raises(ValueError, match=r"kind='rankin' is not known.*Did you mean 'ranking'"):
        result.plot("rankin")
    with pytest.raises(ValueError, match=r"kind='ranking' is not known.*'posterior'"):
        result.tests[0].plot("ranking")
    with pytest.raises(TypeError, match="colour"):
        result.plot(colour="red")
    assert not plt.get_fignums()


@pytest.mark.processes
def test_plotting_is_imported_when_it_is_asked_for():
    code = (
        "import sys, skcvstats as s; import matplotlib; matplotlib.use('Agg');"
        "d = s.SplitDesign.from_sizes(180, 20, n_splits=12);"
        "r = s.compare_scores({'a': [0.8, 0.9] * 6, 'b': [0.7, 0.75, 0.8] * 4}, design=d);"
        "before = 'skcvstats.plotting' in sys.modules; r.plot();"
        "print(before, 'skcvstats.plotting' in sys.modules)"
    )
    done = run(["-c", code], check=True)
    assert done.stdout.split() == ["False", "True"]


def test_estimates_of_several_scores_are_drawn_as_a_ranking():
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    models = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    estimates = cross_val_inference(models, X, y, scoring=["accuracy", "roc_auc"])
    display = estimates.plot()
    assert isinstance(display, plotting.RankingDisplay)
    assert len(display.frame()) == 4
    assert len(estimates.plot(top=1).frame()) == 2


@pytest.mark.parametrize(("file_format", "start"), every(2, [("svg", b"<?xml"), ("pdf", b"%PDF")]))
def test_a_file_for_a_report(file_format, start):
    result = compared("abc")
    plt.close("all")
    mine = plt.figure()
    written = [picture_file(result, "ranking", file_format) for _ in range(2)]
    assert written[0].startswith(start)
    assert written[0] == written[1]
    with pytest.raises(ValueError, match="Format 'bmp' is not supported"):
        picture_file(result, "ranking", "bmp")
    assert plt.get_fignums() == [mine.number]


@pytest.mark.parametrize("style", every(2, ["dark_background", "default"]))
def test_a_picture_in_a_page_has_the_colours_of_the_page(style):
    with plt.style.context(style):
        before = dict(plt.rcParams)
        drawn = picture_file(compared("abc"), "ranking", "html").decode()
        assert dict(plt.rcParams) == before
    colours = set(re.findall(r"(?:fill|stroke): ([^;\"]+)", drawn))
    assert {"currentColor", "var(--ground, Canvas)", "var(--blue, #0072B2)"} <= colours
    fixed = {colour for colour in colours if colour.startswith("#")}
    assert fixed == {"#b0b0b0"}  # the grid is half transparent
