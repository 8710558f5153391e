"""Invalid arguments of the methods of scores and results, and parts that do not fit together."""

from dataclasses import replace

import numpy as np

from skcvstats import (
    CorrectedResampledTTest,
    CVScores,
    RepeatedSubsampleSplit,
    SplitDesign,
    SplitDesignError,
    compare_losses,
    compare_predictions,
    compare_scores,
    get_procedure,
)
from skcvstats.plotting import ComparisonDisplay
from skcvstats.stats import corrected_resampled_ttest
from skcvstats.test_set import clustered_mean, delong_auc

from .given import SPLITS, N, X, Y

DESIGN = SplitDesign.from_sizes(50, 10, n_splits=10)
VALUES = np.random.RandomState(0).uniform(size=(2, 10))
ONE = CVScores(values=VALUES[0], design=DESIGN)
BOTH = CVScores(values=VALUES, design=DESIGN, labels=("a", "b"))
HUGE = CVScores(values=np.full((2, 10), 1e308), design=DESIGN)
P = np.random.RandomState(2).uniform(0.01, 0.99, N)
COMPARED = compare_scores({"a": VALUES[0], "b": VALUES[1]}, design=DESIGN)
SEVERAL = compare_scores(
    {name: {"test_f1": row, "test_auc": row[::-1]} for name, row in zip("ab", VALUES, strict=True)},
    design=DESIGN,
)


CASES = {
    TypeError: [
        (
            lambda: ONE.confidence_interval(method=CorrectedResampledTTest),
            "method=CorrectedResampledTTest is a class",
            r"pass CorrectedResampledTTest\(\)",
        ),
        (lambda: ONE.confidence_interval(method=3), "method=3", "the name of a procedure"),
        (
            lambda: get_procedure(CorrectedResampledTTest),
            "method=CorrectedResampledTTest is a class",
            r"pass CorrectedResampledTTest\(\)",
        ),
        (lambda: CVScores(values=VALUES, design=[0.1]), "design=[0.1]", r"SplitDesign\.from_sizes"),
        (lambda: compare_losses(ONE), "got CVScores of splits", "compare_scores"),
    ],
    ValueError: [
        (
            lambda: CVScores(values=VALUES, design=DESIGN, fit_times=[1.0]),
            "fit_times has shape (1,)",
            r"that of values, \(2, 10\)",
        ),
        (
            lambda: HUGE - replace(HUGE, values=-HUGE.values),
            "beyond the largest number",
            "Divide all scores",
        ),
        (lambda: compare_losses({}), "No losses given", "at least two models"),
        (
            lambda: corrected_resampled_ttest(VALUES, n_train=50, n_test=10, axis=2),
            "axis=2 is not an axis of x",
            r"which has shape \(2, 10\)",
        ),
        (
            lambda: delong_auc(Y[1:], [P, P]),
            "y_true has shape (59,)",
            "one label for each",
        ),
        (
            lambda: clustered_mean(P, groups=Y[1:]),
            "groups has shape (59,)",
            "one label for each",
        ),
        (
            lambda: clustered_mean(P, sample_weight=P[1:]),
            "sample_weight has shape (59,)",
            "one",
        ),
        (
            lambda: corrected_resampled_ttest(VALUES, n_train=50, n_test=10, null_value=[0.0] * 3),
            "null_value has shape (3,)",
            "pass a number",
        ),
        (lambda: SEVERAL.best_set(), "several metrics: 'f1', 'auc'", "Choose one"),
        (lambda: ComparisonDisplay.from_result(COMPARED, top=0), "top=0", "1 or more"),
        (
            lambda: compare_predictions(
                Y[:, np.newaxis, np.newaxis], {"a": Y, "b": Y}, scoring="accuracy"
            ),
            "y_true has shape (60, 1, 1)",
            "one label or value",
        ),
        (
            lambda: compare_predictions(P, {"a": P, "b": np.array(["x"] * N)}, scoring="r2"),
            "The predictions of 'b'",
            "must be numbers",
        ),
    ],
    SplitDesignError: [
        (
            lambda: SplitDesign.from_indices(*zip(*SPLITS, strict=True), n_samples=60, y=Y[1:]),
            "{'n_samples': 60, 'y': 59}",
            "pass them alike",
        ),
        (
            lambda: SplitDesign.from_indices(
                *zip(*SPLITS, strict=True), n_samples=60, levels="fold"
            ),
            "levels='fold'",
            "is not one of",
        ),
    ],
    IndexError: [
        (
            lambda: RepeatedSubsampleSplit(3).lazy_split(X)[3],
            "There is no split 3",
            "numbered from 0",
        ),
    ],
}
