"""PosteriorDisplay: the curve and its areas against SciPy's law."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from skcvstats import CorrectedResampledTTest, compare_scores
from skcvstats.exceptions import AnticonservativeWarning
from skcvstats.plotting import PosteriorDisplay
from skcvstats.stats import corrected_resampled_ttest

from .drawing import compared, legend_of, matplotlib, scores_of, texts_of

MARGINS = [None, 0.0, 0.01, (-0.002, 0.02), 0.5]


def area_of(area):
    """Return what an area drawn measures: the shoelace formula."""
    x, y = area.get_paths()[0].vertices.T
    return 0.5 * abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


@pytest.mark.parametrize("gap", [0.01, -0.03])
@pytest.mark.parametrize("margin", MARGINS)
def test_curve_and_areas(gap, margin):
    scores = scores_of("ab", gap=gap)
    test = compare_scores(scores, reference="b").tests[0]
    display = PosteriorDisplay.from_result(test, margin=margin).plot()
    difference = scores.values[0] - scores.values[1]
    error = np.sqrt(difference.var(ddof=1) * (1 / 15 + 20 / 180))
    law = t(14, difference.mean(), error)
    x, y = display.line_.get_data()
    np.testing.assert_allclose(y, law.pdf(x), rtol=1e-9)
    low, high = margin if isinstance(margin, tuple) else (-(margin or 0), margin or 0)
    expected = [law.cdf(low), law.cdf(high) - law.cdf(low), law.sf(high)]
    assert list(display.probabilities) == pytest.approx(expected, abs=1e-9)
    shown = [p for p, there in zip(expected, [True, low < high, True], strict=True) if there]
    assert [area_of(area) for area in display.areas_] == pytest.approx(shown, abs=2e-3)
    said = list(legend_of(display))[: len(shown)]
    assert [float(text.split(":")[0]) for text in said] == pytest.approx(shown, rel=6e-3)


@pytest.mark.parametrize("gap", [0.02, -0.02])
def test_the_better_one_has_the_larger_probability_and_its_side(gap):
    test = compared("xy", gap=gap, reference="y").tests[0]
    display = PosteriorDisplay.from_result(test, margin=0.001).plot()
    below, _, above, _ = legend_of(display)
    worse, better = (float(text.split(":")[0]) for text in (below, above))
    assert (better > worse) == (gap > 0)
    assert below.endswith("y better by more than 0.001")
    assert above.endswith("x better by more than 0.001")
    _, left, right = display.ax_.get_xlabel().split("   ")
    assert "y better" in left
    assert "x better" in right
    assert len({matplotlib.colors.to_hex(area.get_facecolor()[0]) for area in display.areas_}) == 3
    areas = [area.get_paths()[0].get_extents() for area in display.areas_]
    assert areas[0].x1 == pytest.approx(-0.001)
    assert areas[2].x0 == pytest.approx(0.001)

    # the frame has the regions, and the figure says that it is not adjusted
    display = PosteriorDisplay.from_result(compared().tests[0], margin=0.01).plot()
    for row in display.frame().itertuples():
        region = "worse" if row.value < -0.01 else "better" if row.value > 0.01 else "equivalent"
        assert row.region == region
    assert "not adjusted for several comparisons" in " ".join(texts_of(display.figure_))


def test_a_score_that_is_tested_against_nothing_has_its_interval():
    result = replace(CorrectedResampledTTest()(scores_of("ab")["a"]), asked=False)
    display = PosteriorDisplay.from_result(result).plot()
    assert display.margin == pytest.approx(tuple(result.confidence_interval()))
    assert tuple(display.probabilities) == pytest.approx((0.025, 0.95, 0.025))
    assert display.ax_.get_xlim()[0] > 0.5


def test_without_a_margin_the_null_value_divides():
    scores = scores_of("ab")
    for about in (scores["a"], scores["a"] - scores["b"]):
        result = CorrectedResampledTTest(null_value=0.04)(about)
        display = PosteriorDisplay.from_result(result).plot()
        assert display.margin == (0.04, 0.04)
        expected = result.posterior().cdf(0.04)
        assert tuple(display.probabilities) == pytest.approx((expected, 0, 1 - expected))
        below, above, _ = legend_of(display)
        assert below.endswith("below 0.04")
        assert above.endswith("above 0.04")


def test_bounds_are_in_view_unless_they_are_far():
    test = compared("ab", gap=0.02).tests[0]
    near = PosteriorDisplay.from_result(test, margin=0.06).plot()
    assert near.ax_.get_xlim() == (-0.06, 0.06)
    law = test.posterior()
    ends = PosteriorDisplay.from_result(test, margin=0.9).plot().ax_.get_xlim()
    assert ends == pytest.approx((law.ppf(5e-4), law.isf(5e-4)))


def test_mistakes():
    values = np.random.default_rng(0).normal(size=(3, 15))
    with pytest.raises(TypeError, match=r"Expected one test, got 3"):
        PosteriorDisplay.from_result(corrected_resampled_ttest(values, n_train=180, n_test=20))
    with pytest.warns(AnticonservativeWarning):
        result = compare_scores(scores_of("ab"), method="resampled_t")
    with pytest.raises(TypeError, match="has no posterior"):
        PosteriorDisplay.from_result(result.tests[0])
