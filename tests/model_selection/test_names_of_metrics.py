"""Names that sound like scores are no losses, and columns of several metrics are not ranked."""

import numpy as np
import pandas as pd
import pytest

import skcvstats as s

RIGHT = np.random.default_rng(0).uniform(size=(2, 60)) < [[0.8], [0.4]]
TABLE = {"good": RIGHT[0], "bad": RIGHT[1]}
DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=10)
SCORES = np.random.default_rng(1).uniform(0.7, 0.8, size=(10, 2))


@pytest.mark.parametrize(
    "metric",
    [
        *("exact_match", "correct", "pass@1", "reward", "bleu", "ndcg", "isCorrect", "ExactMatch"),
        *("pass_at_10", "win rate", "NDCG@10", "rougeL", "mean_reward", "token_f1", "judge score"),
        *("resolved", "match", "is_valid", "answer_ok", "helpful"),
    ],
)
def test_names_of_scores_are_refused_unless_the_direction_is_given(metric):
    with pytest.raises(ValueError, match=r"not a name of losses.*greater_is_better=True"):
        s.compare_losses(TABLE, metric=metric)
    result = s.compare_losses(TABLE, metric=metric, greater_is_better=True)
    assert np.ravel(result.scores.values) == pytest.approx(RIGHT.mean(axis=1))
    as_losses = s.compare_losses(TABLE, metric=metric, greater_is_better=False)
    assert np.ravel(as_losses.scores.values) == pytest.approx(-RIGHT.mean(axis=1))


@pytest.mark.parametrize(
    "metric",
    [
        *("loss", "squared_error", "incorrect", "neg_reward", "reward_loss", "1 - exact match"),
        *("wer", "perplexity", "brier_score", "interval_score", "hamming", "tokens", "zero_one"),
    ],
)
def test_names_of_losses_are_losses(metric):
    result = s.compare_losses(TABLE, metric=metric)
    assert np.ravel(result.scores.values) == pytest.approx(-RIGHT.mean(axis=1))


SEVERAL_METRICS = [
    ("rf~ROC", "glm~Sens"),
    ("rf.RMSE", "rf.Rsquared"),
    ("svm_f1_macro", "svm_balanced_accuracy"),
    ("test_accuracy", "test_roc_auc"),
    ("knn: log loss", "knn: accuracy"),
    ("neg_mean_squared_error", "neg_mean_absolute_error"),
]


@pytest.mark.parametrize("names", SEVERAL_METRICS)
def test_columns_of_several_metrics_are_not_ranked(names):
    doors = [
        lambda: s.compare_scores(pd.DataFrame(SCORES, columns=names), design=DESIGN),
        lambda: s.compare_scores(dict(zip(names, SCORES.T, strict=True)), design=DESIGN),
        lambda: s.compare_losses(pd.DataFrame(SCORES, columns=names)),
    ]
    for door in doors:
        with pytest.raises(ValueError, match=r"are of different metrics.*columns of one metric"):
            door()


@pytest.mark.parametrize(
    "names",
    [("gpt_cot", "llama_direct"), ("rf~ROC", "glm~ROC"), ("rf~ROC", "baseline"), ("a.b", "a.c")],
)
def test_other_names_are_of_models(names):
    result = s.compare_scores(pd.DataFrame(SCORES, columns=names), design=DESIGN)
    assert result.scores.labels == names
