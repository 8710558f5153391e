"""Bad input to comparisons of fitted models on one test set."""

from functools import partial

import numpy as np
import pandas as pd
from sklearn.metrics import f1_score, make_scorer, mean_squared_error, zero_one_loss

from skcvstats import compare_losses, compare_predictions, compare_scores, predictions_inference
from skcvstats.exceptions import PairingError, SplitDesignError
from skcvstats.stats import expected_precision, plan_n_rows, plan_n_splits
from skcvstats.test_set import ClusteredTTest, clustered_mean, cochran_q_test, delong_auc

from .given import BAYES, BOTH, FOUR, GROUPS, NAN, ROWS, TWO, WORDS, N, X, Y, scored

P = np.random.RandomState(2).uniform(0.01, 0.99, N)
Q = np.random.RandomState(3).uniform(0.01, 0.99, N)
THREE = ROWS % 3
WRONG = np.where(ROWS % 7, Y, 1 - Y)
SERIES = pd.Series(Y)
LATE = pd.Series(Y, index=ROWS + 1)
TWICE = pd.Series(Y, index=GROUPS)


def labels(b, y=Y, scoring="accuracy", **options):
    return compare_predictions(y, {"a": y, "b": b}, scoring=scoring, **options)


def scores(b=Q, y=Y, scoring="roc_auc", **options):
    return compare_predictions(y, {"a": P, "b": b}, scoring=scoring, **options)


def losses(b=Q, **options):
    return compare_losses({"a": P, "b": b}, **options)


def mean_square(y, predictions):
    return np.mean((y - predictions) ** 2)


mean_square.__name__ = "mean_squared_error"  # without scikit-learn's checks of each replicate


def share_found(y, predictions):
    return np.sum(y * predictions) / max(np.sum(y), 1)


share_found.__name__ = "recall_score"  # without scikit-learn's checks too


def squares(factor):
    y = factor * X[:, 0]
    guesses = {"a": factor * P, "b": factor * Q}
    return predictions_inference(y, guesses, scoring="neg_mean_squared_error")


def without(row, values):
    return np.where(row == ROWS, NAN, values)


STRATIFIED = {"scoring": "f1", "method": "bootstrap", "stratify": True}

# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
PAIRING_ERRORS = [
    (lambda: labels(Y[1:]), "59 rows in the predictions of 'b' and 60", "one of each for"),
    (lambda: labels(LATE, y=SERIES), "1 row of y_true (0) and 1 of the pr", "to_numpy"),
    (lambda: labels(1 - Y, by=GROUPS[1:]), "59 rows in by", "one of each for every row"),
    (lambda: labels(TWICE[::-1], y=TWICE), "labels repeat", "reset_index"),
]
DESIGN_ERRORS = [
    (lambda: plan_n_splits(labels(WRONG).tests[0]), "has no splits to plan", "expected_precision"),
    (lambda: compare_scores(scored(TWO, labels=BOTH), method=ClusteredTTest()),
     "t-test of row means is for fitted models", "compare_losses"),
]
TYPE_ERRORS = [
    (lambda: compare_predictions({"a": Y, "b": Y}, SERIES, scoring="f1"),
     "or a frame with a column for each model, got 0     1 1     1 2", "target comes first"),
    (lambda: labels(WRONG, by="land"), "by must be data with rows", r'such as table\["land"\]'),
    (lambda: compare_predictions(Y, {}, scoring="f1"), "must be a mapping", "for each model"),
    (lambda: labels(P, alpha=0.1), "compare_predictions has no alpha=", "confidence_level="),
    (lambda: plan_n_rows(labels(WRONG), width=0.1), "got ComparisonResult", r"result\.tests\[0\]"),
    (lambda: plan_n_rows(FOUR, width=0.1), "got CVScores", r"result\.tests\[0\]"),
    (lambda: expected_precision(labels(WRONG)), "got ComparisonResult", r"result\.tests\[0\]"),
    (lambda: expected_precision(FOUR, n_rows=9), "got CVScores", r"result\.tests\[0\]"),
    (lambda: losses(metric=abs), "must be a name", "labels losses"),
    (lambda: predictions_inference(Y, 3, scoring="f1"), "got int", "one entry, for each"),
    (lambda: compare_losses(FOUR), "got CVScores of splits", "compare_scores"),
]
VALUE_ERRORS = [
    (lambda: losses(1e150 * Q), "in the losses is 9", "by a constant"),
    (lambda: clustered_mean(1e-150 * Q), "in x is 9", "by a constant"),
    (lambda: squares(1e60), "score of a in 'neg_mean_squared_error' is", "Rescale the target or"),
    (lambda: compare_predictions(Y, {"a": Y}, scoring="f1"), "'a'", "predictions_inference"),
    (lambda: labels(Y + 7), "only has 0, 1", "classes that they stand for"),
    (lambda: labels(np.where(ROWS == 4, 7, Y), scoring="f1"), "'b'", "they stand for"),
    (lambda: labels(2 * Y - 1), "contain -1", "Replace them by the classes"),
    (lambda: losses(-Q, metric="squared_error"), "that is never below 0", "greater_is_better=True"),
    (lambda: losses(metric="accuracy"), "not a name of losses", "greater_is_better=True"),
    (lambda: losses(metric="log_loss", greater_is_better=True), "not a name of scores",
     "greater_is_better=False"),
    (lambda: labels(Y, scoring=make_scorer(zero_one_loss)), "smaller is better in zero_one_loss",
     "greater_is_better=False"),
    (lambda: labels(1 - Y, scoring=partial(mean_square)),
     "'mean_squared_error' is the name of a loss", "greater_is_better=False"),
    (lambda: labels(Y, scoring=mean_squared_error), "does not say whether",
     "greater_is_better=False"),
    (lambda: compare_predictions(Y, {1: Y, "1": Y}, scoring="f1"), "'1' and '1'", "rename"),
    (lambda: labels(WRONG, missing_rows="keep"), "missing_rows='keep'", "drop"),
    (lambda: labels(NAN * Y, missing_rows="drop"), "leaves nothing", "all models have"),
    (lambda: labels(1 - Y, by=ROWS), "by has 60 values on 60 rows", "pandas.cut"),
    (lambda: labels(1 - Y, by=0 * Y), "by has 1 value", "at least two"),
    (lambda: labels(1 - Y, by=np.where(Y == 1, NAN, 1)), "by", "missing"),
    (lambda: compare_losses({"a": -P, "b": -Q}, metric="squared_error"),
     f"a loss that is never below 0, and these fall to -{max(P.max(), Q.max()):.4g}, so the worst",
     "without the minus"),
    (lambda: compare_losses(pd.DataFrame({"model": ["a", "b"], "loss": [0.1, 0.2]})),
     "The losses have texts in the column 'model'", "rows=, models= and values="),
    (lambda: compare_predictions(Y, {"a": P, "b": 1 - P}, scoring="roc_auc", by=Y),
     "no slice can be compared", "wider slices"),
    (lambda: expected_precision(labels(WRONG).tests[0], n_rows=1), "n_rows=1", "from 2 to"),
    (lambda: expected_precision(labels(WRONG).tests[0], n_rows=9.5), "n_rows=9.5", "an integer"),
    (lambda: expected_precision(labels(WRONG).tests[0], n_runs=0), "n_runs=0", "at least 1"),
    (lambda: expected_precision(labels(WRONG).tests[0], n_runs=3), "n_runs=3", "Leave n_runs= out"),
    (lambda: expected_precision(predictions_inference(Y, Y, scoring="accuracy"), n_rows=99),
     "standard error is 0", "of scores that vary"),
    (lambda: plan_n_rows(labels(WRONG).tests[0]), "difference=None, width=None", "give one"),
    (lambda: plan_n_rows(labels(WRONG).tests[0], difference=0.1, width=0.1),
     "difference=0.1, width=0.1", "give one"),
    (lambda: plan_n_rows(labels(WRONG).tests[0], difference=0), "show a difference of 0",
     "Choose another"),
    (lambda: plan_n_rows(labels(WRONG).tests[0], width=-1), "-1 wide", "Choose another"),
    (lambda: plan_n_rows(labels(WRONG).tests[0], margin=0.1, difference=0.2),
     "difference=0.2 is not within the margin", "inside"),
    (lambda: labels(WRONG).by_slice(), "has no slices", "Pass by="),
    (lambda: labels(WRONG).slices_differ(), "has no slices", "Pass by="),
    (lambda: losses(by=GROUPS[1:]), "59 rows in by", "one of each for every row"),
    (lambda: predictions_inference(Y, Y, scoring="accuracy", by=GROUPS[1:]), "59 rows in by",
     "one of each for every row"),
    (lambda: predictions_inference(Y, Y, scoring="accuracy", by=0 * Y), "by has 1 value",
     "at least two"),
    (lambda: losses(by=ROWS), "by has 60 values on 60 rows", "pandas.cut"),
    (lambda: losses(by=np.where(Y == 1, NAN, 1)), "by", "missing"),
    (lambda: labels(WRONG, by=GROUPS % 2).no_slice_worse(), "needs a margin", "with_margin"),
    (lambda: labels(WORDS), "are text and numbers", "of the classes that y_true has"),
    (lambda: labels(P), "which is not a label", "threshold=0.5"),
    (lambda: labels(np.where(ROWS == 7, 0.25, Y)), "contain 0.25, which is not a label", "0.5"),
    (lambda: labels(P, threshold=NAN), "threshold=nan", "finite number"),
    (lambda: labels(P, threshold=2), "threshold=2.0 puts every", "give one from 0 to 1"),
    (lambda: labels(9 * P - 4, threshold=0.5), "reach from", "logits"),
    (lambda: labels(100 * P, threshold=0.3), "threshold=0.3 is one", "percentages"),
    (lambda: labels(np.log(P), threshold=0.01), "reach from", "threshold=0"),
    (lambda: scores(threshold=0.5), "none of 'roc_auc'", "Leave it out"),
    (lambda: labels(P, y=THREE, threshold=0.5), "has 3", "argmax"),
    (lambda: labels(np.c_[P, Q]), "shape (60, 2)", "argmax"),
    (lambda: labels(Y, method="delong"), "method='delong'", "method='auto'"),
    (lambda: labels(Y, groups=GROUPS, method="mcnemar"), "no groups", "method='auto'"),
    (lambda: labels(Y, scoring="f1", n_resamples=99), "n_resamples=99", "from 2000"),
    (lambda: labels(Y, y=THREE, scoring="f1"), "y_true has 3: 0, 1, 2", "scoring='f1_macro'"),
    (lambda: labels(np.where(Y, "yes", "no"), y=np.where(Y, "yes", "no"), scoring="f1"),
     "y_true has the labels 'no', 'yes'", r"make_scorer\(f1_score, pos_label='yes'\)"),
    (lambda: labels(Y, scoring=f1_score), "scoring=f1_score", "make_scorer"),
    (lambda: labels(Y, scoring=3), "scoring=3", "call once for each"),
    (lambda: labels(Y, scoring={"f1"}), "scoring={'f1'}", "pass a list or dict"),
    (lambda: labels(Y, scoring=iter(["f1"])), "scoring=<list_iterator", "pass a list or dict"),
    (lambda: labels(Y, scoring=np.array(["f1"])), "scoring=array(", "pass a list or dict"),
    (lambda: predictions_inference(Y, Y, scoring={"f1": 0}.keys()), "scoring=dict_keys(['f1'])",
     "pass a list or dict"),
    (lambda: labels(Y, scoring=[]), "scoring=[]", "at least one metric"),
    (lambda: labels(Y, scoring=["f1", "f1"]), "scoring=['f1', 'f1']", "each once"),
    (lambda: scores([P, Q[1:]]), "One run has 59 rows", "predicts all rows"),
    (lambda: labels(Y, scoring={1: "f1", "1": "recall"}), "'1' and '1'", "rename"),
    (lambda: labels(P, scoring=["roc_auc", "f1"]), "which is not a label", "threshold=0.5"),
    (lambda: labels(Y, scoring=["accuracy", "f1"], method="mcnemar"), "does not suit 'f1'",
     "method='auto'"),
    (lambda: labels(Y, sample_weight=0 * P), "are 0", "Weigh some rows positively"),
    (lambda: labels(Y, groups=0 * Y), "only 1 group", "at least 2 groups"),
    (lambda: labels(Y, y=without(4, Y)), "1 value of y_true", "leave out those rows"),
    (lambda: scores(without(4, Q)), "nan at row 4", "leave out those rows"),
    (lambda: scores(y=0 * Y), "y_true contains only 0", "Test on more rows"),
    (lambda: scores(y=(ROWS == 0) * 1), "Only 1 row with a positive", "at least 2 rows"),
    (lambda: scores(groups=np.where(Y, "A", WORDS)), "Only 1 group with a positive label, 'A': wi",
     "2 groups"),
    (lambda: scores(WORDS, y=WORDS), "labels such as", "decision values"),
    (lambda: scores(3 * Q, scoring="neg_log_loss"), "not probabilities", "from 0 to 1"),
    (lambda: scores(Y, scoring="neg_log_loss"), "all 0 or 1", "predict_proba"),
    (lambda: scores(y=THREE, scoring="neg_log_loss"), "3 classes", "(n_rows, n_classes)"),
    (lambda: scores(np.c_[P, P, P], scoring="neg_log_loss"), "3 columns", "column for each"),
    (lambda: labels(Y, y=np.c_[Y, Y], scoring="roc_auc"), "y_true has 2 outputs", "by itself"),
    (lambda: scores(pd.DataFrame({"p0": P, "p1": Q}), scoring="neg_log_loss"),
     "'b' have the columns 'p0', 'p1', and the classes are 0, 1",
     r"Name the columns by the classes, or pass \.to_numpy"),
    (lambda: scores(BAYES), "an estimator, GaussianNB", "pass X="),
    (lambda: scores(BAYES, X=X), "is not fitted", "compare_estimators"),
    (lambda: scores(y=0 * P, scoring="r2"), "only 0.0", "use another metric"),
    (lambda: labels(Y, y=(ROWS < 2) * 1, scoring=make_scorer(share_found), method="bootstrap"),
     "recall_score is not defined in", "stratify=True"),
    (lambda: labels(Y, **STRATIFIED, groups=GROUPS), "several classes", "Leave"),
    (lambda: labels(Y, y=(ROWS < 1) * 1, **STRATIFIED), "only 1 row", "2 rows"),
    (lambda: labels(Y, n_resamples=2000), "n_resamples=2000 and stratify=False are for",
     "accuracy by clustered_t. Leave them out, or pass method='bootstrap'"),
    (lambda: scores(stratify=True), "stratify=True are for the bootstrap, and no metric is",
     "roc_auc by delong. Leave them out"),
    (lambda: predictions_inference(Y, Y, scoring="f1", variance="bootstrap"),
     "variance='bootstrap' is not known", "jackknife"),
    (lambda: predictions_inference(Y, P, scoring="roc_auc", variance=3), "variance=3", "sandwich"),
    (lambda: predictions_inference(Y, Y, scoring="accuracy", variance=None),
     "variance=None is not known", "jackknife"),
    (lambda: predictions_inference(Y, Y, scoring="accuracy", stratify=True),
     "stratify=True are for the bootstrap, and no metric is", "pass method='bootstrap'"),
    (lambda: scores(y=P, scoring="neg_max_error"), "neg_max_error has no valid", "Choose another"),
    (lambda: scores(y=P, scoring="neg_max_error", method="bootstrap"), "by any method", "Choose"),
    (lambda: scores(np.c_[P, P], scoring="neg_log_loss"), "do not add to 1", "predict_proba"),
    (lambda: losses(np.c_[P, Q]), "shape (60, 2)", "one loss for each"),
    (lambda: compare_losses({}), "Losses of no model only", "at least two models"),
    (lambda: delong_auc(Y[1:], [P, P]), "y_true has shape (59,)", "one label for each"),
    (lambda: clustered_mean(P, groups=Y[1:]), "groups has shape (59,)", "one label for each"),
    (lambda: labels(Y, y=Y[:, None, None]), "y_true has shape (60, 1, 1)", "one label or value"),
    (lambda: labels(WORDS, y=P, scoring="r2"), "The predictions of 'b'", "must be numbers"),
    (lambda: compare_losses(P), "Shape (60,)", "(n_models, n_rows)"),
    (lambda: compare_losses({"a": P}), "of 'a' only", "clustered_mean"),
    (lambda: losses(variance="robust"), "variance='robust'", "choose one of"),
    (lambda: clustered_mean(np.zeros((2, 2, 2))), "shape (2, 2, 2)", "(n, n_rows)"),
    (lambda: delong_auc(THREE, P), "contains 3 values", "use another metric"),
    (lambda: cochran_q_test([[1], [0]]), "shape (2, 1)", "at least two classifiers"),
    (lambda: cochran_q_test([[1, 0, 1], [0, 1, 1]]), "shape (2, 3); expected", "transpose it"),
    (lambda: cochran_q_test([[1, 2], [0, 1]]), "True or False", "for each test row"),
]
# fmt: on
CASES = {PairingError: PAIRING_ERRORS, SplitDesignError: DESIGN_ERRORS}
CASES |= {TypeError: TYPE_ERRORS, ValueError: VALUE_ERRORS}
