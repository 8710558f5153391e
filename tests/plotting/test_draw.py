"""`result.plot()`: the picture that suits a result."""

import re

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import compare_predictions, compare_scores, cross_val_inference, plotting
from skcvstats.exceptions import AnticonservativeWarning
from skcvstats.plotting._draw import picture_file
from tests.conftest import every
from tests.processes import run

from .drawing import METRICS, compared, plt, scores_of


@pytest.mark.parametrize(
    ("labels", "reference", "kind"),
    [
        ("abc", None, plotting.RankingDisplay),
        ("abc", "b", plotting.ComparisonDisplay),
        ("ab", None, plotting.ComparisonDisplay),
    ],
)
def test_the_usual_picture_of_a_comparison(labels, reference, kind):
    result = compared(labels, METRICS[:2], reference=reference)
    display = result.plot()
    assert type(display) is kind
    assert len(display.axes_) == 2
    assert display.frame().equals(kind.from_result(result).frame())


def test_kinds_of_a_comparison():
    kinds = {"ranking": plotting.RankingDisplay, "differences": plotting.ComparisonDisplay}
    for name, kind in (kinds | {"scores": plotting.PairedScoresDisplay}).items():
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


def test_mistakes():
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
