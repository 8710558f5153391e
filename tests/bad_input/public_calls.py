"""A valid call of every public function, class and method that takes arguments of users."""

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from sklearn.model_selection import GridSearchCV

import skcvstats as s
from skcvstats import plotting, simulation, stats, test_set, theory
from tests.bad_input.given import FOUR, GROUPS, TWO, X, Y, scored
from tests.cheap import NearestMean

N = len(Y)
DRAWN = np.random.default_rng(0)
MODELS = {"one": NearestMean(), "two": NearestMean(2)}
LABELS = {name: DRAWN.integers(0, 2, N) for name in MODELS}
AREAS = DRAWN.normal(size=N)
CV = s.RepeatedSubsampleSplit(4, test_size=10, random_state=0)
TENTHS = s.RepeatedSubsampleSplit(4, test_size=0.1, random_state=0)
FIVE = [0.1, 0.2, 0.3, 0.1, 0.2]
SIZES = {"n_train": 90, "n_test": 10}
TABLE = {"y_true": Y, "scoring": "accuracy"}
DATA = {"X": X, "y": Y, "cv": CV}
FOLDS = np.arange(N) % 5


def generator(random_state):
    """Two classes of twelve rows."""
    return random_state.normal(size=(12, 2)), np.arange(12) % 2


STUDY = {"estimators": MODELS, "procedures": ["corrected_resampled_t"], "n_data_sets": 1}
with warnings.catch_warnings(action="ignore"):
    SEARCH = GridSearchCV(NearestMean(), {"n_columns": [1, 2]}, cv=CV).fit(X, Y)
    FEW = simulation.StudiedProcedure(test="corrected_resampled_t", cv=s.RepeatedSubsampleSplit(2))
    MANY = {**STUDY, "procedures": [FEW], "n_data_sets": 30}
    SIMULATED = s.simulate(generator, **MANY, random_state=0)
    RESULT = s.compare_estimators(MODELS, X, Y, cv=CV)
    ESTIMATES = s.cross_val_inference(MODELS, X, Y, cv=CV)
    TEST = RESULT.tests[0]
    REPORT = s.evaluation_report(RESULT)
    PLAN = stats.plan_n_splits(FOUR)
    FITTED = s.compare_predictions(Y, LABELS, scoring="accuracy")
    CANDIDATES = s.compare_candidates(SEARCH, X, Y)
    PAIRS = s.ConservativeZTest(n_pairs=2)
    HALVES = s.cross_val_inference(NearestMean(), X, Y, cv=CV, method=PAIRS).auxiliary
OF_ROWS = s.CVScores(
    values=[-1.5, -2, -3],
    design=s.SplitDesign.from_sizes(n_train=8, n_test=2, n_splits=3),
    row_scores=s.RowScores([-1, -2, -1, -3, -2, -4], rows=[0, 5, 3, 4, 1, 7], offsets=[0, 2, 4, 6]),
)


def drawn(splitter):
    """Return a call that makes a splitter and draws its splits."""
    return (lambda **options: list(splitter(**options).split(X, Y))), splitter


def tested(procedure):
    """Return a call that makes a procedure and tests with it."""
    return (
        lambda **options: s.compare_estimators(MODELS, X, Y, method=procedure(**options))
    ), procedure


def raced(**options):
    """Run a race."""
    return s.RacingSearchCV(**options).fit(X, Y)


def looked(**options):
    """Look at a test set by a new ledger."""
    with TemporaryDirectory() as folder:
        return test_set.LookLedger(Path(folder) / "looks.json").test(**options)


GRID = {"estimator": NearestMean(), "param_distributions": {"n_columns": [1, 2]}}
VALID = [
    (s.compare_estimators, {"estimators": MODELS, **DATA}),
    (s.learning_curve_inference, {"estimators": MODELS, **DATA, "train_sizes": (0.5, 1.0)}),
    (s.cross_val_inference, {"estimator": NearestMean(), **DATA}),
    (s.cross_val_score, {"estimator": NearestMean(), **DATA}),
    (s.compare_candidates, {"search": SEARCH, "X": X, "y": Y}),
    (s.compare_scores, {"scores": scored(TWO, labels=tuple(MODELS))}),
    (s.compare_losses, {"losses": DRAWN.random((N, 2)), "metric": "mine"}),
    (s.compare_predictions, {**TABLE, "predictions": LABELS}),
    (s.predictions_inference, {**TABLE, "predictions": LABELS["one"]}),
    (s.compare_out_of_fold, {**TABLE, "predictions": LABELS, "folds": FOLDS}),
    (s.evaluation_report, {"result": RESULT}),
    (s.get_procedure, {"method": "corrected_resampled_t"}),
    (s.simulate, {"generator": generator, **STUDY}),
    (simulation.StudiedProcedure, {"test": "corrected_resampled_t"}),
    (s.RacingSearchCV(**GRID).fit, {"X": X, "y": Y}),
    (s.CVScores, {"values": FIVE[1:], "design": FOUR.design}),
    (s.SplitDesign.from_sizes, {**SIZES, "n_splits": 3}),
    (s.SplitDesign.from_splitter, {"cv": CV, "X": X, "y": Y}),
    (s.SplitDesign.from_indices, {"train": [np.arange(50)], "test": [np.arange(50, N)]}),
    (s.CVScores.from_cv_results, {"results": {"test_score": FIVE[1:]}, "design": FOUR.design}),
    (s.CVScores.from_json, {"text": FOUR.to_json()}),
    (FOUR.save, {"path": "scores.json"}),
    (FOUR.with_notes, {"notes": ["a note"]}),
    (FOUR.confidence_interval, {}),
    (s.DesignRequest, {"kind": "subsample", "n_splits": 3, "test_size": 0.1}),
    (s.ComparisonResult.from_json, {"text": RESULT.to_json()}),
    (stats.expected_precision, {"test": FITTED.tests[0], "n_rows": 100}),
    (stats.plan_n_rows, {"result": FITTED.tests[0], "width": 0.1}),
    (RESULT.with_margin, {"margin": 0.1}),
    (RESULT.with_confidence, {"confidence_level": 0.9}),
    (RESULT.ranking, {}),
    (RESULT.letters, {}),
    (RESULT.best_set, {}),
    (CANDIDATES.params, {"name": CANDIDATES.names[0]}),
    (CANDIDATES.pairs, {}),
    (RESULT.plot, {}),
    (RESULT[0].detectable_difference, {}),
    (ESTIMATES.with_confidence, {"confidence_level": 0.9}),
    (TEST.confidence_interval, {}),
    (TEST.against, {"null_value": 0.1, "alternative": "less"}),
    (TEST.claim, {"alpha": 0.1}),
    (TEST.equivalence, {"margin": 0.1}),
    (TEST.probabilities, {"margin": 0.1}),
    (REPORT.save, {"path": "report.html"}),
    (PLAN.power, {"difference": 0.1}),
    (PLAN.detectable_difference, {}),
    (PLAN.n_splits_for, {"difference": 0.5, "power": 0.2}),
    (PLAN.n_splits_interval, {"difference": 0.5, "power": 0.2}),
    (SIMULATED.size, {}),
    (SIMULATED.coverage, {}),
    (SIMULATED.rejection_rates, {"null_values": [0.5]}),
    (SIMULATED.null_value_grid, {"hypothesis": "one-two"}),
    (SIMULATED.to_frame, {}),
    (SIMULATED.moments, {}),
    (stats.adjust_pvalues, {"pvalues": [0.1, 0.2]}),
    (stats.bootstrap_ttest, {"x": [FIVE] * 4, **SIZES}),
    (stats.conservative_ztest, {"x": FIVE, "auxiliary": DRAWN.normal(size=(3, 2, 5)), **SIZES}),
    (stats.corrected_bootstrap_ttest, {"x": [FIVE] * 4, **SIZES}),
    (stats.corrected_resampled_ttest, {"x": FIVE, **SIZES}),
    (stats.diebold_mariano_test, {"x": DRAWN.normal(size=24)}),
    (stats.error_rate_difference, {"n_errors_1": 3, "n_1": 50, "n_errors_2": 9, "n_2": 50}),
    (stats.error_rate_interval, {"n_errors": 3, "n": 50}),
    (stats.five_by_two_cv_ftest, {"scores": DRAWN.normal(size=10)}),
    (stats.five_by_two_cv_ttest, {"x": DRAWN.normal(size=10), "n_train": 30, "n_test": 30}),
    (stats.holdout_ttest, {"x": FIVE, "n_train": 90}),
    (stats.plan_n_splits, {"scores": FOUR}),
    (stats.plan_test_set, {"accuracy": (0.8, 0.83), "agreement": 0.9}),
    (stats.resampled_ttest, {"x": FIVE, **SIZES}),
    (stats.row_ttest, {"row_scores": DRAWN.normal(size=(2, 60)), "n_folds": 5}),
    (theory.conservative_variance, {"differences": [0.1, 0.2]}),
    (theory.correlation_sensitivity, {"scores": FOUR}),
    (theory.cv_variance, {"s1": 1.0, "s2": 0.1, "n_splits": 5}),
    (theory.exchangeable_moments, {"vectors": DRAWN.normal(size=(20, 5))}),
    (theory.half_sample_differences, {"scores": HALVES}),
    (theory.implied_correlation, {"variance": 0.1, "scores": FIVE}),
    (theory.variance_ratio, {"method": "resampled_t", "s1": 1.0, "s2": 0.1, "n_splits": 5}),
    (theory.variance_components, {"scores": OF_ROWS}),
    (test_set.clustered_mean, {"x": AREAS, "groups": GROUPS}),
    (test_set.cochran_q_test, {"correct": DRAWN.random((60, 3)) > 0.4}),
    (test_set.delong_auc, {"y_true": Y, "y_score": AREAS}),
    (test_set.mcnemar_exact_test, {"y_true": Y, "pred_a": LABELS["one"], "pred_b": LABELS["two"]}),
    (plotting.ComparisonDisplay.from_result, {"result": RESULT}),
    (plotting.RankingDisplay.from_result, {"result": RESULT}),
    (plotting.PairedScoresDisplay.from_result, {"result": RESULT}),
    (plotting.PosteriorDisplay.from_result, {"result": TEST}),
    (plotting.CorrelationSensitivityDisplay.from_scores, {"scores": FOUR}),
    (plotting.CorrelationSensitivityDisplay.from_result, {"result": TEST}),
    (plotting.PowerCurveDisplay.from_result, {"result": SIMULATED}),
]
CALLS = {call.__qualname__: (call, options) for call, options in VALID} | {
    "RepeatedSubsampleSplit": (*drawn(s.RepeatedSubsampleSplit), {}),
    "HalfSplitPairs": (*drawn(s.HalfSplitPairs), {"n_pairs": 2}),
    "RepeatedTwoFold": (*drawn(s.RepeatedTwoFold), {}),
    "SignificanceRefit": (
        lambda **options: s.SignificanceRefit(**options)(SEARCH.cv_results_),
        *(s.SignificanceRefit, {"cv": TENTHS, "cost": "param_n_columns"}),
    ),
    "RacingSearchCV": (raced, s.RacingSearchCV, {**GRID, "cv": CV, "min_splits": 3}),
    "LookLedger": (test_set.LookLedger, {"path": "looks.json"}),
    "LookLedger.test": (
        looked,
        test_set.LookLedger("looks.json").test,
        {**TABLE, "champion": LABELS["one"], "challenger": LABELS["two"]},
    ),
    "ComparisonResult.__getitem__": (lambda key: RESULT[key], {"key": 0}),
    "CVTestResult.to_frame": (TEST.to_frame, {}),
    "ComparisonResult.cheapest": (CANDIDATES.cheapest, {"cost": "n_columns"}),
    "ComparisonResult.to_frame": (RESULT.to_frame, {}),
}
for name in s.get_procedure_names():
    procedure = type(s.get_procedure(name))
    CALLS[procedure.__name__] = (*tested(procedure), {})
