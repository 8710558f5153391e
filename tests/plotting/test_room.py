"""No text is cut off, no texts overlap, and a picture is bounded to a page."""

import pytest

from skcvstats.plotting import (
    ComparisonDisplay,
    CorrelationSensitivityDisplay,
    PairedScoresDisplay,
    RankingDisplay,
    SplitPlanDisplay,
)
from skcvstats.stats import plan_n_splits

from .drawing import (
    METRICS,
    check_room,
    compared,
    cut_off,
    difference,
    overlapping,
    plt,
    power_curves,
    seen_texts,
    texts_of,
)

LONG = "HistGradientBoostingClassifier(learning_rate=0.{:02d}, max_depth=3)"
PIPELINE = (
    "Pipeline(StandardScaler, PolynomialFeatures(degree=3), SelectKBest(k=20), "
    "LogisticRegression(C=0.1, max_iter=1000))" + "_x" * 30
)
UNEQUAL = ["ridge", "lasso", PIPELINE, "svm", "knn"]
PAGE = 11  # inches
ROWS = [RankingDisplay, ComparisonDisplay, PairedScoresDisplay]


NAMES = {"short": "m{}", "long": LONG, "30": "model_" * 5 + "{}"}


# Here and below each pair of values of two parameters is there once, not each combination of all.
@pytest.mark.parametrize(
    ("kind", "n_estimators", "name", "n_metrics"),
    [
        *[(RankingDisplay, 2, "short", 1), (RankingDisplay, 5, "long", 3)],
        *[(RankingDisplay, 12, "30", 3), (ComparisonDisplay, 2, "long", 3)],
        *[(ComparisonDisplay, 5, "30", 1), (ComparisonDisplay, 12, "short", 3)],
        *[(PairedScoresDisplay, 2, "30", 3), (PairedScoresDisplay, 5, "short", 3)],
        *[(PairedScoresDisplay, 12, "long", 1)],
    ],
)
def test_a_figure_of_its_own(kind, n_estimators, name, n_metrics):
    labels = [NAMES[name].format(k) for k in range(n_estimators)]
    result = compared(labels, METRICS[:n_metrics], reference=labels[0], null_value=-0.0125)
    display = kind.from_result(result).plot()
    assert len(display.axes_) == n_metrics
    check_room(display.figure_)


@pytest.mark.parametrize("reference", [None, PIPELINE, "svm"])
@pytest.mark.parametrize("kind", ROWS)
def test_names_of_unequal_length(kind, reference):
    display = kind.from_result(compared(UNEQUAL, METRICS[:2], reference=reference)).plot()
    check_room(display.figure_)


@pytest.mark.parametrize(
    ("kind", "name", "n_estimators", "layout", "width"),
    [
        *[(RankingDisplay, "m{}", 12, None, 6.4), (RankingDisplay, LONG, 5, None, 6.4)],
        *[(RankingDisplay, "forest{}", 5, "constrained", 4.0)],
        *[
            (ComparisonDisplay, "m{}", 12, "constrained", 6.4),
            (ComparisonDisplay, LONG, 2, None, 5),
        ],
        *[(ComparisonDisplay, LONG, 2, "constrained", 6.4)],
        *[
            (PairedScoresDisplay, "m{}", 12, None, 6.4),
            (PairedScoresDisplay, "forest{}", 2, None, 4),
        ],
        *[(PairedScoresDisplay, LONG, 3, "constrained", 3.5)],
    ],
)
def test_axes_of_a_user(kind, name, n_estimators, layout, width):
    labels = [name.format(k) for k in range(n_estimators)]
    result = compared(labels, reference=labels[0], null_value=-0.0125)
    figure, ax = plt.subplots(layout=layout, figsize=(width, 4))
    display = kind.from_result(result).plot(ax)
    check_room(figure)
    assert figure.get_size_inches().tolist() == [width, 4]
    highest = max(line.get_window_extent().y1 for line in display.marks_)
    assert display.legend_.get_window_extent().y0 > highest


@pytest.mark.parametrize(
    ("kind", "layout", "reference"),
    [
        *[(RankingDisplay, None, None), (RankingDisplay, "constrained", "b")],
        *[(ComparisonDisplay, None, "b"), (ComparisonDisplay, "constrained", None)],
        *[(PairedScoresDisplay, None, None), (PairedScoresDisplay, "constrained", "b")],
    ],
)
def test_three_axes_of_a_user(kind, layout, reference):
    figure, axes = plt.subplots(1, 3, layout=layout)
    result = compared("abc", METRICS, reference=reference, gap=0.01)
    display = kind.from_result(result).plot(axes)
    seen = seen_texts(figure)
    assert not cut_off(figure, seen)
    written = [pair for pair in overlapping(seen) if not all(map(is_number, pair))]
    assert not written
    box = display.legend_.get_window_extent()
    for ax in axes:
        for line in ax.lines:
            if line.get_marker() not in ("", "None"):
                assert not box.overlaps(line.get_window_extent())


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("options", [{}, {"sharey": True}], ids=["single", "shared"])
def test_rows_are_named_once_and_can_be_followed_across(kind, options):
    figure, axes = plt.subplots(1, 3, layout="constrained", figsize=(12, 4), **options)
    kind.from_result(compared("abc", METRICS, reference="b", gap=0.01)).plot(axes)
    named = [text for text, _ in seen_texts(figure) if text in "abc" or "(reference)" in text]
    assert sorted(text[0] for text in named) == ["a", "b", "c"]
    at = [ax.transData.transform([(0, y) for y in ax.get_yticks()])[:, 1] for ax in axes]
    assert at[1].tolist() == at[2].tolist() == pytest.approx(at[0].tolist())


def is_number(text):
    return text.lstrip("\N{MINUS SIGN}").replace(".", "").isdigit()


@pytest.mark.parametrize("own", [True, False], ids=["own", "axes"])
@pytest.mark.parametrize("n_labels", [2, 12])
def test_power_curves(n_labels, own):
    labels = [f"corrected_resampled_t_{k}" for k in range(n_labels)]
    display = power_curves(labels)
    display.hypothesis = f"{LONG.format(1)}-{LONG.format(2)}"
    display.plot(None if own else plt.subplots()[1])
    check_room(display.figure_)
    if own:  # the legend takes nothing from the curves
        assert display.ax_.bbox.height / display.figure_.dpi > 3.3
    else:  # the curves go no higher than 1
        top = display.ax_.transData.transform((0, 1))[1]
        assert display.legend_.get_window_extent().y0 > top


def test_legends_of_power_curves_beside_each_other_do_not_meet():
    figure, axes = plt.subplots(1, 2, figsize=(10, 4))
    boxes = []
    for ax in axes:
        display = power_curves([f"corrected_resampled_t_{k}" for k in range(5)]).plot(ax)
        boxes.append((display.legend_, ax))
    figure.canvas.draw()
    for legend, ax in boxes:
        assert legend.get_window_extent().x0 >= ax.bbox.x0 - 1
        assert legend.get_window_extent().x1 <= ax.bbox.x1 + 1


@pytest.mark.parametrize(
    ("alternative", "name", "own"),
    [
        *[("two-sided", "m{}", False), ("two-sided", LONG, True), ("less", "m{}", True)],
        *[("less", LONG, False), ("greater", "m{}", False), ("greater", LONG, True)],
    ],
)
def test_sensitivity(alternative, name, own):
    display = CorrelationSensitivityDisplay.from_scores(
        difference(name.format(1), name.format(2)), alternative=alternative, null_value=0.01
    ).plot(None if own else plt.subplots()[1])
    check_room(display.figure_)
    if not own:
        highest = max(line.get_window_extent().y1 for line in display.lines_)
        assert display.legend_.get_window_extent().y0 > highest


def test_displays_in_a_grid_keep_to_their_axes():
    figure, axes = plt.subplots(2, 2, figsize=(10, 8))
    CorrelationSensitivityDisplay.from_scores(difference()).plot(axes[0, 0])
    SplitPlanDisplay.from_plan(plan_n_splits(difference())).plot(axes[0, 1])
    power_curves().plot(axes[1, 0])
    CorrelationSensitivityDisplay.from_scores(difference()).plot(axes[1, 1])
    check_room(figure)


@pytest.mark.parametrize("own", [True, False], ids=["own", "axes"])
@pytest.mark.parametrize("numbers", [[16, 17, 18, 20, 1000], [2], [15, 25, 50, 100, 200]])
def test_split_plan(numbers, own):
    plan = plan_n_splits(difference(), n_splits=numbers)
    display = SplitPlanDisplay.from_plan(plan).plot(None if own else plt.subplots()[1])
    check_room(display.figure_)


@pytest.mark.parametrize("kind", ROWS)
def test_axes_of_a_subfigure(kind):
    figure = plt.figure(layout="constrained", figsize=(12, 4))
    for part in figure.subfigures(1, 2):
        display = kind.from_result(compared([LONG.format(1), LONG.format(2)])).plot(part.subplots())
        assert display.figure_ is part
    check_room(figure)


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
