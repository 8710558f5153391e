"""Scores of negated losses are printed as people read them; frames and JSON keep their sign."""

import json
import re

import numpy as np
import pytest

from skcvstats import (
    CorrectedResampledTTest,
    CVScores,
    SplitDesign,
    compare_scores,
    evaluation_report,
)
from skcvstats.plotting import RankingDisplay

from .cases import quietly

DESIGN = SplitDesign.from_sizes(90, 10, n_splits=15)
RMSE = "neg_root_mean_squared_error"
NOISE = np.random.default_rng(0).normal(0, 0.1, (3, 15))
NOISE -= NOISE.mean(axis=1, keepdims=True)
MEANS = {"good": 50.0, "poor": 52.5, "worst": 60.0}


def compared(names, metric=RMSE, **options):
    values = -np.array([[MEANS[name]] for name in names]) - NOISE[: len(names)]
    scores = CVScores(values=values, design=DESIGN, metric=metric, labels=tuple(names))
    return quietly(compare_scores, scores, method="corrected_resampled_t", **options)


def words(text):
    return " ".join(str(text).split())


def test_two_models():
    result = compared(["poor", "good"])
    said = words(result)
    assert "good has a significantly lower RMSE than poor at the 5 % level." in said
    assert "good poor difference" in said
    assert "50.0 52.5 2.50" in said
    assert "lower is better; a positive difference favours the first." in said
    assert "(poor - good = 2.5," in result[0].verdict()
    for text in (said, words(evaluation_report(result)).replace(f"scoring: {RMSE}", "")):
        assert "-5" not in text
        assert RMSE not in text
    assert re.search(r"good +& poor & 50\.\d+ & 52\.\d+ & 2\.\d+ .*better", result.to_latex())
    row = result.to_frame().iloc[0]
    assert (row["metric"], result[0].outcome) == (RMSE, "higher")
    assert row["score"] == pytest.approx(-50)
    assert row["difference"] == pytest.approx(2.5)
    assert json.loads(result.to_json())
    assert '"neg_root_mean_squared_error"' in result.to_json()


def test_many_models():
    result = compared(list(MEANS), reference="poor")
    said = words(result)
    assert "RMSE: only good could be the best; against poor: 1 better, 1 worse" in said
    assert "good 50.0 " in said
    assert "good is better than poor by 2.50" in said
    assert "worst is worse than poor by 7.50" in said
    low, high = result.ranking()[["low", "high"]].to_numpy()[0]
    assert f"{-high:.1f} to {-low:.1f}" in said
    ticks = RankingDisplay.from_result(result).plot().ax_.xaxis
    assert ticks.get_major_formatter()(-50.0) == "50"


@pytest.mark.parametrize(
    ("null_value", "alternative", "said"),
    [(-55.0, "two-sided", "two-sided, against 55"), (-55.0, "greater", "less, against 55")],
)
def test_a_null_value_is_a_loss_too(null_value, alternative, said):
    scores = CVScores(values=-50 - NOISE[0], design=DESIGN, metric=RMSE)
    test = CorrectedResampledTTest(null_value=null_value, alternative=alternative)(scores)
    assert said in words(test)
    assert f"t(14) = {-test.statistic:.3g}" in words(test)
    assert "is significantly below 55 at" in test.claim(0.05).words
    assert "estimated as 50 (" in words(test)


@pytest.mark.parametrize(("metric", "shown", "sign"), [
    ("neg_mean_absolute_error", "MAE", -1), ("neg_log_loss", "log loss", -1),
    ("neg_brier_score", "Brier score", -1), ("neg_cost", "cost", -1), ("rmse", "rmse", -1),
    ("r2", "r2", 1), ("roc_auc", "roc_auc", 1), ("my score", "my score", 1),
])  # fmt: skip
def test_names(metric, shown, sign):
    scores = CVScores(values=-0.5 - NOISE[0] / 100, design=DESIGN, metric=metric)
    found = words(quietly(CorrectedResampledTTest(), scores))
    assert f"The expected {shown} of estimator is estimated as {sign * -0.5:g} (" in found


def test_several_metrics_say_which_are_losses():
    parts = [compared(["good", "poor"], metric).scores for metric in (RMSE, "gain")]
    result = quietly(
        compare_scores, {RMSE: parts[0], "gain": parts[1]}, method="corrected_resampled_t"
    )
    assert "greater is better, except for RMSE (lower is better)" in words(result)
