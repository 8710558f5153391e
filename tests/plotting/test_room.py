"""No text is cut off, no texts overlap, and a picture is bounded to a page."""

import re
import warnings
from functools import partial

import numpy as np
import pytest

from skcvstats import compare_scores, plotting

from ..words.cases import DESIGN
from . import drawing
from .drawing import DISPLAYS, METRICS, compared, difference, plt, slow

LONG = "HistGradientBoostingClassifier(learning_rate=0.{:02d}, max_depth=3)"
PIPELINE = (
    "Pipeline(StandardScaler, PolynomialFeatures(degree=3), SelectKBest(k=20), "
    "LogisticRegression(C=0.1, max_iter=1000))" + "_x" * 30
)
UNEQUAL = ["ridge", "lasso", PIPELINE, "svm", "knn"]
PAGE = 11  # inches
ROWS = [plotting.RankingDisplay, plotting.ComparisonDisplay, plotting.PairedScoresDisplay]
NAMES = {"short": "m{}", "30": "model_" * 5 + "{}", "long": LONG}
NAMES["steps"] = "Pipeline(" + "Step(), " * 20 + "{})"
MORE = 22  # estimators: more than are drawn


@pytest.mark.parametrize(
    ("kind", "labels", "n_metrics", "options"),
    drawing.crossed(
        ROWS,
        [
            ([LONG.format(k) for k in range(5)], 3, {"reference": LONG.format(0)}),
            ([NAMES["short"].format(k) for k in range(MORE)], 2, {"gap": 0.004}),
            ([NAMES["steps"].format(k) for k in range(MORE)], 2, {"gap": 0.004}),
            ([NAMES["30"].format(k) for k in range(2)], 3, {"null_value": -0.0125}),
            *((UNEQUAL, 2, {"reference": name}) for name in (None, "svm", PIPELINE)),
        ],
    ),
)
def test_a_figure_of_its_own_is_no_higher_than_a_page(kind, labels, n_metrics, options):
    display = kind.from_result(compared(labels, METRICS[:n_metrics], **options)).plot()
    assert len(display.axes_) == n_metrics
    assert display.figure_.get_figheight() <= PAGE
    drawing.check_room(display.figure_)


@pytest.mark.parametrize(
    ("kind", "options", "reference"),
    drawing.crossed(
        ROWS,
        [
            ({}, "b"),
            ({"layout": "constrained"}, None),
            ({"layout": "constrained", "sharey": True, "figsize": (12, 4)}, "b"),
            ({"figsize": (6.8, 2.4)}, None),
        ],
    ),
)
def test_three_axes_beside_each_other_name_their_rows_once(kind, options, reference):
    if kind is plotting.ComparisonDisplay:  # whose labels are wider
        options = {**options, "figsize": (12, 4)}
    figure, axes = plt.subplots(1, 3, **options)
    display = kind.from_result(compared("abc", METRICS, reference=reference, gap=0.01)).plot(axes)
    check_legend(display)
    seen = drawing.seen_texts(figure)
    assert not drawing.cut_off(figure, seen)
    for pair in drawing.overlapping(seen):  # numbers only
        assert re.fullmatch(r"[\d.\N{MINUS SIGN}]+", "".join(pair))
    assert len({tuple(ax.get_window_extent().intervaly) for ax in axes}) == 1
    assert display.legend_.get_window_extent().y1 < axes[0].get_window_extent().y0
    named = sorted(text[0] for text, _ in seen if text in "abc" or "(reference)" in text)
    if kind is not plotting.ComparisonDisplay or reference is not None:
        assert named == sorted("abc")
    at = [ax.transData.transform([(0, y) for y in ax.get_yticks()])[:, 1] for ax in axes]
    assert at[1].tolist() == at[2].tolist() == pytest.approx(at[0].tolist())


def many_curves(n_labels):
    display = drawing.power_curves([f"corrected_resampled_t_{k}" for k in range(n_labels)])
    display.hypothesis = f"{LONG.format(1)}-{LONG.format(2)}"
    return display


def sensitivity(side, name):
    scores, options = difference(name.format(1), name.format(2)), {"null_value": 0.01}
    return plotting.CorrelationSensitivityDisplay.from_scores(scores, alternative=side, **options)


def posterior(name):
    test = compared([name.format(1), name.format(2)]).tests[0]
    return plotting.PosteriorDisplay.from_result(test, margin=0.01)


@pytest.mark.parametrize(
    ("make", "given", "own"),
    [
        (many_curves, (12,), True),
        (sensitivity, ("greater", LONG), False),
        *slow([(many_curves, (2,), True), (many_curves, (6,), False)]),
        *slow([(sensitivity, ("two-sided", LONG), True), (sensitivity, ("less", "m{}"), False)]),
        *slow([(posterior, (LONG,), True), (posterior, (LONG,), False)]),
    ],
)
def test_one_panel(make, given, own):
    display = make(*given).plot(None if own else plt.subplots()[1])
    drawing.check_room(display.figure_)
    if own:  # the legend takes nothing from the curves
        least = 0.8 if len(getattr(display, "axes_", "1")) > 1 else 3.3
        assert display.ax_.bbox.height / display.figure_.dpi > least or make is not many_curves
    else:
        assert display.legend_.get_window_extent().y1 < display.ax_.get_window_extent().y0


@pytest.mark.parametrize("legend", [False, *slow([(None,)])])
def test_a_long_title_in_low_axes(legend):
    display = sensitivity("greater", LONG)
    display.plot(plt.subplots(figsize=SIZES["half"])[1], legend=legend)
    drawing.check_room(display.figure_)


def test_displays_in_a_grid_keep_to_their_axes_and_their_legends_do_not_meet():
    figure, axes = plt.subplots(2, 2, figsize=(10, 8))
    DISPLAYS["CorrelationSensitivityDisplay"]().plot(axes[0, 0])
    DISPLAYS["LearningCurveDisplay"]().plot(axes[0, 1])
    labels = [f"corrected_resampled_t_{k}" for k in range(5)]
    displays = [drawing.power_curves(labels).plot(ax) for ax in axes[1]]
    drawing.check_room(figure)
    left, right = (display.legend_.get_window_extent() for display in displays)
    first, second = (ax.bbox.x1 + 1 for ax in axes[1])
    assert 0 <= left.x0 < left.x1 <= first < right.x0 < right.x1 <= second


def test_axes_of_subfigures():
    figure = plt.figure(layout="constrained", figsize=(18, 4))
    for kind, part in zip(ROWS, figure.subfigures(1, 3), strict=True):
        display = kind.from_result(compared([LONG.format(1), LONG.format(2)])).plot(part.subplots())
        assert display.figure_ is part
    figure.stale = True  # matplotlib 3.9 does not learn it from its parts
    drawing.check_room(figure)


@pytest.mark.parametrize("kind", [ROWS[1], *slow([(ROWS[0],), (ROWS[2],)])])
def test_top_and_metric_choose_what_is_drawn(kind):
    result = compared("abcdefg", METRICS[:2], gap=0.002, alternative="greater")
    display = kind.from_result(result, top=3).plot()
    for ax in display.axes_:
        assert len(ax.get_yticks()) == 3
    pairs = kind is plotting.ComparisonDisplay
    more = f"{2 * (21 - 3)} more comparisons" if pairs else "4 more estimators"
    assert more in display.legend_.get_title().get_text()
    for few in (kind.from_result(result, top=21), kind.from_result(result, top=100)):
        assert few.n_more == 0
        assert " more " not in few.plot().legend_.get_title().get_text()
    for top in (0, -1, 2.5, "3", None, True):
        with pytest.raises(ValueError, match=rf"top={top!r} must be an integer of at least 1"):
            kind.from_result(result, top=top)
    assert set(kind.from_result(result, metric="roc_auc").frame()["metric"]) == {"roc_auc"}
    with pytest.raises(ValueError, match="Did you mean 'accuracy'"):
        kind.from_result(result, metric="acuracy")


@pytest.mark.parametrize("kind", ROWS[::2])
def test_a_bad_estimator_does_not_squeeze_the_others(kind):
    values = np.array(drawing.scores_of("abcde", gap=0.01).values)
    values[-1] -= 5
    result = compare_scores(dict(zip("abcde", values, strict=True)), design=DESIGN)
    display = kind.from_result(result).plot()
    low, high = display.ax_.get_xlim()
    ranking = result.ranking().set_index("estimator")
    seen = [values[:4].min(), values.max()]
    arrows = {line.get_ydata()[0] for line in display.ax_.lines if line.get_marker() == "<"}
    if kind is plotting.RankingDisplay:
        seen = [ranking.loc["d", "low"], ranking["high"].max()]
        assert arrows == {drawing.heights_of(display.ax_)["e"]}
    assert low < seen[0] < seen[1] < high < low + 0.5
    assert f"{ranking.loc['e', 'score']:.3g}" in drawing.texts_of(display.figure_)


SIZES = {"column": (3.4, 2.4), "half": (5.0, 3.2), "usual": (6.4, 4.8)}


def of_rows(kind, name, n, **options):
    labels = [name.format(k) for k in range(n)]
    return kind.from_result(compared(labels, gap=0.02, **options))


CASES = {
    f"{kind.__name__} of {n} {name}": partial(of_rows, kind, NAMES[name], n)
    for kind in ROWS
    for name, n in (("long", 5), ("short", 2), ("short", 12))
    if n < 12 or kind is not plotting.ComparisonDisplay  # 20 rows have no room in a column
}
CASES["against one"] = partial(of_rows, plotting.ComparisonDisplay, "m{}", 5, reference="m0")
CASES |= DISPLAYS


def check_legend(display):
    """Check that the legend is in view, and overlaps neither axes, nor marks, nor texts."""
    figure = display.ax_.figure
    figure.draw_without_rendering()
    box = display.legend_.get_window_extent()
    assert box.x0 >= -1
    assert box.y0 >= -1
    assert box.x1 <= figure.bbox.width + 1
    for ax in figure.axes:
        assert not box.overlaps(ax.get_window_extent())
        for artist in [*ax.lines, *ax.collections, *ax.patches]:
            drawn = artist.get_window_extent()
            # Nothing is drawn of an empty area.
            assert not np.isfinite(drawn.extents).all() or not box.overlaps(drawn)
    for text, other in drawing.seen_texts(figure, display.legend_):
        assert not box.overlaps(other), text


@pytest.mark.parametrize(
    ("name", "size", "layout"),
    drawing.crossed(
        list(CASES),
        [
            *(("usual", None), ("column", None), ("column", "constrained")),
            *(("half", "tight"), ("usual", "constrained")),
        ],
    ),
)
def test_the_legend_and_what_is_drawn_are_apart_in_axes_of_a_user(name, size, layout):
    figure, ax = plt.subplots(figsize=SIZES[size], layout=layout)
    display = CASES[name]().plot(ax)
    check_legend(display)
    drawing.check_room(figure)
    assert figure.get_size_inches().tolist() == list(SIZES[size])
    assert ax.bbox.height >= figure.dpi / 3


@drawing.a_display
def test_a_later_layout_makes_room_too(name):
    figure, ax = plt.subplots(figsize=SIZES["half"])
    display = DISPLAYS[name]().plot(ax)
    figure.tight_layout()
    check_legend(display)
    figure.set_layout_engine("constrained")
    check_legend(display)


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_a_legend_without_room_is_left_out_and_said_so(layout):
    _, ax = plt.subplots(figsize=(3.4, 1.8), layout=layout)
    display = drawing.power_curves([f"corrected_resampled_t_{k}" for k in range(12)])
    with pytest.warns(UserWarning, match="no room for the legend below the axes"):
        assert display.plot(ax).legend_ is None
    with warnings.catch_warnings(action="error"):
        display.plot(ax, legend=False)


def test_a_legend_has_two_lines_and_more_for_those_who_ask():
    result = compared("abcd", gap=0.012)
    short, full = (result.plot("differences", legend=legend) for legend in (True, "full"))
    assert "\n" not in short.legend_.get_title().get_text()
    said = full.legend_.get_title().get_text().replace("\n", " ")
    assert result.adjusted() in said
    assert said.startswith(short.legend_.get_title().get_text())
