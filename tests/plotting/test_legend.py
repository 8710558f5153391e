"""Legends have two lines on a slide, with names that can be told apart, and all in full."""

import numpy as np
import pandas as pd
import pytest

from skcvstats import compare_losses, plotting

from . import drawing
from .drawing import compared, plt, power_curves, slow

ANALYSES = (
    "Quadratic discriminant analysis with shrinkage",
    "Quadratic discriminant analysis without shrinkage",
    "Histogram gradient boosting, 300 trees, depth 3",
    "Histogram gradient boosting, 300 trees, depth 12",
    "Support vector machine with an RBF kernel, C=10",
    "Support vector machine with an RBF kernel, C=0.1",
    "Random forest of 500 trees, at least 5 rows in a leaf",
    "Random forest of 500 trees, at least 50 rows in a leaf",
)
IN_A_GRID = "HistGradientBoostingClassifier(learning_rate=0.{:02d}, max_depth=3, l2=0.1)"
SIZES = {"own": None, "slide": (13.33, 7.5), "usual": (6.4, 4.8)}


def long_names(n, grid=False):
    if grid:
        return [IN_A_GRID.format(k + 1) for k in range(n)]
    return [f"{ANALYSES[k % 8]}{f', seed {k // 8}' if k > 7 else ''}" for k in range(n)]


def learning_curves(names):
    scores = np.array([[0.6, 0.7, 0.8]]) - 0.01 * np.arange(len(names))[:, np.newaxis]
    ends = {"low": scores - 0.02, "high": scores + 0.02}
    sizes = np.array([50, 100, 200])
    return plotting.LearningCurveDisplay(train_sizes=sizes, scores=scores, names=names, **ends)


def of_pair(kind, **options):
    return lambda names: kind.from_result(compared(names[:2]).tests[0], **options)


def over_time(names):
    losses = np.random.default_rng(0).chisquare(1, size=(60, 2))
    result = compare_losses(pd.DataFrame(losses, columns=names[:2]), time=np.arange(60))
    return plotting.CumulatedDifferenceDisplay.from_result(result)


def of_rows(kind, metrics=1, margin=None, reference=False, adjustment="holm", **options):
    def make(names):
        how = {"adjustment": adjustment, "gap": 0.006}
        how["reference"] = names[1] if reference else None
        result = compared(names, drawing.METRICS[:metrics], **how)
        return kind.from_result(result if margin is None else result.with_margin(margin), **options)

    return make


OF_MANY = {
    "learning": learning_curves,
    "power": power_curves,
    "ranking": of_rows(plotting.RankingDisplay),
    "letters": of_rows(plotting.RankingDisplay, letters=True),
    "ranks": of_rows(plotting.RankingDisplay, ranks=True),
    "metrics": of_rows(plotting.RankingDisplay, metrics=3),
    "differences": of_rows(plotting.ComparisonDisplay),
    "margin": of_rows(plotting.ComparisonDisplay, margin=0.02, adjustment="max_t"),
    "reference": of_rows(plotting.ComparisonDisplay, metrics=2, reference=True),
    "matrix": of_rows(plotting.MatrixDisplay),
    "scores": of_rows(plotting.PairedScoresDisplay),
}
OF_TWO = {
    "posterior": of_pair(plotting.PosteriorDisplay, margin=0.01),
    "sides": of_pair(plotting.PosteriorDisplay),
    "correlation": of_pair(plotting.CorrelationSensitivityDisplay),
    "time": over_time,
}
CASES = [
    *((name, n, size) for name in OF_MANY for n in (2, 4, 8, 40) for size in list(SIZES)[:2]),
    *((name, n, "usual") for name in OF_MANY for n in (2, 4, 8, 40) if name != "metrics"),
    *((name, 2, size) for name in OF_TWO for size in SIZES),
]
QUICK = [("learning", 4, "own"), ("power", 8, "slide"), ("posterior", 2, "usual")]


def axes_of(name, size):
    n_panels = {"metrics": 3, "reference": 2}.get(name, 1)
    return plt.subplots(1, n_panels, figsize=SIZES[size], layout="constrained")[1]


def lines_of(legend):
    """Return in how many lines a legend is drawn, told by the places of its texts."""
    texts = [legend.get_title(), *legend.get_texts()]
    written = [text for text in texts if text.get_text()]
    assert not any("\n" in text.get_text() for text in written)
    boxes = [text.get_window_extent() for text in written]
    middles = np.sort([(box.y0 + box.y1) / 2 for box in boxes])
    least = min(box.height for box in boxes) / 2
    return 1 + np.count_nonzero(np.diff(middles) > least)


def check_names(display, names):
    """Check that no two names are written alike, wherever they stand."""
    figure = display.figure_
    drawn = {
        "legend": [text.get_text() for text in display.legend_.get_texts()],
        "rows": [label.get_text() for label in display.ax_.get_yticklabels()],
        "panels": [ax.get_title(loc="left") for ax in figure.axes if ax.get_title(loc="left")],
    }
    for where in ("legend", "rows"):
        assert len(set(drawn[where])) == len(drawn[where])
    if len(drawn["panels"]) == len(names):
        assert len(set(drawn["panels"])) == len(names)


@pytest.mark.filterwarnings("ignore:There is no room for the legend")
@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")
@pytest.mark.parametrize("grid", [False, *slow([(True,)])])
@pytest.mark.parametrize(
    ("name", "n", "size"), [*QUICK, *slow(case for case in CASES if case not in QUICK)]
)
def test_a_legend_has_two_lines_and_its_names_differ(name, n, size, grid):
    names = long_names(n, grid)
    axes = None if size == "own" else axes_of(name, size)
    display = {**OF_MANY, **OF_TWO}[name](names).plot(axes)
    figure = display.figure_
    figure.draw_without_rendering()
    if display.legend_ is None:  # of so many curves none has two lines
        assert (name in ("learning", "power"), n) == (True, 40)
        return
    assert lines_of(display.legend_) <= 2
    check_names(display, names)
    assert not drawing.cut_off(figure, drawing.seen_texts(figure))
    box = display.legend_.get_window_extent()
    assert box.x0 >= -1
    assert box.x1 <= figure.bbox.width + 1
    for ax in figure.axes:
        assert not box.overlaps(ax.get_window_extent())
    in_legend = display.legend_.findobj(plt.Text)
    seen = [(text.get_text(), text.get_window_extent()) for text in in_legend if text.get_text()]
    assert not drawing.overlapping(seen)
