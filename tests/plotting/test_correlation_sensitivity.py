"""CorrelationSensitivityDisplay: the band against the formula, and what is said about it."""

import numpy as np
import pytest
from scipy.stats import t as student

import skcvstats
from skcvstats import CVScores, compare_scores
from skcvstats.plotting import CorrelationSensitivityDisplay

from ..words.cases import DESIGN
from .drawing import compared, difference, legend_of, scores_of

BETTER = "better \N{RIGHTWARDS ARROW}"  # upwards, as the label is turned


def half_widths(values, correlation, level):
    """From the formula, with two-sided quantiles of SciPy's own Student's t distribution."""
    n = len(values)
    errors = np.sqrt(np.var(values, ddof=1) * (1 / n + correlation / (1 - correlation)))
    return student.ppf((1 + level) / 2, n - 1) * errors


class TestNumbers:
    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    def test_are_those_of_the_test_at_the_assumed_correlation(self, alternative):
        result = compared(["a", "b"], alternative=alternative).tests[0]
        display = CorrelationSensitivityDisplay.from_result(result, confidence_level=0.8).plot()
        row = display.frame().set_index("correlation").loc[0.1]
        assert row["pvalue"] == pytest.approx(result.pvalue, rel=1e-9)
        ends = result.confidence_interval(0.8)
        at = display.lines_[0].get_xdata().tolist().index(0.1)
        drawn = [line.get_ydata()[at] for line in display.lines_]
        assert drawn == pytest.approx([end for end in ends if np.isfinite(end)], rel=1e-12)
        assert [row["low"], row["high"]] == pytest.approx(list(ends), rel=1e-12)
        assert np.isfinite(display.ax_.get_ylim()).all()
        said = "confidence interval" if alternative == "two-sided" else "confidence bound"
        assert next(iter(legend_of(display))) == f"80 % {said}"

    @pytest.mark.parametrize(("percent", "null_value"), [(95, 0.0), (80, 0.02)])
    def test_are_drawn(self, percent, null_value):
        scores = difference()
        level, values = percent / 100, scores.values
        options = {"confidence_level": level, "null_value": null_value}
        display = CorrelationSensitivityDisplay.from_scores(scores, **options).plot()
        correlation = display.lines_[0].get_xdata()
        assert (correlation.min(), correlation.max()) == (0, 0.5)
        expected = half_widths(values, correlation, level)
        low, high = (line.get_ydata() for line in display.lines_)
        np.testing.assert_allclose(low, values.mean() - expected, rtol=1e-9)
        np.testing.assert_allclose(high, values.mean() + expected, rtol=1e-9)
        band = display.band_.get_paths()[0].get_extents()
        assert (band.y0, band.y1) == pytest.approx((low.min(), high.max()), rel=1e-9)
        assert display.estimate_.get_ydata() == pytest.approx([values.mean()] * 2)
        assert display.null_line_.get_ydata() == [null_value, null_value]
        assert display.assumed_.get_xdata() == [0.1, 0.1]
        legend = list(legend_of(display))
        assert legend[0] == f"{percent} % confidence interval"
        assert "assumed correlation: 0.1" in legend
        assert ("null value 0.02" in legend) == (null_value != 0)

    def test_where_the_null_value_is_reached(self):
        values = np.linspace(-0.02, 0.05, 15)
        display = CorrelationSensitivityDisplay.from_scores(CVScores(values=values, design=DESIGN))
        (at, same) = display.plot().tipping_.get_xdata()
        assert at == same
        assert values.mean() - half_widths(values, at, 0.95) == pytest.approx(0, abs=1e-9)
        assert f"interval reaches 0 at {at:.3g}" in legend_of(display)
        sure = CorrelationSensitivityDisplay.from_scores(CVScores(values=values + 9, design=DESIGN))
        assert sure.plot().tipping_ is None


def test_of_the_row_t_test_it_shows_the_inflation():
    rows = np.random.default_rng(0).normal(0.5, 1, size=(2, 60))
    result = skcvstats.stats.row_ttest(rows, n_folds=5, null_value=0.1)
    display = result.plot()  # it has no posterior
    assert isinstance(display, CorrelationSensitivityDisplay)
    assert display.ax_.get_xlabel() == "inflation (unknown)"
    frame = display.frame().set_index("inflation")
    assert (frame.index[0], frame.index[-1]) == (0, 1.5)
    row = frame.iloc[frame.index.get_indexer([0.5], "nearest")[0]]
    assert (row["low"], row["high"]) == pytest.approx(result.confidence_interval(), rel=1e-10)
    legend = legend_of(display)
    assert "assumed inflation: 0.5" in legend
    assert display.assumed_.get_xdata() == [0.5, 0.5]
    tipping = display.sensitivity.tipping
    assert (f"interval reaches 0.1 at {tipping:.3g}" in legend) == (tipping <= 1.5)


def label_of(scores):
    return (
        CorrelationSensitivityDisplay.from_scores(scores).plot().ax_.get_ylabel().replace("\n", " ")
    )


def test_it_says_who_is_better_where_it_is_greater():
    scores = scores_of(["good", "bad"], gap=0.2)
    display = CorrelationSensitivityDisplay.from_scores(scores["good"] - scores["bad"]).plot()
    assert display.ax_.get_title(loc="left") == "good - bad"
    assert display.estimate_.get_ydata()[0] > 0
    label = display.ax_.get_ylabel().replace("\n", " ")
    assert label == f"difference in accuracy, good {BETTER}"
    assert label_of(scores["bad"] - scores["good"]) == f"difference in accuracy, bad {BETTER}"
    told = CorrelationSensitivityDisplay.from_result(compare_scores(scores).tests[0]).plot()
    assert told.ax_.get_ylabel().replace("\n", " ") == label
    for name in ("a", "a - b"):  # of one estimator, even if its name is like a difference
        assert label_of(scores_of([name, "c"])[name]) == f"expected accuracy, {BETTER}"
    values = scores_of("ab").values
    for labels in ((), ("a - b", "c")):  # of a difference without clear names
        both = zip(values, (labels[:1], labels[1:]), strict=True)
        first, second = (CVScores(values=x, design=DESIGN, labels=names) for x, names in both)
        assert label_of(first - second) == f"difference in score, first {BETTER}"


def test_mistakes():
    plain = skcvstats.stats.corrected_resampled_ttest([0.1, 0.2, 0.4], n_train=90, n_test=10)
    with pytest.raises(ValueError, match="from_scores"):
        CorrelationSensitivityDisplay.from_result(plain)
    fixed = skcvstats.stats.holdout_ttest([0.1, 0.2, 0.4], n_train=90, hypotheses="fixed")
    with pytest.raises(ValueError, match="assumes no correlation"):
        CorrelationSensitivityDisplay.from_result(fixed)
