"""Pictures of losses: signs and words agree with the losses, of which the lower is better."""

import numpy as np
import pytest

from skcvstats import CVScores, compare_losses, compare_scores
from skcvstats.plotting import (
    ComparisonDisplay,
    CorrelationSensitivityDisplay,
    CumulatedDifferenceDisplay,
    MatrixDisplay,
    PairedScoresDisplay,
    PosteriorDisplay,
)

from ..words.cases import DESIGN
from .drawing import heights_of, legend_of, lines_at, plt, slow

MAE = "neg_mean_absolute_error"
MINUS = " \N{MINUS SIGN} "
MEANS = {"good": 150.0, "middle": 300.0, "poor": 700.0}


def losses_of(*names):
    """Losses with exactly these means."""
    noise = np.random.default_rng(0).normal(0, 20, (3, DESIGN.n_splits))
    noise -= noise.mean(axis=1, keepdims=True)
    return {name: MEANS[name] + row for name, row in zip(names, noise, strict=False)}


def compared(*names, **options):
    scores = {name: -losses for name, losses in losses_of(*names).items()}
    return compare_scores(scores, design=DESIGN, metric=MAE, **options)


def beside(ax):
    """What is written beside the rows."""
    (right,) = ax.child_axes
    return [label.get_text().split(" ")[0] for label in right.get_yticklabels()]


def test_a_cell_of_a_matrix_is_the_column_minus_the_row():
    display = compared("poor", "good", "middle").plot("matrix")
    assert display.ax_.get_xlabel() == "column minus row"
    names = ["good", "middle", "poor"]
    assert list(display.names) == names
    (blue, vermilion, *_) = legend_of(display).values()
    shades = display.cells_[0].get_array()
    found = {}
    for text in display.ax_.texts:
        column, row = text.xy
        found[names[row], names[column]] = text.get_text()
        is_better = MEANS[names[row]] < MEANS[names[column]]
        better = (blue if is_better else vermilion).get_facecolor()
        assert tuple(shades[row, column][:3]) == better[:3]
    assert found == {
        (first, second): f"{MEANS[second] - MEANS[first]:.0f}"
        for first in names
        for second in names
        if first != second
    }


@pytest.mark.slow
def test_equal_models_have_no_shade_and_marks_are_explained_where_there_are_some():
    good = losses_of("good")["good"]
    scores = {"a": -good, "b": -np.roll(good, 1), "c": -np.roll(good, 2) - 1e-9}
    for sign in (1, -1):
        turned = {name: sign * values for name, values in scores.items()}
        made = compare_scores(turned, design=DESIGN)
        frame = made.to_frame()
        display = MatrixDisplay(
            comparisons=frame.assign(difference=frame["difference"].round(6)), names=[*"abc"]
        ).plot()
        assert {text.get_text() for text in display.ax_.texts} == {"0"}
        assert not display.cells_[0].get_array()[..., 3].any()
        assert list(legend_of(display)) == ["the row is better", "the column is better"]


@pytest.mark.parametrize("names", [("poor", "good"), *slow([(("good", "poor"),), (tuple(MEANS),)])])
def test_a_difference_is_named_as_it_is_subtracted(names):
    ax = compared(*names).plot("differences").ax_
    left, right = ax.get_xlabel().replace("\n", "   ").split("   ")
    for (name, height), written in zip(heights_of(ax).items(), beside(ax), strict=True):
        first, second = name.split(MINUS)
        difference = MEANS[first] - MEANS[second]
        assert written == f"{difference:.0f}"
        (at,) = next(x for x in lines_at(ax, height) if len(x) == 1)
        assert at == pytest.approx(difference)
        better = "first" if MEANS[first] < MEANS[second] else "second"
        if len(names) == 2:
            better = dict(zip(("first", "second"), (first, second), strict=True))[better]
        assert f"{better} better" in (right if difference > 0 else left)


@pytest.mark.parametrize("reference", ["good", *slow([("poor",)])])
@pytest.mark.parametrize("names", [("good", "poor"), *slow([(tuple(MEANS),)])])
def test_the_legend_says_better_where_the_loss_is_lower(names, reference):
    result = compared(*names, reference=reference, margin=20)
    display = result.plot("differences")
    word = "worse" if reference == "good" else "better"
    (said,) = [text for text in legend_of(display) if "by more" in text]
    assert said == f"{word} by more than the margin"
    assert word in str(result)
    for row in display.frame().itertuples():
        assert row.difference == pytest.approx(MEANS[reference] - MEANS[row.estimator])
    by_hand = ComparisonDisplay(comparisons=display.frame(), reference=reference).plot()
    assert said in legend_of(by_hand)


@pytest.mark.parametrize(
    "draw",
    [
        lambda result: PosteriorDisplay.from_result(result.tests[0], margin=20),
        *slow(
            [
                (lambda result: CorrelationSensitivityDisplay.from_result(result.tests[0]),),
                (lambda result: CorrelationSensitivityDisplay.from_scores(result.tests[0].scores),),
            ]
        ),
    ],
)
def test_a_picture_of_one_difference_names_it_as_it_is_subtracted(draw):
    display = draw(compared("poor", "good")).plot()
    ax = display.ax_
    first, second = ax.get_title(loc="left").split(" - ")
    line = display.estimate_
    at = line.get_xdata() if isinstance(display, PosteriorDisplay) else line.get_ydata()
    assert at[0] == pytest.approx(MEANS[first] - MEANS[second])
    label = f"{ax.get_xlabel()} {ax.get_ylabel()}".replace("\n", " ")
    assert "good better \N{RIGHTWARDS ARROW}" in label
    assert at[0] > 0


@pytest.mark.slow
def test_a_single_loss_is_drawn_as_it_is_read():
    values = -losses_of("good")["good"]
    scores = CVScores(values=values, design=DESIGN, metric=MAE, labels=("good",))
    display = CorrelationSensitivityDisplay.from_scores(scores).plot()
    ax = display.ax_
    assert ax.get_ylabel().replace("\n", " ") == "expected MAE, better \N{RIGHTWARDS ARROW}"
    assert ax.get_title(loc="left") == "good"
    shown = [float(label.get_text()) for label in ax.get_yticklabels()]
    assert shown == pytest.approx(-ax.get_yticks())
    assert display.estimate_.get_ydata()[0] == pytest.approx(-MEANS["good"])
    assert 150 in shown


@pytest.mark.slow
def test_sums_over_time_rise_where_the_loss_is_lower():
    losses = np.random.default_rng(1).normal(3, 0.5, (2, 40))
    losses[0] += 2
    data = {"poor": losses[0], "good": losses[1]}
    result = compare_losses(data, metric="absolute_error", time=np.arange(40))
    display = CumulatedDifferenceDisplay.from_result(result).plot()
    assert display.ax_.get_title(loc="left") == "poor - good"
    assert display.line_.get_ydata()[-1] == pytest.approx((losses[0] - losses[1]).sum())
    label = display.ax_.get_ylabel().replace("\n", " ")
    assert label.endswith("good better \N{RIGHTWARDS ARROW}")


@pytest.mark.slow
def test_below_paired_losses_is_their_difference():
    display = PairedScoresDisplay.from_result(compared("poor", "good")).plot()
    (ax,) = display.difference_axes_
    (name,) = [label.get_text() for label in ax.get_yticklabels()]
    first, second = name.split(MINUS)
    (estimate,) = [line for line in ax.lines if line.get_marker() == "D"]
    assert estimate.get_xdata()[0] == pytest.approx(MEANS[first] - MEANS[second])
    left, right = ax.get_xlabel().replace("\n", "   ").split("   ")
    assert ("good" in right, "poor" in left) == (True, True)
    plt.close("all")
