"""No interval is shown beyond the range of its metric; p-values, margins and JSON use the uncut."""

import re

import matplotlib as mpl
import numpy as np
import pytest

from skcvstats import SplitDesign, compare_scores, evaluation_report
from skcvstats.plotting import ComparisonDisplay, RankingDisplay
from skcvstats.scores import CVScores
from skcvstats.stats import CorrectedResampledTTest, error_rate_difference, error_rate_interval

mpl.use("Agg")
pytestmark = [
    pytest.mark.filterwarnings(f"ignore::skcvstats.exceptions.{name}Warning")
    for name in ("Anticonservative", "DegenerateScores", "SplitDesign")
]
DESIGN = SplitDesign.from_sizes(90, 10, n_splits=10)
SAID = "Intervals are cut where the metric ends"
NEAR_ONE = [1, 0.9, 1, 1, 1, 0.9, 1, 1, 0.9, 1]
FAR = [0.1, 0.9, 0.0, 1.0, 0.2, 0.0, 0.9, 0.0, 0.1, 0.2]


def compared(scores, metric="accuracy", **options):
    return compare_scores(scores, design=DESIGN, scoring=metric, **options)


def numbers_of(text):
    """The numbers of a printed text."""
    return [float(found) for found in re.findall(r"-?\d+\.\d+", text)]


@pytest.mark.parametrize("names", ["ab", "abc"])
def test_printed_and_drawn_ends(names):
    scores = dict(zip(names, (NEAR_ONE, FAR, [0.1, 0.0] * 5), strict=False))
    result = compared(scores)
    table = result.to_frame()
    assert max(table["high"].max(), result.ranking()["high"].max()) > 1  # the numbers are not cut
    assert result.to_dict()["accuracy/a/high"] > 1
    for text in (str(result), result._repr_html_(), evaluation_report(result).to_markdown()):
        assert " ".join(re.sub("<[^>]*>", "", text).split()).count(SAID) == 1
    assert max(map(abs, numbers_of(str(result)))) <= 1
    for display in (RankingDisplay, ComparisonDisplay):
        drawn = display.from_result(result).frame()
        assert drawn.filter(like="high").max().max() <= 1
        assert drawn.filter(like="low").min().min() >= -1
    p, error = result[0].pvalue_adjusted, result[0].pvalue_error  # a margin can ask for more draws
    assert compared(scores, margin=0.1)[0].pvalue_adjusted == pytest.approx(p, abs=4 * error)


def test_a_single_score():
    test = CorrectedResampledTTest()
    one = test(CVScores(values=NEAR_ONE, design=DESIGN, metric="accuracy"))
    assert one.confidence_interval().high > 1
    assert one.to_dict()["high"] > 1
    assert "to 1)" in str(one)
    assert SAID in str(one)
    assert SAID in str(evaluation_report(one))
    several = test(
        CVScores(values=[NEAR_ONE, FAR], design=DESIGN, metric="accuracy", labels=("a", "b"))
    )
    assert max(numbers_of(str(several))[:4]) <= 1


@pytest.mark.parametrize(
    ("metric", "values", "high"),
    [("r2", NEAR_ONE, 1.0), ("neg_mean_squared_error", [-0.1, 0, 0, -0.3, 0] * 2, 0.0)],
)
def test_other_ranges(metric, values, high):
    one = CorrectedResampledTTest()(CVScores(values=values, design=DESIGN, metric=metric))
    assert one.confidence_interval().high > high
    assert f"to {high:g})" in str(one)


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        ("accuracy", [97, 99, 100, 98, 99, 100, 99, 100, 100, 99]),  # percent
        ("my score", NEAR_ONE),
        ("neg_log_loss", [0.1, 0.3, 0.2, 0.1, 0.0, 0.4, 0.1, 0.2, 0.1, 0.3]),  # of the other sign
    ],
)
def test_scores_on_another_scale_are_not_cut(metric, values):
    one = CorrectedResampledTTest()(CVScores(values=values, design=DESIGN, metric=metric))
    low, high = one.confidence_interval()
    assert f"{low:.3g} to {high:.3g}" in str(one)
    assert SAID not in str(one)


def test_one_sided_bounds_stay_one_sided():
    test = CorrectedResampledTTest(alternative="less")
    one = test(CVScores(values=NEAR_ONE, design=DESIGN, metric="accuracy"))
    assert "bound: at most 1)" in str(one)


def test_error_rates():
    assert error_rate_interval(1, 40, "normal").low < 0
    assert "interval 0 to " in str(error_rate_interval(1, 40, "normal"))
    assert np.max(numbers_of(str(error_rate_difference(39, 40, 1, 2)).split(")")[0])) <= 1
