"""One test of the protocol over all displays, and each display's numbers against its source."""

import inspect
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import skcvstats.plotting
from skcvstats import (
    ComparisonDisplay,
    CorrelationSensitivityDisplay,
    CVScores,
    PairedScoresDisplay,
    SplitDesign,
    SplitPlanDisplay,
    compare_scores,
    plan_n_splits,
)
from skcvstats.stats._compare_scores import ComparisonPlan
from skcvstats.stats._lookup import get_test

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is in the plots extra")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

DESIGN = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=15)
HOSTILE = "a_b & 100% <x> | $`"


def scores_of(labels, metric="accuracy", gap=0.05):
    rng = np.random.default_rng(0)
    means = 0.9 - gap * np.arange(len(labels))
    values = means[:, None] + rng.normal(0, 0.02, (len(labels), 15))
    return CVScores(values=values, design=DESIGN, labels=tuple(labels), metric=metric)


def compared(labels=("a", "b", "c"), metrics=("accuracy",), reference=None, **options):
    scores = {metric: scores_of(labels, metric) for metric in metrics}
    test = get_test("corrected_resampled_t", **options)
    return ComparisonPlan(test, reference, "holm", tuple(labels)).run(scores)


def difference():
    scores = scores_of(["a", "b"])
    return scores["a"] - scores["b"]


DISPLAYS = {
    "ComparisonDisplay": lambda: ComparisonDisplay.from_result(compared()),
    "PairedScoresDisplay": lambda: PairedScoresDisplay.from_result(compared()),
    "CorrelationSensitivityDisplay": lambda: CorrelationSensitivityDisplay.from_result(
        compared().tests[0]
    ),
    "SplitPlanDisplay": lambda: SplitPlanDisplay.from_plan(plan_n_splits(difference())),
}
DRAWN_FROM_A_STUDY = {"PowerCurveDisplay"}  # tested with the simulations


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_every_display_is_tested():
    assert set(DISPLAYS) == set(skcvstats.plotting.__all__) - DRAWN_FROM_A_STUDY


@pytest.mark.parametrize("name", DISPLAYS)
def test_protocol(name):
    display = DISPLAYS[name]()
    assert [one for one in vars(type(display)) if one.startswith("from_")]
    assert not hasattr(display, "ax_")
    assert list(inspect.signature(display.plot).parameters) == ["ax"]
    assert display.plot() is display
    assert display.ax_.figure is display.figure_
    first = display.figure_
    ax = plt.figure().subplots()
    assert display.plot(ax=ax).ax_ is ax
    assert display.figure_ is ax.figure is not first
    assert ax.get_xlabel()
    frame = display.frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) > 0
    display.figure_.canvas.draw()


@pytest.mark.parametrize("name", DISPLAYS)
def test_without_matplotlib_the_error_names_the_extra(name, monkeypatch):
    display = DISPLAYS[name]()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=rf"{name}\.plot needs matplotlib.*skcvstats\[plots\]"):
        display.plot()


def texts_of(figure):
    found = [text.get_text() for text in figure.findobj(matplotlib.text.Text)]
    return [text for text in found if text]


def numbers_below(ax):
    """Return the labels of the horizontal axis that are in view."""
    low, high = ax.get_xlim()
    at = ax.get_xticks()
    return [label for x, label in zip(at, ax.get_xticklabels(), strict=True) if low <= x <= high]


def overlapping(ax):
    """Return pairs of row names, or of numbers below, whose boxes overlap."""
    renderer = ax.figure.canvas.get_renderer()
    pairs = []
    for labels in (ax.get_yticklabels(), numbers_below(ax)):
        boxes = [one.get_window_extent(renderer) for one in labels if one.get_text()]
        pairs += [(a, b) for a, b in pairwise(boxes) if a.overlaps(b)]
    return pairs


LONG = "HistGradientBoostingClassifier(learning_rate=0.{:02d}, max_depth=3)"


@pytest.mark.parametrize("n_metrics", [1, 3])
@pytest.mark.parametrize("name", ["m{}", LONG], ids=["short", "long"])
@pytest.mark.parametrize("n_estimators", [2, 5, 20])
@pytest.mark.parametrize("kind", [ComparisonDisplay, PairedScoresDisplay])
def test_no_names_overlap_and_nothing_is_cut_off(kind, n_estimators, name, n_metrics):
    labels = [name.format(k) for k in range(n_estimators)]
    metrics = ["accuracy", "roc_auc", "neg_log_loss"][:n_metrics]
    display = kind.from_result(compared(labels, metrics, reference=labels[0])).plot()
    display.figure_.canvas.draw()
    assert len(display.axes_) == n_metrics
    assert not any(overlapping(ax) for ax in display.axes_)
    width, height = display.figure_.canvas.get_width_height()
    renderer = display.figure_.canvas.get_renderer()
    for ax in display.axes_:
        drawn = [ax.xaxis.label, *ax.get_yticklabels(), *numbers_below(ax)]
        for box in (one.get_window_extent(renderer) for one in drawn if one.get_text()):
            assert box.x0 >= -1
            assert box.x1 <= width + 1
            assert box.y0 >= -1
            assert box.y1 <= height + 1


class TestComparisonDisplay:
    def test_numbers_are_those_of_the_result(self):
        result = compared(metrics=("accuracy", "roc_auc"))
        frame = ComparisonDisplay.from_result(result, confidence_level=0.8).frame()
        columns = ["metric", "estimator", "versus", "difference", "low", "high"]
        pd.testing.assert_frame_equal(frame[columns], result.to_frame(0.8)[columns])
        one = ComparisonDisplay.from_result(result, metric="roc_auc").frame()
        assert set(one["metric"]) == {"roc_auc"}

    def test_marks_are_filled_at_the_level_of_the_intervals(self):
        scores = scores_of(["a", "b"], gap=0.03)
        result = compare_scores(scores)
        assert 0.01 < result.tests[0].pvalue < 0.05
        for level, outcome, named in [(0.95, "above", "5 %"), (0.99, "not shown", "1 %")]:
            display = ComparisonDisplay.from_result(result, confidence_level=level)
            assert display.frame()["outcome"].tolist() == [outcome]
            assert any(f"({named} level)" in text for text in texts_of(display.plot().figure_))
        told = ComparisonDisplay.from_result(result.with_confidence(0.99))
        pd.testing.assert_frame_equal(told.frame(), display.frame())

    def test_drawn_at_the_numbers(self):
        result = compared(["a", "b"])
        ax = ComparisonDisplay.from_result(result).plot().ax_
        low, high = result.tests[0].confidence_interval()
        lines = [line.get_xdata() for line in ax.lines]
        assert any(np.array_equal(line, [low, high]) for line in lines)
        assert any(np.array_equal(np.ravel(line), [result.tests[0].estimate]) for line in lines)
        assert any(np.array_equal(line, [0, 0]) for line in lines)  # the null line

    def test_direction_and_reference_are_named(self):
        pair = ComparisonDisplay.from_result(compared(["a", "b"])).plot()
        assert "b better     a better" in pair.ax_.get_xlabel()
        several = ComparisonDisplay.from_result(compared(reference="b")).plot()
        assert "better than the reference" in several.ax_.get_xlabel()
        assert "b (reference)" in texts_of(several.figure_)

    def test_outcomes(self):
        values = np.array([scores_of("ab").values[0], scores_of("ab").values[1]])
        values = np.stack([values[0], values[1], values[1], values[0] + 0.001])
        scores = CVScores(values=values, design=DESIGN, labels=tuple("abcd"))
        with pytest.warns(match="do not vary"):
            result = compare_scores(scores, reference="a")
        frame = ComparisonDisplay.from_result(result).frame().set_index("estimator")
        assert frame["outcome"].to_dict() == {
            "b": "below",
            "c": "below",
            "d": "undetermined",
        }
        texts = texts_of(ComparisonDisplay.from_result(result).plot().figure_)
        assert "shown to be below 0 (5 % level)" in texts
        assert "undetermined: does not vary" in texts
        assert "not shown (5 % level)" not in texts

    def test_one_sided_intervals_end_in_an_arrow(self):
        display = ComparisonDisplay.from_result(compared(["a", "b"], alternative="greater"))
        assert np.isinf(display.frame()["high"]).all()
        markers = {line.get_marker() for line in display.plot().ax_.lines}
        assert ">" in markers
        assert "<" not in markers

    def test_metrics_with_references_of_their_own_are_stacked(self):
        scores = {"m": scores_of("abc", "m"), "l": scores_of("abc", "l", gap=-0.05)}
        plan = ComparisonPlan(get_test("corrected_resampled_t"), "best", "holm", tuple("abc"))
        with pytest.warns(match="The reference was chosen"):
            result = plan.run(scores)
        first, second = ComparisonDisplay.from_result(result).plot().axes_
        assert first.get_position().y0 > second.get_position().y1
        names = [label.get_text() for label in second.get_yticklabels()]
        assert names == ["b \N{MINUS SIGN} c", "a \N{MINUS SIGN} c"]

    def test_as_many_axes_as_metrics(self):
        display = ComparisonDisplay.from_result(compared(metrics=("accuracy", "roc_auc")))
        axes = plt.figure().subplots(2)
        assert list(display.plot(axes).axes_) == list(axes)
        with pytest.raises(ValueError, match=r"needs 2 axes.*'roc_auc'.*metric="):
            display.plot(axes[0])

    def test_unknown_metric(self):
        with pytest.raises(ValueError, match="Did you mean 'accuracy'"):
            ComparisonDisplay.from_result(compared(), metric="acuracy")


class TestPairedScoresDisplay:
    def test_numbers_are_those_of_the_result(self):
        result = compared(metrics=("accuracy", "roc_auc"))
        frame = PairedScoresDisplay.from_result(result).frame()
        assert len(frame) == 2 * 3 * 15
        for (metric, name), part in frame.groupby(["metric", "estimator"]):
            expected = result.scores_by_metric[metric][name]
            assert part["score"].tolist() == expected.tolist()
            assert part["estimate"].unique().tolist() == pytest.approx([expected.mean()])

    def test_estimates_are_the_procedures_own(self):
        """5x2cv estimates with its first split alone, not with the mean of all."""
        rng = np.random.default_rng(0)
        design = SplitDesign.from_sizes(
            n_train=50, n_test=50, n_splits=10, levels=("repeat", "fold"), shape=(5, 2)
        )
        scores = CVScores(values=rng.normal(size=(2, 10)), design=design, labels=("a", "b"))
        result = compare_scores(scores, method="five_by_two_cv_t")
        frame = PairedScoresDisplay.from_result(result, metric="score").frame()
        estimates = frame.groupby("estimator")["estimate"].first()
        assert estimates.tolist() == scores.values[:, 0].tolist()

    def test_two_estimators_are_coloured_by_the_better(self):
        values = np.array([[0.9, 0.7, 0.8], [0.8, 0.8, 0.8]])
        design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=3)
        scores = CVScores(values=values, design=design, labels=("a", "b"))
        with pytest.warns(match="Only 3 splits"):
            result = compare_scores(scores)
        display = PairedScoresDisplay.from_result(result).plot()
        colours = [line.get_color() for line in display.ax_.lines[:3]]
        assert len(set(colours)) == 3
        assert "a split with a better" in texts_of(display.figure_)


class TestCorrelationSensitivityDisplay:
    def test_numbers_are_those_of_the_test_at_the_assumed_correlation(self):
        result = compared(["a", "b"]).tests[0]
        frame = CorrelationSensitivityDisplay.from_result(result).frame()
        row = frame[frame["correlation"] == 20 / 200].iloc[0]
        low, high = result.confidence_interval()
        assert (row["low"], row["high"]) == pytest.approx((low, high), rel=1e-12)
        assert row["pvalue"] == pytest.approx(result.pvalue, rel=1e-9)

    def test_marks(self):
        result = compared(["a", "b"]).tests[0]
        texts = texts_of(CorrelationSensitivityDisplay.from_result(result).plot().figure_)
        assert "assumed: 0.1" in texts
        weak = CVScores(values=np.linspace(-0.02, 0.05, 15), design=DESIGN)
        display = CorrelationSensitivityDisplay.from_scores(weak)
        texts = texts_of(display.plot().figure_)
        assert f"reaches 0 at {display.sensitivity.tipping:.3g}" in texts

    def test_the_uncorrected_test_assumes_none(self):
        with pytest.warns(match="overlapping splits"):
            result = compare_scores(scores_of("ab"), method="resampled_t").tests[0]
        display = CorrelationSensitivityDisplay.from_result(result)
        assert "assumed: 0" in texts_of(display.plot().figure_)
        row = display.frame().iloc[0]
        assert (row["low"], row["high"]) == pytest.approx(result.confidence_interval(), rel=1e-12)

    def test_one_sided_band(self):
        result = compared(["a", "b"], alternative="less").tests[0]
        display = CorrelationSensitivityDisplay.from_result(result).plot()
        assert np.isfinite(display.ax_.get_ylim()).all()

    def test_mistakes(self):
        result = compared()
        with pytest.raises(TypeError, match=r"result\.tests\[0\]"):
            CorrelationSensitivityDisplay.from_result(result)
        plain = skcvstats.corrected_resampled_ttest([0.1, 0.2, 0.4], n_train=90, n_test=10)
        with pytest.raises(ValueError, match="from_scores"):
            CorrelationSensitivityDisplay.from_result(plain)
        with pytest.raises(ValueError, match="assumes no correlation"):
            CorrelationSensitivityDisplay.from_result(
                skcvstats.holdout_ttest([0.1, 0.2, 0.4], n_train=90, hypotheses="fixed")
            )


class TestSplitPlanDisplay:
    def test_numbers_are_those_of_the_plan(self):
        plan = plan_n_splits(difference(), fits_per_split=2)
        display = SplitPlanDisplay.from_plan(plan)
        pd.testing.assert_frame_equal(display.frame(), plan.to_frame())
        line = display.plot().ax_.lines[0]
        assert line.get_xdata().tolist() == plan.n_splits.tolist()
        assert line.get_ydata().tolist() == plan.standard_error.tolist()
        labels = [one.get_text() for one in display.ax_.get_xticklabels()]
        assert "100\n(200)" in labels

    @pytest.mark.parametrize("numbers", [[16, 17, 18, 20, 1000], [2]])
    def test_numbers_close_together_do_not_overlap(self, numbers):
        display = SplitPlanDisplay.from_plan(plan_n_splits(difference(), n_splits=numbers)).plot()
        display.figure_.canvas.draw()
        assert not overlapping(display.ax_)
        assert "now: 15 splits" in texts_of(display.figure_)


@pytest.mark.parametrize("name", ["ComparisonDisplay", "PairedScoresDisplay"])
def test_hostile_names_are_drawn_as_they_are(name):
    result = compared([HOSTILE, "$x$"], [r"$\frac{$"])
    display = getattr(skcvstats, name).from_result(result).plot()
    display.figure_.canvas.draw()  # mathematics that cannot be read would raise
    assert any(r"\$" in text for text in texts_of(display.figure_))
