"""What is drawn in the tests, and what they read off a picture."""

from copy import copy
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import make_classification

from skcvstats import learning_curve_inference, plotting
from skcvstats.comparison import compare
from skcvstats.stats import get_procedure

from ..cheap import QuicklyScored
from ..words.cases import scores_of

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is in the plots extra")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

METRICS = ("accuracy", "roc_auc", "average_precision")
WORDS = ("accuracy", "ROC AUC", "average precision", "F1")
TITLES = dict(zip((*METRICS, "f1"), WORDS, strict=True))


def compared(labels=("a", "b", "c"), metrics=("accuracy",), reference=None, gap=0.05, **options):
    """A comparison whose metrics order the estimators differently where `gap` is small."""
    return _compared(tuple(labels), tuple(metrics), reference, gap, **options)


@cache
def _compared(labels, metrics, reference, gap, **options):
    scores = {name: scores_of(labels, name, gap, seed) for seed, name in enumerate(metrics)}
    adjustment = options.pop("adjustment", "holm")
    test = get_procedure("corrected_resampled_t", **options)
    return compare(scores, test=test, reference=reference, adjustment=adjustment)


def difference(first="a", second="b"):
    scores = scores_of([first, second])
    return scores[first] - scores[second]


def power_curves(labels=("corrected", "uncorrected"), **options):
    null_values = np.linspace(-1, 1, 9)
    rates = [np.abs(null_values) ** (1 + k) for k in range(len(labels))]
    low, high = ([np.clip(rate + reach, 0, 1) for rate in rates] for reach in (-0.05, 0.05))
    options |= {"low": low, "high": high, "alpha": 0.1, "truth": 0.0, "hypothesis": "a-b"}
    options |= {"null_values": null_values, "labels": labels}
    return plotting.PowerCurveDisplay(rates=rates, **options)


@cache
def curves():
    """The learning curves of two estimators."""
    data = make_classification(100, 4, n_redundant=0, random_state=0)
    models = {"a": QuicklyScored(1), "b": QuicklyScored(4)}
    return learning_curve_inference(models, *data, train_sizes=(0.4, 1.0))


_ABC = {"labels": "abc", "gap": 0.012}
_MAKERS = {
    "ComparisonDisplay": lambda: plotting.ComparisonDisplay.from_result(compared(**_ABC)),
    "MatrixDisplay": lambda: plotting.MatrixDisplay.from_result(compared(**_ABC)),
    "RankingDisplay": lambda: plotting.RankingDisplay.from_result(compared(**_ABC), letters=True),
    "PowerCurveDisplay": power_curves,
    "PairedScoresDisplay": lambda: plotting.PairedScoresDisplay.from_result(compared()),
    "CorrelationSensitivityDisplay": lambda: plotting.CorrelationSensitivityDisplay.from_result(
        compared().tests[0]
    ),
    "PosteriorDisplay": lambda: plotting.PosteriorDisplay.from_result(
        compared().tests[0], margin=0.01
    ),
    "CumulatedDifferenceDisplay": lambda: plotting.CumulatedDifferenceDisplay.from_series(
        np.random.default_rng(0).normal(size=40)
    ),
    "LearningCurveDisplay": lambda: plotting.LearningCurveDisplay.from_result(curves()),
}
_made = cache(lambda name: _MAKERS[name]())  # what each shows is computed once
DISPLAYS = {name: lambda name=name: copy(_made(name)) for name in _MAKERS}


def crossed(kinds, cases):
    """Return each kind with each case; all but the first three are marked as slow."""
    paired = [
        (kind, *cases[(k + shift) % len(cases)])
        for shift in range(len(cases))
        for k, kind in enumerate(kinds)
    ]
    return [*paired[:3], *slow(paired[3:])]


def slow(cases):
    return [pytest.param(*case, marks=pytest.mark.slow) for case in cases]


# A law of all displays is read off three, or off one where all share the code; the others are
# marked as slow.
THREE = ["ComparisonDisplay", "RankingDisplay", "PowerCurveDisplay"]


def first(names):
    others = slow((name,) for name in DISPLAYS if name not in names)
    return pytest.mark.parametrize("name", [*names, *others])


three_displays, a_display = first(THREE), first(THREE[:1])


def texts_of(figure):
    """Return all that is written in a figure."""
    found = [text.get_text() for text in figure.findobj(matplotlib.text.Text)]
    return [text for text in found if text]


def legend_of(display):
    """Return by its text what each mark of the legend looks like."""
    legend = display.legend_
    texts = [text.get_text().replace("\n", " ") for text in legend.get_texts()]
    return dict(zip(texts, legend.legend_handles, strict=True))


def heights_of(ax):
    """Return by its name where a row is; of a panel without names, see its neighbour's."""
    at = [label.get_text().replace("\n", " ") for label in ax.get_yticklabels()]
    return dict(zip(at, ax.get_yticks().tolist(), strict=True))


def lines_at(ax, height):
    """Return the numbers of the lines and marks that lie in a row."""
    return [
        np.atleast_1d(line.get_xdata()).tolist()
        for line in ax.lines
        if np.size(line.get_ydata()) and np.all(np.equal(line.get_ydata(), height))
    ]


def seen_texts(figure, without=None):
    """Return by what it says the box of each text that is in view, in pixels."""
    if figure.stale:
        figure.draw_without_rendering()  # lays out all artists
    hidden = {
        tick.label1
        for ax in figure.axes
        for axis in (ax.xaxis, ax.yaxis)
        for tick in axis.get_major_ticks()
        if not (
            min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
            and tick.label1.get_visible()
        )
    }
    hidden |= set(without.findobj() if without else ())
    drawn = [text for text in figure.findobj(matplotlib.text.Text) if text.get_visible()]
    return [
        (text.get_text(), text.get_window_extent())
        for text in drawn
        if text.get_text().strip() and text not in hidden
    ]


def check_room(figure):
    """Check that no text is cut off, and that no texts are written over each other."""
    seen = seen_texts(figure)
    assert not cut_off(figure, seen)
    assert not overlapping(seen)


def cut_off(figure, seen):
    """Return the texts that reach out of the figure."""
    width, height = figure.canvas.get_width_height()
    return [
        text
        for text, box in seen
        if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1
    ]


def overlapping(seen):
    """Return pairs of texts that are written over each other."""
    boxes = [box.shrunk(0.98, 0.9) for _, box in seen]
    low = np.reshape([box.min for box in boxes], (-1, 2))
    high = np.reshape([box.max for box in boxes], (-1, 2))
    meet = ((low[:, np.newaxis] <= high) & (low <= high[:, np.newaxis])).all(axis=2)
    return [(seen[i][0], seen[j][0]) for i, j in np.argwhere(np.triu(meet, 1))]
